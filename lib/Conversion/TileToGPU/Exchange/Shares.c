//===- Shares.c - a sum of which each block of a cluster has a share ------===//
//
// Registers of a thread that follow each other, of which block r has those from `shares[r]` to
// `shares[r + 1]` - 1 in each `period` (tile_gpu.add_parts, tile_gpu.collect_parts), four of them a
// chunk:
//
//   shares = [0, 16, 32], period = 32; of 64 registers block 1 has 16 to 31 and 48 to 63
//
// Which block it is, is known when the kernel runs; which registers are meant, when it is compiled.
// So what a block has is put where each block would have it: registers of other shares hold nothing
// that anybody reads, and none is moved.
//
//===----------------------------------------------------------------------===//
#include "Exchange.h"

bool lowerReadShares(MlirOperation op, int blocks, int chunks, int words, LowerShares *s) {
  MlirAttribute shares = tileAttr(op, "shares");
  *s = (LowerShares){.blocks = blocks, .words = words, .chunks = chunks};
  if (mlirAttributeIsNull(shares)) return true;
  int64_t period = tileIntAttr(op, "period", 0);
  s->period = period / words;
  bool fits = mlirDenseArrayGetNumElements(shares) == blocks + 1 && period % words == 0 &&
              period >= words && chunks % s->period == 0;
  for (int r = 0; fits && r <= blocks; ++r) {
    int64_t first = mlirDenseI64ArrayGetElement(shares, r);
    s->begins[r] = first / words;
    fits = first % words == 0;
    if (r && s->begins[r] - s->begins[r - 1] > s->longest) {
      s->longest = s->begins[r] - s->begins[r - 1];
      s->widest = r - 1;
    }
  }
  if (!fits || !s->longest)
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a share for each of %d blocks, in multiples of %d of %d registers, "
                  "found others",
                  blocks, words, chunks * words);
  return fits && s->longest;
}

bool lowerAreShares(const LowerShares *s) { return s->period != 0; }

bool lowerSharesPad(const LowerShares *s, int64_t chunk) {
  return s->period && chunk % s->period >= s->begins[s->blocks];
}

int64_t lowerSharesCount(const LowerShares *s) {
  return s->period ? s->chunks / s->period * s->longest : s->chunks;
}

/// The first chunk of a period that a block works on: its share's, but for the last ones' that
/// would end behind all.
static int64_t firstOf(const LowerShares *s, int block) {
  int64_t last = s->begins[s->blocks] - s->longest;
  return s->begins[block] < last ? s->begins[block] : last;
}

int64_t lowerSharesPlace(const LowerShares *s, int64_t number, int64_t first) {
  if (!s->period) return number;
  return number / s->longest * s->period + first + number % s->longest;
}

MlirValue lowerSharesExtract(Lowering *l, const LowerShares *s, MlirValue value, int64_t number) {
  // Of the widest share each chunk is in it, whichever block this is.
  int64_t chunk = lowerSharesPlace(s, number, s->begins[s->widest]);
  return lowerExtractSlice(l, value, chunk * s->words, s->words);
}

MlirValue lowerSharesInsert(Lowering *l, const LowerShares *s, MlirValue chunk, MlirValue value,
                            int64_t number) {
  if (!s->period) return lowerInsertSlice(l, chunk, value, number * s->words);
  for (int r = 0; r < s->blocks; ++r) {
    int64_t first = firstOf(s, r), at = first + number % s->longest;
    if (at < s->begins[r] || at >= s->begins[r + 1]) continue;
    value = lowerInsertSlice(l, chunk, value, lowerSharesPlace(s, number, first) * s->words);
  }
  return value;
}

MlirValue lowerSharesBegin(Lowering *l, const LowerShares *s, MlirValue rank, int64_t stride) {
  MlirValue first = lowerI32(l, 0);
  for (int r = 1; r < s->blocks; ++r) {
    MlirValue is = tileBuildCmpi(&l->b, TILE_EQ, rank, lowerI32(l, r));
    first = tileBuildSelect(&l->b, is, lowerI32(l, firstOf(s, r) * stride), first);
  }
  return first;
}
