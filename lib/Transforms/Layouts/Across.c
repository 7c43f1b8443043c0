//===- Across.c - operands that lie otherwise than wgmma reads them -------===//
//
// wgmma reads operands of other than 16 bits with K fastest alone. Of those that lie with M or N
// fastest, boxes and what threads copy in whole chunks stay as they lie, and are turned round where
// they are read; single elements threads store as wgmma reads them.
//===----------------------------------------------------------------------===//
#include "Layouts.h"
#include "tile/Analysis/DotForm.h"

enum { LEAST_COPIED = 4 }; ///< bytes that cp.async brings

/// The dimension of operand `i` of the dot that runs fastest in memory; -1 where that is not known,
/// as it comes from elsewhere.
static int fastestInMemory(const TileLayoutRules *rules, MlirOperation dot, int i) {
  MlirValue value = tileOperand(dot, i);
  int rank = tileShape(mlirValueGetType(value), (int64_t[TILE_MAX_RANK]){0}), order[TILE_MAX_RANK];
  MlirOperation load;
  MlirType box = tileBufferOfDescOperand(rules, value, &load);
  if (!mlirTypeIsNull(box)) return (int)tileBufferTypeGetOrder(box, 0);
  load = tileValueGetOp(value);
  bool turned = false;
  while (rank == 2 && !mlirOperationIsNull(load) && tileOpIsATrans(load)) {
    turned ^= mlirDenseI32ArrayGetElement(tileTransGetOrderAttr(load), 0) == 1;
    load = tileValueGetOp(tileOperand(load, 0));
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
