//===- Steering.c - which arguments steer a kernel ------------------------===//
//
// tile.func @k(%x, %out, %n, %seed)     steers: x, out, n
//   %inside = %at < %n
//   %v = tile.load (%x + %at), %inside
//   tile.store (%out + %at), %v ^ %seed, %inside
//
// Backwards from addresses, masks and ends of loops, through arithmetic and what loops carry, up to
// arguments and what is read from memory. What positions are compared with steers, too, be it for
// a choice of data. Other data leads nowhere.
//===----------------------------------------------------------------------===//
#include "tile/IR.h"
#include "tile/OpTraits.h"
#include "tile/Session/Kernels.h"
#include "tile/Support/ValueSearch.h"

static bool isMemory(MlirOperation op) {
  return (tileOpGetEffects(op) & (TILE_READS_GLOBAL | TILE_WRITES_GLOBAL)) != 0;
}

/// Says where an access goes, or whether: not data, unless that is a number.
static bool isPlace(MlirValue value) {
  MlirType type = mlirValueGetType(value), element = tileElementType(type);
  if (tileTypeIsAPtr(element) || tileTypeIsADesc(element)) return true;
  if (!mlirTypeIsAInteger(element) && !mlirTypeIsAIndex(element)) return false;
  return !tileTypeIsTile(type) || tileBitWidth(element) == 1;
}

/// What stands in each element of a tile, or as another integer.
static MlirValue findNumber(MlirValue value) {
  while (!mlirValueIsABlockArgument(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    if (!tileOpIsASplat(op) && !tileOpIsABroadcast(op) && !tileOpIsAExpandDims(op) &&
        !tileOpIs(op, "arith.extsi") && !tileOpIs(op, "arith.extui"))
      return value;
    value = mlirOperationGetOperand(op, 0);
  }
  return value;
}

static MlirWalkResult start(MlirOperation op, void *data) {
  TileValueSearch *s = data;
  const intptr_t ends = 3; // of scf.for
  intptr_t count = mlirOperationGetNumOperands(op);
  if (tileOpIs(op, "scf.for"))
    for (intptr_t i = 0; i < ends; ++i) tileValueSearchAdd(s, mlirOperationGetOperand(op, i));
  else if (tileOpIs(op, "arith.cmpi"))
    for (intptr_t i = 0; i < count; ++i) {
      MlirValue number = findNumber(mlirOperationGetOperand(op, i));
      if (mlirValueIsABlockArgument(number)) tileValueSearchAdd(s, number);
    }
  else if (tileOpIs(op, "scf.condition") || tileOpIs(op, "scf.if"))
    tileValueSearchAdd(s, mlirOperationGetOperand(op, 0));
  else if (!tileOpIsAFunc(op) && isMemory(op))
    for (intptr_t i = 0; i < count; ++i)
      if (isPlace(mlirOperationGetOperand(op, i)))
        tileValueSearchAdd(s, mlirOperationGetOperand(op, i));
  return MlirWalkResultAdvance;
}

/// What an op takes, and what its regions give.
static void follow(TileValueSearch *s, MlirOperation op) {
  tileValueSearchAddOperands(s, op);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock b = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)); !mlirBlockIsNull(b);
         b = mlirBlockGetNextInRegion(b)) {
      MlirOperation last = mlirBlockGetTerminator(b);
      if (!mlirOperationIsNull(last)) tileValueSearchAddOperands(s, last);
    }
}

uint64_t tileKernelGetSteeringArguments(MlirOperation func) {
  TileValueSearch s = {0};
  uint64_t found = 0;
  mlirOperationWalk(func, start, &s, MlirWalkPreOrder);
  while (s.count) {
    MlirValue value = s.stack[--s.count];
    if (!mlirValueIsABlockArgument(value)) {
      MlirOperation op = mlirOpResultGetOwner(value);
      if (!isMemory(op)) follow(&s, op);
      continue;
    }
    MlirOperation parent = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    if (!mlirOperationEqual(parent, func))
      follow(&s, parent);
    else if (number < 64)
      found |= UINT64_C(1) << number;
  }
  tileValueSearchClear(&s);
  return found;
}
