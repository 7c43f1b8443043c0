//===- Render.h - messages as compilers print them --------------*- C -*-===//
//
// The one place that knows how a message looks, for tile-opt, tile-run and tile-compile:
//
//   add.mlir:12:26: error: use of undeclared SSA value name '%ofs'
//     %xp = tile.addptr %xs, %ofs : !ptrs, !index
//                            ^~~~
//   help: did you mean '%offs'?
//
// What tells how to mend a mistake is a note of the diagnostic whose text begins with "help: ": in
// that form it goes through MLIR's handlers, tile.h and the language server.
//
// In colours where the stream is a terminal, unless NO_COLOR is set (https://no-color.org) or TERM
// is "dumb". What strangers wrote is printed so that a terminal shows it and does nothing else.
//
// Plain C, without MLIR, but for tileDiagnosticRender.
//===----------------------------------------------------------------------===//
#ifndef TILE_RENDER_H
#define TILE_RENDER_H

#include "mlir-c/Diagnostics.h"
#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a note begins with that tells how to mend a mistake.
#define TILE_HELP "help: "

/// "error", "note" and so on, a place (file NULL: none; line 0: the file as a whole), what stands
/// in brackets in front of the text (NULL: nothing), and the text. All borrowed.
typedef struct TileMessage {
  const char *severity, *file;
  int line, column;
  const char *pass, *text;
  /// Of a note at the place of what it belongs to: the source was shown.
  bool isSamePlace;
} TileMessage;

/// Are colours wanted there?
bool tileRenderHasColours(FILE *stream);

/// Prints a message, its line of the source if that can be read, and what it is about, underlined.
void tileRenderMessage(FILE *stream, const TileMessage *message);

/// The length of the word that begins at `at`: of a name with its sigil ('%offs#1', '@add',
/// '!ptrs'), of an op's name, or 1.
size_t tileRenderMeasureWord(const char *at);

/// Prints a diagnostic and its notes. `pass` (or NULL) goes in front of a remark's text. Left out
/// are notes that say less than the line: the op in its generic form, the list of dialects.
void tileDiagnosticRender(FILE *stream, MlirDiagnostic diagnostic, const char *pass);

/// Is this a note that is left out?
bool tileDiagnosticIsNoise(MlirDiagnostic diagnostic);

#ifdef __cplusplus
}
#endif
#endif // TILE_RENDER_H
