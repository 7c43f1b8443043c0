//===- Shapes.c - ops that make and change shapes, and addptr -------------===//
#include "RandomKernel.h"
#include <stdio.h>
#include <string.h>

bool addArange(Program *p) {
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

/// Writes a shape op; `result` and the names of its attributes are set.
static void putShapeOp(Program *p, const char *op, int a, const Node *result, const char *attrs) {
  char from[96], to[96];
  put(p, "  %%v%d = \"tile.%s\"(%%v%d) {%s} : (%s) -> %s\n", p->count++, op, a, attrs,
      typeText(&p->nodes[a], from), typeText(result, to));
}

bool addSplat(Program *p) {
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

bool addExpandDims(Program *p) {
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

bool addBroadcast(Program *p) {
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

bool addReshape(Program *p) {
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

bool addTrans(Program *p) {
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

bool addJoin(Program *p) {
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

bool addSplit(Program *p) {
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

bool addCat(Program *p) {
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

bool addPointers(Program *p) {
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
