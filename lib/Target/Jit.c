//===- Jit.c - host code as functions of this process ---------------------===//
//
// LLVM's ORC LLJIT links an object file into the process: one that was made a moment ago, or one
// from the cache. One JIT an object: its names are its own, and it is freed by itself. All of it is
// linked when it is made, so that a missing name is an error then and not in the middle of a run.
//
//===----------------------------------------------------------------------===//
#include "Emit.h"
#include "tile/IR.h"
#include "llvm-c/Core.h"
#include "llvm-c/LLJIT.h"
#include "llvm-c/Orc.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct TileJit {
  LLVMOrcLLJITRef jit;
};

typedef struct Build {
  MlirLocation loc;
  const TileBlob *object;
  const char *entry;
  const TileJitSymbol *symbols;
  size_t count;
  TileJit *jit;
  /// What the session said first: the failing call itself names only what it could not finish.
  char report[512];
} Build;

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) {
    fputs("tile: out of memory\n", stderr);
    abort();
  }
  return memory;
}

static void onReport(void *context, LLVMErrorRef error) {
  Build *b = context;
  char *text = LLVMGetErrorMessage(error);
  if (!b->report[0]) snprintf(b->report, sizeof b->report, "%s", text);
  LLVMDisposeErrorMessage(text);
}

static void ignoreReport(void *context, LLVMErrorRef error) {
  (void)context;
  LLVMConsumeError(error);
}

static MlirLogicalResult check(Build *b, LLVMErrorRef error) {
  if (!error) return mlirLogicalResultSuccess();
  if (!b->report[0]) return tileTargetCheck(b->loc, error);
  LLVMConsumeError(error);
  return tileTargetFail(b->loc, "code that can be linked into this process", b->report);
}

/// Makes the caller's symbols known, and after them the process's.
static MlirLogicalResult define(Build *b) {
  LLVMOrcLLJITRef jit = b->jit->jit;
  LLVMOrcJITDylibRef library = LLVMOrcLLJITGetMainJITDylib(jit);
  LLVMOrcCSymbolMapPair *pairs = allocate(b->count + 1, sizeof *pairs);
  for (size_t i = 0; i < b->count; ++i) {
    pairs[i].Name = LLVMOrcLLJITMangleAndIntern(jit, b->symbols[i].name);
    pairs[i].Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)b->symbols[i].address;
    pairs[i].Sym.Flags.GenericFlags =
        LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable;
  }
  LLVMErrorRef error = LLVMErrorSuccess;
  if (b->count) error = LLVMOrcJITDylibDefine(library, LLVMOrcAbsoluteSymbols(pairs, b->count));
  free(pairs);
  if (error) return check(b, error);
  LLVMOrcDefinitionGeneratorRef process = NULL;
  char prefix = LLVMOrcLLJITGetGlobalPrefix(jit);
  error = LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&process, prefix, NULL, NULL);
  if (error) return check(b, error);
  LLVMOrcJITDylibAddGenerator(library, process);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult build(void *context) {
  Build *b = context;
  LLVMTargetMachineRef machine = tileTargetCreateHostMachine(b->loc);
  if (!machine) return mlirLogicalResultFailure();
  LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
      builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
  TILE_TRY(check(b, LLVMOrcCreateLLJIT(&b->jit->jit, builder)));
  LLVMOrcLLJITRef jit = b->jit->jit;
  LLVMOrcExecutionSessionRef session = LLVMOrcLLJITGetExecutionSession(jit);
  LLVMOrcExecutionSessionSetErrorReporter(session, onReport, b);
  TILE_TRY(define(b));
  LLVMMemoryBufferRef copy =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(b->object->data, b->object->size, "object");
  LLVMOrcJITDylibRef library = LLVMOrcLLJITGetMainJITDylib(jit);
  // Asking for one name links the whole object.
  LLVMOrcExecutorAddress address;
  MlirLogicalResult result = check(b, LLVMOrcLLJITAddObjectFile(jit, library, copy));
  if (mlirLogicalResultIsSuccess(result))
    result = check(b, LLVMOrcLLJITLookup(jit, &address, b->entry));
  LLVMOrcExecutionSessionSetErrorReporter(session, ignoreReport, NULL);
  return result;
}

TileJit *tileJitCreate(MlirLocation loc, const TileBlob *object, const char *entry,
                       const TileJitSymbol *symbols, size_t count) {
  TileJit *jit = allocate(1, sizeof *jit);
  Build b = {
      .loc = loc, .object = object, .entry = entry, .symbols = symbols, .count = count, .jit = jit};
  bool lost;
  MlirLogicalResult result = tileTargetRun(loc, build, &b, &lost);
  // The half-built JIT is lost with the rest.
  if (lost) return NULL;
  if (mlirLogicalResultIsSuccess(result)) return jit;
  tileJitDestroy(jit);
  return NULL;
}

void (*tileJitLookup(TileJit *jit, const char *name))(void) {
  LLVMOrcExecutorAddress address = 0;
  LLVMErrorRef error = LLVMOrcLLJITLookup(jit->jit, &address, name);
  if (error) {
    LLVMConsumeError(error);
    return NULL;
  }
  return (void (*)(void))(uintptr_t)address;
}

void tileJitDestroy(TileJit *jit) {
  if (!jit) return;
  if (jit->jit) {
    LLVMErrorRef error = LLVMOrcDisposeLLJIT(jit->jit);
    if (error) LLVMConsumeError(error);
  }
  free(jit);
}
