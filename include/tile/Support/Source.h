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

/// How many digits a number may have: MLIR's parser takes the square of them, and recursion for
/// those of a float.
enum { TILE_MAX_DIGITS = 4096 };

/// What is said of text that ends a parser.
#define TILE_SOURCE_CRASHES                                                                        \
  "expected text that MLIR's parsers take, found some at which one of them crashes"

/// How many bytes a file, or a text handed to libtile, may have.
enum { TILE_MAX_SOURCE = 256 << 20 };

/// How many characters a name may have, and a shape (4x4xf32): MLIR's lexer takes the square of
/// those of a shape.
enum { TILE_MAX_WORD = 16384 };

/// How many bits an integer type of a file may have: to fold an op of wide ones takes the square.
enum { TILE_MAX_INTEGER_BITS = 4096 };

/// How many attributes and types the ops of a file may have, each counted as often as it would be
/// written where no alias stands for it: more than fits into a file of the longest.
enum { TILE_MAX_PARTS = 1 << 26 };

/// Does text in MLIR's syntax (or JSON) nest its brackets deeper than TILE_MAX_NESTING, or write a
/// number longer than TILE_MAX_DIGITS, or a word longer than TILE_MAX_WORD? Then what was expected
/// and found, a static string, and
/// `*line` and `*column` where; else NULL. Strings and comments are left out; a comment `// -----`,
/// which separates files, begins anew.
const char *tileSourceFindExcess(const char *text, size_t size, int *line, int *column);

/// A statement of a text in MLIR's syntax: an op with its regions, the definition of an alias, a
/// label. Bytes of the text.
typedef struct TileStatement {
  size_t begin, end;
  /// Where its op's name is, behind the results; `begin` for an alias.
  size_t op;
  /// The statement of the outermost level around it; that of the statement itself where there is
  /// none.
  size_t outermost;
} TileStatement;

/// The innermost statement that `offset` is in, or at the end of. A statement begins a line, no
/// deeper than the one before it on its level, and goes on over lines that stand deeper. False
/// outside of all, in a text whose brackets do not fit, and for a label.
bool tileStatementFind(const char *text, size_t size, size_t offset, TileStatement *statement);

/// The next name ("%x", "!ptrs") that the statement defines, from `*at` on, which begins as
/// `begin`; its length, 0 at the end. `*at` is left behind it.
size_t tileStatementNextName(const char *text, const TileStatement *statement, size_t *at,
                             const char **name);

/// Where the part of a word begins that somebody is typing, and whose end is `offset`: behind the
/// last dot, the sign of a name, or the extents of a shape ("tile.lo|", "!ro|", "4x4xf|").
size_t tileWordFind(const char *text, size_t offset);
/// And where that word ends, from `offset` on.
size_t tileWordFindEnd(const char *text, size_t size, size_t offset);

#ifdef __cplusplus
}
#endif

#endif // TILE_SOURCE_H
