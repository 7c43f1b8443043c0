//===- Scratch.h - shared memory that an op needs for itself ----*- C -*-===//
//
// Some ops exchange elements between the warps of a block while they run:
// conversions of layout, gathers, reductions and scans along an axis that lies over
// warps, atomics whose result every copy of a tile has to see. Their scratch is
// free again when the op is done. tile-allocate-shared asks here how many bytes
// to keep, convert-tile-to-gpu asks the same plans how to use them: the numbers
// come from one place.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_SCRATCH_H
#define TILE_SCRATCH_H

#include "mlir-c/IR.h"
#include "tile/Layout.h"
#include "tile/Machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes of shared memory that `op` uses as scratch, aligned to 16; 0 when it needs none, and
/// where its types have no layout or its lowering refuses it. `op` is inside a kernel whose
/// `tile.num_warps` is set.
int64_t tileOpScratchBytes(MlirOperation op);

/// Where the elements of one stage of a shared buffer (its type) lie, in elements; not valid where
/// its rows are shorter than its swizzle.
TileLayout tileBufferLayout(MlirType buffer);

/// Bytes of all buffers of `func` that are guarded: the rings that the copy engine fills.
int64_t tileGuardedBytes(MlirOperation func);
/// The same of those that are used, in a kernel whose warps have roles, by what stands at `op` in
/// the program of those that hold tiles, or behind it: others are free by then.
int64_t tileGuardedBytesAt(MlirOperation op);

/// The most bytes that the other rings of loops within `block` have at a time, each of which stands
/// in front of its loop, with what ops of such a loop use as scratch beyond `scratch`.
int64_t tileNestedBytes(MlirBlock block, int64_t scratch);

/// What a combination along `axis` does with the bits of each input dimension (register, lane,
/// warp) of its sources' layout. Every bit is in exactly one of the three.
typedef struct TileCombinePlan {
  TileLayout source;
  int axis;
  uint32_t along[3]; ///< moves along the axis alone
  uint32_t kept[3];  ///< moves along other dimensions alone
  uint32_t free[3];  ///< holds copies
  int64_t results;   ///< combinations of kept bits: elements a reduction leaves
} TileCombinePlan;

/// Plans a tile.reduce or tile.scan of tiles with `source` layout. Null, or what prevents it:
/// "expected ..., found ..." (borrowed, for ever).
const char *tilePlanCombine(TileLayout source, int axis, TileCombinePlan *plan);

/// Scratch of one operand of such an op: one element for each result and each warp along the
/// axis, lying as [warp along][register / vector][warp][lane][vector]; 0 when no warp bit is
/// along the axis.
int64_t tileCombineScratchBytes(const TileCombinePlan *plan, int elementBytes);

/// The holder of one bit of the position along a scan's axis.
typedef struct TileScanBit {
  TileInDim dim;
  int bit; ///< of the dimension
} TileScanBit;

/// The holders of the axis' bits, lowest first, of a tile planned by `plan`. Null, or what prevents
/// it, as above.
const char *tilePlanExchange(const TileCombinePlan *plan, TileScanBit bits[TILE_MAX_BITS],
                             int *numBits);

/// The same for a scan, whose warps lie side by side along the axis.
const char *tilePlanScan(const TileCombinePlan *plan, TileScanBit bits[TILE_MAX_BITS],
                         int *numBits);

/// How a scan exchanges totals between warps: as a reduction would that keeps what lies above the
/// warps along the axis.
void tilePlanScanWarps(const TileCombinePlan *plan, TileCombinePlan *warps);

/// What a tile.sort or tile.partial_sort exchanges. Keys become unsigned numbers; beside other
/// operands, which move with them, an element's position stands below its key, in one word where
/// both have room.
typedef struct TileSortPlan {
  int keyBits;    ///< of a key
  int wordBits;   ///< of what is exchanged: 32 or 64
  int shift;      ///< of the key in its word, above the position; 0: there is none below it
  bool positions; ///< do elements have positions?
  bool apart;     ///< are these 32 bits of their own?
} TileSortPlan;
TileSortPlan tilePlanSort(MlirOperation op);

/// What a block of a kernel may take of shared memory for tiles that live there longer: what it has
/// where there are as many blocks as registers allow of threads that take all they can.
int64_t tileSharedLimit(MlirOperation func);

/// Where a team's shared memory begins, so that a swizzle of 128 bytes may: at multiples of so many
/// bytes.
enum { TILE_TEAM_ALIGNMENT = 1024 };

/// Bytes of shared memory that each of so many `teams` of a block may have; of one, all.
int64_t tileSharedBytesOfTeams(const TileMachine *machine, int64_t teams);
/// The same of a kernel's block, which says how many it has (tile_gpu.teams).
int64_t tileTeamSharedBytes(MlirOperation func);

/// How a value held at more places than one reaches all of them from its first copy.
typedef enum TileSharing {
  TILE_SHARING_NONE,     ///< no copies
  TILE_SHARING_SHUFFLES, ///< copies lie within a warp
  TILE_SHARING_SCRATCH,  ///< copies lie in other warps
} TileSharing;

/// Of a tile with `layout` (null: of a scalar, which every thread holds) in a block of `numWarps`.
TileSharing tileSharingOf(const TileLayout *layout, int numWarps);

#ifdef __cplusplus
}
#endif
#endif
