//===- ArrayCompare.c - how far two arrays are apart ----------------------===//
#include "tile/Runtime/Array.h"
#include "tile/Runtime/Executor.h"
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { PARALLEL_ELEMENTS = 1 << 20, LOOP_GRAIN = 1 << 16, BATCH = 256, TEXT_BYTES = 512 };

/// What is summed over a range of elements, and joined over ranges.
typedef struct Partial {
  int64_t failures, worst;
  double worstExcess, maxAbs, maxRel;
  double errorSquares, wantSquares; ///< Not joined: see Compare.
} Partial;

typedef struct Compare {
  const TileArray *got, *want;
  double atol, rtol;
  bool integers;
  pthread_mutex_t mutex;
  Partial joined;
  /// Squared norms, one pair a block of LOOP_GRAIN elements: summed in order at the end, so the
  /// result does not depend on which thread took what.
  double *errorSquares, *wantSquares;
} Compare;

double tileArrayGetElement(const TileArray *array, int64_t index) {
  size_t size = tileElementGetSize(array->type);
  return tileElementToDouble(array->type, (const char *)array->host + (size_t)index * size);
}

/// The exponent of f16 is 112 less than that of a float of the same bits, which also holds for
/// subnormals; infinity and NaN have the largest one in both.
static double decodeHalf(uint16_t half) {
  uint32_t bits = (uint32_t)(half & 0x7FFF) << 13;
  float value;
  memcpy(&value, &bits, sizeof value);
  value *= 0x1p112f;
  if (half & 0x8000) value = -value;
  if ((half & 0x7C00) != 0x7C00) return (double)value;
  bits |= 0x7F800000 | (uint32_t)(half & 0x8000) << 16;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

static double decodeBf16(uint16_t half) {
  uint32_t bits = (uint32_t)half << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

static void decode(const TileArray *array, int64_t begin, int64_t count, double *values) {
  size_t size = tileElementGetSize(array->type);
  const char *from = (const char *)array->host + (size_t)begin * size;
  if (array->type == TILE_ELEMENT_F64) {
    memcpy(values, from, (size_t)count * size);
  } else if (array->type == TILE_ELEMENT_F32) {
    for (int64_t i = 0; i < count; ++i) values[i] = (double)((const float *)(const void *)from)[i];
  } else if (array->type == TILE_ELEMENT_F16) {
    for (int64_t i = 0; i < count; ++i)
      values[i] = decodeHalf(((const uint16_t *)(const void *)from)[i]);
  } else if (array->type == TILE_ELEMENT_BF16) {
    for (int64_t i = 0; i < count; ++i)
      values[i] = decodeBf16(((const uint16_t *)(const void *)from)[i]);
  } else {
    for (int64_t i = 0; i < count; ++i)
      values[i] = tileElementToDouble(array->type, from + (size_t)i * size);
  }
}

static int64_t getInteger(const TileArray *array, int64_t index) {
  size_t size = tileElementGetSize(array->type);
  return tileElementToInteger(array->type, (const char *)array->host + (size_t)index * size);
}

static double getError(const Compare *compare, int64_t index, double got, double want) {
  if (compare->integers) {
    int64_t a = getInteger(compare->got, index), b = getInteger(compare->want, index);
    return (double)(a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a);
  }
  if (got == want) return 0; // the same infinity too
  double error = fabs(got - want);
  return isnan(error) ? (double)INFINITY : error;
}

static void join(Partial *all, const Partial *part) {
  all->failures += part->failures;
  if (part->maxAbs > all->maxAbs) all->maxAbs = part->maxAbs;
  if (part->maxRel > all->maxRel) all->maxRel = part->maxRel;
  bool worse = part->worstExcess > all->worstExcess ||
               (part->worstExcess == all->worstExcess && part->worst < all->worst);
  if (part->worst < 0 || (all->worst >= 0 && !worse)) return;
  all->worst = part->worst;
  all->worstExcess = part->worstExcess;
}

/// What one element adds.
static void compareElement(const Compare *compare, int64_t index, double got, double want,
                           Partial *part) {
  double error = getError(compare, index, got, want);
  // An infinite `want` allows itself only; infinity <= infinity must not pass.
  double bound = isfinite(want) ? compare->atol + compare->rtol * fabs(want) : 0;
  if (!(error <= bound) || isinf(error)) ++part->failures;
  if (error > part->maxAbs) part->maxAbs = error;
  double relative = error > 0 && want != 0 ? error / fabs(want) : 0;
  if (isnan(relative)) relative = (double)INFINITY;
  if (relative > part->maxRel) part->maxRel = relative;
  double excess = isinf(error) ? (double)INFINITY : error - bound;
  if (part->worst < 0 || excess > part->worstExcess) {
    part->worst = index;
    part->worstExcess = excess;
  }
  double difference = compare->integers ? error : got - want;
  part->errorSquares += difference * difference;
  part->wantSquares += want * want;
}

/// One block of LOOP_GRAIN elements, or the last, shorter one.
static void compareBlock(Compare *compare, int64_t block) {
  double got[BATCH], want[BATCH];
  int64_t begin = block * LOOP_GRAIN, end = begin + LOOP_GRAIN;
  if (end > compare->got->count) end = compare->got->count;
  Partial part = {.worst = -1};
  while (begin < end) {
    int64_t count = end - begin < BATCH ? end - begin : BATCH;
    decode(compare->got, begin, count, got);
    decode(compare->want, begin, count, want);
    for (int64_t i = 0; i < count; ++i) compareElement(compare, begin + i, got[i], want[i], &part);
    begin += count;
  }
  compare->errorSquares[block] = part.errorSquares;
  compare->wantSquares[block] = part.wantSquares;
  pthread_mutex_lock(&compare->mutex);
  join(&compare->joined, &part);
  pthread_mutex_unlock(&compare->mutex);
}

static void compareBlocks(void *context, int64_t begin, int64_t end) {
  for (int64_t block = begin; block < end; ++block) compareBlock(context, block);
}

static void formatShape(char *text, size_t bytes, const TileArray *array) {
  int used = 0;
  text[0] = 0;
  for (unsigned i = 0; i < array->rank && (size_t)used < bytes; ++i)
    used += snprintf(text + used, bytes - (size_t)used, "%" PRId64 "x", array->shape[i]);
  if ((size_t)used < bytes)
    snprintf(text + used, bytes - (size_t)used, "%s", tileElementGetName(array->type));
}

static bool checkComparable(TileArray *got, TileArray *want, double atol, double rtol,
                            TileError *error) {
  if (!(atol >= 0) || !(rtol >= 0))
    return tileErrorSet(error, "expected tolerances of 0 or more, found atol %g and rtol %g", atol,
                        rtol);
  bool same = got->rank == want->rank;
  for (unsigned i = 0; same && i < got->rank; ++i) same = got->shape[i] == want->shape[i];
  if (!same) {
    char wantText[TEXT_BYTES], gotText[TEXT_BYTES];
    formatShape(wantText, sizeof wantText, want);
    formatShape(gotText, sizeof gotText, got);
    return tileErrorSet(error, "expected arrays of one shape, found %s to compare with %s", gotText,
                        wantText);
  }
  return tileArrayToHost(got, error) && tileArrayToHost(want, error);
}

static void describeWorst(const Compare *compare, TileComparison *result) {
  result->worst = compare->joined.worst;
  if (result->worst < 0) return;
  for (unsigned i = 0; i < result->rank; ++i)
    result->worstIndex[i] = result->worst / compare->got->strides[i] % compare->got->shape[i];
  result->worstGot = tileArrayGetElement(compare->got, result->worst);
  result->worstWant = tileArrayGetElement(compare->want, result->worst);
}

bool tileArrayCompare(TileArray *got, TileArray *want, double atol, double rtol,
                      TileComparison *result, TileError *error) {
  if (!checkComparable(got, want, atol, rtol, error)) return false;
  int64_t blocks = (got->count + LOOP_GRAIN - 1) / LOOP_GRAIN;
  Compare compare = {.got = got, .want = want, .atol = atol, .rtol = rtol};
  compare.integers = tileElementIsInteger(got->type) && tileElementIsInteger(want->type);
  compare.joined.worst = -1;
  compare.errorSquares = tileRuntimeAlloc((size_t)blocks * sizeof(double));
  compare.wantSquares = tileRuntimeAlloc((size_t)blocks * sizeof(double));
  pthread_mutex_init(&compare.mutex, NULL);
  TileExecutor *executor = got->count > PARALLEL_ELEMENTS ? tileExecutorGetDefault(NULL) : NULL;
  tileExecutorLoop(executor, blocks, 1, compareBlocks, &compare);
  double errorSquares = 0, wantSquares = 0;
  for (int64_t i = 0; i < blocks; ++i) {
    errorSquares += compare.errorSquares[i];
    wantSquares += compare.wantSquares[i];
  }
  *result = (TileComparison){.count = got->count, .rank = got->rank, .atol = atol, .rtol = rtol};
  result->failures = compare.joined.failures;
  result->passed = result->failures == 0;
  result->maxAbsError = compare.joined.maxAbs;
  result->maxRelError = compare.joined.maxRel;
  result->frobeniusError = sqrt(wantSquares > 0 ? errorSquares / wantSquares : errorSquares);
  if (!isfinite(result->frobeniusError)) result->frobeniusError = (double)NAN;
  describeWorst(&compare, result);
  pthread_mutex_destroy(&compare.mutex);
  free(compare.errorSquares);
  free(compare.wantSquares);
  return true;
}

bool tileComparisonCheck(const TileComparison *comparison, TileError *error) {
  if (comparison->passed) return true;
  char index[TEXT_BYTES] = "";
  int used = 0;
  for (unsigned i = 0; i < comparison->rank; ++i)
    used += snprintf(index + used, sizeof index - (size_t)used, "%s%" PRId64, i ? ", " : "",
                     comparison->worstIndex[i]);
  return tileErrorSet(error,
                      "expected %.9g within atol %g and rtol %g at [%s], found %.9g; %" PRId64
                      " of %" PRId64 " elements are off, largest absolute error %.3g, largest "
                      "relative error %.3g",
                      comparison->worstWant, comparison->atol, comparison->rtol, index,
                      comparison->worstGot, comparison->failures, comparison->count,
                      comparison->maxAbsError, comparison->maxRelError);
}
