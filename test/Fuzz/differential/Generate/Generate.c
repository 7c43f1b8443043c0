//===- Generate.c - values, statements, kernels ---------------------------===//
#include "Generate.h"
#include "../Floats.h"
#include <math.h>
#include <stdlib.h>

//===- ops ----------------------------------------------------------------===//

int addValue(Generator *g, Type type, bool exact) {
  g->k->values[g->k->numValues] = (Value){type, exact};
  return g->k->numValues++;
}

int addBlock(Generator *g) {
  g->k->blocks[g->k->numBlocks] = (Block){.condition = -1};
  return g->k->numBlocks++;
}

Op *appendOp(Generator *g, OpKind kind, int numOperands, const int *operands) {
  Block *b = &g->k->blocks[g->block];
  Op *op = &g->k->ops[g->k->numOps];
  *op = (Op){.kind = kind, .rule = -1, .regions = {-1, -1}, .combine = {-1, -1, -1, -1}};
  for (int i = 0; i < numOperands; ++i) {
    op->operands[op->numOperands++] = operands[i];
    if (operands[i] >= 0) ++g->uses[operands[i]];
  }
  b->ops[b->numOps++] = g->k->numOps++;
  return op;
}

int addResult(Generator *g, Op *op, Type type, bool exact) {
  int value = addValue(g, type, exact);
  op->results[op->numResults++] = value;
  return value;
}

int show(Generator *g, int value) {
  g->visible[g->numVisible++] = value;
  return value;
}

bool isFull(const Generator *g) {
  return g->k->numOps > MAX_OPS - 300 || g->k->numValues > MAX_VALUES - 350 ||
         g->k->numBlocks > MAX_BLOCKS - 12 || g->k->numParameters > MAX_PARAMETERS - 30 ||
         g->k->blocks[g->block].numOps > MAX_BLOCK_OPS - 300;
}

//===- types --------------------------------------------------------------===//

static Element pickWeighted(Generator *g, const int weights[NUM_ELEMENTS]) {
  int total = 0;
  for (int e = 0; e < NUM_ELEMENTS; ++e) total += weights[e];
  int at = pickBelow(&g->r, total), e = 0;
  while (at >= weights[e]) at -= weights[e++];
  return (Element)e;
}

Element pickInt(Generator *g) {
  return pickWeighted(
      g, (const int[NUM_ELEMENTS]){[I1] = 1, [I8] = 2, [I16] = 2, [I32] = 6, [I64] = 3});
}

Element pickFloat(Generator *g) {
  return pickWeighted(g, (const int[NUM_ELEMENTS]){
                             [F16] = 3, [BF16] = 3, [F32] = 7, [F64] = 2, [E4M3] = 1, [E5M2] = 1});
}

Element pickElement(Generator *g) { return isLucky(&g->r, 50) ? pickInt(g) : pickFloat(g); }

Type pickType(Generator *g, Element e) {
  if (isLucky(&g->r, 8)) return scalarOf(e);
  return withElement(g->shapes[pickBelow(&g->r, g->numShapes)], e);
}

static void addKernelShape(Generator *g) {
  static const int lines[] = {1,  2,  3,   5,   7,   8,   16,  17,  24,   32,  33,
                              48, 64, 100, 127, 128, 256, 300, 512, 1000, 1024};
  static const int sides[] = {1, 2, 3, 4, 5, 8, 12, 16, 20, 32, 33, 64};
  Type t = {.element = I32, .pointee = I1, .rank = 1};
  int rank = pickBelow(&g->r, 100);
  t.rank = rank < 45 ? 1 : rank < 85 ? 2 : 3;
  int limit = t.rank == 3 ? 1024 : 2048;
  do {
    for (int d = 0; d < t.rank; ++d)
      t.shape[d] = t.rank == 1 ? lines[pickBelow(&g->r, sizeof lines / sizeof *lines)]
                               : sides[pickBelow(&g->r, sizeof sides / sizeof *sides)];
  } while (countOf(&t) > limit);
  g->shapes[g->numShapes++] = t;
}

//===- constants and single ops -------------------------------------------===//

int makeConstant(Generator *g, Type type, uint64_t bits) {
  Op *op = appendOp(g, OP_CONSTANT, 0, NULL);
  op->literal = cutTo(type.element, bits);
  return addResult(g, op, type, true);
}

int makeInt(Generator *g, Type type, int64_t value) {
  return makeConstant(g, type, (uint64_t)value);
}

int makeFloat(Generator *g, Type type, double value) {
  return makeConstant(g, type, roundTo(type.element, value));
}

int makeScalarParameter(Generator *g, Element e, uint64_t literal) {
  int value = addValue(g, scalarOf(e), true);
  g->k->parameters[g->k->numParameters++] =
      (Parameter){.value = value, .role = ROLE_SCALAR, .element = e, .literal = cutTo(e, literal)};
  return value;
}

static int64_t pickNumber(Generator *g) {
  static const int64_t numbers[] = {0,  1,  -1, 2,   3,   5,  7,  8,   10,
                                    16, 31, 64, 100, 127, -2, -5, -128};
  if (isLucky(&g->r, 10)) return (int64_t)nextRandom(&g->r);
  return numbers[pickBelow(&g->r, sizeof numbers / sizeof *numbers)];
}

static uint64_t pickLiteral(Generator *g, Element e) {
  if (!isFloat(e)) return cutTo(e, (uint64_t)pickNumber(g));
  static const double numbers[] = {0.0, 1.0, -1.0, 0.5, 2.0, -0.0, 3.0, 0.1, -2.5, 1e-3, 100.0};
  return roundTo(e, numbers[pickBelow(&g->r, sizeof numbers / sizeof *numbers)]);
}

/// Is the result of the rule exact, given exact operands?
static bool isExactRule(const Rule *rule, Element from, Element to) {
  if ((to == F64 ? rule->ulp64 : rule->ulp) > 0) return false;
  bool isFma = rule == &rules[findRule("math.fma")];
  if (isFma && bitsOf(to) < 32) return false;
  return !(rule->signature == SIG_TO_FLOAT && to == BF16 && bitsOf(from) >= 32);
}

static int applyRule(Generator *g, int rule, Type type, int numOperands, const int *operands,
                     int64_t attribute) {
  int first = rules[rule].signature == SIG_SELECT ? 1 : 0;
  bool exact = isExactRule(&rules[rule], typeOf(g, operands[first])->element, type.element);
  for (int i = 0; i < numOperands; ++i) exact &= isExact(g, operands[i]);
  Op *op = appendOp(g, OP_RULE, numOperands, operands);
  op->rule = rule;
  op->attribute = attribute;
  return addResult(g, op, type, exact);
}

int makeRule(Generator *g, const char *rule, Type type, int numOperands, const int *operands) {
  return applyRule(g, findRule(rule), type, numOperands, operands, 0);
}

int makeBinary(Generator *g, const char *rule, int a, int b) {
  return makeRule(g, rule, *typeOf(g, a), 2, (const int[]){a, b});
}

int makeCompare(Generator *g, const char *rule, int predicate, int a, int b) {
  Type type = withElement(*typeOf(g, a), I1);
  return applyRule(g, findRule(rule), type, 2, (const int[]){a, b}, predicate);
}

int makeSplat(Generator *g, int scalar, Type type) {
  if (!type.rank) return scalar;
  Op *op = appendOp(g, OP_SPLAT, 1, &scalar);
  type.element = typeOf(g, scalar)->element;
  type.pointee = typeOf(g, scalar)->pointee;
  return addResult(g, op, type, isExact(g, scalar));
}

int makeClean(Generator *g, int value) {
  Type type = *typeOf(g, value);
  int isNan = makeCompare(g, "arith.cmpf", 14, value, value), zero = makeFloat(g, type, 0);
  return makeRule(g, "arith.select", type, 3, (const int[]){isNan, zero, value});
}

int makeUnsigned0(Generator *g, int value) {
  int zero = makeFloat(g, *typeOf(g, value), 0);
  return makeBinary(g, "arith.addf", value, zero);
}

/// Inside what `to` holds, and no NaN.
static int makeClamped(Generator *g, int value, Element to, bool isSigned) {
  Type type = *typeOf(g, value);
  Element e = type.element;
  double end = ldexp(1, isSigned ? bitsOf(to) - 1 : bitsOf(to));
  double high = end > largestOf(e) ? largestOf(e) : end - ulpOf(e, end * 0.75);
  double low = !isSigned ? 0 : end > largestOf(e) ? -largestOf(e) : -end;
  value = makeUnsigned0(g, value);
  int least = makeFloat(g, type, low), most = makeFloat(g, type, high);
  value = makeBinary(g, "arith.maxnumf", value, least);
  return makeBinary(g, "arith.minnumf", value, most);
}

static int makeIntConversion(Generator *g, int value, Type type) {
  int from = bitsOf(typeOf(g, value)->element), to = bitsOf(type.element);
  if (from == to) return value;
  const char *up = isLucky(&g->r, 50) ? "arith.extsi" : "arith.extui";
  return makeRule(g, from < to ? up : "arith.trunci", type, 1, &value);
}

static int makeFloatConversion(Generator *g, int value, Type type) {
  Element e = typeOf(g, value)->element;
  if (e == type.element) return value;
  if (bitsOf(e) == bitsOf(type.element)) {
    int wide = makeRule(g, "arith.extf", withElement(type, F32), 1, &value);
    return makeRule(g, "arith.truncf", type, 1, &wide);
  }
  bool up = bitsOf(e) < bitsOf(type.element);
  return makeRule(g, up ? "arith.extf" : "arith.truncf", type, 1, &value);
}

/// Not true and false: MLIR crashes where it folds them with a converted integer and a constant.
static int pickFloatPredicate(Generator *g) { return 1 + pickBelow(&g->r, 14); }

int makeConversion(Generator *g, int value, Element to) {
  Type type = withElement(*typeOf(g, value), to);
  Element from = typeOf(g, value)->element;
  bool isSigned = isLucky(&g->r, 60);
  if (isInt(from) && isInt(to)) return makeIntConversion(g, value, type);
  if (isFloat(from) && isFloat(to)) return makeFloatConversion(g, value, type);
  if (isInt(from)) return makeRule(g, isSigned ? "arith.sitofp" : "arith.uitofp", type, 1, &value);
  if (to == I1) {
    int zero = makeFloat(g, *typeOf(g, value), 0);
    return makeCompare(g, "arith.cmpf", pickFloatPredicate(g), value, zero);
  }
  if (isLucky(&g->r, 50)) value = makeClamped(g, value, to, isSigned);
  return makeRule(g, isSigned ? "arith.fptosi" : "arith.fptoui", type, 1, &value);
}

int makeBelow(Generator *g, int value, int count) {
  int limit = makeInt(g, *typeOf(g, value), count);
  return makeBinary(g, "arith.remui", value, limit);
}

int makeIndices(Generator *g, Type type, int axis) {
  type = withElement(type, I32);
  Type line = {.element = I32, .pointee = I1, .rank = 1, .shape = {type.shape[axis]}};
  int value = addResult(g, appendOp(g, OP_ARANGE, 0, NULL), line, true);
  for (int d = 0; d < type.rank; ++d) {
    if (d == axis) continue;
    Type wider = *typeOf(g, value);
    for (int i = wider.rank++; i > d; --i) wider.shape[i] = wider.shape[i - 1];
    wider.shape[d] = 1;
    Op *op = appendOp(g, OP_EXPAND_DIMS, 1, &value);
    op->axis = d;
    value = addResult(g, op, wider, true);
  }
  if (sameShape(typeOf(g, value), &type)) return value;
  return addResult(g, appendOp(g, OP_BROADCAST, 1, &value), type, true);
}

//===- choosing values ----------------------------------------------------===//

static int findVisible(Generator *g, Type type, bool exact) {
  int found = -1, count = 0;
  for (int i = 0; i < g->numVisible; ++i) {
    int value = g->visible[i];
    if (!sameType(typeOf(g, value), &type) || (exact && !isExact(g, value))) continue;
    // Later ones, and those that nobody uses, more often.
    int weight = g->uses[value] ? 1 : 3;
    count += weight;
    if (pickBelow(&g->r, count) < weight) found = value;
  }
  return found;
}

/// A visible value of this shape with another element, converted; -1 where there is none.
static int convertVisible(Generator *g, Type type) {
  int found = -1, count = 0;
  for (int i = 0; i < g->numVisible; ++i) {
    int value = g->visible[i];
    const Type *t = typeOf(g, value);
    if (!sameShape(t, &type) || t->element == type.element || t->element == PTR) continue;
    if (isExact(g, value) && pickBelow(&g->r, ++count) == 0) found = value;
  }
  return found < 0 ? found : makeConversion(g, found, type.element);
}

/// From a tile with fewer elements.
static int spread(Generator *g, Type type, bool exact) {
  int d = pickBelow(&g->r, type.rank);
  Type narrow = type;
  if (type.rank > 1 && isLucky(&g->r, 50)) {
    for (int i = d; i + 1 < narrow.rank; ++i) narrow.shape[i] = narrow.shape[i + 1];
    --narrow.rank;
    int value = pickValue(g, narrow, exact);
    Type flat = type;
    flat.shape[d] = 1;
    Op *op = appendOp(g, OP_EXPAND_DIMS, 1, &value);
    op->axis = d;
    value = addResult(g, op, flat, isExact(g, value));
    if (type.shape[d] == 1) return value;
    return addResult(g, appendOp(g, OP_BROADCAST, 1, &value), type, isExact(g, value));
  }
  narrow.shape[d] = 1;
  int value = pickValue(g, narrow, exact);
  if (type.shape[d] == 1) return value;
  return addResult(g, appendOp(g, OP_BROADCAST, 1, &value), type, isExact(g, value));
}

static int makeScalar(Generator *g, Type type) {
  int how = pickBelow(&g->r, 100);
  if (type.element == I32 && how < 25) {
    Op *op = appendOp(g, isLucky(&g->r, 80) ? OP_PROGRAM_ID : OP_NUM_PROGRAMS, 0, NULL);
    op->axis = pickBelow(&g->r, 3);
    return addResult(g, op, type, true);
  }
  bool isPassed =
      type.element == I32 || type.element == I64 || type.element == F32 || type.element == F64;
  if (isPassed && how < 55 && g->k->numParameters < MAX_PARAMETERS - 26)
    return makeScalarParameter(g, type.element, pickLiteral(g, type.element));
  if (how < 75 && !isPassed)
    return makeConversion(g, pickValue(g, scalarOf(I32), true), type.element);
  return makeConstant(g, type, pickLiteral(g, type.element));
}

static int makeTile(Generator *g, Type type, bool exact) {
  int how = pickBelow(&g->r, 100), value = -1;
  if (how < 25) value = convertVisible(g, type);
  if (value >= 0) return value;
  if (g->nesting > 4 || how < 60)
    return g->k->numParameters < MAX_PARAMETERS - 24
               ? makeLoad(g, type)
               : makeConstant(g, type, pickLiteral(g, type.element));
  if (how < 70) {
    value = makeConstant(g, type, pickLiteral(g, type.element));
    // Another number for each element.
    bool isVaried = countOf(&type) <= 64 && isLucky(&g->r, 30);
    if (isVaried && isInt(type.element))
      g->k->ops[g->k->numOps - 1].attribute = 1 + pickBelow(&g->r, 9);
    return value;
  }
  if (how < 80) return makeSplat(g, pickValue(g, scalarOf(type.element), exact), type);
  if (how < 90) {
    value = makeIndices(g, type, pickBelow(&g->r, type.rank));
    return makeConversion(g, value, type.element);
  }
  return spread(g, type, exact);
}

int pickValue(Generator *g, Type type, bool exact) {
  if (isLucky(&g->r, 85)) {
    int value = findVisible(g, type, exact);
    if (value >= 0) return value;
  }
  ++g->nesting;
  int value = type.rank ? makeTile(g, type, exact) : makeScalar(g, type);
  --g->nesting;
  return show(g, value);
}

//===- rules --------------------------------------------------------------===//

/// An operand made harmless, as Kernel.h lists it.
static int guardOperand(Generator *g, const Rule *rule, int i, int value) {
  Type type = *typeOf(g, value);
  int width = bitsOf(type.element);
  if (rule->guard == GUARD_DIVISOR && i == 1) {
    static const int divisors[] = {1, 2, 3, 5, 7, 8, 16, 100, -2, -3, -7, -128};
    if (isLucky(&g->r, 40))
      return makeInt(g, type, divisors[pickBelow(&g->r, sizeof divisors / sizeof *divisors)]);
    value = makeBinary(g, "arith.andi", value, makeInt(g, type, 127));
    return makeBinary(g, "arith.ori", value, makeInt(g, type, 1));
  }
  if (rule->guard == GUARD_SHIFT && i == 1) {
    if (isLucky(&g->r, 40)) return makeInt(g, type, pickBelow(&g->r, width));
    return makeBinary(g, "arith.andi", value, makeInt(g, type, width - 1));
  }
  if (rule->guard == GUARD_POWER && i == 1)
    return makeBinary(g, "arith.andi", value, makeInt(g, type, 7));
  if (!isFloat(type.element)) return value;
  if (rule->guard == GUARD_ZERO) return makeUnsigned0(g, value);
  if (rule->guard == GUARD_NAN) return makeClean(g, value);
  return value;
}

/// The elements that the rule goes from and to; false where there are none.
static bool pickElements(Generator *g, const Rule *rule, Element *from, Element *to) {
  *from = isLucky(&g->r, 50) ? pickInt(g) : pickFloat(g);
  *to = *from;
  switch (rule->signature) {
  case SIG_INT:
  case SIG_CMPI:
    *to = *from = pickInt(g);
    break;
  case SIG_INT_WIDE:
    *to = *from = pickInt(g);
    return *from != I1;
  case SIG_FLOAT:
  case SIG_CMPF:
  case SIG_CLASS:
  case SIG_FPOWI:
    *to = *from = pickFloat(g);
    break;
  case SIG_SELECT:
    break;
  case SIG_INT_UP:
  case SIG_INT_DOWN:
    *from = pickInt(g);
    *to = pickInt(g);
    return rule->signature == SIG_INT_UP ? *from < *to : *from > *to;
  case SIG_FLOAT_UP:
  case SIG_FLOAT_DOWN:
    *from = pickFloat(g);
    *to = pickFloat(g);
    return rule->signature == SIG_FLOAT_UP ? bitsOf(*from) < bitsOf(*to)
                                           : bitsOf(*from) > bitsOf(*to);
  case SIG_TO_FLOAT:
    *from = pickInt(g);
    *to = pickFloat(g);
    break;
  case SIG_TO_INT:
    *from = pickFloat(g);
    *to = pickInt(g);
    return *to != I1;
  case SIG_BITCAST:
    *to = isLucky(&g->r, 50) ? pickInt(g) : pickFloat(g);
    return bitsOf(*from) == bitsOf(*to) && *from != *to;
  }
  return true;
}

static int pickRule(Generator *g) {
  int total = 0;
  for (int i = 0; i < numRules; ++i) total += rules[i].weight;
  int at = pickBelow(&g->r, total), i = 0;
  while (at >= rules[i].weight) at -= rules[i++].weight;
  return i;
}

void addRule(Generator *g) {
  Element from, to;
  int number;
  do number = pickRule(g);
  while (!pickElements(g, &rules[number], &from, &to));
  const Rule *rule = &rules[number];
  Type source = pickType(g, from), result = withElement(source, to);
  bool isSelect = rule->signature == SIG_SELECT;
  int operands[3];
  for (int i = 0; i < rule->arity; ++i) {
    Type type = source;
    if (isSelect && i == 0) type = isLucky(&g->r, 20) ? scalarOf(I1) : withElement(source, I1);
    if (rule->signature == SIG_FPOWI && i == 1) type = withElement(source, I32);
    operands[i] = pickValue(g, type, !rule->takesInexact || (isSelect && i == 0));
    operands[i] = guardOperand(g, rule, i, operands[i]);
  }
  if (rule->guard == GUARD_RANGE && isLucky(&g->r, 50))
    operands[0] = makeClamped(g, operands[0], to, number == findRule("arith.fptosi"));
  int64_t attribute = rule->signature == SIG_CMPI   ? pickBelow(&g->r, 10)
                      : rule->signature == SIG_CMPF ? pickFloatPredicate(g)
                                                    : 0;
  if (rule->signature == SIG_CMPI || rule->signature == SIG_CMPF || rule->signature == SIG_CLASS)
    result = withElement(source, I1);
  int value = applyRule(g, number, result, rule->arity, operands, attribute);
  if (rule->signature == SIG_BITCAST && isFloat(to)) value = makeClean(g, value);
  show(g, value);
}

void addExtremes(Generator *g) {
  static const char *const names[] = {"arith.maxsi", "arith.maxsi", "arith.minsi", "arith.minsi",
                                      "arith.maxui", "arith.minui", "arith.addi",  "arith.subi"};
  Element e = pickInt(g);
  Type type = pickType(g, e == I1 ? I32 : e);
  int value = pickValue(g, type, true), count = 2 + pickBelow(&g->r, 4);
  for (int i = 0; i < count; ++i) {
    int other = pickValue(g, type, true);
    if (isLucky(&g->r, 40)) other = makeBinary(g, "arith.subi", makeInt(g, type, 0), other);
    if (isLucky(&g->r, 15)) other = makeBinary(g, "arith.xori", other, makeInt(g, type, -1));
    bool isLeft = isLucky(&g->r, 50);
    const char *name = names[pickBelow(&g->r, sizeof names / sizeof *names)];
    value = makeBinary(g, name, isLeft ? value : other, isLeft ? other : value);
  }
  show(g, value);
}

//===- kernels ------------------------------------------------------------===//

void addStatement(Generator *g) {
  if (isFull(g)) return;
  int how = pickBelow(&g->r, 100);
  if (how < 49)
    addRule(g);
  else if (how < 51)
    addExtremes(g);
  else if (how < 61)
    addShape(g);
  else if (how < 68)
    addReduce(g, false);
  else if (how < 73)
    addReduce(g, true);
  else if (how < 76)
    addSort(g);
  else if (how < 78)
    addHistogram(g);
  else if (how < 80)
    addRand(g);
  else if (how < 84)
    addDot(g);
  else if (how < 88)
    addAtomic(g);
  else if (how < 89)
    addCas(g);
  else if (how < 90)
    addWalk(g);
  else if (how < 92)
    addBox(g);
  else if (how < 93)
    addSwizzle(g);
  else if (how < 94)
    addMatmul(g);
  else if (how < 96)
    addCall(g);
  else if (how < 97)
    addCheck(g);
  else
    addControl(g);
}

static void setLaunch(Generator *g) {
  Kernel *k = g->k;
  k->numGrid = 1 + pickBelow(&g->r, 3);
  int programs = 1;
  for (int d = 0; d < 3; ++d) {
    k->grid[d] = d < k->numGrid && programs < 4 ? 1 + pickBelow(&g->r, 4) : 1;
    programs *= k->grid[d];
  }
  k->numWarps = 1 << pickBelow(&g->r, 4);
  k->numStages = 1 + pickBelow(&g->r, 4);
  k->isOld = isLucky(&g->r, 25);
}

/// A GPU's warp holds tiles of 32 KiB: enough warps for the largest, with extents of powers of two.
static void addWarps(Kernel *k) {
  int most = 0;
  for (int v = 0; v < k->numValues; ++v) {
    const Type *t = &k->values[v].type;
    int bytes = t->element == I1 ? 1 : bytesOf(t->element);
    for (int d = 0; d < t->rank; ++d) {
      int extent = 1;
      while (extent < t->shape[d]) extent *= 2;
      bytes *= extent;
    }
    if (bytes > most) most = bytes;
  }
  while (k->numWarps < 8 && most > k->numWarps * 16384) k->numWarps *= 2;
}

/// Has a constant with a number for each element this extent?
static bool isVaried(const Kernel *k, int extent) {
  for (int i = 0; i < k->numOps; ++i) {
    const Op *op = &k->ops[i];
    if (op->kind != OP_CONSTANT || !op->attribute) continue;
    const Type *t = &k->values[op->results[0]].type;
    for (int d = 0; d < t->rank; ++d)
      if (t->shape[d] == extent) return true;
  }
  return false;
}

/// Meta-parameters for some extents of the kernel's shapes. 1 and 2 mean something to some ops.
static void addNames(Generator *g) {
  Kernel *k = g->k;
  k->isNamed = isLucky(&g->r, 35);
  k->namesHelpers = isLucky(&g->r, 60);
  k->isBound = isLucky(&g->r, 50);
  for (int i = 0; i < MAX_NAMES; ++i) {
    const Type *t = &g->shapes[pickBelow(&g->r, g->numShapes)];
    int extent = t->shape[pickBelow(&g->r, t->rank)];
    bool isNew = !k->numNames || k->named[0] != extent;
    if (extent > 2 && isNew && !isVaried(k, extent)) k->named[k->numNames++] = extent;
  }
}

/// Drawn apart from all else, so that seeds of other kernels keep theirs.
static bool beginsWithLoops(uint64_t seed) {
  Random r = {seed * 0xBF58476D1CE4E5B9u};
  return seed >> 32 ? seed >> 33 : isLucky(&r, 25);
}

Kernel *generateKernel(uint64_t seed) {
  Generator *g = calloc(1, sizeof *g);
  Kernel *k = calloc(1, sizeof *k);
  if (!g || !k) abort();
  k->seed = seed;
  g->k = k;
  g->r.state = seed * 0xD1342543DE82EF95u;
  setLaunch(g);
  int shapes = 1 + pickBelow(&g->r, 3);
  while (g->numShapes < shapes) addKernelShape(g);
  k->body = g->block = addBlock(g);
  int statements = 3 + pickBelow(&g->r, isLucky(&g->r, 20) ? 30 : 12);
  if (beginsWithLoops(seed) || seed >> 32 || isLucky(&g->r, 25)) {
    if (!beginsWithLoops(seed))
      addSequences(g);
    else if (isLucky(&g->r, 75))
      addProducts(g);
    else
      addStreams(g);
    statements = pickBelow(&g->r, 5);
  }
  for (int i = 0; i < statements; ++i) addStatement(g);
  // What nobody uses is stored, so that nothing is computed for nothing.
  int stores = 0;
  for (int i = g->numVisible; i-- > 0 && stores < 5;) {
    int value = g->visible[i];
    if (typeOf(g, value)->element == PTR || (g->uses[value] && stores)) continue;
    addStore(g, value);
    ++stores;
  }
  addWarps(k);
  addNames(g);
  free(g);
  return k;
}
