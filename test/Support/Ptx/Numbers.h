//===- Numbers.h - PTX's number formats, conversions and functions --------===//
//
// Of the PTX emulator. Values pass as double, which holds every value of every format here exactly,
// and as bits in the low end of an integer. Source: PTX ISA 9.0, "Fundamental Types", "Alternate
// Floating-Point Data Formats", "cvt" and the floating point instructions; OCP's OFP8 and MX
// specifications for the formats of 8 bits and fewer. All functions are pure, for any thread.
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_PTX_NUMBERS_H
#define TILE_TEST_PTX_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef enum PtxFormat {
  PTX_F64,
  PTX_F32,
  PTX_TF32, ///< in 32 bits, the lower 13 of which are not looked at
  PTX_F16,
  PTX_BF16,
  PTX_E4M3,
  PTX_E5M2,
  PTX_E2M3,
  PTX_E3M2,
  PTX_E2M1,
  PTX_UE8M0,
  PTX_FORMATS,
} PtxFormat;

typedef enum PtxRounding {
  PTX_RN,  ///< to the nearest, ties to the even one
  PTX_RNA, ///< to the nearest, ties away from zero
  PTX_RZ,
  PTX_RM, ///< downwards
  PTX_RP, ///< upwards
} PtxRounding;

/// Bits a value of the format takes (F32's 32 for TF32).
int ptxFormatGetBits(PtxFormat format);

/// A format by PTX's name ("f16", "e4m3", no dot); PTX_FORMATS for an unknown one.
PtxFormat ptxFormatByName(const char *name, size_t length);

/// The value of bits of a format. A NaN becomes a NaN.
double ptxDecode(PtxFormat format, uint64_t bits);

/// Rounds a value to a format. What is too large becomes an infinity (or the largest finite number,
/// as the rounding says), and with `finite` (.satfinite) or in a format without infinities the
/// largest finite number. A NaN becomes the format's canonical one (f16 7fff, f32 7fffffff, E4M3
/// 7f), and the largest finite number in formats that have none (but 255 in UE8M0).
uint64_t ptxEncode(PtxFormat format, double value, PtxRounding rounding, bool finite);

/// An integer rounded to a format: what a detour through double would round twice.
uint64_t ptxEncodeSigned(PtxFormat format, int64_t value, PtxRounding rounding);
uint64_t ptxEncodeUnsigned(PtxFormat format, uint64_t value, PtxRounding rounding);

/// Rounds to an integral value (cvt.rni.f32.f32 and its like: PTX_RN is .rni).
double ptxRound(double value, PtxRounding rounding);

/// cvt to an integer of so many bits (8 .. 64), clamped to its range; the low bits, sign-extended
/// where it is signed. `wide` says that the source is f64 or the result has 64 bits: a NaN is then
/// the integer with the highest bit alone, and otherwise 0.
uint64_t ptxToInteger(double value, PtxRounding rounding, int bits, bool isSigned, bool wide);

/// a + b, a * b and a * b + c as a double whose rounding to any format of 32 bits or fewer, in any
/// direction, is the exact result's: by rounding to odd (Boldo and Melquiond, 2008). Operands are
/// values of such formats.
static inline double ptxAddOdd(double a, double b) {
  // The sum's error, exactly (Knuth's TwoSum). Where there is one and the sum's last bit is even,
  // the neighbour on the error's side is the odd one.
  double sum = a + b, part = sum - a, error = (a - (sum - part)) + (b - part);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  uint64_t step = (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
  bool isMoved = (error > 0 || error < 0) && !(bits & 1);
  bits += isMoved ? step : 0;
  memcpy(&sum, &bits, sizeof sum);
  return sum;
}
static inline double ptxFmaOdd(double a, double b, double c) { return ptxAddOdd(a * b, c); }

/// f32 and f64 arithmetic in a rounding direction (never PTX_RNA). Subnormals are kept; for .ftz
/// flush operands and the result with ptxFlush.
float ptxAddF32(float a, float b, PtxRounding rounding);
float ptxMulF32(float a, float b, PtxRounding rounding);
float ptxFmaF32(float a, float b, float c, PtxRounding rounding);
float ptxDivF32(float a, float b, PtxRounding rounding);
float ptxSqrtF32(float a, PtxRounding rounding);
/// ptxFmaF32 to the nearest, for a loop over lanes.
static inline float ptxFmaNear(float a, float b, float c) {
  return (float)ptxAddOdd((double)a * (double)b, c);
}
double ptxAddF64(double a, double b, PtxRounding rounding);
double ptxMulF64(double a, double b, PtxRounding rounding);
double ptxFmaF64(double a, double b, double c, PtxRounding rounding);
double ptxDivF64(double a, double b, PtxRounding rounding);
double ptxSqrtF64(double a, PtxRounding rounding);

/// The .approx functions by name: "ex2", "lg2", "sin", "cos", "tanh", "rcp", "rsqrt", "sqrt". They
/// give the nearest f32 but for the C library's own error, which is below what PTX allows. NULL for
/// another name. Of f16, f16x2, bf16 and bf16x2: decode, call and round to nearest. Of f64
/// (rcp.approx.ftz.f64, rsqrt.approx.ftz.f64): ptxRcpF64, ptxRsqrtF64.
typedef float (*PtxApproximation)(float);
PtxApproximation ptxApproximationByName(const char *name, size_t length);
/// Only the upper 32 bits of operand and result count; subnormals are flushed.
double ptxRcpF64(double a);
double ptxRsqrtF64(double a);

/// Arithmetic of half formats, rounded once. Bits of PTX_F16 or PTX_BF16.
uint16_t ptxAddHalf(PtxFormat format, uint16_t a, uint16_t b);
uint16_t ptxMulHalf(PtxFormat format, uint16_t a, uint16_t b);
uint16_t ptxFmaHalf(PtxFormat format, uint16_t a, uint16_t b, uint16_t c);

static inline float ptxFlush(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (!(bits & 0x7f800000u)) bits &= 0x80000000u;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline float ptxBitsToF32(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint32_t ptxF32ToBits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The formats that kernels convert most, without a branch where a loop shall become vectors.
static inline float ptxF16ToF32(uint16_t bits) {
  // The exponent moved to f32's place is 112 too small; a product mends that, subnormals included.
  uint32_t magnitude = (uint32_t)(bits & 0x7fffu) << 13;
  uint32_t scaled = ptxF32ToBits(ptxBitsToF32(magnitude) * 0x1p112f);
  scaled |= magnitude >= 0x0f800000u ? 0x7f800000u : 0;
  return ptxBitsToF32(scaled | (uint32_t)(bits & 0x8000u) << 16);
}

static inline float ptxBf16ToF32(uint16_t bits) { return ptxBitsToF32((uint32_t)bits << 16); }

/// To the nearest, ties to even; a NaN becomes 7fff.
static inline uint16_t ptxF32ToF16(float value) {
  uint32_t bits = ptxF32ToBits(value), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  // Subnormal results: added to a number whose last place is 2^-24, the sum's low bits are them.
  uint32_t small = ptxF32ToBits(ptxBitsToF32(magnitude) + 0.5f) - 0x3f000000u;
  uint32_t normal = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  uint32_t result = magnitude < 0x38800000u ? small : normal;
  result = magnitude >= 0x477ff000u ? 0x7c00u : result;
  return (uint16_t)(magnitude > 0x7f800000u ? 0x7fffu : result | sign);
}

static inline uint16_t ptxF32ToBf16(float value) {
  uint32_t bits = ptxF32ToBits(value);
  uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  return (uint16_t)((bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffu : rounded);
}

#endif // TILE_TEST_PTX_NUMBERS_H
