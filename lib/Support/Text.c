//===- Text.c - text that grows -------------------------------------------===//
#include "tile/Text.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Makes room for `size` more bytes and the NUL.
static void reserve(TileText *t, size_t size) {
  size_t needed = t->size + size + 1;
  if (needed <= t->capacity) return;
  t->capacity = 2 * needed;
  t->data = realloc(t->data, t->capacity);
  if (!t->data) abort();
}

void tileTextAddBytes(TileText *t, const void *data, size_t size) {
  reserve(t, size);
  if (size) memcpy(t->data + t->size, data, size);
  t->size += size;
  t->data[t->size] = 0;
}

void tileTextAdd(TileText *t, const char *string) { tileTextAddBytes(t, string, strlen(string)); }

void tileTextPrint(TileText *t, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length >= 0) {
    reserve(t, (size_t)length);
    vsnprintf(t->data + t->size, (size_t)length + 1, format, again);
    t->size += (size_t)length;
  }
  va_end(again);
}

void tileTextCollect(MlirStringRef string, void *text) {
  tileTextAddBytes(text, string.data, string.length);
}

void tileTextPrintEscaped(FILE *stream, const char *text, size_t size, bool lines) {
  for (size_t i = 0; i < size; ++i) {
    unsigned char c = (unsigned char)text[i];
    unsigned char next = i + 1 < size ? (unsigned char)text[i + 1] : 0;
    bool kept = lines && (c == '\n' || c == '\t');
    // 0xc2 0x80 .. 0x9f: U+0080 .. U+009F, among them CSI.
    bool second = c == 0xc2 && next >= 0x80 && next < 0xa0;
    if ((c < ' ' && !kept) || c == 0x7f || second)
      fprintf(stream, "\\%02X", c);
    else
      fputc(c, stream);
    if (second) fprintf(stream, "\\%02X", (unsigned char)text[++i]);
  }
}
