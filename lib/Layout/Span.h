//===- Span.h - subspaces of F2^n, one word a vector ----------------------===//
//
// A span is grown vector by vector and kept in echelon form, each row with the
// combination of the accepted vectors (the generators) that gave it. So it
// answers membership, and how to write a member as a sum of generators: always
// the earliest ones that can, since a vector is accepted only when it is
// independent of those before it.
//
// Internal to lib/Layout. Vectors have at most TILE_MAX_BITS bits.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_LAYOUT_SPAN_H
#define TILE_LAYOUT_SPAN_H

#include "tile/Layout.h"

typedef struct Span {
  int size;                             ///< the dimension, and how many generators there are
  uint64_t generators[TILE_MAX_BITS];   ///< the accepted vectors, in order
  uint64_t rows[TILE_MAX_BITS];         ///< rows[p] has p as its highest bit, or is 0
  uint32_t combinations[TILE_MAX_BITS]; ///< which generators sum to rows[p]
} Span;

/// What is left of `vector` modulo the span; *combination collects the generators taken.
static inline uint64_t spanReduce(const Span *span, uint64_t vector, uint32_t *combination) {
  for (int bit = TILE_MAX_BITS - 1; bit >= 0; --bit)
    if (vector >> bit & 1 && span->rows[bit]) {
      vector ^= span->rows[bit];
      if (combination) *combination ^= span->combinations[bit];
    }
  return vector;
}

static inline bool spanContains(const Span *span, uint64_t vector) {
  return spanReduce(span, vector, NULL) == 0;
}

/// Accepts `vector` as generator number `size` when it is independent; returns whether it was.
static inline bool spanAdd(Span *span, uint64_t vector) {
  uint32_t combination = 0;
  uint64_t rest = spanReduce(span, vector, &combination);
  if (!rest) return false;
  int top = 63 - __builtin_clzll(rest);
  span->rows[top] = rest;
  span->combinations[top] = combination ^ (uint32_t)1 << span->size;
  span->generators[span->size] = vector;
  ++span->size;
  return true;
}

static inline void spanAddDim(Span *span, const TileLayout *layout, TileInDim dim) {
  for (int bit = 0; bit < layout->inBits[dim]; ++bit) spanAdd(span, layout->bases[dim][bit]);
}

/// tileLayoutInvertAndCompose that stays where it is if it can: for the input dimensions in the
/// mask `own`, bit i of the destination maps to bit i of the source plus as low a correction as
/// will do (registers before lanes before warps...). Registers only where the two bases are equal.
bool layoutSolve(const TileLayout *dst, const TileLayout *src, unsigned own, TileLayout *x);

#endif // TILE_LAYOUT_SPAN_H
