//===- LaunchLog.c - what a launch printed, and where it failed -----------===//
#include "tile/Runtime/LaunchLog.h"
#include "tile/Runtime/Array.h"
#include "tile/Text.h"
#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/// One line or more of one program.
typedef struct Entry {
  int32_t program[3];
  size_t order; ///< among those of its program
  char *text;
} Entry;

struct TileConsole {
  pthread_mutex_t mutex;
  bool quiet;
  Entry *entries;
  size_t count, capacity;
  /// Bytes of records that found no room on the device.
  uint64_t lost;
  /// Records that found no memory here.
  uint64_t dropped;
  /// The failed assert of the first program that has one; NULL: none failed.
  char *site;
  int32_t program[3];
  int64_t index;
};

TileConsole *tileConsoleCreate(void) {
  TileConsole *console = tileRuntimeAlloc(sizeof *console);
  pthread_mutex_init(&console->mutex, NULL);
  return console;
}

static void clear(TileConsole *console) {
  for (size_t i = 0; i < console->count; ++i) free(console->entries[i].text);
  free(console->site);
  console->site = NULL;
  console->count = 0;
  console->lost = console->dropped = 0;
}

void tileConsoleDestroy(TileConsole *console) {
  if (!console) return;
  clear(console);
  pthread_mutex_destroy(&console->mutex);
  free(console->entries);
  free(console);
}

void tileConsoleSetQuiet(TileConsole *console, bool quiet) { console->quiet = quiet; }

//===- sites --------------------------------------------------------------===//

enum { FIELD_KIND, FIELD_FILE, FIELD_LINE, FIELD_COLUMN, FIELD_TEXT, FIELD_TYPES };
/// Of a program, as launches have them at most.
enum { MAX_THREADS = 1024 };

/// Field `i` of a description, up to the separator or the end; NULL when there is none.
static const char *getField(const char *site, int i, int *length) {
  *length = 0;
  for (; i; --i) {
    site = strchr(site, TILE_CONSOLE_SEPARATOR);
    if (!site) return NULL;
    ++site;
  }
  const char *end = strchr(site, TILE_CONSOLE_SEPARATOR);
  *length = (int)(end ? end - site : (ptrdiff_t)strlen(site));
  return site;
}

/// A printed value's type.
typedef struct Type {
  TileElementType element;
  bool pointer;
  TileConsoleValue value;
} Type;

/// "4x8xf32"; false past the last.
static bool getType(const char *site, int i, Type *type) {
  int length, rank = 0;
  const char *text = getField(site, FIELD_TYPES + i, &length);
  if (!text) return false;
  const char *end = text + length;
  int64_t shape[TILE_CONSOLE_MAX_RANK] = {0};
  while (*text >= '0' && *text <= '9' && rank < TILE_CONSOLE_MAX_RANK) {
    char *after;
    shape[rank++] = strtoll(text, &after, 10);
    text = after + 1; // the x
  }
  *type = (Type){.element = TILE_ELEMENT_I64, .pointer = !strncmp(text, "ptr", 3)};
  if (!type->pointer && !tileElementParse(text, (size_t)(end - text), &type->element)) return false;
  type->value = tileConsoleValue(rank, shape, (int)tileElementGetSize(type->element));
  return true;
}

//===- records ------------------------------------------------------------===//

/// The order in which programs are counted.
static int comparePrograms(const int32_t a[3], const int32_t b[3]) {
  for (int i = 3; i-- > 0;)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

static int compareEntries(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  int order = comparePrograms(x->program, y->program);
  return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

/// Takes `text`.
static void addEntry(TileConsole *console, const int32_t program[3], char *text) {
  pthread_mutex_lock(&console->mutex);
  if (console->count == console->capacity) {
    console->capacity = console->capacity ? 2 * console->capacity : 64;
    Entry *grown = tileRuntimeAlloc(console->capacity * sizeof *grown);
    if (console->count) memcpy(grown, console->entries, console->count * sizeof *grown);
    free(console->entries);
    console->entries = grown;
  }
  // Records of one program come in its order, between those of others.
  Entry entry = {{program[0], program[1], program[2]}, console->count, text};
  console->entries[console->count++] = entry;
  pthread_mutex_unlock(&console->mutex);
}

static void addFailure(TileConsole *console, const char *site, const int32_t program[3],
                       int64_t index) {
  pthread_mutex_lock(&console->mutex);
  int order = console->site ? comparePrograms(program, console->program) : -1;
  if (order < 0 || (order == 0 && index < console->index)) {
    free(console->site);
    console->site = tileRuntimeCopy(site, strlen(site));
    memcpy(console->program, program, sizeof console->program);
    console->index = index;
  }
  pthread_mutex_unlock(&console->mutex);
}

static void printStart(FILE *stream, const char *site, const int32_t program[3]) {
  int length;
  const char *text = getField(site, FIELD_TEXT, &length);
  fprintf(stream, "pid (%" PRId32 ", %" PRId32 ", %" PRId32 ") ", program[0], program[1],
          program[2]);
  tileTextPrintEscaped(stream, text, (size_t)length, /*lines=*/false);
}

/// One value; `data` with rows of `row` elements in memory.
static void printValue(FILE *stream, const Type *type, const void *data, int64_t row) {
  TileArray view = {.type = type->element,
                    .rank = (unsigned)type->value.rank,
                    .count = 1,
                    .host = (void *)(uintptr_t)data,
                    .hostValid = true};
  int64_t stride = 1;
  for (unsigned d = view.rank; d-- > 0;) {
    view.shape[d] = type->value.shape[d];
    view.strides[d] = stride;
    stride = d + 1 == view.rank && row > 1 ? row : stride * view.shape[d];
    view.count *= view.shape[d];
  }
  fputs(view.rank > 1 ? ":\n" : ": ", stream);
  tileArrayPrintValues(stream, &view, TILE_CONSOLE_FULL, TILE_CONSOLE_EDGE, type->pointer);
  fputc('\n', stream);
}

//===- an element a line --------------------------------------------------===//

/// How the site wants value `i` an element a line, 'i', 'u' or 'x' (of floats all of their bits, as
/// %a has them); 0: as a whole.
static char elementsOf(const char *site, int i) {
  int length;
  const char *kind = getField(site, FIELD_KIND, &length);
  const char *blank = memchr(kind, ' ', (size_t)length);
  return blank && blank + 1 + i < kind + length ? blank[1 + i] : 0;
}

/// How often the site prints what is no tile: a thread of the program each.
static int64_t threadsOf(const char *site) {
  int length;
  const char *kind = getField(site, FIELD_KIND, &length), *end = kind + length;
  const char *blank = memchr(kind, ' ', (size_t)length);
  if (blank) blank = memchr(blank + 1, ' ', (size_t)(end - blank - 1));
  int64_t threads = blank ? strtoll(blank + 1, NULL, 10) : 1;
  return threads < 1 || threads > MAX_THREADS ? 1 : threads;
}

static void printElement(FILE *stream, const Type *type, char letter, const void *element) {
  uint64_t bits = 0;
  size_t size = tileElementGetSize(type->element);
  memcpy(&bits, element, size);
  if (type->pointer)
    fprintf(stream, "0x%016" PRIx64, bits);
  else if (!tileElementIsInteger(type->element))
    fprintf(stream, letter == 'x' ? "%a" : "%f", tileElementToDouble(type->element, element));
  else if (letter == 'x')
    fprintf(stream, "0x%0*" PRIx64, (int)(2 * size), bits);
  else if (letter == 'u' || type->element == TILE_ELEMENT_I1)
    fprintf(stream, "%" PRIu64, bits);
  else
    fprintf(stream, "%" PRId64, tileElementToInteger(type->element, element));
}

/// " idx ( 3, 17) ", as wide as the last index of each dimension.
static void printIndex(FILE *stream, const TileConsoleValue *value, const int64_t *at) {
  fputs("idx (", stream);
  for (int d = 0; d < value->rank; ++d) {
    int width = snprintf(NULL, 0, "%" PRId64, value->shape[d] - 1);
    fprintf(stream, "%s%*" PRId64, d ? ", " : "", width, at[d]);
  }
  fputc(')', stream);
}

/// A value's elements, each on a line as Triton has it; `operand` is its number, -1 where there is
/// no other.
static void printElements(FILE *stream, const char *site, const int32_t program[3],
                          const Type *type, int operand, char letter, const void *data,
                          int64_t row) {
  const TileConsoleValue *value = &type->value;
  int64_t at[TILE_CONSOLE_MAX_RANK] = {0}, strides[TILE_CONSOLE_MAX_RANK], count = 1, stride = 1;
  for (int d = value->rank; d-- > 0; count *= value->shape[d]) {
    strides[d] = stride;
    stride = d + 1 == value->rank && row > 1 ? row : stride * value->shape[d];
  }
  int length;
  const char *text = getField(site, FIELD_TEXT, &length);
  if (!value->rank) count = threadsOf(site);
  for (int64_t i = 0; i < count; ++i) {
    int64_t offset = 0;
    for (int d = 0; d < value->rank; ++d) offset += at[d] * strides[d];
    fprintf(stream, "pid (%" PRId32 ", %" PRId32 ", %" PRId32 ") ", program[0], program[1],
            program[2]);
    printIndex(stream, value, at);
    if (length) fputc(' ', stream);
    tileTextPrintEscaped(stream, text, (size_t)length, /*lines=*/false);
    fputs(": ", stream);
    if (operand >= 0) fprintf(stream, "(operand %d) ", operand);
    size_t size = tileElementGetSize(type->element);
    printElement(stream, type, letter, (const char *)data + (size_t)offset * size);
    fputc('\n', stream);
    for (int d = value->rank; d-- > 0 && ++at[d] == value->shape[d];) at[d] = 0;
  }
}

static int64_t countOf(const Type *type) {
  int64_t count = 1;
  for (int d = 0; d < type->value.rank; ++d) count *= type->value.shape[d];
  return count;
}

/// Records the values of one print, of which large ones have all elements where `whole`; `next`
/// gives the data of value i and the length of its rows.
typedef const void *(*NextValue)(void *context, int i, const Type *type, int64_t *row);
static void addPrint(TileConsole *console, const char *site, const int32_t program[3],
                     NextValue next, void *context, bool whole) {
  if (console->quiet) return;
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  Type type;
  int count = 0;
  for (; stream && getType(site, count, &type); ++count) {
    int64_t row = 1;
    const void *data = next(context, count, &type, &row);
    char letter = elementsOf(site, count);
    Type other;
    bool alone = !count && !getType(site, 1, &other);
    if (letter && (whole || countOf(&type) <= TILE_CONSOLE_FULL)) {
      printElements(stream, site, program, &type, alone ? -1 : count, letter, data, row);
      continue;
    }
    printStart(stream, site, program);
    printValue(stream, &type, data, row);
  }
  for (int64_t i = stream && !count ? threadsOf(site) : 0; i > 0; --i) {
    printStart(stream, site, program);
    fputc('\n', stream);
  }
  bool failed = !stream || ferror(stream);
  failed |= stream && fclose(stream);
  if (!failed) {
    addEntry(console, program, text);
    return;
  }
  free(text);
  pthread_mutex_lock(&console->mutex);
  ++console->dropped;
  pthread_mutex_unlock(&console->mutex);
}

//===- out ----------------------------------------------------------------===//

/// " at [3, 5]"; nothing for a condition that is no tile.
static void describeIndex(char *text, size_t size, const char *site, int64_t index) {
  Type type;
  text[0] = 0;
  if (!getType(site, 0, &type) || !type.value.rank) return;
  int64_t at[TILE_CONSOLE_MAX_RANK];
  for (int d = type.value.rank; d-- > 0; index /= type.value.shape[d])
    at[d] = index % type.value.shape[d];
  size_t used = (size_t)snprintf(text, size, " at [");
  for (int d = 0; d < type.value.rank && used < size; ++d)
    used += (size_t)snprintf(text + used, size - used, d ? ", %" PRId64 : "%" PRId64, at[d]);
  if (used < size) snprintf(text + used, size - used, "]");
}

static bool reportFailure(const TileConsole *console, TileConsolePlace *place, TileError *error) {
  int length, lineLength;
  char index[192];
  describeIndex(index, sizeof index, console->site, console->index);
  const char *file = getField(console->site, FIELD_FILE, &length);
  const char *line = getField(console->site, FIELD_LINE, &lineLength);
  const char *column = getField(console->site, FIELD_COLUMN, &lineLength);
  place->file = tileRuntimeCopy(file, (size_t)length);
  place->line = (unsigned)strtoul(line, NULL, 10);
  place->column = (unsigned)strtoul(column, NULL, 10);
  const char *text = getField(console->site, FIELD_TEXT, &length);
  char *shown = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&shown, &size);
  if (!stream) return tileErrorSet(error, "expected an assertion to hold, found it false");
  tileTextPrintEscaped(stream, text, (size_t)length, /*lines=*/false);
  fclose(stream);
  tileErrorSet(error,
               "expected assertion \"%s\" to hold, found it false in program (%" PRId32 ", %" PRId32
               ", %" PRId32 ")%s",
               shown, console->program[0], console->program[1], console->program[2], index);
  free(shown);
  return false;
}

bool tileConsoleFlush(TileConsole *console, FILE *stream, TileConsolePlace *place,
                      TileError *error) {
  if (console->count)
    qsort(console->entries, console->count, sizeof *console->entries, compareEntries);
  for (size_t i = 0; i < console->count; ++i) fputs(console->entries[i].text, stream);
  if (console->lost)
    fprintf(stream, "... and %" PRIu64 " bytes more, for which the device had no room (%d KiB)\n",
            console->lost, TILE_CONSOLE_BYTES / 1024);
  if (console->dropped)
    fprintf(stream, "... and %" PRIu64 " prints more, for which there was no memory\n",
            console->dropped);
  fflush(stream);
  bool ok = !console->site || reportFailure(console, place, error);
  clear(console);
  return ok;
}

//===- on the CPU ---------------------------------------------------------===//

/// The program that this thread runs, and where it goes when an assert fails.
static _Thread_local struct {
  TileConsole *console;
  jmp_buf end;
} running;

void tileConsoleRunProgram(const void *call, int32_t x, int32_t y, int32_t z, int32_t nx,
                           int32_t ny, int32_t nz) {
  const TileConsoleCall *c = call;
  running.console = c->console;
  // Between here and the jump is only compiled code, which has nothing to clean up.
  if (!setjmp(running.end)) c->kernel(c->args, x, y, z, nx, ny, nz);
}

static const void *nextOnCpu(void *context, int i, const Type *type, int64_t *row) {
  (void)type;
  const int64_t *values = context;
  *row = values[2 * i + 1];
  return (const void *)(intptr_t)values[2 * i];
}

void tileConsolePrint(const char *site, int32_t x, int32_t y, int32_t z, const int64_t *values) {
  const int32_t program[3] = {x, y, z};
  addPrint(running.console, site, program, nextOnCpu, (void *)(uintptr_t)values, true);
}

_Noreturn void tileConsoleFail(const char *site, int32_t x, int32_t y, int32_t z,
                               const uint8_t *lanes, int64_t count, int64_t first) {
  const int32_t program[3] = {x, y, z};
  int64_t i = 0;
  while (i + 1 < count && lanes[i]) ++i;
  addFailure(running.console, site, program, first + i);
  longjmp(running.end, 1);
}

//===- on a device --------------------------------------------------------===//

struct TileModuleConsole {
  TileDevice *device;
  TileDevicePtr records, failed;
  char *texts;        ///< descriptions, each with a NUL after it
  const char **sites; ///< in `texts`
  size_t numSites;
};

/// A global's address and size; false where the module has none of that name.
static bool findGlobal(TileModule *module, const char *name, TileDevicePtr *pointer,
                       size_t *bytes) {
  TileError error = TILE_ERROR_INIT;
  bool found = tileModuleGetGlobal(module, name, pointer, bytes, &error);
  tileErrorDestroy(&error);
  return found;
}

static bool readSites(TileModuleConsole *m, TileDevicePtr from, size_t bytes) {
  m->texts = tileRuntimeAlloc(bytes + 1);
  if (!tileDeviceCopyOut(m->device, m->texts, from, bytes, NULL)) return false;
  for (size_t i = 0; i < bytes; ++i) m->numSites += !m->texts[i];
  m->sites = tileRuntimeAlloc((m->numSites + 1) * sizeof *m->sites);
  const char *at = m->texts;
  for (size_t i = 0; i < m->numSites; ++i, at += strlen(at) + 1) m->sites[i] = at;
  return true;
}

TileModuleConsole *tileModuleConsoleOpen(TileModule *module, TileDevice *device) {
  TileDevicePtr sites;
  size_t siteBytes, failedBytes, recordBytes;
  if (!findGlobal(module, TILE_CONSOLE_SITES_GLOBAL, &sites, &siteBytes)) return NULL;
  TileModuleConsole *m = tileRuntimeAlloc(sizeof *m);
  m->device = device;
  if (findGlobal(module, TILE_CONSOLE_FAILED_GLOBAL, &m->failed, &failedBytes) &&
      findGlobal(module, TILE_CONSOLE_GLOBAL, &m->records, &recordBytes) &&
      readSites(m, sites, siteBytes) && failedBytes >= m->numSites * sizeof(uint64_t) &&
      recordBytes >= TILE_CONSOLE_HEADER + TILE_CONSOLE_BYTES)
    return m;
  tileModuleConsoleClose(m);
  return NULL;
}

void tileModuleConsoleClose(TileModuleConsole *module) {
  if (!module) return;
  free(module->sites);
  free(module->texts);
  free(module);
}

/// The values of one record.
typedef struct Record {
  const char *at; ///< the next value
  char *whole;    ///< the last one with room for the elements that are not shown
} Record;

/// The elements of dimension `d` on, from a record's to those of a whole tile.
static void spread(const Type *type, int d, size_t bytes, const char *from, char *to,
                   int64_t toStride) {
  const TileConsoleValue *v = &type->value;
  if (d == v->rank) {
    memcpy(to, from, bytes);
    return;
  }
  int64_t stride = toStride / v->shape[d], skipped = v->shape[d] - v->shown[d];
  for (int64_t i = 0; i < v->shown[d]; ++i) {
    int64_t at = i < TILE_CONSOLE_EDGE ? i : i + skipped;
    spread(type, d + 1, bytes, from + (size_t)(i * v->strides[d]) * bytes,
           to + (size_t)(at * stride) * bytes, stride);
  }
}

static const void *nextInRecord(void *context, int i, const Type *type, int64_t *row) {
  (void)i;
  (void)row; // lies without gaps
  Record *record = context;
  int64_t count = 1;
  for (int d = 0; d < type->value.rank; ++d) count *= type->value.shape[d];
  size_t bytes = tileElementGetSize(type->element);
  free(record->whole);
  record->whole = tileRuntimeAlloc((size_t)count * bytes);
  spread(type, 0, bytes, record->at, record->whole, count);
  record->at += type->value.bytes;
  return record->whole;
}

static int64_t recordBytes(const char *site) {
  int64_t bytes = TILE_CONSOLE_RECORD;
  Type type;
  for (int i = 0; getType(site, i, &type); ++i) bytes += type.value.bytes;
  return bytes;
}

static void readRecords(TileModuleConsole *m, const char *data, uint64_t used,
                        TileConsole *console) {
  uint64_t at = 0;
  while (at + TILE_CONSOLE_RECORD <= used && at + TILE_CONSOLE_RECORD <= TILE_CONSOLE_BYTES) {
    int32_t header[4];
    memcpy(header, data + at, sizeof header);
    if (header[0] < 0 || (size_t)header[0] >= m->numSites) break;
    const char *site = m->sites[header[0]];
    uint64_t bytes = (uint64_t)recordBytes(site);
    if (bytes > TILE_CONSOLE_BYTES - at) break;
    Record record = {.at = data + at + TILE_CONSOLE_RECORD};
    addPrint(console, site, header + 1, nextInRecord, &record, false);
    free(record.whole);
    at += bytes;
  }
  if (!console->quiet) console->lost += used - at;
}

static void readFailures(TileModuleConsole *m, const uint64_t *failed, const int32_t grid[3],
                         TileConsole *console) {
  for (size_t i = 0; i < m->numSites; ++i) {
    if (!failed[i]) continue;
    const uint64_t indices = UINT64_C(1) << TILE_CONSOLE_INDEX_BITS;
    int64_t number = (INT64_C(1) << TILE_CONSOLE_PROGRAM_BITS) - 1 -
                     (int64_t)(failed[i] >> TILE_CONSOLE_INDEX_BITS);
    int64_t index = (int64_t)(indices / 2 - failed[i] % indices);
    int32_t program[3] = {(int32_t)(number % grid[0]), (int32_t)(number / grid[0] % grid[1]),
                          (int32_t)(number / grid[0] / grid[1])};
    addFailure(console, m->sites[i], program, index);
  }
}

bool tileModuleConsoleRead(TileModuleConsole *m, const int32_t grid[3], TileConsole *console,
                           TileError *error) {
  uint64_t used;
  size_t failedBytes = m->numSites * sizeof(uint64_t);
  uint64_t *failed = tileRuntimeAlloc(failedBytes);
  bool ok = tileDeviceCopyOut(m->device, &used, m->records, sizeof used, error) &&
            tileDeviceCopyOut(m->device, failed, m->failed, failedBytes, error);
  if (ok && used) {
    size_t kept = used < TILE_CONSOLE_BYTES ? (size_t)used : TILE_CONSOLE_BYTES;
    // What a record that was cut off would have had stays 0 in here.
    char *data = tileRuntimeAlloc(TILE_CONSOLE_BYTES);
    ok = tileDeviceCopyOut(m->device, data, m->records + TILE_CONSOLE_HEADER, kept, error);
    if (ok) readRecords(m, data, used, console);
    free(data);
  }
  if (ok) readFailures(m, failed, grid, console);
  free(failed);
  return ok && tileDeviceSet(m->device, m->records, 0, TILE_CONSOLE_HEADER, NULL, error) &&
         tileDeviceSet(m->device, m->failed, 0, failedBytes, NULL, error);
}
