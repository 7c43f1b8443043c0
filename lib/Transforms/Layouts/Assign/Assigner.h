//===- Assigner.h - one run of tile-assign-layouts --------------*- C -*-===//
//
// What the pass knows of a kernel's values (Assigner.c), and its parts: AccessGroups.c finds which
// accesses should be alike, SpreadLayouts.c chooses a layout for each value that needs
// one, with ReducedTiles.c, RewriteLayouts.c writes them into the kernel.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_ASSIGNER_H
#define TILE_TRANSFORMS_ASSIGNER_H

#include "../Layouts.h"
#include "Worklist.h"
#include "tile/Support/PointerTable.h"

/// The logarithm of the bytes of the widest elements.
enum { TILE_MAX_WIDTH = 3 };

/// What is known of a tile value.
typedef struct {
  MlirValue value;
  TileLayoutClass class;
  MlirAttribute layout; ///< of fixed and movable values
  // Of fixed values: what accesses that meet in element-wise ops share (AccessGroups.c). Dimensions
  // count from the last one.
  void *group;               ///< TileValueInfo: another one of the same group, itself at its end
  int vector[TILE_MAX_RANK]; ///< at its end: the most neighbouring elements along each dimension
  int same[TILE_MAX_RANK];   ///< the fewest that lie in one place, of accesses of which several do
  int64_t whole[TILE_MAX_RANK];   ///< accesses of several neighbouring elements at a time, by steps
  int64_t apart[TILE_MAX_RANK];   ///< and of one, though they run along memory
  int64_t strewn[TILE_MAX_RANK];  ///< stores of one that run nowhere, by steps and their weight
  bool runs[TILE_MAX_RANK];       ///< do elements of some access lie one behind the other?
  bool accessed;                  ///< is any of them read from memory, or written there?
  unsigned reduced;               ///< the dimensions along which some are reduced, a bit each
  unsigned scanned;               ///< and along which some are scanned
  int64_t scans[TILE_MAX_RANK];   ///< how often, by steps
  unsigned near;                  ///< those along which some lie, or may lie, in one sector
  unsigned repeated;              ///< along which they meet what is the same all along
  int64_t results[TILE_MAX_RANK]; ///< elements that reductions along each dimension give, by steps
  int64_t often[TILE_MAX_RANK];   ///< how often the most frequent of them runs, by steps
  int64_t accessedOften;          ///< the same of its accesses
  bool looksUp;                   ///< does some access go where loaded numbers say?
  int scannedBytes;               ///< of the narrowest elements that are scanned; 0: none are
  bool meets;                     ///< do warps meet in each step around one of its accesses?
  int widest;                     ///< bytes of the widest elements
  int bytes;                      ///< and of those that run along memory
  int64_t moved[TILE_MAX_WIDTH + 1]; ///< bytes, by the logarithm of their elements' width
} TileValueInfo;

/// How ops are gone over: forward, forward where rows and columns that were repeated may decide
/// too, and backward.
enum { TILE_ROUND_FORWARD, TILE_ROUND_LATE, TILE_ROUND_BACKWARD, TILE_NUM_ROUNDS };

typedef struct {
  TileLayoutRules rules;
  MlirOperation *ops; ///< of the kernel, in program order
  size_t numOps, capacity;
  TilePointerTable values;               ///< of TileValueInfo
  bool hasDots;                          ///< among the ops
  bool changed;                          ///< a layout was chosen since this was cleared
  bool late;                             ///< rows and columns that were repeated may decide
  TilePointerTable places;               ///< of size_t: where an op is in `ops`
  TileWorklist waiting[TILE_NUM_ROUNDS]; ///< the ops that each round still has to look at
  size_t settled;                        ///< so many ops have all operands' layouts
  TileValueInfo *unread; ///< then: the values in front of it have layouts; null: none was looked at
} TileAssigner;

bool tileValueIsTile(MlirValue value);
/// Is the op's first result a tile?
bool tileHasTileResult(MlirOperation op);

/// What is known of `value`; null for what is no tile, and for what the pass has made.
TileValueInfo *tileAssignerFind(const TileAssigner *a, MlirValue value);
/// The layout of a fixed or movable value, null when not known or flexible.
MlirAttribute tileAssignerLayoutOf(const TileAssigner *a, MlirValue value);
/// The layout in which the op wants operand `i`; null when any will do.
MlirAttribute tileAssignerWanted(const TileAssigner *a, MlirOperation op, intptr_t i);

/// A value that a loop or branch carries, under one of its names: operand `index` of `op`, or,
/// where that is null, a result or block argument.
typedef struct {
  MlirOperation op;
  intptr_t index;
  MlirValue value;
} TileTied;
typedef void (*TileTieVisitor)(TileAssigner *, const TileTied *, int);
/// Calls back for each set of values of a scf.for, if or while that must share a layout.
void tileAssignerVisitTies(TileAssigner *a, MlirOperation op, TileTieVisitor visit);

/// Finds which accesses share the number of neighbouring elements that a thread takes.
void tileAssignerGroupAccesses(TileAssigner *a);
/// The end of a value's group, where what is known of all is.
TileValueInfo *tileAssignerGroupOf(TileValueInfo *info);
/// How often the op runs, where each loop around it has LOOP_STEPS steps.
int64_t tileAssignerStepsOf(MlirOperation op);
/// `layout`, which the only value that a scan sees of `op` or what the scan computes would have, or
/// the one in which the scan runs with fewer instructions (ScanLayouts.c).
MlirAttribute tileAssignerOfScanned(const TileAssigner *a, MlirOperation op, MlirAttribute layout);
/// Does `operand` have fewer elements to move than another one of `op`, as a row that is spread
/// has? It goes where that one lies.
bool tileAssignerFollows(const TileAssigner *a, MlirOperation op, MlirValue operand);
/// Does a load go where computed numbers say, and none that its elements meet runs along memory?
/// Nothing is won by a layout of its own: it comes as its pointers lie.
bool tileAssignerLooksUp(const TileAssigner *a, MlirOperation access);
/// The coalesced layout that an access shares with its group; null for a scalar one.
MlirAttribute tileAssignerOfAccess(const TileAssigner *a, MlirOperation access);

/// That of what is stored. A store of few elements is not worth a conversion: it takes the value as
/// it comes, or divided among those who have it; what comes in any layout as its mask was computed.
MlirAttribute tileAssignerOfStore(const TileAssigner *a, MlirOperation store);
/// Does an element-wise `op`, of operands of one size that lie so and so, convert less where it
/// computes in `layout` than in `other`, what is stored of its result included?
bool tileAssignerPrefers(const TileAssigner *a, MlirOperation op, MlirAttribute layout,
                         MlirAttribute other);
/// The layout of a load of words, which lie along the dimension `along`, for a wgmma that wants
/// them along the other one (TurnedLoads.c); null for others.
MlirAttribute tileAssignerOfTurned(const TileAssigner *a, MlirOperation load, int along);

/// The dimensions of the dot's sums that warps are to divide last: those along which they are
/// reduced no less often than they are computed, by FMA oftener: lanes exchange what warps meet
/// for.
unsigned tileAssignerUndivided(const TileAssigner *a, MlirOperation dot);

/// `layout`, in which `op` adds to memory what it returns to nobody, with as many neighbours in a
/// thread as one instruction adds, and the next ones in other lanes (AddedSums.c).
MlirAttribute tileAssignerAddedSideBySide(const TileAssigner *a, MlirOperation op,
                                          MlirAttribute layout);

/// The layout of `value`, which is computed of repeated rows and columns and would have `own`:
/// that, or the one that its group's reductions, arithmetic and conversions take fewer slots in
/// (ReducedTiles.c).
MlirAttribute tileAssignerOfReduced(const TileAssigner *a, MlirValue value, MlirAttribute own);
/// The layout of a row that was reduced in a step, meets others there, and is repeated again, as in
/// a delta rule or where a triangle is solved row by row: tiles leave it so, and want it so. What
/// is loaded for it is little, and may be loaded as it is wanted. Null where `op` makes none.
MlirAttribute tileAssignerOfReducedRow(const TileAssigner *a, MlirOperation op);

/// Rounds.c: from here to the end each round knows what it has to look at: at first, everything.
void tileAssignerBeginRounds(TileAssigner *a);
void tileAssignerEndRounds(TileAssigner *a);
/// The layout of `value` is new: each round looks again at whatever it may decide.
void tileAssignerWakeReaders(TileAssigner *a, MlirValue value);

/// Chooses the layout of every fixed and movable value.
void tileAssignerSpread(TileAssigner *a);
/// Gives the values their layouts, and what uses them the layouts it wants.
void tileAssignerRewrite(TileAssigner *a);

#endif
