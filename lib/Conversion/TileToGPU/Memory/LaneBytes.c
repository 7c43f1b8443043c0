//===- LaneBytes.c - bytes of a buffer, each fourth one a lane's ----------===//
//
// Before:  register r of lane n is byte 4 r + n % 4 of a row (in the order of A's fragments, of
//          bytes that hold two numbers each)
// After:   %words = llvm.load : vector<4xi32>               the same for all four lanes
//          %twice = llvm.nvvm.prmt %words[i], 0, 0x4040 + 0x0101 * (lane % 4)
//          %byte = arith.trunci %twice : i8
//
// One by one these are four to sixteen times as many instructions of shared memory as a warp has
// words. Who makes a pair of numbers of the byte takes the word and the selector, by which it
// stands twice in a word, 16 bits apart (Numbers/FromNibbles.c).
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"
#include "../MathLowering.h"
#include <stdlib.h>

typedef MlirValue V;

enum { WORD = 4, TWICE = 0x4040, EACH = 0x0101 };

/// The bytes that bit `b` of an input adds to an address.
static int64_t addedBy(const LowerAddress *a, TileInDim in, int b) {
  return tileLayoutCoordinate(a->map, a->map.bases[in][b], a->dim) * a->bytes;
}

/// Of all bits of registers, lanes and warps, which alone adds `bytes`, as no other does even in
/// part? Whether there is one, and it is `in`'s.
static bool findBit(const LowerAddress *a, int64_t bytes, TileInDim in, int *bit) {
  static const TileInDim all[] = {TILE_REGISTER, TILE_LANE, TILE_WARP};
  int found = 0;
  bool isOwn = false;
  for (int i = 0; i < 3; ++i)
    for (int b = 0; b < a->map.inBits[all[i]]; ++b) {
      int64_t added = addedBy(a, all[i], b);
      if (!(added & bytes)) continue;
      ++found;
      isOwn = added == bytes && all[i] == in;
      *bit = b;
    }
  return found == 1 && isOwn;
}

bool lowerIsLaneBytes(const LowerAddress *a) {
  int bit;
  bool areLanes = a->bytes == 1 && findBit(a, 1, TILE_LANE, &bit) && bit == 0 &&
                  findBit(a, 2, TILE_LANE, &bit) && bit == 1;
  return areLanes && findBit(a, WORD, TILE_REGISTER, &bit);
}

MlirValue lowerLaneByte(Lowering *l, MlirValue word) {
  V three = lowerI32(l, WORD - 1), lane = tileBuildBinary(&l->b, "arith.andi", l->lane, three);
  V each = tileBuildBinary(&l->b, "arith.muli", lane, lowerI32(l, EACH));
  V selector = tileBuildBinary(&l->b, "arith.addi", each, lowerI32(l, TWICE));
  V operands[] = {word, lowerI32(l, 0), selector};
  V twice = lowerIntrinsic(l, "llvm.nvvm.prmt", 3, operands, tileI32(l->b.context));
  return tileBuildUnary(&l->b, "arith.trunci", tileI8(l->b.context), twice);
}

/// Is `value` the constant `number`, as lowerI32 makes them?
static bool isNumber(V value, int64_t number) {
  int64_t found;
  return tileConstantInt(value, &found) && found == number;
}

/// The second operand, a number, of the op `name` that makes `value`.
static bool isMadeBy(V value, const char *name, int64_t number) {
  MlirOperation op = tileValueGetOp(value);
  return !mlirOperationIsNull(op) && tileOpIs(op, name) && isNumber(tileOperand(op, 1), number);
}

bool lowerFindLaneByte(MlirValue byte, MlirValue *word, MlirValue *selector) {
  MlirOperation narrow = tileValueGetOp(byte);
  if (mlirOperationIsNull(narrow) || !tileOpIs(narrow, "arith.trunci")) return false;
  MlirOperation moved = tileValueGetOp(tileOperand(narrow, 0));
  if (mlirOperationIsNull(moved) || !tileOpIs(moved, "llvm.call_intrinsic") ||
      mlirOperationGetNumOperands(moved) != 3 || !isNumber(tileOperand(moved, 1), 0))
    return false;
  *word = tileOperand(moved, 0);
  *selector = tileOperand(moved, 2);
  if (!isMadeBy(*selector, "arith.addi", TWICE)) return false;
  V each = tileOperand(tileValueGetOp(*selector), 0);
  if (!isMadeBy(each, "arith.muli", EACH)) return false;
  return isMadeBy(tileOperand(tileValueGetOp(each), 0), "arith.andi", WORD - 1);
}

MlirValue lowerLoadLaneBytes(Lowering *l, const LowerAddress *a, int first, int registers) {
  int bits[2], numBits = 1;
  if (!findBit(a, WORD, TILE_REGISTER, &bits[0])) return (V){NULL};
  if (findBit(a, 2 * WORD, TILE_REGISTER, &bits[1])) numBits = 2;
  const int count = 1 << numBits;
  LowerAddress words = *a;
  words.start = tileBuildBinary(&l->b, "arith.andi", a->start, lowerI32(l, -WORD));
  MlirType part = tileVectorType(count, tileI32(l->b.context));
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(l->b.context), WORD * count);
  V *elements = malloc((size_t)registers * sizeof *elements);
  if (!elements) abort();
  for (int r = 0; r < registers; ++r) {
    if (r >> bits[0] & 1 || (numBits > 1 && r >> bits[1] & 1)) continue;
    V pointer = lowerBufferPointer(l, &words, first + r, (V){NULL});
    V loaded = tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(pointer), 1, &part,
                                      TILE_ATTRS({"alignment", alignment}), 0));
    for (int i = 0; i < count; ++i) {
      int at = r | (i & 1) << bits[0] | (numBits > 1 ? (i >> 1) << bits[1] : 0);
      elements[at] = lowerLaneByte(l, lowerExtract(l, loaded, i));
    }
  }
  V whole = lowerFromElements(l, tileI8(l->b.context), registers, elements);
  free(elements);
  return whole;
}
