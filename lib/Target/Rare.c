//===- Rare.c - code that hardly ever runs --------------------------------===//
//
// Before:  llvm.cond_br %whole, ^fast, ^slow                                   ^slow is rare
// After:   llvm.cond_br %whole weights([1048576, 1]), ^fast, ^slow
//
// of functions with an entry count, by which LLVM takes weights for a profile. Where a kernel has a
// second version that is rare (tile-version-tails), loop invariant code motion takes what that one
// computes in front of all loops as well; loop-sink takes it back by the weights, and blocks are
// placed by them. A kernel's first microseconds are the code that it fetches.
//
// Requires: the LLVM dialect.  Preserves: everything but attributes.
//===----------------------------------------------------------------------===//
#include "Emit.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "tile/IR.h"
#include "tile/Support/Slow.h"

/// So far apart that of two loops around it, of 32 steps as LLVM guesses, none makes rare code
/// worth a hundredth of what stands in front of them (its code generator's threshold); and any
/// count of calls, with which a function has a profile.
enum { LIKELY = 1 << 20, UNLIKELY = 1, CALLS = 1000 };

/// Is `block` the first of rare code? Its end is; what it computes may be shared with other code.
static bool isRare(MlirBlock block) {
  return tileLocationIsRare(mlirOperationGetLocation(mlirBlockGetTerminator(block)));
}

static void setAttribute(MlirOperation op, const char *name, MlirAttribute value) {
  mlirOperationSetAttributeByName(op, tileString(name), value);
}

static MlirOperation functionOf(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !tileOpIs(op, "llvm.func"))
    op = mlirOperationGetParentOperation(op);
  return op;
}

static MlirWalkResult weigh(MlirOperation op, void *data) {
  if (!tileOpIs(op, "llvm.cond_br") || isRare(mlirOperationGetBlock(op)))
    return MlirWalkResultAdvance;
  bool first = isRare(mlirOperationGetSuccessor(op, 0));
  bool second = isRare(mlirOperationGetSuccessor(op, 1));
  if (first == second) return MlirWalkResultAdvance;
  MlirContext context = mlirOperationGetContext(op);
  int32_t weights[] = {first ? UNLIKELY : LIKELY, first ? LIKELY : UNLIKELY};
  setAttribute(op, "branch_weights", mlirDenseI32ArrayGet(context, 2, weights));
  MlirOperation function = functionOf(op);
  MlirType i64 = mlirIntegerTypeGet(context, 64);
  setAttribute(function, "function_entry_count", mlirIntegerAttrGet(i64, CALLS));
  *(bool *)data = true;
  return MlirWalkResultAdvance;
}

bool tileTargetWeighRare(MlirOperation op) {
  bool found = false;
  mlirOperationWalk(op, weigh, &found, MlirWalkPreOrder);
  return found;
}
