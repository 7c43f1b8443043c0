//===- Rows.c - where rows of a launch's arrays begin ---------------------===//
//
// At lines of the L2 cache, at its sectors, within these or anywhere: by pitches of descriptors and
// strides that a kernel marks as such. Where rows of one operand lie off the lines and those of
// another one do not, it is counted how much of a step's copies is whose.
//
//   matmul(777, 4104, 14336), BM=200,BN=128: A's 25600 bytes of a step begin at lines, B's 16384
//   within sectors
//
//===----------------------------------------------------------------------===//
#include "TuneImpl.h"
#include "tile/Facts.h"
#include "tile/MachineNumbers.h"
#include "tile/TensorMap.h"

void tileSurveyAddPitches(const TileSurvey *s, MlirValue desc, int64_t *multiple) {
  MlirOperation op = tileValueGetOp(desc);
  if (mlirOperationIsNull(op) || !tileOpIsAMakeDesc(op)) return;
  MlirType pointee = tilePtrTypeGetPointee(mlirValueGetType(tileMakeDescGetBase(op)));
  int64_t element = tileBitWidth(pointee) / 8;
  for (intptr_t i = 0; i < tileMakeDescGetNumStrides(op); ++i) {
    MlirValue stride = tileMakeDescGetStrides(op, i);
    const MlirValue values[] = {stride, stride, stride};
    int32_t found[3];
    if (!tileProgramEvaluate(s->program, s->view.kernel, s->view.config, s->slots, NULL, values,
                             found))
      continue;
    for (int64_t a = found[0] * element, rest; a; a = rest) {
      rest = *multiple % a;
      *multiple = a;
    }
  }
}

/// Do all arrays, and the rows of these, begin at multiples of `bytes`? Rows of descriptors have
/// pitches that are multiples of `pitch`.
static bool rowsBeginAt(const TileSurvey *s, const TileProgramKernel *kernel, int64_t bytes,
                        uint64_t arrays, int64_t pitch) {
  enum { POINTER_BYTES = 16, BITS = 64 };
  const uint64_t *slots = s->slots;
  if (pitch % bytes) return false;
  for (unsigned i = 0; i < kernel->count; ++i) {
    const TileParameter *parameter = &kernel->parameters[i];
    bool isStride;
    uint32_t array, dimension;
    if (parameter->isPointer && slots[i] % POINTER_BYTES) return false;
    if (!parameter->isInteger ||
        !tileKernelFindMeasure(kernel->func, i, &isStride, &array, &dimension) || !isStride)
      continue;
    if (array < BITS && !(arrays >> array & 1)) continue;
    int64_t stride = tileElementToInteger(parameter->type, &slots[i]);
    if (stride != 1 && stride * s->elementBytes % bytes) return false;
  }
  return true;
}

/// And those of arrays that dots read?
static bool readsBeginAt(const TileSurvey *s, const TileProgramKernel *kernel, int64_t bytes) {
  return rowsBeginAt(s, kernel, bytes, s->arrays, s->pitch);
}

static bool beginAt(const TileSurvey *s, const TileProgramKernel *kernel, int64_t bytes) {
  return rowsBeginAt(s, kernel, bytes, UINT64_MAX, s->pitch);
}

bool tileSurveySharesUnasked(const TileSurvey *s, const TileProgramKernel *kernel) {
  // Elements of which pitches are told to be multiples; of what lies between, the first.
  enum { TOLD = 16, BYTES_TOLD = 32, WELL_TOLD = 128 };
  const TileMachine *machine = tileProgramGetArch(s->program);
  int64_t known = tileMachineNumber(machine, TILE_NUMBER_STRADDLE_BYTES), bytes = known;
  if (s->work.isSynchronous || s->work.rows < TILE_ROWS_AT_SECTORS || !s->hasBoxes) return false;
  while (bytes < machine->lineBytes && readsBeginAt(s, kernel, 2 * bytes)) bytes *= 2;
  int64_t told = kernel->multipliesBytes ? BYTES_TOLD : TOLD * s->elementBytes;
  if (bytes > told && bytes < WELL_TOLD * s->elementBytes) bytes = told;
  return bytes == known || bytes < told;
}

/// Are arrays read where they lie (tile-choose-packing)? Products by FMA, as those of f32, do not.
static bool isRagged(const TileSurvey *s, const TileProgramKernel *kernel) {
  enum { WORD_BYTES = 4 };
  int most = tileMachineNumber(tileProgramGetArch(s->program), TILE_NUMBER_PACK_ROWS);
  bool isFma = s->work.rate == TILE_RATE_F32;
  if (s->elementBytes > WORD_BYTES || isFma || s->thinnest > most) return false;
  return !beginAt(s, kernel, s->elementBytes < WORD_BYTES ? WORD_BYTES : 2 * WORD_BYTES);
}

/// Bytes of operands whose rows begin at whole lines, and at sectors, where others' do not.
static void countBeside(TileSurvey *s, const TileProgramKernel *kernel, int64_t whole,
                        int64_t sector) {
  TileWork *w = &s->work;
  double lines = 0, sectors = 0, asked = 0;
  for (int i = 0; i < s->numOperands && w->rows != TILE_ROWS_AT_LINES; ++i) {
    const TileSurveyOperand *o = &s->operands[i];
    bool atLines = o->arrays && rowsBeginAt(s, kernel, whole, o->arrays, o->pitch);
    bool atSectors = !atLines && o->arrays && w->rows == TILE_ROWS_AT_CHUNKS &&
                     rowsBeginAt(s, kernel, sector, o->arrays, o->pitch);
    *(atLines ? &lines : &sectors) += atLines || atSectors ? o->bytes : 0;
    asked += atLines || atSectors ? o->asked : 0;
  }
  w->lineBytes = (int64_t)(lines / s->steps);
  w->sectorBytes = (int64_t)(sectors / s->steps);
  w->besideAsked = (int64_t)(asked / s->steps);
}

void tileSurveyFindRows(TileSurvey *s, const TileProgramKernel *kernel) {
  TileWork *w = &s->work;
  const TileMachine *machine = tileProgramGetArch(s->program);
  int64_t element = s->elementBytes, line = machine->lineBytes;
  int64_t sector = tileMachineNumber(machine, TILE_NUMBER_SECTOR_BYTES);
  TileFacts facts = {0};
  w->storesSingles = s->storedPitch % TILE_MAP_CHUNK_BYTES != 0;
  // Of rows that begin in the middle of a line both halves are as many sectors as a whole line's:
  // where threads wait for their products that is no slower.
  int64_t whole = w->isSynchronous ? line / 2 : line;
  if (element < 1 || beginAt(s, kernel, whole)) return;
  if (beginAt(s, kernel, TILE_MAP_CHUNK_BYTES)) {
    w->rows = readsBeginAt(s, kernel, whole)    ? TILE_ROWS_AT_LINES
              : readsBeginAt(s, kernel, sector) ? TILE_ROWS_AT_SECTORS
                                                : TILE_ROWS_AT_CHUNKS;
    countBeside(s, kernel, whole, sector);
    return;
  }
  tileProgramFindFacts(s->program, kernel, s->slots, s->grid, &facts);
  // Of fewer rows, and fewer columns, than a matrix instruction has rows nothing is a box.
  bool packs = facts.packs && !s->isNarrow;
  bool ragged = isRagged(s, kernel);
  tileFactsDestroy(&facts);
  w->rows = ragged           ? TILE_ROWS_RAGGED
            : packs          ? TILE_ROWS_PACKED
            : kernel->isWide ? TILE_ROWS_COPIED
            : s->isNarrow    ? TILE_ROWS_AHEAD
                             : TILE_ROWS_ALONE;
  if (ragged) w->singles = s->words;
  if (packs || ragged) return;
  // Threads load as many bytes at once as all rows begin at multiples of.
  int64_t access = TILE_MAP_CHUNK_BYTES / 2;
  while (access > element && !beginAt(s, kernel, access)) access /= 2;
  w->singles = (double)w->stepBytes / (double)access / (32.0 * w->warps);
}
