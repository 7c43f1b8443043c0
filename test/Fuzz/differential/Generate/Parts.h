//===- Parts.h - what random products are put together from -----*- C -*-===//
//
// Small values, loops that carry tiles, matrices in memory and tiles of them. Used by the kernels
// that models are made of (GenerateSequences.c) and by loops of every form (GenerateLoops.c,
// GenerateSteps.c, GenerateStreams.c).
//
//===----------------------------------------------------------------------===//
#ifndef TILE_FUZZ_PARTS_H
#define TILE_FUZZ_PARTS_H

#include "Generate.h"

/// One of the numbers.
#define PICK(...) pickOf(g, (const int[]){__VA_ARGS__}, sizeof(int[]){__VA_ARGS__} / sizeof(int))
int pickOf(Generator *g, const int *numbers, int count);

//===- small values -------------------------------------------------------===//

int number(Generator *g, int value);
/// A constant, or an argument.
int passed(Generator *g, int value);
int loadScalar(Generator *g, int pointer, Element e);
/// An integer, sign extended or cut.
int toElement(Generator *g, int value, Element e);
/// An array of integers that kernels go by.
int makeTable(Generator *g, Element e, int length, Fill fill, int limit);
/// start + 0, 1, ..
int makeLine(Generator *g, int start, int extent);
/// A line along an axis of a tile, the same along the other.
int spreadLine(Generator *g, int line, Type type, int axis);
Type tileOf(Element e, int rows, int columns);
/// `type` with pointers to its elements.
Type pointersTo(Type type);
int makeDot(Generator *g, int a, int b, int acc);
/// Turns a tile round.
int makeTurned(Generator *g, int value);
/// What products of such elements are summed in.
Element sumOf(Element e);

//===- loops --------------------------------------------------------------===//

enum { MAX_CARRIED = 6 };

/// A loop that is being made: its counter and what it carries, as its steps see them.
typedef struct {
  int operands[3 + MAX_CARRIED], count;
  int block, outside, counter, carried[MAX_CARRIED];
  bool isWhile;
  int asks, step; ///< of a while: the block that asks, and the counter's step
} Turns;

/// From `lower` on; `values` stand before the first step.
Turns beginTurnsFrom(Generator *g, int lower, int upper, int step, const int *values, int count);
Turns beginTurns(Generator *g, int upper, int step, const int *values, int count);
/// The same as a loop that asks before each step whether there is one more.
Turns beginWhile(Generator *g, int lower, int upper, int step, const int *values, int count);
void endTurns(Generator *g, const Turns *t, const int *yields, int *results);

//===- planes -------------------------------------------------------------===//

/// A matrix in memory.
typedef struct {
  int array, pitchValue; ///< -1: the pitch is a constant
  int64_t pitch;
  bool isTurned; ///< columns lie together instead of rows
  Element element;
} Plane;

/// A tile's place in a plane: which of its axes has the rows, which rows and columns, 1-D, and
/// how many there are (values, -1: all exist). `begin`: a scalar that is added to the rows, or -1.
typedef struct {
  int rowAxis, begin, rows, columns, rowEnd, columnEnd;
} Place;

Plane planPlane(Generator *g, Role role, Element e, int rows, int columns);
/// Pointers to a tile of the plane.
int makePlaces(Generator *g, const Plane *p, const Place *at, Type type);
/// -1: all.
int makeMaskOf(Generator *g, const Place *at, Type type);
/// line < end, along an axis of a tile.
int makeInside(Generator *g, int line, int end, Type type, int axis);
/// A tile as `e`, half of the narrow ones scaled.
int makeFactor(Generator *g, int value, Element e);
/// Loads rows x columns of a plane as `e`.
int loadPlace(Generator *g, const Plane *p, const Place *at, int rows, int columns, Element e);

#endif
