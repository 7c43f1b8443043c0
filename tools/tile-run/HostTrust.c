//===- HostTrust.c - what a file's host program may do --------------------===//
//
// A host program is compiled and run in this process, as a shell script is by a shell
// (docs/security.md). --no-host leaves the file's kernels alone; and without --allow-extern no
// program calls functions that it does not bring, system() among them.
//
//===----------------------------------------------------------------------===//
#include "TileRun.h"
#include "tile/IR.h"

/// What MLIR's own lowerings call: of memref, and of the printing ops of vector.
static bool isRuntimes(MlirStringRef name) {
  static const char *const names[] = {"malloc",     "free",         "aligned_alloc", "memrefCopy",
                                      "printI64",   "printU64",     "printF32",      "printF64",
                                      "printBF16",  "printF16",     "printOpen",     "printClose",
                                      "printComma", "printNewline", "printString"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (tileStringIs(name, names[i])) return true;
  return false;
}

static MlirWalkResult findExtern(MlirOperation op, void *data) {
  MlirOperation *found = data;
  MlirAttribute name = tileAttr(op, "sym_name");
  bool isFunction = !mlirAttributeIsNull(tileAttr(op, "function_type")) &&
                    !mlirAttributeIsNull(name) && mlirOperationGetNumRegions(op) == 1;
  if (!isFunction || !mlirBlockIsNull(tileBody(op, 0)) || isRuntimes(mlirStringAttrGetValue(name)))
    return MlirWalkResultAdvance;
  *found = op;
  return MlirWalkResultInterrupt;
}

bool restrictHost(MlirModule module, const RunOptions *o) {
  if (o->noHost) {
    TILE_FOR_EACH_OP(op, mlirModuleGetBody(module)) {
      if (!tileOpIsAFunc(op)) mlirOperationDestroy(op);
    }
    return true;
  }
  // What is printed is not run, unless for the facts of a launch.
  if (o->allowExtern || (o->emits && !o->args)) return true;
  MlirOperation found = {NULL};
  mlirOperationWalk(mlirModuleGetOperation(module), findExtern, &found, MlirWalkPreOrder);
  if (mlirOperationIsNull(found)) return true;
  MlirStringRef name = mlirStringAttrGetValue(tileAttr(found, "sym_name"));
  tileEmitError(mlirOperationGetLocation(found),
                "expected functions with a body (or --allow-extern, for host programs that may "
                "call any function of this process), found '%.*s' without one",
                (int)name.length, name.data);
  return false;
}
