//===- Numbers.c - constants, arithmetic and comparisons ------------------===//
#include "RandomKernel.h"
#include <inttypes.h>
#include <string.h>

int64_t interesting(Program *p, int width) {
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
    for (int d = n->rank - 1; d >= 0; --d) {
      stride *= n->extents[d];
      if (i % stride == 0) put(p, "[");
    }
    putNumber(p, n, i);
    stride = 1;
    for (int d = n->rank - 1; d >= 0; --d) {
      stride *= n->extents[d];
      if ((i + 1) % stride == 0) put(p, "]");
    }
    if (i + 1 < count) put(p, ", ");
  }
  if (n->rank) put(p, ">");
  if (n->rank || n->width > 1) put(p, " : %s", typeText(n, type));
  put(p, "\n");
  p->count++;
}

/// One number everywhere, or runs that step by 1 (and, between them, by something).
bool addConstant(Program *p) {
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
bool addAlignedRun(Program *p) {
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

bool addBinary(Program *p) {
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
bool addPicture(Program *p) {
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

bool addCompare(Program *p) {
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

bool addSelect(Program *p) {
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

bool addCast(Program *p) {
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
