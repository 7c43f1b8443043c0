//===- GenerateTiles.c - shapes, reductions, orders -----------------------===//
#include "Generate.h"
#include <string.h>

//===- shapes -------------------------------------------------------------===//

static int makeSame(Generator *g, OpKind kind, int count, const int *operands, Type type) {
  bool exact = true;
  for (int i = 0; i < count; ++i) exact &= isExact(g, operands[i]);
  return addResult(g, appendOp(g, kind, count, operands), type, exact);
}

static int makeTrans(Generator *g, int value) {
  Type source = *typeOf(g, value), type = source;
  int order[MAX_RANK];
  for (int d = 0; d < type.rank; ++d) order[d] = d;
  for (int d = type.rank; d-- > 1;) {
    int other = pickBelow(&g->r, d + 1), kept = order[d];
    order[d] = order[other];
    order[other] = kept;
  }
  for (int d = 0; d < type.rank; ++d) type.shape[d] = source.shape[order[d]];
  int result = makeSame(g, OP_TRANS, 1, &value, type);
  memcpy(g->k->ops[g->k->numOps - 1].order, order, sizeof order);
  return result;
}

static int makeReshape(Generator *g, int value) {
  Type type = *typeOf(g, value);
  int count = countOf(&type);
  type.rank = 1 + pickBelow(&g->r, 3);
  for (int d = 0; d + 1 < type.rank; ++d) {
    int extent = 1 + pickBelow(&g->r, 16);
    while (count % extent) --extent;
    type.shape[d] = extent;
    count /= extent;
  }
  type.shape[type.rank - 1] = count;
  return makeSame(g, OP_RESHAPE, 1, &value, type);
}

static int makeJoin(Generator *g, int value) {
  Type type = *typeOf(g, value);
  if (type.rank > 2 || 2 * countOf(&type) > MAX_ELEMENTS) return value;
  int other = pickValue(g, type, false);
  type.shape[type.rank++] = 2;
  return makeSame(g, OP_JOIN, 2, (const int[]){value, other}, type);
}

static int makeSplit(Generator *g, int value) {
  Type type = *typeOf(g, value);
  int count = countOf(&type);
  if (count % 2 || count < 2) return value;
  type.rank = 2;
  type.shape[0] = count / 2;
  type.shape[1] = 2;
  value = makeSame(g, OP_RESHAPE, 1, &value, type);
  type.rank = 1;
  Op *op = appendOp(g, OP_SPLIT, 1, &value);
  show(g, addResult(g, op, type, isExact(g, value)));
  return addResult(g, op, type, isExact(g, value));
}

static int makeCat(Generator *g, int value) {
  Type type = *typeOf(g, value), result = type;
  int axis = pickBelow(&g->r, type.rank);
  if (isLucky(&g->r, 40)) type.shape[axis] = 1 + pickBelow(&g->r, 8);
  result.shape[axis] += type.shape[axis];
  if (countOf(&result) > MAX_ELEMENTS) return value;
  int other = pickValue(g, type, false);
  int made = makeSame(g, OP_CAT, 2, (const int[]){value, other}, result);
  g->k->ops[g->k->numOps - 1].axis = axis;
  return made;
}

static int makeGather(Generator *g, int value) {
  Type type = *typeOf(g, value);
  int axis = pickBelow(&g->r, type.rank), extent = type.shape[axis];
  if (isLucky(&g->r, 40)) type.shape[axis] = 1 + pickBelow(&g->r, 40);
  if (countOf(&type) > MAX_ELEMENTS) return value;
  int index = pickValue(g, withElement(type, isLucky(&g->r, 75) ? I32 : I64), true);
  index = makeBelow(g, index, extent);
  int made = makeSame(g, OP_GATHER, 2, (const int[]){value, index}, type);
  g->k->ops[g->k->numOps - 1].axis = axis;
  return made;
}

void addShape(Generator *g) {
  Type type = withElement(g->shapes[pickBelow(&g->r, g->numShapes)], pickElement(g));
  int value = pickValue(g, type, false), made = value;
  switch (pickBelow(&g->r, 6)) {
  case 0:
    made = makeTrans(g, value);
    break;
  case 1:
    made = makeReshape(g, value);
    break;
  case 2:
    made = makeJoin(g, value);
    break;
  case 3:
    made = makeSplit(g, value);
    break;
  case 4:
    made = makeCat(g, value);
    break;
  default:
    made = makeGather(g, value);
    break;
  }
  if (made == value) return;
  show(g, made);
  // Others may come to have this shape.
  if (g->numShapes < MAX_SHAPES && isLucky(&g->r, 40)) g->shapes[g->numShapes++] = *typeOf(g, made);
}

//===- reduce and scan ----------------------------------------------------===//

/// The region's arguments: those before, then those next.
static Block *beginCombine(Generator *g, const int *operands, int count, int *outside) {
  int block = addBlock(g);
  Block *body = &g->k->blocks[block];
  for (int i = 0; i < 2 * count; ++i) {
    Element e = typeOf(g, operands[i % count])->element;
    body->args[body->numArgs++] = addValue(g, scalarOf(e), true);
  }
  *outside = g->block;
  g->block = block;
  return body;
}

static Op *endCombine(Generator *g, bool scans, const int *operands, int count, int axis,
                      int outside) {
  int block = g->block;
  g->block = outside;
  Op *op = appendOp(g, scans ? OP_SCAN : OP_REDUCE, count, operands);
  op->regions[0] = block;
  op->axis = axis;
  op->attribute = scans && isLucky(&g->r, 40);
  return op;
}

static void showCombined(Generator *g, Op *op, const bool *exact) {
  for (int i = 0; i < op->numOperands; ++i) {
    Type type = *typeOf(g, op->operands[i]);
    if (op->kind == OP_REDUCE) {
      for (int d = op->axis; d + 1 < type.rank; ++d) type.shape[d] = type.shape[d + 1];
      --type.rank;
    }
    show(g, addResult(g, op, type, exact[i]));
  }
}

static const char *pickCombiner(Generator *g, Element e) {
  static const char *const ints[] = {"arith.addi",  "arith.muli",  "arith.andi",  "arith.ori",
                                     "arith.xori",  "arith.maxsi", "arith.minsi", "arith.maxui",
                                     "arith.minui", "arith.addi"};
  static const char *const floats[] = {"arith.addf",     "arith.addf",    "arith.maximumf",
                                       "arith.minimumf", "arith.maxnumf", "arith.minnumf",
                                       "arith.mulf"};
  return isFloat(e) ? floats[pickBelow(&g->r, sizeof floats / sizeof *floats)]
                    : ints[pickBelow(&g->r, sizeof ints / sizeof *ints)];
}

/// Each operand by an op of its own.
static void addIndependent(Generator *g, bool scans, Type shape, int axis) {
  int count = isLucky(&g->r, 75) ? 1 : 2 + pickBelow(&g->r, 2), operands[3], outside;
  const char *combiners[3];
  bool exact[MAX_RESULTS];
  for (int i = 0; i < count; ++i) {
    Element e = pickElement(g);
    combiners[i] = pickCombiner(g, e);
    operands[i] = pickValue(g, withElement(shape, e), false);
    if (strstr(combiners[i], "num")) operands[i] = makeUnsigned0(g, operands[i]);
    bool isLoose = !strcmp(combiners[i], "arith.addf") || !strcmp(combiners[i], "arith.mulf");
    exact[i] = isExact(g, operands[i]) && !isLoose;
  }
  Block *body = beginCombine(g, operands, count, &outside);
  for (int i = 0; i < count; ++i) {
    int made = makeBinary(g, combiners[i], body->args[i], body->args[count + i]);
    body->yields[body->numYields++] = made;
  }
  Op *op = endCombine(g, scans, operands, count, axis, outside);
  for (int i = 0; i < count; ++i) op->combine[i] = findRule(combiners[i]);
  showCombined(g, op, exact);
}

/// The greatest or least and where it is; the first of equals.
static void addArgmax(Generator *g, bool scans, Type shape, int axis) {
  Element e = pickElement(g);
  if (e == I1) e = I32;
  int operands[2], outside;
  operands[0] = pickValue(g, withElement(shape, e), true);
  if (isFloat(e)) operands[0] = makeClean(g, operands[0]);
  operands[1] = makeIndices(g, shape, axis);
  Block *b = beginCombine(g, operands, 2, &outside);
  const char *compare = isFloat(e) ? "arith.cmpf" : "arith.cmpi";
  bool isLeast = isLucky(&g->r, 50);
  int wins = makeCompare(g, compare, isFloat(e) ? (isLeast ? 4 : 2) : (isLeast ? 2 : 4), b->args[0],
                         b->args[2]);
  int ties = makeCompare(g, compare, isFloat(e) ? 1 : 0, b->args[0], b->args[2]);
  int earlier = makeCompare(g, "arith.cmpi", 2, b->args[1], b->args[3]);
  ties = makeBinary(g, "arith.andi", ties, earlier);
  int isFirst = makeBinary(g, "arith.ori", wins, ties);
  int value =
      makeRule(g, "arith.select", scalarOf(e), 3, (const int[]){isFirst, b->args[0], b->args[2]});
  int index =
      makeRule(g, "arith.select", scalarOf(I32), 3, (const int[]){isFirst, b->args[1], b->args[3]});
  b->yields[b->numYields++] = value;
  b->yields[b->numYields++] = index;
  Op *op = endCombine(g, scans, operands, 2, axis, outside);
  showCombined(g, op, (const bool[]){true, true});
}

/// x + y + c x y: associative and commutative in integers that wrap.
static void addRing(Generator *g, bool scans, Type shape, int axis) {
  Element e = pickInt(g);
  int operand = pickValue(g, withElement(shape, e), true), outside;
  Block *b = beginCombine(g, &operand, 1, &outside);
  int sum = makeBinary(g, "arith.addi", b->args[0], b->args[1]);
  int product = makeBinary(g, "arith.muli", b->args[0], b->args[1]);
  int factor = makeInt(g, scalarOf(e), pickBelow(&g->r, 5));
  product = makeBinary(g, "arith.muli", product, factor);
  int made = makeBinary(g, "arith.addi", sum, product);
  b->yields[b->numYields++] = made;
  Op *op = endCombine(g, scans, &operand, 1, axis, outside);
  showCombined(g, op, (const bool[]){true});
}

/// (a, b) then (c, d) is (a c, b c + d): steps x -> a x + b, in their order.
static void addSteps(Generator *g, Type shape, int axis) {
  Element e = isLucky(&g->r, 60) ? I32 : I64;
  int operands[2], outside;
  for (int i = 0; i < 2; ++i) operands[i] = pickValue(g, withElement(shape, e), true);
  Block *b = beginCombine(g, operands, 2, &outside);
  int factor = makeBinary(g, "arith.muli", b->args[0], b->args[2]);
  int moved = makeBinary(g, "arith.muli", b->args[1], b->args[2]);
  moved = makeBinary(g, "arith.addi", moved, b->args[3]);
  b->yields[b->numYields++] = factor;
  b->yields[b->numYields++] = moved;
  Op *op = endCombine(g, true, operands, 2, axis, outside);
  showCombined(g, op, (const bool[]){true, true});
}

/// The last that is not 0.
static void addLast(Generator *g, Type shape, int axis) {
  Element e = pickInt(g);
  int operand = pickValue(g, withElement(shape, e), true), outside;
  Block *b = beginCombine(g, &operand, 1, &outside);
  int zero = makeInt(g, scalarOf(e), 0);
  int isThere = makeCompare(g, "arith.cmpi", 1, b->args[1], zero);
  int made =
      makeRule(g, "arith.select", scalarOf(e), 3, (const int[]){isThere, b->args[1], b->args[0]});
  b->yields[b->numYields++] = made;
  Op *op = endCombine(g, true, &operand, 1, axis, outside);
  showCombined(g, op, (const bool[]){true});
}

int makeReduced(Generator *g, const char *combiner, int value, int axis) {
  int outside;
  bool exact = isExact(g, value) && strcmp(combiner, "arith.addf") != 0;
  Block *body = beginCombine(g, &value, 1, &outside);
  int made = makeBinary(g, combiner, body->args[0], body->args[1]);
  body->yields[body->numYields++] = made;
  Op *op = endCombine(g, false, &value, 1, axis, outside);
  op->combine[0] = findRule(combiner);
  showCombined(g, op, &exact);
  return op->results[0];
}

void addReduce(Generator *g, bool scans) {
  Type shape = g->shapes[pickBelow(&g->r, g->numShapes)];
  int axis = pickBelow(&g->r, shape.rank), how = pickBelow(&g->r, 100);
  if (how < 65)
    addIndependent(g, scans, shape, axis);
  else if (how < 80)
    addArgmax(g, scans, shape, axis);
  else if (how < 88 || !scans)
    addRing(g, scans, shape, axis);
  else if (how < 94)
    addSteps(g, shape, axis);
  else
    addLast(g, shape, axis);
}

//===- sort, histogram, rand ----------------------------------------------===//

void addSort(Generator *g) {
  Type shape = g->shapes[pickBelow(&g->r, g->numShapes)];
  int axis = pickBelow(&g->r, shape.rank), count = 1 + pickBelow(&g->r, 3), operands[3];
  if (shape.shape[axis] > 300) return;
  for (int i = 0; i < count; ++i)
    operands[i] = pickValue(g, withElement(shape, pickElement(g)), i == 0);
  Op *op = appendOp(g, OP_SORT, count, operands);
  op->axis = axis;
  op->attribute = isLucky(&g->r, 40);
  for (int i = 0; i < count; ++i)
    show(g, addResult(g, op, *typeOf(g, operands[i]), isExact(g, operands[i])));
}

void addHistogram(Generator *g) {
  Type shape = withElement(g->shapes[pickBelow(&g->r, g->numShapes)], I32);
  if (shape.rank != 1) return;
  int source = pickValue(g, shape, true), mask = -1;
  if (isLucky(&g->r, 50)) source = makeBelow(g, source, 1 + pickBelow(&g->r, 80));
  if (isLucky(&g->r, 40)) mask = pickValue(g, withElement(shape, I1), true);
  Type bins = {.element = I32, .pointee = I1, .rank = 1, .shape = {1 + pickBelow(&g->r, 70)}};
  Op *op = appendOp(g, OP_HISTOGRAM, 2, (const int[]){source, mask});
  show(g, addResult(g, op, bins, true));
}

void addRand(Generator *g) {
  int seed = pickValue(g, scalarOf(isLucky(&g->r, 50) ? I32 : I64), true);
  Type type = pickType(g, I32);
  int offsets = pickValue(g, type, true);
  Op *op = appendOp(g, OP_RAND, 2, (const int[]){seed, offsets});
  show(g, addResult(g, op, withElement(type, F32), true));
}
