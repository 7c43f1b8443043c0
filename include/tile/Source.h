//===- Source.h - the text that a location stands for -----------*- C -*-===//
//
// MLIR forgets the names of values when it has parsed them, but not where they stood. These
// functions look there again, for messages that call things what the user calls them:
//
//   location of %x in `tile.func @copy(%x: !tile.ptr<i32>, ..)`  ->  "%x"
//   location of the op in `%v = tile.load %p, %m : ..`           ->  "%v", its result
//
// A file that has gone, standard input, or an op that a pass made has no text: then the answer is
// no. Lines and columns count from 1.
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

/// The name, with its '%', that begins at the place; cut to `size`.
bool tileSourceGetName(const TileSourcePlace *place, char *name, size_t size);

/// The name of result `i` of the op at the place, as written in front of it; `%a#1` where one name
/// stands for several results.
bool tileSourceGetResultName(const TileSourcePlace *place, int i, char *name, size_t size);

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
