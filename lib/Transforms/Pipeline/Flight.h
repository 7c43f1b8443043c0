//===- Flight.h - dots that compute while others are started ----*- C -*-===//
//
// Before:  scf.for .. iter_args(%sum, ..) {
//            %s = tile.dot %q, %k, 0 by wgmma
//            %e = math.exp2 %s
//            %d = tile.dot %v, %o, 0 by wgmma
//            %p = arith.truncf %e
//            %n = tile.dot %p, %o, %sum by wgmma
//            ..
//            scf.yield %n }
//
// After:   scf.for .. iter_args(%sum, ..) {
//            %s = tile.dot .. async
//            %d = tile.dot .. async
//            %w = tile_gpu.dot_wait %s pending 1 tied
//            %e = math.exp2 %w
//            %x = tile_gpu.dot_wait %d pending 0 tied
//            %p = arith.truncf %e
//            %n = tile.dot %p, %o, %sum .. async
//            ..
//            scf.yield %n }
//          tile_gpu.dot_wait of the loop's result
//
// wgmma is asynchronous, and completes in order. Each dot starts as early as its operands are
// there, and is waited for where its result is needed: what lies between runs under it. A sum that
// a loop only carries is not waited for before the loop ends, so that each step starts while the
// last dots of the one before compute: at its end, those of the step before that are over.
//
// So does a product that the next step scales once it has its scores, as attention's sums are: it
// computes while the next scores start, for which that step waits.
//
// In roles a sum that the step only carries starts behind what makes the operands of later dots,
// which would wait for it; and of two such sums the second starts behind a dot whose result others
// read: so what is done with that runs under the sum.
//
// What makes operands in registers may not stand between a dot on its way and the wait for it:
// ptxas would let each wait for the one before (C7513). Nor does anything that writes to shared
// memory that dots on their way may read. Who tells others that a slot was read does so behind the
// wait for its readers; waits for slots go with the dots that read them.
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_FLIGHT_H
#define TILE_TRANSFORMS_FLIGHT_H

#include "tile/IR.h"

/// Says to others that the readers in front of it are done.
bool tileOpTellsOthers(MlirOperation op);
/// Has the body of `loop` wgmma dots that nothing has started yet? Where they are to be on their
/// way across steps, they must read blocks of rings that are filled again two steps later at the
/// earliest, or what does not change.
bool tileMayFly(MlirOperation loop);
/// Lets them start early and be waited for late, `across` steps or within each, changing the body
/// and what stands right behind the loop. `inRole`: threads have the registers of a consumer.
void tileLetFly(MlirOperation loop, bool across, bool inRole);
/// Do registers of a consumer hold what dots of a step that fly within it take at a time, beside
/// the pointers that the step has?
bool tileHasRoomToFly(MlirOperation loop);
/// The first of them in `body`; null where there is none.
MlirOperation tileFindFlying(MlirBlock body);

#endif
