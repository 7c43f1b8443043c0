//===- Generate.c - kernels out of arguments and random ops ---------------===//
#include "RandomKernel.h"

/// Arguments: anything, a multiple of 16, one promised to be small, one promised to be a multiple
/// of 8, and two pointers; then the program's position.
static void addArguments(Program *p) {
  put(p, "tile.func @f(%%v0: i32, %%v1: i32 {tile.divisibility = 16 : i32}, %%v2: i32, %%v3: i64, "
         "%%v4: !tile.ptr<i32>, %%v5: !tile.ptr<i16> {tile.divisibility = 64 : i32}) {\n");
  const int widths[] = {32, 32, 32, 64, 0, 0, 32};
  for (int i = 0; i < 7; ++i) {
    Node *n = fresh(p, NULL, widths[i]);
    n->unit = i == 4 ? 4 : i == 5 ? 2 : 0;
    for (int t = 0; t < TRIALS; ++t) {
      int64_t v = interesting(p, n->width ? n->width : 64);
      if (i == 1) v = narrow(v & ~INT64_C(15), 32);
      if (i == 2) v = below(p, 300);
      if (i == 3) v &= ~INT64_C(7);
      if (i == 4) v &= ~INT64_C(3);
      if (i == 5) v &= ~INT64_C(63);
      if (i == 6) v = below(p, 2) ? below(p, 100) : INT32_MAX - 1 - below(p, 3);
      n->values[t][0] = v;
    }
    p->count++;
  }
  put(p, "  %%v6 = tile.program_id x loc(\"6\")\n  %%zero = arith.constant 0 : i32\n"
         "  %%zero64 = arith.constant 0 : i64\n  %%eight = arith.constant 8 : i64\n"
         "  %%limit = arith.constant 300 : i32\n"
         "  %%low = arith.cmpi sge, %%v2, %%zero : i32\n"
         "  %%high = arith.cmpi slt, %%v2, %%limit : i32\n"
         "  %%both = arith.andi %%low, %%high : i1\n  tile.assume %%both\n"
         "  %%rest = arith.remsi %%v3, %%eight : i64\n"
         "  %%even = arith.cmpi eq, %%rest, %%zero64 : i64\n  tile.assume %%even\n");
}

/// Tries one op; its location names the node of its first result.
static void add(Program *p, bool (*kind)(Program *)) {
  int id = p->count;
  if (!kind(p)) return;
  if (kind == addPicture) ++id; // its constant has its own
  p->length--;                  // the end of the line
  put(p, " loc(\"%d\")\n", id);
}

void generate(Program *p) {
  bool (*const kinds[])(Program *) = {
      addPicture,  addPicture,    addPicture,   addPicture,  addAlignedRun, addAlignedRun,
      addConstant, addBinary,     addBinary,    addBinary,   addBinary,     addCompare,
      addSelect,   addCast,       addCast,      addSplat,    addSplat,      addSplat,
      addArange,   addExpandDims, addBroadcast, addReshape,  addTrans,      addJoin,
      addSplit,    addCat,        addPointers,  addPointers, addLoop,       addIf,
  };
  p->count = 0;
  p->length = 0;
  addArguments(p);
  add(p, addArange);
  add(p, addArange);
  int last = p->count + OPS;
  for (int tries = 0; p->count < last && p->count < MAX_NODES - 2 && tries < 4000; ++tries)
    add(p, kinds[below(p, sizeof kinds / sizeof *kinds)]);
  put(p, "  tile.return\n}\n");
}
