//===- HintWords.h - words that stand where others are wanted ---*- C -*-===//
//
// Mistakes outside of formulas, by whoever comes from Python or C, or forgets a line:
//
//   %d: int32, if %c, # text         did you mean 'i32'? .. a condition is scf.if .. a comment is
//   // a kernel without its end         a kernel and a helper end in tile.return .. %row and
//   %column, both of rank 1 .. is a column as col(%x), and a row as row(%x) arange(BJ) where meta
//   has BK     'BJ' is no meta-parameter of the kernel; did you mean 'BK'? expected a, b or c,
//   found 'd'    did you mean ..: one of those that the message names
//===----------------------------------------------------------------------===//
#ifndef TILE_LIB_SUPPORT_HINT_WORDS_H
#define TILE_LIB_SUPPORT_HINT_WORDS_H

#include "HintFormulas.h"

/// Adds the hint; false where there is none.
bool tileHintWord(const TileMistake *mistake, TileText *hint);

#endif // TILE_LIB_SUPPORT_HINT_WORDS_H
