//===- PackedAdds.c - sums of two lanes of 16 bits ------------------------===//
//
// Before:  add.s16x2  %r3, %r1, %r2;
// After:   { .reg .b16 %a<2>, %b<2>;
//          mov.b32 {%a0, %a1}, %r1;
//          mov.b32 {%b0, %b1}, %r2;
//          add.s16 %a0, %a0, %b0;
//          add.s16 %a1, %a1, %b1;
//          mov.b32 %r3, {%a0, %a1}; }
//
// Where only one half of such a sum is used, and that half of an operand is a constant, ptxas 12.8
// and 13.0 add 0 in its place. For sm_90 and later, LLVM's code generator makes these sums itself,
// of vectors of i8 and i16 and of wider ones of which 16 bits are enough; no option keeps it from
// that. So this works on its text. Packed minima and maxima are right.
//
// Requires: registers as operands, as LLVM prints them.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "Rewrites.h"
#include "tile/Text.h"
#include <stdio.h>

enum { REGISTER_SIZE = 32 };

/// Reads the three registers of the sum at `text`; returns its length, 0 for anything else.
static size_t matchSum(const char *text, char registers[3][REGISTER_SIZE]) {
  // sscanf looks for the end of what it reads, which may be megabytes away.
  char start[4 * REGISTER_SIZE];
  int length = 0;
  snprintf(start, sizeof start, "%.*s", (int)sizeof start - 1, text);
  sscanf(start, "add.s16x2 %31[%a-z0-9], %31[%a-z0-9], %31[%a-z0-9];%n", registers[0], registers[1],
         registers[2], &length);
  return (size_t)length;
}

static void addSums(TileText *out, char registers[3][REGISTER_SIZE]) {
  tileTextPrint(out,
                "{ .reg .b16 %%a<2>, %%b<2>;\n"
                "\tmov.b32 \t{%%a0, %%a1}, %s;\n"
                "\tmov.b32 \t{%%b0, %%b1}, %s;\n"
                "\tadd.s16 \t%%a0, %%a0, %%b0;\n"
                "\tadd.s16 \t%%a1, %%a1, %%b1;\n"
                "\tmov.b32 \t%s, {%%a0, %%a1}; }",
                registers[1], registers[2], registers[0]);
}

static size_t splitSum(TileText *out, const char *text) {
  char registers[3][REGISTER_SIZE];
  size_t length = matchSum(text, registers);
  if (length) addSums(out, registers);
  return length;
}

void tileTargetSplitPackedAdds(TileBlob *ptx) { tileTargetRewritePtx(ptx, "add.s16x2", splitSum); }
