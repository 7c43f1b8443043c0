//===- Slow.c - warnings about slow roads ---------------------------------===//
#include "tile/Support/Slow.h"
#include "tile/Tile.h"
#include <stdarg.h>
#include <stdio.h>

void tileEmitSlow(MlirLocation location, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  tileEmitWarning(location, "%s%s", text, TILE_SLOW_MARK);
}
