//===- Channels.h - boxes on their way from the copy engine to a dot -*- C -*-===//
//
// A channel is what one reader waits for at once: the boxes (tile_gpu.desc_copy,
// desc_multicast) of one block that the same op reads first, A and B of a dot say; or those of
// several dots, one behind the other, that may all stay in flight. Its buffers become rings of
// `stages` slots. Two barriers guard each slot:
//
//   full[s]   the boxes have arrived: 1 arrival (the producer's) and their bytes
//   empty[s]  nobody reads them any more: 1 arrival a warp group of consumers, of all blocks of the
//             cluster where they share copies (tile-share-copies); where threads alone read, and no
//             dot runs beside them, 1 a warp, which waits for no other
//
// Loops one behind the other that read boxes of the same shape take turns with one ring, in
// whatever loops they are; and so does what is read outside of loops where one is copied behind the
// other's last reader, as in gradients of keys and then of queries.
//
// Who produces and who consumes each count slots with a cursor of their own, (stage,
// phase): the producer waits for empty[stage] of phase ^ 1, which a new barrier passes
// at once, and consumers for full[stage] of phase.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_CHANNELS_H
#define TILE_TRANSFORMS_CHANNELS_H

#include "tile/IR.h"
#include "tile/Schedule.h"

enum { tileMaxChannels = 16, tileMaxBoxes = 8 };

/// How many indices tile_gpu.desc_copy or desc_multicast has: operand 0 is the descriptor, and they
/// follow.
int tileBoxCopyGetRank(MlirOperation copy);
MlirValue tileBoxCopyGetBuffer(MlirOperation copy);

typedef struct {
  MlirBlock block;                    ///< where it is filled and read
  MlirOperation copies[tileMaxBoxes]; ///< of boxes, in program order
  int numCopies;
  MlirOperation first, last; ///< of the ops of `block` that read it, or hold a reader; `last` of an
                             ///< async one is a dot, behind which threads may still read
  bool async;                ///< read by dots that may stay in flight while the loop goes on
  bool byThreads;            ///< read by threads, not by the tensor cores for a warp group at once
  bool mayPass;              ///< no wgmma that reads it need run: see tileFindPassed
  bool looped;               ///< filled again and again by a loop of the user's
  int ring;                  ///< the channel whose ring it uses: its own number, or an earlier one
  int stages;
  int64_t bytes; ///< of one slot
  MlirValue rings[tileMaxBoxes], full, empty;
  int cluster; ///< blocks that share copies into its ring; 0: each is on its own
} TileChannel;

/// i32 values: the slot's number, and the parity of its phase.
typedef struct {
  MlirValue stage, phase;
} TileCursor;

typedef struct {
  TileChannel list[tileMaxChannels];
  int count;
  bool byWarps;      ///< each warp frees slots for itself
  MlirBlock program; ///< whose ops are a program: of the function, or of its loop over programs
} TileChannels;

/// Finds the channels of a kernel without roles. Null, or why it cannot have them: "expected ...,
/// found ...".
const char *tileFindChannels(MlirOperation func, TileChannels *channels);
/// The one channel whose dots may stay in flight; null where there is none, or several.
const TileChannel *tileAsyncChannel(const TileChannels *channels);
/// Does `op` hold the block of a channel that uses the ring of number `ring`?
bool tileHoldsRing(MlirOperation op, const TileChannels *channels, int ring);
/// Does `op` hold the block of `channel` in one of its regions, at any depth?
bool tileHoldsChannel(MlirOperation op, const TileChannel *channel);

/// Rings that desc_multicast fills are those of clusters of `blocks`. False where there are none.
bool tileSetCluster(TileChannels *channels, int blocks);
/// May dots of a channel that uses ring number `ring` stay in flight?
bool tileRingFlies(const TileChannels *channels, int ring);
/// Gives rings of loops as many slots as the schedule says, and others `ahead`.
void tileSetStages(TileChannels *channels, const TileSchedule *schedule);
/// Slots that threads read for A of one dot alone, as weights on their way to it are, are freed
/// behind that dot, as those that the tensor cores read: then each thread has what it read. Freed
/// where they are read, they would want a fence and a barrier, since loads may be on their way
/// (lowerGroupBarrier), and the fence waits for all of a thread's loads, those of memory that are
/// read ahead too. Rings have their slots (tileSetStages).
void tileFreeBehindDots(TileChannels *channels);
/// Finds channels whose readers a program may pass by: they stand in branches that are not taken,
/// or loops without steps. No product meets all warps of a group there, of which some may still
/// wait for the boxes when one arrives for all: the slot would be filled again, and they wait for
/// ever.
void tileFindPassed(MlirOperation func, TileChannels *channels);
/// Makes rings and barriers at `b`.
void tileBuildRings(TileBuilder *b, TileChannels *channels, int warpGroups);

/// Both numbers 0.
TileCursor tileCursorStart(TileBuilder *b);
/// The next slot: stage + 1, or 0 in the other phase.
TileCursor tileCursorNext(TileBuilder *b, const TileChannel *channel, TileCursor cursor);
/// The slot `count` further on, an i32.
TileCursor tileCursorSkip(TileBuilder *b, const TileChannel *channel, TileCursor cursor,
                          MlirValue count);

#endif
