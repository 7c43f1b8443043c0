//===- ChoosePointers.c - of several loads one, through a chosen pointer --===//
//
// Before:  %first = arith.cmpi slt, %i, 100
//          %x = tile.load %p, %first & %in, 0         // p[i]
//          %rest = arith.cmpi sge, %i, 100
//          %y = tile.load %q, %rest & %in, 0          // q[i - 100]
//          %z = arith.mulf %y, 2
//          %v = arith.select %first, %x, %z
// After:   %at = arith.select %first, %p, %q
//          %x = tile.load %at, %in, 0
//          %z = arith.mulf %x, 2
//          %v = arith.select %first, %x, %z
//
// What is put together of several arrays (cat, stack, pads of other arrays, halves that are turned)
// is a chain of selections, each arm of which loads under its own condition. All but one load of an
// element do nothing, but each is an instruction with a predicate and a register of zeros, and the
// conditions are held, as bits of registers, until what was loaded is selected. An element is
// loaded once here, through the pointer of the arm that it is taken from.
//
// An arm takes part whose load is masked by its own condition (that of the last arm by what is
// left) beside a mask that all share, and is read in that arm alone, through ops from element to
// element. The shared mask alone is left where the conditions cover all numbers: ranges of one
// value, whose bounds are constants. Of these the lower bound is asked no more where the arms in
// front cover all below it.
//
// Of arms that are read by pieces of different widths, as of an array beside one that is sampled
// up, those of the narrowest take part: through a chosen pointer all would be as narrow.
//
// Declines, with a remark, where several arms load, and no two of them so.
//
// Requires: masks as they were written, no layouts.  Preserves: everything; which addresses are
// read.  Kernels with dots stay, whose loads run ahead by passes of their own.
//===----------------------------------------------------------------------===//
#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Trace.h"
#include <limits.h>

enum {
  MOST_ARMS = 16,
  MOST_TRUTHS = 8, // that a mask is the conjunction of
  MOST_OPS = 32,   // from a load to its selection
  MOST_LOADS = 4   // of an arm
};

/// Truths, all of which have to hold.
typedef struct {
  MlirValue truths[MOST_TRUTHS];
  int count;
  bool isKnown; ///< false: too many
} Truths;

/// Of a chain of selections: what is taken where `condition` holds, and no condition in front does.
typedef struct {
  MlirOperation select; ///< null of the last
  MlirValue value;      ///< what is taken
  Truths condition;     ///< of the last what its loads are masked by
  MlirValue asked;      ///< the selection's condition, without what is known by then
  MlirOperation loads[MOST_LOADS];
  int numLoads;
} Arm;

typedef struct {
  MlirOperation root;
  const TileAxisAnalysis *axis;
  Arm arms[MOST_ARMS];
  int count;
} Chain;

//===- masks --------------------------------------------------------------===//

static void addTruths(Truths *all, MlirValue mask) {
  MlirOperation op = tileValueGetOp(mask);
  if (!mlirOperationIsNull(op) && tileOpIs(op, "arith.andi")) {
    addTruths(all, tileOperand(op, 0));
    addTruths(all, tileOperand(op, 1));
  } else if (all->count == MOST_TRUTHS) {
    all->isKnown = false;
  } else {
    all->truths[all->count++] = mask;
  }
}

static Truths truthsOf(MlirValue mask) {
  Truths all = {.isKnown = true};
  if (!mlirValueIsNull(mask)) addTruths(&all, mask);
  return all;
}

static bool holds(const Truths *all, MlirValue truth) {
  for (int i = 0; i < all->count; ++i)
    if (mlirValueEqual(all->truths[i], truth)) return true;
  return false;
}

/// Those of `all` that are not in `without`.
static Truths rest(const Truths *all, const Truths *without) {
  Truths left = {.isKnown = all->isKnown && without->isKnown};
  for (int i = 0; i < all->count; ++i)
    if (!holds(without, all->truths[i])) left.truths[left.count++] = all->truths[i];
  return left;
}

static bool areSame(const Truths *a, const Truths *b) {
  if (!a->isKnown || !b->isKnown || a->count != b->count) return false;
  for (int i = 0; i < a->count; ++i)
    if (!holds(b, a->truths[i])) return false;
  return true;
}

/// The numbers of `value` from `first` to in front of `end`, where truths hold.
typedef struct {
  MlirValue value;
  int64_t first, end;
  MlirValue below; ///< the truth that it is in front of `end`; null: none says so
} Range;

/// Narrows `range` by a comparison with a constant; false where it is none, or of another value.
static bool narrow(Range *range, MlirValue truth) {
  int64_t bound;
  MlirOperation op = tileValueGetOp(truth);
  if (mlirOperationIsNull(op) || !tileOpIs(op, "arith.cmpi")) return false;
  if (!tileConstantInt(tileOperand(op, 1), &bound) || bound == INT64_MAX) return false;
  MlirValue value = tileOperand(op, 0);
  if (!mlirValueIsNull(range->value) && !mlirValueEqual(range->value, value)) return false;
  range->value = value;
  int64_t predicate = mlirIntegerAttrGetValueInt(tileAttr(op, "predicate"));
  bool isBelow = predicate == TILE_SLT || predicate == TILE_SLE;
  if (!isBelow && predicate != TILE_SGE && predicate != TILE_SGT) return false;
  bound += predicate == TILE_SLE || predicate == TILE_SGT;
  if (isBelow && bound < range->end) range->end = bound, range->below = truth;
  if (!isBelow && bound > range->first) range->first = bound;
  return true;
}

static bool rangeOf(const Truths *all, Range *range) {
  *range = (Range){.first = INT64_MIN, .end = INT64_MAX};
  if (!all->isKnown || !all->count) return false;
  for (int i = 0; i < all->count; ++i)
    if (!narrow(range, all->truths[i])) return false;
  return true;
}

/// Of each arm what is left to ask where no condition in front of it holds: `i < 200` of `i >= 100`
/// and `i < 200` behind `i < 100`. How many arms there are until all numbers are taken; INT_MAX
/// where some may be left.
static int simplify(Chain *chain) {
  MlirValue value = {NULL};
  int64_t covered = INT64_MIN;
  for (int i = 0; i < chain->count; ++i) {
    Arm *arm = &chain->arms[i];
    Range range;
    bool follows = rangeOf(&arm->condition, &range) && range.first <= covered &&
                   (mlirValueIsNull(value) || mlirValueEqual(value, range.value));
    if (!follows) break;
    value = range.value;
    if (!mlirValueIsNull(range.below)) arm->asked = range.below;
    covered = range.end > covered ? range.end : covered;
    if (covered == INT64_MAX) return i + 1;
  }
  return INT_MAX;
}

//===- what an arm loads --------------------------------------------------===//

/// Does nothing stand on it beside what L1 and L2 give up first?
static bool isPlain(MlirOperation load) {
  return !mlirOperationGetNumDiscardableAttributes(load) &&
         mlirAttributeIsNull(tileAttr(load, "cache"));
}

static bool computesElements(MlirOperation op, MlirOperation root) {
  return mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(root)) &&
         tileOpIsElementwise(op) && tileOpIsMovable(op) && mlirOperationGetNumResults(op) == 1;
}

/// Do all ways from `value` lead to `arm` alone, through ops from element to element? These are
/// added to `ops`.
static bool leadsTo(MlirValue value, const Arm *arm, MlirOperation root, TileOpList *ops) {
  if (mlirValueEqual(value, arm->value)) return !mlirOpOperandIsNull(tileOnlyUse(value));
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use)) return false;
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tileOpListHolds(ops, op)) continue;
    if (ops->count == MOST_OPS || !computesElements(op, root)) return false;
    if (!mlirOperationIsBeforeInBlock(op, root)) return false;
    tileOpListAdd(ops, op);
    if (!leadsTo(tileResult(op), arm, root, ops)) return false;
  }
  return true;
}

/// May the load stand in front of `root`? Nothing writes on the way, or waits.
static bool canMove(MlirOperation load, MlirOperation root) {
  MlirOperation op = mlirOperationGetNextInBlock(load);
  for (; !mlirOperationEqual(op, root); op = mlirOperationGetNextInBlock(op))
    if (mlirOperationGetNumRegions(op) || (tileOpGetEffects(op) & ~(uint32_t)TILE_READS_GLOBAL))
      return false;
  return true;
}

/// Collects the masked loads that `value`, of an arm, is computed from.
static void findLoads(Chain *chain, Arm *arm, MlirValue value, int depth) {
  enum { MOST_DEPTH = 12 };
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || depth == MOST_DEPTH) return;
  if (!mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(chain->root))) return;
  if (tileOpIsALoad(op)) {
    for (int i = 0; i < arm->numLoads; ++i)
      if (mlirOperationEqual(arm->loads[i], op)) return;
    TileOpList ops = {0};
    bool fits = arm->numLoads < MOST_LOADS && tileTypeIsTile(mlirValueGetType(value)) &&
                !mlirValueIsNull(tileLoadGetMask(op)) && isPlain(op) &&
                leadsTo(value, arm, chain->root, &ops);
    tileOpListDestroy(&ops);
    if (fits) arm->loads[arm->numLoads++] = op;
    return;
  }
  if (!computesElements(op, chain->root)) return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    findLoads(chain, arm, tileOperand(op, i), depth + 1);
}

//===- chains -------------------------------------------------------------===//

/// The selection that `value`, which is taken where no condition of `select` holds, is the result
/// of; null where it is none, or others read it.
static MlirOperation nextOf(MlirOperation select) {
  MlirValue value = tileOperand(select, 2);
  MlirOperation op = tileValueGetOp(value);
  bool goesOn = !mlirOperationIsNull(op) && tileOpIs(op, "arith.select") &&
                mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(select)) &&
                !mlirOpOperandIsNull(tileOnlyUse(value)) &&
                tileTypeIsTile(mlirValueGetType(tileOperand(op, 0)));
  return goesOn ? op : (MlirOperation){NULL};
}

static void readChain(Chain *chain, MlirOperation root, const TileAxisAnalysis *axis) {
  *chain = (Chain){.root = root, .axis = axis};
  MlirOperation select = root;
  while (true) {
    chain->arms[chain->count++] = (Arm){.select = select,
                                        .value = tileOperand(select, 1),
                                        .asked = tileOperand(select, 0),
                                        .condition = truthsOf(tileOperand(select, 0))};
    MlirOperation next = nextOf(select);
    if (mlirOperationIsNull(next) || chain->count == MOST_ARMS - 1) break;
    select = next;
  }
  chain->arms[chain->count++] =
      (Arm){.value = tileOperand(select, 2), .condition = {.isKnown = true}};
  for (int i = 0; i < chain->count; ++i) findLoads(chain, &chain->arms[i], chain->arms[i].value, 0);
}

/// Loads of one element, one of an arm each.
typedef struct {
  MlirOperation loads[MOST_ARMS]; ///< null of arms that have none
  int first, last, count;         ///< arms that have one
  Truths shared;                  ///< what all are masked by besides
} Group;

static bool haveSameOther(MlirOperation a, MlirOperation b) {
  MlirValue x = tileLoadGetOther(a), y = tileLoadGetOther(b);
  if (mlirValueIsNull(x) || mlirValueIsNull(y)) return mlirValueIsNull(x) && mlirValueIsNull(y);
  return mlirValueEqual(x, y);
}

/// May the loads be one, whose masks are known?
static bool areAlike(MlirOperation a, MlirOperation b) {
  return mlirTypeEqual(mlirValueGetType(tileOperand(a, 0)), mlirValueGetType(tileOperand(b, 0))) &&
         haveSameOther(a, b);
}

/// The condition of `arm` within the mask of its load, which is that and `shared`; false where it
/// is something else. The last arm takes what is left for its condition.
static bool takesPart(Arm *arm, MlirOperation load, const Truths *shared) {
  Truths mask = truthsOf(tileLoadGetMask(load)), own = rest(&mask, shared);
  if (!own.isKnown || own.count + shared->count != mask.count) return false;
  bool isLast = mlirOperationIsNull(arm->select);
  if (isLast && !arm->condition.count) arm->condition = own;
  return areSame(&own, &arm->condition);
}

/// How many elements one access of `load` has.
static int widthOf(const Chain *chain, MlirOperation load) {
  int order[TILE_MAX_RANK];
  tileAxisAccessOrder(chain->axis, tileOperand(load, 0), order);
  return tileAxisAccessVector(chain->axis, load, order[0]);
}

/// Leaves the loads of the narrowest accesses.
static void leaveNarrowest(const Chain *chain, Group *group) {
  int widths[MOST_ARMS], least = INT_MAX;
  for (int i = group->first; i <= group->last; ++i) {
    if (mlirOperationIsNull(group->loads[i])) continue;
    widths[i] = widthOf(chain, group->loads[i]);
    least = widths[i] < least ? widths[i] : least;
  }
  Group narrow = {.shared = group->shared};
  for (int i = group->first; i <= group->last; ++i) {
    if (mlirOperationIsNull(group->loads[i]) || widths[i] > least) continue;
    if (!narrow.count++) narrow.first = i;
    narrow.loads[i] = group->loads[i];
    narrow.last = i;
  }
  *group = narrow;
}

/// The `k`-th loads of the arms.
static Group groupOf(Chain *chain, int k) {
  Group group = {.count = 0};
  for (int i = 0; i < chain->count; ++i) {
    Arm *arm = &chain->arms[i];
    if (k >= arm->numLoads || !canMove(arm->loads[k], chain->root)) continue;
    Truths mask = truthsOf(tileLoadGetMask(arm->loads[k]));
    if (!group.count) {
      group.shared = rest(&mask, &arm->condition);
      group.first = i;
      if (mlirOperationIsNull(arm->select)) break;
    } else if (!areAlike(group.loads[group.first], arm->loads[k])) {
      continue;
    }
    if (!takesPart(arm, arm->loads[k], &group.shared)) {
      if (!group.count) break;
      continue;
    }
    group.loads[i] = arm->loads[k];
    group.last = i;
    ++group.count;
  }
  if (group.count > 1) leaveNarrowest(chain, &group);
  return group;
}

//===- building -----------------------------------------------------------===//

static bool isAddPtr(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  return !mlirOperationIsNull(op) && tileOpIsAAddPtr(op);
}

/// `yes` where the condition holds, else `no`: of sums part by part, where parts may be the same.
static MlirValue choose(TileBuilder *b, MlirValue condition, MlirValue yes, MlirValue no) {
  if (mlirValueEqual(yes, no)) return yes;
  if (!isAddPtr(yes) || !isAddPtr(no)) return tileBuildSelect(b, condition, yes, no);
  MlirOperation x = tileValueGetOp(yes), y = tileValueGetOp(no);
  MlirType type = mlirValueGetType(tileOperand(x, 1));
  if (!mlirTypeEqual(type, mlirValueGetType(tileOperand(y, 1))))
    return tileBuildSelect(b, condition, yes, no);
  MlirValue base = choose(b, condition, tileOperand(x, 0), tileOperand(y, 0));
  MlirValue offset = choose(b, condition, tileOperand(x, 1), tileOperand(y, 1));
  return tileBuild(b, "tile.addptr", mlirValueGetType(yes), TILE_VALUES(base, offset));
}

/// The conjunction of `all`; null where there are none.
static MlirValue buildAll(TileBuilder *b, const Truths *all) {
  MlirValue mask = {NULL};
  for (int i = 0; i < all->count; ++i)
    mask = i ? tileBuildBinary(b, "arith.andi", mask, all->truths[i]) : all->truths[i];
  return mask;
}

/// Where one of the group's loads reads.
static MlirValue buildMask(TileBuilder *b, const Chain *chain, const Group *group, bool covers) {
  MlirValue shared = buildAll(b, &group->shared), any = {NULL};
  MlirType type = mlirValueGetType(tileLoadGetMask(group->loads[group->first]));
  for (int i = 0; i < chain->count && !covers; ++i) {
    if (mlirOperationIsNull(group->loads[i])) continue;
    const Arm *arm = &chain->arms[i];
    bool isLast = mlirOperationIsNull(arm->select);
    MlirValue own = isLast ? buildAll(b, &arm->condition) : tileOperand(arm->select, 0);
    any = mlirValueIsNull(any) ? own : tileBuildBinary(b, "arith.ori", any, own);
  }
  if (mlirValueIsNull(any)) return mlirValueIsNull(shared) ? tileBuildInt(b, type, 1) : shared;
  return mlirValueIsNull(shared) ? any : tileBuildBinary(b, "arith.andi", any, shared);
}

/// The one load of all of the group. `inOrder`: its arms are the first ones, and what is left to
/// ask of them tells them apart.
static void buildLoad(const Chain *chain, const Group *group, bool inOrder, bool covers) {
  TileBuilder b = tileBuilderBefore(chain->root);
  MlirOperation like = group->loads[group->last];
  b.location = mlirOperationGetLocation(like);
  MlirValue operands[3] = {tileOperand(like, 0)};
  bool sameHints = true;
  for (int i = group->last - 1; i >= group->first; --i) {
    MlirOperation load = group->loads[i];
    if (mlirOperationIsNull(load)) continue;
    const Arm *arm = &chain->arms[i];
    MlirValue condition = inOrder ? arm->asked : tileOperand(arm->select, 0);
    operands[0] = choose(&b, condition, tileOperand(load, 0), operands[0]);
    sameHints &= mlirAttributeEqual(tileAttr(load, "evict"), tileAttr(like, "evict"));
  }
  operands[1] = buildMask(&b, chain, group, covers);
  operands[2] = tileLoadGetOther(like);
  MlirType type = mlirValueGetType(tileResult(like));
  MlirOperation one = tileBuildLike(&b, like, mlirOperationGetNumOperands(like), operands, &type);
  if (!sameHints) mlirOperationRemoveAttributeByName(one, tileString("evict"));
  for (int i = 0; i < chain->count; ++i)
    if (!mlirOperationIsNull(group->loads[i]))
      mlirValueReplaceAllUsesOfWith(tileResult(group->loads[i]), tileResult(one));
}

/// What stands between the arms' loads and the root, but for these.
static TileOpList opsBetween(const Chain *chain) {
  TileOpList ops = {0};
  for (int i = 0; i < chain->count; ++i) {
    const Arm *arm = &chain->arms[i];
    if (!mlirOperationIsNull(arm->select) && i) tileOpListAdd(&ops, arm->select);
    for (int k = 0; k < arm->numLoads; ++k) {
      TileOpList own = {0};
      leadsTo(tileResult(arm->loads[k]), arm, chain->root, &own);
      for (size_t j = 0; j < own.count; ++j)
        if (!tileOpListHolds(&ops, own.ops[j])) tileOpListAdd(&ops, own.ops[j]);
      tileOpListDestroy(&own);
    }
  }
  return ops;
}

/// Moves `ops` to the root, in their order.
static void moveBehind(const TileOpList *ops, MlirOperation root) {
  TileOpList ordered = {0};
  MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(root));
  for (; !mlirOperationEqual(op, root); op = mlirOperationGetNextInBlock(op))
    if (tileOpListHolds(ops, op)) tileOpListAdd(&ordered, op);
  for (size_t i = 0; i < ordered.count; ++i) mlirOperationMoveBefore(ordered.ops[i], root);
  tileOpListDestroy(&ordered);
}

//===- the pass -----------------------------------------------------------===//

static bool isSelection(MlirOperation op, void *data) {
  (void)data;
  return tileOpIs(op, "arith.select") && tileTypeIsTile(mlirValueGetType(tileOperand(op, 0)));
}

/// Is it one that a selection in front of it leads to?
static bool isInChain(MlirOperation select) {
  MlirOpOperand use = tileOnlyUse(tileResult(select));
  if (mlirOpOperandIsNull(use)) return false;
  MlirOperation user = mlirOpOperandGetOwner(use);
  return isSelection(user, NULL) && mlirOpOperandGetOperandNumber(use) == 2 &&
         mlirOperationEqual(nextOf(user), select);
}

/// Arms that load something.
static int countLoading(const Chain *chain) {
  int count = 0;
  for (int i = 0; i < chain->count; ++i) count += chain->arms[i].numLoads > 0;
  return count;
}

static void work(MlirOperation root, const TileAxisAnalysis *axis) {
  Chain chain;
  readChain(&chain, root, axis);
  TileOpList between = opsBetween(&chain);
  int chosen = 0;
  for (int k = 0; k < MOST_LOADS; ++k) {
    Group group = groupOf(&chain, k);
    if (group.count < 2) continue;
    const Arm *last = &chain.arms[chain.count - 1];
    bool inOrder = group.count == group.last + 1, hasLast = group.last == chain.count - 1;
    bool covers =
        (inOrder && simplify(&chain) <= group.count) || (hasLast && !last->condition.count);
    buildLoad(&chain, &group, inOrder, covers);
    ++chosen;
  }
  if (chosen) {
    tileTrace(mlirOperationGetLocation(root), "%d loads through chosen pointers", chosen);
    moveBehind(&between, root);
  } else if (countLoading(&chain) > 1) {
    tileEmitRemark(mlirOperationGetLocation(root),
                   "each arm of a choice is loaded: expected loads that are alike, each masked by "
                   "the condition of its own arm");
  }
  for (int i = 0; i < chain.count && chosen; ++i)
    if (!mlirOperationIsNull(chain.arms[i].select))
      mlirOperationSetOperand(chain.arms[i].select, 0, chain.arms[i].asked);
  tileOpListDestroy(&between);
}

MlirLogicalResult tileRunChoosePointers(MlirOperation func) {
  if (tileHoldsDot(func)) return mlirLogicalResultSuccess();
  TileOpList selections = {0};
  tileOpListCollect(&selections, func, MlirWalkPreOrder, isSelection, NULL);
  TileAxisAnalysis *axis = tileAxisAnalysisCreate(func);
  for (size_t i = 0; i < selections.count; ++i)
    if (!isInChain(selections.ops[i])) work(selections.ops[i], axis);
  tileAxisAnalysisDestroy(axis);
  tileOpListDestroy(&selections);
  return mlirLogicalResultSuccess();
}
