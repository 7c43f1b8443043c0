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
#include "../Emit.h"
#include "llvm-c/Core.h"
#include <string.h>

typedef LLVMValueRef V;

enum { SCALAR = -1, DEPTH = 12 };

/// An element of a vector, or a scalar.
typedef struct {
  V value;
  int at; ///< SCALAR for a scalar
} Element;

/// Follows `e` through what takes vectors apart and puts them together.
static Element resolve(Element e) {
  for (int depth = 0; depth < 4 * DEPTH; ++depth) {
    V v = e.value;
    if (LLVMIsAExtractElementInst(v) && LLVMIsAConstantInt(LLVMGetOperand(v, 1))) {
      e = (Element){LLVMGetOperand(v, 0), (int)LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1))};
    } else if (LLVMIsAInsertElementInst(v) && LLVMIsAConstantInt(LLVMGetOperand(v, 2))) {
      bool isIt = (int)LLVMConstIntGetZExtValue(LLVMGetOperand(v, 2)) == e.at;
      e = isIt ? (Element){LLVMGetOperand(v, 1), SCALAR} : (Element){LLVMGetOperand(v, 0), e.at};
    } else if (LLVMIsAShuffleVectorInst(v)) {
      int from = LLVMGetMaskValue(v, (unsigned)e.at);
      int first = (int)LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(v, 0)));
      if (from < 0) return e;
      bool isSecond = from >= first;
      e = (Element){LLVMGetOperand(v, isSecond), isSecond ? from - first : from};
    } else {
      return e;
    }
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

static bool isCallOf(V v, const char *name) {
  if (!LLVMIsACallInst(v)) return false;
  size_t length;
  const char *callee = LLVMGetValueName2(LLVMGetCalledValue(v), &length);
  return length == strlen(name) && !strncmp(callee, name, length);
}

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

/// The largest of the bytes that `selector` takes of operand `which`; -1 where it takes none.
static int highestByte(uint32_t selector, unsigned which) {
  int highest = -1;
  for (int i = 0; i < 4; ++i) {
    int from = (int)(selector >> (4 * i) & 15);
    if (from & 8) return 3; // a sign
    if ((unsigned)from / 4 == which && from % 4 > highest) highest = from % 4;
  }
  return highest;
}

/// Has `call`, a permutation of `*selector`, take other bytes of what its operand `which` shifts.
static bool foldShift(LLVMBuilderRef builder, V call, unsigned which, uint32_t *selector) {
  Element shift = resolve((Element){LLVMGetOperand(call, which), SCALAR});
  if (!LLVMIsAInstruction(shift.value)) return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(shift.value);
  if (opcode != LLVMLShr && opcode != LLVMAShr) return false;
  Element distance = operandOf(shift, 1);
  Known known = knownOf(distance, DEPTH);
  int highest = highestByte(*selector, which), bytes = (int)(known.one / 8 % 4);
  if ((known.zero ^ known.one) != ~0u || known.one >= 32 || highest < 0) return false;
  if (highest + bytes > 3) return false;
  uint32_t rest = known.one % 8;
  bool isConst = LLVMIsConstant(distance.value);
  if (!bytes && isConst) return false;
  V word = take(builder, operandOf(shift, 0));
  if (rest) {
    V by = LLVMConstInt(LLVMTypeOf(word), rest, false);
    word = opcode == LLVMLShr ? LLVMBuildLShr(builder, word, by, "")
                              : LLVMBuildAShr(builder, word, by, "");
  }
  for (int i = 0; i < 4; ++i)
    if ((*selector >> (4 * i) & 15) / 4 == which) *selector += (uint32_t)bytes << (4 * i);
  LLVMSetOperand(call, which, word);
  return true;
}

static void foldShifts(LLVMBuilderRef builder, V call) {
  uint32_t selector;
  if (!isConstant((Element){LLVMGetOperand(call, 2), SCALAR}, &selector)) return;
  LLVMPositionBuilderBefore(builder, call);
  bool first = foldShift(builder, call, 0, &selector),
       second = foldShift(builder, call, 1, &selector);
  if (first || second)
    LLVMSetOperand(call, 2, LLVMConstInt(LLVMTypeOf(LLVMGetOperand(call, 2)), selector, false));
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
  if (!LLVMIsConstant(v) || LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVectorTypeKind) return NULL;
  V first = LLVMGetAggregateElement(v, 0);
  for (unsigned i = 1; i < LLVMGetVectorSize(LLVMTypeOf(v)); ++i)
    if (LLVMGetAggregateElement(v, i) != first) return NULL;
  return first && LLVMIsAConstantInt(first) ? first : NULL;
}

static bool isPermuted(Element e) { return isCallOf(resolve(e).value, "llvm.nvvm.prmt"); }

/// `set` is pairs of which a mask leaves some bits, with others beside them.
static void joinMask(LLVMBuilderRef builder, V set) {
  V masked = LLVMGetOperand(set, 0), bits = constantOf(LLVMGetOperand(set, 1));
  if (!bits || LLVMGetIntTypeWidth(LLVMTypeOf(bits)) != 32 || !LLVMIsAInstruction(masked) ||
      LLVMGetInstructionOpcode(masked) != LLVMAnd)
    return;
  V words = LLVMGetOperand(masked, 0), mask = constantOf(LLVMGetOperand(masked, 1));
  bool isVector = LLVMGetTypeKind(LLVMTypeOf(set)) == LLVMVectorTypeKind;
  if (!mask || !isPermuted((Element){words, isVector ? 0 : SCALAR})) return;
  LLVMPositionBuilderBefore(builder, set);
  LLVMTypeRef i32 = LLVMTypeOf(bits);
  V made = LLVMGetPoison(LLVMTypeOf(set));
  if (!isVector) made = maskAndSet(builder, words, mask, bits);
  for (unsigned i = 0; isVector && i < LLVMGetVectorSize(LLVMTypeOf(set)); ++i) {
    V word = take(builder, resolve((Element){words, (int)i}));
    V at = LLVMConstInt(i32, i, false);
    made = LLVMBuildInsertElement(builder, made, maskAndSet(builder, word, mask, bits), at, "");
  }
  LLVMReplaceAllUsesWith(set, made);
  LLVMInstructionEraseFromParent(set);
}

static void visit(LLVMBuilderRef builder, V instruction, void *data) {
  (void)data;
  if (isCallOf(instruction, "llvm.nvvm.prmt"))
    foldShifts(builder, instruction);
  else if (LLVMGetInstructionOpcode(instruction) == LLVMOr)
    joinMask(builder, instruction);
}

void tileTargetPairFields(LLVMModuleRef module) { tileTargetVisit(module, visit, NULL); }
