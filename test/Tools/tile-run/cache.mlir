// Compiled code is kept between runs, and found again only by what it was made from.
//
// RUN: rm -rf %t && mkdir %t
// RUN: split-file %s %t/in
// RUN: env TILE_CACHE=%t/cache tile-run %t/in/a.mlir --target=cpu --repeat 1 -v | FileCheck %s --check-prefix=COLD
// RUN: env TILE_CACHE=%t/cache tile-run %t/in/a.mlir --target=cpu --repeat 1 -v | FileCheck %s --check-prefix=WARM
// COLD: largest error 0,
// COLD: cache: 0 found, 2 compiled, 2 stored
// WARM: largest error 0,
// WARM: cache: 2 found, 0 compiled, 0 stored

// Another meta-parameter, another kernel, facts that differ: other code.
// RUN: env TILE_CACHE=%t/cache tile-run %t/in/a.mlir --target=cpu --repeat 1 -v -D B=32 | FileCheck %s --check-prefix=COLD
// RUN: env TILE_CACHE=%t/cache tile-run %t/in/b.mlir --target=cpu --repeat 1 -v | FileCheck %s --check-prefix=COLD
// RUN: env TILE_CACHE=%t/cache tile-run %t/in/a.mlir --target=cpu --repeat 1 -v --args 33 | FileCheck %s --check-prefix=HALF
// HALF: cache: 1 found, 1 compiled, 1 stored

// RUN: env TILE_CACHE=%t/cache tile-run --cache-stat | FileCheck %s --check-prefix=STAT
// STAT: file {{.*}}cache-v1.db
// STAT-NEXT: on disk {{[1-9][0-9]*}} bytes
// STAT-NEXT: limit 536870912 bytes
// STAT-NEXT: GPU code 0 entries, 0 bytes
// STAT-NEXT: CPU code 7 entries, {{[1-9][0-9]*}} bytes
// RUN: env TILE_CACHE=%t/cache tile-run --cache-clear | count 0
// RUN: env TILE_CACHE=%t/cache tile-run --cache-stat | FileCheck %s --check-prefix=EMPTY
// EMPTY: CPU code 0 entries, 0 bytes

// Within a limit, what was not used for longest goes.
// RUN: env TILE_CACHE=%t/cache TILE_CACHE_SIZE=2K tile-run %t/in/a.mlir --target=cpu --repeat 1 -v | FileCheck %s --check-prefix=SMALL
// RUN: env TILE_CACHE=%t/cache TILE_CACHE_SIZE=2K tile-run --cache-stat | FileCheck %s --check-prefix=LIMIT
// SMALL: largest error 0,
// LIMIT: limit 2048 bytes

// RUN: env TILE_CACHE=off tile-run %t/in/a.mlir --target=cpu --repeat 1 -v | FileCheck %s --check-prefix=OFF
// OFF: largest error 0,
// OFF-NOT: cache:

// The default folder.
// RUN: env -u TILE_CACHE XDG_CACHE_HOME=%t/xdg tile-run --cache-stat | FileCheck %s --check-prefix=XDG
// XDG: xdg/tile/cache-v1.db
// RUN: env -u TILE_CACHE -u XDG_CACHE_HOME HOME=%t/home tile-run --cache-stat | FileCheck %s --check-prefix=HOME
// HOME: home/.cache/tile/cache-v1.db

//--- a.mlir
tile.func @fill(%p: !tile.ptr<i32>, %n: i32) meta {B = 16} {
  tile.grid(%n : i32) {
    %b = tile.meta B : i32
    %g = arith.ceildivsi %n, %b : i32
    tile.yield %g : i32
  }
  %b = tile.meta B : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %b : i32
  %lane = tile.arange : tensor<?xi32, #tile.dims<[B]>>
  %start = tile.splat %first : i32 -> tensor<?xi32, #tile.dims<[B]>>
  %offs = arith.addi %start, %lane : tensor<?xi32, #tile.dims<[B]>>
  %end = tile.splat %n : i32 -> tensor<?xi32, #tile.dims<[B]>>
  %in = arith.cmpi slt, %offs, %end : tensor<?xi32, #tile.dims<[B]>>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<?x!tile.ptr<i32>, #tile.dims<[B]>>
  %at = tile.addptr %ps, %offs : tensor<?x!tile.ptr<i32>, #tile.dims<[B]>>, tensor<?xi32, #tile.dims<[B]>>
  tile.store %at, %offs, %in : tensor<?x!tile.ptr<i32>, #tile.dims<[B]>>
  tile.return
}
func.func @main(%n: i32 {tile_host.default = 32 : i32}) {
  %x = tile_host.alloc(%n) : (i32) -> memref<?xi32>
  tile_host.launch @fill(%x, %n) : memref<?xi32>, i32
  %want = tile_host.alloc(%n) : (i32) -> memref<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %end step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %want[%i] : memref<?xi32>
  }
  tile_host.expect_close %x, %want : memref<?xi32>, memref<?xi32>
  return
}

//--- b.mlir
tile.func @one(%p: !tile.ptr<i32>) {
  tile.grid() {
    %g = arith.constant 1 : i32
    tile.yield %g : i32
  }
  %c7 = arith.constant 7 : i32
  tile.store %p, %c7 : !tile.ptr<i32>
  tile.return
}
func.func @main() {
  %x = tile_host.alloc() : () -> memref<1xi32>
  tile_host.launch @one(%x) : memref<1xi32>
  %want = tile_host.alloc() : () -> memref<1xi32>
  %c7 = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  memref.store %c7, %want[%c0] : memref<1xi32>
  tile_host.expect_close %x, %want : memref<1xi32>, memref<1xi32>
  return
}
