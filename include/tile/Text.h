//===- Text.h - text that grows ---------------------------------*- C -*-===//
//
//   TileText text = {0};
//   tileTextAdd(&text, "BM=");
//   tileTextPrint(&text, "%d", 64);
//   mlirOperationPrint(op, tileTextCollect, &text);
//   ... text.data, text.size ...
//   free(text.data);
//
// A NUL stands behind what was added, which `size` does not count; `data` is NULL as long as
// nothing was. Memory that runs out ends the process.
//===----------------------------------------------------------------------===//
#ifndef TILE_TEXT_H
#define TILE_TEXT_H

#include "mlir-c/Support.h"
#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TileText {
  /// The caller's, to be freed with free().
  char *data;
  size_t size, capacity;
} TileText;

void tileTextAdd(TileText *text, const char *string);
void tileTextAddBytes(TileText *text, const void *data, size_t size);
/// As printf does.
__attribute__((format(printf, 2, 3))) void tileTextPrint(TileText *text, const char *format, ...);
/// Prints text that somebody else wrote so that a terminal shows it and does nothing else: control
/// characters, those of UTF-8's second block too, as \1B. `lines`: line ends and tabs stay.
void tileTextPrintEscaped(FILE *stream, const char *text, size_t size, bool lines);
/// tileTextAddBytes as MLIR's printers call it: `text` is a TileText.
void tileTextCollect(MlirStringRef string, void *text);

#ifdef __cplusplus
}
#endif

#endif // TILE_TEXT_H
