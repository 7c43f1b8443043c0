//===- TensorMap.h - how a tile lies where the copy engine puts it -*- C -*-===//
//
// A tensor map (sm_90 and later) tells the copy engine about an array in global memory and about
// the box that one copy moves to or from shared memory. A tile is one box where it fits, and
// several where it does not. This header holds the one rule for that; the description of a
// descriptor in the compiled module, the lowering of copies, and whoever chooses the type of a
// shared buffer all ask it, so that they agree:
//
//   - rows of 128 bytes or more: the 128-byte swizzle, and boxes of 128 bytes along the last
//     dimension; rows of 64 or 32 bytes: the swizzle of that name, and the whole row;
//   - no swizzle for shorter rows, and for fewer than 8 rows, since the pattern repeats every 8
//     rows and the next box would begin inside of it;
//   - no extent of a box above 256; a dimension that is cut leaves the slower ones an extent of 1,
//     so that a box is one piece of the buffer.
//
// The boxes follow each other in the order of tileLayoutShared(rank, shape, bytes, NULL, swizzle).
// 128 x 128 of f16 are two boxes, 16 KiB each:
//
//     columns   0 .. 63   64 .. 127
//     row 0     +0        +16384       (+128 a row, 16-byte chunks xored with the row's low bits)
//     row 127   +16256    +32640
//
// A swizzled buffer begins on a multiple of 8 * swizzle bytes, any other on 128 bytes: the engine
// swizzles by address.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TENSOR_MAP_H
#define TILE_TENSOR_MAP_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TILE_MAP_MAX_RANK = 5,     ///< dimensions of a tensor map
  TILE_MAP_MAX_EXTENT = 256, ///< of a box
  TILE_MAP_CHUNK_BYTES = 16, ///< what the last dimension of a box counts in
};

/// How a tile is cut into boxes. Extents in elements, the last dimension contiguous.
typedef struct TileMapBox {
  int rank, elementBytes;
  /// The tile's, as given.
  int64_t shape[TILE_MAP_MAX_RANK];
  /// Of the box that one copy moves.
  int64_t box[TILE_MAP_MAX_RANK];
  /// 0, 32, 64 or 128.
  int swizzle;
  /// Number of copies, and the bytes of one.
  int64_t copies, bytes;
} TileMapBox;

/// The swizzle that rows of so many bytes can have: 128, 64, 32 or, of shorter ones, 0.
int tileTensorMapSwizzle(int64_t rowBytes);

/// Applies the rule to a tile of `rank` 1 .. 5. Extents are those of the buffer. False where no
/// copy can move such a tile: rows below 16 bytes, elements of other than 1, 2, 4 or 8 bytes; and
/// where boxes do not fill it, as they do all whose extents are powers of two, and 240 x 64 of f16.
bool tileTensorMapBox(int rank, const int64_t *shape, int elementBytes, TileMapBox *result);

/// The dimension along which a tile is cut into parts that lie one behind the other: the first of
/// more than 1 element, or the last.
int tileTensorMapSlowest(int rank, const int64_t *shape);

/// Where copy `i` (0 .. copies - 1) goes: the position of its first element in the tile, one number
/// a dimension, and its offset in the buffer in bytes (i * bytes).
int64_t tileTensorMapCopy(const TileMapBox *box, int64_t i, int64_t *position);

#ifdef __cplusplus
}
#endif

#endif // TILE_TENSOR_MAP_H
