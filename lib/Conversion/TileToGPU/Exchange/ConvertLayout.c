//===- ConvertLayout.c - the same tile in other hands ---------------------===//
//
// lib/Layout plans, this file writes the plan down:
//
//   registers  one vector.shuffle
//   shuffles   select; nvvm.shfl.sync; select
//   shared     for each pass: vector stores, barrier, vector loads, barrier
//
//===----------------------------------------------------------------------===//
#include "Exchange.h"
#include <stdlib.h>

/// A vector with element i = vector[i ^ flip] where `condition` holds, vector[i] where not.
static MlirValue flipWhere(Lowering *l, MlirValue condition, MlirValue vector, int64_t flip) {
  int64_t n = mlirShapedTypeGetDimSize(mlirValueGetType(vector), 0), *indices = lowerIndices(n);
  for (int64_t i = 0; i < n; ++i) indices[i] = i ^ flip;
  MlirValue flipped = lowerPermute(l, vector, n, indices);
  free(indices);
  return tileBuildSelect(&l->b, condition, flipped, vector);
}

/// Applies the part of `map` that depends on lane and warp to the numbers of a vector's elements.
static MlirValue applyPosition(Lowering *l, const TileLayout *map, MlirValue vector) {
  MlirValue positions[] = {l->lane, l->warp};
  for (int i = 0; i < 2; ++i) {
    TileInDim dim = i ? TILE_WARP : TILE_LANE;
    for (int bit = 0; bit < map->inBits[dim]; ++bit) {
      int64_t flip = tileLayoutCoordinate(*map, map->bases[dim][bit], TILE_REGISTER);
      if (!flip) continue;
      MlirValue condition = lowerTestBits(l, positions[i], (uint32_t)1 << bit);
      vector = flipWhere(l, condition, vector, flip);
    }
  }
  return vector;
}

//===- shuffles -----------------------------------------------------------===//

/// The round bits whose rounds share one 32-bit word: the lowest of packBits, as many as fit.
static uint32_t packedBits(const TileShufflePlan *plan, int elementBytes) {
  uint32_t packed = 0, left = plan->packBits;
  for (int size = elementBytes; size < 4 && left; size *= 2) {
    packed |= left & -left;
    left &= left - 1;
  }
  return packed;
}

/// Round k, counted with the packed bits lowest.
static int64_t roundAt(uint32_t packed, int64_t k) {
  int low = __builtin_popcount(packed);
  uint32_t position = (uint32_t)k;
  return (int64_t)tileDepositBits(position & (((uint32_t)1 << low) - 1), packed) |
         (int64_t)tileDepositBits(position >> low, ~packed);
}

/// Step 2 of the plan: `width` rounds, beginning with round `t`, from their lane.
static MlirValue exchange(Lowering *l, const TileShufflePlan *plan, MlirValue rounds, int64_t t,
                          MlirValue threadLane) {
  int64_t part = lowerRegisterPart(&plan->lane, (int)t, TILE_LANE);
  if (plan->butterfly) {
    if (part == 0) return rounds;
    MlirValue constant = lowerI32(l, part);
    return lowerShuffle(l, LOWER_SHUFFLE_XOR, rounds, constant);
  }
  MlirValue lane = threadLane;
  if (part) {
    MlirValue constant = lowerI32(l, part);
    lane = tileBuildBinary(&l->b, "arith.xori", lane, constant);
  }
  return lowerShuffle(l, LOWER_SHUFFLE_LANE, rounds, lane);
}

static MlirValue convertByShuffles(Lowering *l, const TileShufflePlan *plan, int dstRegisters,
                                   int elementBytes, MlirValue value) {
  int64_t numRounds = (int64_t)1 << plan->roundBits;
  int64_t *indices = lowerIndices(numRounds > dstRegisters ? numRounds : dstRegisters);
  uint32_t packed = packedBits(plan, elementBytes);
  int64_t width = (int64_t)1 << __builtin_popcount(packed);

  MlirValue published = applyPosition(l, &plan->send, value);
  for (int64_t k = 0; k < numRounds; ++k)
    indices[k] = lowerRegisterPart(&plan->send, (int)roundAt(packed, k), TILE_REGISTER);
  published = lowerPermute(l, published, numRounds, indices);

  MlirValue threadLane = {NULL};
  if (!plan->butterfly) threadLane = lowerThreadPart(l, &plan->lane, TILE_LANE);
  MlirValue *slices = lowerNewSlices(numRounds / width);
  for (int64_t k = 0; k < numRounds; k += width) {
    MlirValue rounds = lowerExtractSlice(l, published, k, width);
    slices[k / width] = exchange(l, plan, rounds, roundAt(packed, k), threadLane);
  }
  MlirValue received = lowerJoinSlices(l, numRounds / width, slices);

  for (int64_t k = 0; k < numRounds; ++k) indices[roundAt(packed, k)] = k;
  received = lowerPermute(l, received, numRounds, indices);
  received = applyPosition(l, &plan->receive, received);
  for (int r = 0; r < dstRegisters; ++r)
    indices[r] = lowerRegisterPart(&plan->receive, r, TILE_REGISTER);
  received = lowerPermute(l, received, dstRegisters, indices);
  free(indices);
  return received;
}

//===- scratch ------------------------------------------------------------===//

/// The offset output of a position map, as a map of rank 1.
static TileLayout offsetsOf(const TileLayout *address) {
  TileLayout map = tileLayoutEmpty(1);
  map.outBits[0] = address->outBits[TILE_OFFSET];
  for (int dim = TILE_REGISTER; dim <= TILE_WARP; ++dim) {
    map.inBits[dim] = address->inBits[dim];
    for (int bit = 0; bit < map.inBits[dim]; ++bit)
      map.bases[dim][bit] =
          (uint64_t)tileLayoutCoordinate(*address, address->bases[dim][bit], TILE_OFFSET);
  }
  return map;
}

/// Stores one pass. Lanes that hold one element write it to one place in one wavefront; warps that
/// do so take turns, so all but the first keep out.
static void storePass(Lowering *l, const TileScratchAccess *access, const LowerScratch *scratch,
                      uint32_t idleWarps, MlirValue elements, int pass) {
  TileBuilder outside = l->b;
  if (idleWarps) {
    // scf.if %first { stores }
    MlirValue idle = lowerTestBits(l, l->warp, idleWarps);
    MlirValue yes = tileBuildInt(&l->b, tileI1(l->b.context), 1);
    MlirValue first = tileBuildBinary(&l->b, "arith.xori", idle, yes);
    outside = lowerBeginIf(l, first);
  }
  for (int a = 0; a < access->accesses; ++a) {
    int k = (pass * access->accesses + a) * access->vector;
    lowerScratchStore(l, scratch, k, elements, k, access->vector);
  }
  if (idleWarps) lowerEndIf(l, outside);
}

static MlirValue convertThroughScratch(Lowering *l, const TileScratchPlan *plan,
                                       const TileLayout *src, const TileLayout *dst,
                                       int elementBytes, int64_t offset, MlirValue value) {
  const TileScratchAccess *store = &plan->store, *load = &plan->load;
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(value));
  int64_t stored = (int64_t)plan->passes * store->accesses * store->vector;
  int64_t loaded = (int64_t)plan->passes * load->accesses * load->vector;
  int64_t registers = lowerNumRegisters(dst);
  int64_t *indices = lowerIndices(stored > registers ? stored : registers);
  for (int64_t k = 0; k < stored; ++k)
    indices[k] = lowerRegisterPart(&store->registers, (int)k, TILE_REGISTER);
  MlirValue elements = lowerPermute(l, value, stored, indices);

  TileLayout storeMap = offsetsOf(&store->address), loadMap = offsetsOf(&load->address);
  LowerScratch storeAt = lowerScratch(l, &storeMap, elementBytes, offset);
  LowerScratch loadAt = lowerScratch(l, &loadMap, elementBytes, offset);
  uint32_t idleWarps = store->freeWarp;
  idleWarps |= ((uint32_t)l->numWarps - 1) & ~(tileLayoutSize(*src, TILE_WARP) - 1);
  MlirValue *slices = lowerNewSlices(loaded / load->vector);
  for (int pass = 0; pass < plan->passes; ++pass) {
    if (pass) lowerBarrier(l);
    storePass(l, store, &storeAt, idleWarps, elements, pass);
    lowerBarrier(l);
    for (int a = 0; a < load->accesses; ++a) {
      int k = (pass * load->accesses + a) * load->vector;
      slices[k / load->vector] = lowerScratchLoad(l, &loadAt, k, element, load->vector);
    }
  }
  MlirValue result = lowerJoinSlices(l, loaded / load->vector, slices);
  for (int64_t r = 0; r < registers; ++r)
    indices[r] = lowerRegisterPart(&load->registers, (int)r, TILE_REGISTER);
  result = lowerPermute(l, result, registers, indices);
  free(indices);
  return result;
}

//===- the op -------------------------------------------------------------===//

MlirLogicalResult lowerConvertLayout(Lowering *l, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue operand = tileConvertLayoutGetSource(op);
  MlirType type = mlirValueGetType(operand), element = lowerElementType(tileElementType(type));
  TileLayout src, dst;
  if (!lowerLayoutOf(loc, type, &src) ||
      !lowerLayoutOf(loc, mlirValueGetType(tileResult(op)), &dst))
    return mlirLogicalResultFailure();
  int bytes = tileElementBytes(element);
  TileConversion plan = tileLayoutPlanConversion(src, dst, bytes);
  MlirValue value = lowerGet(l, operand);
  switch (plan.kind) {
  case TILE_CONVERSION_NONE:
    break;
  case TILE_CONVERSION_REGISTERS:
    value = lowerRenumber(l, loc, value, &src, &dst);
    break;
  case TILE_CONVERSION_SHUFFLES:
    value = lowerToStored(l, value);
    value = convertByShuffles(l, &plan.shuffles, lowerNumRegisters(&dst), bytes, value);
    value = lowerFromStored(l, value, element);
    break;
  case TILE_CONVERSION_SHARED:
    if (mlirValueIsNull(l->shared)) {
      tileEmitError(loc, "expected a kernel with shared memory for a conversion between warps (see "
                         "tile-allocate-shared), found none");
      return mlirLogicalResultFailure();
    }
    value = lowerToStored(l, value);
    value =
        convertThroughScratch(l, &plan.scratch, &src, &dst, bytes, lowerSharedOffset(op), value);
    value = lowerFromStored(l, value, element);
    break;
  case TILE_CONVERSION_IMPOSSIBLE:
    tileEmitError(loc, "expected layouts that hold the same elements, found layouts that do not");
    return mlirLogicalResultFailure();
  }
  lowerSet(l, tileResult(op), value);
  return mlirLogicalResultSuccess();
}
