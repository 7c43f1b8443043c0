//===- Emulator.h - an interpreter of PTX ---------------------------------===//
//
// Runs kernels in the PTX that tile emits on the host, for tests where there is no GPU. A module's
// text is read once into instructions with bound operands; a launch runs the blocks of its grid on
// the calling thread, the warps in an order that a seed chooses. What the architecture leaves open
// is taken from the seed as well: when an asynchronous copy or product lands, whether a wait that
// may fail does. What it forbids ends the launch with an error that names kernel, line, block and
// thread.
//
//   PTX_EMULATOR_SEED=7           another order (1)
//   PTX_EMULATOR_RACES=1          accesses to shared memory that nothing orders are errors, however
//                                 the seed ordered them (Sync/Races.h)
//   PTX_EMULATOR_WATCH_SHARED=1   so is a read of shared memory that nobody wrote
//
// and of the driver before it, PTX_EMULATOR_ARCH and PTX_EMULATOR_MULTIPROCESSORS (Driver/Driver.h;
// docs/compiler/emulator.md is how to use it).
//
// Source of what instructions do: NVIDIA's PTX ISA, release 9.0.
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_PTX_EMULATOR_H
#define TILE_TEST_PTX_EMULATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct PtxModule PtxModule;
typedef struct PtxEntry PtxEntry;

/// CUDA's numbers of the errors that loading and launching give.
enum {
  PTX_INVALID_VALUE = 1,
  PTX_INVALID_TEXT = 218,
  PTX_BAD_ADDRESS = 700,
  PTX_TOO_MANY_RESOURCES = 701,
  PTX_ILLEGAL_INSTRUCTION = 715,
  PTX_MISALIGNED = 716,
  PTX_FAILED = 719,
};

/// Where a parameter is in the packed parameters.
typedef struct PtxParameter {
  size_t offset, bytes;
} PtxParameter;

typedef struct PtxEntryInfo {
  const PtxParameter *parameters;
  int parameterCount;
  size_t parameterBytes;
  int staticSharedBytes, localBytes, constantBytes;
  int maxThreads;   ///< .reqntid's or .maxntid's product, 1024 without
  int maxRegisters; ///< .maxnreg, 0 without
  int minBlocks;    ///< .minnctapersm, 0 without
} PtxEntryInfo;

/// Reads a module for an architecture (90 for sm_90). NULL with CUDA's error in *code and its text
/// in the log: the line and what was expected and found. Variables are allocated by
/// ptxMemoryAllocate, and owned by the module.
PtxModule *ptxModuleCreate(const char *ptx, int arch, char *log, size_t logBytes, int *code);
void ptxModuleDestroy(PtxModule *module);

/// Owned by the module; NULL for none of this name.
PtxEntry *ptxModuleFindEntry(PtxModule *module, const char *name);
bool ptxModuleFindGlobal(PtxModule *module, const char *name, uint64_t *address, size_t *bytes);

const PtxEntryInfo *ptxEntryGetInfo(const PtxEntry *entry);

typedef struct PtxLaunch {
  uint32_t grid[3], block[3];
  uint32_t cluster[3];    ///< 0 as 1
  bool cooperative;       ///< all blocks are resident at once
  uint32_t sharedBytes;   ///< dynamic
  int resident;           ///< blocks that a device would have resident at once, at least; 0: some
  const void *parameters; ///< packed, PtxEntryInfo.parameterBytes
} PtxLaunch;

/// Runs a launch to its end. 0, or CUDA's error, which stderr has been told. One thread at a time.
int ptxLaunch(PtxEntry *entry, const PtxLaunch *launch);

#endif // TILE_TEST_PTX_EMULATOR_H
