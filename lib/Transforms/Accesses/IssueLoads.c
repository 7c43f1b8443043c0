//===- IssueLoads.c - loads are on their way before one is waited for -----===//
//
// Before:  %a = tile.load %p, %m           // 16 elements a thread, each under a mask of its own
//          %x = math.exp %a
//          %b = tile.load %q, %m
//          %y = arith.mulf %x, %b
// After:   %a = tile.load %p, %m
//          %b = tile.load %q, %m {tile_gpu.issues}
//          %x = math.exp %a
//          %y = arith.mulf %x, %b
//
// Rows that begin anywhere are read element by element, and where they end each of these loads has
// a predicate. There are seven predicates, and registers are few where many blocks are to fit: so
// ptxas takes up the first elements before it asks for the last ones, and memory is waited for
// several times. It keeps loads in front of a branch, though. Loads that nothing but computation
// stands between follow each other here, and the last one of many says that all have to be on their
// way by then: its lowering is followed by a branch that no program takes.
//
// Reductions and conversions do not stand between: weights of a row are on their way while threads
// meet for its sum. Groups end at what writes or waits, at scans, loops and branches, at loads
// whose addresses the group brings, and where registers would hold too much. Loads of 16 bytes
// begin together in front of where threads first meet; behind that they are left to ptxas, which
// keeps few of them together by itself: the weights of a layer norm, held in front of a reduction
// or a branch, take registers of which blocks are made.
//
// More of these than a group may bring are left to ptxas altogether: one group would be waited for
// before the next begins (three rows of 10240 f16 by 8 warps), where it begins them all. So are
// those that more other loads stand behind, which cannot be moved to them: the branch would hold
// what they bring, and the truths of their masks, while the addresses of the others are computed
// (the channels of a group norm, divided from positions: two blocks a multiprocessor, 27.7 us for
// 21.9).
//
// Few loads are left to ptxas, and groups of which most find what they read in the L1 cache: the
// neighbours of a stencil, also where a loop goes from one to the next, and what is looked up by a
// quotient of the position, as the weight of a channel is. The branch would keep ptxas from
// unrolling loops and from giving registers back, and nothing is waited for. So are loads through
// chosen pointers (tile-choose-pointers) under masks that neighbours share: what they were chosen
// by would be held over the branch. So are narrower loads without masks, of which ptxas has as many
// together as there are registers for (20 of 8 bytes of an RMS norm's gradient in front of a
// branch: 98 registers for 64).
//
// Several that fill the registers, and are all held while threads meet, are left to it as well: two
// rows of 31001 by 32 warps, of whose 64 words 42 were spilled, each as it came.
//
// One load of many single elements by itself is left to ptxas, so that more blocks fit; not behind
// a group of as many words, for which a thread has the registers anyway, and not one of more than
// 64 words in a step of a loop: of 128 elements ptxas has four on their way at a time.
//
// One load of a step whose elements threads combine each for itself, and nobody else looks at, may
// fill what registers a block has beside what the loop carries: ptxas asks for the next elements
// where it has combined the last, three accesses at a time.
//
// Loads of kernels with dots have passes of their own, which copy them ahead. What these leave
// where it is, each element under its own mask, as what a query sees in bytes, is issued together
// as well, in front of dots: beside one that is on its way registers are its own.
//
// Where none begins a group, as of neighbours in a list of edges or taps, of which each brings the
// place of another load, those others do: the numbers are loaded first, and then all that lies at
// them. ptxas would wait for each number, and for what lies there, before it asks for the next.
//
// Requires: layouts assigned.  Preserves: numerics; order of effects but for loads among loads.
//===----------------------------------------------------------------------===//
#include "../Layouts/Layouts.h"
#include "../Loops.h"
#include "tile/Analysis/Affine.h"
#include "tile/Analysis/Analysis.h"
#include "tile/Analysis/Scratch.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Trace.h"
#include <stdlib.h>

/// Loads that follow each other.
typedef struct {
  const TileAxisAnalysis *axis;
  const TileMachine *machine;
  TileAffine *affine;
  TileOpList loads;
  int64_t accesses, words; ///< of a thread
  int64_t share;           ///< words that one load by itself may bring
  int64_t begun;           ///< the most words of a group that has begun
  int64_t fresh;           ///< of its accesses those that read what no other one has read
  int64_t apart;           ///< and those that ptxas would not keep together: masked, or 16 bytes
  bool hasWide;            ///< loads as wide as there are
  bool hasMet;             ///< did threads meet, or are wide loads too many, in the block?
  TileOpList stretch;      ///< all loads since something wrote or waited
  bool hasBegun;           ///< is there a group of some of those?
  bool movesNumbers;       ///< may loads move that bring the places of others?
  bool hasDots;            ///< is it a kernel's with dots?
  bool flies;              ///< is a dot on its way?
} Group;

/// Of a load: instructions of a thread, registers that they fill, and whether each is as wide as
/// there are, or brings one element.
typedef struct {
  int64_t accesses, words;
  bool isWide, isSingle;
} Load;

/// Of `registers` elements that a thread loads one by one, those that are not behind the end of
/// their rows in all threads.
static int64_t withinRows(const Group *g, MlirOperation load, TileLayout layout,
                          int64_t registers) {
  int64_t shape[TILE_MAX_RANK], ends[TILE_MAX_RANK], within = 0;
  int rank = tileShape(mlirValueGetType(tileResult(load)), shape);
  for (int d = 0; d < rank; ++d) ends[d] = tileRowEnd(g->axis, tileLoadGetMask(load), d, shape[d]);
  for (int64_t i = 0; i < (int64_t)1 << layout.inBits[TILE_REGISTER]; ++i) {
    uint64_t place = 0;
    bool isRepeated = false, isBehind = false;
    for (int b = 0; b < layout.inBits[TILE_REGISTER]; ++b) {
      uint64_t base = i >> b & 1 ? layout.bases[TILE_REGISTER][b] : 0;
      isRepeated |= i >> b & 1 && !base;
      place ^= base;
    }
    for (int d = 0; d < rank; ++d) isBehind |= tileLayoutCoordinate(layout, place, d) >= ends[d];
    within += !isRepeated && !isBehind;
  }
  return within && within < registers ? within : registers;
}

/// False where there is no layout.
static bool measure(const Group *g, MlirOperation load, Load *l) {
  MlirType type = mlirValueGetType(tileResult(load));
  TileLayout layout;
  if (!tileTypeIsTile(type) || !tileTypeGetLayout(type, &layout)) return false;
  int vector = tileAxisAccessVectorIn(g->axis, load, layout);
  int copies = __builtin_popcount(tileLayoutFreeBits(layout, TILE_REGISTER));
  int64_t registers = (int64_t)1 << (layout.inBits[TILE_REGISTER] - copies);
  int64_t bits = (int64_t)tileBitWidth(tileElementType(type)) * vector;
  l->isWide = bits >= 8 * tileMachineNumber(g->machine, TILE_NUMBER_ISSUE_BYTES);
  l->isSingle = vector == 1;
  if (l->isSingle) registers = withinRows(g, load, layout, registers);
  l->accesses = registers > vector ? registers / vector : 1;
  l->words = l->accesses * ((bits + 31) / 32);
  return true;
}

/// Does it read through a pointer that was chosen (tile-choose-pointers)? What it was chosen by is
/// wanted again where what was loaded is.
static bool isChosen(MlirValue pointer, int depth) {
  MlirOperation op = tileValueGetOp(pointer);
  if (mlirOperationIsNull(op) || !depth) return false;
  if (tileOpIs(op, "arith.select")) return true;
  return tileOpIsAAddPtr(op) &&
         (isChosen(tileOperand(op, 0), depth - 1) || isChosen(tileOperand(op, 1), depth - 1));
}

/// Is the load to be begun in front of a branch, for its masks? Where neighbours share them, and
/// the truths that its pointer was chosen by would be held over the branch as well, it is not.
static bool isMasked(const Group *g, MlirOperation load) {
  enum { DEPTH = 4 };
  MlirValue mask = tileLoadGetMask(load);
  if (mlirValueIsNull(mask) || !isChosen(tileLoadGetPtr(load), DEPTH))
    return !mlirValueIsNull(mask);
  const TileAxisInfo *info = tileAxisAnalysisGet(g->axis, mask);
  int64_t shape[TILE_MAX_RANK], least = tileMachineNumber(g->machine, TILE_NUMBER_ISSUE_SHARED);
  int rank = tileShape(mlirValueGetType(tileResult(load)), shape);
  for (int d = 0; d < rank; ++d)
    if (info->constancy[d] < shape[d] && info->constancy[d] < least) return true;
  return false;
}

/// Is `value` a number that most neighbours share, as i / n is where n is no small constant?
static bool isQuotient(const Group *g, MlirOperation op) {
  enum { LANES = 32 };
  if (!tileOpIs(op, "arith.divsi") && !tileOpIs(op, "arith.divui")) return false;
  const TileAxisInfo *by = tileAxisAnalysisGet(g->axis, tileOperand(op, 1));
  return !by->hasConstant || by->constant >= LANES;
}

/// Do neighbours differ in `value`, but for quotients of their positions? `depth`: ops that are
/// looked at, one behind the other.
static bool differs(const Group *g, MlirValue value, int depth) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !depth || tileOpIsAArange(op)) return true;
  if (isQuotient(g, op)) return false;
  if (!tileOpIsElementwise(op) && !tileOpIsShapeChange(op) && !tileOpIsAAddPtr(op))
    return !tileOpIs(op, "arith.constant") && !tileOpIsASplat(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tileTypeIsTile(mlirValueGetType(tileOperand(op, i))) &&
        differs(g, tileOperand(op, i), depth - 1))
      return true;
  return false;
}

/// Does the loop around read on where neighbours have read the step before, less than half a sector
/// from there?
static bool readsOn(const Group *g, MlirOperation load) {
  MlirValue pointers = tileLoadGetPtr(load);
  int64_t step, bytes = tileBitWidth(tileElementType(mlirValueGetType(tileResult(load)))) / 8;
  int64_t sector = tileMachineNumber(g->machine, TILE_NUMBER_SECTOR_BYTES);
  MlirOperation loop = mlirOperationGetParentOperation(load);
  if (!tileAxisStepInLoop(g->axis, pointers, loop, &step) || !step ||
      2 * llabs(step) * bytes > sector)
    return false;
  for (int d = 0; d < (int)mlirShapedTypeGetRank(mlirValueGetType(pointers)); ++d)
    if (tileAxisLikelyRun(g->axis, pointers, d) * bytes >= sector) return true;
  return false;
}

/// Does the load read what none of the group has read?
static bool isFresh(const Group *g, MlirOperation load) {
  enum { DEPTH = 12 };
  if (readsOn(g, load)) return false;
  for (size_t i = 0; i < g->loads.count; ++i)
    if (tileAffineAreShifted(g->affine, tileLoadGetPtr(load), tileLoadGetPtr(g->loads.ops[i])))
      return false;
  return differs(g, tileLoadGetPtr(load), DEPTH);
}

/// Words of a thread that loads bring beside which one block's registers have room for what is
/// computed.
static int64_t heldWords(const Group *g, MlirOperation load) {
  int64_t registers = g->machine->registers / tileNumThreadsOf(load);
  if (registers > g->machine->threadRegisters) registers = g->machine->threadRegisters;
  return registers * tileMachineNumber(g->machine, TILE_NUMBER_ISSUE_SINGLE_SHARE) / 100;
}

/// Do threads combine each what they have of `value`, and does nobody else look at it? `depth`: ops
/// that are looked at, one behind the other.
static bool isCombined(MlirValue value, int depth) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  bool isUsed = !mlirOpOperandIsNull(use);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpIsAReduce(user)) continue;
    if (!depth || mlirOperationGetNumResults(user) != 1 ||
        (!tileOpIsElementwise(user) && !tileOpIsAReshape(user)) ||
        !isCombined(tileResult(user), depth - 1))
      return false;
  }
  return isUsed;
}

/// Words that a load in a loop may bring whose elements each thread combines as it has them: those
/// that registers hold beside what the loop carries. ptxas asks for the next ones where it has
/// combined the last, so that few are on their way; 0 for other loads.
static int64_t combinedWords(const Group *g, MlirOperation load) {
  enum { DEPTH = 6 };
  MlirOperation loop = mlirOperationGetParentOperation(load);
  if (!tileOpIs(loop, "scf.for") || !isCombined(tileResult(load), DEPTH)) return 0;
  int64_t words = heldWords(g, load) - tileCarriedWords(loop);
  return words > 0 ? words : 0;
}

/// Is it one load of a step of a loop that brings more than other groups may, beside little that
/// the loop carries? By itself ptxas has few of so many single elements on their way at a time.
static bool isLong(const Group *g) {
  MlirOperation loop = mlirOperationGetParentOperation(g->loads.ops[0]);
  return g->words > tileMachineNumber(g->machine, TILE_NUMBER_ISSUE_WORDS) &&
         tileOpIs(loop, "scf.for") &&
         g->words + tileCarriedWords(loop) <= heldWords(g, g->loads.ops[0]);
}

/// Is what `op` makes read behind `meeting`?
static bool isReadBehind(MlirOperation op, MlirOperation meeting) {
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
    for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, r));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      if (mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(meeting)) &&
          mlirOperationIsBeforeInBlock(meeting, user))
        return true;
    }
  return false;
}

/// Words of a thread that follow from the group's loads, and are held while threads meet for the
/// first time behind them.
static int64_t wordsOverMeeting(const Group *g) {
  TileOpList made = {0};
  int64_t words = 0;
  MlirOperation op = g->loads.ops[0], meeting = op;
  while (!mlirOperationIsNull(meeting) && !tileOpIsAReduce(meeting))
    meeting = mlirOperationGetNextInBlock(meeting);
  for (; !mlirOperationIsNull(meeting) && !mlirOperationEqual(op, meeting);
       op = mlirOperationGetNextInBlock(op)) {
    bool follows = tileOpListHolds(&g->loads, op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !follows; ++i)
      follows = tileOpListHolds(&made, tileValueGetOp(tileOperand(op, i)));
    if (!follows) continue;
    tileOpListAdd(&made, op);
    if (isReadBehind(op, meeting)) words += tileTypeGetWords(mlirValueGetType(tileResult(op)));
  }
  tileOpListDestroy(&made);
  return words;
}

/// Are its loads many, and do enough of them wait for memory? Those that fill the registers begin
/// where nothing else is loaded, and what is made of them is less: what comes behind them, or has
/// to be held, would be spilled as well. Of many, which stay, a remark says why.
static bool isWorthIt(const Group *g) {
  if (g->apart < tileMachineNumber(g->machine, TILE_NUMBER_ISSUE_LOADS)) return false;
  int64_t fresh = tileMachineNumber(g->machine, TILE_NUMBER_ISSUE_FRESH);
  const char *why = NULL;
  if (100 * g->fresh < g->accesses * fresh) why = "places that no other load has read";
  const int64_t held = heldWords(g, g->loads.ops[0]);
  if ((g->loads.count == 1 && g->words > g->share && g->words > g->begun && !isLong(g) &&
       g->words > combinedWords(g, g->loads.ops[0])) ||
      (g->words > held && (g->loads.count < g->stretch.count || wordsOverMeeting(g) > held)))
    why = "registers for all that they bring";
  if (why)
    tileEmitRemark(mlirOperationGetLocation(g->loads.ops[0]),
                   "%d loads of a thread are left to the assembler: expected %s", (int)g->accesses,
                   why);
  return !why;
}

/// Collects what `op` needs of what stands behind `front`, each before its users; false where it
/// cannot stand there.
static bool collect(const Group *g, TileOpList *slice, MlirOperation front, MlirOperation op,
                    bool root) {
  if (!root && tileOpListHolds(&g->loads, op)) return false;
  bool isBehind = mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(front)) &&
                  mlirOperationIsBeforeInBlock(front, op);
  if (!isBehind || tileOpListHolds(slice, op)) return true;
  if (!root && !tileOpIsMovable(op) && !(g->movesNumbers && tileOpListHolds(&g->stretch, op)))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (!mlirValueIsABlockArgument(operand) &&
        !collect(g, slice, front, tileValueGetOp(operand), false))
      return false;
  }
  tileOpListAdd(slice, op);
  return true;
}

/// Can the load stand behind the group's first one?
static bool joins(const Group *g, MlirOperation load) {
  TileOpList slice = {0};
  bool can = collect(g, &slice, g->loads.ops[0], load, true);
  tileOpListDestroy(&slice);
  return can;
}

/// Moves the load, and what it needs, behind the one of the group before it.
static void moveBehind(const Group *g, MlirOperation last, MlirOperation load) {
  TileOpList slice = {0};
  collect(g, &slice, last, load, true);
  MlirOperation before = mlirOperationGetNextInBlock(last);
  for (size_t i = 0; i < slice.count; ++i) {
    if (mlirOperationEqual(slice.ops[i], before))
      before = mlirOperationGetNextInBlock(before);
    else
      mlirOperationMoveBefore(slice.ops[i], before);
  }
  tileOpListDestroy(&slice);
}

/// Has the loads follow each other; a branch behind the last one has them begin.
static void begin(Group *g) {
  for (size_t i = 1; i < g->loads.count; ++i) moveBehind(g, g->loads.ops[i - 1], g->loads.ops[i]);
  MlirOperation last = g->loads.ops[g->loads.count - 1];
  MlirContext context = mlirOperationGetContext(last);
  mlirOperationSetAttributeByName(last, tileString("tile_gpu.issues"), mlirUnitAttrGet(context));
  tileTrace(mlirOperationGetLocation(last), "%d loads of a thread begin before one is waited for",
            (int)g->accesses);
  g->hasBegun = true;
  if (g->words > g->begun) g->begun = g->words;
}

/// Ends the group. Its loads stay where they are if it is not worth it.
static void finish(Group *g) {
  if (g->loads.count && isWorthIt(g)) begin(g);
  g->loads.count = 0;
  g->accesses = g->words = g->fresh = g->apart = 0;
  g->hasWide = false;
}

/// Words of a thread, of those that a block may begin.
static int64_t shareOf(const Group *g, MlirOperation load, TileNumber block) {
  int64_t most = tileMachineNumber(g->machine, TILE_NUMBER_ISSUE_WORDS);
  int64_t share = tileMachineNumber(g->machine, block) / tileNumThreadsOf(load);
  return share < most ? share : most;
}

static void add(Group *g, MlirOperation load, const Load *l) {
  if (isFresh(g, load)) g->fresh += l->accesses;
  if (l->isWide || isMasked(g, load)) g->apart += l->accesses;
  tileOpListAdd(&g->loads, load);
  g->accesses += l->accesses;
  g->words += l->words;
  g->share = shareOf(g, load, TILE_NUMBER_ISSUE_BLOCK_WORDS);
  g->hasWide |= l->isWide;
}

/// Words of a thread that a group may bring: where warps are many, so few that two blocks still
/// fit. Several loads of single elements may bring more, in front of where threads first meet, as
/// far as one block's registers hold them: by itself ptxas would wait for each element of the last
/// one before it asks for the next, which costs more than a block.
static int64_t mostWords(const Group *g, MlirOperation load, const Load *l) {
  int64_t combined = g->loads.count ? 0 : combinedWords(g, load);
  if (combined >= l->words) return combined;
  if (!l->isSingle || g->hasMet) return shareOf(g, load, TILE_NUMBER_ISSUE_BLOCK_WORDS);
  int64_t words = shareOf(g, load, TILE_NUMBER_ISSUE_SINGLE_WORDS), held = heldWords(g, load);
  return held > words ? held : words;
}

//===- what lies at numbers that are loaded -------------------------------===//

/// Adds the loads of the stretch that `op` follows from to `numbers`, and what stands between to
/// `seen`.
static void findNumbers(const Group *g, TileOpList *numbers, TileOpList *seen, MlirOperation op) {
  enum { MOST_OPS = 256 };
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && seen->count < MOST_OPS; ++i) {
    MlirOperation from = tileValueGetOp(tileOperand(op, i));
    if (mlirOperationIsNull(from) || tileOpListHolds(seen, from) ||
        !mlirBlockEqual(mlirOperationGetBlock(from), mlirOperationGetBlock(op)) ||
        mlirOperationIsBeforeInBlock(from, g->stretch.ops[0]))
      continue;
    tileOpListAdd(seen, from);
    if (tileOpListHolds(&g->stretch, from))
      tileOpListAdd(numbers, from);
    else
      findNumbers(g, numbers, seen, from);
  }
}

/// The loads of the stretch that bring the place of `load`, or its mask. None where those lie at
/// loaded places themselves.
static TileOpList numbersOf(const Group *g, MlirOperation load) {
  TileOpList numbers = {0}, behind = {0}, seen = {0};
  findNumbers(g, &numbers, &seen, load);
  size_t count = numbers.count;
  for (size_t i = 0; i < count; ++i) findNumbers(g, &behind, &seen, numbers.ops[i]);
  if (behind.count) numbers.count = 0;
  tileOpListDestroy(&behind);
  tileOpListDestroy(&seen);
  return numbers;
}

/// Moves what brings the places of the group's loads in front of the first of these.
static void moveNumbers(const Group *g) {
  MlirOperation first = g->loads.ops[0], front = g->stretch.ops[0];
  for (size_t i = 1; i < g->loads.count; ++i) {
    TileOpList numbers = numbersOf(g, g->loads.ops[i]), slice = {0};
    for (size_t k = 0; k < numbers.count; ++k) collect(g, &slice, front, numbers.ops[k], true);
    for (size_t k = 0; k < slice.count; ++k)
      if (mlirOperationIsBeforeInBlock(first, slice.ops[k]))
        mlirOperationMoveBefore(slice.ops[k], first);
    tileOpListDestroy(&numbers);
    tileOpListDestroy(&slice);
  }
}

/// Begins what lies at loaded numbers, where that is more than one load and worth it.
static void beginPlaces(Group *g) {
  if (g->loads.count > 1 && isWorthIt(g)) {
    moveNumbers(g);
    begin(g);
  }
  g->loads.count = 0;
  g->accesses = g->words = g->fresh = g->apart = 0;
  g->hasWide = false;
}

/// Words of a thread that the load and what brings its place take; 0 where nothing brings it.
static int64_t measurePlace(const Group *g, MlirOperation load, Load *l) {
  TileOpList numbers = numbersOf(g, load);
  bool isMeasured = numbers.count && measure(g, load, l);
  int64_t words = isMeasured ? l->words : 0;
  for (size_t i = 0; i < numbers.count && isMeasured; ++i) {
    Load number;
    isMeasured = measure(g, numbers.ops[i], &number);
    words += isMeasured ? number.words : 0;
  }
  tileOpListDestroy(&numbers);
  return isMeasured ? words : 0;
}

/// Ends a stretch of loads that nothing writes between. Where no group of them begins, those do
/// whose places others bring.
static void finishStretch(Group *g) {
  finish(g);
  g->movesNumbers = !g->hasBegun;
  for (size_t i = 0; i < g->stretch.count && g->movesNumbers; ++i) {
    Load l;
    int64_t words = measurePlace(g, g->stretch.ops[i], &l);
    if (!words) continue;
    if (g->words + words > mostWords(g, g->stretch.ops[i], &l)) beginPlaces(g);
    add(g, g->stretch.ops[i], &l);
    g->words += words - l.words;
  }
  beginPlaces(g);
  g->movesNumbers = g->hasBegun = false;
  g->stretch.count = 0;
}

//===- stretches ----------------------------------------------------------===//

/// Leaves the group, and wide loads behind it, to ptxas: they are more than a group may bring, so
/// that one group would be waited for before the next begins, where ptxas begins them all.
static void leave(Group *g) {
  g->loads.count = 0;
  g->accesses = g->words = g->fresh = g->apart = 0;
  g->hasWide = false;
  g->hasMet = true;
}

static void visitLoad(Group *g, MlirOperation load) {
  Load l;
  bool isVolatile = tileLoadGetCache(load) == TILE_CACHE_USE_CV;
  if (isVolatile) finishStretch(g);
  if (!isVolatile && !g->hasDots) tileOpListAdd(&g->stretch, load);
  if (isVolatile || !measure(g, load, &l) || (l.isWide && g->hasMet)) return;
  if (g->hasDots && (g->flies || l.isWide || !isMasked(g, load))) return;
  int64_t most = mostWords(g, load, &l);
  bool fits = g->words + l.words <= most;
  if (g->loads.count && !fits && l.isWide && g->hasWide) {
    leave(g);
    return;
  }
  bool joined = g->loads.count && fits && joins(g, load);
  if (g->loads.count && !joined && l.accesses > g->accesses && g->hasWide) {
    leave(g);
    return;
  }
  if (g->loads.count && !joined) finish(g);
  if (l.words > most) return;
  add(g, load, &l);
}

/// Threads, or lanes, meet as at a reduction: that ends groups which have wide loads.
static void visitMeeting(Group *g) {
  if (g->hasWide) finish(g);
  g->hasMet = true;
}

/// Does it write, or hold ops that do more than combine two numbers?
static bool endsGroup(MlirOperation op) {
  const uint32_t writes = TILE_WRITES_GLOBAL | TILE_WRITES_CONTROL | TILE_WRITES_SHARED;
  if (tileOpIsAReduce(op)) return false;
  return mlirOperationGetNumRegions(op) > 0 || tileOpGetEffects(op) & writes;
}

/// Is a dot on its way behind `op`, if one `flies` in front of it?
static bool fliesBehind(MlirOperation op, bool flies) {
  if (tileOpIsADotWait(op)) return tileDotWaitGetPending(op) > 0;
  return flies || (tileOpIsADot(op) && tileDotGetAsync(op));
}

/// Does a dot of the block's last op's step fly on into the next one's?
static bool fliesOn(MlirBlock block) {
  bool flies = false;
  TILE_FOR_EACH_OP(op, block) flies = fliesBehind(op, flies);
  return flies;
}

static void visitBlock(const TileAxisAnalysis *axis, TileAffine *affine, MlirBlock block,
                       bool hasDots) {
  MlirOperation next, op = mlirBlockGetFirstOperation(block);
  Group g = {.axis = axis,
             .affine = affine,
             .machine = tileMachineOf(op),
             .hasDots = hasDots,
             .flies = hasDots && fliesOn(block)};
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    g.flies = fliesBehind(op, g.flies);
    if (tileOpIsALoad(op))
      visitLoad(&g, op);
    else if (endsGroup(op) || tileOpIsADot(op))
      finishStretch(&g);
    else if (tileOpIsAReduce(op) || tileOpScratchBytes(op) > 0)
      visitMeeting(&g);
  }
  finishStretch(&g);
  tileOpListDestroy(&g.loads);
  tileOpListDestroy(&g.stretch);
}

static bool isLoad(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsALoad(op);
}

MlirLogicalResult tileRunIssueLoads(MlirOperation func) {
  bool hasDots = tileHoldsDot(func);
  TileOpList loads = {0}, firsts = {0};
  tileOpListCollect(&loads, func, MlirWalkPreOrder, isLoad, NULL);
  // A block once, by its first load.
  for (size_t i = 0; i < loads.count; ++i) {
    bool seen = false;
    for (size_t k = 0; k < firsts.count && !seen; ++k)
      seen =
          mlirBlockEqual(mlirOperationGetBlock(firsts.ops[k]), mlirOperationGetBlock(loads.ops[i]));
    if (!seen) tileOpListAdd(&firsts, loads.ops[i]);
  }
  TileAxisAnalysis *axis = tileAxisAnalysisCreate(func);
  TileAffine *affine = tileAffineCreate(func, axis, NULL);
  for (size_t i = 0; i < firsts.count; ++i)
    visitBlock(axis, affine, mlirOperationGetBlock(firsts.ops[i]), hasDots);
  tileAffineDestroy(affine);
  tileAxisAnalysisDestroy(axis);
  tileOpListDestroy(&firsts);
  tileOpListDestroy(&loads);
  return mlirLogicalResultSuccess();
}
