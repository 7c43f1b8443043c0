// RUN: %unit/StatementTest
//
// Source.h: the statement around a place, in text that need not be right.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/Support/Source.h"
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "!t = tensor<4x\n"
                           "    f32>\n"
                           "tile.func @one(%x: i32)\n"
                           "    meta {\n"
                           "      BM = 4\n"
                           "    } {\n"
                           "  // a comment, with %brackets {{{\n"
                           "  %a, %b:2 = tile.one \"} {\" : i32\n"
                           "  %r = scf.for %i = %x to %a\n"
                           "      iter_args(%s = %b) {\n"
                           "    tile.inner %i\n"
                           "  } else {\n"
                           "    tile.other %i\n"
                           "  }\n"
                           "  ^bb1:\n"
                           "  tile.return\n"
                           "}\n"
                           "tile.func @two() {\n"
                           "}\n";

/// The statement around the first `word`, cut at its first line's end; "" where there is none.
static const char *around(const char *word, TileStatement *s) {
  static char line[80];
  size_t offset = (size_t)(strstr(text, word) - text);
  if (!tileStatementFind(text, strlen(text), offset, s)) return "";
  snprintf(line, sizeof line, "%.*s", (int)strcspn(text + s->begin, "\n"), text + s->begin);
  return line;
}

static char lastOf(const TileStatement *s) { return text[s->end - 1]; }

static void statementsAreFound(void **state) {
  (void)state;
  TileStatement s;
  assert_string_equal(around("f32>", &s), "!t = tensor<4x");
  assert_int_equal(lastOf(&s), '>');
  assert_string_equal(around("one(", &s), "tile.func @one(%x: i32)");
  assert_int_equal(lastOf(&s), '}');
  assert_memory_equal(text + s.end, "\ntile.func @two", 15);
  // A dictionary's entry is no statement.
  assert_string_equal(around("BM =", &s), "tile.func @one(%x: i32)");
  assert_string_equal(around("tile.one", &s), "%a, %b:2 = tile.one \"} {\" : i32");
  assert_memory_equal(text + s.op, "tile.one", 8);
  assert_memory_equal(text + s.outermost, "tile.func @one", 14);
  assert_memory_equal(text + s.end, "\n  %r", 5);
  assert_string_equal(around("iter_args", &s), "%r = scf.for %i = %x to %a");
  assert_memory_equal(text + s.op, "scf.for", 7);
  assert_memory_equal(text + s.end, "\n  ^bb1", 7);
  assert_string_equal(around("inner", &s), "tile.inner %i");
  assert_memory_equal(text + s.end, "\n  } else", 9);
  assert_string_equal(around("other", &s), "tile.other %i");
  assert_string_equal(around("tile.return", &s), "tile.return");
  assert_string_equal(around("two", &s), "tile.func @two() {");
}

static void labelsAndTheEndAreNone(void **state) {
  (void)state;
  TileStatement s;
  assert_string_equal(around("^bb1", &s), "");
  assert_false(tileStatementFind(text, strlen(text), strlen(text), &s));
  static const char *const broken[] = {"a.b {\n  c.d\n", "a.b )\nc.d", "a.b {\n  c.d ]\n}\ne.f"};
  for (int i = 0; i < 3; ++i)
    assert_false(tileStatementFind(broken[i], strlen(broken[i]), strlen(broken[i]) - 1, &s));
  assert_false(tileStatementFind("  {", 3, 1, &s));
}

static void namesAreRead(void **state) {
  (void)state;
  TileStatement s;
  const char *name;
  around("tile.one", &s);
  size_t at = s.begin;
  assert_int_equal(tileStatementNextName(text, &s, &at, &name), 2);
  assert_memory_equal(name, "%a", 2);
  assert_int_equal(tileStatementNextName(text, &s, &at, &name), 2);
  assert_memory_equal(name, "%b", 2);
  assert_int_equal(tileStatementNextName(text, &s, &at, &name), 0);
  around("f32>", &s);
  at = s.begin;
  assert_int_equal(tileStatementNextName(text, &s, &at, &name), 2);
  assert_memory_equal(name, "!t", 2);
  assert_int_equal(tileStatementNextName(text, &s, &at, &name), 0);
}

/// A word that somebody types: what is left of the text from there on.
static const char *begun(const char *line, size_t offset) {
  return line + tileWordFind(line, offset);
}

static void begunWordsAreFound(void **state) {
  (void)state;
  assert_string_equal(begun("tile.lo", 7), "lo");
  assert_string_equal(begun("tile.", 5), "");
  assert_string_equal(begun("  arith", 7), "arith");
  assert_string_equal(begun("!row", 3), "row");
  assert_string_equal(begun("<4x16xf>", 7), "f>");
  assert_string_equal(begun("<?xi1", 4), "i1");
  assert_string_equal(begun("<?x?x!tile.p", 12), "p");
  assert_string_equal(begun("<4x", 3), "");
  assert_string_equal(begun("xor", 2), "xor");
  assert_string_equal(begun(" 4", 2), "4");
  assert_int_equal(tileWordFindEnd("load %x", 7, 2), 4);
  assert_int_equal(tileWordFindEnd("load", 4, 4), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(statementsAreFound),
      cmocka_unit_test(labelsAndTheEndAreNone),
      cmocka_unit_test(namesAreRead),
      cmocka_unit_test(begunWordsAreFound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
