// RUN: %unit/SuggestTest
//
// Suggest.h: the closest word is found by the mistakes that people make, and none where none is
// close.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/Support/Suggest.h"
#include <argp.h>
#include <cmocka.h>
#include <string.h>

static size_t distance(const char *a, const char *b) {
  return tileSuggestDistance(a, strlen(a), b, strlen(b));
}

static void eachMistakeCounts(void **state) {
  (void)state;
  assert_int_equal(distance("load", "load"), 0);
  assert_int_equal(distance("", "load"), 8);
  assert_int_equal(distance("laod", "load"), 2);  // swapped
  assert_int_equal(distance("lod", "load"), 2);   // left out
  assert_int_equal(distance("looad", "load"), 2); // added
  assert_int_equal(distance("lead", "load"), 2);  // changed
  assert_int_equal(distance("Load", "load"), 1);  // the other case
  assert_int_equal(distance("kitten", "sitting"), 6);
  // A pair that was swapped is not changed again: the restricted distance.
  assert_int_equal(distance("ca", "abc"), 6);
}

static const char *suggest(const char *found, const char *const *words) {
  static TileSuggestion s;
  s = tileSuggestionFor(found, strlen(found));
  for (; *words; ++words) tileSuggestionOffer(&s, *words, strlen(*words));
  return tileSuggestionGet(&s);
}

static void theClosestIsTaken(void **state) {
  (void)state;
  static const char *const words[] = {"BLOCK_M", "BLOCK", "GROUP", "x", "num_warps", NULL};
  assert_string_equal(suggest("BLOK", words), "BLOCK");
  assert_string_equal(suggest("block", words), "BLOCK");
  assert_string_equal(suggest("BLOCKM", words), "BLOCK_M");
  assert_string_equal(suggest("num_wraps", words), "num_warps");
  assert_string_equal(suggest("X", words), "x");
  assert_null(suggest("y", words));
  assert_null(suggest("STAGES", words));
  assert_null(suggest("", words));
}

static void longWordsAreLeftAlone(void **state) {
  (void)state;
  char text[2 * TILE_SUGGEST_MAX];
  memset(text, 'a', sizeof text);
  TileSuggestion s = tileSuggestionFor(text, TILE_SUGGEST_MAX + 1);
  tileSuggestionOffer(&s, text, TILE_SUGGEST_MAX);
  assert_null(tileSuggestionGet(&s));
  s = tileSuggestionFor(text, TILE_SUGGEST_MAX - 1);
  tileSuggestionOffer(&s, text, TILE_SUGGEST_MAX);
  assert_int_equal(strlen(tileSuggestionGet(&s)), TILE_SUGGEST_MAX);
}

static void optionsAreFound(void **state) {
  (void)state;
  static const struct argp_option own[] = {{"kernel", 'k', "NAME", 0, "", 0}, {0}};
  static const struct argp_option more[] = {{"sweep", 1, "S", 0, "", 0}, {0}};
  static const struct argp below = {.options = more};
  static const struct argp_child children[] = {{&below, 0, NULL, 0}, {0}};
  static const struct argp parser = {.options = own, .children = children};
  TileSuggestion s;
  char *good[] = {"x", "--kern=a", "--sweep", "n", "--version", "-o", "--", "--sweeep"};
  assert_null(tileSuggestOption(&parser, 8, good, &s));
  char *bad[] = {"x", "--hlep"};
  assert_string_equal(tileSuggestOption(&parser, 2, bad, &s), "--hlep");
  assert_string_equal(tileSuggestionGet(&s), "help");
  char *child[] = {"x", "--swep=n=1"};
  assert_string_equal(tileSuggestOption(&parser, 2, child, &s), "--swep=n=1");
  assert_string_equal(tileSuggestionGet(&s), "sweep");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eachMistakeCounts),
      cmocka_unit_test(theClosestIsTaken),
      cmocka_unit_test(longWordsAreLeftAlone),
      cmocka_unit_test(optionsAreFound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
