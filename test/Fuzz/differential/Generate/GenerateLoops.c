//===- GenerateLoops.c - products in loops of every form ------------------===//
//
// How programs come to the tiles of a matrix, and the steps of a tile, with every choice drawn:
//
//   tiles   one a program, behind an early return where there is none; a loop over every n-th, that
//           asks first or counts; two nested loops whose bounds memory tells; a single loop over
//           all steps of all tiles, whose first and last steps of a tile stand in branches
//   steps   a loop that counts elements, or steps, or counts and walks the depth from its end;
//           one that asks first; bounds that are constants, arguments or numbers from memory; parts
//           of the depth in a branch each
//===----------------------------------------------------------------------===//
#include "Loops.h"

static int ceilDiv(int a, int b) { return (a + b - 1) / b; }

//===- the steps of a tile ------------------------------------------------===//

/// Where the depth begins and ends for this program, as values.
typedef struct {
  int lower, upper;
} Span;

static Span findSpan(Generator *g, const Product *p) {
  if (p->isSplit) {
    int parts = g->k->grid[2], part = ceilDiv(ceilDiv(p->depth, parts), p->step) * p->step;
    int lower = makeScaled(g, makeProgramId(g, 2), part);
    int upper = makeBinary(g, "arith.addi", lower, number(g, part));
    return (Span){lower, makeBinary(g, "arith.minsi", upper, passed(g, p->depth))};
  }
  int upper = isLucky(&g->r, 20) ? makeLoadedBelow(g, I32, p->depth + 1) : passed(g, p->depth);
  return (Span){number(g, 0), upper};
}

/// The number of steps, rounded up.
static int countSteps(Generator *g, const Product *p, Span s) {
  int length = makeBinary(g, "arith.subi", s.upper, s.lower);
  length = makeBinary(g, "arith.addi", length, number(g, p->step - 1));
  length = makeBinary(g, "arith.maxsi", length, number(g, 0));
  return makeBinary(g, "arith.divsi", length, number(g, p->step));
}

static void runSteps(Generator *g, const Product *p, Corner c, Span s, const int *sums, int *ends) {
  int how = pickBelow(&g->r, 10), after[4];
  if (how < 5) { // elements
    Turns t = how < 4 ? beginTurnsFrom(g, s.lower, s.upper, p->step, sums, p->numSums)
                      : beginWhile(g, s.lower, s.upper, p->step, sums, p->numSums);
    makeStep(g, p, c, t.counter, t.carried, after);
    endTurns(g, &t, after, ends);
    return;
  }
  int count = countSteps(g, p, s);
  Turns t = how < 9 ? beginTurns(g, count, 1, sums, p->numSums)
                    : beginWhile(g, number(g, 0), count, 1, sums, p->numSums);
  int step = t.counter;
  if (how == 7) { // from the end
    int last = makeBinary(g, "arith.subi", count, number(g, 1));
    step = makeBinary(g, "arith.subi", last, step);
  }
  int at = makeBinary(g, "arith.addi", s.lower, makeScaled(g, step, p->step));
  makeStep(g, p, c, at, t.carried, after);
  endTurns(g, &t, after, ends);
}

/// Half of the depth, or all, in two branches.
static void runBranches(Generator *g, const Product *p, Corner c, const int *sums, int *ends) {
  int bit = makeLoadedBelow(g, I32, 2), outside = g->block, blocks[2];
  int condition = makeCompare(g, "arith.cmpi", 0, bit, number(g, 0));
  for (int b = 0; b < 2; ++b) {
    g->block = blocks[b] = addBlock(g);
    Span s = findSpan(g, p);
    if (b) s.lower = makeScaled(g, number(g, pickBelow(&g->r, 2)), p->step);
    int results[4];
    bool runs = !b || isLucky(&g->r, 60);
    if (runs) runSteps(g, p, c, s, sums, results);
    Block *body = &g->k->blocks[blocks[b]];
    for (int i = 0; i < p->numSums; ++i)
      body->yields[body->numYields++] = runs ? results[i] : sums[i];
  }
  g->block = outside;
  Op *op = appendOp(g, OP_IF, 1, &condition);
  op->regions[0] = blocks[0];
  op->regions[1] = blocks[1];
  for (int i = 0; i < p->numSums; ++i)
    ends[i] = addResult(g, op, p->sums[i], isInt(p->sums[i].element));
}

static void makeZeros(Generator *g, const Product *p, int *sums) {
  for (int i = 0; i < p->numSums; ++i) sums[i] = makeConstant(g, p->sums[i], 0);
}

static void makeTile(Generator *g, const Product *p, int row, int column) {
  Corner c = {makeScaled(g, row, p->m), makeScaled(g, column, p->n)};
  int sums[4], ends[4];
  makeZeros(g, p, sums);
  if (isLucky(&g->r, 12) && !p->isSplit) {
    runBranches(g, p, c, sums, ends);
  } else {
    runSteps(g, p, c, findSpan(g, p), sums, ends);
    // A second loop adds to what the first has.
    if (isLucky(&g->r, 8) && !p->isSplit) {
      for (int i = 0; i < p->numSums; ++i) sums[i] = ends[i];
      runSteps(g, p, c, findSpan(g, p), sums, ends);
    }
  }
  finishTile(g, p, c, ends);
}

//===- the tiles of a program ---------------------------------------------===//

typedef struct {
  int down, across; ///< how many tiles there are
} Tiles;

/// Tile `tile` of all: by rows, by columns, or in groups of rows.
static Corner splitTile(Generator *g, Tiles t, int tile) {
  int how = pickBelow(&g->r, 3), by = passed(g, how ? t.down : t.across);
  int quotient = makeBinary(g, "arith.divsi", tile, by);
  int rest = makeBinary(g, "arith.remsi", tile, by);
  if (how == 0) return (Corner){quotient, rest};
  if (how == 1) return (Corner){rest, quotient};
  int operands[5] = {rest, quotient, by, passed(g, t.across), number(g, PICK(1, 2, 3, 8))};
  Op *op = appendOp(g, OP_SWIZZLE, 5, operands);
  int first = addResult(g, op, scalarOf(I32), true);
  return (Corner){first, addResult(g, op, scalarOf(I32), true)};
}

/// What is made in `block`, or nothing.
static void makeBranch(Generator *g, int condition, int block) {
  Op *op = appendOp(g, OP_IF, 1, &condition);
  op->regions[0] = block;
  op->regions[1] = addBlock(g);
}

static void makeSingle(Generator *g, const Product *p, Tiles t) {
  bool isFlat = isLucky(&g->r, 50);
  g->k->grid[0] = isFlat ? t.down * t.across : t.down;
  g->k->grid[1] = isFlat ? 1 : t.across;
  Corner at;
  if (isFlat)
    at = splitTile(g, t, makeProgramId(g, 0));
  else
    at = (Corner){makeProgramId(g, 0), makeProgramId(g, 1)};
  if (isLucky(&g->r, 70)) {
    makeTile(g, p, at.row, at.column);
    return;
  }
  // Rows that there are none of.
  int end = makeLoadedBelow(g, I32, t.down + 1), outside = g->block;
  int condition = makeCompare(g, "arith.cmpi", PICK(2, 3), at.row, end);
  int block = g->block = addBlock(g);
  makeTile(g, p, at.row, at.column);
  g->block = outside;
  makeBranch(g, condition, block);
}

static void makeStriding(Generator *g, const Product *p, Tiles t) {
  int programs = g->k->grid[0] = 1 + pickBelow(&g->r, t.down * t.across);
  int id = makeProgramId(g, 0), end = passed(g, t.down * t.across);
  Turns turns = isLucky(&g->r, 75) ? beginTurnsFrom(g, id, end, programs, NULL, 0)
                                   : beginWhile(g, id, end, programs, NULL, 0);
  Corner at = splitTile(g, t, turns.counter);
  makeTile(g, p, at.row, at.column);
  endTurns(g, &turns, NULL, NULL);
}

/// Two loops; a program has every n-th row of tiles, and columns up to a number in memory.
static void makeNested(Generator *g, const Product *p, Tiles t) {
  int programs = g->k->grid[0] = 1 + pickBelow(&g->r, t.down);
  Turns down = beginTurnsFrom(g, makeProgramId(g, 0), passed(g, t.down), programs, NULL, 0);
  int end = isLucky(&g->r, 60) ? makeLoadedBelow(g, I32, t.across + 1) : passed(g, t.across);
  Turns across = beginTurns(g, end, 1, NULL, 0);
  makeTile(g, p, down.counter, across.counter);
  endTurns(g, &across, NULL, NULL);
  endTurns(g, &down, NULL, NULL);
}

/// `yes` where the condition holds, as a branch or a selection.
static int choose(Generator *g, int condition, int yes, int no) {
  Type type = *typeOf(g, yes);
  return makeRule(g, "arith.select", type, 3, (const int[]){condition, yes, no});
}

/// The last step of a tile: stores, and begins anew.
static void endFlatTile(Generator *g, const Product *p, Corner c, int isLast, const int *after,
                        int *yields) {
  int outside = g->block, blocks[2], zeros[4];
  bool isInside = isLucky(&g->r, 60);
  if (!isInside) makeZeros(g, p, zeros);
  g->block = blocks[0] = addBlock(g);
  finishTile(g, p, c, after);
  if (isInside) makeZeros(g, p, zeros);
  blocks[1] = addBlock(g);
  for (int i = 0; i < p->numSums; ++i) {
    Block *last = &g->k->blocks[blocks[0]], *other = &g->k->blocks[blocks[1]];
    last->yields[last->numYields++] = zeros[i];
    other->yields[other->numYields++] = after[i];
  }
  g->block = outside;
  Op *op = appendOp(g, OP_IF, 1, &isLast);
  op->regions[0] = blocks[0];
  op->regions[1] = blocks[1];
  for (int i = 0; i < p->numSums; ++i)
    yields[2 + i] = addResult(g, op, p->sums[i], isInt(p->sums[i].element));
}

static void makeFlat(Generator *g, const Product *p, Tiles t) {
  int all = t.down * t.across, programs = g->k->grid[0] = 1 + pickBelow(&g->r, all);
  int steps = ceilDiv(p->depth, p->step), id = makeProgramId(g, 0);
  int count = passed(g, steps), stride = number(g, programs);
  // Tiles of this program: every n-th from its number on.
  int mine = makeBinary(g, "arith.subi", number(g, all + programs - 1), id);
  mine = makeBinary(g, "arith.divsi", mine, stride);
  int total = makeBinary(g, "arith.muli", mine, count);
  int values[MAX_CARRIED] = {number(g, -1), makeBinary(g, "arith.subi", id, stride)};
  makeZeros(g, p, values + 2);
  Turns turns = beginTurns(g, total, 1, values, 2 + p->numSums);
  int last = makeBinary(g, "arith.subi", count, number(g, 1));
  int wasLast = makeCompare(g, "arith.cmpi", 0, turns.carried[0], last);
  int next = makeBinary(g, "arith.addi", turns.carried[0], number(g, 1));
  int step = choose(g, wasLast, number(g, 0), next);
  int isFirst = makeCompare(g, "arith.cmpi", 0, step, number(g, 0));
  int moved = makeBinary(g, "arith.addi", turns.carried[1], stride);
  int tile = choose(g, isFirst, moved, turns.carried[1]);
  Corner at = splitTile(g, t, tile),
         c = {makeScaled(g, at.row, p->m), makeScaled(g, at.column, p->n)};
  int after[4], yields[MAX_CARRIED] = {step, tile};
  makeStep(g, p, c, makeScaled(g, step, p->step), turns.carried + 2, after);
  endFlatTile(g, p, c, makeCompare(g, "arith.cmpi", 0, step, last), after, yields);
  endTurns(g, &turns, yields, values);
}

//===- kernels ------------------------------------------------------------===//

static void drawWishes(Generator *g) {
  Kernel *k = g->k;
  k->numWarps = PICK(1, 2, 4, 4, 4, 8, 8);
  k->isOld = isLucky(&g->r, 12);
  if (k->isOld) return;
  if (isLucky(&g->r, 12)) k->numSplits = PICK(2, 2, 3, 4);
  if (isLucky(&g->r, 12)) k->numCtas = PICK(1, 2, 2, 4);
  if (isLucky(&g->r, 8)) k->numParts = PICK(1, 2, 4);
  if (isLucky(&g->r, 12)) k->numLastSplits = PICK(2, 3, 4);
}

void addProducts(Generator *g) {
  int seen = g->numVisible;
  g->k->numGrid = 3;
  g->k->grid[0] = g->k->grid[1] = g->k->grid[2] = 1;
  drawWishes(g);
  ++g->depth;
  Product p = planProduct(g);
  Tiles t = {ceilDiv(p.rows, p.m), ceilDiv(p.columns, p.n)};
  int how = p.isSplit ? 0 : pickBelow(&g->r, 10);
  if (how < 4)
    makeSingle(g, &p, t);
  else if (how < 6)
    makeStriding(g, &p, t);
  else if (how < 8)
    makeNested(g, &p, t);
  else
    makeFlat(g, &p, t);
  --g->depth;
  g->numVisible = seen;
}
