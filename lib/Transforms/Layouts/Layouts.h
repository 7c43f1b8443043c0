//===- Layouts.h - what layout an op gives, and what it asks for -*- C -*-===//
//
// The rules of tile-assign-layouts, one op at a time; SpreadLayouts.c and
// RewriteLayouts.c apply them to whole kernels. A layout is handled as its attribute:
// uniqued, so equality is identity. A null attribute means "not known (yet)".
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_LAYOUTS_H
#define TILE_TRANSFORMS_LAYOUTS_H

#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"
#include "tile/Layout.h"

/// Where a tile value's elements may come from.
typedef enum {
  TILE_LAYOUT_FIXED,    ///< computed once, in one layout: loads, dots, reductions, loop values
  TILE_LAYOUT_FLEXIBLE, ///< indices, constants and arithmetic on them: recomputed in any layout
  TILE_LAYOUT_MOVABLE,  ///< a change of shape of a fixed value: follows its source
} TileLayoutClass;

typedef struct {
  MlirContext context;
  int numWarps;
  const TileAxisAnalysis *axis;
} TileLayoutRules;

/// `layout` as an attribute; null where it is invalid.
MlirAttribute tileLayoutOrNull(const TileLayoutRules *rules, TileLayout layout);
/// The layout `attr` on a tile of `type`'s shape; invalid where there is none.
TileLayout tileLayoutOn(MlirAttribute attr, MlirType type);

/// expand_dims, broadcast, trans, reshape.
bool tileOpIsShapeChange(MlirOperation op);

/// The blocked layout of a tile nobody asks anything of.
MlirAttribute tileLayoutDefault(const TileLayoutRules *rules, MlirType tile);
/// The same of a box, which comes from shared memory: 16 bytes a thread, 8 elements at most.
MlirAttribute tileLayoutOfBox(const TileLayoutRules *rules, MlirType tile);
/// The same with whole rows in a thread, as far as there are rows for all threads.
MlirAttribute tileLayoutOfWholeRows(const TileLayoutRules *rules, MlirType tile);
/// What is done with the elements of an access: dimensions, a bit each.
typedef struct {
  unsigned reduced; ///< along which they are summed: warps divide these last
  unsigned
      scanned;   ///< and scanned, likewise; of these a thread has neighbours, where it has several
  unsigned near; ///< along which some lie, or may lie, in one sector
  unsigned repeated; ///< along which they meet what is the same all along: a thread has several
  unsigned apart;    ///< along which they begin anywhere: each warp has a part side by side
  unsigned often; ///< along which they are summed in steps, at least as often as they are accessed
  int widest;     ///< bytes of the widest of them
} TileAccessUses;

/// The coalesced layout of an access with `vector` neighbouring elements a thread, at most, and
/// `least`; null for a scalar one. Where elements are not combined, warps divide rows last.
MlirAttribute tileLayoutOfAccess(const TileLayoutRules *rules, MlirOperation access, int vector,
                                 int least, const TileAccessUses *uses);
/// Where the rows of an access end along `dim`, as far as its mask says: the truth that positions,
/// from 0 or farther on, are below a number. The extent where it says nothing, or is null.
int64_t tileRowEnd(const TileAxisAnalysis *axis, MlirValue mask, int dim, int64_t extent);
/// The accumulator's layout of a dot whose instruction is chosen; warps divide the dimensions of
/// `undivided`, a bit each, last, where they are not warp groups.
MlirAttribute tileLayoutOfDot(const TileLayoutRules *rules, MlirOperation dot, unsigned undivided);
/// The layout in which the dot, whose own sums are of layout `sums`, reads operand `i` from
/// registers, where a value of `layout` is there already, as what a dot computed before is; null
/// where the dot cannot, or others hold the elements.
MlirAttribute tileLayoutOfDotOperand(const TileLayoutRules *rules, MlirOperation dot, int i,
                                     MlirAttribute layout, MlirAttribute sums);
/// Does operand `i` of the dot lie in memory, and so in shared memory, with K fastest? What comes
/// from elsewhere does not.
bool tileDotRunsAlongK(const TileLayoutRules *rules, MlirOperation dot, int i);
/// Does it lie there with M of A, or N of B, fastest?
bool tileDotRunsAcrossK(const TileLayoutRules *rules, MlirOperation dot, int i);
/// Does what operand `i` is computed from, element by element, lie there so? Of elements of `bits`,
/// or, where that is 0, of any.
bool tileDotComesAcrossK(const TileLayoutRules *rules, MlirOperation dot, int i, int bits);
/// Is operand `i` of the dot a box that its instruction cannot read as it lies, so that threads
/// read it?
bool tileDotReadsAcross(const TileLayoutRules *rules, MlirOperation dot, int i);
/// The order of a tile.trans.
void tileTransOrder(MlirOperation op, int rank, int order[TILE_MAX_RANK]);
/// A buffer for a tile, dimension order[0] fastest; swizzled where rows are long enough.
MlirType tileBufferInOrder(const TileLayoutRules *rules, MlirType tile, const int64_t order[],
                           bool swizzled);
/// Does wgmma read the dot's operands with K fastest alone?
bool tileDotWantsKFastest(MlirOperation dot);
/// Do threads load operand `i`, bytes or, of A, words, through pointers, though it lies as wgmma
/// does not read it? It is copied as it lies, and turned round where it is read; where rows begin
/// anywhere, single bytes and words are stored as wgmma reads them.
bool tileDotLoadsAcross(const TileLayoutRules *rules, MlirOperation dot, int i);
/// The layout in which the dot would read A from registers, where A is computed on its way from
/// memory (Converted.h), or cannot be read from there as it lies: what it is computed from is best
/// read in that; else null.
MlirAttribute tileLayoutOfConvertedA(const TileLayoutRules *rules, MlirOperation dot);
/// Is `value`, element by element, computed of tiles that the step of `dot` copies into rings, and
/// rows and columns besides, also turned round on the way? Threads read rings however they like.
bool tileIsComputedOfCopies(const TileLayoutRules *rules, MlirValue value, MlirOperation dot);
/// Instructions that an element of it takes then, about; -1: it is not computed of such.
int64_t tileLengthOfComputed(const TileLayoutRules *rules, MlirValue value, MlirOperation dot);
/// The layout in which the dot, whose own sums are of layout `sums`, reads operand `i` from
/// registers; null where it cannot, would be computed by too many warps, or B would not fit.
MlirAttribute tileLayoutOfFragments(const TileLayoutRules *rules, MlirOperation dot, int i,
                                    MlirAttribute sums);
/// The layout in which threads turn B round, where the dot cannot read it as it lies; else null.
MlirAttribute tileLayoutOfTurnedB(const TileLayoutRules *rules, MlirOperation dot);
/// The layout in which a dot by wgmma whose sums have `sums` takes A where rows of these are
/// interleaved, or A is words that lie across (tile-accelerate-dot): in registers; else null.
MlirAttribute tileLayoutOfPairedA(const TileLayoutRules *rules, MlirOperation dot,
                                  MlirAttribute sums);
/// The layout of B on its way to shared memory, where that is bytes that are loaded through
/// pointers and lie as the dot cannot read them; else null.
MlirAttribute tileLayoutOfLoadedB(const TileLayoutRules *rules, MlirOperation dot);
/// The shared buffer for operand 0 (A) or 1 (B) of a dot; `layout` is the operand's own, or null.
MlirType tileBufferOfDot(const TileLayoutRules *rules, MlirOperation dot, int operand,
                         MlirAttribute layout);

/// The layout of a tile that comes as `layout` says for its store to `buffer`: what a thread has
/// side by side there, in registers behind each other.
MlirAttribute tileLayoutOfStored(const TileLayoutRules *rules, MlirType tile, MlirAttribute layout,
                                 MlirType buffer);

/// The layout that a store of a box without its padding needs, to be cut anywhere between groups of
/// 8 columns; null for other stores. `own` is what the stored tile lies in, or null: rows of a
/// product may be interleaved.
MlirAttribute tileLayoutOfPaddedBox(const TileLayoutRules *rules, MlirOperation store,
                                    MlirAttribute own);
/// `buffer`, of an operand of mma.sync that threads store from `layout`, or one like it in which
/// they meet in fewer banks.
MlirType tileBufferOfStored(const TileLayoutRules *rules, MlirOperation dot, MlirType tile,
                            MlirAttribute layout, MlirType buffer);
/// The shared buffer for a box of a descriptor, its rows in the widest swizzle that they fill.
MlirType tileBufferOfBox(const TileLayoutRules *rules, MlirType tile);
/// Where `value`, the operand of a dot, is what a tile.desc_load read, perhaps transposed or
/// without its extents of 1: that op in `load`, and the buffer that the dot can read it from as it
/// comes. Null otherwise.
MlirType tileBufferOfDescOperand(const TileLayoutRules *rules, MlirValue value,
                                 MlirOperation *load);

/// The layout of the op's first result when its tile operand has `operand`; null where the op does
/// not pass layouts on. For element-wise ops that is `operand` itself.
MlirAttribute tileLayoutForward(const TileLayoutRules *rules, MlirOperation op,
                                MlirAttribute operand);
/// The layout that operand `i` must have for the op's result to have `result`; null where the op
/// does not say.
MlirAttribute tileLayoutBackward(const TileLayoutRules *rules, MlirOperation op, intptr_t i,
                                 MlirAttribute result);

/// A copy of the op behind it, its tile results, and the tile that it may be a constant of, in
/// `layout`. Its operands are the op's own.
MlirOperation tileCloneInLayout(MlirOperation op, MlirAttribute layout);

/// Traces the layouts of accesses and dots, and each conversion.
void tileTraceLayouts(MlirOperation func);

#endif
