//===- Diagnostics.c - errors as compilers print them ---------------------===//
#include "mlir-c/Diagnostics.h"
#include "TileRun.h"
#include "tile/IR.h"
#include "tile/Support/Render.h"
#include "tile/Support/Slow.h"
#include "tile/Trace.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
      ((options->noSlow || options->tune) && isSlow(diagnostic)))
    return mlirLogicalResultSuccess();
  fflush(stdout);
  tileProgressClear();
  tileDiagnosticRender(stderr, diagnostic, pass);
  return mlirLogicalResultSuccess();
}

void attachDiagnostics(MlirContext context, const RunOptions *options) {
  // The handler only reads what it is given.
  mlirContextAttachDiagnosticHandler(context, onDiagnostic, (void *)(uintptr_t)options, NULL);
}
