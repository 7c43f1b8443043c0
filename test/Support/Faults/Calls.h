//===- Calls.h - the calls that fail, and those who ask for it --*- C -*-===//
#ifndef TILE_TEST_CALLS_H
#define TILE_TEST_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/// Begins to count calls; the `at`th fails, and all after it where that `stays`. 0: none does.
void callsArm(uint64_t at, bool stays);
/// Ends that; how many calls were made, and the name of the first that failed, or NULL.
uint64_t callsDisarm(const char **failed);
/// Blocks of memory that were taken and not freed while calls were counted.
int64_t callsGetLive(void);
/// A call of this name is made: does it fail? Counts it.
bool callFails(const char *name);
/// Without counting and failing, until the other is called.
void callsPause(void);
void callsResume(void);

#endif // TILE_TEST_CALLS_H
