//===- Names.c - what values are called in the text -----------------------===//
#include "tile/Support/Names.h"
#include <stdio.h>
#include <stdlib.h>

/// The outermost name of the location: of an inlined op its own, of a fused one the first. Null
/// where there is none.
static MlirLocation findName(MlirLocation loc, int depth) {
  MlirLocation none = {NULL};
  if (depth > 16 || mlirLocationIsAName(loc)) return depth > 16 ? none : loc;
  if (mlirLocationIsACallSite(loc)) return findName(mlirLocationCallSiteGetCallee(loc), depth + 1);
  if (!mlirLocationIsAFused(loc)) return none;
  unsigned count = mlirLocationFusedGetNumLocations(loc);
  MlirLocation *parts = calloc(count + (size_t)1, sizeof *parts);
  if (!parts) abort();
  mlirLocationFusedGetLocations(loc, parts);
  MlirLocation found = none;
  for (unsigned i = 0; i < count && mlirLocationIsNull(found); ++i)
    found = findName(parts[i], depth + 1);
  free(parts);
  return found;
}

/// Takes "2:1=b" apart; false where it is a name alone.
static bool readGroup(MlirStringRef text, int *start, int *count, MlirStringRef *name) {
  char buffer[32];
  int used = 0;
  snprintf(buffer, sizeof buffer, "%.*s", (int)text.length, text.data);
  if (sscanf(buffer, "%d:%d=%n", start, count, &used) != 2 || !used) return false;
  *name = mlirStringRefCreate(text.data + used, text.length - (size_t)used);
  return true;
}

bool tileNameFind(MlirLocation location, int i, char *name, size_t size) {
  MlirLocation at = findName(location, 0);
  if (mlirLocationIsNull(at)) return false;
  MlirStringRef first = mlirIdentifierStr(mlirLocationNameGetName(at)), own;
  int start = 0, count = 0;
  for (;;) {
    at = mlirLocationNameGetChildLoc(at);
    if (!mlirLocationIsAName(at)) break;
    if (!readGroup(mlirIdentifierStr(mlirLocationNameGetName(at)), &start, &count, &own)) break;
    if (i < start || i >= start + count) continue;
    snprintf(name, size, count > 1 ? "%%%.*s#%d" : "%%%.*s", (int)own.length, own.data, i - start);
    return true;
  }
  // One result alone.
  if (count || i) return false;
  snprintf(name, size, "%%%.*s", (int)first.length, first.data);
  return true;
}

void tileNamePrint(MlirOperation op, MlirStringCallback callback, void *data) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsPrintNameLocAsPrefix(flags);
  mlirOperationPrintWithFlags(op, flags, callback, data);
  mlirOpPrintingFlagsDestroy(flags);
}
