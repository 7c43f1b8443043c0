// RUN: %unit/AxisSoundnessTest
//
// Axis analysis against programs: every claim that it makes of a value of a random kernel is
// compared with the values that the kernel computes, and so is every vector that it lets an access
// of random pointers and masks have. Seeds are fixed; TILE_AXIS_PROGRAMS=n runs n of them.
//
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../Support/DialectContext.h"
#include "../../Support/RandomKernel/RandomKernel.h"
#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"
#include <cmocka.h>

enum { PROGRAMS = 1500 };

//===- claims against values ----------------------------------------------===//

/// Claims that say something: so that the test cannot pass on nothing.
typedef struct {
  Program *program;
  const TileAxisAnalysis *analysis;
  MlirValue values[MAX_NODES];
  int64_t claims, vectors;
} Check;

static void refute(const Program *p, int id, const char *claim, int d, int trial, int64_t at) {
  fail_msg("%%v%d: %s does not hold in dimension %d, trial %d, element %" PRId64 "\n%s", id, claim,
           d, trial, at, p->text);
}

static void checkAxis(Check *check, int id, const TileAxisInfo *info, int t, int d) {
  const Program *p = check->program;
  const Node *n = &p->nodes[id];
  int64_t extent = n->rank ? n->extents[d] : 1, stride = 1;
  int64_t run = info->contiguity[d], same = info->constancy[d], divisor = info->divisibility[d];
  for (int k = d + 1; k < n->rank; ++k) stride *= n->extents[k];
  if (run < 1 || same < 1 || extent % run || extent % same) refute(p, id, "a run length", d, t, 0);
  check->claims += (run > 1) + (same > 1) + (divisor > 1);
  for (int64_t i = 0; i < elementsOf(n); ++i) {
    int64_t place = n->rank ? i / stride % extent : 0, value = n->values[t][i];
    if (place % run == 0 && value % divisor) refute(p, id, "divisibility", d, t, i);
    uint64_t before = place ? (uint64_t)n->values[t][i - stride] : 0;
    uint64_t next = before + (n->width ? 1 : (uint64_t)n->unit);
    if (place % run && value != narrow((int64_t)next, n->width ? n->width : 64))
      refute(p, id, "contiguity", d, t, i);
    if (place % same && value != (int64_t)before) refute(p, id, "constancy", d, t, i);
  }
}

static void checkNode(Check *check, int id, const TileAxisInfo *info) {
  const Program *p = check->program;
  const Node *n = &p->nodes[id];
  assert_int_equal(info->rank, n->rank);
  for (int t = 0; t < TRIALS; ++t) {
    for (int d = 0; d < (n->rank ? n->rank : 1); ++d) checkAxis(check, id, info, t, d);
    for (int64_t i = 0; i < elementsOf(n); ++i) {
      int64_t value = n->values[t][i];
      if (value < info->min || value > info->max) refute(p, id, "a bound", 0, t, i);
      if (info->hasConstant && value != info->constant) refute(p, id, "a constant", 0, t, i);
    }
  }
  check->claims += info->hasConstant;
}

//===- accesses -----------------------------------------------------------===//

enum { MULTIPLE = 1, INTS = 4, SHORTS = 5 }; // arguments: of 16, pointers, pointers at 64 bytes

/// Pointers to an argument's elements at the offsets that a node has, behind a multiple of 16 in
/// every second.
typedef struct {
  int base, offsets;
  bool isMoved;
  MlirValue value;
} Pointers;

typedef struct {
  Pointers all[2 * MAX_NODES];
  int count;
} Accesses;

static uint64_t addressAt(const Program *p, const Pointers *of, int t, int64_t i) {
  uint64_t unit = (uint64_t)p->nodes[of->base].unit;
  uint64_t at = (uint64_t)p->nodes[of->base].values[t][0];
  if (of->isMoved) at += unit * (uint64_t)p->nodes[MULTIPLE].values[t][0];
  return at + unit * (uint64_t)p->nodes[of->offsets].values[t][i];
}

static MlirValue moved(TileBuilder *b, MlirValue from, MlirValue by) {
  return tileBuild(b, "tile.addptr", mlirValueGetType(from), TILE_VALUES(from, by));
}

static void addPointersAt(const Check *check, Accesses *a, TileBuilder *b, int base, int offsets) {
  const Node *n = &check->program->nodes[offsets];
  Pointers *to = &a->all[a->count++];
  *to = (Pointers){.base = base, .offsets = offsets, .isMoved = a->count % 2};
  MlirValue from = check->values[base];
  if (to->isMoved) from = moved(b, from, check->values[MULTIPLE]);
  MlirType type =
      mlirRankedTensorTypeGet(n->rank, n->extents, mlirValueGetType(from), (MlirAttribute){NULL});
  MlirValue all = tileBuild(b, "tile.splat", type, TILE_VALUES(from));
  to->value = moved(b, all, check->values[offsets]);
}

/// Behind all that the kernel has.
static void addAllPointers(const Check *check, Accesses *a, MlirOperation end) {
  const Program *p = check->program;
  TileBuilder b = tileBuilderBefore(end);
  for (int id = 0; id < p->count; ++id)
    if (p->nodes[id].rank && p->nodes[id].width >= 32) {
      addPointersAt(check, a, &b, INTS, id);
      addPointersAt(check, a, &b, SHORTS, id);
    }
}

/// The element `i` as part of a vector of `run` elements along `d`: an address behind that of the
/// one before, the first at a multiple of all its bytes, and all of them masked or none.
static void checkPlace(const Program *p, const Pointers *of, int mask, int t, int d, int64_t run,
                       int64_t i) {
  const Node *n = &p->nodes[of->offsets];
  uint64_t unit = (uint64_t)p->nodes[of->base].unit, address = addressAt(p, of, t, i);
  int64_t stride = 1;
  for (int k = d + 1; k < n->rank; ++k) stride *= n->extents[k];
  bool isFirst = i / stride % n->extents[d] % run == 0;
  if (isFirst && address % ((uint64_t)run * unit)) refute(p, of->offsets, "alignment", d, t, i);
  if (isFirst) return;
  if (address != addressAt(p, of, t, i - stride) + unit)
    refute(p, of->offsets, "a vector", d, t, i);
  if (mask >= 0 && p->nodes[mask].values[t][i] != p->nodes[mask].values[t][i - stride])
    refute(p, mask, "one mask for a vector", d, t, i);
}

/// Of a load by such pointers under `mask` (-1: none).
static void checkAccess(Check *check, TileBuilder *b, const Pointers *of, int mask) {
  const Program *p = check->program;
  const Node *n = &p->nodes[of->offsets];
  MlirValue operands[] = {of->value, check->values[mask < 0 ? 0 : mask]};
  MlirType element = tilePtrTypeGetPointee(tileElementType(mlirValueGetType(of->value)));
  MlirType loaded = mlirRankedTensorTypeGet(n->rank, n->extents, element, (MlirAttribute){NULL});
  const int32_t segments[] = {1, mask >= 0, 0};
  MlirOperation load = tileBuildOp(
      b, "tile.load", 1 + (mask >= 0), operands, 1, &loaded,
      TILE_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(b->context, 3, segments)}), 0);
  for (int d = 0; d < n->rank; ++d) {
    int64_t run = tileAxisAccessVector(check->analysis, load, d);
    if (run < 1 || n->extents[d] % run) refute(p, of->offsets, "a vector's length", d, 0, 0);
    check->vectors += run > 1;
    for (int t = 0; t < TRIALS && run > 1; ++t)
      for (int64_t i = 0; i < elementsOf(n); ++i) checkPlace(p, of, mask, t, d, run, i);
  }
}

static void checkAccesses(Check *check, const Accesses *a, MlirOperation end) {
  const Program *p = check->program;
  TileBuilder b = tileBuilderBefore(end);
  for (int i = 0; i < a->count; ++i) {
    const Node *n = &p->nodes[a->all[i].offsets];
    checkAccess(check, &b, &a->all[i], -1);
    for (int m = 0; m < p->count; ++m)
      if (p->nodes[m].width == 1 && sameShape(n, &p->nodes[m]))
        checkAccess(check, &b, &a->all[i], m);
  }
}

//===- programs -----------------------------------------------------------===//

/// Notes the results of an op whose location names a node.
static MlirWalkResult readOp(MlirOperation op, void *data) {
  Check *check = data;
  MlirLocation at = mlirOperationGetLocation(op);
  if (!mlirLocationIsAName(at)) return MlirWalkResultAdvance;
  int id = atoi(mlirIdentifierStr(mlirLocationNameGetName(at)).data);
  // A while gives its counter first.
  intptr_t first = tileOpIs(op, "scf.while") ? 1 : 0;
  for (intptr_t i = first; i < mlirOperationGetNumResults(op); ++i)
    check->values[id++] = mlirOperationGetResult(op, i);
  return MlirWalkResultAdvance;
}

/// Adds how many claims there were.
static void checkProgram(Program *p, MlirContext context, int64_t *claims, int64_t *vectors) {
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(p->text));
  if (mlirModuleIsNull(module)) fail_msg("does not parse:\n%s", p->text);
  MlirOperation func = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  MlirBlock body = tileBody(func, 0);
  Check all = {.program = p}, *check = &all;
  static Accesses accesses;
  accesses.count = 0;
  for (int i = 0; i < 6; ++i) check->values[i] = mlirBlockGetArgument(body, i);
  mlirOperationWalk(func, readOp, check, MlirWalkPreOrder);
  MlirOperation end = mlirBlockGetTerminator(body);
  addAllPointers(check, &accesses, end);
  TileAxisAnalysis *analysis = tileAxisAnalysisCreate(func);
  check->analysis = analysis;
  for (int i = 0; i < p->count; ++i)
    checkNode(check, i, tileAxisAnalysisGet(analysis, check->values[i]));
  checkAccesses(check, &accesses, end);
  tileAxisAnalysisDestroy(analysis);
  mlirModuleDestroy(module);
  *claims += check->claims;
  *vectors += check->vectors;
}

static void claimsHoldOfRandomPrograms(void **state) {
  (void)state;
  MlirContext context = createDialectContext();
  Program *p = calloc(1, sizeof *p);
  assert_non_null(p);
  const char *seeds = getenv("TILE_AXIS_PROGRAMS");
  int64_t claims = 0, vectors = 0;
  int programs = seeds ? atoi(seeds) : PROGRAMS;
  for (int seed = 1; seed <= programs; ++seed) {
    p->random = (uint64_t)seed * 1000003;
    generate(p);
    checkProgram(p, context, &claims, &vectors);
  }
  // Ten claims a program that say something, at the very least.
  assert_true(claims > programs * 10 * TRIALS);
  assert_true(vectors > programs * 7);
  free(p);
  mlirContextDestroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(claimsHoldOfRandomPrograms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
