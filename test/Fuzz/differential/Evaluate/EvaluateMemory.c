//===- EvaluateMemory.c - pointers, loads, stores, atomics ----------------===//
//
// A pointer is the number of a parameter in its upper 16 bits and an offset in elements in the
// others.
//===----------------------------------------------------------------------===//
#include "../Floats.h"
#include "Machine.h"
#include <math.h>

static const uint64_t offsetMask = (UINT64_C(1) << 48) - 1;

void runAddPtr(Machine *m, const Op *op) {
  Element e = typeOf(m, op->operands[1])->element;
  const Number *ptr = m->values[op->operands[0]], *offset = m->values[op->operands[1]];
  for (int i = 0; i < countOf(typeOf(m, op->results[0])); ++i) {
    uint64_t moved = ptr[i].bits + (uint64_t)signedOf(e, offset[i].bits);
    m->values[op->results[0]][i].bits = (ptr[i].bits & ~offsetMask) | (moved & offsetMask);
  }
}

/// The parameter and the offset a pointer means; false, and a problem, where there is nothing.
static bool findPlace(Machine *m, uint64_t pointer, int *parameter, int64_t *offset) {
  *parameter = (int)(pointer >> 48);
  *offset = (int64_t)(pointer << 16) >> 16;
  bool ok = *parameter < m->k->numParameters && *offset >= 0 &&
            *offset < m->k->parameters[*parameter].length;
  if (!ok) m->problem = "an access outside of its array";
  return ok;
}

bool isOn(const Machine *m, int mask, int i) { return mask < 0 || m->values[mask][i].bits != 0; }

void runLoad(Machine *m, const Op *op) {
  for (int i = 0; i < countOf(typeOf(m, op->results[0])); ++i) {
    Number *r = &m->values[op->results[0]][i];
    int parameter;
    int64_t offset;
    if (!isOn(m, op->operands[1], i)) {
      *r = op->operands[2] < 0 ? (Number){0, 0} : m->values[op->operands[2]][i];
      continue;
    }
    if (!findPlace(m, m->values[op->operands[0]][i].bits, &parameter, &offset)) return;
    Role role = m->k->parameters[parameter].role;
    if (role != ROLE_INPUT && role != ROLE_INPLACE) m->problem = "a load of what is written";
    *r = m->memory->arrays[parameter][offset];
  }
}

void runStore(Machine *m, const Op *op) {
  for (int i = 0; i < countOf(typeOf(m, op->operands[1])); ++i) {
    int parameter;
    int64_t offset;
    if (!isOn(m, op->operands[2], i)) continue;
    if (!findPlace(m, m->values[op->operands[0]][i].bits, &parameter, &offset)) return;
    if (!isStored(m->k->parameters[parameter].role) || m->written[parameter][offset]) {
      m->problem = "an element that is written twice";
      return;
    }
    m->written[parameter][offset] = 1;
    m->memory->arrays[parameter][offset] = m->values[op->operands[1]][i];
  }
}

/// The kinds of tile.atomic_rmw that do not ask for an order.
static uint64_t update(Element e, int64_t kind, uint64_t old, uint64_t x) {
  int64_t a = signedOf(e, old), b = signedOf(e, x);
  const uint64_t results[] = {old + x,          0,
                              old & x,          old | x,
                              old ^ x,          a < b ? old : x,
                              a > b ? old : x,  old < x ? old : x,
                              old > x ? old : x};
  return cutTo(e, results[kind]);
}

void runAtomic(Machine *m, const Op *op) {
  Element e = typeOf(m, op->operands[1])->element;
  for (int i = 0; i < countOf(typeOf(m, op->operands[1])); ++i) {
    int parameter;
    int64_t offset;
    if (!isOn(m, op->operands[2], i)) continue;
    if (!findPlace(m, m->values[op->operands[0]][i].bits, &parameter, &offset)) return;
    Number *place = &m->memory->arrays[parameter][offset], x = m->values[op->operands[1]][i];
    if (!isFloat(e)) {
      place->bits = update(e, op->attribute, place->bits, x.bits);
      continue;
    }
    // The magnitude of all that was added bounds every partial sum; finishAtomics takes it.
    double sum = floatOf(e, place->bits) + floatOf(e, x.bits);
    place->bits = roundTo(e, bitsOf(e) < 32 ? (double)(float)sum : sum);
    place->error += x.error;
    m->magnitudes[parameter][offset] += fabs(floatOf(e, x.bits)) + x.error;
    ++m->updates[parameter][offset];
  }
}

/// Compares and swaps, where no two lanes have one place.
void runCas(Machine *m, const Op *op) {
  for (int i = 0; i < countOf(typeOf(m, op->operands[1])); ++i) {
    int parameter;
    int64_t offset;
    if (!findPlace(m, m->values[op->operands[0]][i].bits, &parameter, &offset)) return;
    Number *place = &m->memory->arrays[parameter][offset];
    if (m->updates[parameter][offset]++) m->problem = "an element that is swapped twice";
    m->values[op->results[0]][i] = *place;
    if (place->bits == m->values[op->operands[1]][i].bits) *place = m->values[op->operands[2]][i];
  }
}

/// Where element `at` of a descriptor's box lies; false where that is outside.
static bool findInBox(Machine *m, const Op *op, int rank, const int at[MAX_RANK], int *parameter,
                      int64_t *offset) {
  int64_t moved = 0;
  for (int d = 0; d < rank; ++d) {
    int64_t extent = signedOf(I32, m->values[op->operands[1 + d]][0].bits);
    int64_t position = at[d] + signedOf(I32, m->values[op->operands[2 * rank + d]][0].bits);
    if (position < 0 || position >= extent) return false;
    bool isLast = d == rank - 1;
    moved += position * (isLast ? 1 : signedOf(I64, m->values[op->operands[1 + rank + d]][0].bits));
  }
  uint64_t pointer = m->values[op->operands[0]][0].bits + (uint64_t)moved;
  return findPlace(m, pointer, parameter, offset);
}

void runBox(Machine *m, const Op *op) {
  bool stores = op->kind == OP_DESC_STORE;
  int value = stores ? op->operands[op->numOperands - 1] : op->results[0];
  const Type *t = typeOf(m, value);
  for (int i = 0; i < countOf(t) && !m->problem; ++i) {
    int at[MAX_RANK] = {0}, parameter;
    int64_t offset;
    unravel(t, i, at);
    Number *element = &m->values[value][i];
    bool isInside = findInBox(m, op, t->rank, at, &parameter, &offset);
    if (!isInside && !stores)
      *element = (Number){op->attribute ? roundTo(t->element, (double)NAN) : 0, 0};
    if (!isInside) continue;
    if (!stores) {
      *element = m->memory->arrays[parameter][offset];
      continue;
    }
    if (m->written[parameter][offset]++) m->problem = "an element that is written twice";
    m->memory->arrays[parameter][offset] = *element;
  }
}

void finishAtomics(Machine *m) {
  for (int p = 0; p < m->k->numParameters; ++p) {
    Element e = m->k->parameters[p].element;
    if (!m->magnitudes[p] || !isFloat(e)) continue;
    for (int64_t i = 0; i < m->k->parameters[p].length; ++i) {
      double most = m->magnitudes[p][i];
      Number *place = &m->memory->arrays[p][i];
      if (!m->updates[p][i]) continue;
      bool isWild = !(most < largestOf(e) / 2);
      double rounding = m->updates[p][i] * ulpOf(e, isWild ? 0 : most) + 2 * ulpOf(e, 0);
      // PTX: atom.add.f32 takes subnormal numbers for zeros, before and after.
      if (e == F32) rounding += 2 * m->updates[p][i] * leastOf(e);
      place->error = isWild ? (double)INFINITY : place->error + rounding;
    }
  }
}
