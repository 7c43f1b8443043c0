//===- Worklist.c - ops that a round still has to look at -----------------===//
#include "Worklist.h"
#include <stdlib.h>

enum { BITS = 64 };

/// The bits of word `word` from number `first` to `last`.
static uint64_t bitsOf(size_t word, size_t first, size_t last) {
  uint64_t bits = ~(uint64_t)0;
  if (word == first / BITS) bits &= ~(uint64_t)0 << (first % BITS);
  if (word == last / BITS) bits &= ~(uint64_t)0 >> (BITS - 1 - last % BITS);
  return bits;
}

TileWorklist tileWorklistCreate(size_t count) {
  size_t words = count / BITS + 1;
  TileWorklist waiting = {.words = calloc(words, sizeof *waiting.words), .first = words};
  if (!waiting.words) abort();
  if (count > 0) tileWorklistAdd(&waiting, 0, count - 1);
  return waiting;
}

void tileWorklistDestroy(TileWorklist *waiting) {
  free(waiting->words);
  *waiting = (TileWorklist){0};
}

void tileWorklistAdd(TileWorklist *waiting, size_t first, size_t last) {
  for (size_t w = first / BITS; w <= last / BITS; ++w) waiting->words[w] |= bitsOf(w, first, last);
  if (first / BITS < waiting->first) waiting->first = first / BITS;
  if (last / BITS >= waiting->end) waiting->end = last / BITS + 1;
}

size_t tileWorklistNext(TileWorklist *waiting, size_t from) {
  while (waiting->first < waiting->end && !waiting->words[waiting->first]) ++waiting->first;
  size_t w = from / BITS > waiting->first ? from / BITS : waiting->first;
  for (; w < waiting->end; ++w) {
    uint64_t bits = waiting->words[w] & bitsOf(w, from, SIZE_MAX);
    if (!bits) continue;
    size_t bit = (size_t)__builtin_ctzll(bits);
    waiting->words[w] &= ~((uint64_t)1 << bit);
    return w * BITS + bit;
  }
  return TILE_WORKLIST_END;
}

size_t tileWorklistPrevious(TileWorklist *waiting, size_t below) {
  while (waiting->end > waiting->first && !waiting->words[waiting->end - 1]) --waiting->end;
  if (below == 0) return TILE_WORKLIST_END;
  size_t end = (below - 1) / BITS + 1 < waiting->end ? (below - 1) / BITS + 1 : waiting->end;
  for (size_t w = end; w-- > waiting->first;) {
    uint64_t bits = waiting->words[w] & bitsOf(w, 0, below - 1);
    if (!bits) continue;
    size_t bit = BITS - 1 - (size_t)__builtin_clzll(bits);
    waiting->words[w] &= ~((uint64_t)1 << bit);
    return w * BITS + bit;
  }
  return TILE_WORKLIST_END;
}
