//===- ShiftBytes.c - bytes shifted by a constant, a word at a time -------===//
//
// Before:  %y = arith.shrui %x, dense<4> : vector<4xi8>
// After:   %w = the four bytes as a word, >> 4, and 0x0f0f0f0f
//
// The chip has no shift of a vector: LLVM takes it apart, shifts each byte in a register, and puts
// it together again. Signs are copies of each byte's highest bit: (%w >> 7 and 0x01010101) * 0xf0
// for a shift of 4. Weights of 4 bits are two in a byte.
//
//===----------------------------------------------------------------------===//
#include "../MathLowering.h"

typedef MlirValue V;

/// By how much `op` shifts all of its bytes; -1 for anything else.
static int64_t distanceOf(MlirOperation op) {
  if (!tileOpIs(op, "arith.shrui") && !tileOpIs(op, "arith.shrsi") && !tileOpIs(op, "arith.shli"))
    return -1;
  int64_t distance;
  if (tileBitWidth(tileElementType(mlirValueGetType(tileResult(op)))) != 8 ||
      !tileConstantInt(tileOperand(op, 1), &distance) || distance < 0 || distance > 7)
    return -1;
  return distance;
}

bool lowerIsByteShift(MlirOperation op, MlirType type) {
  return mlirTypeIsAVector(type) && mlirShapedTypeGetDimSize(type, 0) % 4 == 0 &&
         distanceOf(op) >= 0;
}

/// `byte` in each byte of a word.
static int64_t inEach(int64_t byte) { return (int32_t)(uint32_t)((byte & 0xff) * 0x01010101); }

static V with(Lowering *l, const char *name, V words, int64_t constant) {
  V all = tileBuildInt(&l->b, mlirValueGetType(words), constant);
  return tileBuildBinary(&l->b, name, words, all);
}

MlirValue lowerByteShift(Lowering *l, MlirOperation op, MlirValue x, MlirType type) {
  const int64_t distance = distanceOf(op), n = mlirShapedTypeGetDimSize(type, 0);
  const bool isLeft = tileOpIs(op, "arith.shli");
  V words = lowerBitcast(l, x, tileVectorType(n / 4, tileI32(l->b.context)));
  V moved = with(l, isLeft ? "arith.shli" : "arith.shrui", words, distance);
  moved = with(l, "arith.andi", moved, inEach(isLeft ? 0xff << distance : 0xff >> distance));
  if (tileOpIs(op, "arith.shrsi")) {
    V negative = with(l, "arith.andi", with(l, "arith.shrui", words, 7), inEach(1));
    V signs = with(l, "arith.muli", negative, 0xff & ~(0xff >> distance));
    moved = tileBuildBinary(&l->b, "arith.ori", moved, signs);
  }
  return lowerBitcast(l, moved, type);
}
