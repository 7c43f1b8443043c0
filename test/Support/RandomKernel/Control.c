//===- Control.c - loops and conditions -----------------------------------===//
#include "RandomKernel.h"
#include <string.h>

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
bool addLoop(Program *p) {
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

bool addIf(Program *p) {
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
