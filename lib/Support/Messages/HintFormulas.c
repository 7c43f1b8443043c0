//===- HintFormulas.c - what formulas are written as ----------------------===//
#include "HintFormulas.h"
#include "tile/IR.h"
#include "tile/Support/Source.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/// What others call something, and what it is called here: a word for its place, or else a
/// sentence.
typedef struct Word {
  const char *theirs, *ours, *sentence;
} Word;

/// Longer ones before those that they begin with.
static const Word operators[] = {
    {"!=", "ne", NULL},
    {"&&", "and", NULL},
    {"||", "or", NULL},
    {">>", "shr", NULL},
    {"<<", "shl", NULL},
    {"**", NULL, "a power is math.powf(x, y), a square x * x"},
    {"&", "and", NULL},
    {"|", "or", NULL},
    {"^", "xor", NULL},
    {"!", "not", NULL},
    {"~", "not", NULL},
    {"%", "rem", NULL},
    {"?", NULL, "a choice is select(condition, x, y)"},
    {"@", NULL, "a product of tiles is an op of its own: tile.dot %a, %b, %sum"},
    {"[", NULL,
     "an axis of extent 1 is col(%x), row(%x) or expand(%x, axis); a part of a tile is tile.slice"},
};

static const Word functions[] = {
    {"where", "select", NULL},
    {"maximum", "max", NULL},
    {"fmax", "max", NULL},
    {"minimum", "min", NULL},
    {"fmin", "min", NULL},
    {"float16", "f16", NULL},
    {"half", "f16", NULL},
    {"bfloat16", "bf16", NULL},
    {"float32", "f32", NULL},
    {"float", "f32", NULL},
    {"float64", "f64", NULL},
    {"double", "f64", NULL},
    {"int8", "i8", NULL},
    {"int16", "i16", NULL},
    {"int32", "i32", NULL},
    {"int", "i32", NULL},
    {"int64", "i64", NULL},
    {"bool", "i1", NULL},
    {"abs", "math.absf", NULL},
    {"fabs", "math.absf", NULL},
    {"pow", "math.powf", NULL},
    {"cdiv", NULL, "a quotient that is rounded up is x ceildiv y"},
    {"sum", NULL, "a sum is an op of its own: tile.reduce add %x axis 0"},
    {"zeros", NULL, "a constant tile is a number and its type: tile.expr 0 : tensor<64xf32>"},
    {"full", NULL, "a constant tile is a number and its type: tile.expr 0 : tensor<64xf32>"},
};

static const Word combinations[] = {
    {"sum", "add", NULL},  {"prod", "mul", NULL}, {"amax", "max", NULL},
    {"amin", "min", NULL}, {"any", "or", NULL},   {"all", "and", NULL},
};

static const Word axes[] = {{"0", "x", NULL}, {"1", "y", NULL}, {"2", "z", NULL}};

/// The entry that `at` begins with, as a whole word where it is one.
static const Word *findWord(const Word *words, size_t count, const char *at) {
  for (size_t i = 0; i < count; ++i) {
    size_t length = strlen(words[i].theirs);
    bool isName = isalnum((unsigned char)words[i].theirs[0]);
    if (strncmp(at, words[i].theirs, length)) continue;
    if (!isName || (!isalnum((unsigned char)at[length]) && at[length] != '_')) return &words[i];
  }
  return NULL;
}
#define FIND(words, at) findWord(words, sizeof(words) / sizeof *(words), at)

/// `isThere`: the error stands at the word, so that ours can take its place.
static bool tell(const Word *word, bool isThere, TileText *hint) {
  if (!word) return false;
  if (word->sentence)
    tileTextAdd(hint, word->sentence);
  else if (isThere)
    tileTextPrint(hint, "did you mean '%s'?", word->ours);
  else
    tileTextPrint(hint, "'%s' is written '%s'", word->theirs, word->ours);
  return true;
}

static bool isBlank(char c) { return c == ' ' || c == '\t'; }

static size_t skipBlanks(const TileMistake *m, size_t at) {
  while (isBlank(m->text[at])) ++at;
  return at;
}

static bool beginsWith(const char *text, const char *start) {
  return !strncmp(text, start, strlen(start));
}

/// Is the statement's op one that has formulas?
static bool hasFormula(const char *op) {
  return beginsWith(op, "tile.expr ") || beginsWith(op, "tile.grid =") ||
         beginsWith(op, "tile.cost =");
}

/// An operator of C or Python, at the error, behind the blanks there, or where it began.
static bool hintOperator(const TileMistake *m, TileText *hint) {
  size_t at = skipBlanks(m, m->offset);
  // A word is no operator, and a comparison is one of ours.
  if (isalnum((unsigned char)m->text[at])) return false;
  const char *before = m->offset ? m->text + m->offset - 1 : m->text;
  if (beginsWith(before, "**") || beginsWith(before, ">>") || beginsWith(before, "<<") ||
      beginsWith(before, "@ "))
    return tell(FIND(operators, before), false, hint);
  // %x is a value.
  if (m->text[at] == '%' && !isBlank(m->text[at + 1])) return false;
  return tell(FIND(operators, m->text + at), at == m->offset, hint);
}

/// A function of a formula that it has under another name, or as an op.
static bool hintFunction(const TileMistake *m, TileText *hint) {
  const char *found = strstr(m->message, " as a function, found '");
  if (!found) return false;
  found = strchr(found, '\'') + 1;
  char op[64];
  int length = (int)strcspn(found, "'");
  if (tell(FIND(functions, found), true, hint)) return true;
  for (int i = 0; i < 3; ++i) {
    const char *const dialects[] = {"math", "arith", "tile"};
    snprintf(op, sizeof op, "%s.%.*s", dialects[i], length, found);
    mlirContextGetOrLoadDialect(m->context, tileString(dialects[i]));
    if (!mlirContextIsRegisteredOperation(m->context, tileString(op))) continue;
    tileTextPrint(hint, i < 2 ? "did you mean '%s'?" : "%s is an op of its own, on a line above",
                  op);
    return true;
  }
  return false;
}

/// Where the operand that has the byte `at` in it begins: behind a comma, else behind the op's
/// words.
static size_t findOperand(const TileMistake *m, size_t op, size_t at) {
  int depth = 0;
  while (at > op) {
    char c = m->text[at - 1];
    if (c == ')' || c == ']') ++depth;
    if ((c == '(' || c == '[') && depth-- == 0) break;
    if (c == ',' && !depth) break;
    --at;
  }
  if (at == op) at += strcspn(m->text + op, "%(\n");
  return skipBlanks(m, at);
}

/// How long the operand is: to a comma, a bracket, a word of the op or the end of the line.
static size_t measureOperand(const char *from) {
  int depth = 0;
  size_t length = 0;
  for (; from[length] && from[length] != '\n'; ++length) {
    const char *at = from + length;
    if (*at == '(') ++depth;
    if (*at == ')' && depth-- == 0) break;
    if (depth) continue;
    if (*at == ',' || *at == ':' || *at == '{' || beginsWith(at, "//") || beginsWith(at, "->") ||
        beginsWith(at, " axis "))
      break;
  }
  while (length && isBlank(from[length - 1])) --length;
  return length;
}

/// Does what stands there go on as a formula does?
static bool isOperatorOfFormula(const char *at) {
  if (beginsWith(at, "//") || beginsWith(at, "->")) return false;
  if (strchr("+-*/<>", *at) && *at) return true;
  static const char *const words[] = {"and ",      "or ",      "xor ", "ne ",  "div ", "rem ",
                                      "floordiv ", "ceildiv ", "shl ", "shr ", "== "};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (beginsWith(at, words[i])) return true;
  return false;
}

/// A formula, or a number, where an op of tile wants a value.
static bool hintOperand(const TileMistake *m, size_t op, TileText *hint) {
  if (!beginsWith(m->text + op, "tile.") || beginsWith(m->text + op, "tile.func")) return false;
  size_t at = skipBlanks(m, m->offset);
  const char *there = m->text + at;
  bool wantsValue = strstr(m->message, "expected SSA operand") || strstr(m->message, "'axis'") ||
                    strstr(m->message, "expected operation name in quotes");
  bool isNumber = wantsValue && (isdigit((unsigned char)*there) || beginsWith(there, "-inf") ||
                                 beginsWith(there, "inf"));
  bool isFormula = isOperatorOfFormula(there) || (wantsValue && *there == '(');
  // The error may be about the formula's first value.
  if (!isFormula && *there == '%' && strstr(m->message, " that fits ")) {
    size_t behind = at + 1;
    while (isalnum((unsigned char)m->text[behind]) || strchr("_$.-", m->text[behind])) {
      if (!m->text[behind]) return false;
      ++behind;
    }
    isFormula = isOperatorOfFormula(m->text + skipBlanks(m, behind));
  }
  if (!isFormula && !isNumber) return false;
  size_t begin = isNumber ? at : findOperand(m, op, at);
  size_t length = measureOperand(m->text + begin);
  if (!length || length > 120 || begin + length <= at) return false;
  tileTextPrint(hint, "a %s is an op of its own: '%%t = tile.expr %.*s' on a line above",
                isNumber ? "number" : "formula", (int)length, m->text + begin);
  return true;
}

bool tileHintFormula(const TileMistake *m, TileText *hint) {
  if (hintFunction(m, hint)) return true;
  if (strstr(m->message, "of one operand that has it, found '"))
    return tell(FIND(combinations, m->text + m->offset), true, hint);
  if (strstr(m->message, "expected x, y or z for '"))
    return tell(FIND(axes, m->text + m->offset), true, hint);
  if (strstr(m->message, "for 'arange'") && beginsWith(m->text + m->offset, "arange(0,")) {
    tileTextAdd(hint, "arange begins at 0, and is told how long it is");
    return true;
  }
  TileStatement s;
  if (strstr(m->message, "use of undeclared SSA value name") ||
      !tileStatementFind(m->text, m->size, m->offset, &s))
    return false;
  return hasFormula(m->text + s.op) ? hintOperator(m, hint) : hintOperand(m, s.op, hint);
}
