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

/// How many bytes from `c` on are a control character that a terminal may obey: of ASCII but for
/// line ends and tabs, or of UTF-8's second block (U+0080 to U+009F).
static int countControl(const char *c) {
  unsigned char first = (unsigned char)c[0], second = (unsigned char)c[1];
  if (first == 0xc2 && second >= 0x80 && second < 0xa0) return 2;
  return (first < ' ' && first != '\n' && first != '\t') || first == 0x7f;
}

/// The text of a file, or a name, may be in it: a terminal is to show that, and do nothing. Control
/// characters become
/// \1B and the like, as tileTextPrintEscaped has them. The message, or a copy in its place.
static char *escape(char *message) {
  size_t controls = 0;
  for (const char *c = message; *c; ++c) controls += (size_t)countControl(c);
  if (!controls) return message;
  char *copy = calloc(1, strlen(message) + 2 * controls + 1), *to = copy;
  if (!copy) {
    free(message);
    return NULL;
  }
  for (const char *c = message; *c;) {
    int count = countControl(c);
    if (!count) *to++ = *c++;
    for (; count; --count) to += sprintf(to, "\\%02X", (unsigned char)*c++);
  }
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
  if (message) message = escape(message);
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
