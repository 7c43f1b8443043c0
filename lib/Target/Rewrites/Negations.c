//===- Negations.c - negated integers beside maxima and minima ------------===//
//
// Before:  neg.s32  %r2, %r1;
// After:   not.b32  %r2, %r1;
//          add.s32  %r2, %r2, 1;
//
// For sm_90 and later ptxas 12.8 and 13.0 make one instruction of two signed maxima or minima of
// 16 or 32 bits, max(max(a, -b), c), and lose the sign of b, wherever b was negated before: of a
// loop's negated sum, and of two lanes of 16 bits. They see through a difference from 0 and a
// product with -1; not through this, which LLVM's code generator makes a negation of. So this works
// on its text. Unsigned ones are right, and so are floats. What inline PTX negates under a
// predicate stays as it is: two instructions would want it twice.
//
// Requires: registers as operands, as LLVM prints them.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "Rewrites.h"
#include "tile/Text.h"
#include <stdio.h>
#include <string.h>

/// Does an instruction begin at `text`, with nothing in front of its name?
static bool begins(const char *text) {
  do --text;
  while (*text == ' ' || *text == '\t');
  return strchr("\n;{}", *text) != NULL;
}

static size_t complement(TileText *out, const char *text) {
  // sscanf looks for the end of what it reads, which may be megabytes away.
  char start[96], to[32], from[32];
  int length = 0, bits = 0;
  snprintf(start, sizeof start, "%.*s", (int)sizeof start - 1, text);
  sscanf(start, "neg.s%2d %31[%a-z0-9], %31[%a-z0-9];%n", &bits, to, from, &length);
  if (length && (bits == 16 || bits == 32) && begins(text))
    tileTextPrint(out, "not.b%d \t%s, %s;\n\tadd.s%d \t%s, %s, 1;", bits, to, from, bits, to, to);
  else
    length = 0;
  return (size_t)length;
}

void tileTargetComplementNegations(TileBlob *ptx) {
  if (strstr(ptx->data, "max.s") || strstr(ptx->data, "min.s"))
    tileTargetRewritePtx(ptx, "neg.s", complement);
}
