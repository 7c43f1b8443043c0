// RUN: %unit/AffineSoundnessTest
//
// Affine analysis against kernels of indices: what it claims of numbers of a random kernel is
// compared with what they are in each launch, step and lane. Proofs are asked for what is just not
// so: of a difference whose least value seen is m, that it is above m. Seeds are fixed;
// TILE_AFFINE_PROGRAMS=n runs n of them.
//
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../lib/Analysis/Affine/Affine.h"
#include "../../Support/DialectContext.h"
#include "../../Support/RandomIndices/RandomIndices.h"
#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"
#include <cmocka.h>

enum { PROGRAMS = 800, QUESTIONS = 120 };

/// Of how many numbers something was claimed, so that the test cannot pass on nothing.
typedef enum {
  EQUAL,
  BOUNDS,
  DIVISORS,
  PROOFS,
  HOLDS,
  OFF,
  STEPS,
  ENDS,
  SPANS,
  APART,
  ALIKE,
  BOXES,
  KINDS
} Kind;

typedef struct {
  Kernel *k;
  TileAffine *affine;
  MlirValue values[MAX_NUMBERS];
  TilePoly polys[MAX_NUMBERS];
  int64_t claims[KINDS];
} Check;

static void refute(const Check *c, const char *claim, int x, int y) {
  fputs(c->k->text.text, stderr); // whole: messages of cmocka are cut
  fail_msg("%%v%d, %%v%d: %s does not hold", x, y, claim);
}

//===- polynomials --------------------------------------------------------===//

/// The number that a symbol is, which may be asked for at `level`; -1 where there is none.
static int numberOf(const Check *c, int symbol, int level) {
  const AffineSymbol *s = affineSymbol(c->affine, symbol);
  for (int v = 0; v < s->numValues; ++v)
    for (int id = 0; id < c->k->count; ++id)
      if (c->values[id].ptr == s->values[v].ptr && c->k->numbers[id].level <= level) return id;
  return -1;
}

/// A polynomial with numbers in the place of symbols. False where one has none.
static bool readSymbols(const Check *c, TilePoly *poly, int level) {
  for (int i = 0; i < poly->count; ++i)
    for (int n = 0; n < poly->terms[i].degree; ++n) {
      int *symbol = &poly->terms[i].symbols[n];
      if (*symbol < AFFINE_FIRST_SCALAR) continue;
      int id = numberOf(c, *symbol, level);
      if (id < 0) return false;
      *symbol = AFFINE_FIRST_SCALAR + id;
    }
  return true;
}

/// What such a polynomial is at a lane of a tile like `shape`.
static int64_t evaluate(const Check *c, const TilePoly *poly, const Number *shape, int level,
                        int point, int64_t lane) {
  int64_t inner = shape->rank == 2 ? shape->extents[1] : 1, sum = 0;
  for (int i = 0; i < poly->count; ++i) {
    int64_t product = poly->terms[i].coefficient;
    for (int n = 0; n < poly->terms[i].degree; ++n) {
      int s = poly->terms[i].symbols[n];
      product *= s >= AFFINE_FIRST_SCALAR ? valueAt(c->k, s - AFFINE_FIRST_SCALAR, level, point, 0)
                 : s == 0                 ? lane / inner
                                          : lane % inner;
    }
    sum += product;
  }
  return sum;
}

static void setExtents(Check *c, const Number *shape) {
  for (int d = 0; d < TILE_MAX_RANK; ++d)
    c->affine->extents[d] = d < shape->rank ? shape->extents[d] : 1;
}

/// The number is its polynomial, within its bounds, and divided by what is said to divide it.
static void checkNumber(Check *c, int id) {
  const Number *n = &c->k->numbers[id];
  TilePoly poly = c->polys[id];
  if (!poly.valid || n->width == 1) return;
  setExtents(c, n);
  AffineInterval bounds = affineInterval(c->affine, &poly);
  int64_t divisor = tileAffineDivisor(c->affine, &poly), lanes = lanesOf(n);
  if (!readSymbols(c, &poly, n->level)) return;
  for (int64_t i = 0; i < c->k->points[n->level] * lanes; ++i) {
    int64_t value = n->values[i];
    if (evaluate(c, &poly, n, n->level, (int)(i / lanes), i % lanes) != value)
      refute(c, "the sum", id, id);
    if (value < bounds.min || value > bounds.max) refute(c, "a bound", id, id);
    if (n->width && value % divisor) refute(c, "a divisor", id, id);
  }
  c->claims[EQUAL] += poly.count > 1;
  c->claims[BOUNDS] += bounds.min > -1000 || bounds.max < 1000;
  c->claims[DIVISORS] += divisor > 1;
}

//===- proofs -------------------------------------------------------------===//

/// A sum of a few numbers times a few, of one shape but for scalars; -1, or the number that has it.
static int addUp(Check *c, TilePoly *sum) {
  Program *p = &c->k->text;
  static const int factors[] = {1, -1, 1, -1, 2, -2, 3, -4};
  int shape = -1;
  *sum = polyConstant(0);
  for (int i = 2 + below(p, 2); i > 0; --i) {
    int a = below(p, c->k->count), b = below(p, c->k->count), id = a > b ? a : b;
    const Number *n = &c->k->numbers[id];
    if (n->width < 32 || !c->polys[id].valid) continue;
    bool fits = shape < 0 || !n->rank || !c->k->numbers[shape].rank ||
                (n->rank == c->k->numbers[shape].rank &&
                 !memcmp(n->extents, c->k->numbers[shape].extents, sizeof n->extents));
    if (!fits) continue;
    if (shape < 0 || !c->k->numbers[shape].rank) shape = id;
    TilePoly scaled = polyScale(&c->polys[id], factors[below(p, 8)]);
    int by = below(p, 5) ? -1 : pickNumber(c->k, 0, 32);
    if (by >= 0 && c->polys[by].valid) scaled = polyMul(&scaled, &c->polys[by]);
    *sum = polyAdd(sum, &scaled);
  }
  return sum->valid && sum->count ? shape : -1;
}

/// The level of the innermost symbol.
static int levelOf(const Check *c, const TilePoly *poly) {
  int level = 0;
  for (int i = 0; i < poly->count; ++i)
    for (int n = 0; n < poly->terms[i].degree; ++n) {
      int s = poly->terms[i].symbols[n];
      int at = s < AFFINE_FIRST_SCALAR ? 0 : numberOf(c, s, LEVELS);
      if (at >= 0 && s >= AFFINE_FIRST_SCALAR && c->k->numbers[at].level > level)
        level = c->k->numbers[at].level;
    }
  return level;
}

static bool proves(Check *c, const TilePoly *poly, int64_t above) {
  TilePoly constant = polyConstant(above), less = polySub(poly, &constant);
  c->affine->rounds = below(&c->k->text, 2);
  bool proof = tileAffineIsNonNegative(c->affine, &less);
  c->affine->rounds = false;
  return proof;
}

/// Asks whether a sum is above the least that it is.
static void checkProof(Check *c) {
  TilePoly sum, read;
  int shape = addUp(c, &sum), level = shape < 0 ? 0 : levelOf(c, &sum);
  if (shape < 0) return;
  const Number *n = &c->k->numbers[shape];
  read = sum;
  if (!readSymbols(c, &read, level) || !c->k->points[level]) return;
  int64_t lanes = lanesOf(n), least = INT64_MAX;
  for (int64_t i = 0; i < c->k->points[level] * lanes; ++i) {
    int64_t value = evaluate(c, &read, n, level, (int)(i / lanes), i % lanes);
    least = value < least ? value : least;
  }
  setExtents(c, n);
  // Promises hold where a number of that level is.
  c->affine->access = (MlirOperation){NULL};
  for (int id = c->k->count - 1; id >= 0 && mlirOperationIsNull(c->affine->access); --id)
    if (c->k->numbers[id].level == level && c->k->numbers[id].op[0])
      c->affine->access = tileValueGetOp(c->values[id]);
  if (proves(c, &sum, least + 1)) refute(c, "a proof", shape, shape);
  c->claims[PROOFS] += proves(c, &sum, least);
  c->affine->access = (MlirOperation){NULL};
}

//===- masks --------------------------------------------------------------===//

static void checkMask(Check *c, int mask) {
  const Number *n = &c->k->numbers[mask];
  if (n->width != 1 || strcmp(n->op, "cmpi") != 0) return;
  bool always = tileAffineAlwaysHolds(c->affine, tileValueGetOp(c->values[mask]), NULL);
  int64_t lanes = lanesOf(n);
  for (int64_t i = 0; i < c->k->points[n->level] * lanes && always; ++i)
    if (!n->values[i]) refute(c, "a comparison that always holds", mask, mask);
  c->claims[HOLDS] += always;
  if (!n->rank) return;
  for (int on = 0; on < c->k->count; ++on) {
    const Number *condition = &c->k->numbers[on];
    if (condition->rank || condition->width != 1 || condition->level > n->level) continue;
    if (!tileAffineIsOffWithout(c->affine, c->values[mask], c->values[on])) continue;
    ++c->claims[OFF];
    for (int64_t i = 0; i < c->k->points[n->level] * lanes; ++i)
      if (n->values[i] && !valueAt(c->k, on, n->level, (int)(i / lanes), 0))
        refute(c, "a mask that is off without a condition", mask, on);
  }
}

static void checkPair(Check *c, int x, int y) {
  const Number *a = &c->k->numbers[x], *b = &c->k->numbers[y];
  int level = a->level > b->level ? a->level : b->level;
  bool alike = a->rank == b->rank && !memcmp(a->extents, b->extents, sizeof a->extents);
  if (!alike || a->width < 32 || b->width < 32 || x == y) return;
  if (!tileAffineAreEqual(c->affine, c->values[x], c->values[y])) return;
  ++c->claims[EQUAL];
  int64_t lanes = lanesOf(a);
  for (int64_t i = 0; i < c->k->points[level] * lanes; ++i)
    if (valueAt(c->k, x, level, (int)(i / lanes), i % lanes) !=
        valueAt(c->k, y, level, (int)(i / lanes), i % lanes))
      refute(c, "equality", x, y);
}

//===- loops --------------------------------------------------------------===//

/// A scalar where the loop's counter is `counter`, which may be beyond its bound; false where it is
/// more than arithmetic of that.
static bool beyond(const Check *c, int id, int level, int outer, int64_t counter, int64_t *value) {
  const Number *n = &c->k->numbers[id];
  int64_t x, y;
  *value = id == c->k->loops[level].counter ? counter : 0;
  if (id == c->k->loops[level].counter) return true;
  if (n->level < level) *value = valueAt(c->k, id, level - 1, outer, 0);
  if (n->level < level) return true;
  return n->op[0] && strcmp(n->op, "cmpi") != 0 && beyond(c, n->of[0], level, outer, counter, &x) &&
         beyond(c, n->of[1], level, outer, counter, &y) && interpret(n->op, n->width, x, y, value);
}

/// Positions that are said to be no less than an extent from a loop's bound on.
static void checkEnd(Check *c, int level, MlirOperation op, int position, int extent) {
  const Kernel *k = c->k;
  const Loop *loop = &k->loops[level];
  if (!tileAffineEndsWithLoop(c->affine, c->values[position], c->values[extent], op)) return;
  ++c->claims[ENDS];
  for (int outer = 0; outer < k->points[level - 1]; ++outer) {
    int64_t step = valueAt(k, loop->step, level - 1, outer, 0), at;
    int64_t counter = valueAt(k, loop->lower, level - 1, outer, 0);
    int64_t upper = valueAt(k, loop->upper, level - 1, outer, 0);
    int64_t end = valueAt(k, extent, level - 1, outer, 0);
    while (counter < upper) counter += step;
    for (int s = 0; s < 12; ++s, counter += step)
      if (beyond(c, position, level, outer, counter, &at) && at < end)
        refute(c, "an end with the loop", position, extent);
  }
}

static void checkLoop(Check *c, int level, MlirOperation op) {
  const Kernel *k = c->k;
  const Loop *loop = &k->loops[level];
  for (int x = 0; x < k->count; ++x) {
    const Number *n = &k->numbers[x];
    if (n->level != level || n->rank || n->width < 32) continue;
    for (int y = 0; y < k->count; ++y)
      if (k->numbers[y].level < level && !k->numbers[y].rank && k->numbers[y].width >= 32)
        checkEnd(c, level, op, x, y);
  }
  if (!tileAffineHasStep(c->affine, op)) return;
  ++c->claims[STEPS];
  for (int point = 0; point < k->points[level - 1]; ++point)
    if (valueAt(k, loop->lower, level - 1, point, 0) >=
        valueAt(k, loop->upper, level - 1, point, 0))
      refute(c, "a step", loop->lower, loop->upper);
}

//===- addresses in loops -------------------------------------------------===//

enum { BYTES = 4 };

/// What a value that was built in front of a loop is at a point there.
static int64_t built(const Check *c, MlirValue value, int level, int point) {
  for (int id = 0; id < c->k->count; ++id)
    if (c->values[id].ptr == value.ptr) return valueAt(c->k, id, level, point, 0);
  MlirOperation op = tileValueGetOp(value);
  int64_t result;
  if (tileConstantInt(value, &result)) return result;
  int64_t x = built(c, tileOperand(op, 0), level, point);
  if (tileOpIs(op, "tile.ptr_cast")) return BYTES * x;
  if (mlirOperationGetNumOperands(op) == 1) return x; // casts of small numbers
  int64_t y = built(c, tileOperand(op, 1), level, point);
  char name[32];
  MlirStringRef full = tileOpName(op);
  snprintf(name, sizeof name, "%.*s", (int)full.length - 6, full.data + 6);
  assert_true(interpret(name, 64, x, y, &result));
  return result;
}

/// Each access lies in the span of its loop.
static void checkSpan(Check *c, const TileAffineAddress *address, int id, int level,
                      MlirOperation op) {
  const Kernel *k = c->k;
  const Number *n = &k->numbers[id];
  MlirValue span[2];
  TileBuilder b = tileBuilderBefore(op);
  tileAffineBuildSpan(c->affine, &b, address, op, span);
  ++c->claims[SPANS];
  for (int point = 0, last = -1; point < k->points[level]; ++point) {
    int outer = k->parent[level][point];
    static int64_t begin, end;
    if (outer != last) begin = built(c, span[0], level - 1, outer);
    if (outer != last) end = built(c, span[1], level - 1, outer);
    last = outer;
    for (int64_t i = 0; i < lanesOf(n); ++i) {
      int64_t at = BYTES * valueAt(k, id, level, point, i);
      if (at < begin || at + BYTES > end) refute(c, "a span", id, id);
    }
  }
}

/// Of a row: no two steps meet, or each begins where the one before ended.
static void checkSteps(Check *c, const TileAffineAddress *address, int id, int level) {
  const Kernel *k = c->k;
  const Number *n = &k->numbers[id];
  const Loop *loop = &k->loops[level];
  int64_t step, lanes = lanesOf(n);
  if (n->rank != 1 || !polyIsConstant(&c->polys[loop->step], &step)) return;
  bool apart = tileAffineStepsApart(address, step), join = tileAffineStepsJoin(address, step);
  c->claims[APART] += apart + join;
  for (int point = 0; point + 1 < k->points[level] && (apart || join); ++point) {
    bool isNext = k->parent[level][point] == k->parent[level][point + 1] &&
                  valueAt(k, loop->counter, level, point + 1, 0) ==
                      valueAt(k, loop->counter, level, point, 0) + step;
    int64_t first = valueAt(k, id, level, point, 0), last = valueAt(k, id, level, point, lanes - 1);
    int64_t after = valueAt(k, id, level, point + 1, 0);
    int64_t behind = valueAt(k, id, level, point + 1, lanes - 1);
    if (!isNext) continue;
    if (join && after != last + 1) refute(c, "steps that join", id, id);
    bool repeats = lanes > 1 && first == last; // a stride of 0 is none of an array
    bool meets = (after <= last && behind >= first) || (after >= last && behind <= first);
    if (apart && !repeats && meets) refute(c, "steps apart", id, id);
  }
}

/// Two addresses that are said to be at the same places, or to move on alike.
static void checkTwo(Check *c, const TileAffineAddress *xs, const TileAffineAddress *ys, int x,
                     int y, int level) {
  const Kernel *k = c->k;
  bool same = tileAffineSamePlaces(xs, ys), alike = tileAffineMoveAlike(xs, ys);
  c->claims[ALIKE] += same + alike;
  if (same && lanesOf(&k->numbers[x]) != lanesOf(&k->numbers[y])) refute(c, "one shape", x, y);
  int from = c->values[ARGUMENTS - 1].ptr == xs->base.ptr ? ARGUMENTS - 1 : ARGUMENTS - 2;
  int to = c->values[ARGUMENTS - 1].ptr == ys->base.ptr ? ARGUMENTS - 1 : ARGUMENTS - 2;
  for (int point = 0; point < k->points[level] && (same || alike); ++point) {
    int64_t way = valueAt(k, to, level, point, 0) - valueAt(k, from, level, point, 0);
    for (int64_t i = 0; i < lanesOf(&k->numbers[x]) && same; ++i)
      if (valueAt(k, x, level, point, i) + way != valueAt(k, y, level, point, i))
        refute(c, "the same places", x, y);
    if (!alike || !point || k->parent[level][point] != k->parent[level][point - 1]) continue;
    if (valueAt(k, x, level, point, 0) - valueAt(k, x, level, point - 1, 0) !=
        valueAt(k, y, level, point, 0) - valueAt(k, y, level, point - 1, 0))
      refute(c, "moving alike", x, y);
  }
}

static void checkAddresses(Check *c, int level, MlirOperation op) {
  static TileAffineAddress found[MAX_NUMBERS];
  int ids[MAX_NUMBERS], count = 0;
  for (int id = 0; id < c->k->count; ++id) {
    const Number *n = &c->k->numbers[id];
    if (n->width != 0 || n->level != level) continue;
    if (tileAffineAddressOf(c->affine, c->values[id], op, &found[count])) ids[count++] = id;
  }
  for (int i = 0; i < count; ++i) {
    checkSteps(c, &found[i], ids[i], level);
    for (int o = 0; o < i; ++o) checkTwo(c, &found[o], &found[i], ids[o], ids[i], level);
  }
  for (int i = 0; i < count; ++i) checkSpan(c, &found[i], ids[i], level, op);
}

//===- boxes --------------------------------------------------------------===//

/// The box at one point: each lane is where its dimensions say, and in the array if its mask is on.
static void checkBox(Check *c, const TileAffineAccess *box, const Access *access, int level,
                     int point) {
  const Kernel *k = c->k;
  const Number *n = &k->numbers[access->pointers];
  int base = c->values[ARGUMENTS - 1].ptr == box->base.ptr ? ARGUMENTS - 1 : ARGUMENTS - 2;
  for (int64_t i = 0; i < lanesOf(n); ++i) {
    int64_t at = valueAt(k, base, level, point, 0), inner = n->rank == 2 ? n->extents[1] : 1;
    bool isIn = true, isOn = access->mask < 0 || valueAt(k, access->mask, level, point, i);
    for (int d = 0; d < box->rank; ++d) {
      const TileAffineDim *dim = &box->dims[d];
      int64_t stride = evaluate(c, &dim->stride, n, level, point, i);
      int64_t place = evaluate(c, &dim->origin, n, level, point, i);
      int64_t end = dim->extent.valid ? evaluate(c, &dim->extent, n, level, point, i) : INT32_MAX;
      if (stride < 0 || end < 0) return; // no array: whoever encodes it sees that
      if (!dim->clipped && place < 0) refute(c, "an origin", access->pointers, access->mask);
      if (dim->tileDim >= 0) place += dim->tileDim == 0 ? i / inner : i % inner;
      at += stride * place;
      isIn &= place >= 0 && place < end;
    }
    if (at != valueAt(k, access->pointers, level, point, i))
      refute(c, "the address of a box", access->pointers, access->mask);
    if (isIn != isOn) refute(c, "the end of a box", access->pointers, access->mask);
  }
}

static MlirWalkResult readLoad(MlirOperation op, void *data) {
  Check *c = data;
  if (!tileOpIsALoad(op)) return MlirWalkResultAdvance;
  int id = atoi(mlirIdentifierStr(mlirLocationNameGetName(mlirOperationGetLocation(op))).data);
  const Access *access = &c->k->accesses[id - ACCESSES];
  TileAffineAccess box;
  char why[TILE_AFFINE_TEXT];
  if (!tileAffineAccessOf(c->affine, op, &box, why)) return MlirWalkResultAdvance;
  int level = c->k->numbers[access->pointers].level;
  bool isRead = true;
  for (int d = 0; d < box.rank; ++d)
    isRead &= readSymbols(c, &box.dims[d].stride, level) &&
              readSymbols(c, &box.dims[d].origin, level) &&
              readSymbols(c, &box.dims[d].extent, level);
  c->claims[BOXES] += isRead;
  for (int point = 0; point < c->k->points[level] && isRead; ++point)
    checkBox(c, &box, access, level, point);
  return MlirWalkResultAdvance;
}

//===- kernels ------------------------------------------------------------===//

/// Notes the results of an op whose location names a number, or a loop's counter and what it
/// carries.
static MlirWalkResult readOp(MlirOperation op, void *data) {
  Check *c = data;
  MlirLocation at = mlirOperationGetLocation(op);
  if (!mlirLocationIsAName(at)) return MlirWalkResultAdvance;
  int id = atoi(mlirIdentifierStr(mlirLocationNameGetName(at)).data);
  if (id >= ACCESSES) return MlirWalkResultAdvance;
  if (!tileOpIs(op, "scf.for")) {
    c->values[id] = tileResult(op);
    return MlirWalkResultAdvance;
  }
  MlirBlock body = tileBody(op, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    c->values[id + i] = mlirBlockGetArgument(body, i);
  return MlirWalkResultAdvance;
}

static void checkKernel(Check *c, MlirContext context) {
  Kernel *k = c->k;
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(k->text.text));
  if (mlirModuleIsNull(module)) refute(c, "the text", 0, 0);
  MlirOperation func = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (int i = 0; i < ARGUMENTS; ++i) c->values[i] = mlirBlockGetArgument(tileBody(func, 0), i);
  mlirOperationWalk(func, readOp, c, MlirWalkPreOrder);
  TileAxisAnalysis *axes = tileAxisAnalysisCreate(func);
  c->affine = tileAffineCreate(func, axes, k->nonNegative);
  for (int id = 0; id < k->count; ++id) c->polys[id] = affineOf(c->affine, c->values[id]);
  for (int id = 0; id < k->count; ++id) checkNumber(c, id);
  for (int n = 0; n < QUESTIONS; ++n) checkProof(c);
  for (int id = 0; id < k->count; ++id) checkMask(c, id);
  for (int x = 0; x < k->count; ++x)
    for (int y = 0; y < x; ++y) checkPair(c, x, y);
  mlirOperationWalk(func, readLoad, c, MlirWalkPreOrder);
  for (int level = 1; level < LEVELS && k->points[level]; ++level) {
    MlirBlock body = mlirBlockArgumentGetOwner(c->values[k->loops[level].counter]);
    checkLoop(c, level, mlirBlockGetParentOperation(body));
    checkAddresses(c, level, mlirBlockGetParentOperation(body)); // builds
  }
  tileAffineDestroy(c->affine);
  tileAxisAnalysisDestroy(axes);
  mlirModuleDestroy(module);
}

static void claimsHoldOfRandomKernels(void **state) {
  (void)state;
  MlirContext context = createDialectContext();
  Check *c = calloc(1, sizeof *c);
  Kernel *k = calloc(1, sizeof *k);
  assert_true(c && k);
  c->k = k;
  const char *programs = getenv("TILE_AFFINE_PROGRAMS");
  int count = programs ? atoi(programs) : PROGRAMS;
  for (int seed = 1; seed <= count; ++seed) {
    generateIndices(k, (uint64_t)seed * 1000003);
    checkKernel(c, context);
    forgetIndices(k);
  }
  // About half of what is claimed.
  static const int64_t least[KINDS] = {[EQUAL] = 20000,  [BOUNDS] = 27000, [DIVISORS] = 11000,
                                       [PROOFS] = 25000, [HOLDS] = 300,    [OFF] = 30,
                                       [STEPS] = 170,    [ENDS] = 5000,    [SPANS] = 700,
                                       [APART] = 10,     [ALIKE] = 70,     [BOXES] = 300};
  for (int i = 0; i < KINDS && count >= PROGRAMS; ++i)
    if (c->claims[i] < least[i]) fail_msg("too few claims of kind %d: %" PRId64, i, c->claims[i]);
  free(k);
  free(c);
  mlirContextDestroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(claimsHoldOfRandomKernels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
