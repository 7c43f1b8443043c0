//===- HiddenColumns.c - how columns of addresses move on, hidden ---------===//
//
// Before:  loop:                                      After:  loop:
//            %column = add i32 %tap, %first                     %known = add i32 %tap, %first
//            %r0 = add i32 %row0, %column                       %column = freeze i32 %known
//            %r1 = add i32 %row1, %column                       %r0 = add i32 %row0, %column
//            ..                                                 %r1 = add i32 %row1, %column
//
// A column's part of an address that several rows are added to (`column-rows`) is one number in a
// step: the code generator, which would have each sum move on by itself, as far as it sees one,
// holds a register for each row and column all along. It does not look through a freeze. So it is
// in kernels of many loops with products, whose numbers are held beside each other; one loop has
// the room.
//
// Declines: blocks that have fewer such sums than `column-sums`.
// Requires: vectors of numbers taken apart; nothing behind it that looks into a freeze.
// Preserves: everything.
//===----------------------------------------------------------------------===//
#include "Rewrites.h"
#include "tile/MachineNumbers.h"
#include "llvm-c/Core.h"

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

/// The same where `instruction` is a column that `least` rows or more are added to; else 0.
static int rowsOf(LLVMBasicBlockRef block, LLVMValueRef instruction, int least) {
  LLVMTypeRef type = LLVMTypeOf(instruction);
  bool computes = LLVMIsABinaryOperator(instruction) || LLVMIsAExtractElementInst(instruction);
  if (!computes || LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 32)
    return 0;
  int rows = countRows(block, instruction);
  return rows < least ? 0 : rows;
}

void tileTargetHideColumns(LLVMBuilderRef builder, LLVMBasicBlockRef block,
                           const TileMachine *machine) {
  int least = tileMachineNumber(machine, TILE_NUMBER_COLUMN_ROWS), sums = 0;
  LLVMValueRef instruction = LLVMGetFirstInstruction(block), next;
  for (; instruction; instruction = LLVMGetNextInstruction(instruction))
    sums += rowsOf(block, instruction, least);
  if (sums < tileMachineNumber(machine, TILE_NUMBER_COLUMN_SUMS)) return;
  for (instruction = LLVMGetFirstInstruction(block); instruction; instruction = next) {
    next = LLVMGetNextInstruction(instruction);
    if (!rowsOf(block, instruction, least)) continue;
    LLVMPositionBuilderBefore(builder, next);
    LLVMValueRef hidden = LLVMBuildFreeze(builder, instruction, "");
    LLVMReplaceAllUsesWith(instruction, hidden);
    LLVMSetOperand(hidden, 0, instruction);
  }
}
