//===- Declare.c - registers, variables and entries of PTX ----------------===//
#include "../Memory.h"
#include "Parser.h"
#include <stdio.h>
#include <string.h>

/// Bytes of a type such as ".b32" (0 for .pred), behind which the text goes on.
static bool readType(PtxParser *parser, int *bytes) {
  char name[32];
  if (!ptxExpect(parser, '.') || !ptxReadName(parser, name, sizeof name, false)) return false;
  static const struct {
    const char *bits;
    int bytes;
  } all[] = {{"8", 1}, {"16", 2}, {"32", 4}, {"64", 8}, {"128", 16}};
  *bytes = 0;
  if (strcmp(name, "pred") == 0) return true;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
    if (strchr("busf", name[0]) && strcmp(name + 1, all[i].bits) == 0) {
      *bytes = all[i].bytes;
      return true;
    }
  return ptxFail(parser, PTX_INVALID_TEXT, "expected a type, found '.%s'", name);
}

enum {
  MAX_FILE = 1 << 26,      ///< bytes of a warp's registers: 262,144 of 64 bits a thread
  MAX_ALIGNMENT = 1 << 20, ///< bytes
  MAX_THREADS = 1024,      ///< of a block, as every chip has it
  MAX_COUNT = 1 << 28,     ///< elements of an array, so that no number of bytes wraps
  MAX_BYTES = 32764,       ///< of an entry's parameters, from sm_70 on
};

/// The number behind .align.
static bool readAlignment(PtxParser *parser, uint64_t *alignment) {
  bool isFloat;
  if (!ptxReadNumber(parser, alignment, &isFloat)) return false;
  if (*alignment && *alignment <= MAX_ALIGNMENT && !(*alignment & (*alignment - 1))) return true;
  return ptxFail(parser, PTX_INVALID_TEXT,
                 "expected an alignment that is a power of two up to %d, found %llu", MAX_ALIGNMENT,
                 (unsigned long long)*alignment);
}

bool ptxReadRegisters(PtxParser *parser) {
  int bytes;
  if (!readType(parser, &bytes)) return false;
  if (bytes > 8)
    return ptxFail(parser, PTX_INVALID_TEXT, "expected registers of 64 bits at most, found 128");
  int lane = bytes == 8 ? 8 : bytes ? 4 : 1;
  do {
    char name[120];
    if (!ptxReadName(parser, name, sizeof name, false)) return false;
    uint64_t count = 0;
    bool isFloat;
    if (ptxAccept(parser, '<') &&
        (!ptxReadNumber(parser, &count, &isFloat) || !ptxExpect(parser, '>')))
      return false;
    if (count > 1000000)
      return ptxFail(parser, PTX_INVALID_TEXT, "expected a million registers at most, found more");
    PtxSymbol *symbol = ptxDefine(parser, name, PTX_SYMBOL_REGISTER);
    if (!symbol) return false;
    symbol->count = (int32_t)count, symbol->bytes = (uint8_t)lane;
    symbol->row = parser->entry->fileBytes;
    int step = lane == 8 ? PTX_WIDE_ROW : lane == 4 ? PTX_ROW : 4;
    int32_t total = (int32_t)(count ? count : 1) * step;
    if (total > MAX_FILE - parser->entry->fileBytes)
      return ptxFail(parser, PTX_INVALID_TEXT,
                     "expected registers of %d bytes a warp at most, found more", MAX_FILE);
    parser->entry->fileBytes += (total + PTX_ROW - 1) / PTX_ROW * PTX_ROW;
  } while (ptxAccept(parser, ','));
  return ptxExpect(parser, ';');
}

static bool readExtent(PtxParser *parser, uint64_t *count, bool *isSized) {
  bool isFloat;
  *count = 1, *isSized = true;
  while (ptxAccept(parser, '[')) {
    if (ptxAccept(parser, ']')) return *isSized = false, true;
    uint64_t extent;
    if (!ptxReadNumber(parser, &extent, &isFloat) || !ptxExpect(parser, ']')) return false;
    if (extent > MAX_COUNT || *count * extent > MAX_COUNT)
      return ptxFail(parser, PTX_INVALID_TEXT, "expected %d elements at most, found more",
                     MAX_COUNT);
    *count *= extent;
  }
  return true;
}

/// "= {..}" or "= number": into memory.
static bool readValues(PtxParser *parser, uint8_t *to, uint64_t count, int bytes) {
  bool isFloat, isList = ptxAccept(parser, '{');
  uint64_t i = 0;
  if (bytes > (int)sizeof(uint64_t))
    return ptxFail(parser, PTX_INVALID_TEXT, "expected values of 64 bits at most, found of %d",
                   8 * bytes);
  do {
    uint64_t value;
    if (!ptxReadNumber(parser, &value, &isFloat)) return false;
    if (i == count)
      return ptxFail(parser, PTX_INVALID_TEXT, "expected %llu values, found more",
                     (unsigned long long)count);
    memcpy(to + i++ * (uint64_t)bytes, &value, (size_t)bytes);
  } while (isList && ptxAccept(parser, ','));
  return !isList || ptxExpect(parser, '}');
}

static bool makeGlobal(PtxParser *parser, const char *name, uint64_t count, int bytes) {
  size_t total = (size_t)count * (size_t)bytes;
  PtxVariable *variable = ptxAllocate(parser->module, sizeof *variable);
  uint64_t address = total ? ptxMemoryAllocate(total) : 0;
  if (!variable || !address)
    return ptxFail(parser, PTX_INVALID_TEXT, "expected memory for '%s', found none", name);
  memset((void *)(uintptr_t)address, 0, total);
  *variable = (PtxVariable){ptxCopyText(parser->module, name, strlen(name)), address, total,
                            parser->module->variables};
  parser->module->variables = variable;
  PtxSymbol *symbol = ptxDefine(parser, name, PTX_SYMBOL_GLOBAL);
  if (!symbol) return false;
  symbol->value = address;
  if (ptxAccept(parser, '='))
    return readValues(parser, (uint8_t *)(uintptr_t)address, count, bytes);
  return true;
}

static bool makeOffset(PtxParser *parser, const char *name, uint32_t *used, uint64_t alignment,
                       uint64_t bytes, PtxSymbolKind kind) {
  uint64_t offset = (*used + alignment - 1) / alignment * alignment;
  if (offset + bytes > 1 << 24)
    return ptxFail(parser, PTX_INVALID_TEXT, "expected less memory for '%s'", name);
  *used = (uint32_t)(offset + bytes);
  PtxSymbol *symbol = ptxDefine(parser, name, kind);
  if (symbol) symbol->value = offset;
  return symbol;
}

bool ptxReadVariable(PtxParser *parser, const char *space) {
  uint64_t alignment = 1, count;
  bool isSized;
  int bytes;
  char name[120];
  while (ptxAcceptWord(parser, ".align"))
    if (!readAlignment(parser, &alignment)) return false;
  if (!readType(parser, &bytes) || !ptxReadName(parser, name, sizeof name, false) ||
      !readExtent(parser, &count, &isSized))
    return false;
  if (alignment < (uint64_t)bytes) alignment = (uint64_t)bytes;
  uint32_t none = 0;
  bool isShared = strcmp(space, "shared") == 0;
  if (isShared && !isSized) {
    PtxSymbol *symbol = ptxDefine(parser, name, PTX_SYMBOL_DYNAMIC);
    if (!symbol) return false;
  } else if (isShared) {
    // A module's own is part of every entry; tile's are within their entries or without size.
    if (!parser->entry)
      return ptxFail(parser, PTX_INVALID_TEXT,
                     "expected shared memory within an entry, found '%s' outside", name);
    if (!makeOffset(parser, name, &parser->entry->sharedBytes, alignment, count * (uint64_t)bytes,
                    PTX_SYMBOL_SHARED))
      return false;
    // Memory without a size begins behind that with one.
    parser->entry->dynamicShared = (parser->entry->sharedBytes + 1023) / 1024 * 1024;
  } else if (strcmp(space, "local") == 0) {
    if (!makeOffset(parser, name, parser->entry ? &parser->entry->localBytes : &none, alignment,
                    count * (uint64_t)bytes, PTX_SYMBOL_LOCAL))
      return false;
  } else if (!makeGlobal(parser, name, count, bytes)) {
    return false;
  }
  return ptxExpect(parser, ';');
}

static bool readParameter(PtxParser *parser, PtxParameter *parameter, char *name,
                          size_t nameBytes) {
  uint64_t alignment = 0, count, ignored;
  bool isSized;
  int bytes = 0;
  if (!ptxAcceptWord(parser, ".param"))
    return ptxFail(parser, PTX_INVALID_TEXT, "expected '.param', found '%.12s'", parser->at);
  if (ptxAcceptWord(parser, ".align") && !readAlignment(parser, &alignment)) return false;
  if (!readType(parser, &bytes)) return false;
  if (!bytes)
    return ptxFail(parser, PTX_INVALID_TEXT, "expected a parameter of bytes, found '.pred'");
  while (ptxPeek(parser) == '.') { // what it points to: .ptr .global .align 16
    if (ptxAcceptWord(parser, ".align")) {
      if (!readAlignment(parser, &ignored)) return false;
    } else if (!ptxAcceptWord(parser, ".ptr") && !ptxAcceptWord(parser, ".global") &&
               !ptxAcceptWord(parser, ".shared") && !ptxAcceptWord(parser, ".const")) {
      return ptxFail(parser, PTX_INVALID_TEXT, "expected a parameter's name, found '%.12s'",
                     parser->at);
    }
  }
  if (!ptxReadName(parser, name, nameBytes, false) || !readExtent(parser, &count, &isSized))
    return false;
  if (alignment < (uint64_t)bytes) alignment = (uint64_t)bytes;
  size_t used = parser->entry->info.parameterBytes;
  parameter->offset = (used + alignment - 1) / alignment * alignment;
  parameter->bytes = (size_t)count * (size_t)bytes;
  if (parameter->offset + parameter->bytes > MAX_BYTES)
    return ptxFail(parser, PTX_INVALID_TEXT, "expected parameters of %d bytes at most, found more",
                   MAX_BYTES);
  parser->entry->info.parameterBytes = parameter->offset + parameter->bytes;
  PtxSymbol *symbol = ptxDefine(parser, name, PTX_SYMBOL_PARAMETER);
  if (!symbol) return false;
  symbol->value = parameter->offset;
  return true;
}

enum { MAX_PARAMETERS = 600 };

static bool readParameters(PtxParser *parser) {
  PtxEntry *entry = parser->entry;
  entry->parameters = ptxAllocate(parser->module, MAX_PARAMETERS * sizeof *entry->parameters);
  if (!entry->parameters)
    return ptxFail(parser, PTX_INVALID_TEXT, "expected memory for parameters, found none");
  entry->info.parameters = entry->parameters;
  if (!ptxExpect(parser, '(')) return false;
  while (!ptxAccept(parser, ')')) {
    char name[120];
    if (entry->info.parameterCount && !ptxExpect(parser, ',')) return false;
    if (entry->info.parameterCount == MAX_PARAMETERS)
      return ptxFail(parser, PTX_INVALID_TEXT, "expected %d parameters at most, found more",
                     MAX_PARAMETERS);
    if (!readParameter(parser, &entry->parameters[entry->info.parameterCount++], name, sizeof name))
      return false;
  }
  return true;
}

static bool readTriple(PtxParser *parser, uint32_t triple[3]) {
  triple[0] = triple[1] = triple[2] = 1;
  int i = 0;
  do {
    uint64_t value;
    bool isFloat;
    if (i == 3 || !ptxReadNumber(parser, &value, &isFloat))
      return ptxFail(parser, PTX_INVALID_TEXT, "expected three extents at most");
    if (value < 1 || value > INT32_MAX)
      return ptxFail(parser, PTX_INVALID_TEXT, "expected an extent from 1 to %d, found %llu",
                     INT32_MAX, (unsigned long long)value);
    triple[i++] = (uint32_t)value;
  } while (ptxAccept(parser, ','));
  return true;
}

/// The directives between an entry's parameters and its body.
static bool readBounds(PtxParser *parser) {
  PtxEntry *entry = parser->entry;
  uint32_t triple[3] = {0};
  entry->info.maxThreads = 1024;
  while (ptxPeek(parser) == '.') {
    bool isRequired = ptxAcceptWord(parser, ".reqntid");
    if (isRequired || ptxAcceptWord(parser, ".maxntid")) {
      if (!readTriple(parser, triple)) return false;
      if (triple[0] > MAX_THREADS || triple[1] > MAX_THREADS ||
          triple[0] * triple[1] > MAX_THREADS / triple[2])
        return ptxFail(parser, PTX_INVALID_TEXT, "expected %d threads at most, found more",
                       MAX_THREADS);
      entry->info.maxThreads = (int)(triple[0] * triple[1] * triple[2]);
      if (isRequired) memcpy(entry->required, triple, sizeof triple);
    } else if (ptxAcceptWord(parser, ".minnctapersm")) {
      if (!readTriple(parser, triple)) return false;
      entry->info.minBlocks = (int)triple[0];
    } else if (ptxAcceptWord(parser, ".maxnreg")) {
      if (!readTriple(parser, triple)) return false;
      entry->info.maxRegisters = (int)triple[0];
    } else if (ptxAcceptWord(parser, ".reqnctapercluster")) {
      if (!readTriple(parser, entry->cluster)) return false;
    } else if (ptxAcceptWord(parser, ".maxclusterrank")) {
      if (!readTriple(parser, triple)) return false;
    } else if (!ptxAcceptWord(parser, ".explicitcluster")) {
      return ptxFail(parser, PTX_INVALID_TEXT, "expected an entry's body, found '%.20s'",
                     parser->at);
    }
  }
  return true;
}

bool ptxReadEntry(PtxParser *parser) {
  char name[400];
  if (!ptxReadName(parser, name, sizeof name, false)) return false;
  PtxEntry *entry = ptxAllocate(parser->module, sizeof *entry);
  if (!entry) return ptxFail(parser, PTX_INVALID_TEXT, "expected memory for an entry, found none");
  entry->module = parser->module, entry->next = parser->module->entries;
  entry->name = ptxCopyText(parser->module, name, strlen(name));
  // The first row takes results that nobody wants.
  entry->fileBytes = PTX_WIDE_ROW;
  for (int i = 0; i < PTX_SPECIALS; ++i) entry->specials[i] = -1;
  parser->module->entries = parser->entry = entry;
  parser->depth = 1;
  return readParameters(parser) && readBounds(parser) && ptxExpect(parser, '{');
}
