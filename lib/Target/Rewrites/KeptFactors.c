//===- KeptFactors.c - factors that ptxas would make anew, kept -----------===//
//
// Before:  %y = call <64 x half> @llvm.fma.v64f16(<64 x half> %x, <1, 1/16, ..>, <-1024, -64, ..>)
// After:   %kept = the word (1, 1/16), of which ptxas does not know that, in front of the program
//          %y = call <64 x half> @llvm.fma.v64f16(<64 x half> %x, %kept .., <-1024, -64, ..>)
//
// An instruction has room for one constant. The other one ptxas moves into a register in front of
// each, 27 of 283 instructions of a step of weights of 4 bits (TileToGPU/Numbers/FromNibbles.c). It
// keeps a word that it cannot know in one register, for all of a program.
//
// Declines: products of fewer pairs than `kept-pairs`, and factors beyond `kept-factors`.
// Requires: nothing behind it that folds inline PTX.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "Rewrites.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/Opaque.h"
#include "llvm-c/Core.h"
#include <string.h>

typedef LLVMValueRef V;

enum { MOST_KEPT = 16 }; ///< room for `kept-factors`

/// Words that a function keeps.
typedef struct {
  unsigned leastPairs; ///< of a product
  int most, count;
  V function;
  V pattern[MOST_KEPT], word[MOST_KEPT];
} Kept;

/// Is it a sum of products of pairs of 16 bits with two constants?
static bool isWithConstants(V call, unsigned leastPairs) {
  static const char prefix[] = "llvm.fma.v";
  if (strncmp(tileTargetGetCallee(call), prefix, strlen(prefix)) != 0) return false;
  LLVMTypeRef type = LLVMTypeOf(call);
  return tileTargetIsHalf(LLVMGetElementType(type)) && LLVMGetVectorSize(type) % 2 == 0 &&
         LLVMGetVectorSize(type) >= 2 * leastPairs && LLVMIsConstant(LLVMGetOperand(call, 1)) &&
         LLVMIsConstant(LLVMGetOperand(call, 2));
}

/// The two numbers that all pairs of `factors` are, as a vector of them; null where pairs differ,
/// or their two numbers are one, for which an instruction needs no word.
static V pairOf(V factors) {
  V pair[2] = {LLVMGetAggregateElement(factors, 0), LLVMGetAggregateElement(factors, 1)};
  if (!pair[0] || !pair[1] || pair[0] == pair[1]) return NULL;
  for (unsigned i = 2; i < LLVMGetVectorSize(LLVMTypeOf(factors)); ++i)
    if (LLVMGetAggregateElement(factors, i) != pair[i % 2]) return NULL;
  return LLVMConstVector(pair, 2);
}

/// The word, of which ptxas does not know what it is, made where the function begins.
static V keep(LLVMBuilderRef builder, Kept *kept, V function, V pattern) {
  if (kept->function != function) kept->count = 0;
  kept->function = function;
  for (int i = 0; i < kept->count; ++i)
    if (kept->pattern[i] == pattern) return kept->word[i];
  if (kept->count >= kept->most || kept->count == MOST_KEPT) return NULL;
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(pattern)));
  LLVMTypeRef type = LLVMFunctionType(i32, &i32, 1, false);
  static const char operands[] = "=r,r";
  V code = LLVMGetInlineAsm(type, TILE_OPAQUE_WORD, strlen(TILE_OPAQUE_WORD), operands,
                            strlen(operands), false, false, LLVMInlineAsmDialectATT, false);
  V known = LLVMConstBitCast(pattern, i32);
  V word = LLVMBuildCall2(builder, type, code, &known, 1, "");
  kept->pattern[kept->count] = pattern;
  kept->word[kept->count++] = word;
  return word;
}

static void visit(LLVMBuilderRef builder, V call, void *data) {
  Kept *kept = data;
  if (!isWithConstants(call, kept->leastPairs)) return;
  V pattern = pairOf(LLVMGetOperand(call, 1));
  if (!pattern) return;
  V function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  V word = keep(builder, kept, function, pattern);
  if (!word) return;
  LLVMPositionBuilderBefore(builder, call);
  LLVMTypeRef i32 = LLVMTypeOf(word), type = LLVMTypeOf(call);
  LLVMTypeRef words = LLVMVectorType(i32, LLVMGetVectorSize(type) / 2);
  V all = LLVMGetPoison(words);
  for (unsigned i = 0; i < LLVMGetVectorSize(words); ++i)
    all = LLVMBuildInsertElement(builder, all, word, LLVMConstInt(i32, i, false), "");
  LLVMSetOperand(call, 1, LLVMBuildBitCast(builder, all, type, ""));
}

void tileTargetKeepFactors(LLVMModuleRef module, const TileMachine *machine) {
  Kept kept = {.leastPairs = (unsigned)tileMachineNumber(machine, TILE_NUMBER_KEPT_PAIRS),
               .most = tileMachineNumber(machine, TILE_NUMBER_KEPT_FACTORS)};
  tileTargetVisit(module, visit, &kept);
}
