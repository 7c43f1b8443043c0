//===- Error.c - one message, formatted ----------------------------------===//
#include "tile/Runtime/Error.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *tileRuntimeAlloc(size_t bytes) {
  void *memory = calloc(1, bytes ? bytes : 1);
  if (!memory) {
    fprintf(stderr, "tile: out of memory for %zu bytes\n", bytes);
    abort();
  }
  return memory;
}

char *tileRuntimeCopy(const char *text, size_t length) {
  char *copy = tileRuntimeAlloc(length + 1);
  memcpy(copy, text, length);
  return copy;
}

/// For want of memory even for that, a message that is never freed.
static char noMemory[] = "expected memory for the text of an error, found none";

static void drop(TileError *error) {
  if (error->message != noMemory) free(error->message);
  error->message = NULL;
}

static bool isControl(char c) {
  return ((unsigned char)c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
}

/// The text of a file, or a name, may be in it: a terminal is to show that, and do nothing. Control
/// characters become
/// \1B and the like, as tileTextPrintEscaped has them. The message, or a copy in its place.
static char *escape(char *message) {
  size_t controls = 0;
  for (const char *c = message; *c; ++c) controls += isControl(*c);
  char *copy = controls ? calloc(1, strlen(message) + 2 * controls + 1) : NULL;
  if (!copy) {
    for (char *c = message; controls && *c; ++c)
      if (isControl(*c)) *c = '?';
    return message;
  }
  char *to = copy;
  for (const char *c = message; *c; ++c)
    if (isControl(*c))
      to += sprintf(to, "\\%02X", (unsigned char)*c);
    else
      *to++ = *c;
  free(message);
  return copy;
}

__attribute__((format(printf, 2, 0))) static void setMessage(TileError *error, const char *format,
                                                             va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  size_t size = length < 0 ? 1 : (size_t)length + 1;
  char *message = calloc(1, size);
  if (message) vsnprintf(message, size, format, again);
  va_end(again);
  drop(error);
  error->message = message ? escape(message) : noMemory;
}

bool tileErrorSet(TileError *error, const char *format, ...) {
  if (!error) return false;
  va_list arguments;
  va_start(arguments, format);
  setMessage(error, format, arguments);
  va_end(arguments);
  error->outOfMemory = false;
  return false;
}

bool tileErrorSetOutOfMemory(TileError *error, const char *format, ...) {
  if (!error) return false;
  va_list arguments;
  va_start(arguments, format);
  setMessage(error, format, arguments);
  va_end(arguments);
  error->outOfMemory = true;
  return false;
}

const char *tileErrorGetMessage(const TileError *error) {
  return error->message ? error->message : "";
}

void tileErrorDestroy(TileError *error) {
  drop(error);
  *error = (TileError)TILE_ERROR_INIT;
}
