// Included before a generated `parser.c`. Its lexer is one function with a loop around thousands of states. For
// WebAssembly, LLVM compares each block of such a loop with each other: minutes and gigabytes for a large grammar. Here
// the function goes one step, from a state to the next, and the loop is around it.
#include "tree_sitter/parser.h"

static struct {
  TSStateId state;
  bool skips;
  bool result;
} lexing;

static inline bool lex(bool (*step)(TSLexer *, TSStateId), TSLexer *lexer, TSStateId state) {
  lexing.result = false;
  while (step(lexer, state)) {
    lexer->advance(lexer, lexing.skips);
    state = lexing.state;
  }
  return lexing.result;
}

// `parser.c` defines each as `static bool ts_lex(TSLexer *lexer, TSStateId state) {`.
#define STEPPING(name, lexer, state)                                                            \
  __attribute__((noinline)) name##_step(lexer, state);                                          \
  static bool name(TSLexer *given, TSStateId first) { return lex(name##_step, given, first); } \
  static bool name##_step(lexer, state)

#define ts_lex(lexer, state) STEPPING(ts_lex, lexer, state)
#define ts_lex_keywords(lexer, state) STEPPING(ts_lex_keywords, lexer, state)

#undef START_LEXER
#undef ADVANCE
#undef ADVANCE_MAP
#undef SKIP
#undef ACCEPT_TOKEN
#undef END_STATE

#define START_LEXER() \
  bool eof;           \
  int32_t lookahead = lexer->lookahead

#define STEP(next, skip)   \
  {                        \
    lexing.state = (next); \
    lexing.skips = (skip); \
    return true;           \
  }

#define ADVANCE(next) STEP(next, false)
#define SKIP(next) STEP(next, true)

#define ADVANCE_MAP(...)                                             \
  {                                                                  \
    static const uint16_t map[] = {__VA_ARGS__};                     \
    for (uint32_t i = 0; i < sizeof(map) / sizeof(map[0]); i += 2) { \
      if (map[i] == lookahead) ADVANCE(map[i + 1])                   \
    }                                                                \
  }

#define ACCEPT_TOKEN(symbol)     \
  lexing.result = true;          \
  lexer->result_symbol = symbol; \
  lexer->mark_end(lexer);

#define END_STATE() return false;
