//===- ArrayPrint.c - an array as text ------------------------------------===//
#include "tile/Runtime/Array.h"
#include <inttypes.h>
#include <math.h>

enum { DEFAULT_EDGE = 3, FULL_ELEMENTS = 1000 };

typedef struct Printer {
  FILE *stream;
  const TileArray *array;
  /// Elements shown at either end of a dimension; 0: all.
  int64_t edge;
  int width, digits;
  bool pointers;
} Printer;

static bool isShown(const Printer *printer, unsigned dimension, int64_t i) {
  int64_t extent = printer->array->shape[dimension];
  return !printer->edge || extent <= 2 * printer->edge || i < printer->edge ||
         i >= extent - printer->edge;
}

static int formatElement(const Printer *printer, char *text, size_t bytes, int64_t index) {
  const TileArray *array = printer->array;
  if (!tileElementIsInteger(array->type)) {
    double value = tileArrayGetElement(array, index);
    if (isnan(value)) return snprintf(text, bytes, "nan"); // printf shows a sign that means nothing
    return snprintf(text, bytes, "%.*g", printer->digits, value);
  }
  const char *at = (const char *)array->host + (size_t)index * tileElementGetSize(array->type);
  int64_t value = tileElementToInteger(array->type, at);
  if (printer->pointers) return snprintf(text, bytes, "0x%" PRIx64, (uint64_t)value);
  return snprintf(text, bytes, "%" PRId64, value);
}

static void measureDimension(Printer *printer, unsigned dimension, int64_t base) {
  char text[64];
  if (dimension == printer->array->rank) {
    int width = formatElement(printer, text, sizeof text, base);
    if (width > printer->width) printer->width = width;
    return;
  }
  int64_t extent = printer->array->shape[dimension];
  for (int64_t i = 0; i < extent; ++i) {
    if (isShown(printer, dimension, i))
      measureDimension(printer, dimension + 1, base + i * printer->array->strides[dimension]);
    else
      i = extent - printer->edge - 1;
  }
}

static void printDimension(const Printer *printer, unsigned dimension, int64_t base) {
  char text[64];
  unsigned rank = printer->array->rank;
  if (dimension == rank) {
    formatElement(printer, text, sizeof text, base);
    fprintf(printer->stream, "%*s", printer->width, text);
    return;
  }
  bool innermost = dimension + 1 == rank;
  int64_t extent = printer->array->shape[dimension];
  fputc('[', printer->stream);
  for (int64_t i = 0; i < extent; ++i) {
    if (i) fprintf(printer->stream, innermost ? " " : "\n%*s", (int)dimension + 1, "");
    if (!isShown(printer, dimension, i)) {
      fputs("...", printer->stream);
      i = extent - printer->edge - 1;
      continue;
    }
    printDimension(printer, dimension + 1, base + i * printer->array->strides[dimension]);
  }
  fputc(']', printer->stream);
}

void tileArrayPrintValues(FILE *stream, const TileArray *array, int64_t most, unsigned edge,
                          bool pointers) {
  Printer printer = {.stream = stream, .array = array, .pointers = pointers};
  // Enough digits to tell neighbours of the narrow types apart, and to read the wide ones.
  unsigned precision = tileElementGetPrecision(array->type);
  printer.digits = precision <= 4 ? 3 : precision <= 11 ? 5 : 8;
  if (array->count > most) printer.edge = edge ? edge : DEFAULT_EDGE;
  if (array->count) {
    measureDimension(&printer, 0, 0);
    printDimension(&printer, 0, 0);
  } else {
    fputs("[]", stream);
  }
}

bool tileArrayPrint(FILE *stream, TileArray *array, unsigned edge, TileError *error) {
  if (!tileArrayToHost(array, error)) return false;
  for (unsigned i = 0; i < array->rank; ++i) fprintf(stream, "%" PRId64 "x", array->shape[i]);
  fprintf(stream, "%s\n", tileElementGetName(array->type));
  tileArrayPrintValues(stream, array, FULL_ELEMENTS, edge, false);
  fputc('\n', stream);
  return true;
}
