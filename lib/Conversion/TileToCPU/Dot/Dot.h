//===- Dot.h - the parts of tile.dot's lowering ------------------*- C -*-===//
//
// Dot.c has the loops around the micro-kernel, Kernel.c the micro-kernel, Pack.c the copies of
// operands that it reads, Steps.c what several steps of a loop are multiplied at once by.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TO_CPU_DOT_H
#define TILE_TO_CPU_DOT_H

#include "../Lowering.h"

/// Most rows and vectors of accumulators that a micro-kernel has.
enum { DOT_MAX_ROWS = 16, DOT_MAX_VECTORS = 2, DOT_LINE_BYTES = 64 };

/// An operand as the micro-kernel reads it; distances count elements of `element`.
typedef struct {
  MlirValue pointer;
  MlirType element;
  int64_t row;   ///< A: from a row to the next. B: from a unit of K to the next
  int64_t k;     ///< A: from a unit of K to the next. B: not used
  int64_t panel; ///< B: from a panel to the next
  int64_t batch;
  bool across; ///< are its elements read along the dimension that is not a row's?
} DotOperand;

/// What is fetched of an operand for the next steps of a loop (Ahead.c).
typedef struct {
  MlirOperation load;           ///< null: nothing
  bool exchanged;               ///< Are the load's dimensions the operand's, exchanged?
  int k;                        ///< the operand's dimension that is K
  MlirValue alongK, alongOther; ///< bytes from an element to the next (i64)
  int lines;                    ///< rows that are fetched from in turn, a power of two
} DotAhead;

/// The same in a pass of the micro-kernel.
typedef struct {
  const DotAhead *of;           ///< NULL: nothing
  MlirValue base;               ///< i64
  MlirValue alongK, alongOther; ///< bytes (i64); 0 where it is not its turn
} DotFetch;

typedef struct {
  CpuLowering *l;
  MlirOperation op;
  MlirType element; ///< of the accumulator
  int64_t batch, m, n, k, width;
  int vectors;  ///< of a panel of B
  int rows;     ///< of a pass, at most
  bool bytes;   ///< four products of bytes are added at once
  int64_t unit; ///< elements along K that are multiplied at once: 4 of bytes, else 1
  /// How many steps of the loop around are multiplied at once, and the one that this is (i64, null
  /// where that is 1).
  int64_t steps;
  MlirValue step;
  DotOperand a, b;
  MlirValue c;
  int64_t cRow, cBatch;
  bool fromZero;     ///< C starts as 0 and need not be read
  MlirValue fresh;   ///< i1: the same, where it is so; or null
  MlirValue depth;   ///< units along K that are there (i64)
  MlirValue seen[2]; ///< rows and columns that are; null: all
  DotAhead ahead[2]; ///< of A and B
} Dot;

/// pointer + steps * stride elements; `by`: + elements.
MlirValue dotAdvance(Dot *d, MlirValue pointer, MlirType element, MlirValue steps, int64_t stride);
MlirValue dotAdvanceBy(Dot *d, MlirValue pointer, MlirType element, int64_t elements);
MlirValue dotTimes(Dot *d, MlirValue x, int64_t factor);
MlirValue dotPlus(Dot *d, MlirValue x, MlirValue y);

/// C of `rows` x `vectors` += A * B, at pointers to A's first row, the panel, and C's first row.
void dotKernel(Dot *d, MlirValue a, MlirValue b, MlirValue c, int rows, int vectors,
               const DotFetch fetch[2]);

/// c + a * b, of vectors; of bytes, of four of them.
MlirValue dotMultiplyAdd(Dot *d, MlirValue a, MlirValue b, MlirValue c);
/// A vector of C, or 0 where it is not there yet.
MlirValue dotLoadSum(Dot *d, MlirValue at);

/// May there be so few rows that B is read where it lies; and are there (i1; null: always)? Then
/// dotMultiplyFew, in each step of a loop, takes the place of dotPackB and the micro-kernel.
bool dotMayHaveFewRows(Dot *d);
MlirValue dotHasFewRows(Dot *d);
void dotMultiplyFew(Dot *d);

/// Describes A and B as the micro-kernel reads them, and emits the copies that it takes.
void dotPackA(Dot *d);
void dotPackB(Dot *d);

/// Finds out what the next steps of the loop will read.
void dotFindAhead(Dot *d);
/// What a pass fetches, where it is its turn: from block number `block` of as many units as the
/// pass has, for `place`, the pass's row of A or the panel's column of B; `offset` bytes are added.
DotFetch dotBeginAhead(Dot *d, const DotAhead *a, MlirValue place, MlirValue isTurn,
                       MlirValue block, MlirValue offset);
/// The address of an element of an operand, as a number.
MlirValue dotAddressOf(CpuLowering *l, const DotAhead *a, MlirValue row, MlirValue column);
/// Fetches the line at an address for reading, into the first cache (`near`) or the second.
void dotFetch(CpuLowering *l, MlirValue address, bool near);
/// Fetches what belongs to unit `k`.
void dotFetchAhead(Dot *d, const DotFetch *fetch, MlirValue k);

/// Are both operands bytes that are added as i32, and enough of them? Only vpdpbusd is missing
/// then.
bool dotReadsBytes(MlirOperation dot);
/// Is the dot one whose steps are multiplied at once, of the loop that is being lowered?
bool dotIsGathered(CpuLowering *l, MlirOperation dot);

#endif
