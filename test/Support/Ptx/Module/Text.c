//===- Text.c - words, numbers and names of PTX ---------------------------===//
#include "Parser.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ptxFail(PtxParser *parser, int code, const char *format, ...) {
  if (!parser->code) {
    int length = snprintf(parser->log, parser->logBytes, "line %d: ", parser->line);
    va_list list;
    va_start(list, format);
    if (length >= 0 && (size_t)length < parser->logBytes)
      vsnprintf(parser->log + length, parser->logBytes - (size_t)length, format, list);
    va_end(list);
    parser->code = code;
  }
  parser->at += strlen(parser->at);
  return false;
}

char ptxPeek(PtxParser *parser) {
  for (;; ++parser->at) {
    const char *at = parser->at;
    if (*at == '\n') {
      ++parser->line;
    } else if (at[0] == '/' && at[1] == '/') {
      parser->at += strcspn(at, "\n");
      if (*parser->at)
        ++parser->line;
      else
        return 0;
    } else if (at[0] == '/' && at[1] == '*') {
      const char *end = strstr(at + 2, "*/");
      if (!end) return parser->at += strlen(at), 0;
      for (; at < end; ++at) parser->line += *at == '\n';
      parser->at = end + 1;
    } else if (!isspace((unsigned char)*at)) {
      return *at;
    }
  }
}

bool ptxAccept(PtxParser *parser, char character) {
  if (ptxPeek(parser) != character || !character) return false;
  ++parser->at;
  return true;
}

static bool isNamed(char c, bool dots) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' ||
         (dots && (c == '.' || c == ':'));
}

bool ptxAcceptWord(PtxParser *parser, const char *word) {
  size_t length = strlen(word);
  ptxPeek(parser);
  if (strncmp(parser->at, word, length) != 0 || isNamed(parser->at[length], false)) return false;
  parser->at += length;
  return true;
}

bool ptxExpect(PtxParser *parser, char character) {
  if (ptxAccept(parser, character)) return true;
  return ptxFail(parser, PTX_INVALID_TEXT, "expected '%c', found '%.12s'", character, parser->at);
}

bool ptxReadName(PtxParser *parser, char *name, size_t bytes, bool dots) {
  ptxPeek(parser);
  size_t length = 0;
  while (isNamed(parser->at[length], dots)) {
    // A single colon ends a label; two are in a state space's name.
    if (parser->at[length] == ':') {
      if (parser->at[length + 1] != ':') break;
      ++length;
    }
    ++length;
  }
  if (!length || length >= bytes)
    return ptxFail(parser, PTX_INVALID_TEXT, "expected a name, found '%.12s'", parser->at);
  memcpy(name, parser->at, length), name[length] = 0;
  parser->at += length;
  return true;
}

bool ptxReadNumber(PtxParser *parser, uint64_t *bits, bool *isFloat) {
  bool isNegative = ptxAccept(parser, '-');
  ptxPeek(parser);
  const char *at = parser->at;
  *isFloat = at[0] == '0' && (at[1] == 'f' || at[1] == 'F' || at[1] == 'd' || at[1] == 'D');
  char *end;
  if (*isFloat) {
    *bits = strtoull(at + 2, &end, 16);
  } else if (at[0] == '0' && (at[1] == 'b' || at[1] == 'B')) {
    *bits = strtoull(at + 2, &end, 2);
  } else {
    *bits = strtoull(at, &end, 0);
    // A decimal fraction is a double.
    if (*end == '.' || *end == 'e') {
      double value = strtod(at, &end);
      memcpy(bits, &value, sizeof value);
      *isFloat = true;
    }
  }
  if (end == at || (*isFloat && end <= at + 2))
    return ptxFail(parser, PTX_INVALID_TEXT, "expected a number, found '%.12s'", at);
  if (*end == 'U') ++end;
  parser->at = end;
  if (isNegative) *bits = -*bits;
  return true;
}

void *ptxGrow(void *array, int count, int *capacity, size_t size) {
  if (count < *capacity) return array;
  int wanted = *capacity ? *capacity * 2 : 64;
  void *grown = realloc(array, (size_t)wanted * size);
  if (!grown) return NULL;
  memset((char *)grown + (size_t)*capacity * size, 0, (size_t)(wanted - *capacity) * size);
  *capacity = wanted;
  return grown;
}

PtxSymbol *ptxDefine(PtxParser *parser, const char *name, PtxSymbolKind kind) {
  void *grown = ptxGrow(parser->symbols, parser->symbolCount, &parser->symbolCapacity,
                        sizeof *parser->symbols);
  if (!grown) {
    ptxFail(parser, PTX_INVALID_TEXT, "expected memory for symbols, found none");
    return NULL;
  }
  parser->symbols = grown;
  PtxSymbol *symbol = &parser->symbols[parser->symbolCount++];
  *symbol = (PtxSymbol){.kind = kind, .depth = parser->depth};
  snprintf(symbol->name, sizeof symbol->name, "%s", name);
  return symbol;
}

const PtxSymbol *ptxFindSymbol(PtxParser *parser, const char *name, int32_t *row) {
  size_t length = strlen(name), stem = length;
  while (stem && isdigit((unsigned char)name[stem - 1])) --stem;
  long index = stem < length ? strtol(name + stem, NULL, 10) : -1;
  for (int i = parser->symbolCount; i-- > 0;) {
    const PtxSymbol *symbol = &parser->symbols[i];
    if (strcmp(symbol->name, name) == 0 && !symbol->count) return *row = symbol->row, symbol;
    if (!symbol->count || index < 0 || index >= symbol->count) continue;
    if (strncmp(symbol->name, name, stem) != 0 || symbol->name[stem]) continue;
    int step = symbol->bytes == 8 ? PTX_WIDE_ROW : symbol->bytes == 4 ? PTX_ROW : 4;
    *row = symbol->row + (int32_t)index * step;
    return symbol;
  }
  return NULL;
}
