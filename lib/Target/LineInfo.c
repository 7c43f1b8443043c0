//===- LineInfo.c - which line an instruction comes from ------------------===//
//
// Before:  %0 = llvm.add %a, %b : i32 loc(callsite("k.mlir":3:8 at "k.mlir":9:8))
// After:   %0 = llvm.add %a, %b : i32 loc(callsite(fused<#file>["k.mlir":3:8] at "k.mlir":9:8))
//
// and each function with a scope of its own, which is MLIR's pass. That one asks the callee of a
// call site for its file: an op of a helper that has none, such as one for two equal constants, is
// given the place of the call first. And it asks what has a call site for the function around it:
// a global that a helper needed is given its place in the helper.
//
// Requires: the LLVM dialect.  Preserves: everything but locations.
//===----------------------------------------------------------------------===//
#include "Emit.h"
#include "mlir-c/Pass.h"
#include "tile/IR.h"
#include <stdlib.h>
#include <string.h>

static bool hasFile(MlirLocation loc);

static bool hasFileInside(MlirLocation fused) {
  unsigned count = mlirLocationFusedGetNumLocations(fused);
  MlirLocation *parts = malloc((count + 1) * sizeof *parts);
  if (!parts) abort();
  mlirLocationFusedGetLocations(fused, parts);
  bool found = false;
  for (unsigned i = 0; i < count; ++i) found |= hasFile(parts[i]);
  free(parts);
  return found;
}

/// What MLIR's pass takes for the file of a location: of a call site, the caller's.
static bool hasFile(MlirLocation loc) {
  while (mlirLocationIsAName(loc) || mlirLocationIsACallSite(loc))
    loc = mlirLocationIsAName(loc) ? mlirLocationNameGetChildLoc(loc)
                                   : mlirLocationCallSiteGetCaller(loc);
  return mlirLocationIsAFileLineColRange(loc) || (mlirLocationIsAFused(loc) && hasFileInside(loc));
}

static bool isInFunction(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !tileOpIs(op, "llvm.func"))
    op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

static MlirWalkResult placeAtCall(MlirOperation op, void *data) {
  (void)data;
  MlirLocation loc = mlirOperationGetLocation(op);
  if (!mlirLocationIsACallSite(loc)) return MlirWalkResultAdvance;
  while (mlirLocationIsACallSite(loc) && !isInFunction(op))
    loc = mlirLocationCallSiteGetCallee(loc);
  while (mlirLocationIsACallSite(loc) && !hasFile(mlirLocationCallSiteGetCallee(loc)))
    loc = mlirLocationCallSiteGetCaller(loc);
  mlirOperationSetLocation(op, loc);
  return MlirWalkResultAdvance;
}

static void collect(MlirStringRef text, void *userData) {
  char *message = userData;
  size_t used = strlen(message);
  size_t room = 255 - used;
  size_t length = text.length < room ? text.length : room;
  memcpy(message + used, text.data, length);
  message[used + length] = 0;
}

MlirLogicalResult tileTargetAddLineInfo(MlirModule module) {
  MlirOperation op = mlirModuleGetOperation(module);
  mlirOperationWalk(op, placeAtCall, NULL, MlirWalkPreOrder);
  MlirPassManager passes = mlirPassManagerCreate(mlirModuleGetContext(module));
  char message[256] = "";
  MlirLogicalResult result = mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(passes),
      mlirStringRefCreateFromCString("builtin.module(ensure-debug-info-scope-on-llvm-func{"
                                     "emission-kind=DebugDirectivesOnly})"),
      collect, message);
  if (mlirLogicalResultIsFailure(result))
    tileTargetFail(mlirOperationGetLocation(op), "the pass that scopes line numbers", message);
  else
    result = mlirPassManagerRunOnOp(passes, op);
  mlirPassManagerDestroy(passes);
  return result;
}
