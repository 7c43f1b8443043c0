//===- Npy.h - arrays in numpy's file format ------------------------------===//
//
// A .npy file is a magic string, a version, a header (a Python dict literal) and the data:
//
//   93 'N' 'U' 'M' 'P' 'Y' | major minor | header length, u16 (1.0) or u32 (2.0, 3.0) LE |
//   {'descr': '<f2', 'fortran_order': False, 'shape': (512, 512), }  padded, '\n' | data
//
// Source: numpy's own description, numpy.lib.format (NEP 1). Read: versions 1.0, 2.0, 3.0, C order,
// little-endian. Written: 1.0, data aligned to 64 bytes. The file is untrusted: a header or a size
// that does not fit is an error that says what was expected and what was found, and no more memory
// is asked for than the file has bytes.
//
// Types:  f16 <f2   f32 <f4   f64 <f8   i8 |i1   i16 <i2   i32 <i4   i64 <i8   i1 |b1
// The dialect's integers have no sign, so |u1 <u2 <u4 <u8 are read as i8 .. i64. numpy has no name
// for the rest; they are raw bytes there, as the ml_dtypes package writes them:
//         bf16 <V2 (also |V2, <u2 when bf16 is asked for)
//         f8E4M3FN and f8E5M2 |V1 (also <V1, |u1 when asked for)
// A one-byte raw type does not say which f8 it is, so reading one needs the type to be given.
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_NPY_H
#define TILE_RUNTIME_NPY_H

#include "tile/Runtime/Array.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Reads a file into a new array. With `type` not NULL the file must hold that type.
TileArray *tileNpyRead(const char *path, const TileElementType *type, TileError *error);

/// Writes an array (bringing its host side up to date). The file appears whole or not at all: the
/// data goes to a temporary file in the same directory, which then takes the name.
bool tileNpyWrite(const char *path, TileArray *array, TileError *error);

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_NPY_H
