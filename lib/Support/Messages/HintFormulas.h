//===- HintFormulas.h - what formulas are written as ------------*- C -*-===//
//
// Who comes from Python or C writes `!=`, `x ** 2`, `where(..)`, `exp(x)`, and formulas where an op
// wants a value. What tile has instead:
//
//   %offs != 0                       did you mean 'ne'?
//   exp(%x), where(%c, %a, %b)       did you mean 'math.exp'? .. 'select'?
//   tile.load %x + %offs, %in        a formula is an op of its own: '%t = tile.expr %x + %offs' on
//                                    a line above
//===----------------------------------------------------------------------===//
#ifndef TILE_LIB_SUPPORT_HINT_FORMULAS_H
#define TILE_LIB_SUPPORT_HINT_FORMULAS_H

#include "mlir-c/IR.h"
#include "tile/Text.h"

/// An error, and the text around it. Both texts are ended by a NUL.
typedef struct TileMistake {
  MlirContext context;
  const char *text, *message;
  size_t size, offset; ///< bytes of the text, and which of them the error is at
} TileMistake;

/// Adds the hint; false where there is none.
bool tileHintFormula(const TileMistake *mistake, TileText *hint);

#endif // TILE_LIB_SUPPORT_HINT_FORMULAS_H
