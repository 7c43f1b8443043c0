//===- AccelerateDot.c - choose the instruction of each dot ---------------===//
//
// Before:  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
// After:   %d = tile.dot %a, %b, %c by mma_sync : ...
//
// f16 and bf16 tiles go to the tensor cores: by wgmma on sm_90a where whole warp groups
// have at least 64 rows or 64 columns each, else by mma.sync where there is at least 16 x 8 x 16.
// The rest is computed by FMA. 8-bit floats are extended to f16, which is exact. Remarks say why
// not the better one.
//
// Requires: meta-parameters bound.  Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "tile/IR.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

typedef struct {
  int64_t numWarps;
  bool wgmma; // has the target wgmma?
} Chooser;

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

/// Why a dot that could go to mma.sync cannot go to wgmma; null when it can.
static const char *whyNotWgmma(const Chooser *c, MlirOperation dot) {
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(tileResult(dot)), shape);
  if (rank != 2) return "expected a product without batch for wgmma";
  if (c->numWarps < 4) return "expected at least 4 warps for wgmma";
  if (shape[0] < 64 || shape[1] < 16) return "expected a product of at least 64 x 16 for wgmma";
  int64_t groups = c->numWarps / 4, alongM = shape[0] / 64 < groups ? shape[0] / 64 : groups;
  if (alongM < groups && shape[1] < 64 * (groups / alongM))
    return "expected 64 rows, or 64 columns, of the product for each warp group for wgmma";
  if (shape[0] / 64 * shape[1] / 64 / groups > 32 || shape[1] > 256 * groups)
    return "expected accumulators that fit the registers for wgmma";
  return NULL;
}

/// f16 has every number of both 8-bit formats, and a product of two is exact in f32 either way.
static void widenFloat8(MlirOperation dot) {
  TileBuilder b = tileBuilderBefore(dot);
  MlirType f16 = mlirF16TypeGet(b.context);
  for (intptr_t i = 0; i < 2; ++i) {
    MlirValue operand = tileOperand(dot, i);
    MlirType type = mlirValueGetType(operand), element = tileElementType(type);
    if (tileBitWidth(element) != 8 || !mlirTypeIsAFloat(element)) continue;
    MlirValue wide = tileBuildUnary(&b, "arith.extf", tileWithElement(type, f16), operand);
    mlirOperationSetOperand(dot, i, wide);
  }
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  Chooser *c = data;
  if (!tileOpIsADot(op) || tileDotGetInstruction(op) >= 0) return MlirWalkResultAdvance;
  MlirLocation loc = mlirOperationGetLocation(op);
  widenFloat8(op);
  int instruction = TILE_INSTRUCTION_FMA;
  const char *reason = whyNotMma(op);
  if (reason) {
    tileEmitRemark(loc, "dot is computed by fma: %s", reason);
  } else {
    instruction = TILE_INSTRUCTION_MMA_SYNC;
    reason = c->wgmma ? whyNotWgmma(c, op) : NULL;
    if (reason)
      tileEmitRemark(loc, "dot is computed by mma.sync: %s", reason);
    else if (c->wgmma)
      instruction = TILE_INSTRUCTION_WGMMA;
    if (!reason) tileTrace(loc, "dot is computed by %s", c->wgmma ? "wgmma" : "mma.sync");
  }
  mlirOperationSetAttributeByName(op, tileString("instruction"),
                                  tileInstructionAttrGet(mlirOperationGetContext(op), instruction));
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunAccelerateDot(MlirOperation func,
                                       const TileAccelerateDotOptions *options) {
  Chooser c = {.wgmma = tileStringIs(options->arch, "sm_90a")};
  c.numWarps = options->numWarps ? options->numWarps : tileIntAttr(func, "tile.num_warps", 4);
  mlirOperationWalk(func, visit, &c, MlirWalkPreOrder);
  return mlirLogicalResultSuccess();
}
