//===- EvaluateTiles.c - sums, products, orders ---------------------------===//
//
// Sums are computed in one order, as long doubles, and come with a bound that holds for every
// order: each of n roundings is off by half an ULP of a partial sum at most, and no partial sum
// exceeds the sum of magnitudes (Higham, "Accuracy and Stability of Numerical Algorithms", 4.2).
// A product's partial products lie between that of all factors below 1 and that of all above.
//===----------------------------------------------------------------------===//
#include "../Floats.h"
#include "Evaluate.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef long double Wide;

/// A number that is known to be `x`, infinite or NaN also in the type; else anything.
static Number special(Element e, Wide x, bool isSure) {
  return (Number){roundTo(e, (double)x), isSure ? 0 : (double)INFINITY};
}

Number foldFloats(Element e, bool isProduct, const Number *x, int count, int stride) {
  if (count == 1) return x[0];
  Wide result = isProduct ? 1 : 0, most = isProduct ? 1 : 0, least = 1, relative = 0, absolute = 0;
  Wide finite = 0; // of a sum: without the infinite terms
  bool isSure = true, hasNan = false;
  for (int i = 0; i < count; ++i) {
    Number n = x[(ptrdiff_t)i * stride];
    Wide v = floatOf(e, n.bits), size = fabsl(v);
    if (isnan(v)) hasNan = true;
    if (isinf(n.error)) isSure = false;
    if (isProduct) {
      result *= v;
      most *= fmaxl(size, 1);
      least *= fminl(size, 1);
      relative += n.error == 0 ? 0 : n.error < size ? n.error / (size - n.error) : (Wide)INFINITY;
    } else {
      result += v;
      most += size;
      if (isfinite(size)) finite += size;
      absolute += n.error;
    }
  }
  if (!isSure) return special(e, result, false);
  if (hasNan) return special(e, NAN, true);
  bool isFinite = !isinf(most);
  // Infinities decide a sum whatever the order; a product may meet a 0, or underflow to one, first.
  bool isDecided = !isProduct && absolute == 0 && finite < largestOf(e) / 2;
  if (!isFinite) return special(e, result, isDecided);
  Wide eps = ldexpl(ulpOf(e, 1), -1), error;
  if (isProduct) {
    bool isZero = result == 0 && least == 0;
    if (most >= largestOf(e)) return special(e, result, false);
    if (isZero && relative == 0) return (Number){roundTo(e, (double)result), ulpOf(e, 0)};
    if (least < leastOf(e) || !isfinite(relative)) return special(e, result, false);
    error = fabsl(result) * expm1l((count + 1) * eps * 1.01L + relative);
  } else {
    error = absolute + (count + 1) * eps * 1.01L * (most + absolute);
  }
  error += ulpOf(e, (double)result);
  if (most + error >= largestOf(e)) return special(e, result, false);
  return (Number){roundTo(e, (double)result), (double)error};
}

//===- dot ----------------------------------------------------------------===//

void decode(Element e, const Number *from, int count, Decoded *to) {
  for (int i = 0; i < count; ++i) {
    to[i].x = isFloat(e) ? floatOf(e, from[i].bits) : (double)signedOf(e, from[i].bits);
    to[i].error = from[i].error;
  }
}

static Number dotInts(Number acc, const Decoded *a, const Decoded *b, int stride, int count) {
  uint64_t sum = acc.bits;
  for (int i = 0; i < count; ++i) sum += (uint64_t)((int64_t)a[i].x * (int64_t)b[i * stride].x);
  return (Number){cutTo(I32, sum), 0};
}

Number multiplyAccumulate(Element of, Element accElement, Number acc, const Decoded *a,
                          const Decoded *b, int stride, int count) {
  if (of == I8) return dotInts(acc, a, b, stride, count);
  Wide sum = floatOf(accElement, acc.bits), most = fabsl(sum), error = acc.error;
  Wide finite = isinf(sum) ? 0 : most; // without the infinite terms
  Wide peak = most;                    // the largest product, or sum of some
  bool hasInexact = acc.error > 0;
  for (int i = 0; i < count; ++i) {
    Decoded x = a[i], y = b[i * stride];
    Wide product = (Wide)x.x * y.x, size = fabsl(product);
    sum += product;
    most += size;
    if (isfinite(size)) finite += size;
    peak = fmaxl(peak, fmaxl(size, fabsl(sum)));
    if (x.error == 0 && y.error == 0) continue;
    hasInexact = true;
    error += fabs(x.x) * y.error + fabs(y.x) * x.error + x.error * y.error;
  }
  if (isinf(error) || isnan(error)) return special(accElement, sum, false);
  if (isnan(most)) return special(accElement, sum, !hasInexact);
  // Infinities decide, unless the others come to one of their own.
  if (isinf(most))
    return special(accElement, sum, !hasInexact && finite < largestOf(accElement) / 2);
  // Tensor cores align the products of a step, 32 of 8 bits, to the largest and cut; FMA rounds
  // each sum.
  if (bitsOf(of) == 8) error += (count + count / 32 + 2) * 0x1p-14L * peak;
  Wide eps = accElement == F64 ? 0x1p-52L : of == F32 ? 0x1p-23L : 0x1p-21L;
  error += (count + 4) * eps * (most + error) + (count + 1) * (Wide)ulpOf(accElement, 0);
  if (most + error >= largestOf(accElement)) return special(accElement, sum, false);
  return (Number){roundTo(accElement, (double)sum), (double)error};
}

//===- sort ---------------------------------------------------------------===//

/// Numbers in the order of tile.sort: -inf .. -0, +0 .. inf, all NaNs.
static int64_t rankOf(Element e, uint64_t bits) {
  if (e == I1) return (int64_t)bits;
  if (isInt(e)) return signedOf(e, bits);
  double x = floatOf(e, bits);
  if (isnan(x)) return INT64_MAX;
  int64_t rank;
  memcpy(&rank, &x, sizeof rank);
  return rank < 0 ? INT64_MIN - rank : rank;
}

void sortLine(Element e, bool descending, const Number *keys, int stride, int count, int *order) {
  int64_t *ranks = malloc((size_t)count * sizeof *ranks);
  if (!ranks) abort();
  for (int i = 0; i < count; ++i) ranks[i] = rankOf(e, keys[(size_t)i * (size_t)stride].bits);
  // -0 has INT64_MIN for its bits, and so rank 0 - 0; it belongs below +0.
  for (int i = 0; i < count && isFloat(e); ++i) {
    double x = floatOf(e, keys[(size_t)i * (size_t)stride].bits);
    if (x == 0 && signbit(x)) ranks[i] = -1;
    if (x < 0) --ranks[i];
  }
  for (int i = 0; i < count; ++i) {
    int at = i;
    for (; at > 0; --at) {
      int64_t before = ranks[order[at - 1]];
      if (descending ? before >= ranks[i] : before <= ranks[i]) break;
      order[at] = order[at - 1];
    }
    order[at] = i;
  }
  free(ranks);
}

//===- rand ---------------------------------------------------------------===//

/// Philox 4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3",
/// SC 2011, as docs/dialect.md uses it.
uint64_t philox(uint64_t seed, uint32_t offset) {
  uint32_t counter[4] = {offset, 0, 0, 0}, key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  for (int round = 0; round < 10; ++round) {
    uint64_t first = UINT64_C(0xD2511F53) * counter[0], second = UINT64_C(0xCD9E8D57) * counter[2];
    uint32_t next[4] = {(uint32_t)(second >> 32) ^ counter[1] ^ key[0], (uint32_t)second,
                        (uint32_t)(first >> 32) ^ counter[3] ^ key[1], (uint32_t)first};
    memcpy(counter, next, sizeof counter);
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return roundTo(F32, (double)(counter[0] >> 8) * 0x1p-24);
}
