//===- Machine.h - what a GPU has, and what pays on it ----------*- C -*-===//
//
// One record a chip: its limits, its features, its matrix instructions, its copy engines, and in
// tile/MachineNumbers.h what decides whether a transformation pays. Nobody else in lib/ knows a
// chip by its name: who chooses asks the record of the module's target (tileMachineOf in
// tile/IR.h). So a new chip is a record in lib/Machine/Machine.c, and what its test says of it.
//
//   tile-opt --tile-describe-machine=sm_90a      the record, as text
//   docs/compiler/machine.md                              the numbers, with units and origins
//
// Facts of hardware: the PTX ISA 9.0 for instructions, NVIDIA's CUDA C++ Programming Guide
// ("Compute Capabilities") and the architecture traits of its library CCCL for limits, NVIDIA's
// papers on the architectures (A100, GA102, AD102, H100, Blackwell) for boards and rates. Numbers
// that decide profit were measured, and say where.
//
// Everything here is constant, for any thread, and needs no MLIR.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_MACHINE_H
#define TILE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

//===- features -----------------------------------------------------------===//

/// What instructions a chip has beyond those of all chips here; bits.
typedef enum TileFeature {
  TILE_FEATURE_MMA_F8 = 1 << 0,       ///< mma.sync of e4m3 and e5m2
  TILE_FEATURE_MMA_F64_WIDE = 1 << 1, ///< mma.sync of f64 with 16 rows
  TILE_FEATURE_BF16_ATOMICS =
      1 << 2,                     ///< atom.add.bf16x2, red of vectors; bf16 arithmetic beside fma
  TILE_FEATURE_STMATRIX = 1 << 3, ///< stmatrix
  TILE_FEATURE_TENSOR_MAPS = 1 << 4,   ///< the copy engine: boxes (cp.async.bulk.tensor), mbarriers
  TILE_FEATURE_CLUSTERS = 1 << 5,      ///< blocks that reach each other's shared memory
  TILE_FEATURE_SETMAXNREG = 1 << 6,    ///< warps hand registers on
  TILE_FEATURE_MULTICAST = 1 << 7,     ///< a box goes to several blocks at full speed
  TILE_FEATURE_WGMMA = 1 << 8,         ///< products by warp groups, operands in shared memory
  TILE_FEATURE_TENSOR_MEMORY = 1 << 9, ///< tcgen05: products into tensor memory
  TILE_FEATURE_MMA_F8_BY_F16 = 1 << 10, ///< and makes them of products of f16
  TILE_FEATURES = 11,                   ///< how many there are
} TileFeature;

/// "wgmma" and the like, for messages. Static.
const char *tileFeatureGetName(TileFeature feature);

//===- matrix instructions ------------------------------------------------===//

/// Element types of operands and accumulators; bits, so that a row can name several.
typedef enum TileMatrixType {
  TILE_MATRIX_F16 = 1 << 0,
  TILE_MATRIX_BF16 = 1 << 1,
  TILE_MATRIX_TF32 = 1 << 2, ///< f32 of which the upper 19 bits count
  TILE_MATRIX_E4M3 = 1 << 3,
  TILE_MATRIX_E5M2 = 1 << 4,
  TILE_MATRIX_S8 = 1 << 5,
  TILE_MATRIX_U8 = 1 << 6,
  TILE_MATRIX_F32 = 1 << 7, ///< of accumulators
  TILE_MATRIX_S32 = 1 << 8, ///< of accumulators
  TILE_MATRIX_F64 = 1 << 9,
  TILE_MATRIX_TYPES = 10, ///< how many there are
} TileMatrixType;

/// As PTX spells it: "e4m3". Static.
const char *tileMatrixTypeGetName(TileMatrixType type);

typedef enum TileMatrixFamily {
  TILE_MATRIX_MMA_SYNC, ///< a warp; operands in registers, synchronous
  TILE_MATRIX_WGMMA,    ///< four warps; B in shared memory, asynchronous
} TileMatrixFamily;

/// "mma.sync", "wgmma". Static.
const char *tileMatrixFamilyGetName(TileMatrixFamily family);

/// Where an operand may lie; bits.
enum { TILE_PLACE_REGISTERS = 1, TILE_PLACE_SHARED = 2 };
/// Which dimension of an operand in shared memory may run fastest; bits. Fragments in registers
/// have one layout each (tile/Layout.h).
enum { TILE_MAJOR_K = 1, TILE_MAJOR_MN = 2 };

/// A row of the table: the m x n x k product that one instruction computes. Element types are sets:
/// any of `a` goes with any of `b` and any of `acc`. Types that the dialect does not have (s4, b1,
/// 4- and 6-bit floats) are left out.
typedef struct TileMatrix {
  TileMatrixFamily family;
  int m, k;
  int leastN, mostN; ///< columns, of mma.sync one number
  int stepN;         ///< N is a multiple of it,
  int wideStepN;     ///< and above 32 of this
  unsigned a, b, acc;
  unsigned placesA, placesB; ///< TILE_PLACE_*
  unsigned majors;           ///< TILE_MAJOR_*, of an operand in shared memory
  unsigned needs;            ///< TILE_FEATURE_*
} TileMatrix;

//===- records ------------------------------------------------------------===//

/// Operations a clock and multiprocessor, dense, a multiply-add being two. 0: not known.
typedef enum TileRate {
  TILE_RATE_F32, ///< fma
  TILE_RATE_F64, ///< fma
  TILE_RATE_F16_MATRIX,
  TILE_RATE_TF32_MATRIX,
  TILE_RATE_F8_MATRIX,
  TILE_RATE_I8_MATRIX,
  TILE_RATE_F64_MATRIX,
  TILE_RATES, ///< how many there are
} TileRate;

typedef struct TileMachine {
  const char *name;    ///< as PTX spells it: "sm_90a"
  int major, minor;    ///< compute capability: 9 and 0
  bool exact;          ///< code runs on that very capability only (names that end in `a`)
  int ptx;             ///< version of the PTX ISA that code for it is written in: 86 for 8.6
  const char *board;   ///< the one that comes with it as a rule,
  int multiprocessors; ///< of which code is emitted for where no device is there
  unsigned features;   ///< TILE_FEATURE_*

  // Bytes of shared memory. Of a multiprocessor's, the system takes some for each block.
  int sharedBytes; ///< of a block, at most
  int multiprocessorSharedBytes, systemSharedBytes, sharedGranule;
  // Registers of 32 bits. Four quarters of a multiprocessor have a fourth of them each.
  int registers, threadRegisters, warpRegisterGranule;
  int warps, blocks;  ///< of a multiprocessor at a time
  int threads;        ///< of a block
  int namedBarriers;  ///< of a block, barrier 0 being __syncthreads
  int clusterBlocks;  ///< of a cluster that every device of the kind can run; 1: none
  int lineBytes;      ///< of the L2 cache
  int accessBytes;    ///< that a thread loads or stores at once, and cp.async copies
  int boxRank;        ///< dimensions of a box of the copy engine; 0: there is none,
  int boxExtent;      ///< its elements in each of them, at most,
  int boxAlignment;   ///< and bytes: of its array's start, its pitches and its rows
  int swizzleBytes;   ///< the widest row that its copies swizzle,
  int swizzleRows;    ///< and the rows after which a pattern repeats
  int setmaxnregStep; ///< registers are handed on in multiples of it; 0: not at all
  int rates[TILE_RATES];

  const struct TileNumberChange *changes; ///< to numbers that decide profit (MachineNumbers.h)
  int numChanges;
} TileMachine;

/// The machine called `name`, or NULL where there is none.
const TileMachine *tileMachineFind(const char *name);
/// Does code for the machine run on a device of this compute capability?
bool tileMachineRunsOn(const TileMachine *machine, int major, int minor);
/// The best machine whose code runs on a device of this compute capability, or NULL (below 8.0).
const TileMachine *tileMachineForDevice(int major, int minor);
/// What is compiled for where nobody says: sm_90a.
const TileMachine *tileMachineGetDefault(void);
/// All machines, upwards by capability; NULL from the last one's number on.
const TileMachine *tileMachineGet(int i);
/// All names with ", " between, for messages. Static.
const char *tileMachineGetNames(void);

/// Does it have all of `features`?
bool tileMachineHas(const TileMachine *machine, unsigned features);
/// Registers of a thread where `blocks` blocks of `warps` warps run at a time: each quarter of a
/// multiprocessor has some of the warps.
int tileMachineShareRegisters(const TileMachine *machine, int warps, int blocks);
/// Bytes of shared memory that each of `blocks` blocks of a multiprocessor can have.
int64_t tileMachineShareShared(const TileMachine *machine, int64_t blocks);
/// Bytes of a multiprocessor's shared memory that a block takes which asks for `bytes`: the
/// system's share besides, in whole granules.
int64_t tileMachineGetBlockShared(const TileMachine *machine, int64_t bytes);
/// Bytes of its memory that a multiprocessor sets apart where its blocks have `bytes` of shared
/// memory: what is left is L1 cache.
int64_t tileMachineGetCarveout(const TileMachine *machine, int64_t bytes);
/// Registers of a consumer's thread where `groups` warp groups of them get what one of producers
/// leaves, which keeps `few`; 0 where nothing has to be handed on.
int tileMachineConsumerRegisters(const TileMachine *machine, int groups, int few);

/// Is this machine's code for boxes of dots that of roles: a warp group of its own copies them,
/// fed by the copy engine, and hands its registers to those that multiply? The one rule for all
/// passes that keep, raise or use boxes.
bool tileMachineHasRoles(const TileMachine *machine);

/// Do programs of so many warps gain by boxes for products that they compute by mma.sync? `flops`,
/// at the rate, are those of a step. Each of few warps waits for boxes longer than short ones take.
bool tileMachineHasMmaBoxes(const TileMachine *machine, int64_t warps, TileRate rate, double flops);

/// Teams of a block that divide a loop, at most; and warp groups in all of them.
enum { TILE_MOST_TEAMS = 4 };
/// Do teams pay where a loop multiplies at the rate, and a thread sums up so many words? They do
/// where tensor cores multiply numbers of at most 32 bits, so that a step is short for them and
/// long for a warp, and where what each team writes to shared memory in the end is little.
bool tileMachineHasTeams(const TileMachine *machine, TileRate rate, int64_t words);

/// The matrix instructions of a machine, the better one first: starts with NULL, ends with NULL.
const TileMatrix *tileMachineNextMatrix(const TileMachine *machine, const TileMatrix *last);
/// The first instruction of `family` for operands of one type each, which it takes as they are, and
/// an accumulator: of several the one with the largest k. NULL where there is none.
const TileMatrix *tileMachineFindMatrix(const TileMachine *machine, TileMatrixFamily family,
                                        TileMatrixType a, TileMatrixType b, TileMatrixType acc);
/// May the product be `n` columns wide?
bool tileMatrixTakesColumns(const TileMatrix *matrix, int n);
/// May an operand in shared memory have its M or N dimension fastest (else K alone)?
bool tileMatrixTakesMajor(const TileMatrix *matrix, unsigned major);

//===- as text ------------------------------------------------------------===//

/// One machine's record, a line a fact.
void tileMachineDescribe(const TileMachine *machine, FILE *file);
/// docs/compiler/machine.md: all machines and all numbers, as Markdown.
void tileMachineWritePage(FILE *file);

#ifdef __cplusplus
}
#endif

#endif // TILE_MACHINE_H
