//===- Space.c - sweeps and their points ----------------------------------===//
#include "tile/Bench.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 100000 };

typedef struct Sweep {
  size_t firstVariable, numVariables;
  int64_t *values;
  size_t numValues, capacity;
} Sweep;

struct TileSpace {
  Sweep *sweeps;
  size_t numSweeps;
  char **variables;
  size_t numVariables, capacity;
  size_t numPoints;
};

static bool addValue(Sweep *s, int64_t value, TileError *error) {
  if (s->numValues == MAX_POINTS)
    return tileErrorSet(error, "expected at most %d values in a sweep, found more", MAX_POINTS);
  if (s->numValues == s->capacity) {
    s->capacity = s->capacity ? 2 * s->capacity : 32;
    int64_t *grown = tileRuntimeAlloc(s->capacity * sizeof *grown);
    if (s->numValues) memcpy(grown, s->values, s->numValues * sizeof *grown);
    free(s->values);
    s->values = grown;
  }
  s->values[s->numValues++] = value;
  return true;
}

//===- parsing ------------------------------------------------------------===//

/// A number, "512" or "2^9", of 63 bits at most; moves `*text` past it.
static bool parseNumber(const char **text, int64_t *value) {
  char *end;
  errno = 0;
  long long base = strtoll(*text, &end, 10);
  if (end == *text || errno || isspace((unsigned char)**text)) return false;
  *value = base;
  if (*end == '^') {
    const char *digits = end + 1;
    long power = strtol(digits, &end, 10);
    if (end == digits || !isdigit((unsigned char)*digits) || power > 63) return false;
    *value = 1;
    for (long i = 0; i < power; ++i)
      if (__builtin_mul_overflow(*value, (int64_t)base, value)) return false;
  }
  *text = end;
  return true;
}

/// FIRST, or FIRST..LAST:xFACTOR, or FIRST..LAST:+STEP; moves `*text` past it. False without an
/// error: that is no item.
static bool parseItem(const char **text, Sweep *s, TileError *error) {
  int64_t first, last, step;
  if (!parseNumber(text, &first)) return false;
  if (strncmp(*text, "..", 2) != 0) return addValue(s, first, error);
  *text += 2;
  if (!parseNumber(text, &last) || **text != ':') return false;
  char kind = (*text)[1];
  *text += 2;
  if ((kind != 'x' && kind != '+') || !parseNumber(text, &step)) return false;
  if (step < (kind == 'x' ? 2 : 1) || (kind == 'x' && first < 1)) return false;
  for (int64_t value = first; value <= last;) {
    if (!addValue(s, value, error)) return false;
    if (kind == 'x' ? __builtin_mul_overflow(value, step, &value)
                    : __builtin_add_overflow(value, step, &value))
      break;
  }
  return true;
}

static bool isName(const char *text, size_t length) {
  if (!length) return false;
  for (size_t i = 0; i < length; ++i)
    if (!isalnum((unsigned char)text[i]) && !strchr("_$.-", text[i])) return false;
  return true;
}

static bool addVariable(TileSpace *space, const char *name, size_t length, TileError *error) {
  for (size_t i = 0; i < space->numVariables; ++i)
    if (strlen(space->variables[i]) == length && !memcmp(space->variables[i], name, length))
      return tileErrorSet(error, "expected each variable in one --sweep, found '%s' in two",
                          space->variables[i]);
  if (space->numVariables == space->capacity) {
    space->capacity = space->capacity ? 2 * space->capacity : 8;
    char **grown = tileRuntimeAlloc(space->capacity * sizeof *grown);
    if (space->numVariables) memcpy(grown, space->variables, space->numVariables * sizeof *grown);
    free(space->variables);
    space->variables = grown;
  }
  char *copy = tileRuntimeAlloc(length + 1);
  memcpy(copy, name, length);
  space->variables[space->numVariables++] = copy;
  return true;
}

static bool refuse(const char *text, TileError *error) {
  return tileErrorSet(error,
                      "expected a sweep such as n=256..8192:x2, n=0..100:+10 or n=512,1000,4095, "
                      "found '%s'",
                      text);
}

static bool parseSweep(TileSpace *space, Sweep *s, const char *text, TileError *error) {
  const char *equals = strchr(text, '='), *at = text;
  if (!equals) return refuse(text, error);
  s->firstVariable = space->numVariables;
  while (at < equals) {
    const char *comma = memchr(at, ',', (size_t)(equals - at));
    const char *end = comma ? comma : equals;
    if (!isName(at, (size_t)(end - at))) return refuse(text, error);
    if (!addVariable(space, at, (size_t)(end - at), error)) return false;
    ++s->numVariables;
    at = end + 1;
    if (comma && at == equals) return refuse(text, error);
  }
  if (!s->numVariables) return refuse(text, error);
  at = equals + 1;
  for (;;) {
    TileError inner = TILE_ERROR_INIT;
    if (!parseItem(&at, s, &inner) || (*at && *at != ',')) {
      bool told = inner.message != NULL;
      if (told) tileErrorSet(error, "%s", inner.message);
      tileErrorDestroy(&inner);
      return told ? false : refuse(text, error);
    }
    if (!*at) break;
    ++at;
  }
  if (s->numValues) return true;
  return tileErrorSet(error, "expected at least one value in the sweep '%s', found none", text);
}

TileSpace *tileSpaceCreate(const char *const *sweeps, size_t count, TileError *error) {
  TileSpace *space = tileRuntimeAlloc(sizeof *space);
  space->sweeps = tileRuntimeAlloc((count + 1) * sizeof *space->sweeps);
  space->numSweeps = count;
  space->numPoints = 1;
  for (size_t i = 0; i < count; ++i) {
    if (!parseSweep(space, &space->sweeps[i], sweeps[i], error)) {
      tileSpaceDestroy(space);
      return NULL;
    }
    space->numPoints *= space->sweeps[i].numValues;
    if (space->numPoints > MAX_POINTS) {
      tileErrorSet(error, "expected at most %d points in all sweeps together, found more",
                   MAX_POINTS);
      tileSpaceDestroy(space);
      return NULL;
    }
  }
  return space;
}

void tileSpaceDestroy(TileSpace *space) {
  if (!space) return;
  for (size_t i = 0; i < space->numSweeps; ++i) free(space->sweeps[i].values);
  for (size_t i = 0; i < space->numVariables; ++i) free(space->variables[i]);
  free(space->sweeps);
  free(space->variables);
  free(space);
}

//===- reading ------------------------------------------------------------===//

size_t tileSpaceGetNumPoints(const TileSpace *space) { return space->numPoints; }
size_t tileSpaceGetNumVariables(const TileSpace *space) { return space->numVariables; }
const char *tileSpaceGetVariable(const TileSpace *space, size_t variable) {
  return space->variables[variable];
}

static size_t findSweep(const TileSpace *space, size_t variable) {
  size_t i = 0;
  while (variable >= space->sweeps[i].firstVariable + space->sweeps[i].numVariables) ++i;
  return i;
}

int64_t tileSpaceGetValue(const TileSpace *space, size_t point, size_t variable) {
  size_t wanted = findSweep(space, variable);
  for (size_t i = space->numSweeps - 1; i > wanted; --i) point /= space->sweeps[i].numValues;
  return space->sweeps[wanted].values[point % space->sweeps[wanted].numValues];
}

size_t tileSpaceGetAxis(const TileSpace *space) {
  size_t best = 0;
  for (size_t i = 1; i < space->numSweeps; ++i)
    if (space->sweeps[i].numValues > space->sweeps[best].numValues) best = i;
  return space->numSweeps ? space->sweeps[best].firstVariable : 0;
}

bool tileSpaceIsJoint(const TileSpace *space, size_t v, size_t of) {
  return findSweep(space, v) == findSweep(space, of);
}
