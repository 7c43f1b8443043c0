//===- Said.h - diagnostics that another process says -----------*- C -*-===//
//
// What a child process (tile/Support/Child.h) has to say of the ops it works on is written down
// there, and said again by its parent, in a context that has the same files: severities, texts and
// places, with all notes.
//===----------------------------------------------------------------------===//
#ifndef TILE_SESSION_SAID_H
#define TILE_SESSION_SAID_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/Support.h"
#include <stdbool.h>
#include <stdio.h>

/// A handler of diagnostics that writes to a FILE, which it has as data.
MlirLogicalResult tileSaidWrite(MlirDiagnostic diagnostic, void *file);
/// The last one was written.
void tileSaidEnd(FILE *file);
/// Emits what was written at `*at`, up to its end, behind which `*at` then is. False, with all that
/// could be read emitted, where what is up to `end` was not written so.
bool tileSaidRepeat(const char **at, const char *end, MlirContext context);
/// What else a child says: `size` bytes at `data`, their number in front.
void tileSaidWriteText(FILE *file, const char *data, size_t size);
/// Such a text at `*at`, borrowed, behind which `*at` then is; false where there is none up to
/// `end`.
bool tileSaidTakeText(const char **at, const char *end, MlirStringRef *text);

#endif
