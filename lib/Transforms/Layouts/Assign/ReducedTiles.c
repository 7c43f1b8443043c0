//===- ReducedTiles.c - tiles that only reductions look at ----------------===//
//
// Before:  %p = arith.mulf %a, %b : tensor<64x16xf32>   // a column and a row, repeated
//          %s = tile.reduce add %p axis 0               // 16 sums over 32 lanes: 80 shuffles
// After:   the same, but each lane has 32 of a column's elements: two sums, a shuffle each; the
//          column comes by way of shared memory, 8 loads of 16 bytes
//
// Where a tile is computed of rows and columns alone, and nothing but reductions looks at it, its
// layout is free. That of the first row or column would divide its elements among lanes, and all
// else among registers: of a column that is what is summed, and each sum takes five shuffles. So
// that layout competes with those in which lanes take what is kept: by the issue slots of the
// group's reductions and scans, of its arithmetic and of conversions of the rows and columns. Where
// what is kept is less than lanes and warps, one of them shares what is summed. In loops it
// competes with those of the other rows and columns, too: where one is loaded in each step and the
// other in front, that one is taken as it comes, and the other converted, once.
//
//===----------------------------------------------------------------------===//
#include "Assigner.h"
#include "tile/Analysis/Laws.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/Bits.h"

static TileValueInfo *groupOf(const TileAssigner *a, MlirValue value) {
  TileValueInfo *info = tileValueIsTile(value) ? tileAssignerFind(a, value) : NULL;
  return info ? tileAssignerGroupOf(info) : NULL;
}

/// Of a number; truths take one.
static int bytesOf(MlirType tile) { return tileElementBytes(tileElementType(tile)); }

static bool read(MlirAttribute layout, MlirType tile, TileLayout *result) {
  *result = tileLayoutOn(layout, tile);
  return tileLayoutIsValid(*result);
}

/// How often what is computed of `value` at `op` is, where a loop that does not change it has it
/// computed in front.
static int64_t stepsOf(MlirValue value, MlirOperation op) {
  MlirOperation made = tileValueGetOp(value);
  return mlirOperationIsNull(made) ? tileAssignerStepsOf(op) : tileAssignerStepsOf(made);
}

/// The slots of bringing `value`, a change of shape that `op` reads, to `layout`: of what it was
/// made of, as often as that is another.
static int64_t conversionCost(const TileAssigner *a, MlirOperation op, MlirValue value,
                              MlirAttribute layout) {
  TileLayout from, to;
  while (tileAssignerFind(a, value)->class == TILE_LAYOUT_MOVABLE) {
    MlirOperation change = tileValueGetOp(value);
    layout = tileLayoutBackward(&a->rules, change, 0, layout);
    value = tileOperand(change, 0);
  }
  MlirType type = mlirValueGetType(value);
  if (!read(tileAssignerLayoutOf(a, value), type, &from) || !read(layout, type, &to)) return 0;
  return tileLayoutPlanConversion(from, to, bytesOf(type)).cost * stepsOf(value, op);
}

/// How often the threads that share a result of `reduce` meet: once behind the loop where that only
/// combines it with what it carries, in `own` registers at most (tile-defer-reductions).
static int64_t meetingsOf(MlirOperation reduce, int64_t own) {
  int64_t steps = tileAssignerStepsOf(reduce);
  MlirOperation loop = mlirOperationGetParentOperation(reduce);
  MlirOpOperand use = mlirOperationGetNumOperands(reduce) == 1 ? tileOnlyUse(tileResult(reduce))
                                                               : (MlirOpOperand){NULL};
  int most = tileMachineNumber(tileMachineOf(reduce), TILE_NUMBER_SUM_WORDS);
  if (mlirOpOperandIsNull(use) || !tileOpIs(loop, "scf.for") || own > most) return steps;
  MlirOperation combine = mlirOpOperandGetOwner(use), only = tileCombineGetOnlyOp(reduce);
  if (mlirOperationIsNull(only) || mlirOperationGetNumOperands(combine) != 2 ||
      !mlirIdentifierEqual(mlirOperationGetName(only), mlirOperationGetName(combine)))
    return steps;
  MlirValue carried = tileOperand(combine, mlirOpOperandGetOperandNumber(use) == 0);
  MlirOpOperand next = tileOnlyUse(tileResult(combine));
  bool isCarried =
      mlirValueIsABlockArgument(carried) &&
      mlirBlockEqual(mlirBlockArgumentGetOwner(carried), tileBody(loop, 0)) &&
      !mlirOpOperandIsNull(next) &&
      mlirOperationEqual(mlirOpOperandGetOwner(next), mlirBlockGetTerminator(tileBody(loop, 0)));
  return isCarried ? tileAssignerStepsOf(loop) : steps;
}

/// The registers of a thread that hold different results of a reduction along `axis`.
static int64_t keptOf(TileLayout layout, int axis) {
  int64_t kept = 1, extent = ((int64_t)1 << (unsigned)layout.outBits[axis]) - 1;
  uint64_t along = (uint64_t)extent << (unsigned)tileLayoutShift(layout, axis);
  for (int bit = 0; bit < layout.inBits[TILE_REGISTER]; ++bit)
    if (layout.bases[TILE_REGISTER][bit] & ~along) kept *= 2;
  return kept;
}

/// The slots of a reduction, all steps of loops together.
static int64_t reductionCost(MlirOperation reduce, TileLayout layout, int bytes) {
  int axis = (int)tileReduceGetAxis(reduce);
  int64_t steps = tileAssignerStepsOf(reduce), meetings = meetingsOf(reduce, keptOf(layout, axis));
  int64_t all = tileLayoutReductionCost(layout, axis, bytes) * mlirOperationGetNumOperands(reduce);
  int64_t own = meetings < steps ? tileLayoutSize(layout, TILE_REGISTER) : 0;
  return all * meetings + own * steps;
}

/// The slots of a scan, all steps of loops together: those of a reduction, and each of a thread's
/// elements takes what the threads before it have.
static int64_t scanCost(MlirOperation scan, TileLayout layout, int bytes) {
  int axis = (int)tileScanGetAxis(scan);
  int64_t each =
      tileLayoutReductionCost(layout, axis, bytes) + tileLayoutSize(layout, TILE_REGISTER);
  return each * mlirOperationGetNumOperands(scan) * tileAssignerStepsOf(scan);
}

/// Is operand `i` of `op` a row or a column that was repeated?
static bool isRepeated(const TileAssigner *a, MlirOperation op, intptr_t i) {
  MlirValue operand = tileOperand(op, i);
  return tileValueIsTile(operand) && tileAssignerFind(a, operand)->class == TILE_LAYOUT_MOVABLE;
}

/// The slots, all steps of loops together, of one op of the group whose values have `layout`.
static int64_t costOf(const TileAssigner *a, MlirOperation op, const TileValueInfo *group,
                      MlirAttribute layout) {
  TileLayout own;
  int64_t cost = 0, steps = tileAssignerStepsOf(op);
  if (tileOpIsAReduce(op) && groupOf(a, tileOperand(op, 0)) == group) {
    MlirType type = mlirValueGetType(tileOperand(op, 0));
    return read(layout, type, &own) ? reductionCost(op, own, bytesOf(type)) : 0;
  }
  if (tileOpIsAScan(op) && groupOf(a, tileOperand(op, 0)) == group) {
    MlirType type = mlirValueGetType(tileOperand(op, 0));
    return read(layout, type, &own) ? scanCost(op, own, bytesOf(type)) : 0;
  }
  if (!tileOpIsElementwise(op) || groupOf(a, tileResult(op)) != group) return 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (isRepeated(a, op, i)) cost += conversionCost(a, op, tileOperand(op, i), layout);
  return read(layout, mlirValueGetType(tileResult(op)), &own)
             ? cost + tileLayoutSize(own, TILE_REGISTER) * steps
             : cost;
}

static int64_t costOfGroup(const TileAssigner *a, const TileValueInfo *group,
                           MlirAttribute layout) {
  int64_t cost = 0;
  for (size_t i = 0; i < a->numOps; ++i)
    if (mlirOperationGetNumResults(a->ops[i]) > 0) cost += costOf(a, a->ops[i], group, layout);
  return cost;
}

/// The places of one dimension that registers, lanes and warps take of it, logarithms.
typedef struct {
  int left[3]; ///< of a thread's neighbours, lanes and warps that are still to be placed
  int box[3][TILE_MAX_RANK];
} Places;

/// Places what is left along `dim`, of `room` bits.
static int place(Places *p, int level, int dim, int room) {
  int bits = p->left[level] < room ? p->left[level] : room;
  p->left[level] -= bits;
  p->box[level][dim] = 1 << (unsigned)bits;
  return bits;
}

/// Lanes take what stays where dimension `reduced` goes, then warps, neighbours where there are
/// enough; of what is reduced a thread has runs, as loads of rows and columns have them. What stays
/// may be less than lanes and warps: `warpsFirst`, lanes share what is reduced, and warps do not.
static MlirAttribute across(const TileAssigner *a, MlirType type, int reduced, bool warpsFirst) {
  enum { MOST_BYTES = 16 };
  int64_t shape[TILE_MAX_RANK];
  int order[TILE_MAX_RANK], rank = tileShape(type, shape), n = 0, stays = 0;
  for (int d = rank; d-- > 0;) {
    if (d == reduced) continue;
    order[n++] = d;
    stays += tileLog2(shape[d]);
  }
  order[n] = reduced;
  int warps = tileLog2(a->rules.numWarps), run = tileLog2(MOST_BYTES / bytesOf(type));
  int neighbours = tileLog2(shape[order[0]]) - TILE_LANE_BITS - warps;
  Places p = {.left = {neighbours < 0     ? 0
                       : neighbours < run ? neighbours
                                          : run,
                       TILE_LANE_BITS, warps}};
  int sharing = TILE_LANE_BITS + warps - stays; // lanes
  sharing = !warpsFirst || sharing < 0 ? 0 : sharing < TILE_LANE_BITS ? sharing : TILE_LANE_BITS;
  p.left[1] -= sharing;
  for (int i = 0; i < n; ++i) {
    int room = tileLog2(shape[order[i]]);
    for (int level = 0; level < 3; ++level) room -= place(&p, level, order[i], room);
  }
  p.left[1] += sharing;
  int room = tileLog2(shape[reduced]), rest = room - p.left[1] - p.left[2];
  for (int level = 1; level < 3; ++level) p.box[level][reduced] = 1 << (unsigned)p.left[level];
  p.box[0][reduced] = 1 << (unsigned)(rest < 0 ? 0 : rest < run ? rest : run);
  TileLayout layout = tileLayoutBlocked(rank, shape, p.box[0], p.box[1], p.box[2], order);
  return tileLayoutIsValid(layout) ? tileLayoutToAttr(a->rules.context, &layout)
                                   : mlirAttributeGetNull();
}

/// The best layout of a group so far.
typedef struct {
  MlirAttribute layout;
  int64_t cost;
} Best;

static void compete(const TileAssigner *a, const TileValueInfo *group, MlirAttribute layout,
                    Best *best) {
  if (mlirAttributeIsNull(layout) || mlirAttributeEqual(layout, best->layout)) return;
  int64_t cost = costOfGroup(a, group, layout);
  if (cost < best->cost) *best = (Best){layout, cost};
}

/// Of the group's rows and columns that steps of loops make, each lies as it comes, once.
static void competeRows(const TileAssigner *a, const TileValueInfo *group, Best *best) {
  MlirAttribute last = best->layout;
  for (size_t i = 0; i < a->numOps; ++i) {
    MlirOperation op = a->ops[i];
    if (mlirOperationGetNumResults(op) == 0 || !tileOpIsElementwise(op) ||
        groupOf(a, tileResult(op)) != group || tileAssignerStepsOf(op) == 1)
      continue;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
      if (!isRepeated(a, op, k)) continue;
      MlirAttribute layout = tileAssignerLayoutOf(a, tileOperand(op, k));
      if (mlirAttributeIsNull(layout) || mlirAttributeEqual(layout, last)) continue;
      compete(a, group, layout, best);
      last = layout;
    }
  }
}

MlirAttribute tileAssignerOfReduced(const TileAssigner *a, MlirValue value, MlirAttribute own) {
  TileValueInfo *group = groupOf(a, value);
  int64_t shape[TILE_MAX_RANK];
  MlirType type = mlirValueGetType(value);
  int rank = tileShape(type, shape);
  if (!group || !group->reduced || group->accessed || rank < 2) return own;
  Best best = {own, costOfGroup(a, group, own)};
  for (int d = 0; d < rank; ++d)
    for (int first = 0; group->reduced >> (rank - 1 - d) & 1 && first < 2; ++first)
      compete(a, group, across(a, type, d, first), &best);
  competeRows(a, group, &best);
  return best.layout;
}

//===- rows that are reduced and repeated again ----------------------------===//

enum { deepest = 8 }; // ops that are looked through

/// Does `value` follow from a reduction, element by element? Or is what follows from it repeated
/// along another dimension, `forward`?
static bool reaches(MlirValue value, bool forward, int depth) {
  MlirOperation op = tileValueGetOp(value);
  bool found = false;
  if (!forward && !mlirOperationIsNull(op) && depth > 0) {
    for (intptr_t i = 0; tileOpIsElementwise(op) && i < mlirOperationGetNumOperands(op); ++i)
      found |= reaches(tileOperand(op, i), false, depth - 1);
    return found || tileOpIsAReduce(op);
  }
  MlirOpOperand use = forward ? mlirValueGetFirstUse(value) : (MlirOpOperand){NULL};
  for (; !mlirOpOperandIsNull(use) && depth > 0; use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    found |= tileOpIsAExpandDims(user) ||
             (tileOpIsElementwise(user) && reaches(tileResult(user), true, depth - 1));
  }
  return found;
}

MlirAttribute tileAssignerOfReducedRow(const TileAssigner *a, MlirOperation op) {
  int64_t shape[TILE_MAX_RANK];
  bool inLoop = tileOpIs(mlirOperationGetParentOperation(op), "scf.for");
  if (!inLoop || tileShape(mlirValueGetType(tileResult(op)), shape) != 1)
    return mlirAttributeGetNull();
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirAttribute layout = tileAssignerLayoutOf(a, tileOperand(op, i));
    if (!mlirAttributeIsNull(layout) && reaches(tileOperand(op, i), false, deepest) &&
        reaches(tileResult(op), true, deepest))
      return layout;
  }
  return mlirAttributeGetNull();
}
