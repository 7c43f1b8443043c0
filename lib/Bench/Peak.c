//===- Peak.c - what a device can do at most ------------------------------===//
//
// Operations a clock and multiprocessor (tile/Machine.h), times the highest clock and the number of
// multiprocessors.
//===----------------------------------------------------------------------===//
#include "Run.h"
#include "tile/IR.h"

/// The unit that a dot of these operands runs on at best.
static TileRate rateOf(MlirOperation dot) {
  enum { IEEE, TF32 };
  MlirType element = tileElementType(mlirValueGetType(tileDotGetA(dot)));
  if (mlirTypeIsAF16(element) || mlirTypeIsABF16(element)) return TILE_RATE_F16_MATRIX;
  if (mlirTypeIsAF64(element)) return TILE_RATE_F64_MATRIX;
  if (mlirTypeIsAInteger(element)) return TILE_RATE_I8_MATRIX;
  if (!mlirTypeIsAF32(element)) return TILE_RATE_F8_MATRIX;
  return tileDotGetPrecision(dot) == IEEE ? TILE_RATE_F32 : TILE_RATE_TF32_MATRIX;
}

typedef struct Search {
  bool found;
  TileRate rate;
} Search;

static MlirWalkResult findDot(MlirOperation op, void *data) {
  Search *search = data;
  if (!tileOpIsADot(op)) return MlirWalkResultAdvance;
  *search = (Search){true, rateOf(op)};
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
