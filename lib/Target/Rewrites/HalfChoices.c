//===- HalfChoices.c - choices between numbers of 16 bits -----------------===//
//
// Before:  %n = fptrunc <8 x float> %x to <8 x half>
//          %y = select <8 x i1> %c, <8 x half> %n, <8 x half> zeroinitializer
// After:   %w = select <8 x i1> %c, <8 x float> %x, <8 x float> zeroinitializer
//          %y = fptrunc <8 x float> %w to <8 x half>
//
// Before:  %y = select <8 x i1> %c, <8 x half> %a, <8 x half> %b
// After:   for each two numbers, a word of %a, where %c does not hold for the first, the second:
//          @!%c0 prmt.b32 %w, %w, %v, 0x3254;
//          @!%c1 prmt.b32 %w, %w, %v, 0x7610;
//
// ptxas takes words apart to choose between halves of them, and joins them again: four or five
// instructions for two numbers. Narrowing two numbers is one, and what is done under a predicate is
// two. The optimizer moves conversions into the arms of a choice where one is a constant: what a
// mask leaves of scores on their way to a dot, or what dropout does. So this comes behind it.
//
// Requires: nothing behind it that moves conversions.  Preserves: all but which NaN a NaN is.
//===----------------------------------------------------------------------===//
#include "Rewrites.h"
#include "llvm-c/Core.h"
#include <string.h>

static bool isUsedOnce(LLVMValueRef value) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use && !LLVMGetNextUse(use);
}

/// Is `arm` an f32 that is narrowed for this choice alone?
static bool isNarrowed(LLVMValueRef arm) {
  return LLVMIsAFPTruncInst(arm) && isUsedOnce(arm) &&
         LLVMGetTypeKind(tileTargetElementOf(LLVMTypeOf(LLVMGetOperand(arm, 0)))) ==
             LLVMFloatTypeKind;
}

/// Chooses in f32; null where no arm is narrowed, or the other no constant.
static LLVMValueRef chooseWide(LLVMBuilderRef builder, LLVMValueRef choice) {
  unsigned narrowed = isNarrowed(LLVMGetOperand(choice, 1)) ? 1 : 2;
  LLVMValueRef from = LLVMGetOperand(choice, narrowed),
               other = LLVMGetOperand(choice, 3 - narrowed);
  if (!isNarrowed(from) || !LLVMIsConstant(other)) return NULL;
  LLVMValueRef arms[2], wide = LLVMGetOperand(from, 0);
  arms[narrowed - 1] = wide;
  arms[2 - narrowed] = LLVMBuildFPExt(builder, other, LLVMTypeOf(wide), "");
  LLVMValueRef chosen = LLVMBuildSelect(builder, LLVMGetOperand(choice, 0), arms[0], arms[1], "");
  return LLVMBuildFPTrunc(builder, chosen, LLVMTypeOf(choice), "");
}

/// Element `i`, where vectors are put together of scalars, inserted or moved; else it is taken out.
static LLVMValueRef findElement(LLVMBuilderRef builder, LLVMValueRef vector, unsigned i) {
  unsigned lane = i;
  LLVMValueRef from = vector;
  while (from && LLVMGetTypeKind(LLVMTypeOf(from)) == LLVMVectorTypeKind)
    from = tileTargetStepBack(from, &lane);
  if (from) return from;
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(vector)));
  return LLVMBuildExtractElement(builder, vector, LLVMConstInt(i32, i, false), "");
}

/// The word `yes`, with those of its halves from `no` for which `holds` is false.
static LLVMValueRef chooseHalves(LLVMBuilderRef builder, LLVMValueRef yes, LLVMValueRef no,
                                 LLVMValueRef holds[2]) {
  if (holds[0] == holds[1]) return LLVMBuildSelect(builder, holds[0], yes, no, "");
  static const char text[] =
      "@!$3 prmt.b32 $0, $0, $2, 0x3254;\n\t@!$4 prmt.b32 $0, $0, $2, 0x7610;";
  static const char operands[] = "=r,0,r,b,b";
  LLVMTypeRef i32 = LLVMTypeOf(yes), i1 = LLVMTypeOf(holds[0]);
  LLVMTypeRef type = LLVMFunctionType(i32, (LLVMTypeRef[]){i32, i32, i1, i1}, 4, false);
  LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), operands, strlen(operands), false,
                                       false, LLVMInlineAsmDialectATT, false);
  return LLVMBuildCall2(builder, type, code, (LLVMValueRef[]){yes, no, holds[0], holds[1]}, 4, "");
}

/// Chooses halves of words; null where the numbers are put together one by one.
static LLVMValueRef choosePairs(LLVMBuilderRef builder, LLVMValueRef choice) {
  LLVMTypeRef type = LLVMTypeOf(choice);
  LLVMValueRef holds = LLVMGetOperand(choice, 0), yes = LLVMGetOperand(choice, 1);
  bool isVector = LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
                  LLVMGetTypeKind(LLVMTypeOf(holds)) == LLVMVectorTypeKind;
  if (!isVector || LLVMGetVectorSize(type) % 2 || LLVMIsConstant(yes) ||
      LLVMIsAInsertElementInst(yes) || LLVMIsConstant(holds))
    return NULL;
  unsigned words = LLVMGetVectorSize(type) / 2;
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  LLVMTypeRef packed = LLVMVectorType(i32, words);
  LLVMValueRef from = LLVMBuildBitCast(builder, yes, packed, "");
  LLVMValueRef other = LLVMBuildBitCast(builder, LLVMGetOperand(choice, 2), packed, "");
  LLVMValueRef chosen = LLVMGetPoison(packed);
  for (unsigned i = 0; i < words; ++i) {
    LLVMValueRef place = LLVMConstInt(i32, i, false);
    LLVMValueRef pair[2] = {findElement(builder, holds, 2 * i),
                            findElement(builder, holds, 2 * i + 1)};
    LLVMValueRef a = LLVMBuildExtractElement(builder, from, place, "");
    LLVMValueRef b = LLVMBuildExtractElement(builder, other, place, "");
    LLVMValueRef word = chooseHalves(builder, a, b, pair);
    chosen = LLVMBuildInsertElement(builder, chosen, word, place, "");
  }
  return LLVMBuildBitCast(builder, chosen, type, "");
}

static void visit(LLVMBuilderRef builder, LLVMValueRef choice, void *data) {
  (void)data;
  if (!LLVMIsASelectInst(choice) || !tileTargetIsHalf(tileTargetElementOf(LLVMTypeOf(choice))))
    return;
  LLVMPositionBuilderBefore(builder, choice);
  LLVMValueRef chosen = chooseWide(builder, choice);
  if (!chosen) chosen = choosePairs(builder, choice);
  if (!chosen) return;
  LLVMReplaceAllUsesWith(choice, chosen);
  LLVMInstructionEraseFromParent(choice);
}

void tileTargetChooseHalves(LLVMModuleRef module) { tileTargetVisit(module, visit, NULL); }
