//===- Said.c - diagnostics that another process says ---------------------===//
//
//   severity, line, column   4 bytes each; line 0: no place
//   file, text               a length of 8 bytes and the bytes
//   notes                    how many, 8 bytes; then as many diagnostics
//
// one behind the other, up to one whose severity is none.
//===----------------------------------------------------------------------===//
#include "tile/Session/Said.h"
#include "tile/Support/Source.h"
#include "tile/Text.h"
#include "tile/Tile.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SEVERITY_END = 9, MAX_NOTES = 1 << 16 };

//===- writing ------------------------------------------------------------===//

void tileSaidWriteText(FILE *out, const char *data, size_t size) {
  uint64_t length = size;
  fwrite(&length, sizeof length, 1, out);
  fwrite(data, 1, size, out);
}

MlirLogicalResult tileSaidWrite(MlirDiagnostic diagnostic, void *file) {
  FILE *out = file;
  TileText text = {0};
  TileSourcePlace place = {.line = 0};
  bool has = tileSourceFind(mlirDiagnosticGetLocation(diagnostic), &place);
  const uint32_t head[] = {(uint32_t)mlirDiagnosticGetSeverity(diagnostic),
                           has ? (uint32_t)place.line : 0, has ? (uint32_t)place.column : 0};
  uint64_t notes = (uint64_t)mlirDiagnosticGetNumNotes(diagnostic);
  mlirDiagnosticPrint(diagnostic, tileTextCollect, &text);
  fwrite(head, sizeof head, 1, out);
  tileSaidWriteText(out, has ? place.file.data : "", has ? place.file.length : 0);
  tileSaidWriteText(out, text.data ? text.data : "", text.size);
  fwrite(&notes, sizeof notes, 1, out);
  for (uint64_t i = 0; i < notes; ++i)
    tileSaidWrite(mlirDiagnosticGetNote(diagnostic, (intptr_t)i), out);
  free(text.data);
  return mlirLogicalResultSuccess();
}

void tileSaidEnd(FILE *file) {
  const uint32_t head[] = {SEVERITY_END, 0, 0};
  fwrite(head, sizeof head, 1, file);
}

//===- saying it again ----------------------------------------------------===//

/// What is left to be read.
typedef struct Answer {
  const char *at, *end;
  MlirContext context;
} Answer;

static bool take(Answer *a, void *to, size_t size) {
  if ((size_t)(a->end - a->at) < size) return false;
  memcpy(to, a->at, size);
  a->at += size;
  return true;
}

bool tileSaidTakeText(const char **at, const char *end, MlirStringRef *text) {
  uint64_t length;
  if ((size_t)(end - *at) < sizeof length) return false;
  memcpy(&length, *at, sizeof length);
  *at += sizeof length;
  if ((uint64_t)(end - *at) < length) return false;
  *text = mlirStringRefCreate(*at, length);
  *at += length;
  return true;
}

/// All but the notes, whose number it gives.
static bool takeOne(Answer *a, uint32_t *severity, TileNote *said, uint64_t *notes) {
  uint32_t head[3];
  MlirStringRef file;
  if (!take(a, head, sizeof head)) return false;
  *severity = head[0];
  *notes = 0;
  if (head[0] == SEVERITY_END) return true;
  if (!tileSaidTakeText(&a->at, a->end, &file) || !tileSaidTakeText(&a->at, a->end, &said->text) ||
      !take(a, notes, sizeof *notes))
    return false;
  said->location = file.length ? mlirLocationFileLineColGet(a->context, file, head[1], head[2])
                               : mlirLocationUnknownGet(a->context);
  return *notes <= MAX_NOTES;
}

/// The notes of one, which have none themselves.
static bool takeNotes(Answer *a, TileNote *notes, uint64_t count) {
  uint32_t severity;
  uint64_t none;
  for (uint64_t i = 0; i < count; ++i)
    if (!takeOne(a, &severity, &notes[i], &none) || severity == SEVERITY_END || none) return false;
  return true;
}

bool tileSaidRepeat(const char **at, const char *end, MlirContext context) {
  Answer a = {*at, end, context};
  for (;;) {
    uint32_t severity;
    uint64_t count;
    TileNote said;
    if (!takeOne(&a, &severity, &said, &count)) return false;
    *at = a.at;
    if (severity == SEVERITY_END) return true;
    TileNote *notes = calloc(count + 1, sizeof *notes);
    bool ok = notes && takeNotes(&a, notes, count);
    if (ok)
      tileEmitWithNotes((MlirDiagnosticSeverity)severity, said.location, said.text, notes, count);
    free(notes);
    if (!ok) return false;
  }
}
