// RUN: %unit/AxisSoundnessTest
//
// Axis analysis against programs: every claim that it makes of a value of a random kernel is
// compared with the values that the kernel computes. Seeds are fixed; TILE_AXIS_PROGRAMS=n runs n
// of them.
//
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
  int64_t claims;
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

/// Checks the results of an op whose location names a node.
static MlirWalkResult checkOp(MlirOperation op, void *data) {
  Check *check = data;
  MlirLocation at = mlirOperationGetLocation(op);
  if (!mlirLocationIsAName(at)) return MlirWalkResultAdvance;
  int id = atoi(mlirIdentifierStr(mlirLocationNameGetName(at)).data);
  // A while gives its counter first.
  intptr_t first = tileOpIs(op, "scf.while") ? 1 : 0;
  for (intptr_t i = first; i < mlirOperationGetNumResults(op); ++i)
    checkNode(check, id++, tileAxisAnalysisGet(check->analysis, mlirOperationGetResult(op, i)));
  return MlirWalkResultAdvance;
}

/// Returns how many claims there were.
static int64_t checkProgram(Program *p, MlirContext context) {
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(p->text));
  if (mlirModuleIsNull(module)) fail_msg("does not parse:\n%s", p->text);
  MlirOperation func = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  TileAxisAnalysis *analysis = tileAxisAnalysisCreate(func);
  Check all = {.program = p, .analysis = analysis}, *check = &all;
  MlirBlock body = tileBody(func, 0);
  for (int i = 0; i < 6; ++i)
    checkNode(check, i, tileAxisAnalysisGet(analysis, mlirBlockGetArgument(body, i)));
  mlirOperationWalk(func, checkOp, check, MlirWalkPreOrder);
  tileAxisAnalysisDestroy(analysis);
  mlirModuleDestroy(module);
  return check->claims;
}

static void claimsHoldOfRandomPrograms(void **state) {
  (void)state;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  Program *p = calloc(1, sizeof *p);
  assert_non_null(p);
  const char *seeds = getenv("TILE_AXIS_PROGRAMS");
  int64_t claims = 0;
  int programs = seeds ? atoi(seeds) : PROGRAMS;
  for (int seed = 1; seed <= programs; ++seed) {
    p->random = (uint64_t)seed * 1000003;
    generate(p);
    claims += checkProgram(p, context);
  }
  // Ten claims a program that say something, at the very least.
  assert_true(claims > programs * 10 * TRIALS);
  free(p);
  mlirContextDestroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(claimsHoldOfRandomPrograms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
