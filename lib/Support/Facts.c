//===- Facts.c - what is known of a launch --------------------------------===//
#include "tile/Facts.h"
#include <stdlib.h>
#include <string.h>

void tileFactsDestroy(TileFacts *facts) {
  for (unsigned i = 0; i < facts->numBindings; ++i) free(facts->bindings[i].name);
  free(facts->bindings);
  free(facts->arguments);
  *facts = (TileFacts){0};
}

void tileFactsCopy(TileFacts *to, const TileFacts *from) {
  TileFacts copy = {
      .singleWave = from->singleWave, .programs = from->programs, .packs = from->packs};
  for (unsigned i = from->numArguments; i-- > 0;)
    tileFactsSetArgument(&copy, i, from->arguments[i]);
  for (unsigned i = 0; i < from->numBindings; ++i) {
    const TileBinding *binding = &from->bindings[i];
    tileFactsBind(&copy, binding->name, strlen(binding->name), binding->value);
  }
  tileFactsDestroy(to);
  *to = copy;
}

static bool isSame(TileArgumentFact a, TileArgumentFact b) {
  return a.divisor == b.divisor && a.positive == b.positive && a.negative == b.negative &&
         a.one == b.one && a.programs == b.programs && a.most == b.most;
}

bool tileFactsAreEqual(const TileFacts *a, const TileFacts *b) {
  if (a->singleWave != b->singleWave || a->programs != b->programs || a->packs != b->packs ||
      a->numBindings != b->numBindings)
    return false;
  for (unsigned i = 0; i < a->numBindings; ++i)
    if (a->bindings[i].value != b->bindings[i].value ||
        strcmp(a->bindings[i].name, b->bindings[i].name) != 0)
      return false;
  for (unsigned i = 0; i < a->numArguments || i < b->numArguments; ++i)
    if (!isSame(tileFactsGetArgument(a, i), tileFactsGetArgument(b, i))) return false;
  return true;
}

TileArgumentFact tileFactsGetArgument(const TileFacts *facts, unsigned number) {
  return number < facts->numArguments ? facts->arguments[number] : (TileArgumentFact){0};
}

void tileFactsSetArgument(TileFacts *facts, unsigned number, TileArgumentFact fact) {
  if (number >= facts->capacity) {
    unsigned capacity = 2 * number + 8;
    facts->arguments = realloc(facts->arguments, capacity * sizeof *facts->arguments);
    if (!facts->arguments) abort();
    facts->capacity = capacity;
  }
  for (; facts->numArguments <= number; ++facts->numArguments)
    facts->arguments[facts->numArguments] = (TileArgumentFact){0};
  // 1 divides everything.
  if (fact.divisor == 1) fact.divisor = 0;
  facts->arguments[number] = fact;
}

const TileBinding *tileFactsFindBinding(const TileFacts *facts, const char *name, size_t length) {
  for (unsigned i = 0; i < facts->numBindings; ++i) {
    const TileBinding *binding = &facts->bindings[i];
    if (strlen(binding->name) == length && !memcmp(binding->name, name, length)) return binding;
  }
  return NULL;
}

void tileFactsBind(TileFacts *facts, const char *name, size_t length, int64_t value) {
  if (tileFactsFindBinding(facts, name, length)) return;
  facts->bindings =
      realloc(facts->bindings, (facts->numBindings + (size_t)1) * sizeof *facts->bindings);
  char *copy = strndup(name, length);
  if (!facts->bindings || !copy) abort();
  facts->bindings[facts->numBindings++] = (TileBinding){copy, value};
}

//===- the text form ------------------------------------------------------===//

void tileFactsPrint(const TileFacts *facts, TileText *text) {
  const char *separator = "";
  for (unsigned i = 0; i < facts->numBindings; ++i, separator = ",")
    tileTextPrint(text, "%s%s=%lld", separator, facts->bindings[i].name,
                  (long long)facts->bindings[i].value);
  for (unsigned i = 0; i < facts->numArguments; ++i) {
    TileArgumentFact fact = facts->arguments[i];
    if (isSame(fact, (TileArgumentFact){0})) continue;
    if (fact.one)
      tileTextPrint(text, "%s%u=1", separator, i);
    else
      tileTextPrint(text, "%s%u/%u%s%s%s", separator, i, fact.divisor ? fact.divisor : 1,
                    fact.positive ? "+" : "", fact.negative ? "-" : "", fact.programs ? "x" : "");
    if (fact.most) tileTextPrint(text, "<%u", fact.most);
    separator = ",";
  }
  if (facts->singleWave) {
    tileTextPrint(text, "%swave:%d", separator, facts->singleWave);
    separator = ",";
  }
  if (facts->programs) {
    tileTextPrint(text, "%sprograms:%d", separator, facts->programs);
    separator = ",";
  }
  if (facts->packs) tileTextPrint(text, "%spack", separator);
}

/// A part of the text, read from its front.
typedef struct Reader {
  const char *at, *end;
} Reader;

/// Reads a number of digits, at least one, up to 2^31 - 1.
static bool readNumber(Reader *r, int64_t *value) {
  const char *first = r->at;
  for (*value = 0; r->at < r->end && *r->at >= '0' && *r->at <= '9'; ++r->at) {
    *value = *value * 10 + (*r->at - '0');
    if (*value > INT32_MAX) return false;
  }
  return r->at > first;
}

static bool readWord(Reader *r, const char *word) {
  size_t length = strlen(word);
  bool is = (size_t)(r->end - r->at) >= length && !memcmp(r->at, word, length);
  if (is) r->at += length;
  return is;
}

/// "3/256+", "4/1x", "4/8<4096" or "7=1".
static bool parseArgument(TileFacts *facts, Reader r) {
  int64_t number, divisor, most = 0;
  if (!readNumber(&r, &number) || number >= TILE_FACTS_MAX_ARGUMENTS) return false;
  TileArgumentFact fact = {0};
  if (readWord(&r, "=1")) {
    fact.one = true;
  } else {
    if (!readWord(&r, "/") || !readNumber(&r, &divisor)) return false;
    if (divisor < 1 || (divisor & (divisor - 1)) != 0) return false;
    fact.divisor = (uint32_t)divisor;
    fact.positive = readWord(&r, "+");
    fact.negative = !fact.positive && readWord(&r, "-");
    fact.programs = readWord(&r, "x");
    if (readWord(&r, "<") && (!readNumber(&r, &most) || most < 1)) return false;
    fact.most = (uint32_t)most;
  }
  if (r.at != r.end) return false;
  tileFactsSetArgument(facts, (unsigned)number, fact);
  return true;
}

/// "BM=64".
static bool parseBinding(TileFacts *facts, Reader r) {
  const char *name = r.at, *equals = memchr(r.at, '=', (size_t)(r.end - r.at));
  int64_t value;
  if (!equals || equals == name) return false;
  r.at = equals + 1;
  if (!readNumber(&r, &value) || r.at != r.end || value < 1) return false;
  tileFactsBind(facts, name, (size_t)(equals - name), value);
  return true;
}

static bool parseItem(TileFacts *facts, Reader r) {
  if (r.at < r.end && *r.at >= '0' && *r.at <= '9') return parseArgument(facts, r);
  if (r.end - r.at == 4 && readWord(&r, "pack")) return facts->packs = true;
  bool isWave = readWord(&r, "wave:"), isPrograms = !isWave && readWord(&r, "programs:");
  if (!isWave && !isPrograms) return parseBinding(facts, r);
  int64_t value;
  if (!readNumber(&r, &value) || r.at != r.end || value < 1 || (isWave && value > 2)) return false;
  *(isWave ? &facts->singleWave : &facts->programs) = (int)value;
  return true;
}

bool tileFactsParse(TileFacts *facts, const char *text, size_t length, const char **wrong,
                    size_t *wrongLength) {
  const char *end = text + length;
  for (const char *at = text; length && at <= end;) {
    const char *comma = memchr(at, ',', (size_t)(end - at));
    Reader item = {at, comma ? comma : end};
    if (!parseItem(facts, item)) {
      *wrong = at;
      *wrongLength = (size_t)(item.end - at);
      return false;
    }
    at = item.end + 1;
  }
  return true;
}
