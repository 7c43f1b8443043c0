//===- LastSteps.h - warp groups end a loop of dots one by one --*- C -*-===//
//
// Before:  %d = scf.for %k = 0 to %n { dot }       After:  %c = scf.for %k = 0 to %n - 3 { dot }
//          tile_gpu.dot_wait %d                                tile_gpu.turn_wait
//          a function of each element                      %d = scf.for %k = %n - 3 to %n { dot }
//                                                          tile_gpu.turn_pass
//                                                          tile_gpu.dot_wait %d
//                                                          a function of each element
//
// Warp groups that share boxes run in step, and what they compute behind the loop keeps the tensor
// cores waiting for both. Now the first group issues its last steps, which have the tensor cores
// for themselves, and the second one its own while the first works on what lies behind; and the
// first begins its next program while the second does. A group that waits for its turn holds slots
// of the rings, so that there must be more slots than steps.
//
// Where results are only narrowed behind the loop there is nothing to hide, and the loop stays.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_LAST_STEPS_H
#define TILE_TRANSFORMS_LAST_STEPS_H

#include "Channels.h"

/// At most. More take longer than the work behind most loops, and want slots that the copies lack.
enum { tileLastSteps = 3 };

/// Splits the loop of a channel whose dot stays in flight, rewritten for consumers, where that is
/// worth it. For several warp groups, and a loop that counts up.
void tileTakeTurnsAtEnd(const TileChannel *channel);

#endif
