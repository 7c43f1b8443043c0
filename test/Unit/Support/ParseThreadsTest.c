// RUN: %unit/ParseThreadsTest
//
// Tile.h: parsing in several threads, some of texts at which a parser of MLIR's crashes, leaves the
// host its signals.
#include "tile/IR.h"
#include "tile/Tile.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the above first.
#include <cmocka.h>

enum { THREADS = 8, ROUNDS = 20 };

static const char good[] = "tile.func @k() {\n  tile.return\n}\n";
/// After its error for 0.5 the parser takes the list that is not there (MLIR 22.1).
static const char crashes[] = "func.func @f(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {\n"
                              "  linalg.transpose ins(%x : memref<?x?xf32>) outs(%y : "
                              "memref<?x?xf32>) permutation = [0.5, 0]\n"
                              "  return\n"
                              "}\n";

static MlirLogicalResult ignore(MlirDiagnostic diagnostic, void *data) {
  (void)diagnostic;
  (void)data;
  return mlirLogicalResultSuccess();
}

typedef struct Parser {
  pthread_t thread;
  const char *text;
  int parsed;
} Parser;

static void *parse(void *data) {
  Parser *p = data;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
  for (int i = 0; i < ROUNDS; ++i) {
    // What crashed may have left its context in any state: each text has one of its own.
    MlirContext context = mlirContextCreateWithRegistry(registry, false);
    mlirContextAttachDiagnosticHandler(context, ignore, NULL, NULL);
    MlirModule module = tileParse(context, tileString(p->text), tileString(""));
    if (!mlirModuleIsNull(module)) {
      ++p->parsed;
      mlirModuleDestroy(module);
    }
    mlirContextDestroy(context);
  }
  mlirDialectRegistryDestroy(registry);
  return NULL;
}

static void hostHandler(int number) { (void)number; }

static void testThreads(void **state) {
  (void)state;
  static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) signal(signals[i], hostHandler);
  Parser parsers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    parsers[i] = (Parser){.text = i % 2 ? crashes : good};
    assert_int_equal(pthread_create(&parsers[i].thread, NULL, parse, &parsers[i]), 0);
  }
  for (int i = 0; i < THREADS; ++i) {
    assert_int_equal(pthread_join(parsers[i].thread, NULL), 0);
    assert_int_equal(parsers[i].parsed, i % 2 ? 0 : ROUNDS);
  }
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) {
    struct sigaction now;
    assert_int_equal(sigaction(signals[i], NULL, &now), 0);
    assert_ptr_equal(now.sa_handler, hostHandler);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(testThreads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
