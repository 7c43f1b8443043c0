//===- GenerateStreams.c - loops without dots -----------------------------===//
//
// Rows that are read a part at a time, and states that steps move on, with every choice drawn:
//
//   rows      one to three loops behind each other over parts of the columns: sums, the greatest, a
//             sum under the greatest so far; then what the rows become, elsewhere or in place
//   states    a tile of rank 1 to 3 that each step scales, adds a product of lines to, and reads;
//             what is read is stored in each step, or kept
//   lists     elements at places that the step before has loaded
//
// A program has one block of rows, every n-th, or a number of them that memory tells.
//===----------------------------------------------------------------------===//
#include "Loops.h"

static Type lineOf(Element e, int extent) {
  return (Type){.element = e, .pointee = I1, .rank = 1, .shape = {extent}};
}

/// As f32.
static int widened(Generator *g, int value) {
  Type type = withElement(*typeOf(g, value), F32);
  Element e = typeOf(g, value)->element;
  if (e == F32) return value;
  if (isInt(e)) return makeRule(g, "arith.sitofp", type, 1, &value);
  return makeRule(g, e == F64 ? "arith.truncf" : "arith.extf", type, 1, &value);
}

static int narrowed(Generator *g, int value, Element e) {
  Type type = withElement(*typeOf(g, value), e);
  return e == F32 ? value : makeRule(g, "arith.truncf", type, 1, &value);
}

//===- rows ---------------------------------------------------------------===//

typedef struct {
  int m, step, rows, columns;
  Matrix2 from, gain, to;
} Stream;

static Stream planStream(Generator *g) {
  Stream s = {.m = PICK(1, 1, 2, 4, 8, 16, 32, 64), .step = PICK(32, 64, 128, 256, 512, 1024)};
  while (s.m * s.step > MAX_ELEMENTS) s.step /= 2;
  int down = 1 + pickBelow(&g->r, 4), steps = 1 + pickBelow(&g->r, 6);
  s.rows = down * s.m - (isLucky(&g->r, 40) ? pickBelow(&g->r, s.m) : 0);
  s.columns = steps * s.step - (isLucky(&g->r, 60) ? pickBelow(&g->r, s.step) : 0);
  Element e = (Element)PICK(F16, F16, BF16, BF16, F32, F32, F32, E4M3, I8);
  Element kept = (Element)PICK(F32, F16, BF16);
  bool isInPlace = isFloat(e) && bitsOf(e) > 8 && isLucky(&g->r, 25);
  s.from = planMatrix2(g, isInPlace ? ROLE_INPLACE : ROLE_INPUT, e, s.rows, s.columns);
  s.gain = planMatrix2(g, ROLE_INPUT, (Element)PICK(F32, F16), 1, s.columns);
  s.gain.isBoxed = false;
  s.to = isInPlace ? s.from : planMatrix2(g, ROLE_OUTPUT, kept, s.rows, s.columns);
  return s;
}

static int spreadRows(Generator *g, int line, Type type) { return spreadLine(g, line, type, 0); }

/// The tile of this step, of which elements behind the rows' end are `none`.
static int loadPart(Generator *g, const Stream *s, int row, int at, double none) {
  int x = widened(g, loadTile(g, &s->from, row, s->m, at, s->step, s->from.plane.element));
  if (s->columns % s->step == 0 && isLucky(&g->r, 70)) return x;
  Type type = *typeOf(g, x);
  int line = makeLine(g, at, s->step);
  int mask = makeInside(g, line, passed(g, s->columns), type, 1);
  return makeRule(g, "arith.select", type, 3, (const int[]){mask, x, makeFloat(g, type, none)});
}

static Turns beginColumns(Generator *g, const Stream *s, const int *values, int count) {
  int end = passed(g, s->columns), zero = number(g, 0);
  return isLucky(&g->r, 85) ? beginTurns(g, end, s->step, values, count)
                            : beginWhile(g, zero, end, s->step, values, count);
}

/// The greatest of each row, and the sum of what stands under it; in one loop or two.
static void findExtremes(Generator *g, const Stream *s, int row, int *most, int *sum) {
  Type line = lineOf(F32, s->m), type = tileOf(F32, s->m, s->step);
  int values[MAX_CARRIED] = {makeFloat(g, line, -1e4), makeFloat(g, line, 0)}, after[2];
  bool isOnline = isLucky(&g->r, 50);
  Turns t = beginColumns(g, s, values, isOnline ? 2 : 1);
  int x = loadPart(g, s, row, t.counter, -1e4);
  after[0] = makeBinary(g, "arith.maximumf", t.carried[0], makeReduced(g, "arith.maximumf", x, 1));
  if (isOnline) {
    int before = makeBinary(g, "arith.subf", t.carried[0], after[0]);
    before = makeRule(g, "math.exp", line, 1, &before);
    int part = makeBinary(g, "arith.subf", x, spreadRows(g, after[0], type));
    part = makeReduced(g, "arith.addf", makeRule(g, "math.exp", type, 1, &part), 1);
    after[1] = makeBinary(g, "arith.addf", makeBinary(g, "arith.mulf", t.carried[1], before), part);
  }
  endTurns(g, &t, after, values);
  *most = values[0];
  *sum = values[1];
  if (isOnline) return;
  t = beginColumns(g, s, &values[1], 1);
  x = loadPart(g, s, row, t.counter, -1e4);
  x = makeBinary(g, "arith.subf", x, spreadRows(g, *most, type));
  x = makeRule(g, "math.exp", type, 1, &x);
  after[0] = makeBinary(g, "arith.addf", t.carried[0], makeReduced(g, "arith.addf", x, 1));
  endTurns(g, &t, after, sum);
}

/// Sums and sums of squares, a number for each row or for each element of a part.
static void findMoments(Generator *g, const Stream *s, int row, int *mean, int *spread) {
  Type line = lineOf(F32, s->m), type = tileOf(F32, s->m, s->step);
  bool isWide = isLucky(&g->r, 40); // met once, behind the loop
  int zero = makeFloat(g, isWide ? type : line, 0), values[2] = {zero, zero}, after[2];
  Turns t = beginColumns(g, s, values, 2);
  int x = loadPart(g, s, row, t.counter, 0), square = makeBinary(g, "arith.mulf", x, x);
  if (!isWide) x = makeReduced(g, "arith.addf", x, 1);
  if (!isWide) square = makeReduced(g, "arith.addf", square, 1);
  after[0] = makeBinary(g, "arith.addf", t.carried[0], x);
  after[1] = makeBinary(g, "arith.addf", t.carried[1], square);
  endTurns(g, &t, after, values);
  if (isWide) values[0] = makeReduced(g, "arith.addf", values[0], 1);
  if (isWide) values[1] = makeReduced(g, "arith.addf", values[1], 1);
  int scale = makeFloat(g, line, 1.0 / s->columns);
  *mean = makeBinary(g, "arith.mulf", values[0], scale);
  *spread = makeBinary(g, "arith.mulf", values[1], scale);
}

/// What the rows become, in a loop of its own.
static void storeRows(Generator *g, const Stream *s, int row, int shift, int scale, bool isSoft) {
  Type type = tileOf(F32, s->m, s->step);
  Turns t = beginColumns(g, s, NULL, 0);
  int x = loadPart(g, s, row, t.counter, 0);
  x = makeBinary(g, "arith.subf", x, spreadRows(g, shift, type));
  if (isSoft) x = makeRule(g, "math.exp", type, 1, &x);
  scale = spreadRows(g, scale, type);
  x = makeBinary(g, isSoft ? "arith.divf" : "arith.mulf", x, scale);
  if (isLucky(&g->r, 40)) {
    int gain = widened(
        g, loadTile(g, &s->gain, number(g, 0), 1, t.counter, s->step, s->gain.plane.element));
    gain = addResult(g, appendOp(g, OP_BROADCAST, 1, &gain), type, isExact(g, gain));
    x = makeBinary(g, "arith.mulf", x, gain);
  }
  storeTile(g, &s->to, row, t.counter, narrowed(g, x, s->to.plane.element));
  endTurns(g, &t, NULL, NULL);
}

static void makeRows(Generator *g, const Stream *s, int block) {
  int row = makeScaled(g, block, s->m), first, second;
  bool isSoft = isLucky(&g->r, 50);
  if (isSoft)
    findExtremes(g, s, row, &first, &second);
  else
    findMoments(g, s, row, &first, &second);
  storeRows(g, s, row, first, second, isSoft);
}

//===- states -------------------------------------------------------------===//

/// A line of step `at` of a matrix of one row for each step of each block, or -1 values masked.
static int lineAt(Generator *g, int array, int block, int steps, int at, int extent) {
  int row = makeBinary(g, "arith.addi", makeScaled(g, block, steps), at);
  int line = makeLine(g, makeScaled(g, row, extent), extent);
  Type type = lineOf(typeOf(g, array)->pointee, extent);
  int pointers = movePointer(g, makeSplat(g, array, pointersTo(type)), line);
  Op *op = appendOp(g, OP_LOAD, 3, (const int[]){pointers, -1, -1});
  return widened(g, addResult(g, op, type, true));
}

static int tameArray(Generator *g, Element e, int length) {
  int array = addArray(g, ROLE_INPUT, e, length);
  g->k->parameters[g->k->numParameters - 1].fill = isLucky(&g->r, 60) ? FILL_TAME : FILL_SMALL_INTS;
  return array;
}

/// state = state * decay + key x value; what a query reads of it is stored, or kept.
static void makeStates(Generator *g, int block, int blocks) {
  int m = PICK(8, 16, 32, 64), n = PICK(8, 16, 32, 64, 128), steps = 1 + pickBelow(&g->r, 7);
  Element e = (Element)PICK(F16, BF16, F32);
  Type type = tileOf(F32, m, n);
  int keys = tameArray(g, e, blocks * steps * m), values = tameArray(g, e, blocks * steps * n);
  int queries = tameArray(g, e, blocks * steps * m), decays = tameArray(g, F32, blocks * steps * m);
  bool stores = isLucky(&g->r, 60), turns = isLucky(&g->r, 30);
  int out = stores ? addArray(g, ROLE_OUTPUT, F32, blocks * steps * n) : -1;
  int upper = isLucky(&g->r, 30) ? makeLoadedBelow(g, I32, steps + 1) : passed(g, steps);
  int carried[2] = {makeConstant(g, type, 0), makeConstant(g, lineOf(F32, n), 0)}, after[2];
  Turns t = beginTurns(g, upper, 1, carried, 2);
  int at = t.counter;
  if (turns) { // from the last to the first
    int last = makeBinary(g, "arith.subi", upper, number(g, 1));
    at = makeBinary(g, "arith.subi", last, at);
  }
  int decay = lineAt(g, decays, block, steps, at, m);
  decay = makeBinary(g, "arith.mulf", decay, makeFloat(g, lineOf(F32, m), 0.125));
  int key = spreadLine(g, lineAt(g, keys, block, steps, at, m), type, 0);
  int value = spreadLine(g, lineAt(g, values, block, steps, at, n), type, 1);
  int state = makeBinary(g, "arith.mulf", t.carried[0], spreadLine(g, decay, type, 0));
  after[0] = makeBinary(g, "arith.addf", state, makeBinary(g, "arith.mulf", key, value));
  int query = spreadLine(g, lineAt(g, queries, block, steps, at, m), type, 0);
  int read = makeReduced(g, "arith.addf", makeBinary(g, "arith.mulf", after[0], query), 0);
  after[1] = makeBinary(g, "arith.addf", t.carried[1], read);
  if (stores) {
    int row = makeBinary(g, "arith.addi", makeScaled(g, block, steps), at);
    int line = makeLine(g, makeScaled(g, row, n), n);
    int pointers = movePointer(g, makeSplat(g, out, pointersTo(lineOf(F32, n))), line);
    appendOp(g, OP_STORE, 3, (const int[]){pointers, read, -1});
  }
  endTurns(g, &t, after, carried);
  Matrix2 ends[2] = {planMatrix2(g, ROLE_OUTPUT, F32, blocks * m, n),
                     planMatrix2(g, ROLE_OUTPUT, F32, blocks, n)};
  storeTile(g, &ends[0], makeScaled(g, block, m), number(g, 0), carried[0]);
  ends[1].isBoxed = false;
  Op *op = appendOp(g, OP_EXPAND_DIMS, 1, &carried[1]);
  op->axis = 0;
  int row = addResult(g, op, tileOf(F32, 1, n), false);
  storeTile(g, &ends[1], block, number(g, 0), row);
}

/// A state of rank 3, whose elements a step maps each by itself and sums along one axis.
static void makeCubes(Generator *g, int block, int blocks) {
  int extents[3] = {PICK(2, 4, 8), PICK(4, 8, 16), PICK(4, 16, 32)},
      steps = 1 + pickBelow(&g->r, 5);
  Type type = {
      .element = F32, .pointee = I1, .rank = 3, .shape = {extents[0], extents[1], extents[2]}};
  int size = countOf(&type), array = tameArray(g, F32, blocks * steps * size), offsets = -1;
  for (int d = 0, stride = size; d < 3; ++d) {
    stride /= extents[d];
    offsets = addTerms(g, offsets, makeScaled(g, makeIndices(g, type, d), stride));
  }
  int carried[1] = {makeConstant(g, type, 0)}, axis = pickBelow(&g->r, 3);
  Turns t = beginTurns(g, passed(g, steps), 1, carried, 1);
  int at = makeBinary(g, "arith.addi", makeScaled(g, block, steps), t.counter);
  int base = movePointer(g, array, makeScaled(g, at, size));
  int pointers = movePointer(g, makeSplat(g, base, pointersTo(type)), offsets);
  Op *op = appendOp(g, OP_LOAD, 3, (const int[]){pointers, -1, -1});
  int x = addResult(g, op, type, true);
  int sum = makeBinary(g, "arith.mulf", t.carried[0], makeFloat(g, type, 0.5));
  sum = makeBinary(g, "arith.addf", sum, x);
  endTurns(g, &t, &sum, carried);
  int line = makeReduced(g, isLucky(&g->r, 50) ? "arith.addf" : "arith.maximumf", carried[0], axis);
  Type flat = *typeOf(g, line);
  int out = addArray(g, ROLE_OUTPUT, F32, blocks * countOf(&flat));
  int rows = makeIndices(g, flat, 0), columns = makeIndices(g, flat, 1);
  int places = makeBinary(g, "arith.addi", makeScaled(g, rows, flat.shape[1]), columns);
  out = movePointer(g, out, makeScaled(g, block, countOf(&flat)));
  places = movePointer(g, makeSplat(g, out, pointersTo(flat)), places);
  appendOp(g, OP_STORE, 3, (const int[]){places, line, -1});
}

//===- lists --------------------------------------------------------------===//

/// Follows a list of places in each lane, and sums what stands there.
static void makeLists(Generator *g, int block, int blocks) {
  int lanes = PICK(32, 64, 128, 256), length = 2 + pickBelow(&g->r, 200);
  int next = makeTable(g, isLucky(&g->r, 70) ? I32 : I64, length, FILL_BELOW, length);
  int data = tameArray(g, (Element)PICK(F16, F32, I32), length);
  Type places = lineOf(typeOf(g, next)->pointee, lanes), sums = lineOf(F32, lanes);
  int first = makeBelow(g, makeLine(g, makeScaled(g, block, lanes), lanes), length);
  int carried[2] = {toElement(g, first, places.element), makeConstant(g, sums, 0)}, after[2];
  Turns t = beginTurns(g, passed(g, 1 + pickBelow(&g->r, 6)), 1, carried, 2);
  int pointers = movePointer(g, makeSplat(g, next, pointersTo(places)), t.carried[0]);
  Op *op = appendOp(g, OP_LOAD, 3, (const int[]){pointers, -1, -1});
  after[0] = addResult(g, op, places, true);
  Type type = lineOf(typeOf(g, data)->pointee, lanes);
  int there = isLucky(&g->r, 50) ? t.carried[0] : after[0];
  pointers = movePointer(g, makeSplat(g, data, pointersTo(type)), there);
  op = appendOp(g, OP_LOAD, 3, (const int[]){pointers, -1, -1});
  int found = widened(g, addResult(g, op, type, true));
  after[1] = makeBinary(g, "arith.addf", t.carried[1], found);
  endTurns(g, &t, after, carried);
  int out = addArray(g, ROLE_OUTPUT, F32, blocks * lanes);
  int line = makeLine(g, makeScaled(g, block, lanes), lanes);
  pointers = movePointer(g, makeSplat(g, out, pointersTo(sums)), line);
  appendOp(g, OP_STORE, 3, (const int[]){pointers, carried[1], -1});
}

//===- kernels ------------------------------------------------------------===//

void addStreams(Generator *g) {
  int how = pickBelow(&g->r, 10), seen = g->numVisible, blocks = 1 + pickBelow(&g->r, 6);
  Kernel *k = g->k;
  k->numGrid = 3;
  k->grid[0] = k->grid[1] = k->grid[2] = 1;
  k->numWarps = PICK(1, 2, 4, 4, 4, 8, 16);
  ++g->depth;
  Stream s = {0};
  if (how < 6) {
    s = planStream(g);
    blocks = (s.rows + s.m - 1) / s.m;
  }
  bool loops = isLucky(&g->r, 40);
  int programs = k->grid[0] = loops ? 1 + pickBelow(&g->r, blocks) : blocks;
  int block = makeProgramId(g, 0);
  Turns t;
  if (loops) {
    t = beginTurnsFrom(g, block, passed(g, blocks), programs, NULL, 0);
    block = t.counter;
  }
  if (how < 6)
    makeRows(g, &s, block);
  else if (how < 8)
    makeStates(g, block, blocks);
  else if (how < 9)
    makeCubes(g, block, blocks);
  else
    makeLists(g, block, blocks);
  if (loops) endTurns(g, &t, NULL, NULL);
  --g->depth;
  g->numVisible = seen;
}
