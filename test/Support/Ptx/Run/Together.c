//===- Together.c - what lanes of a warp do together ----------------------===//
//
// shfl, vote, match, redux, elect, activemask and bar.warp.sync. Lanes that an instruction's mask
// names wait until all of them that live are there.
//===----------------------------------------------------------------------===//
#include "../Module/Decode.h"
#include "Warp.h"
#include <string.h>

/// Whether the lanes that operand `index` names are here; otherwise the group waits.
static bool gather(PtxWarp *warp, const PtxOp *op, int index, uint32_t mask) {
  uint32_t members = (uint32_t)ptxLane(warp, op->operands[index].slots, ptxFirst(mask));
  uint32_t needed = members & warp->living;
  if ((mask & needed) == needed) return true;
  ptxGroup(warp)->waiting = PTX_WAITS_LANES;
  return false;
}

enum { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };

/// The lane that `lane` reads, as the PTX ISA's shfl.sync says; -1: its own, out of range.
static int findSource(int mode, int lane, uint32_t b, uint32_t c) {
  int bound = (int)(b & 31), clamp = (int)(c & 31), segment = (int)(c >> 8 & 31);
  int highest = (lane & segment) | (clamp & ~segment), lowest = lane & segment;
  int source = mode == SHUFFLE_UP     ? lane - bound
               : mode == SHUFFLE_DOWN ? lane + bound
               : mode == SHUFFLE_BFLY ? lane ^ bound
                                      : lowest | (bound & ~segment);
  bool isIn = mode == SHUFFLE_UP ? source >= highest : source <= highest;
  return isIn ? source : -1;
}

static PtxStatus runShuffle(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  if (!gather(warp, op, 4, mask)) return PTX_BLOCKED;
  const PtxOperand *d = &op->operands[0];
  PtxU32 *to = ptxRow(warp, d->slots[0].row);
  uint32_t from[PTX_LANES], inRange = 0;
  memcpy(from, ptxRow(warp, op->operands[1].slots[0].row), sizeof from);
  for (uint32_t left = mask; left; left &= left - 1) {
    int lane = ptxFirst(left);
    int source = findSource(op->is.kind, lane, (uint32_t)ptxLane(warp, op->operands[2].slots, lane),
                            (uint32_t)ptxLane(warp, op->operands[3].slots, lane));
    if (source >= 0)
      inRange |= 1u << lane;
    else
      source = lane;
    if (!(mask >> source & 1))
      return ptxFaultAt(warp, op, lane, PTX_FAILED,
                        "expected a lane that runs the shuffle, too, found lane %d to read",
                        source);
    if (d->slots[0].bytes) to[lane] = from[source];
  }
  if (d->count == 2) {
    PtxU32 *predicate = ptxRow(warp, d->slots[1].row);
    *predicate = (*predicate & ~mask) | inRange;
  }
  return PTX_NEXT;
}

static void setPredicate(PtxWarp *warp, const PtxSlot *slot, uint32_t mask, uint32_t bits) {
  PtxU32 *to = ptxRow(warp, slot->row);
  *to = (*to & ~mask) | (bits & mask);
}

static void setAll(PtxWarp *warp, const PtxSlot *slot, uint32_t mask, uint32_t value) {
  for (uint32_t left = mask; left; left &= left - 1) ptxSetLane(warp, slot, ptxFirst(left), value);
}

enum { VOTE_BALLOT, VOTE_ALL, VOTE_ANY, VOTE_UNI };

static PtxStatus runVote(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  if (!gather(warp, op, 2, mask)) return PTX_BLOCKED;
  uint32_t members = (uint32_t)ptxLane(warp, op->operands[2].slots, ptxFirst(mask)) & mask;
  uint32_t votes = ptxPredicate(warp, op->operands[1].slots) & members;
  const PtxSlot *d = op->operands[0].slots;
  switch (op->is.kind) {
  case VOTE_BALLOT:
    setAll(warp, d, mask, votes);
    break;
  case VOTE_ALL:
    setPredicate(warp, d, mask, votes == members ? UINT32_MAX : 0);
    break;
  case VOTE_ANY:
    setPredicate(warp, d, mask, votes ? UINT32_MAX : 0);
    break;
  default:
    setPredicate(warp, d, mask, votes == members || !votes ? UINT32_MAX : 0);
  }
  return PTX_NEXT;
}

static PtxStatus runMatchAny(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  if (!gather(warp, op, 2, mask)) return PTX_BLOCKED;
  uint64_t values[PTX_LANES];
  for (int i = 0; i < PTX_LANES; ++i) values[i] = ptxLane(warp, op->operands[1].slots, i);
  for (uint32_t left = mask; left; left &= left - 1) {
    int lane = ptxFirst(left);
    uint32_t same = 0;
    for (int i = 0; i < PTX_LANES; ++i)
      same |= (uint32_t)((mask >> i & 1) && values[i] == values[lane]) << i;
    ptxSetLane(warp, op->operands[0].slots, lane, same);
  }
  return PTX_NEXT;
}

enum { REDUX_ADD, REDUX_MIN, REDUX_MAX, REDUX_AND, REDUX_OR, REDUX_XOR, REDUXES };

static uint32_t reduce(const PtxOp *op, uint32_t a, uint32_t b) {
  bool isLess = op->is.isSigned ? (int32_t)a < (int32_t)b : a < b;
  switch (op->is.kind) {
  case REDUX_ADD:
    return a + b;
  case REDUX_MIN:
    return isLess ? a : b;
  case REDUX_MAX:
    return isLess ? b : a;
  case REDUX_AND:
    return a & b;
  case REDUX_OR:
    return a | b;
  default:
    return a ^ b;
  }
}

static PtxStatus runRedux(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  if (!gather(warp, op, 2, mask)) return PTX_BLOCKED;
  const PtxSlot *from = op->operands[1].slots;
  uint32_t result = (uint32_t)ptxLane(warp, from, ptxFirst(mask));
  for (uint32_t left = mask & (mask - 1); left; left &= left - 1)
    result = reduce(op, result, (uint32_t)ptxLane(warp, from, ptxFirst(left)));
  setAll(warp, op->operands[0].slots, mask, result);
  return PTX_NEXT;
}

static PtxStatus runElect(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  if (!gather(warp, op, 1, mask)) return PTX_BLOCKED;
  // Which lane is open; it is the same every time.
  int chosen = ptxFirst(mask);
  if (op->operands[0].slots[0].bytes)
    setAll(warp, &op->operands[0].slots[0], mask, (uint32_t)chosen);
  setPredicate(warp, &op->operands[0].slots[1], mask, 1u << chosen);
  return PTX_NEXT;
}

static PtxStatus runWarpBarrier(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  return gather(warp, op, 0, mask) ? PTX_NEXT : PTX_BLOCKED;
}

static PtxStatus runActiveMask(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  setAll(warp, op->operands[0].slots, mask, mask);
  return PTX_NEXT;
}

/// Operands bound as so many bytes: by letter of a text, "4" and "8", "1" for a predicate, "p" for
/// a register with a predicate behind '|', of which the first may be "_".
static int bindAll(PtxDecoder *decoder, PtxRun run, int kind, const char *operands) {
  PtxOp *op = decoder->op;
  int count = (int)strlen(operands);
  op->run = run, op->is.kind = (uint8_t)kind;
  if (!ptxExpectOperands(decoder, count, count)) return -1;
  for (int i = 0; i < count; ++i) {
    PtxOperand *operand = &op->operands[i];
    if (operands[i] == 'p') {
      PtxSlot slot;
      if (!ptxBindSlot(decoder, i, 0, 4, &slot)) return -1;
      if (operand->kind != PTX_REGISTERS || operand->slots[0].isNumber)
        return ptxRefuse(decoder, "expected a register as the result, found a number"), -1;
      if (operand->count > 1 && operand->slots[1].bytes == 1) continue;
      if (run == runElect) return ptxRefuse(decoder, "expected a predicate behind '|'"), -1;
    } else if (i || run == runWarpBarrier ? !ptxBindOperand(decoder, i, operands[i] - '0')
                                          : !ptxBindResult(decoder, i, operands[i] - '0')) {
      return -1;
    }
  }
  return 1;
}

static int decodeVote(PtxDecoder *decoder) {
  static const char *const kinds[] = {"ballot", "all", "any", "uni", NULL};
  PtxName *name = &decoder->name;
  ptxTake(name, "sync");
  for (int i = 0; kinds[i]; ++i)
    if (ptxTake(name, kinds[i])) {
      if (!ptxTake(name, i ? "pred" : "b32") || !ptxAllTaken(name)) return -1;
      return bindAll(decoder, runVote, i, i ? "114" : "414");
    }
  return -1;
}

static int decodeShuffle(PtxDecoder *decoder) {
  static const char *const kinds[] = {"up", "down", "bfly", "idx", NULL};
  PtxName *name = &decoder->name;
  if (!ptxTake(name, "sync") || !ptxTake(name, "b32")) return -1;
  for (int i = 0; kinds[i]; ++i)
    if (ptxTake(name, kinds[i]))
      return ptxAllTaken(name) ? bindAll(decoder, runShuffle, i, "p4444") : -1;
  return -1;
}

static int decodeRedux(PtxDecoder *decoder) {
  static const char *const kinds[REDUXES] = {"add", "min", "max", "and", "or", "xor"};
  PtxName *name = &decoder->name;
  PtxType type;
  if (!ptxTake(name, "sync") || !ptxTakeType(name, &type) || type.bits != 32 || type.letter == 'f')
    return -1;
  decoder->op->is.isSigned = type.letter == 's';
  for (int i = 0; i < REDUXES; ++i)
    if (ptxTake(name, kinds[i]))
      return ptxAllTaken(name) ? bindAll(decoder, runRedux, i, "444") : -1;
  return -1;
}

int ptxDecodeWarp(PtxDecoder *decoder) {
  const char *whole = decoder->name.whole;
  if (ptxIs(&decoder->name, 0, "shfl")) return decodeShuffle(decoder);
  if (ptxIs(&decoder->name, 0, "vote")) return decodeVote(decoder);
  if (ptxIs(&decoder->name, 0, "redux")) return decodeRedux(decoder);
  if (strcmp(whole, "match.any.sync.b32") == 0) return bindAll(decoder, runMatchAny, 0, "444");
  if (strcmp(whole, "match.any.sync.b64") == 0) return bindAll(decoder, runMatchAny, 0, "484");
  if (strcmp(whole, "elect.sync") == 0) return bindAll(decoder, runElect, 0, "p4");
  if (strcmp(whole, "bar.warp.sync") == 0) return bindAll(decoder, runWarpBarrier, 0, "4");
  if (strcmp(whole, "activemask.b32") == 0) return bindAll(decoder, runActiveMask, 0, "4");
  return 0;
}
