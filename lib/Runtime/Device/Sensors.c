//===- Sensors.c - clocks and temperatures --------------------------------===//
//
// Names and numbers of the management library are those of NVIDIA's NVML reference.
//===----------------------------------------------------------------------===//
#include "tile/Runtime/Sensors.h"
#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2, NVML_TEMPERATURE_GPU = 0 };

/// X(field, symbol, parameters)
#define TILE_NVML(X)                                                                               \
  X(init, "nvmlInit_v2", (void))                                                                   \
  X(shutdown, "nvmlShutdown", (void))                                                              \
  X(findDevice, "nvmlDeviceGetHandleByPciBusId_v2", (const char *, void **))                       \
  X(getVersion, "nvmlSystemGetDriverVersion", (char *, unsigned))                                  \
  X(clock, "nvmlDeviceGetClockInfo", (void *, int, unsigned *))                                    \
  X(maxClock, "nvmlDeviceGetMaxClockInfo", (void *, int, unsigned *))                              \
  X(temperature, "nvmlDeviceGetTemperature", (void *, int, unsigned *))                            \
  X(power, "nvmlDeviceGetPowerUsage", (void *, unsigned *))

struct TileSensors {
  /// The management library, NULL without one or for the CPU.
  void *library;
  void *device;
  bool cpu;
  char version[80];
#define TILE_NVML_FIELD(field, symbol, parameters) int(*field) parameters; // NOLINT
  TILE_NVML(TILE_NVML_FIELD)
#undef TILE_NVML_FIELD
};

static bool findSymbols(TileSensors *s) {
  void *address;
  bool all = true;
#define TILE_NVML_FIND(field, symbol, parameters)                                                  \
  address = dlsym(s->library, symbol);                                                             \
  memcpy(&s->field, &address, sizeof address);                                                     \
  all &= address != NULL;
  TILE_NVML(TILE_NVML_FIND)
#undef TILE_NVML_FIND
  return all;
}

static void openLibrary(TileSensors *s, const TileDevice *device) {
  const char *path = getenv("TILE_NVML");
  char address[32];
  if (!tileDeviceGetPciAddress(device, address, sizeof address, NULL)) return;
  s->library = dlopen(path && *path ? path : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!s->library) return;
  bool open = findSymbols(s) && s->init() == 0;
  if (open && s->findDevice(address, &s->device) == 0) {
    if (s->getVersion(s->version, sizeof s->version) != 0) s->version[0] = 0;
    return;
  }
  if (open) s->shutdown();
  dlclose(s->library);
  s->library = NULL;
}

TileSensors *tileSensorsCreate(const TileDevice *device) {
  TileSensors *s = tileRuntimeAlloc(sizeof *s);
  s->cpu = !device;
  if (device) openLibrary(s, device);
  return s;
}

void tileSensorsDestroy(TileSensors *s) {
  if (!s) return;
  if (s->library) {
    s->shutdown();
    dlclose(s->library);
  }
  free(s);
}

const char *tileSensorsGetDriverVersion(const TileSensors *s) { return s->version; }

//===- the CPU ------------------------------------------------------------===//

/// The mean of "cpu MHz" over the processors of /proc/cpuinfo.
static double readCpuMHz(void) {
  FILE *file = fopen("/proc/cpuinfo", "r");
  if (!file) return 0;
  char line[512];
  double sum = 0;
  int count = 0;
  while (fgets(line, sizeof line, file)) {
    const char *colon = strchr(line, ':');
    if (!colon || strncmp(line, "cpu MHz", 7) != 0) continue;
    sum += strtod(colon + 1, NULL);
    ++count;
  }
  fclose(file);
  return count ? sum / count : 0;
}

/// The hottest of Linux's thermal zones.
static double readCpuCelsius(void) {
  glob_t zones;
  double hottest = 0;
  if (glob("/sys/class/thermal/thermal_zone*/temp", 0, NULL, &zones)) return 0;
  for (size_t i = 0; i < zones.gl_pathc; ++i) {
    FILE *file = fopen(zones.gl_pathv[i], "r");
    if (!file) continue;
    char line[64];
    double celsius = fgets(line, sizeof line, file) ? strtod(line, NULL) * 1e-3 : 0;
    if (celsius > hottest) hottest = celsius;
    fclose(file);
  }
  globfree(&zones);
  return hottest;
}

//===- readings -----------------------------------------------------------===//

static double readClock(int (*get)(void *, int, unsigned *), void *device, int which) {
  unsigned value = 0;
  return get(device, which, &value) == 0 ? (double)value : 0;
}

TileSensorReading tileSensorsRead(const TileSensors *s) {
  if (s->cpu) return (TileSensorReading){.clockMHz = readCpuMHz(), .celsius = readCpuCelsius()};
  if (!s->library) return (TileSensorReading){0};
  unsigned milliwatts = 0;
  TileSensorReading reading = {
      .clockMHz = readClock(s->clock, s->device, NVML_CLOCK_SM),
      .memoryClockMHz = readClock(s->clock, s->device, NVML_CLOCK_MEMORY),
      .celsius = readClock(s->temperature, s->device, NVML_TEMPERATURE_GPU),
  };
  if (s->power(s->device, &milliwatts) == 0) reading.watts = milliwatts * 1e-3;
  return reading;
}

TileSensorReading tileSensorsGetMaximum(const TileSensors *s) {
  if (!s->library) return (TileSensorReading){0};
  return (TileSensorReading){
      .clockMHz = readClock(s->maxClock, s->device, NVML_CLOCK_SM),
      .memoryClockMHz = readClock(s->maxClock, s->device, NVML_CLOCK_MEMORY),
  };
}
