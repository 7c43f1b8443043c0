//===- AffineValues.c - the polynomials of values -------------------------===//
#include "Affine.h"
#include "tile/Support/Grow.h"
#include <stdlib.h>
#include <string.h>

static void *allocate(void *old, size_t size) {
  void *memory = realloc(old, size);
  if (!memory) abort();
  return memory;
}

//===- symbols ------------------------------------------------------------===//

static int addSymbol(TileAffine *a, AffineSymbol symbol) {
  if (a->numSymbols == a->capacity) {
    a->capacity = a->capacity ? 2 * a->capacity : 64;
    a->symbols = allocate(a->symbols, sizeof *a->symbols * (size_t)a->capacity);
  }
  a->symbols[a->numSymbols] = symbol;
  return AFFINE_FIRST_SCALAR + a->numSymbols++;
}

/// Is `x`, found in another place, the same number as `y`?
static bool sameSymbol(const AffineSymbol *x, const AffineSymbol *y) {
  if (x->kind != y->kind || x->number != y->number) return false;
  if (x->kind == AFFINE_OPAQUE || x->kind == AFFINE_INDUCTION)
    return mlirValueEqual(x->values[0], y->values[0]);
  return x->kind < AFFINE_INDUCTION || (polyEqual(&x->operands[0], &y->operands[0]) &&
                                        polyEqual(&x->operands[1], &y->operands[1]));
}

/// The symbol that is `value`, which `symbol` describes.
static TilePoly symbolOf(TileAffine *a, MlirValue value, AffineSymbol symbol) {
  symbol.values[0] = value;
  symbol.numValues = 1;
  for (int i = 0; i < a->numSymbols; ++i) {
    AffineSymbol *known = &a->symbols[i];
    if (!sameSymbol(known, &symbol)) continue;
    bool listed = false;
    for (int k = 0; k < known->numValues; ++k) listed |= mlirValueEqual(known->values[k], value);
    if (!listed && known->numValues < AFFINE_PLACES) known->values[known->numValues++] = value;
    return polySymbol(AFFINE_FIRST_SCALAR + i);
  }
  return polySymbol(addSymbol(a, symbol));
}

//===- ops ----------------------------------------------------------------===//

static bool isScalarNumber(MlirType type) {
  return mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type);
}

/// What cannot be taken apart: a scalar is a symbol, a tile is no polynomial.
static TilePoly opaque(TileAffine *a, MlirValue value, AffineSymbol symbol) {
  if (isScalarNumber(mlirValueGetType(value))) return symbolOf(a, value, symbol);
  return polyInvalid(tileValueGetOp(value));
}

/// `number` tells ops of one kind apart.
static TilePoly binary(TileAffine *a, MlirOperation op, AffineKind kind, int number) {
  AffineSymbol symbol = {.kind = kind, .number = number};
  for (int i = 0; i < 2; ++i) {
    symbol.operands[i] = affineOf(a, tileOperand(op, i));
    if (!symbol.operands[i].valid) return opaque(a, tileResult(op), (AffineSymbol){0});
  }
  return opaque(a, tileResult(op), symbol);
}

/// x % n is x where 0 <= x < n.
static TilePoly remainderOf(TileAffine *a, MlirOperation op) {
  TilePoly x = affineOf(a, tileOperand(op, 0)), n = affineOf(a, tileOperand(op, 1));
  MlirType type = mlirValueGetType(tileResult(op));
  if (x.valid && n.valid) {
    int64_t before[TILE_MAX_RANK];
    memcpy(before, a->extents, sizeof before);
    tileShape(type, a->extents);
    TilePoly one = polyConstant(1), last = polySub(&n, &one), room = polySub(&last, &x);
    bool same = tileAffineIsNonNegative(a, &x) && tileAffineIsNonNegative(a, &room);
    memcpy(a->extents, before, sizeof before);
    if (same) return x;
  }
  return binary(a, op, AFFINE_REM, 0);
}

/// x << c
static TilePoly shift(TileAffine *a, MlirOperation op) {
  TilePoly x = affineOf(a, tileOperand(op, 0)), by = affineOf(a, tileOperand(op, 1));
  int64_t c;
  if (x.valid && polyIsConstant(&by, &c) && c >= 0 && c < 62) return polyScale(&x, INT64_C(1) << c);
  return opaque(a, tileResult(op), (AffineSymbol){0});
}

/// Is a number of few bits what its polynomial says? Offsets are taken to be.
static bool isExact(TileAffine *a, MlirValue value, const TilePoly *poly) {
  MlirType type = mlirValueGetType(value);
  int width = affineWidth(value);
  if (width >= TILE_OFFSET_BITS) return true;
  int64_t before[TILE_MAX_RANK], end = INT64_C(1) << (width - 1);
  memcpy(before, a->extents, sizeof before);
  tileShape(type, a->extents);
  AffineInterval is = affineInterval(a, poly);
  memcpy(a->extents, before, sizeof before);
  return is.min >= -end && is.max < end;
}

/// The same number in another type, where it is known to fit.
static TilePoly cast(TileAffine *a, MlirOperation op, bool isSigned) {
  MlirValue from = tileOperand(op, 0);
  int width = affineWidth(tileResult(op));
  const TileAxisInfo *info = tileAxisAnalysisGet(a->axes, from);
  int64_t most = width >= 64 ? INT64_MAX : (INT64_C(1) << (width - 1)) - 1;
  bool fits = info->min >= -most - 1 && info->max <= most && (isSigned || info->min >= 0);
  if (affineWidth(from) == 1 || !fits) return opaque(a, tileResult(op), (AffineSymbol){0});
  TilePoly same = affineOf(a, from);
  bool isSame = same.valid && isExact(a, from, &same);
  return isSame ? same : opaque(a, tileResult(op), (AffineSymbol){0});
}

/// The symbol x / y that belongs to the remainder `rest`, or -1.
static int quotientOf(const TileAffine *a, const AffineSymbol *rest) {
  for (int i = 0; i < a->numSymbols; ++i) {
    const AffineSymbol *s = &a->symbols[i];
    if (s->kind == AFFINE_DIV && s->number == rest->number &&
        polyEqual(&s->operands[0], &rest->operands[0]) &&
        polyEqual(&s->operands[1], &rest->operands[1]))
      return AFFINE_FIRST_SCALAR + i;
  }
  return -1;
}

/// x / y * y + x % y is x.
static TilePoly joinRemainders(const TileAffine *a, TilePoly sum) {
  for (int i = 0; i < sum.count; ++i) {
    const TileTerm term = sum.terms[i];
    if (term.degree != 1 || term.symbols[0] < AFFINE_FIRST_SCALAR) continue;
    const AffineSymbol *rest = affineSymbol(a, term.symbols[0]);
    int quotient = rest->kind == AFFINE_REM ? quotientOf(a, rest) : -1;
    if (quotient < 0) continue;
    TilePoly by = polySymbol(quotient), whole = polyMul(&by, &rest->operands[1]);
    TilePoly remainder = polySymbol(term.symbols[0]), parts = polyAdd(&whole, &remainder);
    TilePoly difference = polySub(&rest->operands[0], &parts);
    TilePoly scaled = polyScale(&difference, term.coefficient), joined = polyAdd(&sum, &scaled);
    if (joined.valid && joined.count < sum.count) return joinRemainders(a, joined);
  }
  return sum;
}

static const struct {
  const char *name;
  AffineKind kind;
} quotients[] = {
    {"arith.divsi", AFFINE_DIV},         {"arith.floordivsi", AFFINE_DIV},
    {"arith.ceildivsi", AFFINE_CEILDIV}, {"arith.minsi", AFFINE_MIN},
    {"arith.maxsi", AFFINE_MAX},
};

static TilePoly arithmetic(TileAffine *a, MlirOperation op) {
  MlirValue result = tileResult(op);
  int64_t constant;
  if (tileConstantInt(result, &constant)) return polyConstant(constant);
  bool isAdd = tileOpIs(op, "arith.addi"), isSub = tileOpIs(op, "arith.subi");
  if (isAdd || isSub || tileOpIs(op, "arith.muli")) {
    TilePoly x = affineOf(a, tileOperand(op, 0)), y = affineOf(a, tileOperand(op, 1));
    TilePoly sum = isAdd ? polyAdd(&x, &y) : isSub ? polySub(&x, &y) : polyMul(&x, &y);
    if (sum.valid) return joinRemainders(a, sum);
    bool isBlamed = !mlirOperationIsNull(sum.blame) && tileTypeIsTile(mlirValueGetType(result));
    return isBlamed ? sum : opaque(a, result, (AffineSymbol){0});
  }
  if (tileOpIs(op, "arith.shli")) return shift(a, op);
  if (tileOpIs(op, "arith.remsi")) return remainderOf(a, op);
  if (tileOpIs(op, "arith.extsi") || tileOpIs(op, "arith.index_cast") ||
      tileOpIs(op, "arith.trunci"))
    return cast(a, op, true);
  if (tileOpIs(op, "arith.extui") || tileOpIs(op, "arith.index_castui")) return cast(a, op, false);
  for (size_t i = 0; i < sizeof quotients / sizeof *quotients; ++i)
    if (tileOpIs(op, quotients[i].name)) return binary(a, op, quotients[i].kind, (int)i);
  return opaque(a, result, (AffineSymbol){0});
}

//===- shapes -------------------------------------------------------------===//

TilePoly affineRemap(const TilePoly *poly, const int map[TILE_MAX_RANK]) {
  if (!poly->valid) return *poly;
  TilePoly result = polyConstant(0);
  for (int i = 0; i < poly->count; ++i) {
    const TileTerm *term = &poly->terms[i];
    TilePoly product = polyConstant(term->coefficient);
    for (int k = 0; k < term->degree; ++k) {
      int symbol = term->symbols[k];
      int to = symbol < AFFINE_FIRST_SCALAR ? map[symbol] : symbol;
      TilePoly factor = to < 0 ? polyConstant(0) : polySymbol(to);
      product = polyMul(&product, &factor);
    }
    result = polyAdd(&result, &product);
  }
  return result;
}

/// A reshape that only adds or drops dimensions of extent 1.
static bool reshapeMap(MlirOperation op, int map[TILE_MAX_RANK]) {
  int64_t from[TILE_MAX_RANK], to[TILE_MAX_RANK];
  int fromRank = tileShape(mlirValueGetType(tileOperand(op, 0)), from);
  int toRank = tileShape(mlirValueGetType(tileResult(op)), to);
  int next = 0;
  for (int d = 0; d < fromRank; ++d) {
    map[d] = -1;
    if (from[d] == 1) continue;
    while (next < toRank && to[next] == 1) ++next;
    if (next == toRank || to[next] != from[d]) return false;
    map[d] = next++;
  }
  return true;
}

bool affineShapeMap(MlirOperation op, int map[TILE_MAX_RANK]) {
  for (int d = 0; d < TILE_MAX_RANK; ++d) map[d] = d;
  if (tileOpIsASplat(op) || tileOpIsAConvertLayout(op)) return true;
  if (tileOpIsAExpandDims(op)) {
    for (int d = (int)tileExpandDimsGetAxis(op); d < TILE_MAX_RANK - 1; ++d) map[d] = d + 1;
    return true;
  }
  if (tileOpIsABroadcast(op)) {
    int64_t from[TILE_MAX_RANK];
    int rank = tileShape(mlirValueGetType(tileOperand(op, 0)), from);
    for (int d = 0; d < rank; ++d)
      if (from[d] == 1) map[d] = -1;
    return true;
  }
  if (tileOpIsATrans(op)) {
    MlirAttribute order = tileTransGetOrderAttr(op);
    for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(order); ++d)
      map[mlirDenseI32ArrayGetElement(order, d)] = (int)d;
    return true;
  }
  return tileOpIsAReshape(op) && reshapeMap(op, map);
}

//===- what loops carry ---------------------------------------------------===//

/// The loop whose body `block` is, or null.
static MlirOperation loopOf(MlirBlock block) {
  MlirOperation op = mlirBlockGetParentOperation(block);
  return !mlirOperationIsNull(op) && tileOpIs(op, "scf.for") ? op : (MlirOperation){NULL};
}

/// Does `poly` keep its value as `loop` runs?
static bool isInvariant(const TileAffine *a, const TilePoly *poly, MlirOperation loop) {
  for (int i = 0; i < poly->count; ++i)
    for (int k = 0; k < poly->terms[i].degree; ++k) {
      int symbol = poly->terms[i].symbols[k];
      if (symbol < AFFINE_FIRST_SCALAR) continue;
      MlirBlock block = tileValueGetBlock(affineSymbol(a, symbol)->values[0]);
      if (tileBlockHolds(tileBody(loop, 0), block)) return false;
    }
  return true;
}

static void forget(TileAffine *a) { tilePointerTableClear(&a->facts); }

/// start + (iv - lower) / step * increment, of a value that becomes itself plus an increment.
static TilePoly carriedOf(TileAffine *a, MlirValue value, MlirOperation loop) {
  intptr_t i = mlirBlockArgumentGetArgNumber(value);
  MlirBlock body = tileBody(loop, 0);
  MlirValue next = tileOperand(mlirBlockGetTerminator(body), i - 1);
  TilePoly lower = affineOf(a, tileForGetLower(loop)), step = affineOf(a, tileForGetStep(loop));
  TilePoly iv = affineOf(a, mlirBlockGetArgument(body, 0));
  TilePoly start = affineOf(a, tileOperand(loop, i + 2));
  if (!start.valid) return start; // a tile or pointer: scalars are symbols at least
  AffineCarried frame = {.value = value, .outer = a->carried};
  frame.symbol = addSymbol(a, (AffineSymbol){.numValues = 1, .values = {value}});
  a->carried = &frame;
  TilePoly now = polySymbol(frame.symbol), after = affineOf(a, next);
  a->carried = frame.outer;
  forget(a); // what was found in terms of the frame's symbol

  TilePoly increment = polySub(&after, &now), trips = polySub(&iv, &lower);
  TilePoly each = polyDivide(&increment, &step);
  TilePoly grown = polyMul(&trips, &each), result = polyAdd(&start, &grown);
  bool linear = result.valid && isInvariant(a, &increment, loop);
  return linear ? result : opaque(a, value, (AffineSymbol){0});
}

/// The upper bound of a loop; where steps of a constant c divide the way to it, that - (c - 1): the
/// last iteration is a whole step in front of the bound.
static TilePoly lastBound(TileAffine *a, const AffineSymbol *iv, MlirOperation loop) {
  TilePoly way = polySub(&iv->operands[1], &iv->operands[0]);
  TilePoly step = affineOf(a, tileForGetStep(loop));
  int64_t c;
  if (!way.valid || !polyIsConstant(&step, &c) || c < 1 || tileAffineDivisor(a, &way) % c != 0)
    return iv->operands[1];
  TilePoly early = polyConstant(c - 1);
  return polySub(&iv->operands[1], &early);
}

static TilePoly argumentOf(TileAffine *a, MlirValue value) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation parent = mlirBlockGetParentOperation(block);
  int number = (int)mlirBlockArgumentGetArgNumber(value);
  if (tileOpIsAGrid(parent)) return affineOf(a, tileOperand(parent, number));
  if (mlirOperationEqual(parent, a->func))
    return symbolOf(a, value, (AffineSymbol){.kind = AFFINE_ARGUMENT, .number = number});
  MlirOperation loop = loopOf(block);
  if (mlirOperationIsNull(loop)) return opaque(a, value, (AffineSymbol){0});
  if (number > 0) return carriedOf(a, value, loop);
  AffineSymbol iv = {.kind = AFFINE_INDUCTION};
  if (!mlirAttributeIsNull(tileAttr(loop, "unsignedCmp"))) iv.kind = AFFINE_OPAQUE;
  for (int i = 0; i < 2 && iv.kind == AFFINE_INDUCTION; ++i)
    iv.operands[i] = affineOf(a, tileOperand(loop, i));
  iv.operands[1] = lastBound(a, &iv, loop);
  return symbolOf(a, value, iv);
}

//===- values -------------------------------------------------------------===//

static TilePoly resultOf(TileAffine *a, MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  int map[TILE_MAX_RANK];
  if (tileOpIsOfDialect(op, "arith") && mlirOperationGetNumResults(op) == 1)
    return arithmetic(a, op);
  if (tileOpIsAProgramId(op))
    return symbolOf(
        a, value,
        (AffineSymbol){.kind = AFFINE_PROGRAM_ID, .number = (int)tileProgramIdGetAxis(op)});
  if (tileOpIsANumPrograms(op)) {
    int64_t axis = tileNumProgramsGetAxis(op);
    if (axis >= 0 && axis < 3 && a->grid[axis].valid) return a->grid[axis];
    return symbolOf(a, value, (AffineSymbol){.kind = AFFINE_NUM_PROGRAMS, .number = (int)axis});
  }
  if (tileOpIsAArange(op))
    return tileNumElements(mlirValueGetType(value)) == 1 ? polyConstant(0) : polySymbol(0);
  if (tileOpIsAAddPtr(op)) {
    TilePoly from = affineOf(a, tileAddPtrGetPtr(op)), by = affineOf(a, tileAddPtrGetOffset(op));
    return polyAdd(&from, &by);
  }
  if (affineShapeMap(op, map)) {
    TilePoly source = affineOf(a, tileOperand(op, 0));
    return affineRemap(&source, map);
  }
  return opaque(a, value, (AffineSymbol){0});
}

TilePoly affineOf(TileAffine *a, MlirValue value) {
  for (AffineCarried *c = a->carried; c; c = c->outer)
    if (mlirValueEqual(c->value, value)) return polySymbol(c->symbol);
  const AffineFact *known = tilePointerTableFind(a->facts, value.ptr);
  if (known) return known->poly;
  TilePoly poly = mlirValueIsABlockArgument(value) ? argumentOf(a, value) : resultOf(a, value);
  // It may have been found again on the way, inside of a loop.
  AffineFact *fact = tilePointerTableAdd(&a->facts, value.ptr, sizeof *fact);
  *fact = (AffineFact){.value = value, .poly = poly};
  return poly;
}

TilePoly affineOfComparison(TileAffine *a, MlirOperation comparison) {
  TilePoly x = affineOf(a, tileOperand(comparison, 0)), y = affineOf(a, tileOperand(comparison, 1));
  int64_t predicate = tileIntAttr(comparison, "predicate", -1);
  bool isStrict = predicate == TILE_SLT || predicate == TILE_SGT || predicate == TILE_ULT;
  bool isSwapped = predicate == TILE_SGT || predicate == TILE_SGE;
  bool isWeak = predicate == TILE_SLE || predicate == TILE_ULE;
  if (!isStrict && !isSwapped && !isWeak) return polyInvalid(comparison);
  TilePoly strict = polyConstant(isStrict);
  TilePoly above = isSwapped ? polySub(&x, &y) : polySub(&y, &x);
  return polySub(&above, &strict);
}

//===- the analysis -------------------------------------------------------===//

/// The counts that tile.grid yields.
static void readGrid(TileAffine *a, MlirBlock entry) {
  for (int i = 0; i < 3; ++i) a->grid[i] = polyInvalid((MlirOperation){NULL});
  TILE_FOR_EACH_OP(op, entry) {
    if (!tileOpIsAGrid(op)) continue;
    MlirOperation yield = mlirBlockGetTerminator(tileBody(op, 0));
    intptr_t count = mlirOperationGetNumOperands(yield);
    for (intptr_t i = 0; i < 3; ++i)
      a->grid[i] = i < count ? affineOf(a, tileOperand(yield, i)) : polyConstant(1);
    return;
  }
}

void affinePromise(TileAffine *a, TilePoly poly, MlirBlock block) {
  if (!poly.valid) return;
  a->promises = tileGrow(a->promises, a->numPromises, &a->promiseCapacity, sizeof *a->promises);
  a->promises[a->numPromises++] = (AffinePromise){poly, block};
}

/// Numbers that are divided, and promised to be >= 0: the first of a tile, since positions are.
static MlirWalkResult readPromise(MlirOperation op, void *data) {
  TileAffine *a = data;
  static const int first[TILE_MAX_RANK] = {-1, -1, -1, -1, -1, -1};
  if (mlirAttributeIsNull(tileAttr(op, "tile.nonnegative"))) return MlirWalkResultAdvance;
  TilePoly all = affineOf(a, tileOperand(op, 0));
  affinePromise(a, affineRemap(&all, first), mlirOperationGetBlock(op));
  return MlirWalkResultAdvance;
}

TileAffine *tileAffineCreate(MlirOperation func, const TileAxisAnalysis *axes,
                             const bool *nonNegative) {
  TileAffine *a = allocate(NULL, sizeof *a);
  *a = (TileAffine){.func = func, .axes = axes};
  for (int d = 0; d < TILE_MAX_RANK; ++d) a->extents[d] = 1;
  MlirBlock entry = tileBody(func, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    AffineSymbol symbol = {.kind = AFFINE_ARGUMENT, .number = (int)i};
    symbol.nonNegative = nonNegative && nonNegative[i];
    symbolOf(a, argument, symbol);
  }
  readGrid(a, entry);
  mlirOperationWalk(func, readPromise, a, MlirWalkPreOrder);
  return a;
}

void tileAffineDestroy(TileAffine *affine) {
  if (!affine) return;
  forget(affine);
  free(affine->symbols);
  free(affine->promises);
  free(affine->seen);
  free(affine);
}

bool tileAffineAreEqual(TileAffine *affine, MlirValue x, MlirValue y) {
  if (mlirValueEqual(x, y)) return true;
  TilePoly px = affineOf(affine, x), py = affineOf(affine, y);
  return px.valid && py.valid && polyEqual(&px, &py);
}

bool tileAffineIsRow(TileAffine *affine, MlirValue tile, int dim, MlirValue row) {
  int map[TILE_MAX_RANK] = {dim};
  TilePoly whole = affineOf(affine, tile), part = affineOf(affine, row);
  part = affineRemap(&part, map);
  return whole.valid && part.valid && polyEqual(&whole, &part);
}

int tileAffineArgument(const TileAffine *affine, const TilePoly *poly) {
  if (!poly->valid || poly->count != 1 || poly->terms[0].degree != 1) return -1;
  if (poly->terms[0].coefficient != 1) return -1;
  int symbol = poly->terms[0].symbols[0];
  return affineIsArgument(affine, symbol) ? affineSymbol(affine, symbol)->number : -1;
}
