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
