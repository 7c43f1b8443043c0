//===- Access.c - axis information of memory accesses ---------------------===//
#include "Axis.h"
#include "AxisFacts.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/// How many ops a guess looks back.
enum { MAX_DEPTH = 8 };

bool axisAccessOf(MlirOperation op, MlirValue *pointers, MlirValue *mask) {
  *mask = (MlirValue){NULL};
  if (tileOpIsALoad(op)) {
    *pointers = tileLoadGetPtr(op);
    *mask = tileLoadGetMask(op);
  } else if (tileOpIsAStore(op)) {
    *pointers = tileStoreGetPtr(op);
    *mask = tileStoreGetMask(op);
  } else if (tileOpIsAAsyncCopy(op)) {
    *pointers = tileAsyncCopyGetPtr(op);
    *mask = tileAsyncCopyGetMask(op);
  } else if (tileOpIsAAtomicRmw(op)) {
    *pointers = tileAtomicRmwGetPtr(op);
    *mask = tileAtomicRmwGetMask(op);
  } else if (tileOpIsAAtomicCas(op)) {
    *pointers = tileAtomicCasGetPtr(op);
  } else {
    return false;
  }
  return true;
}

int tileAxisAccessVector(const TileAxisAnalysis *analysis, MlirOperation access, int dim) {
  MlirValue pointers, mask;
  if (!axisAccessOf(access, &pointers, &mask)) return 1;
  AxisType type = axisTypeOf(mlirValueGetType(pointers));
  const TileAxisInfo *info = tileAxisAnalysisGet(analysis, pointers);
  if (type.kind != AXIS_POINTER || dim < 0 || dim >= type.rank || info->rank != type.rank) return 1;
  int64_t elements = axisPowerOfTwoIn(info->contiguity[dim]);
  elements = axisMin(elements, axisMax(analysis->accessBytes / type.unit, 1));
  if (!mlirValueIsNull(mask)) {
    const TileAxisInfo *lanes = tileAxisAnalysisGet(analysis, mask);
    elements = axisMin(elements, axisPowerOfTwoIn(lanes->constancy[dim]));
  }
  // Halve until each group is aligned to its own bytes.
  while (elements > 1 && axisDivisorAt(info, type, dim, elements) < elements * type.unit)
    elements /= 2;
  return (int)elements;
}

int tileAxisAccessVectorIn(const TileAxisAnalysis *analysis, MlirOperation access,
                           TileLayout layout) {
  int best = 1;
  for (int dim = 0; dim < layout.rank; ++dim) {
    int vector = tileAxisAccessVector(analysis, access, dim);
    int run = tileLayoutContiguous(layout, dim);
    if (run < vector) vector = run;
    if (vector > best) best = vector;
  }
  return best;
}

/// Runs along `d` if no offset of 32 bits wraps: nothing to rely on, but the better guess of how
/// the program walks memory.
static int64_t likelyRun(const TileAxisAnalysis *analysis, MlirValue value, int d, int depth) {
  const TileAxisInfo *info = tileAxisAnalysisGet(analysis, value);
  int64_t run = info->contiguity[d];
  MlirOperation op = tileValueGetOp(value);
  if (depth == 0) return run;
  if (mlirOperationIsNull(op)) { // what a loop carries looks as it does on the first trip
    MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    intptr_t i = mlirBlockArgumentGetArgNumber(value);
    if (i == 0 || !tileOpIs(loop, "scf.for")) return run;
    return axisMax(run, likelyRun(analysis, tileOperand(loop, i + 2), d, depth - 1));
  }
  if (tileOpIs(op, "arith.extsi") || tileOpIs(op, "arith.extui"))
    return axisMax(run, likelyRun(analysis, tileOperand(op, 0), d, depth - 1));
  if (!tileOpIsAAddPtr(op) && !tileOpIs(op, "arith.addi")) return run;
  for (intptr_t i = 0; i < 2; ++i) {
    const TileAxisInfo *other = tileAxisAnalysisGet(analysis, tileOperand(op, 1 - i));
    int64_t one = likelyRun(analysis, tileOperand(op, i), d, depth - 1);
    run = axisMax(run, axisGcd(one, other->constancy[d]));
  }
  return run;
}

int64_t tileAxisSteadyRun(const TileAxisAnalysis *analysis, MlirValue pointers, int dim) {
  AxisType type = axisTypeOf(mlirValueGetType(pointers));
  const TileAxisInfo *info = tileAxisAnalysisGet(analysis, pointers);
  if (dim < 0 || dim >= type.rank || info->rank != type.rank) return 1;
  return likelyRun(analysis, pointers, dim, MAX_DEPTH);
}

int64_t tileAxisLikelyRun(const TileAxisAnalysis *analysis, MlirValue pointers, int dim) {
  AxisType type = axisTypeOf(mlirValueGetType(pointers));
  const TileAxisInfo *info = tileAxisAnalysisGet(analysis, pointers);
  if (dim < 0 || dim >= type.rank || info->rank != type.rank) return 1;
  int64_t likely = tileAxisSteadyRun(analysis, pointers, dim);
  return axisMax(likely, axisGuessRun(analysis, pointers, dim));
}

/// Are neighbours along `dim` found by numbers that were loaded outside of `step`, and are added as
/// they are: places in a row, as those of columns in another order?
static bool listsPlaces(const TileAxisAnalysis *analysis, MlirValue value, int dim, MlirBlock step,
                        int depth) {
  AxisType type = axisTypeOf(mlirValueGetType(value));
  const TileAxisInfo *info = tileAxisAnalysisGet(analysis, value);
  if (depth == 0 || dim >= type.rank || info->rank != type.rank) return false;
  if (info->constancy[dim] >= type.extents[dim]) return false;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) { // as on the first trip
    MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    intptr_t i = mlirBlockArgumentGetArgNumber(value);
    return i > 0 && tileOpIs(loop, "scf.for") &&
           listsPlaces(analysis, tileOperand(loop, i + 2), dim, step, depth - 1);
  }
  if (tileOpIsALoad(op)) return !mlirBlockEqual(mlirOperationGetBlock(op), step);
  if (tileOpIsAExpandDims(op)) dim -= dim > tileExpandDimsGetAxis(op);
  bool passes = tileOpIsAExpandDims(op) || tileOpIsABroadcast(op) || tileOpIsAConvertLayout(op) ||
                tileOpIs(op, "arith.extsi") || tileOpIs(op, "arith.extui");
  if (passes) return listsPlaces(analysis, tileOperand(op, 0), dim, step, depth - 1);
  if (!tileOpIsAAddPtr(op) && !tileOpIs(op, "arith.addi")) return false;
  for (intptr_t i = 0; i < 2; ++i) {
    const TileAxisInfo *other = tileAxisAnalysisGet(analysis, tileOperand(op, 1 - i));
    if (other->rank == type.rank && other->constancy[dim] >= type.extents[dim])
      return listsPlaces(analysis, tileOperand(op, i), dim, step, depth - 1);
  }
  return false;
}

bool tileAxisIsListed(const TileAxisAnalysis *analysis, MlirValue pointers, int dim) {
  return listsPlaces(analysis, pointers, dim, tileValueGetBlock(pointers), MAX_DEPTH);
}

bool tileAxisIsSpaced(const TileAxisAnalysis *analysis, MlirValue pointers, int dim) {
  int64_t step, unit = axisMax(axisTypeOf(mlirValueGetType(pointers)).unit, 1);
  if (tileAxisStep(analysis, pointers, dim, &step))
    return llabs(step) * unit >= analysis->sectorBytes;
  return axisStride(analysis, pointers, dim, &step) &&
         (analysis->knowsOnes || step * unit >= analysis->sectorBytes);
}

/// Do neighbours along `i` lie closer together than those along `k` > i? Less than a line apart is
/// closer than nobody knows how far. Of two distances that only a launch knows, where none of its
/// numbers is 1, the first counts as the closer one, as in Triton: authors have tried that. Not
/// where it is a multiple of more, as a row of 16 elements is beside one: numbers whose type an
/// author writes down may be 1. Places in a row by a list that is the same in all steps are closer
/// than rows: a thread with many of them would hold a pointer to each.
static bool isCloser(const TileAxisAnalysis *analysis, MlirValue pointers, int i, int k) {
  int64_t one, other, unit = axisTypeOf(mlirValueGetType(pointers)).unit;
  bool isKnown = axisLikelyStep(analysis, pointers, i, &one);
  bool isOther = axisLikelyStep(analysis, pointers, k, &other);
  int64_t line = axisMax(analysis->lineBytes / axisMax(unit, 1), 1);
  if (isKnown && isOther) return llabs(one) < llabs(other);
  if (isKnown) return llabs(one) < line;
  if (tileAxisIsListed(analysis, pointers, i) && !tileAxisIsListed(analysis, pointers, k))
    return !isOther || llabs(other) >= line;
  if (isOther || !analysis->knowsOnes || !axisStride(analysis, pointers, k, &other)) return false;
  return axisStride(analysis, pointers, i, &one) ? one <= other
                                                 : axisDivides(analysis, pointers, i);
}

/// Is `dim` walked in runs of less than a sector, and do neighbours along `other` lie within one?
static bool isAsClose(const TileAxisAnalysis *analysis, MlirValue pointers, int dim, int other) {
  int64_t step, unit = axisMax(axisTypeOf(mlirValueGetType(pointers)).unit, 1);
  if (tileAxisLikelyRun(analysis, pointers, dim) * unit >= analysis->sectorBytes) return false;
  return axisLikelyStep(analysis, pointers, other, &step) && step != 0 &&
         llabs(step) * unit <= analysis->sectorBytes;
}

/// Does dimension `i` come before `k` > i, though `k` comes first when all else is equal? Guesses
/// decide where what is known does not.
static bool comesFirst(const TileAxisAnalysis *analysis, MlirValue pointers, int i, int k) {
  const TileAxisInfo *info = tileAxisAnalysisGet(analysis, pointers);
  int64_t one = likelyRun(analysis, pointers, i, MAX_DEPTH);
  int64_t other = likelyRun(analysis, pointers, k, MAX_DEPTH);
  if (one != other) return one > other;
  one = axisGuessRun(analysis, pointers, i);
  other = axisGuessRun(analysis, pointers, k);
  if (one != other) return one > other;
  AxisType type = axisTypeOf(mlirValueGetType(pointers));
  bool isFixed = info->constancy[i] == type.extents[i];
  if (isFixed != (info->constancy[k] == type.extents[k])) return !isFixed;
  return !isFixed && isCloser(analysis, pointers, i, k);
}

void tileAxisAccessOrder(const TileAxisAnalysis *analysis, MlirValue pointers,
                         int order[TILE_MAX_RANK]) {
  AxisType type = axisTypeOf(mlirValueGetType(pointers));
  bool isKnown = tileAxisAnalysisGet(analysis, pointers)->rank == type.rank;
  // Insertion sort, the last dimension first.
  for (int i = type.rank - 1, count = 0; i >= 0; --i, ++count) {
    int place = count;
    while (place > 0 && isKnown && comesFirst(analysis, pointers, i, order[place - 1])) {
      order[place] = order[place - 1];
      --place;
    }
    order[place] = i;
  }
}

void tileAxisPutWindowsFirst(const TileAxisAnalysis *analysis, MlirValue pointers, unsigned reduced,
                             int order[TILE_MAX_RANK]) {
  enum { LANES = 32 };
  AxisType type = axisTypeOf(mlirValueGetType(pointers));
  if (!(reduced >> (unsigned)order[0] & 1)) return;
  for (int i = 1; i < type.rank; ++i) {
    int dim = order[i];
    if (reduced >> (unsigned)dim & 1 || type.extents[dim] < LANES ||
        !isAsClose(analysis, pointers, order[0], dim))
      continue;
    for (int k = i; k > 0; --k) order[k] = order[k - 1];
    order[0] = dim;
    return;
  }
}

int tileMostUpdatedAtOnce(const TileMachine *machine, MlirOperation rmw) {
  enum { VECTOR_BITS = 128 };
  int64_t kind = tileAtomicRmwGetKind(rmw);
  bool isFloat =
      kind == TILE_RMW_KIND_FADD || kind == TILE_RMW_KIND_FMIN || kind == TILE_RMW_KIND_FMAX;
  int bits = tileBitWidth(tileElementType(mlirValueGetType(tileResult(rmw))));
  bool vectors = isFloat && bits <= 32 && tileMachineHas(machine, TILE_FEATURE_BF16_ATOMICS);
  return vectors ? VECTOR_BITS / bits : 1;
}

static int printList(char *text, size_t room, const char *name, const int64_t *values, int count) {
  int used = snprintf(text, room, "%s = [", name);
  for (int i = 0; i < count; ++i)
    used += snprintf(text + used, room - (size_t)used, i ? ", %" PRId64 : "%" PRId64, values[i]);
  return used + snprintf(text + used, room - (size_t)used, "]");
}

const char *tileAxisInfoPrint(const TileAxisInfo *info, MlirType type, char text[TILE_AXIS_TEXT]) {
  // Three lists of at most 6 numbers of 19 digits, and two numbers of 20: below TILE_AXIS_TEXT.
  int count = axisDims(info->rank);
  size_t room = TILE_AXIS_TEXT;
  int used = printList(text, room, "contiguity", info->contiguity, count);
  used += printList(text + used, room - (size_t)used, ", divisibility", info->divisibility, count);
  used += printList(text + used, room - (size_t)used, ", constancy", info->constancy, count);
  // Bounds that follow from the type and the divisors say nothing new.
  TileAxisInfo unknown = *info, limits = axisUnknown(axisTypeOf(type));
  unknown.min = limits.min;
  unknown.max = limits.max;
  unknown = axisNormal(unknown, axisTypeOf(type));
  if (info->hasConstant)
    snprintf(text + used, room - (size_t)used, ", constant = %" PRId64, info->constant);
  else if (info->min != unknown.min || info->max != unknown.max)
    snprintf(text + used, room - (size_t)used, ", range = [%" PRId64 ", %" PRId64 "]", info->min,
             info->max);
  return text;
}
