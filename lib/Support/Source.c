//===- Source.c - the text that a location stands for ---------------------===//
#include "tile/Source.h"
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

/// Bytes of the name at `text`, its '%' included; 0 where none begins.
static size_t nameLength(const char *text) {
  static const char letters[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.-";
  return *text == '%' ? 1 + strspn(text + 1, letters) : 0;
}

bool tileSourceGetName(const TileSourcePlace *place, char *name, size_t size) {
  char *line = tileSourceCopyLine(place);
  if (!line) return false;
  size_t column = place->column > 0 ? (size_t)place->column - 1 : 0;
  size_t length = column < strlen(line) ? nameLength(line + column) : 0;
  if (length) snprintf(name, size, "%.*s", (int)length, line + column);
  free(line);
  return length != 0;
}

bool tileSourceGetResultName(const TileSourcePlace *place, int i, char *name, size_t size) {
  char *line = tileSourceCopyLine(place);
  if (!line) return false;
  // `%a, %b:2 =`: up to the op, names with counts.
  size_t column = place->column > 0 ? (size_t)place->column - 1 : 0;
  if (column < strlen(line)) line[column] = 0;
  bool found = false, ends = strchr(line, '=') != NULL;
  const char *at = line + strspn(line, " \t");
  for (int left = i; ends && !found && *at == '%';) {
    size_t length = nameLength(at);
    char *after;
    long count = at[length] == ':' ? strtol(at + length + 1, &after, 10) : 1;
    if (at[length] != ':') after = (char *)at + length;
    found = left < count;
    if (found && count > 1)
      snprintf(name, size, "%.*s#%d", (int)length, at, left);
    else if (found)
      snprintf(name, size, "%.*s", (int)length, at);
    left -= (int)count;
    at = after + strspn(after, ", \t");
  }
  free(line);
  return found;
}
