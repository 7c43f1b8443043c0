//===- Peak.c - what a device can do at most ------------------------------===//
//
// Operations a clock and multiprocessor (tile/Machine.h), times the highest clock and the number of
// multiprocessors.
//===----------------------------------------------------------------------===//
#include "Run.h"
#include "tile/Analysis/DotForm.h"
#include "tile/IR.h"

typedef struct Search {
  bool found;
  TileRate rate;
} Search;

static MlirWalkResult findDot(MlirOperation op, void *data) {
  Search *search = data;
  if (!tileOpIsADot(op)) return MlirWalkResultAdvance;
  search->found = true;
  tileDotGetRate(op, &search->rate);
  return MlirWalkResultInterrupt;
}

static Search searchDot(MlirModule module, MlirStringRef kernel) {
  Search search = {.rate = TILE_RATE_F32};
  TILE_FOR_EACH_OP(op, mlirModuleGetBody(module)) {
    if (!tileOpIsAFunc(op)) continue;
    bool helper = !mlirAttributeIsNull(tileAttr(op, "sym_visibility"));
    if (!search.found && (helper || mlirStringRefEqual(tileFuncGetSymName(op), kernel)))
      mlirOperationWalk(op, findDot, &search, MlirWalkPreOrder);
  }
  return search;
}

bool benchHasDot(MlirModule module, MlirStringRef kernel) {
  return searchDot(module, kernel).found;
}

double benchFindPeak(const TileDeviceInfo *info, double clockMHz, MlirModule module,
                     MlirStringRef kernel) {
  Search search = searchDot(module, kernel);
  const TileMachine *machine = tileMachineForDevice(info->major, info->minor);
  bool known = machine && machine->major == info->major && machine->minor == info->minor;
  int rate = known ? machine->rates[search.rate] : 0;
  return (double)rate * info->multiprocessors * clockMHz * 1e6;
}
