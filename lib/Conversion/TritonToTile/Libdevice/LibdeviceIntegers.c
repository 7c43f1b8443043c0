//===- LibdeviceIntegers.c - bits and integers ----------------------------===//
#include "LibdeviceKit.h"
#include <string.h>

typedef MlirValue V;

static V shiftBy(const ExternCall *c, const char *name, V x, int64_t bits) {
  return xOp(c, name, x, xInt(c, x, bits));
}

//===- reading a float's bits, and making one -----------------------------===//

static V asBits(const ExternCall *c) {
  return tileBuildUnary(c->b, "arith.bitcast", c->type, c->in[0]);
}
static V wordOf(const ExternCall *c, int shift) {
  V bits = xCast(c, "arith.bitcast", c->in[0], tileI64(c->b->context));
  if (shift) bits = shiftBy(c, "arith.shrui", bits, shift);
  return tileBuildUnary(c->b, "arith.trunci", c->type, bits);
}
static V highWord(const ExternCall *c) { return wordOf(c, 32); }
static V lowWord(const ExternCall *c) { return wordOf(c, 0); }
static V fromWords(const ExternCall *c) {
  MlirType i64 = tileI64(c->b->context);
  V high = xCast(c, "arith.extui", c->in[0], i64), low = xCast(c, "arith.extui", c->in[1], i64);
  V bits = xOp(c, "arith.ori", shiftBy(c, "arith.shli", high, 32), low);
  return tileBuildUnary(c->b, "arith.bitcast", c->type, bits);
}

/// Of a number's upper word the reciprocal, whose lower word is 0.
static V reciprocalHigh(const ExternCall *c) {
  MlirType i64 = tileI64(c->b->context);
  V bits = xCast(c, "arith.bitcast", c->in[0], i64), upper = xInt(c, bits, -(INT64_C(1) << 32));
  V x = tileBuildUnary(c->b, "arith.bitcast", c->type, xOp(c, "arith.andi", bits, upper));
  V inverse = xCast(c, "arith.bitcast", xOver(c, 1, x), i64);
  return tileBuildUnary(c->b, "arith.bitcast", c->type, xOp(c, "arith.andi", inverse, upper));
}
/// Byte i is the one of eight, those of the first word and of the second, that the three lower bits
/// of the selector's i-th four name.
static V permuteBytes(const ExternCall *c) {
  MlirType i64 = tileI64(c->b->context);
  V low = xCast(c, "arith.extui", c->in[0], i64), high = xCast(c, "arith.extui", c->in[1], i64);
  V selector = xCast(c, "arith.extui", c->in[2], i64), all = {NULL};
  V both = xOp(c, "arith.ori", shiftBy(c, "arith.shli", high, 32), low);
  V byte = xInt(c, both, 255), eighth = xInt(c, both, 7);
  for (int i = 0; i < 4; ++i) {
    V place = xOp(c, "arith.andi", shiftBy(c, "arith.shrui", selector, 4 * i), eighth);
    V picked = xOp(c, "arith.shrui", both, shiftBy(c, "arith.shli", place, 3));
    V placed = shiftBy(c, "arith.shli", xOp(c, "arith.andi", picked, byte), 8 * i);
    all = i ? xOp(c, "arith.ori", all, placed) : placed;
  }
  return tileBuildUnary(c->b, "arith.trunci", c->type, all);
}

//===- integers -----------------------------------------------------------===//

/// Averages without overflow: what both share in full, and half of what differs.
static V average(const ExternCall *c, const char *shift, bool up) {
  V x = c->in[0], y = c->in[1];
  V same = xOp(c, up ? "arith.ori" : "arith.andi", x, y), differ = xOp(c, "arith.xori", x, y);
  V half = shiftBy(c, shift, differ, 1);
  return xOp(c, up ? "arith.subi" : "arith.addi", same, half);
}
static V hadd(const ExternCall *c) { return average(c, "arith.shrsi", false); }
static V rhadd(const ExternCall *c) { return average(c, "arith.shrsi", true); }
static V uhadd(const ExternCall *c) { return average(c, "arith.shrui", false); }
static V urhadd(const ExternCall *c) { return average(c, "arith.shrui", true); }

/// The upper half of a product: of 32 bits by way of 64.
static V high32(const ExternCall *c, const char *extend) {
  MlirType i64 = tileI64(c->b->context);
  V x = xCast(c, extend, c->in[0], i64), y = xCast(c, extend, c->in[1], i64);
  V product = shiftBy(c, "arith.shrui", xOp(c, "arith.muli", x, y), 32);
  return tileBuildUnary(c->b, "arith.trunci", c->type, product);
}
static V mulhi(const ExternCall *c) { return high32(c, "arith.extsi"); }
static V umulhi(const ExternCall *c) { return high32(c, "arith.extui"); }
static V umul64hi(const ExternCall *c) { return tritonMulHigh64(c->b, c->in[0], c->in[1]); }
/// Signed: each negative factor takes the other off the unsigned upper half.
static V mul64hi(const ExternCall *c) {
  V high = umul64hi(c), zero = xInt(c, high, 0);
  for (int i = 0; i < 2; ++i) {
    V negative = tileBuildCmpi(c->b, TILE_SLT, c->in[i], zero);
    high = xOp(c, "arith.subi", high, tileBuildSelect(c->b, negative, c->in[1 - i], zero));
  }
  return high;
}

static V product24(const ExternCall *c, const char *shift) {
  V part[2];
  for (int i = 0; i < 2; ++i) part[i] = shiftBy(c, shift, shiftBy(c, "arith.shli", c->in[i], 8), 8);
  return xOp(c, "arith.muli", part[0], part[1]);
}
static V mul24(const ExternCall *c) { return product24(c, "arith.shrsi"); }
static V umul24(const ExternCall *c) { return product24(c, "arith.shrui"); }

static V difference(const ExternCall *c, int less) {
  V x = c->in[0], y = c->in[1], isLess = tileBuildCmpi(c->b, less, x, y);
  V up = xOp(c, "arith.subi", y, x), down = xOp(c, "arith.subi", x, y);
  return xOp(c, "arith.addi", tileBuildSelect(c->b, isLess, up, down), c->in[2]);
}
static V sad(const ExternCall *c) { return difference(c, TILE_SLT); }
static V usad(const ExternCall *c) { return difference(c, TILE_ULT); }

/// Counts of bits are i32, also those of an i64.
static V count(const ExternCall *c, const char *name) {
  V n = tileBuildUnary(c->b, name, mlirValueGetType(c->in[0]), c->in[0]);
  bool same = mlirTypeEqual(mlirValueGetType(n), c->type);
  return same ? n : tileBuildUnary(c->b, "arith.trunci", c->type, n);
}
static V leadingZeros(const ExternCall *c) { return count(c, "math.ctlz"); }
static V population(const ExternCall *c) { return count(c, "math.ctpop"); }
static V firstSet(const ExternCall *c) {
  V place = count(c, "math.cttz"), zero = xInt(c, place, 0);
  V none = tileBuildCmpi(c->b, TILE_EQ, c->in[0], xInt(c, c->in[0], 0));
  V next = xOp(c, "arith.addi", place, xInt(c, place, 1));
  return tileBuildSelect(c->b, none, zero, next);
}

/// Halves change places, then their halves, down to bits (Warren, Hacker's Delight, 7-1).
static V reverseBits(const ExternCall *c) {
  V x = c->in[0];
  int bits = tileBitWidth(tileElementType(mlirValueGetType(x)));
  for (int step = bits / 2; step; step /= 2) {
    uint64_t mask = 0;
    for (int i = 0; i < bits; i += 2 * step) mask |= ((UINT64_C(1) << step) - 1) << i;
    V low = xInt(c, x, (int64_t)mask);
    V down = xOp(c, "arith.andi", shiftBy(c, "arith.shrui", x, step), low);
    V up = shiftBy(c, "arith.shli", xOp(c, "arith.andi", x, low), step);
    x = xOp(c, "arith.ori", down, up);
  }
  return x;
}

const ExternRule externIntegers[] = {{"float_as_int", 1, asBits},
                                     {"float_as_uint", 1, asBits},
                                     {"int_as_float", 1, asBits},
                                     {"uint_as_float", 1, asBits},
                                     {"double_as_longlong", 1, asBits},
                                     {"longlong_as_double", 1, asBits},
                                     {"double2hiint", 1, highWord},
                                     {"double2loint", 1, lowWord},
                                     {"hiloint2double", 2, fromWords},
                                     {"rcp64h", 1, reciprocalHigh},
                                     {"byte_perm", 3, permuteBytes},
                                     {"hadd", 2, hadd},
                                     {"rhadd", 2, rhadd},
                                     {"uhadd", 2, uhadd},
                                     {"urhadd", 2, urhadd},
                                     {"mulhi", 2, mulhi},
                                     {"umulhi", 2, umulhi},
                                     {"mul64hi", 2, mul64hi},
                                     {"umul64hi", 2, umul64hi},
                                     {"mul24", 2, mul24},
                                     {"umul24", 2, umul24},
                                     {"sad", 3, sad},
                                     {"usad", 3, usad},
                                     {"clz", 1, leadingZeros},
                                     {"clzll", 1, leadingZeros},
                                     {"popc", 1, population},
                                     {"popcll", 1, population},
                                     {"ffs", 1, firstSet},
                                     {"ffsll", 1, firstSet},
                                     {"brev", 1, reverseBits},
                                     {"brevll", 1, reverseBits},
                                     {NULL, 0, NULL}};
