//===- Warp.h - warps, blocks and clusters while they run (private) -------===//
//
// A launch has clusters of blocks resident, a block's warps are run in turns. A warp's lanes that
// stand at the same instruction are a group; the group that is furthest behind runs, until the warp
// has one again: so lanes reconverge, and what asks for lanes to be together (bar, shfl, mma ..)
// waits until they are.
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_PTX_WARP_H
#define TILE_TEST_PTX_WARP_H

#include "../Memory.h"
#include "../Module/Module.h"

typedef struct PtxBlock PtxBlock;
typedef struct PtxCluster PtxCluster;
typedef struct PtxGrid PtxGrid;
typedef struct PtxRaces PtxRaces;

enum {
  PTX_BARRIERS = 16,
  PTX_MAX_GROUPS = 32,
  PTX_MAX_CLUSTER = 16,
  PTX_WARPGROUP = 4,
};

/// Generic addresses: shared memory's and local memory's windows, where no host address is.
#define PTX_SHARED_WINDOW (UINT64_C(1) << 60)
#define PTX_LOCAL_WINDOW (UINT64_C(1) << 61)
/// A shared::cluster address is a block's rank + 1 above this bit, and an offset; without a rank it
/// is the block's own.
enum { PTX_RANK_SHIFT = 24 };

typedef enum PtxWaiting {
  PTX_RUNS,
  PTX_WAITS,       ///< for an event; its instruction asks again
  PTX_WAITS_LANES, ///< for lanes to come to its instruction
} PtxWaiting;

/// Lanes of a warp at one instruction.
typedef struct PtxGroup {
  uint32_t mask;
  int pc;
  PtxWaiting waiting;
  bool hasArrived;     ///< at the barrier it waits for ..
  uint32_t generation; ///< .. whose generation this was
} PtxGroup;

/// A copy of cp.async: its bytes are read when it lands.
typedef struct PtxCopy {
  uint64_t from;
  uint32_t to;
  uint8_t bytes, read; ///< read of bytes come from memory, zeros behind
} PtxCopy;

/// What a warp has given away and not waited for yet: groups, oldest first. Of cp.async by warp
/// (every lane commits at once), of bulk copies by thread in principle, and of wgmma.
typedef struct PtxQueue {
  void *items;
  int count, capacity; ///< of items
  int *groups;         ///< items up to the end of each committed group
  int groupCount, groupCapacity;
} PtxQueue;

struct PtxWarp {
  PtxBlock *block;
  const PtxEntry *entry;
  uint8_t *registers;
  int index;
  uint32_t living; ///< lanes that have not returned
  int groupCount, current;
  PtxGroup groups[PTX_MAX_GROUPS];
  /// Lanes that arrived at the cluster's barrier and have not waited, and in which generation.
  uint32_t clusterArrived, clusterGeneration;
  PtxSpan span;      ///< memory that was accessed last
  PtxQueue copies;   ///< of PtxCopy
  PtxQueue bulks;    ///< of PtxBulk
  PtxQueue products; ///< of PtxProduct
  /// So many of each there were: given to the queues; of products, landed.
  uint32_t copiesIssued, bulksIssued, productsLanded;
  uint8_t *local; ///< the lanes' local memory, one behind the other
  uint8_t *busy;  ///< a byte for each row's place / PTX_ROW that a wgmma is writing
  uint8_t
      *fresh; ///< the same of rows written since the last wgmma.fence; where races are looked for
};

/// Runs a warp for some instructions, or until it waits. Whether it did any; a fault ends the
/// launch.
bool ptxRunWarp(PtxWarp *warp, int budget);

typedef struct PtxBarrier {
  uint32_t arrived, expected, generation;
  /// Of bar.red: what the lanes that arrived say; and the last generation's.
  bool isAll, isAny, lastAll, lastAny;
  uint32_t count, lastCount;
} PtxBarrier;

struct PtxBlock {
  PtxCluster *cluster;
  uint32_t rank;
  uint32_t id[3];
  PtxShared shared;
  PtxBarrier barriers[PTX_BARRIERS];
  PtxWarp *warps;
  int warpCount, livingWarps;
};

struct PtxCluster {
  PtxGrid *grid;
  PtxBlock *blocks;
  int blockCount, livingWarps;
  int late, lateFor; ///< a warp that others overtake (one behind its number, 0: none), and for how
                     ///< many more rounds
  bool isRunning;    ///< did a warp of it go on in the last round?
  uint32_t arrived, generation;
  uint32_t livingThreads;
  uint32_t id[3];
  struct PtxLoad *loads; ///< tensor copies under way
  PtxRaces *races;       ///< NULL where they are not looked for
};

/// A tensor copy to shared memory that has not landed.
typedef struct PtxLoad {
  struct PtxLoad *next;
  PtxWarp *warp; ///< whose instruction it was
  const PtxOp *op;
  int lane;
  const void *map; ///< of a tensor
  int rank;        ///< 0 without a map
  int32_t coords[5];
  uint64_t from;        ///< of a copy without a map
  uint32_t bytes;       ///< what it completes
  uint32_t to, barrier; ///< offsets in shared memory
  uint32_t blocks;      ///< of the cluster to which it goes, a bit each
  uint32_t signals;     ///< and on whose mbarriers it completes
} PtxLoad;

struct PtxGrid {
  const PtxEntry *entry;
  const PtxLaunch *launch;
  const uint8_t *parameters;
  uint32_t cluster[3], blockThreads;
  uint32_t sharedBytes;
  uint64_t random;
  uint64_t steps, lastWrite; ///< instructions of warps so far, and at the last write to memory
  bool watchesShared, findsRaces;
  PtxFault fault;
  PtxWarp *faultWarp;
  const PtxOp *faultOp;
  uint32_t faultLane;
};

/// A row of registers or constants.
static inline void *ptxRow(const PtxWarp *warp, int32_t row) {
  return row >= 0 ? warp->registers + row : warp->entry->constants + ~row;
}
static inline uint32_t ptxPredicate(const PtxWarp *warp, const PtxSlot *slot) {
  uint32_t bits = *(const PtxU32 *)ptxRow(warp, slot->row);
  return slot->isNegated ? ~bits : bits;
}
/// A lane's value of a slot of 4 or 8 bytes.
static inline uint64_t ptxLane(const PtxWarp *warp, const PtxSlot *slot, int lane) {
  const void *row = ptxRow(warp, slot->row);
  return slot->bytes == 8 ? ((const PtxU64 *)row)[lane] : ((const PtxU32 *)row)[lane];
}
static inline void ptxSetLane(PtxWarp *warp, const PtxSlot *slot, int lane, uint64_t value) {
  void *row = ptxRow(warp, slot->row);
  if (slot->bytes == 8)
    ((PtxU64 *)row)[lane] = value;
  else if (slot->bytes == 4)
    ((PtxU32 *)row)[lane] = (uint32_t)value;
}
static inline PtxGroup *ptxGroup(PtxWarp *warp) { return &warp->groups[warp->current]; }
static inline PtxGrid *ptxGrid(PtxWarp *warp) { return warp->block->cluster->grid; }
static inline int ptxFirst(uint32_t mask) { return __builtin_ctz(mask); }
/// A lane's address of an operand [base + offset].
static inline uint64_t ptxAddress(const PtxWarp *warp, const PtxOperand *operand, int lane) {
  uint64_t base = operand->hasBase ? ptxLane(warp, operand->slots, lane) : 0;
  return base + operand->number;
}

/// The next of the launch's random numbers, below `bound`.
uint32_t ptxRandom(PtxGrid *grid, uint32_t bound);

/// Notes the launch's error. PTX_FAULTED.
PtxStatus ptxFaultAt(PtxWarp *warp, const PtxOp *op, int lane, int code, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/// The same with what was found already; false for a fault that is none.
PtxStatus ptxFaultWith(PtxWarp *warp, const PtxOp *op, int lane, const PtxFault *fault);

// Groups.
void ptxJump(PtxWarp *warp, uint32_t taken, int target);
void ptxReturn(PtxWarp *warp, uint32_t mask);

// Memory.
/// The host's bytes of a shared::cluster address, and whose they are; NULL with the launch's error.
PtxBlock *ptxSharedBlock(PtxWarp *warp, const PtxOp *op, int lane, uint64_t *address);
/// Checks a global access.
bool ptxCheckGlobal(PtxWarp *warp, const PtxOp *op, int lane, uint64_t address, uint32_t bytes);
/// The host's bytes of an address in a space; NULL with the launch's error. `bytes` is a power of
/// two, of which the address is a multiple.
uint8_t *ptxFindBytes(PtxWarp *warp, const PtxOp *op, int lane, PtxSpace space, uint64_t address,
                      uint32_t bytes, bool isWrite);
static inline void ptxNoteWrite(PtxGrid *grid) { grid->lastWrite = grid->steps; }

// What is under way. Of groups the oldest land until so many are left, with `all` everything.
bool ptxLandCopies(PtxWarp *warp, int groupsLeft, bool all);
bool ptxLandBulks(PtxWarp *warp, int groupsLeft, bool all);
/// Lands one of the cluster's tensor copies by chance, or all. Whether there was one.
bool ptxLandLoads(PtxCluster *cluster, bool all);
void ptxFreeLoads(PtxCluster *cluster);
void ptxFreeProducts(PtxWarp *warp);
/// Notes the registers that an instruction writes: a wgmma may have them behind a wgmma.fence.
void ptxNoteRegisters(PtxWarp *warp, const PtxOp *op);
/// Whether a register that a wgmma has is used by the instruction.
bool ptxTouchesProducts(const PtxWarp *warp, const PtxOp *op);

/// Adds an item of `size` bytes; NULL where there is no memory.
void *ptxQueueAdd(PtxQueue *queue, size_t size);
/// Closes a group.
bool ptxQueueCommit(PtxQueue *queue);
/// Items that land so that `groupsLeft` groups stay, or all; and takes them off after they did.
int ptxQueueDue(const PtxQueue *queue, int groupsLeft, bool all);
void ptxQueueDrop(PtxQueue *queue, int items, size_t size);
void ptxQueueFree(PtxQueue *queue);

// Barriers.
/// What a warp that ended means for those that wait.
void ptxLeaveBarriers(PtxWarp *warp, uint32_t lanes);
/// Bytes that landed, on the mbarrier at an offset.
bool ptxCompleteTransaction(PtxBlock *block, uint64_t barrier, uint32_t bytes, PtxFault *fault);
/// An arrival at an mbarrier, with bytes to expect.
bool ptxArrive(PtxWarp *warp, PtxBlock *block, uint64_t barrier, uint32_t count, int64_t bytes,
               PtxFault *fault);

#endif // TILE_TEST_PTX_WARP_H
