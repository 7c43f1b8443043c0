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
  error->message = message ? message : noMemory;
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
