//===- Nesting.c - how deep a text is nested, and how long its numbers are ===//
#include "tile/Support/Source.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
  const char *at, *end, *lineStart;
  int line;
  /// The brackets that are open, the innermost last.
  char open[TILE_MAX_NESTING];
  int depth;
} Reader;

/// Steps over a string; at its end, or the line's, which ends it for MLIR, too.
static void skipString(Reader *r) {
  for (++r->at; r->at < r->end && *r->at != '"' && *r->at != '\n'; ++r->at)
    if (*r->at == '\\' && r->at + 1 < r->end && r->at[1] != '\n') ++r->at;
}

static bool startsWith(const Reader *r, const char *text) {
  size_t length = strlen(text);
  return (size_t)(r->end - r->at) >= length && !memcmp(r->at, text, length);
}

/// A comment; one that separates files ends what is open.
static void skipComment(Reader *r) {
  if (r->at == r->lineStart && startsWith(r, "// -----")) r->depth = 0;
  while (r->at + 1 < r->end && r->at[1] != '\n') ++r->at;
}

/// Is this < or > part of another word: ->, <=, >=?
static bool isOperator(const Reader *r, const char *begin) {
  bool arrow = *r->at == '>' && r->at > begin && r->at[-1] == '-';
  return arrow || (r->at + 1 < r->end && r->at[1] == '=');
}

/// Closes the innermost bracket of this kind, and with it those < that are comparisons.
static void closeBracket(Reader *r, char opening) {
  int depth = r->depth;
  while (depth && r->open[depth - 1] == '<' && opening != '<') --depth;
  if (depth && r->open[depth - 1] == opening) r->depth = depth - 1;
}

static const char manyDigits[] = "expected at most 4096 digits in a number, found more";
static const char longWord[] = "expected words and shapes of at most 16384 characters, found more";

/// Steps over a word, to its last character; what is too long of it, or NULL. A dimension list,
/// 4x4xf32, is a word, too; its numbers are taken one by one.
static const char *skipWord(Reader *r) {
  bool isNumber = isdigit((unsigned char)*r->at) != 0;
  const char *begin = r->at;
  size_t digits = 0;
  for (;; ++r->at) {
    bool counts = isNumber && isxdigit((unsigned char)*r->at);
    digits = counts ? digits + 1 : 0;
    if (digits > TILE_MAX_DIGITS) return manyDigits;
    if (r->at - begin >= TILE_MAX_WORD) return longWord;
    bool goesOn = r->at + 1 < r->end && (isalnum((unsigned char)r->at[1]) || r->at[1] == '_');
    if (!goesOn) return NULL;
  }
}

/// Steps over what has no brackets: strings, comments, words. False where there is none.
static bool skipOther(Reader *r, const char **tooLong) {
  if (*r->at == '"') {
    skipString(r);
    // The end of the line is still to be counted.
    if (r->at < r->end && *r->at == '\n') --r->at;
    return true;
  }
  if (*r->at == '/' && startsWith(r, "//")) {
    skipComment(r);
    return true;
  }
  if (!isalnum((unsigned char)*r->at) && *r->at != '_') return false;
  *tooLong = skipWord(r);
  return true;
}

const char *tileSourceFindExcess(const char *text, size_t size, int *line, int *column) {
  Reader r = {.at = text, .end = text + size, .lineStart = text, .line = 1};
  static const char opening[] = "([{<", closing[] = ")]}>";
  _Static_assert(TILE_MAX_NESTING == 512 && TILE_MAX_DIGITS == 4096 && TILE_MAX_WORD == 16384,
                 "as in the texts");
  for (; r.at < r.end; ++r.at) {
    char c = *r.at;
    const char *word = r.at;
    const char *tooLong = NULL;
    if (c == '\n') {
      ++r.line;
      r.lineStart = r.at + 1;
      continue;
    }
    if (skipOther(&r, &tooLong)) {
      if (!tooLong) continue;
      *line = r.line;
      *column = (int)(word - r.lineStart) + 1;
      return tooLong;
    }
    if (!c || ((c == '<' || c == '>') && isOperator(&r, text))) continue;
    const char *closes = strchr(closing, c);
    if (closes) {
      closeBracket(&r, opening[closes - closing]);
    } else if (strchr(opening, c)) {
      if (r.depth == TILE_MAX_NESTING) {
        *line = r.line;
        *column = (int)(r.at - r.lineStart) + 1;
        return "expected at most 512 brackets within each other, found more";
      }
      r.open[r.depth++] = c;
    }
  }
  return NULL;
}
