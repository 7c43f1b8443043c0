//===- ElementType.h - the element types of the dialect -------------------===//
//
// How one element lies in memory (little-endian) and what number it is:
//
//   i1            one byte, 0 or 1; any byte other than 0 reads as 1
//   i8 .. i64     two's complement
//   f16           IEEE binary16                    1 sign,  5 exponent, 10 fraction bits
//   bf16          the upper half of an f32         1 sign,  8 exponent,  7 fraction bits
//   f32 f64       IEEE binary32, binary64
//   f8E4M3FN      bias 7,  no infinity, S.1111.111 is NaN, largest 448      (OCP FP8)
//   f8E5M2        bias 15, IEEE-like with infinities,      largest 57344    (OCP FP8)
//
// Conversions go through double, which holds every value of every type but the wide i64, and round
// once, to nearest even, in software: the same bits on every machine. Past the largest finite value
// the result is infinity, or NaN in f8E4M3FN, which has no infinity (MLIR's constant folding does
// the same; the GPU's satfinite conversions saturate instead).
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_ELEMENT_TYPE_H
#define TILE_RUNTIME_ELEMENT_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TileElementType {
  TILE_ELEMENT_I1,
  TILE_ELEMENT_I8,
  TILE_ELEMENT_I16,
  TILE_ELEMENT_I32,
  TILE_ELEMENT_I64,
  TILE_ELEMENT_F16,
  TILE_ELEMENT_BF16,
  TILE_ELEMENT_F32,
  TILE_ELEMENT_F64,
  TILE_ELEMENT_F8E4M3FN,
  TILE_ELEMENT_F8E5M2,
} TileElementType;

enum { TILE_ELEMENT_TYPE_COUNT = TILE_ELEMENT_F8E5M2 + 1 };

/// Bytes of one element in memory: 1, 2, 4 or 8 (i1 takes one byte).
size_t tileElementGetSize(TileElementType type);

/// The type's MLIR spelling, "f16" or "f8E4M3FN"; a static string.
const char *tileElementGetName(TileElementType type);

/// The type with the given MLIR spelling; false when there is none. `length` counts bytes of
/// `name`.
bool tileElementParse(const char *name, size_t length, TileElementType *type);

/// Whether the type is i1 .. i64.
bool tileElementIsInteger(TileElementType type);

/// Number of significand bits with the hidden one (11 for f16, 24 for f32, 4 for f8E4M3FN), or the
/// width of an integer type.
unsigned tileElementGetPrecision(TileElementType type);

/// The value of the element at `element` (any alignment). Exact but for i64 beyond 2^53.
double tileElementToDouble(TileElementType type, const void *element);

/// Stores `value` at `element` (any alignment): floats rounded to nearest even, once; integers to
/// the nearest (ties to even), saturated to the type's range, NaN as 0; i1 is 1 for any number but
/// 0.
void tileElementFromDouble(TileElementType type, double value, void *element);

/// The integer at `element`, sign-extended (i1: 0 or 1). `type` must be an integer type; a float's
/// value is truncated.
int64_t tileElementToInteger(TileElementType type, const void *element);

/// The bits of a double rounded to a float type of 8 or 16 bits, and back (exact). Other types: 0.
uint32_t tileElementEncodeSmallFloat(TileElementType type, double value);
double tileElementDecodeSmallFloat(TileElementType type, uint32_t bits);

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_ELEMENT_TYPE_H
