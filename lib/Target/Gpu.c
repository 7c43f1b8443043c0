//===- Gpu.c - device code: LLVM IR and PTX -------------------------------===//
#include "Emit.h"
#include "Rewrites/Rewrites.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.capi.h.inc"
#include "tile/MachineNumbers.h"
#include "llvm-c/Core.h"
#include "llvm-c/Target.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char triple[] = "nvptx64-nvidia-cuda";

// A kernel arrives inlined, its tiles as wide vectors, invariant code out of its loops. Against O3
// on the gallery's matmul these take two thirds of the time, and ptxas spills nothing: there, loop
// invariant code motion and unrolling keep more values alive than there are registers.
static const char gpuPasses[] = "function("
                                // Stack slots of control flow become values.
                                "sroa,"
                                // Address arithmetic that each access repeats is done once,
                                "early-cse,"
                                // in the forms the code generator knows (fma, shifts, extensions).
                                "instcombine<no-verify-fixpoint>,"
                                "simplifycfg,"
                                // Loops that test at their end: ptxas keeps what is the same in a
                                // whole warp in uniform registers only in those.
                                "loop-mssa(loop-rotate,licm),"
                                // Lanes of vectors that nobody reads.
                                "adce)";

// The first step of a loop that asks for it (`if i == 0`, as sums of torch.compile begin) stands in
// front; indvars then knows the question's answer. In loops that do not ask, indvars lets the end
// ask for the lower half of an address's 64 bits, and ptxas leaves these as they are.
static const char firstPasses[] = "function("
                                  "loop-unroll<O3;peeling;no-partial;no-runtime;no-upperbound;"
                                  "no-profile-peeling;full-unroll-max=0>,"
                                  "loop(indvars),simplifycfg,adce)";

// What rare code alone needs goes back to it, by the weights of branches.
static const char rarePasses[] = "function(loop-sink)";

// What is computed of one number by all strips of a tile.
static const char samePasses[] = "function(early-cse)";

// Numbers of 32 bits and more, each by itself: the code generator has no other instructions for
// them, and moves on from step to step what is computed of numbers, not of vectors. A row's place
// takes an addition of 64 bits a step then for a product.
static const char numberPasses[] = "function(scalarizer<min-bits=32>,early-cse,adce)";

static void initialize(void) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  mlirRegisterLLVMDIScopeForLLVMFuncOpPass();
}

/// Sets what `data` is where a value that changes from step to step is asked for what it began as.
static void findFirst(LLVMBuilderRef builder, LLVMValueRef instruction, void *data) {
  (void)builder;
  if (!LLVMIsAICmpInst(instruction) || LLVMGetICmpPredicate(instruction) != LLVMIntEQ) return;
  LLVMValueRef counter = LLVMGetOperand(instruction, 0), first = LLVMGetOperand(instruction, 1);
  if (!LLVMIsAPHINode(counter) || !LLVMIsConstant(first)) return;
  for (unsigned i = 0; i < LLVMCountIncoming(counter); ++i)
    if (LLVMGetIncomingValue(counter, i) == first) *(bool *)data = true;
}

typedef struct Steps {
  bool multiply; ///< those of a loop of one block, numbers of 64 bits as a vector
  bool haveDots; ///< matrix instructions are somewhere in the module
} Steps;

static void readSteps(LLVMBuilderRef builder, LLVMValueRef instruction, void *data) {
  (void)builder;
  Steps *steps = data;
  steps->haveDots |= strstr(tileTargetGetCalled(instruction), "mma") != NULL;
  LLVMTypeRef type = LLVMTypeOf(instruction);
  if (LLVMGetInstructionOpcode(instruction) != LLVMMul ||
      LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
      LLVMGetIntTypeWidth(tileTargetElementOf(type)) != 64)
    return;
  LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); ++i)
    steps->multiply |= LLVMGetSuccessor(end, i) == block;
}

/// The one gpu.module of `module`, or `module` itself; a null operation when there are several.
static MlirOperation findDeviceModule(MlirModule module) {
  MlirOperation found = {NULL};
  MlirBlock body = mlirModuleGetBody(module);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    if (!mlirStringRefEqual(name, mlirStringRefCreateFromCString("gpu.module"))) continue;
    if (!mlirOperationIsNull(found)) return (MlirOperation){NULL};
    found = op;
  }
  return mlirOperationIsNull(found) ? mlirModuleGetOperation(module) : found;
}

typedef struct Emission {
  MlirLocation loc;
  MlirOperation op;
  TileGpuStage stage;
  const TileGpuOptions *options;
  bool hasRare; // code, by weights of branches
  LLVMContextRef llvm;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  TileBlob *blob;
} Emission;

static MlirLogicalResult emit(void *context) {
  Emission *e = context;
  LLVMTargetRef target;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    tileTargetFail(e->loc, "an LLVM with the NVPTX backend", message);
    LLVMDisposeMessage(message);
    return mlirLogicalResultFailure();
  }
  char features[16];
  snprintf(features, sizeof features, "+ptx%d", e->options->arch->ptx);
  e->machine =
      LLVMCreateTargetMachine(target, triple, e->options->arch->name, features,
                              LLVMCodeGenLevelDefault, LLVMRelocDefault, LLVMCodeModelDefault);
  e->module = e->options->llvm ? tileTargetParse(e->loc, e->options->llvm, e->llvm)
                               : tileTargetTranslate(e->op, e->llvm, e->machine);
  if (!e->module) return mlirLogicalResultFailure();
  if (e->stage == TILE_GPU_LLVM) {
    *e->blob = tileTargetPrint(e->module);
    return mlirLogicalResultSuccess();
  }
  tileTargetCarryParts(e->module);
  bool asksForFirst = false;
  tileTargetVisit(e->module, findFirst, &asksForFirst);
  // What a shuffle of a constant becomes may be the next one's.
  do {
    if (mlirLogicalResultIsFailure(tileTargetOptimize(e->loc, e->module, gpuPasses, e->machine)) ||
        (asksForFirst && mlirLogicalResultIsFailure(
                             tileTargetOptimize(e->loc, e->module, firstPasses, e->machine))))
      return mlirLogicalResultFailure();
  } while (tileTargetFoldShuffles(e->module));
  if (e->hasRare &&
      mlirLogicalResultIsFailure(tileTargetOptimize(e->loc, e->module, rarePasses, e->machine)))
    return mlirLogicalResultFailure();
  if (tileTargetShareDifferences(e->module, e->options->arch) &&
      mlirLogicalResultIsFailure(tileTargetOptimize(e->loc, e->module, samePasses, e->machine)))
    return mlirLogicalResultFailure();
  tileTargetChooseTruths(e->module);
  tileTargetChooseHalves(e->module);
  tileTargetPairFields(e->module);
  tileTargetKeepFactors(e->module, e->options->arch);
  Steps steps = {0};
  tileTargetVisit(e->module, readSteps, &steps);
  if (steps.multiply && !steps.haveDots &&
      mlirLogicalResultIsFailure(tileTargetOptimize(e->loc, e->module, numberPasses, e->machine)))
    return mlirLogicalResultFailure();
  tileTargetCountDown(e->module, tileMachineNumber(e->options->arch, TILE_NUMBER_HIDE_BYTES));
  tileTargetSinkToCopies(e->module, e->options->arch);
  MlirLogicalResult result =
      tileTargetGenerate(e->loc, e->module, e->machine, LLVMAssemblyFile, e->blob);
  if (mlirLogicalResultIsFailure(result)) return result;
  tileTargetSplitPackedAdds(e->blob);
  tileTargetComplementNegations(e->blob);
  return result;
}

MlirLogicalResult tileTargetEmitGpu(MlirModule module, TileGpuStage stage,
                                    const TileGpuOptions *options, TileBlob *blob) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize);
  *blob = (TileBlob){0};
  MlirLocation loc = mlirOperationGetLocation(mlirModuleGetOperation(module));
  MlirOperation op = findDeviceModule(module);
  if (mlirOperationIsNull(op)) return tileTargetFail(loc, "one gpu.module at most", "several");
  bool hasRare = tileTargetWeighRare(op); // by locations, before these have scopes
  if (options->lineInfo && mlirLogicalResultIsFailure(tileTargetAddLineInfo(module)))
    return mlirLogicalResultFailure();

  LLVMContextRef llvm = LLVMContextCreate();
  TileLLVMErrors errors = {.loc = loc};
  tileTargetCaptureErrors(llvm, &errors);
  Emission e = {.loc = loc,
                .op = op,
                .stage = stage,
                .options = options,
                .hasRare = hasRare,
                .llvm = llvm,
                .blob = blob};
  bool lost;
  MlirLogicalResult result = tileTargetRun(loc, emit, &e, &lost);
  if (errors.failed) result = mlirLogicalResultFailure();
  if (mlirLogicalResultIsFailure(result)) tileBlobDestroy(blob);
  if (lost) return result;
  if (e.module) LLVMDisposeModule(e.module);
  if (e.machine) LLVMDisposeTargetMachine(e.machine);
  LLVMContextDispose(llvm);
  return result;
}
