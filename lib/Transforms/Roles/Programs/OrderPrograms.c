//===- OrderPrograms.c - long programs of all heads before short ones -----===//
//
// Before:  %block = tile.program_id x                 fewer steps, the higher its number
//          %head = tile.program_id y
// After:   %t = x + y * %blocks                       the order in which a device begins them
//          %group = %t / (16 * %blocks)               .. of 16 heads
//          %first = %group * 16
//          %inside = %t % (16 * %blocks)
//          %size = min(%heads - %first, 16)
//          %block = %inside / %size                   all heads' longest, then all second ones ..
//          %head = %first + %inside % %size
//
// A device begins programs along x first: all blocks of a head, then those of the next. Where some
// are longer than others (causal attention), the last head's long ones begin when other
// multiprocessors have nothing left. Behind tile-heavy-first each head has its longest first; now a
// group of heads has. With 16 heads to a group the programs that run at a time are still some
// blocks of each, which share its keys and values in the L2 cache.
//
// Of loops whose bounds are read for each block of rows (`load %counts[%block]`, as block masks
// are) nobody knows which are longest. Masks are causal more often than the other way round, and
// with others the order does not matter: the last one is taken for the longest.
//
// Only kernels whose loops have dots are ordered, with a block for each program: a loop over
// programs has an order of its own. Where the grid has 2^31 programs or more, all keep their
// numbers.
//
// Programs of one round, of a grid of two dimensions with few columns, fewer than rows, where some
// boxes of a loop follow from x alone and others from y alone: those of a row follow each other, as
// in a loop over programs (tile-make-persistent).
//
//          %few = %columns <= 8 and %columns < %rows
//          %x' = %few ? %t / %columns : %x
//          %y' = %few ? %t % %columns : %y
//
// Requires: a schedule, where there will be one; no loop over programs yet.  Preserves: numerics;
// of atomics, the order changes, which nothing promises.
//===----------------------------------------------------------------------===//
#include "OrderPrograms.h"
#include "../../Launch.h"
#include "../Copies/Clusters.h"
#include "../Kernel.h"
#include "tile/Analysis/ProgramLengths.h"
#include "tile/Analysis/Waiting.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Support/Grow.h"
#include "tile/Trace.h"
#include <stdlib.h>

typedef struct {
  MlirOperation func;
  MlirOperation *ids; // all tile.program_id
  size_t count, capacity;
  bool dots, prints;
} Kernel;

static MlirWalkResult findContents(MlirOperation op, void *data) {
  Kernel *k = data;
  k->prints |= tileOpIsAPrint(op);
  k->dots |= tileOpIsADot(op) && tileOpIs(mlirOperationGetParentOperation(op), "scf.for");
  if (!tileOpIsAProgramId(op)) return MlirWalkResultAdvance;
  k->ids = tileGrow(k->ids, k->count, &k->capacity, sizeof *k->ids);
  k->ids[k->count++] = op;
  return MlirWalkResultAdvance;
}

typedef struct {
  MlirValue id[3], extent[3]; // as the device counts
  MlirValue turn, counts;     // of the program in that order; i1: is it a number of 32 bits?
} Grid;

static Grid buildGrid(TileBuilder *b) {
  Grid g;
  MlirType wide = tileI64(b->context);
  for (int d = 0; d < 3; ++d) {
    g.id[d] = tileBuildGridOp(b, "tile.program_id", d);
    g.extent[d] = tileBuildGridOp(b, "tile.num_programs", d);
  }
  MlirValue total = tileBuildUnary(b, "arith.extsi", wide, g.extent[0]);
  for (int d = 1; d < 3; ++d)
    total = tileBuildBinary(b, "arith.muli", total,
                            tileBuildUnary(b, "arith.extsi", wide, g.extent[d]));
  g.counts = tileBuildCmpi(b, TILE_SLE, total, tileBuildInt(b, wide, INT32_MAX));
  MlirValue layers = tileBuildBinary(b, "arith.muli", g.id[2], g.extent[1]);
  MlirValue rows = tileBuildBinary(b, "arith.addi", layers, g.id[1]);
  MlirValue before = tileBuildBinary(b, "arith.muli", rows, g.extent[0]);
  g.turn = tileBuildBinary(b, "arith.addi", before, g.id[0]);
  return g;
}

/// Quotient and remainder of numbers that are not negative.
static void divide(TileBuilder *b, MlirValue number, MlirValue by, MlirValue *quotient,
                   MlirValue *rest) {
  *quotient = tileBuildBinary(b, "arith.divui", number, by);
  MlirValue whole = tileBuildBinary(b, "arith.muli", *quotient, by);
  *rest = tileBuildBinary(b, "arith.subi", number, whole);
}

void tileBuildOrderedPosition(TileBuilder *b, MlirValue turn, const MlirValue extent[3], int axis,
                              MlirValue size, MlirValue position[3]) {
  int low = axis == 0, high = axis == 2 ? 1 : 2; // the other two
  MlirValue others = tileBuildBinary(b, "arith.muli", extent[low], extent[high]);
  MlirValue group, inside, other;
  divide(b, turn, tileBuildBinary(b, "arith.muli", size, extent[axis]), &group, &inside);
  MlirValue first = tileBuildBinary(b, "arith.muli", group, size);
  MlirValue left = tileBuildBinary(b, "arith.subi", others, first);
  MlirValue width = tileBuildBinary(b, "arith.minui", left, size);
  divide(b, inside, width, &position[axis], &other);
  other = tileBuildBinary(b, "arith.addi", first, other);
  divide(b, other, extent[low], &position[high], &position[low]);
}

/// Where the program of a turn lies, for a grid whose programs have numbers of 32 bits.
static void buildPosition(const Kernel *k, TileBuilder *b, const Grid *g, int axis, bool turned,
                          MlirValue position[3]) {
  int64_t most = tileKernelGetNumber(k->func, TILE_NUMBER_PROGRAM_ROWS);
  MlirValue size = tileBuildInt(b, tileI32(b->context), most);
  tileBuildOrderedPosition(b, g->turn, g->extent, axis, size, position);
  if (turned) {
    MlirValue one = tileBuildInt(b, tileI32(b->context), 1);
    MlirValue last = tileBuildBinary(b, "arith.subi", g->extent[axis], one);
    position[axis] = tileBuildBinary(b, "arith.subi", last, position[axis]);
  }
  for (int d = 0; d < 3; ++d) position[d] = tileBuildSelect(b, g->counts, position[d], g->id[d]);
}

static void order(const Kernel *k, int axis, bool turned) {
  MlirOperation first = k->ids[0];
  while (!mlirOperationEqual(mlirOperationGetParentOperation(first), k->func))
    first = mlirOperationGetParentOperation(first);
  TileBuilder b = tileBuilderBefore(first);
  Grid grid = buildGrid(&b);
  MlirValue position[3];
  buildPosition(k, &b, &grid, axis, turned, position);
  for (size_t i = 0; i < k->count; ++i)
    tileReplaceOp(k->ids[i], 1, &position[tileProgramIdGetAxis(k->ids[i])]);
}

/// Is there a block for each program, in the order of the device, and more than one round?
static bool isOrderedByDevice(MlirOperation func) {
  TileSchedule s;
  if (tileLaunchGetMultiprocessors(func)) return false;
  if (!mlirAttributeIsNull(tileAttr(func, "tile_gpu.persistent"))) return false;
  return !tileKernelGetSchedule(func, &s) ||
         (s.programs == TILE_PROGRAMS_GRID && s.cluster == 1 && s.parts == 1 && s.splits == 1);
}

/// The axis along which programs are uneven, -1 for none. `turned`: is the last one the longest?
static int findAxis(MlirOperation func, bool *turned) {
  *turned = false;
  for (int axis = 0; axis < 3; ++axis)
    if (tileProgramLengths(func, axis) == TILE_SHRINKS) return axis;
  *turned = true;
  for (int axis = 0; axis < 3; ++axis)
    if (tileProgramLengthsAreReadAlong(func, axis)) return axis;
  return -1;
}

//===- rows of a grid of few columns --------------------------------------===//

MlirValue tileBuildHasFewColumns(TileBuilder *b, MlirOperation func, MlirValue rows,
                                 MlirValue columns) {
  int64_t most = tileKernelGetNumber(func, TILE_NUMBER_GRID_FEW_COLUMNS);
  MlirValue limit = tileBuildInt(b, tileI32(b->context), most);
  MlirValue isFew = tileBuildCmpi(b, TILE_SLE, columns, limit);
  MlirValue isTall = tileBuildCmpi(b, TILE_SLT, columns, rows);
  return tileBuildBinary(b, "arith.andi", isFew, isTall);
}

/// Does each block have one program, all of which run at a time, and share boxes across?
static bool isOneRoundAcross(const Kernel *k) {
  TileSchedule s;
  return tileLaunchGetMultiprocessors(k->func) && k->dots && k->count && !k->prints &&
         tileKernelGetSchedule(k->func, &s) && s.programs == TILE_PROGRAMS_GRID && s.groupRows &&
         s.cluster == 1 && s.parts == 1 && s.splits == 1 &&
         mlirOperationIsNull(tileFindWaiting(k->func)) && tileLoopsShareAcross(k->func);
}

/// Gives blocks that follow each other the programs of a row, where there are few columns.
static void orderAcross(const Kernel *k) {
  MlirOperation first = k->ids[0];
  while (!mlirOperationEqual(mlirOperationGetParentOperation(first), k->func))
    first = mlirOperationGetParentOperation(first);
  TileBuilder b = tileBuilderBefore(first);
  Grid g = {.counts = {NULL}};
  for (int d = 0; d < 3; ++d) g.id[d] = tileBuildGridOp(&b, "tile.program_id", d);
  for (int d = 0; d < 2; ++d) g.extent[d] = tileBuildGridOp(&b, "tile.num_programs", d);
  MlirValue before = tileBuildBinary(&b, "arith.muli", g.id[1], g.extent[0]);
  g.turn = tileBuildBinary(&b, "arith.addi", before, g.id[0]);
  MlirValue few = tileBuildHasFewColumns(&b, k->func, g.extent[0], g.extent[1]), position[3];
  divide(&b, g.turn, g.extent[1], &position[0], &position[1]);
  for (int d = 0; d < 2; ++d) position[d] = tileBuildSelect(&b, few, position[d], g.id[d]);
  position[2] = g.id[2];
  for (size_t i = 0; i < k->count; ++i)
    tileReplaceOp(k->ids[i], 1, &position[tileProgramIdGetAxis(k->ids[i])]);
}

MlirLogicalResult tileRunOrderPrograms(MlirOperation func) {
  Kernel k = {.func = func};
  bool turned;
  int axis = isOrderedByDevice(func) ? findAxis(func, &turned) : -1;
  mlirOperationWalk(func, findContents, &k, MlirWalkPreOrder);
  if (axis < 0) {
    if (isOneRoundAcross(&k)) orderAcross(&k);
    free(k.ids);
    return mlirLogicalResultSuccess();
  }
  const char *reason =
      k.prints ? "expected no tile.print, which names the program of a block, found one"
      : !mlirOperationIsNull(tileFindWaiting(func))
          ? "expected no loop that may wait for another program, found scf.while around an access"
          : NULL;
  MlirLocation location = mlirOperationGetLocation(func);
  if (reason)
    tileEmitRemark(location, "long programs of all rows of the grid do not begin first: %s",
                   reason);
  else if (k.dots && k.count) {
    tileTrace(location, "programs begin in the order of their length along %c%s", "xyz"[axis],
              turned ? ", the last one first" : "");
    order(&k, axis, turned);
  }
  free(k.ids);
  return mlirLogicalResultSuccess();
}
