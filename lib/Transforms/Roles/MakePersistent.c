//===- MakePersistent.c - blocks that stay --------------------------------===//
//
// Before:  %x = tile.program_id x                  // a block for each program
//          %y = tile.program_id y
//          .. a program ..
// After:   %total = number of programs             // tile_gpu.grid_extent: what the launch asked
// for
//          %block = tile.program_id x              // as many as the device holds
//          scf.for %t = %block to %total step %blocks {
//            %x, %y = where program %t lies
//            .. a program .. }
//
// A block that has several programs computes one while the boxes of the next are on their way, and
// stores it then. Blocks that run together share rows and columns in the L2 cache: programs of a
// two-dimensional grid come in groups of `group_rows` rows, every other group backwards.
//
// Blocks of a cluster (`cluster`) have neighbouring programs; those beyond the last program have
// that once more, and store nothing. Where the device holds all programs at a time they have one
// each (`programs = one`): the loop has one turn, and vanishes when it is simplified.
//
// With `last_round = shared` two blocks have each of the last programs; see LastRound.h.
//
// The order of programs is that of fast.cu.
//
// Requires: a schedule with other programs than the grid's, no roles yet.  Preserves: numerics.
// With last_round, rows of a result are stored by the warp group that has them: tile-defer-stores
// or tile-stage-stores have to follow, as the schedule's verifier asks.
//===----------------------------------------------------------------------===//
#include "Channels.h"
#include "Clusters.h"
#include "Kernel.h"
#include "LastRound.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

typedef struct {
  MlirOperation func;
  TileSchedule schedule;
  TileClusterProgram cluster; // of 1 block: none
  TileRounds rounds;
  MlirValue ours; // i1: this warp group works on the program
} Maker;

static MlirValue gridOp(TileBuilder *b, const char *name, int axis) {
  static const char *const axes[] = {"#tile<axis x>", "#tile<axis y>", "#tile<axis z>"};
  MlirType type = tileI32(b->context);
  MlirAttribute attr = tileParseAttr(b->context, axes[axis]);
  return tileResult(tileBuildOp(b, name, TILE_NONE, 1, &type, TILE_ATTRS({"axis", attr}), 0));
}

/// x and y of program `t` of one layer of the grid.
static void buildPosition(TileBuilder *b, int64_t groupRows, MlirValue t, MlirValue sizeX,
                          MlirValue sizeY, MlirValue position[2]) {
  MlirValue rows = tileBuildInt(b, tileI32(b->context), groupRows);
  MlirValue one = tileBuildInt(b, tileI32(b->context), 1);
  MlirValue zero = tileBuildInt(b, tileI32(b->context), 0);
  MlirValue perGroup = tileBuildBinary(b, "arith.muli", rows, sizeY);
  MlirValue group = tileBuildBinary(b, "arith.divui", t, perGroup);
  MlirValue inside = tileBuildBinary(b, "arith.remui", t, perGroup);
  MlirValue first = tileBuildBinary(b, "arith.muli", group, rows);
  MlirValue left = tileBuildBinary(b, "arith.subi", sizeX, first);
  MlirValue height = tileBuildBinary(b, "arith.minui", left, rows);
  MlirValue row = tileBuildBinary(b, "arith.remui", inside, height);
  MlirValue column = tileBuildBinary(b, "arith.divui", inside, height);
  MlirValue last = tileBuildBinary(b, "arith.subi", sizeY, one);
  MlirValue back = tileBuildBinary(b, "arith.subi", last, column);
  MlirValue odd = tileBuildBinary(b, "arith.andi", group, one);
  MlirValue isOdd = tileBuildCmpi(b, TILE_NE, odd, zero);
  position[0] = tileBuildBinary(b, "arith.addi", first, row);
  position[1] = tileBuildSelect(b, isOdd, back, column);
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

/// The program of a turn of the loop.
static MlirValue buildProgram(Maker *m, TileBuilder *b, MlirValue turn) {
  TileClusterProgram *p = &m->cluster;
  bool shares = m->schedule.lastRound == TILE_LAST_ROUND_SHARED;
  MlirValue program = turn;
  if (p->blocks > 1) {
    p->base = turn;
    tileBuildClusterProgram(b, p);
    program = p->program;
  } else if (shares) {
    program = tileBuildProgramOfTurn(b, &m->rounds, turn);
  }
  if (!shares) return program;
  if (p->blocks > 1) turn = tileBuildBinary(b, "arith.addi", turn, p->rank);
  m->ours = tileBuildIsOurs(b, &m->rounds, turn);
  p->real = p->blocks > 1 ? tileBuildBinary(b, "arith.andi", p->real, m->ours) : m->ours;
  return program;
}

/// Where program `t` lies in the grid.
static void buildPositions(const Maker *m, TileBuilder *b, int rank, MlirValue t,
                           Program *program) {
  program->position[0] = t;
  program->position[1] = program->position[2] = tileBuildInt(b, tileI32(b->context), 0);
  if (rank == 3) {
    MlirValue layer = tileBuildBinary(b, "arith.muli", program->extent[0], program->extent[1]);
    program->position[2] = tileBuildBinary(b, "arith.divui", t, layer);
    t = tileBuildBinary(b, "arith.remui", t, layer);
  }
  if (rank >= 2)
    buildPosition(b, m->schedule.groupRows, t, program->extent[0], program->extent[1],
                  program->position);
}

/// The empty loop, at `b`; its body has no yield yet.
static MlirOperation buildLoop(Maker *m, TileBuilder *b, MlirValue total, MlirValue *first) {
  MlirValue one = tileBuildInt(b, tileI32(b->context), 1);
  *first = gridOp(b, "tile.program_id", 0);
  MlirValue step = gridOp(b, "tile.num_programs", 0);
  if (m->cluster.blocks > 1) {
    m->cluster.total = total;
    m->cluster.rank = tileBuild(b, "tile_gpu.cluster_rank", tileI32(b->context), TILE_NONE);
    *first = tileBuildBinary(b, "arith.subi", *first, m->cluster.rank);
  }
  MlirValue end = total;
  if (m->schedule.lastRound == TILE_LAST_ROUND_SHARED) {
    m->rounds = tileBuildRounds(b, total, step);
    m->cluster.rounds = &m->rounds;
    end = m->rounds.end;
  }
  MlirValue zero = tileBuildInt(b, tileI32(b->context), 0);
  return m->schedule.programs == TILE_PROGRAMS_ONE
             ? tileBuildFor(b, TILE_VALUES(zero, one, one))
             : tileBuildFor(b, TILE_VALUES(*first, end, step));
}

static void mark(MlirOperation func, const char *name) {
  MlirAttribute unit = mlirUnitAttrGet(mlirOperationGetContext(func));
  mlirOperationSetAttributeByName(func, tileString(name), unit);
}

/// Ops of `from` before `end` that do not stay in front, to the end of `to`.
static void moveOps(MlirBlock from, MlirOperation end, MlirBlock to) {
  for (MlirOperation op = mlirBlockGetFirstOperation(from); !mlirOperationEqual(op, end);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (!tileOpStaysInFront(op)) {
      mlirOperationRemoveFromParent(op);
      mlirBlockAppendOwnedOperation(to, op);
    }
    op = next;
  }
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
  MlirValue one = tileBuildInt(&b, tileI32(b.context), 1), first;
  for (int d = 0; d < 3; ++d)
    program.extent[d] = d < rank ? gridOp(&b, "tile_gpu.grid_extent", d) : one;
  MlirValue total = program.extent[0];
  for (int d = 1; d < rank; ++d)
    total = tileBuildBinary(&b, "arith.muli", total, program.extent[d]);
  MlirOperation loop = buildLoop(m, &b, total, &first);
  tileKernelMarkProgramLoop(loop);
  MlirBlock inner = tileBody(loop, 0);
  TileBuilder in = tileBuilderAtEnd(inner, b.location);
  bool once = m->schedule.programs == TILE_PROGRAMS_ONE;
  MlirValue t = buildProgram(m, &in, once ? first : mlirBlockGetArgument(inner, 0));
  buildPositions(m, &in, rank, t, &program);
  moveOps(body, tileValueGetOp(one), inner);
  replaceIds(inner, &program);
  tileBuildOp(&in, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  bool shares = m->schedule.lastRound == TILE_LAST_ROUND_SHARED;
  if (m->cluster.blocks > 1 || shares) tileStoreOnce(inner, &m->cluster);
  if (shares) tileMultiplyWhen(inner, m->ours);
  mark(m->func, "tile_gpu.persistent");
  if (shares) mark(m->func, "tile_gpu.shares_last");
  if (once) mark(m->func, "tile_gpu.one_program");
}

static MlirWalkResult findPrint(MlirOperation op, void *data) {
  bool *found = data;
  *found |= tileOpIsAPrint(op);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool holdsPrint(MlirOperation func) {
  bool found = false;
  mlirOperationWalk(func, findPrint, &found, MlirWalkPreOrder);
  return found;
}

/// Null where the kernel's programs can be given to blocks as the schedule says; or why not.
static const char *whyNot(MlirOperation func, const TileSchedule *schedule) {
  TileBoxStores stores;
  if (!mlirOperationIsNull(tileKernelGetRoles(func)))
    return "expected a kernel whose warps have no roles yet, found roles";
  if (holdsPrint(func))
    return "expected no tile.print, which names the program of a block, found one";
  if (schedule->lastRound != TILE_LAST_ROUND_SHARED)
    return schedule->cluster > 1 ? tileWhyNotTwice(func) : NULL;
  tileFindBoxStores(func, &stores);
  return tileMayShareLastRound(func, &stores, tileKernelGetWarpGroups(func));
}

MlirLogicalResult tileRunMakePersistent(MlirOperation func) {
  Maker m = {.func = func};
  if (!tileKernelGetSchedule(func, &m.schedule) || m.schedule.programs == TILE_PROGRAMS_GRID ||
      !mlirAttributeIsNull(tileAttr(func, "tile_gpu.persistent")))
    return mlirLogicalResultSuccess();
  const char *reason = whyNot(func, &m.schedule);
  if (reason) return tileScheduleFails(func, reason);
  m.cluster.blocks = (int)m.schedule.cluster;
  makePersistent(&m);
  return mlirLogicalResultSuccess();
}
