//===- Tensors.h - what a launch asks of a tensor, without Python ---------===//
//
// Its address by data_ptr() and the memory that it is in by is_cpu are a call and an attribute in
// Python for each argument of each launch. Types that have C functions for it (torch's, from 2.10
// on) and were made known here are looked at by these.
//===----------------------------------------------------------------------===//
#ifndef TILE_TRITON_TENSORS_H
#define TILE_TRITON_TENSORS_H

#include "Values.h"

typedef struct TensorFacts {
  uint64_t address;
  /// A number for each element type, and DLPack's for the kind of memory.
  uint32_t type, memory;
} TensorFacts;

/// Looks at tensors of the type `type` alone, not of types that are made of it, by its own C
/// functions from now on, where it has any. Types stay known as long as the process lives. False
/// where there is no room.
bool tensorsLearn(PyObject *type);

/// False without an exception where `object` is not of a known type, or says nothing.
bool tensorsLook(PyObject *object, TensorFacts *facts);

/// Is it the processor's memory, and not pinned?
bool tensorsIsOnProcessor(TensorFacts facts);

#endif
