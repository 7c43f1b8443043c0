//===- Kernel.c - a kernel on its way to roles ----------------------------===//
#include "Kernel.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/ValueSearch.h"

static const char programsMark[] = "tile_gpu.programs", scheduleName[] = "tile_gpu.schedule";

bool tileKernelGetSchedule(MlirOperation func, TileSchedule *schedule) {
  MlirAttribute attr = tileAttr(func, scheduleName);
  return !mlirAttributeIsNull(attr) && tileScheduleFromAttr(attr, schedule);
}

void tileKernelSetSchedule(MlirOperation func, const TileSchedule *schedule) {
  MlirAttribute attr = tileScheduleToAttr(mlirOperationGetContext(func), schedule);
  mlirOperationSetAttributeByName(func, tileString(scheduleName), attr);
}

int tileScheduleGetCopyWarps(const TileSchedule *schedule, int warpGroups) {
  return warpGroups == 1 || schedule->blocks > 1 ? (int)schedule->producers : 4;
}

int64_t tileKernelGetTeams(MlirOperation func) { return tileIntAttr(func, "tile_gpu.in_block", 1); }

void tileKernelSetTeams(MlirOperation func, int64_t teams) {
  MlirType i32 = tileI32(mlirOperationGetContext(func));
  mlirOperationSetAttributeByName(func, tileString("tile_gpu.in_block"),
                                  mlirIntegerAttrGet(i32, teams));
}

static const char together[] = "tile_gpu.together";

bool tileKernelStagesTogether(MlirOperation func) {
  return !mlirAttributeIsNull(tileAttr(func, together));
}

void tileKernelStageTogether(MlirOperation func) { tileKernelMark(func, together); }

int64_t tileKernelGetNumber(MlirOperation func, TileNumber number) {
  return tileMachineNumber(tileMachineOf(func), number);
}

int tileKernelGetWarpGroups(MlirOperation func) { return tileNumWarpsOf(func) / 4; }

MlirOperation tileKernelGetRoles(MlirOperation func) {
  TILE_FOR_EACH_OP(op, tileBody(func, 0)) {
    if (tileOpIsAWarpSpecialize(op)) return op;
  }
  return (MlirOperation){NULL};
}

/// The block that holds the loop over programs, or all ops of the one program.
static MlirBlock outerBlock(MlirOperation func) {
  MlirOperation roles = tileKernelGetRoles(func);
  return mlirOperationIsNull(roles) ? tileBody(func, 0) : tileBody(roles, 1);
}

MlirOperation tileKernelGetProgramLoop(MlirOperation func) {
  TILE_FOR_EACH_OP(op, outerBlock(func)) {
    if (tileOpIs(op, "scf.for") && !mlirAttributeIsNull(tileAttr(op, programsMark))) return op;
  }
  return (MlirOperation){NULL};
}

MlirBlock tileKernelGetProgram(MlirOperation func) {
  MlirOperation loop = tileKernelGetProgramLoop(func);
  return mlirOperationIsNull(loop) ? outerBlock(func) : tileBody(loop, 0);
}

static bool holdsDotInFlight(MlirOperation loop) {
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    if (tileOpIsADot(op) && tileDotGetAsync(op)) return true;
  }
  return false;
}

MlirOperation tileKernelGetDotLoop(MlirOperation func) {
  MlirOperation loop = {NULL};
  TILE_FOR_EACH_OP(op, tileKernelGetProgram(func)) {
    if (tileOpIs(op, "scf.for") && holdsDotInFlight(op)) loop = op;
  }
  return loop;
}

TileBuilder tileKernelBeforeRoles(MlirOperation func) {
  MlirOperation roles = tileKernelGetRoles(func), barrier = roles;
  TILE_FOR_EACH_OP(op, tileBody(func, 0)) {
    if (tileOpIs(op, "gpu.barrier") || tileOpIsAClusterArrive(op)) barrier = op;
    if (mlirOperationEqual(op, roles)) break;
  }
  return tileBuilderBefore(barrier);
}

void tileKernelMark(MlirOperation func, const char *name) {
  MlirAttribute unit = mlirUnitAttrGet(mlirOperationGetContext(func));
  mlirOperationSetAttributeByName(func, tileString(name), unit);
}

void tileKernelMarkProgramLoop(MlirOperation loop) { tileKernelMark(loop, programsMark); }

MlirValue tileKernelGetClusterRank(MlirOperation func) {
  MlirOperation loop = tileKernelGetProgramLoop(func);
  if (mlirOperationIsNull(loop)) return (MlirValue){NULL};
  TILE_FOR_EACH_OP(op, mlirOperationGetBlock(loop)) {
    if (tileOpIsAClusterRank(op)) return tileResult(op);
  }
  return (MlirValue){NULL};
}

MlirValue tileBuildGridOp(TileBuilder *b, const char *name, int axis) {
  static const char *const axes[] = {"#tile<axis x>", "#tile<axis y>", "#tile<axis z>"};
  MlirType type = tileI32(b->context);
  MlirAttribute attr = tileParseAttr(b->context, axes[axis]);
  return tileResult(tileBuildOp(b, name, TILE_NONE, 1, &type, TILE_ATTRS({"axis", attr}), 0));
}

//===- what stays in front ------------------------------------------------===//

static bool staysAtOnce(TileValueSearch *s, MlirOperation op) {
  if (tileOpIsAGrid(op) || tileOpIsACost(op) || tileOpIsAMakeDesc(op) || tileOpIsAReturn(op) ||
      tileOpIsAPrefetchArray(op))
    return true;
  tileValueSearchAddOperands(s, op);
  return tileOpIsScalarArithmetic(op) && !tileOpReadsPlace(op);
}

bool tileOpStaysInFront(MlirOperation op) {
  TileValueSearch s = {0};
  bool stays = staysAtOnce(&s, op);
  while (s.count && stays) {
    MlirValue value = s.stack[--s.count];
    if (!mlirValueIsABlockArgument(value)) stays = staysAtOnce(&s, tileValueGetOp(value));
  }
  tileValueSearchClear(&s);
  return stays;
}

bool tileValueIsInFront(MlirOperation func, MlirValue value) {
  if (mlirValueIsABlockArgument(value)) return true;
  MlirOperation op = tileValueGetOp(value);
  return mlirBlockEqual(mlirOperationGetBlock(op), tileBody(func, 0)) && tileOpStaysInFront(op);
}

MlirOperation tileDescGetMaker(MlirValue desc) {
  MlirOperation op = tileValueGetOp(desc);
  return !mlirOperationIsNull(op) && tileOpIsAMakeDesc(op) ? op : (MlirOperation){NULL};
}

MlirLogicalResult tileScheduleFails(MlirOperation func, const char *reason) {
  tileEmitError(mlirOperationGetLocation(func), "kernel cannot follow its schedule: %s", reason);
  return mlirLogicalResultFailure();
}

int64_t tileKernelGetConsumerRegisters(MlirOperation func) {
  const TileMachine *m = tileMachineOf(func);
  int64_t groups = tileNumWarpsOf(func) / 4, step = 8;
  TileSchedule schedule = {.blocks = 1, .producers = 1};
  tileKernelGetSchedule(func, &schedule);
  if (groups < 2) {
    // Warps are spread over four quarters, each with its own registers.
    int64_t quarter = ((4 + schedule.producers) * schedule.blocks + 3) / 4;
    int64_t each = (m->registers / 4 / (32 * quarter)) & -step;
    return each < m->threadRegisters ? each : m->threadRegisters;
  }
  // A warp group of producers hands on all but a few of its own.
  int64_t start = (m->registers / (128 * (groups + 1))) & -step;
  int64_t few = tileMachineNumber(m, TILE_NUMBER_PRODUCER_REGISTERS);
  return ((start * (groups + 1) - few) / groups) & -step;
}
