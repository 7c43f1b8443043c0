//===- ElementType.c - element types and exact conversions ----------------===//
#include "tile/Runtime/ElementType.h"
#include <math.h>
#include <string.h>

/// What the small floats are made of. `maxFinite` is the encoding of the largest finite value;
/// what lies past it becomes `overflow`.
typedef struct SmallFloat {
  unsigned width, fractionBits;
  int bias;
  uint32_t maxFinite, overflow, nan;
} SmallFloat;

typedef struct ElementInfo {
  const char *name;
  size_t size;
  unsigned precision;
  bool isInteger;
} ElementInfo;

static const ElementInfo infos[TILE_ELEMENT_TYPE_COUNT] = {
    [TILE_ELEMENT_I1] = {"i1", 1, 1, true},
    [TILE_ELEMENT_I8] = {"i8", 1, 8, true},
    [TILE_ELEMENT_I16] = {"i16", 2, 16, true},
    [TILE_ELEMENT_I32] = {"i32", 4, 32, true},
    [TILE_ELEMENT_I64] = {"i64", 8, 64, true},
    [TILE_ELEMENT_F16] = {"f16", 2, 11, false},
    [TILE_ELEMENT_BF16] = {"bf16", 2, 8, false},
    [TILE_ELEMENT_F32] = {"f32", 4, 24, false},
    [TILE_ELEMENT_F64] = {"f64", 8, 53, false},
    [TILE_ELEMENT_F8E4M3FN] = {"f8E4M3FN", 1, 4, false},
    [TILE_ELEMENT_F8E5M2] = {"f8E5M2", 1, 3, false},
};

size_t tileElementGetSize(TileElementType type) { return infos[type].size; }
const char *tileElementGetName(TileElementType type) { return infos[type].name; }
bool tileElementIsInteger(TileElementType type) { return infos[type].isInteger; }
unsigned tileElementGetPrecision(TileElementType type) { return infos[type].precision; }

bool tileElementParse(const char *name, size_t length, TileElementType *type) {
  for (int i = 0; i < TILE_ELEMENT_TYPE_COUNT; ++i) {
    if (strlen(infos[i].name) != length || memcmp(infos[i].name, name, length) != 0) continue;
    *type = (TileElementType)i;
    return true;
  }
  return false;
}

/// Width 0: not a small float.
static const SmallFloat smallFloats[TILE_ELEMENT_TYPE_COUNT] = {
    [TILE_ELEMENT_F16] = {16, 10, 15, 0x7bff, 0x7c00, 0x7e00},
    [TILE_ELEMENT_BF16] = {16, 7, 127, 0x7f7f, 0x7f80, 0x7fc0},
    [TILE_ELEMENT_F8E4M3FN] = {8, 3, 7, 0x7e, 0x7f, 0x7f},
    [TILE_ELEMENT_F8E5M2] = {8, 2, 15, 0x7b, 0x7c, 0x7e},
};

/// 2^exponent for a normal double.
static double getPower(int exponent) {
  uint64_t bits = (uint64_t)(exponent + 1023) << 52;
  double power;
  memcpy(&power, &bits, sizeof power);
  return power;
}

uint32_t tileElementEncodeSmallFloat(TileElementType type, double value) {
  const SmallFloat format = smallFloats[type];
  if (!format.width) return 0;
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint32_t sign = (uint32_t)(bits >> 63) << (format.width - 1);
  if (isnan(value)) return sign | format.nan;
  if (isinf(value)) return sign | format.overflow;
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  // A subnormal double is below half of every small float's least value.
  if (exponent == -1023) return sign;
  uint64_t significand = (UINT64_C(1) << 52) | (bits & ((UINT64_C(1) << 52) - 1));
  int minExponent = 1 - format.bias;
  bool normal = exponent >= minExponent;
  // The bits to drop, so that what stays counts steps of the target at this exponent.
  int drop = 52 - (int)format.fractionBits + (normal ? 0 : minExponent - exponent);
  if (drop > 53) return sign;
  uint64_t kept = significand >> drop;
  uint64_t rest = significand & ((UINT64_C(1) << drop) - 1);
  uint64_t half = UINT64_C(1) << (drop - 1);
  if (rest > half || (rest == half && (kept & 1))) ++kept;
  // `kept` has the hidden bit when normal; a carry out of it steps the exponent by itself.
  uint64_t encoded = kept;
  if (normal) encoded += (uint64_t)(exponent + format.bias - 1) << format.fractionBits;
  return sign | (encoded > format.maxFinite ? format.overflow : (uint32_t)encoded);
}

double tileElementDecodeSmallFloat(TileElementType type, uint32_t bits) {
  const SmallFloat format = smallFloats[type];
  if (!format.width) return 0;
  uint32_t magnitude = bits & ((1u << (format.width - 1)) - 1);
  double sign = bits >> (format.width - 1) & 1 ? -1.0 : 1.0;
  if (magnitude > format.maxFinite) {
    bool infinite = magnitude == format.overflow && format.overflow != format.nan;
    return copysign(infinite ? (double)INFINITY : (double)NAN, sign);
  }
  int exponent = (int)(magnitude >> format.fractionBits);
  uint32_t fraction = magnitude & ((1u << format.fractionBits) - 1);
  if (exponent) fraction |= 1u << format.fractionBits;
  int scale = (exponent ? exponent : 1) - format.bias - (int)format.fractionBits;
  return sign * (double)fraction * getPower(scale);
}

int64_t tileElementToInteger(TileElementType type, const void *element) {
  int8_t i8;
  int16_t i16;
  int32_t i32;
  int64_t i64;
  switch (type) {
  case TILE_ELEMENT_I1:
    return *(const uint8_t *)element != 0;
  case TILE_ELEMENT_I8:
    memcpy(&i8, element, sizeof i8);
    return i8;
  case TILE_ELEMENT_I16:
    memcpy(&i16, element, sizeof i16);
    return i16;
  case TILE_ELEMENT_I32:
    memcpy(&i32, element, sizeof i32);
    return i32;
  case TILE_ELEMENT_I64:
    memcpy(&i64, element, sizeof i64);
    return i64;
  case TILE_ELEMENT_F16:
  case TILE_ELEMENT_BF16:
  case TILE_ELEMENT_F32:
  case TILE_ELEMENT_F64:
  case TILE_ELEMENT_F8E4M3FN:
  case TILE_ELEMENT_F8E5M2:
    tileElementFromDouble(TILE_ELEMENT_I64, trunc(tileElementToDouble(type, element)), &i64);
    return i64;
  }
  return 0;
}

double tileElementToDouble(TileElementType type, const void *element) {
  uint8_t u8;
  uint16_t u16;
  float f32;
  double f64;
  switch (type) {
  case TILE_ELEMENT_I1:
  case TILE_ELEMENT_I8:
  case TILE_ELEMENT_I16:
  case TILE_ELEMENT_I32:
  case TILE_ELEMENT_I64:
    return (double)tileElementToInteger(type, element);
  case TILE_ELEMENT_F32:
    memcpy(&f32, element, sizeof f32);
    return (double)f32;
  case TILE_ELEMENT_F64:
    memcpy(&f64, element, sizeof f64);
    return f64;
  case TILE_ELEMENT_F16:
  case TILE_ELEMENT_BF16:
    memcpy(&u16, element, sizeof u16);
    return tileElementDecodeSmallFloat(type, u16);
  case TILE_ELEMENT_F8E4M3FN:
  case TILE_ELEMENT_F8E5M2:
    memcpy(&u8, element, sizeof u8);
    return tileElementDecodeSmallFloat(type, u8);
  }
  return 0;
}

/// The nearest integer (ties to even) that a signed type of `bits` bits has.
static int64_t saturate(double value, unsigned bits) {
  if (isnan(value)) return 0;
  double limit = ldexp(1.0, (int)bits - 1);
  // rint would follow the current rounding mode; this is exact in any.
  double below = floor(value), rest = value - below;
  bool up = rest > 0.5 || (rest == 0.5 && fmod(below, 2) != 0);
  double rounded = up ? below + 1 : below;
  if (rounded >= limit) return (int64_t)((UINT64_C(1) << (bits - 1)) - 1);
  if (rounded < -limit) return -(int64_t)((UINT64_C(1) << (bits - 1)) - 1) - 1;
  return (int64_t)rounded;
}

void tileElementFromDouble(TileElementType type, double value, void *element) {
  int64_t integer = 0;
  uint32_t bits;
  float f32;
  switch (type) {
  case TILE_ELEMENT_I1:
    *(uint8_t *)element = value != 0 && !isnan(value);
    return;
  case TILE_ELEMENT_I8:
  case TILE_ELEMENT_I16:
  case TILE_ELEMENT_I32:
  case TILE_ELEMENT_I64:
    integer = saturate(value, infos[type].precision);
    memcpy(element, &integer, infos[type].size); // little-endian: the low bytes come first
    return;
  case TILE_ELEMENT_F32:
    f32 = (float)value;
    memcpy(element, &f32, sizeof f32);
    return;
  case TILE_ELEMENT_F64:
    memcpy(element, &value, sizeof value);
    return;
  case TILE_ELEMENT_F16:
  case TILE_ELEMENT_BF16:
  case TILE_ELEMENT_F8E4M3FN:
  case TILE_ELEMENT_F8E5M2:
    bits = tileElementEncodeSmallFloat(type, value);
    memcpy(element, &bits, infos[type].size);
    return;
  }
}
