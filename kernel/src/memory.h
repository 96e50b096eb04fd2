// Memory of the parser: a pool that is emptied as a whole after each parse, in place of `malloc`.
//
// A parse makes millions of small blocks and needs none of them once its leaves are listed. Small blocks are cut from
// chunks and go to free lists by their size; larger ones come from `malloc` and are chained, so that they can be freed
// with the rest. A pool belongs to one thread at a time: `pool_use` sets the pool that calls of this thread take from.
//
// Included before the core, whose `ts_malloc` and so on it defines.

#ifndef WHEREFROM_MEMORY_H
#define WHEREFROM_MEMORY_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define UNIT 16
#define SMALL_CLASSES 64 // small blocks are of 1 to 63 units, the header included
#define FIRST_CHUNK ((size_t)1 << 16)
#define LARGEST_CHUNK ((size_t)1 << 20)
#define KEPT_BYTES ((size_t)1 << 22) // what a pool keeps for the next parse

#ifdef __SANITIZE_ADDRESS__
#define LARGEST_SMALL 0 // every block is from `malloc`, so that the sanitizer knows its bounds
#else
#define LARGEST_SMALL (UNIT * (SMALL_CLASSES - 1) - sizeof(Header))
#endif

// Before each block: its size in units, or 0 for a large block.
typedef uint64_t Header;

typedef struct FreeBlock {
  struct FreeBlock *next;
} FreeBlock;

typedef struct Chunk {
  struct Chunk *next;
  size_t size; // with this header
} Chunk;

// The size of this struct is a multiple of 8, so that the contents behind it are aligned like small blocks.
typedef struct LargeBlock {
  struct LargeBlock *previous, *next;
  size_t size; // of the contents
  Header header;
} LargeBlock;

typedef struct {
  char *at, *end; // what is left of the current chunk
  FreeBlock *free[SMALL_CLASSES];
  Chunk *chunks; // in use, the current one first
  Chunk *spare;  // for when the current chunk is used up
  LargeBlock *large;
} Pool;

#ifdef __GLIBC__
__attribute__((tls_model("initial-exec"))) // found without a call
#endif
static _Thread_local Pool *kernel_pool;

static void pool_use(Pool *used) { kernel_pool = used; }

// No caller in the core checks for NULL, so a lack of memory ends the process, as in the core's own allocator. The pool
// of worker processes then reports the content.
static void *some(void *memory) {
  if (!memory) abort();
  return memory;
}

// Begins another chunk; each has room for any small block.
static void pool_grow(Pool *self) {
  Chunk *chunk = self->spare;
  if (chunk) {
    self->spare = chunk->next;
  } else {
    size_t size = self->chunks ? self->chunks->size * 2 : FIRST_CHUNK;
    if (size > LARGEST_CHUNK) size = LARGEST_CHUNK;
    chunk = some(malloc(size));
    chunk->size = size;
  }
  chunk->next = self->chunks;
  self->chunks = chunk;
  self->at = (char *)(chunk + 1);
  self->end = (char *)chunk + chunk->size;
}

static inline Header *header_of(void *block) { return (Header *)block - 1; }

static void *large_new(Pool *self, size_t size) {
  if (size > SIZE_MAX - sizeof(LargeBlock)) abort();
  LargeBlock *large = some(malloc(sizeof(LargeBlock) + size));
  *large = (LargeBlock){.next = self->large, .size = size};
  if (self->large) self->large->previous = large;
  self->large = large;
  return large + 1;
}

static inline LargeBlock *large_of(void *block) { return (LargeBlock *)block - 1; }

static void large_unchain(Pool *self, LargeBlock *large) {
  if (large->next) large->next->previous = large->previous;
  if (large->previous) large->previous->next = large->next;
  else self->large = large->next;
}

static inline void *kernel_malloc(size_t size) {
  Pool *self = kernel_pool;
  if (size > LARGEST_SMALL || LARGEST_SMALL == 0) return large_new(self, size);
  size_t units = (size + sizeof(Header) + UNIT - 1) / UNIT;
  FreeBlock *found = self->free[units];
  if (found) {
    self->free[units] = found->next;
    return found;
  }
  size_t bytes = units * UNIT;
  if ((size_t)(self->end - self->at) < bytes) pool_grow(self);
  Header *header = (Header *)self->at;
  self->at += bytes;
  *header = units;
  return header + 1;
}

static inline void *kernel_calloc(size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) abort();
  void *block = kernel_malloc(count * size);
  memset(block, 0, count * size);
  return block;
}

static inline void kernel_free(void *block) {
  if (!block) return;
  size_t units = *header_of(block);
  if (units) {
    FreeBlock *freed = block;
    freed->next = kernel_pool->free[units];
    kernel_pool->free[units] = freed;
  } else {
    large_unchain(kernel_pool, large_of(block));
    free(large_of(block));
  }
}

static inline void *kernel_realloc(void *block, size_t size) {
  if (!block) return kernel_malloc(size);
  size_t units = *header_of(block), had;
  if (units) {
    had = units * UNIT - sizeof(Header);
    if (size <= had) return block;
  } else {
    LargeBlock *large = large_of(block);
    had = large->size;
    if (size > LARGEST_SMALL || LARGEST_SMALL == 0) {
      if (size > SIZE_MAX - sizeof(LargeBlock)) abort();
      large = some(realloc(large, sizeof(LargeBlock) + size));
      large->size = size;
      if (large->next) large->next->previous = large;
      if (large->previous) large->previous->next = large;
      else kernel_pool->large = large;
      return large + 1;
    }
  }
  void *moved = kernel_malloc(size);
  memcpy(moved, block, had < size ? had : size);
  kernel_free(block);
  return moved;
}

// Frees all blocks at once. Chunks of up to `kept` bytes in total stay for the next parse.
static void pool_empty(Pool *self, size_t kept) {
  while (self->large) {
    LargeBlock *large = self->large;
    self->large = large->next;
    free(large);
  }
  Chunk *spare = NULL, *lists[] = {self->chunks, self->spare};
  for (int at = 0; at < 2; at++) {
    for (Chunk *chunk = lists[at], *next; chunk; chunk = next) {
      next = chunk->next;
      if (chunk->size <= kept) {
        kept -= chunk->size;
        chunk->next = spare;
        spare = chunk;
      } else {
        free(chunk);
      }
    }
  }
  *self = (Pool){.spare = spare};
}

#define ts_malloc kernel_malloc
#define ts_calloc kernel_calloc
#define ts_realloc kernel_realloc
#define ts_free kernel_free

#endif
