//===- Combine.h - the region of reduce and scan, on vectors ----*- C -*-===//
//
// The region combines scalars; a thread combines whole vectors by it:
//
//   ^bb0(%a: f32, %b: f32):              %s = arith.addf %va, %vb : vector<8xf32>
//     %s = arith.addf %a, %b : f32
//     tile.yield %s : f32
//
// so the ops of the region are cloned with vectors for scalars and splats for
// constants.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_CONVERSION_TILETOGPU_COMBINE_H
#define TILE_CONVERSION_TILETOGPU_COMBINE_H

#include "../MathLowering.h"
#include "Exchange.h"
#include "tile/Analysis/Scratch.h"

enum { LOWER_MAX_COMBINED = 8 };

/// A tile.reduce or tile.scan as the thread sees it.
typedef struct {
  Lowering *l;
  MlirOperation op;
  TileCombinePlan plan;
  int count;                             ///< operands that are combined together
  bool commutes;                         ///< one op whose result does not depend on operand order
  bool fuses;                            ///< a sum whose additions may be fused with products
  uint32_t shared;                       ///< lane bits along the axis that tell whose a result is
  MlirType elements[LOWER_MAX_COMBINED]; ///< thread element types
} Combiner;

/// One vector per operand, all of one length.
typedef struct {
  MlirValue v[LOWER_MAX_COMBINED];
} Combined;

/// Checks the op, and plans it. False after an error.
bool lowerCombinerStart(Lowering *l, MlirOperation op, int axis, Combiner *c);
/// The thread values of the op's operands, elements beyond the tile's extent along the axis
/// replaced by the combination's identity.
bool lowerCombinerOperands(Combiner *c, Combined *values);

/// What all lanes combine by one instruction of integers of 32 bits, or two of a pair: the kind as
/// redux.sync has it, of the operand `number`; of those that are the best the lowest `index` comes
/// along (-1: no pair).
typedef struct {
  const char *kind;
  int number, index;
  bool isFloat, nanWins;
} LowerExtreme;
bool lowerFindExtreme(const Combiner *c, LowerExtreme *e);
/// Does it not matter how often a value is combined?
bool lowerIsIdempotent(const LowerExtreme *e);
/// Each register of all 32 lanes, for all of them.
void lowerCombineAllLanes(Combiner *c, const LowerExtreme *e, Combined *values);
/// Are a thread's indices the larger the later their register is, along the axis?
bool lowerIndicesGrow(const Combiner *c, const LowerExtreme *e);
/// Combines the `n` registers of a thread whose indices grow, neighbours first, until `kept` are
/// left.
void lowerCombineGrowing(Combiner *c, const LowerExtreme *e, Combined *values, int64_t n,
                         int64_t kept);

/// region(a, b). Null values after an error.
bool lowerCombine(Combiner *c, const Combined *a, const Combined *b, Combined *result);

Combined lowerCombinedPermute(Combiner *c, const Combined *values, int64_t n,
                              const int64_t *indices);
Combined lowerCombinedSlice(Combiner *c, const Combined *values, int64_t offset, int64_t n);
Combined lowerCombinedSelect(Combiner *c, MlirValue condition, const Combined *yes,
                             const Combined *no);
/// Of lane `lane ^ which` or lane `which`.
Combined lowerCombinedShuffle(Combiner *c, LowerShuffleKind kind, const Combined *values,
                              MlirValue which);

/// The slots of combining two elements: an op each, but of a division several.
int64_t lowerSlotsOfCombining(const Combiner *c);
/// Combines over the lanes that differ in `bits`.
bool lowerCombineLanes(Combiner *c, Combined *values, uint32_t bits);

/// Is there one partial a warp of each value that is combined? Those of warps that have the same
/// result lie side by side, or as far apart as there are results.
bool lowerCombinedAreOneEach(const Combiner *c);

/// How lanes that hold the same results divide what is loaded again, by bits: the lowest of their
/// bits along the axis say which part of a partial's registers a lane has, and those above them
/// which of the partials, so many that follow each other.
typedef struct {
  int registers, partials;
  int swizzled; ///< the highest of the bits of partials' numbers that lanes of one load differ in
} CombinedShares;

/// Stores `values` (a register for each combination of kept bits; where lanes share the results, of
/// as many kept bits less as the combiner's `shared` has, the upper ones) as this warp's partial,
/// has a barrier, and so makes lowerCombinedPartial work. `holds` (i1): the lanes that store; null:
/// all of them.
typedef struct {
  LowerScratch store[LOWER_MAX_COMBINED], load[LOWER_MAX_COMBINED];
  int vector[LOWER_MAX_COMBINED];
  int registers;        ///< of each value
  int stored;           ///< of them by each lane
  CombinedShares share; ///< what lanes divide as they load
} CombinedScratch;
bool lowerCombinedPublish(Combiner *c, const Combined *values, MlirValue holds,
                          CombinedShares share, CombinedScratch *scratch);
/// What the warp number `which` along the axis (counted by the `along` bits, lowest first)
/// published; where lanes divide the partials, the lane's own number `which`.
Combined lowerCombinedPartial(Combiner *c, const CombinedScratch *scratch, int which);
/// The bits of a partial's place that say which of a warp's results it is, the lowest first, and
/// how many there are.
int lowerResultPlaces(const TileCombinePlan *plan, int vectorBits, int *places);
/// The bit of a result's place that the lane's bit number `i` of a partial's number turns, of
/// `byLanes` such bits; 0: none.
uint64_t lowerTurnedPlace(const TileCombinePlan *plan, int vectorBits, int byLanes, int i);
/// Combines the partials of all warps, each thread those of other results, which all then load:
/// two barriers. `cost`: the issue slots that it takes each thread to combine all of its own.
/// False, and nothing done, where that is no less.
bool lowerCombineDivided(Combiner *c, int64_t cost, Combined *values);
/// All partials as registers of one vector, loaded up to 16 bytes at a time. False where they do
/// not lie side by side, or the order in which they are combined could matter.
bool lowerCombinedPartials(Combiner *c, const CombinedScratch *scratch, int partials,
                           Combined *values);
/// The partial whose number is the lane's, counted round. False where partials are few, or as
/// above.
bool lowerCombinedPartialOfLane(Combiner *c, int partials, Combined *values);

#endif
