//===- ConstantShuffles.c - shuffles of what all lanes know ---------------===//
//
// Before:  %w = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 254, i32 1, i32 31)
// After:   254, wherever %w was used
//
// A scan or a reduction of a constant hands it on among lanes. LLVM takes what comes back for
// unknown; ptxas knows it, and 12.8 and 13.0 then compare it wrongly: behind cvt.s8.s32 of a
// negative number, setp.eq.b16 has 32 bits of the constant and 16 of the other side.
//
// Requires: whole warps at each shuffle.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "Rewrites.h"
#include "llvm-c/Core.h"
#include <string.h>

static bool isShuffle(LLVMValueRef instruction) {
  static const char prefix[] = "llvm.nvvm.shfl.sync.";
  return !strncmp(tileTargetGetCallee(instruction), prefix, strlen(prefix));
}

static void visit(LLVMBuilderRef builder, LLVMValueRef instruction, void *data) {
  (void)builder;
  if (!isShuffle(instruction)) return;
  LLVMValueRef word = LLVMGetOperand(instruction, 1);
  // Others also say whether the lane was there.
  if (!LLVMIsConstant(word) || LLVMTypeOf(word) != LLVMTypeOf(instruction)) return;
  LLVMReplaceAllUsesWith(instruction, word);
  LLVMInstructionEraseFromParent(instruction);
  *(bool *)data = true;
}

bool tileTargetFoldShuffles(LLVMModuleRef module) {
  bool any = false;
  tileTargetVisit(module, visit, &any);
  return any;
}
