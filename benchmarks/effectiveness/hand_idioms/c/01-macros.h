#ifndef BAKERY_UTIL_H
#define BAKERY_UTIL_H

#include <stddef.h>

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#define ARRAY_SIZE(x) (sizeof(x) / sizeof((x)[0]))
#define CLAMP(x, lo, hi) MIN(MAX(x, lo), hi)
#define UNUSED(x) ((void)(x))

#define SAFE_FREE(p)   \
    do {               \
        free(p);       \
        (p) = NULL;    \
    } while (0)

#endif
