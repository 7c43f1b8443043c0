//===- PairedFields.c - fields of words, two by two, for ptxas ------------===//
//
// Before:  %a = lshr i32 %w, 8        %b = lshr i32 %w, 12
//          %pair = call i32 @llvm.nvvm.prmt(i32 %a, i32 %b, i32 0x4400)
//          %some = and i32 %pair, 0x000f000f
//          %y = or i32 %some, 0x64006400
// After:   %h = lshr i32 %w, 4
//          %pair = call i32 @llvm.nvvm.prmt(i32 %w, i32 %h, i32 0x5511)
//          %y = lop3.b32 %pair, 0x000f000f, 0x64006400, 0xea
//
// Weights of few bits, many in a word, on their way to floats (TileToGPU/Numbers/FromInteger.c):
// whole bytes of a shift are other bytes to take, so that eight numbers of a word share one shift,
// by four bits. How far is often known by the lower bits of an element's number alone, which the
// optimizer does not look for in vectors. Of a mask and bits that are set, each a constant, ptxas
// makes two instructions.
//
// Requires: nothing behind it that looks into inline PTX.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "Rewrites.h"
#include "llvm-c/Core.h"
#include <string.h>

typedef LLVMValueRef V;

enum { SCALAR = -1, DEPTH = 12 };

/// An element of a vector, or a scalar.
typedef struct {
  V value;
  int at; ///< SCALAR for a scalar
} Element;

static bool isVector(V v) { return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind; }

/// Follows `e` through what takes vectors apart and puts them together.
static Element resolve(Element e) {
  for (int depth = 0; depth < 4 * DEPTH; ++depth) {
    V v = e.value;
    if (LLVMIsAExtractElementInst(v) && LLVMIsAConstantInt(LLVMGetOperand(v, 1))) {
      e = (Element){LLVMGetOperand(v, 0), (int)LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1))};
      continue;
    }
    unsigned lane = (unsigned)e.at;
    V from = tileTargetStepBack(v, &lane);
    if (!from) return e;
    e = (Element){from, isVector(from) ? (int)lane : SCALAR};
  }
  return e;
}

static Element operandOf(Element e, unsigned i) {
  return resolve((Element){LLVMGetOperand(e.value, i), e.at});
}

static bool isConstant(Element e, uint32_t *number) {
  V v = e.value;
  if (e.at != SCALAR && LLVMIsConstant(v)) v = LLVMGetAggregateElement(v, (unsigned)e.at);
  if (!v || !LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 32) return false;
  *number = (uint32_t)LLVMConstIntGetZExtValue(v);
  return true;
}

/// Bits of a word that are 0, and those that are 1, whatever is computed.
typedef struct {
  uint32_t zero, one;
} Known;

static bool isCallOf(V v, const char *name) { return !strcmp(tileTargetGetCallee(v), name); }

static Known knownOf(Element e, int depth);

/// Of a sum: as many of the lowest bits as both have, where no carry reaches, and the highest ones
/// that even the largest sum leaves 0.
static Known sumOf(Known a, Known b) {
  uint32_t known = (a.zero | a.one) & (b.zero | b.one), lowest = known & ~(known + 1);
  uint32_t sum = a.one + b.one, high = 0;
  uint64_t most = (uint64_t)~a.zero + ~b.zero;
  for (int i = 31; i >= 0 && most < UINT64_C(1) << i; --i) high |= 1u << i;
  return (Known){(~sum & lowest) | high, sum & lowest};
}

/// Of a register that says which thread or block this is; nothing of others.
static Known registerOf(V v) {
  static const struct {
    const char *name;
    uint32_t most;
  } registers[] = {{"llvm.nvvm.read.ptx.sreg.tid.x", 1023},
                   {"llvm.nvvm.read.ptx.sreg.ctaid.x", 0x7fffffff},
                   {"llvm.nvvm.read.ptx.sreg.ctaid.y", 0xffff},
                   {"llvm.nvvm.read.ptx.sreg.ctaid.z", 0xffff}};
  for (size_t i = 0; i < sizeof registers / sizeof *registers; ++i)
    if (isCallOf(v, registers[i].name)) return (Known){~registers[i].most, 0};
  return (Known){0};
}

static Known binaryOf(Element e, LLVMOpcode opcode, int depth) {
  Known a = knownOf(operandOf(e, 0), depth);
  uint32_t by;
  bool isBy = isConstant(operandOf(e, 1), &by);
  if (isBy && opcode == LLVMMul && by && !(by & (by - 1)))
    opcode = LLVMShl, by = (uint32_t)__builtin_ctz(by);
  if (isBy && opcode == LLVMShl && by < 32)
    return (Known){a.zero << by | ((1u << by) - 1), a.one << by};
  if (isBy && opcode == LLVMLShr && by < 32)
    return (Known){a.zero >> by | (by ? ~0u << (32 - by) : 0), a.one >> by};
  if (isBy && (opcode == LLVMSRem || opcode == LLVMURem) && by && !(by & (by - 1)) &&
      (opcode == LLVMURem || a.zero >> 31))
    return (Known){a.zero | ~(by - 1), a.one & (by - 1)};
  Known b = knownOf(operandOf(e, 1), depth);
  switch (opcode) {
  case LLVMAnd:
    return (Known){a.zero | b.zero, a.one & b.one};
  case LLVMOr:
    return (Known){a.zero & b.zero, a.one | b.one};
  case LLVMAdd:
    return sumOf(a, b);
  default:
    return (Known){0};
  }
}

static Known knownOf(Element e, int depth) {
  uint32_t number;
  e = resolve(e);
  if (isConstant(e, &number)) return (Known){~number, number};
  if (depth <= 0) return (Known){0};
  if (LLVMIsACallInst(e.value)) return registerOf(e.value);
  if (!LLVMIsAInstruction(e.value) || LLVMGetNumOperands(e.value) != 2) return (Known){0};
  return binaryOf(e, LLVMGetInstructionOpcode(e.value), depth - 1);
}

static V take(LLVMBuilderRef builder, Element e) {
  if (e.at == SCALAR) return e.value;
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(e.value)));
  return LLVMBuildExtractElement(builder, e.value, LLVMConstInt(i32, (unsigned)e.at, false), "");
}

/// The bits `mask` of `word` >> `distance`.
typedef struct {
  Element word;
  uint32_t distance, mask;
} Field;

/// Looks through a shift by a number that is known, or leaves `f` as it is.
static void throughShift(Field *f) {
  Element e = f->word;
  if (!LLVMIsAInstruction(e.value)) return;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(e.value);
  if (opcode != LLVMLShr && opcode != LLVMAShr) return;
  Known by = knownOf(operandOf(e, 1), DEPTH);
  bool isKnown = (by.zero ^ by.one) == ~0u && by.one < 32;
  // A sign may not be wanted: shifts are by zeros from here on.
  if (!isKnown || (opcode == LLVMAShr && by.one && f->mask >> (32 - by.one))) return;
  *f = (Field){operandOf(e, 0), by.one, f->mask};
}

/// Looks through the extension of a byte, if nothing above it is wanted: the word that has it.
static void throughByte(LLVMBuilderRef builder, Field *f) {
  Element e = f->word;
  if (!LLVMIsAZExtInst(e.value) || (uint64_t)f->mask << f->distance > 0xff) return;
  Element byte = operandOf(e, 0);
  LLVMTypeRef type = LLVMTypeOf(byte.value), i8 = LLVMInt8TypeInContext(LLVMGetTypeContext(type));
  if (byte.at == SCALAR || LLVMGetElementType(type) != i8 || LLVMGetVectorSize(type) % 4) return;
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  LLVMTypeRef words = LLVMVectorType(i32, LLVMGetVectorSize(type) / 4);
  V all = LLVMBuildBitCast(builder, byte.value, words, "");
  f->word = (Element){all, byte.at / 4};
  f->distance += 8 * (uint32_t)(byte.at % 4);
}

/// What the lower half of the result of a permutation is, of its operand, of whose bits `mask` is
/// wanted.
static Field fieldOf(LLVMBuilderRef builder, V permutation, unsigned which, uint32_t mask) {
  Field f = {resolve((Element){LLVMGetOperand(permutation, which), SCALAR}), 0, mask};
  uint32_t more;
  if (LLVMIsAInstruction(f.word.value) && LLVMGetInstructionOpcode(f.word.value) == LLVMAnd &&
      isConstant(operandOf(f.word, 1), &more)) {
    f.mask &= more;
    f.word = operandOf(f.word, 0);
  }
  throughShift(&f);
  throughByte(builder, &f);
  // Two bytes, the upper of which the word has no more.
  if (f.mask > 0xff && f.distance >= 24)
    f = (Field){{LLVMGetOperand(permutation, which), SCALAR}, 0, mask};
  return f;
}

/// The word to take bytes of.
static V wordOf(LLVMBuilderRef builder, const Field *f) {
  V word = take(builder, f->word);
  if (f->distance % 8 == 0) return word;
  return LLVMBuildLShr(builder, word, LLVMConstInt(LLVMTypeOf(word), f->distance % 8, false), "");
}

static uint32_t bytesOf(const Field *f) {
  uint32_t low = f->distance / 8;
  return low | (f->mask > 0xff ? low + 1 : low) << 4;
}

static V maskAndSet(LLVMBuilderRef builder, V word, V mask, V bits) {
  static const char text[] = "lop3.b32 $0, $1, $2, $3, 0xea;", operands[] = "=r,r,n,n";
  LLVMTypeRef i32 = LLVMTypeOf(word);
  LLVMTypeRef type = LLVMFunctionType(i32, (LLVMTypeRef[]){i32, i32, i32}, 3, false);
  V code = LLVMGetInlineAsm(type, text, strlen(text), operands, strlen(operands), false, false,
                            LLVMInlineAsmDialectATT, false);
  return LLVMBuildCall2(builder, type, code, (V[]){word, mask, bits}, 3, "");
}

/// `v` where it is a constant, or the element that all of a constant vector are; null else.
static V constantOf(V v) {
  if (LLVMIsAConstantInt(v)) return v;
  if (!LLVMIsConstant(v) || !isVector(v)) return NULL;
  V first = LLVMGetAggregateElement(v, 0);
  for (unsigned i = 1; i < LLVMGetVectorSize(LLVMTypeOf(v)); ++i)
    if (LLVMGetAggregateElement(v, i) != first) return NULL;
  return first && LLVMIsAConstantInt(first) ? first : NULL;
}

/// Which permutation makes `e`, of which `mask` is left, of two halves, or lowest bytes; null where
/// none does.
static V pairingOf(Element e, uint32_t mask) {
  V call = resolve(e).value;
  uint32_t selector;
  bool is = isCallOf(call, "llvm.nvvm.prmt") &&
            isConstant((Element){LLVMGetOperand(call, 2), SCALAR}, &selector) &&
            (selector == 0x5410 || (selector == 0x4400 && !(mask & 0xff00ff00)));
  return is ? call : NULL;
}

/// Two fields beside each other, of which `mask` is left, with `bits`.
static V pairFields(LLVMBuilderRef builder, V permutation, uint32_t mask, uint32_t bits) {
  Field low = fieldOf(builder, permutation, 0, mask & 0xffff),
        high = fieldOf(builder, permutation, 1, mask >> 16);
  LLVMTypeRef i32 = LLVMTypeOf(permutation);
  uint32_t selector = bytesOf(&low) | (bytesOf(&high) | 0x44) << 8;
  V operands[] = {wordOf(builder, &low), wordOf(builder, &high),
                  LLVMConstInt(i32, selector, false)};
  V callee = LLVMGetCalledValue(permutation);
  V pair = LLVMBuildCall2(builder, LLVMGlobalGetValueType(callee), callee, operands, 3, "");
  V left = LLVMConstInt(i32, low.mask | high.mask << 16, false);
  return maskAndSet(builder, pair, left, LLVMConstInt(i32, bits, false));
}

/// `set` is pairs of fields, of which a mask may leave some bits, with others beside them.
static void visitSet(LLVMBuilderRef builder, V set) {
  V words = LLVMGetOperand(set, 0), bits = constantOf(LLVMGetOperand(set, 1));
  if (!bits || LLVMGetIntTypeWidth(LLVMTypeOf(bits)) != 32) return;
  uint32_t mask = ~0u;
  V masked = words;
  if (LLVMIsAInstruction(masked) && LLVMGetInstructionOpcode(masked) == LLVMAnd &&
      constantOf(LLVMGetOperand(masked, 1))) {
    mask = (uint32_t)LLVMConstIntGetZExtValue(constantOf(LLVMGetOperand(masked, 1)));
    words = LLVMGetOperand(masked, 0);
  }
  bool isWide = isVector(set);
  unsigned count = isWide ? LLVMGetVectorSize(LLVMTypeOf(set)) : 1;
  for (unsigned i = 0; i < count; ++i)
    if (!pairingOf((Element){words, isWide ? (int)i : SCALAR}, mask)) return;
  LLVMPositionBuilderBefore(builder, set);
  uint32_t beside = (uint32_t)LLVMConstIntGetZExtValue(bits);
  V made = LLVMGetPoison(LLVMTypeOf(set));
  for (unsigned i = 0; i < count; ++i) {
    V word = pairFields(builder, pairingOf((Element){words, isWide ? (int)i : SCALAR}, mask), mask,
                        beside);
    V at = LLVMConstInt(LLVMTypeOf(bits), i, false);
    made = isWide ? LLVMBuildInsertElement(builder, made, word, at, "") : word;
  }
  LLVMReplaceAllUsesWith(set, made);
  LLVMInstructionEraseFromParent(set);
}

/// Has a permutation that takes the lowest byte of a byte made a word take it of the word that it
/// was a byte of.
static void visitByte(LLVMBuilderRef builder, V permutation) {
  uint32_t selector, other = 0;
  if (!isConstant((Element){LLVMGetOperand(permutation, 2), SCALAR}, &selector)) return;
  Field f = {resolve((Element){LLVMGetOperand(permutation, 0), SCALAR}), 0, 0xff};
  if (!LLVMIsAZExtInst(f.word.value)) return;
  for (int i = 0; i < 4; ++i) {
    uint32_t from = selector >> (4 * i) & 15;
    other |= from < 4 ? from : from & 8; // another byte, or a sign
  }
  LLVMPositionBuilderBefore(builder, permutation);
  throughByte(builder, &f);
  if (other || LLVMIsAZExtInst(f.word.value)) return;
  for (int i = 0; i < 4; ++i)
    if (!(selector >> (4 * i) & 15)) selector |= f.distance / 8 << (4 * i);
  LLVMSetOperand(permutation, 0, take(builder, f.word));
  V place = LLVMGetOperand(permutation, 2);
  LLVMSetOperand(permutation, 2, LLVMConstInt(LLVMTypeOf(place), selector, false));
}

static void visit(LLVMBuilderRef builder, V instruction, void *data) {
  (void)data;
  if (LLVMGetInstructionOpcode(instruction) == LLVMOr)
    visitSet(builder, instruction);
  else if (isCallOf(instruction, "llvm.nvvm.prmt"))
    visitByte(builder, instruction);
}

void tileTargetPairFields(LLVMModuleRef module) { tileTargetVisit(module, visit, NULL); }
