//===- Steady.h - when times of repeated work are to be trusted -----------===//
//
// A chip's clocks follow its power and temperature, so the times of one and the same work move. The
// medians, in us, of a matmul of 3072 on an H200 that was idle, repeated without a pause:
//
//     ms     0   25   50   75  100 ...  850   875   900   925   950   975  1000  1025 ...
//     us    82   88   89   89   88 ...   88    90    91    91    91    91    90    89 ...
//           '--------'                        '-------------------------------'
//           full clocks, then as fast         the mean power of the last second
//           as power allows                   comes to the limit: the clocks dip
//
// A burst of launches does the same as that second dip. Whoever samples for a moment may hit any of
// it. Two rules end a measurement where nothing moves; they look at times in the order taken and at
// nothing else:
//
//   warming up    windows of some time each, until the medians of the last three are within 2 %
//   sampling      turns of some time each, at least three and at most twelve, until the last three,
//                 whose samples are kept, are at rest: cut into six parts with as many samples
//                 each, the parts' medians are within 2 %
//
// How far these medians lie apart is the drift of the samples, which is told with them.
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_STEADY_H
#define TILE_RUNTIME_STEADY_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The largest median of a sixth of the samples above the smallest, as a share of that: 0.01 is 1
/// %. `samples` are seconds in the order taken; medians 0.25 us apart, as those of two graphs of
/// one launch may lie, count as equal. Negative where there are fewer than twelve.
double tileSteadyGetDrift(const double *samples, size_t count);

/// Whether the samples can be said to have moved, and to be at rest. With too few they neither did
/// nor are.
bool tileSteadyMoves(double drift);
bool tileSteadyRests(double drift);

//===- warming up ---------------------------------------------------------===//

enum { TILE_STEADY_WINDOWS = 3 };

/// The medians of windows, all zero before the first.
typedef struct TileSteadyWindows {
  double last[TILE_STEADY_WINDOWS];
  size_t count;
} TileSteadyWindows;

/// Takes the next window's median; true where the last three are within 2 %.
bool tileSteadyAddWindow(TileSteadyWindows *windows, double median);

//===- sampling by turns --------------------------------------------------===//

enum { TILE_STEADY_TURNS = 3, TILE_STEADY_MOST_TURNS = 12 };

/// Where turns end among the samples, all zero before the first.
typedef struct TileSteadyTurns {
  size_t ends[TILE_STEADY_MOST_TURNS];
  size_t count;
} TileSteadyTurns;

/// Takes the next turn, after which there are `numSamples` samples in all. Takes no more than
/// TILE_STEADY_MOST_TURNS.
void tileSteadyAddTurn(TileSteadyTurns *turns, size_t numSamples);

/// The first sample of the last three turns.
size_t tileSteadyGetFirst(const TileSteadyTurns *turns);

/// Whether no turn has to follow: the last three are at rest, or have too few samples for that to
/// be said, or there may be no more.
bool tileSteadyIsDone(const TileSteadyTurns *turns, const double *samples);

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_STEADY_H
