//===- CombineLanes.c - lanes combine what they have ----------------------===//
//
// Before:  %s = what each lane has        After:  %t = nvvm.shfl.sync bfly %s, 1
//                                                 %u = arith.addf %s, %t : vector
//                                                 .. a shuffle and an op for each bit
//
//===----------------------------------------------------------------------===//
#include "Combine.h"

enum { ALL_LANES = (1u << TILE_LANE_BITS) - 1 };

int64_t lowerSlotsOfCombining(const Combiner *c) {
  enum { DIVISION = 8 };
  int64_t slots = 0;
  TILE_FOR_EACH_OP(op, tileBody(c->op, 0)) {
    if (tileOpIs(op, "tile.yield") || tileOpIs(op, "arith.constant")) continue;
    slots += tileOpIs(op, "arith.divf") ? DIVISION : 1;
  }
  return slots > c->count ? slots : c->count;
}

/// Combines with the element on the other side of a bit: the side with the bit clear comes first,
/// on both sides.
static bool combineInOrder(Combiner *c, MlirValue bitIsSet, const Combined *own,
                           const Combined *other, Combined *result) {
  Combined first = lowerCombinedSelect(c, bitIsSet, other, own);
  Combined second = lowerCombinedSelect(c, bitIsSet, own, other);
  return lowerCombine(c, &first, &second, result);
}

/// Combines over the lanes that differ in `bits`. Where order could matter a lane with a bit clear
/// has its own value first, which is right; what the others make in the meantime is not, and in the
/// end all take what the lane with all bits clear has. Of one bit two selects are as good.
bool lowerCombineLanes(Combiner *c, Combined *values, uint32_t bits) {
  Lowering *l = c->l;
  bool single = (bits & (bits - 1)) == 0;
  LowerExtreme e;
  if (bits == ALL_LANES && lowerFindExtreme(c, &e)) {
    lowerCombineAllLanes(c, &e, values);
    return true;
  }
  for (uint32_t left = bits; left; left &= left - 1) {
    uint32_t bit = left & -left;
    MlirValue mask = lowerI32(l, bit);
    Combined other = lowerCombinedShuffle(c, LOWER_SHUFFLE_XOR, values, mask), own = *values;
    bool made = c->commutes || !single
                    ? lowerCombine(c, &own, &other, values)
                    : combineInOrder(c, lowerTestBits(l, l->lane, bit), &own, &other, values);
    if (!made) return false;
  }
  if (c->commutes || single) return true;
  MlirValue first = lowerI32(l, ((1u << TILE_LANE_BITS) - 1) & ~bits);
  first = tileBuildBinary(&l->b, "arith.andi", l->lane, first);
  *values = lowerCombinedShuffle(c, LOWER_SHUFFLE_LANE, values, first);
  return true;
}
