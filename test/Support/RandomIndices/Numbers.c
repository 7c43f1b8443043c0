//===- Numbers.c - numbers of a random kernel, and ops on them ------------===//
#include "RandomIndices.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t lanesOf(const Number *n) {
  int64_t count = 1;
  for (int d = 0; d < n->rank; ++d) count *= n->extents[d];
  return count;
}

int64_t valueAt(const Kernel *k, int id, int level, int point, int64_t lane) {
  const Number *n = &k->numbers[id];
  for (; level > n->level; --level) point = k->parent[level][point];
  return n->values[point * lanesOf(n) + lane];
}

Number *freshNumber(Kernel *k, int rank, const int64_t *extents, int width) {
  if (k->count == MAX_NUMBERS) abort(); // who adds asks for room
  Number *n = &k->numbers[k->count];
  *n = (Number){.level = k->level, .rank = rank, .width = width};
  for (int d = 0; d < rank; ++d) n->extents[d] = extents[d];
  n->values = calloc((size_t)(k->points[k->level] * lanesOf(n)) + 1, sizeof *n->values);
  if (!n->values) abort();
  return n;
}

/// Takes a fresh number back.
static int refuse(Number *n) {
  free(n->values);
  n->values = NULL;
  return -1;
}

const char *indexType(const Number *n, char text[96]) {
  char element[32];
  snprintf(element, sizeof element, "i%d", n->width);
  if (n->width == 0) snprintf(element, sizeof element, "!tile.ptr<i32>");
  if (n->rank == 0) snprintf(text, 96, "%s", element);
  if (n->rank == 1) snprintf(text, 96, "tensor<%dx%s>", (int)n->extents[0], element);
  if (n->rank == 2)
    snprintf(text, 96, "tensor<%dx%dx%s>", (int)n->extents[0], (int)n->extents[1], element);
  return text;
}

int pickNumber(Kernel *k, int rank, int width) {
  for (int tries = 0; tries < 60; ++tries) {
    // Of two the later one: what is built on what was built.
    int a = below(&k->text, k->count), b = below(&k->text, k->count), id = a > b ? a : b;
    const Number *n = &k->numbers[id];
    if (n->isHidden || (rank >= 0 && n->rank != rank) || (width >= 0 && n->width != width))
      continue;
    return id;
  }
  return -1;
}

static bool isAlike(const Number *x, const Number *y) {
  return x->rank == y->rank && x->width == y->width &&
         !memcmp(x->extents, y->extents, sizeof x->extents);
}

int pickLike(Kernel *k, int like) {
  for (int tries = 0; tries < 60; ++tries) {
    int id = below(&k->text, k->count);
    if (!k->numbers[id].isHidden && isAlike(&k->numbers[id], &k->numbers[like])) return id;
  }
  return -1;
}

int addNumber(Kernel *k, int like, int64_t value) {
  if (like < 0) return -1;
  const Number *x = &k->numbers[like];
  Number *n = freshNumber(k, x->rank, x->extents, x->width);
  for (int64_t i = 0; i < k->points[k->level] * lanesOf(n); ++i) n->values[i] = value;
  char type[96];
  put(&k->text,
      n->rank ? "  %%v%d = arith.constant dense<%d> : %s loc(\"%d\")\n"
              : "  %%v%d = arith.constant %d : %s loc(\"%d\")\n",
      k->count, (int)value, indexType(n, type), k->count);
  return k->count++;
}

/// The op on exact numbers; false where it wraps or is not defined.
static bool exactly(const char *op, int width, int64_t x, int64_t y, int64_t *result) {
  if (width == 1) return interpret(op, width, x, y, result);
  int64_t most = INT64_C(1) << (width == 64 ? 40 : width - 2);
  bool fits = !is(op, "muli") || (!__builtin_mul_overflow(x, y, result) && llabs(*result) < most);
  if (is(op, "shli")) fits = y >= 0 && y < 20 && llabs(x) << y < most;
  if (is(op, "addi")) fits = llabs(x + y) < most;
  if (is(op, "subi")) fits = llabs(x - y) < most;
  return fits && interpret(op, width, x, y, result) && *result < most && *result > -most;
}

int addOp(Kernel *k, const char *op, int x, int y) {
  if (x < 0 || y < 0) return -1;
  const Number *a = &k->numbers[x];
  if (a->width == 0 || !isAlike(a, &k->numbers[y])) return -1;
  if (a->width == 1 && !is(op, "andi") && !is(op, "ori")) return -1;
  Number *n = freshNumber(k, a->rank, a->extents, a->width);
  int64_t lanes = lanesOf(n);
  bool isCount = true; // is what is divided >= 0?
  for (int64_t i = 0; i < k->points[k->level] * lanes; ++i) {
    int64_t left = valueAt(k, x, k->level, (int)(i / lanes), i % lanes);
    int64_t right = valueAt(k, y, k->level, (int)(i / lanes), i % lanes);
    if (!exactly(op, n->width, left, right, &n->values[i])) return refuse(n);
    isCount &= left >= 0;
  }
  bool promises = isCount && (is(op, "divsi") || is(op, "remsi")) && below(&k->text, 3) == 0;
  char type[96];
  snprintf(n->op, sizeof n->op, "%s", op);
  n->of[0] = x;
  n->of[1] = y;
  put(&k->text, "  %%v%d = arith.%s %%v%d, %%v%d %s: %s loc(\"%d\")\n", k->count, op, x, y,
      promises ? "{tile.nonnegative} " : "", indexType(n, type), k->count);
  return k->count++;
}

int addComparison(Kernel *k, int predicate, int x, int y) {
  if (x < 0 || y < 0) return -1;
  const Number *a = &k->numbers[x];
  if (a->width < 8 || !isAlike(a, &k->numbers[y])) return -1;
  if (predicate < 0) predicate = below(&k->text, 10);
  Number *n = freshNumber(k, a->rank, a->extents, 1);
  int64_t lanes = lanesOf(n);
  for (int64_t i = 0; i < k->points[k->level] * lanes; ++i)
    n->values[i] =
        compare(predicate, a->width, valueAt(k, x, k->level, (int)(i / lanes), i % lanes),
                valueAt(k, y, k->level, (int)(i / lanes), i % lanes));
  char type[96];
  snprintf(n->op, sizeof n->op, "cmpi");
  put(&k->text, "  %%v%d = arith.cmpi %s, %%v%d, %%v%d : %s loc(\"%d\")\n", k->count,
      predicates[predicate], x, y, indexType(a, type), k->count);
  return k->count++;
}

int addConversion(Kernel *k) {
  const int widths[] = {8, 32, 64, 64};
  int x = pickNumber(k, -1, -1), width = widths[below(&k->text, 4)];
  if (x < 0) return -1;
  const Number *a = &k->numbers[x];
  if (a->width == 0 || a->width == width) return -1;
  bool isUnsigned = below(&k->text, 4) == 0;
  const char *op = width < a->width ? "trunci" : isUnsigned ? "extui" : "extsi";
  Number *n = freshNumber(k, a->rank, a->extents, width);
  int64_t lanes = lanesOf(n);
  for (int64_t i = 0; i < k->points[k->level] * lanes; ++i) {
    int64_t v = valueAt(k, x, k->level, (int)(i / lanes), i % lanes);
    bool widens = isUnsigned && width > a->width;
    n->values[i] = narrow(widens ? (int64_t)asUnsigned(v, a->width) : asSigned(v, a->width), width);
  }
  char from[96], to[96];
  put(&k->text, "  %%v%d = arith.%s %%v%d : %s to %s loc(\"%d\")\n", k->count, op, x,
      indexType(a, from), indexType(n, to), k->count);
  return k->count++;
}

int addSelection(Kernel *k) {
  int c = pickNumber(k, 0, 1), x = pickNumber(k, -1, -1), y = x < 0 ? -1 : pickLike(k, x);
  if (c < 0 || y < 0) return -1;
  const Number *a = &k->numbers[x];
  Number *n = freshNumber(k, a->rank, a->extents, a->width);
  int64_t lanes = lanesOf(n);
  for (int64_t i = 0; i < k->points[k->level] * lanes; ++i) {
    bool first = valueAt(k, c, k->level, (int)(i / lanes), 0) != 0;
    n->values[i] = valueAt(k, first ? x : y, k->level, (int)(i / lanes), i % lanes);
  }
  char type[96];
  put(&k->text, "  %%v%d = arith.select %%v%d, %%v%d, %%v%d : %s loc(\"%d\")\n", k->count, c, x, y,
      indexType(n, type), k->count);
  return k->count++;
}

//===- tiles --------------------------------------------------------------===//

int addRow(Kernel *k, int64_t extent) {
  Number *n = freshNumber(k, 1, &extent, 32);
  for (int64_t i = 0; i < k->points[k->level] * extent; ++i) n->values[i] = i % extent;
  char type[96];
  put(&k->text, "  %%v%d = tile.arange : %s loc(\"%d\")\n", k->count, indexType(n, type), k->count);
  return k->count++;
}

int addSplatLike(Kernel *k, int x, int like) {
  if (x < 0 || like < 0 || k->numbers[x].rank || !k->numbers[like].rank) return -1;
  const Number *shape = &k->numbers[like];
  Number *n = freshNumber(k, shape->rank, shape->extents, k->numbers[x].width);
  int64_t lanes = lanesOf(n);
  for (int64_t i = 0; i < k->points[k->level] * lanes; ++i)
    n->values[i] = valueAt(k, x, k->level, (int)(i / lanes), 0);
  char from[96], to[96];
  put(&k->text, "  %%v%d = tile.splat %%v%d : %s -> %s loc(\"%d\")\n", k->count, x,
      indexType(&k->numbers[x], from), indexType(n, to), k->count);
  return k->count++;
}

int addWider(Kernel *k, int x) {
  static const int64_t extents[2] = {4, 8};
  if (x < 0 || k->numbers[x].rank != 1 ||
      (k->numbers[x].extents[0] != 4 && k->numbers[x].extents[0] != 8))
    return -1;
  bool isRow = k->numbers[x].extents[0] == 8;
  const int64_t narrowed[2] = {isRow ? 1 : 4, isRow ? 8 : 1};
  Number *column = freshNumber(k, 2, narrowed, k->numbers[x].width);
  int64_t lanes = lanesOf(column);
  for (int64_t i = 0; i < k->points[k->level] * lanes; ++i)
    column->values[i] = valueAt(k, x, k->level, (int)(i / lanes), i % lanes);
  column->isHidden = true;
  char from[96], to[96];
  put(&k->text, "  %%v%d = tile.expand_dims %%v%d axis %d : %s -> %s loc(\"%d\")\n", k->count, x,
      isRow ? 0 : 1, indexType(&k->numbers[x], from), indexType(column, to), k->count);
  ++k->count;
  Number *n = freshNumber(k, 2, extents, column->width);
  for (int64_t i = 0; i < k->points[k->level] * 32; ++i)
    n->values[i] = column->values[i / 32 * lanes + (isRow ? i % 8 : i % 32 / 8)];
  put(&k->text, "  %%v%d = tile.broadcast %%v%d : %s -> %s loc(\"%d\")\n", k->count, k->count - 1,
      to, indexType(n, from), k->count);
  return k->count++;
}

int addAddress(Kernel *k, int x) {
  if (x < 0 || k->numbers[x].width < 32 || k->numbers[x].rank == 0) return -1;
  int from = -1;
  for (int tries = 0; tries < 20 && from < 0; ++tries) {
    int id = pickNumber(k, k->numbers[x].rank, 0);
    const Number *p = id < 0 ? NULL : &k->numbers[id];
    if (p && !memcmp(p->extents, k->numbers[x].extents, sizeof p->extents)) from = id;
  }
  if (from < 0 || below(&k->text, 2))
    from = addSplatLike(k, ARGUMENTS - 1 - (below(&k->text, 4) == 0), x);
  Number *n = freshNumber(k, k->numbers[x].rank, k->numbers[x].extents, 0);
  int64_t lanes = lanesOf(n);
  for (int64_t i = 0; i < k->points[k->level] * lanes; ++i)
    n->values[i] = valueAt(k, from, k->level, (int)(i / lanes), i % lanes) +
                   valueAt(k, x, k->level, (int)(i / lanes), i % lanes);
  char pointers[96], offsets[96];
  put(&k->text, "  %%v%d = tile.addptr %%v%d, %%v%d : %s, %s loc(\"%d\")\n", k->count, from, x,
      indexType(n, pointers), indexType(&k->numbers[x], offsets), k->count);
  return k->count++;
}
