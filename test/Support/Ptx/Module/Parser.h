//===- Parser.h - reading PTX (private) -----------------------------------===//
#ifndef TILE_TEST_PTX_PARSER_H
#define TILE_TEST_PTX_PARSER_H

#include "Module.h"
#include <stddef.h>

typedef enum PtxSymbolKind {
  PTX_SYMBOL_REGISTER, ///< one, or a range of them
  PTX_SYMBOL_LABEL,
  PTX_SYMBOL_SHARED,   ///< value: offset
  PTX_SYMBOL_DYNAMIC,  ///< shared memory without a size
  PTX_SYMBOL_LOCAL,    ///< value: offset
  PTX_SYMBOL_GLOBAL,   ///< value: address
  PTX_SYMBOL_PARAMETER ///< value: offset
} PtxSymbolKind;

typedef struct PtxSymbol {
  char name[120];
  PtxSymbolKind kind;
  uint64_t value;
  int32_t row, count; ///< of registers; count 0: a single one
  uint8_t bytes;
  int depth;
} PtxSymbol;

/// A use of a label that is not known yet.
typedef struct PtxPending {
  char name[120];
  int op, operand, depth, line;
} PtxPending;

typedef struct PtxParser {
  const char *at;
  int line, source;
  PtxModule *module;
  PtxEntry *entry; ///< whose body or head is read, or NULL
  PtxSymbol *symbols;
  int symbolCount, symbolCapacity;
  PtxPending *pending;
  int pendingCount, pendingCapacity;
  int depth;     ///< of braces
  bool isTarget; ///< .target was read
  char *log;
  size_t logBytes;
  int code; ///< CUDA's error, 0 while there is none
} PtxParser;

/// Notes the first error and moves to the text's end. False.
bool ptxFail(PtxParser *parser, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Skips blanks and comments; the next character, 0 at the end.
char ptxPeek(PtxParser *parser);
/// Takes a character or a word if it is next.
bool ptxAccept(PtxParser *parser, char character);
bool ptxAcceptWord(PtxParser *parser, const char *word);
bool ptxExpect(PtxParser *parser, char character);
/// A name: letters, digits, and _ $ %; with dots where `dots`. Empty with an error for none.
bool ptxReadName(PtxParser *parser, char *name, size_t bytes, bool dots);
/// A number: an integer's or float's (0f, 0d) bits.
bool ptxReadNumber(PtxParser *parser, uint64_t *bits, bool *isFloat);

PtxSymbol *ptxDefine(PtxParser *parser, const char *name, PtxSymbolKind kind);
/// The innermost symbol of the name. For a register of a range, *row is its row.
const PtxSymbol *ptxFindSymbol(PtxParser *parser, const char *name, int32_t *row);

/// One instruction, its guard included, up to its semicolon.
bool ptxReadInstruction(PtxParser *parser);
bool ptxDefineLabel(PtxParser *parser, const char *name);
/// What '{' and '}' do within a body.
void ptxEnterScope(PtxParser *parser);
bool ptxLeaveScope(PtxParser *parser);

/// .reg and variables, behind the directive's word.
bool ptxReadRegisters(PtxParser *parser);
bool ptxReadVariable(PtxParser *parser, const char *space);
/// An entry behind ".entry": head and body.
bool ptxReadEntry(PtxParser *parser);

/// Makes room for one more of an array of `size`-byte elements. NULL where there is none.
void *ptxGrow(void *array, int count, int *capacity, size_t size);

#endif // TILE_TEST_PTX_PARSER_H
