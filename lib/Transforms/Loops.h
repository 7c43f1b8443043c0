//===- Loops.h - the loops of a kernel --------------------------*- C -*-===//
#ifndef TILE_TRANSFORMS_LOOPS_H
#define TILE_TRANSFORMS_LOOPS_H

#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"

/// Does `op` stand in a warp's role? (tile-warp-specialize)
bool tileIsInRole(MlirOperation op);
/// Is `op`, which may be null, one of `block`?
bool tileIsOfBlock(MlirOperation op, MlirBlock block);
/// Is `op` in a loop of its kernel?
bool tileIsInLoop(MlirOperation op);
/// Is the op an scf.for with a dot in it, at any depth?
bool tileIsLoopOfDots(MlirOperation op);
/// Is it, or holds it, one?
bool tileHoldsLoopOfDots(MlirOperation op);
/// Is the loop one of many of dots that stand in one block (MANY_LOOPS), as those of a filter's
/// taps that its author wrote out?
bool tileIsOneOfManyLoops(MlirOperation loop);
/// Adds `root`, if it is an scf.for, and those inside, inner ones first.
void tileFindLoops(MlirOperation root, TileOpList *loops);
/// Calls `visit` with each of them. It may change and destroy the loop.
void tileVisitLoops(MlirOperation root, void (*visit)(MlirOperation loop));
/// Adds the dots inside of `root`, in order.
void tileFindDots(MlirOperation root, TileOpList *dots);

/// Which of what a loop carries `value` is in its `body`, by number; -1: none.
intptr_t tileCarriedNumber(MlirBlock body, MlirValue value);
/// What the loop begins with, and has in the next step, for the argument `carried` of its body.
MlirValue tileCarriedInit(MlirValue carried);
MlirValue tileCarriedNext(MlirValue carried);

/// How many steps `loop`, an scf.for, has; 0 where that is not known.
int64_t tileCountSteps(MlirOperation loop);

/// How many it has at most, by its ends or by what tile-inline-steps has written on it; 0 where
/// nobody knows.
int64_t tileMostSteps(MlirOperation loop);

/// Registers of a thread for the tiles that `loop`, an scf.for, carries.
int64_t tileCarriedWords(MlirOperation loop);

/// The same for the tiles of floats that it reads and that were there before it: scales of columns.
int64_t tileHeldWords(MlirOperation loop);

/// The same for those that were there before it and are wanted behind it: sums of a loop around it.
int64_t tileLiveWords(MlirOperation loop);

/// Does the launch say that a multiprocessor has few warps, of a kernel without dots, and is all
/// that a step of `loop` loads tiles? Such warps do not hide each other's loads.
bool tileHasFewWarps(MlirOperation loop);

/// Has the op, or one below it, any of these effects (bits of tileOpGetEffects)?
bool tileHoldsEffects(MlirOperation op, uint32_t effects);

/// The first op of its block that reads `op`, which has one result, or holds a reader; null: none.
MlirOperation tileFirstReader(MlirOperation op);

/// Is `value`, which is there for some op of the block of `op` or within, there where `op` stands?
bool tileIsThereAt(MlirValue value, MlirOperation op);

/// The kernel's argument that pointers are made of, through loops that carry them; null where that
/// is not known.
MlirValue tileArrayOf(MlirValue pointers);

/// The argument that `op` writes through pointers or a descriptor; null where that is not known.
MlirValue tileArrayWrittenBy(MlirOperation op);

/// Is `load` one of a number, which no program of its kernel writes or waits for? Then a warp that
/// copies for others may load it, too, and ahead of them.
bool tileLoadsSteadyNumber(MlirOperation load);

/// Is it computed element by element, or do elements only move?
bool tileOpComputesTile(MlirOperation op);
/// Is `value` an operand that a dot multiplies (not what it adds to), as it is or by way of the
/// first results of ops that `passes` holds for? Looks at each value once.
bool tileReachesDot(MlirValue value, bool (*passes)(MlirOperation op));

/// Does a step of `loop`, an scf.for, multiply a matrix that the one before computed?
bool tileIsRecurrence(MlirOperation loop);

/// What loops in `root` carry for nobody but its own next value (a pointer that is only moved on, a
/// count) stays what it was, so that canonicalization drops it.
void tileStopIdleCarries(MlirOperation root);

/// Does another dot add to what `dot` computes, and nobody else read it? Its sums are that one's.
bool tileDotIsAddedTo(MlirOperation dot);
/// The number of what the loop around `dot` carries for its sum, which nothing else reads before
/// the loop ends; -1 where it is no such sum.
intptr_t tileDotCarried(MlirOperation dot);

/// Moves stores in front of `loop`, to buffers that only it and what stands behind it reads, right
/// before it: what they wait for is on its way while all else in front of the loop starts.
void tileSinkStores(MlirOperation loop);

/// Has the product so few rows, or columns, that mma.sync is faster, which reads rows that begin
/// anywhere as they lie, than wgmma, which waits for what threads store?
bool tileIsThinDot(MlirOperation dot);
/// Does `load` read rows that begin anywhere, which tile-pipeline can copy ahead in whole chunks?
/// It is one of each step of a loop, whose tile dots of the same step alone read.
bool tileIsRaggedLoad(const TileAxisAnalysis *axis, MlirOperation load);
/// Is `operand` of `dot` such a load's tile, as it is or transposed?
bool tileIsRaggedOperand(const TileAxisAnalysis *axis, MlirOperation dot, MlirValue operand);
/// Has the product so few rows, or columns, and such an operand?
bool tileIsRaggedDot(const TileAxisAnalysis *axis, MlirOperation dot);

#endif
