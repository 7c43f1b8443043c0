//===- BitChoices.c - choices between a number and bits of it -------------===//
//
// Before:  %o = or disjoint <16 x i32> %sign, %rest
//          %s = select <16 x i1> %m, <16 x i32> %x, <16 x i32> %o     // %sign = %x & 1 << 31
// After:   %s = bitcast (select <16 x i1> %m, <16 x float> bitcast %x, <16 x float> bitcast %o)
//
// For AVX-512, LLVM 22.1 makes one masked vpternlog of such a choice, that leaves %x where the mask
// is off. Where %x was the second of its operands and a constant the third, it exchanges the first
// two, and for the table of which result they have takes a wrong one: of (%r & ~c) | (%x & c) comes
// %r ? c : %x, bit by bit. (x % y of bf16 and f16 was wrong by it, wherever |x| is not below |y|.)
// A choice between floats is an instruction of its own.
//
// Requires: nothing.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "Rewrites.h"
#include "llvm-c/Core.h"
#include <string.h>

/// Is it made bit by bit of others?
static bool isBitwise(LLVMValueRef value) {
  while (LLVMIsABitCastInst(value)) value = LLVMGetOperand(value, 0);
  if (LLVMIsACallInst(value)) {
    static const char prefix[] = "llvm.copysign.";
    return !strncmp(tileTargetGetCallee(value), prefix, strlen(prefix));
  }
  if (!LLVMIsAInstruction(value)) return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  return opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor;
}

/// The floats as wide as integers of this type; null for others.
static LLVMTypeRef floatsLike(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return NULL;
  LLVMTypeRef element = LLVMGetElementType(type);
  if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind) return NULL;
  unsigned width = LLVMGetIntTypeWidth(element);
  LLVMContextRef llvm = LLVMGetTypeContext(type);
  LLVMTypeRef number = width == 32   ? LLVMFloatTypeInContext(llvm)
                       : width == 64 ? LLVMDoubleTypeInContext(llvm)
                                     : NULL;
  return number ? LLVMVectorType(number, LLVMGetVectorSize(type)) : NULL;
}

static void visit(LLVMBuilderRef builder, LLVMValueRef instruction, void *data) {
  (void)data;
  if (!LLVMIsASelectInst(instruction)) return;
  LLVMTypeRef type = LLVMTypeOf(instruction), floats = floatsLike(type);
  LLVMValueRef condition = LLVMGetOperand(instruction, 0);
  LLVMValueRef yes = LLVMGetOperand(instruction, 1), no = LLVMGetOperand(instruction, 2);
  bool isLanes = LLVMGetTypeKind(LLVMTypeOf(condition)) == LLVMVectorTypeKind;
  if (!floats || !isLanes || (!isBitwise(yes) && !isBitwise(no))) return;
  LLVMPositionBuilderBefore(builder, instruction);
  yes = LLVMBuildBitCast(builder, yes, floats, "");
  no = LLVMBuildBitCast(builder, no, floats, "");
  LLVMValueRef chosen = LLVMBuildSelect(builder, condition, yes, no, "");
  LLVMReplaceAllUsesWith(instruction, LLVMBuildBitCast(builder, chosen, type, ""));
  LLVMInstructionEraseFromParent(instruction);
}

void tileTargetChooseAsFloats(LLVMModuleRef module) { tileTargetVisit(module, visit, NULL); }
