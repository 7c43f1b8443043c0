//===- MapForm.c - descriptions of tensor maps, evaluated at a launch -----===//
//
// The grammar is that of tile/Runtime/Launcher.h. Expressions become instructions for a stack,
// operands before operations:
//
//   (mul:i64 %4:i32 2)   ->   argument 4, number 2, multiply
//
//===----------------------------------------------------------------------===//
#include "tile/Runtime/Launcher.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CODE = 256, MAX_STACK = 64, CHUNK_BYTES = 16 };

typedef enum Operation {
  OP_NUMBER,
  OP_ARGUMENT,
  OP_FIT,
  OP_ADD,
  OP_SUB,
  OP_MUL,
  OP_DIV,
  OP_CEILDIV,
  OP_MIN,
  OP_MAX,
} Operation;

typedef struct Instruction {
  Operation op;
  unsigned width; ///< bits of the result
  int64_t value;  ///< the number, or the argument's
} Instruction;

/// Instructions first .. end - 1.
typedef struct Expression {
  unsigned first, end;
} Expression;

struct TileMapForm {
  TileElementType type;
  unsigned base, rank;
  bool moved, nanFill, packed;
  TileSwizzle swizzle;
  uint32_t box[TILE_TENSOR_MAP_MAX_RANK];
  Expression offset, shape[TILE_TENSOR_MAP_MAX_RANK], strides[TILE_TENSOR_MAP_MAX_RANK];
  unsigned size;
  Instruction code[MAX_CODE];
};

//===- parsing ------------------------------------------------------------===//

typedef struct Parser {
  const char *text, *at;
  TileMapForm *form;
  unsigned depth;
  TileError *error;
} Parser;

static bool expected(Parser *p, const char *what) {
  return tileErrorSet(p->error, "expected %s at character %zu of a tensor map, found '%.16s'", what,
                      (size_t)(p->at - p->text), p->at);
}

static void skipSpace(Parser *p) {
  while (*p->at == ' ') ++p->at;
}

/// Takes `word` where it stands next.
static bool accept(Parser *p, const char *word) {
  skipSpace(p);
  size_t length = strlen(word);
  if (strncmp(p->at, word, length) != 0) return false;
  p->at += length;
  return true;
}

static bool require(Parser *p, const char *word) {
  if (accept(p, word)) return true;
  return tileErrorSet(p->error, "expected '%s' at character %zu of a tensor map, found '%.16s'",
                      word, (size_t)(p->at - p->text), p->at);
}

static bool parseNumber(Parser *p, int64_t *value) {
  skipSpace(p);
  const char *digits = p->at + (*p->at == '-');
  if (!isdigit((unsigned char)*digits)) return expected(p, "a number");
  char *end;
  *value = strtoll(p->at, &end, 10);
  p->at = end;
  return true;
}

/// A number 0 .. most.
static bool parseCount(Parser *p, int64_t most, unsigned *value) {
  int64_t number = 0;
  const char *start = p->at;
  if (!parseNumber(p, &number)) return false;
  if (number < 0 || number > most) {
    p->at = start;
    return expected(p, "a smaller number");
  }
  *value = (unsigned)number;
  return true;
}

/// ":i32"
static bool parseWidth(Parser *p, unsigned *width) {
  if (!require(p, ":i") || !parseCount(p, 64, width)) return false;
  bool known = *width == 8 || *width == 16 || *width == 32 || *width == 64;
  return known || expected(p, "a width of 8, 16, 32 or 64");
}

static bool emit(Parser *p, Instruction instruction) {
  TileMapForm *form = p->form;
  if (form->size == MAX_CODE) return expected(p, "a shorter tensor map");
  form->code[form->size++] = instruction;
  return true;
}

static bool parseTerm(Parser *p);

/// What follows an opening parenthesis.
static bool parseOperation(Parser *p) {
  static const struct {
    const char *name;
    Operation op;
  } names[] = {{"add", OP_ADD}, {"sub", OP_SUB}, {"mul", OP_MUL}, {"div", OP_DIV},
               {"min", OP_MIN}, {"max", OP_MAX}, {"fit", OP_FIT}, {"ceildiv", OP_CEILDIV}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (!accept(p, names[i].name)) continue;
    Instruction made = {.op = names[i].op};
    return parseWidth(p, &made.width) && parseTerm(p) && (made.op == OP_FIT || parseTerm(p)) &&
           require(p, ")") && emit(p, made);
  }
  return expected(p, "an operation");
}

static bool parseTerm(Parser *p) {
  if (p->depth == MAX_STACK - 1) return expected(p, "a simpler expression");
  Instruction made = {.op = OP_NUMBER, .width = 64};
  if (accept(p, "(")) {
    ++p->depth;
    bool ok = parseOperation(p);
    --p->depth;
    return ok;
  }
  if (!accept(p, "%")) return parseNumber(p, &made.value) && emit(p, made);
  unsigned argument = 0;
  if (!parseCount(p, INT16_MAX, &argument)) return false;
  made.op = OP_ARGUMENT;
  made.value = argument;
  return parseWidth(p, &made.width) && emit(p, made);
}

static bool parseExpression(Parser *p, Expression *expression) {
  expression->first = p->form->size;
  if (!parseTerm(p)) return false;
  expression->end = p->form->size;
  return true;
}

/// "[a, b]"; at most as many as a map has dimensions.
static bool parseExpressions(Parser *p, Expression *list, unsigned *count) {
  *count = 0;
  if (!require(p, "[")) return false;
  if (accept(p, "]")) return true;
  do {
    if (*count == TILE_TENSOR_MAP_MAX_RANK) return expected(p, "at most 5 dimensions");
    if (!parseExpression(p, &list[(*count)++])) return false;
  } while (accept(p, ","));
  return require(p, "]");
}

static bool parseBox(Parser *p) {
  if (!require(p, "box") || !require(p, "[")) return false;
  for (unsigned i = 0; i < p->form->rank; ++i)
    if ((i && !require(p, ",")) || !parseCount(p, UINT16_MAX, &p->form->box[i])) return false;
  return require(p, "]");
}

static bool parseSwizzle(Parser *p) {
  unsigned bytes = 0;
  if (!accept(p, "swizzle")) return true;
  if (!parseCount(p, 128, &bytes)) return false;
  bool known = bytes == 32 || bytes == 64 || bytes == 128;
  p->form->swizzle = bytes == 32   ? TILE_SWIZZLE_32B
                     : bytes == 64 ? TILE_SWIZZLE_64B
                                   : TILE_SWIZZLE_128B;
  return known || expected(p, "a swizzle of 32, 64 or 128");
}

static bool parseBase(Parser *p) {
  TileMapForm *form = p->form;
  if (!require(p, "%") || !parseCount(p, INT16_MAX, &form->base)) return false;
  form->moved = accept(p, "+");
  return !form->moved || parseExpression(p, &form->offset);
}

static bool parseForm(Parser *p) {
  TileMapForm *form = p->form;
  size_t length = strcspn(p->at, " ");
  if (!tileElementParse(p->at, length, &form->type)) return expected(p, "an element type");
  p->at += length;
  unsigned strides = 0;
  if (!parseBase(p) || !parseExpressions(p, form->shape, &form->rank)) return false;
  if (!form->rank) return expected(p, "1 extent or more");
  if (!parseExpressions(p, form->strides, &strides)) return false;
  if (strides != form->rank - 1) return expected(p, "a stride for each extent but the last");
  if (!parseBox(p) || !parseSwizzle(p)) return false;
  form->nanFill = accept(p, "padding");
  if (form->nanFill && !require(p, "nan")) return false;
  form->packed = accept(p, "packed");
  skipSpace(p);
  return !*p->at || expected(p, "the end");
}

TileMapForm *tileMapFormCreate(const char *text, TileError *error) {
  Parser p = {.text = text, .at = text, .form = tileRuntimeAlloc(sizeof *p.form), .error = error};
  if (parseForm(&p)) return p.form;
  free(p.form);
  return NULL;
}

void tileMapFormDestroy(TileMapForm *form) { free(form); }

unsigned tileMapFormGetBase(const TileMapForm *form) { return form->base; }

bool tileMapFormIsPacked(const TileMapForm *form) { return form->packed; }

//===- evaluation ---------------------------------------------------------===//

/// The argument in the low `width` bits of its slot.
static int64_t readArgument(uint64_t slot, unsigned width) {
  unsigned unused = 64 - width;
  return (int64_t)(slot << unused) >> unused;
}

static bool fits(int64_t value, unsigned width) {
  return width == 64 ||
         (value >= -(INT64_C(1) << (width - 1)) && value < INT64_C(1) << (width - 1));
}

/// Rounds toward zero, as arith.divsi, or up.
static bool divide(int64_t a, int64_t b, bool up, int64_t *result) {
  if (!b || (a == INT64_MIN && b == -1)) return false;
  *result = a / b;
  if (up && a % b && (a < 0) == (b < 0)) ++*result;
  return true;
}

/// False where the result has no value in 64 bits.
static bool compute(Operation op, int64_t a, int64_t b, int64_t *result) {
  switch (op) {
  case OP_ADD:
    return !__builtin_add_overflow(a, b, result);
  case OP_SUB:
    return !__builtin_sub_overflow(a, b, result);
  case OP_MUL:
    return !__builtin_mul_overflow(a, b, result);
  case OP_DIV:
  case OP_CEILDIV:
    return divide(a, b, op == OP_CEILDIV, result);
  case OP_MIN:
    *result = a < b ? a : b;
    return true;
  case OP_MAX:
    *result = a > b ? a : b;
    return true;
  case OP_NUMBER:
  case OP_ARGUMENT:
  case OP_FIT:
    break;
  }
  return false;
}

/// An evaluation.
typedef struct Evaluation {
  const TileMapForm *form;
  const uint64_t *slots;
  unsigned count;
  TileError *error;
} Evaluation;

static bool evaluate(const Evaluation *e, Expression expression, int64_t *result) {
  int64_t stack[MAX_STACK + 1] = {0};
  unsigned top = 0;
  for (unsigned i = expression.first; i < expression.end; ++i) {
    const Instruction *in = &e->form->code[i];
    int64_t value = in->value;
    if (in->op == OP_ARGUMENT) {
      if (value >= e->count)
        return tileErrorSet(e->error, "expected at least %lld arguments, found %u",
                            (long long)value + 1, e->count);
      value = readArgument(e->slots[value], in->width);
    } else if (in->op == OP_FIT) {
      value = stack[--top];
    } else if (in->op != OP_NUMBER) {
      top -= 2;
      if (!compute(in->op, stack[top], stack[top + 1], &value))
        return tileErrorSet(e->error, "expected sizes below 2^63, found an overflow or a division "
                                      "by 0");
    }
    if (!fits(value, in->width))
      return tileErrorSet(e->error, "expected a value of %u bits, found %lld", in->width,
                          (long long)value);
    stack[top++] = value;
  }
  *result = stack[0];
  return true;
}

/// An array without elements: one that is 0 takes its place (see Launcher.c).
static void makeEmpty(TileTensorMapSpec *spec) {
  spec->base = 0;
  for (unsigned i = 0; i < spec->rank; ++i) {
    spec->shape[i] = 1;
    spec->strides[i] = CHUNK_BYTES;
  }
}

/// Extents as they are, of which those below 0, as masks have that are false everywhere, are none;
/// strides in bytes.
static bool evaluateArray(const Evaluation *e, TileTensorMapSpec *spec, bool *empty) {
  int64_t bytes = (int64_t)tileElementGetSize(spec->type), value = 0;
  for (unsigned i = 0; i < spec->rank; ++i) {
    if (!evaluate(e, e->form->shape[i], &value)) return false;
    *empty |= value <= 0;
    spec->shape[i] = value < 0 ? 0 : (uint64_t)value;
    if (i + 1 == spec->rank) break;
    if (!evaluate(e, e->form->strides[i], &value)) return false;
    if (__builtin_mul_overflow(value, bytes, &value) || value < 0)
      return tileErrorSet(e->error, "expected strides of 0 and more, found another in dimension %u",
                          i);
    spec->strides[i] = (uint64_t)value;
  }
  // Nobody takes a step along an extent of 1: the next stride that the engine can do is as good.
  for (unsigned i = 0; i + 1 < spec->rank; ++i)
    if (spec->shape[i] == 1)
      spec->strides[i] = (spec->strides[i] + CHUNK_BYTES - 1) / CHUNK_BYTES * CHUNK_BYTES;
  return true;
}

bool tileMapFormEvaluate(const TileMapForm *form, const uint64_t *slots, unsigned count,
                         TileTensorMapSpec *spec, bool *empty, TileError *error) {
  Evaluation e = {form, slots, count, error};
  // All of it is compared where maps are kept, padding included.
  memset(spec, 0, sizeof *spec);
  spec->type = form->type;
  spec->rank = form->rank;
  spec->swizzle = form->swizzle;
  spec->nanFill = form->nanFill;
  memcpy(spec->box, form->box, sizeof spec->box);
  if (form->base >= count)
    return tileErrorSet(error, "expected at least %u arguments, found %u", form->base + 1, count);
  spec->base = slots[form->base];
  *empty = false;
  int64_t offset = 0;
  if (form->moved && !evaluate(&e, form->offset, &offset)) return false;
  if (__builtin_mul_overflow(offset, (int64_t)tileElementGetSize(form->type), &offset))
    return tileErrorSet(error, "expected an offset below 2^63 bytes, found an overflow");
  spec->base += (uint64_t)offset;
  if (!evaluateArray(&e, spec, empty)) return false;
  if (*empty) makeEmpty(spec);
  return true;
}
