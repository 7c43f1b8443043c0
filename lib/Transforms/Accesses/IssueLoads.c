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
// whose addresses the group brings, and where registers would hold too much. Few loads are left to
// ptxas, as are those of 16 bytes, which it keeps together (held in front of a branch, those of a
// layer norm of 3072 columns took 62 registers for 40, and four blocks of six were left), and all
// of kernels with dots, whose loads have passes of their own.
//
// Requires: layouts assigned.  Preserves: numerics; order of effects but for loads among loads.
//===----------------------------------------------------------------------===//
#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"
#include "tile/Machine.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

/// Loads that follow each other.
typedef struct {
  const TileAxisAnalysis *axis;
  const TileMachine *machine;
  TileOpList loads;
  int64_t accesses, words; ///< of a thread
} Group;

/// Instructions of a thread, and registers that they fill; false where there is no layout, and
/// where they are as wide as there are.
static bool measure(const Group *g, MlirOperation load, int64_t *accesses, int64_t *words) {
  enum { WIDEST = 128 }; // bits
  MlirType type = mlirValueGetType(tileResult(load));
  TileLayout layout;
  if (!tileTypeIsTile(type) || !tileTypeGetLayout(type, &layout)) return false;
  int vector = tileAxisAccessVectorIn(g->axis, load, layout);
  int copies = __builtin_popcount(tileLayoutFreeBits(layout, TILE_REGISTER));
  int64_t registers = (int64_t)1 << (layout.inBits[TILE_REGISTER] - copies);
  if (tileBitWidth(tileElementType(type)) * vector >= WIDEST) return false;
  *accesses = registers > vector ? registers / vector : 1;
  *words = *accesses * ((tileBitWidth(tileElementType(type)) * vector + 31) / 32);
  return true;
}

static MlirOperation lastOf(const Group *g) { return g->loads.ops[g->loads.count - 1]; }

static void finish(Group *g) {
  if (g->loads.count && g->accesses >= tileMachineNumber(g->machine, TILE_NUMBER_ISSUE_LOADS)) {
    MlirOperation last = lastOf(g);
    MlirContext context = mlirOperationGetContext(last);
    mlirOperationSetAttributeByName(last, tileString("tile_gpu.issues"), mlirUnitAttrGet(context));
    tileTrace(mlirOperationGetLocation(last), "%d loads of a thread begin before one is waited for",
              (int)g->accesses);
  }
  g->loads.count = 0;
  g->accesses = g->words = 0;
}

/// Collects what `op` needs of what stands behind the group's last load, each before its users;
/// false where it cannot stand there.
static bool collect(const Group *g, TileOpList *slice, MlirOperation op, bool root) {
  MlirOperation last = lastOf(g);
  bool isBehind = mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(last)) &&
                  mlirOperationIsBeforeInBlock(last, op);
  if (!isBehind || tileOpListHolds(slice, op)) return !tileOpListHolds(&g->loads, op);
  if (!root && !tileOpIsMovable(op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (!mlirValueIsABlockArgument(operand) && !collect(g, slice, tileValueGetOp(operand), false))
      return false;
  }
  tileOpListAdd(slice, op);
  return true;
}

/// Moves the load behind the group's last one; false where it cannot stand there.
static bool join(const Group *g, MlirOperation load) {
  TileOpList slice = {0};
  bool joins = collect(g, &slice, load, true);
  MlirOperation before = mlirOperationGetNextInBlock(lastOf(g));
  for (size_t i = 0; joins && i < slice.count; ++i) {
    if (mlirOperationEqual(slice.ops[i], before))
      before = mlirOperationGetNextInBlock(before);
    else
      mlirOperationMoveBefore(slice.ops[i], before);
  }
  tileOpListDestroy(&slice);
  return joins;
}

/// Words of a thread that a group may bring: where warps are many, so few that two blocks still
/// fit.
static int64_t mostWords(const Group *g, MlirOperation load) {
  int64_t threads = 32 * tileIntAttr(tileFuncOf(load), "tile.num_warps", 4);
  int64_t most = tileMachineNumber(g->machine, TILE_NUMBER_ISSUE_WORDS);
  int64_t share = tileMachineNumber(g->machine, TILE_NUMBER_ISSUE_BLOCK_WORDS) / threads;
  return share < most ? share : most;
}

static void visitLoad(Group *g, MlirOperation load) {
  int64_t accesses, words, most = mostWords(g, load);
  bool isVolatile = tileLoadGetCache(load) == TILE_CACHE_USE_CV;
  if (isVolatile) finish(g);
  if (isVolatile || !measure(g, load, &accesses, &words)) return;
  if (g->loads.count && (g->words + words > most || !join(g, load))) finish(g);
  if (words > most) return;
  tileOpListAdd(&g->loads, load);
  g->accesses += accesses;
  g->words += words;
}

/// Does it write, or hold ops that do more than combine two numbers?
static bool endsGroup(MlirOperation op) {
  const uint32_t writes = TILE_WRITES_GLOBAL | TILE_WRITES_CONTROL | TILE_WRITES_SHARED;
  if (tileOpIsAReduce(op)) return false;
  return mlirOperationGetNumRegions(op) > 0 || tileOpGetEffects(op) & writes;
}

static void visitBlock(const TileAxisAnalysis *axis, MlirBlock block) {
  MlirOperation next, op = mlirBlockGetFirstOperation(block);
  Group g = {.axis = axis, .machine = tileMachineOf(op)};
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (tileOpIsALoad(op))
      visitLoad(&g, op);
    else if (endsGroup(op))
      finish(&g);
  }
  finish(&g);
  tileOpListDestroy(&g.loads);
}

static bool isLoad(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsALoad(op);
}

MlirLogicalResult tileRunIssueLoads(MlirOperation func) {
  if (tileHoldsDot(func)) return mlirLogicalResultSuccess();
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
  for (size_t i = 0; i < firsts.count; ++i) visitBlock(axis, mlirOperationGetBlock(firsts.ops[i]));
  tileAxisAnalysisDestroy(axis);
  tileOpListDestroy(&firsts);
  tileOpListDestroy(&loads);
  return mlirLogicalResultSuccess();
}
