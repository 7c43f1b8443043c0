//===- Target.h - what libFuzzer's targets share ----------------*- C -*-===//
//
// A target is LLVMFuzzerTestOneInput: one input, which ends the process where something is wrong.
// Linked with clang's libFuzzer it looks for inputs that reach more of the code (make fuzz); linked
// with Replay.c it runs the files that it is given, once each, in make check.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_FUZZ_TARGET_H
#define TILE_FUZZ_TARGET_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/// libFuzzer's interface (llvm.org/docs/LibFuzzer.html).
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed);

/// Ends the process where `holds` is false: the input is one that gets past a promise.
static inline void expect(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "error: expected %s, found none\n", what);
  abort();
}

/// What is written to stdout is of no interest from now on; libFuzzer speaks on stderr.
static inline void silenceOutput(void) {
  int nowhere = open("/dev/null", O_WRONLY);
  expect(nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0, "/dev/null");
  close(nowhere);
}

/// Makes the input what an editor sends: standard input, from its begin on. The option by which a
/// language server reads it: messages with their lengths before them, or (as tests have them) lines
/// of dashes between.
static inline const char *beginSession(const uint8_t *data, size_t size) {
  int input = memfd_create("session", MFD_CLOEXEC);
  expect(input >= 0 && write(input, data, size) == (ssize_t)size, "room for the input");
  lseek(input, 0, SEEK_SET);
  dup2(input, STDIN_FILENO);
  close(input);
  bool framed = size > 8 && !memcmp(data, "Content-", 8);
  return framed ? "--input-style=standard" : "--input-style=delimited";
}

#endif // TILE_FUZZ_TARGET_H
