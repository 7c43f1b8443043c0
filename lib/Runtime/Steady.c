//===- Steady.c - when times of repeated work are to be trusted -----------===//
#include "tile/Runtime/Steady.h"
#include "tile/Runtime/Clock.h"
#include "tile/Runtime/Error.h"
#include <stdlib.h>
#include <string.h>

enum { PARTS = 6, LEAST_SAMPLES = 2 * PARTS };

static const double spread = 0.02, resolution = 0.25e-6;

double tileSteadyGetDrift(const double *samples, size_t count) {
  if (count < LEAST_SAMPLES) return -1;
  double *part = tileRuntimeAlloc((count / PARTS + 1) * sizeof *part), medians[PARTS];
  for (size_t i = 0; i < PARTS; ++i) {
    size_t first = i * count / PARTS, length = (i + 1) * count / PARTS - first;
    memcpy(part, samples + first, length * sizeof *part);
    medians[i] = tileStatisticsCompute(part, length).median;
  }
  free(part);
  TileStatistics all = tileStatisticsCompute(medians, PARTS);
  return all.max - all.min <= resolution ? 0 : all.max / all.min - 1;
}

bool tileSteadyMoves(double drift) { return drift > spread; }
bool tileSteadyRests(double drift) { return drift >= 0 && drift <= spread; }

bool tileSteadyAddWindow(TileSteadyWindows *windows, double median) {
  windows->last[windows->count++ % TILE_STEADY_WINDOWS] = median;
  if (windows->count < TILE_STEADY_WINDOWS) return false;
  double sorted[TILE_STEADY_WINDOWS];
  memcpy(sorted, windows->last, sizeof sorted);
  TileStatistics last = tileStatisticsCompute(sorted, TILE_STEADY_WINDOWS);
  return last.max - last.min <= spread * last.min;
}

void tileSteadyAddTurn(TileSteadyTurns *turns, size_t numSamples) {
  if (turns->count < TILE_STEADY_MOST_TURNS) turns->ends[turns->count++] = numSamples;
}

size_t tileSteadyGetFirst(const TileSteadyTurns *turns) {
  return turns->count <= TILE_STEADY_TURNS ? 0 : turns->ends[turns->count - TILE_STEADY_TURNS - 1];
}

bool tileSteadyIsDone(const TileSteadyTurns *turns, const double *samples) {
  if (turns->count < TILE_STEADY_TURNS) return false;
  if (turns->count == TILE_STEADY_MOST_TURNS) return true;
  size_t first = tileSteadyGetFirst(turns), end = turns->ends[turns->count - 1];
  return !tileSteadyMoves(tileSteadyGetDrift(samples + first, end - first));
}
