//===- HostCode.c - code for this machine's processor ---------------------===//
#include "Emit.h"
#include "Rewrites/Rewrites.h"
#include "tile/Text.h"
#include "llvm-c/Core.h"
#include "llvm-c/Target.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *getPasses(TileHostPasses passes) {
  switch (passes) {
  case TILE_HOST_EXPLICIT_VECTORS:
    // Measured equal to O3 on code that tile-to-cpu made, in a fraction of its time.
    return "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,loop-mssa(licm),"
           "loop(indvars),early-cse,simplifycfg)";
  case TILE_HOST_OPTIMIZE:
    return "default<O3>";
  }
  return "default<O3>";
}

static void initialize(void) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMInitializeNativeAsmParser();
}

LLVMTargetMachineRef tileTargetCreateHostMachine(MlirLocation loc) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize);
  LLVMTargetMachineRef machine = NULL;
  char *triple = LLVMGetDefaultTargetTriple();
  // The name alone would allow instructions that a virtual machine hides.
  char *cpu = LLVMGetHostCPUName();
  char *features = LLVMGetHostCPUFeatures();
  LLVMTargetRef target;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    tileTargetFail(loc, "an LLVM with this machine's backend", message);
    LLVMDisposeMessage(message);
  } else {
    machine = LLVMCreateTargetMachine(target, triple, cpu, features, LLVMCodeGenLevelAggressive,
                                      LLVMRelocPIC, LLVMCodeModelDefault);
  }
  LLVMDisposeMessage(features);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(triple);
  return machine;
}

char *tileTargetDescribeHost(void) {
  char *triple = LLVMGetDefaultTargetTriple();
  char *cpu = LLVMGetHostCPUName();
  char *features = LLVMGetHostCPUFeatures();
  TileText text = {0};
  tileTextPrint(&text, "%s %s %s", triple, cpu, features);
  LLVMDisposeMessage(features);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(triple);
  return text.data;
}

static void addAttribute(LLVMContextRef llvm, LLVMValueRef function, const char *key,
                         const char *value) {
  LLVMAttributeRef attribute =
      LLVMCreateStringAttribute(llvm, key, (unsigned)strlen(key), value, (unsigned)strlen(value));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
}

/// The vectorizers ask the function, not the machine, what there is. LLVM prefers 256 bits even
/// where 512 are as fast; explicit vectors of 512 would be split without the last attribute.
static void describeProcessor(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  LLVMContextRef llvm = LLVMGetModuleContext(module);
  char *cpu = LLVMGetTargetMachineCPU(machine);
  char *features = LLVMGetTargetMachineFeatureString(machine);
  bool wide = strstr(features, "+avx512f") != NULL;
  unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    addAttribute(llvm, f, "target-cpu", cpu);
    addAttribute(llvm, f, "target-features", features);
    if (wide) addAttribute(llvm, f, "prefer-vector-width", "512");
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(llvm, nounwind, 0);
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute);
  }
  LLVMDisposeMessage(features);
  LLVMDisposeMessage(cpu);
}

/// Translates and optimizes host code in `llvm`; NULL after a diagnostic.
static LLVMModuleRef buildHost(MlirOperation op, TileHostPasses passes, LLVMContextRef llvm,
                               LLVMTargetMachineRef machine) {
  LLVMModuleRef module = tileTargetTranslate(op, llvm, machine);
  if (!module) return NULL;
  describeProcessor(module, machine);
  MlirLocation loc = mlirOperationGetLocation(op);
  if (mlirLogicalResultIsFailure(tileTargetOptimize(loc, module, getPasses(passes), machine))) {
    LLVMDisposeModule(module);
    return NULL;
  }
  tileTargetSplitMaskedStores(module);
  tileTargetChooseAsFloats(module);
  return module;
}

typedef struct Emission {
  MlirLocation loc;
  MlirOperation op;
  /// In place of `op`, or NULL.
  const TileBlob *text;
  TileHostStage stage;
  TileHostPasses passes;
  LLVMContextRef llvm;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  TileBlob *blob;
} Emission;

static MlirLogicalResult emit(void *context) {
  Emission *e = context;
  MlirLocation loc = e->loc;
  e->machine = tileTargetCreateHostMachine(loc);
  if (!e->machine) return mlirLogicalResultFailure();
  e->module = e->text ? tileTargetParse(loc, e->text, e->llvm)
                      : buildHost(e->op, e->passes, e->llvm, e->machine);
  if (!e->module) return mlirLogicalResultFailure();
  switch (e->stage) {
  case TILE_HOST_LLVM:
    *e->blob = tileTargetPrint(e->module);
    return mlirLogicalResultSuccess();
  case TILE_HOST_ASSEMBLY:
    return tileTargetGenerate(loc, e->module, e->machine, LLVMAssemblyFile, e->blob);
  case TILE_HOST_OBJECT:
    return tileTargetGenerate(loc, e->module, e->machine, LLVMObjectFile, e->blob);
  }
  return mlirLogicalResultFailure();
}

static MlirLogicalResult runEmission(Emission *e) {
  e->llvm = LLVMContextCreate();
  TileLLVMErrors errors = {.loc = e->loc};
  tileTargetCaptureErrors(e->llvm, &errors);
  bool lost;
  MlirLogicalResult result = tileTargetRun(e->loc, emit, e, &lost);
  if (errors.failed) result = mlirLogicalResultFailure();
  if (mlirLogicalResultIsFailure(result)) tileBlobDestroy(e->blob);
  if (lost) return result;
  if (e->module) LLVMDisposeModule(e->module);
  if (e->machine) LLVMDisposeTargetMachine(e->machine);
  LLVMContextDispose(e->llvm);
  return result;
}

MlirLogicalResult tileTargetEmitHost(MlirModule module, TileHostStage stage, TileHostPasses passes,
                                     TileBlob *blob) {
  *blob = (TileBlob){0};
  MlirOperation op = mlirModuleGetOperation(module);
  Emission e = {.loc = mlirOperationGetLocation(op),
                .op = op,
                .stage = stage,
                .passes = passes,
                .blob = blob};
  return runEmission(&e);
}

MlirLogicalResult tileTargetEmitHostIR(MlirLocation loc, const TileBlob *llvm, TileHostStage stage,
                                       TileBlob *blob) {
  *blob = (TileBlob){0};
  Emission e = {.loc = loc, .text = llvm, .stage = stage, .blob = blob};
  return runEmission(&e);
}
