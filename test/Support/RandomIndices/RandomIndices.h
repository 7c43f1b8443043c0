//===- RandomIndices.h - random kernels of indices, and their values ------===//
//
// Writes kernels of index arithmetic as MLIR text: arguments, a grid, program ids, tiles, loops in
// loops with what they carry. While doing so it runs them on several launches. Numbers are small,
// so that launches meet the ends of what they may be, and sums and products do not wrap: an op that
// would, or whose result arith leaves undefined, is not written.
//
// Values are those of points: a launch, or a step of the loops around. Of a long loop the first
// steps and the last ones are points.
//
// Each op's location names its number; of an scf.for that of its counter, which those of the
// values carried follow. Numbers 0 .. ARGUMENTS - 1 are the arguments, two pointers last.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_RANDOM_INDICES_H
#define TILE_TEST_RANDOM_INDICES_H

#include "../RandomKernel/RandomKernel.h"

enum {
  ARGUMENTS = 8,
  LAUNCHES = 32,
  LEVELS = 3,
  MAX_POINTS = 1200,
  MAX_NUMBERS = 180,
  LANES = 32,
  MAX_ACCESSES = 8,
  ACCESSES = 1000
};

/// A value of the kernel; pointers count elements.
typedef struct {
  int level, rank, width; // loops around it; width 0: pointer
  int64_t extents[2];
  bool isHidden;   // not for other ops
  int64_t *values; // points of `level` x lanes
  char op[12];     // of arith, of numbers `of`, where it is one of two
  int of[2];
} Number;

/// A load that the kernel has; its location names ACCESSES + its number.
typedef struct {
  int pointers, mask; // numbers; mask -1: none
} Access;

typedef struct {
  int counter, carried; // its counter's number, and how many values it carries
  int lower, upper, step;
  int by[2];         // what is added to what is carried; MAX_NUMBERS: the counter
  bool subtracts[2]; // or subtracted
} Loop;

typedef struct {
  Program text; // its text and random numbers
  Number numbers[MAX_NUMBERS];
  int count, level;
  int program; // the number along x; that along y follows
  int points[LEVELS];
  int parent[LEVELS][MAX_POINTS]; // of each point, that of the level before
  Loop loops[LEVELS];             // by the level of their bodies
  Access accesses[MAX_ACCESSES];
  int numAccesses;
  bool nonNegative[ARGUMENTS]; // what the analysis is to take of them
} Kernel;

/// Writes the kernel of `seed` over whatever `k` holds.
void generateIndices(Kernel *k, uint64_t seed);
/// Frees the values.
void forgetIndices(Kernel *k);

int64_t lanesOf(const Number *n);
/// The value at a point of `level`, which is no less than the number's own.
int64_t valueAt(const Kernel *k, int id, int level, int point, int64_t lane);

//===- Numbers.c ----------------------------------------------------------===//

/// The next number, with values to be set, of the level at hand; null where there is no room.
Number *freshNumber(Kernel *k, int rank, const int64_t *extents, int width);
const char *indexType(const Number *n, char text[96]);
/// Some number that is not hidden: of `rank` and `width`, where these are not negative; or -1.
int pickNumber(Kernel *k, int rank, int width);
/// A number of the type of `like`, or -1.
int pickLike(Kernel *k, int like);
/// The constant `value` in the type of `like`.
int addNumber(Kernel *k, int like, int64_t value);
/// An op of arith on two numbers of one type; -1 where it would wrap, or is not defined. Each
/// adds an op, and returns its number.
int addOp(Kernel *k, const char *op, int x, int y);
/// `predicate` of cmpi by number, -1 for any.
int addComparison(Kernel *k, int predicate, int x, int y);
int addConversion(Kernel *k);
int addSelection(Kernel *k);
/// A tile of positions.
int addRow(Kernel *k, int64_t extent);
/// A scalar as a tile of the shape of `like`.
int addSplatLike(Kernel *k, int x, int like);
/// A row of 4 or 8 as a tile of 4 x 8, along one dimension or the other.
int addWider(Kernel *k, int x);
/// A tile of pointers, moved by the tile `x`.
int addAddress(Kernel *k, int x);
/// A random op.
void addAny(Kernel *k);

//===- Boxes.c ------------------------------------------------------------===//

/// A box of an array: pointers that a load reads, one or two dimensions, often with a mask.
void addBox(Kernel *k);

//===- Loops.c ------------------------------------------------------------===//

/// Opens a loop; false where no numbers suit it.
bool openLoop(Kernel *k);
void closeLoop(Kernel *k);

#endif
