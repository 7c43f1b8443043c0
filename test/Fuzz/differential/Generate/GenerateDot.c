//===- GenerateDot.c - dots, products of matrices, boxes ------------------===//
//
// A dot of any tiles; and the loop over the depth of two matrices that kernels have around their
// dots, with pointers that walk or are made anew, masks or none, and an accumulator that is
// carried, so that the pipelines of copies under dots are met.
//===----------------------------------------------------------------------===//
#include "Generate.h"

//===- dot ----------------------------------------------------------------===//

static Type matrix(Element e, int batch, int rows, int columns) {
  Type type = {.element = e, .pointee = I1, .rank = 2, .shape = {rows, columns}};
  if (!batch) return type;
  return (Type){.element = e, .pointee = I1, .rank = 3, .shape = {batch, rows, columns}};
}

void addDot(Generator *g) {
  static const int sides[] = {1, 4, 8, 16, 16, 17, 20, 32, 32, 48, 64};
  static const Element elements[] = {I8, F16, F16, BF16, F32, F32, F64, E4M3, E5M2};
  enum { NUM_SIDES = sizeof sides / sizeof *sides };
  if (g->depth > 1) return;
  Element a = elements[pickBelow(&g->r, sizeof elements / sizeof *elements)], b = a;
  Element acc = a == I8 ? I32 : a == F64 ? F64 : F32;
  if (a >= E4M3 && isLucky(&g->r, 30)) b = a == E4M3 ? E5M2 : E4M3;
  int m = sides[pickBelow(&g->r, NUM_SIDES)], n = sides[pickBelow(&g->r, NUM_SIDES)];
  int depth = sides[pickBelow(&g->r, NUM_SIDES)];
  int batch = isLucky(&g->r, 85) ? 0 : 1 + pickBelow(&g->r, 3);
  if (batch && m * n * depth > 8192) return;
  int operands[3];
  operands[0] = pickValue(g, matrix(a, batch, m, depth), false);
  operands[1] = pickValue(g, matrix(b, batch, depth, n), false);
  operands[2] = pickValue(g, matrix(acc, batch, m, n), false);
  Op *op = appendOp(g, OP_DOT, 3, operands);
  bool exact = a == I8;
  show(g, addResult(g, op, *typeOf(g, operands[2]), exact));
  if (g->numShapes < MAX_SHAPES)
    g->shapes[g->numShapes++] = withElement(*typeOf(g, operands[2]), I32);
}

//===- a product of matrices ----------------------------------------------===//

/// One of the two matrices: `rows` x `columns` of each step, steps along `axis`.
typedef struct {
  Type type;
  int axis;
  int64_t pitch, step; ///< elements between rows, and between steps
  bool isTurned;       ///< columns lie together instead of rows
  int pointers;        ///< of the first step
} Matrix;

static Matrix planMatrix(Generator *g, Type type, int axis, int turns) {
  Matrix m = {.type = type, .axis = axis, .isTurned = isLucky(&g->r, 25)};
  int64_t extents[2] = {type.shape[0], type.shape[1]};
  extents[axis] *= turns;
  m.pitch = extents[m.isTurned ? 0 : 1];
  if (isLucky(&g->r, 30)) m.pitch += 1 + pickBelow(&g->r, 16);
  bool isAlong = (axis == 0) == m.isTurned;
  m.step = type.shape[axis] * (isAlong ? 1 : m.pitch);
  int64_t length = m.pitch * extents[m.isTurned ? 1 : 0];
  int array = addArray(g, ROLE_INPUT, type.element, length);
  int lanes = -1;
  for (int d = 0; d < 2; ++d) {
    int index = makeIndices(g, type, d);
    index = makeScaled(g, index, (d == 0) == m.isTurned ? 1 : m.pitch);
    lanes = addTerms(g, lanes, index);
  }
  Type pointers = type;
  pointers.pointee = type.element;
  pointers.element = PTR;
  int bases = makeSplat(g, array, pointers);
  m.pointers = movePointer(g, bases, lanes);
  return m;
}

/// Those of step `iv` of the loop, before which `moving` has been moved, unless it is -1.
static int loadMatrix(Generator *g, const Matrix *m, int iv, int moving, int limit) {
  int pointers = moving, mask = -1, other = -1;
  Type numbers = withElement(m->type, I32);
  if (moving < 0) {
    int offset = makeScaled(g, iv, m->step);
    offset = makeSplat(g, offset, numbers);
    pointers = movePointer(g, m->pointers, offset);
  }
  if (limit >= 0) {
    int first = makeScaled(g, iv, m->type.shape[m->axis]);
    first = makeSplat(g, first, numbers);
    int index = makeIndices(g, m->type, m->axis);
    index = makeBinary(g, "arith.addi", first, index);
    int end = makeSplat(g, limit, numbers);
    mask = makeCompare(g, "arith.cmpi", 2, index, end);
    if (isLucky(&g->r, 50)) other = makeConstant(g, m->type, 0);
  }
  Op *op = appendOp(g, OP_LOAD, 3, (const int[]){pointers, mask, other});
  return addResult(g, op, m->type, true);
}

void limitStages(Generator *g, Element e, int elements) {
  const int room = 128 << 10;
  while (g->k->numStages > 1 && elements * bytesOf(e) * g->k->numStages > room) --g->k->numStages;
}

void addMatmul(Generator *g) {
  static const int sides[] = {16, 32, 32, 64, 64, 128}, depths[] = {16, 16, 32, 64};
  static const int widths[] = {16, 32, 32, 64, 64, 128, 24, 40, 72, 104}; // some with padding
  static const Element elements[] = {F16, F16, F16, BF16, BF16, F32, E4M3, I8, F64};
  if (g->depth || isFull(g)) return;
  Element e = elements[pickBelow(&g->r, sizeof elements / sizeof *elements)];
  Element accElement = e == I8 ? I32 : e == F64 ? F64 : F32;
  int m = sides[pickBelow(&g->r, 6)], n = widths[pickBelow(&g->r, 10)];
  int depth = depths[pickBelow(&g->r, 4)], turns = 1 + pickBelow(&g->r, 4);
  if (m * n > MAX_ELEMENTS * 2 || (e == F64 && m * n > 2048)) return;
  limitStages(g, e, (m + n) * depth);
  Type accType = matrix(accElement, 0, m, n);
  Matrix a = planMatrix(g, matrix(e, 0, m, depth), 1, turns);
  Matrix b = planMatrix(g, matrix(e, 0, depth, n), 0, turns);
  int limit = isLucky(&g->r, 40)
                  ? makeScalarParameter(g, I32, 1 + (uint64_t)pickBelow(&g->r, depth * turns))
                  : -1;
  bool walks = isLucky(&g->r, 50), exact = accElement == I32;
  int operands[6], outside = g->block, block = addBlock(g);
  operands[0] = makeInt(g, scalarOf(I32), 0);
  operands[1] = isLucky(&g->r, 50) ? makeInt(g, scalarOf(I32), turns)
                                   : makeScalarParameter(g, I32, (uint64_t)turns);
  operands[2] = makeInt(g, scalarOf(I32), 1);
  operands[3] = makeConstant(g, accType, 0);
  operands[4] = a.pointers;
  operands[5] = b.pointers;
  Block *body = &g->k->blocks[block];
  int iv = body->args[body->numArgs++] = addValue(g, scalarOf(I32), true);
  int acc = body->args[body->numArgs++] = addValue(g, accType, exact);
  int moving[2] = {-1, -1};
  for (int i = 0; walks && i < 2; ++i)
    moving[i] = body->args[body->numArgs++] = addValue(g, *typeOf(g, operands[4 + i]), true);
  g->block = block;
  int lhs = loadMatrix(g, &a, iv, moving[0], limit);
  int rhs = loadMatrix(g, &b, iv, moving[1], limit);
  Op *dot = appendOp(g, OP_DOT, 3, (const int[]){lhs, rhs, acc});
  body->yields[body->numYields++] = addResult(g, dot, accType, exact);
  for (int i = 0; walks && i < 2; ++i) {
    const Matrix *matrix_ = i ? &b : &a;
    int distance = makeInt(g, withElement(matrix_->type, I32), matrix_->step);
    body->yields[body->numYields++] = movePointer(g, moving[i], distance);
  }
  g->block = outside;
  Op *op = appendOp(g, OP_FOR, walks ? 6 : 4, operands);
  op->regions[0] = block;
  int product = show(g, addResult(g, op, accType, exact));
  for (int i = 0; walks && i < 2; ++i) addResult(g, op, *typeOf(g, operands[4 + i]), true);
  if (isLucky(&g->r, 50) && isFloat(accElement)) product = show(g, makeConversion(g, product, F16));
  addStore(g, product);
}

//===- boxes --------------------------------------------------------------===//

/// A box of an array that is smaller or larger, at a position that may lie outside in part.
void addBox(Generator *g) {
  if (g->depth || g->inWhile) return;
  Type type = withElement(g->shapes[pickBelow(&g->r, g->numShapes)], pickElement(g));
  if (type.element == I1) type.element = I8;
  bool stores = isLucky(&g->r, 30);
  int value = stores ? pickValue(g, type, false) : -1;
  int operands[MAX_OPERANDS], count = 1, programs = g->k->grid[0];
  int64_t extents[MAX_RANK], pitch = 1, strides[MAX_RANK];
  for (int d = type.rank; d-- > 0;) {
    // Of a store, each program along x has its own box along the first dimension.
    extents[d] = 1 + pickBelow(&g->r, 2 * type.shape[d]);
    if (stores && d == 0) extents[d] = type.shape[d] * programs;
    strides[d] = pitch;
    pitch *= extents[d];
    if (d == type.rank - 1 && isLucky(&g->r, 60)) pitch = (pitch + 15) / 16 * 16;
  }
  operands[0] = addArray(g, stores ? ROLE_OUTPUT : ROLE_INPUT, type.element, pitch);
  g->k->parameters[g->k->numParameters - 1].offset = 0;
  for (int d = 0; d < type.rank; ++d)
    operands[count++] = isLucky(&g->r, 50) ? makeInt(g, scalarOf(I32), extents[d])
                                           : makeScalarParameter(g, I32, (uint64_t)extents[d]);
  for (int d = 0; d + 1 < type.rank; ++d)
    operands[count++] = isLucky(&g->r, 50) ? makeInt(g, scalarOf(I64), strides[d])
                                           : makeScalarParameter(g, I64, (uint64_t)strides[d]);
  for (int d = 0; d < type.rank; ++d) {
    int position = makeInt(g, scalarOf(I32), isLucky(&g->r, 50) ? 0 : pickBelow(&g->r, 9) - 4);
    if (d == 0) {
      int id = makeProgramId(g, 0);
      if (!stores && isLucky(&g->r, 40)) id = makeLoadedBelow(g, I32, programs);
      id = makeScaled(g, id, type.shape[0]);
      position = stores ? id : makeBinary(g, "arith.addi", id, position);
    }
    operands[count++] = position;
  }
  bool isPadded = !stores && isFloat(type.element) && isLucky(&g->r, 30);
  if (stores) operands[count++] = value;
  // Programs along y and z would write the same.
  if (stores && g->k->grid[1] * g->k->grid[2] > 1) return;
  Op *op = appendOp(g, stores ? OP_DESC_STORE : OP_DESC_LOAD, count, operands);
  op->axis = g->k->numOps; // the descriptor's name
  op->attribute = isPadded;
  if (!stores) show(g, addResult(g, op, type, true));
}
