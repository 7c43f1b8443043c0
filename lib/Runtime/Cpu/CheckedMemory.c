//===- CheckedMemory.c - shadow memory and findings -----------------------===//
#include "tile/Runtime/Check.h"
#include "tile/Support/Hash.h"
#include <stdlib.h>
#include <string.h>

/// Flags of an element.
enum { WRITTEN = 1, SHARED = 2, SAME = 4 };

/// A reader that stands for several.
static const uint32_t several = UINT32_MAX;

/// What is known of an array, element by element.
typedef struct Shadow {
  TileArray *array;
  size_t elementBytes;
  uint8_t *flags;
  /// The program that stored last in launch `launch`, plus one; NULL before any did.
  uint32_t *writers;
  uint64_t launch;
  /// The execution of a store that stored last, in that launch; made with `writers`.
  uint32_t *stores;
  /// The execution of the last atomic, but for relaxed ones; NULL before any.
  uint32_t *meetings;
  /// The program that loaded in launch `readLaunch`, plus one; NULL before any did.
  uint32_t *readers;
  uint64_t readLaunch;
  /// Where a launch first stored into it; and whether that was ever other than atomic.
  bool stored, plain;
  int kernel, site, argument;
  UT_hash_handle hh;
} Shadow;

struct TileChecker {
  TileCheckerOptions options;
  TileCheckerTotals totals;
  Shadow *shadows;

  int kernel;
  const TileCheckSite *sites;
  /// The arguments' shadows, NULL for numbers, and the elements that they point to.
  Shadow **arguments;
  int64_t *starts;
  size_t numArguments;
  int32_t grid[3], program[3];
  /// The program's number in the grid, plus one.
  uint32_t number;

  /// The launch has atomics, by which programs may wait for each other.
  bool synchronises;

  /// The first execution of this program's, and the one before which all that programs before it
  /// did is known to be done: their latest atomic where this one has had an atomic by now. A lock
  /// hands on what it guards like this, and a counter what the last one to come reads.
  uint32_t began, ordered;

  /// The number of this execution of an op; never 0 but after 2^32 of them.
  uint32_t execution;
  /// What this execution of an op has found so far, by kind.
  TileFinding pending[TILE_FINDING_KINDS];
  bool anyPending;
};

TileChecker *tileCheckerCreate(const TileCheckerOptions *options) {
  TileChecker *c = tileRuntimeAlloc(sizeof *c);
  c->options = *options;
  c->execution = 1;
  return c;
}

void tileCheckerForgetArrays(TileChecker *c) {
  Shadow *shadow, *next;
  HASH_ITER(hh, c->shadows, shadow, next) {
    HASH_DEL(c->shadows, shadow);
    free(shadow->flags);
    free(shadow->writers);
    free(shadow->stores);
    free(shadow->meetings);
    free(shadow->readers);
    free(shadow);
  }
}

void tileCheckerDestroy(TileChecker *c) {
  if (!c) return;
  tileCheckerForgetArrays(c);
  free(c->arguments);
  free(c->starts);
  free(c);
}

TileCheckerTotals tileCheckerGetTotals(const TileChecker *c) { return c->totals; }

//===- shadows ------------------------------------------------------------===//

static Shadow *shadowOf(TileChecker *c, TileArray *array) {
  Shadow *shadow;
  HASH_FIND_PTR(c->shadows, &array, shadow);
  if (shadow) return shadow;
  shadow = tileRuntimeAlloc(sizeof *shadow);
  shadow->array = array;
  shadow->elementBytes = tileElementGetSize(array->type);
  shadow->flags = tileRuntimeAlloc((size_t)array->count + 1);
  HASH_ADD_PTR(c->shadows, array, shadow);
  return shadow;
}

void tileCheckerMarkWritten(TileChecker *c, TileArray *array) {
  Shadow *shadow = shadowOf(c, array);
  for (int64_t i = 0; i < array->count; ++i) shadow->flags[i] |= WRITTEN;
}

void tileCheckerBeginLaunch(TileChecker *c, int kernel, const TileCheckSite *sites,
                            size_t numArguments, TileArray *const *arrays, const uint64_t *slots,
                            const int32_t grid[3]) {
  c->kernel = kernel;
  c->sites = sites;
  memcpy(c->grid, grid, sizeof c->grid);
  free(c->arguments);
  free(c->starts);
  c->arguments = tileRuntimeAlloc((numArguments + 1) * sizeof *c->arguments);
  c->starts = tileRuntimeAlloc((numArguments + 1) * sizeof *c->starts);
  c->numArguments = numArguments;
  for (size_t i = 0; i < numArguments; ++i) {
    if (!arrays[i]) continue;
    c->arguments[i] = shadowOf(c, arrays[i]);
    c->starts[i] =
        (int64_t)(slots[i] - (uintptr_t)arrays[i]->host) / (int64_t)c->arguments[i]->elementBytes;
  }
  c->synchronises = false;
  ++c->totals.launches;
}

/// Nobody has stored into it in this launch yet: who did before is forgotten.
static void beginStores(TileChecker *c, Shadow *shadow, int site) {
  size_t bytes = ((size_t)shadow->array->count + 1) * sizeof *shadow->writers;
  if (!shadow->writers) {
    shadow->writers = tileRuntimeAlloc(bytes);
    shadow->stores = tileRuntimeAlloc(bytes);
  } else {
    memset(shadow->writers, 0, bytes);
    memset(shadow->stores, 0, bytes);
  }
  shadow->launch = c->totals.launches;
  if (shadow->stored) return;
  shadow->stored = true;
  shadow->kernel = c->kernel;
  shadow->site = site;
  shadow->argument = -1;
  for (size_t i = 0; i < c->numArguments && shadow->argument < 0; ++i)
    if (c->arguments[i] == shadow) shadow->argument = (int)i;
}

//===- findings -----------------------------------------------------------===//

typedef struct Lane {
  int64_t indices[TILE_CHECK_MAX_RANK];
} Lane;

static Lane laneAt(const TileCheckSite *site, const int64_t *indices, int32_t lane, int32_t i) {
  Lane result = {{0}};
  for (unsigned d = 0; d < site->rank; ++d) result.indices[d] = indices[d];
  if (lane >= 0) result.indices[lane] += i;
  return result;
}

/// Adds a lane to what is pending; the finding, if it is the first lane of its kind.
static TileFinding *addLane(TileChecker *c, TileFindingKind kind, int32_t site, Lane lane) {
  TileFinding *f = &c->pending[kind];
  memcpy(f->last, lane.indices, sizeof f->last);
  c->anyPending = true;
  if (f->lanes++) return NULL;
  memcpy(f->first, lane.indices, sizeof f->first);
  memcpy(f->program, c->program, sizeof f->program);
  f->kind = kind;
  f->kernel = c->kernel;
  f->site = site;
  f->argument = -1;
  return f;
}

void tileCheckFlush(TileChecker *c, int32_t site) {
  (void)site;
  ++c->execution;
  if (!c->anyPending) return;
  c->anyPending = false;
  for (int kind = 0; kind < TILE_FINDING_KINDS; ++kind) {
    TileFinding *f = &c->pending[kind];
    if (!f->lanes) continue;
    ++c->totals.findings[kind];
    c->options.finding(c->options.data, f);
    *f = (TileFinding){0};
  }
}

//===- accesses -----------------------------------------------------------===//

/// One lane's access: bytes `offset` .. of an array.
typedef struct Access {
  Shadow *shadow;
  int argument;
  int64_t offset, element;
} Access;

static int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/// Where a pointer points; false when that is no element of the array it must be in.
static bool locate(TileChecker *c, const TileCheckSite *site, const char *pointer, Access *access) {
  int argument = site->argument;
  bool known = argument >= 0 && (size_t)argument < c->numArguments;
  access->argument = known ? argument : -1;
  access->shadow = known ? c->arguments[argument] : NULL;
  if (!known) {
    TileArray *array = tileArrayFind(pointer);
    if (array) access->shadow = shadowOf(c, array);
    for (size_t i = 0; i < c->numArguments && array && access->argument < 0; ++i)
      if (c->arguments[i] == access->shadow) access->argument = (int)i;
  }
  if (!access->shadow) return false;
  const TileArray *array = access->shadow->array;
  access->offset = (int64_t)((uintptr_t)pointer - (uintptr_t)array->host);
  access->element = floorDivide(access->offset, (int64_t)access->shadow->elementBytes);
  return access->offset >= 0 &&
         (uint64_t)access->offset + site->elementBytes <= (uint64_t)array->bytes;
}

static void describe(const TileChecker *c, TileFinding *f, const Access *access) {
  if (!f || !access->shadow) return;
  if (access->argument >= 0) f->start = c->starts[access->argument];
  f->array = access->shadow->array;
  f->argument = access->argument;
  f->element = access->element;
}

static void programOf(const TileChecker *c, uint32_t number, int32_t program[3]) {
  uint32_t rest = number - 1;
  for (int d = 0; d < 3; ++d) {
    uint32_t extent = c->grid[d] > 0 ? (uint32_t)c->grid[d] : 1;
    program[d] = (int32_t)(rest % extent);
    rest /= extent;
  }
}

static void foundRace(TileChecker *c, int32_t site, const Access *access, uint32_t other,
                      Lane lane) {
  TileFinding *f = addLane(c, TILE_FINDING_RACE, site, lane);
  describe(c, f, access);
  if (f && other != several)
    programOf(c, other, f->other);
  else if (f)
    f->other[0] = -1;
}

static void noteLoad(TileChecker *c, int32_t site, const Access *access, Lane lane) {
  Shadow *shadow = access->shadow;
  size_t bytes = ((size_t)shadow->array->count + 1) * sizeof *shadow->readers;
  if (!shadow->readers)
    shadow->readers = tileRuntimeAlloc(bytes);
  else if (shadow->readLaunch != c->totals.launches)
    memset(shadow->readers, 0, bytes);
  shadow->readLaunch = c->totals.launches;
  bool stored = shadow->writers && shadow->launch == c->totals.launches;
  uint32_t writer = stored ? shadow->writers[access->element] : 0;
  if (writer && writer != c->number && !c->synchronises) foundRace(c, site, access, writer, lane);
  uint32_t *reader = &shadow->readers[access->element];
  *reader = *reader && *reader != c->number ? several : c->number;
}

/// A store of `bytes` at the access; an element that the kernel takes for another size is compared
/// as a whole.
static void noteStore(TileChecker *c, int32_t site, const Access *access, unsigned bytes,
                      const char *value, Lane lane) {
  Shadow *shadow = access->shadow;
  shadow->plain = true;
  if (shadow->launch != c->totals.launches || !shadow->writers) beginStores(c, shadow, site);
  uint32_t *writer = &shadow->writers[access->element];
  uint8_t *flags = &shadow->flags[access->element];
  const char *memory = (const char *)shadow->array->host + access->offset;
  bool loaded = shadow->readers && shadow->readLaunch == c->totals.launches;
  uint32_t reader = loaded ? shadow->readers[access->element] : 0;
  if (reader && reader != c->number && !c->synchronises) foundRace(c, site, access, reader, lane);
  if (*writer && *writer != c->number && shadow->stores[access->element] >= c->ordered) {
    bool same = !memcmp(memory, value, bytes);
    *flags |= same ? SHARED | SAME : SHARED;
    TileFinding *f = same ? NULL : addLane(c, TILE_FINDING_CONFLICT, site, lane);
    describe(c, f, access);
    if (f) {
      programOf(c, *writer, f->other);
      memcpy(&f->before, memory, bytes);
      memcpy(&f->after, value, bytes);
    }
  }
  *writer = c->number;
  *flags |= WRITTEN;
}

/// Who comes later meets no writer: what is atomic is no conflict.
static void noteAtomic(TileChecker *c, int32_t site, const Access *access) {
  Shadow *shadow = access->shadow;
  if (shadow->launch != c->totals.launches || !shadow->writers) beginStores(c, shadow, site);
  shadow->writers[access->element] = 0;
  shadow->flags[access->element] |= WRITTEN;
  c->synchronises = true;
  if (c->sites[site].kind == TILE_SITE_RELAXED) return;
  if (!shadow->meetings)
    shadow->meetings =
        tileRuntimeAlloc(((size_t)shadow->array->count + 1) * sizeof *shadow->meetings);
  uint32_t *met = &shadow->meetings[access->element];
  if (*met < c->began && *met > c->ordered) c->ordered = *met;
  *met = c->execution;
}

/// What one execution of a store has put into the element before lane `i` of these, NULL for
/// nothing: the value of another lane here, or what is in memory by now.
static const char *storedBefore(const TileChecker *c, const Access *access, unsigned bytes,
                                const char *const *pointers, const uint8_t *mask,
                                const char *values, int32_t i) {
  const Shadow *shadow = access->shadow;
  bool began = shadow->stores && shadow->launch == c->totals.launches;
  // Where the kernel takes elements for others, those that meet need not share a byte.
  if (!began || bytes != shadow->elementBytes || shadow->stores[access->element] != c->execution)
    return NULL;
  for (int32_t j = i; j-- > 0;)
    if (mask[j] && pointers[j] == pointers[i]) return values + (size_t)j * bytes;
  return (const char *)shadow->array->host + access->offset;
}

/// Two lanes of one store meet in an element. Which comes last nobody says, so their values have to
/// be the same.
static void noteMeeting(TileChecker *c, int32_t site, const Access *access, unsigned bytes,
                        const char *before, const char *value, Lane lane) {
  if (before && memcmp(before, value, bytes) != 0) {
    TileFinding *f = addLane(c, TILE_FINDING_MEETING, site, lane);
    describe(c, f, access);
    if (f) {
      memcpy(&f->before, before, bytes);
      memcpy(&f->after, value, bytes);
    }
  }
  access->shadow->stores[access->element] = c->execution;
}

void tileCheckAccess(TileChecker *c, int32_t siteNumber, int32_t lanes, int32_t lane,
                     const char *const *pointers, uint8_t *mask, const void *values,
                     const int64_t *indices) {
  const TileCheckSite *site = &c->sites[siteNumber];
  for (int32_t i = 0; i < lanes; ++i) {
    if (!mask[i]) continue;
    Access access = {0};
    if (!locate(c, site, pointers[i], &access)) {
      Lane at = laneAt(site, indices, lane, i);
      describe(c, addLane(c, TILE_FINDING_BOUNDS, siteNumber, at), &access);
      mask[i] = 0;
      continue;
    }
    uint8_t *flags = &access.shadow->flags[access.element];
    if (site->kind == TILE_SITE_STORE) {
      const char *value = (const char *)values + (size_t)i * site->elementBytes;
      Lane at = laneAt(site, indices, lane, i);
      const char *before = storedBefore(c, &access, site->elementBytes, pointers, mask, values, i);
      noteStore(c, siteNumber, &access, site->elementBytes, value, at);
      noteMeeting(c, siteNumber, &access, site->elementBytes, before, value, at);
    } else if (site->kind == TILE_SITE_ATOMIC || site->kind == TILE_SITE_RELAXED) {
      noteAtomic(c, siteNumber, &access);
    } else {
      Lane at = laneAt(site, indices, lane, i);
      noteLoad(c, siteNumber, &access, at);
      if (!(*flags & WRITTEN))
        describe(c, addLane(c, TILE_FINDING_UNWRITTEN, siteNumber, at), &access);
    }
  }
}

void tileCheckFail(TileChecker *c, int32_t siteNumber, int32_t lanes, int32_t lane,
                   const uint8_t *mask, const int64_t *operands, const int64_t *indices) {
  const TileCheckSite *site = &c->sites[siteNumber];
  bool isAssert = site->kind == TILE_SITE_ASSERT;
  for (int32_t i = 0; i < lanes; ++i) {
    if (!mask[i]) continue;
    Lane at = laneAt(site, indices, lane, i);
    TileFindingKind kind = isAssert ? TILE_FINDING_ASSERT : TILE_FINDING_OVERFLOW;
    TileFinding *f = addLane(c, kind, siteNumber, at);
    if (!f || isAssert) continue;
    f->operands[0] = operands[i];
    f->operands[1] = operands[lanes + i];
  }
}

//===- programs -----------------------------------------------------------===//

bool tileCheckEnter(TileChecker *c, int32_t x, int32_t y, int32_t z) {
  const int32_t program[3] = {x, y, z};
  memcpy(c->program, program, sizeof program);
  uint32_t row = (uint32_t)y + (uint32_t)z * (uint32_t)c->grid[1];
  c->number = (uint32_t)x + row * (uint32_t)c->grid[0] + 1;
  c->began = c->execution;
  c->ordered = 0;
  ++c->totals.programs;
  bool traced = c->options.traces && !memcmp(program, c->options.traced, sizeof program);
  c->totals.traced |= traced;
  return traced;
}

void tileTraceValue(TileChecker *c, int32_t site, const void *data, int64_t row) {
  TileTracedValue value = {.kernel = c->kernel, .site = site, .data = data, .row = row};
  memcpy(value.program, c->program, sizeof value.program);
  c->options.value(c->options.data, &value);
}

/// The order of arrays in reports: where they were first stored into.
static int compareShadows(const void *a, const void *b) {
  const Shadow *x = *(Shadow *const *)a, *y = *(Shadow *const *)b;
  if (x->kernel != y->kernel) return x->kernel < y->kernel ? -1 : 1;
  if (x->site != y->site) return x->site < y->site ? -1 : 1;
  return (x->argument > y->argument) - (x->argument < y->argument);
}

static void reportMissing(TileChecker *c, const Shadow *shadow) {
  TileFinding f = {.kind = TILE_FINDING_NEVER_WRITTEN,
                   .kernel = shadow->kernel,
                   .site = shadow->site,
                   .array = shadow->array,
                   .argument = shadow->argument};
  int64_t same = 0, firstSame = 0;
  for (int64_t i = 0; i < shadow->array->count; ++i) {
    if (shadow->flags[i] & SHARED) ++f.shared;
    if ((shadow->flags[i] & SAME) && !same++) firstSame = i;
    if (shadow->flags[i] & WRITTEN) continue;
    if (!f.missing++) f.element = i;
  }
  if (!f.missing && !same) return;
  if (!f.missing) {
    f.kind = TILE_FINDING_SHARED;
    f.shared = same;
    f.element = firstSame;
  }
  ++c->totals.findings[f.kind];
  c->options.finding(c->options.data, &f);
}

void tileCheckerHostReads(TileChecker *c, int site, TileArray *array, int64_t first,
                          int64_t count) {
  const Shadow *shadow = shadowOf(c, array);
  // What is only added to atomically began with zeros that count.
  if (shadow->stored && !shadow->plain) return;
  TileFinding f = {
      .kind = TILE_FINDING_UNWRITTEN, .kernel = -1, .site = site, .array = array, .argument = -1};
  for (int64_t i = first; i < first + count; ++i)
    if (!(shadow->flags[i] & WRITTEN) && !f.missing++) f.element = i;
  if (!f.missing) return;
  ++c->totals.findings[TILE_FINDING_UNWRITTEN];
  c->options.finding(c->options.data, &f);
}

void tileCheckerFinish(TileChecker *c) {
  size_t count = 0;
  Shadow **stored = tileRuntimeAlloc((HASH_COUNT(c->shadows) + 1) * sizeof(Shadow *));
  for (Shadow *s = c->shadows; s; s = s->hh.next)
    if (s->stored) stored[count++] = s;
  qsort(stored, count, sizeof *stored, compareShadows);
  for (size_t i = 0; i < count; ++i) reportMissing(c, stored[i]);
  free(stored);
  c->sites = NULL;
}
