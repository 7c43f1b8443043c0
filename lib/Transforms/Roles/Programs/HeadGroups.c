//===- HeadGroups.c - heads whose programs run at a time ------------------===//
//
//          %few = %blocks / 2                       two programs of each head run at a time
//          %some = %blocks / 12                     twelve do
//          %heads = min(%few, number of heads)
//          %each = steps of a head's longest program * bytes of a step's boxes
//          %size = %heads * %each > L2 cache, of three groups and more ? %some : %few
//
// Programs of the same head read the same keys. Those that run at a time read them once from
// memory; where the L2 cache holds the keys of all heads that take turns, so do those of later
// rounds. The fewer programs of a head run at a time, the more alike they are in length, and the
// earlier the last block ends; where the cache does not hold these heads, that costs more than it
// gives.
//
// The steps are those of the first program, which is the longest, as far as loops' bounds are
// computed of the grid and of numbers in front of all programs; where they are read from memory, or
// loops stand in loops, nobody knows, and few are taken.
//===----------------------------------------------------------------------===//
#include "HeadGroups.h"
#include "../../ValueMap.h"
#include "../Channels.h"
#include "../Kernel.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/ValueSearch.h"

typedef struct {
  TileBuilder *b;
  const TileHeads *heads;
  TileValueMap map;
} First;

/// Is `value`, or what it is computed of, no number that the grid and arguments tell?
static bool isUnknown(TileValueSearch *s, MlirValue value, const void *data) {
  (void)data;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op))
    return !tileOpIsAFunc(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)));
  if (tileOpIsAProgramId(op) || tileOpIsANumPrograms(op)) return false;
  if (!tileOpIsScalarArithmetic(op)) return true;
  tileValueSearchAddOperands(s, op);
  return false;
}

/// `value`, a number of the program, as the first one of a head has it.
static MlirValue buildFirst(First *f, MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || tileValueMapHas(f->map, value))
    return tileValueMapGet(f->map, value);
  if (tileOpIsAProgramId(op))
    tileValueMapSet(&f->map, value, tileBuildInt(f->b, tileI32(f->b->context), 0));
  else if (tileOpIsANumPrograms(op))
    tileValueMapSet(&f->map, value, f->heads->extent[tileNumProgramsGetAxis(op)]);
  else {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      buildFirst(f, tileOperand(op, i));
    tileCloneMapped(f->b, &f->map, op);
  }
  return tileValueMapGet(f->map, value);
}

/// Bytes of the boxes that a step of `loop` copies; -1 where loops in it copy some.
static int64_t stepBytes(MlirOperation loop) {
  int64_t bytes = 0;
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    if (tileOpIs(op, "scf.for")) return -1;
    if (tileOpIsADescCopy(op)) bytes += tileBufferBytes(mlirValueGetType(tileBoxCopyGetBuffer(op)));
  }
  return bytes;
}

/// KiB that the loop copies in the first program; null: nobody knows.
static MlirValue buildLoopSize(First *f, MlirOperation loop) {
  MlirType type = tileI32(f->b->context);
  int64_t size = stepBytes(loop) / 1024;
  bool known = size >= 0 && mlirTypeEqual(mlirValueGetType(tileForGetLower(loop)), type);
  for (int i = 0; i < 3 && known; ++i)
    known = !tileValueSearchFinds(tileOperand(loop, i), isUnknown, NULL);
  if (!known) return (MlirValue){NULL};
  MlirValue lower = buildFirst(f, tileForGetLower(loop)),
            upper = buildFirst(f, tileForGetUpper(loop));
  MlirValue step = buildFirst(f, tileForGetStep(loop));
  MlirValue way = tileBuildBinary(f->b, "arith.subi", upper, lower);
  way = tileBuildBinary(f->b, "arith.maxsi", way, tileBuildInt(f->b, type, 0));
  MlirValue steps = tileBuildBinary(f->b, "arith.divui", way, step);
  return tileBuildBinary(f->b, "arith.muli", steps, tileBuildInt(f->b, type, size));
}

/// KiB that the first program of a head copies; null: nobody knows.
static MlirValue buildSize(TileBuilder *b, MlirOperation func, const TileHeads *heads) {
  First f = {.b = b, .heads = heads};
  MlirValue all = {NULL};
  TILE_FOR_EACH_OP(op, tileBody(func, 0)) {
    if (!tileOpIs(op, "scf.for") || !stepBytes(op)) continue;
    MlirValue one = buildLoopSize(&f, op);
    bool first = mlirValueIsNull(all);
    all = first || mlirValueIsNull(one) ? one : tileBuildBinary(b, "arith.addi", all, one);
    if (mlirValueIsNull(one)) break;
  }
  tileValueMapClear(&f.map);
  return all;
}

/// Blocks by programs that each head has at a time, one at least.
static MlirValue buildShare(TileBuilder *b, MlirValue blocks, MlirValue programs) {
  MlirValue share = tileBuildBinary(b, "arith.divui", blocks, programs);
  return tileBuildBinary(b, "arith.maxui", share, tileBuildInt(b, tileI32(b->context), 1));
}

MlirValue tileBuildHeadGroup(TileBuilder *b, MlirOperation func, const TileHeads *h) {
  MlirType type = tileI32(b->context), wide = tileI64(b->context);
  int64_t programs = tileKernelGetNumber(func, TILE_NUMBER_HEAD_PROGRAMS);
  int64_t more = tileKernelGetNumber(func, TILE_NUMBER_FAR_HEAD_PROGRAMS);
  MlirValue few = buildShare(b, h->blocks, tileBuildInt(b, type, programs));
  MlirValue size = buildSize(b, func, h);
  if (mlirValueIsNull(size)) return few;
  MlirValue all =
      tileBuildBinary(b, "arith.muli", h->extent[h->axis == 0], h->extent[h->axis == 2 ? 1 : 2]);
  MlirValue heads = tileBuildBinary(b, "arith.minui", few, all);
  MlirValue read = tileBuildBinary(b, "arith.muli", tileBuildUnary(b, "arith.extui", wide, heads),
                                   tileBuildUnary(b, "arith.extui", wide, size));
  int64_t held = tileKernelGetNumber(func, TILE_NUMBER_MODEL_L2_HELD) * 1000000 / 1024;
  MlirValue isFar = tileBuildCmpi(b, TILE_SGT, read, tileBuildInt(b, wide, held));
  MlirValue each = tileBuildInt(b, type, more), half = tileBuildInt(b, type, more / 2);
  MlirValue rest = tileBuildBinary(b, "arith.remui", h->blocks, each);
  MlirValue divides = tileBuildCmpi(b, TILE_EQ, rest, tileBuildInt(b, type, 0));
  MlirValue some = buildShare(b, h->blocks, tileBuildSelect(b, divides, each, half));
  // A group of few heads at the end has programs of many lengths in a round: not after one or two
  // others.
  MlirValue groups = tileBuildBinary(b, "arith.muli", some, tileBuildInt(b, type, 3));
  MlirValue isMany = tileBuildCmpi(b, TILE_SGE, all, groups);
  return tileBuildSelect(b, tileBuildBinary(b, "arith.andi", isFar, isMany), some, few);
}
