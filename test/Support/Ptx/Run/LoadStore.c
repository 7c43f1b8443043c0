//===- LoadStore.c - ld and st --------------------------------------------===//
#include "../Module/Decode.h"
#include "Warp.h"
#include <string.h>

/// The addresses of a mask's lanes; the others have the first one's.
static void findAddresses(const PtxWarp *warp, const PtxOperand *operand, uint32_t mask,
                          uint64_t addresses[PTX_LANES]) {
  const uint64_t offset = operand->number;
  const PtxSlot *base = operand->slots;
  const void *row = operand->hasBase ? ptxRow(warp, base->row) : NULL;
  if (!row)
    for (int i = 0; i < PTX_LANES; ++i) addresses[i] = offset;
  else if (base->bytes == 8)
    for (int i = 0; i < PTX_LANES; ++i) addresses[i] = ((const PtxU64 *)row)[i] + offset;
  else
    for (int i = 0; i < PTX_LANES; ++i) addresses[i] = ((const PtxU32 *)row)[i] + offset;
  if (mask == UINT32_MAX) return;
  const uint64_t first = addresses[ptxFirst(mask)];
  for (int i = 0; i < PTX_LANES; ++i) addresses[i] = mask >> i & 1 ? addresses[i] : first;
}

/// The allocation that has an address, which mostly is the last one.
static PtxSpan findSpan(PtxWarp *warp, uint64_t address) {
  if (address >= warp->span.first && address < warp->span.last) return warp->span;
  const PtxSpan span = ptxMemoryFind(address);
  if (span.first != span.last) warp->span = span;
  return span;
}

/// The bytes of all lanes at once, where one allocation or the block's shared memory has them all.
static bool findTogether(PtxWarp *warp, const PtxOp *op, uint32_t bytes,
                         const uint64_t addresses[PTX_LANES], uint8_t *at[PTX_LANES]) {
  uint64_t least = UINT64_MAX, most = 0, bits = 0;
  for (int i = 0; i < PTX_LANES; ++i) {
    least = addresses[i] < least ? addresses[i] : least;
    most = addresses[i] > most ? addresses[i] : most;
    bits |= addresses[i];
  }
  if (bits & (bytes - 1)) return false;
  const PtxShared *shared = &warp->block->shared;
  PtxSpan span = {0, shared->size};
  uint64_t start = (uint64_t)(uintptr_t)shared->bytes;
  if (op->is.kind == PTX_GLOBAL)
    span = findSpan(warp, least), start = 0;
  else if ((op->is.kind != PTX_SHARED && op->is.kind != PTX_SHARED_CLUSTER) ||
           ptxSharedIsWatched(shared))
    return false;
  if (least < span.first || most >= span.last || bytes > span.last - most) return false;
  for (int i = 0; i < PTX_LANES; ++i) at[i] = (uint8_t *)(uintptr_t)(start + addresses[i]);
  return true;
}

/// The bytes each lane of a mask accesses. False with the launch's error.
static bool findAll(PtxWarp *warp, const PtxOp *op, const PtxOperand *operand, uint32_t mask,
                    bool isWrite, uint8_t *at[PTX_LANES]) {
  const uint32_t bytes = (uint32_t)op->is.bytes * op->is.count;
  uint64_t addresses[PTX_LANES];
  findAddresses(warp, operand, mask, addresses);
  if (findTogether(warp, op, bytes, addresses, at)) return true;
  for (uint32_t left = mask; left; left &= left - 1) {
    int lane = ptxFirst(left);
    at[lane] = ptxFindBytes(warp, op, lane, (PtxSpace)op->is.kind, addresses[lane], bytes, isWrite);
    if (!at[lane]) return false;
  }
  return true;
}

/// A loop over a mask's lanes.
#define EACH(statement)                                                                            \
  if (mask == UINT32_MAX)                                                                          \
    for (int i = 0; i < PTX_LANES; ++i) statement;                                                 \
  else                                                                                             \
    for (uint32_t left = mask; left; left &= left - 1) {                                           \
      const int i = ptxFirst(left);                                                                \
      statement;                                                                                   \
    }

static uint64_t loadValue(const uint8_t *from, int bytes, bool isSigned) {
  uint64_t value = 0;
  switch (bytes) {
  case 1:
    value = *from;
    break;
  case 2:
    value = *(const PtxU16 *)from;
    break;
  case 4:
    value = *(const PtxU32 *)from;
    break;
  default:
    return *(const PtxU64 *)from;
  }
  int unused = 64 - 8 * bytes;
  return isSigned ? (uint64_t)((int64_t)(value << unused) >> unused) : value;
}

static PtxStatus runLoad(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  uint8_t *at[PTX_LANES];
  if (!findAll(warp, op, &op->operands[1], mask, false, at)) return PTX_FAULTED;
  const int bytes = op->is.bytes;
  const bool isPlain = !op->is.isSigned;
  for (int e = 0; e < op->is.count; ++e) {
    const PtxSlot *slot = &op->operands[0].slots[e];
    void *row = ptxRow(warp, slot->row);
    if (bytes == 4 && slot->bytes == 4) {
      EACH(((PtxU32 *)row)[i] = ((const PtxU32 *)at[i])[e])
    } else if (bytes == 2 && slot->bytes == 4 && isPlain) {
      EACH(((PtxU32 *)row)[i] = ((const PtxU16 *)at[i])[e])
    } else if (bytes == 8 && slot->bytes == 8) {
      EACH(((PtxU64 *)row)[i] = ((const PtxU64 *)at[i])[e])
    } else {
      // A register of 16 bits has them in the low half.
      const bool isHalf = slot->bytes == 4 && bytes < 4 && op->is.toBytes == 2;
      const uint64_t kept = isHalf ? 0xffff : UINT64_MAX;
      EACH(ptxSetLane(warp, slot, i, loadValue(at[i] + e * bytes, bytes, op->is.isSigned) & kept))
    }
  }
  return PTX_NEXT;
}

static PtxStatus runStore(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  uint8_t *at[PTX_LANES];
  if (!findAll(warp, op, &op->operands[0], mask, true, at)) return PTX_FAULTED;
  for (int e = 0; e < op->is.count; ++e) {
    const PtxSlot *slot = &op->operands[1].slots[e];
    switch (op->is.bytes) {
    case 1:
      EACH(at[i][e] = (uint8_t)ptxLane(warp, slot, i))
      break;
    case 2:
      EACH(((PtxU16 *)at[i])[e] = (uint16_t)ptxLane(warp, slot, i))
      break;
    case 4:
      EACH(((PtxU32 *)at[i])[e] = (uint32_t)ptxLane(warp, slot, i))
      break;
    default:
      EACH(((PtxU64 *)at[i])[e] = ptxLane(warp, slot, i))
      break;
    }
  }
  ptxNoteWrite(ptxGrid(warp));
  return PTX_NEXT;
}

void ptxTakeOrder(PtxName *name) {
  static const char *const all[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "volatile",
                                    "cta",  "cluster", "gpu",     "sys",     NULL};
  for (int i = 0; all[i]; ++i) ptxTake(name, all[i]);
}

/// What says how caches are used. Whether a cache policy is the last operand.
static bool takeCaching(PtxName *name) {
  static const char *const all[] = {"nc",
                                    "ca",
                                    "cg",
                                    "cs",
                                    "lu",
                                    "cv",
                                    "wb",
                                    "wt",
                                    "L1::evict_normal",
                                    "L1::evict_last",
                                    "L1::evict_first",
                                    "L1::no_allocate",
                                    "L1::evict_unchanged",
                                    "L2::64B",
                                    "L2::128B",
                                    "L2::256B",
                                    "L2::evict_first",
                                    "L2::evict_last",
                                    NULL};
  for (int i = 0; all[i]; ++i) ptxTake(name, all[i]);
  return ptxTake(name, "L2::cache_hint");
}

int ptxDecodeMemory(PtxDecoder *decoder) {
  PtxOp *op = decoder->op;
  PtxName *name = &decoder->name;
  bool isLoad = ptxIs(name, 0, "ld");
  if (!isLoad && !ptxIs(name, 0, "st")) return 0;
  PtxSpace space;
  PtxType type;
  ptxTakeOrder(name);
  bool hasPolicy = takeCaching(name);
  ptxTakeSpace(name, &space);
  int count = ptxTake(name, "v2") ? 2 : ptxTake(name, "v4") ? 4 : ptxTake(name, "v8") ? 8 : 1;
  if (!ptxTakeType(name, &type) || type.letter == 'p' || type.bits > 64 || !ptxAllTaken(name))
    return -1;
  int operands = 2 + hasPolicy, value = isLoad ? 0 : 1;
  if (!ptxExpectOperands(decoder, operands, operands)) return -1;
  if (op->operands[!value].kind != PTX_ADDRESS)
    return ptxRefuse(decoder, "expected an address as operand %d", !value), -1;
  op->run = isLoad ? runLoad : runStore;
  op->is.kind = (uint8_t)space, op->is.count = (uint8_t)count,
  op->is.bytes = (uint8_t)(type.bits / 8);
  op->is.isSigned = type.letter == 's';
  // Registers may be wider than the type.
  int bytes = type.bits == 64 ? 8 : 4;
  if (op->operands[value].kind == PTX_REGISTERS && op->operands[value].count &&
      op->operands[value].slots[0].bytes == 8)
    bytes = 8;
  if (isLoad ? !ptxBindResult(decoder, 0, bytes) : !ptxBindOperand(decoder, 1, bytes)) return -1;
  if (op->operands[value].count != count)
    return ptxRefuse(decoder, "expected %d registers, found %d", count, op->operands[value].count),
           -1;
  return 1;
}
