//===- LayoutText.c - layouts as text, and what is wrong with them --------===//
#include "tile/Layout.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const inDimNames[TILE_NUM_IN_DIMS] = {"register", "lane", "warp", "offset"};

/// snprintf into what is left of the buffer after *length characters.
__attribute__((format(printf, 4, 5))) static void append(char *text, size_t size, int *length,
                                                         const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t used = (size_t)*length < size ? (size_t)*length : size;
  int written = vsnprintf(used < size ? text + used : NULL, size - used, format, arguments);
  va_end(arguments);
  if (written > 0) *length += written;
}

int tileLayoutFormat(TileLayout layout, char *text, size_t size) {
  int length = 0;
  if (size) text[0] = '\0';
  if (!tileLayoutIsValid(layout)) append(text, size, &length, "invalid");
  for (int dim = 0; dim < TILE_NUM_IN_DIMS && tileLayoutIsValid(layout); ++dim) {
    if (!layout.inBits[dim]) continue;
    append(text, size, &length, "%s%s:", length ? "; " : "", inDimNames[dim]);
    for (int bit = 0; bit < layout.inBits[dim]; ++bit) {
      append(text, size, &length, " (");
      for (int d = 0; d < layout.rank; ++d)
        append(text, size, &length, "%s%lld", d ? "," : "",
               (long long)tileLayoutCoordinate(layout, layout.bases[dim][bit], d));
      append(text, size, &length, ")");
    }
  }
  return length;
}

__attribute__((format(printf, 3, 4))) static bool reject(char *error, size_t size,
                                                         const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (size) vsnprintf(error, size, format, arguments);
  va_end(arguments);
  return false;
}

bool tileLayoutVerify(TileLayout layout, char *error, size_t size) {
  if (layout.rank < 0 || layout.rank > TILE_MAX_RANK)
    return reject(error, size, "expected a layout of rank 0 to %d, found %d", TILE_MAX_RANK,
                  layout.rank);
  int total = 0;
  for (int d = 0; d < layout.rank; ++d) {
    if (layout.outBits[d] < 0 || layout.outBits[d] > TILE_MAX_BITS)
      return reject(error, size, "expected 0 to %d bits in dimension %d, found %d", TILE_MAX_BITS,
                    d, layout.outBits[d]);
    total += layout.outBits[d];
  }
  if (total > TILE_MAX_BITS)
    return reject(error, size, "expected at most 2^%d elements, found 2^%d", TILE_MAX_BITS, total);
  for (int dim = 0; dim < TILE_NUM_IN_DIMS; ++dim) {
    int bits = layout.inBits[dim];
    if (bits < 0 || bits > TILE_MAX_BITS)
      return reject(error, size, "expected 0 to %d %s bits, found %d", TILE_MAX_BITS,
                    inDimNames[dim], bits);
    for (int bit = 0; bit < bits; ++bit)
      if (layout.bases[dim][bit] >> total)
        return reject(error, size,
                      "expected the basis of %s bit %d inside the tile of %llu elements, found "
                      "element %llu",
                      inDimNames[dim], bit, 1ull << total,
                      (unsigned long long)layout.bases[dim][bit]);
  }
  return true;
}

bool tileLayoutVerifyDistributed(TileLayout layout, int rank, const int64_t shape[], int numWarps,
                                 char *error, size_t size) {
  if (!tileLayoutVerify(layout, error, size)) return false;
  if (layout.rank != rank)
    return reject(error, size, "expected a layout of rank %d, found rank %d", rank, layout.rank);
  for (int d = 0; d < rank; ++d)
    if (shape[d] != tileLayoutExtent(layout, d))
      return reject(error, size,
                    "expected a layout of extent %lld in dimension %d, found extent %lld",
                    (long long)shape[d], d, (long long)tileLayoutExtent(layout, d));
  if (layout.inBits[TILE_OFFSET])
    return reject(error, size, "expected a distributed layout, found offset bits");
  if (layout.inBits[TILE_LANE] != TILE_LANE_BITS)
    return reject(error, size, "expected %d lane bits, found %d", TILE_LANE_BITS,
                  layout.inBits[TILE_LANE]);
  if (numWarps && tileLayoutSize(layout, TILE_WARP) != (uint32_t)numWarps)
    return reject(error, size, "expected a layout over %d warps, found %u warps", numWarps,
                  tileLayoutSize(layout, TILE_WARP));
  if (!tileLayoutIsSurjective(layout))
    return reject(error, size, "expected every element to be held, found elements without owner");
  return true;
}
