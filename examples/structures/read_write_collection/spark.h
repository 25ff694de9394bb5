#ifndef SPARK_H
#define SPARK_H

struct spark {
    int height;
    int speed;
    int bounces; /* remaining */
};

#endif
