//===- Eval.c - elements of tiles, on demand ------------------------------===//
//
// cpuEval emits what it takes to have one chunk of a tile, and remembers it for the chunk. Shape
// ops only change the index; what all lanes share is computed once as a scalar; integers and
// pointers that grow by a constant from lane to lane stay a scalar and a stride.
//
//   %r = splat 3 + arange, at [8], lanes along 0      -> scalar 3 + 8, stride 1
//   expand_dims %r {axis = 1}, at [8, 0], lanes along 1 -> scalar 3 + 8, stride 0
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include <string.h>

struct CpuMemo {
  MlirValue tile;
  CpuIndex index;
  CpuLanes lanes;
};

static CpuLanes uniform(MlirValue scalar) { return (CpuLanes){.scalar = scalar}; }
static CpuLanes vector(MlirValue value) { return (CpuLanes){.vector = value}; }
static bool isAffine(CpuLanes lanes) { return !mlirValueIsNull(lanes.scalar); }
static bool isUniform(CpuLanes lanes) { return isAffine(lanes) && lanes.stride == 0; }

MlirValue cpuToVector(CpuChunk *chunk, CpuLanes lanes, MlirType element) {
  CpuLowering *l = chunk->l;
  if (!isAffine(lanes)) return lanes.vector;
  if (!chunk->width) return lanes.scalar;
  if (tileTypeIsAPtr(element) && lanes.stride) {
    MlirValue steps = cpuSteps(l, tileI64(l->context), chunk->width, lanes.stride);
    return cpuOffset(l, lanes.scalar, tilePtrTypeGetPointee(element), steps);
  }
  MlirType type = tileVectorType(chunk->width, mlirValueGetType(lanes.scalar));
  MlirValue all = tileBuildUnary(&l->at, "vector.broadcast", type, lanes.scalar);
  if (!lanes.stride) return all;
  MlirValue steps = cpuSteps(l, mlirValueGetType(lanes.scalar), chunk->width, lanes.stride);
  return tileBuildBinary(&l->at, "arith.addi", all, steps);
}

//===- shapes: the same elements at another index -------------------------===//

static CpuIndex withoutDimension(const CpuIndex *index, int axis) {
  CpuIndex source = {.rank = index->rank - 1, .lane = index->lane, .isPart = index->isPart};
  for (int d = 0; d < source.rank; ++d) source.base[d] = index->base[d < axis ? d : d + 1];
  if (index->lane == axis) source.lane = -1;
  if (index->lane > axis) source.lane = index->lane - 1;
  return source;
}

static CpuIndex beforeBroadcast(CpuLowering *l, MlirValue source, const CpuIndex *index) {
  CpuIndex before = *index;
  int64_t shape[CPU_MAX_RANK];
  int rank = tileShape(mlirValueGetType(source), shape);
  for (int d = 0; d < rank; ++d) {
    if (shape[d] != 1) continue;
    before.base[d] = cpuI64(l, 0);
    if (before.lane == d) before.lane = -1;
  }
  return before;
}

static CpuIndex beforeTrans(MlirOperation op, const CpuIndex *index) {
  CpuIndex before = {.rank = index->rank, .lane = -1, .isPart = index->isPart};
  MlirAttribute order = tileTransGetOrderAttr(op);
  for (int d = 0; d < index->rank; ++d) {
    int source = mlirDenseI32ArrayGetElement(order, d);
    before.base[source] = index->base[d];
    if (index->lane == d) before.lane = source;
  }
  return before;
}

static CpuIndex beforeSlice(CpuLowering *l, MlirOperation op, const CpuIndex *index) {
  CpuIndex before = *index;
  for (int d = 0; d < index->rank; ++d) {
    int64_t offset = tileSliceOffset(op, d);
    before.isPart |= d == index->lane && offset;
    if (offset)
      before.base[d] = tileBuildBinary(&l->at, "arith.addi", index->base[d], cpuI64(l, offset));
  }
  return before;
}

static CpuLanes evalJoin(CpuChunk *chunk, MlirOperation op, const CpuIndex *index) {
  CpuLowering *l = chunk->l;
  int last = index->rank - 1;
  CpuIndex source = withoutDimension(index, last);
  CpuLanes lhs = cpuEval(chunk, tileJoinGetLhs(op), &source);
  CpuLanes rhs = cpuEval(chunk, tileJoinGetRhs(op), &source);
  MlirType element = tileElementType(mlirValueGetType(tileResult(op)));
  MlirValue isLeft;
  if (index->lane == last && index->isPart) {
    CpuLanes places = {.scalar = index->base[last], .stride = 1};
    MlirValue place = cpuToVector(chunk, places, tileI64(l->context));
    isLeft = tileBuildCmpi(&l->at, TILE_EQ, place, cpuInt(l, mlirValueGetType(place), 0));
  } else if (index->lane == last) {
    isLeft = cpuFirstLanes(l, chunk->width, 1);
  } else {
    MlirValue zero = cpuI64(l, 0);
    isLeft = tileBuildCmpi(&l->at, TILE_EQ, index->base[last], zero);
  }
  if (index->lane != last && isUniform(lhs) && isUniform(rhs))
    return uniform(tileBuildSelect(&l->at, isLeft, lhs.scalar, rhs.scalar));
  MlirValue left = cpuToVector(chunk, lhs, element);
  MlirValue right = cpuToVector(chunk, rhs, element);
  return vector(tileBuildSelect(&l->at, isLeft, left, right));
}

static CpuLanes evalSplit(CpuChunk *chunk, MlirOperation op, MlirValue result,
                          const CpuIndex *index) {
  CpuIndex source = *index;
  bool isLeft = mlirValueEqual(result, tileSplitGetLhs(op));
  source.base[source.rank++] = cpuI64(chunk->l, isLeft ? 0 : 1);
  return cpuEval(chunk, tileSplitGetSource(op), &source);
}

/// Pointers to `indices` of the axis, everything else as in `index`; from a buffer.
static CpuLanes evalGather(CpuChunk *chunk, MlirOperation op, const CpuIndex *index) {
  CpuLowering *l = chunk->l;
  CpuBuffer buffer = cpuFind(l, tileResult(op))->buffer;
  int axis = (int)tileGatherGetAxis(op);
  CpuIndex rest = *index;
  rest.base[axis] = cpuI64(l, 0);
  int64_t laneStride = index->lane < 0 || index->lane == axis ? 0 : buffer.strides[index->lane];
  MlirValue offset = cpuI64(l, 0);
  for (int d = 0; d < buffer.rank; ++d) {
    MlirValue stride = cpuI64(l, buffer.strides[d]);
    MlirValue part = tileBuildBinary(&l->at, "arith.muli", rest.base[d], stride);
    offset = tileBuildBinary(&l->at, "arith.addi", offset, part);
  }
  MlirValue at = cpuEvalVector(chunk, tileGatherGetIndices(op), index);
  MlirType wide = cpuWiden(tileI64(l->context), cpuWidth(at));
  if (!mlirTypeEqual(wide, mlirValueGetType(at)))
    at = tileBuildUnary(&l->at, "arith.extsi", wide, at);
  // An index outside the tile must not leave the buffer.
  MlirValue least = cpuInt(l, wide, 0), most = cpuInt(l, wide, buffer.shape[axis] - 1);
  at = tileBuildBinary(&l->at, "arith.maxsi", at, least);
  at = tileBuildBinary(&l->at, "arith.minsi", at, most);
  at = tileBuildBinary(&l->at, "arith.muli", at, cpuInt(l, wide, buffer.strides[axis]));
  MlirValue first = cpuOffset(l, buffer.pointer, buffer.element, offset), null = {NULL};
  if (index->lane < 0) {
    MlirValue pointer = cpuOffset(l, first, buffer.element, at);
    return uniform(cpuLoad(l, pointer, buffer.element, 0, null, null));
  }
  MlirValue steps = cpuSteps(l, tileI64(l->context), chunk->width, laneStride);
  at = tileBuildBinary(&l->at, "arith.addi", at, steps);
  MlirValue pointers = cpuOffset(l, first, buffer.element, at);
  MlirValue mask =
      mlirValueIsNull(chunk->tail) ? cpuFirstLanes(l, chunk->width, chunk->width) : chunk->tail;
  return vector(cpuGather(l, pointers, buffer.element, mask, null));
}

/// The source lies in a buffer: rows of its last dimension, padded. Lanes find their place by
/// dividing the row-major number of the element.
static CpuLanes evalReshape(CpuChunk *chunk, MlirOperation op, const CpuIndex *index) {
  CpuLowering *l = chunk->l;
  CpuBuffer buffer = cpuFind(l, tileResult(op))->buffer;
  int64_t shape[CPU_MAX_RANK], stride = 1, laneStride = 0;
  int rank = tileShape(mlirValueGetType(tileResult(op)), shape);
  MlirValue number = cpuI64(l, 0);
  for (int d = rank; d-- > 0; stride *= shape[d]) {
    if (d == index->lane) laneStride = stride;
    MlirValue part = tileBuildBinary(&l->at, "arith.muli", index->base[d], cpuI64(l, stride));
    number = tileBuildBinary(&l->at, "arith.addi", number, part);
  }
  int64_t row = buffer.rank ? buffer.shape[buffer.rank - 1] : 1;
  int64_t padded = buffer.rank > 1 ? buffer.strides[buffer.rank - 2] : row;
  bool scalar = index->lane < 0;
  // Chunks that begin at a multiple of the width stay within rows of a multiple of it.
  bool whole = laneStride == 1 && !index->isPart && row % chunk->width == 0 &&
               shape[index->lane] % chunk->width == 0;
  if (!scalar && !whole) {
    CpuLanes lanes = {.scalar = number, .stride = laneStride};
    number = cpuToVector(chunk, lanes, tileI64(l->context));
  }
  if (padded != row) {
    MlirType type = mlirValueGetType(number);
    MlirValue length = cpuInt(l, type, row), gap = cpuInt(l, type, padded - row);
    MlirValue before = tileBuildBinary(&l->at, "arith.divui", number, length);
    before = tileBuildBinary(&l->at, "arith.muli", before, gap);
    number = tileBuildBinary(&l->at, "arith.addi", number, before);
  }
  MlirValue pointer = cpuOffset(l, buffer.pointer, buffer.element, number), null = {NULL};
  if (scalar) return uniform(cpuLoad(l, pointer, buffer.element, 0, null, null));
  if (whole) return vector(cpuLoad(l, pointer, buffer.element, chunk->width, null, null));
  MlirValue mask =
      mlirValueIsNull(chunk->tail) ? cpuFirstLanes(l, chunk->width, chunk->width) : chunk->tail;
  return vector(cpuGather(l, pointer, buffer.element, mask, null));
}

//===- arithmetic on scalars with a stride --------------------------------===//

/// The integer a scalar constant of the new function holds.
static bool isConstant(CpuLanes lanes, int64_t *value) {
  return isUniform(lanes) && tileConstantInt(lanes.scalar, value);
}

/// The stride of `op`'s result where it is one, from its operands'.
static bool resultStride(MlirOperation op, const CpuLanes *operands, int64_t *stride) {
  intptr_t count = mlirOperationGetNumOperands(op);
  bool allUniform = true;
  for (intptr_t i = 0; i < count; ++i) {
    if (!isAffine(operands[i])) return false;
    allUniform &= operands[i].stride == 0;
  }
  *stride = 0;
  if (allUniform) return true;
  int64_t factor;
  if (tileOpIs(op, "arith.addi")) {
    *stride = operands[0].stride + operands[1].stride;
  } else if (tileOpIs(op, "arith.subi")) {
    *stride = operands[0].stride - operands[1].stride;
  } else if (tileOpIs(op, "arith.extsi") || tileOpIs(op, "arith.index_cast")) {
    // Not extui: lanes may go from -1 to 0. Nor from narrow numbers, which wrap within few lanes.
    if (tileBitWidth(tileElementType(mlirValueGetType(tileOperand(op, 0)))) < 32) return false;
    *stride = operands[0].stride;
  } else if (tileOpIs(op, "arith.trunci")) {
    *stride = operands[0].stride;
  } else if (tileOpIs(op, "arith.muli")) {
    int constant = isConstant(operands[1], &factor) ? 0 : isConstant(operands[0], &factor) ? 1 : -1;
    if (constant < 0) return false;
    *stride = operands[constant].stride * factor;
  } else if (tileOpIs(op, "arith.shli") && isConstant(operands[1], &factor) && factor >= 0 &&
             factor < 31) {
    *stride = operands[0].stride * ((int64_t)1 << factor);
  } else {
    return false;
  }
  return *stride > -65536 && *stride < 65536;
}

static CpuLanes evalElementwise(CpuChunk *chunk, MlirOperation op, const CpuIndex *index) {
  CpuLanes lanes[4];
  MlirValue values[4];
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count > 4) {
    cpuFail(chunk->l, op, "an op of at most four operands");
    return uniform(cpuI64(chunk->l, 0));
  }
  for (intptr_t i = 0; i < count; ++i) lanes[i] = cpuEval(chunk, tileOperand(op, i), index);
  // A remainder of 0 <= x < n.
  if (cpuIsAssumed(chunk, tileResult(op), index->lane)) return lanes[0];
  CpuLanes straight;
  if (chunk->unwraps && count == 2 && cpuUnwrap(chunk, op, lanes, &straight)) return straight;
  int64_t stride;
  bool affine = resultStride(op, lanes, &stride);
  for (intptr_t i = 0; i < count; ++i) {
    MlirType element = tileElementType(mlirValueGetType(tileOperand(op, i)));
    values[i] = affine ? lanes[i].scalar : cpuToVector(chunk, lanes[i], element);
  }
  MlirValue result = cpuElementwise(chunk->l, op, values, affine ? 0 : chunk->width);
  return affine ? (CpuLanes){.scalar = result, .stride = stride} : vector(result);
}

//===- pointers and loads -------------------------------------------------===//

static CpuLanes evalAddPtr(CpuChunk *chunk, MlirOperation op, const CpuIndex *index) {
  CpuLowering *l = chunk->l;
  CpuLanes ptr = cpuEval(chunk, tileAddPtrGetPtr(op), index);
  CpuLanes offset = cpuEval(chunk, tileAddPtrGetOffset(op), index);
  MlirType type = tileElementType(mlirValueGetType(tileResult(op)));
  MlirType offsetType = tileElementType(mlirValueGetType(tileAddPtrGetOffset(op)));
  bool affine = isAffine(ptr) && isAffine(offset);
  // A uniform base with scattered offsets needs no vector of bases.
  MlirValue base = isUniform(ptr) ? ptr.scalar : cpuToVector(chunk, ptr, type);
  MlirValue moved = affine ? offset.scalar : cpuToVector(chunk, offset, offsetType);
  if (affine) base = ptr.scalar;
  if (tileBitWidth(offsetType) < 64) {
    MlirType wide = cpuWiden(tileI64(l->context), cpuWidth(moved));
    moved = tileBuildUnary(&l->at, "arith.extsi", wide, moved);
  }
  if (cpuWidth(base) && !cpuWidth(moved)) {
    CpuLanes all = uniform(moved);
    moved = cpuToVector(chunk, all, tileI64(l->context));
  }
  MlirValue result = cpuOffset(l, base, tilePtrTypeGetPointee(type), moved);
  return affine ? (CpuLanes){.scalar = result, .stride = ptr.stride + offset.stride}
                : vector(result);
}

/// Bytes from one element to the next; a number counts bytes.
static int64_t bytesMoved(MlirType type) {
  if (!tileTypeIsAPtr(type)) return 1;
  return tileElementBytes(tilePtrTypeGetPointee(type));
}

/// Lanes are as far apart in memory as before.
static CpuLanes evalPtrCast(CpuChunk *chunk, MlirOperation op, const CpuIndex *index) {
  CpuLanes lanes = cpuEval(chunk, tileOperand(op, 0), index);
  MlirType from = tileElementType(mlirValueGetType(tileOperand(op, 0)));
  MlirType to = tileElementType(mlirValueGetType(tileResult(op)));
  if (!isAffine(lanes)) return vector(cpuCastPtr(chunk->l, lanes.vector, from, to));
  int64_t bytes = lanes.stride * bytesMoved(from), unit = bytesMoved(to);
  if (bytes % unit) {
    MlirValue all = cpuToVector(chunk, lanes, from);
    return vector(cpuCastPtr(chunk->l, all, from, to));
  }
  MlirValue scalar = cpuCastPtr(chunk->l, lanes.scalar, from, to);
  return (CpuLanes){.scalar = scalar, .stride = bytes / unit};
}

static MlirValue asMask(CpuChunk *chunk, CpuLanes mask) {
  return cpuToVector(chunk, mask, tileI1(chunk->l->context));
}

/// A pointer for each lane, even where all are one.
static MlirValue allPointers(CpuChunk *chunk, CpuLanes ptr, MlirType ptrType) {
  MlirValue pointers = cpuToVector(chunk, ptr, ptrType);
  if (cpuWidth(pointers)) return pointers;
  MlirType type = tileVectorType(chunk->width, mlirValueGetType(pointers));
  return tileBuildUnary(&chunk->l->at, "vector.broadcast", type, pointers);
}

/// Lanes that lie together, or are one.
static MlirValue loadAlong(CpuChunk *chunk, CpuLanes ptr, MlirType element, MlirValue mask,
                           MlirValue other) {
  if (ptr.stride) return cpuLoad(chunk->l, ptr.scalar, element, chunk->width, mask, other);
  return cpuLoadOne(chunk->l, ptr.scalar, element, chunk->width, mask, other);
}

/// The chunk as one whose expressions are emitted anew.
static CpuChunk apart(const CpuChunk *chunk) {
  CpuChunk copy = *chunk;
  copy.memo = NULL;
  copy.numMemo = copy.roomMemo = 0;
  return copy;
}

/// A load through pointers that a division or remainder leads to, as in `(first + arange) % n`: but
/// for the chunk in which it wraps around, lanes lie together, or are one. Null, if they are not.
///
///   %v = scf.if %unwrapped { load at first lane } else { gather }
static MlirValue loadUnwrapped(CpuChunk *chunk, MlirOperation op, const CpuIndex *index,
                               MlirValue mask, MlirValue other) {
  CpuLowering *l = chunk->l;
  MlirValue none = {NULL}, ptrTile = tileLoadGetPtr(op);
  MlirType element = tileElementType(mlirValueGetType(tileResult(op)));
  CpuChunk straight = apart(chunk);
  straight.unwraps = true;
  CpuLanes ptr = cpuEval(&straight, ptrTile, index);
  if (mlirValueIsNull(straight.unwrapped) || !isAffine(ptr) || ptr.stride < 0 || ptr.stride > 1)
    return none;
  MlirType type = cpuWiden(cpuRegisterType(l, element), chunk->width);
  MlirOperation made = tileBuildIf(&l->at, straight.unwrapped, 1, &type, true);
  TileBuilder outside = l->at;
  const int numGathers = l->numGathers; // few chunks wrap around
  for (int i = 0; i < 2; ++i) {
    l->at = tileBuilderAtEnd(tileBody(made, i), outside.location);
    MlirValue value;
    if (i == 0) {
      value = loadAlong(chunk, ptr, element, mask, other);
    } else {
      CpuChunk wrapped = apart(chunk);
      MlirValue pointers = cpuEvalVector(&wrapped, ptrTile, index), all = mask;
      if (mlirValueIsNull(all)) all = cpuFirstLanes(l, chunk->width, chunk->width);
      value = cpuGather(l, pointers, element, all, other);
    }
    tileBuildOp(&l->at, "scf.yield", TILE_VALUES(value), TILE_NONE, TILE_NONE, 0);
  }
  l->at = outside;
  l->numGathers = numGathers;
  return tileResult(made);
}

static CpuLanes evalLoad(CpuChunk *chunk, MlirOperation op, const CpuIndex *index) {
  CpuLowering *l = chunk->l;
  MlirValue maskTile = tileLoadGetMask(op), otherTile = tileLoadGetOther(op), null = {NULL};
  MlirType element = tileElementType(mlirValueGetType(tileResult(op)));
  if (mlirValueIsNull(maskTile) || cpuIsAssumed(chunk, maskTile, index->lane))
    maskTile = otherTile = null;
  const int numGathers = l->numGathers, numGathered = l->numGathered;
  CpuLanes ptr = cpuEval(chunk, tileLoadGetPtr(op), index), mask = {.scalar = {NULL}};
  CpuLanes other = mask;
  bool masked = !mlirValueIsNull(maskTile), hasOther = !mlirValueIsNull(otherTile);
  if (masked) mask = cpuEval(chunk, maskTile, index);
  if (hasOther) other = cpuEval(chunk, otherTile, index);

  bool oneElement =
      isUniform(ptr) && (!masked || isUniform(mask)) && (!hasOther || isUniform(other));
  bool checked = cpuIsChecked(l);
  if (oneElement) {
    MlirValue on = masked ? mask.scalar : null;
    if (checked) on = cpuCheckAccess(l, op, index, ptr.scalar, on, null);
    return uniform(cpuLoad(l, ptr.scalar, element, 0, on, hasOther ? other.scalar : null));
  }
  MlirType ptrType = tileElementType(mlirValueGetType(tileLoadGetPtr(op)));
  MlirValue lanes = masked ? asMask(chunk, mask) : null;
  MlirValue otherwise = hasOther ? cpuToVector(chunk, other, element) : null;
  lanes = cpuBoth(l, lanes, chunk->tail);
  if (checked) lanes = cpuCheckAccess(l, op, index, allPointers(chunk, ptr, ptrType), lanes, null);
  if (isUniform(ptr) && !checked && mlirValueIsNull(lanes))
    return uniform(cpuLoad(l, ptr.scalar, element, 0, null, null));
  if (isAffine(ptr) && (ptr.stride == 1 || (ptr.stride == 0 && !checked)))
    return vector(loadAlong(chunk, ptr, element, lanes, otherwise));
  if (!checked && !isAffine(ptr) && !chunk->unwraps && !chunk->wraps) {
    MlirValue loaded = loadUnwrapped(chunk, op, index, lanes, otherwise);
    if (!mlirValueIsNull(loaded)) {
      // Nor where places are gathered that lead there, of which a chunk has one.
      l->numGathers = numGathers;
      l->numGathered = numGathered;
      return vector(loaded);
    }
  }
  MlirValue pointers = allPointers(chunk, ptr, ptrType);
  cpuNoteGather(l, tileResult(op), index->lane);
  if (mlirValueIsNull(lanes)) lanes = cpuFirstLanes(l, chunk->width, chunk->width);
  return vector(cpuGather(l, pointers, element, lanes, otherwise));
}

//===- all of it ----------------------------------------------------------===//

static CpuLanes evalConstant(CpuChunk *chunk, MlirOperation op) {
  MlirAttribute value = tileAttr(op, "value");
  MlirType element = tileElementType(mlirAttributeGetType(value));
  bool isSplat = mlirAttributeIsADenseElements(value) && mlirDenseElementsAttrIsSplat(value);
  if (!isSplat) {
    cpuFail(chunk->l, op, "a constant tile of dense elements");
    return uniform(cpuI64(chunk->l, 0));
  }
  MlirAttribute scalar = mlirDenseElementsAttrGetSplatValue(value);
  return uniform(cpuScalarConstant(chunk->l, element, scalar));
}

static CpuLanes evalArange(CpuChunk *chunk, const CpuIndex *index) {
  CpuLowering *l = chunk->l;
  MlirType i32 = tileI32(l->context);
  MlirValue first = tileBuildUnary(&l->at, "arith.trunci", i32, index->base[0]);
  return (CpuLanes){.scalar = first, .stride = index->lane == 0 ? 1 : 0};
}

static CpuLanes evalInduction(CpuChunk *chunk, MlirValue tile, CpuSlot slot,
                              const CpuIndex *index) {
  CpuLowering *l = chunk->l;
  CpuLanes start = cpuEval(chunk, slot.start, index);
  MlirType element = tileElementType(mlirValueGetType(tile));
  MlirValue added = slot.scalar;
  MlirValue value = isAffine(start) ? start.scalar : start.vector;
  if (!isAffine(start)) {
    CpuLanes all = uniform(added);
    added = cpuToVector(chunk, all, tileI64(l->context));
  }
  if (tileTypeIsAPtr(element))
    value = cpuOffset(l, value, tilePtrTypeGetPointee(element), added);
  else
    value = tileBuildBinary(&l->at, "arith.addi", value, added);
  if (!isAffine(start)) return vector(value);
  return (CpuLanes){.scalar = value, .stride = start.stride};
}

static CpuLanes evalInline(CpuChunk *chunk, MlirValue tile, const CpuIndex *index) {
  MlirOperation op = tileValueGetOp(tile);
  CpuIndex source = *index;
  // A mask that is all true, also where it is no mask of an access.
  MlirType element = tileElementType(mlirValueGetType(tile));
  bool isMask = mlirTypeEqual(element, tileI1(chunk->l->context));
  if (isMask && cpuIsAssumed(chunk, tile, index->lane))
    return uniform(cpuInt(chunk->l, element, 1));
  if (tileOpIsASplat(op)) return uniform(cpuScalar(chunk->l, tileSplatGetValue(op)));
  if (tileOpIsAArange(op)) return evalArange(chunk, index);
  if (tileOpIsALoad(op)) return evalLoad(chunk, op, index);
  if (tileOpIsAAddPtr(op)) return evalAddPtr(chunk, op, index);
  if (tileOpIsAPtrCast(op)) return evalPtrCast(chunk, op, index);
  if (tileOpIsAJoin(op)) return evalJoin(chunk, op, index);
  if (tileOpIsASplit(op)) return evalSplit(chunk, op, tile, index);
  if (tileOpIsAGather(op)) return evalGather(chunk, op, index);
  if (tileOpIsAReshape(op)) return evalReshape(chunk, op, index);
  if (tileOpIs(op, "arith.constant")) return evalConstant(chunk, op);
  if (tileOpIsAExpandDims(op)) {
    source = withoutDimension(index, (int)tileExpandDimsGetAxis(op));
  } else if (tileOpIsABroadcast(op)) {
    source = beforeBroadcast(chunk->l, tileBroadcastGetSource(op), index);
  } else if (tileOpIsATrans(op)) {
    source = beforeTrans(op, index);
  } else if (tileOpIsASlice(op)) {
    source = beforeSlice(chunk->l, op, index);
  } else {
    return evalElementwise(chunk, op, index);
  }
  return cpuEval(chunk, tileOperand(op, 0), &source);
}

static bool sameIndex(const CpuIndex *a, const CpuIndex *b) {
  if (a->rank != b->rank || a->lane != b->lane) return false;
  for (int d = 0; d < a->rank; ++d)
    if (!mlirValueEqual(a->base[d], b->base[d])) return false;
  return true;
}

static void remember(CpuChunk *chunk, MlirValue tile, const CpuIndex *index, CpuLanes lanes) {
  if (chunk->numMemo == chunk->roomMemo) {
    int room = chunk->roomMemo ? 2 * chunk->roomMemo : 16;
    CpuMemo *memo = cpuAllocate(chunk->l, (size_t)room * sizeof *memo);
    if (chunk->numMemo) memcpy(memo, chunk->memo, (size_t)chunk->numMemo * sizeof *memo);
    chunk->memo = memo;
    chunk->roomMemo = room;
  }
  chunk->memo[chunk->numMemo++] = (CpuMemo){tile, *index, lanes};
}

/// Do all lanes of a chunk in which no quotient changes have one element of a buffer: was it loaded
/// through one pointer?
static bool isOne(CpuChunk *chunk, MlirValue tile, const CpuIndex *index) {
  MlirOperation op = tileValueGetOp(tile);
  if (!chunk->unwraps || index->lane < 0 || mlirOperationIsNull(op) || !tileOpIsALoad(op))
    return false;
  MlirValue mask = tileLoadGetMask(op);
  if (!mlirValueIsNull(mask) && !cpuIsAssumed(chunk, mask, index->lane)) return false;
  return isUniform(cpuEval(chunk, tileLoadGetPtr(op), index));
}

CpuLanes cpuEval(CpuChunk *chunk, MlirValue tile, const CpuIndex *index) {
  CpuLowering *l = chunk->l;
  CpuSlot *slot = cpuFind(l, tile);
  if (!slot) {
    l->failed = true;
    return uniform(cpuI64(l, 0));
  }
  if (slot->form == CPU_SCALAR) return uniform(slot->scalar);
  for (int i = 0; i < chunk->numMemo; ++i)
    if (mlirValueEqual(chunk->memo[i].tile, tile) && sameIndex(&chunk->memo[i].index, index))
      return chunk->memo[i].lanes;
  CpuLanes lanes;
  if (slot->form == CPU_BUFFER && isOne(chunk, tile, index)) {
    CpuIndex one = *index;
    MlirValue null = {NULL};
    one.lane = -1;
    lanes = uniform(cpuReadBuffer(l, &slot->buffer, &one, 0, null));
  } else if (slot->form == CPU_BUFFER) {
    if (index->lane >= 0 && slot->buffer.strides[index->lane] != 1)
      cpuNoteGather(l, tile, index->lane);
    MlirValue value = cpuReadBuffer(l, &slot->buffer, index, chunk->width, chunk->tail);
    lanes = index->lane < 0 ? uniform(value) : vector(value);
  } else if (slot->form == CPU_INDUCTION) {
    lanes = evalInduction(chunk, tile, *slot, index);
  } else {
    lanes = evalInline(chunk, tile, index);
  }
  remember(chunk, tile, index, lanes);
  return lanes;
}

MlirValue cpuEvalVector(CpuChunk *chunk, MlirValue tile, const CpuIndex *index) {
  CpuLanes lanes = cpuEval(chunk, tile, index);
  MlirType element = tileElementType(mlirValueGetType(tile));
  if (index->lane >= 0) return cpuToVector(chunk, lanes, element);
  return lanes.scalar;
}
