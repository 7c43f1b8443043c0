//===- Fill.c - what arrays hold before a launch --------------------------===//
//
//   tame        floats of a few digits in [-4, 4], integers of -100 to 100
//   small ints  -8 to 8 in every type: sums and products stay exact
//   wild        any bits, with the edges of the type among them; NaNs are quiet
//   pattern     what an output holds where nothing is stored
//   below       integers from 0 on, a third of them the least or the greatest
//   starts      where sequences begin that lie behind one another, some of them empty
//===----------------------------------------------------------------------===//
#include "../Floats.h"
#include "Evaluate.h"
#include <math.h>
#include <stdlib.h>

static uint64_t pickEdge(Random *r, Element e) {
  if (isInt(e)) {
    const uint64_t top = UINT64_C(1) << (bitsOf(e) - 1);
    const uint64_t edges[] = {0, 1,   UINT64_MAX, top, top - 1, top + 1,
                              2, 127, 128,        255, 256,     65535};
    return cutTo(e, edges[pickBelow(r, sizeof edges / sizeof *edges)]);
  }
  const double edges[] = {
      0.0,          -0.0,          (double)INFINITY, -(double)INFINITY, (double)NAN,      1.0, -1.0,
      largestOf(e), -largestOf(e), leastOf(e),       ulpOf(e, 0),       -3 * ulpOf(e, 0), 0.5, 1.5,
      2.5,          65536.0};
  return roundTo(e, edges[pickBelow(r, sizeof edges / sizeof *edges)]);
}

static uint64_t pickBits(Random *r, Element e, Fill fill) {
  if (fill == FILL_PATTERN) return isFloat(e) ? roundTo(e, -77) : cutTo(e, e == I1 ? 0 : 90);
  if (e == I1) return (uint64_t)pickBelow(r, 2);
  if (fill == FILL_WILD && isLucky(r, 25)) return pickEdge(r, e);
  if (fill == FILL_WILD) {
    uint64_t bits = cutTo(e, nextRandom(r));
    return isNanBits(e, bits) ? roundTo(e, (double)NAN) : bits;
  }
  if (fill == FILL_SMALL_INTS || isInt(e)) {
    int reach = fill == FILL_SMALL_INTS ? 8 : 100, x = pickBelow(r, 2 * reach + 1) - reach;
    return isInt(e) ? cutTo(e, (uint64_t)(int64_t)x) : roundTo(e, x);
  }
  return roundTo(e, (pickBelow(r, 8193) - 4096) / 1024.0);
}

/// 0 to count - 1.
static uint64_t pickLength(Random *r, uint64_t count) {
  int how = pickBelow(r, 6);
  if (how < 2) return how ? count - 1 : 0;
  return nextRandom(r) % count;
}

static void fillLengths(Random *r, const Parameter *parameter, Number *numbers) {
  uint64_t start = (uint64_t)pickBelow(r, 9);
  for (int64_t i = 0; i < parameter->length; ++i) {
    uint64_t length = pickLength(r, parameter->literal);
    numbers[i].bits = parameter->fill == FILL_STARTS ? start : length;
    start += length;
  }
}

void fillMemory(const Kernel *k, Memory *m) {
  for (int p = 0; p < k->numParameters; ++p) {
    const Parameter *parameter = &k->parameters[p];
    m->arrays[p] = NULL;
    if (parameter->role == ROLE_SCALAR) continue;
    size_t length = (size_t)parameter->length;
    Random r = {k->seed * 1000003 + (uint64_t)parameter->value};
    m->arrays[p] = calloc(length ? length : 1, sizeof(Number));
    if (!m->arrays[p]) abort();
    if (parameter->fill >= FILL_BELOW) fillLengths(&r, parameter, m->arrays[p]);
    for (size_t i = 0; i < length && parameter->fill < FILL_BELOW; ++i)
      m->arrays[p][i].bits = pickBits(&r, parameter->element, parameter->fill);
  }
}

void destroyMemory(Memory *m) {
  for (int p = 0; p < MAX_PARAMETERS; ++p) free(m->arrays[p]);
}
