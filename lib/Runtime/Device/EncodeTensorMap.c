//===- EncodeTensorMap.c - descriptors for the copy engine ----------------===//
//
// cuTensorMapEncodeTiled takes dimensions fastest first; ours come in the array's order, so they
// are turned around here. The limits checked are those of its reference page: the driver answers
// all of them with "invalid value".
//===----------------------------------------------------------------------===//
#include "Cuda.h"

enum {
  MAX_BOX = 256,
  CHUNK_BYTES = 16,
  /// CUtensorMapInterleave: none.
  INTERLEAVE_NONE = 0,
  /// CUtensorMapL2promotion: the L2 cache fetches whole lines of 128 bytes. The rest of a line
  /// that a box's row ends in is what the next box begins with.
  PROMOTION_128_BYTES = 2,
};

/// CUtensorMapDataType. Elements that the engine only moves go by their size; floats matter for
/// the NaN fill.
static int getDataType(TileElementType type) {
  switch (type) {
  case TILE_ELEMENT_I1:
  case TILE_ELEMENT_I8:
  case TILE_ELEMENT_F8E4M3FN:
  case TILE_ELEMENT_F8E5M2:
    return 0; // UINT8
  case TILE_ELEMENT_I16:
    return 1; // UINT16
  case TILE_ELEMENT_I32:
    return 3; // INT32
  case TILE_ELEMENT_I64:
    return 5; // INT64
  case TILE_ELEMENT_F16:
    return 6;
  case TILE_ELEMENT_F32:
    return 7;
  case TILE_ELEMENT_F64:
    return 8;
  case TILE_ELEMENT_BF16:
    return 9;
  }
  return 0;
}

static uint64_t getSwizzleBytes(TileSwizzle swizzle) {
  switch (swizzle) {
  case TILE_SWIZZLE_NONE:
    return MAX_BOX * sizeof(double);
  case TILE_SWIZZLE_32B:
    return 32;
  case TILE_SWIZZLE_64B:
    return 64;
  case TILE_SWIZZLE_128B:
    return 128;
  }
  return 0;
}

static bool checkSpec(const TileTensorMapSpec *spec, TileError *error) {
  if (spec->rank < 1 || spec->rank > TILE_TENSOR_MAP_MAX_RANK)
    return tileErrorSet(error, "expected a tensor map of rank 1 .. %d, found %u",
                        TILE_TENSOR_MAP_MAX_RANK, spec->rank);
  if (spec->base % CHUNK_BYTES)
    return tileErrorSet(error, "expected a base on a 16-byte boundary, found 0x%llx",
                        (unsigned long long)spec->base);
  for (unsigned i = 0; i < spec->rank; ++i) {
    if (spec->shape[i] < 1 || spec->shape[i] > UINT64_C(1) << 32)
      return tileErrorSet(error, "expected extents in 1 .. 2^32, found %llu in dimension %u",
                          (unsigned long long)spec->shape[i], i);
    if (spec->box[i] < 1 || spec->box[i] > MAX_BOX)
      return tileErrorSet(error, "expected box extents in 1 .. %d, found %u in dimension %u",
                          MAX_BOX, spec->box[i], i);
    if (i + 1 < spec->rank &&
        (spec->strides[i] % CHUNK_BYTES || spec->strides[i] >= UINT64_C(1) << 40))
      return tileErrorSet(error,
                          "expected strides that are multiples of 16 bytes below 2^40, found %llu "
                          "in dimension %u",
                          (unsigned long long)spec->strides[i], i);
  }
  uint64_t row = spec->box[spec->rank - 1] * (uint64_t)tileElementGetSize(spec->type);
  if (row % CHUNK_BYTES || row > getSwizzleBytes(spec->swizzle))
    return tileErrorSet(error,
                        "expected a box whose rows are a multiple of 16 bytes, at most %llu, found "
                        "%llu",
                        (unsigned long long)getSwizzleBytes(spec->swizzle),
                        (unsigned long long)row);
  bool hasNan = !tileElementIsInteger(spec->type) && tileElementGetSize(spec->type) > 1;
  if (spec->nanFill && !hasNan)
    return tileErrorSet(error, "expected f16, bf16, f32 or f64 for a NaN fill, found %s",
                        tileElementGetName(spec->type));
  return true;
}

bool tileDeviceEncodeTensorMap(TileDevice *device, const TileTensorMapSpec *spec,
                               TileTensorMap *map, TileError *error) {
  const TileDriver *driver = device->driver;
  if (device->info.major < 9 || !driver->tensorMapEncode)
    return tileErrorSet(error,
                        "expected a device of sm_90 or later with tensor maps, found sm_%d%d",
                        device->info.major, device->info.minor);
  if (!checkSpec(spec, error) || !tileCudaEnter(device, error)) return false;
  uint64_t shape[TILE_TENSOR_MAP_MAX_RANK], strides[TILE_TENSOR_MAP_MAX_RANK];
  uint32_t box[TILE_TENSOR_MAP_MAX_RANK], steps[TILE_TENSOR_MAP_MAX_RANK];
  unsigned rank = spec->rank;
  for (unsigned i = 0, from = rank; from-- > 0; ++i) {
    // NOLINTNEXTLINE(clang-analyzer-security.ArrayBound): checkSpec has bounded the rank
    shape[i] = spec->shape[from];
    box[i] = spec->box[from];
    steps[i] = 1;
    // The fastest dimension's stride is not passed: strides[0] is the second fastest's.
    if (from) strides[i] = spec->strides[from - 1];
  }
  CudaResult result = driver->tensorMapEncode(
      map, getDataType(spec->type), rank, (void *)(uintptr_t)spec->base, shape, strides, box, steps,
      INTERLEAVE_NONE, (int)spec->swizzle, PROMOTION_128_BYTES, spec->nanFill);
  return tileCudaCheck(driver, result, "cuTensorMapEncodeTiled", error);
}
