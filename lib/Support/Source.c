//===- Source.c - the text that a location stands for ---------------------===//
#include "tile/Support/Source.h"
#include <stdlib.h>

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

bool tileSourceFind(MlirLocation location, TileSourcePlace *place) {
  MlirLocation found = findPlace(location, 0);
  if (mlirLocationIsNull(found)) return false;
  place->file = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(found));
  place->line = mlirLocationFileLineColRangeGetStartLine(found);
  place->column = mlirLocationFileLineColRangeGetStartColumn(found);
  return true;
}
