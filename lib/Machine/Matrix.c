//===- Matrix.c - the matrix instructions ---------------------------------===//
//
// PTX ISA 9.0: "Warp Level Matrix Multiply-Accumulate Instructions" and "Asynchronous Warpgroup
// Level Matrix Multiply-Accumulate Instructions". test/Unit/Machine/MachineTest.c has ptxas take
// each row for each chip that has it, and refuse it for all others.
//
//===----------------------------------------------------------------------===//
#include "tile/Machine.h"

enum {
  F8 = TILE_MATRIX_E4M3 | TILE_MATRIX_E5M2,
  I8 = TILE_MATRIX_S8 | TILE_MATRIX_U8,
  F16_OR_F32 = TILE_MATRIX_F16 | TILE_MATRIX_F32,
  EITHER_PLACE = TILE_PLACE_REGISTERS | TILE_PLACE_SHARED,
  EITHER_MAJOR = TILE_MAJOR_K | TILE_MAJOR_MN,
};

/// wgmma: 64 rows, any multiple of 8 columns up to 256. A may come from registers. Transposed in
/// shared memory are 16-bit types alone.
#define WGMMA(type, sum, depth, majorDims)                                                         \
  {.family = TILE_MATRIX_WGMMA,                                                                    \
   .m = 64,                                                                                        \
   .k = depth,                                                                                     \
   .leastN = 8,                                                                                    \
   .mostN = 256,                                                                                   \
   .stepN = 8,                                                                                     \
   .wideStepN = 8,                                                                                 \
   .a = type,                                                                                      \
   .b = type,                                                                                      \
   .acc = sum,                                                                                     \
   .placesA = EITHER_PLACE,                                                                        \
   .placesB = TILE_PLACE_SHARED,                                                                   \
   .majors = majorDims,                                                                            \
   .needs = TILE_FEATURE_WGMMA}
/// mma.sync: one number of columns, fragments in registers.
#define MMA(rows, depth, type, sum, feature)                                                       \
  {.family = TILE_MATRIX_MMA_SYNC,                                                                 \
   .m = rows,                                                                                      \
   .k = depth,                                                                                     \
   .leastN = 8,                                                                                    \
   .mostN = 8,                                                                                     \
   .stepN = 8,                                                                                     \
   .wideStepN = 8,                                                                                 \
   .a = type,                                                                                      \
   .b = type,                                                                                      \
   .acc = sum,                                                                                     \
   .placesA = TILE_PLACE_REGISTERS,                                                                \
   .placesB = TILE_PLACE_REGISTERS,                                                                \
   .needs = feature}

/// The better one first: wgmma, then the larger k.
static const TileMatrix table[] = {
    WGMMA(TILE_MATRIX_F16, F16_OR_F32, 16, EITHER_MAJOR),
    WGMMA(TILE_MATRIX_BF16, TILE_MATRIX_F32, 16, EITHER_MAJOR),
    WGMMA(TILE_MATRIX_TF32, TILE_MATRIX_F32, 8, TILE_MAJOR_K),
    WGMMA(F8, F16_OR_F32, 32, TILE_MAJOR_K),
    // Of integers above 32 columns, multiples of 16.
    {.family = TILE_MATRIX_WGMMA,
     .m = 64,
     .k = 32,
     .leastN = 8,
     .mostN = 256,
     .stepN = 8,
     .wideStepN = 16,
     .a = I8,
     .b = I8,
     .acc = TILE_MATRIX_S32,
     .placesA = EITHER_PLACE,
     .placesB = TILE_PLACE_SHARED,
     .majors = TILE_MAJOR_K,
     .needs = TILE_FEATURE_WGMMA},

    MMA(16, 16, TILE_MATRIX_F16, F16_OR_F32, 0),
    MMA(16, 8, TILE_MATRIX_F16, F16_OR_F32, 0),
    MMA(16, 16, TILE_MATRIX_BF16, TILE_MATRIX_F32, 0),
    MMA(16, 8, TILE_MATRIX_BF16, TILE_MATRIX_F32, 0),
    MMA(16, 8, TILE_MATRIX_TF32, TILE_MATRIX_F32, 0),
    MMA(16, 4, TILE_MATRIX_TF32, TILE_MATRIX_F32, 0),
    MMA(16, 32, F8, F16_OR_F32, TILE_FEATURE_MMA_F8),
    MMA(16, 16, F8, F16_OR_F32, TILE_FEATURE_MMA_F8),
    MMA(16, 32, I8, TILE_MATRIX_S32, 0),
    MMA(16, 16, I8, TILE_MATRIX_S32, 0),
    MMA(8, 16, I8, TILE_MATRIX_S32, 0),
    MMA(16, 16, TILE_MATRIX_F64, TILE_MATRIX_F64, TILE_FEATURE_MMA_F64_WIDE),
    MMA(16, 8, TILE_MATRIX_F64, TILE_MATRIX_F64, TILE_FEATURE_MMA_F64_WIDE),
    MMA(16, 4, TILE_MATRIX_F64, TILE_MATRIX_F64, TILE_FEATURE_MMA_F64_WIDE),
    MMA(8, 4, TILE_MATRIX_F64, TILE_MATRIX_F64, 0),
};
enum { ROWS = sizeof table / sizeof *table };

const TileMatrix *tileMachineNextMatrix(const TileMachine *machine, const TileMatrix *last) {
  for (int i = last ? (int)(last - table) + 1 : 0; i < ROWS; ++i)
    if (tileMachineHas(machine, table[i].needs)) return &table[i];
  return NULL;
}

const TileMatrix *tileMachineFindMatrix(const TileMachine *machine, TileMatrixFamily family,
                                        TileMatrixType a, TileMatrixType b, TileMatrixType acc) {
  const TileMatrix *m = NULL;
  while ((m = tileMachineNextMatrix(machine, m)))
    if (m->family == family && (m->a & a) && (m->b & b) && (m->acc & acc)) return m;
  return NULL;
}

bool tileMatrixTakesColumns(const TileMatrix *m, int n) {
  return n >= m->leastN && n <= m->mostN && n % (n > 32 ? m->wideStepN : m->stepN) == 0;
}

bool tileMatrixTakesMajor(const TileMatrix *m, unsigned major) { return m->majors & major; }

const char *tileMatrixFamilyGetName(TileMatrixFamily family) {
  return family == TILE_MATRIX_WGMMA ? "wgmma" : "mma.sync";
}

const char *tileMatrixTypeGetName(TileMatrixType type) {
  switch (type) {
  case TILE_MATRIX_F16:
    return "f16";
  case TILE_MATRIX_BF16:
    return "bf16";
  case TILE_MATRIX_TF32:
    return "tf32";
  case TILE_MATRIX_E4M3:
    return "e4m3";
  case TILE_MATRIX_E5M2:
    return "e5m2";
  case TILE_MATRIX_S8:
    return "s8";
  case TILE_MATRIX_U8:
    return "u8";
  case TILE_MATRIX_F32:
    return "f32";
  case TILE_MATRIX_S32:
    return "s32";
  case TILE_MATRIX_F64:
    return "f64";
  case TILE_MATRIX_TYPES:
    break;
  }
  return "";
}
