//===- Format.h - kernels, as they are laid out -----------------*- C -*-===//
//
// Puts a text in MLIR's syntax in shape, and changes nothing but white space:
//
//   two blanks a region, dictionary or list of ops; closing brackets stand as what opened them does
//   labels of blocks stand as what opened the region does, as MLIR prints them
//   lines that go on keep their distance from their first line, or get four blanks
//   one blank between words, behind commas, and on both sides of a `=`; none at the end of a line
//   one empty line at most in a row, none at the beginning and at the end; comments stay
//
// Within < > nothing is touched: an attribute of an unknown dialect is text there. Where lines
// break stays the author's choice. Works on any text whose brackets fit, whether it can be parsed
// or not; a text that is in shape stays the same, byte for byte.
//===----------------------------------------------------------------------===//
#ifndef TILE_FORMAT_H
#define TILE_FORMAT_H

#include "tile/Text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Adds the text in shape to `result`. False, and nothing is added, where brackets do not fit, or a
/// NUL is in the text; `*line` is where, from 1.
bool tileFormat(const char *text, size_t size, TileText *result, int *line);

#ifdef __cplusplus
}
#endif
#endif // TILE_FORMAT_H
