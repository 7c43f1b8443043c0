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
// Where that costs less than either, each lane loads what it wants of the row itself, though others
// load the same: runs of 16 bytes a lane that are the same for many lanes are an access each,
//
//          %n = tile.load %p : tensor<256x!tile.ptr<f16>, [what the result wants]>
//
// but in loops that write, where tile-pipeline lets loads run ahead of what threads own, if these
// all have the 4 bytes a thread that a copy takes, and where there are dots around or in front,
// behind whose loops a row of few words is loaded early (tile-hoist-loads).
//
// Pointers that a loop without writes carries, and moves on by one number each, are computed for
// that: from the number of the step where it is the same in each, else from its sum, which the loop
// carries. Beside dots those of a row are, as of scales.
//
// Where several conversions bring what is computed of one row, as mask and pointers of rows that a
// step gathers, the row is handed on, and each is computed of that as it is wanted:
//
// Before:  %m = tile_gpu.convert_layout (%r >= 0)                 // %r = tile.load %p
//          %q = tile_gpu.convert_layout (%x + %r * %pitch)
// After:   %n = tile_gpu.convert_layout %r                       // by each warp
//          %m = %n >= 0,  %q = %x + %n * %pitch
//
// Declined with a remark where the load has other users, or a thread would hold more than 4 words.
//
// Requires: layouts assigned.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "../ValueMap.h"
#include "Layouts.h"
#include "tile/Analysis/Scratch.h"
#include "tile/Passes.h"
#include "tile/Support/Grow.h"
#include "tile/Support/PointerTable.h"
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

/// What is asked of a whole kernel.
typedef struct {
  MlirOperation func;
  TileAxisAnalysis *axis; ///< of the function as it is; null: to be made
  bool hasDots;
  TilePointerTable copied; ///< loop -> bool: could all its loads be copied, as they were at first?
} Rows;

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

/// Clones the steps up to `last` in their layouts, over what stands for values in `map`; those
/// that are there stay.
static void cloneSteps(const Slice *slice, TileValueMap *map, MlirValue last) {
  for (int k = 0; k < slice->count && !tileValueMapHas(*map, last); ++k) {
    MlirOperation op = slice->steps[k].op;
    if (tileValueMapHas(*map, tileResult(op))) continue;
    MlirOperation copy = tileCloneInLayout(op, slice->steps[k].layout);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); ++i)
      mlirOperationSetOperand(copy, i, tileValueMapGet(*map, tileOperand(op, i)));
    tileValueMapSet(map, tileResult(op), tileResult(copy));
  }
}

/// Clones what the row is computed from, as each warp wants it, and converts that.
static void localize(Rows *rows, MlirOperation conversion, const Slice *slice) {
  TileValueMap map = {{0}};
  MlirValue value = tileOperand(conversion, 0), narrow = narrowest(value);
  MlirAttribute wanted = layoutOf(tileResult(conversion));
  cloneSteps(slice, &map, narrow);
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
  // What was analysed may be gone, and its place taken by something else.
  tileAxisAnalysisDestroy(rows->axis);
  rows->axis = NULL;
}

//===- pointers that loops carry -------------------------------------------===//

/// The innermost loop over numbers around `op`; null where there is none.
static MlirOperation innermostLoop(MlirOperation op) {
  MlirOperation loop = mlirOperationGetParentOperation(op);
  while (!tileOpIsAFunc(loop) && !tileOpIs(loop, "scf.for"))
    loop = mlirOperationGetParentOperation(loop);
  return tileOpIsAFunc(loop) ? (MlirOperation){NULL} : loop;
}

static bool isInLoopWithoutDots(MlirOperation op) {
  MlirOperation loop = innermostLoop(op);
  return !mlirOperationIsNull(loop) && !tileHoldsDot(loop);
}

/// The number that all elements of `value` are, as an i64 in front of `b`; null: they are not.
static MlirValue buildScalar(TileBuilder *b, MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  MlirType i64 = tileI64(b->context);
  int64_t number;
  if (tileConstantInt(value, &number)) return tileBuildInt(b, i64, number);
  if (mlirOperationIsNull(op) || !tileOpIsASplat(op)) return (MlirValue){NULL};
  MlirValue scalar = tileOperand(op, 0);
  bool isWide = mlirTypeEqual(mlirValueGetType(scalar), i64);
  return isWide ? scalar : tileBuildUnary(b, "arith.extsi", i64, scalar);
}

/// The op that moves all of argument `i` of `loop` on by one number, where nobody asks for it
/// behind the loop; else null.
static MlirOperation findAdvance(MlirOperation loop, intptr_t i) {
  MlirBlock body = tileBody(loop, 0);
  MlirOperation next = tileValueGetOp(tileOperand(mlirBlockGetTerminator(body), i));
  bool isAsked = !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(loop, i)));
  bool moves = !isAsked && !mlirOperationIsNull(next) && tileOpIsAAddPtr(next) &&
               mlirValueEqual(tileOperand(next, 0), mlirBlockGetArgument(body, i + 1));
  return moves ? next : (MlirOperation){NULL};
}

/// Is that number the same in each step of 1?
static bool isSteady(MlirOperation loop, MlirOperation next) {
  int64_t step;
  if (!tileConstantInt(tileOperand(loop, 2), &step) || step != 1 ||
      mlirTypeIsAIndex(mlirValueGetType(tileOperand(loop, 0))))
    return false;
  MlirOperation by = tileValueGetOp(tileOperand(next, 1));
  return !mlirOperationIsNull(by) && !tileBlockHolds(tileBody(loop, 0), mlirOperationGetBlock(by));
}

/// (%i - %first) * %by, in front of what is in the loop; null where it is not to be had.
static MlirValue buildSteps(MlirOperation loop, MlirOperation next) {
  TileBuilder b = tileBuilderBefore(mlirBlockGetFirstOperation(tileBody(loop, 0))),
              front = tileBuilderBefore(loop);
  MlirValue by = buildScalar(&front, tileOperand(next, 1));
  if (mlirValueIsNull(by)) return by;
  MlirType i64 = tileI64(b.context);
  MlirValue iv = mlirBlockGetArgument(tileBody(loop, 0), 0);
  MlirValue steps = tileBuildBinary(&b, "arith.subi", iv, tileOperand(loop, 0));
  if (!mlirTypeEqual(mlirValueGetType(steps), i64))
    steps = tileBuildUnary(&b, "arith.extsi", i64, steps);
  return tileBuildBinary(&b, "arith.muli", steps, by);
}

/// The sum of all that the pointers were moved on by, which the loop carries for them; null where
/// it is not to be had. The loop is another then.
static MlirValue carrySteps(MlirOperation *loop, MlirOperation next) {
  TileBuilder b = tileBuilderBefore(mlirBlockGetTerminator(tileBody(*loop, 0))),
              front = tileBuilderBefore(*loop);
  MlirValue by = buildScalar(&b, tileOperand(next, 1));
  if (mlirValueIsNull(by)) return by;
  MlirValue none = tileBuildInt(&front, tileI64(b.context), 0);
  *loop = tileExtendFor(*loop, 1, &none);
  MlirBlock body = tileBody(*loop, 0);
  MlirValue far = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
  b = tileBuilderBefore(mlirBlockGetTerminator(body));
  MlirValue sum = tileBuildBinary(&b, "arith.addi", far, by);
  tileExtendYield(body, 1, &sum);
  return far;
}

/// %p = %init + what it was moved on by, in front of what is in the loop, for an argument that it
/// carries.
static void computePointers(Rows *rows, MlirOperation loop, intptr_t i) {
  MlirOperation next = findAdvance(loop, i);
  if (mlirOperationIsNull(next)) return;
  MlirValue far = isSteady(loop, next) ? buildSteps(loop, next) : carrySteps(&loop, next);
  if (mlirValueIsNull(far)) return;
  MlirBlock body = tileBody(loop, 0);
  MlirValue init = tileOperand(loop, i + 3), old = mlirBlockGetArgument(body, i + 1);
  TileBuilder b = tileBuilderBefore(mlirBlockGetFirstOperation(body));
  MlirOperation made = tileValueGetOp(far);
  if (!mlirOperationIsNull(made)) b = tileBuilderAfter(made);
  MlirType type = mlirValueGetType(old);
  MlirValue all = tileBuildUnary(&b, "tile.splat", tileWithElement(type, tileI64(b.context)), far);
  MlirValue here = tileBuild(&b, "tile.addptr", type, TILE_VALUES(init, all));
  mlirValueReplaceAllUsesOfWith(old, here);
  mlirOperationSetOperand(mlirBlockGetTerminator(body), i, old);
  tileAxisAnalysisDestroy(rows->axis);
  rows->axis = NULL;
}

/// Has each thread of all loads of `loop` the bytes side by side that a copy takes? Asked before
/// any of them is changed.
static bool mayCopy(Rows *rows, MlirOperation loop) {
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

/// Is it in a loop that writes global memory, ahead of which loads may run?
static bool isAmongWrites(Rows *rows, MlirOperation op) {
  bool writes = false;
  MlirOperation inner = {NULL}, loop = mlirOperationGetParentOperation(op);
  for (; !tileOpIsAFunc(loop) && !writes; loop = mlirOperationGetParentOperation(loop))
    if (tileOpIs(loop, "scf.for") || tileOpIs(loop, "scf.while")) {
      writes = tileHoldsEffects(loop, TILE_WRITES_GLOBAL);
      if (mlirOperationIsNull(inner)) inner = loop;
    }
  return writes && (!tileOpIs(inner, "scf.for") || mayCopy(rows, inner));
}

/// What is loaded for `value` through pointers that a loop without writes carries is loaded through
/// pointers that follow from the step. Beside dots those of a row are: of a whole operand they
/// would be added up anew, each of them, in each step.
static void followSteps(Rows *rows, MlirValue value, bool isRow) {
  MlirOperation op = tileValueGetOp(value);
  while (!mlirOperationIsNull(op) && !tileOpIsALoad(op) &&
         (tileOpIsElementwise(op) || tileOpIsShapeChange(op)) &&
         mlirOperationGetNumOperands(op) == 1)
    op = tileValueGetOp(tileOperand(op, 0));
  if (mlirOperationIsNull(op) || !tileOpIsALoad(op)) return;
  MlirValue pointers = tileLoadGetPtr(op);
  if (!mlirValueIsABlockArgument(pointers)) return;
  MlirOperation loop = innermostLoop(op);
  if (mlirOperationIsNull(loop) || (tileHoldsDot(loop) && !isRow) || isAmongWrites(rows, op) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(pointers), tileBody(loop, 0)))
    return;
  intptr_t number = mlirBlockArgumentGetArgNumber(pointers);
  if (number > 0) computePointers(rows, loop, number - 1);
}

//===- loaded by each lane ------------------------------------------------===//

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

/// Lines of the L1 cache that one access of a warp touches, as far as can be guessed: lanes whose
/// elements are neither the same nor within a line of each other have one each.
static int64_t linesOf(const TileAxisAnalysis *axis, MlirOperation load, TileLayout layout) {
  enum { LINE = 128 };
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
      bool isNear = by * bytes < LINE && tileAxisLikelyRun(axis, pointers, d) > by;
      apart |= by && info->constancy[d] <= by && !isNear;
    }
    if (apart) lines *= 2;
  }
  return lines;
}

/// What loads of the slice cost for touching more lines than one, in their layouts now or, `anew`,
/// in those that the slice says.
static int64_t costOfLines(Rows *rows, const Slice *slice, bool anew) {
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

/// The issue slots of the slice's loads and of what is computed of them, in their new layout: an
/// access and its wavefronts, of which one of 16 bytes takes two though lanes read the same.
static int64_t costOfLanes(Rows *rows, const Slice *slice) {
  int64_t cost = 0;
  if (!rows->axis) rows->axis = tileAxisAnalysisCreate(rows->func);
  for (int k = 0; k < slice->count; ++k) {
    const Step *step = &slice->steps[k];
    TileLayout layout;
    MlirType type = tileWithEncoding(mlirValueGetType(tileResult(step->op)), step->layout);
    if (!step->loads || !tileTypeGetLayout(type, &layout)) continue;
    int64_t registers = tileLayoutSize(layout, TILE_REGISTER);
    int vector = tileAxisAccessVectorIn(rows->axis, step->op, layout);
    int bytes = vector * tileBitWidth(tileElementType(type)) / 8;
    cost +=
        tileOpIsALoad(step->op) ? registers / vector * (1 + 2 * (bytes > 8 ? 2 : 1)) : registers;
  }
  return cost;
}

/// Does each lane load for itself what `conversion` would bring it for `most` slots? Leaves how in
/// `slice`.
static bool loadsByLanes(Rows *rows, MlirOperation conversion, int64_t most, Slice *slice) {
  MlirType type = mlirValueGetType(tileOperand(conversion, 0));
  MlirType wanted = tileWithEncoding(type, layoutOf(tileResult(conversion)));
  MlirAttribute layout = layoutForLanes(wanted);
  int words = tileMachineNumber(tileMachineOf(conversion), TILE_NUMBER_LANE_ROW_WORDS);
  slice->count = 0;
  bool isFree = !rows->hasDots || isInLoopWithoutDots(conversion);
  return isFree && !mlirAttributeIsNull(layout) && tileTypeGetWords(wanted) <= words &&
         !isAmongWrites(rows, conversion) && collect(slice, tileOperand(conversion, 0), layout) &&
         slice->steps[slice->count - 1].loads && isAllOf(slice, conversion) &&
         costOfLanes(rows, slice) + costOfLines(rows, slice, true) <
             most + costOfLines(rows, slice, false);
}

/// The slots of each warp's loads of a row in `layout` and of handing it on as `wanted`; `most`
/// where it is not to be had so, or costs more.
static int64_t costOfWarps(MlirAttribute layout, MlirType wanted, int64_t most) {
  TileConversion plan;
  if (mlirAttributeIsNull(layout)) return most;
  MlirType loaded = tileWithEncoding(wanted, layout);
  if (!planFor(loaded, wanted, &plan) || plan.kind == TILE_CONVERSION_SHARED) return most;
  int64_t cost = plan.cost + 3 * tileTypeGetWords(loaded);
  return cost < most ? cost : most;
}

//===- a row that several conversions bring -------------------------------===//

/// The one load of `slice`; null: there is none, or several.
static const Step *onlyLoad(const Slice *slice) {
  const Step *found = NULL;
  for (int k = 0; k < slice->count; ++k) {
    if (!tileOpIsALoad(slice->steps[k].op)) continue;
    if (found) return NULL;
    found = &slice->steps[k];
  }
  return found;
}

/// Adds the conversions in which all ends that is computed of `value`; false where some does not,
/// but in one of them, or in another block.
static bool findEnds(TileOpList *ends, MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirBlockEqual(mlirOperationGetBlock(user), tileValueGetBlock(value))) return false;
    if (tileOpIsAConvertLayout(user)) {
      if (!tileOpListHolds(ends, user)) tileOpListAdd(ends, user);
      continue;
    }
    bool computes = tileOpIsElementwise(user) || tileOpIsShapeChange(user);
    if (!computes || mlirOperationGetNumResults(user) != 1 || !findEnds(ends, tileResult(user)))
      return false;
  }
  return true;
}

/// Does `end` go through shared memory, and want the row of `load` in `layout`? Adds its cost.
static bool wantsRow(MlirOperation end, MlirOperation load, MlirAttribute layout, int64_t *cost) {
  TileConversion plan;
  Slice slice = {0};
  MlirType from = mlirValueGetType(tileOperand(end, 0)), to = mlirValueGetType(tileResult(end));
  bool wants = planFor(from, to, &plan) && plan.kind == TILE_CONVERSION_SHARED &&
               collect(&slice, tileOperand(end, 0), mlirRankedTensorTypeGetEncoding(to));
  const Step *step = wants ? onlyLoad(&slice) : NULL;
  wants = step && mlirOperationEqual(step->op, load) && mlirAttributeEqual(step->layout, layout);
  if (wants) *cost += plan.cost;
  free(slice.steps);
  return wants;
}

/// What `end` brings, computed of the row where this is wanted: of `moved`.
static void computeAtEnd(MlirOperation end, MlirOperation load, MlirValue moved) {
  Slice slice = {0};
  TileValueMap map = {{0}};
  MlirValue value = tileOperand(end, 0);
  collect(&slice, value, layoutOf(tileResult(end)));
  tileValueMapSet(&map, tileResult(load), moved);
  cloneSteps(&slice, &map, value);
  mlirValueReplaceAllUsesOfWith(tileResult(end), tileValueMapGet(map, value));
  tileValueMapClear(&map);
  free(slice.steps);
}

/// Lets each warp load the row of `wanted`, and hands that on to all of `ends`, where this costs
/// less than `cost`.
static bool loadForEnds(MlirOperation load, MlirType wanted, const TileOpList *ends, int64_t cost) {
  Slice slice = {0};
  TileValueMap map = {{0}};
  int most = tileMachineNumber(tileMachineOf(load), TILE_NUMBER_ROW_WORDS);
  MlirAttribute layout = layoutForWarps(wanted, most);
  bool pays = costOfWarps(layout, wanted, cost) < cost && collect(&slice, tileResult(load), layout);
  if (pays) {
    cloneSteps(&slice, &map, tileResult(load));
    MlirValue loaded = tileValueMapGet(map, tileResult(load));
    TileBuilder b = tileBuilderAfter(tileValueGetOp(loaded));
    MlirValue moved = tileBuildUnary(&b, "tile_gpu.convert_layout", wanted, loaded);
    for (size_t i = 0; i < ends->count; ++i) computeAtEnd(ends->ops[i], load, moved);
  }
  tileValueMapClear(&map);
  free(slice.steps);
  return pays;
}

/// Is the row of `slice`, which `conversion` and others bring, handed on to all of them?
static bool shareRow(Rows *rows, MlirOperation conversion, Slice *slice) {
  slice->count = 0;
  MlirAttribute wanted = layoutOf(tileResult(conversion));
  if (!collect(slice, tileOperand(conversion, 0), wanted)) return false;
  const Step *step = onlyLoad(slice);
  if (!step || !mlirBlockEqual(mlirOperationGetBlock(step->op), mlirOperationGetBlock(conversion)))
    return false;
  MlirOperation load = step->op;
  MlirAttribute layout = step->layout;
  TileOpList ends = {0};
  int64_t cost = 0;
  bool shares = findEnds(&ends, tileResult(load)) && ends.count > 1;
  for (size_t i = 0; shares && i < ends.count; ++i)
    shares = wantsRow(ends.ops[i], load, layout, &cost);
  MlirType type = tileWithEncoding(mlirValueGetType(tileResult(load)), layout);
  shares = shares && loadForEnds(load, type, &ends, cost);
  tileOpListDestroy(&ends);
  if (shares) tileAxisAnalysisDestroy(rows->axis);
  if (shares) rows->axis = NULL;
  return shares;
}

static void localizeRow(Rows *rows, MlirOperation conversion, Slice *slice) {
  MlirValue value = tileOperand(conversion, 0);
  TileConversion before, after;
  if (!planFor(mlirValueGetType(value), mlirValueGetType(tileResult(conversion)), &before) ||
      mlirOperationIsNull(tileValueGetOp(value)))
    return;
  MlirType narrow = mlirValueGetType(narrowest(value));
  MlirType wanted = tileWithEncoding(narrow, layoutOf(tileResult(conversion)));
  int most = tileMachineNumber(tileMachineOf(conversion), TILE_NUMBER_ROW_WORDS);
  MlirAttribute layout = layoutForWarps(wanted, most), some = layout;
  bool isShared = before.kind == TILE_CONVERSION_SHARED;
  if (isShared) followSteps(rows, value, !mlirAttributeIsNull(layout));
  int64_t least = isShared ? costOfWarps(layout, wanted, before.cost) : before.cost;
  if (least > 0 && loadsByLanes(rows, conversion, least, slice)) {
    localize(rows, conversion, slice);
    return;
  }
  slice->count = 0;
  if (!isShared) return;
  MlirLocation loc = mlirOperationGetLocation(conversion);
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
    if (shareRow(rows, conversion, slice)) return;
    tileEmitRemark(loc, "row is not loaded by each warp: expected no other use of it, found one");
    return;
  }
  if (planFor(tileWithEncoding(narrow, layout), wanted, &after) && after.cost < before.cost &&
      after.kind != TILE_CONVERSION_SHARED)
    localize(rows, conversion, slice);
}

static bool isConversion(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsAConvertLayout(op);
}

MlirLogicalResult tileRunLocalizeRows(MlirOperation func) {
  Rows rows = {.func = func, .hasDots = tileHoldsDot(func)};
  TileOpList conversions = {0};
  // Loops become others on the way.
  tileOpListCollect(&conversions, func, MlirWalkPostOrder, isConversion, NULL);
  for (size_t i = 0; i < conversions.count; ++i) {
    Slice slice = {0};
    // What a row is handed on for is computed of that.
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(conversions.ops[i])))) continue;
    localizeRow(&rows, conversions.ops[i], &slice);
    free(slice.steps);
  }
  tileOpListDestroy(&conversions);
  tileAxisAnalysisDestroy(rows.axis);
  tilePointerTableClear(&rows.copied);
  return mlirLogicalResultSuccess();
}
