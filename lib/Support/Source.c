//===- Source.c - the text that a location stands for ---------------------===//
#include "tile/Support/Source.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/// Opens a file that a location names: any text can name one, so nothing that waits or never ends.
static FILE *openRegular(const char *path) {
  struct stat status;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  FILE *file = NULL;
  if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
    file = fdopen(descriptor, "r");
  if (!file && descriptor >= 0) close(descriptor);
  return file;
}

char *tileSourceCopyLine(const TileSourcePlace *place) {
  char path[4096];
  snprintf(path, sizeof path, "%.*s", (int)place->file.length, place->file.data);
  FILE *file = place->line > 0 ? openRegular(path) : NULL;
  if (!file) return NULL;
  char *text = NULL;
  size_t capacity = 0;
  ssize_t length = -1;
  for (int i = 0; i < place->line; ++i)
    if ((length = getline(&text, &capacity, file)) < 0) break;
  fclose(file);
  if (length > 0) {
    if (text[length - 1] == '\n') text[length - 1] = 0;
    return text;
  }
  free(text);
  return NULL;
}
