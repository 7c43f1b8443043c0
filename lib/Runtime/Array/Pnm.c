//===- Pnm.c - reading and writing .ppm and .pgm files --------------------===//
#include "tile/Runtime/Pnm.h"
#include "../File.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_VALUE = 255, LARGEST_EXTENT = 1 << 30 };

/// A picture's header: the planes are 3 (P6) or 1 (P5).
typedef struct Header {
  int64_t planes, height, width;
} Header;

static bool endsWith(const char *path, const char *ending) {
  size_t length = strlen(path), wanted = strlen(ending);
  return length >= wanted && !strcmp(path + length - wanted, ending);
}

bool tilePnmIsPath(const char *path) { return endsWith(path, ".ppm") || endsWith(path, ".pgm"); }

//===- reading ------------------------------------------------------------===//

static bool isSpace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The next character that is neither space nor comment; EOF at the end.
static int skipSpace(FILE *file) {
  int c = getc(file);
  while (isSpace(c) || c == '#') {
    if (c == '#')
      while (c != '\n' && c != EOF) c = getc(file);
    else
      c = getc(file);
  }
  return c;
}

/// A number after space, and the one character after it. False where there is none, or one that
/// is too large.
static bool readNumber(FILE *file, int64_t *number) {
  int c = getc(file);
  if (!isSpace(c) && c != '#') return false;
  ungetc(c, file);
  c = skipSpace(file);
  if (c < '0' || c > '9') return false;
  for (*number = 0; c >= '0' && c <= '9'; c = getc(file)) {
    *number = 10 * *number + (c - '0');
    if (*number > LARGEST_EXTENT) return false;
  }
  ungetc(c, file);
  return true;
}

static bool readHeader(FILE *file, const char *path, Header *header, TileError *error) {
  char magic[2] = {0};
  bool known = fread(magic, 1, 2, file) == 2 && magic[0] == 'P' && strchr("56", magic[1]);
  if (!known || !magic[1])
    return tileErrorSet(error,
                        "expected a picture that begins with P5 or P6, found '%s', which "
                        "does not",
                        path);
  int64_t largest = 0;
  header->planes = magic[1] == '6' ? 3 : 1;
  if (!readNumber(file, &header->width) || !readNumber(file, &header->height) ||
      !readNumber(file, &largest))
    return tileErrorSet(error,
                        "expected width, height and largest value of a picture in '%s', found "
                        "something else at byte %ld",
                        path, ftell(file));
  if (largest != LARGEST_VALUE)
    return tileErrorSet(error, "expected a picture with values up to 255 in '%s', found %" PRId64,
                        path, largest);
  if (isSpace(getc(file))) return true;
  return tileErrorSet(error, "expected a space after the header of '%s', found none", path);
}

/// Checks that exactly the header's picture follows.
static bool checkLength(FILE *file, const char *path, uint64_t fileBytes, const Header *header,
                        TileError *error) {
  uint64_t wanted = (uint64_t)header->planes * (uint64_t)header->width * (uint64_t)header->height;
  uint64_t found = fileBytes - (uint64_t)ftell(file);
  if (wanted == found) return true;
  return tileErrorSet(error,
                      "expected %" PRIu64 " bytes for %" PRId64 " x %" PRId64 " pixels in '%s', "
                      "found %" PRIu64,
                      wanted, header->height, header->width, path, found);
}

/// Takes the colours of a file's pixels apart, into planes.
static bool readPixels(FILE *file, const Header *header, unsigned char *planes) {
  size_t planeBytes = (size_t)header->height * (size_t)header->width;
  if (header->planes == 1) return fread(planes, 1, planeBytes, file) == planeBytes;
  size_t rowBytes = 3 * (size_t)header->width;
  unsigned char *row = tileRuntimeAlloc(rowBytes + 1);
  bool ok = true;
  for (int64_t i = 0; ok && i < header->height; ++i) {
    ok = fread(row, 1, rowBytes, file) == rowBytes;
    unsigned char *to = planes + i * header->width;
    for (int64_t j = 0; ok && j < header->width; ++j)
      for (size_t c = 0; c < 3; ++c) to[c * planeBytes + (size_t)j] = row[3 * j + (int64_t)c];
  }
  free(row);
  return ok;
}

static TileArray *readArray(FILE *file, const char *path, const Header *header, TileError *error) {
  const int64_t shape[] = {header->planes, header->height, header->width};
  bool grey = header->planes == 1;
  TileArray *array = tileArrayCreate(TILE_ELEMENT_I8, grey ? 2 : 3, shape + grey, error);
  if (!array) return NULL;
  errno = 0;
  if (readPixels(file, header, array->host)) {
    tileArrayMarkHostWritten(array);
    return array;
  }
  tileFileFail("read", path, error);
  tileArrayDestroy(array);
  return NULL;
}

TileArray *tilePnmRead(const char *path, TileElementType type, TileError *error) {
  if (type != TILE_ELEMENT_I8) {
    tileErrorSet(error, "expected elements of type %s in '%s', found a picture, whose are i8",
                 tileElementGetName(type), path);
    return NULL;
  }
  uint64_t bytes = 0;
  FILE *file = tileFileOpen(path, &bytes, error);
  if (!file) return NULL;
  Header header = {0};
  TileArray *array = NULL;
  if (readHeader(file, path, &header, error) && checkLength(file, path, bytes, &header, error))
    array = readArray(file, path, &header, error);
  fclose(file);
  return array;
}

//===- writing ------------------------------------------------------------===//

static bool writeColours(FILE *file, const unsigned char *planes, int64_t height, int64_t width) {
  size_t planeBytes = (size_t)height * (size_t)width;
  for (size_t i = 0; i < planeBytes; ++i)
    for (size_t c = 0; c < 3; ++c)
      if (putc(planes[c * planeBytes + i], file) == EOF) return false;
  return true;
}

static bool writePicture(FILE *file, const void *data) {
  const TileArray *array = data;
  bool grey = array->rank == 2;
  int64_t height = array->shape[!grey], width = array->shape[!grey + 1];
  if (fprintf(file, "P%c\n%" PRId64 " %" PRId64 "\n%d\n", grey ? '5' : '6', width, height,
              LARGEST_VALUE) < 0)
    return false;
  if (!grey) return writeColours(file, array->host, height, width);
  return fwrite(array->host, 1, array->bytes, file) == array->bytes;
}

bool tilePnmWrite(const char *path, TileArray *array, TileError *error) {
  bool grey = endsWith(path, ".pgm");
  bool fits = array->type == TILE_ELEMENT_I8 && array->rank == (grey ? 2U : 3U) &&
              (grey || array->shape[0] == 3);
  if (!fits)
    return tileErrorSet(error, "expected %s of i8 for '%s', found an array of rank %u of %s",
                        grey ? "height x width" : "3 x height x width", path, array->rank,
                        tileElementGetName(array->type));
  return tileArrayToHost(array, error) && tileFileReplace(path, writePicture, array, error);
}
