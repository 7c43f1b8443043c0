//===- Print.h - parts of a kernel as .mlir text ----------------*- C -*-===//
//
// Print.c writes the file, its functions, and types; PrintOp.c the ops in them.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_FUZZ_PRINT_H
#define TILE_FUZZ_PRINT_H

#include "../Kernel.h"

typedef struct {
  const Kernel *k;
  FILE *out;
  int depth;
  /// What the function that is printed calls the extents k->named; NULL where it does not.
  const char *names[MAX_NAMES];
} Printer;

extern const char *const elementNames[NUM_ELEMENTS];

/// The name of an extent here; NULL where it is a number.
const char *nameOf(const Printer *p, int64_t extent);
bool hasNames(const Printer *p, const Type *t);

/// `4x?xf16, #tile.dims<[A]>`
void printBoxOf(Printer *p, const Type *t);
void printType(Printer *p, const Type *t);
void printTypeOf(Printer *p, int value);
/// Lists, separated by commas.
void printValues(Printer *p, const int *values, int count);
void printTypes(Printer *p, const int *values, int count);
void indent(Printer *p);

/// The ops of a block, a line each.
void printBlock(Printer *p, int block);
/// The block and its terminator, indented.
void printRegion(Printer *p, int block, const char *yield);

#endif
