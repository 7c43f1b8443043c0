//===- ConsoleRecord.c - how printed values lie in a record ----------------===//
#include "tile/Console.h"

TileConsoleValue tileConsoleValue(int rank, const int64_t *shape, int elementBytes) {
  TileConsoleValue value = {.rank = rank};
  int64_t elements = 1, stride = 1;
  for (int d = 0; d < rank; ++d) elements *= shape[d];
  for (int d = rank; d-- > 0;) {
    bool cut = elements > TILE_CONSOLE_FULL && shape[d] > 2 * TILE_CONSOLE_EDGE;
    value.shape[d] = shape[d];
    value.shown[d] = cut ? 2 * TILE_CONSOLE_EDGE : shape[d];
    value.strides[d] = stride;
    stride *= value.shown[d];
  }
  value.bytes = (stride * elementBytes + 15) / 16 * 16;
  return value;
}
