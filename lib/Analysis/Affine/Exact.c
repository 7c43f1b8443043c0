//===- Exact.c - numbers that are what their polynomials say --------------===//
//
// Sums, differences and products are computed modulo 2^n, of n bits. What is computed of numbers
// that agree with their polynomials modulo 2^n agrees with its own, too, whatever wrapped on the
// way: so a number is its polynomial where that fits n bits. What is compared, divided, made a
// number of more bits, or bounds a loop has to fit by itself.
//
// Where a loop around runs, its bound was above where it begins, and so was what that is a quotient
// of: such a number has not wrapped to below 0.
//
// Taken to be exact without a proof is what tile.grid computes, as a launch of another grid is none
// of the kernel; and a launch is taken to have fewer than 2^31 programs.
//
//===----------------------------------------------------------------------===//
#include "Affine.h"
#include "tile/Support/ValueSearch.h"
#include <string.h>

typedef struct {
  TileAffine *a;
  TileValueSearch modulo; ///< what has to agree with its polynomial modulo 2^n
  TileValueSearch whole;  ///< and fit
} Search;

static void addWhole(Search *s, MlirValue value) {
  tileValueSearchAdd(&s->modulo, value);
  tileValueSearchAdd(&s->whole, value);
}

static void addOperands(Search *s, MlirOperation op, bool whole) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (whole)
      addWhole(s, tileOperand(op, i));
    else
      tileValueSearchAdd(&s->modulo, tileOperand(op, i));
}

/// Is `poly` a scalar that is known by its value alone?
static bool isOpaque(const TileAffine *a, const TilePoly *poly) {
  if (poly->count != 1 || poly->terms[0].degree != 1 || poly->terms[0].coefficient != 1)
    return false;
  int symbol = poly->terms[0].symbols[0];
  return symbol >= AFFINE_FIRST_SCALAR && affineSymbol(a, symbol)->kind == AFFINE_OPAQUE;
}

static void lookAtArgument(Search *s, MlirValue value) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation parent = mlirBlockGetParentOperation(block);
  intptr_t number = mlirBlockArgumentGetArgNumber(value);
  if (!tileOpIs(parent, "scf.for")) return;
  for (int i = 0; i < TILE_FOR_INITS; ++i) addWhole(s, tileOperand(parent, i));
  if (number == 0) return;
  tileValueSearchAdd(&s->modulo, tileForGetInit(parent, number - 1));
  tileValueSearchAdd(&s->modulo, tileOperand(mlirBlockGetTerminator(block), number - 1));
}

static void lookAt(Search *s, MlirValue value) {
  TilePoly poly = affineOf(s->a, value);
  if (isOpaque(s->a, &poly)) return;
  if (mlirValueIsABlockArgument(value)) {
    lookAtArgument(s, value);
    return;
  }
  MlirOperation op = tileValueGetOp(value);
  addOperands(s, op, tileOpIsOfDialect(op, "arith") && !tileOpIsModular(op));
}

/// Does tile.grid compute it?
static bool isOfGrid(TileAffine *a, const TilePoly *poly) {
  TILE_FOR_EACH_OP(op, tileBody(a->func, 0)) {
    if (!tileOpIsAGrid(op)) continue;
    TILE_FOR_EACH_OP(of, tileBody(op, 0)) {
      if (mlirOperationGetNumResults(of) != 1) continue;
      TilePoly known = affineOf(a, tileResult(of));
      if (polyEqual(&known, poly)) return true;
    }
  }
  return false;
}

/// Is `poly` no more than there are programs?
static bool isProgram(TileAffine *a, const TilePoly *poly, int width) {
  TilePoly all = polyConstant(1);
  for (int i = 0; i < 3; ++i) all = polyMul(&all, &a->grid[i]);
  TilePoly room = polySub(&all, poly);
  return width >= 32 && tileAffineIsNonNegative(a, &room);
}

/// Is `poly` no more, or, of `isMost` false, no less than one of its symbols, of `width` bits?
static bool isWithinSymbol(TileAffine *a, const TilePoly *poly, int width, bool isMost) {
  for (int i = 0; i < poly->count; ++i) {
    const TileTerm *term = &poly->terms[i];
    if (term->degree != 1 || term->coefficient != 1 || term->symbols[0] < AFFINE_FIRST_SCALAR ||
        affineWidth(affineSymbol(a, term->symbols[0])->values[0]) > width)
      continue;
    TilePoly symbol = polyOfTerm(term);
    TilePoly room = isMost ? polySub(&symbol, poly) : polySub(poly, &symbol);
    if (tileAffineIsNonNegative(a, &room)) return true;
  }
  return false;
}

/// Is `poly`, of `width` bits, no less than what these hold, or, `isMost`, no more?
static bool isWithin(TileAffine *a, const TilePoly *poly, int width, bool isMost) {
  int64_t end = INT64_C(1) << (width < 62 ? width - 1 : 60); // of 64 bits far less
  AffineInterval is = affineInterval(a, poly);
  if (isMost ? is.max < end : is.min >= -end) return true;
  TilePoly bound = polyConstant(isMost ? end - 1 : -end);
  TilePoly room = isMost ? polySub(&bound, poly) : polySub(poly, &bound);
  return tileAffineIsNonNegative(a, &room) || isWithinSymbol(a, poly, width, isMost) ||
         (isMost && isProgram(a, poly, width)) || isOfGrid(a, poly);
}

/// The number that `op` adds to, subtracts from or divides its first operand by; false where it is
/// another op.
static bool constantOf(MlirOperation op, const char *name, int64_t *by) {
  return tileOpIs(op, name) && tileConstantInt(tileOperand(op, 1), by);
}

/// What `of` is computed of, and that it is `least` or more, if `of` is, in numbers that do not
/// wrap; null where nothing is known of that.
static MlirValue behind(const TileAffine *a, MlirValue of, int64_t *least) {
  MlirValue none = {NULL};
  MlirOperation op = tileValueGetOp(of);
  int64_t by;
  if (mlirOperationIsNull(op)) return none;
  if (constantOf(op, "arith.addi", &by)) {
    const TileAxisInfo *info = tileAxisAnalysisGet(a->axes, tileOperand(op, 0));
    int64_t end = INT64_C(1) << (affineWidth(of) < 62 ? affineWidth(of) - 1 : 61), min, max;
    if (__builtin_add_overflow(info->min, by, &min) || min < -end ||
        __builtin_add_overflow(info->max, by, &max) || max >= end ||
        __builtin_sub_overflow(*least, by, least))
      return none;
    return tileOperand(op, 0);
  }
  bool isQuotient = constantOf(op, "arith.divsi", &by) || constantOf(op, "arith.ceildivsi", &by);
  if (!isQuotient || by < 1 || *least < 1) return none;
  *least = 1;
  return tileOperand(op, 0);
}

/// Is `value` above 0 wherever the access is, since loops around that have a step?
static bool isAboveZero(const TileAffine *a, MlirValue value) {
  if (mlirOperationIsNull(a->access)) return false;
  MlirOperation loop = mlirOperationGetParentOperation(a->access);
  for (; !tileOpIsIsolated(loop); loop = mlirOperationGetParentOperation(loop)) {
    if (!tileOpIs(loop, "scf.for") || !mlirAttributeIsNull(tileAttr(loop, "unsignedCmp"))) continue;
    int64_t least = tileAxisAnalysisGet(a->axes, tileForGetLower(loop))->min;
    if (__builtin_add_overflow(least, 1, &least)) continue;
    for (MlirValue of = tileForGetUpper(loop); !mlirValueIsNull(of); of = behind(a, of, &least))
      if (mlirValueEqual(of, value)) return least > 0;
  }
  return false;
}

/// Is the polynomial of `value`, at each position, no less than its type's numbers are, where
/// `isLeast` asks, and no more, where `isMost` does? One that fits, and is so modulo 2^n, is exact.
static bool fits(TileAffine *a, MlirValue value, bool isLeast, bool isMost) {
  TilePoly poly = affineOf(a, value);
  int width = affineWidth(value);
  int64_t before[TILE_MAX_RANK];
  memcpy(before, a->extents, sizeof before);
  tileShape(mlirValueGetType(value), a->extents);
  bool isPositive =
      width < 62 && isAboveZero(a, value) && affineInterval(a, &poly).max < INT64_C(1) << width;
  bool does = poly.valid && (!isLeast || isWithin(a, &poly, width, false)) &&
              (!isMost || isPositive || isWithin(a, &poly, width, true));
  memcpy(a->extents, before, sizeof before);
  return does;
}

/// Is `value`, an integer or a tile of them, its polynomial modulo 2^n, of n bits?
static bool isExactModulo(TileAffine *a, MlirValue value) {
  Search s = {.a = a};
  tileValueSearchAdd(&s.modulo, value);
  while (s.modulo.count) lookAt(&s, s.modulo.stack[--s.modulo.count]);
  bool exact = true;
  while (s.whole.count && exact) exact = fits(a, s.whole.stack[--s.whole.count], true, true);
  tileValueSearchClear(&s.modulo);
  tileValueSearchClear(&s.whole);
  return exact;
}

bool tileAffineAlwaysHolds(TileAffine *affine, MlirOperation comparison, bool *mayWrap) {
  int64_t predicate = tileIntAttr(comparison, "predicate", -1), before[TILE_MAX_RANK];
  bool isStrict = predicate == TILE_SLT || predicate == TILE_SGT;
  bool isSwapped = predicate == TILE_SGT || predicate == TILE_SGE;
  if (mayWrap) *mayWrap = false;
  if (!isStrict && !isSwapped && predicate != TILE_SLE) return false;
  TilePoly x = affineOf(affine, tileOperand(comparison, isSwapped));
  TilePoly y = affineOf(affine, tileOperand(comparison, !isSwapped));
  TilePoly strict = polyConstant(isStrict), room = polySub(&y, &x), left = polySub(&room, &strict);
  memcpy(before, affine->extents, sizeof before);
  tileShape(mlirValueGetType(tileResult(comparison)), affine->extents);
  bool holds = tileAffineIsNonNegative(affine, &left);
  memcpy(affine->extents, before, sizeof before);
  // The lesser one is no more than the greater one, and what fits above bounds both.
  MlirValue lesser = tileOperand(comparison, isSwapped),
            greater = tileOperand(comparison, !isSwapped);
  bool isExact = holds && isExactModulo(affine, lesser) && isExactModulo(affine, greater) &&
                 fits(affine, lesser, true, false) && fits(affine, greater, false, true);
  if (mayWrap) *mayWrap = holds && !isExact;
  return isExact;
}

/// That `loop`, an scf.for, has a step: its upper bound less its lower one and 1 is >= 0.
static TilePoly stepOf(TileAffine *a, MlirOperation loop) {
  TilePoly lower = affineOf(a, tileForGetLower(loop)), upper = affineOf(a, tileForGetUpper(loop));
  TilePoly one = polyConstant(1), room = polySub(&upper, &lower);
  return polySub(&room, &one);
}

/// Are both bounds of `loop`, an scf.for that counts numbers with a sign, what their polynomials
/// say?
static bool hasExactBounds(TileAffine *a, MlirOperation loop) {
  bool exact = mlirAttributeIsNull(tileAttr(loop, "unsignedCmp"));
  for (int i = 0; i < 2 && exact; ++i)
    exact = isExactModulo(a, tileOperand(loop, i)) && fits(a, tileOperand(loop, i), true, true);
  return exact;
}

/// Promises that each loop around `loop` has a step, the outermost first: of what those promise is
/// what the others' bounds are.
static void promiseSteps(TileAffine *a, MlirOperation loop) {
  MlirOperation outer = mlirOperationGetParentOperation(loop);
  if (tileOpIsIsolated(outer)) return;
  promiseSteps(a, outer);
  if (!tileOpIs(outer, "scf.for")) return;
  // What is asked about is in the loop's body.
  a->access = mlirBlockGetFirstOperation(tileBody(outer, 0));
  if (hasExactBounds(a, outer)) affinePromise(a, stepOf(a, outer), tileBody(outer, 0));
}

bool tileAffineHasStep(TileAffine *affine, MlirOperation loop) {
  size_t before = affine->numPromises;
  MlirOperation access = affine->access;
  affine->rounds = true;
  promiseSteps(affine, loop);
  affine->access = loop;
  TilePoly step = stepOf(affine, loop);
  bool holds = tileAffineIsNonNegative(affine, &step) && hasExactBounds(affine, loop);
  affine->access = access;
  affine->rounds = false;
  affine->numPromises = before;
  return holds;
}
