//===- Stages.h - how many slots rings of a loop have -----------*- C -*-===//
#ifndef TILE_TRANSFORMS_STAGES_H
#define TILE_TRANSFORMS_STAGES_H

#include "../Feeds.h"

/// What the slots of a loop's rings are counted for.
typedef struct {
  const TileFeeds *feeds; ///< borrowed
  int64_t numWarps;
  bool starts;          ///< are dots on their way while others start?
  bool guards;          ///< may copies wait for the dot of the step before?
  int64_t outerBytes;   ///< of buffers that were filled before the loop, which reads them
  int64_t scratchBytes; ///< the largest scratch of an op of a step
  int64_t otherBytes;   ///< that a block has beside rings while the loop runs
} TileRings;

/// Counts what the block has beside rings; `feeds` were found.
void tileRingsMeasure(TileRings *rings);
/// Bytes of one stage.
int64_t tileRingsStageBytes(const TileRings *rings);
/// The loop's own number of stages, or the pass's, `wish`; else as many as leave room for the
/// blocks that a multiprocessor can have at a time, PIPELINE_STAGES at most. 1 where not even two
/// stages fit in `sharedBytes`, which are what the rings may take.
int tileRingsChooseStages(const TileRings *rings, int64_t wish, int64_t sharedBytes);
/// Do two slots in `sharedBytes` leave a multiprocessor one block, of few warps whose dots wait for
/// one another, where one slot leaves two?
bool tileRingsWantTurns(const TileRings *rings, int64_t sharedBytes);

#endif
