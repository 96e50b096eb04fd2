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
  uint16_t is_broken; // whether it is an ERROR node, or directly under one
} KernelLeaf;

// What a parse needs and keeps for the next one; used by one thread at a time.
typedef struct KernelParser KernelParser;

typedef enum {
  KERNEL_DONE = 0,
  KERNEL_LATE = 1,         // the parse took longer than `nanoseconds`
  KERNEL_NOT_LOADED = 2,   // the core cannot read the version of the grammar, or its scanner failed
} KernelStatus;

typedef struct {
  const KernelLeaf *leaves; // in order; they stay until the next call with this parser
  size_t count;
  uint64_t error_bytes; // under ERROR nodes
  bool has_error;       // whether the tree has an ERROR node, or a token that the parser made up
} KernelTree;

// Returns NULL if memory is lacking.
KernelParser *kernel_parser_new(void);

void kernel_parser_delete(KernelParser *parser);

// Parses `length` bytes of UTF-8 and lists the leaves.
//
// actions: by kind id, what to do at a node: 0 looks at its children, 1 and 2 take it whole, 3 counts it as an error and
//     looks at its children, 4 takes it whole except the children whose action has 8 added, and looks at these.
// nanoseconds: the processor time of this thread that the parse may take.
// by_cursor: walks with the public cursor instead of over the subtrees; the result is the same.
KernelStatus kernel_parse(
  KernelParser *parser, const TSLanguage *language, const char *source, uint32_t length, const uint8_t *actions,
  uint64_t nanoseconds, bool by_cursor, KernelTree *tree
);

// The processor time of this thread, which does not run while the process is stopped.
uint64_t kernel_processor_nanoseconds(void);

#endif
