// A launch's own meta-parameters: one kernel at several block sizes in one program, numbers and what the host
// program computes. Each program of @spans writes down how many elements it has, and each grid follows.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --check | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: {{^}}[8 2]{{$}}
// CHECK: {{^}}[5 5]{{$}}
// CHECK: {{^}}[10]{{$}}
// CHECK: {{^}}[1 1 1 1 1 1 1 1 1 1]{{$}}
// CHECK: {{^}}[2 2 2 2 2]{{$}}
// CHECK: {{^}}[4 4 2]{{$}}
// CHECK: {{^}}[8 2]{{$}}
//
// The command line's goes before all of them.
// RUN: tile-run %s --target=cpu --repeat 1 -D B=3 | FileCheck %s --check-prefix=THREE
// THREE-COUNT-7: {{^}}[3 3 3 1]{{$}}
//
// Code that is looked at is that of the first launch; what is tuned is what a launch leaves open.
// RUN: tile-run %s --emit=tile --args 4 | FileCheck %s --check-prefix=FIRST
// FIRST: tile.num_warps = 2
// FIRST: tile.arange : tensor<8xi32>
// RUN: env TILE_CACHE=%t tile-run %s --target=cpu --tune --space num_warps=1,8 --repeat 1 | FileCheck %s --check-prefixes=CHECK,TUNE
// TUNE: spans(10) on {{.*}}: 3 candidates
// TUNE-NEXT: (default)
// TUNE-NEXT: num_warps=1
// TUNE-NEXT: num_warps=8
//
// RUN: not tile-run %s --target=cpu --args 0 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: launch-meta.mlir:[[#]]:3: error: expected a positive value below 2^31 for meta-parameter 'B', found 0

tile.func @spans(%out: !tile.ptr<i32>, %n: i32 {tile.key}) meta {B = 8} {
  tile.grid(%n : i32) {
    %b = tile.meta B : i32
    %programs = arith.ceildivsi %n, %b : i32
    tile.yield %programs : i32
  }
  %b = tile.meta B : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %b : i32
  %lanes = tile.arange : tensor<?xi32, #tile.dims<[B]>>
  %firsts = tile.splat %first : i32 -> tensor<?xi32, #tile.dims<[B]>>
  %offs = arith.addi %firsts, %lanes : tensor<?xi32, #tile.dims<[B]>>
  %ends = tile.splat %n : i32 -> tensor<?xi32, #tile.dims<[B]>>
  %in = arith.cmpi slt, %offs, %ends : tensor<?xi32, #tile.dims<[B]>>
  %ones = arith.extui %in : tensor<?xi1, #tile.dims<[B]>> to tensor<?xi32, #tile.dims<[B]>>
  %count = tile.reduce add %ones axis 0 : tensor<?xi32, #tile.dims<[B]>> -> i32
  %ptr = tile.addptr %out, %pid : !tile.ptr<i32>, i32
  tile.store %ptr, %count : !tile.ptr<i32>
  tile.return
}

// How many programs `b` makes, or the value of -D B, which the last program's count tells.
func.func private @show(%out: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %size = memref.dim %out, %c0 : memref<?xi32>
  %programs = scf.for %i = %c0 to %size step %c1 iter_args(%n = %c0) -> index {
    %v = memref.load %out[%i] : memref<?xi32>
    %some = arith.cmpi ne, %v, %none : i32
    %more = arith.addi %n, %c1 : index
    %next = arith.select %some, %more, %n : index
    scf.yield %next : index
  }
  %used = memref.subview %out[0] [%programs] [1] : memref<?xi32> to memref<?xi32, strided<[1]>>
  %copy = tile_host.alloc(%programs) : (index) -> memref<?xi32>
  linalg.copy ins(%used : memref<?xi32, strided<[1]>>) outs(%copy : memref<?xi32>)
  tile_host.dump %copy : memref<?xi32>
  linalg.fill ins(%none : i32) outs(%out : memref<?xi32>)
  return
}

func.func @main(%five: i32 {tile_host.default = 5 : i32}) {
  %n = arith.constant 10 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %out = tile_host.alloc(%n) : (i32) -> memref<?xi32>
  linalg.fill ins(%c0 : i32) outs(%out : memref<?xi32>)
  tile_host.launch @spans(%out, %n) meta {num_warps = 2} : memref<?xi32>, i32
  func.call @show(%out) : (memref<?xi32>) -> ()
  tile_host.launch @spans(%out, %n) meta {B = %five} : memref<?xi32>, i32
  func.call @show(%out) : (memref<?xi32>) -> ()
  tile_host.launch @spans(%out, %n) meta {num_warps = 1, B = 1024} : memref<?xi32>, i32
  func.call @show(%out) : (memref<?xi32>) -> ()
  scf.for %i = %c0 to %c4 step %c1 : i32 {
    %b = arith.shli %c1, %i : i32
    tile_host.launch @spans(%out, %n) meta {num_warps = %c4, B = %b} : memref<?xi32>, i32
    func.call @show(%out) : (memref<?xi32>) -> ()
  }
  return
}
