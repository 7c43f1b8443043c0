//===- Store.c - stores, atomics and cat ----------------------------------===//
#include "Lowering.h"

//===- tile.store ---------------------------------------------------------===//

static void storeChunk(CpuChunk *chunk, const CpuIndex *index, void *data) {
  CpuLowering *l = chunk->l;
  MlirOperation op = *(MlirOperation *)data;
  MlirValue ptrTile = tileStoreGetPtr(op), maskTile = tileStoreGetMask(op), mask = {NULL};
  MlirType ptrType = tileElementType(mlirValueGetType(ptrTile));
  MlirType element = tilePtrTypeGetPointee(ptrType);
  CpuLanes ptr = cpuEval(chunk, ptrTile, index);
  if (!mlirValueIsNull(maskTile) && !cpuIsAssumed(chunk, maskTile, index->lane))
    mask = cpuEvalVector(chunk, maskTile, index);
  MlirValue value = cpuEvalVector(chunk, tileStoreGetValue(op), index);
  if (index->lane < 0) {
    if (cpuIsChecked(l)) mask = cpuCheckAccess(l, op, index, ptr.scalar, mask, value);
    cpuStore(l, ptr.scalar, element, value, mask);
    return;
  }
  if (!mlirValueIsNull(chunk->tail))
    mask = mlirValueIsNull(mask) ? chunk->tail
                                 : tileBuildBinary(&l->at, "arith.andi", mask, chunk->tail);
  if (cpuIsChecked(l)) {
    MlirValue pointers = cpuToVector(chunk, ptr, ptrType);
    mask = cpuCheckAccess(l, op, index, pointers, mask, value);
  }
  if (!mlirValueIsNull(ptr.scalar) && ptr.stride == 1) {
    cpuStore(l, ptr.scalar, element, value, mask);
    return;
  }
  if (mlirValueIsNull(mask)) mask = cpuFirstLanes(l, chunk->width, chunk->width);
  cpuScatter(l, cpuToVector(chunk, ptr, ptrType), element, value, mask);
}

static void emitStore(CpuLowering *l, bool yes, void *data) {
  (void)yes;
  MlirOperation op = *(MlirOperation *)data;
  MlirValue ptr = tileStoreGetPtr(op), value = tileStoreGetValue(op), mask = tileStoreGetMask(op);
  CpuNest nest = cpuNestOf(l, mlirValueGetType(value));
  nest.splits = true;
  nest.lane = cpuStoreLane(l, ptr);
  if (!mlirValueIsNull(mask)) cpuFindReach(l, mask, nest.ends);
  cpuStraightNest(l, &nest, 2, (MlirValue[]){ptr, value}, mask, storeChunk, &op);
}

void cpuLowerStore(CpuLowering *l, MlirOperation op) {
  MlirValue ptr = tileStoreGetPtr(op);
  if (!tileTypeIsTile(mlirValueGetType(ptr))) {
    CpuNest one = {.lane = -1};
    cpuNest(l, &one, false, storeChunk, &op);
  } else {
    cpuEmitWaiting(l, ptr, 3, (MlirValue[]){ptr, tileStoreGetValue(op), tileStoreGetMask(op)},
                   emitStore, &op);
  }
  if (cpuIsChecked(l)) cpuEndAccess(l, op);
}

//===- tile.atomic_rmw, tile.atomic_cas -----------------------------------===//

/// LLVM's operation for the dialect's kinds; an xchg has one for every type, fmin and fmax, of 16
/// bits, have none.
static int64_t operation(int64_t kind) {
  static const int64_t llvm[] = {
      /*add*/ 1, /*fadd*/ 11, /*and*/ 3,   /*or*/ 5,   /*xor*/ 6,
      /*min*/ 8, /*max*/ 7,   /*umin*/ 10, /*umax*/ 9, /*xchg*/ 0};
  return llvm[kind];
}

typedef struct {
  MlirOperation op;
  CpuBuffer old;
  bool hasOld;
  MlirValue pointer, result;
  CpuChunk *chunk;
  const CpuIndex *index;
} Atomic;

typedef struct {
  const char *what;       ///< "arith.addf"
  MlirType element, type; ///< as in memory, of 16 bits
  MlirValue value;        ///< of f32
} Update;

static MlirValue updateWord(CpuLowering *l, MlirValue seen, void *data) {
  Update *u = data;
  MlirType f32 = tileF32(l->context), word = mlirValueGetType(seen);
  bool isBits = mlirTypeEqual(u->type, word);
  MlirValue number = isBits ? seen : tileBuildUnary(&l->at, "arith.bitcast", u->type, seen);
  number = cpuConvertFloat(l, number, u->element, f32);
  MlirValue next = tileBuildBinary(&l->at, u->what, number, u->value);
  next = cpuConvertFloat(l, next, f32, u->element);
  return isBits ? next : tileBuildUnary(&l->at, "arith.bitcast", word, next);
}

/// Updates f16 or bf16, in f32, for which there is no instruction: bits(number(%seen) + %value).
static MlirValue updateNarrow(CpuLowering *l, Atomic *a, MlirValue value, MlirType element,
                              int64_t order) {
  MlirType f32 = tileF32(l->context), word = tileI16(l->context);
  MlirType type = mlirValueGetType(value); // that of bf16 is its bits
  Update u = {.what = cpuUpdateOf(a->op),
              .element = element,
              .type = type,
              .value = cpuConvertFloat(l, value, element, f32)};
  MlirAttribute align = mlirIntegerAttrGet(tileI64(l->context), 2);
  MlirAttribute monotonic = mlirIntegerAttrGet(tileI64(l->context), cpuOrdering(0));
  MlirValue first =
      tileResult(tileBuildOp(&l->at, "llvm.load", TILE_VALUES(a->pointer), 1, &word,
                             TILE_ATTRS({"alignment", align}, {"ordering", monotonic}), 0));
  MlirValue old = cpuExchangeUntilDone(l, a->pointer, first, order, updateWord, &u);
  return mlirTypeEqual(type, word) ? old : tileBuildUnary(&l->at, "arith.bitcast", type, old);
}

static MlirValue emitRmw(CpuLowering *l, Atomic *a) {
  MlirValue value = cpuEvalVector(a->chunk, tileAtomicRmwGetValue(a->op), a->index);
  MlirType element = tileElementType(mlirValueGetType(tileResult(a->op)));
  if (tileBitWidth(element) == 16)
    return updateNarrow(l, a, value, element, tileAtomicRmwGetOrder(a->op));
  MlirType i64 = tileI64(l->context), type = mlirValueGetType(value);
  MlirAttribute what = mlirIntegerAttrGet(i64, operation(tileAtomicRmwGetKind(a->op)));
  MlirAttribute order = mlirIntegerAttrGet(i64, cpuOrdering(tileAtomicRmwGetOrder(a->op)));
  return tileResult(tileBuildOp(&l->at, "llvm.atomicrmw", TILE_VALUES(a->pointer, value), 1, &type,
                                TILE_ATTRS({"bin_op", what}, {"ordering", order}), 0));
}

static MlirValue emitCas(CpuLowering *l, Atomic *a) {
  MlirValue expected = cpuEvalVector(a->chunk, tileAtomicCasGetExpected(a->op), a->index);
  MlirValue value = cpuEvalVector(a->chunk, tileAtomicCasGetValue(a->op), a->index);
  MlirType type = mlirValueGetType(value), number = type;
  if (tileTypeIsFloat(type)) {
    number = mlirIntegerTypeGet(l->context, (unsigned)tileBitWidth(type));
    expected = tileBuildUnary(&l->at, "arith.bitcast", number, expected);
    value = tileBuildUnary(&l->at, "arith.bitcast", number, value);
  }
  int64_t order = tileAtomicCasGetOrder(a->op);
  MlirValue old = cpuExchange(l, a->pointer, expected, value, order).old;
  return mlirTypeEqual(number, type) ? old : tileBuildUnary(&l->at, "arith.bitcast", type, old);
}

static MlirValue emitAtomic(CpuLowering *l, Atomic *a) {
  return tileOpIsAAtomicRmw(a->op) ? emitRmw(l, a) : emitCas(l, a);
}

/// %old = scf.if %mask -> (T) { atomic } else { 0 }
static MlirValue guarded(CpuLowering *l, Atomic *a, MlirValue mask, MlirType type) {
  MlirOperation op = tileBuildIf(&l->at, mask, 1, &type, true);
  TileBuilder outside = l->at;
  for (int i = 0; i < 2; ++i) {
    l->at = tileBuilderAtEnd(tileBody(op, i), outside.location);
    // What the branch evaluates is not there outside of it.
    int known = a->chunk->numMemo;
    MlirValue result = i ? tileBuildZero(&l->at, type) : emitAtomic(l, a);
    a->chunk->numMemo = known;
    tileBuildOp(&l->at, "scf.yield", TILE_VALUES(result), TILE_NONE, TILE_NONE, 0);
  }
  l->at = outside;
  return tileResult(op);
}

static void atomicElement(CpuChunk *chunk, const CpuIndex *index, void *data) {
  CpuLowering *l = chunk->l;
  Atomic *a = data;
  a->chunk = chunk;
  a->index = index;
  a->pointer = cpuEvalVector(chunk, tileOperand(a->op, 0), index);
  MlirType element = tileElementType(mlirValueGetType(tileResult(a->op)));
  MlirValue mask =
      tileOpIsAAtomicRmw(a->op) ? tileAtomicRmwGetMask(a->op) : tileAtomicCasGetMask(a->op);
  MlirValue null = {NULL};
  if (!mlirValueIsNull(mask)) mask = cpuEvalVector(chunk, mask, index);
  if (cpuIsChecked(l)) mask = cpuCheckAccess(l, a->op, index, a->pointer, mask, null);
  if (mlirValueIsNull(mask))
    a->result = emitAtomic(l, a);
  else
    a->result = guarded(l, a, mask, cpuRegisterType(l, element));
  if (a->hasOld) cpuWriteBuffer(l, &a->old, index, a->result, null);
}

/// A chunk that is updated in blocks where its lanes lie together, else lane by lane.
static void atomicChunk(CpuChunk *chunk, const CpuIndex *index, void *data) {
  CpuLowering *l = chunk->l;
  Atomic *a = data;
  CpuLanes ptr = cpuEval(chunk, tileOperand(a->op, 0), index);
  if (!mlirValueIsNull(ptr.scalar) && ptr.stride == 1) {
    MlirValue mask = tileAtomicRmwGetMask(a->op), lanes = {NULL};
    if (!mlirValueIsNull(mask) && !cpuIsAssumed(chunk, mask, index->lane))
      lanes = cpuEvalVector(chunk, mask, index);
    MlirValue value = cpuEvalVector(chunk, tileAtomicRmwGetValue(a->op), index);
    cpuEmitBlocks(l, a->op, ptr.scalar, value, cpuBoth(l, lanes, chunk->tail));
    return;
  }
  int64_t shape[CPU_MAX_RANK], count = chunk->width;
  tileShape(mlirValueGetType(tileResult(a->op)), shape);
  if (!mlirValueIsNull(chunk->tail)) count = shape[index->lane] % chunk->width;
  CpuLoop loop;
  CpuIndex one = *index;
  CpuChunk alone = {.l = l, .fast = chunk->fast};
  MlirValue i = cpuBeginLoop(l, &loop, cpuI64(l, 0), cpuI64(l, count), cpuI64(l, 1), 0, NULL);
  one.lane = -1;
  one.base[index->lane] = tileBuildBinary(&l->at, "arith.addi", index->base[index->lane], i);
  atomicElement(&alone, &one, a);
  cpuEndLoop(l, &loop, 0, NULL);
}

static void emitAtomicOp(CpuLowering *l, bool yes, void *data) {
  (void)yes;
  Atomic *a = data;
  MlirType type = mlirValueGetType(tileResult(a->op));
  MlirValue ptr = tileOperand(a->op, 0);
  if (!l->checks && cpuHasBlocks(a->op)) {
    CpuNest nest = cpuNestOf(l, type);
    MlirValue roots[] = {ptr, tileAtomicRmwGetValue(a->op)}, mask = tileAtomicRmwGetMask(a->op);
    nest.lane = cpuStoreLane(l, ptr);
    nest.splits = cpuDivides(l, ptr);
    if (nest.splits || cpuGoesAlong(l, ptr, nest.lane)) {
      cpuStraightNest(l, &nest, 2, roots, mask, atomicChunk, a);
      return;
    }
  }
  CpuNest nest = {0};
  nest.rank = tileShape(type, nest.shape);
  nest.lane = -1;
  cpuNest(l, &nest, false, atomicElement, a);
}

void cpuLowerAtomic(CpuLowering *l, MlirOperation op) {
  Atomic a = {.op = op};
  MlirType type = mlirValueGetType(tileResult(op));
  bool isTile = tileTypeIsTile(type);
  a.hasOld = isTile && !mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(op)));
  if (a.hasOld) a.old = cpuAllocateBuffer(l, type, (MlirType){NULL});
  MlirValue roots[4];
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) roots[i] = tileOperand(op, i);
  if (isTile)
    cpuEmitWaiting(l, roots[0], count, roots, emitAtomicOp, &a);
  else
    emitAtomicOp(l, true, &a);
  if (cpuIsChecked(l)) cpuEndAccess(l, op);
  if (!isTile)
    cpuSetScalar(l, tileResult(op), a.result);
  else if (a.hasOld)
    cpuSetBuffer(l, tileResult(op), a.old, true);
}

//===- tile.cat -----------------------------------------------------------===//

typedef struct {
  MlirValue tile;
  CpuBuffer buffer;
} Part;

static void copyPart(CpuChunk *chunk, const CpuIndex *index, void *data) {
  Part *part = data;
  MlirValue value = cpuEvalVector(chunk, part->tile, index), null = {NULL};
  CpuLowering *l = chunk->l;
  if (mlirValueIsNull(chunk->tail)) {
    cpuWriteBuffer(l, &part->buffer, index, value, null);
    return;
  }
  // Beyond this part's row the other part begins, not padding.
  MlirValue offset = cpuI64(l, 0);
  for (int d = 0; d < index->rank; ++d) {
    MlirValue stride = cpuI64(l, part->buffer.strides[d]);
    MlirValue step = tileBuildBinary(&l->at, "arith.muli", index->base[d], stride);
    offset = tileBuildBinary(&l->at, "arith.addi", offset, step);
  }
  MlirValue pointer = cpuOffset(l, part->buffer.pointer, part->buffer.element, offset);
  cpuStore(l, pointer, part->buffer.element, value, chunk->tail);
}

void cpuLowerCat(CpuLowering *l, MlirOperation op) {
  CpuBuffer whole = cpuAllocateBuffer(l, mlirValueGetType(tileResult(op)), (MlirType){NULL});
  int axis = (int)tileCatGetAxis(op);
  Part parts[2] = {{tileCatGetLhs(op), whole}, {tileCatGetRhs(op), whole}};
  int64_t shape[CPU_MAX_RANK];
  tileShape(mlirValueGetType(parts[0].tile), shape);
  MlirValue skip = cpuI64(l, shape[axis] * whole.strides[axis]);
  parts[1].buffer.pointer = cpuOffset(l, whole.pointer, whole.element, skip);
  for (int i = 0; i < 2; ++i) {
    CpuNest nest = cpuNestOf(l, mlirValueGetType(parts[i].tile));
    MlirValue null = {NULL};
    cpuVersionedNest(l, &nest, 1, &parts[i].tile, null, copyPart, &parts[i]);
  }
  cpuSetBuffer(l, tileResult(op), whole, true);
}
