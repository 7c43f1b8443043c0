//===- Tuning.h - the key of an autotuner's launch --------------*- C -*-===//
#ifndef TILE_TRITON_TUNING_H
#define TILE_TRITON_TUNING_H

#include "Values.h"

/// make_key(arguments, named, names, places, texts): what Autotuner.run finds a configuration by,
/// a tuple: the arguments that `names` has, and of all arguments, by their place and by name, the
/// element types of those that have one, as `texts` writes them. `places` has the parameters. None
/// where an element type is not in `texts`, or anything else is not as expected.
PyObject *tuningMakeKey(PyObject *module, PyObject *given);

#endif
