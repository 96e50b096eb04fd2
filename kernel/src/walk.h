// What the extension asks of the parser: the leaves of a source's tree. `tree.rs` declares the same.

#ifndef WHEREFROM_WALK_H
#define WHEREFROM_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct TSLanguage TSLanguage;

// A leaf: the kind id of its node, and its half-open byte span.
typedef struct {
  uint32_t start, end;
  uint16_t kind;
} KernelLeaf;

// What a parse needs and keeps for the next one; used by one thread at a time.
typedef struct KernelParser KernelParser;

typedef enum {
  KERNEL_DONE = 0,
  KERNEL_LATE = 1,         // it took longer than it was given
  KERNEL_NOT_LOADED = 2,   // the grammar is not of a version that the core reads, or its scanner fails
} KernelStatus;

typedef struct {
  const KernelLeaf *leaves; // in order; they stay until the next call with this parser
  size_t count;
  uint64_t error_bytes; // under ERROR nodes
  bool has_error;       // whether the tree has an ERROR node, or a token that the parser made up
} KernelTree;

// NULL where memory is lacking.
KernelParser *kernel_parser_new(void);

void kernel_parser_delete(KernelParser *parser);

// Parses `length` bytes of UTF-8 and lists the leaves.
//
// actions: for each of 65,536 kind ids: 0 looks at the children, 1 and 2 take the node whole, 3 counts it as an error
//     and looks at its children, 4 takes it whole but for the children whose action has 8 added, which it looks at.
// nanoseconds: of processor time of this thread that the parse may take.
// by_cursor: walks with the public cursor, and not over the subtrees themselves; gives the same.
KernelStatus kernel_parse(
  KernelParser *parser, const TSLanguage *language, const char *source, uint32_t length, const uint8_t *actions,
  uint64_t nanoseconds, bool by_cursor, KernelTree *tree
);

#endif
