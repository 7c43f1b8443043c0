//===- Seen.c - which rows and columns of a dot anybody sees --------------===//
//
// At the border of a matrix most of a tile may lie outside:
//
//   %acc = scf.for .. { tile.dot %a, %b, %acc }      256 x 256, every step
//   tile.store %ptrs, %acc, %in                      %in: first + row < M, so maybe 10 rows of it
//
// What a store masks off is computed for nobody. So from the dot forward: if its result, through
// element-wise ops and what loops carry, ends in masked stores and further dots' accumulators
// alone, and each mask has a term `first + arange < limit` along a dimension, then only limit -
// first rows (or columns) of that dimension are seen, and the dot computes no more.
//
// Masks are often computed behind the loop, from what was there before it: they are moved in front.
//
// A sum that wraps around, as first + row may, hides where it ends: then all are seen.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"

enum { MAX_VALUES = 32, MAX_STORES = 4 };

typedef struct {
  CpuLowering *l;
  MlirValue values[MAX_VALUES];
  int numValues;
  MlirOperation stores[MAX_STORES];
  int numStores;
  bool lost; ///< somebody else sees it
} Walk;

//===- masks behind a loop ------------------------------------------------===//

/// Is it an op that places follow from, without an effect?
static bool isPlace(MlirOperation op) {
  static const char *const names[] = {"arith.addi", "arith.subi",  "arith.muli",     "arith.cmpi",
                                      "arith.andi", "arith.extsi", "arith.constant", NULL};
  return tileOpIsOneOf(op, names) || tileOpIsASplat(op) || tileOpIsAArange(op) ||
         tileOpIsAExpandDims(op) || tileOpIsABroadcast(op);
}

/// Moves what follows from values before the loop in front of it.
static void hoistPlaces(MlirOperation loop) {
  MlirOperation op = mlirOperationGetNextInBlock(loop);
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    bool isFree = isPlace(op);
    for (intptr_t i = 0; isFree && i < mlirOperationGetNumOperands(op); ++i) {
      MlirOperation from = tileValueGetOp(tileOperand(op, i));
      if (mlirOperationIsNull(from)) continue;
      from = tileAncestorIn(mlirOperationGetBlock(loop), from);
      isFree = mlirOperationIsNull(from) ||
               (!mlirOperationEqual(from, loop) && mlirOperationIsBeforeInBlock(from, loop));
    }
    if (isFree) mlirOperationMoveBefore(op, loop);
    op = next;
  }
}

typedef struct {
  CpuLowering *l;
  MlirOperation *loops;
  int count, room;
} Loops;

static MlirWalkResult collectLoop(MlirOperation op, void *data) {
  Loops *found = data;
  if (!tileOpIsADot(op)) return MlirWalkResultAdvance;
  MlirOperation loop = mlirOperationGetParentOperation(op);
  if (!tileOpIs(loop, "scf.for")) return MlirWalkResultAdvance;
  if (found->count == found->room) {
    int room = found->room ? 2 * found->room : 8;
    MlirOperation *loops = cpuAllocate(found->l, (size_t)room * sizeof *loops);
    for (int i = 0; i < found->count; ++i) loops[i] = found->loops[i];
    found->loops = loops;
    found->room = room;
  }
  found->loops[found->count++] = loop;
  return MlirWalkResultAdvance;
}

void cpuHoistMasks(CpuLowering *l) {
  Loops found = {.l = l};
  mlirOperationWalk(l->kernel, collectLoop, &found, MlirWalkPreOrder);
  for (int i = 0; i < found.count; ++i) hoistPlaces(found.loops[i]);
}

//===- who sees it --------------------------------------------------------===//

static void follow(Walk *w, MlirValue value);

/// A loop's value number `i`: inside, and behind it.
static void followLoop(Walk *w, MlirOperation loop, intptr_t i) {
  follow(w, mlirBlockGetArgument(tileBody(loop, 0), 1 + i));
  follow(w, mlirOperationGetResult(loop, i));
}

static void followUse(Walk *w, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  intptr_t number = mlirOpOperandGetOperandNumber(use);
  MlirOperation parent = mlirOperationGetParentOperation(op);
  enum { STORED = 1, ACCUMULATED = 2 }; // operands of store, dot and scf.for
  if (tileOpIsAStore(op) && number == STORED) {
    if (w->numStores == MAX_STORES || mlirValueIsNull(tileStoreGetMask(op)))
      w->lost = true;
    else
      w->stores[w->numStores++] = op;
  } else if (tileOpIs(op, "scf.for") && number >= TILE_FOR_INITS) {
    followLoop(w, op, number - TILE_FOR_INITS);
  } else if (tileOpIs(op, "scf.yield") && tileOpIs(parent, "scf.for")) {
    followLoop(w, parent, number);
  } else if (tileOpIsADot(op) && number == ACCUMULATED) {
    follow(w, tileResult(op));
  } else if (cpuIsElementwise(op)) {
    follow(w, tileResult(op));
  } else {
    w->lost = true;
  }
}

static void follow(Walk *w, MlirValue value) {
  for (int i = 0; i < w->numValues; ++i)
    if (mlirValueEqual(w->values[i], value)) return;
  if (w->lost || w->numValues == MAX_VALUES) {
    w->lost = true;
    return;
  }
  w->values[w->numValues++] = value;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use) && !w->lost; use = mlirOpOperandGetNextUse(use))
    followUse(w, use);
}

//===- how far a mask reaches ---------------------------------------------===//

/// Is it made of indices and scalars alone, and known here already?
static bool isIndex(CpuLowering *l, MlirValue value, int depth) {
  CpuSlot *slot = cpuFind(l, value);
  if (!slot || depth > 16) return false;
  if (slot->form == CPU_SCALAR) return true;
  MlirOperation op = tileValueGetOp(value);
  if (slot->form != CPU_INLINE || mlirOperationIsNull(op)) return false;
  if (tileOpIsAArange(op) || tileOpIsASplat(op) || tileOpIs(op, "arith.constant")) return true;
  if (!tileOpIs(op, "arith.addi") && !tileOpIs(op, "arith.subi") && !tileOpIsAExpandDims(op) &&
      !tileOpIsABroadcast(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!isIndex(l, tileOperand(op, i), depth + 1)) return false;
  return true;
}

/// The tile's scalar at the first element, if it grows by `stride` along `axis` and by nothing
/// along other dimensions; null if not.
static MlirValue alongAxis(CpuLowering *l, MlirValue tile, int axis, int64_t stride) {
  MlirValue first = {NULL}, null = {NULL};
  int64_t shape[CPU_MAX_RANK];
  int rank = tileShape(mlirValueGetType(tile), shape);
  for (int d = 0; d < rank; ++d) {
    CpuChunk chunk = {.l = l, .width = l->vectorBits / 32};
    CpuIndex index = {.rank = rank, .lane = d};
    for (int k = 0; k < rank; ++k) index.base[k] = cpuI64(l, 0);
    CpuLanes lanes = cpuEval(&chunk, tile, &index);
    int64_t wanted = d == axis ? stride : 0;
    if (mlirValueIsNull(lanes.scalar) || (lanes.stride != wanted && shape[d] != 1)) return null;
    first = lanes.scalar;
  }
  return first;
}

static MlirValue asI64(CpuLowering *l, MlirValue value) {
  MlirType i64 = tileI64(l->context), type = mlirValueGetType(value);
  return mlirTypeEqual(type, i64) ? value : tileBuildUnary(&l->at, "arith.extsi", i64, value);
}

/// limit - first of a comparison `first + axis's index < limit`, cut to 0 .. extent; null for any
/// other.
static MlirValue comparisonReach(CpuLowering *l, MlirOperation op, int axis, int64_t extent) {
  MlirValue none = {NULL}, lhs = tileOperand(op, 0), rhs = tileOperand(op, 1);
  if (tileIntAttr(op, "predicate", -1) != TILE_SLT) return none;
  if (tileBitWidth(tileElementType(mlirValueGetType(lhs))) != 32) return none;
  if (!isIndex(l, lhs, 0) || !isIndex(l, rhs, 0)) return none;
  MlirValue first = alongAxis(l, lhs, axis, 1);
  MlirValue limit = alongAxis(l, rhs, axis, 0);
  if (mlirValueIsNull(first) || mlirValueIsNull(limit)) return none;
  first = asI64(l, first);
  limit = asI64(l, limit);
  MlirValue reach = tileBuildBinary(&l->at, "arith.subi", limit, first);
  MlirValue zero = cpuI64(l, 0), all = cpuI64(l, extent);
  reach = tileBuildBinary(&l->at, "arith.maxsi", reach, zero);
  reach = tileBuildBinary(&l->at, "arith.minsi", reach, all);
  MlirValue last = cpuI64(l, INT32_MAX - extent);
  MlirValue wraps = tileBuildCmpi(&l->at, TILE_SGT, first, last);
  return tileBuildSelect(&l->at, wraps, all, reach);
}

/// How many of `extent` positions along `axis` the mask can be on at; null when that is not known.
static MlirValue maskReach(CpuLowering *l, MlirValue mask, int axis, int64_t extent, int depth) {
  MlirOperation op = tileValueGetOp(mask);
  MlirValue none = {NULL};
  if (mlirOperationIsNull(op) || depth > 16) return none;
  if (tileOpIs(op, "arith.cmpi")) return comparisonReach(l, op, axis, extent);
  if (tileOpIsABroadcast(op)) {
    int64_t shape[CPU_MAX_RANK];
    tileShape(mlirValueGetType(tileOperand(op, 0)), shape);
    bool same = shape[axis] == extent;
    return same ? maskReach(l, tileOperand(op, 0), axis, extent, depth + 1) : none;
  }
  if (tileOpIsAExpandDims(op)) {
    int added = (int)tileExpandDimsGetAxis(op);
    if (added == axis) return none;
    return maskReach(l, tileOperand(op, 0), axis - (added < axis), extent, depth + 1);
  }
  if (!tileOpIs(op, "arith.andi")) return none;
  MlirValue reach = maskReach(l, tileOperand(op, 0), axis, extent, depth + 1);
  return mlirValueIsNull(reach) ? maskReach(l, tileOperand(op, 1), axis, extent, depth + 1) : reach;
}

/// The mask of the load that an operand is, converted or transposed at most, where what is masked
/// off counts as 0; `axis` becomes the load's. Null for other operands.
static MlirValue maskOf(MlirValue tile, int *axis) {
  MlirValue none = {NULL};
  for (int depth = 0; depth < 8; ++depth) {
    MlirOperation op = tileValueGetOp(tile);
    if (mlirOperationIsNull(op)) return none;
    if (tileOpIsALoad(op)) {
      MlirValue other = tileLoadGetOther(op);
      return mlirValueIsNull(other) || tileIsZero(other) ? tileLoadGetMask(op) : none;
    }
    bool isTrans = tileOpIsATrans(op);
    if (!isTrans && !tileOpIs(op, "arith.extf") && !tileOpIs(op, "arith.truncf")) return none;
    if (isTrans) *axis = mlirDenseI32ArrayGetElement(tileTransGetOrderAttr(op), *axis);
    tile = tileOperand(op, 0);
  }
  return none;
}

MlirValue cpuFindDepth(CpuLowering *l, MlirOperation dot) {
  MlirValue operands[2] = {tileDotGetA(dot), tileDotGetB(dot)}, result = {NULL};
  for (int i = 0; i < 2 && !l->checks; ++i) {
    int axis = i == 0;
    int64_t shape[CPU_MAX_RANK];
    if (tileShape(mlirValueGetType(operands[i]), shape) != 2) return (MlirValue){NULL};
    int64_t extent = shape[axis];
    MlirValue mask = maskOf(operands[i], &axis), reach = {NULL};
    if (!mlirValueIsNull(mask)) reach = maskReach(l, mask, axis, extent, 0);
    if (mlirValueIsNull(reach)) return reach;
    result = i ? tileBuildBinary(&l->at, "arith.maxsi", result, reach) : reach;
  }
  return result;
}

MlirValue cpuFindReachAlong(CpuLowering *l, MlirValue mask, int axis) {
  int64_t shape[CPU_MAX_RANK];
  tileShape(mlirValueGetType(mask), shape);
  return maskReach(l, mask, axis, shape[axis], 0);
}

void cpuFindReach(CpuLowering *l, MlirValue mask, MlirValue ends[2]) {
  int64_t shape[CPU_MAX_RANK];
  int rank = tileShape(mlirValueGetType(mask), shape);
  for (int axis = 0; axis < rank && rank <= 2 && !l->checks; ++axis)
    ends[axis] = maskReach(l, mask, axis, shape[axis], 0);
}

bool cpuFindSeen(CpuLowering *l, MlirOperation dot, MlirValue seen[2]) {
  Walk w = {.l = l};
  seen[0] = seen[1] = (MlirValue){NULL};
  int64_t shape[CPU_MAX_RANK];
  // Whatever a checked or traced program computes may be looked at.
  if (l->checks || tileShape(mlirValueGetType(tileResult(dot)), shape) != 2) return false;
  follow(&w, tileResult(dot));
  if (w.lost || !w.numStores) return false;
  for (int axis = 0; axis < 2; ++axis)
    for (int i = 0; i < w.numStores; ++i) {
      MlirValue mask = tileStoreGetMask(w.stores[i]);
      MlirValue reach = maskReach(l, mask, axis, shape[axis], 0);
      if (i && !mlirValueIsNull(reach))
        reach = mlirValueIsNull(seen[axis])
                    ? seen[axis]
                    : tileBuildBinary(&l->at, "arith.maxsi", seen[axis], reach);
      seen[axis] = reach;
      if (mlirValueIsNull(reach)) break;
    }
  return !mlirValueIsNull(seen[0]) || !mlirValueIsNull(seen[1]);
}
