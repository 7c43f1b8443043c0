//===- Versions.c - nests with masks, and without --------------------------===//
//
// What TileTests.c finds out of a tile's masks decides how its nest is emitted: twice, under a
// test; or, where rows are long, once, with chunks up to where masks are on in front of others.
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"

typedef struct {
  const CpuNest *nest;
  CpuChunkBody body;
  void *data;
} Versions;

static void emitVersion(CpuLowering *l, bool fast, void *data) {
  Versions *v = data;
  cpuNest(l, v->nest, fast, v->body, v->data);
}

static bool dividesAny(CpuLowering *l, intptr_t count, const MlirValue *roots, MlirValue mask) {
  for (intptr_t i = 0; i < count; ++i)
    if (cpuDivides(l, roots[i])) return true;
  return !mlirValueIsNull(mask) && cpuDivides(l, mask);
}

/// Has a row so many chunks that it pays to ask up to where masks are on?
static bool hasLongRows(const CpuLowering *l, const CpuNest *nest) {
  enum { LEAST = 4, LEAST_WALKED = 16 };
  if (l->checks || nest->unroll > 1) return false;
  if (nest->walks) return nest->steps >= LEAST_WALKED;
  return nest->lane >= 0 && nest->shape[nest->lane] / nest->width >= LEAST;
}

void cpuVersionedNest(CpuLowering *l, const CpuNest *nest, intptr_t numRoots,
                      const MlirValue *roots, MlirValue mask, CpuChunkBody body, void *data) {
  CpuNest own = *nest;
  const bool mayAsk = !l->checks && !l->isPlain;
  own.splits &= mayAsk && dividesAny(l, numRoots, roots, mask);
  // Loads of a body that walks ask by themselves whether lanes have one quotient.
  const bool remainders = !own.splits && !(mayAsk && nest->walks);
  Versions versions = {&own, body, data};
  MlirValue condition = {NULL}, known = {NULL};
  int axis = nest->walks ? nest->axis : nest->lane;
  int lane = nest->walks ? nest->rootLane : nest->lane;
  if (!l->isPlain && hasLongRows(l, nest))
    known = cpuFastReach(l, numRoots, roots, mask, remainders, axis, lane);
  if (!mlirValueIsNull(known)) {
    cpuNestUpTo(l, &own, false, known, body, data);
    return;
  }
  if (!l->isPlain) condition = cpuFastCondition(l, numRoots, roots, mask, remainders);
  if (mlirValueIsNull(condition))
    cpuNest(l, &own, false, body, data);
  else
    cpuIf(l, condition, true, emitVersion, &versions);
}
