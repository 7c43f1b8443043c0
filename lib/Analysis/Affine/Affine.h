//===- Affine.h - the parts of affine access analysis ---------------------===//
//
//   Polynomial.c  sums of products
//   Values.c      from SSA values to polynomials
//   Bounds.c      intervals, divisors, proofs of >= 0
//   Seen.c        what holds of a program of which something is seen
//   Access.c      from the polynomials of an access to an array and a box
//   Span.c        from the address of an access to the bytes it touches in a loop
//   Build.c       values of polynomials
//
//===----------------------------------------------------------------------===//
#ifndef TILE_LIB_ANALYSIS_AFFINE_H
#define TILE_LIB_ANALYSIS_AFFINE_H

#include "../Offsets.h"
#include "tile/Analysis/Affine.h"
#include "tile/Support/PointerTable.h"

//===- Polynomial.c -------------------------------------------------------===//

TilePoly polyConstant(int64_t value);
TilePoly polySymbol(int symbol);
TilePoly polyOfTerm(const TileTerm *term);
TilePoly polyInvalid(MlirOperation blame);
TilePoly polyAdd(const TilePoly *a, const TilePoly *b);
TilePoly polySub(const TilePoly *a, const TilePoly *b);
TilePoly polyMul(const TilePoly *a, const TilePoly *b);
TilePoly polyScale(const TilePoly *a, int64_t factor);
bool polyEqual(const TilePoly *a, const TilePoly *b);
bool polyIsConstant(const TilePoly *a, int64_t *value);
static inline bool polyIsZero(const TilePoly *a) { return a->valid && a->count == 0; }
bool polyContains(const TilePoly *a, int symbol);
/// `term` / `by`, both monomials; false where that is not exact, or `by` is not positive.
bool termDivide(const TileTerm *term, const TileTerm *by, TileTerm *quotient);
/// `a` / `by`, by a polynomial of one term; not valid where that is not exact.
TilePoly polyDivide(const TilePoly *a, const TilePoly *by);
/// The polynomial that `symbol` is multiplied by; not valid where it occurs to a higher power.
TilePoly polyCoefficient(const TilePoly *a, int symbol);
/// `term` with one occurrence of `symbol` taken away.
TileTerm termWithout(const TileTerm *term, int symbol);

/// Saturates at +-2^62.
typedef struct AffineInterval {
  int64_t min, max;
} AffineInterval;

//===- Values.c -----------------------------------------------------------===//

/// Bits of an integer or of a tile's; 64 of index.
static inline int affineWidth(MlirValue value) {
  MlirType element = tileElementType(mlirValueGetType(value));
  return mlirTypeIsAIndex(element) ? 64 : tileBitWidth(element);
}

/// Symbols 0 .. TILE_MAX_RANK - 1 are the positions along the tile's dimensions.
enum { AFFINE_FIRST_SCALAR = TILE_MAX_RANK };

typedef enum {
  AFFINE_OPAQUE, ///< known by its value alone
  AFFINE_ARGUMENT,
  AFFINE_PROGRAM_ID,
  AFFINE_NUM_PROGRAMS, ///< of a kernel whose grid the launch says
  AFFINE_INDUCTION,    ///< operands: lower bound, and what it stays below
  AFFINE_DIV,          ///< rounds down where both numbers are positive
  AFFINE_CEILDIV,
  AFFINE_REM,
  AFFINE_MIN,
  AFFINE_MAX,
} AffineKind;

enum { AFFINE_PLACES = 4 };

/// A scalar. Quotients and the like with equal operands are one symbol, wherever they stand.
typedef struct AffineSymbol {
  AffineKind kind;
  int numValues;
  MlirValue values[AFFINE_PLACES]; ///< some of the places where it is computed
  int number;        ///< of an argument; axis of a program id or a count; which op of its kind
  bool nonNegative;  ///< promised
  bool isBounded[2]; ///< `interval` has been found: of any program, of one seen
  AffineInterval interval[2];
  TilePoly operands[2];
} AffineSymbol;

/// What is known of a value.
typedef struct AffineFact {
  MlirValue value;
  TilePoly poly;
} AffineFact;

/// A value that a loop carries, while what it grows by is being found.
typedef struct AffineCarried {
  MlirValue value;
  int symbol;
  struct AffineCarried *outer;
} AffineCarried;

/// What is >= 0 wherever ops of `block`, at any depth, are.
typedef struct AffinePromise {
  TilePoly poly;
  MlirBlock block;
} AffinePromise;

struct TileAffine {
  MlirOperation func;
  const TileAxisAnalysis *axes;
  AffineSymbol *symbols; // without the positions
  int numSymbols, capacity;
  TilePointerTable facts; ///< value -> AffineFact
  bool isComplete;        ///< has every scalar been looked at?
  AffineCarried *carried;
  TilePoly grid[3];               ///< how many programs there are along x, y, z; may be not valid
  int64_t extents[TILE_MAX_RANK]; ///< of the tile that positions count through
  int budget;                     ///< steps that a proof may still take
  AffinePromise *promises;
  size_t numPromises, promiseCapacity;
  MlirOperation access; ///< that questions are about; null: none
  bool rounds;          ///< are bounds of quotients worth their steps?
  bool asSeen;          ///< is a question about a program of which something is seen?
  bool readSeen;        ///< was what holds of those looked for?
  AffinePromise *seen;  ///< that
  bool moves;           ///< may positions be moved away from 0?
  size_t numSeen, seenCapacity;
};

static inline AffineSymbol *affineSymbol(const TileAffine *a, int symbol) {
  return &a->symbols[symbol - AFFINE_FIRST_SCALAR];
}
/// Is `symbol` a kernel argument?
static inline bool affineIsArgument(const TileAffine *a, int symbol) {
  return symbol >= AFFINE_FIRST_SCALAR && affineSymbol(a, symbol)->kind == AFFINE_ARGUMENT;
}
/// The polynomial of a scalar or tile of integers or pointers. A pointer is the kernel argument it
/// starts from, plus elements.
TilePoly affineOf(TileAffine *a, MlirValue value);
/// From here on `poly` is taken to be >= 0 wherever ops of `block` are.
void affinePromise(TileAffine *a, TilePoly poly, MlirBlock block);
/// What is >= 0 where `comparison`, an arith.cmpi of < or the like, holds; not valid for others.
/// Unsigned ones are read as if they were signed.
TilePoly affineOfComparison(TileAffine *a, MlirOperation comparison);
/// `poly`, of a tile, after the tile's dimension d became dimension map[d]; below 0: its
/// position is 0.
TilePoly affineRemap(const TilePoly *poly, const int map[TILE_MAX_RANK]);
/// How the dimensions of a shape op's operand become those of its result; false for other ops.
bool affineShapeMap(MlirOperation op, int map[TILE_MAX_RANK]);

//===- Build.c ------------------------------------------------------------===//

/// May `value` be used where `b` builds?
bool affineIsAvailable(const TileBuilder *b, MlirValue value);

//===- Bounds.c -----------------------------------------------------------===//

AffineInterval affineInterval(TileAffine *a, const TilePoly *poly);

//===- Seen.c -------------------------------------------------------------===//
//
//   tile.store %ptrs, %sum, (first + rows < m)      all that the kernel writes
//
// writes nothing where first >= m. What such a program does before that is not seen, so whoever
// asks about a load whose box may hold anything there takes m - 1 - first to be >= 0.

/// Is `poly` >= 0 at the access asked about, in each program of which something is seen?
bool affineIsSeenNonNegative(TileAffine *a, const TilePoly *poly);

#endif
