//===- Rewrites.c - reading LLVM IR, walking it, and PTX ------------------===//
#include "Rewrites.h"
#include "llvm-c/Core.h"
#include <stdlib.h>
#include <string.h>

void tileTargetVisit(LLVMModuleRef module, void (*visit)(LLVMBuilderRef, LLVMValueRef, void *),
                     void *data) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      LLVMValueRef next = LLVMGetFirstInstruction(b);
      while (next) {
        LLVMValueRef instruction = next;
        next = LLVMGetNextInstruction(instruction);
        visit(builder, instruction, data);
      }
    }
  LLVMDisposeBuilder(builder);
}

LLVMValueRef tileTargetStepBack(LLVMValueRef value, unsigned *lane) {
  if (LLVMIsAShuffleVectorInst(value)) {
    int from = LLVMGetMaskValue(value, *lane);
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(value, 0)));
    if (from == LLVMGetUndefMaskElem()) return NULL;
    *lane = (unsigned)from % lanes;
    return LLVMGetOperand(value, (unsigned)from / lanes);
  }
  if (!LLVMIsAInsertElementInst(value)) return NULL;
  LLVMValueRef at = LLVMGetOperand(value, 2);
  if (!LLVMIsAConstantInt(at)) return NULL;
  bool isThis = LLVMConstIntGetZExtValue(at) == *lane;
  if (isThis) *lane = 0;
  return LLVMGetOperand(value, isThis);
}

const char *tileTargetGetCallee(LLVMValueRef instruction) {
  size_t length;
  LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

const char *tileTargetGetText(LLVMValueRef instruction) {
  size_t length;
  LLVMValueRef called = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  return called && LLVMIsAInlineAsm(called) ? LLVMGetInlineAsmAsmString(called, &length) : "";
}

const char *tileTargetGetCalled(LLVMValueRef instruction) {
  const char *text = tileTargetGetText(instruction);
  return *text ? text : tileTargetGetCallee(instruction);
}

LLVMTypeRef tileTargetElementOf(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

bool tileTargetIsHalf(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind;
}

void tileTargetRewritePtx(TileBlob *ptx, const char *what,
                          size_t (*rewrite)(TileText *out, const char *text)) {
  TileText out = {0};
  const char *rest = ptx->data, *found;
  if (!strstr(rest, what)) return;
  while ((found = strstr(rest, what))) {
    tileTextAddBytes(&out, rest, (size_t)(found - rest));
    size_t length = rewrite(&out, found);
    if (!length) tileTextAdd(&out, what);
    rest = found + (length ? length : strlen(what));
  }
  tileTextAdd(&out, rest);
  tileBlobDestroy(ptx);
  *ptx = tileBlobCreate(out.data, out.size);
  free(out.data);
}
