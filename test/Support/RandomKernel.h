//===- RandomKernel.h - random tile kernels, and what they compute --------===//
//
// Writes kernels of integer and pointer tiles as MLIR text and, while doing so, runs them by the
// small interpreter below on several sets of arguments. An op whose result arith leaves undefined
// on any set is not written. For tests that hold claims of the compiler against values.
//
// Each op's location names the node of its first result; nodes 0 to 5 are the arguments.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_RANDOM_KERNEL_H
#define TILE_TEST_RANDOM_KERNEL_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 6, MAX_ELEMENTS = 256, MAX_NODES = 96, OPS = 44 };

/// A value of the program: its type, its name %v<i>, and its elements in every trial.
typedef struct {
  int rank, width; // width 0: pointer
  int64_t extents[3];
  int unit; // bytes pointed at
  int64_t values[TRIALS][MAX_ELEMENTS];
} Node;

typedef struct {
  Node nodes[MAX_NODES];
  int count;
  char text[1 << 16];
  size_t length;
  uint64_t random;
} Program;

//===- randomness and text ------------------------------------------------===//

static uint64_t randomBits(Program *p) { // splitmix64
  uint64_t z = (p->random += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}
static int below(Program *p, int n) { return (int)(randomBits(p) % (uint64_t)n); }

static void put(Program *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(Program *p, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int used = vsnprintf(p->text + p->length, sizeof p->text - p->length, format, args);
  va_end(args);
  if (used < 0 || (size_t)used >= sizeof p->text - p->length) abort(); // OPS is too many
  p->length += (size_t)used;
}

static const char *typeText(const Node *n, char text[96]) {
  char element[32];
  if (n->width)
    snprintf(element, sizeof element, "i%d", n->width);
  else
    snprintf(element, sizeof element, "!tile.ptr<i%d>", n->unit * 8);
  if (n->rank == 0) snprintf(text, 96, "%s", element);
  if (n->rank == 1) snprintf(text, 96, "tensor<%dx%s>", (int)n->extents[0], element);
  if (n->rank == 2)
    snprintf(text, 96, "tensor<%dx%dx%s>", (int)n->extents[0], (int)n->extents[1], element);
  if (n->rank == 3)
    snprintf(text, 96, "tensor<%dx%dx%dx%s>", (int)n->extents[0], (int)n->extents[1],
             (int)n->extents[2], element);
  return text;
}

static int64_t elementsOf(const Node *n) {
  int64_t count = 1;
  for (int d = 0; d < n->rank; ++d) count *= n->extents[d];
  return count;
}

static bool sameShape(const Node *a, const Node *b) {
  return a->rank == b->rank && !memcmp(a->extents, b->extents, sizeof a->extents);
}

/// A node of `like`'s shape; not yet part of the program.
static Node *fresh(Program *p, const Node *like, int width) {
  Node *n = &p->nodes[p->count];
  memset(n, 0, sizeof *n);
  if (like) {
    n->rank = like->rank;
    memcpy(n->extents, like->extents, sizeof n->extents);
    n->unit = width ? 0 : like->unit;
  }
  n->width = width;
  return n;
}

//===- the interpreter ----------------------------------------------------===//

static int64_t narrow(int64_t value, int width) {
  switch (width) {
  case 1:
    return value & 1;
  case 8:
    return (int8_t)value;
  case 16:
    return (int16_t)value;
  case 32:
    return (int32_t)value;
  default:
    return value;
  }
}
static uint64_t asUnsigned(int64_t value, int width) {
  switch (width) {
  case 1:
    return (uint64_t)value & 1;
  case 8:
    return (uint8_t)value;
  case 16:
    return (uint16_t)value;
  case 32:
    return (uint32_t)value;
  default:
    return (uint64_t)value;
  }
}
static int64_t asSigned(int64_t value, int width) { return width == 1 ? -value : value; }

static const char *const binaries[] = {
    "addi",       "subi",  "muli",  "divsi", "divui", "ceildivsi", "ceildivui",
    "floordivsi", "remsi", "remui", "shli",  "shrsi", "shrui",     "andi",
    "ori",        "xori",  "minsi", "maxsi", "minui", "maxui",
};
static const char *const predicates[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                         "sge", "ult", "ule", "ugt", "uge"};
enum { NUM_BINARIES = sizeof binaries / sizeof *binaries };

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

/// One op on two numbers; false where its result is undefined.
static bool interpret(const char *op, int width, int64_t a, int64_t b, int64_t *result) {
  uint64_t ua = asUnsigned(a, width), ub = asUnsigned(b, width), r = 0;
  int64_t sa = asSigned(a, width), sb = asSigned(b, width);
  bool divides = strstr(op, "div") || strstr(op, "rem");
  if (divides && ub == 0) return false;
  bool isMin = sa == (width == 64 ? INT64_MIN : -(INT64_C(1) << (width - 1)));
  if (divides && !strchr(op, 'u') && sb == -1 && isMin) return false;
  if (op[0] == 's' && op[1] == 'h' && ub >= (uint64_t)width) return false;
  if (is(op, "addi")) r = ua + ub;
  if (is(op, "subi")) r = ua - ub;
  if (is(op, "muli")) r = ua * ub;
  if (is(op, "divsi")) r = (uint64_t)(sa / sb);
  if (is(op, "remsi")) r = (uint64_t)(sa % sb);
  if (is(op, "divui")) r = ua / ub;
  if (is(op, "remui")) r = ua % ub;
  if (is(op, "ceildivui")) r = ua / ub + (ua % ub ? 1 : 0);
  if (is(op, "ceildivsi")) r = (uint64_t)(sa / sb + (sa % sb && (sa < 0) == (sb < 0)));
  if (is(op, "floordivsi")) r = (uint64_t)(sa / sb - (sa % sb && (sa < 0) != (sb < 0)));
  if (is(op, "shli")) r = ua << ub;
  if (is(op, "shrui")) r = ua >> ub;
  if (is(op, "shrsi")) r = sa < 0 ? ~(~(uint64_t)sa >> ub) : (uint64_t)sa >> ub;
  if (is(op, "andi")) r = ua & ub;
  if (is(op, "ori")) r = ua | ub;
  if (is(op, "xori")) r = ua ^ ub;
  if (is(op, "minsi")) r = sa < sb ? ua : ub;
  if (is(op, "maxsi")) r = sa > sb ? ua : ub;
  if (is(op, "minui")) r = ua < ub ? ua : ub;
  if (is(op, "maxui")) r = ua > ub ? ua : ub;
  *result = narrow((int64_t)r, width);
  return true;
}

static int64_t compare(int predicate, int width, int64_t a, int64_t b) {
  uint64_t ua = asUnsigned(a, width), ub = asUnsigned(b, width);
  int64_t sa = asSigned(a, width), sb = asSigned(b, width);
  const bool results[] = {
      ua == ub, ua != ub, sa<sb, sa <= sb, sa> sb, sa >= sb, ua<ub, ua <= ub, ua> ub, ua >= ub};
  return results[predicate];
}

//===- the generator ------------------------------------------------------===//

/// A number that people write: small, a power of two, or an end of the type.
static int64_t interesting(Program *p, int width) {
  switch (below(p, 8)) {
  case 0:
    return 0;
  case 1:
    return narrow(1, width);
  case 2:
    return narrow(-1, width);
  case 3:
    return narrow(below(p, 100), width);
  case 4:
    return narrow((int64_t)(UINT64_C(1) << below(p, width)), width);
  case 5:
    return narrow(-(INT64_C(1) << below(p, width > 62 ? 62 : width)), width);
  case 6:
    return narrow((INT64_C(1) << below(p, width > 62 ? 62 : width)) - 1, width);
  default:
    return narrow((int64_t)randomBits(p), width);
  }
}

static int pick(Program *p) { return below(p, p->count); }

static void putNumber(Program *p, const Node *n, int64_t i) {
  if (n->width == 1)
    put(p, n->values[0][i] ? "true" : "false");
  else
    put(p, "%" PRId64, n->values[0][i]);
}

static void putConstant(Program *p, const Node *n) {
  char type[96];
  int64_t count = elementsOf(n);
  put(p, "  %%v%d = arith.constant ", p->count);
  if (n->rank) put(p, "dense<");
  for (int64_t i = 0; i < count; ++i) {
    int64_t stride = 1;
    for (int d = n->rank - 1; d >= 0; --d)
      if (i % (stride *= n->extents[d]) == 0) put(p, "[");
    putNumber(p, n, i);
    stride = 1;
    for (int d = n->rank - 1; d >= 0; --d)
      if ((i + 1) % (stride *= n->extents[d]) == 0) put(p, "]");
    if (i + 1 < count) put(p, ", ");
  }
  if (n->rank) put(p, ">");
  if (n->rank || n->width > 1) put(p, " : %s", typeText(n, type));
  put(p, "\n");
  p->count++;
}

/// One number everywhere, or runs that step by 1 (and, between them, by something).
static bool addConstant(Program *p) {
  const int widths[] = {1, 8, 32, 32, 32, 64};
  int like = pick(p), width = widths[below(p, 6)];
  Node *n = fresh(p, &p->nodes[like], width);
  bool isSplat = below(p, 3) != 0, repeats = below(p, 2);
  int64_t value = interesting(p, width);
  if (!isSplat && below(p, 2)) // near a multiple of the runs, or the end of the type
    value = narrow(
        (int64_t)((below(p, 2) ? UINT64_C(1) << (width - 1) : 0) - (UINT64_C(1) << below(p, 6))),
        width);
  int64_t run = INT64_C(1) << below(p, 5);
  int64_t jump = below(p, 2) ? below(p, 40) : run * below(p, 4);
  for (int t = 0; t < TRIALS; ++t)
    for (int64_t i = 0; i < elementsOf(n); ++i) {
      int64_t more = isSplat ? 0 : i / run * jump + (repeats ? 0 : i % run);
      n->values[t][i] = narrow((int64_t)((uint64_t)value + (uint64_t)more), width);
    }
  putConstant(p, n);
  return true;
}

/// Consecutive numbers that start at a multiple of some power of two, often below 0.
static bool addAlignedRun(Program *p) {
  const int widths[] = {8, 32, 64};
  Node *n = fresh(p, NULL, widths[below(p, 3)]);
  n->rank = 1;
  n->extents[0] = INT64_C(1) << (1 + below(p, 6));
  int64_t start = (below(p, 12) - 8) * (INT64_C(1) << below(p, 6));
  for (int t = 0; t < TRIALS; ++t)
    for (int64_t i = 0; i < n->extents[0]; ++i) n->values[t][i] = narrow(start + i, n->width);
  putConstant(p, n);
  return true;
}

static bool addArange(Program *p) {
  const int extents[] = {4, 6, 16, 48, 256, 12};
  Node *n = fresh(p, NULL, 32);
  n->rank = 1;
  n->extents[0] = extents[below(p, 6)];
  char type[96];
  for (int t = 0; t < TRIALS; ++t)
    for (int i = 0; i < n->extents[0]; ++i) n->values[t][i] = i;
  put(p, "  %%v%d = tile.arange : %s\n", p->count++, typeText(n, type));
  return true;
}

/// A second operand of `a`'s type: an existing value, or nothing.
static int partner(Program *p, int a) {
  for (int tries = 0; tries < 40; ++tries) {
    int b = pick(p);
    if (p->nodes[b].width == p->nodes[a].width && sameShape(&p->nodes[a], &p->nodes[b])) return b;
  }
  return -1;
}

static bool addBinary(Program *p) {
  int a = pick(p), b = partner(p, a);
  const Node *x = &p->nodes[a];
  if (b < 0 || x->width == 0) return false;
  const Node *y = &p->nodes[b];
  const char *op = binaries[below(p, NUM_BINARIES)];
  Node *n = fresh(p, x, x->width);
  char type[96];
  for (int t = 0; t < TRIALS; ++t)
    for (int64_t i = 0; i < elementsOf(x); ++i)
      if (!interpret(op, x->width, x->values[t][i], y->values[t][i], &n->values[t][i]))
        return false;
  put(p, "  %%v%d = arith.%s %%v%d, %%v%d : %s\n", p->count++, op, a, b, typeText(x, type));
  return true;
}

/// A tile with one power of two of its type, to divide, mask or compare by.
static bool addPicture(Program *p) {
  int a = below(p, 2) ? p->count - 1 : pick(p), predicate = 2 + below(p, 8);
  const Node *x = &p->nodes[a];
  if (x->width < 8 || x->rank == 0 || p->count + 2 > MAX_NODES) return false;
  int64_t by = narrow(INT64_C(1) << below(p, 7), x->width);
  if (below(p, 4) == 0) by = narrow(-by, x->width);
  const char *const ops[] = {"divsi", "divui", "floordivsi", "ceildivsi", "remsi",
                             "remui", "andi",  "shrsi",      "subi",      "cmpi"};
  const char *op = ops[below(p, 10)];
  if (is(op, "shrsi")) by = below(p, x->width);
  if (is(op, "andi") && below(p, 2)) by = narrow(by - 1, x->width);
  Node *n = fresh(p, x, x->width), *m = &p->nodes[p->count + 1];
  memcpy(m, n, sizeof *n);
  m->width = is(op, "cmpi") ? 1 : x->width;
  for (int t = 0; t < TRIALS; ++t)
    for (int64_t i = 0; i < elementsOf(x); ++i) {
      n->values[t][i] = by;
      if (is(op, "cmpi"))
        m->values[t][i] = compare(predicate, x->width, x->values[t][i], by);
      else if (!interpret(op, x->width, x->values[t][i], by, &m->values[t][i]))
        return false;
    }
  putConstant(p, n);
  p->length--;
  char type[96];
  put(p, " loc(\"%d\")\n  %%v%d = arith.%s ", p->count - 1, p->count, op);
  if (is(op, "cmpi")) put(p, "%s, ", predicates[predicate]);
  put(p, "%%v%d, %%v%d : %s\n", a, p->count - 1, typeText(x, type));
  p->count++;
  return true;
}

static bool addCompare(Program *p) {
  int a = pick(p), b = partner(p, a), predicate = below(p, 10);
  const Node *x = &p->nodes[a];
  if (b < 0 || x->width == 0) return false;
  const Node *y = &p->nodes[b];
  Node *n = fresh(p, x, 1);
  char type[96];
  for (int t = 0; t < TRIALS; ++t)
    for (int64_t i = 0; i < elementsOf(x); ++i)
      n->values[t][i] = compare(predicate, x->width, x->values[t][i], y->values[t][i]);
  put(p, "  %%v%d = arith.cmpi %s, %%v%d, %%v%d : %s\n", p->count++, predicates[predicate], a, b,
      typeText(x, type));
  return true;
}

static bool addSelect(Program *p) {
  int c = pick(p), a = pick(p), b = partner(p, a);
  const Node *condition = &p->nodes[c], *x = &p->nodes[a];
  if (b < 0 || condition->width != 1) return false;
  if (condition->rank != 0 && !sameShape(condition, x)) return false;
  Node *n = fresh(p, x, x->width);
  if (x->width == 0 && p->nodes[b].unit != x->unit) return false;
  for (int t = 0; t < TRIALS; ++t)
    for (int64_t i = 0; i < elementsOf(x); ++i)
      n->values[t][i] = condition->values[t][condition->rank ? i : 0] ? x->values[t][i]
                                                                      : p->nodes[b].values[t][i];
  char type[96], mask[96];
  put(p, "  %%v%d = \"arith.select\"(%%v%d, %%v%d, %%v%d) : (%s, %s, %s) -> %s\n", p->count++, c, a,
      b, typeText(condition, mask), typeText(x, type), type, type);
  return true;
}

static bool addCast(Program *p) {
  const int widths[] = {1, 8, 32, 64};
  int a = pick(p), width = widths[below(p, 4)];
  const Node *x = &p->nodes[a];
  if (x->width == 0 || x->width == width) return false;
  bool isUnsigned = below(p, 2);
  const char *op = width < x->width ? "trunci" : isUnsigned ? "extui" : "extsi";
  Node *n = fresh(p, x, width);
  for (int t = 0; t < TRIALS; ++t)
    for (int64_t i = 0; i < elementsOf(x); ++i) {
      int64_t v = x->values[t][i];
      n->values[t][i] = narrow(isUnsigned && width > x->width ? (int64_t)asUnsigned(v, x->width)
                                                              : asSigned(v, x->width),
                               width);
    }
  char from[96], to[96];
  put(p, "  %%v%d = arith.%s %%v%d : %s to %s\n", p->count++, op, a, typeText(x, from),
      typeText(n, to));
  return true;
}

/// Writes a shape op; `result` and the names of its attributes are set.
static void putShapeOp(Program *p, const char *op, int a, const Node *result, const char *attrs) {
  char from[96], to[96];
  put(p, "  %%v%d = \"tile.%s\"(%%v%d) {%s} : (%s) -> %s\n", p->count++, op, a, attrs,
      typeText(&p->nodes[a], from), typeText(result, to));
}

static bool addSplat(Program *p) {
  int a = pick(p), like = pick(p);
  const Node *x = &p->nodes[a], *shape = &p->nodes[like];
  if (x->rank != 0 || shape->rank == 0) return false;
  Node *n = fresh(p, shape, x->width);
  n->unit = x->unit;
  for (int t = 0; t < TRIALS; ++t)
    for (int64_t i = 0; i < elementsOf(n); ++i) n->values[t][i] = x->values[t][0];
  putShapeOp(p, "splat", a, n, "");
  return true;
}

static bool addExpandDims(Program *p) {
  int a = pick(p), axis = below(p, 3);
  const Node *x = &p->nodes[a];
  if (x->rank == 0 || x->rank == 3 || axis > x->rank) return false;
  Node *n = fresh(p, x, x->width);
  n->rank++;
  for (int d = n->rank - 1; d > axis; --d) n->extents[d] = n->extents[d - 1];
  n->extents[axis] = 1;
  memcpy(n->values, x->values, sizeof n->values);
  char attrs[32];
  snprintf(attrs, sizeof attrs, "axis = %d : i32", axis);
  putShapeOp(p, "expand_dims", a, n, attrs);
  return true;
}

static bool addBroadcast(Program *p) {
  int a = pick(p), to = (int)(INT64_C(1) << below(p, 4));
  const Node *x = &p->nodes[a];
  int axis = below(p, 3);
  if (axis >= x->rank || x->extents[axis] != 1 || elementsOf(x) * to > MAX_ELEMENTS) return false;
  Node *n = fresh(p, x, x->width);
  n->extents[axis] = to;
  int64_t inner = 1;
  for (int d = axis + 1; d < x->rank; ++d) inner *= x->extents[d];
  for (int t = 0; t < TRIALS; ++t)
    for (int64_t i = 0; i < elementsOf(n); ++i)
      n->values[t][i] = x->values[t][i / (inner * to) * inner + i % inner];
  putShapeOp(p, "broadcast", a, n, "");
  return true;
}

static bool addReshape(Program *p) {
  int a = pick(p);
  const Node *x = &p->nodes[a];
  if (x->rank == 0) return false;
  Node *n = fresh(p, x, x->width);
  int64_t left = elementsOf(x);
  n->rank = 1 + below(p, 3);
  for (int d = 0; d < n->rank; ++d) {
    int64_t extent = d + 1 == n->rank ? left : 1 + below(p, 16);
    while (left % extent) --extent;
    n->extents[d] = extent;
    left /= extent;
  }
  for (int d = n->rank; d < 3; ++d) n->extents[d] = 0;
  memcpy(n->values, x->values, sizeof n->values);
  putShapeOp(p, "reshape", a, n, "");
  return true;
}

static bool addTrans(Program *p) {
  int a = pick(p);
  const Node *x = &p->nodes[a];
  if (x->rank != 2) return false;
  Node *n = fresh(p, x, x->width);
  n->extents[0] = x->extents[1];
  n->extents[1] = x->extents[0];
  for (int t = 0; t < TRIALS; ++t)
    for (int64_t i = 0; i < x->extents[0]; ++i)
      for (int64_t k = 0; k < x->extents[1]; ++k)
        n->values[t][k * x->extents[0] + i] = x->values[t][i * x->extents[1] + k];
  putShapeOp(p, "trans", a, n, "order = array<i32: 1, 0>");
  return true;
}

static bool addJoin(Program *p) {
  int a = pick(p), b = partner(p, a);
  const Node *x = &p->nodes[a];
  if (b < 0 || x->rank == 0 || x->rank == 3 || elementsOf(x) * 2 > MAX_ELEMENTS) return false;
  const Node *y = &p->nodes[b];
  if (x->unit != y->unit) return false;
  Node *n = fresh(p, x, x->width);
  n->extents[n->rank++] = 2;
  for (int t = 0; t < TRIALS; ++t)
    for (int64_t i = 0; i < elementsOf(x); ++i) {
      n->values[t][2 * i] = x->values[t][i];
      n->values[t][2 * i + 1] = y->values[t][i];
    }
  char from[96], to[96];
  put(p, "  %%v%d = tile.join %%v%d, %%v%d : %s -> %s\n", p->count++, a, b, typeText(x, from),
      typeText(n, to));
  return true;
}

static bool addSplit(Program *p) {
  int a = pick(p);
  const Node *x = &p->nodes[a];
  if (x->rank < 2 || x->extents[x->rank - 1] != 2 || p->count + 2 > MAX_NODES) return false;
  for (int half = 0; half < 2; ++half) {
    Node *n = fresh(p, x, x->width);
    n->extents[--n->rank] = 0;
    for (int t = 0; t < TRIALS; ++t)
      for (int64_t i = 0; i < elementsOf(n); ++i) n->values[t][i] = x->values[t][2 * i + half];
    p->count++;
  }
  char from[96], to[96];
  put(p, "  %%v%d, %%v%d = tile.split %%v%d : %s -> %s\n", p->count - 2, p->count - 1, a,
      typeText(x, from), typeText(&p->nodes[p->count - 1], to));
  return true;
}

static bool addCat(Program *p) {
  int a = pick(p), b = pick(p), axis = below(p, 3);
  const Node *x = &p->nodes[a], *y = &p->nodes[b];
  if (x->rank == 0 || x->rank != y->rank || axis >= x->rank || x->width != y->width) return false;
  if (x->unit != y->unit || elementsOf(x) + elementsOf(y) > MAX_ELEMENTS) return false;
  int64_t inner = 1;
  for (int d = 0; d < x->rank; ++d) {
    if (d != axis && x->extents[d] != y->extents[d]) return false;
    if (d > axis) inner *= x->extents[d];
  }
  Node *n = fresh(p, x, x->width);
  n->extents[axis] += y->extents[axis];
  int64_t rowX = inner * x->extents[axis], rowY = inner * y->extents[axis];
  for (int t = 0; t < TRIALS; ++t)
    for (int64_t i = 0; i < elementsOf(n); ++i) {
      int64_t row = i / (rowX + rowY), at = i % (rowX + rowY);
      n->values[t][i] =
          at < rowX ? x->values[t][row * rowX + at] : y->values[t][row * rowY + at - rowX];
    }
  char left[96], right[96], to[96];
  put(p, "  %%v%d = \"tile.cat\"(%%v%d, %%v%d) {axis = %d : i32} : (%s, %s) -> %s\n", p->count++, a,
      b, axis, typeText(x, left), typeText(y, right), typeText(n, to));
  return true;
}

static bool addPointers(Program *p) {
  int a = pick(p), b = pick(p);
  const Node *x = &p->nodes[a], *y = &p->nodes[b];
  if (x->width != 0 || (y->width != 32 && y->width != 64) || !sameShape(x, y)) return false;
  Node *n = fresh(p, x, 0);
  for (int t = 0; t < TRIALS; ++t)
    for (int64_t i = 0; i < elementsOf(x); ++i)
      n->values[t][i] =
          (int64_t)((uint64_t)x->values[t][i] + (uint64_t)y->values[t][i] * (uint64_t)x->unit);
  char from[96], by[96];
  put(p, "  %%v%d = tile.addptr %%v%d, %%v%d : %s, %s\n", p->count++, a, b, typeText(x, from),
      typeText(y, by));
  return true;
}

/// p = init; trips times: p = addptr(p, offsets).
static bool addPointerLoop(Program *p, int a) {
  int b = pick(p), trips = below(p, 5);
  const Node *x = &p->nodes[a], *y = &p->nodes[b];
  if (y->width != 32 || !sameShape(x, y)) return false;
  Node *n = fresh(p, x, 0);
  for (int t = 0; t < TRIALS; ++t)
    for (int64_t i = 0; i < elementsOf(x); ++i)
      n->values[t][i] = (int64_t)((uint64_t)x->values[t][i] +
                                  (uint64_t)y->values[t][i] * (uint64_t)(x->unit * trips));
  char type[96], by[96];
  int id = p->count++;
  typeText(x, type);
  put(p, "  %%u%d = arith.constant %d : index\n  %%l%d = arith.constant 0 : index\n", id, trips,
      id);
  put(p, "  %%s%d = arith.constant 1 : index\n", id);
  put(p, "  %%v%d = scf.for %%i = %%l%d to %%u%d step %%s%d iter_args(%%x = %%v%d) -> (%s) {\n", id,
      id, id, id, a, type);
  put(p, "    %%r = tile.addptr %%x, %%v%d : %s, %s\n    scf.yield %%r : %s\n  }\n", b, type,
      typeText(y, by), type);
  return true;
}

/// x = init; for lower to upper by step: x = op(x, y); by scf.for, or counting down by scf.while.
static bool addLoop(Program *p) {
  int a = pick(p), b = partner(p, a);
  const Node *x = &p->nodes[a];
  if (x->width == 0) return addPointerLoop(p, a);
  if (b < 0) return false;
  const Node *y = &p->nodes[b];
  const char *op = binaries[below(p, NUM_BINARIES)];
  int lower = below(p, 20) - 4, step = 1 + below(p, 5), trips = below(p, 6);
  bool isWhile = below(p, 3) == 0;
  Node *n = fresh(p, x, x->width);
  memcpy(n->values, x->values, sizeof n->values);
  for (int t = 0; t < TRIALS; ++t)
    for (int k = 0; k < trips; ++k)
      for (int64_t i = 0; i < elementsOf(x); ++i)
        if (!interpret(op, x->width, n->values[t][i], y->values[t][i], &n->values[t][i]))
          return false;
  char type[96];
  int id = p->count++;
  typeText(x, type);
  put(p, "  %%l%d = arith.constant %d : i32\n", id, lower);
  put(p, "  %%u%d = arith.constant %d : i32\n", id, lower + trips * step);
  put(p, "  %%s%d = arith.constant %d : i32\n", id, step);
  if (isWhile) {
    put(p, "  %%k%d, %%v%d = scf.while (%%i = %%l%d, %%x = %%v%d) : (i32, %s) -> (i32, %s) {\n", id,
        id, id, a, type, type);
    put(p, "    %%c = arith.cmpi slt, %%i, %%u%d : i32\n", id);
    put(p, "    scf.condition(%%c) %%i, %%x : i32, %s\n  } do {\n  ^bb0(%%j: i32, %%z: %s):\n",
        type, type);
    put(p, "    %%n = arith.addi %%j, %%s%d : i32\n    %%r = arith.%s %%z, %%v%d : %s\n", id, op, b,
        type);
    put(p, "    scf.yield %%n, %%r : i32, %s\n  }\n", type);
  } else {
    put(p,
        "  %%v%d = scf.for %%i = %%l%d to %%u%d step %%s%d iter_args(%%x = %%v%d) -> (%s) : i32 "
        "{\n",
        id, id, id, id, a, type);
    put(p, "    %%r = arith.%s %%x, %%v%d : %s\n    scf.yield %%r : %s\n  }\n", op, b, type, type);
  }
  return true;
}

static bool addIf(Program *p) {
  int c = pick(p), a = pick(p), b = partner(p, a);
  const Node *condition = &p->nodes[c], *x = &p->nodes[a];
  if (b < 0 || condition->width != 1 || condition->rank != 0) return false;
  if (x->unit != p->nodes[b].unit) return false;
  Node *n = fresh(p, x, x->width);
  for (int t = 0; t < TRIALS; ++t)
    memcpy(n->values[t], condition->values[t][0] ? x->values[t] : p->nodes[b].values[t],
           sizeof n->values[t]);
  char type[96];
  typeText(x, type);
  put(p, "  %%v%d = scf.if %%v%d -> (%s) {\n    scf.yield %%v%d : %s\n  } else {\n", p->count++, c,
      type, a, type);
  put(p, "    scf.yield %%v%d : %s\n  }\n", b, type);
  return true;
}

/// Arguments: anything, a multiple of 16, one promised to be small, one promised to be a multiple
/// of 8, and two pointers; then the program's position.
static void addArguments(Program *p) {
  put(p, "tile.func @f(%%v0: i32, %%v1: i32 {tile.divisibility = 16 : i32}, %%v2: i32, %%v3: i64, "
         "%%v4: !tile.ptr<i32>, %%v5: !tile.ptr<i16> {tile.divisibility = 64 : i32}) {\n");
  const int widths[] = {32, 32, 32, 64, 0, 0, 32};
  for (int i = 0; i < 7; ++i) {
    Node *n = fresh(p, NULL, widths[i]);
    n->unit = i == 4 ? 4 : i == 5 ? 2 : 0;
    for (int t = 0; t < TRIALS; ++t) {
      int64_t v = interesting(p, n->width ? n->width : 64);
      if (i == 1) v = narrow(v & ~INT64_C(15), 32);
      if (i == 2) v = below(p, 300);
      if (i == 3) v &= ~INT64_C(7);
      if (i == 4) v &= ~INT64_C(3);
      if (i == 5) v &= ~INT64_C(63);
      if (i == 6) v = below(p, 2) ? below(p, 100) : INT32_MAX - 1 - below(p, 3);
      n->values[t][0] = v;
    }
    p->count++;
  }
  put(p, "  %%v6 = tile.program_id x loc(\"6\")\n  %%zero = arith.constant 0 : i32\n"
         "  %%zero64 = arith.constant 0 : i64\n  %%eight = arith.constant 8 : i64\n"
         "  %%limit = arith.constant 300 : i32\n"
         "  %%low = arith.cmpi sge, %%v2, %%zero : i32\n"
         "  %%high = arith.cmpi slt, %%v2, %%limit : i32\n"
         "  %%both = arith.andi %%low, %%high : i1\n  tile.assume %%both\n"
         "  %%rest = arith.remsi %%v3, %%eight : i64\n"
         "  %%even = arith.cmpi eq, %%rest, %%zero64 : i64\n  tile.assume %%even\n");
}

/// Tries one op; its location names the node of its first result.
static void add(Program *p, bool (*kind)(Program *)) {
  int id = p->count;
  if (!kind(p)) return;
  if (kind == addPicture) ++id; // its constant has its own
  p->length--;                  // the end of the line
  put(p, " loc(\"%d\")\n", id);
}

static void generate(Program *p) {
  bool (*const kinds[])(Program *) = {
      addPicture,  addPicture,    addPicture,   addPicture,  addAlignedRun, addAlignedRun,
      addConstant, addBinary,     addBinary,    addBinary,   addBinary,     addCompare,
      addSelect,   addCast,       addCast,      addSplat,    addSplat,      addSplat,
      addArange,   addExpandDims, addBroadcast, addReshape,  addTrans,      addJoin,
      addSplit,    addCat,        addPointers,  addPointers, addLoop,       addIf,
  };
  p->count = 0;
  p->length = 0;
  addArguments(p);
  add(p, addArange);
  add(p, addArange);
  int last = p->count + OPS;
  for (int tries = 0; p->count < last && p->count < MAX_NODES - 2 && tries < 4000; ++tries)
    add(p, kinds[below(p, sizeof kinds / sizeof *kinds)]);
  put(p, "  tile.return\n}\n");
}

#endif
