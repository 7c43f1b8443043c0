//===- Shrink.c - a smaller kernel that still fails -----------------------===//
//
// Tries one change after the other, and keeps those after which the kernel still fails: an op gone,
// with constants or its own operands where its results were; a smaller grid; fewer warps. What is
// computed for nobody then goes by itself. Repeats while something is found.
//===----------------------------------------------------------------------===//
#include "Kernel.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
  Kernel *now, *kept;
  bool (*fails)(const Kernel *k, void *data);
  void *data;
  int attempts;
} Shrink;

//===- the form -----------------------------------------------------------===//

static void replaceValue(Kernel *k, int from, int to) {
  for (int i = 0; i < k->numOps; ++i)
    for (int n = 0; n < k->ops[i].numOperands; ++n)
      if (k->ops[i].operands[n] == from) k->ops[i].operands[n] = to;
  for (int i = 0; i < k->numBlocks; ++i) {
    Block *b = &k->blocks[i];
    for (int n = 0; n < b->numYields; ++n)
      if (b->yields[n] == from) b->yields[n] = to;
    if (b->condition == from) b->condition = to;
  }
}

static void countUses(const Kernel *k, int block, int *uses) {
  const Block *b = &k->blocks[block];
  for (int n = 0; n < b->numYields; ++n) ++uses[b->yields[n]];
  if (b->condition >= 0) ++uses[b->condition];
  for (int i = 0; i < b->numOps; ++i) {
    const Op *op = &k->ops[b->ops[i]];
    for (int n = 0; n < op->numOperands; ++n)
      if (op->operands[n] >= 0) ++uses[op->operands[n]];
    for (int r = 0; r < 2; ++r)
      if (op->regions[r] >= 0) countUses(k, op->regions[r], uses);
  }
}

static bool isDead(const Kernel *k, const Op *op, const int *uses) {
  for (int n = 0; n < op->numResults; ++n)
    if (uses[op->results[n]]) return false;
  return !doesWrite(k, op);
}

static bool dropDead(Kernel *k, int block, const int *uses) {
  Block *b = &k->blocks[block];
  int kept = 0;
  bool changed = false;
  for (int i = 0; i < b->numOps; ++i) {
    Op *op = &k->ops[b->ops[i]];
    if (isDead(k, op, uses)) continue;
    b->ops[kept++] = b->ops[i];
    for (int r = 0; r < 2; ++r)
      if (op->regions[r] >= 0) changed |= dropDead(k, op->regions[r], uses);
  }
  changed |= kept < b->numOps;
  b->numOps = kept;
  return changed;
}

static void clean(Kernel *k) {
  int *uses = malloc(MAX_VALUES * sizeof *uses);
  if (!uses) abort();
  do {
    memset(uses, 0, MAX_VALUES * sizeof *uses);
    countUses(k, k->body, uses);
  } while (dropDead(k, k->body, uses));
  int kept = 0;
  for (int p = 0; p < k->numParameters; ++p)
    if (uses[k->parameters[p].value]) k->parameters[kept++] = k->parameters[p];
  k->numParameters = kept;
  free(uses);
}

//===- changes ------------------------------------------------------------===//

static bool keep(Shrink *s) {
  clean(s->now);
  bool ok = s->attempts-- > 0 && s->fails(s->now, s->data);
  if (ok)
    *s->kept = *s->now;
  else
    *s->now = *s->kept;
  return ok;
}

/// Takes op `i` of a block away; constants of `literal` stand for its results.
static bool dropOp(Shrink *s, int block, int i, uint64_t literal) {
  Kernel *k = s->now;
  Block *b = &k->blocks[block];
  Op op = k->ops[b->ops[i]];
  for (int n = 0; n < op.numResults; ++n)
    if (k->values[op.results[n]].type.element == PTR) return false;
  if (k->numOps + op.numResults > MAX_OPS || b->numOps + op.numResults > MAX_BLOCK_OPS)
    return false;
  memmove(b->ops + i + op.numResults, b->ops + i + 1, (size_t)(b->numOps - i - 1) * sizeof *b->ops);
  b->numOps += op.numResults - 1;
  for (int n = 0; n < op.numResults; ++n) {
    Op *constant = &k->ops[k->numOps];
    *constant = (Op){.kind = OP_CONSTANT, .rule = -1, .regions = {-1, -1}, .literal = literal};
    constant->results[constant->numResults++] = op.results[n];
    b->ops[i + n] = k->numOps++;
  }
  return keep(s);
}

/// Operands, or what a loop or branch would hand on, stand for the results.
static bool forwardOp(Shrink *s, int block, int i, int operand) {
  Kernel *k = s->now;
  Op op = k->ops[k->blocks[block].ops[i]];
  int first = op.kind == OP_FOR ? 3 : operand;
  if (op.kind == OP_IF || op.kind == OP_CALL || !op.numResults ||
      first + op.numResults > op.numOperands)
    return false;
  for (int n = 0; n < op.numResults; ++n) {
    int to = op.operands[first + n];
    if (to < 0 || !sameType(&k->values[to].type, &k->values[op.results[n]].type)) return false;
  }
  for (int n = 0; n < op.numResults; ++n) replaceValue(k, op.results[n], op.operands[first + n]);
  for (int r = 0; r < 2; ++r)
    if (op.regions[r] >= 0) k->blocks[op.regions[r]].numOps = 0;
  return keep(s);
}

/// How many calls of the helper there are in the block.
static int countCalls(const Kernel *k, int block, int helper) {
  const Block *b = &k->blocks[block];
  int count = 0;
  for (int i = 0; i < b->numOps; ++i) {
    const Op *op = &k->ops[b->ops[i]];
    count += op->kind == OP_CALL && op->regions[0] == helper;
    for (int r = 0; r < 2; ++r)
      if (op->regions[r] >= 0) count += countCalls(k, op->regions[r], helper);
  }
  return count;
}

/// The body of a loop, once, a branch, or a helper that is called once stands where the op stood.
static bool inlineRegion(Shrink *s, int block, int i, int region) {
  Kernel *k = s->now;
  Block *b = &k->blocks[block];
  Op op = k->ops[b->ops[i]];
  bool isCall = op.kind == OP_CALL;
  if ((op.kind != OP_FOR && op.kind != OP_IF && !isCall) || op.regions[region] < 0) return false;
  if (isCall && countCalls(k, k->body, op.regions[0]) > 1) return false;
  const Block *body = &k->blocks[op.regions[region]];
  if (b->numOps + body->numOps > MAX_BLOCK_OPS) return false;
  if (op.kind == OP_FOR) {
    replaceValue(k, body->args[0], op.operands[0]);
    for (int n = 0; n < op.numResults; ++n) replaceValue(k, body->args[1 + n], op.operands[3 + n]);
  }
  for (int n = 0; isCall && n < body->numArgs; ++n) replaceValue(k, body->args[n], op.operands[n]);
  for (int n = 0; n < op.numResults; ++n) replaceValue(k, op.results[n], body->yields[n]);
  memmove(b->ops + i + body->numOps, b->ops + i + 1, (size_t)(b->numOps - i - 1) * sizeof *b->ops);
  memcpy(b->ops + i, body->ops, (size_t)body->numOps * sizeof *b->ops);
  b->numOps += body->numOps - 1;
  return keep(s);
}

static bool shrinkOp(Shrink *s, int block, int i) {
  if (dropOp(s, block, i, 0)) return true;
  OpKind kind = s->now->ops[s->now->blocks[block].ops[i]].kind;
  if (kind == OP_STORE || kind == OP_CONSTANT) return false;
  for (int n = 0; n < 3; ++n)
    if (forwardOp(s, block, i, n)) return true;
  for (int r = 0; r < 2; ++r)
    if (inlineRegion(s, block, i, r)) return true;
  return dropOp(s, block, i, 1);
}

static bool shrinkBlock(Shrink *s, int block) {
  bool changed = false;
  for (int i = s->now->blocks[block].numOps; i-- > 0;) {
    if (i >= s->now->blocks[block].numOps) continue;
    const Op *op = &s->now->ops[s->now->blocks[block].ops[i]];
    // A constant is as small as it gets, unless nobody needs it.
    if (op->kind == OP_CONSTANT || op->kind == OP_ARANGE) continue;
    if (shrinkOp(s, block, i)) {
      changed = true;
      continue;
    }
    for (int r = 0; r < 2; ++r) {
      int region = s->now->ops[s->now->blocks[block].ops[i]].regions[r];
      if (region >= 0) changed |= shrinkBlock(s, region);
    }
  }
  return changed;
}

static bool shrinkLaunch(Shrink *s) {
  bool changed = false;
  for (int d = 0; d < 3; ++d) {
    if (s->now->grid[d] == 1) continue;
    s->now->grid[d] = 1;
    changed |= keep(s);
  }
  if (s->now->numWarps > 1) {
    s->now->numWarps = 1;
    changed |= keep(s);
  }
  int *wishes[] = {&s->now->numSplits, &s->now->numCtas, &s->now->numParts, &s->now->numLastSplits};
  for (size_t i = 0; i < sizeof wishes / sizeof *wishes; ++i) {
    if (!*wishes[i]) continue;
    *wishes[i] = 0;
    changed |= keep(s);
  }
  if (s->now->numNames) {
    s->now->numNames = 0;
    changed |= keep(s);
  }
  if (s->now->numStages > 1) {
    s->now->numStages = 1;
    changed |= keep(s);
  }
  return changed;
}

void shrinkKernel(Kernel *k, bool (*fails)(const Kernel *k, void *data), void *data, int attempts) {
  Shrink s = {malloc(sizeof(Kernel)), malloc(sizeof(Kernel)), fails, data, attempts};
  if (!s.now || !s.kept) abort();
  *s.now = *s.kept = *k;
  bool changed = true;
  while (changed && s.attempts > 0) {
    changed = shrinkLaunch(&s);
    changed |= shrinkBlock(&s, s.now->body);
  }
  *k = *s.kept;
  free(s.now);
  free(s.kept);
}
