//===- Work.h - how long a launch may take ----------------------*- C -*-===//
//
// A model of products and of attention, for choosing between configurations that nobody timed: it
// has to put them in the right order, not to be right. Blocks work through programs, each a loop of
// steps that copy operands into a ring and multiply them. A step takes as long as the slowest of
//
//   the matrix instructions of the blocks that share a multiprocessor; one block's alone where its
//     threads wait for them, as for mma.sync, or multiply themselves
//   what threads do to operands for them, as where f32 is multiplied as three products of tf32
//   their copies, by what a multiprocessor reads and what the L2 cache gives to all
//   a copy's latency, of which as many are on their way as the ring has slots
//   loads of single elements, where rows begin anywhere
//
// What a step computes between its products (attention's exponentials) takes longer than that by a
// part of it, and by what warp groups wait for each other; more where registers do not hold all of
// it.
//
// A launch takes as many steps as the busiest multiprocessor has, the ends of its programs, and
// what every launch takes; but no less than memory takes for all arrays. Steps of the last round,
// which has fewer programs, or has two blocks for each, are other ones; where turns have a part
// each of its programs it is several rounds of parts, which are added up. Ends of programs are
// those of the last round alone where results leave under the next program's dots.
//
// Pure C, constant, for any thread. The numbers are lines of tile/MachineNumbers.def.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_WORK_H
#define TILE_WORK_H

#include "tile/Machine.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where rows of arrays begin: at lines of the L2 cache, at its sectors of 32 bytes, at multiples
/// of 16 bytes, or anywhere, so that arrays are packed first, or copied or loaded element by
/// element, and threads store results.
typedef enum {
  TILE_ROWS_AT_LINES,
  TILE_ROWS_AT_SECTORS,
  TILE_ROWS_AT_CHUNKS,
  TILE_ROWS_PACKED,
  TILE_ROWS_COPIED, ///< each element by itself into a ring, beside products
  TILE_ROWS_RAGGED, ///< by chunks into a ring, from which threads read them for mma.sync
  TILE_ROWS_AHEAD,  ///< each element a step before it is wanted
  TILE_ROWS_ALONE,  ///< when it is
} TileRows;

/// A launch with one configuration.
typedef struct TileWork {
  int64_t programs;   ///< of a launch
  double steps;       ///< of a program, the mean of all
  int64_t longest;    ///< steps of the program that has most; 0: all have as many
  double flops;       ///< that the matrix instructions of a step take, padding included
  TileRate rate;      ///< and which these are
  int64_t rowsOfDot;  ///< that a block's have
  bool isSynchronous; ///< threads wait for them
  bool loadsBeside;   ///< results need what is loaded outside of the loop, as a row of scales
  double splits;      ///< elements of a step that a thread splits for them; 0: none
  double computed;    ///< elements of a step's operands that threads compute on their way; 0: none
  int64_t stepBytes;  ///< that a step copies
  int64_t askedBytes; ///< of these, what a block asks for where a cluster shares copies; 0: all
  int64_t lineBytes;  ///< of stepBytes, of operands whose rows begin at lines, where others' do not
  int64_t sectorBytes; ///< and of those at sectors, where others' begin within them
  int64_t besideAsked; ///< of askedBytes, those of both
  int64_t rowBytes;    ///< of stepBytes, for the operand whose rows warp groups have
  double special;      ///< exponentials and the like between products of a step; 0: none
  int64_t sums;        ///< accumulators of a program, elements
  int64_t sumBytes;    ///< and their bytes, as parts of them are exchanged
  int64_t slotBytes;   ///< that its copies take in shared memory; of a program with special ones
  int64_t keptBytes;   ///< that operands take there which are copied in front of the loop
  int64_t held;   ///< words of registers for all accumulators of a step, and for computed operands
  int64_t staged; ///< bytes of results that a program has on their way to memory
  int64_t storedRow;  ///< bytes of one of their rows, of the widest; 0: nothing is stored
  int storedBits;     ///< of an element of these, the widest
  TileRows rows;      ///< how arrays' rows begin
  bool storesSingles; ///< threads store results, whose rows begin anywhere, not boxes
  double singles;     ///< elements of a step that a thread loads or copies one by one, or words of
                      ///< ragged rows that warps read; 0: none
  double memoryBytes; ///< of all arrays, each once; 0: unknown
  int warps;          ///< that hold tiles
  int stages;         ///< slots of a ring; 0: as many as fit
  int blocks;         ///< of a cluster that shares copies; 1: none
  int parts;          ///< blocks of a cluster that divide a program's loop; 1: one has all
  int clusters;       ///< of so many blocks, that do so again and add up in memory; 1: one has all
  int teams;          ///< of a block that divide its program's loop; 1, or 0: one has all
  int lastSplits;     ///< turns that do so with each program of the last round; 1: one has all
  int multiprocessors;
} TileWork;

/// Cycles that the launch may take; 0 where the machine is none that the model is about (one whose
/// warps have roles), or the type's rate is not known.
double tileWorkEstimate(const TileMachine *machine, const TileWork *work);

/// Do threads multiply themselves, with so many sums each that they hold little else?
bool tileWorkIsFull(const TileMachine *machine, const TileWork *work);

/// Have programs fewer steps than boxes of results, which leave under the next one's dots, one box
/// behind each, and would be made longer by steps of zeros for it?
bool tileWorkIsShort(const TileMachine *machine, const TileWork *work);

/// Blocks of clusters of `blocks` that `multiprocessors` hold at a time, one each.
int tileMachineFitClusters(const TileMachine *machine, int multiprocessors, int blocks);

#ifdef __cplusplus
}
#endif

#endif // TILE_WORK_H
