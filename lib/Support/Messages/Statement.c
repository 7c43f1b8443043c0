//===- Statement.c - where statements of a text begin and end -------------===//
//
// MLIR's parser stops at its first error. To go on, tile takes out the statement that the error is
// in (dialect/Glue/TileRecover.cpp), which is found here, in text that is no MLIR any more.
//===----------------------------------------------------------------------===//
#include "tile/Support/Source.h"
#include <ctype.h>
#include <string.h>

/// An open bracket, and the statement that is being read within it.
typedef struct Level {
  char bracket;
  bool hasStatement;
  size_t begin, indent;
} Level;

typedef struct Reader {
  const char *text;
  size_t size, at, lineStart;
  /// Was there more than white space on the line?
  bool hasWords;
  Level levels[TILE_MAX_NESTING];
  int depth;
} Reader;

static void skipQuoted(Reader *r) {
  for (++r->at; r->at < r->size && r->text[r->at] != '"' && r->text[r->at] != '\n'; ++r->at)
    if (r->text[r->at] == '\\') ++r->at;
}

static bool holdsStatements(const Level *level) { return level->bracket == '{'; }

static bool isNameChar(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/// Can a statement begin so, on the outermost level or within a region?
static bool beginsStatement(const char *text, size_t size, size_t at, bool outermost) {
  char c = text[at];
  if (c == '%' || c == '"' || c == '^') return true;
  if (c == '!' || c == '#') return outermost;
  if (!isalpha((unsigned char)c) && c != '_') return false;
  size_t end = at;
  while (end < size && (isNameChar(text[end]) || text[end] == '.')) ++end;
  while (end < size && text[end] == ' ') ++end;
  // `BM = 64,` is of a dictionary.
  return end == size || text[end] != '=';
}

/// A token that begins its line may begin a statement, and end the one before.
static void beginLine(Reader *r) {
  Level *level = &r->levels[r->depth];
  size_t indent = r->at - r->lineStart;
  bool continues = level->hasStatement && indent > level->indent;
  if (!holdsStatements(level) || continues || strchr(")]}", r->text[r->at]) ||
      !beginsStatement(r->text, r->size, r->at, r->depth == 0))
    return;
  level->hasStatement = true;
  level->begin = r->at;
  level->indent = indent;
}

/// Steps over one character, a string or a comment. False where brackets do not fit.
static bool step(Reader *r) {
  char c = r->text[r->at];
  bool isComment = c == '/' && r->at + 1 < r->size && r->text[r->at + 1] == '/';
  if (isComment) {
    while (r->at < r->size && r->text[r->at] != '\n') ++r->at;
    return true;
  }
  r->hasWords = c != '\n' && (r->hasWords || (c != ' ' && c != '\t'));
  if (c == '\n')
    r->lineStart = r->at + 1;
  else if (c == '"')
    skipQuoted(r);
  if (c && strchr("([{", c)) {
    if (r->depth + 1 == TILE_MAX_NESTING) return false;
    r->levels[++r->depth] = (Level){.bracket = c};
  } else if (c && strchr(")]}", c)) {
    char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (!r->depth || r->levels[r->depth].bracket != opening) return false;
    --r->depth;
  }
  ++r->at;
  return true;
}

/// Is there only white space in front, on the line?
static bool isFirst(const Reader *r) {
  char c = r->text[r->at];
  return !r->hasWords && !isspace((unsigned char)c) && c != '/';
}

static size_t findOp(const char *text, const TileStatement *s) {
  if (text[s->begin] != '%') return s->begin;
  const char *equals = memchr(text + s->begin, '=', s->end - s->begin);
  if (!equals) return s->end;
  size_t at = (size_t)(equals - text) + 1;
  while (at < s->end && isspace((unsigned char)text[at])) ++at;
  return at;
}

/// Reads on to the end of the statement of `depth` that is being read.
static bool findEnd(Reader *r, int depth, size_t *end) {
  size_t begin = r->levels[depth].begin;
  while (r->at < r->size) {
    if (isFirst(r)) beginLine(r);
    bool ends = r->depth == depth && (r->levels[depth].begin != begin || r->text[r->at] == '}');
    if (ends) break;
    if (!step(r)) return false;
  }
  *end = r->at;
  return r->at < r->size || (!depth && !r->depth);
}

bool tileStatementFind(const char *text, size_t size, size_t offset, TileStatement *s) {
  Reader r = {.text = text, .size = size};
  r.levels[0].bracket = '{';
  if (offset >= size) return false;
  while (r.at <= offset) {
    if (isFirst(&r)) beginLine(&r);
    if (r.at == offset) break;
    if (!step(&r)) return false;
  }
  int depth = r.depth;
  while (depth >= 0 && !r.levels[depth].hasStatement) --depth;
  if (depth < 0 || text[r.levels[depth].begin] == '^') return false;
  *s = (TileStatement){.begin = r.levels[depth].begin, .outermost = r.levels[0].begin};
  if (!findEnd(&r, depth, &s->end)) return false;
  while (s->end > s->begin && isspace((unsigned char)text[s->end - 1])) --s->end;
  s->op = findOp(text, s);
  return offset <= s->end;
}

size_t tileStatementNextName(const char *text, const TileStatement *s, size_t *at,
                             const char **name) {
  bool isAlias = text[s->begin] == '!' || text[s->begin] == '#';
  size_t end = isAlias && *at == s->begin ? s->begin + 1 : s->op;
  while (*at < end && !strchr("%!#", text[*at])) ++*at;
  if (*at >= end) return 0;
  *name = text + *at;
  size_t begin = (*at)++;
  while (*at < s->end && (isNameChar(text[*at]) || strchr(".-", text[*at]))) ++*at;
  return *at - begin;
}

//===- words --------------------------------------------------------------===//

size_t tileWordFind(const char *text, size_t offset) {
  size_t begin = offset;
  while (begin && isNameChar(text[begin - 1])) --begin;
  size_t behind = begin;
  while (behind < offset && (isdigit((unsigned char)text[behind]) || text[behind] == 'x')) ++behind;
  bool isShape = isdigit((unsigned char)text[begin]) || (begin && text[begin - 1] == '?');
  return isShape && behind > begin && text[behind - 1] == 'x' ? behind : begin;
}

size_t tileWordFindEnd(const char *text, size_t size, size_t offset) {
  while (offset < size && isNameChar(text[offset])) ++offset;
  return offset;
}
