//===- WarmCache.c - first boxes come to the L2 cache at once -------------===//
//
// Before:  %a = tile.make_desc ..
//          %b = tile.make_desc ..
//          tile_gpu.barrier_init ..
//          scf.for %k = 0 .. step 64 { tile_gpu.desc_copy %a[%i, %k], %b[%k, %j] .. }
// After:   %a = tile.make_desc ..
//          %b = tile.make_desc ..
//          tile_gpu.prefetch_array %a first 256 of 1       // each thread of the grid: a line
//          tile_gpu.prefetch_array %b first 256 of 0
//          tile_gpu.barrier_init ..
//
// A block that has one program cannot hide the wait for its first boxes under an earlier one: 2,100
// cycles of 10,500 at 1000 x 1000 x 1000 in f16, half of which is DRAM's latency, that of the
// slowest of many requests. So warps that have nothing to do ask for the first steps' boxes of all
// blocks before barriers and positions are there. They ask for no more: all of both arrays would
// keep the first boxes waiting (figures: docs/results/notebook/hopper.md). An array that is packed
// has just been written, and not where its descriptor says. Of one whose rows nobody has counted,
// as of rows that wrap around, addresses behind its end would be asked for: 8 us of 34 at f16 times
// s8, 128 x 4096 x 4096, where the launch says that M is a multiple of 128.
//
// Of blocks that divide a program's loop each asks for where its own part begins:
//
//          tile_gpu.prefetch_array %a first 256 of 1 {parts = 4, step = 64}
//
// Requires: a schedule with warm_steps, no roles yet; loops not divided yet.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "WarmCache.h"
#include "../Kernel.h"
#include "tile/Analysis/Analysis.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

enum { maxArrays = tileMaxChannels * tileMaxBoxes };

/// Where an array begins: `count` elements along `dim`, of which a step reads `step`.
typedef struct {
  MlirOperation desc;
  int64_t count, step;
  int dim;
} Beginning;

/// Of another box, maybe, but of the same elements in the same place.
static bool isSameArray(MlirOperation a, MlirOperation b) {
  intptr_t count = mlirOperationGetNumOperands(a);
  if (count != mlirOperationGetNumOperands(b)) return false;
  for (intptr_t i = 0; i < count; ++i)
    if (!mlirValueEqual(tileOperand(a, i), tileOperand(b, i))) return false;
  return true;
}

/// What the first steps of `loop`, which counts from 0, copy; false where that does not follow from
/// its counter.
static bool findBeginning(MlirOperation loop, MlirOperation copy, int64_t steps, int64_t most,
                          Beginning *result) {
  MlirOperation desc = tileValueGetOp(tileDescCopyGetDesc(copy));
  int64_t first, step;
  if (!tileOpIs(loop, "scf.for") || mlirOperationIsNull(desc) || !tileOpIsAMakeDesc(desc) ||
      tileMakeDescGetNumShape(desc) != 2 || tileDescIsPacked(desc))
    return false;
  if (!tileConstantInt(tileForGetLower(loop), &first) || first ||
      !tileConstantInt(tileForGetStep(loop), &step) || step < 1 || step > most / steps)
    return false;
  MlirValue counter = mlirBlockGetArgument(tileBody(loop, 0), 0);
  for (int d = 0; d < 2; ++d) {
    if (!mlirValueEqual(tileOperand(copy, 1 + d), counter)) continue;
    int64_t rows;
    if (tileConstantInt(tileMakeDescGetShape(desc, 1 - d), &rows) && rows == INT32_MAX)
      return false;
    *result = (Beginning){desc, steps * step, step, d};
    return true;
  }
  return false;
}

static int addBeginning(Beginning *all, int count, Beginning one) {
  for (int i = 0; i < count; ++i)
    if (isSameArray(all[i].desc, one.desc) && all[i].dim == one.dim) return count;
  all[count] = one;
  return count + 1;
}

/// What loops copy in their first steps; how many arrays' beginnings that is.
static int findAll(MlirOperation func, const TileChannels *channels, int64_t steps,
                   Beginning all[maxArrays]) {
  int64_t most = tileKernelGetNumber(func, TILE_NUMBER_WARM_ELEMENTS);
  Beginning one;
  int count = 0;
  for (int i = 0; i < channels->count; ++i) {
    const TileChannel *c = &channels->list[i];
    MlirOperation loop = mlirBlockGetParentOperation(c->block);
    for (int k = 0; c->looped && k < c->numCopies; ++k)
      if (findBeginning(loop, c->copies[k], steps, most, &one))
        count = addBeginning(all, count, one);
  }
  return count;
}

bool tileCanWarmCache(MlirOperation func, const TileChannels *channels, int64_t steps) {
  Beginning all[maxArrays];
  return findAll(func, channels, steps, all) > 0;
}

/// By blocks of which so many `parts` divide a program's loop.
static void prefetch(TileBuilder *b, const Beginning *one, int64_t parts) {
  MlirType i32 = tileI32(b->context);
  MlirAttribute elements = mlirIntegerAttrGet(tileI64(b->context), one->count);
  MlirOperation op =
      tileBuildOp(b, "tile_gpu.prefetch_array", TILE_VALUES(tileResult(one->desc)), TILE_NONE,
                  TILE_ATTRS({"count", elements}, {"dim", mlirIntegerAttrGet(i32, one->dim)}), 0);
  if (parts == 1) return;
  mlirOperationSetAttributeByName(op, tileString("parts"), mlirIntegerAttrGet(i32, parts));
  mlirOperationSetAttributeByName(op, tileString("step"), mlirIntegerAttrGet(i32, one->step));
}

/// Behind all that stays in front of roles, where the descriptors are.
static TileBuilder builderInFront(MlirOperation func) {
  MlirBlock body = tileBody(func, 0);
  MlirOperation terminator = mlirBlockGetTerminator(body), last = {NULL};
  TILE_FOR_EACH_OP(op, body) {
    if (tileOpStaysInFront(op) && !mlirOperationEqual(op, terminator)) last = op;
  }
  TileBuilder b = tileBuilderBefore(mlirOperationGetNextInBlock(last));
  b.location = mlirOperationGetLocation(func);
  return b;
}

MlirLogicalResult tileRunWarmCache(MlirOperation func) {
  TileSchedule schedule;
  TileChannels channels;
  Beginning all[maxArrays];
  if (!tileKernelGetSchedule(func, &schedule) || !schedule.warmSteps ||
      !mlirOperationIsNull(tileKernelGetRoles(func)))
    return mlirLogicalResultSuccess();
  const char *reason = tileFindChannels(func, &channels);
  if (reason) return tileScheduleFails(func, reason);
  int count = findAll(func, &channels, schedule.warmSteps, all);
  if (!count)
    return tileScheduleFails(func,
                             "expected boxes of arrays of rank 2 that a loop from 0 counts along, "
                             "to warm the cache with, found others");
  for (int i = 0; i < count; ++i)
    if (!tileValueIsInFront(func, tileResult(all[i].desc)))
      return tileScheduleFails(
          func, "expected descriptors made of the kernel's arguments, found another");
  TileBuilder b = builderInFront(func);
  int64_t parts = schedule.parts * schedule.splits;
  for (int i = 0; i < count; ++i) prefetch(&b, &all[i], parts);
  tileTrace(mlirOperationGetLocation(func), "L2 cache is asked for the first %d steps of %d arrays",
            (int)schedule.warmSteps, count);
  return mlirLogicalResultSuccess();
}
