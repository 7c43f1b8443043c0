//===- DotForm.h - the products that a dot asks tensor cores for -*- C -*-===//
//
// A dot's element types and precision name the products that tensor cores compute: f32 tiles with
// `precision tf32` are multiplied as tf32, for example. Which instruction of a target computes them
// is tile-accelerate-dot's choice, from the machine's table (tile/Machine.h).
//
//===----------------------------------------------------------------------===//
#ifndef TILE_DOT_FORM_H
#define TILE_DOT_FORM_H

#include "mlir-c/IR.h"
#include "tile/Machine.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  TileMatrixType a, b; ///< what is multiplied
  TileMatrixType sum;  ///< what it is added up in: f32, s32 or f64
  int bits;            ///< of an element of A or B, which are alike in that
} TileDotForm;

/// The form of `dot`, a tile.dot of tiles or buffers; of tf32x3 that of the products that it is
/// made of. False where tensor cores have none: f32 with all its bits, and with a precision of
/// bf16's, whose dots tile-split-precision takes apart.
bool tileDotGetForm(MlirOperation dot, TileDotForm *form);

/// The instruction of `family` for such products with the largest k; NULL where `machine` has none.
const TileMatrix *tileDotFormMatrix(const TileDotForm *form, const TileMachine *machine,
                                    TileMatrixFamily family);
/// The wgmma for such products, which is the same on all machines that have wgmma. NULL: none.
const TileMatrix *tileDotFormWgmma(const TileDotForm *form);

/// Elements of K in a step of wgmma or mma.sync, which is 32 bytes deep; at least so many has a dot
/// for tensor cores. (mma.sync of f64 may be deeper.)
int tileDotFormDepth(const TileDotForm *form);
/// The least number of columns, of at least `columns`, that wgmma multiplies.
int64_t tileDotFormColumns(const TileDotForm *form, int64_t columns);

/// Of how many products of narrower types `dot` is computed, by its precision.
int tileDotCountProducts(MlirOperation dot);
/// The rate of a machine at which `dot` is computed. False where operands differ, but for 8-bit
/// floats of two formats and what is widened to the other one's 16 bits.
bool tileDotGetRate(MlirOperation dot, TileRate *rate);
/// What it computes: a multiplication and an addition for each element of a sum and of K.
double tileDotGetFlops(MlirOperation dot);
/// Cycles of a multiprocessor for that, at its rate; 0: not known.
double tileDotGetCycles(MlirOperation dot);

/// Is `value` the carried `sum` and what dots and additions add to it, which nobody else reads?
bool tileAddsTo(MlirValue value, MlirValue sum);

/// The element type of an operand, a tile or a buffer.
MlirType tileDotOperandElement(MlirValue operand);

#ifdef __cplusplus
}
#endif
#endif // TILE_DOT_FORM_H
