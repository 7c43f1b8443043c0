//===- Arrival.c - mbarrier, barriers in shared memory --------------------===//
//
// An mbarrier's 64 bits are the emulator's own: arrivals pending and expected, the phase, and the
// bytes that were announced and have not landed.
//===----------------------------------------------------------------------===//
#include "../Module/Decode.h"
#include "Races.h"
#include <string.h>

enum { COUNT_BITS = 20, MAX_COUNT = (1 << COUNT_BITS) - 1, PHASE_BIT = 40, BYTES_BIT = 41 };
enum { BYTES_BITS = 21, NO_BYTES = 1 << (BYTES_BITS - 1) };
/// Says that an mbarrier was made here, not what memory had.
#define MADE (UINT64_C(1) << 62)

typedef struct Barrier {
  uint32_t pending, expected, phase;
  int64_t bytes;
} Barrier;

static Barrier unpack(uint64_t word) {
  return (Barrier){
      .pending = word & MAX_COUNT,
      .expected = word >> COUNT_BITS & MAX_COUNT,
      .phase = word >> PHASE_BIT & 1,
      .bytes = (int64_t)(word >> BYTES_BIT & ((1 << BYTES_BITS) - 1)) - NO_BYTES,
  };
}

static uint64_t pack(const Barrier *barrier) {
  return MADE | barrier->pending | (uint64_t)barrier->expected << COUNT_BITS |
         (uint64_t)barrier->phase << PHASE_BIT | (uint64_t)(barrier->bytes + NO_BYTES) << BYTES_BIT;
}

static bool load(PtxBlock *block, uint64_t address, Barrier *barrier, PtxFault *fault) {
  if (address % 8)
    return ptxFaultSet(fault, PTX_MISALIGNED, "expected an mbarrier at a multiple of 8, found %llx",
                       (unsigned long long)address);
  if (address + 8 > block->shared.size)
    return ptxFaultSet(fault, PTX_BAD_ADDRESS,
                       "expected an mbarrier in shared memory of %u bytes, found %llx",
                       block->shared.size, (unsigned long long)address);
  uint64_t word = *(const PtxU64 *)(block->shared.bytes + address);
  if (word >> 62 != MADE >> 62)
    return ptxFaultSet(fault, PTX_FAILED,
                       "expected an mbarrier that mbarrier.init made at %llx, found other memory",
                       (unsigned long long)address);
  *barrier = unpack(word);
  return true;
}

static bool store(PtxBlock *block, uint64_t address, Barrier *barrier, PtxFault *fault) {
  if (barrier->bytes <= -NO_BYTES || barrier->bytes >= NO_BYTES)
    return ptxFaultSet(fault, PTX_FAILED,
                       "expected a transaction of 2^20 - 1 bytes at most, found more");
  if (!barrier->pending && !barrier->bytes) {
    barrier->pending = barrier->expected;
    barrier->phase ^= 1;
    ptxRaceCompleteAt(block, address);
  }
  *(PtxU64 *)(block->shared.bytes + address) = pack(barrier);
  ptxNoteWrite(block->cluster->grid);
  return true;
}

bool ptxArrive(PtxWarp *warp, PtxBlock *block, uint64_t address, uint32_t count, int64_t bytes,
               PtxFault *fault) {
  Barrier barrier;
  if (!load(block, address, &barrier, fault)) return false;
  if (count > barrier.pending)
    return ptxFaultSet(fault, PTX_FAILED, "expected %u arrivals at an mbarrier at most, found %u",
                       barrier.pending, count);
  barrier.bytes += bytes;
  barrier.pending -= count;
  if (count) ptxRaceArriveAt(warp, block, address);
  return store(block, address, &barrier, fault);
}

bool ptxCompleteTransaction(PtxBlock *block, uint64_t address, uint32_t bytes, PtxFault *fault) {
  Barrier barrier;
  if (!load(block, address, &barrier, fault)) return false;
  barrier.bytes -= bytes;
  return store(block, address, &barrier, fault);
}

static PtxStatus runInit(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  for (uint32_t left = mask; left; left &= left - 1) {
    int lane = ptxFirst(left);
    uint64_t count = op->operandCount > 1 ? ptxLane(warp, op->operands[1].slots, lane) : 0;
    uint8_t *at = ptxFindBytes(warp, op, lane, (PtxSpace)op->is.kind,
                               ptxAddress(warp, &op->operands[0], lane), 8, true);
    if (!at) return PTX_FAULTED;
    if (op->operandCount == 1) {
      memset(at, 0, 8); // mbarrier.inval
      continue;
    }
    if (!count || count > MAX_COUNT)
      return ptxFaultAt(warp, op, lane, PTX_FAILED, "expected a count in 1 .. %d, found %llu",
                        MAX_COUNT, (unsigned long long)count);
    Barrier barrier = {.pending = (uint32_t)count, .expected = (uint32_t)count};
    *(PtxU64 *)at = pack(&barrier);
  }
  ptxNoteWrite(ptxGrid(warp));
  return PTX_NEXT;
}

/// The block and offset of a lane's mbarrier.
static PtxBlock *find(PtxWarp *warp, const PtxOp *op, int operand, int lane, uint64_t *address) {
  *address = ptxAddress(warp, &op->operands[operand], lane);
  if (op->is.kind == PTX_GENERIC) *address -= PTX_SHARED_WINDOW;
  return ptxSharedBlock(warp, op, lane, address);
}

static PtxStatus runArrive(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  bool expects = op->is.saturates;
  int first = op->is.count; // 1 where a state is returned
  for (uint32_t left = mask; left; left &= left - 1) {
    int lane = ptxFirst(left);
    uint64_t address, last = 1;
    PtxBlock *block = find(warp, op, first, lane, &address);
    if (!block) return PTX_FAULTED;
    if (op->operandCount > first + 1) last = ptxLane(warp, op->operands[first + 1].slots, lane);
    PtxFault fault = {0};
    Barrier before;
    // mbarrier.expect_tx alone is no arrival.
    uint32_t count = !expects ? (uint32_t)last : op->is.toBytes ? 0 : 1;
    if (!load(block, address, &before, &fault) ||
        !ptxArrive(warp, block, address, count, expects ? (int64_t)last : 0, &fault))
      return ptxFaultWith(warp, op, lane, &fault);
    if (first) ptxSetLane(warp, op->operands[0].slots, lane, pack(&before));
  }
  return PTX_NEXT;
}

static PtxStatus runWait(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  uint32_t done = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    int lane = ptxFirst(left);
    uint64_t address, awaited = ptxLane(warp, op->operands[2].slots, lane);
    PtxBlock *block = find(warp, op, 1, lane, &address);
    PtxFault fault = {0};
    Barrier barrier;
    if (!block) return PTX_FAULTED;
    if (!load(block, address, &barrier, &fault)) return ptxFaultWith(warp, op, lane, &fault);
    uint32_t phase = op->is.isVector2 ? awaited & 1 : unpack(awaited).phase;
    if (barrier.phase == phase) continue;
    done |= 1u << lane;
    ptxRaceLeaveAt(warp, block, address);
  }
  PtxGrid *grid = ptxGrid(warp);
  // A try_wait may return before the phase is complete: now and then, while others go on.
  bool givesUp =
      !op->is.saturates || (grid->steps - grid->lastWrite < 1000 && ptxRandom(grid, 16) == 0);
  if (done != mask && !givesUp) return PTX_BLOCKED;
  const PtxSlot *d = op->operands[0].slots;
  if (d->bytes) {
    PtxU32 *to = ptxRow(warp, d->row);
    *to = (*to & ~mask) | done;
  }
  return PTX_NEXT;
}

static int bindArrive(PtxDecoder *decoder) {
  PtxOp *op = decoder->op;
  op->run = runArrive;
  op->is.count = op->operandCount && op->operands[0].kind != PTX_ADDRESS;
  int first = op->is.count;
  if (!ptxExpectOperands(decoder, first + 1, first + 2) || op->operands[first].kind != PTX_ADDRESS)
    return -1;
  if (first && !ptxBindResult(decoder, 0, 8)) return -1;
  if (op->operandCount > first + 1 && !ptxBindOperand(decoder, first + 1, 4)) return -1;
  return 1;
}

static int bindWait(PtxDecoder *decoder, bool isTry, bool isParity) {
  PtxOp *op = decoder->op;
  op->run = runWait, op->is.saturates = isTry, op->is.isVector2 = isParity;
  if (!ptxExpectOperands(decoder, 3, 4) || op->operands[1].kind != PTX_ADDRESS) return -1;
  return ptxBindResult(decoder, 0, 1) && ptxBindOperand(decoder, 2, isParity ? 4 : 8) ? 1 : -1;
}

int ptxDecodeArrival(PtxDecoder *decoder) {
  PtxOp *op = decoder->op;
  PtxName *name = &decoder->name;
  PtxSpace space;
  bool isExpect = ptxTake(name, "expect_tx"), isArrive = ptxTake(name, "arrive");
  bool isInit = ptxTake(name, "init") || ptxTake(name, "inval");
  bool isTry = ptxTake(name, "try_wait"), isTest = ptxTake(name, "test_wait"),
       isParity = ptxTake(name, "parity");
  ptxTakeSpace(name, &space);
  ptxTakeOrder(name);
  bool isTyped = ptxTake(name, "b64");
  if (!ptxAllTaken(name) || (!isTyped && isArrive)) return -1;
  op->is.kind = (uint8_t)space;
  op->is.saturates = isExpect, op->is.toBytes = isExpect && !isArrive;
  if (isArrive || isExpect) return bindArrive(decoder);
  if (isTry || isTest) return bindWait(decoder, isTry, isParity);
  if (!isInit) return -1;
  op->run = runInit;
  if (!ptxExpectOperands(decoder, 1, 2) || op->operands[0].kind != PTX_ADDRESS) return -1;
  return op->operandCount == 1 || ptxBindOperand(decoder, 1, 4) ? 1 : -1;
}
