//===- Move.c - mov, selp, prmt, cvta and lop3 ----------------------------===//
#include "../Module/Decode.h"
#include "Warp.h"
#include <string.h>
#include <time.h>

static void move4(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  (void)op, (void)b, (void)c;
  memmove(d, a, PTX_ROW);
}
static void move2(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  (void)op, (void)b, (void)c;
  for (int i = 0; i < PTX_LANES; ++i) ((PtxU32 *)d)[i] = ((const PtxU32 *)a)[i] & 0xffff;
}
static void move8(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  (void)op, (void)b, (void)c;
  memmove(d, a, PTX_WIDE_ROW);
}
static void movePredicate(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  (void)op, (void)b, (void)c;
  *(PtxU32 *)d = *(const PtxU32 *)a;
}

static void select4(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  (void)op;
  uint32_t bits = *(const PtxU32 *)c;
  PtxU32 all[PTX_LANES]; // first, as the result may be an operand
  for (int i = 0; i < PTX_LANES; ++i)
    all[i] = bits >> i & 1 ? ((const PtxU32 *)a)[i] : ((const PtxU32 *)b)[i];
  memcpy(d, all, sizeof all);
}
static void select8(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  (void)op;
  uint32_t bits = *(const PtxU32 *)c;
  PtxU64 all[PTX_LANES]; // first, as the result may be an operand
  for (int i = 0; i < PTX_LANES; ++i)
    all[i] = bits >> i & 1 ? ((const PtxU64 *)a)[i] : ((const PtxU64 *)b)[i];
  memcpy(d, all, sizeof all);
}

static uint32_t permuteByte(uint64_t bytes, uint32_t selector) {
  uint32_t byte = (uint32_t)(bytes >> 8 * (selector & 7)) & 255;
  if (selector & 8) byte = byte & 128 ? 255 : 0;
  return byte;
}

static void permute(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  (void)op;
  for (int i = 0; i < PTX_LANES; ++i) {
    uint64_t bytes = (uint64_t)((const PtxU32 *)b)[i] << 32 | ((const PtxU32 *)a)[i];
    uint32_t selectors = ((const PtxU32 *)c)[i], result = 0;
    for (int byte = 0; byte < 4; ++byte)
      result |= permuteByte(bytes, selectors >> 4 * byte & 15) << 8 * byte;
    ((PtxU32 *)d)[i] = result;
  }
}

/// prmt.f4e, .b4e, .rc8, .ecl, .ecr, .rc16: the selectors of each of the four ways of its mode.
static const struct {
  const char *name;
  uint16_t selectors[4];
} modes[] = {
    {"prmt.b32.f4e", {0x3210, 0x4321, 0x5432, 0x6543}},
    {"prmt.b32.b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
    {"prmt.b32.rc8", {0x0000, 0x1111, 0x2222, 0x3333}},
    {"prmt.b32.ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
    {"prmt.b32.ecr", {0x0000, 0x1110, 0x2210, 0x3210}},
    {"prmt.b32.rc16", {0x1010, 0x3232, 0x1010, 0x3232}},
};

static void permuteMode(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  uint32_t selectors[PTX_LANES];
  for (int i = 0; i < PTX_LANES; ++i)
    selectors[i] = modes[op->is.kind].selectors[((const PtxU32 *)c)[i] & 3];
  permute(op, d, a, b, selectors);
}

static void lop3(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  for (int i = 0; i < PTX_LANES; ++i) {
    uint32_t A = ((const PtxU32 *)a)[i], B = ((const PtxU32 *)b)[i], C = ((const PtxU32 *)c)[i];
    uint32_t result = 0;
    for (int term = 0; term < 8; ++term)
      if (op->is.kind >> term & 1)
        result |= (term & 4 ? A : ~A) & (term & 2 ? B : ~B) & (term & 1 ? C : ~C);
    ((PtxU32 *)d)[i] = result;
  }
}

/// mov between a register and a vector of smaller ones.
static PtxStatus runPack(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  const PtxOperand *to = &op->operands[0], *from = &op->operands[1];
  int parts = to->count > from->count ? to->count : from->count, bits = op->is.bytes * 8 / parts;
  uint64_t low = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  for (int lane = 0; lane < PTX_LANES; ++lane) {
    if (!(mask >> lane & 1)) continue;
    uint64_t value = 0;
    for (int i = 0; i < from->count; ++i) {
      uint64_t part = ptxLane(warp, &from->slots[i], lane);
      value |= from->count > 1 ? (part & low) << i * bits : part;
    }
    for (int i = 0; i < to->count; ++i)
      ptxSetLane(warp, &to->slots[i], lane, to->count > 1 ? value >> i * bits & low : value);
  }
  return PTX_NEXT;
}

static PtxStatus runClock(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t value = op->is.kind == PTX_GLOBALTIMER
                       ? (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec
                       : ptxGrid(warp)->steps;
  for (int lane = 0; lane < PTX_LANES; ++lane)
    if (mask >> lane & 1) ptxSetLane(warp, op->operands[0].slots, lane, value);
  return PTX_NEXT;
}

/// cvta: adds (or, to a space, takes away) where the space begins among generic addresses.
static PtxStatus runAddress(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  uint64_t base = op->is.kind == 's'   ? PTX_SHARED_WINDOW
                  : op->is.kind == 'l' ? PTX_LOCAL_WINDOW
                  : op->is.kind == 'p' ? (uint64_t)(uintptr_t)ptxGrid(warp)->parameters
                                       : 0;
  if (op->is.isSigned) base = 0 - base;
  for (int lane = 0; lane < PTX_LANES; ++lane)
    if (mask >> lane & 1)
      ptxSetLane(warp, op->operands[0].slots, lane,
                 ptxLane(warp, op->operands[1].slots, lane) + base);
  return PTX_NEXT;
}

static int decodeAddress(PtxDecoder *decoder) {
  PtxOp *op = decoder->op;
  PtxName *name = &decoder->name;
  PtxType type;
  op->is.isSigned = ptxTake(name, "to");
  static const char *const spaces[] = {"shared", "shared::cta", "shared::cluster", "global",
                                       "const",  "local",       "param",           NULL};
  for (int i = 0; spaces[i]; ++i)
    if (ptxTake(name, spaces[i])) op->is.kind = (uint8_t)spaces[i][0];
  if (!op->is.kind || !ptxTakeType(name, &type) || type.bits != 64 || !ptxAllTaken(name)) return -1;
  op->run = runAddress;
  return ptxExpectOperands(decoder, 2, 2) && ptxBindResult(decoder, 0, 8) &&
                 ptxBindOperand(decoder, 1, 8)
             ? 1
             : -1;
}

static int decodePack(PtxDecoder *decoder, int bytes) {
  PtxOp *op = decoder->op;
  op->run = runPack, op->is.bytes = (uint8_t)bytes;
  for (int i = 0; i < 2; ++i) {
    int count = op->operands[i].count ? op->operands[i].count : 1;
    if (count != 1 && count != 2 && count != 4) return -1;
    int part = bytes / count;
    int lane = part == 8 ? 8 : 4;
    if (i ? !ptxBindOperand(decoder, i, lane) : !ptxBindResult(decoder, i, lane)) return -1;
  }
  return 1;
}

static int decodeMove(PtxDecoder *decoder) {
  PtxOp *op = decoder->op;
  PtxType type;
  if (!ptxTakeType(&decoder->name, &type) || !ptxAllTaken(&decoder->name)) return -1;
  if (!ptxExpectOperands(decoder, 2, 2)) return -1;
  int bytes = type.letter == 'p' ? 1 : type.bits * (type.isPair ? 2 : 1) == 64 ? 8 : 4;
  const PtxOperand *from = &op->operands[1];
  static const PtxSpecial clocks[] = {PTX_CLOCK, PTX_CLOCK64, PTX_GLOBALTIMER};
  for (int i = 0; i < 3; ++i)
    if (from->kind == PTX_REGISTERS && from->slots[0].row == decoder->entry->specials[clocks[i]]) {
      op->run = runClock, op->is.kind = (uint8_t)clocks[i];
      return ptxBindResult(decoder, 0, bytes) ? 1 : -1;
    }
  if (op->operands[0].isVector || from->isVector) return decodePack(decoder, type.bits / 8);
  op->lanes = bytes == 1                        ? movePredicate
              : bytes == 8                      ? move8
              : type.bits == 16 && !type.isPair ? move2
                                                : move4;
  return ptxBind(decoder, -1, 0, bytes) && ptxBind(decoder, 0, 1, bytes) ? 1 : -1;
}

static int decodeSelect(PtxDecoder *decoder) {
  PtxType type;
  if (!ptxTakeType(&decoder->name, &type) || !ptxAllTaken(&decoder->name)) return -1;
  int bytes = type.bits == 64 ? 8 : 4;
  decoder->op->lanes = bytes == 8 ? select8 : select4;
  return ptxExpectOperands(decoder, 4, 4) && ptxBind(decoder, -1, 0, bytes) &&
                 ptxBind(decoder, 0, 1, bytes) && ptxBind(decoder, 1, 2, bytes) &&
                 ptxBind(decoder, 2, 3, 1)
             ? 1
             : -1;
}

/// Three words to one.
static int decodeThree(PtxDecoder *decoder, PtxLanes lanes) {
  decoder->op->lanes = lanes;
  for (int i = 0; i < 3; ++i)
    if (!ptxBind(decoder, i, i + 1, 4)) return -1;
  return ptxBind(decoder, -1, 0, 4) ? 1 : -1;
}

int ptxDecodeMove(PtxDecoder *decoder) {
  const PtxName *name = &decoder->name;
  if (ptxIs(name, 0, "mov")) return decodeMove(decoder);
  if (ptxIs(name, 0, "selp")) return decodeSelect(decoder);
  if (ptxIs(name, 0, "cvta")) return decodeAddress(decoder);
  if (strcmp(name->whole, "prmt.b32") == 0)
    return ptxExpectOperands(decoder, 4, 4) ? decodeThree(decoder, permute) : -1;
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; ++i)
    if (strcmp(name->whole, modes[i].name) == 0) {
      decoder->op->is.kind = (uint8_t)i;
      return ptxExpectOperands(decoder, 4, 4) ? decodeThree(decoder, permuteMode) : -1;
    }
  if (strcmp(name->whole, "lop3.b32") == 0) {
    if (!ptxExpectOperands(decoder, 5, 5) || decoder->op->operands[4].kind != PTX_NUMBER) return -1;
    decoder->op->is.kind = (uint8_t)decoder->op->operands[4].number;
    return decodeThree(decoder, lop3);
  }
  return 0;
}
