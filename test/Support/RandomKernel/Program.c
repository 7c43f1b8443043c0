//===- Program.c - random numbers, the text, and nodes of a program -------===//
#include "../SplitMix64.h"
#include "RandomKernel.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t randomBits(Program *p) { return splitMix64(&p->random); }
int below(Program *p, int n) { return (int)(randomBits(p) % (uint64_t)n); }

void put(Program *p, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int used = vsnprintf(p->text + p->length, sizeof p->text - p->length, format, args);
  va_end(args);
  if (used < 0 || (size_t)used >= sizeof p->text - p->length) abort(); // OPS is too many
  p->length += (size_t)used;
}

const char *typeText(const Node *n, char text[96]) {
  char element[32];
  if (n->width)
    snprintf(element, sizeof element, "i%d", n->width);
  else
    snprintf(element, sizeof element, "!tile.ptr<i%d>", n->unit * 8);
  if (n->rank == 0) snprintf(text, 96, "%s", element);
  if (n->rank == 1) snprintf(text, 96, "tensor<%dx%s>", (int)n->extents[0], element);
  if (n->rank == 2)
    snprintf(text, 96, "tensor<%dx%dx%s>", (int)n->extents[0], (int)n->extents[1], element);
  if (n->rank == 3)
    snprintf(text, 96, "tensor<%dx%dx%dx%s>", (int)n->extents[0], (int)n->extents[1],
             (int)n->extents[2], element);
  return text;
}

int64_t elementsOf(const Node *n) {
  int64_t count = 1;
  for (int d = 0; d < n->rank; ++d) count *= n->extents[d];
  return count;
}

bool sameShape(const Node *a, const Node *b) {
  return a->rank == b->rank && !memcmp(a->extents, b->extents, sizeof a->extents);
}

Node *fresh(Program *p, const Node *like, int width) {
  Node *n = &p->nodes[p->count];
  memset(n, 0, sizeof *n);
  if (like) {
    n->rank = like->rank;
    memcpy(n->extents, like->extents, sizeof n->extents);
    n->unit = width ? 0 : like->unit;
  }
  n->width = width;
  return n;
}

int pick(Program *p) { return below(p, p->count); }

int partner(Program *p, int a) {
  for (int tries = 0; tries < 40; ++tries) {
    int b = pick(p);
    if (p->nodes[b].width == p->nodes[a].width && sameShape(&p->nodes[a], &p->nodes[b])) return b;
  }
  return -1;
}
