//===- cpu_matmul.c - a tile matmul beside OpenBLAS, in one run -----------===//
//
//   OPENBLAS_CORETYPE=Zen build/bin/bench/cpu_matmul bench/cpu_matmul.mlir 1024 [NAME=VALUE..]
//
// Runs @main of the file on the CPU, which also checks the result, then times its first launch and
// cblas_sgemm of the same size by turns, with the same number of threads, and prints the best and
// the median of each. OpenBLAS must be told the processor where its own detection fails (Debian's
// 0.3.21 does not know recent ones): an unfair baseline flatters.
//
//===----------------------------------------------------------------------===//
#include "tile/IR.h"
#include "tile/Program.h"
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 20 };

typedef struct {
  int size;
  float *a, *b, *c;
} Product;

static void fill(float *data, int count, unsigned seed) {
  for (int i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    data[i] = (float)(seed >> 8) / (1 << 23) - 1;
  }
}

static double timeBlas(const Product *p) {
  int n = p->size;
  double start = tileClockGetSeconds();
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, p->a, n, p->b, n, 0, p->c, n);
  return tileClockGetSeconds() - start;
}

static void report(const char *name, double *seconds, double operations) {
  TileStatistics s = tileStatisticsCompute(seconds, ROUNDS);
  printf("%-9s best %8.3f ms, %7.1f GFLOP/s; median %8.3f ms, %7.1f GFLOP/s\n", name, s.min * 1e3,
         operations / s.min * 1e-9, s.median * 1e3, operations / s.median * 1e-9);
}

/// Both by turns, so that what else the machine does strikes both.
static bool compare(TileProgram *program, const Product *p) {
  double ours[ROUNDS], theirs[ROUNDS], n = p->size;
  for (int i = 0; i < ROUNDS; ++i) {
    TileStatistics s;
    if (mlirLogicalResultIsFailure(tileProgramTime(program, 0, 3, &s))) return false;
    ours[i] = s.min;
    theirs[i] = timeBlas(p);
    for (int k = 0; k < 2; ++k) {
      double again = timeBlas(p);
      if (again < theirs[i]) theirs[i] = again;
    }
  }
  report("tile", ours, 2 * n * n * n);
  report("OpenBLAS", theirs, 2 * n * n * n);
  printf("tile / OpenBLAS: %.1f %% of best, %.1f %% of median\n", 100 * theirs[0] / ours[0],
         100 * theirs[ROUNDS / 2] / ours[ROUNDS / 2]);
  return true;
}

static bool run(MlirModule module, const char *size, int numBind, char **bind) {
  TileProgramOptions options = {
      .target = TILE_PROGRAM_CPU, .bind = (const char *const *)bind, .numBind = (size_t)numBind};
  TileProgram *program = tileProgramCreate(module, &options);
  bool ok = program && mlirLogicalResultIsSuccess(tileProgramRun(program, &size, 1));
  if (ok) {
    TileError error = {0};
    unsigned threads = tileExecutorGetThreads(tileExecutorGetDefault(&error));
    openblas_set_num_threads((int)threads);
    Product p = {.size = atoi(size)};
    size_t count = (size_t)p.size * (size_t)p.size;
    p.a = calloc(3 * count, sizeof *p.a);
    if (!p.a) abort();
    p.b = p.a + count;
    p.c = p.b + count;
    fill(p.a, (int)count, 1);
    fill(p.b, (int)count, 2);
    printf("%s x %s, %u threads, OpenBLAS %s for %s\n", size, size, threads, openblas_get_config(),
           openblas_get_corename());
    ok = compare(program, &p);
    free(p.a);
  }
  tileProgramDestroy(program);
  return ok;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s FILE.mlir SIZE [NAME=VALUE..]\n", argv[0]);
    return 2;
  }
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
  tileRegisterUpstreamPasses();
  tileRegisterPasses();
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  MlirModule module = mlirModuleCreateParseFromFile(context, tileString(argv[1]));
  bool ok = !mlirModuleIsNull(module) && run(module, argv[2], argc - 3, argv + 3);
  if (!mlirModuleIsNull(module)) mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return ok ? 0 : 1;
}
