//===- Npy.c - reading and writing .npy files -----------------------------===//
//
// The header is parsed by a small scanner for the one dict that the format allows:
// three keys, a string, a bool, a tuple of integers. Nothing of the file is trusted before it is
// checked; the data is read only when the file's length is exactly what the header says.
//===----------------------------------------------------------------------===//
#include "tile/Runtime/Npy.h"
#include "../File.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC_BYTES = 6, MAX_HEADER = 1 << 20, MAX_DESCR = 15, ALIGNMENT = 64, TEXT_BYTES = 512 };

static const char magic[MAGIC_BYTES + 1] = "\x93NUMPY";

typedef struct Header {
  char descr[MAX_DESCR + 1];
  bool fortranOrder;
  unsigned rank;
  int64_t shape[TILE_ARRAY_MAX_RANK];
  uint64_t dataOffset, dataBytes;
} Header;

/// A file being read: `path` for messages.
typedef struct Reader {
  const char *path;
  FILE *file;
  uint64_t fileBytes;
  TileError *error;
} Reader;

//===- The dict -----------------------------------------------------------===//

typedef struct Scanner {
  const char *at, *end;
} Scanner;

static void skipSpace(Scanner *scanner) {
  while (scanner->at < scanner->end && strchr(" \t\n\r", *scanner->at) && *scanner->at)
    ++scanner->at;
}

static bool acceptChar(Scanner *scanner, char wanted) {
  skipSpace(scanner);
  if (scanner->at == scanner->end || *scanner->at != wanted) return false;
  ++scanner->at;
  return true;
}

static bool acceptWord(Scanner *scanner, const char *word) {
  skipSpace(scanner);
  size_t length = strlen(word);
  if ((size_t)(scanner->end - scanner->at) < length || memcmp(scanner->at, word, length) != 0)
    return false;
  scanner->at += length;
  return true;
}

/// A quoted string without escapes, of at most MAX_DESCR bytes.
static bool scanString(Scanner *scanner, char text[MAX_DESCR + 1]) {
  skipSpace(scanner);
  if (scanner->at == scanner->end || (*scanner->at != '\'' && *scanner->at != '"')) return false;
  char quote = *scanner->at++;
  size_t length = 0;
  while (scanner->at < scanner->end && *scanner->at != quote) {
    char c = *scanner->at++;
    if (length == MAX_DESCR || c == '\\' || c < ' ' || c > '~') return false;
    text[length++] = c;
  }
  text[length] = 0;
  return acceptChar(scanner, quote);
}

static bool scanExtent(Scanner *scanner, int64_t *extent) {
  skipSpace(scanner);
  const char *first = scanner->at;
  *extent = 0;
  while (scanner->at < scanner->end && *scanner->at >= '0' && *scanner->at <= '9') {
    if (__builtin_mul_overflow(*extent, (int64_t)10, extent) ||
        __builtin_add_overflow(*extent, (int64_t)(*scanner->at - '0'), extent))
      return false;
    ++scanner->at;
  }
  return scanner->at != first;
}

static bool scanShape(Scanner *scanner, Header *header) {
  if (!acceptChar(scanner, '(')) return false;
  header->rank = 0;
  while (!acceptChar(scanner, ')')) {
    if (header->rank == TILE_ARRAY_MAX_RANK) return false;
    if (!scanExtent(scanner, &header->shape[header->rank++])) return false;
    // A comma must follow each extent but the last; a tuple of one needs its comma too.
    if (acceptChar(scanner, ',')) continue;
    return header->rank > 1 && acceptChar(scanner, ')');
  }
  return true;
}

static bool scanDict(Scanner *scanner, Header *header) {
  enum { DESCR = 1, ORDER = 2, SHAPE = 4 };
  int seen = 0;
  if (!acceptChar(scanner, '{')) return false;
  while (!acceptChar(scanner, '}')) {
    char key[MAX_DESCR + 1];
    int which;
    if (!scanString(scanner, key) || !acceptChar(scanner, ':')) return false;
    if (!strcmp(key, "descr")) {
      which = DESCR;
      if (!scanString(scanner, header->descr)) return false;
    } else if (!strcmp(key, "fortran_order")) {
      which = ORDER;
      header->fortranOrder = acceptWord(scanner, "True");
      if (!header->fortranOrder && !acceptWord(scanner, "False")) return false;
    } else if (!strcmp(key, "shape")) {
      which = SHAPE;
      if (!scanShape(scanner, header)) return false;
    } else {
      return false;
    }
    if (seen & which) return false;
    seen |= which;
    if (acceptChar(scanner, ',')) continue;
    if (!acceptChar(scanner, '}')) return false;
    break;
  }
  skipSpace(scanner);
  return seen == (DESCR | ORDER | SHAPE) && scanner->at == scanner->end;
}

//===- Types --------------------------------------------------------------===//

typedef struct Descr {
  const char *text; ///< Without the byte order.
  TileElementType type;
  bool onlyIfAsked;
} Descr;

/// What may stand in a file for each type; the first entry of a type is what is written.
static const Descr descrs[] = {
    {"b1", TILE_ELEMENT_I1, false},      {"i1", TILE_ELEMENT_I8, false},
    {"u1", TILE_ELEMENT_I8, false},      {"i2", TILE_ELEMENT_I16, false},
    {"u2", TILE_ELEMENT_I16, false},     {"i4", TILE_ELEMENT_I32, false},
    {"u4", TILE_ELEMENT_I32, false},     {"i8", TILE_ELEMENT_I64, false},
    {"u8", TILE_ELEMENT_I64, false},     {"f2", TILE_ELEMENT_F16, false},
    {"f4", TILE_ELEMENT_F32, false},     {"f8", TILE_ELEMENT_F64, false},
    {"V2", TILE_ELEMENT_BF16, false},    {"u2", TILE_ELEMENT_BF16, true},
    {"V1", TILE_ELEMENT_F8E4M3FN, true}, {"u1", TILE_ELEMENT_F8E4M3FN, true},
    {"V1", TILE_ELEMENT_F8E5M2, true},   {"u1", TILE_ELEMENT_F8E5M2, true},
};
enum { DESCR_COUNT = sizeof descrs / sizeof *descrs };

static char getByteOrder(const Descr *descr) {
  return tileElementGetSize(descr->type) == 1 ? '|' : '<';
}

static const Descr *getWrittenDescr(TileElementType type) {
  for (int i = 0; i < DESCR_COUNT; ++i)
    if (descrs[i].type == type) return &descrs[i];
  return &descrs[0];
}

static bool resolveType(const Reader *reader, const Header *header, const TileElementType *asked,
                        TileElementType *type) {
  const char *order = header->descr, *text = header->descr + 1;
  bool ambiguous = false;
  for (int i = 0; i < DESCR_COUNT && *order; ++i) {
    const Descr *descr = &descrs[i];
    bool raw = text[0] == 'V';
    bool orderFits = *order == '<' || (*order == '|' && (text[1] == '1' || raw));
    if (!orderFits || strcmp(text, descr->text) != 0) continue;
    ambiguous |= !asked && descr->onlyIfAsked;
    if (asked ? descr->type != *asked : descr->onlyIfAsked) continue;
    *type = descr->type;
    return true;
  }
  if (asked) {
    const Descr *wanted = getWrittenDescr(*asked);
    return tileErrorSet(reader->error, "expected elements of type %s ('%c%s') in '%s', found '%s'",
                        tileElementGetName(*asked), getByteOrder(wanted), wanted->text,
                        reader->path, header->descr);
  }
  if (ambiguous)
    return tileErrorSet(reader->error,
                        "expected an element type to read '%s' as, found only raw '%s' "
                        "(f8E4M3FN or f8E5M2)",
                        reader->path, header->descr);
  return tileErrorSet(reader->error,
                      "expected a little-endian bool, integer, float or raw bf16 type in '%s', "
                      "found '%s'",
                      reader->path, header->descr);
}

//===- Reading ------------------------------------------------------------===//

/// Reads the preamble: magic, version, and the length of the dict's text.
static bool readPreamble(const Reader *reader, uint64_t *offset, uint32_t *length) {
  unsigned char bytes[MAGIC_BYTES + 6];
  size_t got = fread(bytes, 1, MAGIC_BYTES + 4, reader->file);
  if (got < MAGIC_BYTES || memcmp(bytes, magic, MAGIC_BYTES) != 0)
    return tileErrorSet(reader->error, "expected a .npy file, found '%s' without its magic string",
                        reader->path);
  unsigned major = got > MAGIC_BYTES ? bytes[MAGIC_BYTES] : 0;
  if (got >= MAGIC_BYTES + 2 && (major < 1 || major > 3 || bytes[MAGIC_BYTES + 1]))
    return tileErrorSet(reader->error, "expected .npy version 1.0, 2.0 or 3.0 in '%s', found %u.%u",
                        reader->path, major, bytes[MAGIC_BYTES + 1]);
  const unsigned char *at = bytes + MAGIC_BYTES + 2;
  size_t wanted = major == 1 ? MAGIC_BYTES + 4 : MAGIC_BYTES + 6;
  if (got == MAGIC_BYTES + 4 && wanted > got && !feof(reader->file))
    got += fread(bytes + got, 1, 2, reader->file);
  if (got < wanted)
    return tileErrorSet(reader->error, "expected a .npy header in '%s', found %zu bytes in all",
                        reader->path, got);
  *length = at[0] | (uint32_t)at[1] << 8;
  if (major > 1) *length |= (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
  *offset = wanted;
  if (*length <= MAX_HEADER && *length <= reader->fileBytes - wanted) return true;
  return tileErrorSet(reader->error,
                      "expected a .npy header of at most %" PRIu64 " bytes in '%s', found one of "
                      "%" PRIu32,
                      reader->fileBytes - wanted < MAX_HEADER ? reader->fileBytes - wanted
                                                              : (uint64_t)MAX_HEADER,
                      reader->path, *length);
}

static bool readHeader(const Reader *reader, Header *header) {
  uint64_t offset = 0;
  uint32_t length = 0;
  if (!readPreamble(reader, &offset, &length)) return false;
  char *text = tileRuntimeAlloc(length + (size_t)1);
  bool whole = fread(text, 1, length, reader->file) == length;
  Scanner scanner = {text, text + length};
  bool parsed = whole && scanDict(&scanner, header);
  if (!parsed)
    tileErrorSet(reader->error,
                 "expected a header {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} in "
                 "'%s', found something else at byte %" PRIu64,
                 reader->path, offset + (uint64_t)(scanner.at - text));
  free(text);
  header->dataOffset = offset + length;
  header->dataBytes = reader->fileBytes - header->dataOffset;
  return parsed;
}

static void formatShape(char *text, size_t bytes, unsigned rank, const int64_t *shape) {
  int used = snprintf(text, bytes, "(");
  for (unsigned i = 0; i < rank; ++i)
    used += snprintf(text + used, bytes - (size_t)used, "%s%" PRId64, i ? ", " : "", shape[i]);
  snprintf(text + used, bytes - (size_t)used, rank == 1 ? ",)" : ")");
}

/// Checks the order, and that shape and type need exactly the bytes that follow the header.
static bool checkData(const Reader *reader, const Header *header, TileElementType type) {
  uint64_t bytes = tileElementGetSize(type);
  bool fits = true, empty = false;
  for (unsigned i = 0; i < header->rank; ++i) {
    empty |= header->shape[i] == 0;
    if (header->shape[i] && fits)
      fits = !__builtin_mul_overflow(bytes, (uint64_t)header->shape[i], &bytes);
  }
  if (empty) bytes = 0;
  int64_t extents = 1;
  for (unsigned i = 0; i < header->rank; ++i) extents += header->shape[i] > 1;
  if (header->fortranOrder && extents > 2 && !empty)
    return tileErrorSet(reader->error,
                        "expected C order (fortran_order False) in '%s', found fortran_order True",
                        reader->path);
  if ((fits || empty) && bytes == header->dataBytes) return true;
  char shape[TEXT_BYTES];
  formatShape(shape, sizeof shape, header->rank, header->shape);
  if (!fits && !empty)
    return tileErrorSet(reader->error,
                        "expected a shape that fits in the address space in '%s', found %s",
                        reader->path, shape);
  return tileErrorSet(reader->error,
                      "expected %" PRIu64
                      " bytes of data for shape %s of %s in '%s', found %" PRIu64,
                      bytes, shape, tileElementGetName(type), reader->path, header->dataBytes);
}

static bool readData(const Reader *reader, TileArray *array) {
  errno = 0;
  if (fread(array->host, 1, array->bytes, reader->file) != array->bytes)
    return tileFileFail("read", reader->path, reader->error);
  // Any byte but 0 is true in numpy; the compiled code counts on 0 and 1.
  if (array->type == TILE_ELEMENT_I1) {
    unsigned char *bytes = array->host;
    for (size_t i = 0; i < array->bytes; ++i) bytes[i] = bytes[i] != 0;
  }
  tileArrayMarkHostWritten(array);
  return true;
}

static bool readChecked(Reader *reader, const TileElementType *asked, Header *header,
                        TileElementType *type) {
  reader->file = tileFileOpen(reader->path, &reader->fileBytes, reader->error);
  return reader->file && readHeader(reader, header) && resolveType(reader, header, asked, type) &&
         checkData(reader, header, *type);
}

TileArray *tileNpyRead(const char *path, const TileElementType *type, TileError *error) {
  Reader reader = {.path = path, .error = error};
  Header header = {0};
  TileElementType found = TILE_ELEMENT_I1;
  TileArray *array = NULL;
  if (readChecked(&reader, type, &header, &found))
    array = tileArrayCreate(found, header.rank, header.shape, error);
  if (array && !readData(&reader, array)) {
    tileArrayDestroy(array);
    array = NULL;
  }
  if (reader.file) fclose(reader.file);
  return array;
}

//===- Writing ------------------------------------------------------------===//

/// The whole header of version 1.0; its length is a multiple of ALIGNMENT.
static size_t formatHeader(const TileArray *array, char text[2 * TEXT_BYTES]) {
  char shape[TEXT_BYTES];
  formatShape(shape, sizeof shape, array->rank, array->shape);
  const Descr *descr = getWrittenDescr(array->type);
  memcpy(text, magic, MAGIC_BYTES);
  text[MAGIC_BYTES] = 1;
  text[MAGIC_BYTES + 1] = 0;
  size_t start = MAGIC_BYTES + 4;
  int length = snprintf(text + start, 2 * TEXT_BYTES - start,
                        "{'descr': '%c%s', 'fortran_order': False, 'shape': %s, }",
                        getByteOrder(descr), descr->text, shape);
  size_t used = start + (size_t)length;
  size_t total = (used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  memset(text + used, ' ', total - used);
  text[total - 1] = '\n';
  text[MAGIC_BYTES + 2] = (char)((total - start) & 0xff);
  text[MAGIC_BYTES + 3] = (char)((total - start) >> 8);
  return total;
}

static bool writeAll(FILE *file, const void *data) {
  const TileArray *array = data;
  char header[2 * TEXT_BYTES];
  size_t length = formatHeader(array, header);
  return fwrite(header, 1, length, file) == length &&
         fwrite(array->host, 1, array->bytes, file) == array->bytes;
}

bool tileNpyWrite(const char *path, TileArray *array, TileError *error) {
  return tileArrayToHost(array, error) && tileFileReplace(path, writeAll, array, error);
}
