//===- Jit.c - host code as functions of this process ---------------------===//
//
// LLVM's ORC LLJIT rather than MLIR's ExecutionEngine, which has no way to set a function's vector
// width. One JIT a module: its names are its own, and it is freed by itself. All code is generated
// when it is made, so that a missing name is an error then and not in the middle of a run.
//
//===----------------------------------------------------------------------===//
#include "Emit.h"
#include "llvm-c/Core.h"
#include "llvm-c/LLJIT.h"
#include "llvm-c/Orc.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct TileJit {
  LLVMOrcLLJITRef jit;
  /// The module's context reports here for as long as the JIT keeps it.
  TileLLVMErrors errors;
};

typedef struct Build {
  MlirOperation op;
  TileHostPasses passes;
  const TileJitSymbol *symbols;
  size_t count;
  TileJit *jit;
  /// Owned until the JIT takes them.
  LLVMContextRef llvm;
  LLVMModuleRef module;
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
  if (!b->report[0]) return tileTargetCheck(b->jit->errors.loc, error);
  LLVMConsumeError(error);
  return tileTargetFail(b->jit->errors.loc, "code that can be linked into this process", b->report);
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

/// Any defined function's name, to ask for: that compiles the whole module. Freed with
/// LLVMDisposeMessage.
static char *copyFirstName(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) != LLVMExternalLinkage) continue;
    size_t length;
    return LLVMCreateMessage(LLVMGetValueName2(f, &length));
  }
  return NULL;
}

static MlirLogicalResult build(void *context) {
  Build *b = context;
  LLVMTargetMachineRef machine = tileTargetCreateHostMachine(b->jit->errors.loc);
  if (!machine) return mlirLogicalResultFailure();
  b->module = tileTargetBuildHost(b->op, b->passes, b->llvm, machine);
  LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
      builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
  if (!b->module) {
    LLVMOrcDisposeLLJITBuilder(builder);
    return mlirLogicalResultFailure();
  }
  MlirLogicalResult result = check(b, LLVMOrcCreateLLJIT(&b->jit->jit, builder));
  if (mlirLogicalResultIsFailure(result)) return result;
  LLVMOrcLLJITRef jit = b->jit->jit;
  LLVMOrcExecutionSessionRef session = LLVMOrcLLJITGetExecutionSession(jit);
  LLVMOrcExecutionSessionSetErrorReporter(session, onReport, b);
  result = define(b);
  if (mlirLogicalResultIsFailure(result)) return result;

  char *name = copyFirstName(b->module);
  LLVMOrcThreadSafeContextRef shared = LLVMOrcCreateNewThreadSafeContextFromLLVMContext(b->llvm);
  LLVMOrcThreadSafeModuleRef owned = LLVMOrcCreateNewThreadSafeModule(b->module, shared);
  LLVMOrcDisposeThreadSafeContext(shared);
  b->llvm = NULL;
  b->module = NULL;
  LLVMOrcJITDylibRef library = LLVMOrcLLJITGetMainJITDylib(jit);
  result = check(b, LLVMOrcLLJITAddLLVMIRModule(jit, library, owned));
  LLVMOrcExecutorAddress address;
  if (mlirLogicalResultIsSuccess(result) && name)
    result = check(b, LLVMOrcLLJITLookup(jit, &address, name));
  LLVMDisposeMessage(name);
  LLVMOrcExecutionSessionSetErrorReporter(session, ignoreReport, NULL);
  return result;
}

TileJit *tileJitCreate(MlirModule module, TileHostPasses passes, const TileJitSymbol *symbols,
                       size_t count) {
  MlirOperation op = mlirModuleGetOperation(module);
  TileJit *jit = allocate(1, sizeof *jit);
  jit->errors.loc = mlirOperationGetLocation(op);
  Build b = {.op = op,
             .passes = passes,
             .symbols = symbols,
             .count = count,
             .jit = jit,
             .llvm = LLVMContextCreate()};
  tileTargetCaptureErrors(b.llvm, &jit->errors);
  bool lost;
  MlirLogicalResult result = tileTargetRun(jit->errors.loc, build, &b, &lost);
  // The half-built JIT is lost with the rest, and goes on reporting into `jit`.
  if (lost) return NULL;
  if (mlirLogicalResultIsSuccess(result) && !jit->errors.failed) return jit;
  if (b.module) LLVMDisposeModule(b.module);
  if (b.llvm) LLVMContextDispose(b.llvm);
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
