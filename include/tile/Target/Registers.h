//===- Registers.h - fewer registers for a second block ---------*- C -*-===//
//
// ptxas takes the registers it likes, up to 255 a thread. Where that leaves a multiprocessor one
// block, memory waits while the block computes and computing waits while it loads. So a kernel
// without dots that would have two blocks with somewhat fewer registers is assembled again with
// that limit, which stands unless it spills more than a little:
//
//   .reqntid 512                       78 registers: one block
//
//   .reqntid 512
//   .maxnreg 64                        two, 20 bytes of spills
//
// Nothing is done where somebody has set a limit, where shared memory has room for one block alone,
// and where the numbers of lib/Machine (SECOND_BLOCK_REGISTERS, SECOND_BLOCK_SPILLS) promise
// nothing. PTX that is shown or kept stays without the limit: it depends on the assembler.
//===----------------------------------------------------------------------===//
#ifndef TILE_REGISTERS_H
#define TILE_REGISTERS_H

#include "tile/Target/Target.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Registers of a thread of the one kernel in `cubin`, and bytes of its stack, spills among them.
/// False where that does not say.
bool tileCubinGetRegisters(const TileBlob *cubin, int *registers, int *frameBytes);

/// Registers a thread that would give the kernel of `ptx`, which became `cubin`, a second block on
/// a multiprocessor, blocks having so many bytes of shared memory; `limited` is the PTX that asks
/// for them, the caller's to destroy. 0 elsewhere, without PTX.
int tileRegistersForSecondBlock(const TileMachine *arch, int sharedBytes, const TileBlob *ptx,
                                const TileBlob *cubin, TileBlob *limited);

/// Is `second`, made of that, to stand in the place of `first`?
bool tileRegistersKeepSecondBlock(const TileMachine *arch, const TileBlob *first,
                                  const TileBlob *second);

#ifdef __cplusplus
}
#endif
#endif // TILE_REGISTERS_H
