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
// also where one other use wants it elsewhere, as a row of angles that queries of 16 heads meet,
// and keys of two: it is loaded twice then, at the same time. Not in loops that write, where
// tile-pipeline lets loads run ahead of what threads own, if these all have the 4 bytes a thread
// that a copy takes, and where there are dots around or in front, behind whose loops a row of few
// words is loaded early (tile-hoist-loads).
//
// Pointers that a loop without writes carries, and moves on by one number each, are computed for
// that: from the number of the step where it is the same in each, else from its sum, which the loop
// carries. Beside dots those of a row are, as of scales.
//
// Of a conversion that brings many elements computed of few that were loaded, these are handed on.
//
// Where several conversions bring what is computed of one row or of a few, these are handed on
// instead (ShareRows.c). Long functions of positions, which lanes and warps would compute alike,
// are computed once, and handed on (SpreadFunctions.c).
//
// Declined with a remark where the load has other users (several, where lanes load it themselves),
// or a thread would hold more than 4 words.
//
// Requires: layouts assigned.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "Rows.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include <stdlib.h>

//===- moving it ----------------------------------------------------------===//

/// The uses of what is loaded that do not end in `conversion`.
static int countOthers(const TileRowSlice *slice, MlirOperation conversion) {
  int others = 0;
  for (int k = 0; k < slice->count; ++k) {
    if (!slice->steps[k].loads) continue;
    MlirOpOperand use = mlirValueGetFirstUse(tileResult(slice->steps[k].op));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      others += !mlirOperationEqual(user, conversion) && tileRowsIndexOf(slice, user) < 0;
    }
  }
  return others;
}

static bool isAllOf(const TileRowSlice *slice, MlirOperation conversion) {
  return !countOthers(slice, conversion);
}

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
static void localize(TileRows *rows, MlirOperation conversion, const TileRowSlice *slice) {
  TileValueMap map = {{0}};
  MlirValue value = tileOperand(conversion, 0), narrow = narrowest(value);
  MlirAttribute wanted = tileRowsLayoutOf(tileResult(conversion));
  tileRowsCloneSteps(slice, &map, narrow);
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
  if (!tileConstantInt(tileForGetStep(loop), &step) || step != 1 ||
      mlirTypeIsAIndex(mlirValueGetType(tileForGetLower(loop))))
    return false;
  MlirOperation by = tileValueGetOp(tileOperand(next, 1));
  return !mlirOperationIsNull(by) && !tileBlockHolds(tileBody(loop, 0), mlirOperationGetBlock(by));
}

/// (%i - %first) * %by, in front of what is in the loop; null where it is not to be had.
static MlirValue buildSteps(MlirOperation loop, MlirOperation next) {
  TileBuilder b = tileBuilderAtStart(tileBody(loop, 0)), front = tileBuilderBefore(loop);
  MlirValue by = buildScalar(&front, tileOperand(next, 1));
  if (mlirValueIsNull(by)) return by;
  MlirType i64 = tileI64(b.context);
  MlirValue iv = mlirBlockGetArgument(tileBody(loop, 0), 0);
  MlirValue steps = tileBuildBinary(&b, "arith.subi", iv, tileForGetLower(loop));
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
static void computePointers(TileRows *rows, MlirOperation loop, intptr_t i) {
  MlirOperation next = findAdvance(loop, i);
  if (mlirOperationIsNull(next)) return;
  MlirValue far = isSteady(loop, next) ? buildSteps(loop, next) : carrySteps(&loop, next);
  if (mlirValueIsNull(far)) return;
  MlirBlock body = tileBody(loop, 0);
  MlirValue init = tileForGetInit(loop, i), old = mlirBlockGetArgument(body, i + 1);
  TileBuilder b = tileBuilderAtStart(body);
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

/// What is loaded for `value` through pointers that a loop without writes carries is loaded through
/// pointers that follow from the step. Beside dots those of a row are: of a whole operand they
/// would be added up anew, each of them, in each step.
static void followSteps(TileRows *rows, MlirValue value, bool isRow) {
  MlirOperation op = tileValueGetOp(value);
  while (!mlirOperationIsNull(op) && !tileOpIsALoad(op) &&
         (tileOpIsElementwise(op) || tileOpIsShapeChange(op)) &&
         mlirOperationGetNumOperands(op) == 1)
    op = tileValueGetOp(tileOperand(op, 0));
  if (mlirOperationIsNull(op) || !tileOpIsALoad(op)) return;
  MlirValue pointers = tileLoadGetPtr(op);
  if (!mlirValueIsABlockArgument(pointers)) return;
  MlirOperation loop = tileRowsInnermostLoop(op);
  if (mlirOperationIsNull(loop) || (tileHoldsDot(loop) && !isRow) ||
      tileRowsIsAmongWrites(rows, op) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(pointers), tileBody(loop, 0)))
    return;
  intptr_t number = mlirBlockArgumentGetArgNumber(pointers);
  if (number > 0) computePointers(rows, loop, number - 1);
}

//===- loaded by each lane ------------------------------------------------===//

/// Does each lane load for itself what `conversion` would bring it for `most` slots? Leaves how in
/// `slice`.
static bool loadsByLanes(TileRows *rows, MlirOperation conversion, int64_t most,
                         TileRowSlice *slice) {
  MlirType type = mlirValueGetType(tileOperand(conversion, 0));
  MlirType wanted = tileWithEncoding(type, tileRowsLayoutOf(tileResult(conversion)));
  MlirAttribute layout = tileRowsLayoutByLanes(rows, conversion, wanted);
  slice->count = 0;
  return !mlirAttributeIsNull(layout) &&
         tileRowsCollect(slice, tileOperand(conversion, 0), layout) &&
         slice->steps[slice->count - 1].loads && countOthers(slice, conversion) <= 1 &&
         tileRowsCostOfLanes(rows, slice) + tileRowsCostOfLines(rows, slice, true) <
             most + tileRowsCostOfLines(rows, slice, false);
}

//===- the pass -----------------------------------------------------------===//

/// The one load among the steps, and the layout that it is wanted in; null where there are several.
/// `more`: what the ops behind it take over what they take now, in slots.
static MlirOperation onlyLoad(const TileRowSlice *slice, MlirAttribute *wanted, int64_t *more) {
  MlirOperation load = {NULL};
  *more = 0;
  for (int k = 0; k < slice->count; ++k) {
    const TileRowStep *step = &slice->steps[k];
    if (!step->loads) continue;
    if (tileOpIsALoad(step->op)) {
      if (!mlirOperationIsNull(load)) return (MlirOperation){NULL};
      load = step->op;
      *wanted = step->layout;
    } else {
      *more += tileRowsMoreOfStep(step);
    }
  }
  return load;
}

/// Hands on the few numbers that were loaded, and computes what `conversion`, of many, brings of
/// them where that is wanted: the zeros of packed weights, eight in a word of one row. False where
/// that costs as much.
static bool handOnLoaded(MlirOperation conversion, int64_t cost, TileRowSlice *slice) {
  TileConversion plan;
  MlirAttribute wanted;
  int64_t more;
  slice->count = 0;
  MlirValue value = tileOperand(conversion, 0);
  if (!tileRowsCollect(slice, value, tileRowsLayoutOf(tileResult(conversion)))) return false;
  MlirOperation load = onlyLoad(slice, &wanted, &more);
  if (mlirOperationIsNull(load)) return false;
  MlirType type = mlirValueGetType(tileResult(load)), moved = tileWithEncoding(type, wanted);
  if (!tileRowsPlan(type, moved, &plan) || plan.cost + more >= cost) return false;
  TileBuilder b = tileBuilderAfter(load);
  TileValueMap map = {{0}};
  tileValueMapSet(&map, tileResult(load),
                  tileBuildUnary(&b, "tile_gpu.convert_layout", moved, tileResult(load)));
  tileRowsCloneSteps(slice, &map, value);
  mlirValueReplaceAllUsesOfWith(tileResult(conversion), tileValueMapGet(map, value));
  tileValueMapClear(&map);
  return true;
}

static void localizeRow(TileRows *rows, MlirOperation conversion, TileRowSlice *slice) {
  MlirValue value = tileOperand(conversion, 0);
  TileConversion before, after;
  if (!tileRowsPlan(mlirValueGetType(value), mlirValueGetType(tileResult(conversion)), &before) ||
      mlirOperationIsNull(tileValueGetOp(value)))
    return;
  MlirType narrow = mlirValueGetType(narrowest(value));
  MlirType wanted = tileWithEncoding(narrow, tileRowsLayoutOf(tileResult(conversion)));
  int most = tileMachineNumber(tileMachineOf(conversion), TILE_NUMBER_ROW_WORDS);
  MlirAttribute layout = tileRowsLayoutForWarps(wanted, most), some = layout;
  bool isShared = before.kind == TILE_CONVERSION_SHARED;
  if (isShared) followSteps(rows, value, !mlirAttributeIsNull(layout));
  int64_t least = isShared ? tileRowsCostOfWarps(layout, wanted, before.cost) : before.cost;
  if (least > 0 && loadsByLanes(rows, conversion, least, slice)) {
    localize(rows, conversion, slice);
    return;
  }
  slice->count = 0;
  if (!isShared) return;
  MlirLocation loc = mlirOperationGetLocation(conversion);
  // What cannot be held is asked about, too: it is the words that are to blame then.
  if (mlirAttributeIsNull(layout)) some = tileRowsLayoutOf(value);
  if (!tileRowsCollect(slice, value, some) || !slice->steps[slice->count - 1].loads) return;
  if (mlirAttributeIsNull(layout)) {
    if (handOnLoaded(conversion, before.cost, slice)) return;
    tileEmitRemark(loc,
                   "row is not loaded by each warp: expected at most %d words a thread, found "
                   "more",
                   most);
    return;
  }
  if (!isAllOf(slice, conversion)) {
    if (tileRowsShare(rows, conversion)) return;
    tileEmitRemark(loc, "row is not loaded by each warp: expected no other use of it, found one");
    return;
  }
  if (tileRowsPlan(tileWithEncoding(narrow, layout), wanted, &after) && after.cost < before.cost &&
      after.kind != TILE_CONVERSION_SHARED)
    localize(rows, conversion, slice);
}

static bool isConversion(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsAConvertLayout(op);
}

MlirLogicalResult tileRunLocalizeRows(MlirOperation func) {
  TileRows rows = {.func = func, .hasDots = tileHoldsDot(func)};
  TileOpList conversions = {0};
  // Loops become others on the way.
  tileOpListCollect(&conversions, func, MlirWalkPostOrder, isConversion, NULL);
  for (size_t i = 0; i < conversions.count; ++i) {
    TileRowSlice slice = {0};
    // What a row is handed on for is computed of that.
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(conversions.ops[i])))) continue;
    localizeRow(&rows, conversions.ops[i], &slice);
    free(slice.steps);
  }
  tileOpListDestroy(&conversions);
  tileRowsSpreadFunctions(func);
  tileAxisAnalysisDestroy(rows.axis);
  tilePointerTableClear(&rows.copied);
  return mlirLogicalResultSuccess();
}
