//===- GenerateIndices.c - arguments, the grid, and a kernel's ops --------===//
#include "RandomIndices.h"
#include <stdlib.h>
#include <string.h>

/// Integers of any sign, promised to be >= 0 or above it, or multiples of 4; and two pointers.
static void addArguments(Kernel *k) {
  static const char *const kinds[] = {"i32",
                                      "i32",
                                      "i32 {tile.positive}",
                                      "i32 {tile.divisibility = 4 : i32}",
                                      "i32 {tile.divisibility = 4 : i32, tile.positive}",
                                      "i64",
                                      "!tile.ptr<i32>"};
  Program *p = &k->text;
  for (int i = 0; i < ARGUMENTS; ++i) {
    int kind = i >= ARGUMENTS - 2 ? 6 : i == 0 ? 2 : i == 1 ? 4 : below(p, 6);
    Number *n = freshNumber(k, 0, NULL, kind == 6 ? 0 : kind == 5 ? 64 : 32);
    k->nonNegative[i] = kind < 6 && kind != 1 && kind != 5;
    put(p, "%s%%v%d: %s", i ? ", " : "tile.func @f(", i, kinds[kind]);
    for (int launch = 0; launch < LAUNCHES; ++launch) {
      int64_t v = below(p, 2) ? below(p, 3) : below(p, 12);
      if (kind == 3 || kind == 4) v *= 4;
      if (!k->nonNegative[i] && below(p, 2)) v = -v;
      if ((kind == 2 || kind == 4) && v == 0) v = kind == 4 ? 4 : 1;
      n->values[launch] = kind == 6 ? 4096 * (1 + below(p, 1000)) : v;
    }
    ++k->count;
  }
  put(p, ") {\n");
}

/// The count along an axis: an argument above 0, a product of two, or one rounded up.
static int addCount(Kernel *k) {
  int n = below(&k->text, 2), kind = below(&k->text, 3);
  if (kind == 0) return n;
  int by = kind == 1 ? 1 - n : addNumber(k, n, 2 + below(&k->text, 3));
  return addOp(k, kind == 1 ? "muli" : "ceildivsi", n, by);
}

static void addPrograms(Kernel *k) {
  Program *p = &k->text;
  int counts[2] = {-1, -1}, axes = below(p, 4) ? 1 + below(p, 2) : 0, first = k->count;
  if (axes) put(p, "  tile.grid(%%v0 : i32, %%v1 : i32) {\n");
  for (int i = 0; i < axes; ++i) counts[i] = addCount(k);
  if (axes == 1) put(p, "  tile.yield %%v%d : i32\n  }\n", counts[0]);
  if (axes == 2) put(p, "  tile.yield %%v%d, %%v%d : i32, i32\n  }\n", counts[0], counts[1]);
  for (int id = first; id < k->count; ++id) k->numbers[id].isHidden = true;
  k->program = k->count;
  for (int i = 0; i < 2; ++i) {
    Number *n = freshNumber(k, 0, NULL, 32);
    for (int launch = 0; launch < LAUNCHES; ++launch) {
      int64_t count = counts[i] >= 0 ? k->numbers[counts[i]].values[launch] : axes ? 1 : 12;
      n->values[launch] = below(p, 3) ? below(p, (int)count) : count - 1;
    }
    put(p, "  %%v%d = tile.program_id %c loc(\"%d\")\n", k->count, "xy"[i], k->count);
    ++k->count;
  }
}

/// An op of two numbers, or of one and a constant.
static void addBinaryOp(Kernel *k) {
  static const char *const often[] = {"addi",  "subi",  "muli",  "addi",       "subi",     "divsi",
                                      "remsi", "minsi", "maxsi", "floordivsi", "ceildivsi"};
  static const int constants[] = {1, 2, 3, 4, 8, -1, 5, 0};
  Program *p = &k->text;
  const char *op = below(p, 8) ? often[below(p, 11)] : binaries[below(p, NUM_BINARIES)];
  int x = pickNumber(k, below(p, 3) ? 0 : -1, -1), y = x < 0 ? -1 : pickLike(k, x);
  if (y < 0 || k->numbers[x].width < 8) return;
  if (below(p, 2)) y = addNumber(k, x, constants[below(p, 8)]);
  addOp(k, op, x, y);
}

/// What a constant divides but for another one, or the program's number, by what divides its count.
static void addDivided(Kernel *k) {
  Program *p = &k->text;
  int x = pickNumber(k, 0, 32), id = k->program + below(p, 2);
  if (x < 0) return;
  if (below(p, 2)) {
    int by = addNumber(k, x, below(p, 2) ? 2 : 4), whole = addOp(k, "muli", x, by);
    int n = addOp(k, "addi", whole, addNumber(k, x, below(p, 6) - 1));
    addOp(k, below(p, 3) ? "divsi" : "ceildivsi", n, by);
    return;
  }
  if (below(p, 3) == 0) id = addOp(k, "muli", id, below(p, 2) ? id : addNumber(k, id, 2));
  if (below(p, 3) == 0) id = addOp(k, "addi", id, addNumber(k, k->program, 1));
  int by = below(p, 3) ? below(p, 2) : pickNumber(k, 0, 32);
  addOp(k, "divsi", id, by);
}

/// x / y * y + x % y, or the last group of a grouped order.
static void addQuotients(Kernel *k) {
  int x = pickNumber(k, 0, 32), y = pickNumber(k, 0, 32), z = pickNumber(k, 0, 32);
  if (x < 0 || y < 0 || z < 0 || below(&k->text, 2)) {
    addDivided(k);
    return;
  }
  if (below(&k->text, 2)) {
    int whole = addOp(k, "muli", addOp(k, "divsi", x, y), y);
    int rest = whole < 0 ? -1 : addOp(k, "remsi", x, y);
    addOp(k, "addi", whole, rest);
    return;
  }
  if (below(&k->text, 2)) y = addNumber(k, x, 1 + below(&k->text, 4));
  int group = addOp(k, "divsi", x, addOp(k, "muli", y, z));
  int left = addOp(k, "subi", pickNumber(k, 0, 32), addOp(k, "muli", group, y));
  addOp(k, "remsi", x, addOp(k, "minsi", left, y));
}

/// A tile of a scalar that is beside another one.
static void addSplatted(Kernel *k) {
  int like = pickNumber(k, below(&k->text, 2) ? 1 : 2, -1);
  addSplatLike(k, pickNumber(k, 0, -1), like);
}

static void addMask(Kernel *k) {
  int x = pickNumber(k, -1, below(&k->text, 4) ? 32 : 64);
  addComparison(k, -1, x, x < 0 ? -1 : pickLike(k, x));
}

void addAny(Kernel *k) {
  static const int64_t extents[] = {4, 8, 1, 2};
  Program *p = &k->text;
  switch (below(p, 18)) {
  case 0:
    addConversion(k);
    break;
  case 1:
    addSelection(k);
    break;
  case 2:
    addRow(k, extents[below(p, 4)]);
    break;
  case 3:
  case 10:
    addQuotients(k);
    break;
  case 4:
  case 5:
    addSplatted(k);
    break;
  case 6:
    addWider(k, pickNumber(k, 1, -1));
    break;
  case 7:
    addAddress(k, pickNumber(k, -1, below(p, 2) ? 32 : 64));
    break;
  case 8:
    addMask(k);
    break;
  case 9:
    addBox(k);
    break;
  default:
    addBinaryOp(k);
  }
}

void generateIndices(Kernel *k, uint64_t seed) {
  Program *p = &k->text;
  p->random = seed;
  p->length = 0;
  k->count = k->level = k->numAccesses = 0;
  memset(k->points, 0, sizeof k->points);
  k->points[0] = LAUNCHES;
  addArguments(k);
  addPrograms(k);
  addRow(k, 8);
  for (int n = 0; n < 26 && k->count + 44 < MAX_NUMBERS; ++n) addAny(k);
  for (int depth = below(p, LEVELS); depth > 0; --depth) {
    for (int tries = 0; tries < 8 && !openLoop(k); ++tries) {
    }
    for (int n = 0; n < 16 && k->count + 44 < MAX_NUMBERS; ++n) addAny(k);
  }
  while (k->level > 0) closeLoop(k);
  put(p, "  tile.return\n}\n");
}

void forgetIndices(Kernel *k) {
  for (int id = 0; id < k->count; ++id) free(k->numbers[id].values);
}
