//===- Scan.h - a running combination, bit by bit ---------------*- C -*-===//
//
// What Scan.c, which goes over the bits of the axis, shares with those who take each kind:
// registers, lanes and warps one by one (ScanSteps.c), or all totals of a tile by lanes
// (ScanTotals.c). Scan.c says how. All that give a bool give false after an error.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_CONVERSION_TILETOGPU_SCAN_H
#define TILE_CONVERSION_TILETOGPU_SCAN_H

#include "Combine.h"

/// A scan on its way. A vector over a mask has an element for each number that the register bits
/// under the mask can be, in their order.
typedef struct {
  Combiner c;
  bool reverse;
  TileScanBit bits[TILE_MAX_BITS];
  int numBits;
  uint32_t live; ///< register bits that are no copies
  Combined prefix, total, before;
  uint32_t totalBits, beforeBits; ///< register bits that tell their elements apart
  MlirValue valid;                ///< vector<i1>: is there a `before`? Null: nowhere
  uint32_t holders; ///< lane bits of which the last lane alone has `total`; 0: all lanes have it
} Scan;

//===- ScanSteps.c --------------------------------------------------------===//

/// Elements over `mask`.
int64_t lowerScanSize(uint32_t mask);
/// Of vectors over `from`, for each element over `to` the one with the bits `fixed` as well.
Combined lowerScanOver(Scan *s, const Combined *values, uint32_t from, uint32_t to, uint32_t fixed);
/// The same of `valid`.
MlirValue lowerScanValid(Scan *s, uint32_t to, uint32_t fixed);

/// The first `n` bits of the axis, of registers: each prefix is the one before and its own element.
bool lowerScanPrefixes(Scan *s, int n);
/// A register bit above lanes or warps.
bool lowerScanRegister(Scan *s, uint32_t bit);
/// A lane bit; or bits `first` .. `first + n - 1` of the axis, lanes' in their order.
bool lowerScanLane(Scan *s, uint32_t bit);
bool lowerScanLanes(Scan *s, int first, int n);
/// Two parts of the latter: `total` becomes that up to each lane; and what is up to the lane in
/// front comes before.
bool lowerScanRaiseLanes(Scan *s, int first, int n);
bool lowerScanLaneBefore(Scan *s);
/// All lanes get what the last one has.
void lowerScanShareTotal(Scan *s);
/// All warp bits: bits `first` .. `first + n - 1` of the axis.
bool lowerScanWarps(Scan *s, int first, int n);

/// `front` goes before all that is before already. `valid`: of the elements concerned; null: none.
bool lowerScanPutInFront(Scan *s, const Combined *front, MlirValue valid, const Combined *before,
                         Combined *result);
/// Null: all lanes hold totals. Else i1: is this one of those that do?
MlirValue lowerScanHolder(Scan *s);
/// This warp's place in the order of the axis, over bits `first` .. `first + n - 1`; i32.
MlirValue lowerScanWarpPlace(Scan *s, int first, int n);

//===- ScanTruths.c -------------------------------------------------------===//

/// Does it count truths, and are the bits behind `first` ones of registers the lanes'?
bool lowerScansTruths(const Scan *s, int first);
/// All lane bits of such a scan, by votes: all lanes have the total, and what comes before.
void lowerScanTruths(Scan *s, int first);

//===- ScanTotals.c -------------------------------------------------------===//

/// Totals that a lane takes at once, of tiles that have more than lanes.
enum { SCAN_MOST_PARTS = 8 };

/// All totals of a tile, by lanes: which of them are side by side in one.
typedef struct {
  int first, bits; ///< of the axis: warps, and registers above them
  int warps, each; ///< how many bits are warps'; how many tell those of one lane apart
  TileLayout map;  ///< registers and lanes to places in scratch
  Combined part[SCAN_MOST_PARTS]; ///< one register each
} ScanTotals;

/// From bit `first` on: are there enough of them, no rows beside each other, and nothing but warps
/// and then registers?
bool lowerPlanScanTotals(const Scan *s, int first, ScanTotals *t);
/// All warps and the registers above them.
bool lowerScanTotals(Scan *s, ScanTotals *t);

#endif
