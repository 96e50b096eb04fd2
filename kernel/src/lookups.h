// A cache of parse table entries; see `quick.h`.
//
// The core finds most entries by searching a row from its beginning, and a parse needs the same few entries many times.
//
// Included between the core's `language.h` and `language.c`, whose calls of `ts_language_lookup` come here. Each parser
// has its own cache; `lookups_use` sets the cache that calls of this thread use; NULL, after a parse, sets none.

#ifndef WHEREFROM_LOOKUPS_H
#define WHEREFROM_LOOKUPS_H

#include "language.h"

#define LOOKUPS 2048

typedef struct {
  uint32_t key; // the inverted bits of state and symbol; 0 is free, as the error symbol is never looked up
  uint16_t value;
} Lookup;

typedef struct {
  const TSLanguage *language;
  Lookup found[LOOKUPS];
} Lookups;

#ifdef __GLIBC__
__attribute__((tls_model("initial-exec")))
#endif
static _Thread_local Lookups *kernel_lookups;

// `language` has to live as long as the process: another language at its address would find its entries.
static void lookups_use(Lookups *used, const TSLanguage *language) {
  if (used && used->language != language) *used = (Lookups){.language = language};
  kernel_lookups = used;
}

static inline uint16_t quick_lookup(const TSLanguage *language, TSStateId state, TSSymbol symbol) {
  if (state < language->large_state_count) return ts_language_lookup(language, state, symbol);
  uint32_t key = ~((uint32_t)state << 16 | symbol);
  Lookup *lookup = &kernel_lookups->found[(key * 0x9e3779b1u) >> 21];
  if (lookup->key != key) *lookup = (Lookup){key, ts_language_lookup(language, state, symbol)};
  return lookup->value;
}

#endif
