//===- LocalizeRows.c - warps load all of a row that each of them wants ---===//
//
// Before:  %p = tile.addptr %bias, %columns      // 256 elements over 8 warps
//          %b = tile.load %p
//          %f = arith.extf %b
//          %c = tile_gpu.convert_layout %f           // every warp gets all of them
// After:   %p = tile.addptr %bias, %columns      // 256 elements in each warp
//          %b = tile.load %p
//          %n = tile_gpu.convert_layout %b
//          %c = arith.extf %n
//
// A row that is added to the rows of a tile is wanted by every warp. Loaded once for all, it goes
// through shared memory, and all warps wait for each other, twice. A row is short, and in the cache
// after the first warp: each loads all that it wants, and hands the elements on among its own
// lanes, where that costs less. What is computed of the row goes with it. Elements are handed on as
// narrow as they are.
//
// Declined with a remark where the load has other users, or a thread would hold more than 4 words.
//
// Requires: layouts assigned.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../ValueMap.h"
#include "Layouts.h"
#include "tile/Analysis/Scratch.h"
#include "tile/Passes.h"
#include "tile/Support/Grow.h"
#include <stdlib.h>

/// As many words as tile-hoist-loads moves: what is loaded here is to start in front of a loop.
typedef struct {
  MlirOperation op;
  bool loads;           ///< is it, or does it read, a load's result?
  MlirAttribute layout; ///< that its result is to have
} Step;

/// What a value is computed from, each op before its users.
typedef struct {
  Step *steps;
  int count;
  size_t capacity;
} Slice;

static MlirAttribute layoutOf(MlirValue value) {
  return mlirRankedTensorTypeGetEncoding(mlirValueGetType(value));
}

static bool planFor(MlirType from, MlirType to, TileConversion *plan) {
  TileLayout src, dst;
  if (!tileTypeGetLayout(from, &src) || !tileTypeGetLayout(to, &dst)) return false;
  *plan = tileLayoutPlanConversion(src, dst, tileScratchElementBytes(tileElementType(from)));
  return plan->kind != TILE_CONVERSION_IMPOSSIBLE;
}

//===- what the row is computed from --------------------------------------===//

static int indexOf(const Slice *slice, MlirOperation op) {
  for (int i = 0; i < slice->count; ++i)
    if (mlirOperationEqual(slice->steps[i].op, op)) return i;
  return -1;
}

/// Can it be made in any layout?
static bool isPlain(MlirOperation op) {
  return tileOpIsElementwise(op) || tileOpIsALoad(op) || tileOpIsSource(op);
}

/// The layout that the operands are to have for the result to have `layout`; null: there is none.
static MlirAttribute layoutBefore(MlirOperation op, MlirAttribute layout) {
  if (isPlain(op)) return layout;
  if (!tileOpIsAExpandDims(op) && !tileOpIsABroadcast(op) && !tileOpIsATrans(op))
    return mlirAttributeGetNull();
  TileLayoutRules rules = {.context = mlirOperationGetContext(op)};
  return tileLayoutBackward(&rules, op, 0, layout);
}

/// Collects what `value` is computed from, to be made in `layout`; false where that is not known.
static bool collect(Slice *slice, MlirValue value, MlirAttribute layout) {
  if (!tileTypeIsTile(mlirValueGetType(value))) return true;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || mlirOperationGetNumResults(op) != 1) return false;
  int known = indexOf(slice, op);
  if (known >= 0) return mlirAttributeEqual(slice->steps[known].layout, layout);
  bool loads = tileOpIsALoad(op);
  MlirAttribute before = layoutBefore(op, layout);
  if (mlirAttributeIsNull(before)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (!collect(slice, operand, before)) return false;
    int at =
        tileTypeIsTile(mlirValueGetType(operand)) ? indexOf(slice, tileValueGetOp(operand)) : -1;
    if (at >= 0) loads |= slice->steps[at].loads;
  }
  slice->steps =
      tileGrow(slice->steps, (size_t)slice->count, &slice->capacity, sizeof *slice->steps);
  slice->steps[slice->count++] = (Step){op, loads, layout};
  return true;
}

/// Does all that is loaded end in `conversion`?
static bool isAllOf(const Slice *slice, MlirOperation conversion) {
  for (int k = 0; k < slice->count; ++k) {
    if (!slice->steps[k].loads) continue;
    MlirOpOperand use = mlirValueGetFirstUse(tileResult(slice->steps[k].op));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      if (!mlirOperationEqual(user, conversion) && indexOf(slice, user) < 0) return false;
    }
  }
  return true;
}

//===- the layout ---------------------------------------------------------===//

/// Each warp holds what it holds of the tile type `wanted`, words of consecutive elements spread
/// over its lanes; null where a thread would hold more than `most` words.
static MlirAttribute layoutForWarps(MlirType wanted, int most) {
  TileLayout dst;
  if (!tileTypeGetLayout(wanted, &dst)) return mlirAttributeGetNull();
  TileLayout row = tileLayoutEmpty(dst.rank);
  int bits = 0;
  for (int d = 0; d < dst.rank; ++d) {
    if (bits && dst.outBits[d]) return mlirAttributeGetNull(); // no row
    row.outBits[d] = dst.outBits[d];
    bits += dst.outBits[d];
  }
  uint64_t elsewhere = 0; // the element bits that tell warps apart
  row.inBits[TILE_WARP] = dst.inBits[TILE_WARP];
  for (int bit = 0; bit < dst.inBits[TILE_WARP]; ++bit) {
    uint64_t basis = dst.bases[TILE_WARP][bit];
    if (basis & (basis - 1)) return mlirAttributeGetNull();
    row.bases[TILE_WARP][bit] = basis;
    elsewhere |= basis;
  }
  int width = tileBitWidth(tileElementType(wanted)), inWord = 0;
  while (width << (inWord + 1) <= 32) ++inWord;
  for (int bit = 0, taken = 0; bit < bits; ++bit) {
    if (elsewhere >> bit & 1) continue;
    bool lane = taken >= inWord && taken < inWord + TILE_LANE_BITS;
    TileInDim dim = lane ? TILE_LANE : TILE_REGISTER;
    row.bases[dim][row.inBits[dim]++] = (uint64_t)1 << bit;
    ++taken;
  }
  while (row.inBits[TILE_LANE] < TILE_LANE_BITS) row.bases[TILE_LANE][row.inBits[TILE_LANE]++] = 0;
  bool fits = (int64_t)width << row.inBits[TILE_REGISTER] <= 32 * most;
  return fits ? tileLayoutToAttr(mlirTypeGetContext(wanted), &row) : mlirAttributeGetNull();
}

//===- moving it ----------------------------------------------------------===//

/// The value that is widened, step by step, to `value`.
static MlirValue narrowest(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return value;
  bool widens =
      (tileOpIs(op, "arith.extf") || tileOpIs(op, "arith.extsi") || tileOpIs(op, "arith.extui") ||
       tileOpIs(op, "arith.sitofp") || tileOpIs(op, "arith.uitofp")) &&
      tileBitWidth(tileElementType(mlirValueGetType(tileOperand(op, 0)))) >= 8;
  return widens ? narrowest(tileOperand(op, 0)) : value;
}

/// `value` in `layout`: the casts that lead to it from `narrow`, once more at `conversion`, over
/// what stands for `narrow` in `map`.
static MlirValue widen(TileValueMap *map, MlirOperation conversion, MlirValue value,
                       MlirValue narrow, MlirAttribute layout) {
  if (mlirValueEqual(value, narrow)) return tileValueMapGet(*map, value);
  MlirOperation op = tileValueGetOp(value);
  MlirValue operand = widen(map, conversion, tileOperand(op, 0), narrow, layout);
  TileBuilder b = tileBuilderBefore(conversion);
  MlirType type = tileWithEncoding(mlirValueGetType(value), layout);
  return tileResult(tileBuildLike(&b, op, 1, &operand, &type));
}

/// Clones what the row is computed from, as each warp wants it, and converts that.
static void localize(MlirOperation conversion, const Slice *slice) {
  TileValueMap map = {{0}};
  MlirValue value = tileOperand(conversion, 0), narrow = narrowest(value);
  MlirAttribute wanted = layoutOf(tileResult(conversion));
  bool done = false;
  for (int k = 0; k < slice->count && !done; ++k) {
    MlirOperation op = slice->steps[k].op, copy = tileCloneInLayout(op, slice->steps[k].layout);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); ++i)
      mlirOperationSetOperand(copy, i, tileValueMapGet(map, tileOperand(op, i)));
    tileValueMapSet(&map, tileResult(op), tileResult(copy));
    done = mlirValueEqual(tileResult(op), narrow);
  }
  TileBuilder b = tileBuilderBefore(conversion);
  MlirType type = tileWithEncoding(mlirValueGetType(narrow), wanted);
  MlirValue moved =
      tileBuildUnary(&b, "tile_gpu.convert_layout", type, tileValueMapGet(map, narrow));
  tileValueMapSet(&map, narrow, moved);
  MlirValue result = widen(&map, conversion, value, narrow, wanted);
  tileValueMapClear(&map);
  tileReplaceOp(conversion, 1, &result);
  for (int k = slice->count; k-- > 0;)
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(slice->steps[k].op))))
      mlirOperationDestroy(slice->steps[k].op);
}

static void localizeRow(MlirOperation conversion, Slice *slice) {
  MlirValue value = tileOperand(conversion, 0);
  TileConversion before, after;
  if (!planFor(mlirValueGetType(value), mlirValueGetType(tileResult(conversion)), &before) ||
      before.kind != TILE_CONVERSION_SHARED || mlirOperationIsNull(tileValueGetOp(value)))
    return;
  MlirLocation loc = mlirOperationGetLocation(conversion);
  MlirType narrow = mlirValueGetType(narrowest(value));
  MlirType wanted = tileWithEncoding(narrow, layoutOf(tileResult(conversion)));
  int most = tileMachineNumber(tileMachineOf(conversion), TILE_NUMBER_ROW_WORDS);
  MlirAttribute layout = layoutForWarps(wanted, most), some = layout;
  // What cannot be held is asked about, too: it is the words that are to blame then.
  if (mlirAttributeIsNull(layout)) some = layoutOf(value);
  if (!collect(slice, value, some) || !slice->steps[slice->count - 1].loads) return;
  if (mlirAttributeIsNull(layout)) {
    tileEmitRemark(loc,
                   "row is not loaded by each warp: expected at most %d words a thread, found "
                   "more",
                   most);
    return;
  }
  if (!isAllOf(slice, conversion)) {
    tileEmitRemark(loc, "row is not loaded by each warp: expected no other use of it, found one");
    return;
  }
  if (planFor(tileWithEncoding(narrow, layout), wanted, &after) && after.cost < before.cost &&
      after.kind != TILE_CONVERSION_SHARED)
    localize(conversion, slice);
}

static void consider(MlirOperation conversion) {
  Slice slice = {0};
  localizeRow(conversion, &slice);
  free(slice.steps);
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  (void)data;
  if (tileOpIsAConvertLayout(op)) consider(op);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunLocalizeRows(MlirOperation func) {
  mlirOperationWalk(func, visit, NULL, MlirWalkPostOrder);
  return mlirLogicalResultSuccess();
}
