//===- AxisFacts.c - axis analysis: what is known of each value -----------===//
#include "AxisFacts.h"
#include <stdlib.h>

static const TileAxisInfo *find(const TileAxisAnalysis *a, MlirValue value) {
  return tilePointerTableFind(a->facts, value.ptr);
}

TileAxisInfo axisGetFact(const TileAxisAnalysis *a, MlirValue value) {
  const TileAxisInfo *info = find(a, value);
  return info ? *info : axisUnknown(axisTypeOfValue(value));
}

void axisSetFact(TileAxisAnalysis *a, MlirValue value, TileAxisInfo info) {
  const AxisPromise *promise = tilePointerTableFind(a->promises, value.ptr);
  if (promise) info = axisRefine(info, axisTypeOfValue(value), *promise);
  TileAxisInfo *fact = tilePointerTableAdd(&a->facts, value.ptr, sizeof *fact);
  *fact = info;
}

void axisSetUnknown(TileAxisAnalysis *a, MlirValue value) {
  axisSetFact(a, value, axisUnknown(axisTypeOfValue(value)));
}

void axisAddPromise(TileAxisAnalysis *a, MlirValue value, AxisPromise promise) {
  AxisPromise *known = tilePointerTableFind(a->promises, value.ptr);
  if (!known) {
    known = tilePointerTableAdd(&a->promises, value.ptr, sizeof *known);
    *known = promise;
    return;
  }
  known->divisibility = axisMax(known->divisibility, promise.divisibility);
  known->min = axisMax(known->min, promise.min);
  known->max = axisMin(known->max, promise.max);
}

#define ONES {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}

const TileAxisInfo *tileAxisAnalysisGet(const TileAxisAnalysis *a, MlirValue value) {
  static const TileAxisInfo nothing = {
      .contiguity = ONES,
      .divisibility = ONES,
      .constancy = ONES,
      .min = INT64_MIN,
      .max = INT64_MAX,
  };
  _Static_assert(TILE_MAX_RANK == 16, "an entry for each dimension");
  const TileAxisInfo *info = find(a, value);
  return info ? info : &nothing;
}
