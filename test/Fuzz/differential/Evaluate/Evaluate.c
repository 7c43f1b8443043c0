//===- Evaluate.c - runs a kernel as its definition reads -----------------===//
//
// Every value has room for its elements from the start, as types are static; a block that runs
// again overwrites them.
//===----------------------------------------------------------------------===//
#include "../Floats.h"
#include "Machine.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 4000000 };

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory) abort();
  return memory;
}

static void copyNumbers(Number *to, const Number *from, int count) {
  memcpy(to, from, (size_t)count * sizeof *to);
}

//===- places -------------------------------------------------------------===//

void unravel(const Type *t, int i, int at[MAX_RANK]) {
  for (int d = t->rank; d-- > 0; i /= t->shape[d]) at[d] = i % t->shape[d];
}

static int ravel(const Type *t, const int at[MAX_RANK]) {
  int i = 0;
  for (int d = 0; d < t->rank; ++d) i = i * t->shape[d] + at[d];
  return i;
}

/// Elements between neighbours along an axis.
static int strideOf(const Type *t, int axis) {
  int stride = 1;
  for (int d = axis + 1; d < t->rank; ++d) stride *= t->shape[d];
  return stride;
}

/// The first element of line `i` along an axis.
static int lineStart(const Type *t, int axis, int i) {
  int stride = strideOf(t, axis);
  return i / stride * stride * t->shape[axis] + i % stride;
}

//===- shapes -------------------------------------------------------------===//

/// Which element of the source an op takes for the element `at` of its result.
static int sourceOf(const Op *op, const Type *source, const int at[MAX_RANK], int rank) {
  int from[MAX_RANK] = {0};
  switch (op->kind) {
  case OP_EXPAND_DIMS:
    for (int d = 0; d < source->rank; ++d) from[d] = at[d < op->axis ? d : d + 1];
    break;
  case OP_BROADCAST:
    for (int d = 0; d < rank; ++d) from[d] = source->shape[d] == 1 ? 0 : at[d];
    break;
  default: // trans
    for (int d = 0; d < rank; ++d) from[op->order[d]] = at[d];
    break;
  }
  return ravel(source, from);
}

static void runMove(Machine *m, const Op *op) {
  const Type *source = typeOf(m, op->operands[0]), *result = typeOf(m, op->results[0]);
  const Number *x = m->values[op->operands[0]];
  Number *r = m->values[op->results[0]];
  for (int i = 0; i < countOf(result); ++i) {
    int at[MAX_RANK] = {0};
    unravel(result, i, at);
    r[i] = x[sourceOf(op, source, at, result->rank)];
  }
}

static void runCat(Machine *m, const Op *op) {
  const Type *lhs = typeOf(m, op->operands[0]), *rhs = typeOf(m, op->operands[1]);
  const Type *result = typeOf(m, op->results[0]);
  for (int i = 0; i < countOf(result); ++i) {
    int at[MAX_RANK] = {0}, first = lhs->shape[op->axis];
    unravel(result, i, at);
    bool isLeft = at[op->axis] < first;
    if (!isLeft) at[op->axis] -= first;
    m->values[op->results[0]][i] =
        m->values[op->operands[isLeft ? 0 : 1]][ravel(isLeft ? lhs : rhs, at)];
  }
}

static void runGather(Machine *m, const Op *op) {
  const Type *source = typeOf(m, op->operands[0]), *result = typeOf(m, op->results[0]);
  Element index = typeOf(m, op->operands[1])->element;
  for (int i = 0; i < countOf(result); ++i) {
    int at[MAX_RANK] = {0};
    unravel(result, i, at);
    int64_t from = signedOf(index, m->values[op->operands[1]][i].bits);
    if (from < 0 || from >= source->shape[op->axis]) {
      m->problem = "an index beyond its tile";
      return;
    }
    at[op->axis] = (int)from;
    m->values[op->results[0]][i] = m->values[op->operands[0]][ravel(source, at)];
  }
}

//===- numbers ------------------------------------------------------------===//

static void runRule(Machine *m, const Op *op) {
  const Rule *rule = &rules[op->rule];
  const Type *result = typeOf(m, op->results[0]);
  int first = rule->signature == SIG_SELECT ? 1 : 0;
  Step step = prepareStep(op->rule, op->attribute, typeOf(m, op->operands[first])->element,
                          result->element);
  for (int i = 0; i < countOf(result); ++i) {
    Number x[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (int n = 0; n < rule->arity; ++n) {
      // The condition of a select may be one for all.
      bool isOne = typeOf(m, op->operands[n])->rank == 0;
      x[n] = m->values[op->operands[n]][isOne ? 0 : i];
    }
    m->values[op->results[0]][i] = applyStep(&step, x, &m->problem);
  }
}

static void runDot(Machine *m, const Op *op) {
  const Type *a = typeOf(m, op->operands[0]), *b = typeOf(m, op->operands[1]);
  const Type *acc = typeOf(m, op->results[0]);
  int depth = a->shape[a->rank - 1], rows = acc->shape[acc->rank - 2];
  int columns = acc->shape[acc->rank - 1];
  Decoded *lhs = allocate((size_t)countOf(a), sizeof *lhs);
  Decoded *rhs = allocate((size_t)countOf(b), sizeof *rhs);
  decode(a->element, m->values[op->operands[0]], countOf(a), lhs);
  decode(b->element, m->values[op->operands[1]], countOf(b), rhs);
  for (int i = 0; i < countOf(acc); ++i) {
    int column = i % columns, row = i / columns % rows, batch = i / columns / rows;
    m->values[op->results[0]][i] =
        multiplyAccumulate(a->element, acc->element, m->values[op->operands[2]][i],
                           lhs + ((size_t)batch * rows + row) * depth,
                           rhs + (size_t)batch * depth * columns + column, columns, depth);
  }
  free(lhs);
  free(rhs);
}

static void runHistogram(Machine *m, const Op *op) {
  Number *bins = m->values[op->results[0]];
  int count = countOf(typeOf(m, op->results[0]));
  for (int i = 0; i < count; ++i) bins[i] = (Number){0, 0};
  for (int i = 0; i < countOf(typeOf(m, op->operands[0])); ++i) {
    uint64_t bin = m->values[op->operands[0]][i].bits;
    if (isOn(m, op->operands[1], i) && bin < (uint64_t)count) ++bins[bin].bits;
  }
}

static void runSort(Machine *m, const Op *op) {
  const Type *t = typeOf(m, op->operands[0]);
  int length = t->shape[op->axis], stride = strideOf(t, op->axis);
  int *order = allocate((size_t)length, sizeof *order);
  for (int line = 0; line < countOf(t) / length; ++line) {
    int start = lineStart(t, op->axis, line);
    sortLine(t->element, op->attribute, m->values[op->operands[0]] + start, stride, length, order);
    for (int n = 0; n < op->numOperands; ++n)
      for (int i = 0; i < length; ++i)
        m->values[op->results[n]][start + i * stride] =
            m->values[op->operands[n]][start + order[i] * stride];
  }
  free(order);
}

//===- regions ------------------------------------------------------------===//

static void runBlock(Machine *m, int block);

/// The region of a reduce or scan on (before, next), into `before`.
static void combine(Machine *m, const Op *op, Number *before, const Number *next) {
  const Block *body = &m->k->blocks[op->regions[0]];
  int count = op->numOperands;
  for (int i = 0; i < count; ++i) {
    m->values[body->args[i]][0] = before[i];
    m->values[body->args[count + i]][0] = next[i];
  }
  runBlock(m, op->regions[0]);
  for (int i = 0; i < count; ++i) before[i] = m->values[body->yields[i]][0];
}

/// Is operand `n` summed or multiplied as floats, which no order is promised for?
static bool isLoose(const Machine *m, const Op *op, int n, bool *isProduct) {
  if (op->combine[0] < 0 || !isFloat(typeOf(m, op->operands[n])->element)) return false;
  *isProduct = op->combine[n] == findRule("arith.mulf");
  return *isProduct || op->combine[n] == findRule("arith.addf");
}

static void runLine(Machine *m, const Op *op, int start, int stride, int line) {
  const Type *t = typeOf(m, op->operands[0]);
  int length = t->shape[op->axis], count = op->numOperands;
  bool scans = op->kind == OP_SCAN, reverse = scans && op->attribute;
  Number before[MAX_RESULTS], next[MAX_RESULTS];
  int first = reverse ? start + (length - 1) * stride : start, step = reverse ? -stride : stride;
  for (int i = 0; i < length; ++i) {
    for (int n = 0; n < count; ++n) next[n] = m->values[op->operands[n]][first + i * step];
    if (i == 0)
      copyNumbers(before, next, count);
    else
      combine(m, op, before, next);
    for (int n = 0; scans && n < count; ++n)
      m->values[op->results[n]][first + i * step] = before[n];
  }
  for (int n = 0; !scans && n < count; ++n) m->values[op->results[n]][line] = before[n];
  for (int n = 0; n < count; ++n) {
    bool isProduct;
    if (!isLoose(m, op, n, &isProduct)) continue;
    Element e = typeOf(m, op->operands[n])->element;
    const Number *x = m->values[op->operands[n]] + first;
    if (!scans) m->values[op->results[n]][line] = foldFloats(e, isProduct, x, length, step);
    for (int i = 0; scans && i < length; ++i)
      m->values[op->results[n]][first + i * step] = foldFloats(e, isProduct, x, i + 1, step);
  }
}

static void runCombine(Machine *m, const Op *op) {
  const Type *t = typeOf(m, op->operands[0]);
  int lines = countOf(t) / t->shape[op->axis], stride = strideOf(t, op->axis);
  for (int line = 0; line < lines; ++line)
    runLine(m, op, lineStart(t, op->axis, line), stride, line);
}

/// Gives `values` to `to`, all at once: they may be the same in another order.
static void assign(Machine *m, const int *to, const int *values, int count) {
  Number *copies[MAX_BLOCK_ARGS];
  for (int i = 0; i < count; ++i) {
    int n = countOf(typeOf(m, to[i]));
    copies[i] = allocate((size_t)n, sizeof(Number));
    copyNumbers(copies[i], m->values[values[i]], n);
  }
  for (int i = 0; i < count; ++i) {
    copyNumbers(m->values[to[i]], copies[i], countOf(typeOf(m, to[i])));
    free(copies[i]);
  }
}

static void runFor(Machine *m, const Op *op) {
  const Block *body = &m->k->blocks[op->regions[0]];
  Element e = typeOf(m, op->operands[0])->element;
  int64_t i = signedOf(e, m->values[op->operands[0]][0].bits);
  int64_t end = signedOf(e, m->values[op->operands[1]][0].bits);
  int64_t step = signedOf(e, m->values[op->operands[2]][0].bits);
  if (step <= 0) m->problem = "a step that is not positive";
  assign(m, body->args + 1, op->operands + 3, op->numResults);
  for (; i < end && !m->problem; i += step) {
    m->values[body->args[0]][0] = (Number){cutTo(e, (uint64_t)i), 0};
    runBlock(m, op->regions[0]);
    assign(m, body->args + 1, body->yields, op->numResults);
  }
  assign(m, op->results, body->args + 1, op->numResults);
}

static void runWhile(Machine *m, const Op *op) {
  const Block *before = &m->k->blocks[op->regions[0]], *after = &m->k->blocks[op->regions[1]];
  assign(m, before->args, op->operands, op->numResults);
  while (!m->problem) {
    runBlock(m, op->regions[0]);
    if (!m->values[before->condition][0].bits) break;
    assign(m, after->args, before->yields, op->numResults);
    runBlock(m, op->regions[1]);
    assign(m, before->args, after->yields, op->numResults);
  }
  assign(m, op->results, before->yields, op->numResults);
}

static void runIf(Machine *m, const Op *op) {
  int region = op->regions[m->values[op->operands[0]][0].bits ? 0 : 1];
  runBlock(m, region);
  assign(m, op->results, m->k->blocks[region].yields, op->numResults);
}

static void runCall(Machine *m, const Op *op) {
  const Block *helper = &m->k->blocks[op->regions[0]];
  assign(m, helper->args, op->operands, op->numOperands);
  runBlock(m, op->regions[0]);
  assign(m, op->results, helper->yields, op->numResults);
}

//===- ops ----------------------------------------------------------------===//

static void runCheck(Machine *m, const Op *op) {
  for (int i = 0; i < countOf(typeOf(m, op->operands[0])); ++i)
    if (!m->values[op->operands[0]][i].bits) m->problem = "an assertion that does not hold";
}

static void fill(Machine *m, int value, uint64_t bits) {
  for (int i = 0; i < countOf(typeOf(m, value)); ++i) m->values[value][i] = (Number){bits, 0};
}

/// The five numbers as in "A pid swizzled in groups": i and j walk groups of rows, down columns.
static void runSwizzle(Machine *m, const Op *op) {
  int64_t x[5];
  for (int n = 0; n < 5; ++n) x[n] = signedOf(I32, m->values[op->operands[n]][0].bits);
  int64_t place = x[0] * x[3] + x[1], inGroup = place % (x[4] * x[3]);
  int64_t first = place / (x[4] * x[3]) * x[4], rows = x[2] - first < x[4] ? x[2] - first : x[4];
  if (rows <= 0) {
    m->problem = "a position beyond its grid";
    return;
  }
  m->values[op->results[0]][0].bits = cutTo(I32, (uint64_t)(first + inGroup % rows));
  m->values[op->results[1]][0].bits = cutTo(I32, (uint64_t)(inGroup / rows));
}

static uint64_t constantAt(const Machine *m, const Op *op, int i) {
  Element e = typeOf(m, op->results[0])->element;
  return cutTo(e, op->literal + (uint64_t)i * (uint64_t)op->attribute);
}

static int resultCount(const Machine *m, const Op *op) {
  return countOf(typeOf(m, op->results[0]));
}

static void runConstant(Machine *m, const Op *op) {
  for (int i = 0; i < resultCount(m, op); ++i)
    m->values[op->results[0]][i] = (Number){constantAt(m, op, i), 0};
}

static void runProgramId(Machine *m, const Op *op) {
  fill(m, op->results[0], (uint64_t)m->id[op->axis]);
}

static void runNumPrograms(Machine *m, const Op *op) {
  fill(m, op->results[0], (uint64_t)m->k->grid[op->axis]);
}

static void runArange(Machine *m, const Op *op) {
  for (int i = 0; i < resultCount(m, op); ++i)
    m->values[op->results[0]][i] = (Number){(uint64_t)i, 0};
}

static void runSplat(Machine *m, const Op *op) {
  for (int i = 0; i < resultCount(m, op); ++i)
    m->values[op->results[0]][i] = m->values[op->operands[0]][0];
}

static void runReshape(Machine *m, const Op *op) {
  copyNumbers(m->values[op->results[0]], m->values[op->operands[0]], resultCount(m, op));
}

static void runJoin(Machine *m, const Op *op) {
  for (int i = 0; i < resultCount(m, op); ++i)
    m->values[op->results[0]][i] = m->values[op->operands[i % 2]][i / 2];
}

static void runSplit(Machine *m, const Op *op) {
  for (int i = 0; i < 2 * resultCount(m, op); ++i)
    m->values[op->results[i % 2]][i / 2] = m->values[op->operands[0]][i];
}

static void runRand(Machine *m, const Op *op) {
  uint64_t seed = m->values[op->operands[0]][0].bits;
  const Number *counters = m->values[op->operands[1]];
  for (int i = 0; i < resultCount(m, op); ++i)
    m->values[op->results[0]][i] = (Number){philox(seed, (uint32_t)counters[i].bits), 0};
}

static void runOp(Machine *m, const Op *op) {
#define RUNNER(kind, spelling, printer, runner) [OP_##kind] = run##runner,
  static void (*const runners[])(Machine *, const Op *) = {OP_KINDS(RUNNER)};
#undef RUNNER
  runners[op->kind](m, op);
}

static void runBlock(Machine *m, int block) {
  const Block *b = &m->k->blocks[block];
  for (int i = 0; i < b->numOps && !m->problem; ++i) {
    if (++m->steps > MAX_STEPS) m->problem = "too much work";
    runOp(m, &m->k->ops[b->ops[i]]);
  }
}

//===- kernels ------------------------------------------------------------===//

static void prepare(Machine *m) {
  const Kernel *k = m->k;
  for (int v = 0; v < k->numValues; ++v)
    m->values[v] = allocate((size_t)countOf(&k->values[v].type), sizeof(Number));
  for (int p = 0; p < k->numParameters; ++p) {
    const Parameter *parameter = &k->parameters[p];
    size_t length = (size_t)parameter->length;
    m->values[parameter->value][0].bits =
        parameter->role == ROLE_SCALAR ? parameter->literal : (uint64_t)p << 48;
    if (isStored(parameter->role)) m->written[p] = allocate(length, 1);
    if (parameter->role != ROLE_ATOMIC) continue;
    m->magnitudes[p] = allocate(length, sizeof(double));
    m->updates[p] = allocate(length, sizeof(int));
    for (size_t i = 0; i < length && isFloat(parameter->element); ++i)
      m->magnitudes[p][i] = fabs(floatOf(parameter->element, m->memory->arrays[p][i].bits));
  }
}

const char *evaluateKernel(const Kernel *k, Memory *memory) {
  Machine *m = allocate(1, sizeof *m);
  m->k = k;
  m->memory = memory;
  prepare(m);
  int programs = k->grid[0] * k->grid[1] * k->grid[2];
  for (int p = 0; p < programs && !m->problem; ++p) {
    m->id[0] = p % k->grid[0];
    m->id[1] = p / k->grid[0] % k->grid[1];
    m->id[2] = p / k->grid[0] / k->grid[1];
    runBlock(m, k->body);
  }
  finishAtomics(m);
  for (int v = 0; v < k->numValues; ++v) free(m->values[v]);
  for (int p = 0; p < k->numParameters; ++p) {
    free(m->written[p]);
    free(m->magnitudes[p]);
    free(m->updates[p]);
  }
  const char *problem = m->problem;
  free(m);
  return problem;
}
