// Compiles the parser's core and the walk over its trees as one unit.
//
// The walk reads subtrees, which are internal to the core, because the public cursor would take a tenth of the time of
// the parse. So a change of the core may need a change here. `by_cursor` walks with the public cursor, and a test
// compares the results.

// As in the Makefile of the core.
#define _POSIX_C_SOURCE 200112L
#define _DEFAULT_SOURCE
#define _BSD_SOURCE
#define _DARWIN_C_SOURCE

#include "memory.h"
#include "quick.h"

// Included first, so that the macros below rename only the definitions.
#include "lexer.h"
#include "stack.h"

#include "get_changed_ranges.c"
#include "lookups.h"
#define ts_language_lookup quick_lookup
#include "language.c"
#undef ts_language_lookup
#define ts_lexer_init core_lexer_init
#include "lexer.c"
#undef ts_lexer_init
#include "node.c"
#include "parser.c"
#include "point.c"
#define ts_stack_pop_count core_stack_pop_count
#define ts_stack_push core_stack_push
#include "stack.c"
#undef ts_stack_pop_count
#undef ts_stack_push
#include "subtree.c"
#include "tree.c"
#include "tree_cursor.c"
#include "wasm_store.c"

#include "quick.c"

#include "walk.h"

#include <time.h>

enum { DESCEND = 0, ERROR_ACTION = 3, STRING_ACTION = 4, CODE_IN_STRING = 8 };

#define CALLS_PER_LOOK 8 // progress callbacks for each look at the clock, which takes as long as a few steps
#define KEPT_LEAVES ((size_t)1 << 17)

// A string whose parts are being walked.
typedef struct {
  uint16_t kind;
  uint32_t piece, end; // where its text goes on behind the last code in it, and where it ends
  size_t depth;        // the level of its children
} String;

// A node whose children are being walked.
typedef struct {
  const SubtreeHeapData *node;
  const TSSymbol *aliases; // of its children; NULL if they have none
  uint32_t child;          // the number of the next child
  uint32_t structural;     // the number of the next child among those that are not extras
  uint32_t position;       // where the next child begins, with the white space before it
  bool is_in_string;       // whether its visible children are directly in the last string
  bool is_string;
  bool is_in_error;            // whether its visible children are directly under an ERROR node
} Level;

struct KernelParser {
  Pool pool;
  Lookups lookups;
  KernelLeaf *leaves;
  size_t leaf_count, leaf_room;
  Level *levels;
  size_t level_room;
  String *strings;
  size_t string_count, string_room;
};

typedef struct {
  const char *bytes;
  uint32_t length;
  uint64_t deadline;
  unsigned calls;
  bool is_late;
} Source;

// The clock does not run while the process is stopped.
uint64_t kernel_processor_nanoseconds(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)) return 0;
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// A line feed follows the source: scanners that wait for white space (Kotlin's, after `@Name`) never return at the end
// of the input, and no callback can stop them.
static const char *read_source(void *payload, uint32_t offset, TSPoint point, uint32_t *count) {
  (void)point;
  const Source *source = payload;
  if (offset == source->length) {
    *count = 1;
    return "\n";
  }
  *count = offset < source->length ? source->length - offset : 0;
  return *count ? source->bytes + offset : "";
}

static bool is_late(TSParseState *state) {
  Source *source = state->payload;
  if (source->calls++ % CALLS_PER_LOOK) return false;
  source->is_late = kernel_processor_nanoseconds() > source->deadline;
  return source->is_late;
}

static inline void add_leaf(KernelParser *self, uint16_t kind, uint32_t start, uint32_t end, bool is_broken) {
  if (self->leaf_count == self->leaf_room) {
    size_t room = self->leaf_room ? 2 * self->leaf_room : 1024;
    if (room > SIZE_MAX / sizeof(KernelLeaf)) abort();
    self->leaves = some(realloc(self->leaves, room * sizeof(KernelLeaf)));
    self->leaf_room = room;
  }
  self->leaves[self->leaf_count++] = (KernelLeaf){start, end, kind, is_broken};
}

static inline void push_string(KernelParser *self, uint16_t kind, uint32_t start, uint32_t end, size_t depth) {
  if (self->string_count == self->string_room) {
    size_t room = self->string_room ? 2 * self->string_room : 16;
    if (room > SIZE_MAX / sizeof(String)) abort();
    self->strings = some(realloc(self->strings, room * sizeof(String)));
    self->string_room = room;
  }
  self->strings[self->string_count++] = (String){.kind = kind, .piece = start, .end = end, .depth = depth};
}

// Adds the text of the last string before some code in it.
static inline void add_piece(KernelParser *self, uint32_t start, uint32_t end) {
  String *string = &self->strings[self->string_count - 1];
  if (string->piece < start) add_leaf(self, string->kind, string->piece, start, false);
  string->piece = end;
}

// Adds the text of the last string behind all code in it.
static inline void pop_string(KernelParser *self) {
  String *string = &self->strings[--self->string_count];
  if (string->piece < string->end) add_leaf(self, string->kind, string->piece, string->end, false);
}

static inline Level *push_level(KernelParser *self, size_t depth, Subtree node, const TSLanguage *language, uint32_t at) {
  if (depth == self->level_room) {
    size_t room = self->level_room ? 2 * self->level_room : 256;
    if (room > SIZE_MAX / sizeof(Level)) abort();
    self->levels = some(realloc(self->levels, room * sizeof(Level)));
    self->level_room = room;
  }
  self->levels[depth] = (Level){
    .node = node.ptr,
    .aliases = ts_language_alias_sequence(language, node.ptr->production_id),
    .position = at,
  };
  return &self->levels[depth];
}

static inline uint32_t padding_bytes(Subtree node) {
  return node.data.is_inline ? node.data.padding_bytes : node.ptr->padding.bytes;
}

static inline uint32_t size_bytes(Subtree node) {
  return node.data.is_inline ? node.data.size_bytes : node.ptr->size.bytes;
}

// Counts the bytes of an ERROR node that are not in an earlier one.
static inline void count_error(
  KernelTree *tree, uint32_t length, uint32_t *error_end, uint32_t start, uint32_t end
) {
  if (end <= *error_end) return;
  uint32_t last = end < length ? end : length;
  if (last > start) tree->error_bytes += last - start;
  *error_end = end;
}

static void walk_subtrees(KernelParser *self, const TSTree *parsed, const Source *source, const uint8_t *actions, KernelTree *tree) {
  const TSLanguage *language = parsed->language;
  uint32_t error_end = 0;
  Subtree node = parsed->root;
  TSSymbol symbol = ts_subtree_symbol(node);
  bool is_visible = true; // the root is always visible
  uint32_t start = padding_bytes(node);
  size_t depth = 0;
  Level *level = NULL;
  for (;;) {
    uint32_t end = start + size_bytes(node);
    uint16_t kind = 0;
    uint8_t action = DESCEND;
    bool is_in_string = level && level->is_in_string, is_skipped = false;
    bool is_in_error = level && level->is_in_error;
    if (is_visible) {
      kind = ts_language_public_symbol(language, symbol);
      action = actions[kind];
      if (is_in_string) {
        is_skipped = !(action & CODE_IN_STRING);
        if (!is_skipped) add_piece(self, start, end);
        is_in_string = false;
      }
      action &= ~CODE_IN_STRING;
      if (action == ERROR_ACTION && !is_skipped) count_error(tree, source->length, &error_end, start, end);
    }
    bool descends = !is_skipped && (action == DESCEND || action >= ERROR_ACTION) && ts_subtree_visible_child_count(node) > 0;
    if (descends) {
      level = push_level(self, depth++, node, language, start);
      level->is_string = action == STRING_ACTION;
      level->is_in_error = is_visible ? action == ERROR_ACTION : is_in_error;
      level->is_in_string = is_in_string || level->is_string;
      if (level->is_string) push_string(self, kind, start, end, depth);
    } else if (is_visible && !is_skipped) {
      add_leaf(self, kind, start, end, is_in_error || action == ERROR_ACTION);
    }
    for (;;) {
      if (!depth) return;
      level = &self->levels[depth - 1];
      if (level->child < level->node->child_count) break;
      if (level->is_string) pop_string(self);
      depth--;
    }
    node = ((const Subtree *)level->node - level->node->child_count)[level->child];
    symbol = ts_subtree_symbol(node);
    is_visible = ts_subtree_visible(node);
    if (!ts_subtree_extra(node)) {
      TSSymbol alias = level->aliases ? level->aliases[level->structural] : 0;
      if (alias) {
        symbol = alias;
        is_visible = true;
      }
      level->structural++;
    }
    start = level->position;
    if (level->child) start += padding_bytes(node); // the padding of the first child is before its parent
    level->position = start + size_bytes(node);
    level->child++;
  }
}

static bool is_under_error(const TSTreeCursor *cursor, const uint8_t *actions) {
  TSTreeCursor parent = ts_tree_cursor_copy(cursor);
  bool is_under = ts_tree_cursor_goto_parent(&parent)
    && actions[ts_node_symbol(ts_tree_cursor_current_node(&parent))] == ERROR_ACTION;
  ts_tree_cursor_delete(&parent);
  return is_under;
}

static void walk_by_cursor(KernelParser *self, const TSTree *parsed, const Source *source, const uint8_t *actions, KernelTree *tree) {
  uint32_t error_end = 0;
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(parsed));
  size_t depth = 0;
  for (;;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    uint16_t kind = ts_node_symbol(node);
    uint32_t start = ts_node_start_byte(node), end = ts_node_end_byte(node);
    uint8_t action = actions[kind];
    bool is_in_string = self->string_count && self->strings[self->string_count - 1].depth == depth;
    bool is_in_error = is_under_error(&cursor, actions);
    bool is_skipped = is_in_string && !(action & CODE_IN_STRING);
    if (!is_skipped) {
      if (is_in_string) add_piece(self, start, end);
      action &= ~CODE_IN_STRING;
      if (action == ERROR_ACTION) count_error(tree, source->length, &error_end, start, end);
      if ((action == DESCEND || action >= ERROR_ACTION) && ts_tree_cursor_goto_first_child(&cursor)) {
        depth++;
        if (action == STRING_ACTION) push_string(self, kind, start, end, depth);
        continue;
      }
      add_leaf(self, kind, start, end, is_in_error || action == ERROR_ACTION);
    }
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (self->string_count && self->strings[self->string_count - 1].depth == depth) pop_string(self);
      if (!ts_tree_cursor_goto_parent(&cursor)) {
        ts_tree_cursor_delete(&cursor);
        return;
      }
      depth--;
    }
  }
}

KernelParser *kernel_parser_new(void) { return calloc(1, sizeof(KernelParser)); }

void kernel_parser_delete(KernelParser *self) {
  pool_empty(&self->pool, 0);
  free(self->leaves);
  free(self->levels);
  free(self->strings);
  free(self);
}

KernelStatus kernel_parse(
  KernelParser *self, const TSLanguage *language, const char *source, uint32_t length, const uint8_t *actions,
  uint64_t nanoseconds, bool by_cursor, KernelTree *tree
) {
  uint64_t now = kernel_processor_nanoseconds();
  Source read = {
    .bytes = source,
    .length = length,
    .deadline = nanoseconds < UINT64_MAX - now ? now + nanoseconds : UINT64_MAX,
  };
  *tree = (KernelTree){0};
  pool_use(&self->pool);
  lookups_use(&self->lookups, language);
  if (self->leaf_room > KEPT_LEAVES) {
    free(self->leaves);
    self->leaves = NULL;
    self->leaf_room = 0;
  }
  self->leaf_count = self->string_count = 0;
  KernelStatus status = KERNEL_NOT_LOADED;
  // A parser that was stopped would resume at its next use, so each source gets its own.
  TSParser *parser = ts_parser_new();
  if (ts_parser_set_language(parser, language)) {
    TSInput input = {.payload = &read, .read = read_source, .encoding = TSInputEncodingUTF8};
    TSParseOptions options = {.payload = &read, .progress_callback = is_late};
    TSTree *parsed = ts_parser_parse_with_options(parser, NULL, input, options);
    if (parsed) {
      tree->has_error = ts_subtree_error_cost(parsed->root) > 0;
      if (by_cursor) walk_by_cursor(self, parsed, &read, actions, tree);
      else walk_subtrees(self, parsed, &read, actions, tree);
      tree->leaves = self->leaves;
      tree->count = self->leaf_count;
      status = KERNEL_DONE;
    } else if (read.is_late) {
      status = KERNEL_LATE;
    }
  }
  ts_parser_delete(parser); // ends the grammar's scanner; emptying the pool frees everything else, the tree included
  pool_empty(&self->pool, KEPT_BYTES);
  pool_use(NULL);
  lookups_use(NULL, NULL);
  return status;
}
