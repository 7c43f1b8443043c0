//===- FillArray.h - arrays of one number for tests -------------*- C -*-===//
#ifndef TILE_TEST_FILL_ARRAY_H
#define TILE_TEST_FILL_ARRAY_H

#include "tile/Runtime/Array.h"
#include <string.h>

/// Stores `value`, converted as tileElementFromDouble does, in every element (on the host).
static inline void fillArray(TileArray *array, double value) {
  unsigned char element[16];
  size_t size = tileElementGetSize(array->type);
  tileElementFromDouble(array->type, value, element);
  for (int64_t i = 0; i < array->count; ++i)
    memcpy((char *)array->host + (size_t)i * size, element, size);
  tileArrayMarkHostWritten(array);
}

#endif
