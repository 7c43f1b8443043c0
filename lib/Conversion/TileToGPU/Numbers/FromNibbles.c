//===- FromNibbles.c - bytes of two numbers each, as floats ---------------===//
//
// Before:  %low = arith.andi %x, dense<15>      %high = arith.shrui %x, dense<4>      of bytes
//          %both = tile.join %low, %high        (a shuffle: low, high, low, high)
//          %y = arith.uitofp %both : vector<2xi8> to vector<2xf16>
// After:   %twice = llvm.nvvm.prmt %x, 0x64646464, 0x4040      the byte in both halves of 1024
//          %w = %twice and 0xfff0ff0f                          1024 + low, 1024 + 16 high
//          %y = fma %w, (1, 1/16), (-1024, -64)
//
// and to bf16, whose 128 has seven bits below it:
//          %twice = llvm.nvvm.prmt %x, 0x43434343, 0x4040
//          %w = (%twice and 0xff00ff0f) or (%twice >> 4 and 0x000f0000)
//          %y = %w - 128
//
// All of that is exact. Two instructions of integers a pair of numbers, where shifts, masks, a
// permutation that joins and one that widens are three for it, and bytes have to be gathered
// before. Where words were loaded that four lanes share, the byte stands in both halves already
// (Memory/LaneBytes.c). What op made which byte is read from what was emitted: shuffles are looked
// through.
//
//===----------------------------------------------------------------------===//
#include "../MathLowering.h"
#include <stdlib.h>

typedef MlirValue V;

/// Element `at` of a vector.
typedef struct {
  V vector;
  int64_t at;
} Element;

/// Half of a byte.
typedef struct {
  Element byte; ///< its vector null where the element is no such half
  bool isHigh;
} Nibble;

static MlirOperation makerOf(V value, const char *name) {
  MlirOperation op = tileValueGetOp(value);
  if (!mlirOperationIsNull(op) && !tileOpIs(op, name)) op = (MlirOperation){NULL};
  return op;
}

static Element throughShuffles(Element e) {
  MlirOperation op = makerOf(e.vector, "llvm.shufflevector");
  for (; !mlirOperationIsNull(op); op = makerOf(e.vector, "llvm.shufflevector")) {
    int64_t at = mlirDenseI32ArrayGetElement(tileAttr(op, "mask"), (intptr_t)e.at);
    int64_t first = mlirShapedTypeGetDimSize(mlirValueGetType(tileOperand(op, 0)), 0);
    if (at < 0) break;
    bool isSecond = at >= first;
    e = (Element){tileOperand(op, isSecond), isSecond ? at - first : at};
  }
  return e;
}

/// The first operand of the op `name` whose second one is `number`; null where none makes `value`.
static V operandOf(V value, const char *name, int64_t number) {
  MlirOperation op = makerOf(value, name);
  int64_t found;
  bool is =
      !mlirOperationIsNull(op) && tileConstantInt(tileOperand(op, 1), &found) && found == number;
  return is ? tileOperand(op, 0) : (V){NULL};
}

/// Of bytes whose upper halves are `value`, as ShiftBytes.c makes them; null where it is none.
static V bytesAbove(V value) {
  const V none = {NULL};
  MlirOperation narrow = makerOf(value, "llvm.bitcast");
  if (mlirOperationIsNull(narrow)) return none;
  V moved = operandOf(tileOperand(narrow, 0), "arith.andi", 0x0f0f0f0f);
  V words = mlirValueIsNull(moved) ? none : operandOf(moved, "arith.shrui", 4);
  MlirOperation wide =
      mlirValueIsNull(words) ? (MlirOperation){NULL} : makerOf(words, "llvm.bitcast");
  if (mlirOperationIsNull(wide)) return none;
  V bytes = tileOperand(wide, 0);
  return mlirTypeEqual(mlirValueGetType(bytes), mlirValueGetType(value)) ? bytes : none;
}

static Nibble nibbleOf(Element e) {
  e = throughShuffles(e);
  V below = operandOf(e.vector, "arith.andi", 15), above = bytesAbove(e.vector);
  bool isHigh = mlirValueIsNull(below);
  V bytes = isHigh ? above : below;
  if (mlirValueIsNull(bytes)) return (Nibble){{bytes, 0}, false};
  return (Nibble){throughShuffles((Element){bytes, e.at}), isHigh};
}

/// The byte of the pair of elements `at`, lower half first; its vector null where they are no pair.
static Element byteOfPair(V x, int64_t at) {
  Nibble low = nibbleOf((Element){x, at}), high = nibbleOf((Element){x, at + 1});
  bool is = !mlirValueIsNull(low.byte.vector) && !mlirValueIsNull(high.byte.vector) &&
            !low.isHigh && high.isHigh && mlirValueEqual(low.byte.vector, high.byte.vector) &&
            low.byte.at == high.byte.at;
  return is ? low.byte : (Element){{NULL}, 0};
}

bool lowerIsFromNibbles(MlirValue x, MlirType type) {
  const int64_t n = mlirShapedTypeGetDimSize(type, 0);
  for (int64_t i = 0; i < n; i += 2)
    if (mlirValueIsNull(byteOfPair(x, i).vector)) return false;
  return true;
}

/// i32: the byte in its lowest bits and 16 above them, and `beside` in the others.
static V twice(Lowering *l, Element byte, int64_t beside) {
  MlirType i32 = tileI32(l->b.context);
  MlirOperation made = makerOf(byte.vector, "vector.from_elements");
  V word, selector;
  if (mlirOperationIsNull(made) ||
      !lowerFindLaneByte(tileOperand(made, byte.at), &word, &selector)) {
    word = tileBuildUnary(&l->b, "arith.extui", i32, lowerExtract(l, byte.vector, byte.at));
    selector = lowerI32(l, 0x4040);
  }
  V operands[] = {word, lowerI32(l, beside * 0x01010101), selector};
  return lowerIntrinsic(l, "llvm.nvvm.prmt", 3, operands, i32);
}

/// A vector of floats, of `type`, whose elements are `even` and `odd` by turns.
static V alternating(Lowering *l, MlirType type, double even, double odd) {
  const int64_t n = mlirShapedTypeGetDimSize(type, 0);
  MlirType element = mlirShapedTypeGetElementType(type);
  MlirAttribute *each = malloc((size_t)n * sizeof *each);
  if (!each) abort();
  for (int64_t i = 0; i < n; ++i)
    each[i] = mlirFloatAttrDoubleGet(l->b.context, element, i % 2 ? odd : even);
  V all = tileBuildConstant(&l->b, mlirDenseElementsAttrGet(type, (intptr_t)n, each));
  free(each);
  return all;
}

MlirValue lowerFromNibbles(Lowering *l, MlirValue x, MlirType type) {
  enum { HALF = 0x64, BRAIN = 0x43 }; // the upper bytes of 1024 and of 128
  const int64_t n = mlirShapedTypeGetDimSize(type, 0);
  const bool isHalf = mlirTypeIsAF16(mlirShapedTypeGetElementType(type));
  V *made = malloc((size_t)(n / 2) * sizeof *made);
  if (!made) abort();
  for (int64_t i = 0; i < n; i += 2)
    made[i / 2] = twice(l, byteOfPair(x, i), isHalf ? HALF : BRAIN);
  V words = lowerFromElements(l, tileI32(l->b.context), n / 2, made);
  free(made);
  if (isHalf) {
    words = lowerWith(l, "arith.andi", words, (int32_t)0xfff0ff0f);
    V operands[] = {lowerBitcast(l, words, type), alternating(l, type, 1, 0x1p-4),
                    alternating(l, type, -1024, -64)};
    return lowerIntrinsic(l, "llvm.fma", 3, operands, type);
  }
  V high = lowerWith(l, "arith.andi", lowerWith(l, "arith.shrui", words, 4), 0x000f0000);
  V low = lowerWith(l, "arith.andi", words, (int32_t)0xff00ff0f);
  words = tileBuildBinary(&l->b, "arith.ori", low, high);
  return tileBuildBinary(&l->b, "arith.subf", lowerBitcast(l, words, type),
                         alternating(l, type, 128, 128));
}
