//===- TritonNumerics.c - rounding as Triton's own code has it ------------===//
//
// Triton 3.6 to 3.9 compile for NVIDIA (third_party/nvidia/lib/TritonNVIDIAGPUToLLVM, and libdevice
// for the functions of math):
//
//   addf, subf, mulf    LLVM may fuse them (enable_fp_fusion, on unless switched off)
//   divf of f32         div.full, 2 ulp; tt.precise_divf is div.rn
//   math.exp of f32     ex2.approx of the product by log2 e
//   math.exp2 of f32    ex2.approx.ftz
//   math.sqrt of f32    sqrt.approx.ftz; tt.precise_sqrt is sqrt.rn
//   math.rsqrt of f32   rsqrt.approx.ftz
//   fptosi, fptoui      to 8 bits the low half of a conversion to 16, which is no more than the
//                       instruction; to others saturated, as the instructions are
//
// The others (log, sin, cos, erf, ..) are accurate there, and stay so here. Flags say so to both
// lowerings; the CPU's makes no use of afn.
//===----------------------------------------------------------------------===//
#include "TritonToTile.h"

static const struct {
  const char *name, *flags;
  bool onlyF32;
} relaxations[] = {
    {"arith.divf", "#arith.fastmath<arcp>", true},
    {"math.exp", "#arith.fastmath<afn>", true},
    {"math.exp2", "#arith.fastmath<afn>", true},
    {"math.sqrt", "#arith.fastmath<afn>", true},
    {"math.rsqrt", "#arith.fastmath<afn>", true},
    {"arith.addf", "#arith.fastmath<contract>", false},
    {"arith.subf", "#arith.fastmath<contract>", false},
    {"arith.mulf", "#arith.fastmath<contract>", false},
};

/// Is it all that a reduction or scan combines by? There is nothing to fuse then, and the plain op
/// is known by its name.
static bool isAlone(MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  bool combines = tileOpIs(parent, "tt.reduce") || tileOpIs(parent, "tt.scan");
  MlirOperation first = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  MlirOperation second = mlirOperationGetNextInBlock(first);
  return combines && mlirOperationEqual(op, first) &&
         mlirOperationIsNull(mlirOperationGetNextInBlock(second));
}

/// Is it a conversion of floats to integers of 8 bits?
static bool isToBytes(MlirOperation op) {
  return (tileOpIs(op, "arith.fptosi") || tileOpIs(op, "arith.fptoui")) &&
         tileBitWidth(tileElementType(mlirValueGetType(tileResult(op)))) == 8;
}

bool tritonConvertToBytes(MlirOperation op, TileBuilder *b) {
  if (!isToBytes(op)) return false;
  MlirType type = mlirValueGetType(tileResult(op)), half = tileI16(b->context);
  MlirValue wide = tileBuildUnary(b, tileOpIs(op, "arith.fptosi") ? "arith.fptosi" : "arith.fptoui",
                                  tileWithElement(type, half), tileOperand(op, 0));
  MlirValue bytes = tileBuildUnary(b, "arith.trunci", type, wide);
  tileReplaceOp(op, 1, &bytes);
  return true;
}

void tritonRelax(MlirOperation op, bool fuses) {
  for (size_t i = 0; i < sizeof relaxations / sizeof *relaxations; ++i) {
    if (!tileOpIs(op, relaxations[i].name)) continue;
    bool isF32 = mlirTypeIsAF32(tileElementType(mlirValueGetType(tileResult(op))));
    if (relaxations[i].onlyF32 ? !isF32 : !fuses || isAlone(op)) return;
    MlirAttribute flags = tileParseAttr(mlirOperationGetContext(op), relaxations[i].flags);
    mlirOperationSetAttributeByName(op, tileString("fastmath"), flags);
    return;
  }
}
