//===- RandomKernel.h - random tile kernels, and what they compute --------===//
//
// Writes kernels of integer and pointer tiles as MLIR text and, while doing so, runs them by a
// small interpreter on several sets of arguments. An op whose result arith leaves undefined on any
// set is not written. For tests that hold claims of the compiler against values.
//
// Each op's location names the node of its first result; nodes 0 to 5 are the arguments.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_RANDOM_KERNEL_H
#define TILE_TEST_RANDOM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRIALS = 6, MAX_ELEMENTS = 256, MAX_NODES = 96, OPS = 44 };

/// A value of the program: its type, its name %v<i>, and its elements in every trial.
typedef struct {
  int rank, width; // width 0: pointer
  int64_t extents[3];
  int unit; // bytes pointed at
  int64_t values[TRIALS][MAX_ELEMENTS];
} Node;

typedef struct {
  Node nodes[MAX_NODES];
  int count;
  char text[1 << 16];
  size_t length;
  uint64_t random;
} Program;

/// Writes the kernel of the seed p->random over whatever p holds.
void generate(Program *p);

//===- Program.c ----------------------------------------------------------===//

uint64_t randomBits(Program *p);
/// Less than `n`, which is positive.
int below(Program *p, int n);
/// Appends to the text; a text that is full aborts: OPS is too many.
void put(Program *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// The MLIR type of a node, into `text`, which is returned.
const char *typeText(const Node *n, char text[96]);
int64_t elementsOf(const Node *n);
bool sameShape(const Node *a, const Node *b);
/// A node of the shape of `like`, or a scalar where that is NULL; not yet part of the program.
Node *fresh(Program *p, const Node *like, int width);
/// Some node's number.
int pick(Program *p);
/// The number of a second operand of `a`'s type, or -1.
int partner(Program *p, int a);

//===- Interpret.c --------------------------------------------------------===//

enum { NUM_BINARIES = 20 };
/// Names of arith's ops on two integers, and of the predicates of cmpi, by number.
extern const char *const binaries[NUM_BINARIES], *const predicates[10];

/// `value` modulo 2^width, as nodes hold it: signed, of i1 0 or 1.
int64_t narrow(int64_t value, int width);
uint64_t asUnsigned(int64_t value, int width);
int64_t asSigned(int64_t value, int width);
bool is(const char *a, const char *b);
/// One op on two numbers; false where its result is undefined.
bool interpret(const char *op, int width, int64_t a, int64_t b, int64_t *result);
int64_t compare(int predicate, int width, int64_t a, int64_t b);

//===- the kinds of ops ---------------------------------------------------===//
//
// Each tries to write one op on random operands; false where these do not suit it. Numbers.c,
// Shapes.c, Control.c.

/// A number that people write: small, a power of two, or an end of the type.
int64_t interesting(Program *p, int width);

bool addConstant(Program *p);
bool addAlignedRun(Program *p);
bool addBinary(Program *p);
bool addPicture(Program *p);
bool addCompare(Program *p);
bool addSelect(Program *p);
bool addCast(Program *p);
bool addArange(Program *p);
bool addSplat(Program *p);
bool addExpandDims(Program *p);
bool addBroadcast(Program *p);
bool addReshape(Program *p);
bool addTrans(Program *p);
bool addJoin(Program *p);
bool addSplit(Program *p);
bool addCat(Program *p);
bool addPointers(Program *p);
bool addLoop(Program *p);
bool addIf(Program *p);

#endif
