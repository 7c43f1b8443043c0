//===- Launcher.h - kernels with what the compiler asks of a launch -------===//
//
// A compiled kernel wants more than its user's arguments: a block with warps of its own, the grid
// that a persistent kernel stands for, tensor maps. The compiler says what in a few facts; a
// launcher keeps them with the kernel and does the rest at each launch.
//
//   slots (one an argument) --+--> parameters 0 ..
//   grid x, y, z -------------+--> if persistent, three i32; the launch itself has no more blocks
//                             |    than the device holds at a time, unless each has one program
//   descriptions of maps -----+--> evaluated with the slots, encoded at their first use, kept;
//                                  of packed arrays a copy is described, made at each launch
//
// A tensor map is described by text, in which %3 is argument 3:
//
//   f16 %0 [%3:i32, %4:i32] [(mul:i64 %4:i32 2)] box [128, 64] swizzle 128 padding nan
//
//   description = element base "[" extents "]" "[" strides "]" "box" "[" numbers "]"
//                 ["swizzle" number] ["padding" "nan"] ["packed"]
//   base        = "%" number ["+" expression]          the offset in elements
//   expression  = number | "%" number ":i" width | "(" "fit" ":i" width expression ")"
//               | "(" operation ":i" width expression expression ")"
//   operation   = "add" | "sub" | "mul" | "div" | "ceildiv" | "min" | "max"
//
// Extents and strides are in elements, slowest dimension first, and there is no stride for the
// last one. Values are computed in 64 bits; one that does not fit into its operation's width (8,
// 16, 32, 64), where the kernel would have wrapped around, is an error, as is a division by 0.
// An array with an extent of 0 is encoded as a single element that is 0 (the padding is zero), so
// that a kernel which reads out of it reads padding.
//
// A packed array need not lie as the engine wants it: where its base or a stride is no multiple of
// 16 bytes, a launch first copies it into memory of the launcher's own, by the kernel TILE_PACK of
// the same module, dense and with rows that begin at multiples of 128 bytes. The copies lie on the
// launch's stream; the memory is kept for the next launch, and grows to the largest.
//
// A kernel whose programs are split among blocks (tile_gpu.splits), which add up what they have in
// memory, needs no parameter for that: a global of its module is called TILE_PARTS_GLOBAL and then
// as the kernel, and has four words of 64 bits:
//
//   +0   where the programs' numbers are, 4 bytes each, all 0 at first            the launcher's
//   +8   where their parts are                                                    the launcher's
//   +16  bytes of all parts of a program                                          the compiler's
//   +24  blocks of a program                                                      the compiler's
//
// A launch has as many blocks along x for each program of its grid, and as many numbers, which the
// next one finds as this one leaves them. Of a persistent kernel the programs of the last round
// alone are split, fewer than there are blocks: among turns of its loop, which may be any block's.
// The memory grows to the largest launch's; on two streams launches of one launcher follow each
// other.
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_LAUNCHER_H
#define TILE_RUNTIME_LAUNCHER_H

#include "tile/Runtime/Driver.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TILE_PARTS_GLOBAL "__tile_parts_"

enum {
  TILE_PARTS_NAME = 512, ///< bytes that hold any such name
  TILE_PARTS_WORDS = 4,
  TILE_PARTS_BYTES = 2,  ///< the word that says how many a program has
  TILE_PARTS_BLOCKS = 3, ///< and the one that says how many blocks
};

//===- what a map is made of ----------------------------------------------===//

/// A description, parsed.
typedef struct TileMapForm TileMapForm;

/// Parses a description. NULL with a message that says where it stops making sense.
TileMapForm *tileMapFormCreate(const char *text, TileError *error);
/// NULL is allowed.
void tileMapFormDestroy(TileMapForm *form);

/// Evaluates everything with the arguments of a launch, one 8-byte slot each, integers in the low
/// bytes. `count` is their number. The spec is not checked against what the copy engine can do:
/// tileDeviceEncodeTensorMap does that.
/// `*empty` says that the array has no elements; the spec is then of one element, without a base.
bool tileMapFormEvaluate(const TileMapForm *form, const uint64_t *slots, unsigned count,
                         TileTensorMapSpec *spec, bool *empty, TileError *error);

/// The number of the argument that the map describes.
unsigned tileMapFormGetBase(const TileMapForm *form);

/// May the array be copied to where it is aligned?
bool tileMapFormIsPacked(const TileMapForm *form);

//===- launchers ----------------------------------------------------------===//

/// What the compiler says of a kernel.
typedef struct TileLaunchFacts {
  /// The user's arguments, and warps of a block.
  unsigned arguments, warps;
  /// Dynamic.
  uint32_t sharedBytes;
  /// The kernel runs through programs in a loop (tile_gpu.persistent).
  bool persistent;
  /// Two blocks can share a program of the last round (tile_gpu.shares_last). Of persistent
  /// kernels.
  bool sharesLast;
  /// Its blocks have one program each, in no loop (tile_gpu.one_program). Of persistent kernels.
  bool oneProgram;
  /// Blocks of a cluster (tile_gpu.cluster); 0 and 1: none. Of kernels that are not persistent each
  /// program is a cluster's, and the grid has so many times as many blocks along x.
  unsigned cluster;
  /// Descriptions of its tensor maps; borrowed during Create.
  const char *const *maps;
  unsigned numMaps;
} TileLaunchFacts;

/// The name of the kernel that packs. Its parameters, integers of 64 bits but for counts of 32:
/// address of the array and of the copy; bytes of a row of each; rows in all; extents of the three
/// fastest of up to four dimensions of rows (counts); strides of the four, in bytes, slowest first;
/// the address behind the array's last byte.
/// Blocks of TILE_PACK_THREADS threads, x by y: y rows, x threads of a row, each with
/// TILE_PACK_CHUNKS of its chunks of TILE_PACK_BYTES; the grid's x runs over rows, its y along
/// them.
#define TILE_PACK "__tile_pack"
enum {
  TILE_PACK_THREADS = 256,
  TILE_PACK_CHUNKS = 4,
  TILE_PACK_BYTES = 16,
  TILE_PACK_PARAMETERS = 13
};

/// Any thread may launch, several at once: they take turns on the host.
typedef struct TileLauncher TileLauncher;

/// Fails where the kernel's parameters are not those of the facts, and on a bad description. The
/// kernel is borrowed until Destroy.
TileLauncher *tileLauncherCreate(TileKernel *kernel, const TileLaunchFacts *facts,
                                 TileError *error);
/// NULL is allowed.
void tileLauncherDestroy(TileLauncher *launcher);

/// The launch that runs `grid` programs: for a persistent kernel, blocks along x alone.
bool tileLauncherGetLaunch(TileLauncher *launcher, const int32_t grid[3], TileLaunch *launch,
                           TileError *error);

/// The same on a stream of somebody else's in the device's context (a CUstream; NULL is the legacy
/// default stream), which is current on this thread. `cooperative`: all programs run at the same
/// time, or it is an error.
bool tileLauncherRunOn(TileLauncher *launcher, const uint64_t *slots, const int32_t grid[3],
                       void *stream, bool cooperative, TileError *error);

/// Launches on `stream` (NULL: the device's own) and waits for nothing. An error about a tensor map
/// names it and the argument it describes.
bool tileLauncherRun(TileLauncher *launcher, const uint64_t *slots, const int32_t grid[3],
                     TileStream *stream, TileError *error);

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_LAUNCHER_H
