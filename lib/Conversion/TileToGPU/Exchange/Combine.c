//===- Combine.c - the region of reduce and scan, on vectors --------------===//
#include "Combine.h"
#include "tile/Analysis/Laws.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/FastMath.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

//===- operands -----------------------------------------------------------===//

/// Is it a sum of products that may be rounded together with what they are added to? The order of a
/// reduction's additions is ours anyway.
static bool addsProducts(MlirOperation op, MlirOperation single) {
  if (!tileOpIsAReduce(op) || mlirOperationIsNull(single) || !tileOpIs(single, "arith.addf"))
    return false;
  MlirOperation product = tileValueGetOp(tileOperand(op, 0));
  if (!mlirOperationIsNull(product) && tileOpIsAReshape(product))
    product = tileValueGetOp(tileOperand(product, 0));
  return !mlirOperationIsNull(product) && tileOpIs(product, "arith.mulf") &&
         tileOpHasFastMath(product, "contract");
}

bool lowerCombinerStart(Lowering *l, MlirOperation op, int axis, Combiner *c) {
  MlirLocation loc = mlirOperationGetLocation(op);
  intptr_t count = mlirOperationGetNumOperands(op);
  *c = (Combiner){.l = l, .op = op, .count = (int)count};
  if (count < 1 || count > LOWER_MAX_COMBINED) {
    tileEmitError(loc, "expected at most %d tiles combined together, found %ld", LOWER_MAX_COMBINED,
                  (long)count);
    return false;
  }
  TileLayout first = {0};
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(tileOperand(op, i));
    TileLayout layout;
    if (!lowerLayoutOf(loc, type, &layout)) return false;
    if (i == 0) first = layout; // of all: their types are one but for the elements
    c->elements[i] = lowerElementType(tileElementType(type));
  }
  const char *refusal = tilePlanCombine(first, axis, &c->plan);
  if (refusal) {
    tileEmitError(loc, "%s", refusal);
    return false;
  }
  if (c->plan.along[TILE_WARP] && mlirValueIsNull(l->shared)) {
    tileEmitError(loc, "expected a kernel with shared memory for an axis over several warps (see "
                       "tile-allocate-shared), found none");
    return false;
  }
  MlirOperation single = tileCombineGetOnlyOp(op);
  c->commutes = !mlirOperationIsNull(single) && (tileOpGetLaws(single) & TILE_COMMUTES);
  c->fuses = addsProducts(op, single);
  return true;
}

/// vector<Nxi1>: is register r within the tile along the axis?
static MlirValue insideOf(Combiner *c, int64_t extent) {
  Lowering *l = c->l;
  const TileLayout *layout = &c->plan.source;
  int n = lowerNumRegisters(layout);
  MlirType i32 = tileI32(l->b.context), type = tileVectorType(n, i32);
  MlirAttribute *parts = malloc((size_t)n * sizeof *parts);
  if (!parts) abort();
  for (int r = 0; r < n; ++r)
    parts[r] = mlirIntegerAttrGet(i32, lowerRegisterPart(layout, r, c->plan.axis));
  MlirValue registers = tileBuildConstant(&l->b, mlirDenseElementsAttrGet(type, n, parts));
  free(parts);
  MlirValue thread = lowerThreadPart(l, layout, c->plan.axis);
  thread = tileBuildUnary(&l->b, "vector.broadcast", type, thread);
  MlirValue at = tileBuildBinary(&l->b, "arith.xori", thread, registers);
  MlirValue end = tileBuildInt(&l->b, type, extent);
  return tileBuildCmpi(&l->b, TILE_ULT, at, end);
}

bool lowerCombinerOperands(Combiner *c, Combined *values) {
  Lowering *l = c->l;
  int64_t shape[TILE_MAX_RANK];
  for (int i = 0; i < c->count; ++i) values->v[i] = lowerGet(l, tileOperand(c->op, i));
  tileShape(mlirValueGetType(tileOperand(c->op, 0)), shape);
  int64_t extent = shape[c->plan.axis];
  if (extent == tileLayoutExtent(c->plan.source, c->plan.axis)) return true;
  MlirAttribute number = tileCombineGetIdentity(c->op);
  if (mlirAttributeIsNull(number) || !mlirTypeEqual(mlirAttributeGetType(number), c->elements[0])) {
    tileEmitError(
        mlirOperationGetLocation(c->op),
        "expected an extent that is a power of two where the region is not one of the named "
        "combinations, found %ld",
        (long)extent);
    return false;
  }
  MlirValue inside = insideOf(c, extent);
  MlirType type = mlirValueGetType(values->v[0]);
  MlirValue identity = tileBuildConstant(&l->b, number);
  identity = tileBuildUnary(&l->b, "vector.broadcast", type, identity);
  values->v[0] = tileBuildSelect(&l->b, inside, values->v[0], identity);
  return true;
}

//===- combining ----------------------------------------------------------===//

/// The op with vectors of n elements for its scalars.
static bool cloneOnVectors(Lowering *l, MlirOperation op, int64_t n) {
  MlirLocation loc = mlirOperationGetLocation(op);
  bool isText = tileOpIs(op, "tile.inline_ptx");
  bool known = isText || tileOpIsOfDialect(op, "arith") || tileOpIsOfDialect(op, "math");
  if (!known || mlirOperationGetNumResults(op) != 1) {
    tileEmitError(loc, "expected arithmetic in the region of a combination, found '%.*s'",
                  (int)tileOpName(op).length, tileOpName(op).data);
    return false;
  }
  MlirType type = tileVectorType(n, lowerElementType(mlirValueGetType(tileResult(op))));
  if (isText) return lowerInlinePtxAs(l, op, type);
  if (tileOpIs(op, "arith.constant")) {
    MlirAttribute value = lowerScalarAttr(tileAttr(op, "value"), mlirValueGetType(tileResult(op)));
    value = mlirDenseElementsAttrSplatGet(type, value);
    lowerSet(l, tileResult(op), tileBuildConstant(&l->b, value));
    return true;
  }
  MlirValue operands[3];
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count && i < 3; ++i) operands[i] = lowerGet(l, tileOperand(op, i));
  bool moves = tileOpIs(op, "arith.select") || tileOpIs(op, "arith.bitcast");
  bool isFloat8 = lowerInvolvesFloat8(op) && !moves;
  if (isFloat8 || tileOpIs(op, "arith.remf") || tileOpIsOfDialect(op, "math")) {
    MlirValue result =
        isFloat8 ? lowerFloat8Of(l, op, operands) : lowerMathOf(l, op, operands, type);
    if (mlirValueIsNull(result)) return false;
    lowerSet(l, tileResult(op), result);
    return true;
  }
  lowerSet(l, tileResult(op), lowerRepeat(l, op, operands, type));
  return true;
}

/// All elements at once, op by op.
static bool combineVectors(Combiner *c, const Combined *a, const Combined *b, Combined *result) {
  Lowering *l = c->l;
  MlirBlock body = tileBody(c->op, 0);
  int64_t n = mlirShapedTypeGetDimSize(mlirValueGetType(a->v[0]), 0);
  for (int i = 0; i < c->count; ++i) {
    lowerSet(l, mlirBlockGetArgument(body, i), a->v[i]);
    lowerSet(l, mlirBlockGetArgument(body, c->count + i), b->v[i]);
  }
  TILE_FOR_EACH_OP(op, body) {
    if (tileOpIs(op, "tile.yield")) break;
    if (!cloneOnVectors(l, op, n)) return false;
  }
  MlirOperation yield = mlirBlockGetTerminator(body);
  if (c->fuses)
    mlirOperationSetAttributeByName(tileValueGetOp(lowerGet(l, tileOperand(yield, 0))),
                                    tileString("fastmath"),
                                    tileParseAttr(l->b.context, "#arith.fastmath<contract>"));
  for (int i = 0; i < c->count; ++i) result->v[i] = lowerGet(l, tileOperand(yield, i));
  return true;
}

/// Do the truths that the region computes of an element, twice, take more than the predicates that
/// there are? Those of several elements at a time then live in bits of registers.
static bool hasManyTruths(const Combiner *c) {
  enum { PREDICATES = 7 };
  int truths = 0;
  TILE_FOR_EACH_OP(op, tileBody(c->op, 0)) {
    truths += tileOpIs(op, "arith.cmpi") || tileOpIs(op, "arith.cmpf");
  }
  return 2 * truths > PREDICATES;
}

bool lowerCombine(Combiner *c, const Combined *a, const Combined *b, Combined *result) {
  int64_t n = mlirShapedTypeGetDimSize(mlirValueGetType(a->v[0]), 0);
  if (n < 2 || n & (n - 1) || !hasManyTruths(c)) return combineVectors(c, a, b, result);
  MlirValue *parts[LOWER_MAX_COMBINED];
  bool ok = true;
  for (int i = 0; i < c->count; ++i) parts[i] = lowerNewSlices(n);
  for (int64_t e = 0; e < n && ok; ++e) {
    Combined one = lowerCombinedSlice(c, a, e, 1), other = lowerCombinedSlice(c, b, e, 1), own;
    ok = combineVectors(c, &one, &other, &own);
    for (int i = 0; i < c->count && ok; ++i) parts[i][e] = own.v[i];
  }
  for (int i = 0; i < c->count; ++i)
    if (ok)
      result->v[i] = lowerJoinSlices(c->l, n, parts[i]);
    else
      free(parts[i]);
  return ok;
}

//===- moving -------------------------------------------------------------===//

Combined lowerCombinedPermute(Combiner *c, const Combined *values, int64_t n,
                              const int64_t *indices) {
  Combined result = {{{NULL}}};
  for (int i = 0; i < c->count; ++i) result.v[i] = lowerPermute(c->l, values->v[i], n, indices);
  return result;
}

Combined lowerCombinedSlice(Combiner *c, const Combined *values, int64_t offset, int64_t n) {
  Combined result = {{{NULL}}};
  for (int i = 0; i < c->count; ++i) result.v[i] = lowerExtractSlice(c->l, values->v[i], offset, n);
  return result;
}

Combined lowerCombinedSelect(Combiner *c, MlirValue condition, const Combined *yes,
                             const Combined *no) {
  Combined result = {{{NULL}}};
  for (int i = 0; i < c->count; ++i)
    result.v[i] = tileBuildSelect(&c->l->b, condition, yes->v[i], no->v[i]);
  return result;
}

Combined lowerCombinedShuffle(Combiner *c, LowerShuffleKind kind, const Combined *values,
                              MlirValue which) {
  Combined result = {{{NULL}}};
  for (int i = 0; i < c->count; ++i) {
    MlirValue moved = lowerToStored(c->l, values->v[i]);
    moved = lowerShuffle(c->l, kind, moved, which);
    result.v[i] = lowerFromStored(c->l, moved, c->elements[i]);
  }
  return result;
}

//===- warps --------------------------------------------------------------===//

/// Gives each bit of `dim` under `mask` the next bit of the offset.
static void placeBits(TileLayout *map, TileInDim dim, uint32_t mask, int *at) {
  for (; mask; mask &= mask - 1) map->bases[dim][__builtin_ctz(mask)] = (uint64_t)1 << (*at)++;
}

/// [warp along][register / vector][warp][lane][vector], as tileCombineScratchBytes counts it. A
/// load counts the warps along the axis as registers above its own.
static TileLayout scratchMap(const TileCombinePlan *plan, int vectorBits, bool load) {
  TileLayout map = tileLayoutEmpty(1);
  int at = 0, registerBits = __builtin_popcount(plan->kept[TILE_REGISTER]);
  uint32_t registers = ((uint32_t)1 << registerBits) - 1, low = ((uint32_t)1 << vectorBits) - 1;
  uint32_t alongBits = (uint32_t)__builtin_popcount(plan->along[TILE_WARP]);
  for (int dim = TILE_LANE; dim <= TILE_WARP; ++dim) map.inBits[dim] = plan->source.inBits[dim];
  map.inBits[TILE_REGISTER] = registerBits + (load ? (int)alongBits : 0);
  placeBits(&map, TILE_REGISTER, low, &at);
  placeBits(&map, TILE_LANE, plan->kept[TILE_LANE], &at);
  placeBits(&map, TILE_WARP, plan->kept[TILE_WARP], &at);
  placeBits(&map, TILE_REGISTER, registers & ~low, &at);
  if (load)
    placeBits(&map, TILE_REGISTER, (((uint32_t)1 << alongBits) - 1) << registerBits, &at);
  else
    placeBits(&map, TILE_WARP, plan->along[TILE_WARP], &at);
  map.outBits[0] = at;
  return map;
}

/// Lanes that share results store each its own: their bits stand for the upper ones of registers.
static void shareStores(TileLayout *map, uint32_t shared) {
  for (; shared; shared &= shared - 1) {
    int top = --map->inBits[TILE_REGISTER];
    map->bases[TILE_LANE][__builtin_ctz(shared)] = map->bases[TILE_REGISTER][top];
  }
}

/// Of the registers of a load the highest bits of each partial, and of the partials' numbers,
/// become lanes' that hold the same results.
static void shareLoads(TileLayout *map, const TileCombinePlan *plan, CombinedShares share) {
  int kept = __builtin_popcount(plan->kept[TILE_REGISTER]), all = map->inBits[TILE_REGISTER];
  uint32_t lanes = plan->along[TILE_LANE];
  int own = 0;
  for (int r = 0; r < all; ++r) {
    bool partial = r >= all - share.partials;
    if (partial || (r < kept && r >= kept - share.registers)) {
      map->bases[TILE_LANE][__builtin_ctz(lanes)] = map->bases[TILE_REGISTER][r];
      lanes &= lanes - 1;
    } else {
      map->bases[TILE_REGISTER][own++] = map->bases[TILE_REGISTER][r];
    }
  }
  for (int r = own; r < all; ++r) map->bases[TILE_REGISTER][r] = 0;
  map->inBits[TILE_REGISTER] = own;
}

int lowerResultPlaces(const TileCombinePlan *plan, int vectorBits, int *places) {
  int keptWarps = __builtin_popcount(plan->kept[TILE_WARP]);
  int lanes = vectorBits + __builtin_popcount(plan->kept[TILE_LANE]);
  int all = lanes + __builtin_popcount(plan->kept[TILE_REGISTER]) - vectorBits;
  for (int i = 0; i < all; ++i) places[i] = i < lanes ? i : i + keptWarps;
  return all;
}

uint64_t lowerTurnedPlace(const TileCombinePlan *plan, int vectorBits, int byLanes, int i) {
  int places[TILE_MAX_BITS], results = lowerResultPlaces(plan, vectorBits, places);
  int at = TILE_LANE_BITS - byLanes;
  if (at < vectorBits) at = vectorBits; // what is stored at once stays together
  return at + i < results ? (uint64_t)1 << places[at + i] : 0;
}

/// Of the partials that lanes of a warp read at a time each lies in other banks.
static void swizzleStores(TileLayout *map, const TileCombinePlan *plan, int vectorBits,
                          int byLanes) {
  int bit = 0, first = __builtin_popcount(plan->along[TILE_WARP]) - byLanes;
  for (uint32_t left = plan->along[TILE_WARP]; left; left &= left - 1, ++bit)
    if (bit >= first)
      map->bases[TILE_WARP][__builtin_ctz(left)] ^=
          lowerTurnedPlace(plan, vectorBits, byLanes, bit - first);
}

/// Stores the partial of the value number `i`.
static void storePartial(Combiner *c, const Combined *values, const CombinedScratch *scratch,
                         int i) {
  MlirValue stored = lowerToStored(c->l, values->v[i]);
  int width = scratch->vector[i] < scratch->stored ? scratch->vector[i] : scratch->stored;
  for (int r = 0; r < scratch->stored; r += width)
    lowerScratchStore(c->l, &scratch->store[i], r, stored, r, width);
}

bool lowerCombinedPublish(Combiner *c, const Combined *values, MlirValue holds,
                          CombinedShares share, CombinedScratch *scratch) {
  Lowering *l = c->l;
  int64_t offset = lowerSharedOffset(c->op);
  scratch->registers = 1 << __builtin_popcount(c->plan.kept[TILE_REGISTER]);
  scratch->stored = scratch->registers >> __builtin_popcount(c->shared);
  scratch->share = share;
  for (int i = 0; i < c->count; ++i) {
    int bytes = tileElementBytes(c->elements[i]), vectorBits = 0;
    while ((2 << vectorBits) <= scratch->registers && (bytes << (vectorBits + 1)) <= 16)
      ++vectorBits;
    TileLayout storeMap = scratchMap(&c->plan, vectorBits, false);
    TileLayout loadMap = scratchMap(&c->plan, vectorBits, true);
    shareStores(&storeMap, c->shared);
    shareLoads(&loadMap, &c->plan, share);
    swizzleStores(&storeMap, &c->plan, vectorBits, share.swizzled);
    scratch->vector[i] = 1 << vectorBits;
    scratch->store[i] = lowerScratch(l, &storeMap, bytes, offset);
    scratch->load[i] = lowerScratch(l, &loadMap, bytes, offset);
    offset += tileCombineScratchBytes(&c->plan, bytes);
  }
  // Lanes that hold the same write it to one place in one wavefront.
  TileBuilder outside = {0};
  bool some = !mlirValueIsNull(holds);
  if (some) outside = lowerBeginIf(l, holds);
  for (int i = 0; i < c->count; ++i) storePartial(c, values, scratch, i);
  if (some) lowerEndIf(l, outside);
  lowerBarrier(l);
  return true;
}

bool lowerCombinedAreOneEach(const Combiner *c) {
  bool apart = c->plan.kept[TILE_LANE] || c->plan.kept[TILE_REGISTER];
  for (int i = 0; i < c->count && !apart; ++i) apart = tileBitWidth(c->elements[i]) < 8;
  return !apart;
}

/// May partials meet in any order, by one instruction?
static bool isSimple(const Combiner *c) { return c->commutes && c->count == 1; }

bool lowerCombinedPartialOfLane(Combiner *c, int partials, Combined *values) {
  Lowering *l = c->l;
  TileNumber which = isSimple(c) ? TILE_NUMBER_LANE_PARTIALS : TILE_NUMBER_LANE_PARTIALS_OF_SEVERAL;
  int least = tileMachineNumber(l->machine, which), at = 0;
  if (!lowerCombinedAreOneEach(c) || partials < least || partials > 1 << TILE_LANE_BITS)
    return false;
  TileLayout map = tileLayoutEmpty(1);
  map.inBits[TILE_LANE] = TILE_LANE_BITS;
  map.inBits[TILE_WARP] = c->plan.source.inBits[TILE_WARP];
  placeBits(&map, TILE_WARP, c->plan.kept[TILE_WARP], &at);
  placeBits(&map, TILE_LANE, (uint32_t)partials - 1, &at);
  map.outBits[0] = at;
  int64_t offset = lowerSharedOffset(c->op);
  for (int i = 0; i < c->count; ++i) {
    int bytes = tileElementBytes(c->elements[i]);
    LowerScratch lanes = lowerScratch(l, &map, bytes, offset);
    MlirValue own = lowerScratchLoad(l, &lanes, 0, c->elements[i], 1);
    values->v[i] = lowerFromStored(l, own, c->elements[i]);
    offset += tileCombineScratchBytes(&c->plan, bytes);
  }
  return true;
}

bool lowerCombinedPartials(Combiner *c, const CombinedScratch *scratch, int partials,
                           Combined *values) {
  Lowering *l = c->l;
  if (!isSimple(c) || c->plan.kept[TILE_WARP] || !lowerCombinedAreOneEach(c)) return false;
  int bytes = tileElementBytes(c->elements[0]), step = partials;
  while (step * bytes > 16) step /= 2;
  MlirValue *slices = lowerNewSlices(partials / step);
  for (int which = 0; which < partials; which += step)
    slices[which / step] = lowerScratchLoad(l, &scratch->load[0], which, c->elements[0], step);
  MlirValue whole = lowerJoinSlices(l, partials / step, slices);
  values->v[0] = lowerFromStored(l, whole, c->elements[0]);
  return true;
}

Combined lowerCombinedPartial(Combiner *c, const CombinedScratch *scratch, int which) {
  Lowering *l = c->l;
  Combined result = {{{NULL}}};
  for (int i = 0; i < c->count; ++i) {
    bool bit = tileBitWidth(c->elements[i]) == 1;
    MlirType element = bit ? tileI8(l->b.context) : c->elements[i];
    int registers = scratch->registers >> scratch->share.registers;
    int width = scratch->vector[i] < registers ? scratch->vector[i] : registers;
    int count = registers / width;
    MlirValue *slices = lowerNewSlices(count);
    for (int s = 0; s < count; ++s) {
      int at = which * registers + s * width;
      slices[s] = lowerScratchLoad(l, &scratch->load[i], at, element, width);
    }
    MlirValue whole = lowerJoinSlices(l, count, slices);
    result.v[i] = lowerFromStored(l, whole, c->elements[i]);
  }
  return result;
}
