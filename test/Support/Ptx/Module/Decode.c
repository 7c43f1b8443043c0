//===- Decode.c - from an instruction's name to what runs it --------------===//
#include "Decode.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ptxNameSplit(PtxName *name, const char *text) {
  *name = (PtxName){.whole = text};
  while (*text) {
    size_t length = strcspn(text, ".");
    if (name->count == PTX_PARTS || length >= PTX_PART || !length) return false;
    memcpy(name->parts[name->count], text, length);
    name->parts[name->count++][length] = 0;
    text += length;
    if (*text == '.') ++text;
  }
  return name->count > 0;
}

bool ptxTake(PtxName *name, const char *part) {
  for (int i = 0; i < name->count; ++i) {
    if (name->isTaken[i] || strcmp(name->parts[i], part) != 0) continue;
    return name->isTaken[i] = true;
  }
  return false;
}

bool ptxIs(const PtxName *name, int index, const char *part) {
  return index < name->count && strcmp(name->parts[index], part) == 0;
}

bool ptxAllTaken(const PtxName *name) {
  for (int i = 0; i < name->count; ++i)
    if (!name->isTaken[i]) return false;
  return true;
}

bool ptxTypeParse(const char *text, PtxType *type) {
  *type = (PtxType){.format = PTX_FORMATS};
  if (strcmp(text, "pred") == 0) return type->letter = 'p', type->bits = 1;
  size_t length = strlen(text);
  if (length > 2 && strcmp(text + length - 2, "x2") == 0) type->isPair = true, length -= 2;
  PtxFormat format = ptxFormatByName(text, length);
  if (format != PTX_FORMATS) {
    type->letter = 'f', type->format = format, type->bits = ptxFormatGetBits(format);
    return true;
  }
  if (!strchr("usb", text[0]) || length < 2 || length > 4) return false;
  char *end;
  long bits = strtol(text + 1, &end, 10);
  if (end != text + length || (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != 128))
    return false;
  type->letter = text[0], type->bits = (int)bits;
  return true;
}

bool ptxTakeType(PtxName *name, PtxType *type) {
  for (int i = name->count - 1; i > 0; --i)
    if (!name->isTaken[i] && ptxTypeParse(name->parts[i], type)) return name->isTaken[i] = true;
  return false;
}

PtxRounding ptxTakeRounding(PtxName *name, PtxRounding fallback) {
  static const struct {
    const char *text;
    PtxRounding rounding;
  } all[] = {{"rn", PTX_RN},  {"rna", PTX_RNA}, {"rz", PTX_RZ},  {"rm", PTX_RM}, {"rp", PTX_RP},
             {"rni", PTX_RN}, {"rzi", PTX_RZ},  {"rmi", PTX_RM}, {"rpi", PTX_RP}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
    if (ptxTake(name, all[i].text)) return all[i].rounding;
  return fallback;
}

bool ptxRefuse(PtxDecoder *decoder, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(decoder->error, sizeof decoder->error, format, list);
  va_end(list);
  return false;
}

int32_t ptxConstant(PtxEntry *entry, uint64_t value, int bytes) {
  // Of those there are, the last few hundred are looked at: most numbers come in runs.
  uint32_t low = (uint32_t)value;
  int step = bytes == 8 ? PTX_WIDE_ROW : PTX_ROW;
  for (int32_t at = 0; at < entry->constantBytes;) {
    bool isWide = entry->constants[at + PTX_WIDE_ROW];
    if (isWide == (bytes == 8) &&
        memcmp(entry->constants + at, bytes == 8 ? (void *)&value : &low, (size_t)bytes) == 0)
      return ~at;
    at += PTX_WIDE_ROW + 32;
  }
  if (entry->constantBytes + PTX_WIDE_ROW + 32 > entry->constantCapacity) {
    int32_t capacity = entry->constantCapacity * 2 + 64 * (PTX_WIDE_ROW + 32);
    uint8_t *grown = realloc(entry->constants, (size_t)capacity);
    if (!grown) return entry->lacksMemory = true, ~0;
    entry->constants = grown, entry->constantCapacity = capacity;
  }
  int32_t at = entry->constantBytes;
  memset(entry->constants + at, 0, PTX_WIDE_ROW + 32);
  for (int i = 0; i < step / bytes; ++i)
    memcpy(entry->constants + at + i * bytes, bytes == 8 ? (void *)&value : &low, (size_t)bytes);
  entry->constants[at + PTX_WIDE_ROW] = bytes == 8;
  entry->constantBytes += PTX_WIDE_ROW + 32;
  return ~at;
}

bool ptxBindSlot(PtxDecoder *decoder, int index, int element, int bytes, PtxSlot *slot) {
  PtxOp *op = decoder->op;
  if (index >= op->operandCount)
    return ptxRefuse(decoder, "expected %d operands or more, found %d", index + 1,
                     op->operandCount);
  PtxOperand *operand = &op->operands[index];
  if (operand->kind == PTX_NUMBER && bytes == 1) {
    *slot = (PtxSlot){.row = ptxConstant(decoder->entry, operand->number ? ~UINT64_C(0) : 0, 4),
                      .bytes = 1};
    return true;
  }
  if (operand->kind == PTX_NUMBER || operand->kind == PTX_PARAMETER) {
    *slot = (PtxSlot){.row = ptxConstant(decoder->entry, operand->number, bytes),
                      .bytes = (uint8_t)bytes};
    return true;
  }
  if (operand->kind != PTX_REGISTERS || element >= operand->count)
    return ptxRefuse(decoder, "expected a register or number as operand %d", index);
  *slot = operand->slots[element];
  if (slot->isNumber) {
    *slot =
        (PtxSlot){.row = ptxConstant(decoder->entry, slot->number, bytes), .bytes = (uint8_t)bytes};
    return true;
  }
  if (slot->bytes && slot->bytes != bytes)
    return ptxRefuse(decoder, "expected a register of %d bytes as operand %d, found one of %d",
                     bytes, index, slot->bytes);
  return true;
}

bool ptxBind(PtxDecoder *decoder, int source, int index, int bytes) {
  PtxSlot slot;
  if (!ptxBindSlot(decoder, index, 0, bytes, &slot)) return false;
  PtxOp *op = decoder->op;
  if (source >= 0) {
    if (!slot.bytes) return ptxRefuse(decoder, "expected a source as operand %d, found '_'", index);
    if (slot.isNegated) return ptxRefuse(decoder, "expected no '!' at operand %d", index);
    op->s[source] = slot.row;
    return true;
  }
  if (slot.row < 0) return ptxRefuse(decoder, "expected a register as the result, found a number");
  op->d = slot.row, op->dBytes = (uint8_t)bytes;
  return true;
}

/// Slots of an operand; of a source without "_".
static bool bindAll(PtxDecoder *decoder, int index, int bytes, bool isSource) {
  PtxOp *op = decoder->op;
  if (index < op->operandCount && op->operands[index].kind == PTX_REGISTERS) {
    for (int i = 0; i < op->operands[index].count; ++i) {
      PtxSlot slot;
      if (!ptxBindSlot(decoder, index, i, bytes, &slot)) return false;
      if (isSource && !slot.bytes)
        return ptxRefuse(decoder, "expected a source as operand %d, found '_'", index);
      op->operands[index].slots[i] = slot;
    }
    return true;
  }
  PtxSlot *slot = ptxAllocate(decoder->entry->module, sizeof *slot);
  if (!slot || !ptxBindSlot(decoder, index, 0, bytes, slot)) return false;
  op->operands[index].slots = slot, op->operands[index].count = 1;
  return true;
}

bool ptxBindOperand(PtxDecoder *decoder, int index, int bytes) {
  return bindAll(decoder, index, bytes, true);
}

bool ptxBindResult(PtxDecoder *decoder, int index, int bytes) {
  if (!bindAll(decoder, index, bytes, false)) return false;
  // Rows of numbers are shared by all of the kernel's instructions.
  const PtxOperand *operand = &decoder->op->operands[index];
  for (int i = 0; i < operand->count; ++i)
    if (operand->slots[i].row < 0)
      return ptxRefuse(decoder, "expected a register as the result, found a number");
  return true;
}

bool ptxExpectOperands(PtxDecoder *decoder, int least, int most) {
  int found = decoder->op->operandCount;
  if (found >= least && found <= most) return true;
  return ptxRefuse(decoder, "expected %d to %d operands, found %d", least, most, found);
}

bool ptxDecodeOp(PtxEntry *entry, PtxOp *op, const char *name, char *error, size_t errorBytes) {
  static const PtxDecode families[] = {
      ptxDecodeInteger, ptxDecodeFloat,   ptxDecodeHalf,   ptxDecodeConvert, ptxDecodeCompare,
      ptxDecodeMove,    ptxDecodeControl, ptxDecodeMemory, ptxDecodeAtomic,  ptxDecodeWarp,
      ptxDecodeMatrix,  ptxDecodeBarrier, ptxDecodeCopy};
  for (size_t i = 0; i < sizeof families / sizeof families[0]; ++i) {
    PtxDecoder decoder = {.entry = entry, .op = op};
    for (int s = 0; s < PTX_SOURCES; ++s) op->s[s] = ~0;
    op->d = -1, op->lanes = NULL, op->run = NULL;
    memset(&op->is, 0, sizeof op->is);
    op->isConvergent = op->isAtomic = false;
    if (!ptxNameSplit(&decoder.name, name)) break;
    decoder.name.isTaken[0] = true;
    int result = families[i](&decoder);
    if (result > 0 && !entry->lacksMemory) return true;
    if (!result) continue;
    if (entry->lacksMemory) ptxRefuse(&decoder, "expected memory for constants, found none");
    if (!decoder.error[0]) break;
    snprintf(error, errorBytes, "%s", decoder.error);
    return false;
  }
  snprintf(error, errorBytes, "expected an instruction that the emulator knows, found '%s'", name);
  return false;
}
