//===- ScanTruths.c - running counts of truths ----------------------------===//
//
// A sum of truths up to each lane is how many lanes below it have one: a vote of the warp says
// which, and the bits below the lane's own are counted. Another count of all bits is the total,
// which every lane has, where shuffles take a step for each bit of the lane's number, and one more.
//
// Before:  %t = arith.extui %truth : tensor<128xi1> to tensor<128xi32>
//          %s = tile.scan add %t axis 0            1 register, 32 lanes, 4 warps
// After:   votes = vote.sync.ballot truth
//          before = popc(votes & ((1 << lane) - 1)),  total = popc(votes)
//
// Of a thread's first neighbours the sum is a number of few bits: a vote for each of these.
//
//===----------------------------------------------------------------------===//
#include "Scan.h"
#include "tile/Analysis/Laws.h"
#include "tile/MachineNumbers.h"
#include <stdlib.h>

bool lowerScansTruths(const Scan *s, int first) {
  int most = tileMachineNumber(s->c.l->machine, TILE_NUMBER_VOTED_NEIGHBOURS);
  if (!tileCombineCountsTruths(s->c.op) || 1 << first > most || s->numBits < first + TILE_LANE_BITS)
    return false;
  for (int k = 0; k < TILE_LANE_BITS; ++k)
    if (s->bits[first + k].dim != TILE_LANE || s->bits[first + k].bit != k) return false;
  return true;
}

/// The lanes whose `number` has bit `bit` set, a bit each.
static MlirValue votesOf(Lowering *l, MlirValue number, int bit) {
  MlirType i32 = tileI32(l->b.context);
  MlirValue set = lowerTestBits(l, number, (uint32_t)1 << bit), everyone = lowerI32(l, -1);
  MlirAttribute kind = tileParseAttr(l->b.context, "#nvvm<vote_sync_kind ballot>");
  return tileResult(tileBuildOp(&l->b, "nvvm.vote.sync", TILE_VALUES(everyone, set), 1, &i32,
                                TILE_ATTRS({"kind", kind}), 0));
}

/// `sum` and how many bits of `votes` are set, each of which counts 2^bit; null: nothing yet.
static MlirValue addCount(Lowering *l, MlirValue sum, MlirValue votes, int bit) {
  MlirValue count = tileBuildUnary(&l->b, "llvm.intr.ctpop", tileI32(l->b.context), votes);
  if (bit) {
    MlirValue amount = lowerI32(l, bit);
    count = tileBuildBinary(&l->b, "arith.shli", count, amount);
  }
  return mlirValueIsNull(sum) ? count : tileBuildBinary(&l->b, "arith.addi", sum, count);
}

/// A number of 32 bits as one of `type`, or the other way round.
static MlirValue resize(Lowering *l, MlirValue number, MlirType type) {
  int own = tileBitWidth(mlirValueGetType(number)), other = tileBitWidth(type);
  if (own == other) return number;
  return tileBuildUnary(&l->b, own < other ? "arith.extui" : "arith.trunci", type, number);
}

void lowerScanTruths(Scan *s, int first) {
  Lowering *l = s->c.l;
  MlirType i32 = tileI32(l->b.context), type = s->c.elements[0];
  int64_t n = lowerScanSize(s->totalBits);
  MlirValue *befores = lowerNewSlices(n), *totals = lowerNewSlices(n);
  MlirValue one = lowerI32(l, 1), bit = tileBuildBinary(&l->b, "arith.shli", one, l->lane);
  MlirValue below = tileBuildBinary(&l->b, "arith.subi", bit, one);
  // In reverse what comes before are the lanes above.
  if (s->reverse) {
    MlirValue own = tileBuildBinary(&l->b, "arith.ori", below, bit), all = lowerI32(l, -1);
    below = tileBuildBinary(&l->b, "arith.xori", own, all);
  }
  for (int64_t i = 0; i < n; ++i) {
    MlirValue number = resize(l, lowerExtract(l, s->total.v[0], i), i32);
    MlirValue before = {NULL}, total = {NULL};
    for (int k = 0; k <= first; ++k) {
      MlirValue votes = votesOf(l, number, k);
      MlirValue earlier = tileBuildBinary(&l->b, "arith.andi", votes, below);
      before = addCount(l, before, earlier, k);
      total = addCount(l, total, votes, k);
    }
    befores[i] = resize(l, before, type);
    totals[i] = resize(l, total, type);
  }
  s->before.v[0] = lowerFromElements(l, type, n, befores);
  s->total.v[0] = lowerFromElements(l, type, n, totals);
  s->valid = tileBuildInt(&l->b, tileVectorType(n, tileI1(l->b.context)), 1);
  free(befores);
  free(totals);
}
