//===- Diagnostic.c - MLIR's diagnostics as messages ----------------------===//
#include "tile/Support/Render.h"
#include "tile/Support/Source.h"
#include "tile/Text.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *nameOf(MlirDiagnosticSeverity severity) {
  switch (severity) {
  case MlirDiagnosticWarning:
    return "warning";
  case MlirDiagnosticNote:
    return "note";
  case MlirDiagnosticRemark:
    return "remark";
  case MlirDiagnosticError:
    break;
  }
  return "error";
}

/// To be freed.
static char *copyText(MlirDiagnostic diagnostic) {
  TileText text = {0};
  tileTextAdd(&text, "");
  mlirDiagnosticPrint(diagnostic, tileTextCollect, &text);
  return text.data;
}

bool tileDiagnosticIsNoise(MlirDiagnostic diagnostic) {
  static const char *const beginnings[] = {"see current operation", "Available dialects:"};
  if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticNote) return false;
  char *text = copyText(diagnostic);
  bool is = false;
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; ++i)
    is |= !strncmp(text, beginnings[i], strlen(beginnings[i]));
  free(text);
  return is;
}

static void render(FILE *stream, MlirDiagnostic diagnostic, const char *pass,
                   const TileSourcePlace *parent) {
  MlirDiagnosticSeverity severity = mlirDiagnosticGetSeverity(diagnostic);
  TileSourcePlace place = {.line = 0};
  bool found = tileSourceFind(mlirDiagnosticGetLocation(diagnostic), &place);
  char *file = found ? strndup(place.file.data, place.file.length) : NULL;
  char *text = copyText(diagnostic);
  const TileMessage message = {
      .severity = nameOf(severity),
      .file = file,
      .line = place.line,
      .column = place.column,
      .pass = severity == MlirDiagnosticRemark ? pass : NULL,
      .text = text,
      .isSamePlace = parent && parent->line == place.line && parent->column == place.column,
  };
  tileRenderMessage(stream, &message);
  free(text);
  free(file);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); ++i) {
    MlirDiagnostic note = mlirDiagnosticGetNote(diagnostic, i);
    if (!tileDiagnosticIsNoise(note)) render(stream, note, pass, &place);
  }
}

void tileDiagnosticRender(FILE *stream, MlirDiagnostic diagnostic, const char *pass) {
  if (!tileDiagnosticIsNoise(diagnostic)) render(stream, diagnostic, pass, NULL);
}
