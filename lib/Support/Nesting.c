//===- Nesting.c - how deep a text is nested ------------------------------===//
#include "tile/Support/Source.h"
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

bool tileSourceIsTooDeep(const char *text, size_t size, int *line, int *column) {
  Reader r = {.at = text, .end = text + size, .lineStart = text, .line = 1};
  static const char opening[] = "([{<", closing[] = ")]}>";
  for (; r.at < r.end; ++r.at) {
    char c = *r.at;
    if (c == '\n') {
      ++r.line;
      r.lineStart = r.at + 1;
      continue;
    }
    if (c == '"') {
      skipString(&r);
      // The end of the line is still to be counted.
      if (r.at < r.end && *r.at == '\n') --r.at;
      continue;
    }
    if (c == '/' && startsWith(&r, "//")) {
      skipComment(&r);
      continue;
    }
    if (!c || ((c == '<' || c == '>') && isOperator(&r, text))) continue;
    const char *closes = strchr(closing, c);
    if (closes) {
      closeBracket(&r, opening[closes - closing]);
    } else if (strchr(opening, c)) {
      if (r.depth == TILE_MAX_NESTING) {
        *line = r.line;
        *column = (int)(r.at - r.lineStart) + 1;
        return true;
      }
      r.open[r.depth++] = c;
    }
  }
  return false;
}
