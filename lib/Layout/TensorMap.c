//===- TensorMap.c - boxes of the copy engine -----------------------------===//
//
// The swizzling modes and the limits are those of the PTX ISA, "Tensor swizzling modes", and of
// the reference page of cuTensorMapEncodeTiled.
//
//===----------------------------------------------------------------------===//
#include "tile/TensorMap.h"
#include "tile/Support/Bits.h"

/// Rows after which a swizzle repeats.
enum { PATTERN_ROWS = 8 };

int tileTensorMapSwizzle(int64_t rowBytes) {
  return rowBytes >= 128 ? 128 : rowBytes >= 64 ? 64 : rowBytes >= 32 ? 32 : 0;
}

bool tileTensorMapBox(int rank, const int64_t *shape, int elementBytes, TileMapBox *result) {
  if (rank < 1 || rank > TILE_MAP_MAX_RANK || !tileIsPowerOfTwo(elementBytes) || elementBytes > 8)
    return false;
  TileMapBox b = {.rank = rank, .elementBytes = elementBytes, .copies = 1, .bytes = elementBytes};
  int64_t rows = 1;
  for (int d = 0; d < rank; ++d) {
    if (shape[d] < 1) return false;
    b.shape[d] = shape[d];
    if (d + 1 < rank) rows *= shape[d];
  }
  int last = rank - 1;
  int64_t rowBytes = shape[last] * elementBytes;
  if (rowBytes < TILE_MAP_CHUNK_BYTES) return false;
  b.swizzle = rows < PATTERN_ROWS ? 0 : tileTensorMapSwizzle(rowBytes);
  if (b.swizzle && rows % PATTERN_ROWS) return false;
  // Swizzled boxes stand side by side, each with all rows; plain ones are pieces of a row.
  bool cut = false;
  for (int d = last; d >= 0; --d) {
    int64_t most = d == last && b.swizzle ? b.swizzle / elementBytes : TILE_MAP_MAX_EXTENT;
    b.box[d] = cut ? 1 : shape[d] < most ? shape[d] : most;
    if (shape[d] % b.box[d]) return false;
    cut |= b.box[d] < shape[d] && !(d == last && b.swizzle);
    b.copies *= shape[d] / b.box[d];
    b.bytes *= b.box[d];
  }
  if (b.box[last] * elementBytes % TILE_MAP_CHUNK_BYTES) return false;
  *result = b;
  return true;
}

int tileTensorMapSlowest(int rank, const int64_t *shape) {
  int slowest = 0;
  while (slowest + 1 < rank && shape[slowest] == 1) ++slowest;
  return slowest;
}

int64_t tileTensorMapCopy(const TileMapBox *box, int64_t i, int64_t *position) {
  int last = box->rank - 1;
  int64_t offset = i * box->bytes;
  // Fastest first: the dimensions of a row-major buffer, where the last one is slowest if swizzled.
  for (int step = 0; step < box->rank; ++step) {
    int d = box->swizzle ? (step < last ? last - 1 - step : last) : last - step;
    int64_t count = box->shape[d] / box->box[d];
    position[d] = i % count * box->box[d];
    i /= count;
  }
  return offset;
}
