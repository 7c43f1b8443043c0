//===- Boxes.c - pointers and masks as kernels have them ------------------===//
#include "RandomIndices.h"

/// A scalar, or a small constant.
static int pickFactor(Kernel *k, int like) {
  return below(&k->text, 2) ? pickNumber(k, 0, 32) : addNumber(k, like, 1 + below(&k->text, 5));
}

/// Positions first + 0 .. extent, of which `first` is a scalar, at times a multiple of another.
static int addPositions(Kernel *k, int64_t extent) {
  int row = addRow(k, extent), first = pickNumber(k, 0, 32);
  if (below(&k->text, 4) == 0) return row;
  if (k->level && below(&k->text, 2)) first = k->loops[k->level].counter;
  if (below(&k->text, 2)) first = addOp(k, "muli", first, pickFactor(k, first));
  return addOp(k, "addi", row, addSplatLike(k, first, row));
}

/// Positions below a scalar, and at times >= 0.
static int addInside(Kernel *k, int positions) {
  if (positions < 0) return -1;
  int end = addSplatLike(k, pickNumber(k, 0, 32), positions);
  int inside = addComparison(k, 2 + below(&k->text, 2), positions, end);
  if (inside < 0 || below(&k->text, 4)) return inside;
  int start = addNumber(k, positions, 0);
  return addOp(k, "andi", inside, addComparison(k, 5, positions, start));
}

static void addLoad(Kernel *k, int pointers, int mask) {
  if (k->numAccesses == MAX_ACCESSES || pointers < 0) return;
  char type[96];
  int access = k->numAccesses++;
  k->accesses[access] = (Access){pointers, mask};
  put(&k->text, "  %%x%d = tile.load %%v%d", access, pointers);
  if (mask >= 0) put(&k->text, ", %%v%d", mask);
  put(&k->text, " : %s loc(\"%d\")\n", indexType(&k->numbers[pointers], type), ACCESSES + access);
}

/// positions * stride
static int addStrided(Kernel *k, int positions) {
  if (positions < 0) return -1;
  return addOp(k, "muli", positions, addSplatLike(k, pickFactor(k, 0), positions));
}

void addBox(Kernel *k) {
  bool isMasked = below(&k->text, 3) > 0;
  int columns = addPositions(k, 8), mask = isMasked ? addInside(k, columns) : -1, offsets = columns;
  if (columns < 0) return;
  if (below(&k->text, 2)) {
    int rows = addPositions(k, 4), in = isMasked ? addInside(k, rows) : -1;
    int down = addWider(k, addStrided(k, rows)), across = addWider(k, columns);
    if (in >= 0 && mask >= 0)
      mask = addOp(k, "andi", addWider(k, mask), addWider(k, in));
    else
      mask = addWider(k, mask >= 0 ? mask : in);
    offsets = addOp(k, "addi", down, across);
  } else if (below(&k->text, 3) == 0) {
    offsets = addStrided(k, columns);
  }
  if (below(&k->text, 3) == 0 && offsets >= 0) {
    int batch = addOp(k, "muli", pickNumber(k, 0, 32), pickFactor(k, 0));
    offsets = addOp(k, "addi", offsets, addSplatLike(k, batch, offsets));
  }
  addLoad(k, addAddress(k, offsets), mask);
}
