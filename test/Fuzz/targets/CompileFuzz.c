//===- CompileFuzz.c - texts that are almost programs, through the passes -===//
//
// Each text goes through the passes of tile-opt --tile-to-nvvm and --tile-to-cpu. Which of them,
// for which architecture, with or without tests of accesses, follows from the text. What is refused
// has to be refused with an error.
//
//===----------------------------------------------------------------------===//
#include "TextMutator.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "tile/Conversion/Pipelines.h"
#include "tile/IR.h"
#include "tile/Tile.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  beginTexts(*argc, *argv);
  tileRegisterUpstreamPasses();
  tileRegisterPasses();
  return 0;
}

static MlirLogicalResult countErrors(MlirDiagnostic diagnostic, void *data) {
  *(int *)data += mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError;
  return mlirLogicalResultSuccess();
}

static void lower(MlirContext context, MlirModule module, unsigned how, const int *errors) {
  MlirPassManager passes = mlirPassManagerCreate(context);
  MlirOpPassManager list = mlirPassManagerGetAsOpPassManager(passes);
  TileToNVVMOptions gpu = {.arch = tileString(how & 1 ? "sm_90a" : "sm_80"),
                           .stage = TILE_STAGE_NVVM};
  TileToCPUOptions cpu = {.vectorBits = 256, .check = how & 1, .stage = TILE_STAGE_NVVM};
  bool built = mlirLogicalResultIsSuccess(how & 2 ? tileBuildToCPU(list, &cpu)
                                                  : tileBuildToNVVM(list, &gpu));
  expect(built, "a pipeline to be made");
  MlirLogicalResult result = mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(module));
  expect(mlirLogicalResultIsSuccess(result) || *errors, "an error for a refusal");
  mlirPassManagerDestroy(passes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  int errors = 0;
  mlirContextAttachDiagnosticHandler(context, countErrors, &errors, NULL);
  MlirModule module =
      tileParse(context, mlirStringRefCreate((const char *)data, size), tileString("-"));
  if (mlirModuleIsNull(module)) {
    expect(errors, "an error for a refusal");
  } else {
    unsigned sum = 0;
    for (size_t i = 0; i < size; ++i) sum += data[i];
    lower(context, module, sum, &errors);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  return 0;
}
