//===- Reproducer.c - what a failing pass leaves behind -------------------===//
//
//   builtin.module { tile.func @matmul .. }
//   {-# external_resources: { mlir_reproducer: { pipeline: "builtin.module(..)", .. } } #-}
//
// The form that MLIR's own tools write and run (`tile-opt FILE --run-reproducer`). It is written
// before the passes run, so that it is there after a crash, and removed when they succeed.
//===----------------------------------------------------------------------===//
#include "CompileKernel.h"
#include "tile/Runtime/Output.h"
#include "tile/Text.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// The pipeline as a string of MLIR's: quotes and backslashes with a backslash.
static void addPipeline(MlirPassManager passes, TileText *text) {
  TileText pipeline = {0};
  mlirPrintPassPipeline(mlirPassManagerGetAsOpPassManager(passes), tileTextCollect, &pipeline);
  for (size_t i = 0; i < pipeline.size; ++i) {
    if (strchr("\"\\", pipeline.data[i])) tileTextAdd(text, "\\");
    tileTextAddBytes(text, &pipeline.data[i], 1);
  }
  free(pipeline.data);
}

static void addModule(MlirModule module, TileText *text) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsPrintNameLocAsPrefix(flags);
  mlirOpPrintingFlagsEnableDebugInfo(flags, /*enable=*/true, /*prettyForm=*/false);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(module), flags, tileTextCollect, text);
  mlirOpPrintingFlagsDestroy(flags);
}

MlirLogicalResult tileReproducerWrite(const TileProgram *p, const TileLowering *l) {
  const char *path = p->options.reproducer;
  if (!path) return mlirLogicalResultSuccess();
  TileText text = {0};
  addModule(l->module, &text);
  tileTextAdd(&text, "\n{-#\n  external_resources: {\n    mlir_reproducer: {\n      pipeline: \"");
  addPipeline(l->passes, &text);
  tileTextAdd(&text, "\",\n      disable_threading: true,\n      verify_each: true\n    }\n  }\n"
                     "#-}\n");
  TileError error = TILE_ERROR_INIT;
  bool ok = tileOutputWrite(path, text.data, text.size, &error);
  free(text.data);
  return ok ? mlirLogicalResultSuccess() : tileProgramReport(p->loc, &error);
}

/// Takes the file away, but no device, pipe or link that was there before.
static void removeFile(const char *path) {
  struct stat status;
  if (!lstat(path, &status) && S_ISREG(status.st_mode)) unlink(path);
}

MlirLogicalResult tileReproducerFinish(const TileProgram *p, MlirLogicalResult result) {
  const char *path = p->options.reproducer;
  if (!path) return result;
  if (mlirLogicalResultIsSuccess(result))
    removeFile(path);
  else
    tileEmitRemark(p->loc, "kernel and passes are in '%s', for tile-opt --run-reproducer", path);
  return result;
}
