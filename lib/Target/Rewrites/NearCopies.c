//===- NearCopies.c - what one copy wants, in front of that copy ----------===//
//
// Before:  %r0 = add i32 %row0, %tap           After:  %r0 = add i32 %row0, %tap
//          %r1 = add i32 %row1, %tap                   %in0 = icmp ult i32 %r0, %rows
//          %in0 = icmp ult i32 %r0, %rows              asm "@$2 cp.async .." (.., %r0 .., %in0)
//          %in1 = icmp ult i32 %r1, %rows              %r1 = add i32 %row1, %tap
//          asm "@$2 cp.async .." (.., %r0 .., %in0)    %in1 = icmp ult i32 %r1, %rows
//          asm "@$2 cp.async .." (.., %r1 .., %in1)    asm "@$2 cp.async .." (.., %r1 .., %in1)
//
// Tiles are computed op by op, so that masks and addresses of all of a step's copies are there
// before the first of them begins. ptxas, which leaves the order of what it takes for memory as it
// is, holds them: sixteen rows of a convolution are 32 registers of addresses, and of their truths,
// for which there are seven predicates, it makes bits of a word, three instructions each.
//
// Arithmetic alone moves, down, within its block, to the first copy that wants it, and only where
// copies are all that do. Vectors of numbers are taken apart for it.
//
// A column's part of an address that four rows and more are added to is one number in a step: the
// code generator, which would have each sum move on by itself, as far as it sees one, holds a
// register for each row and column all along. It does not look through a freeze. So it is in
// kernels of many loops with products, whose numbers are held beside each other; one loop has the
// room.
//
// Requires: nothing behind it that brings arithmetic in order.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "../Emit.h"
#include "tile/Support/PointerTable.h"
#include "llvm-c/Core.h"
#include <string.h>

enum { MOST_LANES = 128, LEAST_ROWS = 4, MOST_HELD = 32 };

/// The lanes of a vector that is taken apart.
typedef struct {
  LLVMValueRef lanes[MOST_LANES];
} Lanes;

/// Text of PTX; "": it is none.
static const char *textOf(LLVMValueRef instruction) {
  if (!LLVMIsACallInst(instruction)) return "";
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  size_t length = 0;
  return LLVMIsAInlineAsm(callee) ? LLVMGetInlineAsmAsmString(callee, &length) : "";
}

/// A copy of a thread, or a load under a mask.
static bool isCopy(LLVMValueRef instruction) {
  const char *text = textOf(instruction);
  return strstr(text, "cp.async.c") || strstr(text, "ld.global");
}

/// Does it multiply on the tensor cores?
static bool multiplies(LLVMValueRef instruction) {
  return strstr(textOf(instruction), "mma") || strstr(tileTargetGetCallee(instruction), "mma");
}

/// Arithmetic that neither memory nor another thread has a part in.
static bool isArithmetic(LLVMValueRef instruction) {
  return LLVMIsABinaryOperator(instruction) || LLVMIsACmpInst(instruction) ||
         LLVMIsACastInst(instruction) || LLVMIsASelectInst(instruction) ||
         LLVMIsAGetElementPtrInst(instruction) || LLVMIsAExtractElementInst(instruction) ||
         LLVMIsAFreezeInst(instruction);
}

/// What is computed in front of a copy, and how many there are from that one on.
typedef struct {
  LLVMValueRef copy;
  int place;
} Owner;

/// The first copy that wants what `instruction` computes, where copies of its block are all that
/// do; NULL: something else does. `owners` has that of each instruction behind it, and copies.
static const Owner *findOwner(TilePointerTable owners, LLVMValueRef instruction) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
  const Owner *first = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(instruction); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    const Owner *own = LLVMIsAInstruction(user) && LLVMGetInstructionParent(user) == block
                           ? tilePointerTableFind(owners, user)
                           : NULL;
    if (!own) return NULL;
    if (!first || own->place > first->place) first = own;
  }
  return first;
}

/// Lane `i` of `value`, in front of where `builder` stands.
static LLVMValueRef laneOf(TilePointerTable apart, LLVMBuilderRef builder, LLVMValueRef value,
                           unsigned i) {
  for (LLVMValueRef from = value; from;) {
    value = from;
    from = tileTargetStepBack(value, &i);
  }
  if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVectorTypeKind) return value;
  if (LLVMIsConstant(value)) return LLVMGetAggregateElement(value, i);
  const Lanes *known = tilePointerTableFind(apart, value);
  if (known) return known->lanes[i];
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(value)));
  return LLVMBuildExtractElement(builder, value, LLVMConstInt(i32, i, false), "");
}

/// Lane `i` of what `instruction` computes, computed by itself; NULL: of what has no such form
/// here.
static LLVMValueRef buildLane(TilePointerTable apart, LLVMBuilderRef builder,
                              LLVMValueRef instruction, unsigned i) {
  LLVMValueRef operands[3];
  int count = LLVMGetNumOperands(instruction);
  for (int o = 0; o < count; ++o) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)o);
    bool isVector = LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMVectorTypeKind;
    operands[o] = isVector ? laneOf(apart, builder, operand, i) : operand;
  }
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(instruction));
  if (LLVMIsABinaryOperator(instruction))
    return LLVMBuildBinOp(builder, opcode, operands[0], operands[1], "");
  if (opcode == LLVMICmp)
    return LLVMBuildICmp(builder, LLVMGetICmpPredicate(instruction), operands[0], operands[1], "");
  if (opcode == LLVMSelect)
    return LLVMBuildSelect(builder, operands[0], operands[1], operands[2], "");
  return LLVMBuildCast(builder, opcode, operands[0], element, "");
}

/// Is it arithmetic of integers, of words and wider or truths, that comes in vectors?
static bool isVectorArithmetic(LLVMValueRef instruction) {
  LLVMTypeRef type = LLVMTypeOf(instruction);
  bool casts = LLVMIsASExtInst(instruction) || LLVMIsAZExtInst(instruction);
  bool computes = LLVMIsABinaryOperator(instruction) || LLVMIsAICmpInst(instruction) ||
                  LLVMIsASelectInst(instruction) || casts;
  if (!computes || LLVMGetTypeKind(type) != LLVMVectorTypeKind) return false;
  LLVMTypeRef element = LLVMGetElementType(type);
  if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind || LLVMGetVectorSize(type) > MOST_LANES)
    return false;
  unsigned width = LLVMGetIntTypeWidth(element);
  return width == 1 || width >= 32;
}

/// Has what takes an element of a vector take that lane.
static void useLanes(LLVMValueRef vector, const Lanes *known) {
  for (LLVMUseRef use = LLVMGetFirstUse(vector), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAExtractElementInst(user)) continue;
    LLVMValueRef at = LLVMGetOperand(user, 1);
    if (!LLVMIsAConstantInt(at)) continue;
    LLVMReplaceAllUsesWith(user, known->lanes[LLVMConstIntGetZExtValue(at)]);
  }
}

/// Computes vectors of a block lane by lane, those of blocks in front of it by now. What still
/// wants a vector keeps it: the code generator makes the same lanes once.
static void takeApart(TilePointerTable *apart, LLVMBuilderRef builder, LLVMBasicBlockRef block) {
  LLVMValueRef instruction = LLVMGetFirstInstruction(block), next;
  for (; instruction; instruction = next) {
    next = LLVMGetNextInstruction(instruction);
    if (!isVectorArithmetic(instruction)) continue;
    LLVMPositionBuilderBefore(builder, instruction);
    unsigned count = LLVMGetVectorSize(LLVMTypeOf(instruction));
    Lanes known;
    for (unsigned i = 0; i < count; ++i)
      known.lanes[i] = buildLane(*apart, builder, instruction, i);
    *(Lanes *)tilePointerTableAdd(apart, instruction, sizeof known) = known;
    useLanes(instruction, &known);
  }
}

/// What nobody wants any more, the last first.
static void dropUnread(LLVMBasicBlockRef block) {
  LLVMValueRef instruction = LLVMGetLastInstruction(block), before;
  for (; instruction; instruction = before) {
    before = LLVMGetPreviousInstruction(instruction);
    bool pure = isArithmetic(instruction) || LLVMIsAShuffleVectorInst(instruction) ||
                LLVMIsAInsertElementInst(instruction);
    if (pure && !LLVMGetFirstUse(instruction)) LLVMInstructionEraseFromParent(instruction);
  }
}

/// How many instructions of a block `is` holds for.
static int count(LLVMBasicBlockRef block, bool (*is)(LLVMValueRef)) {
  int count = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    count += is(i);
  return count;
}

static bool hasProducts(LLVMValueRef function) {
  LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
  while (b && !count(b, multiplies)) b = LLVMGetNextBasicBlock(b);
  return b != NULL;
}

static void moveBefore(LLVMBuilderRef builder, LLVMValueRef instruction, LLVMValueRef at) {
  LLVMInstructionRemoveFromParent(instruction);
  LLVMPositionBuilderBefore(builder, at);
  LLVMInsertIntoBuilder(builder, instruction);
}

/// Last ones first: where what wants an instruction goes, it follows.
static void sinkIn(LLVMBuilderRef builder, LLVMBasicBlockRef block) {
  TilePointerTable owners = {0}, tops = {0};
  int copies = 0;
  LLVMValueRef instruction = LLVMGetLastInstruction(block), before;
  for (; instruction; instruction = before) {
    before = LLVMGetPreviousInstruction(instruction);
    Owner owner = {.copy = NULL};
    if (isCopy(instruction)) owner = (Owner){instruction, ++copies};
    const Owner *found = isArithmetic(instruction) ? findOwner(owners, instruction) : NULL;
    if (found) owner = *found;
    if (!owner.copy) continue;
    *(Owner *)tilePointerTableAdd(&owners, instruction, sizeof owner) = owner;
    // The first of what stands in front of its copy by now.
    LLVMValueRef *top = tilePointerTableAdd(&tops, owner.copy, sizeof *top);
    if (*top) moveBefore(builder, instruction, *top);
    *top = instruction;
  }
  tilePointerTableClear(&owners);
  tilePointerTableClear(&tops);
}

/// How many rows, computed in front of `block`, `column` of it is added to.
static int countRows(LLVMBasicBlockRef block, LLVMValueRef column) {
  int rows = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(column); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef sum = LLVMGetUser(use);
    if (!LLVMIsAInstruction(sum) || LLVMGetInstructionParent(sum) != block ||
        LLVMGetInstructionOpcode(sum) != LLVMAdd)
      continue;
    LLVMValueRef row = LLVMGetOperand(sum, LLVMGetOperand(sum, 0) == column);
    rows += LLVMIsAInstruction(row) && LLVMGetInstructionParent(row) != block;
  }
  return rows;
}

/// The same where `instruction` is a column that so many are added to; else 0.
static int rowsOf(LLVMBasicBlockRef block, LLVMValueRef instruction) {
  LLVMTypeRef type = LLVMTypeOf(instruction);
  bool computes = LLVMIsABinaryOperator(instruction) || LLVMIsAExtractElementInst(instruction);
  if (!computes || LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 32)
    return 0;
  int rows = countRows(block, instruction);
  return rows < LEAST_ROWS ? 0 : rows;
}

/// Hides of columns that rows are added to how they move on from step to step, where these sums
/// would be too many registers.
static void hideColumns(LLVMBuilderRef builder, LLVMBasicBlockRef block) {
  int sums = 0;
  LLVMValueRef instruction = LLVMGetFirstInstruction(block), next;
  for (; instruction; instruction = LLVMGetNextInstruction(instruction))
    sums += rowsOf(block, instruction);
  if (sums < MOST_HELD) return;
  for (instruction = LLVMGetFirstInstruction(block); instruction; instruction = next) {
    next = LLVMGetNextInstruction(instruction);
    if (!rowsOf(block, instruction)) continue;
    LLVMPositionBuilderBefore(builder, next);
    LLVMValueRef hidden = LLVMBuildFreeze(builder, instruction, "");
    LLVMReplaceAllUsesWith(instruction, hidden);
    LLVMSetOperand(hidden, 0, instruction);
  }
}

/// Is it all of a loop with `copies` or more?
static bool isLoop(LLVMBasicBlockRef block, int copies) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  bool loops = false;
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); ++i)
    loops |= LLVMGetSuccessor(end, i) == block;
  return loops && count(block, isCopy) >= copies;
}

static int countLoops(LLVMValueRef function, int copies) {
  int loops = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    loops += isLoop(b, copies);
  return loops;
}

static void runFunction(LLVMBuilderRef builder, LLVMValueRef function, int copies, int manyLoops) {
  LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
  while (b && count(b, isCopy) < copies) b = LLVMGetNextBasicBlock(b);
  if (!b || !hasProducts(function)) return;
  bool hasLoops = countLoops(function, copies) >= manyLoops;
  TilePointerTable apart = {0};
  for (b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    takeApart(&apart, builder, b);
  tilePointerTableClear(&apart);
  for (b = LLVMGetLastBasicBlock(function); b; b = LLVMGetPreviousBasicBlock(b)) dropUnread(b);
  for (b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    if (count(b, isCopy) < copies) continue;
    if (hasLoops) hideColumns(builder, b);
    tileTargetChainSums(builder, b);
    dropUnread(b);
    sinkIn(builder, b);
  }
}

void tileTargetSinkToCopies(LLVMModuleRef module, int copies, int manyLoops) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    runFunction(builder, f, copies, manyLoops);
  LLVMDisposeBuilder(builder);
}
