//===- TensorMap.h - tensor maps and their boxes --------------------------===//
//
// Of the PTX emulator: what cuTensorMapEncodeTiled makes, and what cp.async.bulk.tensor in .tile
// mode moves. When it lands is the caller's: a copy is one call, at that moment. Sources: NVIDIA's
// driver API reference, "Tensor Map Object Management", and PTX ISA 9.0, "Tensors".
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_PTX_TENSORMAP_H
#define TILE_TEST_PTX_TENSORMAP_H

#include "Memory.h"

enum { PTX_MAP_BYTES = 128, PTX_MAP_RANK = 5, PTX_MAP_ALIGNMENT = 64 };

/// CUresult of cuTensorMapEncodeTiled, whose parameters these are (dimensions fastest first;
/// strides in bytes, of all but the first): 0, or 1 for what the reference does not allow.
int ptxMapEncode(void *map, int type, unsigned rank, void *base, const uint64_t *shape,
                 const uint64_t *strides, const uint32_t *box, const uint32_t *steps,
                 int interleave, int swizzle, int promotion, int fill);

/// Reads a map of this many dimensions: false with a fault for 128 bytes that are not one.
/// `bytes` becomes what a box takes in shared memory, which is what a load completes on its
/// mbarrier, elements out of bounds included.
bool ptxMapCheck(const void *map, int rank, uint32_t *bytes, PtxFault *fault);

/// cp.async.bulk.tensor.Nd.shared::cta.global.tile: the box at coords (fastest first) to shared
/// memory at an address, swizzled, with fills out of bounds. For a multicast call once a block.
bool ptxBoxLoad(const void *map, int rank, const int32_t *coords, const PtxShared *shared,
                uint32_t address, PtxFault *fault);

/// cp.async.bulk.tensor.Nd.global.shared::cta.tile: what is out of bounds is not written.
bool ptxBoxStore(const void *map, int rank, const int32_t *coords, const PtxShared *shared,
                 uint32_t address, PtxFault *fault);

/// cp.reduce.async.bulk.tensor's operations.
typedef enum PtxReduction {
  PTX_REDUCE_ADD,
  PTX_REDUCE_MIN,
  PTX_REDUCE_MAX,
  PTX_REDUCE_INC,
  PTX_REDUCE_DEC,
  PTX_REDUCE_AND,
  PTX_REDUCE_OR,
  PTX_REDUCE_XOR,
} PtxReduction;

/// Each element atomically.
bool ptxBoxReduce(const void *map, int rank, PtxReduction operation, const int32_t *coords,
                  const PtxShared *shared, uint32_t address, PtxFault *fault);

#endif // TILE_TEST_PTX_TENSORMAP_H
