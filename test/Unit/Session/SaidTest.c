// RUN: %unit/SaidTest
//===- SaidTest.c - diagnostics that another process says -----------------===//
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/IR.h"
#include "tile/IR.h"
#include "tile/Session/Said.h"
#include "tile/Support/Source.h"
#include "tile/Text.h"
#include "tile/Tile.h"

/// A diagnostic as text, "severity line:column text", and its notes behind it.
static void print(MlirDiagnostic diagnostic, FILE *out) {
  TileSourcePlace place = {.line = 0};
  bool has = tileSourceFind(mlirDiagnosticGetLocation(diagnostic), &place);
  TileText text = {0};
  mlirDiagnosticPrint(diagnostic, tileTextCollect, &text);
  fprintf(out, "%d %.*s:%d:%d %s\n", (int)mlirDiagnosticGetSeverity(diagnostic),
          has ? (int)place.file.length : 0, has ? place.file.data : "", has ? (int)place.line : 0,
          has ? (int)place.column : 0, text.data ? text.data : "");
  free(text.data);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); ++i)
    print(mlirDiagnosticGetNote(diagnostic, i), out);
}

static MlirLogicalResult onDiagnostic(MlirDiagnostic diagnostic, void *out) {
  print(diagnostic, out);
  return mlirLogicalResultSuccess();
}

/// One of each severity, with none to three notes, at places and at none, with texts of any bytes.
static void emitAll(MlirContext context) {
  static const MlirDiagnosticSeverity severities[] = {MlirDiagnosticError, MlirDiagnosticWarning,
                                                      MlirDiagnosticRemark};
  MlirLocation place = mlirLocationFileLineColGet(context, tileString("a b.mlir"), 7, 3);
  TileNote notes[] = {{place, tileString("here")},
                      {mlirLocationUnknownGet(context), tileString("")},
                      {mlirLocationFileLineColGet(context, tileString("other"), 1, 1),
                       tileString("two\nlines, 100% of them")}};
  for (int s = 0; s < 3; ++s)
    for (size_t count = 0; count <= 3; ++count)
      tileEmitWithNotes(severities[s], count % 2 ? mlirLocationUnknownGet(context) : place,
                        tileString("expected %d, found \"%s\""), notes, count);
}

/// What a handler hears of `say`.
static char *hear(MlirContext context, MlirDiagnosticHandler handler, size_t *size,
                  void (*say)(MlirContext)) {
  char *text = NULL;
  FILE *out = open_memstream(&text, size);
  MlirDiagnosticHandlerID id = mlirContextAttachDiagnosticHandler(context, handler, out, NULL);
  say(context);
  mlirContextDetachDiagnosticHandler(context, id);
  if (handler == tileSaidWrite) tileSaidEnd(out);
  fclose(out);
  return text;
}

static const char *written, *writtenEnd;

static void repeat(MlirContext context) {
  const char *at = written;
  assert_true(tileSaidRepeat(&at, writtenEnd, context));
  assert_ptr_equal(at, writtenEnd);
}

static void allIsSaidAgain(void **state) {
  (void)state;
  MlirContext here = mlirContextCreate(), there = mlirContextCreate();
  size_t size, first, second;
  char *data = hear(there, tileSaidWrite, &size, emitAll);
  written = data;
  writtenEnd = data + size;
  char *wanted = hear(here, onDiagnostic, &first, emitAll);
  char *found = hear(here, onDiagnostic, &second, repeat);
  assert_int_equal(first, second);
  assert_string_equal(wanted, found);
  assert_non_null(strstr(found, "other:1:1 two\nlines, 100% of them"));
  free(data);
  free(wanted);
  free(found);
  mlirContextDestroy(here);
  mlirContextDestroy(there);
}

static size_t cut;

static void repeatCut(MlirContext context) {
  const char *at = written;
  assert_false(tileSaidRepeat(&at, written + cut, context));
}

/// A child that ends early, wherever that is, has said less, and nothing is read beyond.
static void cutsAreNoticed(void **state) {
  (void)state;
  MlirContext context = mlirContextCreate();
  size_t size, heard, whole;
  char *data = hear(context, tileSaidWrite, &size, emitAll);
  written = data;
  writtenEnd = data + size;
  char *wanted = hear(context, onDiagnostic, &whole, repeat);
  for (cut = 0; cut < size; ++cut) {
    char *exact = malloc(cut + 1); // where a sanitizer sees its end
    memcpy(exact, data, cut);
    written = exact;
    char *found = hear(context, onDiagnostic, &heard, repeatCut);
    assert_true(heard <= whole);
    assert_memory_equal(found, wanted, heard);
    free(found);
    free(exact);
  }
  // Counts and lengths of another writer's.
  static const uint32_t bad[] = {0, 1, 1, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
  const char *at = (const char *)bad;
  assert_false(tileSaidRepeat(&at, (const char *)bad + sizeof bad, context));
  free(data);
  free(wanted);
  mlirContextDestroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(allIsSaidAgain),
      cmocka_unit_test(cutsAreNoticed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
