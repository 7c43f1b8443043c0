//===- GenerateSteps.c - what a step of a product does --------------------===//
#include "Loops.h"

//===- matrices -----------------------------------------------------------===//

Matrix2 planMatrix2(Generator *g, Role role, Element e, int rows, int columns) {
  Matrix2 m = {.rows = rows, .columns = columns, .isBoxed = isLucky(&g->r, 35)};
  m.plane = planPlane(g, role, e, rows, columns);
  if (m.isBoxed)
    g->k->parameters[g->k->numParameters - (m.plane.pitchValue < 0 ? 1 : 2)].offset = 0;
  return m;
}

/// A box of a descriptor; `value`: what is stored, -1 for a load.
static int makeBox(Generator *g, const Matrix2 *m, int row, int column, Type type, int value) {
  const Plane *p = &m->plane;
  int pitch =
      p->pitchValue < 0 ? makeInt(g, scalarOf(I64), p->pitch) : toElement(g, p->pitchValue, I64);
  int rows = passed(g, m->rows), columns = passed(g, m->columns);
  int operands[7] = {p->array, rows, columns, pitch, row, column, value};
  if (p->isTurned) {
    operands[1] = columns;
    operands[2] = rows;
    operands[4] = column;
    operands[5] = row;
  }
  Op *op = appendOp(g, value < 0 ? OP_DESC_LOAD : OP_DESC_STORE, value < 0 ? 6 : 7, operands);
  op->axis = g->k->numOps; // the descriptor's name
  return value < 0 ? addResult(g, op, type, true) : -1;
}

static Place placeTile(Generator *g, const Matrix2 *m, int row, int rows, int column, int columns) {
  return (Place){.begin = -1,
                 .rows = makeLine(g, row, rows),
                 .columns = makeLine(g, column, columns),
                 .rowEnd = m->rows % rows || isLucky(&g->r, 15) ? passed(g, m->rows) : -1,
                 .columnEnd =
                     m->columns % columns || isLucky(&g->r, 15) ? passed(g, m->columns) : -1};
}

int loadTile(Generator *g, const Matrix2 *m, int row, int rows, int column, int columns,
             Element e) {
  bool turns = m->plane.isTurned;
  if (!m->isBoxed) {
    Place at = placeTile(g, m, row, rows, column, columns);
    bool loadsTurned = isLucky(&g->r, 15);
    at.rowAxis = loadsTurned;
    int value = loadPlace(g, &m->plane, &at, rows, columns, e);
    return loadsTurned ? makeTurned(g, value) : value;
  }
  Type type =
      turns ? tileOf(m->plane.element, columns, rows) : tileOf(m->plane.element, rows, columns);
  int value = makeBox(g, m, row, column, type, -1);
  return makeFactor(g, turns ? makeTurned(g, value) : value, e);
}

void storeTile(Generator *g, const Matrix2 *m, int row, int column, int value) {
  Type type = *typeOf(g, value);
  if (m->isBoxed) {
    makeBox(g, m, row, column, type, m->plane.isTurned ? makeTurned(g, value) : value);
    return;
  }
  Place at = placeTile(g, m, row, type.shape[0], column, type.shape[1]);
  int pointers = makePlaces(g, &m->plane, &at, type), mask = makeMaskOf(g, &at, type);
  appendOp(g, OP_STORE, 3, (const int[]){pointers, value, mask});
}

/// Adds to what is in memory.
static void addTile(Generator *g, const Plane *p, const Matrix2 *shape, int row, int column,
                    int value) {
  Type type = *typeOf(g, value);
  Place at = placeTile(g, shape, row, type.shape[0], column, type.shape[1]);
  int pointers = makePlaces(g, p, &at, type), mask = makeMaskOf(g, &at, type);
  Op *op = appendOp(g, OP_ATOMIC, 3, (const int[]){pointers, value, mask});
  op->attribute = isFloat(type.element);
  op->axis = isLucky(&g->r, 30);
  addResult(g, op, type, false);
}

/// `extent` numbers of an array from `start` on, those below `end`.
static int loadLine(Generator *g, int array, int start, int extent, int end) {
  Type type = {.element = typeOf(g, array)->pointee, .pointee = I1, .rank = 1, .shape = {extent}};
  int line = makeLine(g, start, extent), mask = -1;
  if (end % extent || isLucky(&g->r, 20))
    mask = makeCompare(g, "arith.cmpi", 2, line, makeSplat(g, passed(g, end), *typeOf(g, line)));
  int pointers = movePointer(g, makeSplat(g, array, pointersTo(type)), line);
  Op *op = appendOp(g, OP_LOAD, 3, (const int[]){pointers, mask, -1});
  return addResult(g, op, type, true);
}

//===- plans --------------------------------------------------------------===//

static Element pickFactor(Generator *g, StepKind kind) {
  if (kind == STEP_PACKED || kind == STEP_BACKWARD || kind == STEP_COMPUTED)
    return (Element)PICK(F16, F16, BF16, BF16, F32);
  if (kind == STEP_CHAINED || kind == STEP_BATCHED) return (Element)PICK(F16, F16, BF16, F32);
  return (Element)PICK(F16, F16, F16, BF16, BF16, BF16, F32, E4M3, E5M2, I8, F64);
}

static Element pickKept(Generator *g, Element e) {
  if (e == I8 || e == F64 || bitsOf(e) == 8 || isLucky(&g->r, 70)) return e;
  return (Element)PICK(I8, E4M3, E5M2, F16, BF16, F32);
}

static void planExtents(Generator *g, Product *p) {
  p->kind = (StepKind)pickBelow(&g->r, NUM_STEPS);
  if (isLucky(&g->r, 15)) p->kind = STEP_PLAIN;
  p->element = pickFactor(g, p->kind);
  p->m = PICK(16, 32, 64, 64, 64, 128, 128, 256);
  p->n = PICK(16, 32, 64, 64, 128, 128, 256);
  p->step = PICK(16, 32, 32, 64, 64, 64, 128);
  p->inner = PICK(16, 32, 64, 64, 128);
  p->batch = PICK(2, 2, 4);
  int most = p->element == F64 || p->kind == STEP_BATCHED || p->kind == STEP_SHARED ? 4096 : 8192;
  if (p->kind == STEP_BATCHED) p->m = PICK(16, 16, 32);
  while (p->m * p->n > most) p->n > p->m ? (p->n /= 2) : (p->m /= 2);
  while (p->m * p->step > most) p->step /= 2;
  while (p->m * p->inner > most || p->step * p->inner > most) p->inner /= 2;
  while (p->n * p->step > most) p->step /= 2;
  if (p->step < 16) p->step = 16;
  int down = 1 + pickBelow(&g->r, 3),
      across = p->kind == STEP_BACKWARD ? 1 : 1 + pickBelow(&g->r, 3);
  int steps = 1 + pickBelow(&g->r, 5);
  while (down * across * steps * p->step > (2 << 20) / (p->m * p->n) && steps > 1) --steps;
  if (isLucky(&g->r, 5)) { // more tiles than a device has multiprocessors
    p->m = 64;
    p->n = p->step = p->inner = 32;
    steps = 1 + pickBelow(&g->r, 2);
    down = 140 + pickBelow(&g->r, 150);
    across = 1;
  }
  p->rows = down * p->m - (isLucky(&g->r, 40) ? pickBelow(&g->r, p->m) : 0);
  p->columns = across * p->n - (isLucky(&g->r, 25) ? pickBelow(&g->r, p->n) : 0);
  p->depth = steps * p->step - (isLucky(&g->r, 30) ? pickBelow(&g->r, p->step) : 0);
  // Weights two in a byte, and words of eight.
  if (p->kind == STEP_PACKED) p->depth = steps * p->step;
}

static void planOperands(Generator *g, Product *p) {
  Element e = p->element, kept = pickKept(g, e);
  int steps = (p->depth + p->step - 1) / p->step;
  bool hasRow = p->kind == STEP_CHAINED || p->kind == STEP_BACKWARD;
  int rows = p->kind == STEP_GATHERED ? 1 + pickBelow(&g->r, p->rows) : p->rows;
  if (p->kind != STEP_BATCHED)
    p->a = planMatrix2(g, ROLE_INPUT, pickKept(g, e), rows, hasRow ? p->inner : p->depth);
  if (p->kind == STEP_PACKED) {
    p->group = p->step * PICK(1, 1, 2);
    bool inWords = isLucky(&g->r, 40);
    p->b = planMatrix2(g, ROLE_INPUT, inWords ? I32 : I8, p->depth / (inWords ? 8 : 2), p->columns);
    g->k->parameters[g->k->numParameters - (p->b.plane.pitchValue < 0 ? 1 : 2)].fill = FILL_WILD;
    p->scales = planMatrix2(g, ROLE_INPUT, e, steps, p->columns);
  } else if (p->kind != STEP_BATCHED) {
    p->b = planMatrix2(g, ROLE_INPUT, kept, p->depth, p->columns);
  }
  if (p->kind == STEP_SHARED) p->c = planMatrix2(g, ROLE_INPUT, kept, p->depth, p->columns);
  if (p->kind == STEP_COMPUTED) p->c = planMatrix2(g, ROLE_INPUT, e, p->rows, p->depth);
  if (hasRow) p->c = planMatrix2(g, ROLE_INPUT, pickKept(g, e), p->depth, p->inner);
  if (p->kind == STEP_BACKWARD) p->d = planMatrix2(g, ROLE_INPUT, e, p->rows, p->columns);
  if (p->kind == STEP_SCALED) p->scales = planMatrix2(g, ROLE_INPUT, F32, p->rows, steps);
  if (p->kind == STEP_GATHERED)
    p->table = makeTable(g, isLucky(&g->r, 70) ? I32 : I64, p->rows, FILL_BELOW, rows);
  if (p->kind == STEP_SKIPPED) p->table = makeTable(g, I32, steps, FILL_BELOW, 2);
}

static void planSums(Product *p) {
  Element e = sumOf(p->element);
  if (p->kind == STEP_SCALED && e == I32) e = F32;
  p->sums[p->numSums++] = tileOf(e, p->m, p->n);
  if (p->kind == STEP_SHARED) p->sums[p->numSums++] = tileOf(e, p->m, p->n);
  if (p->kind == STEP_BACKWARD) p->sums[p->numSums++] = tileOf(e, p->m, p->inner);
  Type line = {.element = F32, .pointee = I1, .rank = 1, .shape = {p->m}};
  for (int i = 0; p->kind == STEP_WATCHED && i < 2; ++i) p->sums[p->numSums++] = line;
  if (p->kind == STEP_BATCHED)
    p->sums[0] = (Type){.element = e, .pointee = I1, .rank = 3, .shape = {p->batch, p->m, p->n}};
}

static void planResults(Generator *g, Product *p) {
  Element e = p->sums[0].element, kept = e;
  p->isSplit = p->kind != STEP_BATCHED && e != F64 && isLucky(&g->r, 12);
  p->isAtomic = p->isSplit || (p->kind != STEP_BATCHED && e != F64 && isLucky(&g->r, 5));
  if (p->isSplit) g->k->grid[2] = 2 + pickBelow(&g->r, 2);
  if (e == F32 && !p->isAtomic) kept = (Element)PICK(F32, F16, F16, BF16, BF16);
  if (p->isAtomic) p->updated = planPlane(g, ROLE_ATOMIC, e, p->rows, p->columns);
  if (p->kind == STEP_BATCHED) return;
  bool isInPlace = !p->isAtomic && isLucky(&g->r, 20);
  if (!p->isAtomic)
    p->result = planMatrix2(g, isInPlace ? ROLE_INPLACE : ROLE_OUTPUT, kept, p->rows, p->columns);
  p->residual.rows = 0;
  if (isInPlace)
    p->residual = p->result;
  else if (isFloat(kept) && isLucky(&g->r, 25))
    p->residual = planMatrix2(g, ROLE_INPUT, (Element)PICK(F16, BF16, F32), p->rows, p->columns);
}

Product planProduct(Generator *g) {
  Product p = {.table = -1};
  planExtents(g, &p);
  planOperands(g, &p);
  planSums(&p);
  planResults(g, &p);
  int area = p.m + p.n * (p.kind == STEP_SHARED ? 2 : 1);
  if (p.kind == STEP_BACKWARD || p.kind == STEP_CHAINED) area = (p.m + p.n + p.inner) * 3;
  if (p.kind == STEP_BATCHED) area *= p.batch;
  Element widest = bitsOf(p.element) < 16 ? F16 : p.element;
  const Matrix2 *loaded[] = {&p.a, &p.b, &p.c, &p.d};
  for (int i = 0; i < 4; ++i) // both as they come, and as the dot wants them
    if (loaded[i]->rows && bitsOf(loaded[i]->plane.element) > bitsOf(widest)) widest = F64;
  limitStages(g, widest, area * p.step);
  return p;
}

//===- factors ------------------------------------------------------------===//

static int factor(Generator *g, const Product *p, const Matrix2 *m, int row, int rows, int column,
                  int columns) {
  return loadTile(g, m, row, rows, column, columns, p->element);
}

static int leftOf(Generator *g, const Product *p, Corner c, int at) {
  return factor(g, p, &p->a, c.row, p->m, at, p->step);
}

static int rightOf(Generator *g, const Product *p, Corner c, int at) {
  return factor(g, p, &p->b, at, p->step, c.column, p->n);
}

static int gathered(Generator *g, const Product *p, Corner c, int at) {
  Place place = placeTile(g, &p->a, number(g, 0), p->m, at, p->step);
  place.rows = loadLine(g, p->table, c.row, p->m, p->rows);
  place.rowEnd = -1;
  return loadPlace(g, &p->a.plane, &place, p->m, p->step, p->element);
}

/// Half-bytes of a tile of bytes, one behind the other along the rows.
static int unpackBytes(Generator *g, const Product *p, int packed, Element e) {
  Type type = *typeOf(g, packed), wide = withElement(type, e);
  bool isSigned = isLucky(&g->r, 50);
  int four = makeInt(g, type, 4), low, high;
  if (isSigned) {
    low = makeBinary(g, "arith.shrsi", makeBinary(g, "arith.shli", packed, four), four);
    high = makeBinary(g, "arith.shrsi", packed, four);
  } else {
    low = makeBinary(g, "arith.andi", packed, makeInt(g, type, 15));
    high = makeBinary(g, "arith.shrui", packed, four);
  }
  int halves[2] = {makeRule(g, "arith.sitofp", wide, 1, &low),
                   makeRule(g, "arith.sitofp", wide, 1, &high)};
  Type three = {.element = e, .pointee = I1, .rank = 3, .shape = {p->step / 2, p->n, 2}};
  int value = addResult(g, appendOp(g, OP_JOIN, 2, halves), three, true);
  Op *op = appendOp(g, OP_TRANS, 1, &value);
  op->order[0] = 0;
  op->order[1] = 2;
  op->order[2] = 1;
  three.shape[1] = 2;
  three.shape[2] = p->n;
  value = addResult(g, op, three, true);
  return addResult(g, appendOp(g, OP_RESHAPE, 1, &value), tileOf(e, p->step, p->n), true);
}

/// Half-bytes of words, of which eight rows have one.
static int unpackWords(Generator *g, const Product *p, Corner c, int at) {
  Type type = tileOf(I32, p->step, p->n);
  Place place = placeTile(g, &p->b, number(g, 0), p->step, c.column, p->n);
  int rows = makeLine(g, at, p->step), eight = makeInt(g, *typeOf(g, rows), 8);
  place.rows = makeBinary(g, "arith.divsi", rows, eight);
  place.rowEnd = -1;
  int words = loadPlace(g, &p->b.plane, &place, p->step, p->n, I32);
  int shifts = makeBinary(g, "arith.remsi", rows, eight);
  shifts = makeScaled(g, shifts, 4);
  words = makeBinary(g, "arith.shrui", words, spreadLine(g, shifts, type, 0));
  words = makeBinary(g, "arith.andi", words, makeInt(g, type, 15));
  return makeRule(g, "arith.sitofp", withElement(type, p->element), 1, &words);
}

static int unpacked(Generator *g, const Product *p, Corner c, int at) {
  Element e = p->element;
  int value;
  if (p->b.plane.element == I32) {
    value = unpackWords(g, p, c, at);
  } else {
    int half = makeBinary(g, "arith.divsi", at, number(g, 2));
    value = loadTile(g, &p->b, half, p->step / 2, c.column, p->n, I8);
    value = unpackBytes(g, p, value, e);
  }
  Type type = *typeOf(g, value);
  if (isLucky(&g->r, 60)) value = makeBinary(g, "arith.subf", value, makeFloat(g, type, 8));
  int row = makeBinary(g, "arith.divsi", at, number(g, p->group));
  Matrix2 line = p->scales;
  line.isBoxed = false;
  int scale = loadTile(g, &line, row, 1, c.column, p->n, e);
  scale = addResult(g, appendOp(g, OP_BROADCAST, 1, &scale), type, isExact(g, scale));
  return makeBinary(g, "arith.mulf", value, scale);
}

static int computed(Generator *g, const Product *p, Corner c, int at) {
  int value = leftOf(g, p, c, at), how = pickBelow(&g->r, 4);
  Type type = *typeOf(g, value);
  if (how == 0) return makeBinary(g, "arith.maximumf", value, makeFloat(g, type, 0));
  if (how == 1) {
    int other = factor(g, p, &p->c, c.row, p->m, at, p->step);
    return makeBinary(g, isLucky(&g->r, 50) ? "arith.mulf" : "arith.addf", value, other);
  }
  int line = makeLine(g, at, p->step);
  if (how == 2) {
    int odd = makeBinary(g, "arith.andi", line, makeInt(g, *typeOf(g, line), 1));
    int mask = makeCompare(g, "arith.cmpi", 1, odd, makeInt(g, *typeOf(g, line), 0));
    mask = spreadLine(g, mask, type, 1);
    return makeRule(g, "arith.select", type, 3, (const int[]){mask, value, makeFloat(g, type, 0)});
  }
  int array = addArray(g, ROLE_INPUT, p->element, p->depth);
  g->k->parameters[g->k->numParameters - 1].fill = FILL_TAME;
  int scale = loadLine(g, array, at, p->step, p->depth);
  return makeBinary(g, "arith.mulf", value, spreadLine(g, scale, type, 1));
}

//===- steps --------------------------------------------------------------===//

static int narrowed(Generator *g, int value, Element e) {
  Type type = *typeOf(g, value);
  return e == type.element ? value : makeRule(g, "arith.truncf", withElement(type, e), 1, &value);
}

static int softened(Generator *g, int scores) {
  Type type = *typeOf(g, scores);
  scores = makeBinary(g, "arith.mulf", scores, makeFloat(g, type, 0.0625));
  return makeBinary(g, "arith.maximumf", scores, makeFloat(g, type, 0));
}

static int scaledDot(Generator *g, const Product *p, Corner c, int at, int before) {
  int a = leftOf(g, p, c, at), b = rightOf(g, p, c, at);
  int zero = makeConstant(g, tileOf(sumOf(p->element), p->m, p->n), 0);
  int product = makeDot(g, a, b, zero);
  if (typeOf(g, product)->element == I32)
    product = makeRule(g, "arith.sitofp", p->sums[0], 1, &product);
  int column = makeBinary(g, "arith.divsi", at, number(g, p->step));
  Matrix2 line = p->scales;
  line.isBoxed = false;
  Element e = p->sums[0].element;
  int scale = makeConversion(g, loadTile(g, &line, c.row, p->m, column, 1, F32), e);
  scale = addResult(g, appendOp(g, OP_BROADCAST, 1, &scale), p->sums[0], isExact(g, scale));
  return makeBinary(g, "arith.addf", before, makeBinary(g, "arith.mulf", product, scale));
}

static int skippedDot(Generator *g, const Product *p, Corner c, int at, int before) {
  int step = makeBinary(g, "arith.divsi", at, number(g, p->step));
  int flag = loadScalar(g, movePointer(g, p->table, step), I32);
  int condition = makeCompare(g, "arith.cmpi", 1, flag, number(g, 0)), outside = g->block;
  bool loadsInside = isLucky(&g->r, 60);
  int a = loadsInside ? -1 : leftOf(g, p, c, at), b = loadsInside ? -1 : rightOf(g, p, c, at);
  int there = g->block = addBlock(g), behind = addBlock(g);
  if (loadsInside) {
    a = leftOf(g, p, c, at);
    b = rightOf(g, p, c, at);
  }
  int sum = makeDot(g, a, b, before);
  Block *yes = &g->k->blocks[there], *no = &g->k->blocks[behind];
  yes->yields[yes->numYields++] = sum;
  no->yields[no->numYields++] = before;
  g->block = outside;
  Op *op = appendOp(g, OP_IF, 1, &condition);
  op->regions[0] = there;
  op->regions[1] = behind;
  return addResult(g, op, p->sums[0], isInt(p->sums[0].element));
}

/// A number of each row of `tile`, in f32.
static int watched(Generator *g, int tile, const char *combiner) {
  Type wide = withElement(*typeOf(g, tile), F32);
  Element from = typeOf(g, tile)->element;
  if (isInt(from))
    tile = makeRule(g, "arith.sitofp", wide, 1, &tile);
  else if (from != F32)
    tile = makeRule(g, from == F64 ? "arith.truncf" : "arith.extf", wide, 1, &tile);
  return makeReduced(g, combiner, tile, 1);
}

static void chainedStep(Generator *g, const Product *p, Corner c, int at, const int *before,
                        int *after) {
  int zero = makeConstant(g, tileOf(sumOf(p->element), p->m, p->step), 0);
  int fixed = factor(g, p, &p->a, c.row, p->m, number(g, 0), p->inner);
  int moving = factor(g, p, &p->c, at, p->step, number(g, 0), p->inner);
  int weights = softened(g, makeDot(g, fixed, makeTurned(g, moving), zero));
  int b = rightOf(g, p, c, at), narrow = narrowed(g, weights, p->element);
  after[0] = makeDot(g, narrow, b, before[0]);
  if (p->kind == STEP_CHAINED) return;
  int d = factor(g, p, &p->d, c.row, p->m, c.column, p->n);
  int slopes = makeDot(g, d, makeTurned(g, b), zero);
  slopes = makeBinary(g, "arith.mulf", slopes, makeFloat(g, *typeOf(g, slopes), 0.0625));
  slopes = narrowed(g, makeBinary(g, "arith.mulf", slopes, weights), p->element);
  after[1] = makeDot(g, slopes, moving, before[1]);
  if (isLucky(&g->r, 50)) return;
  Type type = tileOf(sumOf(p->element), p->step, p->inner);
  int sum = makeDot(g, makeTurned(g, slopes), fixed, makeConstant(g, type, 0));
  Matrix2 shape = {.rows = p->depth, .columns = p->inner};
  shape.plane = planPlane(g, ROLE_ATOMIC, type.element, p->depth, p->inner);
  addTile(g, &shape.plane, &shape, at, number(g, 0), sum);
}

//===- rank 3 -------------------------------------------------------------===//

/// Pointers to a tile of a dense array of rank 3, from `starts` on, and a mask or -1.
static int makePlaces3(Generator *g, Role role, Type type, const int *extents, const int *starts,
                       int *mask) {
  int64_t strides[3] = {(int64_t)extents[1] * extents[2], extents[2], 1};
  int array = addArray(g, role, type.element, strides[0] * extents[0]), sum = -1;
  if (g->k->parameters[g->k->numParameters - 1].fill == FILL_WILD)
    g->k->parameters[g->k->numParameters - 1].fill = FILL_TAME;
  *mask = -1;
  for (int d = 0; d < 3; ++d) {
    Type numbers = withElement(type, I32);
    int index = makeIndices(g, type, d);
    if (starts[d] >= 0)
      index = makeBinary(g, "arith.addi", makeSplat(g, starts[d], numbers), index);
    if (extents[d] % type.shape[d]) {
      int inside =
          makeCompare(g, "arith.cmpi", 2, index, makeSplat(g, passed(g, extents[d]), numbers));
      *mask = *mask < 0 ? inside : makeBinary(g, "arith.andi", *mask, inside);
    }
    sum = addTerms(g, sum, makeScaled(g, index, strides[d]));
  }
  return movePointer(g, makeSplat(g, array, pointersTo(type)), sum);
}

static int batchedDot(Generator *g, const Product *p, Corner c, int at, int before) {
  Element e = p->element;
  Type types[2] = {{.element = e, .pointee = I1, .rank = 3, .shape = {p->batch, p->m, p->step}},
                   {.element = e, .pointee = I1, .rank = 3, .shape = {p->batch, p->step, p->n}}};
  int extents[2][3] = {{p->batch, p->rows, p->depth}, {p->batch, p->depth, p->columns}};
  int starts[2][3] = {{-1, c.row, at}, {-1, at, c.column}}, loaded[2];
  for (int i = 0; i < 2; ++i) {
    int mask, pointers = makePlaces3(g, ROLE_INPUT, types[i], extents[i], starts[i], &mask);
    Op *op = appendOp(g, OP_LOAD, 3, (const int[]){pointers, mask, -1});
    loaded[i] = addResult(g, op, types[i], true);
  }
  return makeDot(g, loaded[0], loaded[1], before);
}

//===- all ----------------------------------------------------------------===//

void makeStep(Generator *g, const Product *p, Corner c, int at, const int *before, int *after) {
  switch (p->kind) {
  case STEP_SCALED:
    after[0] = scaledDot(g, p, c, at, before[0]);
    return;
  case STEP_SKIPPED:
    after[0] = skippedDot(g, p, c, at, before[0]);
    return;
  case STEP_CHAINED:
  case STEP_BACKWARD:
    chainedStep(g, p, c, at, before, after);
    return;
  case STEP_BATCHED:
    after[0] = batchedDot(g, p, c, at, before[0]);
    return;
  default:
    break;
  }
  int a = p->kind == STEP_GATHERED   ? gathered(g, p, c, at)
          : p->kind == STEP_COMPUTED ? computed(g, p, c, at)
                                     : leftOf(g, p, c, at);
  int b = p->kind == STEP_PACKED ? unpacked(g, p, c, at) : rightOf(g, p, c, at);
  after[0] = makeDot(g, a, b, before[0]);
  if (p->kind == STEP_SHARED) {
    int other = factor(g, p, &p->c, at, p->step, c.column, p->n);
    after[1] = makeDot(g, a, other, before[1]);
  }
  if (p->kind != STEP_WATCHED) return;
  after[1] = makeBinary(g, "arith.addf", before[1], watched(g, a, "arith.addf"));
  after[2] = makeBinary(g, "arith.maximumf", before[2], watched(g, a, "arith.maximumf"));
}

//===- results ------------------------------------------------------------===//

/// A number for each row of the tile: tiles of one row of tiles have a part of the array each.
static void storeLine(Generator *g, const Product *p, Corner c, int value) {
  Type type = *typeOf(g, value);
  int across = (p->columns + p->n - 1) / p->n, parts = p->isSplit ? g->k->grid[2] : 1;
  int part = makeBinary(g, "arith.divsi", c.column, number(g, p->n));
  if (p->isSplit)
    part = makeBinary(g, "arith.addi", part, makeScaled(g, makeProgramId(g, 2), across));
  int array = addArray(g, ROLE_OUTPUT, type.element, (int64_t)p->rows * across * parts);
  int line = makeLine(g, c.row, p->m);
  int end = makeSplat(g, passed(g, p->rows), *typeOf(g, line));
  int mask = makeCompare(g, "arith.cmpi", 2, line, end);
  int begin = makeScaled(g, part, p->rows);
  int pointers = movePointer(g, makeSplat(g, movePointer(g, array, begin), pointersTo(type)), line);
  appendOp(g, OP_STORE, 3, (const int[]){pointers, value, mask});
}

static int finishValue(Generator *g, const Product *p, Corner c, int value) {
  Type type = *typeOf(g, value);
  if (isInt(type.element)) return value;
  if (isLucky(&g->r, 25)) {
    int array = addArray(g, ROLE_INPUT, F16, p->columns);
    g->k->parameters[g->k->numParameters - 1].fill = FILL_TAME;
    int bias = makeConversion(g, loadLine(g, array, c.column, p->n, p->columns), type.element);
    value = makeBinary(g, "arith.addf", value, spreadLine(g, bias, type, 1));
  }
  if (isLucky(&g->r, 20)) value = makeBinary(g, "arith.mulf", value, makeFloat(g, type, 0.5));
  if (isLucky(&g->r, 20)) value = makeBinary(g, "arith.maximumf", value, makeFloat(g, type, 0));
  return value;
}

static void finishBatched(Generator *g, const Product *p, Corner c, int value) {
  int mask, extents[3] = {p->batch, p->rows, p->columns}, starts[3] = {-1, c.row, c.column};
  int pointers = makePlaces3(g, ROLE_OUTPUT, *typeOf(g, value), extents, starts, &mask);
  g->k->parameters[g->k->numParameters - 1].fill = FILL_PATTERN;
  appendOp(g, OP_STORE, 3, (const int[]){pointers, value, mask});
}

void finishTile(Generator *g, const Product *p, Corner c, const int *sums) {
  if (p->kind == STEP_BATCHED) {
    finishBatched(g, p, c, sums[0]);
    return;
  }
  int value = finishValue(g, p, c, sums[0]);
  if (p->kind == STEP_SHARED) {
    int factor_ = isInt(typeOf(g, value)->element) ? sums[1] : finishValue(g, p, c, sums[1]);
    bool isInt_ = isInt(typeOf(g, value)->element);
    value = makeBinary(g, isInt_ ? "arith.addi" : "arith.mulf", value, factor_);
  }
  for (int i = 1; p->kind == STEP_WATCHED && i < 3; ++i) storeLine(g, p, c, sums[i]);
  if (p->kind == STEP_BACKWARD && !p->isSplit) {
    Matrix2 second = planMatrix2(g, ROLE_OUTPUT, F32, p->rows, p->inner);
    storeTile(g, &second, c.row, number(g, 0), sums[1]);
  }
  Type type = *typeOf(g, value);
  if (isFloat(type.element) && type.element == F32 && isLucky(&g->r, 12))
    storeLine(g, p, c, makeReduced(g, "arith.addf", value, 1));
  if (p->residual.rows && isFloat(type.element)) {
    int more = loadTile(g, &p->residual, c.row, p->m, c.column, p->n, type.element);
    value = makeBinary(g, "arith.addf", value, more);
  }
  if (p->isAtomic)
    addTile(g, &p->updated, &(Matrix2){.rows = p->rows, .columns = p->columns}, c.row, c.column,
            value);
  else
    storeTile(g, &p->result, c.row, c.column, narrowed(g, value, p->result.plane.element));
}
