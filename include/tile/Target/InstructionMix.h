//===- InstructionMix.h - what the instructions of a listing are for ------===//
//
// Counted line by line in PTX, as the back end writes it, or in SASS, as nvdisasm prints it; an
// instruction belongs to the kind of the first prefix that its name has.
//===----------------------------------------------------------------------===//
#ifndef TILE_INSTRUCTION_MIX_H
#define TILE_INSTRUCTION_MIX_H

#ifdef __cplusplus
extern "C" {
#endif

/// What instructions are for.
typedef enum TileMixKind {
  TILE_MIX_TENSOR_CORE,
  TILE_MIX_COPY_ENGINE,
  TILE_MIX_ASYNC_COPY,
  TILE_MIX_GLOBAL,
  TILE_MIX_SHARED,
  TILE_MIX_LOCAL,
  TILE_MIX_ATOMIC,
  TILE_MIX_BARRIER,
  TILE_MIX_SHUFFLE,
  TILE_MIX_FLOAT,
  TILE_MIX_SPECIAL,
  TILE_MIX_OTHER,
} TileMixKind;
enum { TILE_MIX_KINDS = TILE_MIX_OTHER + 1 };

/// "tensor core", "copy engine" and so on.
const char *tileMixGetName(TileMixKind instruction);

/// Counts the instructions of a listing, `mix` having room for TILE_MIX_KINDS.
void tileCountSass(const char *sass, int *mix);
void tileCountPtx(const char *ptx, int *mix);

/// All instructions that were counted.
int tileMixSum(const int *mix);

#ifdef __cplusplus
}
#endif

#endif // TILE_INSTRUCTION_MIX_H
