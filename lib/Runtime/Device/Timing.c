//===- Timing.c - measuring repetitions -----------------------------------===//
#include "tile/Runtime/Timing.h"
#include "tile/Runtime/Steady.h"
#include <stdlib.h>
#include <string.h>

enum {
  MIN_SAMPLES = 5,
  MIN_SAMPLES_CPU = 3,
  MAX_SAMPLES = 300,
  MIN_FILLED = 4,
  MAX_FILLED = 4000,
  MAX_HOST_SAMPLES = 100, ///< A stream holds a thousand launches before it makes the host wait.
  MAX_WINDOW = 1024,
};

/// What work must take to change the clocks, and a window of times while it settles.
static const double longFrom = 50e-6, windowSeconds = 0.025;

typedef struct Run {
  TileDevice *device;
  TileTimedWork work;
  void *context;
  TileTimingOptions options;
  TileEvent *start, *stop;
  /// NULL while repetitions are given to the stream one by one.
  TileGraph *graph;
} Run;

static bool isStopped(const Run *run) { return run->options.stop && *run->options.stop; }

static void append(double **samples, size_t *count, double value) {
  // Doubles at each power of two, the only sizes it has room for.
  if (!(*count & (*count - 1))) {
    double *grown = tileRuntimeAlloc((*count ? 2 * *count : 1) * sizeof *grown);
    if (*count) memcpy(grown, *samples, *count * sizeof *grown);
    free(*samples);
    *samples = grown;
  }
  (*samples)[(*count)++] = value;
}

/// How many of `each` seconds fit into `seconds`, within bounds.
static size_t howMany(double seconds, double each, size_t least, size_t most) {
  double fit = seconds / (each + 1e-9);
  return fit<(double)least ? least : fit>(double) most ? most : (size_t)fit;
}

//===- one repetition -----------------------------------------------------===//

static bool giveRepetition(const Run *run, bool (*record)(TileEvent *, TileError *),
                           TileError *error) {
  return tileDeviceFlushL2(run->device, NULL, error) && record(run->start, error) &&
         run->work(run->context, error) && record(run->stop, error);
}

static bool recordOnStream(TileEvent *event, TileError *error) {
  return tileEventRecord(event, NULL, error);
}

static bool repeatOnce(const Run *run, double *seconds, TileError *error) {
  if (!run->device) {
    double begin = tileClockGetSeconds();
    bool ok = run->work(run->context, error);
    *seconds = tileClockGetSeconds() - begin;
    return ok;
  }
  double milliseconds = 0;
  bool given =
      run->graph ? tileGraphLaunch(run->graph, error) : giveRepetition(run, recordOnStream, error);
  bool ok = given && tileEventGetElapsed(run->start, run->stop, &milliseconds, error);
  *seconds = milliseconds * 1e-3;
  return ok;
}

/// Records a repetition. A failure leaves none, and `run` measures without.
static bool recordGraph(Run *run, TileError *error) {
  if (!tileGraphBegin(run->device, error)) return false;
  bool recorded = giveRepetition(run, tileGraphRecordEvent, error);
  run->graph = tileGraphEnd(run->device, recorded ? error : NULL);
  if (recorded || !run->graph) return run->graph;
  tileGraphDestroy(run->graph);
  run->graph = NULL;
  return false;
}

//===- a measurement ------------------------------------------------------===//

/// What warming up found: seconds that a repetition takes on the device, and on the clock with its
/// flush and its wait.
typedef struct Estimate {
  double device, clock;
} Estimate;

static bool warmUp(const Run *run, Estimate *estimate, TileError *error) {
  double begin = tileClockGetSeconds(), now, second = begin;
  size_t count = 0;
  *estimate = (Estimate){0};
  do {
    if (!repeatOnce(run, &estimate->device, error)) return false;
    now = tileClockGetSeconds();
    // The first pays for everything that happens once.
    if (!count++) second = now;
  } while (now - begin < run->options.warmupSeconds && !isStopped(run));
  estimate->clock = count > 1 ? (now - second) / (double)(count - 1) : now - begin;
  return true;
}

static bool measureWindow(const Run *run, double *median, TileError *error) {
  double samples[MAX_WINDOW], begin = tileClockGetSeconds();
  size_t count = 0;
  do
    if (!repeatOnce(run, &samples[count++], error)) return false;
  while (count < MAX_WINDOW && tileClockGetSeconds() - begin < windowSeconds && !isStopped(run));
  *median = tileStatisticsCompute(samples, count).median;
  return true;
}

/// Repeats until the times are steady, or time is up.
static bool settle(const Run *run, TileError *error) {
  TileSteadyWindows windows = {0};
  double begin = tileClockGetSeconds(), elapsed = 0, median;
  while (elapsed < run->options.settleSeconds && !isStopped(run)) {
    if (!measureWindow(run, &median, error)) return false;
    elapsed = tileClockGetSeconds() - begin;
    if (tileSteadyAddWindow(&windows, median) && elapsed >= run->options.settleLeast) break;
  }
  return true;
}

static bool measureHost(const Run *run, const Estimate *estimate, TileTiming *timing,
                        TileError *error) {
  size_t count = howMany(run->options.hostSeconds, estimate->device, 3, MAX_HOST_SAMPLES);
  if (!tileStreamSynchronize(run->device, NULL, error)) return false;
  for (size_t i = 0; i < count; ++i) {
    double begin = tileClockGetSeconds();
    if (!run->work(run->context, error)) return false;
    append(&timing->hostSeconds, &timing->hostCount, tileClockGetSeconds() - begin);
  }
  return tileStreamSynchronize(run->device, NULL, error);
}

static double getHostMedian(const TileTiming *timing) {
  double samples[MAX_HOST_SAMPLES];
  size_t count = timing->hostCount < MAX_HOST_SAMPLES ? timing->hostCount : MAX_HOST_SAMPLES;
  if (count) memcpy(samples, timing->hostSeconds, count * sizeof *samples);
  return tileStatisticsCompute(samples, count).median;
}

/// Decides for or against a graph, and makes it.
static bool chooseReplay(Run *run, const Estimate *estimate, double host, TileError *error) {
  switch (run->options.replay) {
  case TILE_REPLAY_NEVER:
    return true;
  case TILE_REPLAY_ALWAYS:
    return recordGraph(run, error);
  case TILE_REPLAY_AUTO:
    // Work that cannot be recorded is measured all the same.
    if (estimate->device < host) recordGraph(run, NULL);
    return true;
  case TILE_REPLAY_POSSIBLE:
    recordGraph(run, NULL);
    return true;
  }
  return true;
}

static size_t countSamples(const Run *run, const Estimate *estimate, bool isLong) {
  const TileTimingOptions *o = &run->options;
  if (o->repeat) return o->repeat;
  if (o->fill && isLong) return howMany(o->seconds, estimate->clock, MIN_FILLED, MAX_FILLED);
  return howMany(o->seconds, estimate->clock, run->device ? MIN_SAMPLES : MIN_SAMPLES_CPU,
                 MAX_SAMPLES);
}

/// All that comes before the samples.
static bool prepare(Run *run, Estimate *estimate, TileTiming *timing, TileError *error) {
  if (!warmUp(run, estimate, error)) return false;
  if (!run->device) return true;
  timing->isLong |= estimate->device >= longFrom;
  if (!timing->hostCount && !measureHost(run, estimate, timing, error)) return false;
  if (!chooseReplay(run, estimate, getHostMedian(timing), error)) return false;
  timing->replayed |= run->graph != NULL;
  return !timing->isLong || settle(run, error);
}

static bool measure(Run *run, TileTiming *timing, TileError *error) {
  Estimate estimate;
  if (!prepare(run, &estimate, timing, error)) return false;
  size_t wanted = countSamples(run, &estimate, timing->isLong);
  for (size_t i = 0; i < wanted; ++i) {
    if (isStopped(run)) {
      timing->stopped = true;
      return true;
    }
    double seconds;
    if (!repeatOnce(run, &seconds, error)) return false;
    append(&timing->seconds, &timing->count, seconds);
  }
  return true;
}

bool tileTimingMeasure(TileDevice *device, TileTimedWork work, void *context,
                       const TileTimingOptions *options, TileTiming *timing, TileError *error) {
  Run run = {.device = device, .work = work, .context = context};
  if (options) run.options = *options;
  if (run.options.seconds <= 0) run.options.seconds = 0.2;
  if (run.options.warmupSeconds <= 0) run.options.warmupSeconds = 0.025;
  if (run.options.hostSeconds <= 0) run.options.hostSeconds = 0.02;
  if (device) {
    run.start = tileEventCreate(device, error);
    run.stop = run.start ? tileEventCreate(device, error) : NULL;
  }
  bool ok = (!device || run.stop) && measure(&run, timing, error);
  tileGraphDestroy(run.graph);
  tileEventDestroy(run.start);
  tileEventDestroy(run.stop);
  return ok;
}

void tileTimingDestroy(TileTiming *timing) {
  free(timing->seconds);
  free(timing->hostSeconds);
  *timing = (TileTiming){0};
}
