//===- Bounds.c - intervals, divisors, and proofs of >= 0 -----------------===//
//
// A polynomial is >= 0 where the interval of its terms says so. Where that is too coarse, as in
// m - 1 - x, what has a negative coefficient is replaced by something it cannot exceed:
//
//   program id     the count of programs - 1
//   x % n          n - 1                          (x >= 0, n > 0)
//   id / d         n - 1                          of n * d programs
//   min(x, y)      x, and y
//   iv             upper bound - 1, or - the step where that divides upper - lower
//   max(x, y)      either of them, and both ways must lead to a proof
//   n / c          exactly n / c                  where the constant c divides n
//
// and for r - g * (x / (g * s)) it is enough that s * r - x + s - 1 >= 0, since the left side times
// s is more than that minus s. With x below r * s, which is what the grid says of a program id,
// that shows that the last group of a grouped order has at least one row.
//
// Of a program of which something is seen (Seen.c), where no grid tells how many there are, it is
// enough that the polynomial is no less than what holds of such; and of k * (y / c) + r, for
// constants c and k, that k * (y - c + 1) + c * r + c - 1 >= 0.
//
// A divisor is not 0: dividing by 0 is undefined.
//
//===----------------------------------------------------------------------===//
#include "Affine.h"
#include "tile/OpTraits.h"
#include <string.h>

/// SIDE_DEPTH: of a question that comes up in a proof.
enum { MAX_DEPTH = 8, SIDE_DEPTH = 4, MAX_STEPS = 300 };
/// A power of two, which divides 0, and half of what a sum of two has room for. The least number of
/// an interval that is -FAR, and the greatest that is FAR, are anything.
#define FAR (INT64_C(1) << 61)

static bool prove(TileAffine *a, const TilePoly *poly, int depth);

//===- intervals ----------------------------------------------------------===//

static int64_t saturate(int64_t x) { return x > FAR ? FAR : x < -FAR ? -FAR : x; }
/// Of saturated numbers; their sums fit 64 bits.
static int64_t times(int64_t a, int64_t b) {
  int64_t r = 0;
  if (__builtin_mul_overflow(a, b, &r)) return (a < 0) == (b < 0) ? FAR : -FAR;
  return saturate(r);
}
static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

static AffineInterval product(AffineInterval a, AffineInterval b) {
  AffineInterval r = {FAR, -FAR};
  const int64_t as[] = {a.min, a.max}, bs[] = {b.min, b.max};
  for (int i = 0; i < 4; ++i) {
    int64_t corner = times(as[i / 2], bs[i % 2]);
    r.min = least(r.min, corner);
    r.max = most(r.max, corner);
  }
  return r;
}

/// `rounded` is 1 where quotients are rounded up.
static AffineInterval quotient(AffineInterval a, AffineInterval b, int rounded) {
  // A divisor that can only be 0 has no least value above it.
  if (b.min < 1 || b.max < b.min) return (AffineInterval){-FAR, FAR};
  int64_t far = most(a.max, -a.min);
  AffineInterval r = {-far - rounded, far + rounded};
  if (a.min >= 0) {
    r.min = b.max < FAR ? (a.min + rounded * (b.max - 1)) / b.max : 0;
    r.max = rounded && b.min > 1 ? a.max / b.min + 1 : a.max / b.min;
    if (a.max >= FAR) r.max = FAR;
  }
  return r;
}

static AffineInterval remainderOf(AffineInterval a, AffineInterval b) {
  int64_t below = most(most(b.max, -b.min) - 1, 0);
  return (AffineInterval){a.min < 0 ? most(a.min, -below) : 0, a.max > 0 ? least(a.max, below) : 0};
}

/// What follows from the operands, taken to be exact.
static AffineInterval fromOperands(TileAffine *a, const AffineSymbol *s) {
  AffineInterval r = {-FAR, FAR};
  if (s->kind < AFFINE_INDUCTION || !s->operands[0].valid || !s->operands[1].valid) return r;
  AffineInterval x = affineInterval(a, &s->operands[0]), y = affineInterval(a, &s->operands[1]);
  bool divides = s->kind == AFFINE_DIV || s->kind == AFFINE_CEILDIV || s->kind == AFFINE_REM;
  if (divides && y.min < 1) {
    TilePoly one = polyConstant(1), less = polySub(&s->operands[1], &one);
    if (y.min == 0 || prove(a, &less, MAX_DEPTH)) y.min = 1;
  }
  switch (s->kind) {
  case AFFINE_INDUCTION:
    return (AffineInterval){x.min, most(y.max - 1, x.min)};
  case AFFINE_DIV:
    return quotient(x, y, 0);
  case AFFINE_CEILDIV:
    return quotient(x, y, 1);
  case AFFINE_REM:
    return remainderOf(x, y);
  case AFFINE_MIN:
    return (AffineInterval){least(x.min, y.min), least(x.max, y.max)};
  case AFFINE_MAX:
    return (AffineInterval){most(x.min, y.min), most(x.max, y.max)};
  case AFFINE_OPAQUE:
  case AFFINE_ARGUMENT:
  case AFFINE_PROGRAM_ID:
  case AFFINE_NUM_PROGRAMS:
    break;
  }
  return r;
}

static AffineInterval ofSymbol(TileAffine *a, int symbol) {
  if (symbol < AFFINE_FIRST_SCALAR) return (AffineInterval){0, a->extents[symbol] - 1};
  AffineSymbol *s = affineSymbol(a, symbol);
  AffineInterval *interval = &s->interval[a->asSeen];
  if (s->isBounded[a->asSeen]) return *interval;
  s->isBounded[a->asSeen] = true; // by what its type says, should the question come up on the way
  const TileAxisInfo *info = tileAxisAnalysisGet(a->axes, s->values[0]);
  *interval = (AffineInterval){most(info->min, s->nonNegative ? 0 : -FAR), least(info->max, FAR)};
  AffineInterval exact = fromOperands(a, s);
  interval->min = most(interval->min, exact.min);
  interval->max = least(interval->max, exact.max);
  return *interval;
}

static AffineInterval ofTerm(TileAffine *a, const TileTerm *term) {
  AffineInterval r = {saturate(term->coefficient), saturate(term->coefficient)};
  for (int i = 0; i < term->degree; ++i) r = product(r, ofSymbol(a, term->symbols[i]));
  return r;
}

/// Is one of two bounds on the side of `sign` anything?
static bool isFar(int64_t a, int64_t b, int sign) { return a * sign >= FAR || b * sign >= FAR; }

AffineInterval affineInterval(TileAffine *a, const TilePoly *poly) {
  AffineInterval sum = {0, 0};
  if (!poly->valid) return (AffineInterval){-FAR, FAR};
  for (int i = 0; i < poly->count; ++i) {
    AffineInterval term = ofTerm(a, &poly->terms[i]);
    sum.min = isFar(sum.min, term.min, -1) ? -FAR : saturate(sum.min + term.min);
    sum.max = isFar(sum.max, term.max, 1) ? FAR : saturate(sum.max + term.max);
  }
  return sum;
}

//===- divisors -----------------------------------------------------------===//

static int64_t lowestBit(int64_t x) { return x == 0 ? FAR : least(x & -x, FAR); }

int64_t tileAffineDivisor(TileAffine *affine, const TilePoly *poly) {
  int64_t divisor = FAR;
  for (int i = 0; i < poly->count; ++i) {
    const TileTerm *term = &poly->terms[i];
    int64_t of = lowestBit(term->coefficient == INT64_MIN ? FAR : term->coefficient);
    for (int k = 0; k < term->degree; ++k) {
      if (term->symbols[k] < AFFINE_FIRST_SCALAR) continue;
      MlirValue value = affineSymbol(affine, term->symbols[k])->values[0];
      of = times(of, tileAxisAnalysisGet(affine->axes, value)->divisibility[0]);
    }
    divisor = least(divisor, of);
  }
  return divisor;
}

//===- proofs -------------------------------------------------------------===//

/// poly with `term`'s symbol replaced by `bound`, and the same question again.
static bool proveWith(TileAffine *a, const TilePoly *poly, const TileTerm *term, int symbol,
                      const TilePoly *bound, int depth) {
  TileTerm factor = termWithout(term, symbol);
  TilePoly old = polyOfTerm(term), others = polyOfTerm(&factor);
  TilePoly rest = polySub(poly, &old), replaced = polyMul(&others, bound);
  TilePoly next = polyAdd(&rest, &replaced);
  return next.valid && prove(a, &next, depth - 1);
}

/// n / c, exactly, for a constant c that divides n but for a constant remainder; else not valid.
static TilePoly exactQuotient(TileAffine *a, const AffineSymbol *s) {
  TilePoly none = polyInvalid((MlirOperation){NULL});
  int64_t c;
  if ((s->kind != AFFINE_DIV && s->kind != AFFINE_CEILDIV) || !polyIsConstant(&s->operands[1], &c))
    return none;
  TilePoly n = s->operands[0];
  int64_t offset = n.count && n.terms[0].degree == 0 ? n.terms[0].coefficient : 0;
  if (c <= 0 || offset < 0 || offset > INT64_MAX - c) return none;
  if (offset > 0 && affineInterval(a, &n).min < 0) return none; // divisions round towards 0
  TilePoly constant = polyConstant(offset), whole = polySub(&n, &constant);
  if (tileAffineDivisor(a, &whole) % c != 0) return none;
  TilePoly up = polyConstant(s->kind == AFFINE_DIV ? offset / c * c : (offset + c - 1) / c * c);
  return polyAdd(&whole, &up); // c times the quotient
}

/// A term c * k * .. * (n / c): k * .. * n.
static bool proveExact(TileAffine *a, const TilePoly *poly, const TileTerm *term, int symbol,
                       int depth) {
  const AffineSymbol s = *affineSymbol(a, symbol);
  TilePoly times = exactQuotient(a, &s);
  int64_t c;
  if (!times.valid || !polyIsConstant(&s.operands[1], &c) || term->coefficient % c != 0)
    return false;
  TileTerm factor = termWithout(term, symbol);
  factor.coefficient /= c;
  TilePoly old = polyOfTerm(term), others = polyOfTerm(&factor);
  TilePoly rest = polySub(poly, &old), replaced = polyMul(&others, &times);
  TilePoly next = polyAdd(&rest, &replaced);
  return next.valid && prove(a, &next, depth - 1);
}

/// Is `poly` no less than one of `count` promises that hold where the access asked about is?
static bool isNoLess(TileAffine *a, const TilePoly *poly, const AffinePromise *promises,
                     size_t count) {
  if (mlirOperationIsNull(a->access) || !poly->valid) return false;
  MlirBlock block = mlirOperationGetBlock(a->access);
  for (size_t i = 0; i < count; ++i) {
    TilePoly more = polySub(poly, &promises[i].poly);
    if (more.valid && affineInterval(a, &more).min >= 0 && tileBlockHolds(promises[i].block, block))
      return true;
  }
  return false;
}

/// Is what is divided >= 0? It is where the quotient is promised to be above 0.
static bool dividesCount(TileAffine *a, const AffineSymbol *quotient, int symbol) {
  if (affineInterval(a, &quotient->operands[0]).min >= 0) return true;
  TilePoly value = polySymbol(symbol), one = polyConstant(1), less = polySub(&value, &one);
  return affineInterval(a, &quotient->operands[1]).min > 0 &&
         isNoLess(a, &less, a->promises, a->numPromises);
}

/// r - g * (x / (g * s)) >= 0, by s * r - x + s - 1 >= 0.
static bool proveGroups(TileAffine *a, const TilePoly *poly, const TileTerm *term, int symbol,
                        int depth) {
  const AffineSymbol s = *affineSymbol(a, symbol);
  if (s.kind != AFFINE_DIV || !dividesCount(a, &s, symbol)) return false;
  TileTerm factor = termWithout(term, symbol);
  factor.coefficient = -factor.coefficient;
  TilePoly old = polyOfTerm(term), r = polySub(poly, &old), g = polyOfTerm(&factor);
  TilePoly size = polyDivide(&s.operands[1], &g);
  if (!size.valid || affineInterval(a, &g).min < 0 || affineInterval(a, &size).min < 0)
    return false;
  TilePoly one = polyConstant(1), above = polyAdd(&r, &one), scaled = polyMul(&size, &above);
  TilePoly below = polyAdd(&s.operands[0], &one), next = polySub(&scaled, &below);
  return next.valid && prove(a, &next, depth - 1);
}

/// n where a program id, of n * d programs, is divided by d > 0; else not valid.
static TilePoly gridQuotient(TileAffine *a, const AffineSymbol *s) {
  const TilePoly none = polyInvalid((MlirOperation){NULL}), *x = &s->operands[0];
  if (x->count != 1 || x->terms[0].degree != 1 || x->terms[0].coefficient != 1) return none;
  if (x->terms[0].symbols[0] < AFFINE_FIRST_SCALAR) return none;
  const AffineSymbol *id = affineSymbol(a, x->terms[0].symbols[0]);
  if (id->kind != AFFINE_PROGRAM_ID || id->number < 0 || id->number > 2) return none;
  if (affineInterval(a, &s->operands[1]).min < 0) return none;
  return polyDivide(&a->grid[id->number], &s->operands[1]);
}

/// How many programs there are along an axis: by the kernel's grid, or, where the launch says it,
/// what the kernel asks for; not valid where it does not ask.
static TilePoly countAlong(const TileAffine *a, int axis) {
  if (a->grid[axis].valid) return a->grid[axis];
  for (int i = 0; i < a->numSymbols; ++i)
    if (a->symbols[i].kind == AFFINE_NUM_PROGRAMS && a->symbols[i].number == axis)
      return polySymbol(AFFINE_FIRST_SCALAR + i);
  return polyInvalid((MlirOperation){NULL});
}

/// Polynomials that `symbol` does not exceed.
static int upperBounds(TileAffine *a, int symbol, TilePoly bounds[2]) {
  if (symbol < AFFINE_FIRST_SCALAR) return 0;
  const AffineSymbol s = *affineSymbol(a, symbol);
  TilePoly one = polyConstant(1);
  switch (s.kind) {
  case AFFINE_PROGRAM_ID:
    if (s.number < 0 || s.number > 2) return 0;
    bounds[0] = countAlong(a, s.number);
    bounds[0] = polySub(&bounds[0], &one);
    return 1;
  case AFFINE_INDUCTION:
    bounds[0] = polySub(&s.operands[1], &one);
    return 1;
  case AFFINE_REM:
    if (affineInterval(a, &s.operands[0]).min < 0) return 0;
    bounds[0] = s.operands[0];
    bounds[1] = polySub(&s.operands[1], &one);
    return prove(a, &s.operands[1], SIDE_DEPTH) ? 2 : 1;
  case AFFINE_MIN:
    bounds[0] = s.operands[0];
    bounds[1] = s.operands[1];
    return 2;
  case AFFINE_DIV:
    bounds[0] = gridQuotient(a, &s);
    bounds[0] = polySub(&bounds[0], &one);
    return 1;
  case AFFINE_OPAQUE:
  case AFFINE_ARGUMENT:
  case AFFINE_NUM_PROGRAMS:
  case AFFINE_CEILDIV:
  case AFFINE_MAX:
    break;
  }
  return 0;
}

/// A minimum or maximum is one of its operands: both must do.
static bool proveEither(TileAffine *a, const TilePoly *poly, const TileTerm *term, int symbol,
                        int depth) {
  const AffineSymbol s = *affineSymbol(a, symbol);
  if (s.kind != AFFINE_MIN && s.kind != AFFINE_MAX) return false;
  return proveWith(a, poly, term, symbol, &s.operands[0], depth) &&
         proveWith(a, poly, term, symbol, &s.operands[1], depth);
}

static bool proveByTerm(TileAffine *a, const TilePoly *poly, const TileTerm *term, int depth) {
  for (int k = 0; k < term->degree; ++k) {
    int symbol = term->symbols[k];
    if (symbol < AFFINE_FIRST_SCALAR || (k > 0 && term->symbols[k - 1] == symbol)) continue;
    if (proveExact(a, poly, term, symbol, depth)) return true;
    if (proveEither(a, poly, term, symbol, depth)) return true;
    TileTerm factor = termWithout(term, symbol);
    if (ofTerm(a, &factor).max > 0) continue; // what it is multiplied by must be negative
    if (proveGroups(a, poly, term, symbol, depth)) return true;
    TilePoly bounds[2];
    int count = upperBounds(a, symbol, bounds);
    for (int i = 0; i < count; ++i)
      if (bounds[i].valid && proveWith(a, poly, term, symbol, &bounds[i], depth)) return true;
  }
  return false;
}

/// k * f * (y / c) + r >= 0 for constants c, k > 0 and f >= 0: c times that is no less than
/// k * f * (y - c + 1) + c * r, and where it is above -c, what is divided by c again is >= 0.
static bool proveRounded(TileAffine *a, const TilePoly *poly, const TileTerm *term, int depth) {
  for (int k = 0; k < term->degree; ++k) {
    if (term->symbols[k] < AFFINE_FIRST_SCALAR) continue;
    const AffineSymbol s = *affineSymbol(a, term->symbols[k]);
    TileTerm factor = termWithout(term, term->symbols[k]);
    int64_t c;
    if (s.kind != AFFINE_DIV || !polyIsConstant(&s.operands[1], &c) || c <= 0) continue;
    if (ofTerm(a, &factor).min < 0) continue;
    TilePoly lost = polyConstant(c - 1), least = polySub(&s.operands[0], &lost);
    TilePoly others = polyOfTerm(&factor), old = polyOfTerm(term), rest = polySub(poly, &old);
    TilePoly scaled = polyScale(&rest, c), quotient = polyMul(&others, &least);
    TilePoly sum = polyAdd(&scaled, &quotient), next = polyAdd(&sum, &lost);
    if (next.valid && prove(a, &next, depth - 1)) return true;
  }
  return false;
}

static bool prove(TileAffine *a, const TilePoly *poly, int depth) {
  if (!poly->valid) return false;
  if (affineInterval(a, poly).min >= 0) return true;
  if (a->asSeen && isNoLess(a, poly, a->seen, a->numSeen)) return true;
  if (depth == 0 || --a->budget < 0) return false;
  for (int i = poly->count - 1; i >= 0; --i)
    if (ofTerm(a, &poly->terms[i]).min < 0 && proveByTerm(a, poly, &poly->terms[i], depth))
      return true;
  for (int i = 0; i < poly->count && a->rounds; ++i)
    if (proveRounded(a, poly, &poly->terms[i], depth)) return true;
  return false;
}

bool tileAffineIsNonNegative(TileAffine *affine, const TilePoly *poly) {
  affine->budget = MAX_STEPS;
  return prove(affine, poly, MAX_DEPTH) ||
         isNoLess(affine, poly, affine->promises, affine->numPromises);
}

static bool isSumInLoop(MlirValue value, MlirOperation loop, int depth);

/// Does the loop carry on `value`, an argument of its body, with a sum added?
static bool carriesSum(MlirValue value, MlirOperation loop, int depth) {
  MlirOperation yield = mlirBlockGetTerminator(tileBody(loop, 0));
  MlirOperation next = tileValueGetOp(tileOperand(yield, mlirBlockArgumentGetArgNumber(value) - 1));
  if (mlirOperationIsNull(next) || !tileOpIs(next, "arith.addi")) return false;
  for (int i = 0; i < 2; ++i)
    if (mlirValueEqual(tileOperand(next, i), value))
      return isSumInLoop(tileOperand(next, 1 - i), loop, depth);
  return false;
}

/// Is `value` made of what is in front of `loop`, its counter, and what it carries, by sums and
/// products alone? So it goes on behind the loop's end; of a remainder, which is read as what is
/// divided where that is less than the divisor, nobody knows.
static bool isSumInLoop(MlirValue value, MlirOperation loop, int depth) {
  static const char *const ops[] = {"arith.addi",  "arith.subi",   "arith.muli",
                                    "arith.extsi", "arith.trunci", "arith.index_cast"};
  MlirBlock body = tileBody(loop, 0), block = tileValueGetBlock(value);
  int64_t constant;
  if (!tileBlockHolds(body, block) || tileConstantInt(value, &constant)) return true;
  if (depth == 0) return false;
  if (mlirValueIsABlockArgument(value))
    return mlirBlockEqual(block, body) &&
           (mlirBlockArgumentGetArgNumber(value) == 0 || carriesSum(value, loop, depth - 1));
  MlirOperation op = tileValueGetOp(value);
  bool isSum = false;
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i) isSum |= tileOpIs(op, ops[i]);
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op) && isSum; ++k)
    isSum = isSumInLoop(tileOperand(op, k), loop, depth - 1);
  return isSum;
}

/// Is no symbol of `poly` one that `loop` computes?
static bool isOutside(const TileAffine *a, const TilePoly *poly, MlirOperation loop) {
  for (int i = 0; i < poly->count; ++i)
    for (int k = 0; k < poly->terms[i].degree; ++k) {
      int symbol = poly->terms[i].symbols[k];
      if (symbol < AFFINE_FIRST_SCALAR) return false;
      MlirBlock block = tileValueGetBlock(affineSymbol(a, symbol)->values[0]);
      if (tileBlockHolds(tileBody(loop, 0), block)) return false;
    }
  return true;
}

bool tileAffineEndsWithLoop(TileAffine *affine, MlirValue position, MlirValue extent,
                            MlirOperation loop) {
  if (!isSumInLoop(position, loop, MAX_DEPTH)) return false;
  TilePoly counter = affineOf(affine, mlirBlockGetArgument(tileBody(loop, 0), 0));
  TilePoly bound = affineOf(affine, tileForGetUpper(loop)), end = affineOf(affine, extent);
  TilePoly at = affineOf(affine, position);
  if (!at.valid || !counter.valid || counter.count != 1 || counter.terms[0].degree != 1)
    return false;
  TilePoly each = polyCoefficient(&at, counter.terms[0].symbols[0]);
  int64_t pace;
  if (!polyIsConstant(&each, &pace) || pace < 1) return false;
  TilePoly moving = polyScale(&counter, pace), begin = polySub(&at, &moving);
  if (!isOutside(affine, &begin, loop)) return false;
  TilePoly far = polyScale(&bound, pace), last = polyAdd(&begin, &far), past = polySub(&last, &end);
  affine->rounds = true;
  bool holds = tileAffineIsNonNegative(affine, &past);
  affine->rounds = false;
  return holds;
}
