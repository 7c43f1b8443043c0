// RUN: %unit/NamesTest
//
// Names.h: values are called what the text calls them, through inlining and printing.
#include "tile/Support/Names.h"
#include "mlir-c/IR.h"
#include "tile/IR.h"
#include "tile/Text.h"
#include "tile/Tile.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the above first.
#include <cmocka.h>

static const char text[] = "func.func @f(%x: i32, %in_2.a: i32) -> i32 {\n"
                           "  %v = arith.addi %x, %in_2.a : i32\n"
                           "  %all:2 = func.call @two(%v) : (i32) -> (i32, i32)\n"
                           "  %a:2, %b = func.call @three(%all#0) : (i32) -> (i32, i32, i32)\n"
                           "  %7 = arith.muli %a#1, %b : i32\n"
                           "  %8 = arith.subi %7, %b : i32 loc(\"given\"(\"other\":1:2))\n"
                           "  %far =\n"
                           "    arith.muli %8, %8 : i32\n"
                           "  func.return %far : i32\n"
                           "}\n"
                           "func.func private @two(i32) -> (i32, i32)\n"
                           "func.func private @three(i32) -> (i32, i32, i32)\n";

typedef struct Parsed {
  MlirContext context;
  MlirModule module;
  MlirBlock body;
} Parsed;

static int setUp(void **state) {
  Parsed *p = calloc(1, sizeof *p);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
  p->context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  p->module = tileParse(p->context, mlirStringRefCreateFromCString(text), tileString(""));
  if (mlirModuleIsNull(p->module)) return -1;
  p->body = tileBody(mlirBlockGetFirstOperation(mlirModuleGetBody(p->module)), 0);
  *state = p;
  return 0;
}

static int tearDown(void **state) {
  Parsed *p = *state;
  mlirModuleDestroy(p->module);
  mlirContextDestroy(p->context);
  free(p);
  return 0;
}

static MlirOperation opAt(const Parsed *p, int number) {
  MlirOperation op = mlirBlockGetFirstOperation(p->body);
  while (number--) op = mlirOperationGetNextInBlock(op);
  return op;
}

static const char *nameIn(MlirLocation loc, int i) {
  static char name[16];
  return tileNameFind(loc, i, name, sizeof name) ? name : "";
}

static const char *resultOf(const Parsed *p, int number, int i) {
  return nameIn(mlirOperationGetLocation(opAt(p, number)), i);
}

static void argumentsHaveNames(void **state) {
  const Parsed *p = *state;
  assert_string_equal(nameIn(mlirValueGetLocation(mlirBlockGetArgument(p->body, 0)), 0), "%x");
  assert_string_equal(nameIn(mlirValueGetLocation(mlirBlockGetArgument(p->body, 1)), 0), "%in_2.a");
}

static void resultsHaveNames(void **state) {
  const Parsed *p = *state;
  assert_string_equal(resultOf(p, 0, 0), "%v");
  assert_string_equal(resultOf(p, 0, 1), "");
  assert_string_equal(resultOf(p, 1, 0), "%all#0");
  assert_string_equal(resultOf(p, 1, 1), "%all#1");
  assert_string_equal(resultOf(p, 1, 2), "");
  assert_string_equal(resultOf(p, 2, 0), "%a#0");
  assert_string_equal(resultOf(p, 2, 1), "%a#1");
  assert_string_equal(resultOf(p, 2, 2), "%b");
  // A number is a name, unless the text has a location with another.
  assert_string_equal(resultOf(p, 3, 0), "%7");
  assert_string_equal(resultOf(p, 4, 0), "%given");
  assert_string_equal(resultOf(p, 5, 0), "%far");
  assert_string_equal(resultOf(p, 6, 0), "");
}

static void inlinedAndFusedOpsKeepThem(void **state) {
  const Parsed *p = *state;
  MlirLocation own = mlirOperationGetLocation(opAt(p, 0));
  MlirLocation other = mlirOperationGetLocation(opAt(p, 1));
  MlirLocation unknown = mlirLocationUnknownGet(p->context);
  assert_string_equal(nameIn(mlirLocationCallSiteGet(own, other), 0), "%v");
  const MlirLocation parts[] = {unknown, own, other};
  MlirAttribute none = {NULL};
  assert_string_equal(nameIn(mlirLocationFusedGet(p->context, 3, parts, none), 0), "%v");
  assert_string_equal(nameIn(unknown, 0), "");
}

static void printedWithThem(void **state) {
  const Parsed *p = *state;
  TileText printed = {0};
  tileNamePrint(mlirModuleGetOperation(p->module), tileTextCollect, &printed);
  assert_non_null(strstr(printed.data, "%v = arith.addi %x, %in_2.a : i32"));
  assert_non_null(strstr(printed.data, "%a:3 = call @three(%all#0)"));
  assert_non_null(strstr(printed.data, "%far = arith.muli %given, %given"));
  // It is text of the same module.
  MlirModule again =
      tileParse(p->context, mlirStringRefCreate(printed.data, printed.size), tileString(""));
  assert_false(mlirModuleIsNull(again));
  TileText twice = {0};
  tileNamePrint(mlirModuleGetOperation(again), tileTextCollect, &twice);
  assert_string_equal(twice.data, printed.data);
  mlirModuleDestroy(again);
  free(printed.data);
  free(twice.data);
}

static void aTextEndsWhereItsLengthSays(void **state) {
  const Parsed *p = *state;
  // What follows is no part of it, nor need there be a NUL.
  MlirModule module =
      tileParse(p->context, mlirStringRefCreate("module {} no", 9), tileString("-"));
  assert_false(mlirModuleIsNull(module));
  mlirModuleDestroy(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(argumentsHaveNames),          cmocka_unit_test(resultsHaveNames),
      cmocka_unit_test(inlinedAndFusedOpsKeepThem),  cmocka_unit_test(printedWithThem),
      cmocka_unit_test(aTextEndsWhereItsLengthSays),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}
