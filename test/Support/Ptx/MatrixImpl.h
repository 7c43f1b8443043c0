//===- MatrixImpl.h - what mma.sync and wgmma share (private) -------------===//
//
// Matrices are cells, row by row: a of rows x PTX_CELL_DEPTH, b of k x n, sums of rows x n.
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_PTX_MATRIXIMPL_H
#define TILE_TEST_PTX_MATRIXIMPL_H

#include "Matrix.h"

enum { PTX_CELL_DEPTH = 32 }; ///< the largest k

/// A factor or sum: reals for formats of them, and integers.
typedef union PtxCell {
  float real;
  int32_t integer;
  uint32_t bits;
} PtxCell;

int ptxElementGetBits(PtxElement element);

/// Factors that lie beside each other in so many bytes.
void ptxCellsDecode(PtxElement element, const void *from, int bytes, PtxCell *to);

/// sum += a * b of so many rows.
void ptxCellsMultiply(const PtxMatrixForm *form, int rows, const PtxCell *a, const PtxCell *b,
                      PtxCell *sum);

/// A warp's fragments, whose layouts mma.sync (8 or 16 rows) and wgmma (16) share.
void ptxCellsReadA(const PtxMatrixForm *form, int rows, const void *const *a, PtxCell *to);
void ptxCellsReadSums(PtxElement element, int rows, int n, const void *const *c, PtxCell *to);
void ptxCellsWriteSums(PtxElement element, int rows, int n, const PtxCell *from, void *const *d);

#endif // TILE_TEST_PTX_MATRIXIMPL_H
