//===- CheckCauses.c - why a launch leaves work, or does it twice ---------===//
//
// Elements that nobody writes, and elements that several programs write alike, may be meant: they
// are warnings. Two mistakes of beginners leave them, too, and are then errors that name the
// mistake:
//
//   tile.grid(%n) { .. arith.divsi %n, %block .. }   1000 by 512: rounds down, 488 are left
//   no tile.program_id x, and 4 programs along x     all of them do the same, if nothing counts
//   them
//===----------------------------------------------------------------------===//
#include "CheckImpl.h"
#include "tile/Ops.h"
#include <stdio.h>

typedef struct Axes {
  bool asked[3];
} Axes;

static MlirWalkResult findAxes(MlirOperation op, void *data) {
  Axes *axes = data;
  if (tileOpIsAProgramId(op)) axes->asked[(int)tileProgramIdGetAxis(op)] = true;
  // Programs that count themselves need no number: what an atomic gives is another for each.
  if ((tileOpIsAAtomicRmw(op) || tileOpIsAAtomicCas(op)) &&
      !mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(op))))
    for (int i = 0; i < 3; ++i) axes->asked[i] = true;
  return MlirWalkResultAdvance;
}

/// The kernel, and all that it may call.
static Axes readAxes(const TileProgram *p, const TileProgramKernel *kernel) {
  Axes axes = {{false}};
  TILE_FOR_EACH_OP(op, mlirModuleGetBody(p->module)) {
    bool helper = tileOpIsAFunc(op) && !tileOpIsAKernel(op);
    if (helper || mlirOperationEqual(op, kernel->func))
      mlirOperationWalk(op, findAxes, &axes, MlirWalkPreOrder);
  }
  return axes;
}

void checkFindCause(TileProgram *p, TileProgramSites *sites, const char *config,
                    const uint64_t *slots, const int32_t grid[3]) {
  static const char names[] = "xyz";
  CheckCause *cause = &sites->cause;
  if (*cause->text) return;
  Axes axes = readAxes(p, sites->kernel);
  for (int i = 0; i < 3; ++i) {
    if (grid[i] < 2 || axes.asked[i]) continue;
    cause->loc = mlirOperationGetLocation(sites->kernel->func);
    snprintf(cause->text, sizeof cause->text,
             "the grid has %d programs along %c, and the kernel never asks for tile.program_id %c: "
             "they all do the same",
             grid[i], names[i], names[i]);
    return;
  }
  MlirOperation division;
  int32_t number, by;
  if (!tileProgramFindRounding(p, sites->kernel, config, slots, &division, &number, &by)) return;
  MlirStringRef op = tileOpName(division);
  cause->loc = mlirOperationGetLocation(division);
  snprintf(
      cause->text, sizeof cause->text,
      "the grid rounds down here, %d by %d: %d are left to no program; ceildiv (arith.ceildivsi) "
      "has one for them, where this is %.*s",
      number, by, number % by, (int)op.length, op.data);
}
