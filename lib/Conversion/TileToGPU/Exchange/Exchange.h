//===- Exchange.h - between registers, lanes and warps ----------*- C -*-===//
//
// What conversions, combinations along an axis and atomics share: agreeing on a
// layout, whole vectors through warp shuffles, and one thread's vector accesses
// to the scratch that tile-allocate-shared gave an op.
//
// Scratch: an op's first access is a store and its last one a load. It has its
// own barriers between, none before the first or after the last: those belong to
// tile-allocate-shared, which knows the neighbours.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_CONVERSION_TILETOGPU_EXCHANGE_H
#define TILE_CONVERSION_TILETOGPU_EXCHANGE_H

#include "../Lowering.h"

/// Room for one index per register of a layout: at most 2^TILE_MAX_BITS. Freed by the caller.
int64_t *lowerIndices(int64_t n);

/// vector.shuffle of two vectors: indices count through `a`, then `b`.
MlirValue lowerShuffleVectors(Lowering *l, MlirValue a, MlirValue b, int64_t n,
                              const int64_t *indices);

/// For each register of `want`, the register of `have` that holds the same element in every
/// thread. False, with an error at `loc`, where elements would have to change threads.
bool lowerRegisterMap(MlirLocation loc, const TileLayout *have, const TileLayout *want,
                      int64_t *indices);
/// `vector`, distributed as `have`, renumbered to `want`. Null after an error.
MlirValue lowerRenumber(Lowering *l, MlirLocation loc, MlirValue vector, const TileLayout *have,
                        const TileLayout *want);

/// The form in which elements are moved: i1 as i8, all else as it is.
MlirValue lowerToStored(Lowering *l, MlirValue vector);
MlirValue lowerFromStored(Lowering *l, MlirValue vector, MlirType element);

/// i1: are any of the bits `mask` of `position` set?
MlirValue lowerTestBits(Lowering *l, MlirValue position, uint32_t mask);

typedef enum { LOWER_SHUFFLE_XOR, LOWER_SHUFFLE_LANE } LowerShuffleKind;
/// Each lane gets the whole vector of lane `lane ^ which`, or of lane `which`: a shuffle for
/// each 32 bits. Not for i1.
MlirValue lowerShuffle(Lowering *l, LowerShuffleKind kind, MlirValue vector, MlirValue which);

/// The addresses of a thread's elements in scratch: `map` takes (register, lane, warp) to the
/// offset in elements.
typedef struct {
  TileLayout map;  ///< rank 1
  int bytes;       ///< of an element
  MlirValue start; ///< i32: the thread's part in bytes, the scratch's own offset included
  bool disjoint;   ///< registers add; else they xor, and `start` is without the offset
  int64_t offset;  ///< of the scratch in shared memory
} LowerScratch;

/// A map for scratch in which elements lie in reading order. Packed coordinates are row-major
/// numbers: the layout itself is the map to offsets.
TileLayout lowerRowMajor(const TileLayout *layout);
/// `offset` in bytes, a multiple of 16.
LowerScratch lowerScratch(Lowering *l, const TileLayout *map, int bytes, int64_t offset);
/// Stores elements first .. first + n - 1 of the vector at `reg` and beyond it.
void lowerScratchStore(Lowering *l, const LowerScratch *s, int reg, MlirValue vector, int64_t first,
                       int64_t n);
/// Loads vector<n x element> from `reg`.
MlirValue lowerScratchLoad(Lowering *l, const LowerScratch *s, int reg, MlirType element,
                           int64_t n);

//===- Shares.c -----------------------------------------------------------===//

enum { LOWER_SHARE_BLOCKS = 8 }; ///< of a program, at most
enum { LOWER_MOST_SUMS = 8 };    ///< of which such a block has a share each
/// Of what blocks exchange: bytes that a thread moves at once, a chunk, and how many chunks it
/// reads before it adds any, of 4 registers each.
enum { LOWER_CHUNK_BYTES = 16, LOWER_MOST_CHUNKS = 16 };

/// What each block of a cluster has of a thread's registers, in chunks.
typedef struct {
  int blocks, words;                      ///< of the cluster; of a chunk
  int64_t chunks;                         ///< of a thread
  int64_t period;                         ///< 0: block 0 has all
  int64_t longest;                        ///< of a period, chunks that the block has that has most
  int widest;                             ///< and which it is
  int64_t begins[LOWER_SHARE_BLOCKS + 1]; ///< first chunk of each share, and the last one's end
} LowerShares;

/// The op's `shares` and `period`; false, and an error, where the block's registers are none such.
bool lowerReadShares(MlirOperation op, int blocks, int chunks, int words, LowerShares *s);
/// Has each block a share?
bool lowerAreShares(const LowerShares *s);
/// Is the chunk behind the last share of its period?
bool lowerSharesPad(const LowerShares *s, int64_t chunk);
/// Chunks of the longest share; every block works on as many.
int64_t lowerSharesCount(const LowerShares *s);
/// Chunk `number` of those that a block works on from `first` of each period on, among all.
int64_t lowerSharesPlace(const LowerShares *s, int64_t number, int64_t first);
/// i32: where block `rank` begins its share, of chunks that lie so many bytes apart.
MlirValue lowerSharesBegin(Lowering *l, const LowerShares *s, MlirValue rank, int64_t stride);
/// Takes chunk `number` of this block's, and puts it back, out of a value that lowerSharesInsert
/// made: it is wherever some block has it in its share.
MlirValue lowerSharesExtract(Lowering *l, const LowerShares *s, MlirValue value, int64_t number);
MlirValue lowerSharesInsert(Lowering *l, const LowerShares *s, MlirValue chunk, MlirValue value,
                            int64_t number);

#endif
