#ifndef EDIT_H
#define EDIT_H

struct edit {
    char was;
    char is;
};

#endif
