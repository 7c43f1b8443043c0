//===- ShareRows.c - rows whose computed values several conversions bring -===//
//
// Where several conversions bring what is computed of one row, as mask and pointers of rows that a
// step gathers, or of a few, as weights and pointers of the corners around points, the rows are
// handed on, and each value is computed of them as it is wanted:
//
// Before:  %m = tile_gpu.convert_layout (%r >= 0)                 // %r = tile.load %p
//          %q = tile_gpu.convert_layout (%x + %r * %pitch)
// After:   %n = tile_gpu.convert_layout %r                       // by each warp
//          %m = %n >= 0,  %q = %x + %n * %pitch
//
// or loaded by each lane, where that costs less. All that is computed of the rows must end in such
// conversions, which agree on the layout of each row. What threads compute more than once counts
// against what the conversions take beside their barriers.
//
//===----------------------------------------------------------------------===//
#include "Rows.h"
#include "tile/MachineNumbers.h"
#include <stdlib.h>

/// A row, and how it is to be had.
typedef struct {
  MlirOperation load;
  MlirAttribute wanted; ///< by all that is computed of it
  MlirAttribute loaded; ///< the layout in which it comes from memory
} SharedRow;

/// More rows than that are not asked about.
enum { MOST_ROWS = 16 };

typedef struct {
  SharedRow rows[MOST_ROWS];
  int count;
  TileOpList ends;     ///< the conversions
  TileOpList computed; ///< ops between the rows and these
  int64_t cost;        ///< of the conversions, in slots of a warp
  int64_t waits;       ///< those of them at barriers
  int64_t more;        ///< slots of what is computed, over those it takes now
} Sharing;

/// Adds the conversions in which all ends that is computed of `value`, and the ops between; false
/// where some does not end in one of them, or in another block.
static bool findEnds(Sharing *s, MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirBlockEqual(mlirOperationGetBlock(user), tileValueGetBlock(value))) return false;
    if (tileOpIsAConvertLayout(user)) {
      if (!tileOpListHolds(&s->ends, user)) tileOpListAdd(&s->ends, user);
      continue;
    }
    if (tileOpListHolds(&s->computed, user)) continue;
    bool computes = tileOpIsElementwise(user) || tileOpIsShapeChange(user);
    if (!computes || mlirOperationGetNumResults(user) != 1) return false;
    tileOpListAdd(&s->computed, user);
    if (!findEnds(s, tileResult(user))) return false;
  }
  return true;
}

/// Notes that the load is wanted in `layout`; false where others want it in another one, or it
/// stands elsewhere.
static bool addRow(Sharing *s, MlirOperation load, MlirAttribute layout, MlirBlock block) {
  for (int i = 0; i < s->count; ++i)
    if (mlirOperationEqual(s->rows[i].load, load))
      return mlirAttributeEqual(s->rows[i].wanted, layout);
  if (s->count == MOST_ROWS || !mlirBlockEqual(mlirOperationGetBlock(load), block)) return false;
  s->rows[s->count++] = (SharedRow){.load = load, .wanted = layout};
  return true;
}

/// Adds the rows of which `end` brings something, and what it costs. One that does not go through
/// shared memory is no reason to compute anything again.
static bool addEnd(Sharing *s, MlirOperation end) {
  TileConversion plan;
  TileRowSlice slice = {0};
  MlirType from = mlirValueGetType(tileOperand(end, 0)), to = mlirValueGetType(tileResult(end));
  bool fits = tileRowsPlan(from, to, &plan) && plan.kind == TILE_CONVERSION_SHARED &&
              tileRowsCollect(&slice, tileOperand(end, 0), mlirRankedTensorTypeGetEncoding(to));
  for (int k = 0; fits && k < slice.count; ++k) {
    const TileRowStep *step = &slice.steps[k];
    if (tileOpIsALoad(step->op))
      fits = addRow(s, step->op, step->layout, mlirOperationGetBlock(end));
  }
  if (fits) s->cost += plan.cost;
  if (fits) s->waits += plan.waits;
  free(slice.steps);
  return fits;
}

/// Adds, once for each op, what `end`'s steps take more in the layouts that they are wanted in.
static void addWork(Sharing *s, TileOpList *counted, MlirOperation end) {
  TileRowSlice slice = {0};
  tileRowsCollect(&slice, tileOperand(end, 0), tileRowsLayoutOf(tileResult(end)));
  for (int k = 0; k < slice.count; ++k) {
    const TileRowStep *step = &slice.steps[k];
    if (!step->loads || tileOpIsALoad(step->op) || tileOpListHolds(counted, step->op)) continue;
    tileOpListAdd(counted, step->op);
    s->more += tileRowsMoreOfStep(step);
  }
  free(slice.steps);
}

/// Chooses how the row comes from memory: by each warp, which hands it on, or, of several rows, by
/// each lane. Its slots; `most` where it costs more. One row alone is mostly that which a step
/// gathers by: copied ahead, in as few words as there are.
static int64_t chooseLayout(TileRows *rows, SharedRow *row, MlirOperation reader, bool alone,
                            int64_t most) {
  MlirValue value = tileResult(row->load);
  MlirType wanted = tileWithEncoding(mlirValueGetType(value), row->wanted);
  int words = tileMachineNumber(tileMachineOf(row->load), TILE_NUMBER_ROW_WORDS);
  TileRowSlice slice = {0};
  MlirAttribute byWarps = tileRowsLayoutForWarps(wanted, words);
  int64_t cost = tileRowsCostOfWarps(byWarps, wanted, most);
  if (cost < most && tileRowsCollect(&slice, value, byWarps)) row->loaded = byWarps;
  if (mlirAttributeIsNull(row->loaded)) cost = most;
  slice.count = 0;
  MlirAttribute byLanes = mlirAttributeGetNull();
  if (!alone) byLanes = tileRowsLayoutByLanes(rows, reader, wanted);
  if (!mlirAttributeIsNull(byLanes) && tileRowsCollect(&slice, value, byLanes)) {
    int64_t lanes = tileRowsCostOfLanes(rows, &slice) + tileRowsCostOfLines(rows, &slice, true) -
                    tileRowsCostOfLines(rows, &slice, false);
    if (lanes < cost) {
      row->loaded = byLanes;
      cost = lanes;
    }
  }
  free(slice.steps);
  return cost;
}

/// Finds all rows and conversions that belong to `conversion`, and whether it pays to hand on the
/// former for the latter.
static bool plan(TileRows *rows, Sharing *s, MlirOperation conversion) {
  size_t seen = 0;
  tileOpListAdd(&s->ends, conversion);
  for (int found = 0; seen < s->ends.count;) {
    for (; seen < s->ends.count; ++seen)
      if (!addEnd(s, s->ends.ops[seen])) return false;
    for (; found < s->count; ++found)
      if (!findEnds(s, tileResult(s->rows[found].load))) return false;
  }
  if (!s->count || s->ends.count < 2) return false;
  TileOpList counted = {0};
  // Of one row little is computed: a mask, pointers. While threads wait at a barrier others
  // compute, but what all compute more takes its time.
  bool many = s->count > 1;
  for (size_t i = 0; many && i < s->ends.count; ++i) addWork(s, &counted, s->ends.ops[i]);
  tileOpListDestroy(&counted);
  int64_t left = many ? s->cost - s->waits - s->more : s->cost;
  for (int i = 0; left > 0 && i < s->count; ++i)
    left -= chooseLayout(rows, &s->rows[i], conversion, s->count == 1, left);
  return left > 0;
}

/// What stands for the row where it is wanted: loaded anew, and handed on.
static MlirValue moveRow(const SharedRow *row) {
  TileRowSlice slice = {0};
  TileValueMap map = {{0}};
  MlirValue value = tileResult(row->load);
  tileRowsCollect(&slice, value, row->loaded);
  tileRowsCloneSteps(&slice, &map, value);
  MlirValue loaded = tileValueMapGet(map, value);
  TileBuilder b = tileBuilderAfter(tileValueGetOp(loaded));
  MlirType wanted = tileWithEncoding(mlirValueGetType(value), row->wanted);
  MlirValue moved = tileBuildUnary(&b, "tile_gpu.convert_layout", wanted, loaded);
  tileValueMapClear(&map);
  free(slice.steps);
  return moved;
}

/// What `end` brings, computed of the rows where this is wanted.
static void computeAtEnd(MlirOperation end, const Sharing *s, const MlirValue *moved) {
  TileRowSlice slice = {0};
  TileValueMap map = {{0}};
  MlirValue value = tileOperand(end, 0);
  tileRowsCollect(&slice, value, tileRowsLayoutOf(tileResult(end)));
  for (int i = 0; i < s->count; ++i) tileValueMapSet(&map, tileResult(s->rows[i].load), moved[i]);
  tileRowsCloneSteps(&slice, &map, value);
  mlirValueReplaceAllUsesOfWith(tileResult(end), tileValueMapGet(map, value));
  tileValueMapClear(&map);
  free(slice.steps);
}

bool tileRowsShare(TileRows *rows, MlirOperation conversion) {
  Sharing s = {0};
  MlirValue moved[MOST_ROWS];
  bool shares = plan(rows, &s, conversion);
  for (int i = 0; shares && i < s.count; ++i) moved[i] = moveRow(&s.rows[i]);
  for (size_t i = 0; shares && i < s.ends.count; ++i) computeAtEnd(s.ends.ops[i], &s, moved);
  if (shares) tileAxisAnalysisDestroy(rows->axis);
  if (shares) rows->axis = NULL;
  tileOpListDestroy(&s.ends);
  tileOpListDestroy(&s.computed);
  return shares;
}
