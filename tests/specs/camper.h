/* Says that there is such a struct. */
#ifndef CAMPER_H
#define CAMPER_H

typedef struct camper camper;

#endif
