//===- Error.c - one message, formatted ----------------------------------===//
#include "tile/Runtime/Error.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void *tileRuntimeAlloc(size_t bytes) {
  void *memory = calloc(1, bytes ? bytes : 1);
  if (!memory) {
    fprintf(stderr, "tile: out of memory for %zu bytes\n", bytes);
    abort();
  }
  return memory;
}

__attribute__((format(printf, 2, 0))) static void setMessage(TileError *error, const char *format,
                                                             va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  size_t size = length < 0 ? 1 : (size_t)length + 1;
  char *message = tileRuntimeAlloc(size);
  vsnprintf(message, size, format, again);
  va_end(again);
  free(error->message);
  error->message = message;
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
  free(error->message);
  *error = (TileError)TILE_ERROR_INIT;
}
