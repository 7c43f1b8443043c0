//===- Reduce.c - tile.reduce and tile.scan -------------------------------===//
//
// Along the last dimension, a row is combined chunk by chunk, lane by lane, in up to four
// accumulators, and these in halves at the end:
//
//   acc = first chunk;  scf.for over chunks { acc = region(acc, chunk) }
//   acc = region(acc, acc rotated by W/2) .. by 2;  result = region(acc[0], acc[1])
//
// The last step is not one of vectors: for AVX-512, LLVM 22.1 compares <8 x double> %x with %x
// rotated by 1, of which lane 0 alone is used, as %x[0] with %x[0].
//
// Along another dimension, or where the tile lies along another, lanes are columns, and nothing
// crosses them. No element that is not there takes part, so the region needs no identity: the last,
// partial chunk of a row is combined and selected lane by lane. A scan along the last dimension
// combines lanes of a chunk at distances 1, 2, 4
// .. (Hillis and Steele, "Data Parallel Algorithms", 1986), and these with the last of the chunk
// before; where a chunk is not whole and comes first, it goes element by element.
//
// Results go through memory (LLVM makes registers of one element), so that the versions of a nest
// meet there.
//===----------------------------------------------------------------------===//
#include "Lowering.h"

enum { MAX_SOURCES = 8, MAX_PARTS = 4, MAX_LANES = 64 };

typedef struct {
  MlirOperation op;
  MlirBlock region;
  int numSources, axis, rank;
  int64_t extent, width;
  bool reverse;
  MlirValue sources[MAX_SOURCES];
  CpuBuffer results[MAX_SOURCES];
} Combine;

typedef struct {
  MlirValue of[MAX_SOURCES];
} Values;

//===- the region ---------------------------------------------------------===//

static MlirValue regionConstant(CpuLowering *l, MlirOperation op, int64_t width) {
  MlirType element = mlirValueGetType(tileResult(op));
  MlirValue scalar = cpuScalarConstant(l, element, tileAttr(op, "value"));
  if (!width) return scalar;
  MlirType type = tileVectorType(width, mlirValueGetType(scalar));
  return tileBuildUnary(&l->at, "vector.broadcast", type, scalar);
}

/// The region on scalars, or on vectors lane by lane.
static Values combine(CpuLowering *l, const Combine *c, Values lhs, Values rhs, int64_t width) {
  for (int i = 0; i < c->numSources; ++i) {
    cpuSetScalar(l, mlirBlockGetArgument(c->region, i), lhs.of[i]);
    cpuSetScalar(l, mlirBlockGetArgument(c->region, c->numSources + i), rhs.of[i]);
  }
  Values result = lhs;
  TILE_FOR_EACH_OP(op, c->region) {
    if (tileOpIsAYield(op)) {
      for (int i = 0; i < c->numSources; ++i)
        result.of[i] = cpuScalar(l, tileYieldGetValues(op, i));
      return result;
    }
    MlirValue operands[4];
    intptr_t count = mlirOperationGetNumOperands(op);
    bool isConstant = tileOpIs(op, "arith.constant");
    if (count > 4 || (!isConstant && !cpuIsElementwise(op))) {
      cpuFail(l, op, "arith and math ops in the region of a reduce or scan");
      return result;
    }
    for (intptr_t i = 0; i < count; ++i) operands[i] = cpuScalar(l, tileOperand(op, i));
    MlirValue value =
        isConstant ? regionConstant(l, op, width) : cpuElementwise(l, op, operands, width);
    cpuSetScalar(l, tileResult(op), value);
  }
  return result;
}

//===- sources ------------------------------------------------------------===//

static Values evalSources(CpuLowering *l, const Combine *c, bool fast, const CpuIndex *index,
                          MlirValue tail) {
  CpuChunk chunk = {.l = l, .width = index->lane < 0 ? 0 : c->width, .tail = tail, .fast = fast};
  Values values = {0};
  for (int i = 0; i < c->numSources; ++i)
    values.of[i] = cpuEvalVector(&chunk, c->sources[i], index);
  return values;
}

/// The index of the sources that has `at` at the axis, and the rest from a result's index.
static CpuIndex sourceIndex(const Combine *c, const CpuIndex *rest, MlirValue at) {
  CpuIndex index = {.rank = c->rank, .lane = rest->lane};
  for (int d = 0; d < c->rank; ++d)
    index.base[d] = d == c->axis ? at : rest->base[d < c->axis ? d : d - 1];
  if (rest->lane >= c->axis) index.lane = rest->lane + 1;
  return index;
}

static void writeResults(CpuLowering *l, const Combine *c, const CpuIndex *index, Values values) {
  MlirValue null = {NULL};
  for (int i = 0; i < c->numSources; ++i)
    cpuWriteBuffer(l, &c->results[i], index, values.of[i], null);
}

//===- along the last dimension -------------------------------------------===//

static MlirValue lane(CpuLowering *l, MlirValue vector, int64_t i) {
  MlirType type = tileElementType(mlirValueGetType(vector));
  MlirAttribute at = mlirDenseI64ArrayGet(l->context, 1, &i);
  return tileResult(tileBuildOp(&l->at, "vector.extract", TILE_VALUES(vector), 1, &type,
                                TILE_ATTRS({"static_position", at}), 0));
}

static Values lanes(CpuLowering *l, const Combine *c, Values vectors, int64_t i) {
  for (int k = 0; k < c->numSources; ++k) vectors.of[k] = lane(l, vectors.of[k], i);
  return vectors;
}

static Values shuffle(CpuLowering *l, const Combine *c, Values vectors, const int64_t *order) {
  MlirAttribute mask = mlirDenseI64ArrayGet(l->context, c->width, order);
  for (int k = 0; k < c->numSources; ++k) {
    MlirType type = mlirValueGetType(vectors.of[k]);
    vectors.of[k] =
        tileResult(tileBuildOp(&l->at, "vector.shuffle", TILE_VALUES(vectors.of[k], vectors.of[k]),
                               1, &type, TILE_ATTRS({"mask", mask}), 0));
  }
  return vectors;
}

static Values rotate(CpuLowering *l, const Combine *c, Values vectors, int64_t by) {
  int64_t order[MAX_LANES];
  for (int64_t i = 0; i < c->width; ++i) order[i] = (i + by) % c->width;
  return shuffle(l, c, vectors, order);
}

//===- rows that end before their tile does -------------------------------===//

/// Where the steps along the axis may end (i64; null: at the tile's end); behind that each source
/// is `beyond` everywhere.
typedef struct {
  MlirValue end;
  Values beyond;
} RowEnd;

/// `steps`: as combineSteps has them, to `whole`.
static RowEnd findEnd(CpuLowering *l, const Combine *c, const CpuChunk *chunk,
                      const CpuIndex *steps, int64_t whole) {
  RowEnd found = {.end = {NULL}};
  MlirValue reach = cpuI64(l, 0);
  if (chunk->fast || l->checks) return found;
  for (int i = 0; i < c->numSources; ++i) {
    MlirOperation op = tileValueGetOp(c->sources[i]);
    bool isOne = !mlirOperationIsNull(op) && tileOpIs(op, "arith.constant") && !tileIsTable(op);
    MlirValue own =
        isOne ? cpuI64(l, 0) : cpuFindBeyond(l, c->sources[i], c->axis, steps->lane == c->axis);
    if (mlirValueIsNull(own)) return found;
    reach = tileBuildBinary(&l->at, "arith.maxsi", reach, own);
  }
  CpuIndex last = *steps;
  if (last.lane == c->axis) last.lane = -1;
  last.base[c->axis] = cpuI64(l, c->extent - 1);
  CpuChunk one = {.l = l, .width = last.lane < 0 ? 0 : c->width, .tail = chunk->tail};
  for (int i = 0; i < c->numSources; ++i) {
    CpuLanes value = cpuEval(&one, c->sources[i], &last);
    one.width = c->width;
    MlirType element = tileElementType(mlirValueGetType(c->sources[i]));
    found.beyond.of[i] = cpuToVector(&one, value, element);
    one.width = last.lane < 0 ? 0 : c->width;
  }
  found.end = tileBuildBinary(&l->at, "arith.minsi", cpuI64(l, whole), reach);
  return found;
}

/// i1: are two values of the sources the same, to the bit?
static MlirValue isSame(CpuLowering *l, const Combine *c, const Values *a, const Values *b) {
  MlirValue all = {NULL};
  for (int i = 0; i < c->numSources; ++i) {
    MlirType type = mlirValueGetType(a->of[i]);
    MlirValue x = a->of[i], y = b->of[i];
    if (tileTypeIsFloat(tileElementType(type))) {
      int bits = tileBitWidth(tileElementType(type));
      type = tileVectorType(c->width, mlirIntegerTypeGet(l->context, (unsigned)bits));
      x = tileBuildUnary(&l->at, "arith.bitcast", type, x);
      y = tileBuildUnary(&l->at, "arith.bitcast", type, y);
    }
    all = cpuBoth(l, all, tileBuildCmpi(&l->at, TILE_EQ, x, y));
  }
  return cpuReduceMask(l, all, "and");
}

/// Combines `all` with what is beyond, in as many steps as there are from `range[0]` to `range[1]`
/// by `range[2]`; or in one, where a second one changes nothing: so it is of 0 that is added, of a
/// maximum, of a weight of 0.
static Values combineBeyond(CpuLowering *l, const Combine *c, Values all, Values beyond,
                            const MlirValue range[3]) {
  Values once = combine(l, c, all, beyond, c->width);
  Values twice = combine(l, c, once, beyond, c->width);
  MlirValue first = tileBuildBinary(&l->at, "arith.addi", range[0], range[2]);
  first = tileBuildBinary(&l->at, "arith.minsi", first, range[1]);
  MlirValue to = tileBuildSelect(&l->at, isSame(l, c, &once, &twice), first, range[1]);
  CpuLoop loop;
  cpuBeginLoop(l, &loop, range[0], to, range[2], c->numSources, all.of);
  all = combine(l, c, all, beyond, c->width);
  cpuEndLoop(l, &loop, c->numSources, all.of);
  return all;
}

/// How many elements of the axis a step takes: a chunk where the lanes of `index` run along it.
static int64_t unitOf(const Combine *c, const CpuIndex *index) {
  return index->lane == c->axis ? c->width : 1;
}

/// Steps along the axis, `parts` of them at once, from `from` to `to`.
static void combineLoop(CpuLowering *l, const Combine *c, const CpuChunk *chunk, bool fast,
                        CpuIndex *index, const MlirValue range[3], int parts, MlirValue *carried) {
  CpuLoop loop;
  int n = c->numSources;
  int64_t unit = unitOf(c, index);
  MlirValue at = cpuBeginLoop(l, &loop, range[0], range[1], range[2], parts * n, carried);
  for (int p = 0; p < parts; ++p) {
    Values before = {0};
    for (int i = 0; i < n; ++i) before.of[i] = carried[p * n + i];
    MlirValue offset = cpuI64(l, p * unit);
    index->base[c->axis] = p ? tileBuildBinary(&l->at, "arith.addi", at, offset) : at;
    Values next = evalSources(l, c, fast, index, chunk->tail);
    Values after = combine(l, c, before, next, c->width);
    for (int i = 0; i < n; ++i) carried[p * n + i] = after.of[i];
  }
  cpuEndLoop(l, &loop, parts * n, carried);
}

/// How many accumulators `steps` of the axis are combined in: so many do not wait for each other.
static int countParts(const Combine *c, int64_t steps) {
  int most = c->numSources == 1 ? MAX_PARTS : c->numSources <= 3 ? 2 : 1;
  while (steps % most) most /= 2;
  return most;
}

static void evalParts(CpuLowering *l, const Combine *c, const CpuChunk *chunk, bool fast,
                      CpuIndex *index, int parts, MlirValue *carried) {
  int64_t unit = unitOf(c, index);
  for (int p = 0; p < parts; ++p) {
    index->base[c->axis] = cpuI64(l, p * unit);
    Values first = evalSources(l, c, fast, index, chunk->tail);
    for (int i = 0; i < c->numSources; ++i) carried[p * c->numSources + i] = first.of[i];
  }
}

/// What each accumulator begins with, of the first steps; without masks, if they are known to be on
/// so far:
///
///   %first:4 = scf.if %known >= 4 { 4 loads } else { 4 masked loads }
static void beginParts(CpuLowering *l, const Combine *c, const CpuChunk *chunk, CpuIndex *index,
                       int parts, MlirValue *carried) {
  if (mlirValueIsNull(chunk->known)) {
    evalParts(l, c, chunk, chunk->fast, index, parts, carried);
    return;
  }
  MlirType types[MAX_PARTS * MAX_SOURCES];
  int count = parts * c->numSources;
  for (int i = 0; i < count; ++i) {
    MlirType element = tileElementType(mlirValueGetType(c->sources[i % c->numSources]));
    types[i] = tileVectorType(c->width, cpuRegisterType(l, element));
  }
  MlirValue least = cpuI64(l, parts * unitOf(c, index));
  MlirValue isKnown = tileBuildCmpi(&l->at, TILE_SGE, chunk->known, least);
  MlirOperation made = tileBuildIf(&l->at, isKnown, count, types, true);
  TileBuilder outside = l->at;
  for (int i = 0; i < 2; ++i) {
    l->at = tileBuilderAtEnd(tileBody(made, i), outside.location);
    evalParts(l, c, chunk, i == 0, index, parts, carried);
    tileBuildOp(&l->at, "scf.yield", count, carried, TILE_NONE, TILE_NONE, 0);
  }
  l->at = outside;
  for (int i = 0; i < count; ++i) carried[i] = mlirOperationGetResult(made, i);
}

/// What has no lane beyond `whole` along the axis, in one vector for each source: chunks of the
/// axis where the lanes of `index` run along it, else element by element.
static Values combineSteps(CpuLowering *l, const Combine *c, const CpuChunk *chunk, CpuIndex *index,
                           int64_t whole) {
  int64_t unit = unitOf(c, index), steps = whole / unit;
  MlirValue carried[MAX_PARTS * MAX_SOURCES];
  int n = c->numSources, parts = countParts(c, steps);
  RowEnd end = {.end = {NULL}};
  if (steps > parts) end = findEnd(l, c, chunk, index, whole);
  beginParts(l, c, chunk, index, parts, carried);
  if (steps > parts) {
    MlirValue step = cpuI64(l, parts * unit), range[] = {step, cpuI64(l, whole), step};
    if (!mlirValueIsNull(chunk->known)) {
      MlirValue known = cpuRoundDown(l, chunk->known, step);
      range[1] = tileBuildBinary(&l->at, "arith.maxsi", known, step);
      combineLoop(l, c, chunk, true, index, range, parts, carried);
      range[0] = range[1];
    }
    range[1] = mlirValueIsNull(end.end) ? cpuI64(l, whole) : end.end;
    combineLoop(l, c, chunk, chunk->fast, index, range, parts, carried);
  }
  Values result = {0};
  for (int p = 0; p < parts; ++p) {
    Values part = {0};
    for (int i = 0; i < n; ++i) part.of[i] = carried[p * n + i];
    result = p ? combine(l, c, result, part, c->width) : part;
  }
  if (mlirValueIsNull(end.end)) return result;
  MlirValue step = cpuI64(l, parts * unit), zero = cpuI64(l, 0);
  MlirValue last = tileBuildBinary(&l->at, "arith.maxsi", end.end, step);
  if (!mlirValueIsNull(chunk->known))
    last = tileBuildBinary(&l->at, "arith.maxsi", last, cpuRoundDown(l, chunk->known, step));
  last = tileBuildBinary(&l->at, "arith.ceildivsi", last, step);
  last = tileBuildBinary(&l->at, "arith.muli", last, step);
  MlirValue left = tileBuildBinary(&l->at, "arith.subi", cpuI64(l, whole), last);
  left = tileBuildBinary(&l->at, "arith.maxsi", left, zero);
  return combineBeyond(l, c, result, end.beyond, (MlirValue[]){zero, left, cpuI64(l, unit)});
}

static Values combineRow(const CpuChunk *chunk, const Combine *c, const CpuIndex *row) {
  CpuLowering *l = chunk->l;
  int64_t whole = c->extent / c->width * c->width, rest = c->extent - whole;
  CpuIndex index = sourceIndex(c, row, cpuI64(l, 0));
  index.lane = c->rank - 1;
  MlirValue tail = {NULL};
  if (rest) tail = cpuFirstLanes(l, c->width, rest);
  if (!whole) {
    Values vectors = evalSources(l, c, chunk->fast, &index, tail);
    Values result = lanes(l, c, vectors, 0);
    for (int64_t i = 1; i < rest; ++i) result = combine(l, c, result, lanes(l, c, vectors, i), 0);
    return result;
  }
  Values all = combineSteps(l, c, chunk, &index, whole);
  if (rest) {
    index.base[c->rank - 1] = cpuI64(l, whole);
    Values last = evalSources(l, c, chunk->fast, &index, tail);
    Values with = combine(l, c, all, last, c->width);
    for (int i = 0; i < c->numSources; ++i)
      all.of[i] = tileBuildSelect(&l->at, tail, with.of[i], all.of[i]);
  }
  for (int64_t by = c->width / 2; by > 1; by /= 2)
    all = combine(l, c, all, rotate(l, c, all, by), c->width);
  return combine(l, c, lanes(l, c, all, 0), lanes(l, c, all, 1), 0);
}

static void reduceRow(CpuChunk *chunk, const CpuIndex *row, void *data) {
  Combine *c = data;
  writeResults(chunk->l, c, row, combineRow(chunk, c, row));
}

//===- along another dimension --------------------------------------------===//

static void reduceColumns(CpuChunk *chunk, const CpuIndex *columns, void *data) {
  CpuLowering *l = chunk->l;
  Combine *c = data;
  CpuIndex index = sourceIndex(c, columns, cpuI64(l, 0));
  writeResults(l, c, columns, combineSteps(l, c, chunk, &index, c->extent));
}

//===- scans --------------------------------------------------------------===//

/// Along the axis in order; `other` is a chunk of the other dimensions, with lanes or without.
static void scanLine(CpuChunk *chunk, const CpuIndex *other, void *data) {
  CpuLowering *l = chunk->l;
  Combine *c = data;
  int64_t last = c->extent - 1;
  MlirValue first = cpuI64(l, c->reverse ? last : 0);
  CpuIndex index = sourceIndex(c, other, first);
  Values all = evalSources(l, c, chunk->fast, &index, chunk->tail);
  writeResults(l, c, &index, all);
  if (!last) return;
  CpuLoop loop;
  MlirValue one = cpuI64(l, 1), to = cpuI64(l, c->extent);
  MlirValue at = cpuBeginLoop(l, &loop, one, to, one, c->numSources, all.of);
  if (c->reverse) {
    MlirValue end = cpuI64(l, last);
    at = tileBuildBinary(&l->at, "arith.subi", end, at);
  }
  index.base[c->axis] = at;
  Values next = evalSources(l, c, chunk->fast, &index, chunk->tail);
  all = combine(l, c, all, next, index.lane < 0 ? 0 : c->width);
  writeResults(l, c, &index, all);
  cpuEndLoop(l, &loop, c->numSources, all.of);
}

/// Masks of the lanes that have nobody at a distance of 1, 2, 4 .. before them, or of those that
/// have somebody behind. LLVM must not know them: in lanes that it knows nobody asks for it leaves
/// what is in a register, and the processor takes a hundred cycles for an addition or product of
/// what happens to be a denormal number.
static void findMasks(CpuLowering *l, const Combine *c, MlirValue masks[8]) {
  MlirType i32 = tileI32(l->context);
  MlirValue place = cpuAllocateStack(l, i32, 1), null = {NULL};
  cpuStore(l, place, i32, cpuInt(l, i32, 1), null);
  MlirAttribute align = mlirIntegerAttrGet(tileI64(l->context), 4);
  MlirAttribute isVolatile = mlirUnitAttrGet(l->context);
  MlirValue one =
      tileResult(tileBuildOp(&l->at, "llvm.load", TILE_VALUES(place), 1, &i32,
                             TILE_ATTRS({"alignment", align}, {"volatile_", isVolatile}), 0));
  MlirType type = tileVectorType(c->width, i32);
  MlirValue lanes = cpuSteps(l, i32, c->width, 1);
  for (int64_t by = 1, i = 0; by < c->width; by *= 2, ++i) {
    int64_t first = c->reverse ? c->width - by : by;
    MlirValue end = tileBuildBinary(&l->at, "arith.muli", one, cpuInt(l, i32, first));
    end = tileBuildUnary(&l->at, "vector.broadcast", type, end);
    masks[i] = tileBuildCmpi(&l->at, TILE_SLT, lanes, end);
  }
}

/// Every lane combined with those before it, or behind it.
static Values scanLanes(CpuLowering *l, const Combine *c, const MlirValue masks[8], Values all) {
  for (int64_t by = 1; by < c->width; by *= 2, ++masks) {
    int64_t order[MAX_LANES];
    for (int64_t i = 0; i < c->width; ++i) {
      int64_t from = c->reverse ? i + by : i - by;
      order[i] = from >= 0 && from < c->width ? from : i;
    }
    Values with = combine(l, c, shuffle(l, c, all, order), all, c->width);
    for (int i = 0; i < c->numSources; ++i)
      all.of[i] = tileBuildSelect(&l->at, *masks, c->reverse ? with.of[i] : all.of[i],
                                  c->reverse ? all.of[i] : with.of[i]);
  }
  return all;
}

/// A row, chunk by chunk; `row` is of the other dimensions.
static void scanRow(CpuChunk *chunk, const CpuIndex *row, void *data) {
  CpuLowering *l = chunk->l;
  Combine *c = data;
  int last = c->rank - 1;
  int64_t whole = c->extent / c->width, rest = c->extent % c->width, order[MAX_LANES];
  MlirValue null = {NULL}, width = cpuI64(l, c->width), end = cpuI64(l, (whole - 1) * c->width);
  CpuIndex index = sourceIndex(c, row, c->reverse ? end : cpuI64(l, 0));
  index.lane = last;
  MlirValue masks[8];
  findMasks(l, c, masks);
  Values all = scanLanes(l, c, masks, evalSources(l, c, chunk->fast, &index, null));
  writeResults(l, c, &index, all);
  for (int64_t i = 0; i < c->width; ++i) order[i] = c->reverse ? 0 : c->width - 1;
  if (whole > 1) {
    CpuLoop loop;
    MlirValue at =
        cpuBeginLoop(l, &loop, width, cpuI64(l, whole * c->width), width, c->numSources, all.of);
    index.base[last] = c->reverse ? tileBuildBinary(&l->at, "arith.subi", end, at) : at;
    Values next = scanLanes(l, c, masks, evalSources(l, c, chunk->fast, &index, null));
    all = combine(l, c, shuffle(l, c, all, order), next, c->width);
    writeResults(l, c, &index, all);
    cpuEndLoop(l, &loop, c->numSources, all.of);
  }
  if (!rest) return;
  index.base[last] = cpuI64(l, whole * c->width);
  MlirValue tail = cpuFirstLanes(l, c->width, rest);
  Values next = scanLanes(l, c, masks, evalSources(l, c, chunk->fast, &index, tail));
  writeResults(l, c, &index, combine(l, c, shuffle(l, c, all, order), next, c->width));
}

//===- both ops -----------------------------------------------------------===//

/// Fills in what reduce and scan share; false after an error.
static bool begin(CpuLowering *l, MlirOperation op, intptr_t numSources, int64_t axis, Combine *c) {
  *c = (Combine){.op = op, .region = tileBody(op, 0), .numSources = (int)numSources};
  if (numSources > MAX_SOURCES) {
    cpuFail(l, op, "at most eight operands");
    return false;
  }
  int64_t shape[CPU_MAX_RANK];
  c->axis = (int)axis;
  c->width = l->vectorBits / 32;
  for (int i = 0; i < c->numSources; ++i) {
    c->sources[i] = tileOperand(op, i);
    MlirType type = mlirValueGetType(c->sources[i]);
    c->rank = tileShape(type, shape);
    int64_t width = cpuLanes(l, tileElementType(type));
    if (width < c->width) c->width = width;
  }
  c->extent = shape[axis];
  return true;
}

/// The dimensions beside the axis; their lanes, if any, run along the last.
static CpuNest otherDimensions(const Combine *c, bool hasLanes) {
  int64_t shape[CPU_MAX_RANK];
  tileShape(mlirValueGetType(c->sources[0]), shape);
  CpuNest nest = {.rank = c->rank - 1, .width = c->width};
  for (int d = 0; d < nest.rank; ++d) nest.shape[d] = shape[d < c->axis ? d : d + 1];
  nest.lane = hasLanes ? nest.rank - 1 : -1;
  return nest;
}

/// Do the sources of a reduction along the last dimension lie along the one before, so that lanes
/// are rows?
static bool liesAlongColumns(CpuLowering *l, const Combine *c) {
  int last = c->rank - 1;
  int64_t shape[CPU_MAX_RANK];
  tileShape(mlirValueGetType(c->sources[0]), shape);
  if (last < 1 || shape[last - 1] < c->width) return false;
  for (int i = 0; i < c->numSources; ++i)
    if (!cpuLiesAcross(l, c->sources[i], last, last - 1)) return false;
  return true;
}

void cpuLowerReduce(CpuLowering *l, MlirOperation op) {
  Combine c;
  if (!begin(l, op, tileReduceGetNumSources(op), tileReduceGetAxis(op), &c)) return;
  for (int i = 0; i < c.numSources; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (tileTypeIsTile(type)) {
      c.results[i] = cpuAllocateBuffer(l, type, (MlirType){NULL});
    } else {
      c.results[i].element = type;
      c.results[i].pointer = cpuAllocateStack(l, type, 1);
    }
  }
  bool isLast = c.axis == c.rank - 1 && !liesAlongColumns(l, &c);
  CpuNest nest = otherDimensions(&c, !isLast);
  nest.reducesLast = c.axis == c.rank - 1;
  nest.walks = true;
  nest.axis = c.axis;
  nest.rootLane = isLast ? c.axis : nest.lane + (nest.lane >= c.axis);
  // Where lanes run along a third dimension, nothing tells a row of the axis from one of another.
  nest.steps = isLast ? c.extent / c.width : c.rank == 2 ? c.extent : 0;
  MlirValue null = {NULL};
  cpuStraightNest(l, &nest, c.numSources, c.sources, null, isLast ? reduceRow : reduceColumns, &c);
  if (l->failed) return;
  for (int i = 0; i < c.numSources; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (tileTypeIsTile(mlirValueGetType(result)))
      cpuSetBuffer(l, result, c.results[i], true);
    else
      cpuSetScalar(l, result,
                   cpuLoad(l, c.results[i].pointer, c.results[i].element, 0, null, null));
  }
}

void cpuLowerScan(CpuLowering *l, MlirOperation op) {
  Combine c;
  if (!begin(l, op, tileScanGetNumSources(op), tileScanGetAxis(op), &c)) return;
  c.reverse = !mlirAttributeIsNull(tileAttr(op, "reverse"));
  for (int i = 0; i < c.numSources; ++i)
    c.results[i] =
        cpuAllocateBuffer(l, mlirValueGetType(mlirOperationGetResult(op, i)), (MlirType){NULL});
  bool isLast = c.axis == c.rank - 1;
  CpuNest nest = otherDimensions(&c, !isLast);
  MlirValue null = {NULL};
  if (isLast && c.extent >= c.width && !(c.reverse && c.extent % c.width))
    cpuStraightNest(l, &nest, c.numSources, c.sources, null, scanRow, &c);
  else
    cpuVersionedNest(l, &nest, c.numSources, c.sources, null, scanLine, &c);
  for (int i = 0; i < c.numSources; ++i)
    cpuSetBuffer(l, mlirOperationGetResult(op, i), c.results[i], true);
}
