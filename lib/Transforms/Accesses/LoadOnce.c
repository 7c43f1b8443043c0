//===- LoadOnce.c - what lanes repeat is loaded once ----------------------===//
//
// Before:  %half = arith.divsi %k, 2 .. ; %p = tile.addptr %w, (%half * 1 + %n * %s)
//          %v = tile.load %p : tensor<64x128x!tile.ptr<i8>>          // each byte for two of K
//          tile.dot %a, (.. %v ..)
// After:   %v = tile.load %p' : tensor<32x128x!tile.ptr<i8>>         // every other one of %p
//          %w = tile.join %v, %v ; tile.trans ; tile.reshape         : tensor<64x128xi8>
//
// Kernels with packed weights read a byte, or a word, once for each of the numbers in it, and a
// group's scale once for each row of the group: the addresses of neighbours are equal. Along a
// dimension where runs of c are (tile/Analysis/Analysis.h), of pointers and mask, one of each run
// is loaded, and stands for all. What is left is contiguous, if the bytes are, so that copies can
// run ahead of it.
//
// Taken are loads in a loop beside a dot: runs of those that reach it, computed with on their way,
// and along dimensions that have one address alone, as a block's scale has, others, too. The
// pointers of a run's first elements are computed as those of all are: from positions, numbers and
// what loops carry. What follows from anything else, as from a loaded index, stays, with a remark.
//
// Requires: loads and masks simplified, extents bound.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../Flow/Parts.h"
#include "../Layouts/Converted.h"
#include "../Loops.h"
#include "../ValueMap.h"
#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Support/PointerTable.h"
#include "tile/Trace.h"

enum { maxDepth = 64 };

/// One dimension of values, of which every `step`th position is left.
typedef struct {
  int dim;
  int64_t step;
} Thin;

typedef struct {
  TilePointerTable seen; ///< values that were asked about, or: value -> what it became
} Thinner;

//===- can it be? ---------------------------------------------------------===//

static MlirType thinType(MlirType type, Thin thin) {
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(type, shape);
  shape[thin.dim] /= thin.step;
  return mlirRankedTensorTypeGet(rank, shape, tileElementType(type), mlirAttributeGetNull());
}

static bool isCarried(MlirValue value) {
  return mlirValueIsABlockArgument(value) &&
         tileOpIs(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)), "scf.for") &&
         mlirBlockArgumentGetArgNumber(value) > 0;
}

static bool canThin(Thinner *t, MlirValue value, Thin thin, int depth);

static bool canThinCarried(Thinner *t, MlirValue value, Thin thin, int depth) {
  return canThin(t, tileCarriedInit(value), thin, depth) &&
         canThin(t, tileCarriedNext(value), thin, depth);
}

static bool canThinOp(Thinner *t, MlirOperation op, Thin thin, int depth) {
  int64_t number;
  if (tileConstantInt(tileResult(op), &number) || tileOpIsASplat(op) || tileOpIsAArange(op))
    return true;
  bool moves = tileOpIsATrans(op) || tileOpIsAExpandDims(op) || tileOpIsABroadcast(op);
  if (moves) {
    int dim = tileDimBefore(op, thin.dim);
    return dim < 0 ? tileOpIsABroadcast(op)
                   : canThin(t, tileOperand(op, 0), (Thin){dim, thin.step}, depth);
  }
  if (!tileOpIsElementwise(op) || !tileOpIsMovable(op) || mlirOperationGetNumResults(op) != 1)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tileTypeIsTile(mlirValueGetType(tileOperand(op, i))) &&
        !canThin(t, tileOperand(op, i), thin, depth))
      return false;
  return true;
}

/// Can the positions of `value` be computed alone that are left? What is asked a second time is
/// asked along the same dimension, since a value has one way to a load.
static bool canThin(Thinner *t, MlirValue value, Thin thin, int depth) {
  if (!tilePointerTableInsert(&t->seen, value.ptr)) return true;
  if (depth == maxDepth) return false;
  if (isCarried(value)) return canThinCarried(t, value, thin, depth + 1);
  MlirOperation op = tileValueGetOp(value);
  return !mlirOperationIsNull(op) && canThinOp(t, op, thin, depth + 1);
}

//===- building -----------------------------------------------------------===//

static MlirValue thinned(TileValueMap *map, MlirValue value, Thin thin);

/// One more value that the loop carries: `value` without the positions that are left out.
static MlirValue thinCarried(TileValueMap *map, MlirValue value, Thin thin) {
  MlirBlock body = mlirBlockArgumentGetOwner(value);
  intptr_t i = mlirBlockArgumentGetArgNumber(value) - 1;
  MlirOperation loop = mlirBlockGetParentOperation(body);
  MlirValue init = thinned(map, tileForGetInit(loop, i), thin);
  loop = tileExtendFor(loop, 1, &init);
  body = tileBody(loop, 0);
  MlirValue made = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
  tileValueMapSet(map, mlirBlockGetArgument(body, i + 1), made);
  MlirValue next = thinned(map, tileOperand(mlirBlockGetTerminator(body), i), thin);
  tileExtendYield(body, 1, &next);
  return made;
}

static MlirValue thinArange(TileBuilder *b, MlirType type, Thin thin) {
  MlirValue numbers = tileBuild(b, "tile.arange", type, TILE_NONE);
  MlirValue step = tileBuildInt(b, type, thin.step);
  return tileBuildBinary(b, "arith.muli", numbers, step);
}

/// `value` / `by` where it is positions times a number that `by` divides, also over more
/// dimensions; null where it is not.
static MlirValue divided(MlirValue value, int64_t by) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return (MlirValue){NULL};
  MlirType type = mlirValueGetType(value);
  int64_t factor;
  TileBuilder b = tileBuilderAfter(op);
  if (tileOpIs(op, "arith.muli") && tileConstantInt(tileOperand(op, 1), &factor)) {
    MlirOperation numbers = tileValueGetOp(tileOperand(op, 0));
    if (mlirOperationIsNull(numbers) || !tileOpIsAArange(numbers) || factor % by)
      return (MlirValue){NULL};
    if (factor == by) return tileResult(numbers);
    MlirValue rest = tileBuildInt(&b, type, factor / by);
    return tileBuildBinary(&b, "arith.muli", tileResult(numbers), rest);
  }
  if (!tileOpIsAExpandDims(op) && !tileOpIsABroadcast(op)) return (MlirValue){NULL};
  MlirValue inner = divided(tileOperand(op, 0), by);
  return mlirValueIsNull(inner) ? inner : tileResult(tileBuildLike(&b, op, 1, &inner, &type));
}

static bool dividesByNumber(MlirOperation op, int64_t *by) {
  return tileOpIsQuotient(op) && tileConstantInt(tileOperand(op, 1), by) && *by > 0;
}

static MlirValue thinOp(TileValueMap *map, MlirOperation op, Thin thin) {
  MlirType type = thinType(mlirValueGetType(tileResult(op)), thin);
  int64_t number;
  MlirValue operands[8];
  intptr_t count = mlirOperationGetNumOperands(op);
  bool isShape = tileOpIsATrans(op) || tileOpIsAExpandDims(op) || tileOpIsABroadcast(op);
  int dim = isShape ? tileDimBefore(op, thin.dim) : thin.dim;
  for (intptr_t i = 0; i < count; ++i) {
    operands[i] = tileOperand(op, i);
    bool isWhole = dim < 0 || !tileTypeIsTile(mlirValueGetType(operands[i]));
    if (!isWhole) operands[i] = thinned(map, operands[i], (Thin){dim, thin.step});
  }
  if (dividesByNumber(op, &number)) {
    MlirValue quotient = divided(operands[0], number);
    if (!mlirValueIsNull(quotient)) return quotient;
  }
  TileBuilder b = tileBuilderAfter(op);
  if (tileConstantInt(tileResult(op), &number)) return tileBuildInt(&b, type, number);
  if (tileOpIsAArange(op)) return thinArange(&b, type, thin);
  return tileResult(tileBuildLike(&b, op, count, operands, &type));
}

static MlirValue thinned(TileValueMap *map, MlirValue value, Thin thin) {
  if (tileValueMapHas(*map, value)) return tileValueMapGet(*map, value);
  MlirValue made =
      isCarried(value) ? thinCarried(map, value, thin) : thinOp(map, tileValueGetOp(value), thin);
  tileValueMapSet(map, value, made);
  return made;
}

/// May an element have so many numbers in it, each position one of its own? Then a thread has them
/// beside each other; else the element is a number itself, as a group's scale, for whoever wants
/// it.
static bool mayBePacked(MlirType tile, int64_t step) {
  MlirType element = tileElementType(tile);
  return mlirTypeIsAInteger(element) && step <= tileBitWidth(element);
}

/// `value` with each position along the dimension `thin.step` times, wherever these may lie.
static MlirValue spread(TileBuilder *b, MlirValue value, MlirType type, Thin thin) {
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(value), shape);
  for (int d = rank; d > thin.dim + 1; --d) shape[d] = shape[d - 1];
  shape[thin.dim + 1] = 1;
  MlirType element = tileElementType(type);
  MlirType longer = mlirRankedTensorTypeGet(rank + 1, shape, element, mlirAttributeGetNull());
  MlirAttribute axis = mlirIntegerAttrGet(tileI32(b->context), thin.dim + 1);
  value = tileResult(tileBuildOp(b, "tile.expand_dims", TILE_VALUES(value), 1, &longer,
                                 TILE_ATTRS({"axis", axis}), 0));
  shape[thin.dim + 1] = thin.step;
  MlirType all = mlirRankedTensorTypeGet(rank + 1, shape, element, mlirAttributeGetNull());
  return tileBuildUnary(b, "tile.reshape", type, tileBuildUnary(b, "tile.broadcast", all, value));
}

/// `value` with each position along the dimension `thin.step` times, which a tile of `type` is.
static MlirValue repeat(TileBuilder *b, MlirValue value, MlirType type, Thin thin) {
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(value), shape);
  if (shape[thin.dim] == 1) return tileBuildUnary(b, "tile.broadcast", type, value);
  if (!mayBePacked(type, thin.step)) return spread(b, value, type, thin);
  int more = 0;
  for (int64_t n = 1; n < thin.step; n *= 2) {
    shape[rank + more++] = 2;
    MlirType joined =
        mlirRankedTensorTypeGet(rank + more, shape, tileElementType(type), mlirAttributeGetNull());
    value = tileBuild(b, "tile.join", joined, TILE_VALUES(value, value));
  }
  int32_t order[TILE_MAX_RANK];
  int64_t moved[TILE_MAX_RANK];
  for (int d = 0, n = 0; d < rank; ++d) {
    order[n++] = d;
    for (int i = 0; d == thin.dim && i < more; ++i) order[n++] = rank + i;
  }
  for (int d = 0; d < rank + more; ++d) moved[d] = shape[order[d]];
  MlirType turned =
      mlirRankedTensorTypeGet(rank + more, moved, tileElementType(type), mlirAttributeGetNull());
  MlirAttribute attr = mlirDenseI32ArrayGet(b->context, rank + more, order);
  value = tileResult(
      tileBuildOp(b, "tile.trans", TILE_VALUES(value), 1, &turned, TILE_ATTRS({"order", attr}), 0));
  return tileBuildUnary(b, "tile.reshape", type, value);
}

//===- which loads --------------------------------------------------------===//

/// Is it beside a dot in a loop?
static bool isBesideDot(MlirOperation op) {
  if (!tileOpIs(mlirOperationGetParentOperation(op), "scf.for")) return false;
  TILE_FOR_EACH_OP(other, mlirOperationGetBlock(op)) {
    if (tileOpIsADot(other)) return true;
  }
  return false;
}

static bool isOnTheWay(MlirOperation op) {
  return tileOpConverts(op) || tileOpIsABroadcast(op) || tileOpIsAExpandDims(op);
}

/// How many neighbours along `dim` have one address and are masked together; no more than joins
/// have room for.
static int64_t runOf(const TileAxisAnalysis *axes, MlirOperation load, int dim) {
  MlirValue mask = tileLoadGetMask(load), other = tileLoadGetOther(load);
  int64_t shape[TILE_MAX_RANK], run, least = 1;
  int rank = tileShape(mlirValueGetType(tileResult(load)), shape);
  run = tileAxisAnalysisGet(axes, tileLoadGetPtr(load))->constancy[dim];
  if (!mlirValueIsNull(mask) && tileAxisAnalysisGet(axes, mask)->constancy[dim] < run)
    run = tileAxisAnalysisGet(axes, mask)->constancy[dim];
  if (!mlirValueIsNull(other) && tileAxisAnalysisGet(axes, other)->constancy[dim] < run)
    run = tileAxisAnalysisGet(axes, other)->constancy[dim];
  while (least * 2 <= run && shape[dim] % (least * 2) == 0) least *= 2;
  MlirType type = mlirValueGetType(tileResult(load));
  bool fits = least == shape[dim] ||
              (mayBePacked(type, least) ? least <= (INT64_C(1) << (TILE_MAX_RANK - rank))
                                        : rank < TILE_MAX_RANK);
  return fits ? least : 1;
}

/// The elements of a constant tile of floats or integers; null where `tile` is no such one.
static MlirAttribute elementsOf(MlirValue tile) {
  MlirOperation op = tileValueGetOp(tile);
  MlirAttribute value = mlirOperationIsNull(op) ? mlirAttributeGetNull() : tileAttr(op, "value");
  bool isDense = !mlirAttributeIsNull(value) && mlirAttributeIsADenseElements(value);
  return isDense ? value : mlirAttributeGetNull();
}

/// A constant tile of floats or integers as `type`; what is no such one by the map.
static MlirValue thinOther(TileValueMap *map, TileBuilder *b, MlirValue other, Thin thin) {
  MlirAttribute value = elementsOf(other);
  if (mlirAttributeIsNull(value)) return thinned(map, other, thin);
  MlirType type = thinType(mlirValueGetType(other), thin);
  MlirAttribute one = mlirDenseElementsAttrGetSplatValue(value);
  return tileBuildConstant(b, mlirDenseElementsAttrSplatGet(type, one));
}

static bool canThinOther(Thinner *t, MlirValue other, Thin thin) {
  MlirAttribute value = elementsOf(other);
  return mlirAttributeIsNull(value) ? canThin(t, other, thin, 0)
                                    : mlirDenseElementsAttrIsSplat(value);
}

/// Can what `load` reads be computed with the positions left out?
static bool canThinLoad(MlirOperation load, Thin thin) {
  Thinner t = {0};
  MlirValue mask = tileLoadGetMask(load), other = tileLoadGetOther(load);
  bool can = canThin(&t, tileLoadGetPtr(load), thin, 0) &&
             (mlirValueIsNull(mask) || canThin(&t, mask, thin, 0)) &&
             (mlirValueIsNull(other) || canThinOther(&t, other, thin));
  tilePointerTableClear(&t.seen);
  return can;
}

/// The load that stands for it. A loop around it may be another op then.
static MlirOperation thinLoad(MlirOperation load, Thin thin) {
  TileValueMap map = {0};
  MlirValue mask = tileLoadGetMask(load), other = tileLoadGetOther(load);
  MlirValue operands[3] = {thinned(&map, tileLoadGetPtr(load), thin)};
  intptr_t count = 1;
  if (!mlirValueIsNull(mask)) operands[count++] = thinned(&map, mask, thin);
  TileBuilder b = tileBuilderBefore(load);
  if (!mlirValueIsNull(other)) operands[count++] = thinOther(&map, &b, other, thin);
  tileValueMapClear(&map);
  MlirType type = mlirValueGetType(tileResult(load)), small = thinType(type, thin);
  MlirOperation made = tileBuildLike(&b, load, count, operands, &small);
  MlirValue all = repeat(&b, tileResult(made), type, thin);
  tileReplaceOp(load, TILE_VALUES(all));
  return made;
}

static void runLoad(const TileAxisAnalysis *axes, MlirOperation load) {
  int64_t shape[TILE_MAX_RANK];
  int64_t runs[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(tileResult(load)), shape);
  bool isOperand = tileReachesDot(tileResult(load), isOnTheWay);
  for (int d = 0; d < rank; ++d) {
    runs[d] = shape[d] > 1 ? runOf(axes, load, d) : 1;
    if (!isOperand && runs[d] < shape[d]) runs[d] = 1;
  }
  for (int d = 0; d < rank; ++d) {
    Thin thin = {d, runs[d]};
    if (runs[d] == 1) continue;
    MlirLocation location = mlirOperationGetLocation(load);
    if (!canThinLoad(load, thin)) {
      tileEmitRemark(location,
                     "load repeats what it reads: expected addresses of positions and "
                     "numbers, to leave out %d of %d, found others",
                     (int)(thin.step - 1), (int)thin.step);
      continue;
    }
    tileTrace(location, "of %d that are the same one is loaded", (int)thin.step);
    load = thinLoad(load, thin);
  }
}

static bool isForDot(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsALoad(op) && tileTypeIsTile(mlirValueGetType(tileResult(op))) && isBesideDot(op);
}

MlirLogicalResult tileRunLoadOnce(MlirOperation func) {
  TileOpList loads = {0};
  tileOpListCollect(&loads, func, MlirWalkPreOrder, isForDot, NULL);
  TileAxisAnalysis *axes = loads.count ? tileAxisAnalysisCreate(func) : NULL;
  for (size_t i = 0; i < loads.count; ++i) runLoad(axes, loads.ops[i]);
  tileAxisAnalysisDestroy(axes);
  tileOpListDestroy(&loads);
  return mlirLogicalResultSuccess();
}
