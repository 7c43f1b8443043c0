//===- Hints.c - what mends a mistake -------------------------------------===//
#include "tile/Support/Hints.h"
#include "HintFormulas.h"
#include "HintTypes.h"
#include "HintWords.h"
#include "tile/IR.h"
#include "tile/Support/Render.h"
#include "tile/Support/Source.h"
#include "tile/Support/Suggest.h"
#include "tile/Tile.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef TileMistake Mistake;

static bool isNameChar(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' || c == '-';
}

static bool say(const TileSuggestion *s, const char *sigil, TileText *hint) {
  if (!tileSuggestionGet(s)) return false;
  tileTextPrint(hint, "did you mean '%s%s'?", sigil, tileSuggestionGet(s));
  return true;
}

/// What stands between the first two quotes behind `after` in the message; its length.
static size_t findQuoted(const Mistake *m, const char *after, const char **quoted) {
  const char *at = strstr(m->message, after);
  const char *begin = at ? strchr(at, '\'') : NULL;
  const char *end = begin ? strchr(begin + 1, '\'') : NULL;
  if (!end) return 0;
  *quoted = begin + 1;
  return (size_t)(end - begin - 1);
}

/// Offers each name of this sigil between `begin` and `end`, but for what is at the mistake.
static void offerNames(const Mistake *m, char sigil, size_t begin, size_t end, TileSuggestion *s) {
  for (size_t i = begin; i < end; ++i) {
    if (m->text[i] == '/' && m->text[i + 1] == '/')
      while (i < end && m->text[i] != '\n') ++i;
    if (i >= end || m->text[i] != sigil) continue;
    size_t first = ++i;
    while (i < end && isNameChar(m->text[i])) ++i;
    if (first != m->offset + 1) tileSuggestionOffer(s, m->text + first, i - first);
  }
}

/// Where the function around the mistake begins and ends; else the whole text.
static void findFunction(const Mistake *m, size_t *begin, size_t *end) {
  TileStatement own, around;
  *begin = 0;
  *end = m->size;
  if (!tileStatementFind(m->text, m->size, m->offset, &own) ||
      !tileStatementFind(m->text, m->size, own.outermost, &around))
    return;
  *begin = around.begin;
  *end = around.end;
}

/// A value that has no definition: one of the same function. What is read there and nowhere
/// defined is named alike twice.
static bool hintValue(const Mistake *m, TileText *hint) {
  if (!strstr(m->message, "use of undeclared SSA value name")) return false;
  size_t begin, end, length = tileRenderMeasureWord(m->text + m->offset);
  findFunction(m, &begin, &end);
  TileSuggestion s = tileSuggestionFor(m->text + m->offset + 1, length - 1);
  offerNames(m, '%', begin, end, &s);
  return say(&s, "%", hint);
}

/// An alias of a type or an attribute: one that is defined, at the beginning of a line.
static bool hintAlias(const Mistake *m, TileText *hint) {
  const char *name = NULL;
  size_t length = findQuoted(m, "undefined symbol alias id", &name);
  if (!length) return false;
  // MLIR looks at what follows by then.
  const char *at = m->text + m->offset;
  if (at > m->text && *at != '!' && *at != '#') --at;
  while (at > m->text && *at != '!' && *at != '#' && *at != '\n') --at;
  char sigil = *at;
  if (sigil != '!' && sigil != '#') return false;
  TileSuggestion s = tileSuggestionFor(name, length);
  for (size_t i = 0; i < m->size; ++i) {
    if (m->text[i] != sigil || (i && m->text[i - 1] != '\n')) continue;
    size_t first = i + 1, last = first;
    while (isNameChar(m->text[last])) ++last;
    tileSuggestionOffer(&s, m->text + first, last - first);
  }
  return say(&s, sigil == '!' ? "!" : "#", hint);
}

//===- ops ----------------------------------------------------------------===//

typedef struct OpNames {
  TileSuggestion *suggestion;
  MlirStringRef found;
  /// "load" of "tile.load", where it is an op of another dialect.
  MlirStringRef plain;
  char elsewhere[TILE_SUGGEST_MAX + 1];
} OpNames;

static MlirStringRef afterDot(MlirStringRef name) {
  const char *dot = memchr(name.data, '.', name.length);
  if (!dot) return name;
  size_t skipped = (size_t)(dot - name.data) + 1;
  return mlirStringRefCreate(name.data + skipped, name.length - skipped);
}

/// What kernels and host programs are written in, in the order in which a name is looked for.
static const char *const written[] = {"tile", "arith", "math",   "scf", "tile_host",
                                      "func", "cf",    "memref", NULL};

static bool isOf(MlirStringRef name, const char *dialect) {
  size_t length = strlen(dialect);
  return name.length > length && !memcmp(name.data, dialect, length) && name.data[length] == '.';
}

static void offerOp(MlirStringRef name, void *data) {
  OpNames *names = data;
  MlirStringRef plain = afterDot(name);
  bool hasDialect = names->plain.data != names->found.data;
  size_t prefix = (size_t)(names->plain.data - names->found.data);
  // `return` is short for func.return.
  if (!hasDialect && isOf(name, "func"))
    tileSuggestionOffer(names->suggestion, plain.data, plain.length);
  if (hasDialect && name.length > prefix && !memcmp(name.data, names->found.data, prefix))
    tileSuggestionOffer(names->suggestion, name.data, name.length);
  if (!mlirStringRefEqual(plain, names->plain) || names->elsewhere[0]) return;
  for (size_t i = 0; written[i]; ++i)
    if (isOf(name, written[i]) && name.length <= TILE_SUGGEST_MAX)
      memcpy(names->elsewhere, name.data, name.length);
}

static void offerDialect(MlirStringRef name, void *data) {
  tileSuggestionOffer(data, name.data, name.length);
}

/// An op that is unknown: one of its dialect, or of the same name in another.
static bool hintOp(const Mistake *m, TileText *hint) {
  const char *name = NULL;
  bool isDialect = !strncmp(m->message, "Dialect `", 9);
  bool isUnknown = isDialect || !strncmp(m->message, "custom op '", 11);
  size_t length = isUnknown ? findQuoted(m, "custom op", &name) : 0;
  if (!length || (!isDialect && !strstr(m->message, "' is unknown"))) return false;
  for (size_t i = 0; written[i]; ++i)
    mlirContextGetOrLoadDialect(m->context, tileString(written[i]));
  TileSuggestion s = tileSuggestionFor(name, length);
  OpNames names = {.suggestion = &s, .found = mlirStringRefCreate(name, length)};
  names.plain = afterDot(names.found);
  size_t prefix = (size_t)(names.plain.data - name);
  if (!isDialect) {
    tileForEachOpName(m->context, offerOp, &names);
    // What is wrong is the name behind the dialect's: that has to be close enough.
    TileSuggestion plain = tileSuggestionFor(names.plain.data, names.plain.length);
    const char *best = tileSuggestionGet(&s);
    if (best) tileSuggestionOffer(&plain, best + prefix, strlen(best) - prefix);
    if (!tileSuggestionGet(&plain)) s.best[0] = 0;
    if (names.elsewhere[0] && !s.best[0]) memcpy(s.best, names.elsewhere, sizeof s.best);
    return say(&s, "", hint);
  }
  s = tileSuggestionFor(name, prefix ? prefix - 1 : 0);
  tileForEachDialectName(m->context, offerDialect, &s);
  if (!tileSuggestionGet(&s)) return false;
  tileTextPrint(hint, "did you mean '%s.%.*s'?", s.best, (int)names.plain.length, names.plain.data);
  return true;
}

/// A function of a formula: one of those that the message lists, or an op of the same dialect.
static bool hintFunction(const Mistake *m, TileText *hint) {
  const char *name = NULL, *end = strstr(m->message, " as a function, found");
  size_t length = end ? findQuoted(m, "as a function, found", &name) : 0;
  if (!length) return false;
  TileSuggestion s = tileSuggestionFor(name, length);
  if (memchr(name, '.', length)) {
    mlirContextGetOrLoadDialect(m->context, tileString("arith"));
    mlirContextGetOrLoadDialect(m->context, tileString("math"));
    OpNames names = {.suggestion = &s, .found = mlirStringRefCreate(name, length)};
    names.plain = afterDot(names.found);
    tileForEachOpName(m->context, offerOp, &names);
    return say(&s, "", hint);
  }
  for (const char *at = m->message; at < end; ++at) {
    size_t word = strcspn(at, ", ");
    tileSuggestionOffer(&s, at, word);
    at += word;
  }
  return say(&s, "", hint);
}

//===- words --------------------------------------------------------------===//

/// One of the words that the message itself lists: "[x, y, z]", or "to be one of: eq, ne".
static bool hintListed(const Mistake *m, TileText *hint) {
  const char *list = strstr(m->message, "enum values for");
  list = list ? strchr(list, '[') : strstr(m->message, "to be one of: ");
  if (!list) return false;
  list = *list == '[' ? list + 1 : list + strlen("to be one of: ");
  // The message may be about what stands behind the op's name.
  size_t length = tileRenderMeasureWord(m->text + m->offset);
  TileSuggestion s = tileSuggestionFor(m->text + m->offset, length);
  for (const char *at = list; *at && *at != ']';) {
    size_t word = strcspn(at, ", ]");
    tileSuggestionOffer(&s, at, word);
    at += word;
    at += strspn(at, ", ");
  }
  return say(&s, "", hint);
}

/// The name of a function: of those that the text defines.
static bool hintSymbol(const Mistake *m, TileText *hint) {
  static const char *const messages[] = {"expected the name of a kernel, found",
                                         "does not reference a valid function"};
  const char *name = NULL;
  size_t length = findQuoted(m, messages[0], &name);
  if (!length && strstr(m->message, messages[1])) length = findQuoted(m, "'", &name);
  if (!length) return false;
  TileSuggestion s = tileSuggestionFor(name, length);
  for (const char *at = m->text; (at = strstr(at, "func ")); ++at) {
    const char *symbol = at + strcspn(at, "@(\n");
    if (*symbol != '@') continue;
    tileSuggestionOffer(&s, symbol + 1, tileRenderMeasureWord(symbol) - 1);
  }
  return say(&s, "", hint);
}

/// A tile where a scalar is, and its like: the op that is missing.
static bool hintType(const Mistake *m, TileText *hint) {
  const char *name = NULL, *wanted = NULL, *found = NULL;
  const char *types = strstr(m->message, "expects different type than prior uses: ");
  size_t length = findQuoted(m, "use of value", &name);
  if (!types || !length) return false;
  size_t wantedLength = findQuoted(m, "than prior uses", &wanted);
  if (!wantedLength) return false;
  const Mistake rest = {.message = wanted + wantedLength + 1};
  size_t foundLength = findQuoted(&rest, "vs", &found);
  if (!foundLength) return false;
  const TileTypeMistake mistake = {
      .name = mlirStringRefCreate(name, length),
      .wanted = mlirTypeParseGet(m->context, mlirStringRefCreate(wanted, wantedLength)),
      .found = mlirTypeParseGet(m->context, mlirStringRefCreate(found, foundLength)),
      .text = m->text};
  if (mlirTypeIsNull(mistake.wanted) || mlirTypeIsNull(mistake.found)) return false;
  return tileHintTypes(&mistake, hint);
}

void tileHintUnboundMeta(MlirLocation loc, MlirAttribute meta, MlirStringRef name,
                         const char *other) {
  TileSuggestion s = tileSuggestionFor(name.data, name.length);
  TileText names = {0};
  intptr_t count = mlirAttributeIsNull(meta) ? 0 : mlirDictionaryAttrGetNumElements(meta);
  for (intptr_t i = 0; i < count; ++i) {
    MlirStringRef known = mlirIdentifierStr(mlirDictionaryAttrGetElement(meta, i).name);
    tileTextPrint(&names, "%s%.*s", i ? ", " : "", (int)known.length, known.data);
    tileSuggestionOffer(&s, known.data, known.length);
  }
  tileEmitError(loc, "expected a value for meta-parameter '%.*s', found none in meta {%s} or %s%s",
                (int)name.length, name.data, names.data ? names.data : "", other,
                tileSuggestionSay(&s).text);
  free(names.data);
}

bool tileHintFind(MlirContext context, MlirStringRef text, size_t offset, MlirStringRef message,
                  TileText *hint) {
  static bool (*const hints[])(const Mistake *, TileText *) = {
      hintValue,  hintAlias,  hintOp,   tileHintFormula, hintFunction,
      hintListed, hintSymbol, hintType, tileHintWord,
  };
  if (offset >= text.length) return false;
  char *whole = strndup(text.data, text.length);
  char *said = strndup(message.data, message.length);
  bool found = false;
  if (whole && said && strlen(whole) == text.length) {
    const Mistake m = {context, whole, said, text.length, offset};
    for (size_t i = 0; !found && i < sizeof hints / sizeof *hints; ++i) found = hints[i](&m, hint);
  }
  free(whole);
  free(said);
  return found;
}
