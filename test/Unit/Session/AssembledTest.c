// RUN: %unit/AssembledTest
//===- AssembledTest.c - PTX that was assembled before --------------------===//
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tile/Session/Assembled.h"

static TileCacheKey keyOf(unsigned number) {
  TileCacheKey key = {{0}};
  memcpy(key.bytes, &number, sizeof number);
  return key;
}

static void keep(TileAssembled *assembled, unsigned number, const char *text) {
  const TileAssembledCode made = {{(char *)(uintptr_t)text, strlen(text)}, {.registers = 7}};
  tileAssembledKeep(assembled, keyOf(number), &made);
}

/// What is there is given as a copy, with all that is known of it; another key's is another.
static void whatIsThereIsGiven(void **state) {
  (void)state;
  TileAssembled *assembled = tileAssembledCreate();
  TileAssembledCode made;
  assert_false(tileAssembledFind(assembled, keyOf(1), &made));
  keep(assembled, 1, "one");
  keep(assembled, 1, "none"); // of nobody who was asked to
  assert_false(tileAssembledFind(assembled, keyOf(2), &made));
  for (int i = 0; i < 2; ++i) {
    assert_true(tileAssembledFind(assembled, keyOf(1), &made));
    assert_string_equal(made.code.data, "one");
    assert_int_equal(made.code.size, 3);
    assert_int_equal(made.use.registers, 7);
    tileBlobDestroy(&made.code);
  }
  tileAssembledDestroy(assembled);
}

/// Where one could not make it, the next one has to.
static void failuresAreNotKept(void **state) {
  (void)state;
  TileAssembled *assembled = tileAssembledCreate();
  TileAssembledCode made;
  for (int i = 0; i < 3; ++i) {
    assert_false(tileAssembledFind(assembled, keyOf(1), &made));
    tileAssembledKeep(assembled, keyOf(1), NULL);
  }
  tileAssembledDestroy(assembled);
}

/// What is there for longest makes room; what is under way never does.
static void oldOnesGo(void **state) {
  (void)state;
  enum { MANY = 1000 };
  TileAssembled *assembled = tileAssembledCreate();
  TileAssembledCode made;
  assert_false(tileAssembledFind(assembled, keyOf(0), &made));
  for (unsigned i = 1; i < MANY; ++i) {
    assert_false(tileAssembledFind(assembled, keyOf(i), &made));
    keep(assembled, i, "code");
  }
  keep(assembled, 0, "first");
  assert_true(tileAssembledFind(assembled, keyOf(0), &made));
  assert_string_equal(made.code.data, "first");
  tileBlobDestroy(&made.code);
  assert_true(tileAssembledFind(assembled, keyOf(MANY - 1), &made));
  tileBlobDestroy(&made.code);
  assert_false(tileAssembledFind(assembled, keyOf(1), &made));
  // All that there is room for is under way: others are made without being kept.
  for (unsigned i = MANY; i < 2 * MANY; ++i)
    assert_false(tileAssembledFind(assembled, keyOf(i), &made));
  keep(assembled, 2 * MANY - 1, "no room");
  assert_false(tileAssembledFind(assembled, keyOf(2 * MANY - 1), &made));
  tileAssembledDestroy(assembled);
}

enum { THREADS = 16, KEYS = 4 };

typedef struct Crowd {
  TileAssembled *assembled;
  atomic_int makers, right;
} Crowd;

/// The first of each key fails, all others have what the second makes.
static void *work(void *data) {
  Crowd *crowd = data;
  for (unsigned key = 0; key < KEYS; ++key) {
    TileAssembledCode made;
    while (!tileAssembledFind(crowd->assembled, keyOf(key), &made)) {
      bool fails = atomic_fetch_add(&crowd->makers, 1) % 2 == 0;
      if (fails)
        tileAssembledKeep(crowd->assembled, keyOf(key), NULL);
      else
        keep(crowd->assembled, key, "code");
    }
    atomic_fetch_add(&crowd->right, !strcmp(made.code.data, "code"));
    tileBlobDestroy(&made.code);
  }
  return NULL;
}

static void oneMakesForAll(void **state) {
  (void)state;
  Crowd crowd = {.assembled = tileAssembledCreate()};
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, work, &crowd), 0);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  assert_int_equal(crowd.right, THREADS * KEYS);
  assert_in_range(crowd.makers, KEYS, 2 * KEYS);
  tileAssembledDestroy(crowd.assembled);
}

/// Who has none makes all.
static void withoutAny(void **state) {
  (void)state;
  TileAssembledCode made;
  assert_false(tileAssembledFind(NULL, keyOf(1), &made));
  keep(NULL, 1, "code");
  tileAssembledDestroy(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whatIsThereIsGiven), cmocka_unit_test(failuresAreNotKept),
      cmocka_unit_test(oldOnesGo),          cmocka_unit_test(oneMakesForAll),
      cmocka_unit_test(withoutAny),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
