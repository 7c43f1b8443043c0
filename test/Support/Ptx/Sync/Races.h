//===- Races.h - races in shared memory (private) -------------------------===//
//
// With PTX_EMULATOR_RACES=1 every access to shared memory is held against those before it: it is an
// error where neither program order nor what waits (bar, mbarrier, barrier.cluster, the
// wait_groups) orders the two, in whatever order the seed ran them. Vector clocks, as FastTrack has
// them (Flanagan and Freund, 2009), over warps and over what is asynchronous: a warp's cp.async and
// bulk copies, a warpgroup's wgmmas, and the copies that complete on an mbarrier are agents of
// their own. A warp's lanes are one agent: what races among them is not seen, nor is the global
// memory.
//
// A second clock says what of that is fenced to the async proxy: a wgmma or bulk copy that reads
// what threads wrote (st, stmatrix) needs fence.proxy.async between them. What cp.async wrote is
// not asked for one: loops of cp.async and wgmma everywhere go without.
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_PTX_RACES_H
#define TILE_TEST_PTX_RACES_H

#include "../Run/Warp.h"

/// The clocks of a cluster and the last accesses of its blocks. NULL where there is no memory.
PtxRaces *ptxRacesCreate(PtxCluster *cluster);
void ptxRacesDestroy(PtxRaces *races);

// All of these do nothing where the cluster's races are not looked for.

/// The instruction whose accesses follow.
void ptxRaceEnter(PtxWarp *warp, const PtxOp *op);

/// Behind the instruction: whether what threads wrote over other threads' writes was the same.
/// False with a fault.
bool ptxRaceCheckSame(PtxCluster *cluster, PtxFault *fault);

/// What a warp did is known to those who wait for a barrier, or for an mbarrier of a block;
/// `completes` when a phase of it did, and that the warp waited.
void ptxRaceArrive(PtxWarp *warp, int barrier);
void ptxRaceComplete(PtxBlock *block, int barrier);
void ptxRaceLeave(PtxWarp *warp, int barrier);
void ptxRaceArriveAt(PtxWarp *warp, PtxBlock *block, uint64_t address);
void ptxRaceCompleteAt(PtxBlock *block, uint64_t address);
void ptxRaceLeaveAt(PtxWarp *warp, PtxBlock *block, uint64_t address);
void ptxRaceArriveCluster(PtxWarp *warp);
void ptxRaceCompleteCluster(PtxCluster *cluster);
void ptxRaceLeaveCluster(PtxWarp *warp);

/// fence.proxy.async.
void ptxRaceFence(PtxWarp *warp);

/// A cp.async's write, as the `i`th copy that the warp issued (from 1 on); a bulk copy's read
/// alike; a bulk copy's write that completes on an mbarrier of the block. False with a fault.
bool ptxRaceCopy(PtxWarp *warp, uint64_t address, uint32_t bytes, uint32_t i, PtxFault *fault);
bool ptxRaceBulk(PtxWarp *warp, uint64_t address, uint32_t bytes, uint32_t i, PtxFault *fault);
bool ptxRaceLoad(PtxWarp *warp, PtxBlock *block, uint64_t address, uint32_t bytes, uint64_t barrier,
                 PtxFault *fault);
/// The warp waited for its first so many copies, bulk copies, or its warpgroup's wgmmas.
void ptxRaceWaitCopies(PtxWarp *warp, uint32_t count);
void ptxRaceWaitBulks(PtxWarp *warp, uint32_t count);
void ptxRaceWaitProducts(PtxWarp *warp, uint32_t count);

/// What a warp knows when it issues a wgmma; NULL where races are not looked for. The caller's.
uint32_t *ptxRaceSnapshot(PtxWarp *warp);
/// The accesses that follow are those of a warpgroup's `i`th wgmma, issued by warps that knew as
/// much.
void ptxRaceEnterProduct(PtxWarp *group, const PtxOp *op, uint32_t *const snapshots[PTX_WARPGROUP],
                         uint32_t i);
/// The accesses that follow were looked at when they were issued; and no more of these.
void ptxRaceQuiet(PtxCluster *cluster, bool isQuiet);

#endif // TILE_TEST_PTX_RACES_H
