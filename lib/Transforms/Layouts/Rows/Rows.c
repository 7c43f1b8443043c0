//===- Rows.c - what a row is computed from, and what loading it costs ----===//
#include "Rows.h"
#include "../../Loops.h"
#include "tile/Analysis/Scratch.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/Grow.h"
#include "tile/Support/OpLength.h"

MlirAttribute tileRowsLayoutOf(MlirValue value) {
  return mlirRankedTensorTypeGetEncoding(mlirValueGetType(value));
}

bool tileRowsPlan(MlirType from, MlirType to, TileConversion *plan) {
  TileLayout src, dst;
  if (!tileTypeGetLayout(from, &src) || !tileTypeGetLayout(to, &dst)) return false;
  *plan = tileLayoutPlanConversion(src, dst, tileElementBytes(tileElementType(from)));
  return plan->kind != TILE_CONVERSION_IMPOSSIBLE;
}

//===- what the row is computed from --------------------------------------===//

int tileRowsIndexOf(const TileRowSlice *slice, MlirOperation op) {
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
  bool moves = tileOpIsAExpandDims(op) || tileOpIsABroadcast(op) || tileOpIsATrans(op) ||
               tileOpIsAReshape(op) || tileOpIsAJoin(op);
  if (!moves) return mlirAttributeGetNull();
  TileLayoutRules rules = {.context = mlirOperationGetContext(op)};
  return tileLayoutBackward(&rules, op, 0, layout);
}

bool tileRowsCollect(TileRowSlice *slice, MlirValue value, MlirAttribute layout) {
  if (!tileTypeIsTile(mlirValueGetType(value))) return true;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || mlirOperationGetNumResults(op) != 1) return false;
  int known = tileRowsIndexOf(slice, op);
  if (known >= 0) return mlirAttributeEqual(slice->steps[known].layout, layout);
  bool loads = tileOpIsALoad(op);
  MlirAttribute before = layoutBefore(op, layout);
  if (mlirAttributeIsNull(before)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (!tileRowsCollect(slice, operand, before)) return false;
    int at = tileTypeIsTile(mlirValueGetType(operand))
                 ? tileRowsIndexOf(slice, tileValueGetOp(operand))
                 : -1;
    if (at >= 0) loads |= slice->steps[at].loads;
  }
  slice->steps =
      tileGrow(slice->steps, (size_t)slice->count, &slice->capacity, sizeof *slice->steps);
  slice->steps[slice->count++] = (TileRowStep){op, loads, layout};
  return true;
}

void tileRowsCloneSteps(const TileRowSlice *slice, TileValueMap *map, MlirValue last) {
  for (int k = 0; k < slice->count && !tileValueMapHas(*map, last); ++k) {
    MlirOperation op = slice->steps[k].op;
    if (tileValueMapHas(*map, tileResult(op))) continue;
    MlirOperation copy = tileCloneInLayout(op, slice->steps[k].layout);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); ++i)
      mlirOperationSetOperand(copy, i, tileValueMapGet(*map, tileOperand(op, i)));
    tileValueMapSet(map, tileResult(op), tileResult(copy));
  }
}

//===- loaded by each warp ------------------------------------------------===//

MlirAttribute tileRowsLayoutForWarps(MlirType wanted, int most) {
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
  // Truths have a predicate each: side by side in a lane they would be chosen one by one.
  int width = tileBitWidth(tileElementType(wanted)), inWord = 0;
  while (width > 1 && width << (inWord + 1) <= 32) ++inWord;
  for (int bit = 0, taken = 0; bit < bits; ++bit) {
    if (elsewhere >> bit & 1) continue;
    bool lane = taken >= inWord && taken < inWord + TILE_LANE_BITS;
    TileInDim dim = lane ? TILE_LANE : TILE_REGISTER;
    row.bases[dim][row.inBits[dim]++] = (uint64_t)1 << bit;
    ++taken;
  }
  while (row.inBits[TILE_LANE] < TILE_LANE_BITS) row.bases[TILE_LANE][row.inBits[TILE_LANE]++] = 0;
  enum { LOADED_BITS = 8 }; // of a truth at least
  if (width == 1) width = LOADED_BITS;
  bool fits = (int64_t)width << row.inBits[TILE_REGISTER] <= 32 * most;
  return fits ? tileLayoutToAttr(mlirTypeGetContext(wanted), &row) : mlirAttributeGetNull();
}

int64_t tileRowsCostOfWarps(MlirAttribute layout, MlirType wanted, int64_t most) {
  TileConversion plan;
  if (mlirAttributeIsNull(layout)) return most;
  MlirType loaded = tileWithEncoding(wanted, layout);
  if (!tileRowsPlan(loaded, wanted, &plan) || plan.kind == TILE_CONVERSION_SHARED) return most;
  int64_t cost = plan.cost + 3 * tileTypeGetWords(loaded);
  return cost < most ? cost : most;
}

//===- loaded by each lane ------------------------------------------------===//

MlirOperation tileRowsInnermostLoop(MlirOperation op) {
  MlirOperation loop = mlirOperationGetParentOperation(op);
  while (!tileOpIsAFunc(loop) && !tileOpIs(loop, "scf.for"))
    loop = mlirOperationGetParentOperation(loop);
  return tileOpIsAFunc(loop) ? (MlirOperation){NULL} : loop;
}

static bool isInLoopWithoutDots(MlirOperation op) {
  MlirOperation loop = tileRowsInnermostLoop(op);
  return !mlirOperationIsNull(loop) && !tileHoldsDot(loop);
}

/// Has each thread of all loads of `loop` the bytes side by side that a copy takes? Asked before
/// any of them is changed.
static bool mayCopy(TileRows *rows, MlirOperation loop) {
  enum { LEAST_BYTES = 4 };
  const void *body = tileBody(loop, 0).ptr; // stays where the loop carries more
  bool all = true, *known = tilePointerTableFind(rows->copied, body);
  if (known) return *known;
  if (!rows->axis) rows->axis = tileAxisAnalysisCreate(rows->func);
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    TileLayout layout;
    if (!tileOpIsALoad(op) || !tileTypeGetLayout(mlirValueGetType(tileLoadGetPtr(op)), &layout))
      continue;
    int bytes = tileBitWidth(tileElementType(mlirValueGetType(tileResult(op)))) / 8;
    all &= tileAxisAccessVectorIn(rows->axis, op, layout) * bytes >= LEAST_BYTES;
  }
  *(bool *)tilePointerTableAdd(&rows->copied, body, sizeof all) = all;
  return all;
}

bool tileRowsIsAmongWrites(TileRows *rows, MlirOperation op) {
  bool writes = false;
  MlirOperation inner = {NULL}, loop = mlirOperationGetParentOperation(op);
  for (; !tileOpIsAFunc(loop) && !writes; loop = mlirOperationGetParentOperation(loop))
    if (tileOpIsLoop(loop)) {
      writes = tileHoldsEffects(loop, TILE_WRITES_GLOBAL);
      if (mlirOperationIsNull(inner)) inner = loop;
    }
  return writes && (!tileOpIs(inner, "scf.for") || mayCopy(rows, inner));
}

/// The layout of `wanted` without copies in registers, of a row; null: is none.
static MlirAttribute layoutForLanes(MlirType wanted) {
  TileLayout dst;
  if (!tileTypeGetLayout(wanted, &dst)) return mlirAttributeGetNull();
  int extents = 0;
  for (int d = 0; d < dst.rank; ++d) extents += dst.outBits[d] > 0;
  if (extents > 1) return mlirAttributeGetNull();
  TileLayout own = tileLayoutRemoveFreeRegisters(dst, NULL);
  return tileLayoutToAttr(mlirTypeGetContext(wanted), &own);
}

MlirAttribute tileRowsLayoutByLanes(TileRows *rows, MlirOperation reader, MlirType wanted) {
  int words = tileMachineNumber(tileMachineOf(reader), TILE_NUMBER_LANE_ROW_WORDS);
  bool isFree = !rows->hasDots || isInLoopWithoutDots(reader);
  if (!isFree || tileTypeGetWords(wanted) > words || tileRowsIsAmongWrites(rows, reader))
    return mlirAttributeGetNull();
  return layoutForLanes(wanted);
}

/// Lines of the L1 cache that one access of a warp touches, as far as can be guessed: lanes whose
/// elements are neither the same nor within a line of each other have one each.
static int64_t linesOf(const TileAxisAnalysis *axis, MlirOperation load, TileLayout layout) {
  int line = tileMachineOf(load)->lineBytes;
  MlirValue pointers = tileLoadGetPtr(load);
  const TileAxisInfo *info = tileAxisAnalysisGet(axis, pointers);
  int64_t lines = 1, bytes = tileBitWidth(tileElementType(mlirValueGetType(tileResult(load)))) / 8;
  if (info->rank != layout.rank) return 1;
  for (int bit = 0; bit < layout.inBits[TILE_LANE]; ++bit) {
    bool apart = false;
    for (int d = 0; d < layout.rank; ++d) {
      int64_t extent = (int64_t)1 << layout.outBits[d];
      int64_t by = (int64_t)(layout.bases[TILE_LANE][bit] >> tileLayoutShift(layout, d));
      by &= extent - 1;
      bool isNear = by * bytes < line && tileAxisLikelyRun(axis, pointers, d) > by;
      apart |= by && info->constancy[d] <= by && !isNear;
    }
    if (apart) lines *= 2;
  }
  return lines;
}

int64_t tileRowsCostOfLines(TileRows *rows, const TileRowSlice *slice, bool anew) {
  int64_t cost = 0;
  for (int k = 0; k < slice->count; ++k) {
    MlirOperation op = slice->steps[k].op;
    TileLayout layout;
    MlirType now = mlirValueGetType(tileResult(op));
    MlirType type = anew ? tileWithEncoding(now, slice->steps[k].layout) : now;
    if (!tileOpIsALoad(op) || !tileTypeGetLayout(type, &layout)) continue;
    int64_t accesses =
        tileLayoutSize(layout, TILE_REGISTER) / tileAxisAccessVectorIn(rows->axis, op, layout);
    cost += 2 * accesses * (linesOf(rows->axis, op, layout) - 1);
  }
  return cost;
}

/// The slots of a step that computes `registers` numbers: of floats of 16 bits made of such two at
/// a time.
static int64_t costOfStep(MlirOperation op, MlirType type, int64_t registers) {
  MlirType first = mlirValueGetType(tileOperand(op, 0));
  bool byTwos = tileOpIsOfDialect(op, "arith") && tileTypeIsFloat(tileElementType(type)) &&
                tileBitWidth(tileElementType(type)) == 16 &&
                mlirTypeEqual(tileElementType(first), tileElementType(type));
  return byTwos ? (registers + 1) / 2 : registers;
}

int64_t tileRowsCostOfLanes(TileRows *rows, const TileRowSlice *slice) {
  int64_t cost = 0;
  if (!rows->axis) rows->axis = tileAxisAnalysisCreate(rows->func);
  for (int k = 0; k < slice->count; ++k) {
    const TileRowStep *step = &slice->steps[k];
    TileLayout layout;
    MlirType type = tileWithEncoding(mlirValueGetType(tileResult(step->op)), step->layout);
    if (!step->loads || !tileTypeGetLayout(type, &layout)) continue;
    int64_t registers = tileLayoutSize(layout, TILE_REGISTER);
    int vector = tileAxisAccessVectorIn(rows->axis, step->op, layout);
    int bytes = vector * tileBitWidth(tileElementType(type)) / 8;
    cost += tileOpIsALoad(step->op) ? registers / vector * (1 + 2 * (bytes > 8 ? 2 : 1))
                                    : costOfStep(step->op, type, registers);
  }
  return cost;
}

static int64_t registersOf(MlirType type) {
  TileLayout layout;
  if (!tileTypeGetLayout(type, &layout)) return 0;
  layout = tileLayoutRemoveFreeRegisters(layout, NULL);
  return tileLayoutSize(layout, TILE_REGISTER);
}

int64_t tileRowsMoreOfStep(const TileRowStep *step) {
  if (!tileOpIsElementwise(step->op)) return 0;
  MlirType now = mlirValueGetType(tileResult(step->op));
  int64_t own = registersOf(now), then = registersOf(tileWithEncoding(now, step->layout));
  return tileOpLength(step->op) * (then - own);
}
