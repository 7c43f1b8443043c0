//===- MakePersistent.c - blocks that stay --------------------------------===//
//
// Before:  %x = tile.program_id x                  // a block for each program
//          %y = tile.program_id y
//          .. a program ..
// After:   %total = number of programs             // of tile_gpu.grid_extent, the launch's own
//          %block = tile.program_id x              // as many as the device holds
//          scf.for %t = %block to %total step %blocks {
//            %x, %y = where program %t lies
//            .. a program .. }
//
// A block that has several programs computes one while the boxes of the next are on their way, and
// stores it then. Blocks that run together share rows and columns in the L2 cache: programs of a
// two-dimensional grid come in groups of `group_rows` rows, every other group backwards. With
// `columns = 2` those of a cluster of 4 or 8 are 2 or 4 rows of two columns, so that they share
// what follows from either:
//
//          columns = 1: 0 4 8     columns = 2: 0 2 8
//                       1 5 9                  1 3 9
//                       2 6 10                 4 6 10
//                       3 7 11                 5 7 11
//
// Where the grid has few columns (`grid-few-columns`), fewer than rows, and some boxes of a loop
// follow from x alone and others from y alone, as a product's operands do, programs of a row follow
// each other: what the columns read is small then, and what comes from memory is the other operand,
// which programs of a row want at the same time. Blocks of clusters keep the order by which they
// share copies, and uneven programs theirs.
//
//          %few = %columns <= 8 and %columns < %rows
//          %group_rows = %few ? 1 : 16
//
// Blocks of a cluster (`cluster`) have neighbouring programs, counted from their first block's:
//
//          %first = %block - %rank
//          scf.for %t = %first to %total step %blocks {
//            %turn = %t + %rank
//            %program = min(%turn, %total - 1)
//            %real = %turn < %total
//
// Those beyond the last program have that once more, and store nothing (StoreWhen.h). With
// `programs = one`, where the device holds all programs at a time, the loop has one turn;
// tile-warp-specialize, the last that counts on it, says so.
//
// Programs that get shorter with their number (causal attention) come in rounds that go forth and
// back, `programs = serpentine`, so that no block has the longest of each round:
//
//            %past = %t - %block + %blocks          the next round's first program
//            %program = %past - 1 - %block          in every other round, counted from the last
//
// and by length: the longest of as many heads as take turns (HeadGroups.h), then the next ones. So
// the programs of a round are almost as long as one another, and some of each head run at a time,
// which share its keys. Where boxes of a loop depend on what makes programs short or long (products
// of triangular matrices), groups of rows share more, and stay.
//
// The order of programs in groups is that of fast.cu.
//
// Requires: a schedule with other programs than the grid's, no roles yet.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../Copies/Clusters.h"
#include "../Kernel.h"
#include "HeadGroups.h"
#include "OrderPrograms.h"
#include "StoreWhen.h"
#include "tile/Analysis/ProgramLengths.h"
#include "tile/Passes.h"
#include "tile/Support/ValueSearch.h"

typedef struct {
  MlirOperation func;
  TileSchedule schedule;
  MlirValue total;       // number of programs
  MlirValue rank;        // of the block in its cluster; null where it has none
  MlirValue real;        // i1: its program is not past the end; null where each is
  MlirValue first, step; // of the loop
  int uneven;            // axis along which programs are shorter and shorter; -1: in groups of rows
  MlirValue group;       // of heads whose programs run at a time, where they are
  bool across;           // does the order follow from how many columns the grid has?
} Maker;

/// Row and column of program `t` of a group of `height` rows, where blocks of a cluster have two
/// columns of them: of each two columns the first rows, as many as half of the blocks, then the
/// next ones. A last column that is alone comes row by row.
static void buildSquare(TileBuilder *b, int64_t blocks, MlirValue t, MlirValue height,
                        MlirValue sizeY, MlirValue place[2]) {
  MlirType type = tileI32(b->context);
  MlirValue two = tileBuildInt(b, type, 2), half = tileBuildInt(b, type, blocks / 2);
  MlirValue all = tileBuildInt(b, type, blocks), one = tileBuildInt(b, type, 1);
  MlirValue perPair = tileBuildBinary(b, "arith.muli", height, two);
  MlirValue pair = tileBuildBinary(b, "arith.divui", t, perPair);
  MlirValue inside = tileBuildBinary(b, "arith.remui", t, perPair);
  MlirValue column = tileBuildBinary(b, "arith.muli", pair, two);
  MlirValue next = tileBuildBinary(b, "arith.addi", column, one);
  MlirValue isPair = tileBuildCmpi(b, TILE_SLT, next, sizeY);
  MlirValue cluster = tileBuildBinary(b, "arith.divui", inside, all);
  MlirValue block = tileBuildBinary(b, "arith.remui", inside, all);
  MlirValue first = tileBuildBinary(b, "arith.muli", cluster, half);
  MlirValue left = tileBuildBinary(b, "arith.subi", height, first);
  MlirValue rows = tileBuildBinary(b, "arith.minui", left, half);
  MlirValue down = tileBuildBinary(b, "arith.remui", block, rows);
  MlirValue across = tileBuildBinary(b, "arith.divui", block, rows);
  MlirValue row = tileBuildBinary(b, "arith.addi", first, down);
  MlirValue beside = tileBuildBinary(b, "arith.addi", column, across);
  place[0] = tileBuildSelect(b, isPair, row, inside);
  place[1] = tileBuildSelect(b, isPair, beside, column);
}

/// Rows that go together: one of a grid of few columns, where its programs share across.
static MlirValue buildGroupRows(const Maker *m, TileBuilder *b, MlirValue sizeX, MlirValue sizeY) {
  MlirValue rows = tileBuildInt(b, tileI32(b->context), m->schedule.groupRows);
  if (!m->across) return rows;
  MlirValue few = tileBuildHasFewColumns(b, m->func, sizeX, sizeY);
  return tileBuildSelect(b, few, tileBuildInt(b, tileI32(b->context), 1), rows);
}

/// x and y of program `t` of one layer of the grid.
static void buildPosition(const Maker *m, TileBuilder *b, MlirValue t, MlirValue sizeX,
                          MlirValue sizeY, MlirValue position[2]) {
  const TileSchedule *schedule = &m->schedule;
  if (schedule->groupRows == 0) {
    position[0] = tileBuildBinary(b, "arith.remui", t, sizeX);
    position[1] = tileBuildBinary(b, "arith.divui", t, sizeX);
    return;
  }
  MlirValue rows = buildGroupRows(m, b, sizeX, sizeY);
  MlirValue one = tileBuildInt(b, tileI32(b->context), 1);
  MlirValue zero = tileBuildInt(b, tileI32(b->context), 0);
  MlirValue perGroup = tileBuildBinary(b, "arith.muli", rows, sizeY);
  MlirValue group = tileBuildBinary(b, "arith.divui", t, perGroup);
  MlirValue inside = tileBuildBinary(b, "arith.remui", t, perGroup);
  MlirValue first = tileBuildBinary(b, "arith.muli", group, rows);
  MlirValue left = tileBuildBinary(b, "arith.subi", sizeX, first);
  MlirValue height = tileBuildBinary(b, "arith.minui", left, rows);
  MlirValue place[2];
  if (schedule->columns > 1) {
    buildSquare(b, schedule->cluster, inside, height, sizeY, place);
  } else {
    place[0] = tileBuildBinary(b, "arith.remui", inside, height);
    place[1] = tileBuildBinary(b, "arith.divui", inside, height);
  }
  MlirValue last = tileBuildBinary(b, "arith.subi", sizeY, one);
  MlirValue back = tileBuildBinary(b, "arith.subi", last, place[1]);
  MlirValue odd = tileBuildBinary(b, "arith.andi", group, one);
  MlirValue isOdd = tileBuildCmpi(b, TILE_NE, odd, zero);
  position[0] = tileBuildBinary(b, "arith.addi", first, place[0]);
  position[1] = tileBuildSelect(b, isOdd, back, place[1]);
}

/// Of the kernel's grid: 1, 2 or 3 dimensions; 3 where it says nothing.
static int gridRank(MlirOperation func) {
  TILE_FOR_EACH_OP(op, tileBody(func, 0)) {
    if (tileOpIsAGrid(op))
      return (int)mlirOperationGetNumOperands(mlirBlockGetTerminator(tileBody(op, 0)));
  }
  return 3;
}

typedef struct {
  MlirValue position[3], extent[3];
} Program;

/// program_id and num_programs mean the program, no longer the block.
static void replaceIds(MlirBlock block, const Program *program) {
  TILE_FOR_EACH_OP(op, block) {
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(tileBody(op, r))) replaceIds(tileBody(op, r), program);
    if (tileOpIsAProgramId(op))
      tileReplaceOp(op, 1, &program->position[tileProgramIdGetAxis(op)]);
    else if (tileOpIsANumPrograms(op))
      tileReplaceOp(op, 1, &program->extent[tileNumProgramsGetAxis(op)]);
  }
}

/// The program of turn `t` of the loop, where every other round of them goes backwards: of each two
/// at the end, the first does. The last one, which may be short, does not.
static MlirValue buildSerpentine(const Maker *m, TileBuilder *b, MlirValue t) {
  MlirValue one = tileBuildInt(b, tileI32(b->context), 1);
  MlirValue zero = tileBuildInt(b, tileI32(b->context), 0);
  MlirValue start = tileBuildBinary(b, "arith.subi", t, m->first);
  MlirValue left = tileBuildBinary(b, "arith.subi", m->total, start);
  MlirValue others = tileBuildBinary(b, "arith.subi", left, one);
  MlirValue behind = tileBuildBinary(b, "arith.divui", others, m->step); // rounds
  MlirValue odd = tileBuildBinary(b, "arith.andi", behind, one);
  MlirValue turns = tileBuildCmpi(b, TILE_NE, odd, zero);
  MlirValue past = tileBuildBinary(b, "arith.addi", start, m->step);
  MlirValue last = tileBuildBinary(b, "arith.subi", past, one);
  MlirValue back = tileBuildBinary(b, "arith.subi", last, m->first);
  return tileBuildSelect(b, turns, back, t);
}

/// The program of a turn of the loop: the last one in place of one past the end.
static MlirValue buildProgram(Maker *m, TileBuilder *b, MlirValue first) {
  if (m->schedule.programs == TILE_PROGRAMS_SERPENTINE) return buildSerpentine(m, b, first);
  if (mlirValueIsNull(m->rank)) return first;
  MlirValue turn = tileBuildBinary(b, "arith.addi", first, m->rank);
  MlirValue one = tileBuildInt(b, tileI32(b->context), 1);
  MlirValue last = tileBuildBinary(b, "arith.subi", m->total, one);
  MlirValue program = tileBuildBinary(b, "arith.minsi", turn, last);
  m->real = tileBuildCmpi(b, TILE_SLT, turn, m->total);
  return program;
}

/// Where program `t` lies in the grid.
static void buildPositions(const Maker *m, TileBuilder *b, int rank, MlirValue t,
                           Program *program) {
  if (m->uneven >= 0) {
    tileBuildOrderedPosition(b, t, program->extent, m->uneven, m->group, program->position);
    return;
  }
  program->position[0] = t;
  program->position[1] = program->position[2] = tileBuildInt(b, tileI32(b->context), 0);
  if (rank == 3) {
    MlirValue layer = tileBuildBinary(b, "arith.muli", program->extent[0], program->extent[1]);
    program->position[2] = tileBuildBinary(b, "arith.divui", t, layer);
    t = tileBuildBinary(b, "arith.remui", t, layer);
  }
  if (rank >= 2) buildPosition(m, b, t, program->extent[0], program->extent[1], program->position);
}

/// Is a place of a loop's boxes computed of `id`? What the loop counts is not.
static bool placesBoxes(TileValueSearch *s, MlirValue value, const void *data) {
  (void)data;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    intptr_t number = mlirOpOperandGetOperandNumber(use);
    bool isLoop = tileOpIs(user, "scf.for");
    if (tileOpIsADescCopy(user) && tileOpIs(mlirOperationGetParentOperation(user), "scf.for"))
      return true;
    if (isLoop && number >= TILE_FOR_INITS)
      tileValueSearchAdd(s, mlirBlockGetArgument(tileBody(user, 0), number - 2));
    if (tileOpIsScalarArithmetic(user)) tileValueSearchAdd(s, tileResult(user));
  }
  return false;
}

static MlirWalkResult findPlaced(MlirOperation op, void *data) {
  int *axis = data;
  if (*axis < 0 || !tileOpIsAProgramId(op) || (int)tileProgramIdGetAxis(op) != *axis ||
      !tileValueSearchFinds(tileResult(op), placesBoxes, NULL))
    return MlirWalkResultAdvance;
  *axis = -1;
  return MlirWalkResultInterrupt;
}

/// The axis by which programs are ordered, -1: in groups of rows.
static int findUneven(MlirOperation func, const TileSchedule *schedule) {
  if (schedule->programs != TILE_PROGRAMS_SERPENTINE || !schedule->groupRows) return -1;
  int found = -1;
  for (int axis = 0; axis < 3 && found < 0; ++axis)
    if (tileProgramLengths(func, axis) == TILE_SHRINKS) found = axis;
  mlirOperationWalk(func, findPlaced, &found, MlirWalkPreOrder);
  return found;
}

/// May rows of a grid of few columns follow each other? Clusters share by the order that they have.
static bool mayCross(const TileSchedule *schedule) {
  return schedule->groupRows && schedule->cluster == 1 &&
         schedule->programs != TILE_PROGRAMS_SERPENTINE;
}

/// Which programs the block has, in front of its loop: from the first on, as many further on as
/// there are blocks.
static void buildBlocks(Maker *m, TileBuilder *b) {
  m->first = tileBuildGridOp(b, "tile.program_id", 0);
  m->step = tileBuildGridOp(b, "tile.num_programs", 0);
  if (m->schedule.cluster <= 1) return;
  m->rank = tileBuild(b, "tile_gpu.cluster_rank", tileI32(b->context), TILE_NONE);
  m->first = tileBuildBinary(b, "arith.subi", m->first, m->rank);
}

/// The first op that does not stay in front; the last of all where each does.
static MlirOperation firstOfProgram(MlirBlock body) {
  TILE_FOR_EACH_OP(op, body) {
    if (!tileOpStaysInFront(op)) return op;
  }
  return mlirBlockGetTerminator(body);
}

static void makePersistent(Maker *m) {
  MlirBlock body = tileBody(m->func, 0);
  TileBuilder b = tileBuilderBefore(mlirBlockGetTerminator(body));
  b.location = mlirOperationGetLocation(firstOfProgram(body));
  Program program;
  int rank = gridRank(m->func);
  m->uneven = findUneven(m->func, &m->schedule);
  m->across = rank >= 2 && mayCross(&m->schedule) && tileLoopsShareAcross(m->func);
  MlirValue one = tileBuildInt(&b, tileI32(b.context), 1);
  for (int d = 0; d < 3; ++d)
    program.extent[d] = d < rank ? tileBuildGridOp(&b, "tile_gpu.grid_extent", d) : one;
  m->total = program.extent[0];
  for (int d = 1; d < rank; ++d)
    m->total = tileBuildBinary(&b, "arith.muli", m->total, program.extent[d]);
  buildBlocks(m, &b);
  if (m->uneven >= 0) {
    TileHeads heads = {.axis = m->uneven, .blocks = m->step};
    for (int d = 0; d < 3; ++d) heads.extent[d] = program.extent[d];
    m->group = tileBuildHeadGroup(&b, m->func, &heads);
  }
  MlirOperation loop = tileBuildFor(&b, TILE_VALUES(m->first, m->total, m->step)); // without yield
  tileKernelMarkProgramLoop(loop);
  MlirBlock inner = tileBody(loop, 0);
  TileBuilder in = tileBuilderAtEnd(inner, b.location);
  MlirValue t = buildProgram(m, &in, mlirBlockGetArgument(inner, 0));
  buildPositions(m, &in, rank, t, &program);
  tileMoveOps(&in, mlirBlockGetFirstOperation(body), tileValueGetOp(one), tileOpStaysInFront);
  replaceIds(inner, &program);
  tileBuildOp(&in, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  if (!mlirValueIsNull(m->real)) tileStoreWhen(loop, m->real);
  tileKernelMark(m->func, "tile_gpu.persistent");
  if (m->schedule.programs == TILE_PROGRAMS_ONE) tileKernelMark(m->func, "tile_gpu.one_program");
}

static bool isPrint(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsAPrint(op);
}

/// Null where the kernel's programs can be given to blocks as the schedule says; or why not.
static const char *whyNot(MlirOperation func, const TileSchedule *schedule) {
  if (!mlirOperationIsNull(tileKernelGetRoles(func)))
    return "expected a kernel whose warps have no roles yet, found roles";
  if (tileHoldsOp(func, isPrint, NULL))
    return "expected no tile.print, which names the program of a block, found one";
  return schedule->cluster > 1 ? tileWhyNotTwice(func) : NULL;
}

MlirLogicalResult tileRunMakePersistent(MlirOperation func) {
  Maker m = {.func = func};
  if (!tileKernelGetSchedule(func, &m.schedule) || m.schedule.programs == TILE_PROGRAMS_GRID ||
      !mlirAttributeIsNull(tileAttr(func, "tile_gpu.persistent")))
    return mlirLogicalResultSuccess();
  const char *reason = whyNot(func, &m.schedule);
  if (reason) return tileScheduleFails(func, reason);
  makePersistent(&m);
  return mlirLogicalResultSuccess();
}
