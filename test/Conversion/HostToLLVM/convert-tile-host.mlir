// RUN: tile-opt %s --convert-tile-host | FileCheck %s
// RUN: tile-opt %s --convert-tile-host=bind=BLOCK=64 | FileCheck %s --check-prefix=BIND

tile.func @scale(%x: !tile.ptr<f32>, %n: i32, %s: f16) meta {BLOCK = 128} {
  tile.grid(%n : i32) {
    %block = tile.meta BLOCK : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  tile.cost(%n : i32) {
    %ops = arith.extsi %n : i32 to i64
    %eight = arith.constant 8 : i64
    %bytes = arith.muli %ops, %eight : i64
    tile.yield %ops, %bytes : i64, i64
  }
  tile.return
}

tile.func @flat(%x: !tile.ptr<f32>, %n: i32) {
  tile.grid(%n : i32) {
    // Values of the region keep their places in nested regions too.
    %one = arith.constant 1 : i32
    %some = arith.cmpi sgt, %n, %one : i32
    %y = scf.if %some -> i32 {
      %twice = arith.addi %n, %n : i32
      scf.yield %twice : i32
    } else {
      scf.yield %one : i32
    }
    tile.yield %one, %y, %n : i32, i32, i32
  }
  tile.return
}

tile.func @ratio(%x: !tile.ptr<f32>, %n: i32, %d: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  tile.cost(%n : i32, %d : i32) {
    %q = arith.divsi %n, %d : i32
    %some = arith.cmpi sgt, %q, %d : i32
    %r = scf.if %some -> i32 {
      %rest = arith.remui %n, %q : i32
      scf.yield %rest : i32
    } else {
      scf.yield %n : i32
    }
    %w = arith.extsi %r : i32 to i64
    tile.yield %w, %w : i64, i64
  }
  tile.return
}

// Kernels leave the module.
// CHECK-NOT: {{tile(_gpu|_host)?\.}}

// What may divide by zero is checked first, in nested regions too.
// CHECK-LABEL: func.func @divide
// CHECK-SAME: (%[[N:.*]]: i32, %[[D:.*]]: i32)
// CHECK: %[[WIDE_N:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK: %[[WIDE_D:.*]] = arith.extsi %[[D]] : i32 to i64
// CHECK: %[[BITS:.*]] = arith.constant 32 : i64
// CHECK: call @tileHostCheckDivision(%{{.*}}, %[[WIDE_N]], %[[WIDE_D]], %[[BITS]])
// CHECK: %[[Q:.*]] = arith.divsi %[[N]], %[[D]]
// CHECK: scf.if
// CHECK: %[[UNSIGNED:.*]] = arith.constant 0 : i64
// CHECK: call @tileHostCheckDivision({{.*}}, %[[UNSIGNED]])
// CHECK: arith.remui %[[N]], %[[Q]]
func.func @divide(%n: i32, %d: i32) {
  %x = tile_host.alloc() : () -> memref<16xf32>
  tile_host.launch @ratio(%x, %n, %d) : memref<16xf32>, i32, i32
  return
}

// The grid and the cost are evaluated in place, with the meta-parameter bound; arguments are packed
// in slots made at the function's entry.
// CHECK-LABEL: func.func @launch
// CHECK-SAME: (%[[N:.*]]: i32, %[[S:.*]]: f16)
// CHECK-DAG: %[[SLOTS:.*]] = memref.alloca() : memref<3xi64>
// CHECK: call @tileHostAlloc(
// CHECK: %[[ARRAY:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<?xf32>
// CHECK: %[[BLOCK:.*]] = arith.constant 128 : i32
// CHECK: %[[GRID:.*]] = arith.ceildivsi %[[N]], %[[BLOCK]] : i32
// CHECK: %[[OPS:.*]] = arith.extsi %[[N]]
// CHECK: %[[BYTES:.*]] = arith.muli %[[OPS]]
// CHECK: %[[DATA:.*]] = memref.extract_aligned_pointer_as_index %[[ARRAY]]
// CHECK: %[[ADDRESS:.*]] = arith.index_cast %[[DATA]]
// CHECK: memref.store %[[ADDRESS]], %[[SLOTS]]
// CHECK: %[[WIDE:.*]] = arith.extui %[[N]] : i32 to i64
// CHECK: memref.store %[[WIDE]], %[[SLOTS]]
// CHECK: %[[HALF:.*]] = arith.bitcast %[[S]] : f16 to i16
// CHECK: %[[BITS:.*]] = arith.extui %[[HALF]] : i16 to i64
// CHECK: memref.store %[[BITS]], %[[SLOTS]]
// CHECK: call @tileHostLaunch({{.*}}, {{.*}}, %[[GRID]], {{.*}}, {{.*}}, %[[OPS]], %[[BYTES]])
// BIND-LABEL: func.func @launch
// BIND: %[[BLOCK:.*]] = arith.constant 64 : i32
// BIND: arith.ceildivsi %{{.*}}, %[[BLOCK]] : i32
func.func @launch(%n: i32, %s: f16) {
  %x = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  tile_host.launch @scale(%x, %n, %s) : memref<?xf32>, i32, f16
  return
}

// CHECK-LABEL: func.func @launch_3d
// CHECK-SAME: %[[N:.*]]: i32
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: %[[Y:.*]] = scf.if
// CHECK: arith.addi %[[N]], %[[N]]
// CHECK: call @tileHostLaunch({{.*}}, {{.*}}, %[[ONE]], %[[Y]], %[[N]],
func.func @launch_3d(%n: i32, %x: memref<16xf32>) {
  tile_host.launch @flat(%x, %n) : memref<16xf32>, i32
  return
}

// A view is passed as the address of its own first element.
// CHECK-LABEL: func.func @launch_view
// CHECK: %[[VIEW:.*]] = memref.subview
// CHECK: %[[BASE:.*]] = memref.extract_aligned_pointer_as_index %[[VIEW]]
// CHECK: %[[START:.*]] = arith.index_cast %[[BASE]]
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}, %{{.*}} = memref.extract_strided_metadata %[[VIEW]]
// CHECK: %[[WIDE:.*]] = arith.index_cast %[[OFFSET]]
// CHECK: %[[SIZE:.*]] = arith.constant 4 : i64
// CHECK: %[[BYTES:.*]] = arith.muli %[[WIDE]], %[[SIZE]]
// CHECK: %[[ADDRESS:.*]] = arith.addi %[[START]], %[[BYTES]]
// CHECK: memref.store %[[ADDRESS]]
func.func @launch_view(%n: i32, %i: index, %x: memref<16xf32>) {
  %v = memref.subview %x[%i] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  tile_host.launch @flat(%v, %n) : memref<4xf32, strided<[1], offset: ?>>, i32
  return
}

// Extents that are fixed in the type are stored with those that are not.
// CHECK-LABEL: func.func @sources
// CHECK-SAME: %[[N:.*]]: index
// CHECK: %[[WIDE:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK: memref.store %[[WIDE]]
// CHECK: %[[FIVE:.*]] = arith.constant 5 : i64
// CHECK: memref.store %[[FIVE]]
// CHECK: call @tileHostRandom
// CHECK: llvm.insertvalue %[[WIDE]], %{{.*}}[3, 0]
// CHECK: llvm.insertvalue %[[FIVE]], %{{.*}}[3, 1]
// CHECK: llvm.insertvalue %[[FIVE]], %{{.*}}[4, 0]
// The extents of a file come back from the call.
// CHECK: %[[FILE:.*]] = call @tileHostRead
// CHECK: %[[LOADED:.*]] = memref.load
// CHECK: llvm.inttoptr %[[FILE]]
// CHECK: llvm.insertvalue %[[LOADED]], %{{.*}}[3, 0]
// CHECK: call @tileHostWrite
// CHECK: call @tileHostDump
// CHECK: call @tileHostExpectClose
func.func @sources(%n: index) {
  %r = tile_host.random(%n) seed 3 : (index) -> memref<?x5xf32>
  %f = tile_host.read "x.npy" : memref<?xi8>
  tile_host.write %f, "y.npy" : memref<?xi8>
  tile_host.dump %r : memref<?x5xf32>
  tile_host.expect_close %r, %r {atol = 1.0} : memref<?x5xf32>, memref<?x5xf32>
  return
}

// Host code touches an array once before a stretch that no launch interrupts: here in front of the
// loop, not in it.
// CHECK-LABEL: func.func @touch_before_loop
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<16xf32>
// CHECK: call @tileHostLaunch
// CHECK: memref.extract_aligned_pointer_as_index %[[X]]
// CHECK: %[[READS:.*]] = arith.constant 0 : i32
// CHECK: call @tileHostTouch(%{{.*}}, %[[READS]])
// CHECK: scf.for
// CHECK-NOT: tileHostTouch
// CHECK: memref.load
// CHECK: return
func.func @touch_before_loop(%n: i32, %x: memref<16xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  tile_host.launch @flat(%x, %n) : memref<16xf32>, i32
  %sum = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %zero) -> f32 {
    %v = memref.load %x[%i] : memref<16xf32>
    %next = arith.addf %s, %v : f32
    scf.yield %next : f32
  }
  %again = memref.load %x[%c0] : memref<16xf32>
  return %sum : f32
}

// With a launch in the loop the touch is in the loop too, and says that it writes.
// CHECK-LABEL: func.func @touch_in_loop
// CHECK: scf.for
// CHECK: call @tileHostLaunch
// CHECK: %[[WRITES:.*]] = arith.constant 1 : i32
// CHECK: call @tileHostTouch(%{{.*}}, %[[WRITES]])
// CHECK: memref.store
// CHECK: return
func.func @touch_in_loop(%n: i32, %x: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    tile_host.launch @flat(%x, %n) : memref<16xf32>, i32
    memref.store %zero, %x[%i] : memref<16xf32>
  }
  return
}

// A chain of launches touches nothing.
// CHECK-LABEL: func.func @chain
// CHECK-NOT: tileHostTouch
// CHECK: return
func.func @chain(%n: i32, %x: memref<16xf32>) {
  tile_host.launch @flat(%x, %n) : memref<16xf32>, i32
  tile_host.launch @flat(%x, %n) : memref<16xf32>, i32
  return
}

// What is written through a view inside a loop is the array outside it.
// CHECK-LABEL: func.func @touch_view
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<16xf32>, %[[Y:[a-z0-9]*]]: memref<4xf32>
// CHECK: memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK: arith.constant 0 : i32
// CHECK: call @tileHostTouch
// CHECK: memref.extract_aligned_pointer_as_index %[[X]]
// CHECK: arith.constant 1 : i32
// CHECK: call @tileHostTouch
// CHECK: scf.for
// CHECK-NOT: tileHostTouch
// CHECK: return
func.func @touch_view(%x: memref<16xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c4 {
    %v = memref.subview %x[%i] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
    linalg.copy ins(%y : memref<4xf32>) outs(%v : memref<4xf32, strided<[1], offset: ?>>)
  }
  return
}

// CHECK-LABEL: func.func @count
// CHECK: %[[COUNT:.*]] = call @tileHostMultiprocessors(%{{.*}}) : (i64) -> i32
// CHECK-NEXT: return %[[COUNT]] : i32
func.func @count() -> i32 {
  %n = tile_host.multiprocessors
  return %n : i32
}

// What a launch binds itself is told to the runtime, and is what the grid has; but for what the pass's option
// binds.
// CHECK-LABEL: func.func @bound
// CHECK-SAME: %[[X:[^,]+]]: memref<?xf32>, %[[N:[^,]+]]: i32, %[[B:[^,]+]]: i32, %[[S:[^,]+]]: f16
// BIND-LABEL: func.func @bound
func.func @bound(%x: memref<?xf32>, %n: i32, %b: i32, %s: f16) {
  // CHECK: %[[WIDE:.*]] = arith.extsi %[[B]] : i32 to i64
  // CHECK: call @tileHostBind(%{{.*}}, %{{.*}}, %[[WIDE]]) : (i64, i64, i64) -> ()
  // CHECK: %[[EIGHT:.*]] = arith.constant 8 : i64
  // CHECK: call @tileHostBind(%{{.*}}, %{{.*}}, %[[EIGHT]]) : (i64, i64, i64) -> ()
  // CHECK: arith.ceildivsi %[[N]], %[[B]] : i32
  // CHECK: call @tileHostLaunch
  // BIND: %[[EIGHT:.*]] = arith.constant 8 : i64
  // BIND-COUNT-1: call @tileHostBind(%{{.*}}, %{{.*}}, %[[EIGHT]])
  // BIND-NOT: tileHostBind
  // BIND: %[[BLOCK:.*]] = arith.constant 64 : i32
  // BIND: arith.ceildivsi %{{.*}}, %[[BLOCK]] : i32
  tile_host.launch @scale(%x, %n, %s) meta {BLOCK = %b, num_warps = 8} : memref<?xf32>, i32, f16
  return
}

// CHECK-LABEL: func.func @main
// CHECK-LABEL: func.func @tileHostMain
// CHECK-SAME: (%[[SLOTS:.*]]: i64) -> i32
// CHECK: %[[FIRST:.*]] = llvm.inttoptr %[[SLOTS]]
// CHECK: %[[RAW:.*]] = llvm.load %[[FIRST]]
// CHECK: %[[INDEX:.*]] = arith.index_cast %[[RAW]] : i64 to index
// CHECK: %[[NEXT:.*]] = arith.addi %[[SLOTS]], %{{.*}} : i64
// CHECK: %[[SECOND:.*]] = llvm.inttoptr %[[NEXT]]
// CHECK: %[[RAW2:.*]] = llvm.load %[[SECOND]]
// CHECK: %[[LOW:.*]] = arith.trunci %[[RAW2]] : i64 to i32
// CHECK: %[[FLOAT:.*]] = arith.bitcast %[[LOW]] : i32 to f32
// CHECK: %[[STATUS:.*]] = call @main(%[[INDEX]], %[[FLOAT]])
// CHECK: return %[[STATUS]] : i32
func.func @main(%n: index {tile_host.default = 3 : index}, %f: f32) -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
