//===- MaskedStores.c - masked stores of one lane -------------------------===//
//
// Before:  call void @llvm.masked.store(<16 x i16> %v, ptr %p, <16 x i1> <true, false, ..>)
// After:   %e = extractelement <16 x i16> %v, 0
//          store i16 %e, ptr %p
//
// For AVX-512, LLVM 22.1 makes a truncating store of a masked store of a truncated vector, and of
// one whose mask has one lane a scalar store; of both together a store of the element before the
// truncation, which overwrites its neighbour: masked_store(trunc <16 x i32> to <16 x i16>) with one
// lane stores 32 bits.
//
// Requires: constants folded.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "Rewrites.h"
#include "llvm-c/Core.h"
#include <string.h>

static bool isMaskedStore(LLVMValueRef instruction) {
  static const char prefix[] = "llvm.masked.store.";
  return !strncmp(tileTargetGetCallee(instruction), prefix, strlen(prefix));
}

/// The one lane that a constant mask has on; -1 for other masks.
static int findOnlyLane(LLVMValueRef mask) {
  int only = -1;
  if (!LLVMIsAConstantVector(mask)) return -1;
  for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(mask)); ++i) {
    LLVMValueRef lane = LLVMGetAggregateElement(mask, i);
    if (!LLVMIsAConstantInt(lane)) return -1;
    if (!LLVMConstIntGetZExtValue(lane)) continue;
    if (only >= 0) return -1;
    only = (int)i;
  }
  return only;
}

static void storeLane(LLVMBuilderRef builder, LLVMValueRef call, int lane) {
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(call));
  LLVMValueRef vector = LLVMGetOperand(call, 0), pointer = LLVMGetOperand(call, 1);
  LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(vector));
  LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(llvm), (unsigned long long)lane, false);
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef value = LLVMBuildExtractElement(builder, vector, index, "");
  LLVMValueRef place = LLVMBuildGEP2(builder, element, pointer, &index, 1, "");
  LLVMSetAlignment(LLVMBuildStore(builder, value, place), 1);
  LLVMInstructionEraseFromParent(call);
}

static void visit(LLVMBuilderRef builder, LLVMValueRef instruction, void *data) {
  (void)data;
  if (!isMaskedStore(instruction)) return;
  int lane = findOnlyLane(LLVMGetOperand(instruction, 2));
  if (lane >= 0) storeLane(builder, instruction, lane);
}

void tileTargetSplitMaskedStores(LLVMModuleRef module) { tileTargetVisit(module, visit, NULL); }
