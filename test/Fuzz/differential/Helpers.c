//===- Helpers.c - what helpers take from their surroundings --------------===//
//
// A helper's block may use any value that is visible where it is first called. As a function it is
// handed those with its arguments.
//===----------------------------------------------------------------------===//
#include "Kernel.h"
#include <stdlib.h>

typedef struct {
  const Kernel *k;
  bool isKnown[MAX_VALUES]; ///< made inside, or found
  int *captures, count;
} Search;

static void know(Search *s, const int *values, int count) {
  for (int i = 0; i < count; ++i) s->isKnown[values[i]] = true;
}

static void use(Search *s, const int *values, int count) {
  for (int i = 0; i < count; ++i) {
    if (values[i] < 0 || s->isKnown[values[i]]) continue;
    s->isKnown[values[i]] = true;
    s->captures[s->count++] = values[i];
  }
}

static void search(Search *s, int block) {
  const Block *b = &s->k->blocks[block];
  know(s, b->args, b->numArgs);
  for (int i = 0; i < b->numOps; ++i) {
    const Op *op = &s->k->ops[b->ops[i]];
    use(s, op->operands, op->numOperands);
    for (int r = 0; r < 2; ++r)
      if (op->regions[r] >= 0) search(s, op->regions[r]);
    know(s, op->results, op->numResults);
  }
  use(s, b->yields, b->numYields);
  use(s, &b->condition, 1);
}

int findCaptures(const Kernel *k, int block, int *captures) {
  Search *s = calloc(1, sizeof *s);
  if (!s) abort();
  s->k = k;
  s->captures = captures;
  search(s, block);
  int count = s->count;
  free(s);
  return count;
}

static bool isWrite(OpKind kind) {
  return kind == OP_STORE || kind == OP_ATOMIC || kind == OP_CAS || kind == OP_DESC_STORE ||
         kind == OP_CHECK;
}

bool doesWrite(const Kernel *k, const Op *op) {
  if (isWrite(op->kind)) return true;
  for (int r = 0; r < 2; ++r) {
    if (op->regions[r] < 0) continue;
    const Block *b = &k->blocks[op->regions[r]];
    for (int i = 0; i < b->numOps; ++i)
      if (doesWrite(k, &k->ops[b->ops[i]])) return true;
  }
  return false;
}
