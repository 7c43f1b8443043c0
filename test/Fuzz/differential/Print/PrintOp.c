//===- PrintOp.c - ops as .mlir text --------------------------------------===//
#include "../Floats.h"
#include "Print.h"
#include <inttypes.h>

#define SPELLING(kind, spelling, printer, runner) [OP_##kind] = (spelling),
static const char *const spellings[] = {OP_KINDS(SPELLING)};
#undef SPELLING

/// `%v3, %v4 = `
static void printResults(Printer *p, const Op *op) {
  indent(p);
  printValues(p, op->results, op->numResults);
  if (op->numResults) fprintf(p->out, " = ");
}

static void printNumber(Printer *p, Element e, uint64_t bits) {
  if (e == I1)
    fprintf(p->out, bits ? "true" : "false");
  else if (isInt(e))
    fprintf(p->out, "%" PRId64, signedOf(e, bits));
  else
    fprintf(p->out, "0x%0*" PRIX64, bitsOf(e) / 4, bits);
}

/// `[[1, 2], [3, 4]]`
static void printElements(Printer *p, const Op *op, const Type *t, int dim, int *next) {
  int extent = dim < MAX_RANK ? t->shape[dim] : 0;
  fprintf(p->out, "[");
  for (int i = 0; i < extent; ++i) {
    if (i) fprintf(p->out, ", ");
    if (dim + 1 < t->rank) {
      printElements(p, op, t, dim + 1, next);
      continue;
    }
    uint64_t bits = op->literal + (uint64_t)(*next)++ * (uint64_t)op->attribute;
    printNumber(p, t->element, cutTo(t->element, bits));
  }
  fprintf(p->out, "]");
}

/// Every second number that a meta-parameter stands for is written as that.
static bool isMeta(const Printer *p, const Op *op) {
  const Type *t = &p->k->values[op->results[0]].type;
  bool isOdd = ((uint64_t)(op - p->k->ops) + p->k->seed) % 2;
  return isOdd && t->element == I32 && nameOf(p, (int64_t)op->literal);
}

/// A tile of named extents has no constants: the number, and a splat of it.
static void printNamedConstant(Printer *p, const Op *op) {
  const Type *t = &p->k->values[op->results[0]].type;
  Element e = t->element;
  fprintf(p->out, "%%n%d = ", op->results[0]);
  if (isMeta(p, op)) {
    fprintf(p->out, "tile.meta %s : i32\n", nameOf(p, (int64_t)op->literal));
  } else {
    fprintf(p->out, "arith.constant ");
    printNumber(p, e, op->literal);
    if (e != I1) fprintf(p->out, " : %s", elementNames[e]);
    fprintf(p->out, "\n");
  }
  indent(p);
  fprintf(p->out, "%%v%d = tile.splat %%n%d : %s -> ", op->results[0], op->results[0],
          elementNames[e]);
  printType(p, t);
  fprintf(p->out, "\n");
}

static void printConstant(Printer *p, const Op *op) {
  const Type *t = &p->k->values[op->results[0]].type;
  int next = 0;
  if (!t->rank && isMeta(p, op)) {
    fprintf(p->out, "tile.meta %s : i32", nameOf(p, (int64_t)op->literal));
    return;
  }
  fprintf(p->out, "arith.constant %s", t->rank ? "dense<" : "");
  if (op->attribute && t->rank)
    printElements(p, op, t, 0, &next);
  else
    printNumber(p, t->element, op->literal);
  fprintf(p->out, t->rank ? "> : " : t->element == I1 ? "" : " : ");
  if (t->rank || t->element != I1) printType(p, t);
}

static const char *const intPredicates[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                            "sge", "ult", "ule", "ugt", "uge"};
static const char *const floatPredicates[] = {"false", "oeq", "ogt", "oge", "olt", "ole",
                                              "one",   "ord", "ueq", "ugt", "uge", "ult",
                                              "ule",   "une", "uno", "true"};

static bool changesType(Signature s) {
  return s == SIG_INT_UP || s == SIG_INT_DOWN || s == SIG_FLOAT_UP || s == SIG_FLOAT_DOWN ||
         s == SIG_TO_FLOAT || s == SIG_TO_INT || s == SIG_BITCAST;
}

static void printRule(Printer *p, const Op *op) {
  const Rule *rule = &rules[op->rule];
  fprintf(p->out, "%s ", rule->name);
  if (rule->signature == SIG_CMPI) fprintf(p->out, "%s, ", intPredicates[op->attribute]);
  if (rule->signature == SIG_CMPF) fprintf(p->out, "%s, ", floatPredicates[op->attribute]);
  printValues(p, op->operands, op->numOperands);
  fprintf(p->out, " : ");
  if (rule->signature == SIG_SELECT) {
    if (p->k->values[op->operands[0]].type.rank) {
      printTypeOf(p, op->operands[0]);
      fprintf(p->out, ", ");
    }
    printTypeOf(p, op->operands[1]);
    return;
  }
  printTypeOf(p, op->operands[0]);
  if (rule->signature == SIG_FPOWI) {
    fprintf(p->out, ", ");
    printTypeOf(p, op->operands[1]);
  }
  if (!changesType(rule->signature)) return;
  fprintf(p->out, " to ");
  printTypeOf(p, op->results[0]);
}

//===- regions ------------------------------------------------------------===//

static void printYield(Printer *p, const char *name, const int *values, int count) {
  indent(p);
  fprintf(p->out, "%s", name);
  if (count) {
    fprintf(p->out, " ");
    printValues(p, values, count);
    fprintf(p->out, " : ");
    printTypes(p, values, count);
  }
  fprintf(p->out, "\n");
}

void printRegion(Printer *p, int block, const char *yield) {
  const Block *b = &p->k->blocks[block];
  ++p->depth;
  printBlock(p, block);
  printYield(p, yield, b->yields, b->numYields);
  --p->depth;
}

static void printHeader(Printer *p, const Block *b) {
  indent(p);
  fprintf(p->out, "^bb0(");
  for (int i = 0; i < b->numArgs; ++i) {
    fprintf(p->out, "%s%%v%d: ", i ? ", " : "", b->args[i]);
    printTypeOf(p, b->args[i]);
  }
  fprintf(p->out, "):\n");
}

/// `(%v7 = %v1, %v8 = %v2)`
static void printInitial(Printer *p, const int *args, const int *values, int count) {
  fprintf(p->out, "(");
  for (int i = 0; i < count; ++i)
    fprintf(p->out, "%s%%v%d = %%v%d", i ? ", " : "", args[i], values[i]);
  fprintf(p->out, ")");
}

static void printCombine(Printer *p, const Op *op) {
  const Block *body = &p->k->blocks[op->regions[0]];
  fprintf(p->out, "tile.%s ", op->kind == OP_SCAN ? "scan" : "reduce");
  printValues(p, op->operands, op->numOperands);
  fprintf(p->out, " axis %d%s : ", op->axis,
          op->kind == OP_SCAN && op->attribute ? " attributes {reverse}" : "");
  printTypes(p, op->operands, op->numOperands);
  fprintf(p->out, " -> ");
  printTypes(p, op->results, op->numResults);
  fprintf(p->out, " {\n");
  printHeader(p, body);
  printRegion(p, op->regions[0], "tile.yield");
  indent(p);
  fprintf(p->out, "}");
}

static void printFor(Printer *p, const Op *op) {
  const Block *body = &p->k->blocks[op->regions[0]];
  fprintf(p->out, "scf.for %%v%d = %%v%d to %%v%d step %%v%d", body->args[0], op->operands[0],
          op->operands[1], op->operands[2]);
  if (op->numResults) {
    fprintf(p->out, " iter_args");
    printInitial(p, body->args + 1, op->operands + 3, op->numResults);
    fprintf(p->out, " -> (");
    printTypes(p, op->results, op->numResults);
    fprintf(p->out, ")");
  }
  fprintf(p->out, " : ");
  printTypeOf(p, op->operands[0]);
  fprintf(p->out, " {\n");
  printRegion(p, op->regions[0], "scf.yield");
  indent(p);
  fprintf(p->out, "}");
  if (p->k->numStages && op->attribute)
    fprintf(p->out, " {num_stages = %d : i32}", (int)op->attribute);
}

static void printIf(Printer *p, const Op *op) {
  fprintf(p->out, "scf.if %%v%d", op->operands[0]);
  if (op->numResults) {
    fprintf(p->out, " -> (");
    printTypes(p, op->results, op->numResults);
    fprintf(p->out, ")");
  }
  fprintf(p->out, " {\n");
  printRegion(p, op->regions[0], "scf.yield");
  indent(p);
  fprintf(p->out, "} else {\n");
  printRegion(p, op->regions[1], "scf.yield");
  indent(p);
  fprintf(p->out, "}");
}

static void printWhile(Printer *p, const Op *op) {
  const Block *before = &p->k->blocks[op->regions[0]], *after = &p->k->blocks[op->regions[1]];
  fprintf(p->out, "scf.while ");
  printInitial(p, before->args, op->operands, op->numResults);
  fprintf(p->out, " : (");
  printTypes(p, op->operands, op->numResults);
  fprintf(p->out, ") -> (");
  printTypes(p, op->results, op->numResults);
  fprintf(p->out, ") {\n");
  char condition[64];
  snprintf(condition, sizeof condition, "scf.condition(%%v%d)", before->condition);
  printRegion(p, op->regions[0], condition);
  indent(p);
  fprintf(p->out, "} do {\n");
  printHeader(p, after);
  printRegion(p, op->regions[1], "scf.yield");
  indent(p);
  fprintf(p->out, "}");
}

//===- ops ----------------------------------------------------------------===//

/// `tile.NAME %a, %b`, then what stands before the colon.
static void printPlain(Printer *p, const char *name, const Op *op) {
  fprintf(p->out, "tile.%s ", name);
  int count = op->numOperands;
  while (count && op->operands[count - 1] < 0) --count;
  printValues(p, op->operands, count);
}

static void printOneType(Printer *p, const Op *op) {
  fprintf(p->out, " : ");
  printTypeOf(p, op->operands[0]);
}

static void printTypeChange(Printer *p, const Op *op, int count) {
  fprintf(p->out, " : ");
  printTypes(p, op->operands, count);
  fprintf(p->out, " -> ");
  printTypeOf(p, op->results[0]);
}

static void printShape(Printer *p, const Op *op) {
  printPlain(p, spellings[op->kind], op);
  if (op->kind == OP_EXPAND_DIMS || op->kind == OP_CAT || op->kind == OP_GATHER)
    fprintf(p->out, " axis %d", op->axis);
  if (op->kind == OP_TRANS) {
    fprintf(p->out, " order [");
    for (int d = 0; d < p->k->values[op->results[0]].type.rank; ++d)
      fprintf(p->out, "%s%d", d ? ", " : "", op->order[d]);
    fprintf(p->out, "]");
  }
  bool isPair = op->kind == OP_CAT || op->kind == OP_GATHER;
  printTypeChange(p, op, isPair ? 2 : 1);
}

static void printAtomic(Printer *p, const Op *op) {
  static const char *const kinds[] = {"add", "fadd", "and",  "or",  "xor",
                                      "min", "max",  "umin", "umax"};
  char name[64];
  snprintf(name, sizeof name, "atomic_rmw %s %s gpu", kinds[op->attribute],
           op->axis ? "acq_rel" : "relaxed");
  printPlain(p, name, op);
  printOneType(p, op);
}

/// `[%v1, %v2]`
static void printList(Printer *p, const int *values, int count) {
  fprintf(p->out, "[");
  printValues(p, values, count);
  fprintf(p->out, "]");
}

static void printDescType(Printer *p, const Type *t) {
  fprintf(p->out, "!tile.desc<");
  printBoxOf(p, t);
  fprintf(p->out, ">");
}

/// The descriptor is made where it is used.
static void printBox(Printer *p, const Op *op) {
  bool stores = op->kind == OP_DESC_STORE;
  int last = op->operands[op->numOperands - 1], name = stores ? last : op->results[0];
  const Type *t = &p->k->values[name].type;
  int rank = t->rank;
  indent(p);
  fprintf(p->out, "%%d%d = tile.make_desc %%v%d, ", op->axis, op->operands[0]);
  printList(p, op->operands + 1, rank);
  fprintf(p->out, ", ");
  printList(p, op->operands + 1 + rank, rank - 1);
  fprintf(p->out, "%s : ", op->attribute ? " padding nan" : "");
  printTypeOf(p, op->operands[0]);
  fprintf(p->out, " -> ");
  printDescType(p, t);
  fprintf(p->out, "\n");
  printResults(p, op);
  fprintf(p->out, "tile.desc_%s %%d%d", stores ? "store" : "load", op->axis);
  printList(p, op->operands + 2 * rank, rank);
  if (stores) fprintf(p->out, ", %%v%d", last);
  fprintf(p->out, " : ");
  printDescType(p, t);
  fprintf(p->out, "\n");
}

/// What the helper uses of its surroundings stands behind its arguments.
static void printCall(Printer *p, const Op *op) {
  int captures[MAX_VALUES], count = findCaptures(p->k, op->regions[0], captures);
  fprintf(p->out, "tile.call @helper%d(", op->regions[0]);
  printValues(p, op->operands, op->numOperands);
  fprintf(p->out, "%s", count ? ", " : "");
  printValues(p, captures, count);
  fprintf(p->out, ") : (");
  printTypes(p, op->operands, op->numOperands);
  fprintf(p->out, "%s", count ? ", " : "");
  printTypes(p, captures, count);
  fprintf(p->out, ") -> (");
  printTypes(p, op->results, op->numResults);
  fprintf(p->out, ")");
}

static void printAxis(Printer *p, const Op *op) {
  fprintf(p->out, "tile.%s %c", spellings[op->kind], "xyz"[op->axis]);
}

static void printArange(Printer *p, const Op *op) {
  fprintf(p->out, "tile.arange : ");
  printTypeOf(p, op->results[0]);
}

static void printTwoTypes(Printer *p, const Op *op) {
  printPlain(p, spellings[op->kind], op);
  fprintf(p->out, " : ");
  printTypes(p, op->operands, 2);
}

static void printAccess(Printer *p, const Op *op) {
  printPlain(p, spellings[op->kind], op);
  printOneType(p, op);
}

static void printCas(Printer *p, const Op *op) {
  printPlain(p, op->axis ? "atomic_cas acq_rel gpu" : "atomic_cas relaxed gpu", op);
  printOneType(p, op);
}

static void printDot(Printer *p, const Op *op) {
  printPlain(p, "dot", op);
  if (op->attribute) fprintf(p->out, " precision %s", op->attribute == 1 ? "tf32" : "tf32x3");
  printTypeChange(p, op, 2);
}

static void printSort(Printer *p, const Op *op) {
  printPlain(p, "sort", op);
  fprintf(p->out, " axis %d%s : ", op->axis, op->attribute ? " {descending}" : "");
  printTypes(p, op->operands, op->numOperands);
}

static void printHistogram(Printer *p, const Op *op) {
  printPlain(p, "histogram", op);
  printTypeChange(p, op, 1);
}

static void printCheck(Printer *p, const Op *op) {
  fprintf(p->out, op->attribute ? "tile.assume %%v%d" : "tile.assert %%v%d, \"holds\"",
          op->operands[0]);
  if (!op->attribute) printOneType(p, op);
}

static void printOp(Printer *p, const Op *op) {
#define PRINTER(kind, spelling, printer, runner) [OP_##kind] = print##printer,
  static void (*const printers[])(Printer *, const Op *) = {OP_KINDS(PRINTER)};
#undef PRINTER
  if (op->kind == OP_DESC_LOAD || op->kind == OP_DESC_STORE) { // several lines
    printBox(p, op);
    return;
  }
  if (op->kind == OP_CONSTANT && hasNames(p, &p->k->values[op->results[0]].type)) {
    indent(p);
    printNamedConstant(p, op);
    return;
  }
  printResults(p, op);
  printers[op->kind](p, op);
  fprintf(p->out, "\n");
}

void printBlock(Printer *p, int block) {
  const Block *b = &p->k->blocks[block];
  for (int i = 0; i < b->numOps; ++i) printOp(p, &p->k->ops[b->ops[i]]);
}
