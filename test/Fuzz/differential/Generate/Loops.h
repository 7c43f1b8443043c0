//===- Loops.h - products in loops of every form ----------------*- C -*-===//
//
// How a program comes to its tiles (GenerateLoops.c), what a step of the depth does for one of them
// and what becomes of the sums (GenerateSteps.c).
//
//===----------------------------------------------------------------------===//
#ifndef TILE_FUZZ_LOOPS_H
#define TILE_FUZZ_LOOPS_H

#include "Parts.h"

/// What a step adds to the sums.
typedef enum {
  STEP_PLAIN,    ///< a dot
  STEP_SHARED,   ///< two dots of one left operand
  STEP_SCALED,   ///< a dot whose result is scaled by what the step loads
  STEP_PACKED,   ///< a dot of weights that lie two in a byte, in groups with scales
  STEP_GATHERED, ///< a dot of rows that a list names
  STEP_COMPUTED, ///< a dot of what is computed of one or two tiles
  STEP_SKIPPED,  ///< a dot that a flag in memory may leave out
  STEP_WATCHED,  ///< a dot, and sums over its operands
  STEP_CHAINED,  ///< a dot of a dot
  STEP_BACKWARD, ///< four dots that read tiles both ways round, and a fifth that is added in memory
  STEP_BATCHED,  ///< a dot of rank 3
  NUM_STEPS
} StepKind;

/// A matrix that tiles are loaded from: by pointers, or as boxes of a descriptor.
typedef struct {
  Plane plane;
  int rows, columns; ///< numbers
  bool isBoxed;
} Matrix2;

typedef struct {
  StepKind kind;
  Element element;
  int m, n, step;           ///< extents of a tile, and of a step of the depth
  int rows, columns, depth; ///< of all
  int inner;                ///< of STEP_CHAINED and STEP_BACKWARD: the other side of the first dot
  int batch;
  Matrix2 a, b, c, d; ///< operands
  int table, group;   ///< a list, or flags; how far scales reach
  Matrix2 scales, result, residual;
  Plane updated; ///< what is added to by atomics
  int numSums;
  Type sums[4];
  bool isAtomic, isSplit; ///< results are added in memory; the depth has parts, by program z
} Product;

/// Where a tile stands: numbers of its first row and column, as values.
typedef struct {
  int row, column;
} Corner;

Product planProduct(Generator *g);
/// The sums after the step that begins at `at` of the depth.
void makeStep(Generator *g, const Product *p, Corner c, int at, const int *before, int *after);
/// Stores what becomes of the sums.
void finishTile(Generator *g, const Product *p, Corner c, const int *sums);

/// Loads rows x columns from a corner on, and nothing from outside of the matrix.
int loadTile(Generator *g, const Matrix2 *m, int row, int rows, int column, int columns, Element e);
void storeTile(Generator *g, const Matrix2 *m, int row, int column, int value);
Matrix2 planMatrix2(Generator *g, Role role, Element e, int rows, int columns);

#endif
