//===- RelaxSums.c - sums that publish nothing wait for nothing -----------===//
//
// Before:  %v = tile.load %p
//          %old = tile.atomic_rmw fadd acq_rel gpu %q, %v     // %old is not used
// After:   %old = tile.atomic_rmw fadd relaxed gpu %q, %v
//
// acquire and release is what Triton's atomics have where their author says nothing. For a release
// the block meets, and waits until memory has all that it wrote: microseconds, in each step of a
// loop that adds to an embedding's gradient or to counts. That orders something for a reader that
// goes by the number it finds, and then reads what was written before. Where all that a kernel
// writes are sums, greatest or least numbers whose old values nobody looks at, there is nothing
// else to be read.
//
// One number is no such thing where it is an integer: it may count programs that are done. It
// stays as it is written, and so does what a wider scope than the GPU sees, or has an order that
// was asked for. So does a kernel that reads volatile memory, which may wait for others.
//
// Requires: helpers inlined.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "tile/IR.h"
#include "tile/OpTraits.h"
#include "tile/Ops.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

/// The sums of a kernel, and why they keep their order.
typedef struct {
  TileOpList sums;
  const char *why;
} Sums;

/// An atomic of which only what it leaves in memory counts, and that takes nothing from there.
static bool isASum(MlirOperation op) {
  return tileOpIsAAtomicRmw(op) && tileAtomicRmwGetKind(op) != TILE_RMW_KIND_XCHG &&
         mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(op)));
}

static bool countsPrograms(MlirOperation op) {
  MlirType type = mlirValueGetType(tileResult(op));
  return !tileTypeIsTile(type) && !mlirTypeIsAFloat(type);
}

static MlirWalkResult look(MlirOperation op, void *data) {
  Sums *s = data;
  if (tileOpIsAFunc(op)) return MlirWalkResultAdvance;
  if (tileOpIsALoad(op) && tileLoadGetCache(op) == TILE_CACHE_USE_CV)
    s->why = "expected no load that is volatile";
  else if (mlirOperationGetNumRegions(op))
    return MlirWalkResultAdvance;
  else if (isASum(op))
    tileOpListAdd(&s->sums, op);
  else if (tileOpGetEffects(op) & TILE_WRITES_GLOBAL)
    s->why = "expected a kernel that writes nothing else";
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunRelaxSums(MlirOperation func) {
  Sums s = {.why = NULL};
  mlirOperationWalk(func, look, &s, MlirWalkPreOrder);
  MlirAttribute relaxed = tileParseAttr(mlirOperationGetContext(func), "#tile<order relaxed>");
  for (size_t i = 0; i < s.sums.count; ++i) {
    MlirOperation op = s.sums.ops[i];
    MlirLocation location = mlirOperationGetLocation(op);
    if (tileAtomicRmwGetOrder(op) != TILE_ORDER_ACQ_REL ||
        tileAtomicRmwGetScope(op) == TILE_SCOPE_SYS)
      continue;
    const char *why = countsPrograms(op) ? "expected no single integer" : s.why;
    if (why) {
      tileEmitRemark(location, "sum keeps its order: %s", why);
      continue;
    }
    mlirOperationSetAttributeByName(op, tileString("order"), relaxed);
    tileTrace(location, "sum is relaxed");
  }
  tileOpListDestroy(&s.sums);
  return mlirLogicalResultSuccess();
}
