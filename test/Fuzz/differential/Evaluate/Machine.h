//===- Machine.h - a kernel while it is evaluated ---------------*- C -*-===//
//
// Evaluate.c runs ops one after the other; EvaluateMemory.c has those that read and write arrays.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_FUZZ_MACHINE_H
#define TILE_FUZZ_MACHINE_H

#include "Evaluate.h"

typedef struct {
  const Kernel *k;
  Memory *memory;
  Number *values[MAX_VALUES];
  /// Of arrays that are stored to: written by now? Of those of ROLE_ATOMIC: the sum of magnitudes.
  unsigned char *written[MAX_PARAMETERS];
  double *magnitudes[MAX_PARAMETERS];
  int *updates[MAX_PARAMETERS];
  int id[3];
  int64_t steps;
  const char *problem;
} Machine;

static inline const Type *typeOf(const Machine *m, int value) { return &m->k->values[value].type; }

/// The coordinates of element `i`.
void unravel(const Type *t, int i, int at[MAX_RANK]);

/// Is element `i` of a mask true? Of -1, which is no mask, all are.
bool isOn(const Machine *m, int mask, int i);

void runAddPtr(Machine *m, const Op *op);
void runLoad(Machine *m, const Op *op);
void runStore(Machine *m, const Op *op);
void runAtomic(Machine *m, const Op *op);
void runCas(Machine *m, const Op *op);
void runBox(Machine *m, const Op *op);

/// Gives the sums that atomics made the errors that any order of theirs has.
void finishAtomics(Machine *m);

#endif
