//===- HintTypes.h - the op that is missing between two types ---*- C -*-===//
#ifndef TILE_LIB_SUPPORT_HINT_TYPES_H
#define TILE_LIB_SUPPORT_HINT_TYPES_H

#include "mlir-c/IR.h"
#include "tile/Text.h"

/// A value that has another type than it is used with. `name`: "%n". `text`: the file, ended by a
/// NUL, whose aliases types are written by.
typedef struct TileTypeMistake {
  MlirStringRef name;
  MlirType wanted, found;
  const char *text;
} TileTypeMistake;

/// Adds the hint; false where no op leads from one to the other.
bool tileHintTypes(const TileTypeMistake *mistake, TileText *hint);

#endif // TILE_LIB_SUPPORT_HINT_TYPES_H
