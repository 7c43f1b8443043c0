// RUN: %unit/WrapSoundnessTest
//
// Comparisons that are folded, of numbers that wrap around: each two numbers of a random kernel are
// compared, and where the affine analysis says that the comparison always holds, it does in each
// trial. Seeds are fixed; TILE_WRAP_PROGRAMS=n runs n of them.
//
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../Support/DialectContext.h"
#include "../../Support/RandomKernel/RandomKernel.h"
#include "tile/Analysis/Affine.h"
#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"
#include <cmocka.h>

enum { PROGRAMS = 1500 };

typedef struct {
  Program *program;
  MlirValue values[MAX_NODES];
  int64_t claims;
} Check;

static void setValue(Check *c, int id, MlirValue value) {
  assert_in_range(id, 0, MAX_NODES - 1);
  c->values[id] = value;
}

/// Notes the results of an op whose location names a node.
static MlirWalkResult readOp(MlirOperation op, void *data) {
  Check *c = data;
  MlirLocation at = mlirOperationGetLocation(op);
  if (!mlirLocationIsAName(at)) return MlirWalkResultAdvance;
  int id = atoi(mlirIdentifierStr(mlirLocationNameGetName(at)).data);
  // A while gives its counter first.
  intptr_t first = tileOpIs(op, "scf.while") ? 1 : 0;
  for (intptr_t i = first; i < mlirOperationGetNumResults(op); ++i)
    setValue(c, id++, mlirOperationGetResult(op, i));
  return MlirWalkResultAdvance;
}

/// Compares two numbers behind all others, and asks.
static void checkPair(Check *c, TileAffine *affine, TileBuilder *b, int x, int y, int predicate) {
  const Program *p = c->program;
  const Node *left = &p->nodes[x], *right = &p->nodes[y];
  MlirOperation comparison =
      tileValueGetOp(tileBuildCmpi(b, predicate, c->values[x], c->values[y]));
  if (!tileAffineAlwaysHolds(affine, comparison, NULL)) return;
  c->claims += x != y;
  for (int t = 0; t < TRIALS; ++t)
    for (int64_t i = 0; i < elementsOf(left); ++i)
      if (!compare(predicate, left->width, left->values[t][i], right->values[t][i])) {
        fputs(p->text, stderr); // whole: messages of cmocka are cut
        fail_msg("%%v%d %s %%v%d does not hold in trial %d, element %" PRId64, x,
                 predicates[predicate], y, t, i);
      }
}

/// Returns how many comparisons of two were found to hold.
static int64_t checkProgram(Program *p, MlirContext context) {
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(p->text));
  if (mlirModuleIsNull(module)) fail_msg("does not parse:\n%s", p->text);
  MlirOperation func = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  Check c = {.program = p};
  MlirBlock body = tileBody(func, 0);
  for (int i = 0; i < 6; ++i) c.values[i] = mlirBlockGetArgument(body, i);
  mlirOperationWalk(func, readOp, &c, MlirWalkPreOrder);
  TileAxisAnalysis *axes = tileAxisAnalysisCreate(func);
  TileAffine *affine = tileAffineCreate(func, axes, NULL);
  TileBuilder b = tileBuilderBefore(mlirBlockGetTerminator(body));
  for (int x = 0; x < p->count; ++x)
    for (int y = 0; y < p->count; ++y) {
      const Node *left = &p->nodes[x], *right = &p->nodes[y];
      if (left->width < 8 || left->width != right->width || !sameShape(left, right)) continue;
      for (int predicate = TILE_SLT; predicate <= TILE_SGE; ++predicate)
        checkPair(&c, affine, &b, x, y, predicate);
    }
  tileAffineDestroy(affine);
  tileAxisAnalysisDestroy(axes);
  mlirModuleDestroy(module);
  return c.claims;
}

static void foldedComparisonsHold(void **state) {
  (void)state;
  MlirContext context = createDialectContext();
  Program *p = calloc(1, sizeof *p);
  assert_non_null(p);
  const char *seeds = getenv("TILE_WRAP_PROGRAMS");
  int64_t claims = 0;
  int programs = seeds ? atoi(seeds) : PROGRAMS;
  for (int seed = 1; seed <= programs; ++seed) {
    p->random = (uint64_t)seed * 1000003;
    generate(p);
    claims += checkProgram(p, context);
  }
  // About half of what is claimed.
  assert_true(claims > programs * 30);
  free(p);
  mlirContextDestroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(foldedComparisonsHold)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
