//===- GenerateControl.c - loops, branches, helpers -----------------------===//
//
// How often a loop runs at most is known when it is made: accesses in it give each iteration its
// part. A while loop counts, and may end earlier where the data say so.
//===----------------------------------------------------------------------===//
#include "Generate.h"

static void addBody(Generator *g, int count) {
  for (int i = 0; i < count; ++i) addStatement(g);
}

/// A visible value to carry, or a new one.
static int pickCarried(Generator *g) {
  for (int i = 0; i < 8 && g->numVisible; ++i) {
    int value = g->visible[pickBelow(&g->r, g->numVisible)];
    if (typeOf(g, value)->element != PTR) return value;
  }
  Type type = pickType(g, pickElement(g));
  return pickValue(g, type, false);
}

/// What stands in the place of a carried value inside: integers stay exact, floats may not.
static bool staysExact(Generator *g, int value) {
  if (!isExact(g, value)) return false;
  return !isFloat(typeOf(g, value)->element) || isLucky(&g->r, 50);
}

/// Ends a region: a value of the type of each of `like`.
static void yieldLike(Generator *g, Block *body, const int *like, int count) {
  for (int i = 0; i < count; ++i) {
    int value = pickValue(g, *typeOf(g, like[i]), isExact(g, like[i]));
    ++g->uses[value];
    body->yields[body->numYields++] = value;
  }
}

//===- scf.for ------------------------------------------------------------===//

/// The upper bound of a loop of `turns` iterations at most.
static int makeUpper(Generator *g, int lower, int step, int turns) {
  int upper = lower + turns * step - pickBelow(&g->r, step);
  if (isLucky(&g->r, 30)) return makeScalarParameter(g, I32, (uint64_t)upper);
  if (isLucky(&g->r, 15)) {
    int loaded = makeLoadedBelow(g, isLucky(&g->r, 70) ? I32 : I64, upper - lower + 1);
    return makeBinary(g, "arith.addi", loaded, makeInt(g, scalarOf(I32), lower));
  }
  int most = makeInt(g, scalarOf(I32), upper);
  if (!isLucky(&g->r, 25)) return most;
  // Fewer turns in some programs.
  Op *op = appendOp(g, OP_PROGRAM_ID, 0, NULL);
  int id = addResult(g, op, scalarOf(I32), true);
  return makeBinary(g, "arith.subi", most, id);
}

static void addFor(Generator *g) {
  if (g->numLoops == MAX_LOOPS) return;
  int turns = isLucky(&g->r, 10) ? 0 : 1 + pickBelow(&g->r, 4), step = 1 + pickBelow(&g->r, 3);
  int lower = isLucky(&g->r, 60) ? 0 : pickBelow(&g->r, 9) - 4, count = 1 + pickBelow(&g->r, 3);
  int operands[3 + 3], args[1 + 3], outside = g->block, seen = g->numVisible;
  operands[0] = makeInt(g, scalarOf(I32), lower);
  operands[1] = turns ? makeUpper(g, lower, step, turns) : makeInt(g, scalarOf(I32), lower - 1);
  operands[2] = makeInt(g, scalarOf(I32), step);
  for (int i = 0; i < count; ++i) operands[3 + i] = pickCarried(g);
  seen = g->numVisible;
  int block = addBlock(g);
  Block *body = &g->k->blocks[block];
  g->block = block;
  args[0] = show(g, addValue(g, scalarOf(I32), true));
  for (int i = 0; i < count; ++i) {
    bool exact = staysExact(g, operands[3 + i]);
    args[1 + i] = show(g, addValue(g, *typeOf(g, operands[3 + i]), exact));
  }
  for (int i = 0; i <= count; ++i) body->args[body->numArgs++] = args[i];
  g->loops[g->numLoops++] = (Loop){args[0], lower, step, turns ? turns : 1};
  addBody(g, 1 + pickBelow(&g->r, 5));
  if (isLucky(&g->r, 20)) addStore(g, g->visible[g->numVisible - 1]);
  yieldLike(g, body, args + 1, count);
  --g->numLoops;
  g->block = outside;
  g->numVisible = seen;
  Op *op = appendOp(g, OP_FOR, 3 + count, operands);
  op->regions[0] = block;
  for (int i = 0; i < count; ++i)
    show(g, addResult(g, op, *typeOf(g, args[1 + i]), isExact(g, args[1 + i])));
}

//===- scf.if -------------------------------------------------------------===//

static void addIf(Generator *g) {
  int count = 1 + pickBelow(&g->r, 2), like[2], blocks[2], outside = g->block;
  int condition = pickValue(g, scalarOf(I1), true);
  for (int i = 0; i < count; ++i) like[i] = pickCarried(g);
  int seen = g->numVisible;
  bool exact[2] = {true, true};
  for (int b = 0; b < 2; ++b) {
    blocks[b] = g->block = addBlock(g);
    Block *body = &g->k->blocks[g->block];
    addBody(g, pickBelow(&g->r, 4));
    if (isLucky(&g->r, 25) && typeOf(g, g->visible[g->numVisible - 1])->element != PTR)
      addStore(g, g->visible[g->numVisible - 1]);
    yieldLike(g, body, like, count);
    for (int i = 0; i < count; ++i) exact[i] &= isExact(g, body->yields[i]);
    g->numVisible = seen;
  }
  g->block = outside;
  Op *op = appendOp(g, OP_IF, 1, &condition);
  for (int i = 0; i < 2; ++i) op->regions[i] = blocks[i];
  for (int i = 0; i < count; ++i) show(g, addResult(g, op, *typeOf(g, like[i]), exact[i]));
}

//===- scf.while ----------------------------------------------------------===//

/// i < turns, and perhaps something of the data.
static int makeQuestion(Generator *g, int counter, int turns) {
  int limit = makeInt(g, scalarOf(I32), turns);
  int more = makeCompare(g, "arith.cmpi", 2, counter, limit);
  if (!isLucky(&g->r, 40)) return more;
  int also = pickValue(g, scalarOf(I1), true);
  return makeBinary(g, "arith.andi", more, also);
}

static void addWhile(Generator *g) {
  int count = 2 + pickBelow(&g->r, 2), operands[3], outside = g->block;
  int before[3], after[3], turns = pickBelow(&g->r, 4);
  bool wasInWhile = g->inWhile;
  operands[0] = makeInt(g, scalarOf(I32), 0);
  for (int i = 1; i < count; ++i) operands[i] = pickCarried(g);
  int seen = g->numVisible;
  int asks = addBlock(g), works = addBlock(g);
  Block *first = &g->k->blocks[asks], *second = &g->k->blocks[works];
  g->inWhile = true;
  for (int i = 0; i < count; ++i) {
    bool exact = i == 0 || staysExact(g, operands[i]);
    before[i] = addValue(g, *typeOf(g, operands[i]), exact);
    after[i] = addValue(g, *typeOf(g, operands[i]), exact);
    first->args[first->numArgs++] = before[i];
    second->args[second->numArgs++] = after[i];
  }
  g->block = asks;
  for (int i = 1; i < count; ++i) show(g, before[i]);
  first->condition = makeQuestion(g, before[0], turns);
  first->yields[first->numYields++] = before[0];
  yieldLike(g, first, before + 1, count - 1);
  g->numVisible = seen;
  g->block = works;
  for (int i = 0; i < count; ++i) show(g, after[i]);
  int one = makeInt(g, scalarOf(I32), 1);
  int next = makeBinary(g, "arith.addi", after[0], one);
  addBody(g, 1 + pickBelow(&g->r, 4));
  second->yields[second->numYields++] = next;
  yieldLike(g, second, before + 1, count - 1);
  g->numVisible = seen;
  g->block = outside;
  g->inWhile = wasInWhile;
  Op *op = appendOp(g, OP_WHILE, count, operands);
  op->regions[0] = asks;
  op->regions[1] = works;
  for (int i = 0; i < count; ++i) {
    int result = addResult(g, op, *typeOf(g, before[i]), isExact(g, before[i]));
    if (i) show(g, result);
  }
}

//===- tile.call ----------------------------------------------------------===//

static bool isVisible(const Generator *g, int value) {
  for (int i = 0; i < g->numVisible; ++i)
    if (g->visible[i] == value) return true;
  for (int p = 0; p < g->k->numParameters; ++p)
    if (g->k->parameters[p].value == value) return true;
  return false;
}

/// A helper that writes nothing, and finds all it uses here too; -1 where there is none.
static int pickHelper(Generator *g) {
  if (!g->numHelpers || isLucky(&g->r, 40)) return -1;
  const Op *op = &g->k->ops[g->helpers[pickBelow(&g->r, g->numHelpers)]];
  if (doesWrite(g->k, op)) return -1;
  int captures[MAX_VALUES], count = findCaptures(g->k, op->regions[0], captures);
  for (int i = 0; i < count; ++i)
    if (!isVisible(g, captures[i])) return -1;
  return op->regions[0];
}

static int makeHelper(Generator *g) {
  int like[3], numArgs = 1 + pickBelow(&g->r, 3), outside = g->block, seen;
  for (int i = 0; i < numArgs; ++i) like[i] = pickCarried(g);
  seen = g->numVisible;
  int block = g->block = addBlock(g);
  Block *body = &g->k->blocks[block];
  for (int i = 0; i < numArgs; ++i) {
    int arg = addValue(g, *typeOf(g, like[i]), isExact(g, like[i]));
    body->args[body->numArgs++] = show(g, arg);
  }
  addBody(g, 1 + pickBelow(&g->r, 4));
  int results[2], count = 1 + pickBelow(&g->r, 2);
  for (int i = 0; i < count; ++i) results[i] = pickCarried(g);
  yieldLike(g, body, results, count);
  g->block = outside;
  g->numVisible = seen;
  return block;
}

static void callHelper(Generator *g, int helper) {
  const Block *body = &g->k->blocks[helper];
  int operands[3];
  for (int i = 0; i < body->numArgs; ++i)
    operands[i] = pickValue(g, *typeOf(g, body->args[i]), isExact(g, body->args[i]));
  if (g->numHelpers < MAX_HELPERS) g->helpers[g->numHelpers++] = g->k->numOps;
  Op *op = appendOp(g, OP_CALL, body->numArgs, operands);
  op->regions[0] = helper;
  for (int i = 0; i < body->numYields; ++i)
    show(g, addResult(g, op, *typeOf(g, body->yields[i]), isExact(g, body->yields[i])));
}

void addCall(Generator *g) {
  if (g->depth > 1 || isFull(g)) return;
  int helper = pickHelper(g);
  if (helper < 0) {
    ++g->depth;
    helper = makeHelper(g);
    --g->depth;
  }
  callHelper(g, helper);
  if (!isLucky(&g->r, 30)) return;
  int again = pickHelper(g);
  if (again >= 0) callHelper(g, again);
}

//===- tile.assert, tile.assume -------------------------------------------===//

/// x % n < m with n below m, which only the launch knows.
void addCheck(Generator *g) {
  bool assumes = isLucky(&g->r, 30);
  Element e = isLucky(&g->r, 70) ? I32 : I64;
  Type type = assumes ? scalarOf(e) : pickType(g, e);
  int count = 1 + pickBelow(&g->r, 100), value = pickValue(g, type, true);
  value = makeBelow(g, value, count);
  int limit = makeScalarParameter(g, e, (uint64_t)(count + pickBelow(&g->r, 3)));
  limit = makeSplat(g, limit, type);
  int holds = makeCompare(g, "arith.cmpi", 6, value, limit);
  Op *op = appendOp(g, OP_CHECK, 1, &holds);
  op->attribute = assumes;
}

//===- all ----------------------------------------------------------------===//

void addControl(Generator *g) {
  if (g->depth > 1 || isFull(g)) return;
  ++g->depth;
  int how = pickBelow(&g->r, 100);
  if (how < 50)
    addFor(g);
  else if (how < 80)
    addIf(g);
  else
    addWhile(g);
  --g->depth;
}
