//===- Bulk.c - cp.async.bulk and its tensors -----------------------------===//
//
// A copy to shared memory is the cluster's until it lands, at a random time, and completes its
// bytes on an mbarrier. One from shared memory is its warp's, in groups, and lands when they are
// waited for.
//===----------------------------------------------------------------------===//
#include "../Module/Decode.h"
#include "../Sync/Races.h"
#include "../TensorMap.h"
#include <stdlib.h>
#include <string.h>

enum { NO_REDUCTION = 255 };

/// A copy out of shared memory: a box of a tensor, or bytes.
typedef struct PtxBulk {
  const PtxOp *op;
  const void *map; ///< NULL for bytes
  int32_t coords[PTX_MAP_RANK];
  uint64_t to;
  uint32_t from, bytes;
  int lane;
} PtxBulk;

/// The host's address of a lane's tensor map. NULL with the launch's error.
static const void *findMap(PtxWarp *warp, const PtxOp *op, int operand, int lane) {
  uint64_t address = ptxAddress(warp, &op->operands[operand], lane);
  if (address % PTX_MAP_ALIGNMENT) {
    ptxFaultAt(warp, op, lane, PTX_MISALIGNED,
               "expected a tensor map at a multiple of %d, found %llx", PTX_MAP_ALIGNMENT,
               (unsigned long long)address);
    return NULL;
  }
  if (!ptxCheckGlobal(warp, op, lane, address, PTX_MAP_BYTES)) return NULL;
  return (const void *)(uintptr_t)address;
}

static void getCoords(const PtxWarp *warp, const PtxOperand *operand, int lane,
                      int32_t coords[PTX_MAP_RANK]) {
  for (int i = 0; i + 1 < operand->count; ++i)
    coords[i] = (int32_t)ptxLane(warp, &operand->slots[i + 1], lane);
}

/// A load's own of a lane; false with the launch's error.
static bool addLoad(PtxWarp *warp, const PtxOp *op, int lane) {
  PtxCluster *cluster = warp->block->cluster;
  PtxFault fault = {0};
  PtxLoad load = {.warp = warp, .op = op, .rank = op->is.count, .lane = lane};
  int barrier = load.rank ? 2 : 3;
  uint64_t to = ptxAddress(warp, &op->operands[0], lane),
           signal = ptxAddress(warp, &op->operands[barrier], lane);
  PtxBlock *block = ptxSharedBlock(warp, op, lane, &to),
           *signalled = ptxSharedBlock(warp, op, lane, &signal);
  if (!block || !signalled) return false;
  load.to = (uint32_t)to, load.barrier = (uint32_t)signal;
  load.blocks = 1u << block->rank, load.signals = 1u << signalled->rank;
  if (op->is.isVector2) { // multicast
    load.blocks = load.signals =
        (uint32_t)ptxLane(warp, op->operands[barrier + 1].slots, lane) & 0xffff;
    if (!load.blocks || load.blocks >> cluster->blockCount)
      return ptxFaultAt(warp, op, lane, PTX_FAILED, "expected blocks of a cluster of %d, found %x",
                        cluster->blockCount, load.blocks),
             false;
  }
  if (load.rank) {
    load.map = findMap(warp, op, 1, lane);
    getCoords(warp, &op->operands[1], lane, load.coords);
    if (!load.map) return false;
    if (!ptxMapCheck(load.map, load.rank, &load.bytes, &fault))
      return ptxFaultWith(warp, op, lane, &fault), false;
  } else {
    load.from = ptxAddress(warp, &op->operands[1], lane);
    load.bytes = (uint32_t)ptxLane(warp, op->operands[2].slots, lane);
    if (load.from % 16 || load.to % 16 || load.bytes % 16)
      return ptxFaultAt(warp, op, lane, PTX_MISALIGNED,
                        "expected addresses and bytes that are multiples of 16, found others"),
             false;
    if (!ptxCheckGlobal(warp, op, lane, load.from, load.bytes)) return false;
  }
  for (int b = 0; b < cluster->blockCount; ++b) {
    // Of one block, it may complete on another's mbarrier.
    PtxBlock *where = load.signals == load.blocks ? &cluster->blocks[b] : signalled;
    if ((load.blocks >> b & 1) && where == &cluster->blocks[b] &&
        !ptxRaceLoad(warp, where, load.to, load.bytes, load.barrier, &fault))
      return ptxFaultWith(warp, op, lane, &fault), false;
  }
  PtxLoad *kept = malloc(sizeof *kept);
  if (!kept) return ptxFaultAt(warp, op, lane, 2, "expected memory for copies, found none"), false;
  *kept = load;
  kept->next = cluster->loads;
  cluster->loads = kept;
  return true;
}

static PtxStatus runLoad(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  for (uint32_t left = mask; left; left &= left - 1)
    if (!addLoad(warp, op, ptxFirst(left))) return PTX_FAULTED;
  return PTX_NEXT;
}

static bool landBytes(const PtxLoad *load, const PtxShared *shared, PtxFault *fault) {
  if (!ptxSharedCheckWrite(shared, load->to, load->bytes, fault)) return false;
  memcpy(shared->bytes + load->to, (const void *)(uintptr_t)load->from, load->bytes);
  return true;
}

static void land(PtxCluster *cluster, const PtxLoad *load) {
  PtxFault fault = {0};
  ptxRaceQuiet(cluster, true);
  for (int b = 0; b < cluster->blockCount; ++b) {
    PtxBlock *block = &cluster->blocks[b];
    if (!((load->blocks | load->signals) >> b & 1)) continue;
    if (!block->livingWarps)
      ptxFaultSet(&fault, PTX_FAILED,
                  "expected a copy to shared memory to be waited for, found block %d of the "
                  "cluster at its end",
                  b);
    else if ((!(load->blocks >> b & 1) ||
              (load->map ? ptxBoxLoad(load->map, load->rank, load->coords, &block->shared, load->to,
                                      &fault)
                         : landBytes(load, &block->shared, &fault))) &&
             load->signals >> b & 1)
      ptxCompleteTransaction(block, load->barrier, load->bytes, &fault);
  }
  ptxRaceQuiet(cluster, false);
  ptxNoteWrite(cluster->grid);
  if (fault.code) ptxFaultWith(load->warp, load->op, load->lane, &fault);
}

bool ptxLandLoads(PtxCluster *cluster, bool all) {
  bool isAny = cluster->loads;
  while (cluster->loads && !cluster->grid->fault.code) {
    uint32_t count = 0;
    for (PtxLoad *load = cluster->loads; load; load = load->next) ++count;
    PtxLoad **at = &cluster->loads;
    for (uint32_t skip = ptxRandom(cluster->grid, count); skip; --skip) at = &(*at)->next;
    PtxLoad *load = *at;
    *at = load->next;
    land(cluster, load);
    free(load);
    if (!all) break;
  }
  return isAny;
}

void ptxFreeLoads(PtxCluster *cluster) {
  for (PtxLoad *load = cluster->loads, *next; load; load = next) {
    next = load->next;
    free(load);
  }
  cluster->loads = NULL;
}

static PtxStatus runStore(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  for (uint32_t left = mask; left; left &= left - 1) {
    int lane = ptxFirst(left), rank = op->is.count;
    PtxBulk bulk = {.op = op, .lane = lane};
    PtxFault fault = {0};
    uint64_t from = ptxAddress(warp, &op->operands[1], lane);
    if (from >> PTX_RANK_SHIFT)
      return ptxFaultAt(warp, op, lane, PTX_BAD_ADDRESS,
                        "expected an address in the block's shared memory, found %llx",
                        (unsigned long long)from);
    bulk.from = (uint32_t)from;
    if (rank) {
      bulk.map = findMap(warp, op, 0, lane);
      if (!bulk.map) return PTX_FAULTED;
      if (!ptxMapCheck(bulk.map, rank, &bulk.bytes, &fault))
        return ptxFaultWith(warp, op, lane, &fault);
      getCoords(warp, &op->operands[0], lane, bulk.coords);
    } else {
      bulk.to = ptxAddress(warp, &op->operands[0], lane);
      bulk.bytes = (uint32_t)ptxLane(warp, op->operands[2].slots, lane);
      if (bulk.to % 16 || from % 16 || bulk.bytes % 16)
        return ptxFaultAt(warp, op, lane, PTX_MISALIGNED,
                          "expected addresses and bytes that are multiples of 16, found others");
      if (!ptxCheckGlobal(warp, op, lane, bulk.to, bulk.bytes)) return PTX_FAULTED;
    }
    if (!ptxRaceBulk(warp, bulk.from, bulk.bytes, ++warp->bulksIssued, &fault))
      return ptxFaultWith(warp, op, lane, &fault);
    PtxBulk *kept = ptxQueueAdd(&warp->bulks, sizeof *kept);
    if (!kept) return ptxFaultAt(warp, op, lane, 2, "expected memory for copies, found none");
    *kept = bulk;
  }
  return PTX_NEXT;
}

static bool storeBulk(const PtxBulk *bulk, const PtxShared *shared, PtxFault *fault) {
  const PtxOp *op = bulk->op;
  if (bulk->map && op->is.toBytes != NO_REDUCTION)
    return ptxBoxReduce(bulk->map, op->is.count, (PtxReduction)op->is.toBytes, bulk->coords, shared,
                        bulk->from, fault);
  if (bulk->map)
    return ptxBoxStore(bulk->map, op->is.count, bulk->coords, shared, bulk->from, fault);
  if (!ptxSharedCheckRead(shared, bulk->from, bulk->bytes, fault)) return false;
  memcpy((void *)(uintptr_t)bulk->to, shared->bytes + bulk->from, bulk->bytes);
  return true;
}

bool ptxLandBulks(PtxWarp *warp, int groupsLeft, bool all) {
  int due = ptxQueueDue(&warp->bulks, groupsLeft, all);
  const PtxBulk *bulks = warp->bulks.items;
  PtxFault fault = {0};
  ptxRaceQuiet(warp->block->cluster, true);
  for (int i = 0; i < due; ++i)
    if (!storeBulk(&bulks[i], &warp->block->shared, &fault)) {
      ptxFaultWith(warp, bulks[i].op, bulks[i].lane, &fault);
      break;
    }
  ptxRaceQuiet(warp->block->cluster, false);
  if (due) ptxNoteWrite(ptxGrid(warp));
  ptxQueueDrop(&warp->bulks, due, sizeof *bulks);
  return due > 0;
}

static PtxStatus runCommit(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  if (!ptxQueueCommit(&warp->bulks))
    return ptxFaultAt(warp, op, ptxFirst(mask), 2, "expected memory for copies, found none");
  if (!warp->block->cluster->races && ptxRandom(ptxGrid(warp), 4) == 0)
    ptxLandBulks(warp, (int)ptxRandom(ptxGrid(warp), (uint32_t)warp->bulks.groupCount + 1), false);
  return ptxGrid(warp)->fault.code ? PTX_FAULTED : PTX_NEXT;
}

static PtxStatus runWait(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  (void)mask;
  ptxLandBulks(warp, (int)op->operands[0].number, false);
  ptxRaceWaitBulks(warp, warp->bulksIssued - (uint32_t)warp->bulks.count);
  return ptxGrid(warp)->fault.code ? PTX_FAULTED : PTX_NEXT;
}

static PtxStatus runNothing(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  (void)warp, (void)op, (void)mask;
  return PTX_NEXT;
}

/// An address's coordinates as registers of 32 bits, `rank` of them.
static bool bindCoords(PtxDecoder *decoder, int index, int rank) {
  PtxOp *op = decoder->op;
  PtxOperand *operand = &op->operands[index];
  if (operand->kind != PTX_ADDRESS || operand->count != rank + 1)
    return ptxRefuse(decoder, "expected a tensor map with %d coordinates as operand %d", rank,
                     index);
  for (int i = 1; i <= rank; ++i) {
    PtxSlot *slot = &operand->slots[i];
    if (slot->isNumber)
      *slot = (PtxSlot){.row = ptxConstant(decoder->entry, slot->number, 4), .bytes = 4};
    if (slot->bytes != 4) return ptxRefuse(decoder, "expected coordinates of 32 bits");
  }
  return true;
}

static int takeRank(PtxName *name) {
  static const char *const ranks[] = {"1d", "2d", "3d", "4d", "5d"};
  for (int i = 0; i < 5; ++i)
    if (ptxTake(name, ranks[i])) return i + 1;
  return 0;
}

static int bindLoad(PtxDecoder *decoder, int rank, bool isMulticast, bool hasPolicy) {
  PtxOp *op = decoder->op;
  int barrier = rank ? 2 : 3, count = barrier + 1 + isMulticast + hasPolicy;
  op->run = runLoad;
  if (!ptxExpectOperands(decoder, count, count) || op->operands[0].kind != PTX_ADDRESS ||
      op->operands[1].kind != PTX_ADDRESS || op->operands[barrier].kind != PTX_ADDRESS)
    return -1;
  if (isMulticast && !ptxBindOperand(decoder, barrier + 1, 4)) return -1;
  return (rank ? bindCoords(decoder, 1, rank) : ptxBindOperand(decoder, 2, 4)) ? 1 : -1;
}

static int bindStore(PtxDecoder *decoder, int rank, bool hasPolicy) {
  PtxOp *op = decoder->op;
  int count = (rank ? 2 : 3) + hasPolicy;
  op->run = runStore;
  if (!ptxExpectOperands(decoder, count, count) || op->operands[0].kind != PTX_ADDRESS ||
      op->operands[1].kind != PTX_ADDRESS)
    return -1;
  return (rank ? bindCoords(decoder, 0, rank) : ptxBindOperand(decoder, 2, 4)) ? 1 : -1;
}

static void takeReduction(PtxName *name, PtxOp *op) {
  static const char *const all[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
  op->is.toBytes = NO_REDUCTION;
  for (int i = 0; i < 8; ++i)
    if (ptxTake(name, all[i])) op->is.toBytes = (uint8_t)i;
}

int ptxDecodeBulk(PtxDecoder *decoder) {
  PtxOp *op = decoder->op;
  PtxName *name = &decoder->name;
  bool isReduction = ptxIs(name, 1, "reduce");
  if (isReduction) ptxTake(name, "reduce");
  ptxTake(name, "bulk");
  bool isCommit = ptxTake(name, "commit_group");
  if (isCommit || ptxTake(name, "wait_group")) {
    ptxTake(name, "read");
    op->run = isCommit ? runCommit : runWait;
    return ptxAllTaken(name) && ptxExpectOperands(decoder, !isCommit, !isCommit) &&
                   (isCommit || op->operands[0].kind == PTX_NUMBER)
               ? 1
               : -1;
  }
  bool isPrefetch = ptxTake(name, "prefetch");
  int rank = ptxTake(name, "tensor") ? takeRank(name) : 0;
  ptxTake(name, "tile");
  takeReduction(name, op);
  bool isGrouped = ptxTake(name, "bulk_group"), isMulticast = ptxTake(name, "multicast::cluster");
  bool isSignalled = ptxTake(name, "mbarrier::complete_tx::bytes"),
       hasPolicy = ptxTake(name, "L2::cache_hint");
  bool isGlobal = ptxTake(name, "global");
  bool isShared = ptxTake(name, "shared::cta") || ptxTake(name, "shared::cluster");
  op->is.count = (uint8_t)rank, op->is.isVector2 = isMulticast;
  if (isPrefetch) return op->run = runNothing, ptxAllTaken(name) ? 1 : -1;
  if (!ptxAllTaken(name) || !isGlobal || !isShared || isGrouped == isSignalled) return -1;
  if (isReduction != (op->is.toBytes != NO_REDUCTION) || (isReduction && !rank)) return -1;
  return isSignalled ? bindLoad(decoder, rank, isMulticast, hasPolicy)
                     : bindStore(decoder, rank, hasPolicy);
}
