//===- HintWords.c - words that stand where others are wanted -------------===//
#include "HintWords.h"
#include "tile/Support/Source.h"
#include "tile/Support/Suggest.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef struct Word {
  const char *theirs, *ours;
} Word;

static const Word types[] = {
    {"float16", "f16"}, {"half", "f16"},  {"fp16", "f16"},   {"bfloat16", "bf16"},
    {"float32", "f32"}, {"float", "f32"}, {"fp32", "f32"},   {"float64", "f64"},
    {"double", "f64"},  {"fp64", "f64"},  {"int8", "i8"},    {"int16", "i16"},
    {"int32", "i32"},   {"int", "i32"},   {"int64", "i64"},  {"long", "i64"},
    {"bool", "i1"},     {"uint8", "i8"},  {"uint16", "i16"}, {"uint32", "i32"},
    {"uint64", "i64"},  {"u8", "i8"},     {"u16", "i16"},    {"u32", "i32"},
    {"u64", "i64"},
};

static const Word statements[] = {
    {"if", "a condition is scf.if %c {..}, and a choice of values select(%c, %a, %b) in a formula"},
    {"else", "a condition is scf.if %c {..} else {..}"},
    {"for", "a loop is scf.for %i = %first to %end step %by iter_args(..) -> (..) : i32 {..}"},
    {"while", "a loop with a condition is scf.while"},
    {"return",
     "a kernel and a helper end in tile.return, what a loop or a condition gives is scf.yield"},
    {"def", "a kernel is tile.func @name(%x: !tile.ptr<f32>, %n: i32) {..}"},
    {"descending",
     "what sorts from the largest on is behind the axis: tile.sort %x axis 0 {descending}"},
    {"reverse", "what scans from the end is behind the axis: tile.scan add %x axis 0 {reverse}"},
    {"kernel", "a kernel is tile.func @name(%x: !tile.ptr<f32>, %n: i32) {..}"},
};

static size_t measureName(const char *text) {
  size_t length = 0;
  while (isalnum((unsigned char)text[length]) || text[length] == '_') ++length;
  return length;
}

static const char *findOurs(const Word *words, size_t count, const char *at, size_t length) {
  for (size_t i = 0; i < count; ++i)
    if (strlen(words[i].theirs) == length && !strncmp(words[i].theirs, at, length))
      return words[i].ours;
  return NULL;
}
#define FIND(words, at, length) findOurs(words, sizeof(words) / sizeof *(words), at, length)

/// A type as other languages call it. The error stands in front of it, or behind the blank there.
static bool hintTypeName(const TileMistake *m, TileText *hint) {
  if (!strstr(m->message, "expected non-function type") && !strstr(m->message, "expected type"))
    return false;
  const char *at = m->text + m->offset;
  at += strspn(at, ": \t");
  size_t length = measureName(at);
  const char *ours = FIND(types, at, length);
  if (!ours) return false;
  if (at == m->text + m->offset)
    tileTextPrint(hint, "did you mean '%s'?", ours);
  else
    tileTextPrint(hint, "'%.*s' is written '%s'", (int)length, at, ours);
  if (*at == 'u') tileTextAdd(hint, " Integers have no sign; ops and their words do");
  return true;
}

/// A statement of other languages, which is taken for an op without a dialect.
static bool hintStatement(const TileMistake *m, TileText *hint) {
  const char *name = strstr(m->message, "custom op '");
  if (!name) return false;
  name += strlen("custom op '");
  const char *ours = FIND(statements, name, strcspn(name, "'"));
  if (ours) tileTextAdd(hint, ours);
  return ours;
}

/// A pointer, written as in C or without what its type begins with.
static bool hintPointer(const TileMistake *m, TileText *hint) {
  const char *at = m->text + m->offset;
  at += strspn(at, ": \t");
  bool isStar = *at == '*' && strstr(m->message, "expected ')'");
  bool isBare = !strncmp(at, "tile.ptr<", 9) && strstr(m->message, "expected non-function type");
  if (!isStar && !isBare && !strstr(m->message, "in dialect `ptr`")) return false;
  tileTextAdd(hint, "a pointer is written !tile.ptr<f32>, and a descriptor !tile.desc<128x64xf16>");
  return true;
}

/// A value without what its name begins with: where it is defined, or in a formula, where a word is
/// a meta-parameter.
static bool hintSigil(const TileMistake *m, TileText *hint) {
  const char *at = m->text + m->offset;
  at += strspn(at, " \t");
  size_t length = measureName(at);
  if (length && strstr(m->message, "Dialect `' not found for custom op") &&
      !strncmp(at + length, " = ", 3)) {
    tileTextPrint(hint, "a value's name begins with %%: '%%%.*s'", (int)length, at);
    return true;
  }
  if (!strstr(m->message, "found numbers alone")) return false;
  while (at > m->text && at[-1] != '\n') --at;
  at += strcspn(at, "=\n");
  for (; *at && *at != '\n'; at += length ? length : 1) {
    char name[64];
    length = measureName(at);
    bool isWord = length && length < sizeof name - 4 && !isdigit((unsigned char)*at);
    if (!isWord || at[-1] == '%' || at[-1] == '.') continue;
    snprintf(name, sizeof name, "%%%.*s", (int)length, at);
    const char *defined = strstr(m->text, name);
    if (!defined || measureName(defined + 1) != length) continue;
    tileTextPrint(hint, "a word alone is a meta-parameter, and the value is '%s'", name);
    return true;
  }
  return false;
}

/// A value for an op that gives none, or for a call that does not say what it gives.
static bool hintNoResult(const TileMistake *m, TileText *hint) {
  if (!strstr(m->message, "cannot name an operation with no results")) return false;
  const char *line = m->text + m->offset, *equals = strchr(line, '=');
  if (!equals) return false;
  const char *op = equals + 1 + strspn(equals + 1, " \t");
  if (strncmp(op, "tile.call ", strlen("tile.call ")) != 0) return false;
  tileTextAdd(hint, "what a helper gives stands behind an arrow: tile.call @name(%x) -> f32");
  return true;
}

/// Ops of scf say types that those of tile leave out.
static bool hintTypesOfLoop(const TileMistake *m, TileText *hint) {
  bool wantsYielded = strstr(m->message, "expected ':'");
  bool wantsResults = strstr(m->message, "expected '->'");
  TileStatement s;
  if ((!wantsYielded && !wantsResults) || !m->offset ||
      !tileStatementFind(m->text, m->size, m->offset - 1, &s))
    return false;
  const char *op = m->text + s.op;
  if (wantsYielded && !strncmp(op, "scf.yield ", 10))
    tileTextAdd(hint, "scf.yield says the types of what it gives: 'scf.yield %x, %y : f32, i32'");
  else if (wantsResults && !strncmp(op, "scf.for ", 8))
    tileTextAdd(hint, "a loop says the types of what it carries, and of its bounds: "
                      "'iter_args(%x = %a, %y = %b) -> (f32, i32) : i32 {'");
  return hint->size;
}

static bool hintSemicolon(const TileMistake *m, TileText *hint) {
  if (m->text[m->offset] != ';') return false;
  tileTextAdd(hint, "an op ends with its line");
  return true;
}

static bool hintComment(const TileMistake *m, TileText *hint) {
  const char *at = m->text + m->offset;
  if (*at != '#' || strncmp(at, "#tile", 5) == 0) return false;
  // An alias stands there without a blank behind.
  if (isalnum((unsigned char)at[1]) && !strstr(m->message, "expected operation name")) return false;
  tileTextAdd(hint, "a comment begins with //");
  return true;
}

/// Where the function begins in whose list of arguments `at` is; NULL.
static const char *findFunctionOf(const char *text, const char *at) {
  int depth = 0;
  const char *open = at;
  // Back to the bracket of the list, and from there to the beginning of its line.
  while (open > text && depth >= 0) {
    --open;
    depth += (*open == ')') - (*open == '(');
  }
  const char *line = open;
  while (line > text && line[-1] != '\n') --line;
  bool is = !strncmp(line, "tile.func ", 10) || !strncmp(line, "func.func ", 10);
  return depth < 0 && is ? line : NULL;
}

/// A function that begins in another one, whose arguments have the names of its own.
static bool hintUnclosed(const TileMistake *m, TileText *hint) {
  if (!strstr(m->message, "region entry argument '") ||
      !findFunctionOf(m->text, m->text + m->offset))
    return false;
  tileTextAdd(hint, "a '}' is missing: the function above has no end");
  return true;
}

static bool hintEnd(const TileMistake *m, TileText *hint) {
  if (!strstr(m->message, "block with no terminator") && !strstr(m->message, "empty block: expect"))
    return false;
  tileTextAdd(hint,
              "a kernel and a helper end in tile.return, a host program in return, and what has "
              "results of its own inside of them in scf.yield or tile.yield");
  return true;
}

//===- tiles --------------------------------------------------------------===//

/// How many axes the next quoted tile behind `*at` has; 0 where there is none.
static int nextRank(const char **at) {
  const char *begin = strstr(*at, "'tensor<");
  if (!begin) return 0;
  int rank = 0;
  const char *end = strchr(begin + 1, '\'');
  if (!end) return 0;
  for (const char *c = begin + strlen("'tensor<");
       c < end && (isdigit((unsigned char)*c) || *c == '?');) {
    c += *c == '?' ? 1 : strspn(c, "0123456789");
    if (*c++ != 'x') break;
    ++rank;
  }
  *at = end + 1;
  return rank;
}

/// A tile of one axis beside one of more.
static bool hintAxis(const TileMistake *m, TileText *hint) {
  const char *at = strstr(m->message, "found '");
  if (!at || !strstr(m->message, "custom op 'tile.")) return false;
  int first = nextRank(&at), second = at ? nextRank(&at) : 0;
  if (!first || !second || first == second || (first != 1 && second != 1)) return false;
  tileTextAdd(hint, "a tile of one axis is a column as col(%x), and a row as row(%x)");
  return true;
}

/// The names between the braces of `meta {..}` of the function around; false without one, and in
/// a helper, which has extents of its own.
static bool findMeta(const TileMistake *m, const char **begin, const char **end) {
  TileStatement own, around;
  if (!tileStatementFind(m->text, m->size, m->offset, &own) ||
      !tileStatementFind(m->text, m->size, own.outermost, &around))
    return false;
  const char *function = m->text + around.begin;
  if (strncmp(function, "tile.func @", strlen("tile.func @"))) return false;
  const char *meta = strstr(function, "meta {");
  *begin = meta ? meta + strlen("meta {") : NULL;
  *end = meta ? strchr(meta, '}') : NULL;
  return *end && *end < m->text + around.end;
}

/// An extent of a tile in the message that no meta-parameter is called as.
static bool hintMeta(const TileMistake *m, TileText *hint) {
  const char *begin, *end, *dims = strstr(m->message, "#tile.dims<[");
  if (!dims || !findMeta(m, &begin, &end)) return false;
  for (; dims; dims = strstr(dims, "#tile.dims<[")) {
    dims += strlen("#tile.dims<[");
    for (size_t length; *dims && *dims != '>'; dims += length ? length : 1) {
      length = isalpha((unsigned char)*dims) || *dims == '_' ? measureName(dims) : 0;
      static const Word operators[] = {{"floordiv", ""}, {"ceildiv", ""}, {"mod", ""}};
      if (!length || FIND(operators, dims, length)) continue;
      TileSuggestion s = tileSuggestionFor(dims, length);
      bool isThere = false;
      for (const char *at = begin; at < end; ++at) {
        size_t known = measureName(at);
        if (!known || isdigit((unsigned char)*at)) continue;
        isThere |= known == length && !strncmp(at, dims, length);
        tileSuggestionOffer(&s, at, known);
        at += known;
      }
      if (isThere) continue;
      tileTextPrint(hint, "'%.*s' is no meta-parameter of the kernel (%.*s)%s", (int)length, dims,
                    (int)(end - begin), begin, tileSuggestionSay(&s).text);
      return true;
    }
  }
  return false;
}

/// Is that the name of a meta-parameter of the kernel around?
static bool isMeta(const TileMistake *m, const char *name, size_t length) {
  const char *begin, *end;
  if (!length || !findMeta(m, &begin, &end)) return false;
  for (const char *known = begin; known < end; ++known) {
    size_t size = measureName(known);
    if (size == length && !strncmp(known, name, length)) return true;
    known += size;
  }
  return false;
}

/// A number or a meta-parameter where an op of others wants a value, as a loop does.
static bool hintConstant(const TileMistake *m, TileText *hint) {
  if (!strstr(m->message, "expected SSA operand")) return false;
  const char *at = m->text + m->offset;
  at += strspn(at, " \t");
  size_t length = measureName(at);
  if (isdigit((unsigned char)*at)) {
    tileTextPrint(
        hint, "a number is an op of its own: '%%c%.*s = arith.constant %.*s : i32' on a line above",
        (int)length, at, (int)length, at);
    return true;
  }
  if (!isMeta(m, at, length)) return false;
  tileTextPrint(
      hint,
      "a meta-parameter's value is an op of its own: '%%size = tile.meta %.*s : i32' on a "
      "line above",
      (int)length, at);
  return true;
}

/// A meta-parameter where an op stands.
static bool hintMetaAlone(const TileMistake *m, TileText *hint) {
  const char *at = m->text + m->offset;
  size_t length = measureName(at);
  if (!strstr(m->message, "Dialect `' not found for custom op") || !isMeta(m, at, length))
    return false;
  tileTextPrint(hint,
                "a meta-parameter's value is an op of its own, 'tile.meta %.*s : i32', and so is "
                "what is computed with it, 'tile.expr ..'",
                (int)length, at);
  return true;
}

//===- words that a message lists -----------------------------------------===//

/// "expected a, b or c, found 'd'": which of them is meant.
static bool hintListed(const TileMistake *m, TileText *hint) {
  const char *from = strstr(m->message, "expected "), *found = strstr(m->message, ", found '");
  if (!from || !found || found < from || strstr(m->message, "did you mean")) return false;
  const char *name = found + strlen(", found '");
  size_t length = strcspn(name, "'");
  // Numbers and types are not misspelt.
  if (!isalpha((unsigned char)*name) || strcspn(name, " <") < length ||
      isdigit((unsigned char)name[length - 1]))
    return false;
  TileSuggestion s = tileSuggestionFor(name, length);
  for (const char *at = from + strlen("expected "); at < found;) {
    size_t word = strcspn(at, ", ");
    tileSuggestionOffer(&s, at, word);
    at += word;
    at += strspn(at, ", ");
  }
  if (!tileSuggestionGet(&s)) return false;
  tileTextPrint(hint, "did you mean '%s'?", tileSuggestionGet(&s));
  return true;
}

bool tileHintWord(const TileMistake *m, TileText *hint) {
  static bool (*const hints[])(const TileMistake *, TileText *) = {
      hintTypeName,    hintPointer,   hintSigil,   hintStatement, hintNoResult,
      hintTypesOfLoop, hintMetaAlone, hintComment, hintSemicolon, hintUnclosed,
      hintEnd,         hintMeta,      hintAxis,    hintConstant,  hintListed,
  };
  for (size_t i = 0; i < sizeof hints / sizeof *hints; ++i)
    if (hints[i](m, hint)) return true;
  return false;
}
