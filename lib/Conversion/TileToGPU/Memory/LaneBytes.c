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

typedef MlirValue V;

enum { WORD = 4, TWICE = 0x4040, EACH = 0x0101 };

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
