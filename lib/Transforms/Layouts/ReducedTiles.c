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
// group's reductions, of its arithmetic and of conversions of the rows and columns.
//
//===----------------------------------------------------------------------===//
#include "Assigner.h"
#include "tile/Machine.h"
#include "tile/Support/Bits.h"

static TileValueInfo *groupOf(const TileAssigner *a, MlirValue value) {
  TileValueInfo *info = tileValueIsTile(value) ? tileAssignerFind(a, value) : NULL;
  return info ? tileAssignerGroupOf(info) : NULL;
}

/// Of a number; truths take one.
static int bytesOf(MlirType tile) { return (tileBitWidth(tileElementType(tile)) + 7) / 8; }

static bool read(MlirAttribute layout, MlirType tile, TileLayout *result) {
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(tile, shape);
  return !mlirAttributeIsNull(layout) && rank >= 0 &&
         tileLayoutFromAttr(layout, rank, shape, result);
}

/// The slots of bringing `value`, a change of shape, to `layout`: of what it was made of.
static int64_t conversionCost(const TileAssigner *a, MlirValue value, MlirAttribute layout) {
  TileLayout from, to;
  while (tileAssignerFind(a, value)->class == TILE_LAYOUT_MOVABLE) {
    MlirOperation op = tileValueGetOp(value);
    layout = tileLayoutBackward(&a->rules, op, 0, layout);
    value = tileOperand(op, 0);
  }
  MlirType type = mlirValueGetType(value);
  if (!read(tileAssignerLayoutOf(a, value), type, &from) || !read(layout, type, &to)) return 0;
  return tileLayoutPlanConversion(from, to, bytesOf(type)).cost;
}

/// The slots of one op of the group whose values have `layout`.
static int64_t costOf(const TileAssigner *a, MlirOperation op, const TileValueInfo *group,
                      MlirAttribute layout) {
  TileLayout own;
  int64_t cost = 0;
  if (tileOpIsAReduce(op) && groupOf(a, tileOperand(op, 0)) == group) {
    MlirType type = mlirValueGetType(tileOperand(op, 0));
    if (!read(layout, type, &own)) return 0;
    cost = tileLayoutReductionCost(own, (int)tileReduceGetAxis(op), bytesOf(type));
    return cost * mlirOperationGetNumOperands(op);
  }
  if (!tileOpIsElementwise(op) || groupOf(a, tileResult(op)) != group) return 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (tileValueIsTile(operand) && tileAssignerFind(a, operand)->class == TILE_LAYOUT_MOVABLE)
      cost += conversionCost(a, operand, layout);
  }
  return read(layout, mlirValueGetType(tileResult(op)), &own)
             ? cost + tileLayoutSize(own, TILE_REGISTER)
             : cost;
}

static int64_t costOfGroup(const TileAssigner *a, const TileValueInfo *group,
                           MlirAttribute layout) {
  int64_t cost = 0;
  for (size_t i = 0; i < a->numOps; ++i)
    if (mlirOperationGetNumResults(a->ops[i]) > 0)
      cost += costOf(a, a->ops[i], group, layout) * tileAssignerStepsOf(a->ops[i]);
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
/// enough; of what is reduced a thread has runs, as loads of rows and columns have them.
static MlirAttribute across(const TileAssigner *a, MlirType type, int reduced) {
  enum { MOST_BYTES = 16 };
  int64_t shape[TILE_MAX_RANK];
  int order[TILE_MAX_RANK], rank = tileShape(type, shape), n = 0;
  for (int d = rank; d-- > 0;)
    if (d != reduced) order[n++] = d;
  order[n] = reduced;
  int warps = tileLog2(a->rules.numWarps), run = tileLog2(MOST_BYTES / bytesOf(type));
  int neighbours = tileLog2(shape[order[0]]) - TILE_LANE_BITS - warps;
  Places p = {.left = {neighbours < 0     ? 0
                       : neighbours < run ? neighbours
                                          : run,
                       TILE_LANE_BITS, warps}};
  for (int i = 0; i < n; ++i) {
    int room = tileLog2(shape[order[i]]);
    for (int level = 0; level < 3; ++level) room -= place(&p, level, order[i], room);
  }
  int room = tileLog2(shape[reduced]), rest = room - p.left[1] - p.left[2];
  for (int level = 1; level < 3; ++level) p.box[level][reduced] = 1 << (unsigned)p.left[level];
  p.box[0][reduced] = 1 << (unsigned)(rest < 0 ? 0 : rest < run ? rest : run);
  TileLayout layout = tileLayoutBlocked(rank, shape, p.box[0], p.box[1], p.box[2], order);
  return tileLayoutIsValid(layout) ? tileLayoutToAttr(a->rules.context, &layout)
                                   : mlirAttributeGetNull();
}

MlirAttribute tileAssignerOfReduced(const TileAssigner *a, MlirValue value, MlirAttribute own) {
  TileValueInfo *group = groupOf(a, value);
  int64_t shape[TILE_MAX_RANK];
  MlirType type = mlirValueGetType(value);
  int rank = tileShape(type, shape);
  if (!group || !group->reduced || group->accessed || rank < 2) return own;
  MlirAttribute best = own;
  int64_t least = costOfGroup(a, group, own);
  for (int d = 0; d < rank; ++d) {
    MlirAttribute other = group->reduced >> d & 1 ? across(a, type, d) : mlirAttributeGetNull();
    if (mlirAttributeIsNull(other)) continue;
    int64_t cost = costOfGroup(a, group, other);
    if (cost >= least) continue;
    least = cost;
    best = other;
  }
  return best;
}
