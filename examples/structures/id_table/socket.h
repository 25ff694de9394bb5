#ifndef SOCKET_H
#define SOCKET_H

struct socket {
    int descriptor;
    const char *peer;
};

#endif
