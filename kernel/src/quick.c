// Faster versions of functions of the core; see `quick.h`. `core_NAME` is the core's version of `NAME`.

// The functions below write each field of these structs by itself. If a new core adds a field, these checks fail.
_Static_assert(sizeof(Length) == 12 && offsetof(Length, extent.row) == 4, "set_position writes another layout");
_Static_assert(sizeof(void *) != 8 || sizeof(StackNode) == 232, "StackNode has other fields");
_Static_assert(sizeof(void *) != 8 || sizeof(StackHead) == 48, "StackHead has other fields");
_Static_assert(sizeof(void *) != 8 || sizeof(StackSlice) == 24, "StackSlice has other fields");

// Stores a position in two pieces, as the core copies it: the first two numbers together, then the third.
static inline void set_position(Length *position, uint32_t bytes, uint32_t row, uint32_t column) {
#if TS_BIG_ENDIAN
  uint64_t both = (uint64_t)bytes << 32 | row;
#else
  uint64_t both = (uint64_t)row << 32 | bytes;
#endif
  memcpy(position, &both, sizeof both);
  position->extent.column = column;
}

// The lexer. Its input is a whole source in UTF-8 with a line feed behind it. It has one included range, without an end,
// and no logger.

static void quick_advance(TSLexer *lexer, bool skip) {
  Lexer *self = (Lexer *)lexer;
  uint32_t bytes = self->current_position.bytes + 1;
  uint32_t at = bytes - self->chunk_start;
  // The core handles the end of a chunk, characters of several bytes, and the end of the source, where there is no chunk.
  if (self->lookahead_size != 1 || !self->chunk || at >= self->chunk_size || (uint8_t)self->chunk[at] >= 0x80) {
    ts_lexer__advance(lexer, skip);
    return;
  }
  uint32_t row = self->current_position.extent.row, column = self->current_position.extent.column + 1;
  if (self->data.lookahead == '\n') {
    row++;
    column = 0;
    self->column_data = (ColumnData){.value = 0, .valid = true};
  } else if (self->column_data.valid) {
    self->column_data.value++;
  }
  set_position(&self->current_position, bytes, row, column);
  if (skip) set_position(&self->token_start_position, bytes, row, column);
  self->data.lookahead = (uint8_t)self->chunk[at];
}

static void quick_mark_end(TSLexer *lexer) {
  Lexer *self = (Lexer *)lexer;
  self->token_end_position = self->current_position;
}

void ts_lexer_init(Lexer *self) {
  core_lexer_init(self);
  self->data.advance = quick_advance;
  self->data.mark_end = quick_mark_end;
}

// The number of elements that an array of children needs so that their parent fits behind them. Rounded up, since with
// pointers of 4 bytes, the size of a node is not a multiple of that of an element.
static inline uint32_t room_of_node(uint32_t children) {
  return (uint32_t)((ts_subtree_alloc_size(children) + sizeof(Subtree) - 1) / sizeof(Subtree));
}

// The stack.

void ts_stack_push(Stack *self, StackVersion version, Subtree subtree, bool pending, TSStateId state) {
  if (!subtree.ptr) {
    core_stack_push(self, version, subtree, pending, state);
    return;
  }
  StackHead *head = array_get(&self->heads, version);
  StackNode *before = head->node;
  StackNode *node = self->node_pool.size > 0 ? array_pop(&self->node_pool) : ts_malloc(sizeof(StackNode));
  // The core fills all eight links with zeros, and reads only the first `link_count` of them.
  node->state = state;
  node->ref_count = 1;
  node->link_count = 1;
  node->links[0].node = before;
  node->links[0].subtree = subtree;
  node->links[0].is_pending = pending;
  Length position = length_add(before->position, ts_subtree_total_size(subtree));
  set_position(&node->position, position.bytes, position.extent.row, position.extent.column);
  node->error_cost = before->error_cost + ts_subtree_error_cost(subtree);
  node->node_count = before->node_count + stack__subtree_node_count(subtree);
  node->dynamic_precedence = before->dynamic_precedence + ts_subtree_dynamic_precedence(subtree);
  head->node = node;
}

StackSliceArray ts_stack_pop_count(Stack *self, StackVersion version, uint32_t count) {
  StackNode *top = array_get(&self->heads, version)->node, *bottom = top;
  uint32_t popped = 0, trees = 0;
  while (popped < count) {
    if (bottom->link_count != 1) return core_stack_pop_count(self, version, count);
    Subtree subtree = bottom->links[0].subtree;
    if (subtree.ptr) trees++;
    if (!subtree.ptr || !ts_subtree_extra(subtree)) popped++;
    bottom = bottom->links[0].node;
  }
  SubtreeArray subtrees = array_new();
  array_reserve(&subtrees, room_of_node(trees));
  subtrees.size = trees;
  for (StackNode *node = top; node != bottom; node = node->links[0].node) {
    Subtree subtree = node->links[0].subtree;
    if (!subtree.ptr) continue;
    subtrees.contents[--trees] = subtree;
    ts_subtree_retain(subtree);
  }
  array_clear(&self->iterators);
  array_clear(&self->slices);
  array_reserve(&self->slices, 1);
  StackSlice *slice = &self->slices.contents[self->slices.size++];
  slice->subtrees.contents = subtrees.contents;
  slice->subtrees.size = subtrees.size;
  slice->subtrees.capacity = subtrees.capacity;
  slice->version = self->heads.size;
  if (self->heads.size == self->heads.capacity) array_reserve(&self->heads, 2 * self->heads.capacity);
  StackHead *head = &self->heads.contents[self->heads.size++];
  Subtree external = array_get(&self->heads, version)->last_external_token;
  head->node = bottom;
  head->summary = NULL;
  head->node_count_at_last_error = array_get(&self->heads, version)->node_count_at_last_error;
  head->last_external_token = external;
  head->lookahead_when_paused = NULL_SUBTREE;
  head->status = StackStatusActive;
  stack_node_retain(bottom);
  if (external.ptr) ts_subtree_retain(external);
  return self->slices;
}
