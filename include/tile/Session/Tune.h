//===- Tune.h - finding the fastest configuration of a kernel -------------===//
//
// A program is tuned as it runs: at the first launch of a kernel with a new key, where all its
// arguments are what @main made of them,
//
//   1. the candidates are compiled, on all cores, each as the launch would have it
//   2. each is launched once on the arguments as they were; what it wrote is compared with what the
//      first one wrote, and a candidate that wrote something else is out
//   3. those left race: rounds of timings by turns, after each of which the slower half is out
//      (successive halving: Karnin, Koren, Somekh, "Almost optimal exploration in multi-armed
//      bandits", ICML 2013)
//   4. the winner is launched on the arguments as they were, and @main goes on with its results; so
//      the program's own checks judge the winner
//
// A candidate can hang or fault, and take the process with it. So all of this happens in a worker
// process; what is known stands in memory that it shares with the process that watches it. When the
// worker dies or a deadline passes, the candidate that was running is marked, and a new worker goes
// on without it. (tile-run's TuneMain.c watches.)
//===----------------------------------------------------------------------===//
#ifndef TILE_TUNE_H
#define TILE_TUNE_H

#include "tile/Runtime/Tuned.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TILE_TUNE_TASKS = 8, TILE_TUNE_TRIALS = 4096, TILE_TUNE_TEXT = 160 };

/// How a worker exits whose device is lost to a fault: another one may go on.
enum { TILE_TUNE_LOST = 3 };

typedef enum TileTrialState {
  TILE_TRIAL_NEW,
  /// Not worth compiling, by the cost model; `message` says why.
  TILE_TRIAL_PRUNED,
  TILE_TRIAL_COMPILED,
  /// On the device, or in the processor; a worker that dies dies of this one.
  TILE_TRIAL_RUNNING,
  /// Right, and in the race; then out of it.
  TILE_TRIAL_TIMED,
  TILE_TRIAL_BEATEN,
  TILE_TRIAL_WON,
  /// Out with a message: does not compile, asks for too much, writes something else, faults, hangs.
  TILE_TRIAL_NO_CODE,
  TILE_TRIAL_TOO_LARGE,
  TILE_TRIAL_WRONG,
  TILE_TRIAL_FAULT,
  TILE_TRIAL_HUNG,
  /// Out for want of time.
  TILE_TRIAL_SKIPPED,
} TileTrialState;

/// One candidate: "BM=64,num_warps=4", or "" for the kernel's defaults.
typedef struct TileTrial {
  char config[TILE_TUNE_TEXT], message[TILE_TUNE_TEXT];
  TileTrialState state;
  /// Median of the last round it was in.
  double seconds;
} TileTrial;

/// One kernel and key.
typedef struct TileTuneTask {
  /// As in TileTuned.
  char kernel[128], code[40], key[TILE_TUNE_TEXT], types[1024], device[160];
  /// What tile.cost says of the launch; 0: nothing.
  int64_t operations, bytes;
  int numTrials;
  TileTrial trials[TILE_TUNE_TRIALS];
  /// A candidate's fault has taken the device's context.
  bool lost;
  /// Position of the winner, once there is one.
  bool done;
  int winner;
} TileTuneTask;

/// What a worker shares with its watcher. All zero to begin with.
typedef struct TileTuneState {
  int numTasks;
  TileTuneTask tasks[TILE_TUNE_TASKS];
  /// When what the worker does now has taken too long (tileClockGetSeconds); 0: no limit.
  volatile double deadline;
} TileTuneState;

typedef struct TileTuneOptions {
  TileTuneState *state;
  /// Configurations to try, "BM=64,num_warps=4", in place of the kernel's configs.
  const char *const *candidates;
  size_t numCandidates;
  /// "NAME=1,2,4" each: all combinations are candidates, in place of the kernel's configs.
  const char *const *spaces;
  size_t numSpaces;
  /// Most candidates to compile of a kernel; 0: 64.
  int budget;
  /// Tune this kernel alone; NULL: all that have configs, or all with meta-parameters where there
  /// is a space.
  const char *kernel;
  /// Seconds that a launch may take; 0: 10.
  double timeout;
} TileTuneOptions;

#ifdef __cplusplus
}
#endif

#endif // TILE_TUNE_H
