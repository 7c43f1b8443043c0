//===- Format.c - kernels, as they are laid out ---------------------------===//
//
// Line by line: the brackets that are open at a line's beginning say how deep it stands, its first
// words whether it begins a statement or goes on with one. What is within a line is copied, with
// other blanks.
//===----------------------------------------------------------------------===//
#include "tile/Support/Format.h"
#include "tile/Support/Source.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 2, GOES_ON = 4 };

/// An open bracket, and the statement that is being written within it.
typedef struct Level {
  char bracket;
  /// Where statements within it stand, and the line that closes it.
  int indent, outer;
  bool hasStatement;
  /// Where the statement began before, and begins now; without one, the line with the bracket.
  int before, now;
} Level;

typedef struct Formatter {
  TileText *out;
  Level levels[TILE_MAX_NESTING];
  int depth;
  /// Of the line before: where its comment was, behind something else, and is now; else -1.
  int commentBefore, commentNow;
  char last; ///< of the lines before, but for blanks and comments
  int empty; ///< lines, before this one
  bool wrote;
} Formatter;

static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static Level *top(Formatter *f) { return &f->levels[f->depth]; }

static bool isWord(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' || c == '-' || c == '#';
}

/// Where the line's string that begins at `at` ends.
static const char *skipString(const char *at, const char *end) {
  for (++at; at < end && *at != '"'; ++at)
    if (*at == '\\' && at + 1 < end) ++at;
  return at < end ? at + 1 : end;
}

static bool isComment(const char *at, const char *end) {
  return at + 1 < end && at[0] == '/' && at[1] == '/';
}

/// Does a statement begin so, wherever the line stands: `%a, %b:2 = `, `tile.load`?
static bool surelyBegins(const char *at, const char *end) {
  if (*at == '%') {
    while (at < end && (isWord(*at) || strchr("%:, ", *at))) ++at;
    return at < end && *at == '=';
  }
  bool dotted = false;
  const char *word = at;
  if (!isalpha((unsigned char)*at)) return false;
  for (; at < end && isWord(*at); ++at)
    dotted |= *at == '.' && at + 1 < end && isalpha((unsigned char)at[1]);
  // These are written as definitions; `tile.num_warps = 8` is of a dictionary.
  bool defines =
      at - word == 9 && (!strncmp(word, "tile.grid", 9) || !strncmp(word, "tile.cost", 9));
  if (at < end && !strchr(" (@{\"%", *at) && !defines) return false;
  while (at < end && isBlank(*at)) ++at;
  return dotted && (at == end || *at != '=' || defines);
}

/// `BM = 64,` of a dictionary.
static bool isDictionaryEntry(const char *at, const char *end) {
  while (at < end && (isWord(*at) || *at == '"')) ++at;
  while (at < end && isBlank(*at)) ++at;
  return at < end && (*at == '=' || *at == ',' || *at == '}');
}

/// Or where it stands no deeper than the statement before: `return`, `module {`, "x.y"() ..?
static bool mayBegin(const char *at, const char *end) {
  if (!isalpha((unsigned char)*at)) return strchr("_\"!#@%{", *at) != NULL;
  while (at < end && isWord(*at)) ++at;
  return at == end || strchr(" (@{\"%", *at);
}

static int measureIndent(const char *begin, const char *at) {
  int columns = 0;
  for (; begin < at; ++begin) columns = *begin == '\t' ? (columns / 8 + 1) * 8 : columns + 1;
  return columns;
}

/// Where the line whose first words are at `at` stands.
static int findIndent(Formatter *f, const char *at, const char *end, int before) {
  if (strchr(")]}", *at)) return top(f)->outer;
  Level *level = top(f);
  if (level->bracket != '{') {
    // Within a list: the distance from the line that opened it stays.
    int shift = level->now - level->before;
    int wanted = before + shift;
    return wanted > level->outer ? wanted : level->outer + GOES_ON;
  }
  if (*at == '^') {
    // A block's label stands where its region does, as MLIR prints it.
    level->hasStatement = false;
    return level->outer;
  }
  bool deeper = before > level->before;
  bool isEntry = f->depth && !level->hasStatement && isDictionaryEntry(at, end);
  bool isAlias = !f->depth && strchr("!#", *at);
  // What follows a comma is of the same list, wherever it stands.
  bool begins = f->last != ',' && (surelyBegins(at, end) || (isAlias && !deeper) ||
                                   (!level->hasStatement && !isEntry) ||
                                   (level->hasStatement && !deeper && mayBegin(at, end)));
  if (begins) {
    level->hasStatement = true;
    level->before = before;
    level->now = level->indent;
    return level->indent;
  }
  if (deeper) return before + level->now - level->before;
  return isEntry ? level->indent : level->now + GOES_ON;
}

/// Notes a bracket; false where it does not fit.
static bool noteBracket(Formatter *f, char c, int indent, int before) {
  if (strchr("([{", c)) {
    if (f->depth + 1 == TILE_MAX_NESTING) return false;
    const Level *around = top(f);
    // What a statement opens is closed where it began, on whatever line the bracket stands.
    bool isOwn = c == '{' && around->bracket == '{' && around->hasStatement;
    int outer = isOwn ? around->now : indent;
    ++f->depth;
    *top(f) = (Level){c, outer + STEP, outer, false, before, indent};
    return true;
  }
  char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
  if (!f->depth || top(f)->bracket != opening) return false;
  --f->depth;
  return true;
}

/// Is this < or > part of ->, <=, >=?
static bool isArrow(const char *at, const char *end) {
  return (*at == '>' && at[-1] == '-') || (at + 1 < end && at[1] == '=');
}

static void addBlank(TileText *out) {
  if (out->size && out->data[out->size - 1] != ' ' && out->data[out->size - 1] != '\n')
    tileTextAdd(out, " ");
}

static void dropBlanks(TileText *out) {
  while (out->size && out->data[out->size - 1] == ' ') out->data[--out->size] = 0;
}

/// A comment behind something: at its column where the one above it has moved there, too.
static void addTrailing(Formatter *f, const char *begin, const char *at, const char *end,
                        size_t lineStart) {
  const char *last = at;
  while (last > begin && isBlank(last[-1])) --last;
  dropBlanks(f->out);
  int blanks = (int)(at - last);
  f->commentBefore = measureIndent(begin, at);
  for (int i = 0; i < blanks || !i; ++i) tileTextAdd(f->out, " ");
  f->commentNow = (int)(f->out->size - lineStart);
  tileTextAddBytes(f->out, at, (size_t)(end - at));
}

/// The line's words, with their brackets noted. False where these do not fit.
static bool addWords(Formatter *f, const char *begin, const char *at, const char *end, int indent,
                     int before) {
  size_t lineStart = f->out->size - (size_t)indent;
  int angles = 0;
  f->commentBefore = -1;
  while (at < end) {
    char c = *at;
    if (!isBlank(c) && !isComment(at, end)) f->last = c;
    if (isComment(at, end)) {
      addTrailing(f, begin, at, end, lineStart);
      return true;
    }
    if (c == '"') {
      const char *next = skipString(at, end);
      tileTextAddBytes(f->out, at, (size_t)(next - at));
      at = next;
      continue;
    }
    if (c == '<' && !isArrow(at, end)) ++angles;
    if (c == '>' && angles && !isArrow(at, end)) --angles;
    if (strchr("()[]{}", c) && !noteBracket(f, c, indent, before)) return false;
    bool compares = (at > begin && strchr("<>=!", at[-1])) || (at + 1 < end && at[1] == '=');
    bool equals = c == '=' && !compares;
    if (angles) {
      tileTextAddBytes(f->out, at, 1);
    } else if (isBlank(c)) {
      addBlank(f->out);
    } else if (c == ',') {
      dropBlanks(f->out);
      tileTextAdd(f->out, ", ");
    } else if (equals) {
      addBlank(f->out);
      tileTextAdd(f->out, "= ");
    } else {
      tileTextAddBytes(f->out, at, 1);
    }
    ++at;
  }
  return true;
}

static void addIndent(Formatter *f, int indent) {
  for (int i = 0; i < indent; ++i) tileTextAdd(f->out, " ");
}

/// A line that is a comment alone.
static void addComment(Formatter *f, const char *at, const char *end, int before) {
  bool separates = before == 0 && end - at >= 8 && !memcmp(at, "// -----", 8);
  const Level *level = top(f);
  int indent = level->bracket == '{' ? level->indent : before + level->now - level->before;
  bool goesOn = f->commentBefore == before && before > 0;
  if (separates) {
    f->depth = 0;
    f->levels[0].hasStatement = false;
    f->last = 0;
    indent = 0;
  } else if (goesOn) {
    indent = f->commentNow;
  } else {
    f->commentBefore = -1;
  }
  addIndent(f, indent > 0 ? indent : 0);
  tileTextAddBytes(f->out, at, (size_t)(end - at));
}

/// False where brackets do not fit.
static bool addLine(Formatter *f, const char *begin, const char *end) {
  while (end > begin && isBlank(end[-1])) --end;
  const char *at = begin;
  while (at < end && isBlank(*at)) ++at;
  if (at == end) {
    ++f->empty;
    f->commentBefore = -1;
    return true;
  }
  if (f->empty && f->wrote) tileTextAdd(f->out, "\n");
  f->empty = 0;
  f->wrote = true;
  int before = measureIndent(begin, at);
  bool ok = true;
  if (isComment(at, end)) {
    addComment(f, at, end, before);
  } else {
    int indent = findIndent(f, at, end, before);
    addIndent(f, indent);
    ok = addWords(f, begin, at, end, indent, before);
    dropBlanks(f->out);
  }
  tileTextAdd(f->out, "\n");
  return ok;
}

/// The next byte that is not white space.
static const char *nextMark(const char *at, const char *end) {
  while (at < end && (isBlank(*at) || *at == '\n')) ++at;
  return at;
}

/// Does `b` differ from `a` in white space alone?
static bool isSame(const char *a, size_t sizeA, const char *b, size_t sizeB) {
  const char *endA = a + sizeA, *endB = b + sizeB;
  for (;;) {
    a = nextMark(a, endA);
    b = nextMark(b, endB);
    if (a == endA || b == endB) return a == endA && b == endB;
    if (*a++ != *b++) return false;
  }
}

/// The line that `at` is in, from 1.
static int lineOf(const char *text, const char *at) {
  int line = 1;
  for (; text < at; ++text) line += *text == '\n';
  return line;
}

bool tileFormat(const char *text, size_t size, TileText *result, int *line) {
  TileText out = {0};
  tileTextAdd(&out, "");
  Formatter *f = calloc(1, sizeof *f);
  if (!f) abort();
  f->out = &out;
  f->commentBefore = -1;
  f->levels[0].bracket = '{';
  const char *end = text + size;
  const char *nul = memchr(text, 0, size);
  bool ok = !nul;
  *line = nul ? lineOf(text, nul) : 0;
  for (const char *at = text; ok && at < end;) {
    const char *next = memchr(at, '\n', (size_t)(end - at));
    ++*line;
    ok = addLine(f, at, next ? next : end);
    at = next ? next + 1 : end;
  }
  ok = ok && !f->depth && isSame(text, size, out.data, out.size);
  if (ok) tileTextAddBytes(result, out.data, out.size);
  free(out.data);
  free(f);
  return ok;
}
