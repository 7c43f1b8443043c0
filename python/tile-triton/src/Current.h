//===- Current.h - what a launch asks Triton's driver and knobs -*- C -*-===//
//
// Anew at each launch: other programs' drivers, devices and hooks come and go.
//===----------------------------------------------------------------------===//
#ifndef TILE_TRITON_CURRENT_H
#define TILE_TRITON_CURRENT_H

#include "Native.h"

/// In front of all else; false with an exception.
bool currentStart(void);

/// The driver that is active, a new reference; NULL where none is yet, without an exception.
PyObject *currentGetDriver(PyObject *config);

/// The device that is current; a new reference, NULL with an exception. torch asks in Python
/// whether it may be asked, each time: in a process that has launched, and is no child of one, it
/// may. `known` is (torch's function, what that ends in).
PyObject *currentAskDevice(PyObject *driver, PyObject *known, bool hasLaunched);

/// The stream that is current on a device, as the two above.
PyObject *currentAskStream(PyObject *driver, PyObject *device);

/// Whether nothing looks on at launches: `knobs` is Triton's module of them.
bool currentHasNoHooks(PyObject *knobs);

#endif
