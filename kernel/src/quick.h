// Quicker ways for what a parse does most often. The core stays as it is: here some of its functions have a shorter
// way for the usual case, and leave all others to the core. The outcome is the same.
//
// What is usual: a source in one piece and of ASCII, a tree that no other thread has, a stack with one path back. Most
// of what is saved is not work but waiting: where a value was stored in pieces a moment ago, a load of the whole has
// to wait until they have reached the cache.
//
// Included before the core; `quick.c` is included after it.

#ifndef WHEREFROM_QUICK_H
#define WHEREFROM_QUICK_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// A tree belongs to the call that parses it, so its references need no atomic counters. This stands for `atomic.h`.
#define TREE_SITTER_ATOMIC_H_

static inline size_t atomic_load(const volatile size_t *p) { return *p; }
static inline uint32_t atomic_inc(volatile uint32_t *p) { return ++*(uint32_t *)p; }
static inline uint32_t atomic_dec(volatile uint32_t *p) { return --*(uint32_t *)p; }

#endif
