//===- GenerateMemory.c - addresses, loads, stores, atomics ---------------===//
//
// The offsets of an access are a sum: for each dimension an index times a stride, a start, and
// where programs or iterations have a part of the array each, their number times the size of a
// part. Strides are those of a dense tile in some order of its dimensions, perhaps with gaps, so
// that no two lanes meet. A limit cuts the array short, and a mask keeps the lanes behind it out.
//===----------------------------------------------------------------------===//
#include "Generate.h"
#include <stdlib.h>

typedef struct {
  int64_t strides[MAX_RANK], start;
  int64_t span;   ///< elements from the first to behind the last of a part
  int64_t parts;  ///< how many there are
  int64_t length; ///< of the array
  bool isParted;  ///< programs and iterations have parts
  bool isWide;    ///< offsets are i64
  bool isLimited; ///< lanes from `length` on are to be masked off
} Access;

//===- plans --------------------------------------------------------------===//

static void planStrides(Generator *g, Type type, Access *a) {
  int order[MAX_RANK];
  for (int d = 0; d < type.rank; ++d) order[d] = d;
  if (isLucky(&g->r, 30))
    for (int d = type.rank; d-- > 1;) {
      int other = pickBelow(&g->r, d + 1), kept = order[d];
      order[d] = order[other];
      order[other] = kept;
    }
  int64_t stride = isLucky(&g->r, 10) ? 2 + pickBelow(&g->r, 2) : 1;
  a->span = 1;
  for (int i = type.rank; i-- > 0;) {
    int d = order[i];
    a->strides[d] = stride;
    a->span += (type.shape[d] - 1) * stride;
    stride *= type.shape[d];
    if (isLucky(&g->r, 25)) stride += pickBelow(&g->r, 9);
  }
  if (isLucky(&g->r, 20)) a->span += pickBelow(&g->r, 8);
}

static int64_t countParts(const Generator *g) {
  int64_t parts = g->k->grid[0] * g->k->grid[1] * g->k->grid[2];
  for (int i = 0; i < g->numLoops; ++i) parts *= g->loops[i].most;
  return parts;
}

static Access planAccess(Generator *g, Type type, bool stores) {
  Access a = {.isWide = isLucky(&g->r, 20), .parts = 1};
  planStrides(g, type, &a);
  a.isParted = stores || isLucky(&g->r, 50);
  if (a.isParted) a.parts = countParts(g);
  if (isLucky(&g->r, 20)) a.start = pickBelow(&g->r, 20);
  a.length = a.start + a.span * a.parts;
  if (isLucky(&g->r, 45)) {
    a.isLimited = true;
    a.length = a.start + 1 + (int64_t)(nextRandom(&g->r) % (uint64_t)(a.span * a.parts));
  }
  return a;
}

//===- offsets ------------------------------------------------------------===//

static Element offsetElement(const Access *a) { return a->isWide ? I64 : I32; }

int makeScaled(Generator *g, int value, int64_t factor) {
  if (factor == 1) return value;
  int constant = makeInt(g, *typeOf(g, value), factor);
  return makeBinary(g, "arith.muli", value, constant);
}

int addTerms(Generator *g, int sum, int term) {
  return sum < 0 ? term : makeBinary(g, "arith.addi", sum, term);
}

int makeProgramId(Generator *g, int axis) {
  Op *op = appendOp(g, OP_PROGRAM_ID, 0, NULL);
  op->axis = axis;
  return addResult(g, op, scalarOf(I32), true);
}

/// Which part this program and iteration have: a number, or -1 where there is one.
static int makePart(Generator *g) {
  int part = -1;
  for (int i = g->numLoops; i-- > 0;) {
    const Loop *loop = &g->loops[i];
    int lower = makeInt(g, scalarOf(I32), loop->lower);
    int turn = makeBinary(g, "arith.subi", loop->iv, lower);
    int step = makeInt(g, scalarOf(I32), loop->step);
    turn = makeBinary(g, "arith.divsi", turn, step);
    if (part >= 0) part = makeScaled(g, part, loop->most);
    part = addTerms(g, part, turn);
  }
  for (int d = 3; d-- > 0;) {
    if (g->k->grid[d] == 1) continue;
    if (part >= 0) part = makeScaled(g, part, g->k->grid[d]);
    int id = makeProgramId(g, d);
    part = addTerms(g, part, id);
  }
  return part;
}

static int makeStart(Generator *g, const Access *a) {
  int start = a->start ? makeInt(g, scalarOf(I32), a->start) : -1;
  int part = a->isParted ? makePart(g) : -1;
  if (part >= 0) {
    part = makeScaled(g, part, a->span);
    start = addTerms(g, start, part);
  }
  if (start < 0) start = makeInt(g, scalarOf(I32), 0);
  return a->isWide ? makeRule(g, "arith.extsi", scalarOf(I64), 1, &start) : start;
}

/// The tile of offsets without the start.
static int makeLanes(Generator *g, Type type, const Access *a) {
  int sum = -1;
  type = withElement(type, offsetElement(a));
  for (int d = 0; d < type.rank; ++d) {
    if (type.shape[d] == 1 && sum >= 0) continue;
    int index = makeIndices(g, type, d);
    if (a->isWide) index = makeRule(g, "arith.extsi", type, 1, &index);
    index = makeScaled(g, index, a->strides[d]);
    sum = addTerms(g, sum, index);
  }
  return sum;
}

/// offset < length, the length as a constant or passed in.
static int makeLimit(Generator *g, int offsets, const Access *a) {
  Type type = *typeOf(g, offsets);
  int limit;
  if (isLucky(&g->r, 50)) {
    limit = makeInt(g, type, a->length);
  } else {
    limit = makeScalarParameter(g, type.element, (uint64_t)a->length);
    limit = makeSplat(g, limit, type);
  }
  if (isLucky(&g->r, 30)) return makeCompare(g, "arith.cmpi", 4, limit, offsets);
  return makeCompare(g, "arith.cmpi", 2, offsets, limit);
}

//===- accesses -----------------------------------------------------------===//

int addArray(Generator *g, Role role, Element e, int64_t length) {
  Type type = {.element = PTR, .pointee = e};
  int value = addValue(g, type, true);
  Fill fill = role == ROLE_OUTPUT ? FILL_PATTERN : (Fill)pickBelow(&g->r, FILL_PATTERN);
  int offset = isLucky(&g->r, 70) ? 0 : pickBelow(&g->r, 16);
  g->k->parameters[g->k->numParameters++] = (Parameter){
      .value = value, .role = role, .fill = fill, .element = e, .length = length, .offset = offset};
  return value;
}

int movePointer(Generator *g, int pointer, int offset) {
  Op *op = appendOp(g, OP_ADDPTR, 2, (const int[]){pointer, offset});
  return addResult(g, op, *typeOf(g, pointer), true);
}

static int makeMask(Generator *g, Type type, int mask) {
  type = withElement(type, I1);
  if (!isLucky(&g->r, 25)) return mask;
  int other = pickValue(g, type, true);
  return mask < 0 ? other : makeBinary(g, "arith.andi", mask, other);
}

/// Pointers into a new array as planned, and their mask or -1.
static int makePointers(Generator *g, Role role, Type type, const Access *a, int *mask) {
  int array = addArray(g, role, type.element, a->length), start = makeStart(g, a);
  Type pointers = type;
  pointers.pointee = type.element;
  pointers.element = PTR;
  *mask = -1;
  bool splits = isLucky(&g->r, 30);
  if (!type.rank) {
    if (a->isLimited) *mask = makeLimit(g, start, a);
    return movePointer(g, array, start);
  }
  int lanes = makeLanes(g, type, a);
  int starts = makeSplat(g, start, *typeOf(g, lanes));
  int offsets = makeBinary(g, "arith.addi", starts, lanes);
  if (a->isLimited) *mask = makeLimit(g, offsets, a);
  if (splits) array = movePointer(g, array, start);
  int bases = makeSplat(g, array, pointers);
  return movePointer(g, bases, splits ? lanes : offsets);
}

/// Any element of an array, as an index tile says.
static int makeScattered(Generator *g, Role role, Type type) {
  Element e = isLucky(&g->r, 75) ? I32 : I64;
  int length = 1 + pickBelow(&g->r, 100);
  int array = addArray(g, role, type.element, length);
  int index = pickValue(g, withElement(type, e), true);
  index = makeBelow(g, index, length);
  Type pointers = type;
  pointers.pointee = type.element;
  pointers.element = PTR;
  int bases = makeSplat(g, array, pointers);
  return movePointer(g, bases, index);
}

int makeLoad(Generator *g, Type type) {
  int pointers, mask = -1, other = -1;
  if (isLucky(&g->r, 10)) {
    pointers = makeScattered(g, ROLE_INPUT, type);
  } else {
    Access a = planAccess(g, type, false);
    pointers = makePointers(g, ROLE_INPUT, type, &a, &mask);
  }
  mask = makeMask(g, type, mask);
  if (mask >= 0 && isLucky(&g->r, 40)) other = pickValue(g, type, true);
  Op *op = appendOp(g, OP_LOAD, 3, (const int[]){pointers, mask, other});
  return addResult(g, op, type, true);
}

int makeLoadedBelow(Generator *g, Element e, int count) {
  int programs = g->k->grid[0], array = addArray(g, ROLE_INPUT, e, programs);
  g->k->parameters[g->k->numParameters - 1].fill = FILL_BELOW;
  g->k->parameters[g->k->numParameters - 1].literal = (uint64_t)count;
  int pointer = movePointer(g, array, makeProgramId(g, 0));
  Op *op = appendOp(g, OP_LOAD, 3, (const int[]){pointer, -1, -1});
  int number = addResult(g, op, scalarOf(e), true);
  return e == I64 ? makeRule(g, "arith.trunci", scalarOf(I32), 1, &number) : number;
}

void addStore(Generator *g, int value) {
  if (g->inWhile) return;
  Type type = *typeOf(g, value);
  Access a = planAccess(g, type, true);
  int mask, pointers = makePointers(g, ROLE_OUTPUT, type, &a, &mask);
  mask = makeMask(g, type, mask);
  appendOp(g, OP_STORE, 3, (const int[]){pointers, value, mask});
}

void addAtomic(Generator *g) {
  static const Element elements[] = {I32, I32, I64, F32, F32, F64, F16, BF16};
  static const int kinds[] = {0, 2, 3, 4, 5, 6, 7, 8};
  Element e = elements[pickBelow(&g->r, sizeof elements / sizeof *elements)];
  int kind = isFloat(e) ? 1 : kinds[pickBelow(&g->r, sizeof kinds / sizeof *kinds)];
  Type type = pickType(g, e);
  int value = pickValue(g, type, false), pointers = makeScattered(g, ROLE_ATOMIC, type);
  int mask = makeMask(g, type, -1);
  Op *op = appendOp(g, OP_ATOMIC, 3, (const int[]){pointers, value, mask});
  op->attribute = kind;
  op->axis = isLucky(&g->r, 30);
  addResult(g, op, type, false);
}

/// Each lane of each program has a place of its own, so that the old values are known.
void addCas(Generator *g) {
  static const Element elements[] = {I16, I32, I32, I64};
  if (g->depth || g->inWhile) return;
  Type type = pickType(g, elements[pickBelow(&g->r, 4)]);
  Access a = planAccess(g, type, true);
  int mask, expected = pickValue(g, type, true), value = pickValue(g, type, true);
  a.isLimited = false;
  a.length = a.start + a.span * a.parts;
  int pointers = makePointers(g, ROLE_ATOMIC, type, &a, &mask);
  Op *op = appendOp(g, OP_CAS, 3, (const int[]){pointers, expected, value});
  op->axis = isLucky(&g->r, 30);
  show(g, addResult(g, op, type, true));
}

/// Positions of a grid of 5 x 7, whatever the grid of programs is.
void addSwizzle(Generator *g) {
  int operands[5];
  const int sizes[] = {5, 7, 1 + pickBelow(&g->r, 6)};
  for (int i = 0; i < 2; ++i) {
    operands[i] = pickValue(g, scalarOf(I32), true);
    operands[i] = makeBelow(g, operands[i], sizes[i]);
  }
  for (int i = 0; i < 3; ++i) operands[2 + i] = makeInt(g, scalarOf(I32), sizes[i]);
  Op *op = appendOp(g, OP_SWIZZLE, 5, operands);
  int first = addResult(g, op, scalarOf(I32), true), second = addResult(g, op, scalarOf(I32), true);
  show(g, first);
  show(g, second);
}

//===- pointers that a loop moves -----------------------------------------===//

/// for i: sum = sum op load p; p = p + step. The array has a part for each iteration.
void addWalk(Generator *g) {
  if (g->depth > 1) return;
  Type type =
      withElement(g->shapes[pickBelow(&g->r, g->numShapes)], isLucky(&g->r, 50)   ? I32
                                                             : isLucky(&g->r, 50) ? F32
                                                                                  : pickElement(g));
  int turns = 1 + pickBelow(&g->r, 4);
  Access a = planAccess(g, type, false);
  int mask;
  a.isLimited = false;
  int64_t whole = a.start + a.span * a.parts;
  a.length = whole + a.span * turns;
  int pointers = makePointers(g, ROLE_INPUT, type, &a, &mask);
  bool isInt_ = isInt(type.element);
  int sum = pickValue(g, type, isInt_);
  int lower = makeInt(g, scalarOf(I32), 0), upper = makeInt(g, scalarOf(I32), turns);
  int step = makeInt(g, scalarOf(I32), 1), outside = g->block;
  int block = addBlock(g), iv = addValue(g, scalarOf(I32), true);
  int before = addValue(g, type, isInt_ && isExact(g, sum));
  int moving = addValue(g, *typeOf(g, pointers), true);
  Block *body = &g->k->blocks[block];
  body->args[body->numArgs++] = iv;
  body->args[body->numArgs++] = before;
  body->args[body->numArgs++] = moving;
  g->block = block;
  Op *load = appendOp(g, OP_LOAD, 3, (const int[]){moving, -1, -1});
  int loaded = addResult(g, load, type, true);
  int after = makeBinary(g, isInt_ ? "arith.addi" : "arith.maximumf", before, loaded);
  bool isSplat = isLucky(&g->r, 70);
  int distance = makeInt(g, isSplat ? withElement(type, I32) : scalarOf(I32), a.span);
  if (!isSplat) distance = makeSplat(g, distance, withElement(type, I32));
  body->yields[body->numYields++] = after;
  body->yields[body->numYields++] = movePointer(g, moving, distance);
  g->block = outside;
  Op *op = appendOp(g, OP_FOR, 5, (const int[]){lower, upper, step, sum, pointers});
  op->regions[0] = block;
  show(g, addResult(g, op, type, isExact(g, before)));
  addResult(g, op, *typeOf(g, pointers), true);
}
