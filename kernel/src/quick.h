// Faster versions of the functions that a parse calls most often. The core is unchanged: each function here handles the
// usual case and calls that of the core in all others. The result is the same.
//
// The usual case is ASCII in the middle of a chunk, and a stack with one path back. Most of the time saved was waiting:
// a load of a value that was stored in pieces a moment ago waits until all of them have reached the cache.
//
// Included before the core; `quick.c` is included after it.

#ifndef WHEREFROM_QUICK_H
#define WHEREFROM_QUICK_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// A tree is used only by the thread that parses it, so its reference counts are not atomic. This replaces `atomic.h`.
#define TREE_SITTER_ATOMIC_H_

static inline size_t atomic_load(const volatile size_t *p) { return *p; }
static inline uint32_t atomic_inc(volatile uint32_t *p) { return ++*(uint32_t *)p; }
static inline uint32_t atomic_dec(volatile uint32_t *p) { return --*(uint32_t *)p; }

#endif
