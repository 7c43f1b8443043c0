//===- Feeds.h - the loads of a loop that can be copied ahead ---*- C -*-===//
//
// A loop's loads that wait for memory in each step, and what their addresses follow from:
// what tile-pipeline lets run ahead. A dot may read the copy as it lies in shared memory, also
// transposed; whoever else reads the tile gets it from there in registers.
//
// A loop without dots streams: each thread reads from shared memory what it has copied there
// itself, so that its steps need no barrier.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_FEEDS_H
#define TILE_TRANSFORMS_FEEDS_H

#include "Hazards.h"
#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"

enum { tileMaxFeeds = 16, tileMaxSlice = 512, tileMaxCarried = 64 };

/// One load that becomes a ring of asynchronous copies.
typedef struct {
  MlirOperation load;
  MlirType block; // one stage of the ring, a !tile_gpu.buffer
  MlirValue ring;
  int run; // elements of an access, where a step ahead does not show them; else 0
} TileFeed;

/// The feeds of a loop, and their slice: the ops of its body, in order, and the values it carries,
/// by number, that addresses and masks follow from.
typedef struct {
  MlirOperation loop;
  MlirBlock body;
  const TileAxisAnalysis *axis; // borrowed
  TileHazards hazards;          // of a loop that writes; its analysis is borrowed
  // Programs of a multiprocessor, at least, where the launch of a kernel without dots says so and
  // they do not fill it; else 0.
  int64_t programs;
  bool streams;
  TileFeed feeds[tileMaxFeeds];
  int numFeeds;
  MlirOperation slice[tileMaxSlice];
  int numSlice;
  int carried[tileMaxCarried];
  int numCarried;
  TileOpList *leads; // while they are looked for
} TileFeeds;

/// Lets loads that say where a step's tiles for dots lie, as a table of pages does, start a step
/// ahead, if their own places follow from the step: so copies of these run ahead, too. Returns the
/// loop that takes the place of `f->loop`; `f` is of no more use.
MlirOperation tileFeedsLead(TileFeeds *f);

/// Do dots of `f->loop` read tiles from memory, and does it write?
bool tileFeedsMeetWrites(const TileFeeds *f);
/// Is `op` a load of the loop whose tile a dot reads?
bool tileFeedsHasForDot(const TileFeeds *f, MlirOperation op);
/// Takes what its dots read and what it writes to `f->hazards`; null, or why that is not known.
const char *tileFeedsPassWrites(TileFeeds *f);
/// Takes what `load`, another one, reads there; why not, where that is not known. Null: it did.
const char *tileFeedsPassWrite(TileFeeds *f, MlirOperation load);

/// Finds the feeds of `f->loop`: loads that dots read, and where there are such, others whose
/// copies cost next to nothing. A load on its way to a dot that must stay where it is gets a
/// warning.
void tileFeedsFind(TileFeeds *f);
/// Is all that follows from the loop's carried value number `arg` for the slice and the loads
/// alone? Then that value itself need not go on: only its copy that runs ahead. An op of the slice
/// whose result others read, as a mask of the columns that are loaded, stays in the step, and wants
/// the value of its own step.
bool tileFeedsAloneRead(const TileFeeds *feeds, int arg);

/// The op in front of `loop` in its block that copying ahead leaves where it is; null: none.
/// Buffers go where rings replace them, and what fills them moves behind the first copies.
MlirOperation tileOpInFrontOf(MlirOperation loop);

#endif
