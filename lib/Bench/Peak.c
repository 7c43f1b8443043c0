//===- Peak.c - what a device can do at most ------------------------------===//
//
// Operations a clock and multiprocessor, dense, a multiply-add being two: NVIDIA's architecture
// whitepapers (A100, GA102, AD102, H100, Blackwell) and the throughput tables of the CUDA C++
// Programming Guide. Times the highest clock and the number of multiprocessors.
//===----------------------------------------------------------------------===//
#include "Run.h"
#include "tile/IR.h"

typedef enum Unit {
  F32_FMA,
  F64_FMA,
  F16_TENSOR,
  TF32_TENSOR,
  F8_TENSOR,
  I8_TENSOR,
  F64_TENSOR
} Unit;

static int operationsAClock(int major, int minor, Unit unit) {
  static const struct {
    int major, minor;
    int rates[F64_TENSOR + 1];
  } table[] = {
      {8, 0, {128, 64, 2048, 1024, 0, 4096, 128}},
      {8, 6, {256, 4, 1024, 512, 0, 2048, 4}},
      {8, 9, {256, 4, 1024, 512, 2048, 2048, 4}},
      {9, 0, {256, 128, 4096, 2048, 8192, 8192, 256}},
      {10, 0, {256, 128, 8192, 4096, 16384, 16384, 128}},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (table[i].major == major && table[i].minor == minor) return table[i].rates[unit];
  return 0;
}

/// The unit that a dot of these operands runs on at best.
static Unit unitOf(MlirOperation dot) {
  enum { IEEE, TF32 };
  MlirType element = tileElementType(mlirValueGetType(tileDotGetA(dot)));
  if (mlirTypeIsAF16(element) || mlirTypeIsABF16(element)) return F16_TENSOR;
  if (mlirTypeIsAF64(element)) return F64_TENSOR;
  if (mlirTypeIsAInteger(element)) return I8_TENSOR;
  if (!mlirTypeIsAF32(element)) return F8_TENSOR;
  return tileDotGetPrecision(dot) == IEEE ? F32_FMA : TF32_TENSOR;
}

typedef struct Search {
  bool found;
  Unit unit;
} Search;

static MlirWalkResult findDot(MlirOperation op, void *data) {
  Search *search = data;
  if (!tileOpIsADot(op)) return MlirWalkResultAdvance;
  *search = (Search){true, unitOf(op)};
  return MlirWalkResultInterrupt;
}

double benchFindPeak(const TileDeviceInfo *info, double clockMHz, MlirModule module,
                     MlirStringRef kernel) {
  Search search = {.unit = F32_FMA};
  TILE_FOR_EACH_OP(op, mlirModuleGetBody(module)) {
    if (!tileOpIsAFunc(op)) continue;
    bool helper = !mlirAttributeIsNull(tileAttr(op, "sym_visibility"));
    if (!search.found && (helper || mlirStringRefEqual(tileFuncGetSymName(op), kernel)))
      mlirOperationWalk(op, findDot, &search, MlirWalkPreOrder);
  }
  int rate = operationsAClock(info->major, info->minor, search.unit);
  return (double)rate * info->multiprocessors * clockMHz * 1e6;
}
