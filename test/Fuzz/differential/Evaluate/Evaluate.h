//===- Evaluate.h - what a kernel computes, one number at a time *- C -*-===//
//
// Runs a kernel as its definition reads: program after program, op after op, element after element.
// It knows no MLIR and shares no line with the compiler.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_FUZZ_EVALUATE_H
#define TILE_FUZZ_EVALUATE_H

#include "../Kernel.h"

/// The bits of an element, and how far a correct result may be from them: 0, the bits are the
/// result (any NaN for a NaN, either zero for an inexact one); infinity, anything is right.
typedef struct {
  uint64_t bits;
  double error;
} Number;

/// Arrays of a kernel, one for each parameter; NULL for those that are scalars.
typedef struct {
  Number *arrays[MAX_PARAMETERS];
} Memory;

/// What the arrays hold before the launch; depends on the kernel alone. The caller destroys it.
void fillMemory(const Kernel *k, Memory *m);
void destroyMemory(Memory *m);

/// Runs all programs on `m`. NULL, or what the kernel does that is not defined: such a kernel has
/// no result to compare with.
const char *evaluateKernel(const Kernel *k, Memory *m);

/// Is `got` a right result where `want` was computed? `exact`: the static promise.
bool isClose(Element e, Number want, uint64_t got);

//===- parts --------------------------------------------------------------===//

/// A rule, looked up once for all elements.
typedef struct {
  const Rule *rule;
  int code;
  Element from, to; ///< of the first number that is an operand, and of the result
  int64_t attribute;
  double (*narrow)(double);
  long double (*wide)(long double);
} Step;

Step prepareStep(int rule, int64_t attribute, Element from, Element to);
/// The rule on one element. Sets `*problem` where it has no result.
Number applyStep(const Step *s, const Number *x, const char **problem);

/// sum or product of `count` numbers in any order.
Number foldFloats(Element e, bool isProduct, const Number *x, int count, int stride);

/// A float, decoded; of an integer its value.
typedef struct {
  double x, error;
} Decoded;

void decode(Element e, const Number *from, int count, Decoded *to);

/// acc + sum of a[i] * b[i * stride], elements of type `of`.
Number multiplyAccumulate(Element of, Element accElement, Number acc, const Decoded *a,
                          const Decoded *b, int stride, int count);

/// The numbers 0 .. count - 1 in the order of the keys.
void sortLine(Element e, bool descending, const Number *keys, int stride, int count, int *order);

/// The bits of tile.rand as an f32.
uint64_t philox(uint64_t seed, uint32_t offset);

#endif
