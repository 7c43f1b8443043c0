// RUN: %unit/FactsTest
//
// Facts.h: what is set is what is told, records are equal where they say the same, and the text
// form says all and is read back as it was printed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/Facts.h"
#include "tile/Runtime/FactCode.h"
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse(TileFacts *facts, const char *text) {
  const char *wrong;
  size_t length;
  return tileFactsParse(facts, text, strlen(text), &wrong, &length);
}

static void expectText(const TileFacts *facts, const char *expected) {
  TileText text = {0};
  tileTextAdd(&text, "");
  tileFactsPrint(facts, &text);
  assert_string_equal(text.data, expected);
  free(text.data);
}

static void argumentsAreTold(void **state) {
  (void)state;
  TileFacts facts = {0};
  expectText(&facts, "");
  assert_int_equal(tileFactsGetArgument(&facts, 12).divisor, 0);
  tileFactsSetArgument(&facts, 300, (TileArgumentFact){.divisor = 256, .positive = true});
  tileFactsSetArgument(&facts, 3, (TileArgumentFact){.one = true});
  tileFactsSetArgument(&facts, 5, (TileArgumentFact){.divisor = 1});
  tileFactsSetArgument(&facts, 6, (TileArgumentFact){.divisor = 1, .positive = true});
  assert_int_equal(facts.numArguments, 301);
  assert_int_equal(tileFactsGetArgument(&facts, 300).divisor, 256);
  assert_true(tileFactsGetArgument(&facts, 300).positive);
  assert_true(tileFactsGetArgument(&facts, 3).one);
  tileFactsSetArgument(&facts, 7, (TileArgumentFact){.divisor = 8, .negative = true});
  expectText(&facts, "3=1,6/1+,7/8-,300/256+");
  // In place of what was known.
  tileFactsSetArgument(&facts, 3, (TileArgumentFact){.divisor = 8});
  expectText(&facts, "3/8,6/1+,7/8-,300/256+");
  tileFactsDestroy(&facts);
  expectText(&facts, "");
}

static void theFirstBindingStays(void **state) {
  (void)state;
  TileFacts facts = {0};
  tileFactsBind(&facts, "BMN", 2, 64);
  tileFactsBind(&facts, "BM", 2, 128);
  tileFactsBind(&facts, "B", 1, 7);
  expectText(&facts, "BM=64,B=7");
  assert_int_equal(tileFactsFindBinding(&facts, "B", 1)->value, 7);
  assert_null(tileFactsFindBinding(&facts, "BMN", 3));
  tileFactsDestroy(&facts);
}

static void equalIsWhatSaysTheSame(void **state) {
  (void)state;
  TileFacts a = {0}, b = {0};
  assert_true(parse(&a, "0/16,2=1"));
  assert_true(parse(&b, "2=1,0/16"));
  // An argument of which nothing is known counts for nothing.
  tileFactsSetArgument(&b, 9, (TileArgumentFact){0});
  assert_true(tileFactsAreEqual(&a, &b));
  b.singleWave = 1;
  assert_false(tileFactsAreEqual(&a, &b));
  b.singleWave = 0;
  b.packs = true;
  assert_false(tileFactsAreEqual(&a, &b));
  b.packs = false;
  b.programs = 4;
  assert_false(tileFactsAreEqual(&a, &b));
  b.programs = 0;
  tileFactsBind(&b, "B", 1, 4);
  assert_false(tileFactsAreEqual(&a, &b));
  tileFactsBind(&a, "B", 1, 8);
  assert_false(tileFactsAreEqual(&a, &b));
  tileFactsCopy(&a, &b);
  assert_true(tileFactsAreEqual(&a, &b));
  tileFactsSetArgument(&a, 0, (TileArgumentFact){.divisor = 16, .positive = true});
  assert_false(tileFactsAreEqual(&a, &b));
  tileFactsDestroy(&a);
  tileFactsDestroy(&b);
}

/// Any record is read back from its text: of every number that a fact can have there is one.
static void textIsReadBack(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 3000; ++i) {
    TileFacts facts = {0}, back = {0};
    for (uint32_t k = 0; k < i % 7; ++k) {
      uint32_t kind = (i * 31 + k * 17) % 66;
      TileArgumentFact fact = {.divisor = UINT32_C(1) << (kind / 2 % 31), .positive = kind % 2};
      fact.programs = k % 3 == 1;
      fact.most = k % 4 == 2 ? 1 + i * 31 : 0;
      if (kind > 61) fact = (TileArgumentFact){.one = true};
      tileFactsSetArgument(&facts, (i * 7 + k * 97) % (k ? 900 : TILE_FACTS_MAX_ARGUMENTS), fact);
    }
    facts.singleWave = (int)(i % 3);
    facts.packs = i % 4 == 1;
    facts.programs = (int)(i % 5 ? 0 : 1 + i % 70);
    const char *const names[] = {"BM", "num_warps", "wave", "a.b-c$d"};
    for (uint32_t k = 0; k < i % 5; ++k)
      tileFactsBind(&facts, names[k], strlen(names[k]), k == 2 ? INT32_MAX : 1 + i);
    TileText text = {0};
    tileTextAdd(&text, "");
    tileFactsPrint(&facts, &text);
    assert_true(parse(&back, text.data));
    assert_true(tileFactsAreEqual(&facts, &back));
    expectText(&back, text.data);
    free(text.data);
    tileFactsDestroy(&facts);
    tileFactsDestroy(&back);
  }
}

/// Programs of a multiprocessor are told by powers of two, up to 64, of one or fewer as one, beside
/// what else is told of a grid.
static void programsAreRounded(void **state) {
  (void)state;
  static const struct {
    int32_t grid[3];
    int programs;
  } cases[] = {{{1, 1, 1}, 1},    {{263, 1, 1}, 1},   {{264, 1, 1}, 2},   {{1, 132, 4}, 4},
               {{1024, 1, 1}, 4}, {{132, 16, 1}, 16}, {{8448, 1, 1}, 64}, {{1 << 30, 512, 512}, 64},
               {{0, 1, 1}, 0},    {{1, 1, 0}, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    int code = tileFactOfPrograms(TILE_FACT_MANY | 1, 132, cases[i].grid);
    assert_int_equal(tileFactGetPrograms(code), cases[i].programs);
    assert_int_equal(code & TILE_FACT_WAVE, 1);
    assert_true(code & TILE_FACT_MANY);
    assert_int_equal(tileFactGetPrograms(tileFactOfPrograms(0, 0, cases[i].grid)), 0);
    int each = tileFactOfShared(code, cases[i].grid[0], cases[i].grid);
    assert_int_equal(each, code | TILE_FACT_EACH);
    assert_int_equal(tileFactGetPrograms(each), cases[i].programs);
    assert_int_equal(tileFactOfShared(code, cases[i].grid[0] + 1, cases[i].grid), code);
  }
}

static void otherTextIsRefused(void **state) {
  (void)state;
  const char *const wrong[] = {
      ",",
      "x",
      "=1",
      "x=",
      "x=0",
      "x=-1",
      "x=2147483648",
      "x=1x",
      "0",
      "0/",
      "0/3",
      "0/0",
      "0=2",
      "0=",
      "0/16++",
      "0/16 ",
      "0:16",
      "wave:0",
      "wave:3",
      "wave:",
      "wave:x",
      "programs:0",
      "programs:",
      "programs:4x",
      "32768=1",
      "0/4294967296",
      "0/16+xx",
      "0/16x+",
      "0/16<0",
      "7=1x",
      "wave",
      "-1/2",
      "x= 1",
      "x=99999999999999999999999999",
      "99999999999999999=1",
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    TileFacts facts = {0};
    const char *at;
    size_t length;
    char text[64];
    snprintf(text, sizeof text, "A=1,%s,B=2", wrong[i]);
    assert_false(tileFactsParse(&facts, text, strlen(text), &at, &length));
    assert_int_equal(at - text, 4);
    assert_int_equal(length, strcmp(wrong[i], ",") == 0 ? 0 : strlen(wrong[i]));
    // What stands before counts.
    expectText(&facts, "A=1");
    tileFactsDestroy(&facts);
  }
  // The length ends the text.
  TileFacts facts = {0};
  const char *at;
  size_t length;
  assert_true(tileFactsParse(&facts, "0/16,1/8", 4, &at, &length));
  expectText(&facts, "0/16");
  tileFactsDestroy(&facts);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(argumentsAreTold),       cmocka_unit_test(theFirstBindingStays),
      cmocka_unit_test(equalIsWhatSaysTheSame), cmocka_unit_test(textIsReadBack),
      cmocka_unit_test(programsAreRounded),     cmocka_unit_test(otherTextIsRefused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
