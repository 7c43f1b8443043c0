//===- CarriedParts.c - loaded bytes and halves that a loop carries -------===//
//
// Before:  %v = phi <2 x half> [ %first, %entry ], [ %next, %loop ]
//          ..
//          %a = load <1 x half>, ptr %p
//          %b = load <1 x half>, ptr %q
//          %next = shufflevector <1 x half> %a, <1 x half> %b, <2 x i32> <i32 0, i32 1>
// After:   %v0 = phi half [ .. ], [ %next0, %loop ]
//          %v1 = phi half [ .. ], [ %next1, %loop ]
//          %v = <%v0, %v1>
//
// What starts a step ahead is waited for where it is read, if nothing touches it in its own step.
// Of elements of 8 and 16 bits NVPTX carries two or four in a register, and puts them together
// behind their loads: there each step waits, and for the first ones before the last are begun.
// Elements that come one by one are carried one by one.
//
// Declines: elements that come as parts of wider words.
// Requires: nothing.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "Rewrites.h"
#include "llvm-c/Core.h"

/// Bits of an element that shares a register with others; 0 for other types.
static bool sharesRegister(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetVectorSize(type) < 2) return false;
  LLVMTypeRef element = LLVMGetElementType(type);
  switch (LLVMGetTypeKind(element)) {
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
    return true;
  case LLVMIntegerTypeKind:
    return LLVMGetIntTypeWidth(element) == 8 || LLVMGetIntTypeWidth(element) == 16;
  default:
    return false;
  }
}

static unsigned countLanes(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

/// What `value` was taken from, one step back along its lane `*lane`; null: it was made here.
static LLVMValueRef stepBack(LLVMValueRef value, unsigned *lane) {
  LLVMValueRef taken = tileTargetStepBack(value, lane);
  if (taken) return taken;
  // Inline assembly has registers of 16 bits for bytes.
  if (!LLVMIsABitCastInst(value) && !LLVMIsATruncInst(value)) return NULL;
  LLVMValueRef from = LLVMGetOperand(value, 0);
  return countLanes(from) == countLanes(value) ? from : NULL;
}

/// Is the lane loaded alone?
static bool isLoadedAlone(LLVMValueRef vector, unsigned lane) {
  LLVMValueRef value = vector, from = vector;
  while ((from = stepBack(value, &lane))) value = from;
  if (countLanes(value) > 1) return false;
  if (LLVMIsALoadInst(value)) return true;
  return LLVMIsACallInst(value) && LLVMIsAInlineAsm(LLVMGetCalledValue(value));
}

/// Does one of the values come of loads of single elements, and each by a block of its own?
static bool comesOneByOne(LLVMValueRef phi) {
  bool any = false;
  unsigned incoming = LLVMCountIncoming(phi), lanes = countLanes(phi);
  for (unsigned i = 0; i < incoming; ++i) {
    unsigned alone = 0;
    for (unsigned j = 0; j < i; ++j)
      if (LLVMGetIncomingBlock(phi, i) == LLVMGetIncomingBlock(phi, j)) return false;
    while (alone < lanes && isLoadedAlone(LLVMGetIncomingValue(phi, i), alone)) ++alone;
    any |= alone == lanes;
  }
  return any;
}

/// The lane of `phi` as a phi of its own, in front of it.
static LLVMValueRef carryLane(LLVMBuilderRef builder, LLVMValueRef phi, LLVMValueRef lane) {
  LLVMPositionBuilderBefore(builder, phi);
  LLVMValueRef carried = LLVMBuildPhi(builder, LLVMGetElementType(LLVMTypeOf(phi)), "");
  for (unsigned i = 0; i < LLVMCountIncoming(phi); ++i) {
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(block));
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    LLVMValueRef part = LLVMBuildExtractElement(builder, value, lane, "");
    LLVMAddIncoming(carried, &part, &block, 1);
  }
  return carried;
}

static void carryApart(LLVMBuilderRef builder, LLVMValueRef phi) {
  LLVMTypeRef type = LLVMTypeOf(phi);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(type));
  LLVMValueRef whole = LLVMGetPoison(type), behind = phi;
  while (LLVMIsAPHINode(behind)) behind = LLVMGetNextInstruction(behind);
  for (unsigned i = 0; i < countLanes(phi); ++i) {
    LLVMValueRef lane = LLVMConstInt(i64, i, false);
    LLVMValueRef part = carryLane(builder, phi, lane);
    LLVMPositionBuilderBefore(builder, behind);
    whole = LLVMBuildInsertElement(builder, whole, part, lane, "");
  }
  LLVMReplaceAllUsesWith(phi, whole);
  LLVMInstructionEraseFromParent(phi);
}

static void visit(LLVMBuilderRef builder, LLVMValueRef instruction, void *data) {
  (void)data;
  if (LLVMIsAPHINode(instruction) && sharesRegister(LLVMTypeOf(instruction)) &&
      comesOneByOne(instruction))
    carryApart(builder, instruction);
}

void tileTargetCarryParts(LLVMModuleRef module) { tileTargetVisit(module, visit, NULL); }
