//===- Sensors.h - clocks and temperatures, and who drives the device -----===//
//
// What a measurement should be read beside: clocks and temperature before and after it. A GPU's
// come from NVIDIA's management library, opened at run time ($TILE_NVML if set, else
// libnvidia-ml.so.1); the CPU's from what Linux shows under /sys and /proc. Whatever is not to be
// had is left unknown and is never an error. Nothing here changes a setting.
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_SENSORS_H
#define TILE_RUNTIME_SENSORS_H

#include "tile/Runtime/Driver.h"

#ifdef __cplusplus
extern "C" {
#endif

/// 0 is unknown, in each.
typedef struct TileSensorReading {
  /// Of the multiprocessors, or of the CPU's cores on average; of the memory.
  double clockMHz, memoryClockMHz;
  double celsius, watts;
} TileSensorReading;

typedef struct TileSensors TileSensors;

/// Sensors of a device, or of the CPU for NULL. Never fails: there may be none to read.
TileSensors *tileSensorsCreate(const TileDevice *device);
void tileSensorsDestroy(TileSensors *sensors);

TileSensorReading tileSensorsRead(const TileSensors *sensors);

/// The version of the kernel driver, as "580.65.06"; "" when unknown. Borrowed.
const char *tileSensorsGetDriverVersion(const TileSensors *sensors);

/// The highest clocks the device can have, 0 when unknown. Memory moves data twice a cycle of it.
TileSensorReading tileSensorsGetMaximum(const TileSensors *sensors);

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_SENSORS_H
