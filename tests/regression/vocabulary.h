/* The calls of a container by their common names: CALL(add)(&list, element) is squad_add where T is squad and TT is SQUAD. */
#ifndef VOCABULARY_H
#define VOCABULARY_H

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define LIST T
#define LIST_CURSOR CALL(cursor)
#define CALL(name) JOIN(T, _##name)
#define SAYS(name) JOIN(TT, _##name)
#define EACH JOIN(TT, _EACH)

/* What becomes of an element that is added in a pass. */
#define VISITED 1
#define NEXT 2
#define DEFERRED 3
/* The order of a pass. */
#define UNORDERED 0
#define FORWARD 1
#define BACKWARD 2

#endif
