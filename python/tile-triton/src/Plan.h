//===- Plan.h - Python values as a kernel's arguments ---------------------===//
//
// Triton writes a kernel's parameters as strings ("*fp32", "i32", "constexpr"), tuples of these for
// parameters that are tuples. They are parsed once into a plan, which then takes the arguments of
// each launch to values of tile.h:
//
//   ("*fp32", ("i32", "constexpr"), "tensordesc<fp16[64, 64]>")      signature
//   (tensor, (7, None), descriptor)                                  arguments of a launch
//   [data_ptr, 7, base, rows, columns, pitch, ..]                    what tile launches
//
// A descriptor becomes what tile makes it of (base, extents, all strides but the last), and behind
// that its extents and strides once more, which are arguments of their own in TTIR.
//===----------------------------------------------------------------------===//
#ifndef TILE_TRITON_ARGUMENTS_H
#define TILE_TRITON_ARGUMENTS_H

#include "Values.h"
#include "Variants.h"

typedef struct Plan Plan;

/// Of an array's memory: elements at its address and behind it, and before it.
typedef struct PlanElements {
  size_t count, before;
} PlanElements;

/// Of the signature's types, a tuple. NULL with an exception.
Plan *planCreate(PyObject *signature);
/// NULL is allowed.
void planDestroy(Plan *plan);

/// How many values a launch has.
size_t planGetNumValues(const Plan *plan);

/// Of a descriptor the last extent and the strides are looked at: what a box stores ends there, and
/// rows begin at multiples of them.
VariantsRule planGetRule(const Plan *plan);

/// Packs the `count` arguments of a launch. `elements`, which may be NULL: for each value that is
/// an array, how many elements its memory has, which only tensors can tell. `forGpu`: memory that a
/// GPU cannot reach is a ValueError. False with an exception.
bool planPack(const Plan *plan, PyObject *const *arguments, Py_ssize_t count, bool forGpu,
              tile_value *values, PlanElements *elements);

/// The same of a tuple; memory may be anywhere.
bool planPackTuple(const Plan *plan, PyObject *arguments, tile_value *values);

#endif
