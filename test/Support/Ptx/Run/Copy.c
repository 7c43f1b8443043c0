//===- Copy.c - cp.async, and mapa ----------------------------------------===//
//
// A copy reads its source when it lands: when it is waited for, or now and then when its group is
// committed. Groups are kept by warp, not by lane: kernels whose lanes commit apart are not told
// from others.
//===----------------------------------------------------------------------===//
#include "../Module/Decode.h"
#include "../Sync/Races.h"
#include <string.h>

bool ptxLandCopies(PtxWarp *warp, int groupsLeft, bool all) {
  PtxQueue *queue = &warp->copies;
  int due = ptxQueueDue(queue, groupsLeft, all);
  const PtxCopy *copies = queue->items;
  const PtxShared *shared = &warp->block->shared;
  for (int i = 0; i < due; ++i) {
    if (copies[i].read) // else the source may be no address at all
      memcpy(shared->bytes + copies[i].to, (const void *)(uintptr_t)copies[i].from, copies[i].read);
    memset(shared->bytes + copies[i].to + copies[i].read, 0,
           (size_t)(copies[i].bytes - copies[i].read));
    if (shared->written) memset(shared->written + copies[i].to, 1, copies[i].bytes);
  }
  if (due) ptxNoteWrite(ptxGrid(warp));
  ptxQueueDrop(queue, due, sizeof *copies);
  return due > 0;
}

/// How many bytes a lane's copy reads: all, as the source size says, or none for a true predicate.
static uint64_t getRead(const PtxWarp *warp, const PtxOp *op, int lane, uint64_t bytes) {
  if (!op->is.count) return bytes;
  const PtxSlot *slot = op->operands[3].slots;
  if (slot->bytes == 1) return ptxPredicate(warp, slot) >> lane & 1 ? 0 : bytes;
  return ptxLane(warp, slot, lane);
}

static PtxStatus runCopy(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  uint64_t bytes = op->operands[2].number;
  for (uint32_t left = mask; left; left &= left - 1) {
    int lane = ptxFirst(left);
    uint64_t read = getRead(warp, op, lane, bytes), to = ptxAddress(warp, &op->operands[0], lane);
    uint64_t from = ptxAddress(warp, &op->operands[1], lane);
    if (read > bytes)
      return ptxFaultAt(warp, op, lane, PTX_FAILED,
                        "expected %llu bytes of source at most, found %llu",
                        (unsigned long long)bytes, (unsigned long long)read);
    if (to % bytes || (read && from % bytes))
      return ptxFaultAt(warp, op, lane, PTX_MISALIGNED,
                        "expected addresses that are multiples of %llu, found %llx and %llx",
                        (unsigned long long)bytes, (unsigned long long)to,
                        (unsigned long long)from);
    if (to >= warp->block->shared.size || bytes > warp->block->shared.size - to)
      return ptxFaultAt(warp, op, lane, PTX_BAD_ADDRESS,
                        "expected an address in shared memory of %u bytes, found %llx",
                        warp->block->shared.size, (unsigned long long)to);
    if (read && !ptxCheckGlobal(warp, op, lane, from, (uint32_t)read)) return PTX_FAULTED;
    PtxFault fault = {0};
    if (!ptxRaceCopy(warp, to, (uint32_t)bytes, ++warp->copiesIssued, &fault))
      return ptxFaultWith(warp, op, lane, &fault);
    PtxCopy *copy = ptxQueueAdd(&warp->copies, sizeof *copy);
    if (!copy) return ptxFaultAt(warp, op, lane, 2, "expected memory for copies, found none");
    *copy =
        (PtxCopy){.from = from, .to = (uint32_t)to, .bytes = (uint8_t)bytes, .read = (uint8_t)read};
  }
  return PTX_NEXT;
}

static PtxStatus runCommit(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  if (!ptxQueueCommit(&warp->copies))
    return ptxFaultAt(warp, op, ptxFirst(mask), 2, "expected memory for copies, found none");
  if (!warp->block->cluster->races && ptxRandom(ptxGrid(warp), 4) == 0)
    ptxLandCopies(warp, (int)ptxRandom(ptxGrid(warp), (uint32_t)warp->copies.groupCount + 1),
                  false);
  return PTX_NEXT;
}

static PtxStatus runWait(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  (void)mask;
  bool all = !op->operandCount;
  ptxLandCopies(warp, all ? 0 : (int)op->operands[0].number, all);
  ptxRaceWaitCopies(warp, warp->copiesIssued - (uint32_t)warp->copies.count);
  return PTX_NEXT;
}

/// mapa: an address of another block's shared memory.
static PtxStatus runMap(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  for (uint32_t left = mask; left; left &= left - 1) {
    int lane = ptxFirst(left);
    uint64_t address = ptxLane(warp, op->operands[1].slots, lane),
             rank = ptxLane(warp, op->operands[2].slots, lane);
    if (rank >= (uint64_t)warp->block->cluster->blockCount)
      return ptxFaultAt(warp, op, lane, PTX_FAILED,
                        "expected a block of %d in the cluster, found %llu",
                        warp->block->cluster->blockCount, (unsigned long long)rank);
    address &= ~(UINT64_C(0xff) << PTX_RANK_SHIFT);
    ptxSetLane(warp, op->operands[0].slots, lane, address | (rank + 1) << PTX_RANK_SHIFT);
  }
  return PTX_NEXT;
}

static int decodeMap(PtxDecoder *decoder) {
  PtxType type;
  PtxSpace space;
  ptxTakeSpace(&decoder->name, &space);
  if (!ptxTakeType(&decoder->name, &type) || !ptxAllTaken(&decoder->name)) return -1;
  int bytes = type.bits / 8;
  decoder->op->run = runMap;
  return ptxExpectOperands(decoder, 3, 3) && ptxBindResult(decoder, 0, bytes) &&
                 ptxBindOperand(decoder, 1, bytes) && ptxBindOperand(decoder, 2, 4)
             ? 1
             : -1;
}

static int decodeCopy(PtxDecoder *decoder) {
  PtxOp *op = decoder->op;
  PtxName *name = &decoder->name;
  bool isCached = ptxTake(name, "ca");
  if (!isCached && !ptxTake(name, "cg")) return -1;
  if (!ptxTake(name, "global") || (!ptxTake(name, "shared") && !ptxTake(name, "shared::cta")))
    return -1;
  ptxTake(name, "L2::128B"), ptxTake(name, "L2::256B"), ptxTake(name, "L2::64B");
  bool hasPolicy = ptxTake(name, "L2::cache_hint");
  if (!ptxAllTaken(name) || !ptxExpectOperands(decoder, 3, 5)) return -1;
  uint64_t bytes = op->operands[2].number;
  if (op->operands[0].kind != PTX_ADDRESS || op->operands[1].kind != PTX_ADDRESS ||
      op->operands[2].kind != PTX_NUMBER)
    return ptxRefuse(decoder, "expected two addresses and a number"), -1;
  if (bytes != 16 && (!isCached || (bytes != 8 && bytes != 4)))
    return ptxRefuse(decoder, "expected a copy of %s16 bytes, found %llu",
                     isCached ? "4, 8 or " : "", (unsigned long long)bytes),
           -1;
  op->run = runCopy;
  op->is.count = op->operandCount - hasPolicy > 3;
  if (!op->is.count) return 1;
  const PtxOperand *source = &op->operands[3];
  bool isPredicate = source->kind == PTX_REGISTERS && source->slots[0].bytes == 1;
  return ptxBindOperand(decoder, 3, isPredicate ? 1 : 4) ? 1 : -1;
}

int ptxDecodeCopy(PtxDecoder *decoder) {
  PtxName *name = &decoder->name;
  PtxOp *op = decoder->op;
  if (ptxIs(name, 0, "mapa")) return decodeMap(decoder);
  if (!ptxIs(name, 0, "cp") || !ptxTake(name, "async")) return 0;
  if (ptxIs(name, 2, "bulk") || ptxIs(name, 1, "reduce")) return ptxDecodeBulk(decoder);
  bool isCommit = ptxTake(name, "commit_group"), isWait = ptxTake(name, "wait_group");
  if (isCommit || isWait || ptxTake(name, "wait_all")) {
    op->run = isCommit ? runCommit : runWait;
    if (!ptxAllTaken(name) || !ptxExpectOperands(decoder, isWait, isWait)) return -1;
    return !isWait || op->operands[0].kind == PTX_NUMBER ? 1 : -1;
  }
  return decodeCopy(decoder);
}
