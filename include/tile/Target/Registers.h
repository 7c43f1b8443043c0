//===- Registers.h - when to assemble again, with a limit -------*- C -*-===//
//
// ptxas takes the registers it likes, up to 255 a thread. Eight of its choices, and one of a
// schedule's, are mended by assembling once more with a limit (`.maxnreg`), after which the better
// cubin stands:
//
//   One block is left to a multiprocessor. Memory waits while it computes, and it waits while
//   memory loads. A kernel without dots that would have two blocks with somewhat fewer registers
//   is given these, unless it spills more than a little then:
//
//     .reqntid 512                       78 registers: one block
//
//     .reqntid 512
//     .maxnreg 64                        two, 20 bytes of spills
//
//   Where the block asks memory for little before its threads first meet, as rows of 16 bits, it
//   may spill more for that.
//
//   Two blocks fit, or more, and one more would. A kernel without dots that goes over its rows
//   once, in no loop, or in one whose loads a branch keeps together, has more rows on their way
//   then. It stands where nothing is spilled, and a third block where little is. A loop that
//   computes much of each word that it loads does not wait for memory, and keeps its registers:
//
//     .reqntid 256                       48 registers: five blocks
//
//     .reqntid 256
//     .maxnreg 40                        six
//
//   All warps but one block's fit. Where a few registers fewer leave that room too, and none is
//   spilled, a kernel without dots has them:
//
//     .reqntid 512                       40 registers: 48 warps of 64
//
//     .reqntid 512
//     .maxnreg 32                        64
//
//   A kernel with dots has one or two blocks, and shared memory for one more. While threads of one
//   convert an operand, or wait for each other, tensor cores work for the others. It is given the
//   registers of one block more, unless it spills then:
//
//     .reqntid 128                       171 registers: two blocks
//
//     .reqntid 128
//     .maxnreg 168                       three
//
//   One with dots and no loop asks memory once for all that it multiplies. It is given those of any
//   block more, and of as many as CHAIN_WARPS warps are:
//
//     .reqntid 64                        170 registers: six blocks
//
//     .reqntid 64
//     .maxnreg 128                       eight
//
//   Where registers do not suffice for all results that are on their way, ptxas has each wgmma wait
//   for the one before, and says so. Such code does not stand.
//
//   Values are spilled though registers are left. Where more are wanted than there are, ptxas
//   falls back to few. A limit that is no limit, all the registers that a block's threads may have,
//   takes that from it:
//
//     .reqntid 128                       32 registers, 6328 bytes of spills
//
//     .reqntid 128
//     .maxnreg 255                       255 registers, 1712 bytes
//
//   Registers are left that no further block could have. With a limit ptxas moves loads further
//   ahead; a kernel without dots and with many registers is given all that as many blocks leave to
//   it, unless it spills then:
//
//     .reqntid 256                       78 registers: three blocks
//
//     .reqntid 256
//     .maxnreg 80                        three
//
//   Loads of a loop wait for each other. ptxas aims at as many blocks as there could be, and puts
//   loads behind what uses earlier ones to need fewer registers. A loop without dots is given all
//   registers, and what comes of it stands where as many blocks fit; where loads are plain and the
//   loop has many registers anyway, where fewer do:
//
//     .reqntid 256                       32 registers, two loads before the first is waited for
//
//     .reqntid 256
//     .maxnreg 255                       32 registers, four
//
//   The same goes for loads in no loop that no branch keeps together, the taps of a stencil: they
//   are given registers for all of them, where six in ten of the blocks are left, and never fewer
//   than they fill for the sake of one more:
//
//     .reqntid 128                       40 registers, 45 loads, seven waits for memory
//
//     .reqntid 128
//     .maxnreg 56                        54, two waits; nine blocks for twelve
//
//   A schedule asks for more blocks than registers are for. It counts what a thread wants before
//   there is any code, and what is spilled in each step costs more than a block. Half as many
//   blocks are given the registers of all, if they spill half as much then, or less:
//
//     .reqntid 160
//     .minnctapersm 2                    168 registers, a stack of 272 bytes
//
//     .reqntid 160
//     .maxnreg 255                       232 registers, one block
//
// Nothing is done where somebody has set a limit, and where the numbers of lib/Machine
// (SECOND_BLOCK_REGISTERS and those behind it) promise nothing. PTX that is shown or kept stays
// without the limit: it depends on the assembler.
//===----------------------------------------------------------------------===//
#ifndef TILE_REGISTERS_H
#define TILE_REGISTERS_H

#include "tile/Target/Target.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What code takes of each thread: registers, and bytes of its stack, spills among them.
typedef struct TileRegisterUse {
  int registers, frameBytes;
  /// Its wgmma wait for one another, each for the one before, or may do so.
  bool serialized;
} TileRegisterUse;

/// Of the one kernel in `cubin`. False where that does not say. Of wgmma it does not.
bool tileCubinGetRegisters(const TileBlob *cubin, TileRegisterUse *use);

/// Are the wgmma of code serialized that was made of the PTX, of which ptxas said that? Where
/// nobody heard what it said, NULL, all may be.
bool tileRegistersSerialize(const TileBlob *ptx, const TileBlob *said);

/// With how many registers a thread a kernel is worth assembling again, and what it must keep to
/// stand: bytes of stack, blocks of a multiprocessor, wgmma that do not wait, and so many registers
/// that it takes.
typedef struct TileRegisterLimit {
  int registers, mostFrame, leastBlocks;
  bool maySerialize;
  int leastRegisters;
} TileRegisterLimit;

enum { TILE_REGISTER_LIMITS = 7 };

/// What is worth trying with the kernel of `ptx`, of which code with this use became and whose
/// blocks have so many bytes of shared memory: the first that may stand is the best. Returns how
/// many, 0 without PTX.
int tileRegistersFindLimits(const TileMachine *arch, int sharedBytes, const TileBlob *ptx,
                            const TileRegisterUse *use,
                            TileRegisterLimit limits[TILE_REGISTER_LIMITS]);

/// The PTX that asks for so many, the caller's to destroy.
TileBlob tileRegistersLimit(const TileBlob *ptx, int registers);

/// Is code made of that, with this use, to stand in the place of the first?
bool tileRegistersKeepLimited(const TileMachine *arch, int sharedBytes, const TileBlob *ptx,
                              const TileRegisterUse *second, const TileRegisterLimit *limit);

/// Bytes of a thread's stack, of code with this use, that are no arrays of the PTX (`.local`): what
/// is spilled. 0 where they are too few to speak of.
int tileRegistersCountSpilled(const TileMachine *arch, const TileBlob *ptx,
                              const TileRegisterUse *use);

#ifdef __cplusplus
}
#endif
#endif // TILE_REGISTERS_H
