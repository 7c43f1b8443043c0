//===- Parts.c - what random products are put together from ---------------===//
#include "Parts.h"

//===- small values -------------------------------------------------------===//

int pickOf(Generator *g, const int *numbers, int count) { return numbers[pickBelow(&g->r, count)]; }
int number(Generator *g, int value) { return makeInt(g, scalarOf(I32), value); }

int passed(Generator *g, int value) {
  if (isLucky(&g->r, 60) || g->k->numParameters > MAX_PARAMETERS - 16) return number(g, value);
  return makeScalarParameter(g, I32, (uint64_t)value);
}

int loadScalar(Generator *g, int pointer, Element e) {
  Op *op = appendOp(g, OP_LOAD, 3, (const int[]){pointer, -1, -1});
  return addResult(g, op, scalarOf(e), true);
}

int toElement(Generator *g, int value, Element e) {
  Element from = typeOf(g, value)->element;
  if (from == e) return value;
  const char *rule = bitsOf(from) < bitsOf(e) ? "arith.extsi" : "arith.trunci";
  return makeRule(g, rule, withElement(*typeOf(g, value), e), 1, &value);
}

int makeTable(Generator *g, Element e, int length, Fill fill, int limit) {
  int array = addArray(g, ROLE_INPUT, e, length);
  Parameter *parameter = &g->k->parameters[g->k->numParameters - 1];
  parameter->fill = fill;
  parameter->literal = (uint64_t)limit;
  return array;
}

int makeLine(Generator *g, int start, int extent) {
  Type line = {.element = I32, .pointee = I1, .rank = 1, .shape = {extent}};
  int lanes = addResult(g, appendOp(g, OP_ARANGE, 0, NULL), line, true);
  return makeBinary(g, "arith.addi", makeSplat(g, start, line), lanes);
}

int spreadLine(Generator *g, int line, Type type, int axis) {
  Type narrow = withElement(type, typeOf(g, line)->element);
  Type wide = narrow;
  bool exact = isExact(g, line);
  narrow.shape[!axis] = 1;
  Op *op = appendOp(g, OP_EXPAND_DIMS, 1, &line);
  op->axis = !axis;
  int value = addResult(g, op, narrow, exact);
  if (sameShape(&narrow, &wide)) return value;
  return addResult(g, appendOp(g, OP_BROADCAST, 1, &value), wide, exact);
}

Type tileOf(Element e, int rows, int columns) {
  return (Type){.element = e, .pointee = I1, .rank = 2, .shape = {rows, columns}};
}

int makeDot(Generator *g, int a, int b, int acc) {
  bool exact = typeOf(g, acc)->element == I32;
  Op *op = appendOp(g, OP_DOT, 3, (const int[]){a, b, acc});
  return addResult(g, op, *typeOf(g, acc), exact);
}

//===- loops --------------------------------------------------------------===//

Turns beginTurnsFrom(Generator *g, int lower, int upper, int step, const int *values, int count) {
  Turns t = {.count = count, .outside = g->block};
  t.operands[0] = lower;
  t.operands[1] = upper;
  t.operands[2] = number(g, step);
  t.block = addBlock(g);
  Block *body = &g->k->blocks[t.block];
  t.counter = body->args[body->numArgs++] = addValue(g, scalarOf(I32), true);
  for (int i = 0; i < count; ++i) {
    bool exact = !isFloat(typeOf(g, values[i])->element);
    t.operands[3 + i] = values[i];
    t.carried[i] = body->args[body->numArgs++] = addValue(g, *typeOf(g, values[i]), exact);
  }
  g->block = t.block;
  return t;
}

Turns beginTurns(Generator *g, int upper, int step, const int *values, int count) {
  return beginTurnsFrom(g, number(g, 0), upper, step, values, count);
}

Turns beginWhile(Generator *g, int lower, int upper, int step, const int *values, int count) {
  Turns t = {.count = count, .outside = g->block, .isWhile = true, .step = step};
  t.operands[0] = lower;
  for (int i = 0; i < count; ++i) t.operands[1 + i] = values[i];
  t.asks = addBlock(g);
  t.block = addBlock(g);
  Block *first = &g->k->blocks[t.asks], *second = &g->k->blocks[t.block];
  for (int i = 0; i <= count; ++i) {
    Type type = *typeOf(g, t.operands[i]);
    bool exact = !isFloat(type.element);
    first->args[first->numArgs++] = addValue(g, type, exact);
    second->args[second->numArgs++] = addValue(g, type, exact);
    first->yields[first->numYields++] = first->args[i];
    if (i) t.carried[i - 1] = second->args[i];
  }
  t.counter = second->args[0];
  g->block = t.asks;
  first->condition = makeCompare(g, "arith.cmpi", 2, first->args[0], upper);
  g->block = t.block;
  return t;
}

void endTurns(Generator *g, const Turns *t, const int *yields, int *results) {
  Block *body = &g->k->blocks[t->block];
  int next = t->isWhile ? makeBinary(g, "arith.addi", t->counter, number(g, t->step)) : -1;
  if (t->isWhile) body->yields[body->numYields++] = next;
  for (int i = 0; i < t->count; ++i) body->yields[body->numYields++] = yields[i];
  g->block = t->outside;
  Op *op =
      appendOp(g, t->isWhile ? OP_WHILE : OP_FOR, (t->isWhile ? 1 : 3) + t->count, t->operands);
  op->regions[0] = t->isWhile ? t->asks : t->block;
  if (t->isWhile) op->regions[1] = t->block;
  if (t->isWhile) addResult(g, op, scalarOf(I32), true);
  for (int i = 0; i < t->count; ++i)
    results[i] = addResult(g, op, *typeOf(g, yields[i]), isExact(g, t->carried[i]));
}

//===- planes -------------------------------------------------------------===//

Plane planPlane(Generator *g, Role role, Element e, int rows, int columns) {
  Plane p = {.isTurned = isLucky(&g->r, 15), .element = e, .pitchValue = -1};
  bool isTidy = isLucky(&g->r, 80); // as the copy engine wants it
  p.pitch = p.isTurned ? rows : columns;
  if (isTidy)
    p.pitch = (p.pitch + 15) / 16 * 16;
  else if (isLucky(&g->r, 50))
    p.pitch += 1 + pickBelow(&g->r, 16);
  p.array = addArray(g, role, e, p.pitch * (p.isTurned ? columns : rows));
  Parameter *parameter = &g->k->parameters[g->k->numParameters - 1];
  if (isTidy) parameter->offset = 0;
  if (parameter->fill == FILL_WILD && isLucky(&g->r, 90))
    parameter->fill = isLucky(&g->r, 50) ? FILL_TAME : FILL_SMALL_INTS;
  if (isLucky(&g->r, 35)) p.pitchValue = makeScalarParameter(g, I32, (uint64_t)p.pitch);
  return p;
}

static int timesPitch(Generator *g, const Plane *p, int value) {
  if (p->pitchValue < 0) return makeScaled(g, value, p->pitch);
  Type type = *typeOf(g, value);
  int pitch = toElement(g, p->pitchValue, type.element);
  if (type.rank) pitch = makeSplat(g, pitch, type);
  return makeBinary(g, "arith.muli", value, pitch);
}

int makePlaces(Generator *g, const Plane *p, const Place *at, Type type) {
  bool isWide = isLucky(&g->r, 20), movesBase = isLucky(&g->r, 50);
  int array = p->array, rows = at->rows, columns = at->columns;
  if (at->begin >= 0 && typeOf(g, at->begin)->element == I64) isWide = true;
  Element e = isWide ? I64 : I32;
  rows = toElement(g, rows, e);
  columns = toElement(g, columns, e);
  if (at->begin >= 0) {
    int begin = toElement(g, at->begin, e);
    if (movesBase)
      array = movePointer(g, array, p->isTurned ? begin : timesPitch(g, p, begin));
    else
      rows = makeBinary(g, "arith.addi", makeSplat(g, begin, *typeOf(g, rows)), rows);
  }
  if (p->isTurned)
    columns = timesPitch(g, p, columns);
  else
    rows = timesPitch(g, p, rows);
  rows = spreadLine(g, rows, type, at->rowAxis);
  columns = spreadLine(g, columns, type, !at->rowAxis);
  Type pointers = pointersTo(withElement(type, p->element));
  int bases = makeSplat(g, array, pointers);
  if (isLucky(&g->r, 60)) return movePointer(g, bases, makeBinary(g, "arith.addi", rows, columns));
  return movePointer(g, movePointer(g, bases, rows), columns);
}

int makeInside(Generator *g, int line, int end, Type type, int axis) {
  int ends = makeSplat(g, end, *typeOf(g, line));
  return spreadLine(g, makeCompare(g, "arith.cmpi", 2, line, ends), type, axis);
}

int makeMaskOf(Generator *g, const Place *at, Type type) {
  int mask = -1, inColumns = -1;
  if (at->rowEnd >= 0) mask = makeInside(g, at->rows, at->rowEnd, type, at->rowAxis);
  if (at->columnEnd >= 0) inColumns = makeInside(g, at->columns, at->columnEnd, type, !at->rowAxis);
  if (mask < 0 || inColumns < 0) return mask < 0 ? inColumns : mask;
  return makeBinary(g, "arith.andi", mask, inColumns);
}

int makeFactor(Generator *g, int value, Element e) {
  Element from = typeOf(g, value)->element;
  if (from == e) return value;
  value = makeConversion(g, value, e);
  if (isFloat(e) && bitsOf(e) > 8 && bitsOf(from) == 8 && isLucky(&g->r, 50)) {
    int scale = isLucky(&g->r, 50)
                    ? makeFloat(g, *typeOf(g, value), 0.25)
                    : makeSplat(g, makeFloat(g, scalarOf(e), 0.5), *typeOf(g, value));
    value = makeBinary(g, "arith.mulf", value, scale);
  }
  return value;
}

int loadPlace(Generator *g, const Plane *p, const Place *at, int rows, int columns, Element e) {
  Type type = at->rowAxis ? tileOf(p->element, columns, rows) : tileOf(p->element, rows, columns);
  int pointers = makePlaces(g, p, at, type), mask = makeMaskOf(g, at, type), other = -1;
  if (mask >= 0 && isLucky(&g->r, 50)) other = makeConstant(g, type, 0);
  Op *op = appendOp(g, OP_LOAD, 3, (const int[]){pointers, mask, other});
  return makeFactor(g, addResult(g, op, type, true), e);
}

int makeTurned(Generator *g, int value) {
  Type type = *typeOf(g, value);
  Op *op = appendOp(g, OP_TRANS, 1, &value);
  op->order[0] = 1;
  op->order[1] = 0;
  return addResult(g, op, tileOf(type.element, type.shape[1], type.shape[0]), isExact(g, value));
}

Element sumOf(Element e) { return e == I8 ? I32 : e == F64 ? F64 : F32; }

Type pointersTo(Type type) {
  type.pointee = type.element;
  type.element = PTR;
  return type;
}
