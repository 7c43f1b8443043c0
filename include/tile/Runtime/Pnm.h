//===- Pnm.h - arrays as pictures -----------------------------------------===//
//
// Binary Netpbm files, which nearly every viewer of pictures shows:
//
//   P6 width height 255\n  r g b r g b ..   .ppm   an array of 3 x height x width i8, a plane a
//   colour P5 width height 255\n  v v v ..         .pgm   an array of height x width i8
//
// The bytes have no sign: 255 is the brightest. Between the words of the header there is space,
// and comments from # to the end of a line; after 255 there is one space of any kind.
// Source: ppm(5) and pgm(5) of Netpbm. The file is untrusted: a header or a size that does not fit
// is an error that says what was expected and what was found, and no more memory is asked for than
// the file has bytes. Files of values above 255 (two bytes each), and those of several pictures,
// are refused.
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_PNM_H
#define TILE_RUNTIME_PNM_H

#include "tile/Runtime/Array.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Does the name say that the file is a picture, by ending in .ppm or .pgm?
bool tilePnmIsPath(const char *path);

/// Reads a picture into a new array of i8; `type`, what the caller will take it for, must be that.
/// What the file is, its first bytes say, not its name.
TileArray *tilePnmRead(const char *path, TileElementType type, TileError *error);

/// Writes an array (bringing its host side up to date): of 3 x height x width i8 to a .ppm, of
/// height x width i8 to a .pgm. The file appears whole or not at all.
bool tilePnmWrite(const char *path, TileArray *array, TileError *error);

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_PNM_H
