//===- Timing.h - how long work takes, on a device or on the CPU ----------===//
//
// The one way in which this project measures time. On a device, one repetition is
//
//     host    | flush, start, work, stop given to the stream |  waits ...  |
//     device  |             flush L2             | start | work | stop |
//                                                |<- a sample ->|
//
// The flush writes twice the L2 cache, so the work finds nothing of its data there. It also takes
// the device some 30 us, during which the host has given the rest away: the time between the two
// events is the device's alone. Where giving the work away takes longer than the work itself, that
// may not hold; such work is recorded as a graph of flush, start, work, stop, and each repetition
// replays it, so that nothing between the events waits for the host.
//
// Before the samples: warm-up repetitions of the same kind (flush and all) that are not kept, until
// the clocks had time to rise. Apart from the samples, the host's time: how long the calls that
// give the work away take to return, one after the other on a stream with nothing else in it. Then,
// with `settleSeconds`, the warm-up goes on until the times no longer move (Steady.h): a chip that
// was idle runs faster than one that works, until its power limits the clocks, and the launches for
// the host's time, which lie closer together than repetitions, press them below that.
//
// On the CPU a sample is the wall clock around the work, with the caches as the repetition before
// left them; there is no host's time apart from that.
//
//   TileTiming timing = {0};
//   ok = tileTimingMeasure(device, launch, &context, NULL, &timing, &error);
//   TileStatistics seconds = tileStatisticsCompute(timing.seconds, timing.count);
//   tileTimingDestroy(&timing);
//
// Samples are appended in the order taken, so several works can be measured by turns, in rounds.
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_TIMING_H
#define TILE_RUNTIME_TIMING_H

#include "tile/Runtime/Clock.h"
#include "tile/Runtime/Driver.h"
#include <signal.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Does the work once. On a device: gives it to the device's own stream, waits for nothing, and
/// copies nothing from or to the host.
typedef bool (*TileTimedWork)(void *context, TileError *error);

typedef enum TileReplay {
  /// Replay where the host takes longer than the device and the driver has graphs.
  TILE_REPLAY_AUTO,
  TILE_REPLAY_NEVER,
  /// Replay, but for work that cannot be recorded.
  TILE_REPLAY_POSSIBLE,
  TILE_REPLAY_ALWAYS,
} TileReplay;

typedef struct TileTimingOptions {
  /// Samples to take; 0: as many as fit into `seconds`, 5 to 300 (3 at least on the CPU); with
  /// `fill`, where the work is long, 4 to 4000.
  unsigned repeat;
  /// Time for the samples and for the warm-up (one repetition at least); 0 takes 0.2 and 0.025.
  double seconds, warmupSeconds;
  bool fill;
  /// Most and least time to go on warming up a device, where the work is long, until its times are
  /// steady over windows of a fortieth of a second (tile/Runtime/Steady.h). 0 for the most: do not.
  double settleSeconds, settleLeast;
  /// Time of the device for launches that measure the host's, 3 to 100 of them; 0 takes 0.02. There
  /// are none where `timing` has the host's time from before.
  double hostSeconds;
  TileReplay replay;
  /// Borrowed, or NULL: when it turns nonzero, measuring ends after the repetition under way.
  const volatile sig_atomic_t *stop;
} TileTimingOptions;

typedef struct TileTiming {
  /// Seconds of each repetition on the device (or the CPU), in the order taken.
  double *seconds;
  size_t count;
  /// Seconds that the host took to give the work away, each time; none on the CPU.
  double *hostSeconds;
  size_t hostCount;
  /// The work takes a device 50 us or more: enough to change its clocks.
  bool isLong;
  /// The samples come from replays of a graph.
  bool replayed;
  /// `stop` ended it before all samples were taken.
  bool stopped;
} TileTiming;

/// Measures `work` and appends the samples. `device` NULL: on the CPU. `options` may be NULL.
/// Fails with the work's error, or a late one of the device; samples taken before that stay.
bool tileTimingMeasure(TileDevice *device, TileTimedWork work, void *context,
                       const TileTimingOptions *options, TileTiming *timing, TileError *error);

/// Frees the samples and leaves none.
void tileTimingDestroy(TileTiming *timing);

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_TIMING_H
