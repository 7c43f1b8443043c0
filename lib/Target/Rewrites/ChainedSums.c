//===- ChainedSums.c - addresses, a number of 32 bits at a time -----------===//
//
// Before:  %i = sext i32 %rows to i64            After:  %i = sext i32 %rows to i64
//          %j = sext i32 %taps to i64                    %f = shl i64 %i, 1
//          %s = add i64 %i, %j                           %q = add i64 %p, %f     (with the two
//          %f = shl i64 %s, 1                                            above one instruction)
//          %a = add i64 %p, %f                           %j = sext i32 %taps to i64
//                                                        %g = shl i64 %j, 1
//                                                        %a = add i64 %q, %g     (another one)
//
// The optimizer adds up numbers before it scales them. Of 32 bits each takes one instruction that
// extends, scales and adds it, where it is added by itself; the sum of 64 bits takes two for each
// number, and two more to be scaled and added. What many addresses share is added first, and once.
//
// Requires: nothing behind it that adds up numbers; numbers, not vectors.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "Rewrites.h"
#include "llvm-c/Core.h"

enum { MOST_TERMS = 6, MOST_SUMS = 1024 };

/// `value` times 2 to `shift`, which so many others want as well.
typedef struct {
  LLVMValueRef value;
  unsigned shift, uses;
} Term;

/// %result = %sum + %value times 2 to `shift`
typedef struct {
  LLVMValueRef sum, value, result;
  unsigned shift;
} Sum;

typedef struct {
  Sum of[MOST_SUMS];
  int count;
} Sums;

static bool isOp(LLVMValueRef value, LLVMOpcode opcode) {
  return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

static bool isWide(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64;
}

/// Is it a number of 32 bits, extended?
static bool isNarrow(LLVMValueRef value) {
  if (!isOp(value, LLVMSExt) && !isOp(value, LLVMZExt)) return false;
  LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(value, 0));
  return LLVMGetTypeKind(from) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(from) == 32;
}

static unsigned countUses(LLVMValueRef value) {
  unsigned count = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use && count < 64; use = LLVMGetNextUse(use))
    ++count;
  return count;
}

/// The numbers that `value` is the sum of; false: of too many. What others read, too, is one, but
/// for `isTop`.
static bool findTerms(LLVMValueRef value, unsigned shift, unsigned uses, bool isTop, Term *terms,
                      int *count) {
  unsigned own = countUses(value);
  if (own > uses) uses = own;
  LLVMValueRef by = isOp(value, LLVMShl) ? LLVMGetOperand(value, 1) : NULL;
  if (by && LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by) < 8)
    return findTerms(LLVMGetOperand(value, 0), shift + (unsigned)LLVMConstIntGetZExtValue(by), uses,
                     false, terms, count);
  if (isOp(value, LLVMAdd) && (isTop || own == 1))
    return findTerms(LLVMGetOperand(value, 0), shift, 1, false, terms, count) &&
           findTerms(LLVMGetOperand(value, 1), shift, 1, false, terms, count);
  if (*count == MOST_TERMS) return false;
  terms[(*count)++] = (Term){value, shift, uses};
  return true;
}

/// Wide ones first, and then what most others want.
static bool isBefore(const Term *a, const Term *b) {
  bool narrow = isNarrow(a->value);
  return narrow == isNarrow(b->value) ? a->uses > b->uses : !narrow;
}

static void sort(Term *terms, int count) {
  for (int i = 1; i < count; ++i)
    for (int j = i; j > 0 && isBefore(&terms[j], &terms[j - 1]); --j) {
      Term term = terms[j];
      terms[j] = terms[j - 1];
      terms[j - 1] = term;
    }
}

static LLVMValueRef addTerm(LLVMBuilderRef builder, Sums *sums, LLVMValueRef sum, Term term) {
  for (int i = 0; i < sums->count; ++i) {
    const Sum *s = &sums->of[i];
    if (s->sum == sum && s->value == term.value && s->shift == term.shift) return s->result;
  }
  LLVMValueRef value = term.value;
  if (term.shift)
    value = LLVMBuildShl(builder, value, LLVMConstInt(LLVMTypeOf(value), term.shift, false), "");
  LLVMValueRef result = sum ? LLVMBuildAdd(builder, sum, value, "") : value;
  if (sums->count < MOST_SUMS) sums->of[sums->count++] = (Sum){sum, term.value, result, term.shift};
  return result;
}

/// Does something read the sum that is no sum itself?
static bool isRead(LLVMValueRef sum) {
  for (LLVMUseRef use = LLVMGetFirstUse(sum); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!isOp(user, LLVMAdd) && !isOp(user, LLVMShl)) return true;
  }
  return false;
}

static void chain(LLVMBuilderRef builder, Sums *sums, LLVMValueRef sum) {
  Term terms[MOST_TERMS];
  int count = 0, narrow = 0;
  if (!findTerms(sum, 0, 1, true, terms, &count)) return;
  for (int i = 0; i < count; ++i) narrow += isNarrow(terms[i].value);
  if (narrow < 2 || narrow == count) return;
  sort(terms, count);
  LLVMPositionBuilderBefore(builder, sum);
  LLVMValueRef all = NULL;
  for (int i = 0; i < count; ++i) all = addTerm(builder, sums, all, terms[i]);
  LLVMReplaceAllUsesWith(sum, all);
}

void tileTargetChainSums(LLVMBuilderRef builder, LLVMBasicBlockRef block) {
  Sums sums = {.count = 0};
  LLVMValueRef instruction = LLVMGetFirstInstruction(block), next;
  for (; instruction; instruction = next) {
    next = LLVMGetNextInstruction(instruction);
    if (isOp(instruction, LLVMAdd) && isWide(instruction) && isRead(instruction))
      chain(builder, &sums, instruction);
  }
}
