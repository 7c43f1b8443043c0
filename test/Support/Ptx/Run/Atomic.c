//===- Atomic.c - atom and red --------------------------------------------===//
#include "../Module/Decode.h"
#include "Warp.h"
#include <string.h>

typedef enum Operation { ADD, MIN, MAX, AND, OR, XOR, EXCH, CAS, INC, DEC, OPERATIONS } Operation;
static const char *const names[OPERATIONS] = {"add", "min",  "max", "and", "or",
                                              "xor", "exch", "cas", "inc", "dec"};

static int64_t extend(uint64_t value, int bytes) {
  int unused = 64 - 8 * bytes;
  return (int64_t)(value << unused) >> unused;
}

/// What memory becomes; of integers.
static uint64_t combineIntegers(const PtxOp *op, uint64_t old, uint64_t value, uint64_t second) {
  int bytes = op->is.bytes;
  bool isLess = op->is.isSigned ? extend(value, bytes) < extend(old, bytes) : value < old;
  switch ((Operation)op->is.toBytes) {
  case ADD:
    return old + value;
  case MIN:
    return isLess ? value : old;
  case MAX:
    return isLess || value == old ? old : value;
  case AND:
    return old & value;
  case OR:
    return old | value;
  case XOR:
    return old ^ value;
  case CAS:
    return old == value ? second : old;
  case INC:
    return old >= value ? 0 : old + 1;
  case DEC:
    return old == 0 || old > value ? value : old - 1;
  default:
    return value;
  }
}

static uint64_t combineFloats(const PtxOp *op, uint64_t old, uint64_t value) {
  PtxFormat format = op->is.format;
  double a = ptxDecode(format, old), b = ptxDecode(format, value);
  Operation operation = (Operation)op->is.toBytes;
  if (operation == MIN) return b < a || a != a ? value : old;
  if (operation == MAX) return b > a || a != a ? value : old;
  if (format == PTX_F32)
    return ptxF32ToBits(
        ptxAddF32(ptxBitsToF32((uint32_t)old), ptxBitsToF32((uint32_t)value), PTX_RN));
  if (format != PTX_F64) return ptxAddHalf(format, (uint16_t)old, (uint16_t)value);
  double sum = ptxAddF64(a, b, PTX_RN);
  memcpy(&value, &sum, sizeof sum);
  return value;
}

/// One element. What memory had.
static uint64_t update(PtxGrid *grid, const PtxOp *op, uint8_t *at, uint64_t value,
                       uint64_t second) {
  uint64_t old = 0, wanted = 0;
  size_t bytes = op->is.bytes;
  memcpy(&old, at, bytes);
  bool isBits = op->is.format == PTX_FORMATS || op->is.toBytes == EXCH || op->is.toBytes == CAS;
  if (bytes < 8) value &= (UINT64_C(1) << 8 * bytes) - 1;
  if (isBits) {
    wanted = combineIntegers(op, old, value, second);
  } else if (op->is.isVector2) {
    wanted = combineFloats(op, old & 0xffff, value & 0xffff) |
             combineFloats(op, old >> 16, value >> 16 & 0xffff) << 16;
  } else {
    wanted = combineFloats(op, old, value);
  }
  if (memcmp(&old, &wanted, bytes) != 0) ptxNoteWrite(grid);
  memcpy(at, &wanted, bytes);
  return old;
}

static PtxStatus runAtomic(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  bool returns = op->is.saturates;
  const PtxOperand *address = &op->operands[returns], *value = &op->operands[returns + 1];
  const PtxOperand *second = op->is.toBytes == CAS ? &op->operands[returns + 2] : value;
  uint32_t bytes = (uint32_t)op->is.bytes * op->is.count;
  // The lanes' order is open.
  int first = (int)ptxRandom(ptxGrid(warp), PTX_LANES);
  for (int i = 0; i < PTX_LANES; ++i) {
    int lane = (first + i) % PTX_LANES;
    if (!(mask >> lane & 1)) continue;
    uint8_t *at = ptxFindBytes(warp, op, lane, (PtxSpace)op->is.kind,
                               ptxAddress(warp, address, lane), bytes, true);
    if (!at) return PTX_FAULTED;
    for (int e = 0; e < op->is.count; ++e) {
      uint64_t old =
          update(ptxGrid(warp), op, at + e * op->is.bytes, ptxLane(warp, &value->slots[e], lane),
                 ptxLane(warp, &second->slots[e], lane));
      if (returns) ptxSetLane(warp, &op->operands[0].slots[e], lane, old);
    }
  }
  return PTX_NEXT;
}

int ptxDecodeAtomic(PtxDecoder *decoder) {
  PtxOp *op = decoder->op;
  PtxName *name = &decoder->name;
  bool returns = ptxIs(name, 0, "atom");
  if (!returns && (!ptxIs(name, 0, "red") || ptxIs(name, 1, "async"))) return 0;
  PtxSpace space;
  PtxType type;
  ptxTakeOrder(name);
  ptxTakeSpace(name, &space);
  ptxTake(name, "noftz");
  int count = ptxTake(name, "v2")   ? 2
              : ptxTake(name, "v4") ? 4
              : ptxTake(name, "v8") ? 8
                                    : 1,
      which = 0;
  while (which < OPERATIONS && !ptxTake(name, names[which])) ++which;
  if (which == OPERATIONS || !ptxTakeType(name, &type) || !ptxAllTaken(name)) return -1;
  int total = type.bits * (type.isPair ? 2 : 1), bytes = total == 64 ? 8 : 4;
  if (total < 16 || total > 64 || (type.isPair && total != 32)) return -1;
  op->run = runAtomic, op->isAtomic = true;
  op->is.kind = (uint8_t)space, op->is.toBytes = (uint8_t)which, op->is.count = (uint8_t)count;
  op->is.bytes = (uint8_t)(total / 8), op->is.isVector2 = type.isPair, op->is.format = type.format;
  op->is.isSigned = type.letter == 's', op->is.saturates = returns;
  int operands = 2 + returns + (which == CAS);
  if (!ptxExpectOperands(decoder, operands, operands)) return -1;
  if (op->operands[returns].kind != PTX_ADDRESS)
    return ptxRefuse(decoder, "expected an address as operand %d", returns), -1;
  for (int i = 0; i < operands; ++i) {
    if (i == returns) continue;
    if (i < returns ? !ptxBindResult(decoder, i, bytes) : !ptxBindOperand(decoder, i, bytes))
      return -1;
    if (op->operands[i].count < count)
      return ptxRefuse(decoder, "expected %d registers, found %d", count, op->operands[i].count),
             -1;
  }
  return 1;
}
