//===- CountDown.c - loops of unknown length that count down to 0 ---------===//
//
// Before:  loop:
//            %i = phi i32 [ %first, %entry ], [ %next, %loop ]
//            %x = load float, ptr addrspace(1) %p           // little, as of a row's neighbours
//            %next = add i32 %i, 1                        // or another power of two
//            %more = icmp slt i32 %next, %end
//            br i1 %more, label %loop, label %exit
// After:   entry: %length = sub i32 %end, %first, or 1 where that is not above 0
//          loop:
//            %left = phi i32 [ %length, %entry ], [ %rest, %loop ]
//            ..
//            %next = add nsw i32 %i, 1
//            %rest = asm "add.s32 $0, $1, -1;" (%left)
//            %more = icmp ne i32 %rest, 0
//
// Rows of a sparse matrix, bags of an embedding and lists of neighbours begin and end where memory
// says. ptxas unrolls such a loop by four, so that loads of four steps are on their way together,
// if it counts to 0, and leaves it as it is if its end is a comparison of two numbers. %i is
// compared with nothing then, and is no more than %end in any step that there is: it does not wrap,
// and addresses that follow from it move on by themselves.
//
// Declines: loops of several blocks, of a known number of steps, without loads or with more than
// `bytes` of them a thread, and what waits for copies or for other threads.
// Requires: loops that test at their end.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "Rewrites.h"
#include "llvm-c/Core.h"
#include "llvm-c/Target.h"
#include <string.h>

/// A loop of one block, and what it counts.
typedef struct {
  LLVMBasicBlockRef block, entry;
  LLVMValueRef branch, test, next, first, end;
  uint64_t step;
} Loop;

static bool isIn(LLVMValueRef value, LLVMBasicBlockRef block) {
  return LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) == block;
}

/// A power of two that is added; 0: none is.
static uint64_t stepOf(LLVMValueRef value) {
  int64_t step = LLVMIsAConstantInt(value) ? LLVMConstIntGetSExtValue(value) : 0;
  return step > 0 && !(step & (step - 1)) ? (uint64_t)step : 0;
}

/// Finds where %next comes from; false where it is no counter of such steps.
static bool findCounter(Loop *loop) {
  LLVMValueRef next = loop->next;
  if (!LLVMIsAInstruction(next) || LLVMGetInstructionOpcode(next) != LLVMAdd) return false;
  LLVMValueRef phi = LLVMGetOperand(next, 0);
  loop->step = stepOf(LLVMGetOperand(next, 1));
  if (!LLVMIsAPHINode(phi) || !isIn(phi, loop->block) || !loop->step) return false;
  if (LLVMCountIncoming(phi) != 2) return false;
  unsigned own = LLVMGetIncomingBlock(phi, 0) == loop->block ? 0 : 1;
  loop->first = LLVMGetIncomingValue(phi, 1 - own);
  loop->entry = LLVMGetIncomingBlock(phi, 1 - own);
  return LLVMGetIncomingValue(phi, own) == next && loop->entry != loop->block;
}

static bool findLoop(LLVMValueRef branch, Loop *loop) {
  if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch)) return false;
  *loop = (Loop){.block = LLVMGetInstructionParent(branch), .branch = branch};
  loop->test = LLVMGetCondition(branch);
  if (LLVMGetSuccessor(branch, 0) != loop->block || !LLVMIsAICmpInst(loop->test)) return false;
  LLVMIntPredicate predicate = LLVMGetICmpPredicate(loop->test);
  if (predicate != LLVMIntSLT && predicate != LLVMIntULT) return false;
  loop->next = LLVMGetOperand(loop->test, 0);
  loop->end = LLVMGetOperand(loop->test, 1);
  if (isIn(loop->end, loop->block) || !findCounter(loop)) return false;
  unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(loop->next));
  return (width == 32 || width == 64) &&
         (!LLVMIsAConstant(loop->first) || !LLVMIsAConstant(loop->end));
}

/// Does the call wait for other threads, or for copies?
static bool waits(LLVMValueRef call) {
  static const char *const names[] = {"bar", "async", "mma", "fence", "atom", "try_wait"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strstr(tileTargetGetCalled(call), names[i])) return true;
  return false;
}

static bool isGlobalLoad(LLVMValueRef instruction) {
  enum { GLOBAL = 1 };
  if (LLVMIsACallInst(instruction)) return strstr(tileTargetGetCalled(instruction), "ld.global");
  if (!LLVMIsALoadInst(instruction)) return false;
  return LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(instruction, 0))) == GLOBAL;
}

/// Does a step load something, and `most` bytes a thread at most?
static bool loadsLittle(LLVMTargetDataRef layout, LLVMBasicBlockRef block, uint64_t most) {
  uint64_t bytes = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    if (LLVMIsACallInst(i) && waits(i)) return false;
    if (isGlobalLoad(i)) bytes += LLVMABISizeOfType(layout, LLVMTypeOf(i));
  }
  return bytes > 0 && bytes <= most;
}

/// `left` - 1, as text, for which the code generator has no other counter.
static LLVMValueRef buildRest(LLVMBuilderRef builder, LLVMValueRef left) {
  LLVMTypeRef type = LLVMTypeOf(left), function = LLVMFunctionType(type, &type, 1, false);
  bool isWide = LLVMGetIntTypeWidth(type) == 64;
  const char *text = isWide ? "add.s64 $0, $1, -1;" : "add.s32 $0, $1, -1;";
  const char *operands = isWide ? "=l,l" : "=r,r";
  LLVMValueRef minus = LLVMGetInlineAsm(function, text, strlen(text), operands, strlen(operands),
                                        false, false, LLVMInlineAsmDialectATT, false);
  return LLVMBuildCall2(builder, function, minus, &left, 1, "");
}

static void countDown(LLVMBuilderRef builder, const Loop *loop) {
  LLVMTypeRef type = LLVMTypeOf(loop->next);
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(loop->entry));
  LLVMIntPredicate predicate = LLVMGetICmpPredicate(loop->test);
  LLVMValueRef one = LLVMConstInt(type, 1, false), none = LLVMConstNull(type);
  LLVMValueRef several = LLVMBuildICmp(builder, predicate, loop->first, loop->end, "");
  LLVMValueRef steps = LLVMBuildSub(builder, loop->end, loop->first, "");
  if (loop->step > 1) {
    // What is left of a step is one more; it all lies between 0 and a number without a sign.
    LLVMValueRef last = LLVMBuildSub(builder, steps, one, "");
    LLVMValueRef shift = LLVMConstInt(type, (unsigned)__builtin_ctzll(loop->step), false);
    steps = LLVMBuildAdd(builder, LLVMBuildLShr(builder, last, shift, ""), one, "");
  }
  LLVMValueRef length = LLVMBuildSelect(builder, several, steps, one, "");
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(loop->block));
  LLVMValueRef left = LLVMBuildPhi(builder, type, "");
  LLVMPositionBuilderBefore(builder, loop->branch);
  LLVMValueRef rest = buildRest(builder, left);
  LLVMValueRef values[] = {length, rest};
  LLVMBasicBlockRef blocks[] = {loop->entry, loop->block};
  LLVMAddIncoming(left, values, blocks, 2);
  LLVMSetCondition(loop->branch, LLVMBuildICmp(builder, LLVMIntNE, rest, none, ""));
  if (LLVMGetFirstUse(loop->test)) return;
  LLVMInstructionEraseFromParent(loop->test);
  if (predicate == LLVMIntSLT)
    LLVMSetNSW(loop->next, true);
  else
    LLVMSetNUW(loop->next, true);
}

typedef struct {
  LLVMTargetDataRef layout;
  uint64_t most;
} Limits;

static void visit(LLVMBuilderRef builder, LLVMValueRef instruction, void *data) {
  const Limits *limits = data;
  Loop loop;
  if (findLoop(instruction, &loop) && loadsLittle(limits->layout, loop.block, limits->most))
    countDown(builder, &loop);
}

void tileTargetCountDown(LLVMModuleRef module, uint64_t bytes) {
  Limits limits = {LLVMGetModuleDataLayout(module), bytes};
  tileTargetVisit(module, visit, &limits);
}
