//===- Diagnostics.c - errors as compilers print them ---------------------===//
#include "mlir-c/Diagnostics.h"
#include "TileRun.h"
#include "tile/IR.h"
#include "tile/Support/Slow.h"
#include "tile/Support/Source.h"
#include "tile/Text.h"
#include "tile/Trace.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Prints the line of a place and a caret under its column, if it can be read.
static void printLine(const TileSourcePlace *place) {
  char *text = tileSourceCopyLine(place);
  if (!text) return;
  tileTextPrintEscaped(stderr, text, strlen(text), /*lines=*/true);
  fputc('\n', stderr);
  int length = (int)strlen(text);
  for (int i = 1; i < place->column && i <= length; ++i)
    fputc(text[i - 1] == '\t' ? '\t' : ' ', stderr);
  fputs("^\n", stderr);
  free(text);
}

static void printText(MlirStringRef text, void *data) {
  (void)data;
  tileTextPrintEscaped(stderr, text.data, text.length, /*lines=*/true);
}

static const char *nameOf(MlirDiagnosticSeverity severity) {
  switch (severity) {
  case MlirDiagnosticError:
    return "error";
  case MlirDiagnosticWarning:
    return "warning";
  case MlirDiagnosticNote:
    return "note";
  case MlirDiagnosticRemark:
    return "remark";
  }
  return "error";
}

typedef struct Start {
  char text[32];
  size_t size;
} Start;

static void takeStart(MlirStringRef text, void *data) {
  Start *start = data;
  for (size_t i = 0; i < text.length && start->size < sizeof start->text - 1; ++i)
    start->text[start->size++] = text.data[i];
}

/// The whole op in its generic form, which MLIR appends to errors: the line and caret say more.
static bool isOpDump(MlirDiagnostic diagnostic) {
  Start start = {0};
  mlirDiagnosticPrint(diagnostic, takeStart, &start);
  return !strncmp(start.text, "see current operation", 21);
}

/// What passes remark is shown on request, what the runtime does always. `passes`: those of
/// --remarks.
static bool isWanted(const char *pass, const char *passes) {
  return !pass || tileTraceIsOn() || (passes && tilePassListHas(passes, pass));
}

typedef struct End {
  char text[sizeof TILE_SLOW_MARK];
  size_t size;
} End;

static void takeEnd(MlirStringRef text, void *data) {
  End *end = data;
  for (size_t i = 0; i < text.length; ++i) {
    if (end->size == sizeof end->text - 1) memmove(end->text, end->text + 1, --end->size);
    end->text[end->size++] = text.data[i];
  }
}

static bool isSlow(MlirDiagnostic diagnostic) {
  End end = {.size = 0};
  if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticWarning) return false;
  mlirDiagnosticPrint(diagnostic, takeEnd, &end);
  end.text[end.size] = 0;
  return !strcmp(end.text, TILE_SLOW_MARK);
}

static MlirLogicalResult onDiagnostic(MlirDiagnostic diagnostic, void *data) {
  const RunOptions *options = data;
  MlirDiagnosticSeverity severity = mlirDiagnosticGetSeverity(diagnostic);
  const char *pass = tileTraceGetPass();
  if ((severity == MlirDiagnosticRemark && !isWanted(pass, options->remarks)) ||
      ((options->noSlow || options->tune) && isSlow(diagnostic)) ||
      (severity == MlirDiagnosticNote && isOpDump(diagnostic)))
    return mlirLogicalResultSuccess();
  fflush(stdout);
  TileSourcePlace place = {.line = 0};
  if (tileSourceFind(mlirDiagnosticGetLocation(diagnostic), &place)) {
    // The module as a whole has a file and no line.
    fprintf(stderr, "%.*s:", (int)place.file.length, place.file.data);
    if (place.line) fprintf(stderr, "%d:%d:", place.line, place.column);
    fputc(' ', stderr);
  }
  fprintf(stderr, "%s: ", nameOf(severity));
  if (severity == MlirDiagnosticRemark && pass) fprintf(stderr, "[%s] ", pass);
  mlirDiagnosticPrint(diagnostic, printText, NULL);
  fputc('\n', stderr);
  printLine(&place);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); ++i)
    onDiagnostic(mlirDiagnosticGetNote(diagnostic, i), data);
  return mlirLogicalResultSuccess();
}

void attachDiagnostics(MlirContext context, const RunOptions *options) {
  // The handler only reads what it is given.
  mlirContextAttachDiagnosticHandler(context, onDiagnostic, (void *)(uintptr_t)options, NULL);
}
