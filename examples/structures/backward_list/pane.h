#ifndef PANE_H
#define PANE_H

struct pane {
    const char *title;
    int x, width;
};

#endif
