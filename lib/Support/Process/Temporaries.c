//===- Temporaries.c - files that must not outlive the process ------------===//
#include "tile/Support/Process.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CAPACITY = 64 };

/// The state of a process, not of a compilation: a signal handler has nowhere else to look.
static _Atomic(char *) noted[CAPACITY];

int tileTemporaryNote(const char *path) {
  char *copy = strdup(path);
  for (int i = 0; copy && i < CAPACITY; ++i) {
    char *none = NULL;
    if (atomic_compare_exchange_strong(&noted[i], &none, copy)) return i;
  }
  free(copy);
  return -1;
}

void tileTemporaryForget(int slot) {
  // Whoever takes the path out of its slot has it to himself: a handler that runs meanwhile leaks
  // it, in a process that is about to end.
  if (slot >= 0) free(atomic_exchange(&noted[slot], NULL));
}

void tileTemporariesRemove(void) {
  int reason = errno;
  for (int i = CAPACITY; i-- > 0;) {
    const char *path = atomic_exchange(&noted[i], NULL);
    if (path && unlink(path) != 0) rmdir(path);
  }
  errno = reason;
}

bool tileTemporaryMakeFolder(char *path, size_t size) {
  const char *base = getenv("TMPDIR");
  if (!base || !*base) base = "/tmp";
  int length = snprintf(path, size, "%s/tile-XXXXXX", base);
  return length > 0 && (size_t)length < size && mkdtemp(path);
}
