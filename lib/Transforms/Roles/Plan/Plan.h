//===- Plan.h - what decides about roles ------------------------*- C -*-===//
#ifndef TILE_TRANSFORMS_PLAN_H
#define TILE_TRANSFORMS_PLAN_H

#include "../Channels.h"
#include "../Copies/Clusters.h"
#include "../Copies/WarmCache.h"
#include "../Kernel.h"
#include "../LongerLoop.h"
#include "../Producer.h"
#include "../Programs/LastRound.h"
#include "../Sums/Sums.h"

/// What is known of a kernel, and chosen so far.
typedef struct {
  MlirOperation func;
  int warpGroups;
  TileChannels channels;
  TileBoxStores stores;
  TileBoxStores sums;   ///< of its loops
  int64_t room;         ///< bytes of shared memory that rings may take
  int64_t threadStages; ///< slots that rings which threads fill are counted with
  TileSchedule schedule;
} TilePlan;

/// How many blocks of the kernel the registers of a multiprocessor are for, and pay: 1 where a
/// launch has no more than one for each.
int64_t tileCountBlocks(const TilePlan *plan);
/// Do so many leave a thread, in each quarter of a multiprocessor, the registers that it may want?
bool tileBlocksHaveRegisters(const TilePlan *plan, int64_t blocks);

/// Chooses `stages`, of the shared memory that each of a multiprocessor's `blocks` has: `wish`
/// where it is not 0, else as many as fit and pay. False where fewer fit than are worth it.
bool tileChooseStages(TilePlan *plan, int64_t wish, int64_t blocks);

/// Chooses teams of a block that divide each program's loop (tile_gpu.in_block), as the
/// author says (num_teams), or as pays; false where there are none. A kernel that `prints`, or may
/// wait for another program, has none.
bool tilePlanTeams(TilePlan *plan, int64_t wish, bool prints, bool waits);

/// Are steps so short that rings of several blocks are not to be long?
bool tileHasShortSlots(const TilePlan *plan);
/// Takes slots from rings of short steps, where several blocks share a multiprocessor: warps that
/// copy and run far ahead of the products get their boxes at half of the rate.
void tileShortenLead(TilePlan *plan);
/// Chooses `ahead`, two where the rings then have slots enough.
void tileChooseAhead(TilePlan *plan);

/// Does who launches say that programs have fewer steps than boxes of results (num_at_once)?
bool tilePlanIsShort(const TilePlan *plan);

/// Is there room to stage all boxes of a program's results at a time? Takes it from rings that then
/// have slots enough, unless the author said how many (`wish`).
bool tileStageTogether(TilePlan *plan, int64_t wish);

/// Do rows of an array that blocks could share surely begin off the lines of the L2 cache, so that
/// each row of a box takes two requests?
bool tileHasStraddlingRows(MlirOperation func, const TileChannels *channels);

/// Null where it pays to defer the stores; else why they cannot be, or should not: "expected ...,
/// found ...".
const char *tileShouldDefer(MlirOperation func, const TileChannels *channels,
                            const TileBoxStores *stores);

/// Is anything computed of whole tiles behind the loop of dots in flight, but a narrowing?
bool tileWorksBehind(const TileChannels *channels);

#endif
