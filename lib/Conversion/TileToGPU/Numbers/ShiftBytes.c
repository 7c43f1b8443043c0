//===- ShiftBytes.c - bytes and halves shifted by a constant, by words ----===//
//
// Before:  %y = arith.shrui %x, dense<4> : vector<4xi8>
// After:   %w = the four bytes as a word, >> 4, and 0x0f0f0f0f
//
// The chip has no shift of a vector: LLVM takes it apart, shifts each byte in a register, and puts
// it together again. Signs are copies of each byte's highest bit: (%w >> 7 and 0x01010101) * 0xf0
// for a shift of 4. Weights of 4 bits are two in a byte. Numbers of 16 bits go two by two: those of
// e2m1 become bf16 so.
//
//===----------------------------------------------------------------------===//
#include "../MathLowering.h"

typedef MlirValue V;

static int widthOf(MlirOperation op) {
  return tileBitWidth(tileElementType(mlirValueGetType(tileResult(op))));
}

/// By how much `op` shifts all of its bytes, or numbers of 16 bits; -1 for anything else.
static int64_t distanceOf(MlirOperation op) {
  if (!tileOpIs(op, "arith.shrui") && !tileOpIs(op, "arith.shrsi") && !tileOpIs(op, "arith.shli"))
    return -1;
  int64_t distance;
  int width = widthOf(op);
  if ((width != 8 && width != 16) || !tileConstantInt(tileOperand(op, 1), &distance) ||
      distance < 0 || distance >= width)
    return -1;
  return distance;
}

bool lowerIsByteShift(MlirOperation op, MlirType type) {
  return mlirTypeIsAVector(type) && distanceOf(op) >= 0 &&
         mlirShapedTypeGetDimSize(type, 0) * widthOf(op) % 32 == 0;
}

/// The lowest bits of `number` in each byte, or each half, of a word.
static int64_t inEach(int width, int64_t number) {
  return (int32_t)(uint32_t)(width == 8 ? (number & 0xff) * 0x01010101
                                        : (number & 0xffff) * 0x00010001);
}

MlirValue lowerByteShift(Lowering *l, MlirOperation op, MlirValue x, MlirType type) {
  const int64_t distance = distanceOf(op), n = mlirShapedTypeGetDimSize(type, 0);
  const int width = widthOf(op);
  const int64_t all = (INT64_C(1) << width) - 1;
  const bool isLeft = tileOpIs(op, "arith.shli");
  V words = lowerBitcast(l, x, tileVectorType(n * width / 32, tileI32(l->b.context)));
  V moved = lowerWith(l, isLeft ? "arith.shli" : "arith.shrui", words, distance);
  moved =
      lowerWith(l, "arith.andi", moved, inEach(width, isLeft ? all << distance : all >> distance));
  if (tileOpIs(op, "arith.shrsi")) {
    V ones = lowerWith(l, "arith.shrui", words, width - 1);
    V negative = lowerWith(l, "arith.andi", ones, inEach(width, 1));
    V signs = lowerWith(l, "arith.muli", negative, all & ~(all >> distance));
    moved = tileBuildBinary(&l->b, "arith.ori", moved, signs);
  }
  return lowerBitcast(l, moved, type);
}
