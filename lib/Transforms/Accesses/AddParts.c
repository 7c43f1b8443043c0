//===- AddParts.c - products that are added to a sum, part by part --------===//
//
// Before:  %d = tile.dot %a, %b, %zero by wgmma                       : tensor<128x256xf32>
//          ..
//          %s = arith.addf %sum, %d
// After:   %s = tile.dot %a, %b, %sum by wgmma {tile.part = 64}
//          ..
//
// Tensor cores add products of 8-bit floats with few bits, so kernels begin each step at zero and
// add what comes of it by themselves. A thread then holds both sums: of 128 x 256 by two warp
// groups 128 registers each, which are all there are, and a part of them is written to memory and
// read again in every step. With `tile.part` a dot multiplies so many registers of a thread at a
// time, 64 rows by 128 columns, from zero on, and adds them to the sum before it goes on. While one
// warp group adds, another multiplies.
//
// Declines, with a remark: dots that are not waited for where they stand, and sums that are made
// behind them.
//
// Requires: layouts assigned, dots waited for as they will be.  Preserves: numerics, order of
// effects.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

/// A dot, where its sum is waited for if that is apart, and the op that adds it to another one.
typedef struct {
  MlirOperation dot, wait, add;
} Sum;

/// The op that alone reads `value`, if it is called `name`; else null.
static MlirOperation onlyReader(MlirValue value, const char *name) {
  MlirOpOperand use = tileOnlyUse(value);
  MlirOperation none = {NULL};
  if (mlirOpOperandIsNull(use)) return none;
  MlirOperation reader = mlirOpOperandGetOwner(use);
  return tileOpIs(reader, name) ? reader : none;
}

/// Does `dot` begin at zero, and is what it computes only added to something else, where it stands?
static bool findSum(MlirOperation dot, Sum *sum) {
  if (!tileOpIsWgmma(dot) || !tileIsZero(tileDotGetAcc(dot))) return false;
  MlirValue value = tileResult(dot);
  *sum = (Sum){.dot = dot};
  if (tileDotGetAsync(dot)) {
    sum->wait = onlyReader(value, "tile_gpu.dot_wait");
    if (mlirOperationIsNull(sum->wait)) return false;
    value = tileResult(sum->wait);
  }
  sum->add = onlyReader(value, "arith.addf");
  return !mlirOperationIsNull(sum->add) &&
         mlirBlockEqual(mlirOperationGetBlock(sum->add), mlirOperationGetBlock(dot));
}

static MlirOperation endOf(const Sum *sum) {
  return mlirOperationIsNull(sum->wait) ? sum->dot : sum->wait;
}

/// What the dot is added to.
static MlirValue otherOf(const Sum *sum) {
  MlirValue own = tileResult(endOf(sum));
  return tileOperand(sum->add, mlirValueEqual(tileOperand(sum->add, 0), own));
}

/// Why `sum` stays as it is; null where it is made part by part.
static const char *whyWhole(const Sum *sum) {
  if (!mlirValueIsNull(tileDotGetWhen(sum->dot)))
    return "expected a dot of all warp groups, found one of some";
  if (!mlirOperationIsNull(sum->wait) && tileDotWaitGetPending(sum->wait))
    return "expected a dot that is waited for before others start, found one of several";
  if (!tileIsThereAt(otherOf(sum), endOf(sum)))
    return "expected a sum that is there where the dot ends, found one made behind it";
  return NULL;
}

/// Whatever runs beside a dot that is under way may run before it starts.
static void addParts(const Sum *sum, int64_t part) {
  MlirOperation dot = sum->dot;
  MlirContext c = mlirOperationGetContext(dot);
  mlirOperationSetOperand(dot, 2, otherOf(sum));
  mlirOperationSetAttributeByName(dot, tileString("tile.part"),
                                  mlirIntegerAttrGet(tileI32(c), part));
  mlirValueReplaceAllUsesOfWith(tileResult(sum->add), tileResult(dot));
  mlirOperationDestroy(sum->add);
  if (mlirOperationIsNull(sum->wait)) return;
  mlirOperationMoveBefore(dot, sum->wait);
  mlirOperationRemoveAttributeByName(dot, tileString("async"));
  mlirOperationDestroy(sum->wait);
}

static void tryParts(MlirOperation dot, int64_t part) {
  MlirLocation loc = mlirOperationGetLocation(dot);
  Sum sum;
  if (!findSum(dot, &sum)) return;
  if (tileTypeGetWords(mlirValueGetType(tileResult(dot))) <= part) return;
  const char *reason = whyWhole(&sum);
  if (reason) {
    tileEmitRemark(loc, "dot holds two sums: %s", reason);
    return;
  }
  addParts(&sum, part);
  tileTrace(loc, "dot is added to its sum part by part");
}

MlirLogicalResult tileRunAddParts(MlirOperation func) {
  int64_t part = tileMachineNumber(tileMachineOf(func), TILE_NUMBER_ADD_PART);
  TileOpList dots = {0};
  tileFindDots(func, &dots);
  for (size_t i = 0; i < dots.count; ++i) tryParts(dots.ops[i], part);
  tileOpListDestroy(&dots);
  return mlirLogicalResultSuccess();
}
