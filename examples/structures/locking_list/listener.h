#ifndef LISTENER_H
#define LISTENER_H

struct listener {
    const char *name;
    void (*call)(struct listener *listener);
};

#endif
