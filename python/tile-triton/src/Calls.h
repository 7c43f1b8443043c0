//===- Calls.h - what arguments of a launch say to Triton -------*- C -*-===//
//
// A function's parameters, the arguments of one call, bound to them, and of which kind these are:
// calls of a kind are one to Triton (Front.c).
//===----------------------------------------------------------------------===//
#ifndef TILE_TRITON_CALLS_H
#define TILE_TRITON_CALLS_H

#include "Native.h"

enum {
  CALLS_MOST_PARAMETERS = 96,
  CALLS_MOST_OPTIONS = 8,
  CALLS_MOST_GIVEN = 256,
};

/// The parameters of a function.
typedef struct Signature Signature;

/// Of ((name, is constexpr), or (name, is constexpr, default), ..). Values of one of `types`, a
/// tuple of types, are constants that never change, and equal where they are one; `descriptor` is
/// the type of descriptors. NULL where there are too many, without an exception; or with one.
Signature *signatureCreate(PyObject *parameters, PyObject *types, PyObject *descriptor);
/// NULL is allowed.
void signatureDestroy(Signature *signature);

unsigned signatureGetCount(const Signature *signature);

/// Arguments as they were written: `count` by their place, and `numNamed` by name behind these.
typedef struct Given {
  PyObject *const *arguments;
  PyObject **names;
  Py_ssize_t count, numNamed;
} Given;

/// Arguments of all parameters, and options behind them. Nothing is owned.
typedef struct Call {
  PyObject *values[CALLS_MOST_PARAMETERS + CALLS_MOST_OPTIONS];
  PyObject *options[CALLS_MOST_OPTIONS];
  /// What is said of each value. Of a constant that has an object here, that as well.
  uint64_t codes[CALLS_MOST_PARAMETERS + CALLS_MOST_OPTIONS];
  PyObject *constants[CALLS_MOST_PARAMETERS + CALLS_MOST_OPTIONS];
  /// Of a descriptor its box.
  uint64_t boxes[CALLS_MOST_PARAMETERS + CALLS_MOST_OPTIONS];
  unsigned count, numOptions;
} Call;

/// False without an exception where something about it is not known here, or wrong.
bool callRead(const Signature *signature, const Given *given, Call *call);

/// The arguments by their parameters' names, a new dictionary; NULL with an exception.
PyObject *callBind(const Signature *signature, const Call *call);

/// Of which kind a call is, kept.
typedef struct Kind Kind;

/// NULL where memory is out.
Kind *kindCreate(const Call *call);
void kindDestroy(Kind *kind);
bool kindIsOf(const Kind *kind, const Call *call);

#endif
