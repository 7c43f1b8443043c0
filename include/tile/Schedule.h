//===- Schedule.h - how blocks and warps share a kernel's work --*- C -*-===//
//
// What `#tile_gpu.schedule<..>` of a kernel says, as a record. tile-plan-roles chooses it (or a
// user, or a search), and the passes behind carry it out, each its part: see
// docs/compiler/hopper.md.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_SCHEDULE_H
#define TILE_SCHEDULE_H

#include "mlir-c/IR.h"
#include "tile/Ops.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  TilePrograms programs;   ///< which programs a block has
  int64_t groupRows;       ///< rows of a two-dimensional grid that go together; 0: in its own order
  int64_t cluster;         ///< blocks that share copies of boxes; 1: each is on its own
  int64_t stages;          ///< slots of a ring
  int64_t producers;       ///< warps that copy; two take turns with programs
  TileStores stores;       ///< how results leave
  int64_t turns;           ///< steps that warp groups take in turn at the end of a loop; 0: none
  TileLastRound lastRound; ///< do two blocks share each of the last programs?
  int64_t warmSteps;       ///< whose boxes the L2 cache is asked for at once; 0: none
  int64_t parts;           ///< blocks that have a part each of a program's loop; 1: one has all
  int64_t blocks;          ///< of a multiprocessor at a time, for which room is left
  int64_t ahead;           ///< slots of boxes that are read outside of loops
  int64_t splits;          ///< clusters of `parts` that divide it so again, and meet in memory
  int64_t waited;          ///< slots of a ring whose dots are waited for in each step; 0: `stages`
  int64_t columns;         ///< of a group of rows, one or two, that the blocks of a cluster have
} TileSchedule;

/// #tile_gpu.schedule<..> from and to the record. `From` returns false for any other attribute;
/// `To` null, after a diagnostic at an unknown location, where the attribute's verifier refuses.
MlirAttribute tileScheduleToAttr(MlirContext context, const TileSchedule *schedule);
bool tileScheduleFromAttr(MlirAttribute attr, TileSchedule *schedule);

#ifdef __cplusplus
}
#endif
#endif
