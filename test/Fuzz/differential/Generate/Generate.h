//===- Generate.h - the grammar of random kernels ---------------*- C -*-===//
//
// A kernel grows from its first op to its last. Values that later ops may use stand in a list,
// which is cut where a region ends. Whoever needs a value of some type takes one of the list, or
// has one made: loaded, converted, spread out, or a constant.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_FUZZ_GENERATE_H
#define TILE_FUZZ_GENERATE_H

#include "../Kernel.h"

enum { MAX_SHAPES = 8, MAX_LOOPS = 3, MAX_HELPERS = 8, MAX_ELEMENTS = 4096 };

/// A loop around the op that is made now.
typedef struct {
  int iv, lower, step; ///< value; numbers
  int most;            ///< iterations, at most
} Loop;

typedef struct {
  Kernel *k;
  Random r;
  int block;
  int visible[MAX_VALUES], numVisible;
  int uses[MAX_VALUES];
  Type shapes[MAX_SHAPES];
  int numShapes;
  Loop loops[MAX_LOOPS];
  int numLoops;
  int helpers[MAX_HELPERS], numHelpers; ///< ops that call one
  int depth;                            ///< of control flow and helpers
  int nesting;                          ///< of values made for values
  bool inWhile;
} Generator;

//===- ops ----------------------------------------------------------------===//

/// Appends an op to the current block. Valid until the next one.
Op *appendOp(Generator *g, OpKind kind, int numOperands, const int *operands);
/// A result of the op; not visible yet.
int addResult(Generator *g, Op *op, Type type, bool exact);
int addValue(Generator *g, Type type, bool exact);
int addBlock(Generator *g);
/// Lets later ops choose the value.
int show(Generator *g, int value);
bool isFull(const Generator *g);

static inline const Type *typeOf(const Generator *g, int value) {
  return &g->k->values[value].type;
}
static inline bool isExact(const Generator *g, int value) { return g->k->values[value].exact; }

//===- values -------------------------------------------------------------===//

Element pickInt(Generator *g);
Element pickFloat(Generator *g);
Element pickElement(Generator *g);
/// One of the kernel's shapes with this element.
Type pickType(Generator *g, Element e);

/// A value of the type, exact where that is asked for.
int pickValue(Generator *g, Type type, bool exact);

int makeConstant(Generator *g, Type type, uint64_t bits);
int makeInt(Generator *g, Type type, int64_t value);
int makeFloat(Generator *g, Type type, double value);
/// A new parameter that is a number.
int makeScalarParameter(Generator *g, Element e, uint64_t literal);
/// `rule` on operands that are right for it.
int makeRule(Generator *g, const char *rule, Type type, int numOperands, const int *operands);
int makeBinary(Generator *g, const char *rule, int a, int b);
int makeCompare(Generator *g, const char *rule, int predicate, int a, int b);
int makeSplat(Generator *g, int scalar, Type type);
/// The number as another element; floats go to integers exact and clamped.
int makeConversion(Generator *g, int value, Element to);
/// 0 where the value is NaN.
int makeClean(Generator *g, int value);
/// The value with +0 added, which is no -0.
int makeUnsigned0(Generator *g, int value);
/// A tile of the type whose elements count along one axis: i32.
int makeIndices(Generator *g, Type type, int axis);
/// 0 .. count - 1 from any i32 or i64.
int makeBelow(Generator *g, int value, int count);

//===- statements ---------------------------------------------------------===//

/// Each adds an op with what it needs, and shows its results.
void addRule(Generator *g);
/// The greatest and least of integers, and of their negations.
void addExtremes(Generator *g);
void addShape(Generator *g);
void addReduce(Generator *g, bool scans);
void addSort(Generator *g);
void addHistogram(Generator *g);
void addRand(Generator *g);
void addDot(Generator *g);
void addMatmul(Generator *g);
void addBox(Generator *g);
void addCas(Generator *g);
void addSwizzle(Generator *g);
void addStore(Generator *g, int value);
void addAtomic(Generator *g);
void addControl(Generator *g);
void addCall(Generator *g);
/// An assertion or assumption that holds.
void addCheck(Generator *g);
void addStatement(Generator *g);

/// A load of a new array.
int makeLoad(Generator *g, Type type);
int makeProgramId(Generator *g, int axis);
/// A new parameter that points at an array.
int addArray(Generator *g, Role role, Element e, int64_t length);
int movePointer(Generator *g, int pointer, int offset);
/// sum + term; the term alone where `sum` is -1.
int addTerms(Generator *g, int sum, int term);
int makeScaled(Generator *g, int value, int64_t factor);
/// A tile of pointers that a loop moves along.
void addWalk(Generator *g);
/// A number of a new array, which is filled with those below `count`.
int makeLoadedBelow(Generator *g, Element e, int count);
/// The value reduced along an axis by a rule of two operands.
int makeReduced(Generator *g, const char *combiner, int value, int axis);
/// What the kernel asks for must fit: sm_80 has 163 KiB of shared memory, some of it for other ops.
void limitStages(Generator *g, Element e, int elements);
/// Blocks of rows that memory tells, and products over them; sets the grid.
void addSequences(Generator *g);
/// A product in loops of some form; sets the grid.
void addProducts(Generator *g);
/// Loops without dots, over rows and states; sets the grid.
void addStreams(Generator *g);

#endif
