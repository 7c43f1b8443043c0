//===- Kernel.h - random kernels, in a form of their own --------*- C -*-===//
//
// What the differential fuzzer passes around: a kernel as a list of values, ops and blocks that is
// neither text nor MLIR. From here it goes three ways, which share nothing but this form:
//
//   seed -- Generate*.c --> Kernel --+-- Evaluate*.c --> what every array has to hold, and how
//                                    |                   far each element may be off
//                                    +-- Print*.c -----> .mlir -- Run.c --> arrays (CPU)
//                                    |                                  \-> arrays (GPU)
//                                    +-- Shrink.c -----> a smaller kernel that still fails
//
// A value has a type and is *exact* or not. Exact values are specified to the last bit: integers,
// IEEE arithmetic, conversions. The others (exp, sums of floats in any order, dots) are known
// within an error that the evaluator carries along with each element; the generator never lets
// them decide anything, that is, reach a comparison, an integer, a sort key or an address.
//
// What the dialect leaves undefined does not occur, or is guarded by ops that are part of the
// kernel (the evaluator finds, and the driver refuses, kernels in which it does happen):
//
//   x / 0, min / -1            divisors are made positive: (y & 127) | 1
//   shifts by the width        amounts are masked: y & (width - 1)
//   float to int out of range  has its rule: the nearest, and 0 for NaN; half of the floats are
//                              clamped by minnum and maxnum for numbers that are worth computing
//                              with
//   nsw, nuw, fastmath         never set
//   min and max of -0 and +0   maxnum, minnum: +0 is added first, which leaves no -0; maximumf and
//                              minimumf order them, as IEEE 754-2019 does
//   payloads of NaN            a bitcast sees 0 where there was a NaN; all NaNs compare equal
//   addresses                  inside their arrays, or masked off
//   stores                     no element is written twice in a launch
//
//===----------------------------------------------------------------------===//
#ifndef TILE_FUZZ_KERNEL_H
#define TILE_FUZZ_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
  MAX_RANK = 4,
  MAX_VALUES = 1500,
  MAX_OPS = 1200,
  MAX_BLOCKS = 96,
  MAX_BLOCK_OPS = 900,
  MAX_OPERANDS = 12,
  MAX_RESULTS = 4,
  MAX_BLOCK_ARGS = 8,
  MAX_PARAMETERS = 64,
  MAX_NAMES = 2,
};

typedef enum { I1, I8, I16, I32, I64, F16, BF16, F32, F64, E4M3, E5M2, PTR, NUM_ELEMENTS } Element;

static inline bool isFloat(Element e) { return e >= F16 && e <= E5M2; }
static inline bool isInt(Element e) { return e <= I64; }

/// Bits of a number, 64 of a pointer.
static inline int bitsOf(Element e) {
  static const int bits[NUM_ELEMENTS] = {1, 8, 16, 32, 64, 16, 16, 32, 64, 8, 8, 64};
  return bits[e];
}
/// Bytes in memory; an i1 is a byte.
static inline int bytesOf(Element e) { return e == I1 ? 1 : bitsOf(e) / 8; }

/// A number (rank 0), a tile, or pointers to `pointee`.
typedef struct {
  Element element, pointee;
  int rank, shape[MAX_RANK];
} Type;

static inline int countOf(const Type *t) {
  int count = 1;
  for (int d = 0; d < t->rank; ++d) count *= t->shape[d];
  return count;
}

bool sameShape(const Type *a, const Type *b);
bool sameType(const Type *a, const Type *b);
/// The type with another element.
Type withElement(Type t, Element e);
static inline Type scalarOf(Element e) { return (Type){.element = e, .pointee = I1}; }

typedef struct {
  Type type;
  bool exact;
} Value;

/// What an op computes, how it is called in the text (or nothing, where what prints it knows), what
/// prints it (Constant: printConstant, PrintOp.c) and what runs it (runConstant, Evaluate.c). Those
/// with a rule (Rules.c) go element by element. Operands; and what `attribute` says:
///
///   CONSTANT  literal: the bits of every element, or, where the attribute is set, those of element
///             i are literal + i * attribute
///   LOAD      pointer, mask or -1, other or -1
///   STORE     pointer, value, mask or -1
///   ATOMIC    pointer, value, mask or -1; the kind
///   CAS       pointer, expected, value
///   DESC_..   base, extents, strides but the last, position, a store's value; pads with NaN
///   SWIZZLE   i, j, size of i, size of j, group
///   REDUCE    regions[0]
///   SCAN      regions[0]; reverse
///   SORT      descending
///   FOR       lower, upper, step, initial values; regions[0]
///   IF        condition; both regions
///   WHILE     initial values; regions[0] asks, regions[1] works
///   CALL      of the helper regions[0], which other calls may share
///   CHECK     a condition that holds; tile.assume, else tile.assert
#define OP_KINDS(X)                                                                                \
  X(CONSTANT, "", Constant, Constant)                                                              \
  X(PROGRAM_ID, "program_id", Axis, ProgramId)                                                     \
  X(NUM_PROGRAMS, "num_programs", Axis, NumPrograms)                                               \
  X(RULE, "", Rule, Rule)                                                                          \
  X(ARANGE, "arange", Arange, Arange)                                                              \
  X(SPLAT, "splat", Shape, Splat)                                                                  \
  X(EXPAND_DIMS, "expand_dims", Shape, Move)                                                       \
  X(BROADCAST, "broadcast", Shape, Move)                                                           \
  X(RESHAPE, "reshape", Shape, Reshape)                                                            \
  X(TRANS, "trans", Shape, Move)                                                                   \
  X(JOIN, "join", Shape, Join)                                                                     \
  X(SPLIT, "split", Shape, Split)                                                                  \
  X(CAT, "cat", Shape, Cat)                                                                        \
  X(GATHER, "gather", Shape, Gather)                                                               \
  X(ADDPTR, "addptr", TwoTypes, AddPtr)                                                            \
  X(LOAD, "load", Access, Load)                                                                    \
  X(STORE, "store", Access, Store)                                                                 \
  X(ATOMIC, "", Atomic, Atomic)                                                                    \
  X(CAS, "", Cas, Cas)                                                                             \
  X(DESC_LOAD, "", Box, Box)                                                                       \
  X(DESC_STORE, "", Box, Box)                                                                      \
  X(SWIZZLE, "swizzle2d", Access, Swizzle)                                                         \
  X(DOT, "dot", Dot, Dot)                                                                          \
  X(REDUCE, "", Combine, Combine)                                                                  \
  X(SCAN, "", Combine, Combine)                                                                    \
  X(SORT, "sort", Sort, Sort)                                                                      \
  X(HISTOGRAM, "histogram", Histogram, Histogram)                                                  \
  X(RAND, "rand", TwoTypes, Rand)                                                                  \
  X(FOR, "", For, For)                                                                             \
  X(IF, "", If, If)                                                                                \
  X(WHILE, "", While, While)                                                                       \
  X(CALL, "", Call, Call)                                                                          \
  X(CHECK, "", Check, Check)

#define OP_KIND(kind, spelling, printer, runner) OP_##kind,
typedef enum { OP_KINDS(OP_KIND) } OpKind;
#undef OP_KIND

typedef struct {
  OpKind kind;
  int rule;
  int numOperands, operands[MAX_OPERANDS];
  int numResults, results[MAX_BLOCK_ARGS];
  int regions[2];
  int axis, order[MAX_RANK];
  int64_t attribute;
  uint64_t literal;
  /// Of reduce and scan: result i is rule combine[i] of the i-th elements alone, or the region has
  /// to be looked at where the first is -1.
  int combine[MAX_RESULTS];
} Op;

/// A straight list of ops and what it hands on.
typedef struct {
  int numArgs, args[MAX_BLOCK_ARGS];
  int numOps, ops[MAX_BLOCK_OPS];
  int numYields, yields[MAX_BLOCK_ARGS];
  int condition; ///< of the first region of a while
} Block;

/// What an array is for.
typedef enum {
  ROLE_INPUT,
  ROLE_OUTPUT,  ///< filled with a pattern first
  ROLE_ATOMIC,  ///< zeros or small numbers first, updated by atomics alone
  ROLE_INPLACE, ///< an input whose elements are overwritten by the program that read them
  ROLE_SCALAR,  ///< no array: a number
} Role;

/// Do stores write to it?
static inline bool isStored(Role r) { return r == ROLE_OUTPUT || r == ROLE_INPLACE; }

/// How an array is filled. The last two are integers that kernels go by, as far as the parameter's
/// literal says: any below it; and ascending ones, each less than that behind the one before.
typedef enum {
  FILL_TAME,
  FILL_SMALL_INTS,
  FILL_WILD,
  FILL_PATTERN,
  FILL_BELOW,
  FILL_STARTS,
  NUM_FILLS
} Fill;

typedef struct {
  int value;
  Role role;
  Fill fill;
  Element element;
  int64_t length; ///< elements
  int offset;     ///< how many elements the array begins after a boundary of 256 bytes
  uint64_t literal;
} Parameter;

typedef struct {
  uint64_t seed;
  int grid[3], numGrid;
  int numWarps, numStages;
  int numSplits, numCtas, numParts, numLastSplits; ///< wishes; 0: none
  bool isOld;                                      ///< compile for sm_80, which sm_90 runs as well
  /// Extents that meta-parameters stand for: in the kernel itself, where `isNamed`, and in helpers
  /// whose signatures have them, where `namesHelpers`. They are the defaults, or bound at the
  /// launch.
  int numNames, named[MAX_NAMES];
  bool isNamed, namesHelpers, isBound;
  int numValues, numOps, numBlocks, numParameters, body;
  Value values[MAX_VALUES];
  Op ops[MAX_OPS];
  Block blocks[MAX_BLOCKS];
  Parameter parameters[MAX_PARAMETERS];
} Kernel;

//===- rules: ops that go element by element ------------------------------===//

/// What the operands and the result of a rule are.
typedef enum {
  SIG_INT,        ///< integers of one type to that type
  SIG_INT_WIDE,   ///< the same, but not on i1
  SIG_FLOAT,      ///< floats of one type to that type
  SIG_CMPI,       ///< two integers to i1; attribute: predicate
  SIG_CMPF,       ///< two floats to i1; attribute: predicate
  SIG_CLASS,      ///< a float to i1
  SIG_SELECT,     ///< i1 and two of a type
  SIG_INT_UP,     ///< integer to a wider one
  SIG_INT_DOWN,   ///< integer to a narrower one
  SIG_FLOAT_UP,   ///< float to a wider one
  SIG_FLOAT_DOWN, ///< float to a narrower one
  SIG_TO_FLOAT,   ///< integer to float
  SIG_TO_INT,     ///< float to integer
  SIG_BITCAST,    ///< the same bits
  SIG_FPOWI,      ///< a float and an i32 to the float
} Signature;

/// What an operand must not be, and is kept from being (see above).
typedef enum {
  GUARD_NONE,
  GUARD_DIVISOR, ///< the second: neither 0 nor negative
  GUARD_SHIFT,   ///< the second: below the width
  GUARD_ZERO,    ///< all: no -0
  GUARD_RANGE,   ///< the first: mostly inside the result's type
  GUARD_NAN,     ///< the first: no NaN
  GUARD_POWER,   ///< the second: 0 to 7
} Guard;

typedef struct {
  const char *name;
  Signature signature;
  int arity;
  Guard guard;
  /// Of an inexact function: the most ULPs that its result in f32, and in f64, is off
  /// (docs/results/math-ulp.md); 0 for exact ones.
  double ulp, ulp64;
  /// May operands be inexact? Then the evaluator knows how their errors grow.
  bool takesInexact;
  int weight; ///< how often it is chosen
} Rule;

extern const Rule rules[];
extern const int numRules;
/// The number of a rule by name; the name exists.
int findRule(const char *name);

//===- randomness ---------------------------------------------------------===//

/// Where random numbers are.
typedef struct {
  uint64_t state;
} Random;

uint64_t nextRandom(Random *r);
/// Less than `count`, which is positive.
int pickBelow(Random *r, int count);
bool isLucky(Random *r, int percent);

//===- making, checking, printing -----------------------------------------===//

/// The kernel of a seed. Those from 2^33 on begin with loops, of products or without dots, those
/// from 2^32 with a product over sequences. Of the others one in four begins with loops, and one in
/// four of the rest with sequences. The caller owns it, and frees it.
Kernel *generateKernel(uint64_t seed);

/// Writes the kernel as a .mlir file, which the caller frees; how it is launched stands above it.
char *printKernel(const Kernel *k);

/// The values that a helper's block uses of its surroundings: a call passes them on. Returns how
/// many there are; `captures` has room for MAX_VALUES.
int findCaptures(const Kernel *k, int block, int *captures);
/// Does the op write, or an op in its regions?
bool doesWrite(const Kernel *k, const Op *op);

/// Drops ops while `fails` holds for what remains; gives up after `attempts`.
void shrinkKernel(Kernel *k, bool (*fails)(const Kernel *k, void *data), void *data, int attempts);

#endif
