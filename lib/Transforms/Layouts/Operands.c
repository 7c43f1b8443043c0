//===- Operands.c - operands of dots, as they lie -------------------------===//
//
// wgmma reads operands of other than 16 bits with K fastest alone. Of those that lie with M or N
// fastest, boxes and what threads copy in whole chunks stay as they lie, and are turned round where
// they are read; single elements threads store as wgmma reads them.
//===----------------------------------------------------------------------===//
#include "Layouts.h"
#include "tile/Analysis/DotForm.h"
#include "tile/Support/PointerTable.h"
#include "tile/TensorMap.h"

enum { LEAST_COPIED = 4 }; ///< bytes that cp.async brings

void tileTransOrder(MlirOperation op, int rank, int order[TILE_MAX_RANK]) {
  MlirAttribute attr = tileTransGetOrderAttr(op);
  for (int i = 0; i < rank; ++i) order[i] = mlirDenseI32ArrayGetElement(attr, i);
}

MlirType tileBufferInOrder(const TileLayoutRules *rules, MlirType tile, const int64_t order[],
                           bool swizzled) {
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(tile, shape);
  MlirType element = tileElementType(tile);
  int64_t row = shape[order[0]] * tileBitWidth(element) / 8;
  int64_t swizzle = swizzled ? tileTensorMapSwizzle(row) : 0;
  return tileBufferTypeGet(rules->context, rank, shape, element, swizzle, order, 1);
}

/// The desc_load behind `value`. dims[i] is the dimension of `value` in which dimension i of the
/// box, extents of 1 left out, has come to lie. Null where another op stands between.
static MlirOperation findDescLoad(MlirValue value, int dims[TILE_MAX_RANK], int *count) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return op;
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(value), shape), order[TILE_MAX_RANK];
  if (tileOpIsADescLoad(op)) {
    *count = 0;
    for (int d = 0; d < rank; ++d)
      if (shape[d] != 1) dims[(*count)++] = d;
    return op;
  }
  bool trans = tileOpIsATrans(op);
  if (!trans && !tileOpIsAReshape(op)) return (MlirOperation){NULL};
  MlirOperation load = findDescLoad(tileOperand(op, 0), dims, count);
  if (mlirOperationIsNull(load)) return load;
  if (trans) tileTransOrder(op, rank, order);
  int kept = 0;
  for (int d = 0; d < rank; ++d) {
    for (int i = 0; trans && i < *count; ++i)
      if (dims[i] == order[d]) order[d] = -1 - i;
    if (!trans && shape[d] != 1) order[kept++] = d;
  }
  if (!trans && kept != *count) return (MlirOperation){NULL};
  for (int d = 0; trans && d < rank; ++d)
    if (order[d] < 0) dims[-1 - order[d]] = d;
  if (trans) return load;
  // A reshape may only leave out, or put in, extents of 1: the others keep their order, whatever
  // dimension of the box each of them is.
  int64_t from[TILE_MAX_RANK];
  int fromRank = tileShape(mlirValueGetType(tileOperand(op, 0)), from), to[TILE_MAX_RANK], n = 0;
  for (int d = 0; d < fromRank; ++d) {
    if (from[d] == 1) continue;
    if (n == kept || from[d] != shape[order[n]]) return (MlirOperation){NULL};
    to[d] = order[n++];
  }
  for (int i = 0; i < kept; ++i) dims[i] = to[dims[i]];
  return load;
}

MlirType tileBufferOfDescOperand(const TileLayoutRules *rules, MlirValue value,
                                 MlirOperation *load) {
  int dims[TILE_MAX_RANK], count = 0;
  *load = findDescLoad(value, dims, &count);
  MlirType type = mlirValueGetType(value);
  int64_t shape[TILE_MAX_RANK], order[TILE_MAX_RANK];
  int rank = tileShape(type, shape), n = 0;
  if (mlirOperationIsNull(*load)) return (MlirType){NULL};
  for (int i = count; i-- > 0;) order[n++] = dims[i];
  for (int d = 0; d < rank; ++d)
    if (shape[d] == 1) order[n++] = d;
  // The instructions want K or M (N) fastest, never the batch.
  return order[0] < rank - 2 ? (MlirType){NULL} : tileBufferInOrder(rules, type, order, true);
}

/// The op behind `op` and conversions of each number by itself, of which threads have as many side
/// by side as they loaded.
static MlirOperation behindConversions(MlirOperation op) {
  while (!mlirOperationIsNull(op) && tileOpIsElementwise(op) &&
         mlirOperationGetNumOperands(op) == 1)
    op = tileValueGetOp(tileOperand(op, 0));
  return op;
}

/// The tile that `value` is computed from element by element, and turned round, where it is loaded;
/// `turned`: an odd number of times. Null where there is none, or it was `seen`.
static MlirOperation behindComputed(TilePointerTable *seen, MlirValue value, bool *turned) {
  int64_t shape[TILE_MAX_RANK];
  MlirOperation op = tileValueGetOp(value), found = {NULL};
  if (mlirOperationIsNull(op) || !tilePointerTableInsert(seen, value.ptr)) return found;
  if (tileOpIsALoad(op) || tileOpIsADescLoad(op))
    return tileShape(mlirValueGetType(value), shape) == 2 && shape[0] > 1 && shape[1] > 1 ? op
                                                                                          : found;
  bool isTrans = tileOpIsATrans(op);
  if (!isTrans && (!tileOpIsElementwise(op) || tileOpIsAAddPtr(op))) return found;
  bool turns = isTrans && mlirDenseI32ArrayGetElement(tileTransGetOrderAttr(op), 0) == 1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && mlirOperationIsNull(found); ++i)
    found = behindComputed(seen, tileOperand(op, i), turned);
  *turned ^= turns && !mlirOperationIsNull(found);
  return found;
}

bool tileDotComesAcrossK(const TileLayoutRules *rules, MlirOperation dot, int i, int bits) {
  MlirValue value = tileOperand(dot, i);
  TilePointerTable seen = {0};
  int order[TILE_MAX_RANK] = {1};
  bool turned = false;
  MlirOperation load = behindComputed(&seen, value, &turned);
  tilePointerTableClear(&seen);
  if (mlirOperationIsNull(load)) return false;
  if (bits && tileBitWidth(tileElementType(mlirValueGetType(tileResult(load)))) != bits)
    return false;
  if (tileOpIsALoad(load)) tileAxisAccessOrder(rules->axis, tileLoadGetPtr(load), order);
  return (turned ? 1 - order[0] : order[0]) == i;
}

/// The dimension of operand `i` of the dot that runs fastest in memory; -1 where that is not known,
/// as it comes from elsewhere. What FMA multiplies may have been converted: threads store it.
static int fastestInMemory(const TileLayoutRules *rules, MlirOperation dot, int i) {
  MlirValue value = tileOperand(dot, i);
  int rank = tileShape(mlirValueGetType(value), (int64_t[TILE_MAX_RANK]){0}), order[TILE_MAX_RANK];
  MlirOperation load;
  MlirType box = tileBufferOfDescOperand(rules, value, &load);
  if (!mlirTypeIsNull(box)) return (int)tileBufferTypeGetOrder(box, 0);
  bool isFma = tileDotGetInstruction(dot) == TILE_INSTRUCTION_FMA, turned = false;
  load = isFma ? behindConversions(tileValueGetOp(value)) : tileValueGetOp(value);
  while (rank == 2 && !mlirOperationIsNull(load) && tileOpIsATrans(load)) {
    turned ^= mlirDenseI32ArrayGetElement(tileTransGetOrderAttr(load), 0) == 1;
    load = tileValueGetOp(tileOperand(load, 0));
    if (isFma) load = behindConversions(load);
  }
  if (rank != 2 || mlirOperationIsNull(load) || !tileOpIsALoad(load)) return -1;
  tileAxisAccessOrder(rules->axis, tileLoadGetPtr(load), order);
  return turned ? 1 - order[0] : order[0];
}

bool tileDotRunsAlongK(const TileLayoutRules *rules, MlirOperation dot, int i) {
  int rank = tileShape(mlirValueGetType(tileOperand(dot, i)), (int64_t[TILE_MAX_RANK]){0});
  return fastestInMemory(rules, dot, i) == (i == 0 ? rank - 1 : rank - 2);
}

bool tileDotRunsAcrossK(const TileLayoutRules *rules, MlirOperation dot, int i) {
  int rank = tileShape(mlirValueGetType(tileOperand(dot, i)), (int64_t[TILE_MAX_RANK]){0});
  return fastestInMemory(rules, dot, i) == (i == 0 ? rank - 2 : rank - 1);
}

bool tileDotWantsKFastest(MlirOperation dot) {
  TileDotForm form;
  if (tileDotGetInstruction(dot) != TILE_INSTRUCTION_WGMMA || !tileDotGetForm(dot, &form))
    return false;
  const TileMatrix *wgmma = tileDotFormWgmma(&form);
  return wgmma && !tileMatrixTakesMajor(wgmma, TILE_MAJOR_MN);
}

bool tileDotReadsAcross(const TileLayoutRules *rules, MlirOperation dot, int i) {
  MlirOperation load;
  if (!tileDotWantsKFastest(dot)) return false;
  MlirType box = tileBufferOfDescOperand(rules, tileOperand(dot, i), &load);
  return !mlirTypeIsNull(box) && tileBufferTypeGetOrder(box, 0) == (i == 0 ? 0 : 1);
}

bool tileDotLoadsAcross(const TileLayoutRules *rules, MlirOperation dot, int i) {
  MlirOperation load;
  MlirValue value = tileOperand(dot, i);
  int bits = tileBitWidth(tileElementType(mlirValueGetType(value)));
  if (!tileDotWantsKFastest(dot) || (bits != 8 && (bits != 32 || i)) ||
      !mlirTypeIsNull(tileBufferOfDescOperand(rules, value, &load)) ||
      !tileDotRunsAcrossK(rules, dot, i))
    return false;
  int dim = i; // that runs fastest, M of A or N of B
  for (load = tileValueGetOp(value); tileOpIsATrans(load); dim = 1 - dim)
    load = tileValueGetOp(tileOperand(load, 0));
  return tileAxisAccessVector(rules->axis, load, dim) >= LEAST_COPIED;
}
