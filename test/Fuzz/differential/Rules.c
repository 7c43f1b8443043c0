//===- Rules.c - the ops that go element by element -----------------------===//
//
// One line an op: the generator chooses from this list, the printer takes the name, the evaluator
// knows the op by it (EvaluateRule.c). An op that is added here and there is in the grammar.
//
// Errors are those that docs/results/math-ulp.md promises for CPU and GPU, the larger of the two.
//===----------------------------------------------------------------------===//
#include "../../Support/SplitMix64.h"
#include "Kernel.h"
#include <string.h>

const Rule rules[] = {
    {"arith.addi", SIG_INT, 2, GUARD_NONE, 0, 0, false, 4},
    {"arith.subi", SIG_INT, 2, GUARD_NONE, 0, 0, false, 3},
    {"arith.muli", SIG_INT, 2, GUARD_NONE, 0, 0, false, 3},
    {"arith.andi", SIG_INT, 2, GUARD_NONE, 0, 0, false, 2},
    {"arith.ori", SIG_INT, 2, GUARD_NONE, 0, 0, false, 2},
    {"arith.xori", SIG_INT, 2, GUARD_NONE, 0, 0, false, 2},
    {"arith.maxsi", SIG_INT, 2, GUARD_NONE, 0, 0, false, 1},
    {"arith.minsi", SIG_INT, 2, GUARD_NONE, 0, 0, false, 1},
    {"arith.maxui", SIG_INT, 2, GUARD_NONE, 0, 0, false, 1},
    {"arith.minui", SIG_INT, 2, GUARD_NONE, 0, 0, false, 1},
    {"arith.divsi", SIG_INT_WIDE, 2, GUARD_DIVISOR, 0, 0, false, 2},
    {"arith.divui", SIG_INT_WIDE, 2, GUARD_DIVISOR, 0, 0, false, 2},
    {"arith.remsi", SIG_INT_WIDE, 2, GUARD_DIVISOR, 0, 0, false, 2},
    {"arith.remui", SIG_INT_WIDE, 2, GUARD_DIVISOR, 0, 0, false, 2},
    {"arith.ceildivsi", SIG_INT_WIDE, 2, GUARD_DIVISOR, 0, 0, false, 1},
    {"arith.floordivsi", SIG_INT_WIDE, 2, GUARD_DIVISOR, 0, 0, false, 1},
    {"arith.ceildivui", SIG_INT_WIDE, 2, GUARD_DIVISOR, 0, 0, false, 1},
    {"arith.shli", SIG_INT_WIDE, 2, GUARD_SHIFT, 0, 0, false, 2},
    {"arith.shrsi", SIG_INT_WIDE, 2, GUARD_SHIFT, 0, 0, false, 2},
    {"arith.shrui", SIG_INT_WIDE, 2, GUARD_SHIFT, 0, 0, false, 2},
    {"math.absi", SIG_INT_WIDE, 1, GUARD_NONE, 0, 0, false, 1},
    {"math.ctpop", SIG_INT_WIDE, 1, GUARD_NONE, 0, 0, false, 1},
    {"math.ctlz", SIG_INT_WIDE, 1, GUARD_NONE, 0, 0, false, 1},
    {"math.cttz", SIG_INT_WIDE, 1, GUARD_NONE, 0, 0, false, 1},
    {"math.ipowi", SIG_INT_WIDE, 2, GUARD_POWER, 0, 0, false, 1},
    {"arith.cmpi", SIG_CMPI, 2, GUARD_NONE, 0, 0, false, 6},
    {"arith.cmpf", SIG_CMPF, 2, GUARD_NONE, 0, 0, false, 6},
    {"arith.select", SIG_SELECT, 3, GUARD_NONE, 0, 0, true, 6},
    {"arith.extsi", SIG_INT_UP, 1, GUARD_NONE, 0, 0, false, 3},
    {"arith.extui", SIG_INT_UP, 1, GUARD_NONE, 0, 0, false, 3},
    {"arith.trunci", SIG_INT_DOWN, 1, GUARD_NONE, 0, 0, false, 4},
    {"arith.sitofp", SIG_TO_FLOAT, 1, GUARD_NONE, 0, 0, false, 4},
    {"arith.uitofp", SIG_TO_FLOAT, 1, GUARD_NONE, 0, 0, false, 3},
    {"arith.fptosi", SIG_TO_INT, 1, GUARD_RANGE, 0, 0, false, 3},
    {"arith.fptoui", SIG_TO_INT, 1, GUARD_RANGE, 0, 0, false, 3},
    {"arith.extf", SIG_FLOAT_UP, 1, GUARD_NONE, 0, 0, true, 4},
    {"arith.truncf", SIG_FLOAT_DOWN, 1, GUARD_NONE, 0, 0, true, 4},
    {"arith.bitcast", SIG_BITCAST, 1, GUARD_NAN, 0, 0, false, 2},
    {"arith.addf", SIG_FLOAT, 2, GUARD_NONE, 0, 0, true, 5},
    {"arith.subf", SIG_FLOAT, 2, GUARD_NONE, 0, 0, true, 4},
    {"arith.mulf", SIG_FLOAT, 2, GUARD_NONE, 0, 0, true, 5},
    {"arith.divf", SIG_FLOAT, 2, GUARD_NONE, 0, 0, true, 3},
    {"arith.remf", SIG_FLOAT, 2, GUARD_NONE, 0, 0, false, 1},
    {"arith.negf", SIG_FLOAT, 1, GUARD_NONE, 0, 0, true, 2},
    {"arith.maximumf", SIG_FLOAT, 2, GUARD_NONE, 0, 0, true, 2},
    {"arith.minimumf", SIG_FLOAT, 2, GUARD_NONE, 0, 0, true, 2},
    {"arith.maxnumf", SIG_FLOAT, 2, GUARD_ZERO, 0, 0, true, 2},
    {"arith.minnumf", SIG_FLOAT, 2, GUARD_ZERO, 0, 0, true, 2},
    {"math.absf", SIG_FLOAT, 1, GUARD_NONE, 0, 0, true, 2},
    {"math.floor", SIG_FLOAT, 1, GUARD_NONE, 0, 0, false, 1},
    {"math.ceil", SIG_FLOAT, 1, GUARD_NONE, 0, 0, false, 1},
    {"math.trunc", SIG_FLOAT, 1, GUARD_NONE, 0, 0, false, 1},
    {"math.round", SIG_FLOAT, 1, GUARD_NONE, 0, 0, false, 1},
    {"math.roundeven", SIG_FLOAT, 1, GUARD_NONE, 0, 0, false, 1},
    {"math.copysign", SIG_FLOAT, 2, GUARD_NAN, 0, 0, false, 1},
    {"math.isnan", SIG_CLASS, 1, GUARD_NONE, 0, 0, false, 1},
    {"math.isinf", SIG_CLASS, 1, GUARD_NONE, 0, 0, false, 1},
    {"math.isfinite", SIG_CLASS, 1, GUARD_NONE, 0, 0, false, 1},
    {"math.isnormal", SIG_CLASS, 1, GUARD_NONE, 0, 0, false, 1},
    {"math.sqrt", SIG_FLOAT, 1, GUARD_NONE, 0, 0, true, 2},
    {"math.fma", SIG_FLOAT, 3, GUARD_NONE, 0, 0, true, 2},
    {"math.rsqrt", SIG_FLOAT, 1, GUARD_NONE, 2, 1.5, false, 1},
    {"math.exp", SIG_FLOAT, 1, GUARD_NONE, 3.5, 1.5, true, 2},
    {"math.exp2", SIG_FLOAT, 1, GUARD_NONE, 2.5, 1.5, true, 1},
    {"math.expm1", SIG_FLOAT, 1, GUARD_NONE, 2, 2, false, 1},
    {"math.log", SIG_FLOAT, 1, GUARD_NONE, 1.5, 1.5, false, 1},
    {"math.log2", SIG_FLOAT, 1, GUARD_NONE, 1.5, 1.5, false, 1},
    {"math.log10", SIG_FLOAT, 1, GUARD_NONE, 2, 1, false, 1},
    {"math.log1p", SIG_FLOAT, 1, GUARD_NONE, 2, 2, false, 1},
    {"math.sin", SIG_FLOAT, 1, GUARD_NONE, 2, 2, true, 1},
    {"math.cos", SIG_FLOAT, 1, GUARD_NONE, 2, 2, true, 1},
    {"math.tan", SIG_FLOAT, 1, GUARD_NONE, 4, 3.5, false, 1},
    {"math.tanh", SIG_FLOAT, 1, GUARD_NONE, 3, 3, true, 1},
    {"math.sinh", SIG_FLOAT, 1, GUARD_NONE, 4, 4, false, 1},
    {"math.cosh", SIG_FLOAT, 1, GUARD_NONE, 4, 4, false, 1},
    {"math.asinh", SIG_FLOAT, 1, GUARD_NONE, 4, 4, false, 1},
    {"math.acosh", SIG_FLOAT, 1, GUARD_NONE, 4, 4, false, 1},
    {"math.atanh", SIG_FLOAT, 1, GUARD_NONE, 4, 4, false, 1},
    {"math.atan", SIG_FLOAT, 1, GUARD_NONE, 2, 2, true, 1},
    {"math.asin", SIG_FLOAT, 1, GUARD_NONE, 2, 2, false, 1},
    {"math.acos", SIG_FLOAT, 1, GUARD_NONE, 2, 2, false, 1},
    {"math.cbrt", SIG_FLOAT, 1, GUARD_NONE, 1, 1, false, 1},
    {"math.erf", SIG_FLOAT, 1, GUARD_NONE, 2, 2, true, 1},
    {"math.erfc", SIG_FLOAT, 1, GUARD_NONE, 4.5, 5, false, 1},
    {"math.powf", SIG_FLOAT, 2, GUARD_NONE, 1.5, 1.5, false, 1},
    {"math.atan2", SIG_FLOAT, 2, GUARD_NONE, 2.5, 2.5, false, 1},
    {"math.fpowi", SIG_FPOWI, 2, GUARD_POWER, 1.5, 1.5, false, 1},
};

const int numRules = sizeof rules / sizeof *rules;

int findRule(const char *name) {
  for (int i = 0; i < numRules; ++i)
    if (!strcmp(rules[i].name, name)) return i;
  return -1;
}

bool sameShape(const Type *a, const Type *b) {
  if (a->rank != b->rank) return false;
  for (int d = 0; d < a->rank; ++d)
    if (a->shape[d] != b->shape[d]) return false;
  return true;
}

bool sameType(const Type *a, const Type *b) {
  if (a->element != b->element || !sameShape(a, b)) return false;
  return a->element != PTR || a->pointee == b->pointee;
}

Type withElement(Type t, Element e) {
  t.element = e;
  t.pointee = I1;
  return t;
}

uint64_t nextRandom(Random *r) { return splitMix64(&r->state); }

int pickBelow(Random *r, int count) { return (int)(nextRandom(r) % (uint64_t)count); }

bool isLucky(Random *r, int percent) { return pickBelow(r, 100) < percent; }
