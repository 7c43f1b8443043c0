//===- KernelFile.c - the file of the command line ------------------------===//
#include "TileRun.h"
#include "tile/IR.h"
#include "tile/Session/Kernels.h"

MlirModule readKernels(MlirContext context, const char *path, const RunOptions *o) {
  MlirModule module = tileParseFile(context, tileString(path));
  if (mlirModuleIsNull(module)) return module;
  // What is printed is not run, unless for the facts of a launch.
  bool runs = !o->emits || o->args;
  TileHostTrust trust = o->noHost                 ? TILE_HOST_TRUST_NONE
                        : o->allowExtern || !runs ? TILE_HOST_TRUST_ALL
                                                  : TILE_HOST_TRUST_OWN;
  if (mlirLogicalResultIsSuccess(tileKernelsTake(module, trust))) return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}
