//===- Emit.c - what device and host emission share -----------------------===//
#include "Emit.h"
#include "mlir-c/Target/LLVMIR.h"
#include "llvm-c/Core.h"
#include "llvm-c/IRReader.h"
#include "llvm-c/Target.h"
#include "llvm-c/Transforms/PassBuilder.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TileBlob tileBlobCreate(const char *data, size_t size) {
  char *copy = malloc(size + 1);
  if (!copy) {
    fputs("tile: out of memory\n", stderr);
    abort();
  }
  memcpy(copy, data, size);
  copy[size] = 0;
  return (TileBlob){.data = copy, .size = size};
}

void tileBlobDestroy(TileBlob *blob) {
  free(blob->data);
  *blob = (TileBlob){0};
}

LLVMModuleRef tileTargetTranslate(MlirOperation op, LLVMContextRef llvm,
                                  LLVMTargetMachineRef machine) {
  LLVMModuleRef module = mlirTranslateModuleToLLVMIR(op, llvm);
  if (!module) return NULL;
  char *triple = LLVMGetTargetMachineTriple(machine);
  LLVMSetTarget(module, triple);
  LLVMDisposeMessage(triple);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(module, layout);
  LLVMDisposeTargetData(layout);
  return module;
}

LLVMModuleRef tileTargetParse(MlirLocation loc, const TileBlob *text, LLVMContextRef llvm) {
  // The parser takes the buffer.
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text->data, text->size, "llvm");
  LLVMModuleRef module = NULL;
  char *message = NULL;
  if (!LLVMParseIRInContext(llvm, buffer, &module, &message)) return module;
  tileTargetFail(loc, "LLVM IR", message);
  LLVMDisposeMessage(message);
  return NULL;
}

MlirLogicalResult tileTargetOptimize(MlirLocation loc, LLVMModuleRef module, const char *pipeline,
                                     LLVMTargetMachineRef machine) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopVectorization(options, true);
  LLVMPassBuilderOptionsSetSLPVectorization(options, true);
  LLVMErrorRef error = LLVMRunPasses(module, pipeline, machine, options);
  LLVMDisposePassBuilderOptions(options);
  return tileTargetCheck(loc, error);
}

TileBlob tileTargetPrint(LLVMModuleRef module) {
  char *text = LLVMPrintModuleToString(module);
  TileBlob blob = tileBlobCreate(text, strlen(text));
  LLVMDisposeMessage(text);
  return blob;
}

MlirLogicalResult tileTargetGenerate(MlirLocation loc, LLVMModuleRef module,
                                     LLVMTargetMachineRef machine, LLVMCodeGenFileType type,
                                     TileBlob *blob) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, type, &message, &buffer)) {
    tileTargetFail(loc, "code that LLVM can compile for this target", message);
    LLVMDisposeMessage(message);
    return mlirLogicalResultFailure();
  }
  *blob = tileBlobCreate(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
  LLVMDisposeMemoryBuffer(buffer);
  return mlirLogicalResultSuccess();
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
