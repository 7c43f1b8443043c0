//===- Kernel.h - a kernel on its way to roles ------------------*- C -*-===//
//
// Where things stand in a kernel while the passes of this folder carry its #tile_gpu.schedule out:
//
//   tile.func @f(..) attributes {tile_gpu.schedule = #tile_gpu.schedule<..>} {
//     descriptors and numbers                            in front of all programs
//     scf.for %program = .. {                            tile-make-persistent; marked
//       ..                                               the program }
//   }
//
// and behind tile-warp-specialize the loop is the last op of the consumers' region.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_KERNEL_H
#define TILE_TRANSFORMS_KERNEL_H

#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/Schedule.h"

/// The kernel's schedule; false where it has none, and stays as it is.
bool tileKernelGetSchedule(MlirOperation func, TileSchedule *schedule);
void tileKernelSetSchedule(MlirOperation func, const TileSchedule *schedule);
/// Warps of a block that hold no tiles: the producers; where they hand their registers on to the
/// others, which whole warp groups do, a group.
int tileScheduleGetCopyWarps(const TileSchedule *schedule, int warpGroups);
/// Teams of a block that divide its loop (tile_gpu.in_block); 1: none.
int64_t tileKernelGetTeams(MlirOperation func);
void tileKernelSetTeams(MlirOperation func, int64_t teams);
/// Are all boxes of a program's results staged at a time (tile_gpu.together), which leave while the
/// next one runs?
bool tileKernelStagesTogether(MlirOperation func);
void tileKernelStageTogether(MlirOperation func);
/// A number that decides profit, on the machine that the kernel is compiled for.
int64_t tileKernelGetNumber(MlirOperation func, TileNumber number);
/// Groups of four warps that hold its tiles; 0 where there are fewer warps.
int tileKernelGetWarpGroups(MlirOperation func);
/// Its tile_gpu.warp_specialize; null where it has none (yet).
MlirOperation tileKernelGetRoles(MlirOperation func);
/// Its loop over programs; null where a block has one program.
MlirOperation tileKernelGetProgramLoop(MlirOperation func);
/// The block whose ops are a program: of that loop, of the consumers, or of the function.
MlirBlock tileKernelGetProgram(MlirOperation func);
/// The last loop of the program whose dots stay in flight, as the consumers have it; null where
/// there is none.
MlirOperation tileKernelGetDotLoop(MlirOperation func);
/// In front of what makes shared memory ready for roles: where more of it is made.
TileBuilder tileKernelBeforeRoles(MlirOperation func);

/// Marks a loop as the one over programs.
void tileKernelMarkProgramLoop(MlirOperation loop);
/// Says `name`, a unit attribute, of the kernel.
void tileKernelMark(MlirOperation func, const char *name);
/// The block's number in its cluster, of which its programs follow; null where there is no loop
/// over a cluster's programs.
MlirValue tileKernelGetClusterRank(MlirOperation func);

/// `name`, an op that tells a number of the grid along `axis`: tile.program_id and the like.
MlirValue tileBuildGridOp(TileBuilder *b, const char *name, int axis);

/// Does `op` stay in front of all programs? Descriptors do, what they are made of, and numbers.
bool tileOpStaysInFront(MlirOperation op);
/// Is `value` made in front of all programs?
bool tileValueIsInFront(MlirOperation func, MlirValue value);

/// The tile.make_desc of a descriptor; null where there is none.
MlirOperation tileDescGetMaker(MlirValue desc);

/// "kernel cannot follow its schedule: `reason`", and failure.
MlirLogicalResult tileScheduleFails(MlirOperation func, const char *reason);

/// Registers that a thread of the consumers has, as the kernel's schedule has blocks and producers.
int64_t tileKernelGetConsumerRegisters(MlirOperation func);

#endif
