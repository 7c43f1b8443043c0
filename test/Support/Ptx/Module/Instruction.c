//===- Instruction.c - reading instructions, labels and scopes ------------===//
#include "Decode.h"
#include "Parser.h"
#include <stdio.h>
#include <string.h>

enum { MAX_OPERANDS = 12, MAX_SLOTS = 160 };

/// Special registers by name, beside the enumerators.
static const char *const specials[PTX_SPECIALS] = {"%tid.x",
                                                   "%tid.y",
                                                   "%tid.z",
                                                   "%ntid.x",
                                                   "%ntid.y",
                                                   "%ntid.z",
                                                   "%ctaid.x",
                                                   "%ctaid.y",
                                                   "%ctaid.z",
                                                   "%nctaid.x",
                                                   "%nctaid.y",
                                                   "%nctaid.z",
                                                   "%laneid",
                                                   "%warpid",
                                                   "%smid",
                                                   "%cluster_ctarank",
                                                   "%cluster_nctarank",
                                                   "%cluster_ctaid.x",
                                                   "%cluster_ctaid.y",
                                                   "%cluster_ctaid.z",
                                                   "%cluster_nctaid.x",
                                                   "%cluster_nctaid.y",
                                                   "%cluster_nctaid.z",
                                                   "%lanemask_lt",
                                                   "%lanemask_le",
                                                   "%lanemask_eq",
                                                   "%lanemask_gt",
                                                   "%lanemask_ge",
                                                   "%dynamic_smem_size",
                                                   "%clock",
                                                   "%clock64",
                                                   "%globaltimer"};

static bool bindSpecial(PtxParser *parser, const char *name, PtxSlot *slot) {
  PtxEntry *entry = parser->entry;
  for (int i = 0; i < PTX_SPECIALS; ++i) {
    if (strcmp(specials[i], name) != 0) continue;
    bool isWide = i == PTX_CLOCK64 || i == PTX_GLOBALTIMER;
    if (entry->specials[i] < 0) {
      entry->specials[i] = entry->fileBytes;
      entry->fileBytes += isWide ? PTX_WIDE_ROW : PTX_ROW;
    }
    *slot = (PtxSlot){.row = entry->specials[i], .bytes = isWide ? 8 : 4};
    return true;
  }
  return ptxFail(parser, PTX_INVALID_TEXT, "expected a symbol that was declared, found '%s'", name);
}

/// A name as an operand: a register, an address of a variable, or a label.
static bool readSymbol(PtxParser *parser, PtxOperand *operand, PtxSlot *slot, bool *isSlot) {
  char name[120];
  if (!ptxReadName(parser, name, sizeof name, true)) return false;
  *isSlot = true;
  if (strcmp(name, "_") == 0) {
    *slot = (PtxSlot){.row = 0, .bytes = 0};
    return true;
  }
  int32_t row;
  const PtxSymbol *symbol = ptxFindSymbol(parser, name, &row);
  if (symbol && symbol->kind == PTX_SYMBOL_REGISTER) {
    *slot = (PtxSlot){.row = row, .bytes = symbol->bytes};
    return true;
  }
  if (!symbol && name[0] == '%') return bindSpecial(parser, name, slot);
  *isSlot = false;
  if (symbol && symbol->kind != PTX_SYMBOL_LABEL) {
    bool isParameter = symbol->kind == PTX_SYMBOL_PARAMETER;
    *operand =
        (PtxOperand){.kind = isParameter ? PTX_PARAMETER : PTX_NUMBER, .number = symbol->value};
    if (symbol->kind == PTX_SYMBOL_DYNAMIC) operand->number = parser->entry->dynamicShared;
    return true;
  }
  // A label, which may be behind this.
  operand->kind = PTX_LABEL;
  void *grown = ptxGrow(parser->pending, parser->pendingCount, &parser->pendingCapacity,
                        sizeof *parser->pending);
  if (!grown) return ptxFail(parser, PTX_INVALID_TEXT, "expected memory for labels, found none");
  parser->pending = grown;
  PtxPending *pending = &parser->pending[parser->pendingCount++];
  *pending = (PtxPending){
      .op = parser->entry->opCount, .operand = -1, .depth = parser->depth, .line = parser->line};
  snprintf(pending->name, sizeof pending->name, "%s", name);
  return true;
}

/// An element: a register (perhaps with '!') or a number.
static bool readElement(PtxParser *parser, PtxOperand *operand, PtxSlot *slot, bool *isSlot) {
  bool isNegated = ptxAccept(parser, '!');
  char next = ptxPeek(parser);
  if (next == '-' || (next >= '0' && next <= '9')) {
    *isSlot = false;
    operand->kind = PTX_NUMBER;
    return ptxReadNumber(parser, &operand->number, &operand->isFloat);
  }
  if (!readSymbol(parser, operand, slot, isSlot)) return false;
  if (*isSlot) slot->isNegated = isNegated;
  return true;
}

static bool addSlot(PtxParser *parser, PtxSlot *slots, int *count, const PtxSlot *slot) {
  if (*count == MAX_SLOTS)
    return ptxFail(parser, PTX_INVALID_TEXT, "expected %d registers at most, found more",
                   MAX_SLOTS);
  slots[(*count)++] = *slot;
  return true;
}

/// "{a, b, ..}" behind its brace: adds to the slots.
static bool readVector(PtxParser *parser, PtxSlot *slots, int *count) {
  do {
    PtxOperand number = {0};
    PtxSlot slot = {0};
    bool isSlot;
    if (!readElement(parser, &number, &slot, &isSlot)) return false;
    if (!isSlot && number.kind == PTX_LABEL)
      return ptxFail(parser, PTX_INVALID_TEXT, "expected a register or number, found a label");
    if (!isSlot) slot = (PtxSlot){.isNumber = true, .number = number.number};
    if (!addSlot(parser, slots, count, &slot)) return false;
  } while (ptxAccept(parser, ','));
  return ptxExpect(parser, '}');
}

/// "[base + offset]" behind its bracket, with coordinates of a tensor in braces.
static bool readAddress(PtxParser *parser, PtxOperand *operand, PtxSlot *slots) {
  PtxOperand base = {0};
  PtxSlot slot = {0};
  bool isSlot;
  if (!readElement(parser, &base, &slot, &isSlot)) return false;
  if (isSlot && slot.bytes == 1)
    return ptxFail(parser, PTX_INVALID_TEXT, "expected an address, found a predicate");
  operand->hasBase = isSlot;
  operand->number = isSlot ? 0 : base.number;
  if (!isSlot) slot = (PtxSlot){.isNumber = true};
  if (!addSlot(parser, slots, &operand->count, &slot)) return false;
  if (ptxAccept(parser, '+')) {
    uint64_t offset;
    bool isFloat;
    if (!ptxReadNumber(parser, &offset, &isFloat)) return false;
    operand->number += offset;
  }
  if (ptxAccept(parser, ',')) {
    if (!ptxExpect(parser, '{') || !readVector(parser, slots, &operand->count)) return false;
  }
  operand->kind = PTX_ADDRESS;
  return ptxExpect(parser, ']');
}

static bool readOperand(PtxParser *parser, PtxOperand *operand) {
  PtxSlot slots[MAX_SLOTS];
  *operand = (PtxOperand){0};
  bool isSlot = true;
  if (ptxAccept(parser, '[')) {
    if (!readAddress(parser, operand, slots)) return false;
  } else if (ptxAccept(parser, '{')) {
    operand->isVector = true;
    if (!readVector(parser, slots, &operand->count)) return false;
  } else {
    PtxSlot slot = {0};
    if (!readElement(parser, operand, &slot, &isSlot)) return false;
    if (isSlot && !addSlot(parser, slots, &operand->count, &slot)) return false;
    if (isSlot && ptxAccept(parser, '|')) {
      if (!readElement(parser, operand, &slot, &isSlot) ||
          !addSlot(parser, slots, &operand->count, &slot))
        return false;
    }
  }
  if (!operand->count) return true;
  operand->slots = ptxAllocate(parser->module, (size_t)operand->count * sizeof *operand->slots);
  if (!operand->slots)
    return ptxFail(parser, PTX_INVALID_TEXT, "expected memory for operands, found none");
  memcpy(operand->slots, slots, (size_t)operand->count * sizeof *slots);
  return true;
}

static bool readGuard(PtxParser *parser, PtxOp *op) {
  if (!ptxAccept(parser, '@')) return true;
  op->guard = ptxAccept(parser, '!') ? -1 : 1;
  PtxOperand operand = {0};
  PtxSlot slot = {0};
  bool isSlot;
  if (!readSymbol(parser, &operand, &slot, &isSlot)) return false;
  if (!isSlot || slot.bytes != 1)
    return ptxFail(parser, PTX_INVALID_TEXT,
                   "expected a predicate behind '@', found another symbol");
  op->guardRow = slot.row;
  return true;
}

static bool readOperands(PtxParser *parser, PtxOp *op) {
  PtxOperand operands[MAX_OPERANDS];
  int pending = parser->pendingCount;
  while (!ptxAccept(parser, ';')) {
    if (op->operandCount && !ptxExpect(parser, ',')) return false;
    if (op->operandCount == MAX_OPERANDS)
      return ptxFail(parser, PTX_INVALID_TEXT, "expected %d operands at most, found more",
                     MAX_OPERANDS);
    if (!readOperand(parser, &operands[op->operandCount])) return false;
    for (; pending < parser->pendingCount; ++pending)
      parser->pending[pending].operand = op->operandCount;
    ++op->operandCount;
  }
  size_t bytes = (size_t)op->operandCount * sizeof *operands;
  op->operands = ptxAllocate(parser->module, bytes ? bytes : 1);
  if (!op->operands)
    return ptxFail(parser, PTX_INVALID_TEXT, "expected memory for operands, found none");
  memcpy(op->operands, operands, bytes);
  return true;
}

bool ptxReadInstruction(PtxParser *parser) {
  PtxEntry *entry = parser->entry;
  void *grown = ptxGrow(entry->ops, entry->opCount, &entry->opCapacity, sizeof *entry->ops);
  if (!grown) return ptxFail(parser, PTX_INVALID_TEXT, "expected memory for code, found none");
  entry->ops = grown;
  PtxOp *op = &entry->ops[entry->opCount];
  *op = (PtxOp){.source = parser->source};
  ptxPeek(parser);
  op->line = parser->line;
  const char *start = parser->at;
  char name[160], error[240];
  if (!readGuard(parser, op) || !ptxReadName(parser, name, sizeof name, true)) return false;
  if (!readOperands(parser, op)) return false;
  op->text = ptxCopyText(parser->module, start, (size_t)(parser->at - start));
  if (!ptxDecodeOp(entry, op, name, error, sizeof error))
    return ptxFail(parser, PTX_INVALID_TEXT, "%s\n  in: %s", error, op->text);
  ++entry->opCount;
  return true;
}

bool ptxDefineLabel(PtxParser *parser, const char *name) {
  PtxSymbol *symbol = ptxDefine(parser, name, PTX_SYMBOL_LABEL);
  if (!symbol) return false;
  symbol->value = (uint64_t)parser->entry->opCount;
  return true;
}

void ptxEnterScope(PtxParser *parser) { ++parser->depth; }

bool ptxLeaveScope(PtxParser *parser) {
  int kept = 0;
  for (int i = 0; i < parser->pendingCount; ++i) {
    PtxPending pending = parser->pending[i];
    const PtxSymbol *found = NULL;
    for (int s = parser->symbolCount; s-- > 0 && parser->symbols[s].depth == parser->depth;)
      if (parser->symbols[s].kind == PTX_SYMBOL_LABEL && pending.depth == parser->depth &&
          strcmp(parser->symbols[s].name, pending.name) == 0)
        found = &parser->symbols[s];
    if (found) {
      parser->entry->ops[pending.op].operands[pending.operand].number = found->value;
      continue;
    }
    if (pending.depth == parser->depth) --pending.depth;
    if (!pending.depth) {
      parser->line = pending.line;
      return ptxFail(parser, PTX_INVALID_TEXT, "expected a symbol that was declared, found '%s'",
                     pending.name);
    }
    parser->pending[kept++] = pending;
  }
  parser->pendingCount = kept;
  while (parser->symbolCount && parser->symbols[parser->symbolCount - 1].depth == parser->depth)
    --parser->symbolCount;
  --parser->depth;
  return true;
}
