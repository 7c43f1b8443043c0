//===- GenerateSequences.c - products over rows that memory tells ---------===//
//
// The kernels that models are made of, with every choice drawn: sequences of rows that lie behind
// one another, are padded, or have all one length. A program, or each step of a loop over blocks,
// has a block of rows of one sequence, and mostly leaves early where the sequence has ended. What
// it does with the block is one of
//
//   dense      rows x weights, which a table may choose, over steps of the depth
//   attention  two chained dots over blocks of keys: of the sequence itself, its part in front of
//              the row (causal), or pages that a table names; with a softmax or with another
//              function between them
//   depth      sums over the rows of the sequence, of products of their columns
//===----------------------------------------------------------------------===//
#include "Parts.h"

/// Which rows there are, and which block of them is worked on: values, but for the numbers below.
typedef struct {
  int sequence, begin, length, first;
  int count, most, total; ///< sequences; rows of one at most, and of all
  int block, blocks;      ///< rows of a block; blocks of the longest
} Rows;

//===- rows ---------------------------------------------------------------===//

static void planLengths(Generator *g, Rows *r) {
  int how = pickBelow(&g->r, 10);
  Element e = isLucky(&g->r, 65) ? I32 : I64;
  r->total = r->count * r->most;
  if (how < 5) { // behind one another
    int starts = makeTable(g, e, r->count + 1, FILL_STARTS, r->most + 1);
    int here = movePointer(g, starts, r->sequence);
    r->begin = loadScalar(g, here, e);
    int end = loadScalar(g, movePointer(g, here, number(g, 1)), e);
    r->length = makeBinary(g, "arith.subi", end, r->begin);
    r->length = toElement(g, r->length, I32);
    r->total += 9;
    if (e == I64 && isLucky(&g->r, 50)) r->begin = toElement(g, r->begin, I32);
    return;
  }
  int most = isLucky(&g->r, 80) ? number(g, r->most) : passed(g, r->most);
  r->begin = makeBinary(g, "arith.muli", r->sequence, most);
  if (how < 8) {
    int lengths = makeTable(g, e, r->count, FILL_BELOW, r->most + 1);
    r->length = toElement(g, loadScalar(g, movePointer(g, lengths, r->sequence), e), I32);
    return;
  }
  r->length = passed(g, r->most);
}

static Rows planRows(Generator *g) {
  Rows r = {.block = PICK(16, 32, 64, 64, 64, 128, 128, 128, 48)};
  Kernel *k = g->k;
  if (r.block >= 64 && isLucky(&g->r, 60)) k->numWarps = r.block / 16;
  k->isOld = isLucky(&g->r, 12);
  k->numGrid = 3;
  k->grid[0] = 1 + pickBelow(&g->r, 3);
  k->grid[1] = 1 + pickBelow(&g->r, 3);
  k->grid[2] = 1 + isLucky(&g->r, 20);
  r.blocks = isLucky(&g->r, 25) ? 1 + pickBelow(&g->r, 4) : k->grid[0];
  r.count = k->grid[1] * k->grid[2];
  r.most = r.blocks * r.block;
  if (isLucky(&g->r, 70)) r.most -= pickBelow(&g->r, r.block);
  r.sequence = makeProgramId(g, 1);
  if (k->grid[2] > 1) {
    int plane = makeScaled(g, makeProgramId(g, 2), k->grid[1]);
    r.sequence = makeBinary(g, "arith.addi", plane, r.sequence);
  }
  planLengths(g, &r);
  return r;
}

static Place placeOf(const Rows *r, int line, int columns, bool isMasked) {
  return (Place){.begin = r->begin,
                 .rows = line,
                 .columns = columns,
                 .rowEnd = isMasked ? r->length : -1,
                 .columnEnd = -1};
}

/// The rows of the block, masked.
static Place blockOf(Generator *g, const Rows *r, int columns) {
  int line = makeLine(g, r->first, r->block);
  return placeOf(r, line, makeLine(g, number(g, 0), columns), true);
}

//===- elements -----------------------------------------------------------===//

static Element pickFactor(Generator *g) {
  return (Element)PICK(F16, F16, F16, F16, BF16, BF16, BF16, BF16, F32, E4M3, I8);
}

/// What a factor is kept as: mostly itself.
static Element pickKept(Generator *g, Element e) {
  if (e == I8 || bitsOf(e) == 8 || isLucky(&g->r, 60)) return e;
  return (Element)PICK(I8, E4M3, E5M2, F16, BF16, F32);
}

//===- what is done with a block ------------------------------------------===//

typedef struct {
  int kind; ///< 0: dense; 1: attention; 2: depth
  Element element;
  int columns, depth, step; ///< of the result; elements of a row, and of a step
  int steps;
  Plane rows, other, second;
  int table, pages; ///< which weights, or pages; -1: none
  bool isCausal, isSoft;
  Plane result;
} Work;

static int makeDense(Generator *g, const Rows *r, const Work *w) {
  Type type = tileOf(sumOf(w->element), r->block, w->columns);
  int zero = makeConstant(g, type, 0), base = -1, limit = -1, result;
  if (w->table >= 0) {
    int chosen = loadScalar(g, movePointer(g, w->table, r->sequence), I32);
    base = makeBinary(g, "arith.muli", chosen, passed(g, w->depth));
  }
  int upper = isLucky(&g->r, 20) ? makeLoadedBelow(g, I32, w->depth + 1) : passed(g, w->depth);
  if (w->depth % w->step || isLucky(&g->r, 30)) limit = passed(g, w->depth);
  int line = makeLine(g, r->first, r->block), all = makeLine(g, number(g, 0), w->columns);
  Turns t = beginTurns(g, upper, w->step, &zero, 1);
  int along = makeLine(g, t.counter, w->step);
  Place left = placeOf(r, line, along, true);
  left.columnEnd = limit;
  Place right = {.begin = base, .rows = along, .columns = all, .rowEnd = limit, .columnEnd = -1};
  int a = loadPlace(g, &w->rows, &left, r->block, w->step, w->element);
  int b = loadPlace(g, &w->other, &right, w->step, w->columns, w->element);
  int sum = makeDot(g, a, b, t.carried[0]);
  endTurns(g, &t, &sum, &result);
  return result;
}

static int makeDepth(Generator *g, const Rows *r, const Work *w) {
  Type type = tileOf(sumOf(w->element), r->block, w->columns);
  int zero = makeConstant(g, type, 0), result;
  int left = makeLine(g, number(g, 0), r->block), right = makeLine(g, number(g, 0), w->columns);
  Turns t = beginTurns(g, r->length, w->step, &zero, 1);
  int along = makeLine(g, t.counter, w->step);
  Place a = placeOf(r, along, left, true), b = placeOf(r, along, right, true);
  bool loadsTurned = isLucky(&g->r, 50);
  a.rowAxis = loadsTurned;
  int lhs = loadPlace(g, &w->rows, &a, w->step, r->block, w->element);
  if (!loadsTurned) lhs = makeTurned(g, lhs);
  int rhs = loadPlace(g, &w->other, &b, w->step, w->columns, w->element);
  int sum = makeDot(g, lhs, rhs, t.carried[0]);
  endTurns(g, &t, &sum, &result);
  return result;
}

/// The keys of this step, where they exist.
static Place placeKeys(Generator *g, const Rows *r, const Work *w, int keys, int counter,
                       int columns) {
  Place at = placeOf(r, keys, makeLine(g, number(g, 0), columns), true);
  if (w->table < 0) return at;
  // Page n of the sequence is where the table says; the keys in it count from its beginning.
  int page = makeBinary(g, "arith.divsi", counter, number(g, w->step));
  int mine = makeBinary(g, "arith.muli", r->sequence, number(g, w->pages));
  mine = makeBinary(g, "arith.addi", mine, page);
  int named = loadScalar(g, movePointer(g, w->table, mine), I32);
  at.begin = makeScaled(g, named, w->step);
  at.rows = makeLine(g, number(g, 0), w->step);
  at.rowEnd = makeBinary(g, "arith.subi", r->length, counter);
  return at;
}

/// Scores as factors of the second dot; of a softmax the greatest and the sum are carried as well,
/// and what was added up so far is scaled.
static int makeWeights(Generator *g, const Work *w, int scores, int *carried) {
  Type type = *typeOf(g, scores);
  Element e = w->second.element == I8 ? F16 : w->second.element;
  if (w->isSoft) {
    int most = makeReduced(g, "arith.maximumf", scores, 1);
    most = makeBinary(g, "arith.maximumf", carried[1], most);
    int lower = makeBinary(g, "arith.subf", scores, spreadLine(g, most, type, 0));
    scores = makeRule(g, "math.exp", type, 1, &lower);
    int before = makeBinary(g, "arith.subf", carried[1], most);
    before = makeRule(g, "math.exp", *typeOf(g, before), 1, &before);
    int sum = makeReduced(g, "arith.addf", scores, 1);
    carried[2] = makeBinary(g, "arith.addf", makeBinary(g, "arith.mulf", carried[2], before), sum);
    carried[1] = most;
    int scale = spreadLine(g, before, *typeOf(g, carried[0]), 0);
    carried[0] = makeBinary(g, "arith.mulf", carried[0], scale);
  }
  return e == F32 ? scores : makeRule(g, "arith.truncf", withElement(type, e), 1, &scores);
}

static int makeAttention(Generator *g, const Rows *r, const Work *w) {
  Type type = tileOf(F32, r->block, w->columns), line = {.element = F32, .pointee = I1, .rank = 1};
  Type scoreType = tileOf(F32, r->block, w->step);
  line.shape[0] = r->block;
  Place at = blockOf(g, r, w->depth);
  int q = loadPlace(g, &w->rows, &at, r->block, w->depth, w->element), upper = r->length;
  if (w->isCausal) {
    int end = makeBinary(g, "arith.addi", r->first, number(g, r->block));
    upper = makeBinary(g, "arith.minsi", upper, end);
  }
  int values[MAX_CARRIED] = {makeConstant(g, type, 0)}, count = w->isSoft ? 3 : 1;
  if (w->isSoft) {
    values[1] = makeFloat(g, line, -1e4);
    values[2] = makeFloat(g, line, 0);
  }
  Turns t = beginTurns(g, upper, w->step, values, count);
  int keys = makeLine(g, t.counter, w->step);
  Place there = placeKeys(g, r, w, keys, t.counter, w->depth);
  bool loadsTurned = isLucky(&g->r, 50);
  there.rowAxis = loadsTurned;
  int k = loadPlace(g, &w->other, &there, w->step, w->depth, w->element);
  if (!loadsTurned) k = makeTurned(g, k);
  int zero = makeConstant(g, withElement(scoreType, sumOf(w->element)), 0);
  int scores = makeDot(g, q, k, zero);
  if (w->element == I8) scores = makeRule(g, "arith.sitofp", scoreType, 1, &scores);
  scores = makeBinary(g, "arith.mulf", scores, makeFloat(g, scoreType, 0.0625));
  int mask = makeInside(g, keys, r->length, scoreType, 1);
  if (w->isCausal) {
    int rows = spreadLine(g, at.rows, scoreType, 0), columns = spreadLine(g, keys, scoreType, 1);
    mask = makeBinary(g, "arith.andi", mask, makeCompare(g, "arith.cmpi", 5, rows, columns));
  }
  int none = makeFloat(g, scoreType, w->isSoft ? -1e4 : 0);
  scores = makeRule(g, "arith.select", scoreType, 3, (const int[]){mask, scores, none});
  int carried[MAX_CARRIED] = {t.carried[0], t.carried[1], t.carried[2]};
  int weights = makeWeights(g, w, scores, carried);
  Place columns = placeKeys(g, r, w, keys, t.counter, w->columns);
  int v = loadPlace(g, &w->second, &columns, w->step, w->columns, typeOf(g, weights)->element);
  carried[0] = makeDot(g, weights, v, carried[0]);
  endTurns(g, &t, carried, values);
  if (!w->isSoft) return values[0];
  return makeBinary(g, "arith.divf", values[0], spreadLine(g, values[2], type, 0));
}

//===- results ------------------------------------------------------------===//

static int finishProduct(Generator *g, int value, Element kept) {
  Type type = *typeOf(g, value);
  if (isFloat(type.element) && isLucky(&g->r, 30)) {
    Type line = {.element = F16, .pointee = I1, .rank = 1, .shape = {type.shape[1]}};
    int bias = makeConversion(g, makeLoad(g, line), type.element);
    value = makeBinary(g, "arith.addf", value, spreadLine(g, bias, type, 1));
  }
  if (isLucky(&g->r, 20)) {
    int zero = makeConstant(g, type, 0);
    value = makeBinary(g, isInt(type.element) ? "arith.maxsi" : "arith.maximumf", value, zero);
  }
  return kept == type.element ? value
                              : makeRule(g, "arith.truncf", withElement(type, kept), 1, &value);
}

static void makeBlock(Generator *g, const Rows *r, const Work *w) {
  int value = w->kind == 0   ? makeDense(g, r, w)
              : w->kind == 1 ? makeAttention(g, r, w)
                             : makeDepth(g, r, w);
  value = finishProduct(g, value, w->result.element);
  if (w->kind == 2) {
    addStore(g, value);
    return;
  }
  Type type = *typeOf(g, value);
  Place at = blockOf(g, r, w->columns);
  int pointers = makePlaces(g, &w->result, &at, type), mask = makeMaskOf(g, &at, type);
  appendOp(g, OP_STORE, 3, (const int[]){pointers, value, mask});
}

static Work planWork(Generator *g, const Rows *r) {
  Work w = {.kind = PICK(0, 0, 1, 1, 1, 2), .table = -1};
  w.element = pickFactor(g);
  w.columns = PICK(16, 32, 64, 64, 128, 256, 40, 80);
  while (w.columns * r->block > MAX_ELEMENTS * 2) w.columns /= 2;
  w.step = PICK(16, 32, 32, 64, 64, 128);
  w.depth = w.kind == 0 ? w.step * (1 + pickBelow(&g->r, 4)) : PICK(16, 32, 64, 64, 128);
  while (w.kind == 1 && (w.step * r->block > MAX_ELEMENTS * 2)) w.step /= 2;
  while (w.kind == 1 && w.depth * r->block > MAX_ELEMENTS * 2) w.depth /= 2;
  if (w.kind == 0 && isLucky(&g->r, 30)) w.depth -= pickBelow(&g->r, w.step);
  w.isCausal = isLucky(&g->r, 40);
  w.isSoft = isLucky(&g->r, 50);
  Element e = w.element, kept = pickKept(g, e);
  int total = r->total;
  if (w.kind == 0) {
    int chosen = isLucky(&g->r, 40) ? 1 + pickBelow(&g->r, 4) : 0;
    if (chosen) w.table = makeTable(g, I32, r->count, FILL_BELOW, chosen);
    w.rows = planPlane(g, ROLE_INPUT, pickKept(g, e), total, w.depth);
    w.other = planPlane(g, ROLE_INPUT, kept, w.depth * (chosen ? chosen : 1), w.columns);
  } else if (w.kind == 1) {
    w.rows = planPlane(g, ROLE_INPUT, e, total, w.depth);
    if (isLucky(&g->r, 30)) {
      w.pages = (r->most + w.step - 1) / w.step;
      w.table = makeTable(g, I32, r->count * w.pages, FILL_BELOW, 6);
      total = 6 * w.step;
    }
    w.other = planPlane(g, ROLE_INPUT, kept, total, w.depth);
    w.second =
        planPlane(g, ROLE_INPUT, (Element)PICK(F16, F16, BF16, BF16, E4M3, I8), total, w.columns);
  } else {
    w.rows = planPlane(g, ROLE_INPUT, kept, total, r->block);
    w.other = planPlane(g, ROLE_INPUT, pickKept(g, e), total, w.columns);
  }
  Element sum = w.kind == 1 ? F32 : sumOf(e), result = sum;
  if (isFloat(sum) && isLucky(&g->r, 60)) result = isLucky(&g->r, 50) ? F16 : BF16;
  w.result = planPlane(g, ROLE_OUTPUT, result, r->total, w.columns);
  Element widest = bitsOf(e) < 16 ? F16 : e;
  limitStages(g, widest, (r->block + 2 * w.columns + w.depth) * w.step);
  return w;
}

/// The block, or nothing behind the sequence's end.
static void guardBlock(Generator *g, const Rows *r, const Work *w) {
  if (isLucky(&g->r, 25)) {
    makeBlock(g, r, w);
    return;
  }
  int condition = makeCompare(g, "arith.cmpi", 2, r->first, r->length), outside = g->block;
  int there = addBlock(g), behind = addBlock(g);
  g->block = there;
  makeBlock(g, r, w);
  g->block = outside;
  Op *op = appendOp(g, OP_IF, 1, &condition);
  op->regions[0] = there;
  op->regions[1] = behind;
}

void addSequences(Generator *g) {
  Rows r = planRows(g);
  Work w = planWork(g, &r);
  int id = makeProgramId(g, 0), seen = g->numVisible, programs = g->k->grid[0];
  bool isPersistent = r.blocks != programs && w.kind != 2;
  ++g->depth;
  if (!isPersistent) {
    // Blocks behind the longest sequence have no rows.
    r.first = makeScaled(g, id, r.block);
    guardBlock(g, &r, &w);
  } else {
    int outside = g->block, block = addBlock(g);
    int end = passed(g, r.blocks), step = number(g, programs), operands[3] = {id, end, step};
    Block *body = &g->k->blocks[block];
    int counter = body->args[body->numArgs++] = addValue(g, scalarOf(I32), true);
    g->block = block;
    r.first = makeScaled(g, counter, r.block);
    guardBlock(g, &r, &w);
    g->block = outside;
    Op *op = appendOp(g, OP_FOR, 3, operands);
    op->regions[0] = block;
  }
  --g->depth;
  g->numVisible = seen;
}
