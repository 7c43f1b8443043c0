//===- Loops.c - loops of a random kernel ---------------------------------===//
#include "RandomIndices.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_STEPS = 5, LAST_STEPS = 3, MOST_STEPS = 3000 };

/// The bounds, where they suit: a step above 0, and no more points than there is room for.
static bool pickBounds(Kernel *k, Loop *loop) {
  *loop = (Loop){.lower = pickNumber(k, 0, 32), .upper = pickNumber(k, 0, 32)};
  if (loop->lower < 0 || loop->upper < 0) return false;
  if (below(&k->text, 2)) loop->lower = addNumber(k, loop->upper, below(&k->text, 4) ? 0 : 1);
  loop->step = pickNumber(k, 0, 32);
  if (loop->step < 0 || below(&k->text, 3))
    loop->step = addNumber(k, loop->upper, 1 + below(&k->text, 4));
  int total = 0;
  for (int point = 0; point < k->points[k->level]; ++point) {
    int64_t step = valueAt(k, loop->step, k->level, point, 0);
    int64_t way =
        valueAt(k, loop->upper, k->level, point, 0) - valueAt(k, loop->lower, k->level, point, 0);
    if (step < 1 || way / step >= MOST_STEPS) return false;
    int64_t steps = way > 0 ? (way - 1) / step + 1 : 0, most = FIRST_STEPS + LAST_STEPS;
    total += (int)(steps < most ? steps : most);
  }
  return total > 0 && total <= MAX_POINTS;
}

/// What is carried: a number, and what is added to it.
static void pickCarried(Kernel *k, Loop *loop, int init[2]) {
  for (int i = below(&k->text, 3); i > 0; --i) {
    int a = pickNumber(k, -1, -1), b = a < 0 ? -1 : pickLike(k, a);
    if (b < 0 || k->numbers[a].width < 32) continue;
    // The step itself, or the counter, is what is added to a scalar now and then.
    bool isCounter = k->numbers[a].rank == 0 && k->numbers[a].width == 32;
    if (isCounter && below(&k->text, 3) == 0) b = loop->step;
    if (isCounter && below(&k->text, 6) == 0) b = MAX_NUMBERS;
    init[loop->carried] = a;
    loop->by[loop->carried] = b;
    loop->subtracts[loop->carried++] = below(&k->text, 4) == 0;
  }
}

static int64_t *valuesOf(Kernel *k, int id, int point) {
  return k->numbers[id].values + point * lanesOf(&k->numbers[id]);
}

/// Runs the loop from one point outside of it on; false where what it carries grows too large.
static bool runFrom(Kernel *k, const Loop *loop, const int init[2], int outer, int level) {
  int64_t step = valueAt(k, loop->step, level - 1, outer, 0), now[2][LANES];
  int64_t lower = valueAt(k, loop->lower, level - 1, outer, 0);
  int64_t upper = valueAt(k, loop->upper, level - 1, outer, 0);
  int64_t steps = upper > lower ? (upper - lower - 1) / step + 1 : 0;
  for (int c = 0; c < loop->carried; ++c)
    for (int64_t i = 0; i < lanesOf(&k->numbers[init[c]]); ++i)
      now[c][i] = valueAt(k, init[c], level - 1, outer, i);
  for (int64_t s = 0; s < steps; ++s) {
    int64_t iv = lower + s * step;
    bool isPoint = s < FIRST_STEPS || s >= steps - LAST_STEPS;
    if (isPoint) valuesOf(k, loop->counter, k->points[level])[0] = iv;
    for (int c = 0; c < loop->carried; ++c)
      for (int64_t i = 0; i < lanesOf(&k->numbers[init[c]]); ++i) {
        if (isPoint) valuesOf(k, loop->counter + 1 + c, k->points[level])[i] = now[c][i];
        int64_t more =
            loop->by[c] == MAX_NUMBERS ? iv : valueAt(k, loop->by[c], level - 1, outer, i);
        now[c][i] += loop->subtracts[c] ? -more : more;
        if (llabs(now[c][i]) >= INT64_C(1) << 30) return false;
      }
    if (isPoint) k->parent[level][k->points[level]++] = outer;
  }
  return true;
}

/// Takes the loop back of which the text has been written.
static bool refuse(Kernel *k, const Loop *loop, size_t length) {
  while (k->count > loop->counter) free(k->numbers[--k->count].values);
  k->text.length = length;
  k->text.text[length] = 0;
  k->points[k->level--] = 0;
  return false;
}

bool openLoop(Kernel *k) {
  Loop loop;
  int init[2];
  if (k->level + 1 == LEVELS || k->count + 56 > MAX_NUMBERS || !pickBounds(k, &loop)) return false;
  pickCarried(k, &loop, init);
  int level = ++k->level;
  size_t length = k->text.length;
  k->points[level] = MAX_POINTS; // room for them
  loop.counter = k->count;
  freshNumber(k, 0, NULL, 32);
  put(&k->text, "  scf.for %%v%d = %%v%d to %%v%d step %%v%d", k->count++, loop.lower, loop.upper,
      loop.step);
  for (int c = 0; c < loop.carried; ++c) {
    const Number *from = &k->numbers[init[c]];
    freshNumber(k, from->rank, from->extents, from->width);
    put(&k->text, "%s%%v%d = %%v%d", c ? ", " : " iter_args(", k->count++, init[c]);
  }
  char type[96];
  for (int c = 0; c < loop.carried; ++c)
    put(&k->text, "%s%s", c ? ", " : ") -> (", indexType(&k->numbers[init[c]], type));
  put(&k->text, "%s : i32 {\n", loop.carried ? ")" : "");
  k->points[level] = 0;
  for (int outer = 0; outer < k->points[level - 1]; ++outer)
    if (!runFrom(k, &loop, init, outer, level)) return refuse(k, &loop, length);
  k->loops[level] = loop;
  return true;
}

void closeLoop(Kernel *k) {
  Loop *loop = &k->loops[k->level];
  char type[2][96];
  for (int c = 0; c < loop->carried; ++c) {
    int now = loop->counter + 1 + c, by = loop->by[c] == MAX_NUMBERS ? loop->counter : loop->by[c];
    put(&k->text, "  %%n%d = arith.%s %%v%d, %%v%d : %s\n", now,
        loop->subtracts[c] ? "subi" : "addi", now, by, indexType(&k->numbers[now], type[c]));
  }
  for (int c = 0; c < loop->carried; ++c)
    put(&k->text, "%s%%n%d", c ? ", " : "  scf.yield ", loop->counter + 1 + c);
  for (int c = 0; c < loop->carried; ++c) put(&k->text, "%s%s", c ? ", " : " : ", type[c]);
  put(&k->text, "\n  } loc(\"%d\")\n", loop->counter);
  for (int id = 0; id < k->count; ++id) k->numbers[id].isHidden |= k->numbers[id].level == k->level;
  --k->level;
}
