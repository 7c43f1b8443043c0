//===- DeferStores.h - store a program's results under the next one's dots -*- C -*-===//
//
// Before:  scf.for %program = .. {                 After:  scf.for .. iter_args(%last, %row,
// %column) {
//            %sum = scf.for %k = 0 .. { dot }                step 0 ; box 0 of %last
//            boxes 0, 1, .. of %sum }                        step 1 ; box 1 of %last ..
//                                                            %sum = scf.for %k = 2 .. { dot }
//                                                            scf.yield %sum, .. }
//                                                          boxes 0, 1, .. of the last
//
// The tensor cores need not wait for the stores: results, narrowed already, are carried into the
// block's next program, where one box goes out while each of its first dots runs. On
// the first trip there is none; its row is the array's extent, at which the copy engine
// writes nothing.
//
// Where blocks share copies, the boxes after the first are stored at equal distances over the loop:
//
//   step 0 ; box 0 ; scf.for %k = 1 .. 1 + n ; box 1 ; scf.for %k = 1 + n .. ; box 2 ; .. ; the
//   rest
//
// All blocks store at once, and copies that several blocks wait for are late then. The first trip,
// which has nothing to store, branches around it there.
//
// The first steps always run, so a loop of fewer must do no harm with more: it reads boxes whose
// position along K is the loop's counter and whose extent there is its bound, so all of
// them are zeros.
//
// The scheme is that of the hand-written kernels that pass cuBLAS on this chip; see docs/hopper.md.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_DEFER_STORES_H
#define TILE_TRANSFORMS_DEFER_STORES_H

#include "Channels.h"
#include "StoreBoxes.h"

/// Null where `stores`, in the block that holds the loop of the one async channel, can be deferred;
/// else why not: "expected ..., found ...".
const char *tileMayDefer(const TileChannels *channels, const TileBoxStore *stores, int count);
/// Lets the channel's loop, not yet rewritten, take as many steps as there are boxes.
void tileLengthenLoop(const TileChannels *channels, const TileBoxStore *stores, int count);
/// Defers the stores. `programs` is the loop over programs, rewritten for consumers.
void tileDeferStores(const TileChannels *channels, MlirOperation programs, TileBoxStore *stores,
                     int count);

#endif
