//===- Sharing.c - boxes that neighbouring programs want alike ------------===//
//
// Blocks of a cluster work through neighbouring programs, and where several of them want the same
// box, the L2 cache is asked for it once (tile-share-copies). Which do follows from where programs
// load, integers that are computed here for each of them. The pass has the boxes, but no launch: it
// asks which copies may be shared at all (lib/Transforms/Roles/Copies/Clusters.h).
//
//   matmul(4096), BN=256,GROUP=2,num_ctas=4: programs 0 to 3 load two boxes of A, and two of B
//
// On the way it is seen which arrays dots read: where rows of others begin is of no matter to them.
//===----------------------------------------------------------------------===//
#include "TuneImpl.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/ValueSearch.h"
#include <string.h>

enum { MOST_NUMBERS = 16, MOST_BLOCKS = 16 };

/// Integers that say where an operand lies, each the same in all steps.
typedef struct {
  MlirValue numbers[MOST_NUMBERS];
  int count;
  bool known;      ///< that these are all
  uint64_t arrays; ///< arguments of the kernel that are pointers, a bit each
  int64_t pitch;   ///< bytes that pitches of descriptors are multiples of; 0: none are known
} Place;

/// The value of a number in one program; false where it follows from more than the key.
static bool evaluate(const TileSurvey *s, MlirValue number, const int32_t program[3],
                     int32_t *result) {
  const MlirValue values[] = {number, number, number};
  int32_t results[3];
  bool ok = tileProgramEvaluate(s->program, s->view.kernel, s->view.config, s->slots, program,
                                values, results);
  *result = results[0];
  return ok;
}

/// Where a loop's step has its value from: what it begins with, as steps go the same way in all
/// programs. Arguments of the kernel are the same anyway.
static void addArgument(Place *place, TileValueSearch *search, MlirValue value) {
  MlirOperation parent = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  intptr_t number = mlirBlockArgumentGetArgNumber(value);
  if (tileOpIsAFunc(parent)) {
    if (number < 64 && tileTypeIsAPtr(mlirValueGetType(value)))
      place->arrays |= UINT64_C(1) << number;
    return;
  }
  place->known &= tileOpIs(parent, "scf.for");
  if (place->known) tileValueSearchAdd(search, tileOperand(parent, number ? 2 + number : 0));
}

static void addValue(const TileSurvey *s, Place *place, TileValueSearch *search, MlirValue value) {
  static const int32_t first[3] = {0};
  int32_t ignored;
  if (mlirValueIsABlockArgument(value)) {
    addArgument(place, search, value);
    return;
  }
  bool isNumber = mlirTypeIsAInteger(mlirValueGetType(value));
  if (isNumber && evaluate(s, value, first, &ignored)) {
    place->known &= place->count < MOST_NUMBERS;
    if (place->known) place->numbers[place->count++] = value;
    return;
  }
  MlirOperation op = tileValueGetOp(value);
  tileSurveyAddPitches(s, value, &place->pitch);
  // What is loaded elsewhere is not known, nor its mask of interest.
  if (tileOpIsALoad(op))
    tileValueSearchAdd(search, tileOperand(op, 0));
  else
    tileValueSearchAddOperands(search, op);
}

static Place findPlace(const TileSurvey *s, MlirValue operand) {
  Place place = {.known = true};
  TileValueSearch search = {0};
  tileValueSearchAdd(&search, operand);
  while (search.count && place.known) addValue(s, &place, &search, search.stack[--search.count]);
  tileValueSearchClear(&search);
  return place;
}

/// The program of a cluster's block: a grid of several dimensions is worked through in groups of
/// rows, of which those that share along both axes have two columns (MakePersistent.c).
static void findProgram(const TileSurvey *s, int block, int32_t program[3]) {
  int rows = tileMachineNumber(tileProgramGetArch(s->program), TILE_NUMBER_PROGRAM_ROWS);
  if (s->sharesAcross && s->sharers > 2) rows = s->sharers / 2;
  if (s->grid[1] == 1) rows = s->grid[0];
  if (rows > s->grid[0]) rows = s->grid[0];
  program[0] = block % rows;
  program[1] = block / rows % s->grid[1];
  program[2] = 0;
}

enum { ALONG_X = 1, ALONG_Y = 2 };

/// Axes of the grid that an operand's place follows from, a bit each.
static int findAxes(const TileSurvey *s, MlirValue operand) {
  static const int32_t programs[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  Place place = findPlace(s, operand);
  int axes = place.known ? 0 : ALONG_X | ALONG_Y;
  for (int i = 0; i < place.count; ++i) {
    int32_t values[3] = {0};
    for (int p = 0; p < 3; ++p)
      if (!evaluate(s, place.numbers[i], programs[p], &values[p])) return ALONG_X | ALONG_Y;
    if (values[1] != values[0]) axes |= ALONG_X;
    if (values[2] != values[0]) axes |= ALONG_Y;
  }
  return axes;
}

bool tileSurveySharesAcross(const TileSurvey *s, MlirValue a, MlirValue b) {
  int ofA = findAxes(s, a), ofB = findAxes(s, b);
  return (ofA == ALONG_X && ofB == ALONG_Y) || (ofA == ALONG_Y && ofB == ALONG_X);
}

uint64_t tileSurveyFindArrays(const TileSurvey *s, MlirValue operand, int64_t *pitch) {
  Place place = findPlace(s, operand);
  if (pitch) *pitch = place.pitch;
  return place.known ? place.arrays : 0;
}

int tileSurveyCountBoxes(TileSurvey *s, MlirValue operand, int blocks) {
  int32_t wanted[MOST_BLOCKS][MOST_NUMBERS];
  Place place = findPlace(s, operand);
  s->arrays |= place.arrays;
  if (!place.known || blocks > MOST_BLOCKS) return blocks;
  int different = 0;
  for (int block = 0; block < blocks; ++block) {
    int32_t program[3];
    findProgram(s, block, program);
    bool isNew = true;
    for (int i = 0; i < place.count; ++i)
      if (!evaluate(s, place.numbers[i], program, &wanted[different][i])) return blocks;
    for (int other = 0; other < different && isNew; ++other)
      isNew = place.count &&
              memcmp(wanted[other], wanted[different], (size_t)place.count * sizeof **wanted) != 0;
    different += isNew;
  }
  return different;
}

void tileSurveyAddOperand(TileSurvey *s, MlirValue operand, double bytes, double asked) {
  if (!(bytes > 0) || s->numOperands == TILE_SURVEY_OPERANDS) return;
  TileSurveyOperand *o = &s->operands[s->numOperands++];
  *o = (TileSurveyOperand){.bytes = bytes, .asked = asked};
  o->arrays = tileSurveyFindArrays(s, operand, &o->pitch);
}
