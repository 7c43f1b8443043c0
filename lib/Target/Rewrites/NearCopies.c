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
// copies are all that do. Vectors of numbers are taken apart for it. How columns of addresses move
// on is hidden first (HiddenColumns.c), and sums of 64 bits become chains of short ones
// (ChainedSums.c).
//
// Declines: kernels without products, and blocks of fewer than `near-copies`.
// Requires: nothing behind it that brings arithmetic in order.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "Rewrites.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/PointerTable.h"
#include "llvm-c/Core.h"
#include <string.h>

enum { MOST_LANES = 128 };

/// The lanes of a vector that is taken apart.
typedef struct {
  LLVMValueRef lanes[MOST_LANES];
} Lanes;

/// What is known of a block with copies.
typedef struct {
  LLVMBasicBlockRef block;
  int count; ///< of its copies
} Copying;

/// What a function copies, looked for once.
typedef struct {
  TilePointerTable copies; ///< a set: copies of a thread and loads, under a mask
  TilePointerTable blocks; ///< a Copying for each block that has some
  bool multiplies;         ///< on the tensor cores
} Found;

static void find(Found *found, LLVMBasicBlockRef block) {
  LLVMValueRef i = LLVMGetFirstInstruction(block);
  for (; i; i = LLVMGetNextInstruction(i)) {
    const char *text = tileTargetGetText(i); // of copies under a mask: others are intrinsics
    found->multiplies |= strstr(tileTargetGetCalled(i), "mma") != NULL;
    if (!strstr(text, "cp.async.c") && !strstr(text, "ld.global")) continue;
    tilePointerTableInsert(&found->copies, i);
    Copying *in = tilePointerTableAdd(&found->blocks, block, sizeof *in);
    in->block = block;
    ++in->count;
  }
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

static void moveBefore(LLVMBuilderRef builder, LLVMValueRef instruction, LLVMValueRef at) {
  LLVMInstructionRemoveFromParent(instruction);
  LLVMPositionBuilderBefore(builder, at);
  LLVMInsertIntoBuilder(builder, instruction);
}

/// Last ones first: where what wants an instruction goes, it follows.
static void sinkIn(LLVMBuilderRef builder, TilePointerTable all, LLVMBasicBlockRef block) {
  TilePointerTable owners = {0}, tops = {0};
  int copies = 0;
  LLVMValueRef instruction = LLVMGetLastInstruction(block), before;
  for (; instruction; instruction = before) {
    before = LLVMGetPreviousInstruction(instruction);
    Owner owner = {.copy = NULL};
    if (tilePointerTableFind(all, instruction)) owner = (Owner){instruction, ++copies};
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

/// Is it all of a loop?
static bool isLoop(LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); ++i)
    if (LLVMGetSuccessor(end, i) == block) return true;
  return false;
}

static void takeAllApart(LLVMBuilderRef builder, LLVMValueRef function) {
  TilePointerTable apart = {0};
  LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
  for (; b; b = LLVMGetNextBasicBlock(b)) takeApart(&apart, builder, b);
  tilePointerTableClear(&apart);
  for (b = LLVMGetLastBasicBlock(function); b; b = LLVMGetPreviousBasicBlock(b)) dropUnread(b);
}

static void runFunction(LLVMBuilderRef builder, LLVMValueRef function, const TileMachine *machine) {
  int least = tileMachineNumber(machine, TILE_NUMBER_NEAR_COPIES), many = 0, loops = 0;
  Found found = {.multiplies = false};
  LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
  for (; b; b = LLVMGetNextBasicBlock(b)) find(&found, b);
  const Copying *in = tilePointerTableFirst(found.blocks);
  for (; in; in = tilePointerTableNext(in)) {
    many += in->count >= least;
    loops += in->count >= least && isLoop(in->block);
  }
  if (many && found.multiplies) {
    takeAllApart(builder, function);
    bool hides = loops >= tileMachineNumber(machine, TILE_NUMBER_MANY_LOOPS);
    for (in = tilePointerTableFirst(found.blocks); in; in = tilePointerTableNext(in)) {
      if (in->count < least) continue;
      if (hides) tileTargetHideColumns(builder, in->block, machine);
      tileTargetChainSums(builder, in->block);
      dropUnread(in->block);
      sinkIn(builder, found.copies, in->block);
    }
  }
  tilePointerTableClear(&found.copies);
  tilePointerTableClear(&found.blocks);
}

void tileTargetSinkToCopies(LLVMModuleRef module, const TileMachine *machine) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    runFunction(builder, f, machine);
  LLVMDisposeBuilder(builder);
}
