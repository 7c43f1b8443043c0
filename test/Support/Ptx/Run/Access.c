//===- Access.c - addresses and what they may reach -----------------------===//
#include "../Module/Decode.h"
#include "Warp.h"

/// Whether bytes at an offset are among the first `size`; no sum, as it may wrap.
static bool isWithin(uint64_t offset, uint64_t bytes, uint64_t size) {
  return offset < size && bytes <= size - offset;
}

PtxBlock *ptxSharedBlock(PtxWarp *warp, const PtxOp *op, int lane, uint64_t *address) {
  PtxBlock *block = warp->block;
  uint64_t rank = *address >> PTX_RANK_SHIFT;
  if (!rank) return block;
  if (rank > (uint64_t)block->cluster->blockCount) {
    ptxFaultAt(warp, op, lane, PTX_BAD_ADDRESS,
               "expected an address in shared memory of %u bytes, found %llx", block->shared.size,
               (unsigned long long)*address);
    return NULL;
  }
  *address &= (UINT64_C(1) << PTX_RANK_SHIFT) - 1;
  PtxBlock *other = &block->cluster->blocks[rank - 1];
  if (other->livingWarps) return other;
  ptxFaultAt(
      warp, op, lane, PTX_BAD_ADDRESS,
      "expected shared memory of a block that runs, found block %u of the cluster at its end",
      other->rank);
  return NULL;
}

bool ptxCheckGlobal(PtxWarp *warp, const PtxOp *op, int lane, uint64_t address, uint32_t bytes) {
  if (address >= warp->span.first && address < warp->span.last &&
      bytes <= warp->span.last - address)
    return true;
  const PtxGrid *grid = ptxGrid(warp);
  uint64_t parameters = (uint64_t)(uintptr_t)grid->parameters;
  if (isWithin(address - parameters, bytes, grid->entry->info.parameterBytes)) return true;
  PtxSpan span = ptxMemoryFind(address);
  if (span.last != span.first && bytes <= span.last - address) {
    warp->span = span;
    return true;
  }
  if (span.last != span.first)
    ptxFaultAt(warp, op, lane, PTX_BAD_ADDRESS,
               "expected %u bytes at %llx, found %llu to the end of the allocation of %llu", bytes,
               (unsigned long long)address, (unsigned long long)(span.last - address),
               (unsigned long long)(span.last - span.first));
  else
    ptxFaultAt(warp, op, lane, PTX_BAD_ADDRESS,
               "expected an address in global memory that is allocated, found %llx",
               (unsigned long long)address);
  return false;
}

/// Shared memory at an offset, or with the rank of a block of the cluster.
static uint8_t *findShared(PtxWarp *warp, const PtxOp *op, int lane, uint64_t address,
                           uint32_t bytes, bool isWrite) {
  PtxBlock *block = ptxSharedBlock(warp, op, lane, &address);
  if (!block) return NULL;
  const PtxShared *shared = &block->shared;
  if (isWithin(address, bytes, shared->size) && !ptxSharedIsWatched(shared))
    return shared->bytes + address;
  PtxFault fault = {0};
  if (isWrite ? ptxSharedCheckWrite(shared, address, bytes, &fault)
              : ptxSharedCheckRead(shared, address, bytes, &fault))
    return shared->bytes + address;
  ptxFaultWith(warp, op, lane, &fault);
  return NULL;
}

static uint8_t *findLocal(PtxWarp *warp, const PtxOp *op, int lane, uint64_t address,
                          uint32_t bytes) {
  uint32_t size = warp->entry->localBytes;
  if (isWithin(address, bytes, size)) return warp->local + (size_t)lane * size + address;
  ptxFaultAt(warp, op, lane, PTX_BAD_ADDRESS,
             "expected an address in local memory of %u bytes, found %llx", size,
             (unsigned long long)address);
  return NULL;
}

uint8_t *ptxFindBytes(PtxWarp *warp, const PtxOp *op, int lane, PtxSpace space, uint64_t address,
                      uint32_t bytes, bool isWrite) {
  if (address & (bytes - 1)) {
    ptxFaultAt(warp, op, lane, PTX_MISALIGNED,
               "expected an address that is a multiple of %u, found %llx", bytes,
               (unsigned long long)address);
    return NULL;
  }
  if (space == PTX_GENERIC && address >= PTX_LOCAL_WINDOW)
    space = PTX_LOCAL, address -= PTX_LOCAL_WINDOW;
  else if (space == PTX_GENERIC && address >= PTX_SHARED_WINDOW)
    space = PTX_SHARED_CLUSTER, address -= PTX_SHARED_WINDOW;
  switch (space) {
  case PTX_PARAM:
    if (isWithin(address, bytes, ptxGrid(warp)->entry->info.parameterBytes))
      return (uint8_t *)(uintptr_t)ptxGrid(warp)->parameters + address;
    ptxFaultAt(warp, op, lane, PTX_BAD_ADDRESS, "expected an address of a parameter, found %llx",
               (unsigned long long)address);
    return NULL;
  case PTX_SHARED:
  case PTX_SHARED_CLUSTER:
    return findShared(warp, op, lane, address, bytes, isWrite);
  case PTX_LOCAL:
    return findLocal(warp, op, lane, address, bytes);
  default:
    if (!ptxCheckGlobal(warp, op, lane, address, bytes)) return NULL;
    return (uint8_t *)(uintptr_t)address;
  }
}

bool ptxTakeSpace(PtxName *name, PtxSpace *space) {
  static const struct {
    const char *name;
    PtxSpace space;
  } all[] = {{"param", PTX_PARAM},        {"shared", PTX_SHARED},
             {"shared::cta", PTX_SHARED}, {"shared::cluster", PTX_SHARED_CLUSTER},
             {"global", PTX_GLOBAL},      {"const", PTX_GLOBAL},
             {"local", PTX_LOCAL}};
  *space = PTX_GENERIC;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
    if (ptxTake(name, all[i].name)) return *space = all[i].space, true;
  return false;
}
