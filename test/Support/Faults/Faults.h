//===- Faults.h - calls of the C library that fail, each in turn -*- C -*-===//
//
// What SQLite's tests do (sqlite.org/testing.html, "Out-Of-Memory Testing", "I/O Error Testing"): a
// piece of work is done again and again, the nth call that can fail failing, for n = 1, 2, .. until
// the work comes to its end before that. Calls that fail are those for memory, descriptors, files
// and threads that our objects make (the linker's --wrap; the list stands in test/CMakeLists.txt)
// and SQLite makes (by its own tables of functions). Each n is tried twice: the nth call alone
// fails, or all from the nth on.
//
// The work is done by a child process, which has to end in one of three ways:
//
//   done       the work's result is right, whatever failed
//   refused    with a message
//   ended      by tileRuntimeAlloc, which says so: the one way in which the runtime gives up
//
// and has to free and to close what it took. Then the parent looks at what is left on disk.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_FAULTS_H
#define TILE_TEST_FAULTS_H

#include "tile/Runtime/Error.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum FaultOutcome { FAULT_DONE, FAULT_REFUSED, FAULT_ENDED, FAULT_OUTCOMES } FaultOutcome;

/// Some work. `prepare` and `verify` run in the parent, before and after each run, and assert;
/// NULL for nothing to do. `act` runs in a child: false where it failed, with a message in `error`.
/// What it gets right or wrong it tells by faultsWrong.
typedef struct FaultWork {
  const char *name;
  void (*prepare)(void);
  bool (*act)(TileError *error);
  void (*verify)(FaultOutcome outcome);
} FaultWork;

/// Does the work with each call failing in turn; a cmocka failure where it ends in another way.
/// At least `least` calls have to be there, so that a test that fails nothing is noticed. With
/// FAULTS_STEP=N in the environment, every Nth call is tried, from FAULTS_FIRST on; with
/// FAULTS_VERBOSE each is told, with what the child said.
void faultsTry(const FaultWork *work, uint64_t least);

/// In a parent's `verify`: did all calls fail from the nth on?
bool faultsStayed(void);
/// In a child: calls do not fail between Pause and Resume, so that results can be looked at.
void faultsPause(void);
void faultsResume(void);
/// In a child: what was done is wrong. Returns false.
bool faultsWrong(const char *what);

/// Makes SQLite's calls fail, too. Before its first use.
void faultsTakeSqlite(void);

#endif // TILE_TEST_FAULTS_H
