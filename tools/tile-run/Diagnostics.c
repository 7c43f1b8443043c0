//===- Diagnostics.c - errors as compilers print them ---------------------===//
#include "mlir-c/Diagnostics.h"
#include "TileRun.h"
#include "tile/IR.h"
#include "tile/Trace.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The place in a file that a location comes down to; a null location when there is none.
static MlirLocation findPlace(MlirLocation loc, int depth) {
  if (mlirLocationIsAFileLineColRange(loc)) return loc;
  MlirLocation none = {NULL};
  if (depth > 16) return none;
  if (mlirLocationIsACallSite(loc)) return findPlace(mlirLocationCallSiteGetCallee(loc), depth + 1);
  if (mlirLocationIsAName(loc)) return findPlace(mlirLocationNameGetChildLoc(loc), depth + 1);
  if (!mlirLocationIsAFused(loc)) return none;
  unsigned count = mlirLocationFusedGetNumLocations(loc);
  MlirLocation *parts = calloc(count + 1, sizeof *parts);
  if (!parts) return none;
  mlirLocationFusedGetLocations(loc, parts);
  MlirLocation found = none;
  for (unsigned i = 0; i < count && mlirLocationIsNull(found); ++i)
    found = findPlace(parts[i], depth + 1);
  free(parts);
  return found;
}

/// Prints line `line` of a file and a caret under `column`, if they are there.
static void printLine(const char *path, int line, int column) {
  FILE *file = fopen(path, "r");
  if (!file) return;
  char *text = NULL;
  size_t capacity = 0;
  ssize_t length = -1;
  for (int i = 0; i < line; ++i)
    if ((length = getline(&text, &capacity, file)) < 0) break;
  if (length > 0) {
    if (text[length - 1] == '\n') text[--length] = 0;
    fprintf(stderr, "%s\n", text);
    for (int i = 1; i < column && i <= length; ++i) fputc(text[i - 1] == '\t' ? '\t' : ' ', stderr);
    fputs("^\n", stderr);
  }
  free(text);
  fclose(file);
}

static void printText(MlirStringRef text, void *data) {
  (void)data;
  fwrite(text.data, 1, text.length, stderr);
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

static MlirLogicalResult onDiagnostic(MlirDiagnostic diagnostic, void *data) {
  (void)data;
  MlirDiagnosticSeverity severity = mlirDiagnosticGetSeverity(diagnostic);
  if ((severity == MlirDiagnosticRemark && !tileTraceIsOn()) ||
      (severity == MlirDiagnosticNote && isOpDump(diagnostic)))
    return mlirLogicalResultSuccess();
  fflush(stdout);
  MlirLocation place = findPlace(mlirDiagnosticGetLocation(diagnostic), 0);
  char path[4096] = "";
  int line = 0, column = 0;
  if (!mlirLocationIsNull(place)) {
    MlirStringRef name = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(place));
    snprintf(path, sizeof path, "%.*s", (int)name.length, name.data);
    line = mlirLocationFileLineColRangeGetStartLine(place);
    column = mlirLocationFileLineColRangeGetStartColumn(place);
    // The module as a whole has a file and no line.
    if (line)
      fprintf(stderr, "%s:%d:%d: ", path, line, column);
    else
      fprintf(stderr, "%s: ", path);
  }
  fprintf(stderr, "%s: ", nameOf(severity));
  if (severity == MlirDiagnosticRemark) fprintf(stderr, "[%s] ", tileTraceGetPass());
  mlirDiagnosticPrint(diagnostic, printText, NULL);
  fputc('\n', stderr);
  printLine(path, line, column);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); ++i)
    onDiagnostic(mlirDiagnosticGetNote(diagnostic, i), data);
  return mlirLogicalResultSuccess();
}

void attachDiagnostics(MlirContext context) {
  mlirContextAttachDiagnosticHandler(context, onDiagnostic, NULL, NULL);
}
