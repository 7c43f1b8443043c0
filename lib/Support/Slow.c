//===- Slow.c - warnings about slow roads ---------------------------------===//
#include "tile/Support/Slow.h"
#include "tile/Tile.h"
#include <stdarg.h>
#include <stdio.h>

static const char rare[] = "tile.rare";

MlirLocation tileLocationMarkRare(MlirLocation location) {
  return mlirLocationNameGet(mlirLocationGetContext(location), mlirStringRefCreateFromCString(rare),
                             location);
}

bool tileLocationIsRare(MlirLocation location) {
  if (!mlirLocationIsAName(location)) return false;
  MlirStringRef name = mlirIdentifierStr(mlirLocationNameGetName(location));
  return mlirStringRefEqual(name, mlirStringRefCreateFromCString(rare)) ||
         tileLocationIsRare(mlirLocationNameGetChildLoc(location));
}

void tileEmitSlow(MlirLocation location, const char *format, ...) {
  if (tileLocationIsRare(location)) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  tileEmitWarning(location, "%s%s", text, TILE_SLOW_MARK);
}
