//===- Unwrap.c - rows that wrap around where nobody looks ----------------===//
#include "Unwrap.h"
#include "../../Masks.h"
#include "Remainders.h"
#include "tile/Analysis/Affine.h"
#include "tile/Analysis/Analysis.h"
#include "tile/Support/Grow.h"
#include "tile/Support/PointerTable.h"
#include "tile/Trace.h"
#include <stdlib.h>

/// A load that was changed.
typedef struct {
  MlirOperation load;
  MlirValue mask; // what it had; null: none
} Changed;

/// An operand that was a remainder.
typedef struct {
  MlirOperation user;
  intptr_t operand;
  MlirValue wrapped;
} Replaced;

/// An operand leads to a load: numbers of both.
typedef struct {
  size_t operand, load;
} Leads;

struct TileUnwrapped {
  Replaced *operands;
  Changed *loads;
  Leads *leads;
  size_t numOperands, operandCapacity, numLoads, loadCapacity, numLeads, leadCapacity;
};

/// A value, and its dimension that the rows run along.
typedef struct {
  MlirValue value;
  int dim;
} Place;

typedef struct {
  TileAffine *affine;
  const TileAxisAnalysis *axes;
  MlirValue rows,
      count; // before the remainder, and what it is by: one-dimensional, the count uniform
  TilePointerTable seen; // value -> dimension
  Place *stack;
  size_t depth, capacity;
  Place *loads; // results of loads at addresses of rows
  size_t numLoads, loadCapacity;
  bool anyRank; // are loads of rows alone taken, too?
} Search;

//===- following values ---------------------------------------------------===//

/// False where the value was met before, its rows along another dimension.
static bool follow(Search *s, MlirValue value, int dim) {
  const int *known = tilePointerTableFind(s->seen, value.ptr);
  if (known) return *known == dim;
  *(int *)tilePointerTableAdd(&s->seen, value.ptr, sizeof dim) = dim;
  s->stack = tileGrow(s->stack, s->depth, &s->capacity, sizeof *s->stack);
  s->stack[s->depth++] = (Place){value, dim};
  return true;
}

static void forget(Search *s) {
  tilePointerTableClear(&s->seen);
  s->depth = 0;
}

/// What a loop carries from its operand `number`, in its body and behind it.
static bool followCarried(Search *s, MlirOperation loop, intptr_t number, int dim) {
  return follow(s, mlirBlockGetArgument(tileBody(loop, 0), number + 1), dim) &&
         follow(s, mlirOperationGetResult(loop, number), dim);
}

static bool followFor(Search *s, MlirOperation user, intptr_t operand, int dim) {
  return operand >= TILE_FOR_INITS && followCarried(s, user, operand - TILE_FOR_INITS, dim);
}

static bool followYield(Search *s, MlirOperation user, intptr_t operand, int dim) {
  MlirOperation parent = mlirOperationGetParentOperation(user);
  if (tileOpIs(parent, "scf.for")) return followCarried(s, parent, operand, dim);
  return tileOpIs(parent, "scf.if") && follow(s, mlirOperationGetResult(parent, operand), dim);
}

/// Ops that move elements: the rows' dimension behind them; -1: it is none of theirs.
static int movedDim(MlirOperation op, int dim) {
  if (tileOpIsAExpandDims(op)) return dim + (tileExpandDimsGetAxis(op) <= dim);
  if (tileOpIsABroadcast(op)) {
    int64_t from[TILE_MAX_RANK];
    return tileShape(mlirValueGetType(tileOperand(op, 0)), from) > dim && from[dim] > 1 ? dim : -1;
  }
  if (!tileOpIsATrans(op)) return -1;
  MlirAttribute order = tileTransGetOrderAttr(op);
  for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(order); ++d)
    if (mlirDenseI32ArrayGetElement(order, d) == dim) return (int)d;
  return -1;
}

//===- what a store leaves out --------------------------------------------===//

/// The tile that `value` is of, dimensions of extent 1 taken away; null where `dim` is none of it.
static MlirValue withoutUnits(MlirValue value, int dim) {
  MlirOperation op = tileValueGetOp(value);
  while (!mlirOperationIsNull(op) && tileOpIsAExpandDims(op)) {
    int axis = (int)tileExpandDimsGetAxis(op);
    if (axis == dim) return (MlirValue){NULL};
    if (axis < dim) --dim;
    value = tileOperand(op, 0);
    op = tileValueGetOp(value);
  }
  return value;
}

/// Is the comparison that of rows with their count?
static bool comparesRows(const Search *s, MlirOperation op, int dim) {
  int64_t predicate = tileIntAttr(op, "predicate", -1), shape[TILE_MAX_RANK];
  if (predicate != TILE_SLT && predicate != TILE_SGT) return false;
  bool isSwapped = predicate == TILE_SGT;
  MlirValue all = tileOperand(op, isSwapped), rows = withoutUnits(all, dim);
  MlirValue bound = tileOperand(op, !isSwapped);
  if (mlirValueIsNull(rows) || !tileAffineAreEqual(s->affine, bound, s->count)) return false;
  // Computed as they are, or with the other dimensions there already.
  return tileShape(mlirValueGetType(rows), shape) == 1
             ? tileAffineAreEqual(s->affine, rows, s->rows)
             : tileAffineIsRow(s->affine, all, dim, s->rows);
}

/// Is `mask` false behind the last row?
static bool leavesOut(const Search *s, MlirValue mask, int dim) {
  MlirOperation op = mlirValueIsNull(mask) ? (MlirOperation){NULL} : tileValueGetOp(mask);
  if (mlirOperationIsNull(op)) return false;
  if (tileOpIs(op, "arith.andi"))
    return leavesOut(s, tileOperand(op, 0), dim) || leavesOut(s, tileOperand(op, 1), dim);
  if (tileOpIs(op, "arith.cmpi")) return comparesRows(s, op, dim);
  if (tileOpIsAExpandDims(op)) {
    int axis = (int)tileExpandDimsGetAxis(op);
    return axis != dim && leavesOut(s, tileOperand(op, 0), dim - (axis < dim));
  }
  return tileOpIsABroadcast(op) && leavesOut(s, tileOperand(op, 0), dim);
}

/// Where rows of what was loaded lead to. False where they are seen.
static bool followData(Search *s, MlirOperation user, intptr_t operand, int dim) {
  if (tileOpIsAStore(user)) return operand == 1 && leavesOut(s, tileStoreGetMask(user), dim);
  if (tileOpIsAAtomicRmw(user))
    return operand == 1 && leavesOut(s, tileAtomicRmwGetMask(user), dim);
  if (tileOpIs(user, "scf.for")) return followFor(s, user, operand, dim);
  if (tileOpIs(user, "scf.yield")) return followYield(s, user, operand, dim);
  if (tileOpIsADot(user)) {
    int64_t shape[TILE_MAX_RANK];
    bool isRow = operand == 2 || operand == dim; // rows of A, columns of B
    return tileShape(mlirValueGetType(tileResult(user)), shape) == 2 && isRow &&
           follow(s, tileResult(user), dim);
  }
  int moved = movedDim(user, dim);
  if (moved >= 0) return follow(s, tileResult(user), moved);
  return tileOpIsElementwise(user) && mlirOperationGetNumResults(user) == 1 &&
         follow(s, tileResult(user), dim);
}

/// Where an address of rows leads to: sums and products, and pointers of loads of two dimensions.
static bool followAddress(Search *s, MlirOperation user, intptr_t operand, int dim) {
  static const char *const sums[] = {"arith.addi", "arith.muli", "arith.extsi", "arith.subi", NULL};
  int64_t shape[TILE_MAX_RANK];
  if (tileOpIsALoad(user)) {
    int rank = tileShape(mlirValueGetType(tileResult(user)), shape);
    if (operand != 0 || (rank != 2 && !s->anyRank)) return false;
    s->loads = tileGrow(s->loads, s->numLoads, &s->loadCapacity, sizeof *s->loads);
    s->loads[s->numLoads++] = (Place){tileResult(user), dim};
    return true;
  }
  if (tileOpIs(user, "scf.for")) return followFor(s, user, operand, dim);
  if (tileOpIs(user, "scf.yield")) return followYield(s, user, operand, dim);
  bool isSum = tileOpIsAAddPtr(user) || tileOpIsOneOf(user, sums);
  int moved = isSum ? dim : movedDim(user, dim);
  return moved >= 0 && follow(s, tileResult(user), moved);
}

static bool followAll(Search *s, bool (*step)(Search *, MlirOperation, intptr_t, int)) {
  while (s->depth) {
    Place at = s->stack[--s->depth];
    for (MlirOpOperand use = mlirValueGetFirstUse(at.value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use))
      if (!step(s, mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use), at.dim))
        return false;
  }
  return true;
}

/// May what stands in front of `op`, its branches and loops use the value?
static bool isVisible(MlirValue value, MlirOperation op) {
  return !mlirOperationIsNull(tileAncestorIn(tileValueGetBlock(value), op));
}

/// Do the addresses that follow belong to loads alone whose rows behind the last nobody sees? Fills
/// `loads`.
static bool isAllUnseen(Search *s) {
  bool unseen = followAll(s, followAddress) && s->numLoads;
  forget(s);
  for (size_t i = 0; i < s->numLoads && unseen; ++i) {
    // Masks of loads behind a branch are not made of what one arm of it computes.
    MlirOperation load = tileValueGetOp(s->loads[i].value);
    if (!isVisible(s->rows, load) || !isVisible(s->count, load)) return false;
    unseen = follow(s, s->loads[i].value, s->loads[i].dim) && followAll(s, followData);
    forget(s);
  }
  return unseen;
}

/// The same of what this use of rows makes.
static bool isUnseen(Search *s, const Replaced *use) {
  s->numLoads = 0;
  s->anyRank = false;
  if (followAddress(s, use->user, use->operand, 0)) return isAllUnseen(s);
  forget(s);
  return false;
}

//===- rewriting ----------------------------------------------------------===//

/// rows < count over the tile of `load`, in front of it.
static MlirValue buildMask(const Search *s, MlirOperation load, int dim) {
  TileBuilder b = tileBuilderBefore(load);
  int64_t shape[TILE_MAX_RANK], flat[2];
  tileShape(mlirValueGetType(tileResult(load)), shape);
  MlirType i1 = tileI1(b.context);
  MlirValue in = tileBuildCmpi(&b, TILE_SLT, s->rows, s->count);
  flat[dim] = shape[dim];
  flat[1 - dim] = 1;
  MlirType thin = mlirRankedTensorTypeGet(2, flat, i1, mlirAttributeGetNull());
  MlirAttribute axis = mlirIntegerAttrGet(tileI32(b.context), 1 - dim);
  in = tileResult(tileBuildOp(&b, "tile.expand_dims", TILE_VALUES(in), 1, &thin,
                              TILE_ATTRS({"axis", axis}), 0));
  if (shape[1 - dim] > 1)
    in = tileBuildUnary(&b, "tile.broadcast",
                        mlirRankedTensorTypeGet(2, shape, i1, mlirAttributeGetNull()), in);
  MlirValue mask = tileLoadGetMask(load);
  return mlirValueIsNull(mask) ? in : tileBuildBinary(&b, "arith.andi", mask, in);
}

/// The number of `load` among those that were changed; a new one where it is none yet.
static size_t numberOf(TileUnwrapped *u, MlirOperation load) {
  for (size_t i = 0; i < u->numLoads; ++i)
    if (mlirOperationEqual(u->loads[i].load, load)) return i;
  u->loads = tileGrow(u->loads, u->numLoads, &u->loadCapacity, sizeof *u->loads);
  u->loads[u->numLoads] = (Changed){load, tileLoadGetMask(load)};
  return u->numLoads++;
}

static void unwrap(const Search *s, TileUnwrapped *u, const Replaced *use) {
  mlirOperationSetOperand(use->user, use->operand, s->rows);
  for (size_t i = 0; i < s->numLoads; ++i) {
    MlirOperation load = tileValueGetOp(s->loads[i].value);
    tileTrace(mlirOperationGetLocation(load),
              "rows that wrap around are left out: nobody sees them");
    size_t number = numberOf(u, load);
    u->loads[number].load = tileLoadWithMask(load, buildMask(s, load, s->loads[i].dim));
    u->leads = tileGrow(u->leads, u->numLeads, &u->leadCapacity, sizeof *u->leads);
    u->leads[u->numLeads++] = (Leads){u->numOperands, number};
  }
  u->operands = tileGrow(u->operands, u->numOperands, &u->operandCapacity, sizeof *u->operands);
  u->operands[u->numOperands++] = *use;
}

//===- which remainders ---------------------------------------------------===//

typedef struct {
  Search search;
  TileUnwrapped *unwrapped;
} Unwrapper;

/// Reads `op` where it takes rows behind the last elsewhere: of one-dimensional tiles, rows % count
/// of numbers >= 0, or rows < count ? rows : others. False for other ops.
static bool readRows(Search *s, MlirOperation op) {
  int64_t shape[TILE_MAX_RANK];
  if (mlirOperationGetNumResults(op) != 1 ||
      tileShape(mlirValueGetType(tileResult(op)), shape) != 1)
    return false;
  if (tileOpIs(op, "arith.remsi")) {
    s->rows = tileOperand(op, 0);
    s->count = tileOperand(op, 1);
    return tileIsUniform(s->count) && (!mlirAttributeIsNull(tileAttr(op, "tile.nonnegative")) ||
                                       tileAxisAnalysisGet(s->axes, s->rows)->min >= 0);
  }
  if (!tileOpIs(op, "arith.select")) return false;
  MlirOperation compares = tileValueGetOp(tileOperand(op, 0));
  if (mlirOperationIsNull(compares) || !tileOpIs(compares, "arith.cmpi")) return false;
  bool isSwapped = tileIntAttr(compares, "predicate", -1) == TILE_SGT;
  s->rows = tileOperand(op, 1);
  s->count = tileOperand(compares, !isSwapped);
  return tileIsUniform(s->count) && comparesRows(s, compares, 0);
}

static bool isWrapped(MlirOperation op, void *data) {
  Unwrapper *w = data;
  return readRows(&w->search, op);
}

//===- blocks of rows -----------------------------------------------------===//

/// The first of the rows, where all of a tile are of one block of `block` rows: a scalar. Else
/// null.
static MlirValue firstOfBlock(const Search *s, int64_t block) {
  MlirOperation sum = tileValueGetOp(s->rows);
  if (mlirOperationIsNull(sum) || !tileOpIs(sum, "arith.addi")) return (MlirValue){NULL};
  for (intptr_t i = 0; i < 2; ++i) {
    MlirOperation splat = tileValueGetOp(tileOperand(sum, i));
    if (mlirOperationIsNull(splat) || !tileOpIsASplat(splat)) continue;
    MlirValue first = tileOperand(splat, 0);
    const TileAxisInfo *positions = tileAxisAnalysisGet(s->axes, tileOperand(sum, 1 - i));
    int64_t divisor = tileAxisAnalysisGet(s->axes, first)->divisibility[0], own = block & -block;
    if (positions->min >= 0 && positions->max < (own < divisor ? own : divisor)) return first;
  }
  return (MlirValue){NULL};
}

/// rows % count / block, as a block's scale is found: the quotient of the first row is that of all,
/// but of rows behind the last, where nobody sees what is loaded. The address is then one that was
/// read before, the first row's.
static void divideFirst(Search *s, MlirOperation op) {
  int64_t block;
  if (!tileOpIs(op, "arith.divsi") || !tileConstantInt(tileOperand(op, 1), &block) || block < 1)
    return;
  MlirValue first = firstOfBlock(s, block);
  if (mlirValueIsNull(first)) return;
  s->numLoads = 0;
  s->anyRank = true;
  if (!follow(s, tileResult(op), 0) || !isAllUnseen(s)) return;
  tileTrace(mlirOperationGetLocation(op), "rows of a block have one quotient");
  TileBuilder b = tileBuilderBefore(op);
  MlirType number = mlirValueGetType(first);
  TileNamedAttr promise = {"tile.nonnegative", mlirUnitAttrGet(b.context)};
  MlirValue count = tileBuildUniform(&b, s->count);
  MlirValue rest = tileResult(
      tileBuildOp(&b, "arith.remsi", TILE_VALUES(first, count), 1, &number, 1, &promise, 0));
  MlirValue by = tileBuildInt(&b, number, block);
  MlirValue quotient =
      tileResult(tileBuildOp(&b, "arith.divsi", TILE_VALUES(rest, by), 1, &number, 1, &promise, 0));
  MlirValue all = tileBuildUnary(&b, "tile.splat", mlirValueGetType(tileResult(op)), quotient);
  tileReplaceOp(op, TILE_VALUES(all));
}

static void tryOp(Unwrapper *w, MlirOperation op) {
  Search *s = &w->search;
  if (!readRows(s, op)) return;
  Replaced *uses = NULL;
  size_t count = 0, capacity = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(tileResult(op)); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    uses = tileGrow(uses, count, &capacity, sizeof *uses);
    uses[count++] =
        (Replaced){mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use), tileResult(op)};
  }
  for (size_t i = 0; i < count; ++i) {
    if (isUnseen(s, &uses[i]))
      unwrap(s, w->unwrapped, &uses[i]);
    else
      divideFirst(s, uses[i].user);
  }
  free(uses);
}

TileUnwrapped *tileUnwrapRemainders(MlirOperation func) {
  Unwrapper w = {.unwrapped = calloc(1, sizeof *w.unwrapped)};
  if (!w.unwrapped) abort();
  TileAxisAnalysis *axes = tileAxisAnalysisCreate(func);
  w.search.axes = axes;
  w.search.affine = tileAffineCreate(func, axes, NULL);
  TileOpList wrapped = {0};
  tileOpListCollect(&wrapped, func, MlirWalkPreOrder, isWrapped, &w);
  for (size_t i = 0; i < wrapped.count; ++i) tryOp(&w, wrapped.ops[i]);
  tileAffineDestroy(w.search.affine);
  tileAxisAnalysisDestroy(axes);
  free(w.search.stack);
  free(w.search.loads);
  tileOpListDestroy(&wrapped);
  return w.unwrapped;
}

bool tileIsUnwrapped(const TileUnwrapped *u, MlirOperation load) {
  for (size_t i = 0; i < u->numLoads; ++i)
    if (mlirOperationEqual(u->loads[i].load, load)) return true;
  return false;
}

void tileWrapAgain(TileUnwrapped *u, bool (*isLeft)(MlirOperation load, void *data), void *data) {
  for (size_t i = 0; i < u->numLeads; ++i) {
    const Replaced *r = &u->operands[u->leads[i].operand];
    if (isLeft(u->loads[u->leads[i].load].load, data))
      mlirOperationSetOperand(r->user, r->operand, r->wrapped);
  }
  for (size_t i = 0; i < u->numLoads; ++i)
    if (isLeft(u->loads[i].load, data)) tileLoadWithMask(u->loads[i].load, u->loads[i].mask);
  free(u->operands);
  free(u->loads);
  free(u->leads);
  free(u);
}
