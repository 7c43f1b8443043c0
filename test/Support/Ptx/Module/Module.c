//===- Module.c - reading a module of PTX ---------------------------------===//
#include "Module.h"
#include "../Memory.h"
#include "Decode.h"
#include "Parser.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *ptxAllocate(PtxModule *module, size_t bytes) {
  PtxArena *block = calloc(1, sizeof *block + bytes);
  if (!block) return NULL;
  block->next = module->arena;
  module->arena = block;
  return block->bytes;
}

char *ptxCopyText(PtxModule *module, const char *text, size_t length) {
  char *copy = ptxAllocate(module, length + 1);
  if (!copy) return NULL;
  for (size_t i = 0; i < length; ++i) copy[i] = text[i] == '\n' || text[i] == '\t' ? ' ' : text[i];
  return copy;
}

/// Skips "{ .. }" of what is not code.
static bool skipBraces(PtxParser *parser) {
  if (!ptxExpect(parser, '{')) return false;
  for (int depth = 1; depth;) {
    char next = ptxPeek(parser);
    if (!next) return ptxFail(parser, PTX_INVALID_TEXT, "expected '}', found the end");
    depth += next == '{' ? 1 : next == '}' ? -1 : 0;
    ++parser->at;
  }
  return true;
}

static bool readTarget(PtxParser *parser) {
  char name[32];
  int arch = 0;
  if (!ptxReadName(parser, name, sizeof name, false)) return false;
  if (sscanf(name, "sm_%d", &arch) != 1)
    return ptxFail(parser, PTX_INVALID_TEXT, "expected a target as sm_90, found '%s'", name);
  char last = name[strlen(name) - 1];
  bool isExact = last == 'a', isFamily = last == 'f';
  if (isExact ? arch != parser->module->arch
              : arch > parser->module->arch || (isFamily && arch / 10 != parser->module->arch / 10))
    return ptxFail(parser, 209, "expected code for sm_%d, found it for %s", parser->module->arch,
                   name);
  while (ptxAccept(parser, ','))
    if (!ptxReadName(parser, name, sizeof name, false)) return false;
  return parser->isTarget = true;
}

/// .loc file line column ..: notes the line. What follows on the text's line are attributes.
static bool readLocation(PtxParser *parser) {
  uint64_t file, line;
  bool isFloat;
  if (!ptxReadNumber(parser, &file, &isFloat) || !ptxReadNumber(parser, &line, &isFloat))
    return false;
  parser->at += strcspn(parser->at, "\n");
  PtxEntry *entry = parser->entry;
  if (!entry) return true;
  void *grown =
      ptxGrow(entry->sources, entry->sourceCount, &entry->sourceCapacity, sizeof *entry->sources);
  if (!grown) return ptxFail(parser, PTX_INVALID_TEXT, "expected memory for locations, found none");
  entry->sources = grown;
  entry->sources[entry->sourceCount] = (PtxSource){(int)file, (int)line};
  parser->source = entry->sourceCount++;
  return true;
}

static bool skipLine(PtxParser *parser) {
  parser->at += strcspn(parser->at, "\n");
  return true;
}

static bool skipStatement(PtxParser *parser) {
  while (ptxPeek(parser) && *parser->at != ';') ++parser->at;
  return ptxExpect(parser, ';');
}

/// What begins with a dot, within a body or outside.
static bool readDirective(PtxParser *parser) {
  char name[32];
  if (!ptxExpect(parser, '.') || !ptxReadName(parser, name, sizeof name, false)) return false;
  if (strcmp(name, "loc") == 0) return readLocation(parser);
  if (strcmp(name, "file") == 0 || strcmp(name, "version") == 0 ||
      strcmp(name, "address_size") == 0)
    return skipLine(parser);
  if (strcmp(name, "pragma") == 0) return skipStatement(parser);
  if (strcmp(name, "reg") == 0 && parser->entry) return ptxReadRegisters(parser);
  // A table of labels is kept as an instruction that does nothing, where its own label says.
  if (strcmp(name, "branchtargets") == 0 && parser->entry) {
    parser->at -= strlen(name);
    return ptxReadInstruction(parser);
  }
  if (strcmp(name, "shared") == 0 || strcmp(name, "global") == 0 || strcmp(name, "const") == 0 ||
      (strcmp(name, "local") == 0 && parser->entry))
    return ptxReadVariable(parser, name);
  if (!parser->entry) {
    if (strcmp(name, "visible") == 0 || strcmp(name, "extern") == 0 || strcmp(name, "weak") == 0)
      return true;
    if (strcmp(name, "target") == 0) return readTarget(parser);
    if (strcmp(name, "entry") == 0) return ptxReadEntry(parser);
    if (strcmp(name, "section") == 0) {
      parser->at += strcspn(parser->at, "{");
      return skipBraces(parser);
    }
  }
  return ptxFail(parser, PTX_INVALID_TEXT,
                 "expected a directive that the emulator knows, found '.%s'", name);
}

/// A name in a body: a label or an instruction.
static bool readNamed(PtxParser *parser) {
  const char *start = parser->at;
  char name[160];
  int line = parser->line;
  if (*start != '@') {
    if (!ptxReadName(parser, name, sizeof name, true)) return false;
    if (ptxAccept(parser, ':')) return ptxDefineLabel(parser, name);
    parser->at = start, parser->line = line;
  }
  return ptxReadInstruction(parser);
}

/// An instruction behind the last, for code that would run on.
static bool closeEntry(PtxParser *parser) {
  PtxEntry *entry = parser->entry;
  const char *at = parser->at;
  parser->at = "ret;";
  bool isRead = ptxReadInstruction(parser);
  if (parser->code) return false;
  parser->at = at;
  entry->info.staticSharedBytes = (int)entry->sharedBytes;
  entry->info.localBytes = (int)entry->localBytes;
  // A label at the very end is the added return.
  if (!isRead || !ptxLeaveScope(parser)) return false;
  ptxConstant(entry, 0, 4);
  if (entry->lacksMemory)
    return ptxFail(parser, PTX_INVALID_TEXT, "expected memory for constants, found none");
  parser->entry = NULL, parser->source = -1;
  return true;
}

static bool readStatement(PtxParser *parser) {
  char next = ptxPeek(parser);
  if (next == '.') return readDirective(parser);
  if (!parser->entry || next == 0)
    return ptxFail(parser, PTX_INVALID_TEXT, "expected a directive, found '%.12s'", parser->at);
  if (next == ';') return ++parser->at, true;
  if (next == '{') return ++parser->at, ptxEnterScope(parser), true;
  if (next != '}') return readNamed(parser);
  ++parser->at;
  return parser->depth == 1 ? closeEntry(parser) : ptxLeaveScope(parser);
}

PtxModule *ptxModuleCreate(const char *ptx, int arch, char *log, size_t logBytes, int *code) {
  PtxModule *module = calloc(1, sizeof *module);
  PtxParser parser = {
      .at = ptx, .line = 1, .source = -1, .module = module, .log = log, .logBytes = logBytes};
  *code = PTX_INVALID_TEXT;
  if (logBytes) log[0] = 0;
  if (!module) return NULL;
  module->arch = arch;
  while (ptxPeek(&parser) && readStatement(&parser)) {
  }
  if (!parser.code && (parser.entry || !parser.isTarget))
    ptxFail(&parser, PTX_INVALID_TEXT, "expected %s, found the end",
            parser.entry ? "'}'" : "'.target'");
  free(parser.symbols);
  free(parser.pending);
  *code = parser.code;
  if (!parser.code) return module;
  ptxModuleDestroy(module);
  return NULL;
}

void ptxModuleDestroy(PtxModule *module) {
  if (!module) return;
  for (PtxEntry *entry = module->entries; entry; entry = entry->next) {
    free(entry->ops);
    free(entry->sources);
    free(entry->constants);
  }
  for (PtxVariable *variable = module->variables; variable; variable = variable->next)
    ptxMemoryFree(variable->address);
  for (PtxArena *block = module->arena, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  free(module);
}

PtxEntry *ptxModuleFindEntry(PtxModule *module, const char *name) {
  PtxEntry *entry = module->entries;
  while (entry && strcmp(entry->name, name) != 0) entry = entry->next;
  return entry;
}

bool ptxModuleFindGlobal(PtxModule *module, const char *name, uint64_t *address, size_t *bytes) {
  for (PtxVariable *variable = module->variables; variable; variable = variable->next) {
    if (strcmp(variable->name, name) != 0) continue;
    *address = variable->address, *bytes = variable->bytes;
    return true;
  }
  return false;
}

const PtxEntryInfo *ptxEntryGetInfo(const PtxEntry *entry) { return &entry->info; }
