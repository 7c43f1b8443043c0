//===- Source.h - the text that a location stands for -----------*- C -*-===//
//
// Of a file that has gone, and of standard input, there are places and no lines. Lines and columns
// count from 1.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_SOURCE_H
#define TILE_SOURCE_H

#include "mlir-c/IR.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A place in a file; line 0: the file as a whole.
typedef struct TileSourcePlace {
  MlirStringRef file; ///< borrowed from the context
  int line, column;
} TileSourcePlace;

/// The place that a location comes down to: of an inlined op its own, of a fused location the
/// first there is.
bool tileSourceFind(MlirLocation location, TileSourcePlace *place);

/// The place's line without its end, for the caller to free; NULL when it cannot be read.
char *tileSourceCopyLine(const TileSourcePlace *place);

/// How deep brackets may be nested in a text that is parsed: far more than anybody writes, and few
/// enough for all that works through types, regions and JSON by recursion.
enum { TILE_MAX_NESTING = 512 };

/// Does text in MLIR's syntax (or JSON) nest its brackets deeper than TILE_MAX_NESTING? Then
/// `*line` and `*column` are where. Strings and comments are left out; a comment `// -----`, which
/// separates files, begins anew.
bool tileSourceIsTooDeep(const char *text, size_t size, int *line, int *column);

#ifdef __cplusplus
}
#endif

#endif // TILE_SOURCE_H
