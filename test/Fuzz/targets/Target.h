//===- Target.h - what libFuzzer's targets share ----------------*- C -*-===//
//
// A target is LLVMFuzzerTestOneInput: one input, which ends the process where something is wrong.
// Linked with clang's libFuzzer it looks for inputs that reach more of the code (make fuzz); linked
// with Replay.c it runs the files that it is given, once each, in make check.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_FUZZ_TARGET_H
#define TILE_FUZZ_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

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

#endif // TILE_FUZZ_TARGET_H
