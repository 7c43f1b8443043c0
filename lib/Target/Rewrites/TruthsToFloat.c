//===- TruthsToFloat.c - truth values as signed bf16 ----------------------===//
//
// Before:  %y = sitofp <2 x i1> %holds to <2 x bfloat>
// After:   %y = select <2 x i1> %holds, <2 x bfloat> splat (-1.0), <2 x bfloat> zeroinitializer
//
// For sm_90 and later, the NVPTX backend of LLVM 22.1 takes an i1 on its way to bf16 for 0 and 1,
// signed or not. The optimizer makes such conversions of others: of the extension of an i1, or of
// a choice between 0 and -1. So this comes after it.
//
// Requires: nothing behind it that makes conversions.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "Rewrites.h"
#include "llvm-c/Core.h"

static bool isTruthToBF16(LLVMValueRef instruction) {
  if (!LLVMIsASIToFPInst(instruction)) return false;
  LLVMTypeRef from = tileTargetElementOf(LLVMTypeOf(LLVMGetOperand(instruction, 0)));
  LLVMTypeRef to = tileTargetElementOf(LLVMTypeOf(instruction));
  return LLVMGetIntTypeWidth(from) == 1 && LLVMGetTypeKind(to) == LLVMBFloatTypeKind;
}

/// -1 in every element of `type`.
static LLVMValueRef minusOne(LLVMBuilderRef builder, LLVMTypeRef type) {
  LLVMValueRef one = LLVMConstReal(tileTargetElementOf(type), -1);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return one;
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  LLVMValueRef poison = LLVMGetPoison(type), first = LLVMConstNull(i32);
  LLVMValueRef lane = LLVMBuildInsertElement(builder, poison, one, first, "");
  LLVMValueRef lanes = LLVMConstNull(LLVMVectorType(i32, LLVMGetVectorSize(type)));
  return LLVMBuildShuffleVector(builder, lane, poison, lanes, "");
}

static void choose(LLVMBuilderRef builder, LLVMValueRef conversion) {
  LLVMTypeRef type = LLVMTypeOf(conversion);
  LLVMPositionBuilderBefore(builder, conversion);
  LLVMValueRef yes = minusOne(builder, type), no = LLVMConstNull(type);
  LLVMValueRef holds = LLVMGetOperand(conversion, 0);
  LLVMReplaceAllUsesWith(conversion, LLVMBuildSelect(builder, holds, yes, no, ""));
  LLVMInstructionEraseFromParent(conversion);
}

static void visit(LLVMBuilderRef builder, LLVMValueRef instruction, void *data) {
  (void)data;
  if (isTruthToBF16(instruction)) choose(builder, instruction);
}

void tileTargetChooseTruths(LLVMModuleRef module) { tileTargetVisit(module, visit, NULL); }
