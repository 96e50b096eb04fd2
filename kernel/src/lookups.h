// Entries of the parse table that were looked up lately; see `quick.h`.
//
// The core searches the rows of most states from their beginning, and a parse asks for few entries again and again.
//
// Included between the core's `language.h` and `language.c`, whose calls of `ts_language_lookup` come here.

#ifndef WHEREFROM_LOOKUPS_H
#define WHEREFROM_LOOKUPS_H

#include "language.h"

#define LOOKUPS 2048

typedef struct {
  uint32_t other; // all bits of the state and the symbol turned over, so that zeros are of none that there is
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

static void lookups_use(Lookups *used, const TSLanguage *language) {
  if (used->language != language) *used = (Lookups){.language = language};
  kernel_lookups = used;
}

static inline uint16_t quick_lookup(const TSLanguage *language, TSStateId state, TSSymbol symbol) {
  if (state < language->large_state_count) return ts_language_lookup(language, state, symbol);
  uint32_t other = ~((uint32_t)state << 16 | symbol);
  Lookup *lookup = &kernel_lookups->found[(other * 0x9e3779b1u) >> 21];
  if (lookup->other != other) *lookup = (Lookup){other, ts_language_lookup(language, state, symbol)};
  return lookup->value;
}

#endif
