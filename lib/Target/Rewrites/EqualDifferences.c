//===- EqualDifferences.c - distances of rows from columns, each once -----===//
//
// Before:  %r = or disjoint <4 x i32> %rows, <i32 0, i32 0, i32 8, i32 8>
//          %c = or disjoint <4 x i32> %columns, <i32 0, i32 8, i32 0, i32 8>
//          %d = sub <4 x i32> %r, %c
// After:   %apart = sub i32 %row, %column
//          %d = <%apart, %apart - 8, %apart + 8, %apart>
//
// A thread holds rows 0 and 8 and columns 0, 8, 16 .. of a tile that wgmma made: of 32 distances,
// which slopes, decays, windows and tables of places begin with, 18 differ. The code generator
// makes what is computed of the same number once, as soon as it sees that it is the same.
//
// Declines: vectors most of whose lanes differ (`different-lanes`, `different-bases`).
// Requires: instcombine, by which a lane's constant stands behind what all lanes have.
// Preserves: everything.
//===----------------------------------------------------------------------===//
#include "Rewrites.h"
#include "tile/MachineNumbers.h"
#include "llvm-c/Core.h"

enum { MOST_LANES = 128, MOST_TERMS = 6 };

/// A lane of a vector, or a number, that is added or subtracted.
typedef struct {
  LLVMValueRef value;
  unsigned lane;
  bool negative;
} Term;

/// What a lane of a difference is: a sum of numbers and `count`.
typedef struct {
  Term terms[MOST_TERMS];
  int numTerms;
  uint64_t count;
} Sum;

static bool isVector(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

static bool isConstantLane(LLVMValueRef value, unsigned lane, uint64_t *count) {
  if (!LLVMIsConstant(value)) return false;
  LLVMValueRef number = isVector(value) ? LLVMGetAggregateElement(value, lane) : value;
  if (!number || !LLVMIsAConstantInt(number)) return false;
  *count = LLVMConstIntGetZExtValue(number);
  return true;
}

/// Adds the lane to `sum`, as what it is the sum of; false: of too much.
static bool addLane(Sum *sum, LLVMValueRef value, unsigned lane, bool negative, int depth) {
  uint64_t count;
  for (LLVMValueRef from = value; from;) {
    value = from;
    from = tileTargetStepBack(value, &lane);
  }
  if (isConstantLane(value, lane, &count)) {
    sum->count += negative ? -count : count;
    return true;
  }
  LLVMOpcode opcode = LLVMIsABinaryOperator(value) ? LLVMGetInstructionOpcode(value) : LLVMCall;
  bool adds = opcode == LLVMAdd || (opcode == LLVMOr && LLVMGetIsDisjoint(value));
  if (depth && (adds || opcode == LLVMSub))
    return addLane(sum, LLVMGetOperand(value, 0), lane, negative, depth - 1) &&
           addLane(sum, LLVMGetOperand(value, 1), lane, negative != (opcode == LLVMSub), depth - 1);
  if (sum->numTerms == MOST_TERMS) return false;
  sum->terms[sum->numTerms++] = (Term){value, lane, negative};
  return true;
}

static bool hasSameTerms(const Sum *a, const Sum *b) {
  if (a->numTerms != b->numTerms) return false;
  for (int i = 0; i < a->numTerms; ++i) {
    const Term *x = &a->terms[i], *y = &b->terms[i];
    if (x->value != y->value || x->lane != y->lane || x->negative != y->negative) return false;
  }
  return true;
}

/// The first lane up to `i` that is the sum of the same numbers; with `exactly`, the same sum.
static unsigned firstLike(const Sum *lanes, unsigned i, bool exactly) {
  unsigned j = 0;
  while (j < i &&
         !(hasSameTerms(&lanes[j], &lanes[i]) && (!exactly || lanes[j].count == lanes[i].count)))
    ++j;
  return j;
}

static LLVMValueRef addTerms(LLVMBuilderRef builder, const Sum *sum, LLVMTypeRef type) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  LLVMValueRef all = LLVMConstInt(type, 0, false);
  for (int i = 0; i < sum->numTerms; ++i) {
    Term t = sum->terms[i];
    LLVMValueRef lane = LLVMConstInt(i32, t.lane, false), number = t.value;
    if (isVector(number)) number = LLVMBuildExtractElement(builder, number, lane, "");
    all = t.negative ? LLVMBuildSub(builder, all, number, "")
                     : LLVMBuildAdd(builder, all, number, "");
  }
  return all;
}

static void replace(LLVMBuilderRef builder, LLVMValueRef vector, const Sum *lanes, unsigned count) {
  LLVMValueRef bases[MOST_LANES], numbers[MOST_LANES], whole = LLVMGetPoison(LLVMTypeOf(vector));
  LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(vector));
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(element));
  LLVMPositionBuilderBefore(builder, vector);
  for (unsigned i = 0; i < count; ++i) {
    unsigned base = firstLike(lanes, i, false), like = firstLike(lanes, i, true);
    if (base == i) bases[i] = addTerms(builder, &lanes[i], element);
    LLVMValueRef more = LLVMConstInt(element, lanes[i].count, false);
    numbers[i] = like < i ? numbers[like] : LLVMBuildAdd(builder, bases[base], more, "");
    whole = LLVMBuildInsertElement(builder, whole, numbers[i], LLVMConstInt(i32, i, false), "");
  }
  LLVMReplaceAllUsesWith(vector, whole);
  LLVMInstructionEraseFromParent(vector);
}

/// What is asked, and told.
typedef struct {
  unsigned mostDifferent; ///< % of lanes
  unsigned mostBases;     ///< % of those that differ
  bool any;
} Sharing;

static void visit(LLVMBuilderRef builder, LLVMValueRef instruction, void *data) {
  Sharing *sharing = data;
  if (!LLVMIsABinaryOperator(instruction) || !isVector(instruction) ||
      LLVMGetInstructionOpcode(instruction) != LLVMSub)
    return;
  Sum lanes[MOST_LANES];
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(instruction)), bases = 0, different = 0;
  if (count < 4 || count > MOST_LANES) return;
  for (unsigned i = 0; i < count; ++i) {
    lanes[i] = (Sum){.count = 0};
    if (!addLane(&lanes[i], instruction, i, false, 6)) return;
    bases += firstLike(lanes, i, false) == i;
    different += firstLike(lanes, i, true) == i;
  }
  if (100 * different > sharing->mostDifferent * count ||
      100 * bases > sharing->mostBases * different)
    return;
  replace(builder, instruction, lanes, count);
  sharing->any = true;
}

bool tileTargetShareDifferences(LLVMModuleRef module, const TileMachine *machine) {
  Sharing sharing = {
      .mostDifferent = (unsigned)tileMachineNumber(machine, TILE_NUMBER_DIFFERENT_LANES),
      .mostBases = (unsigned)tileMachineNumber(machine, TILE_NUMBER_DIFFERENT_BASES)};
  tileTargetVisit(module, visit, &sharing);
  return sharing.any;
}
