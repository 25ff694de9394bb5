// khash, whose header warns.
#pragma once

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#endif
#include <htslib/khash.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
