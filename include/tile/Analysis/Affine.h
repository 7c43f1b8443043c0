//===- Affine.h - which box of which array an access covers -----*- C -*-===//
//
// Affine access analysis reads addresses and masks of tiles as polynomials. For
//
//   %ptrs = a + (first_m + row) * stride + (k0 + col)        128 x 64 pointers
//   %mask = row < m - first_m  and  col < k - k0
//
// it finds the array that the pointers walk, and the box of it that the tile is:
//
//                    stride     origin     extent    box
//   dimension 0      %stride    first_m    m         128
//   dimension 1      1          k0         k         64          base %a
//
// Symbols of polynomials are scalars of the kernel (arguments, program ids, induction
// variables, quotients ..) and, of tiles, the position along each dimension. What a loop carries
// is read as what it starts from plus (iv - lower) / step increments.
//
// Addresses are taken to be exact: index arithmetic that leads to an address does not wrap, but for
// that of 8 and 16 bits. One
// that wraps is an error of the program (the address is not that of the element meant), which
// --check finds. Masks of accesses only enter as comparisons of such indices; whether a comparison
// always holds is a question that takes nothing to be exact. Positions are taken to fit 32 bits, as
// extents do.
//
// Lower bounds need a proof, since a position below 0 is out of bounds to a copy engine, but an
// address like any other to a load. The prover bounds polynomials by intervals of their symbols,
// and knows that program ids stay below the counts of tile.grid, that remainders stay below their
// divisors, and that (x / (g * s)) * g <= x / s: enough for the grouped orders of the tutorials.
// What is divided where it is promised to be >= 0 (tile.nonnegative) is so for accesses beside the
// division, too. Where no grid is known, what all writes of the kernel have as a condition is taken
// to hold for positions: a program, or a step of a loop by itself, that writes nothing may find
// anything in its boxes.
//
// Needs: one tile.func, meta-parameters bound, helpers inlined. The IR is read only, but for what
// tileAffineBuild makes; a value made after the analysis is an opaque symbol to it.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_AFFINE_H
#define TILE_AFFINE_H

#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TILE_POLY_TERMS = 20, TILE_POLY_DEGREE = 4 };

/// coefficient * symbols[0] * .. ; symbols ascend, and may repeat.
typedef struct TileTerm {
  int64_t coefficient;
  int degree;
  int symbols[TILE_POLY_DEGREE];
} TileTerm;

/// A sum of terms in a fixed order, none of them 0 and no two with the same symbols; zero has none.
/// Not valid: no polynomial, because of what `blame` does (null: it has grown too large).
typedef struct TilePoly {
  bool valid;
  int count;
  TileTerm terms[TILE_POLY_TERMS];
  MlirOperation blame;
} TilePoly;

typedef struct TileAffine TileAffine;

/// Analyses `func`, with the facts of `axes` (borrowed, and to outlive the analysis). Arguments
/// whose entry in `nonNegative` is true (NULL: none) are taken to be >= 0.
TileAffine *tileAffineCreate(MlirOperation func, const TileAxisAnalysis *axes,
                             const bool *nonNegative);
void tileAffineDestroy(TileAffine *affine);

/// One dimension of the array behind an access.
typedef struct TileAffineDim {
  TilePoly stride; ///< in elements, of kernel arguments alone
  TilePoly origin; ///< the position of the tile's first element
  TilePoly extent; ///< of kernel arguments alone; not valid: the mask sets no end
  bool clipped;    ///< the mask itself asks for positions >= 0
  bool asSeen;     ///< `origin` may be below 0 in programs of which nothing is seen
  int tileDim;     ///< the tile's dimension that runs along it; -1: none does (box 1)
  int64_t box;
  int64_t inside; ///< positions of the box before its padding (tile.extents); 0: it has none
} TileAffineDim;

typedef struct TileAffineAccess {
  MlirValue base; ///< a kernel argument
  int rank;       ///< of the array: 1 to 5
  bool isMoved;   ///< positions are moved away from 0, and taken back by the first dimension
  bool isBelow;   ///< where there is no access: would it be one if positions were moved?
  /// Slowest first: those that no tile dimension runs along, the tile's own in their order, and
  /// last the one that is contiguous. Dimensions of the tile of extent 1 that move nothing are left
  /// out.
  TileAffineDim dims[5];
} TileAffineAccess;

#define TILE_AFFINE_TEXT 200
/// The array and box of a tile.load, tile.store or tile.atomic_rmw; false, and "expected .., found
/// .." in `why`, where there is none, or lanes outside of it are not those that the mask leaves
/// out.
bool tileAffineAccessOf(TileAffine *affine, MlirOperation access, TileAffineAccess *result,
                        char why[TILE_AFFINE_TEXT]);

/// Says whether, from here on, positions that are not known to be >= 0, or counted from an end that
/// the program reads, are moved away from 0: for an engine that computes addresses modulo 2^64.
void tileAffineMovePositions(TileAffine *affine, bool moves);

enum { TILE_AFFINE_ENDS = 2 };

/// What an access touches in a loop: elements of `bytes` at base + offset, which is linear in the
/// positions of the tile, in the loop's induction variable, and in the lesser (or greater) of two
/// numbers that are, as the last row of a chunk is, or a quotient of one.
typedef struct TileAffineAddress {
  MlirValue base;  ///< a kernel argument
  TilePoly offset; ///< in elements
  TilePoly each;   ///< what the induction variable is multiplied by there
  int bytes, rank;
  int64_t extents[TILE_MAX_RANK]; ///< of the tile
  int ends[TILE_AFFINE_ENDS];     ///< symbols of those numbers
  int numEnds;
} TileAffineAddress;

/// The address of `pointers`, a pointer or tile of them, in `loop`, an scf.for. False where it is
/// no such sum, or of more that the loop computes.
bool tileAffineAddressOf(TileAffine *affine, MlirValue pointers, MlirOperation loop,
                         TileAffineAddress *address);
/// Are the two of one shape and, but for their bases, equal at each position and in each step?
bool tileAffineSamePlaces(const TileAffineAddress *x, const TileAffineAddress *y);
/// Do the two, of loops of one range, move on in one array alike?
bool tileAffineMoveAlike(const TileAffineAddress *x, const TileAffineAddress *y);
/// Does each step, `step` of the induction variable, move on by all that an access covers along one
/// of its dimensions? Then no two of them meet, where rows end where the next ones begin; rows
/// whose known distance is less than a step lie within what is covered, or none is said to be
/// apart.
bool tileAffineStepsApart(const TileAffineAddress *address, int64_t step);
/// And does it begin where the one before ended: are steps side by side in memory?
bool tileAffineStepsJoin(const TileAffineAddress *address, int64_t step);
/// Do two tiles of pointers, of one shape, lie as the neighbours that a stencil reads, each as the
/// other one but moved by fewer places than the tile has?
bool tileAffineAreShifted(TileAffine *affine, MlirValue x, MlirValue y);
/// Builds, in front of `loop`, the first byte (i64) that it may touch as the loop runs, and the one
/// behind the last. For a loop with no steps they mean nothing.
void tileAffineBuildSpan(TileAffine *affine, TileBuilder *b, const TileAffineAddress *address,
                         MlirOperation loop, MlirValue span[2]);

/// Is `poly` >= 0, whenever the kernel runs?
bool tileAffineIsNonNegative(TileAffine *affine, const TilePoly *poly);
/// Are two numbers, or tiles of them at each position, known to be the same?
bool tileAffineAreEqual(TileAffine *affine, MlirValue x, MlirValue y);
/// Is `tile` known to be what `row`, of one dimension, is along the tile's dimension `dim`?
bool tileAffineIsRow(TileAffine *affine, MlirValue tile, int dim, MlirValue row);
/// Does `comparison`, an arith.cmpi of tiles of integers, hold at each position, whenever it runs?
/// Whatever wraps around on the way to it, but for what tile.grid computes. `mayWrap`, where it is
/// given, says whether it would if nothing did.
bool tileAffineAlwaysHolds(TileAffine *affine, MlirOperation comparison, bool *mayWrap);
/// Is `mask`, of a tile, off in all lanes where `condition`, an i1, does not hold?
bool tileAffineIsOffWithout(TileAffine *affine, MlirValue mask, MlirValue condition);
/// Has `loop`, an scf.for, a step whenever it is met, whatever wraps around on the way to its
/// bounds? So have the loops around it, where it is.
bool tileAffineHasStep(TileAffine *affine, MlirOperation loop);
/// Is `position`, computed from the counter of `loop`, an scf.for, no less than `extent` from the
/// loop's bound on, however far the counter goes? It must be a sum: others are known in the loop
/// alone.
bool tileAffineEndsWithLoop(TileAffine *affine, MlirValue position, MlirValue extent,
                            MlirOperation loop);
/// A power of two that divides `poly`.
int64_t tileAffineDivisor(TileAffine *affine, const TilePoly *poly);
/// The number of the kernel argument that `poly` is; -1 where it is anything else.
int tileAffineArgument(const TileAffine *affine, const TilePoly *poly);

/// `poly` as a value of `type`, an integer type: one that exists where it may be used at `b`, or
/// arithmetic built there.
MlirValue tileAffineBuild(TileAffine *affine, TileBuilder *b, const TilePoly *poly, MlirType type);

#ifdef __cplusplus
}
#endif
#endif
