//===- AccelerateDot.c - choose the instruction of each dot ---------------===//
//
// Before:  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
// After:   %d = tile.dot %a, %b, %c {instruction = #tile<instruction mma_sync>} : ...
//
// mma.sync takes f16 and bf16 tiles of at least 16 x 8 x 16; the rest is computed
// by FMA, and a remark says why.
//
// Requires: meta-parameters bound.  Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "tile/IR.h"
#include "tile/Passes.h"

/// Why the dot cannot go to mma.sync; null when it can.
static const char *whyNotMma(MlirOperation dot) {
  MlirType a = mlirValueGetType(tileDotGetA(dot)), element = tileElementType(a);
  if (!mlirTypeIsAF16(element) && !mlirTypeIsABF16(element))
    return "expected f16 or bf16 operands for mma.sync";
  int64_t shape[TILE_MAX_RANK], acc[TILE_MAX_RANK];
  int rank = tileShape(a, shape);
  tileShape(mlirValueGetType(tileResult(dot)), acc);
  if (acc[rank - 2] < 16 || acc[rank - 1] < 8 || shape[rank - 1] < 16)
    return "expected a product of at least 16 x 8 x 16 for mma.sync";
  return NULL;
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  bool *failed = data;
  if (!tileOpIsADot(op) || tileDotGetInstruction(op) >= 0) return MlirWalkResultAdvance;
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType element = tileElementType(mlirValueGetType(tileDotGetA(op)));
  if (tileBitWidth(element) == 8 && mlirTypeIsAFloat(element)) {
    tileEmitError(
        loc, "expected f16, bf16, f32, f64 or i8 operands of tile.dot on this target, found f8");
    *failed = true;
    return MlirWalkResultInterrupt;
  }
  const char *reason = whyNotMma(op);
  if (reason) tileEmitRemark(loc, "dot is computed by fma: %s", reason);
  int instruction = reason ? TILE_INSTRUCTION_FMA : TILE_INSTRUCTION_MMA_SYNC;
  mlirOperationSetAttributeByName(op, tileString("instruction"),
                                  tileInstructionAttrGet(mlirOperationGetContext(op), instruction));
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunAccelerateDot(MlirOperation func) {
  bool failed = false;
  mlirOperationWalk(func, visit, &failed, MlirWalkPreOrder);
  return failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}
