//===- Axis.h - the parts of axis analysis --------------------------------===//
//
//   Lattice.c    what is claimed of a value: normal form, join, widening
//   Integers.c   ranges and constants of fixed-width integers
//   Arithmetic.c transfer functions of arith
//   Shapes.c     transfer functions of tile's shape ops, constants, pointers
//   Assume.c     facts promised by tile.assume
//   Facts.c      what the walk keeps of each value
//   Transfer.c   which transfer function an op has
//   Analysis.c   the walk: control flow, fixpoint
//   Access.c     queries on memory accesses
//   Guess.c      which neighbours probably lie side by side
//
// A transfer function gets types and facts by value and returns facts; it holds no state.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_LIB_ANALYSIS_AXIS_H
#define TILE_LIB_ANALYSIS_AXIS_H

#include "../Offsets.h"
#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"

/// Largest divisibility that is tracked.
#define AXIS_MAX_DIVISIBILITY (INT64_C(1) << 62)

typedef enum { AXIS_INTEGER, AXIS_POINTER, AXIS_OTHER } AxisKind;

/// All that transfer functions need to know of a type. Extents that are unknown count as 1: nothing
/// but runs of length 1 is then claimed.
typedef struct {
  AxisKind kind;
  int width;    ///< bits of an integer; 64 for index
  int64_t unit; ///< bytes a pointer moves a step, 1 for integers
  int rank;
  bool dynamic;                   ///< has an unknown extent
  int64_t extents[TILE_MAX_RANK]; ///< of a scalar: [0] is 1
} AxisType;

AxisType axisTypeOf(MlirType type);
/// Dimensions described: 1 for a scalar.
static inline int axisDims(int rank) { return rank > 0 ? rank : 1; }

//===- Lattice.c ----------------------------------------------------------===//

int64_t axisGcd(int64_t a, int64_t b);
static inline int64_t axisMin(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t axisMax(int64_t a, int64_t b) { return a > b ? a : b; }
/// The largest power of two that divides x; AXIS_MAX_DIVISIBILITY for 0.
int64_t axisPowerOfTwoIn(int64_t x);
/// The product of two divisibilities, bounded.
int64_t axisTimes(int64_t a, int64_t b);

/// Nothing known.
TileAxisInfo axisUnknown(AxisType type);
TileAxisInfo axisConstant(AxisType type, int64_t value);
/// A divisor of all elements whose coordinate in dimension d is a multiple of `step`.
int64_t axisDivisorAt(const TileAxisInfo *info, AxisType type, int d, int64_t step);
/// A divisor of all elements.
int64_t axisDivisor(const TileAxisInfo *info, AxisType type);
/// `info` as it follows from itself: run lengths divide extents, constants and ranges agree.
TileAxisInfo axisNormal(TileAxisInfo info, AxisType type);
/// The facts that hold for both.
TileAxisInfo axisJoin(const TileAxisInfo *a, const TileAxisInfo *b, AxisType type);
/// `next`, with bounds that still move against `before` taken to 0 or to the type's.
TileAxisInfo axisWiden(const TileAxisInfo *before, TileAxisInfo next, AxisType type);
bool axisEqual(const TileAxisInfo *a, const TileAxisInfo *b);
/// Runs of `info` cut so that none passes from `last` to the value after it, where the type's
/// signed (or unsigned) order wraps; needed before the type gets wider.
TileAxisInfo axisWithoutWrap(TileAxisInfo info, AxisType type, bool isSigned);
/// Length of runs along d that start at a multiple of their length, a power of two: they pass
/// neither a multiple of it nor the ends of the type.
int64_t axisAlignedRun(const TileAxisInfo *info, AxisType type, int d);

//===- Integers.c ---------------------------------------------------------===//

typedef enum {
  AXIS_ADD,
  AXIS_SUB,
  AXIS_MUL,
  AXIS_DIVS,
  AXIS_DIVU,
  AXIS_CEILDIVS,
  AXIS_CEILDIVU,
  AXIS_FLOORDIVS,
  AXIS_REMS,
  AXIS_REMU,
  AXIS_SHL,
  AXIS_SHRS,
  AXIS_SHRU,
  AXIS_AND,
  AXIS_OR,
  AXIS_XOR,
  AXIS_MINS,
  AXIS_MAXS,
  AXIS_MINU,
  AXIS_MAXU
} AxisBinary;

int64_t axisTypeMin(int width);
int64_t axisTypeMax(int width);
/// `value` modulo 2^width, as a signed number (i1: as 0 or 1).
int64_t axisWrap(uint64_t value, int width);
/// The result for two numbers; false where arith leaves it undefined.
bool axisFold(AxisBinary op, int width, int64_t a, int64_t b, int64_t *result);
/// Bounds of the result, from the bounds of the operands.
void axisFoldRange(AxisBinary op, int width, const TileAxisInfo *a, const TileAxisInfo *b,
                   int64_t *min, int64_t *max);
/// 1 where the predicate (as arith numbers it) surely holds, 0 where it surely does not, else -1.
int axisCompareRanges(int predicate, const TileAxisInfo *a, const TileAxisInfo *b);

//===- Arithmetic.c -------------------------------------------------------===//

TileAxisInfo axisBinary(AxisBinary op, AxisType type, const TileAxisInfo *a, const TileAxisInfo *b);
TileAxisInfo axisCompare(int predicate, AxisType type, AxisType operands, const TileAxisInfo *a,
                         const TileAxisInfo *b);
TileAxisInfo axisSelect(AxisType type, AxisType conditionType, const TileAxisInfo *condition,
                        const TileAxisInfo *yes, const TileAxisInfo *no);
/// Sign extension, zero extension or truncation, by the widths.
TileAxisInfo axisCast(AxisType to, AxisType from, bool isSigned, const TileAxisInfo *a);

//===- Shapes.c -----------------------------------------------------------===//

TileAxisInfo axisArange(AxisType type);
TileAxisInfo axisSplat(AxisType type, const TileAxisInfo *scalar);
TileAxisInfo axisExpandDims(AxisType type, const TileAxisInfo *a, int axis);
TileAxisInfo axisBroadcast(AxisType type, AxisType from, const TileAxisInfo *a);
TileAxisInfo axisReshape(AxisType type, AxisType from, const TileAxisInfo *a);
TileAxisInfo axisTrans(AxisType type, const TileAxisInfo *a, const int order[TILE_MAX_RANK]);
TileAxisInfo axisJoinTiles(AxisType type, AxisType from, const TileAxisInfo *a,
                           const TileAxisInfo *b);
TileAxisInfo axisSplitTile(AxisType type, const TileAxisInfo *a);
TileAxisInfo axisCat(AxisType type, AxisType lhs, const TileAxisInfo *a, AxisType rhs,
                     const TileAxisInfo *b, int axis);
TileAxisInfo axisConstantOp(AxisType type, MlirAttribute value);
/// Addresses stay; how many elements lie side by side does only where elements keep their size.
TileAxisInfo axisPtrCast(AxisType type, AxisType from, const TileAxisInfo *source);
TileAxisInfo axisAddPtr(AxisType type, AxisType offsets, const TileAxisInfo *pointers,
                        const TileAxisInfo *offset);

//===- Assume.c -----------------------------------------------------------===//

/// A promise about a scalar.
typedef struct {
  int64_t divisibility, min, max;
} AxisPromise;

/// Calls `found` for each promise that follows from `condition` being true.
void axisPromisesOf(MlirValue condition, void (*found)(void *data, MlirValue, AxisPromise),
                    void *data);
/// `info` with a promise about its (scalar) value.
TileAxisInfo axisRefine(TileAxisInfo info, AxisType type, AxisPromise promise);
/// `info` with what `op` says of its result: a number for each dimension.
TileAxisInfo axisHint(TileAxisInfo info, AxisType type, MlirOperation op);

//===- Access.c -----------------------------------------------------------===//

/// Pointers and mask (null when absent) of a load, store or atomic; false for other ops.
bool axisAccessOf(MlirOperation op, MlirValue *pointers, MlirValue *mask);

//===- Guess.c ------------------------------------------------------------===//

/// How many neighbours along `dim` probably follow each other.
int64_t axisGuessRun(const TileAxisAnalysis *analysis, MlirValue pointers, int dim);

// Step.c
/// Are neighbours along `dim` as far apart everywhere, though nobody knows how far? `*divisor`:
/// what is known to divide that; 0 where they are the same.
bool axisStride(const TileAxisAnalysis *analysis, MlirValue value, int dim, int64_t *divisor);
/// Are places along `dim` quotients and remainders of one number, as taps of a filter are, which
/// lies in memory as that counts, or close to it?
bool axisDivides(const TileAxisAnalysis *analysis, MlirValue value, int dim);
/// tileAxisStep as a guess: as if quotients of neighbours were equal, and remainders went on.
bool axisLikelyStep(const TileAxisAnalysis *analysis, MlirValue value, int dim, int64_t *step);

#endif
