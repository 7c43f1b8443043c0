//===- Print.c - a kernel as .mlir text -----------------------------------===//
#include "Print.h"
#include <inttypes.h>
#include <stdlib.h>

//===- types and values ---------------------------------------------------===//

const char *const elementNames[NUM_ELEMENTS] = {"i1",   "i8",  "i16", "i32",      "i64",    "f16",
                                                "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2", ""};

const char *nameOf(const Printer *p, int64_t extent) {
  for (int i = 0; i < p->k->numNames; ++i)
    if (p->k->named[i] == extent) return p->names[i];
  return NULL;
}

bool hasNames(const Printer *p, const Type *t) {
  bool found = false;
  for (int d = 0; d < t->rank; ++d) found |= nameOf(p, t->shape[d]) != NULL;
  return found;
}

void printBoxOf(Printer *p, const Type *t) {
  for (int d = 0; d < t->rank; ++d)
    nameOf(p, t->shape[d]) ? fprintf(p->out, "?x") : fprintf(p->out, "%dx", t->shape[d]);
  if (t->element == PTR)
    fprintf(p->out, "!tile.ptr<%s>", elementNames[t->pointee]);
  else
    fprintf(p->out, "%s", elementNames[t->element]);
  if (!hasNames(p, t)) return;
  const char *before = ", #tile.dims<[";
  for (int d = 0; d < t->rank; ++d) {
    const char *name = nameOf(p, t->shape[d]);
    if (!name) continue;
    fprintf(p->out, "%s%s", before, name);
    before = ", ";
  }
  fprintf(p->out, "]>");
}

void printType(Printer *p, const Type *t) {
  if (t->rank) fprintf(p->out, "tensor<");
  printBoxOf(p, t);
  if (t->rank) fprintf(p->out, ">");
}

void printTypeOf(Printer *p, int value) { printType(p, &p->k->values[value].type); }

void printValues(Printer *p, const int *values, int count) {
  for (int i = 0; i < count; ++i) fprintf(p->out, "%s%%v%d", i ? ", " : "", values[i]);
}

void printTypes(Printer *p, const int *values, int count) {
  for (int i = 0; i < count; ++i) {
    if (i) fprintf(p->out, ", ");
    printTypeOf(p, values[i]);
  }
}

void indent(Printer *p) { fprintf(p->out, "%*s", 2 * p->depth, ""); }

//===- functions ----------------------------------------------------------===//

/// The helper's own names for the extents in its signature; others are its caller's.
static void nameExtents(Printer *p, const int *values, int count) {
  static const char *const own[MAX_NAMES] = {"N", "M"};
  for (int i = 0; i < count && p->k->namesHelpers; ++i) {
    const Type *t = &p->k->values[values[i]].type;
    for (int d = 0; d < t->rank; ++d)
      for (int n = 0; n < p->k->numNames; ++n)
        if (p->k->named[n] == t->shape[d]) p->names[n] = own[n];
  }
}

static void printArgs(Printer *p, const int *values, int count, const char *before) {
  for (int i = 0; i < count; ++i) {
    fprintf(p->out, "%s%%v%d: ", i ? ", " : before, values[i]);
    printTypeOf(p, values[i]);
  }
}

static void printHelper(const Printer *outside, int block) {
  const Block *b = &outside->k->blocks[block];
  int captures[MAX_VALUES], count = findCaptures(outside->k, block, captures);
  Printer p = *outside;
  p.depth = 0;
  nameExtents(&p, b->args, b->numArgs);
  nameExtents(&p, captures, count);
  nameExtents(&p, b->yields, b->numYields);
  fprintf(p.out, "tile.func private @helper%d(", block);
  printArgs(&p, b->args, b->numArgs, "");
  printArgs(&p, captures, count, ", ");
  fprintf(p.out, ") -> (");
  printTypes(&p, b->yields, b->numYields);
  fprintf(p.out, ") {\n");
  printRegion(&p, block, "tile.return");
  fprintf(p.out, "}\n");
}

/// The helpers that the block calls, each once.
static void printHelpers(const Printer *p, int block, bool *isPrinted) {
  const Block *b = &p->k->blocks[block];
  for (int i = 0; i < b->numOps; ++i) {
    const Op *op = &p->k->ops[b->ops[i]];
    for (int r = 0; r < 2; ++r)
      if (op->regions[r] >= 0) printHelpers(p, op->regions[r], isPrinted);
    if (op->kind != OP_CALL || isPrinted[op->regions[0]]) continue;
    isPrinted[op->regions[0]] = true;
    printHelper(p, op->regions[0]);
  }
}

//===- the file -----------------------------------------------------------===//

static const char *const metaNames[MAX_NAMES] = {"A", "B"};

static void printHow(Printer *p) {
  const Kernel *k = p->k;
  fprintf(p->out, "// seed %" PRIu64 ": %d warps, %d stages%s\n", k->seed, k->numWarps,
          k->numStages, k->isOld ? ", sm_80" : "");
  if (k->numSplits || k->numCtas || k->numParts || k->numLastSplits)
    fprintf(p->out, "//   num_splits %d, num_ctas %d, num_parts %d, num_last_splits %d\n",
            k->numSplits, k->numCtas, k->numParts, k->numLastSplits);
  for (int i = 0; i < k->numNames && k->isNamed; ++i)
    fprintf(p->out, "//   %s = %d\n", metaNames[i], k->named[i]);
  for (int i = 0; i < k->numParameters; ++i) {
    const Parameter *a = &k->parameters[i];
    static const char *const roles[] = {"input", "output", "atomic", "in place"};
    static const char *const fills[] = {"tame", "small ints", "wild", "pattern", "below", "starts"};
    if (a->role == ROLE_SCALAR)
      fprintf(p->out, "//   %%v%d = 0x%" PRIx64 "\n", a->value, a->literal);
    else
      fprintf(p->out, "//   %%v%d: %s of %" PRId64 " %s, %s\n", a->value, roles[a->role], a->length,
              elementNames[a->element], fills[a->fill]);
  }
}

static void printGrid(Printer *p) {
  const Kernel *k = p->k;
  fprintf(p->out, "  tile.grid() {\n");
  for (int d = 0; d < k->numGrid; ++d)
    fprintf(p->out, "    %%g%d = arith.constant %d : i32\n", d, k->grid[d]);
  fprintf(p->out, "    tile.yield ");
  for (int d = 0; d < k->numGrid; ++d) fprintf(p->out, "%s%%g%d", d ? ", " : "", d);
  fprintf(p->out, " : ");
  for (int d = 0; d < k->numGrid; ++d) fprintf(p->out, "%si32", d ? ", " : "");
  fprintf(p->out, "\n  }\n");
}

/// ` meta {A = 32}`; the default is another number where the launch binds them.
static void printMetas(Printer *p) {
  const Kernel *k = p->k;
  if (!k->isNamed || !k->numNames) return;
  fprintf(p->out, " meta {");
  for (int i = 0; i < k->numNames; ++i)
    fprintf(p->out, "%s%s = %d", i ? ", " : "", metaNames[i], k->named[i] + k->isBound);
  fprintf(p->out, "}");
}

char *printKernel(const Kernel *k) {
  char *text = NULL;
  size_t size = 0;
  Printer p = {.k = k, .out = open_memstream(&text, &size), .depth = 1};
  if (!p.out) abort();
  printHow(&p);
  for (int i = 0; i < k->numNames && k->isNamed; ++i) p.names[i] = metaNames[i];
  bool isPrinted[MAX_BLOCKS] = {false};
  printHelpers(&p, k->body, isPrinted);
  fprintf(p.out, "tile.func @fuzz(");
  for (int i = 0; i < k->numParameters; ++i) {
    fprintf(p.out, "%s%%v%d: ", i ? ", " : "", k->parameters[i].value);
    printTypeOf(&p, k->parameters[i].value);
  }
  fprintf(p.out, ")");
  printMetas(&p);
  fprintf(p.out, " {\n");
  printGrid(&p);
  printBlock(&p, k->body);
  fprintf(p.out, "  tile.return\n}\n");
  fclose(p.out);
  return text;
}
