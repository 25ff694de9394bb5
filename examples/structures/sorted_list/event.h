#ifndef EVENT_H
#define EVENT_H

struct event {
    int minute;
    const char *what;
};

#endif
