// Atomic updates of lanes that lie together, from places of every distance to a block's first on, under masks, by programs that
// meet in the same blocks: each element is updated by all 64 of them. Numbers are small and whole, so that sums are exact.
//
// RUN: tile-opt %s --convert-tile-to-cpu=vector-bits=512 | FileCheck %s --check-prefix=CODE
// RUN: tile-run %s --target=cpu --repeat 1 --args 7 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 41 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 7 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 5 comparisons


// CODE-LABEL: func.func @f32
// CODE: llvm.cmpxchg %{{.*}} : !llvm.ptr, i128
tile.func @f32(%y: !tile.ptr<f32>, %n: i32) {
  tile.grid = 64
  // Of 45 elements from the n-th on, those below n + 40.
  %pid = tile.program_id x
  %at = tile.expr %n + arange(45)
  %end = tile.expr %n + 40
  %in = tile.expr %at < %end
  %to = tile.expr %y + %at
  %one = tile.expr f32(%pid * 0 + arange(45) rem 3 + 1)
  %old = tile.atomic_rmw fadd relaxed gpu %to, %one, %in : tensor<45x!tile.ptr<f32>>
  tile.return
}

// CODE-LABEL: func.func @f16
// CODE: llvm.cmpxchg %{{.*}} : !llvm.ptr, i128
tile.func @f16(%y: !tile.ptr<f16>, %n: i32) {
  tile.grid = 64
  // Of 45 elements from the n-th on, those below n + 40.
  %pid = tile.program_id x
  %at = tile.expr %n + arange(45)
  %end = tile.expr %n + 40
  %in = tile.expr %at < %end
  %to = tile.expr %y + %at
  %one = tile.expr f16(%pid * 0 + arange(45) rem 3 + 1)
  %old = tile.atomic_rmw fadd relaxed gpu %to, %one, %in : tensor<45x!tile.ptr<f16>>
  tile.return
}

// CODE-LABEL: func.func @bf16
// CODE: llvm.cmpxchg %{{.*}} : !llvm.ptr, i128
tile.func @bf16(%y: !tile.ptr<bf16>, %n: i32) {
  tile.grid = 64
  // Of 45 elements from the n-th on, those below n + 40.
  %pid = tile.program_id x
  %at = tile.expr %n + arange(45)
  %end = tile.expr %n + 40
  %in = tile.expr %at < %end
  %to = tile.expr %y + %at
  %one = tile.expr bf16(%pid * 0 + arange(45) rem 3 + 1)
  %old = tile.atomic_rmw fadd relaxed gpu %to, %one, %in : tensor<45x!tile.ptr<bf16>>
  tile.return
}

// CODE-LABEL: func.func @f64
// CODE: llvm.cmpxchg %{{.*}} : !llvm.ptr, i128
tile.func @f64(%y: !tile.ptr<f64>, %n: i32) {
  tile.grid = 64
  // Of 45 elements from the n-th on, those below n + 40.
  %pid = tile.program_id x
  %at = tile.expr %n + arange(45)
  %end = tile.expr %n + 40
  %in = tile.expr %at < %end
  %to = tile.expr %y + %at
  %one = tile.expr f64(%pid * 0 + arange(45) rem 3 + 1)
  %old = tile.atomic_rmw fadd relaxed gpu %to, %one, %in : tensor<45x!tile.ptr<f64>>
  tile.return
}

// CODE-LABEL: func.func @i32
// CODE: llvm.cmpxchg %{{.*}} : !llvm.ptr, i128
tile.func @i32(%y: !tile.ptr<i32>, %n: i32) {
  tile.grid = 64
  // Of 45 elements from the n-th on, those below n + 40.
  %pid = tile.program_id x
  %at = tile.expr %n + arange(45)
  %end = tile.expr %n + 40
  %in = tile.expr %at < %end
  %to = tile.expr %y + %at
  %one = tile.expr i32(%pid * 0 + arange(45) rem 3 + 1)
  %old = tile.atomic_rmw max relaxed gpu %to, %one, %in : tensor<45x!tile.ptr<i32>>
  tile.return
}

func.func @main(%n: i32) {
  %size = arith.constant 100 : i32
  %y_f32 = tile_host.alloc(%size) : (i32) -> memref<?xf32>
  %w_f32 = tile_host.alloc(%size) : (i32) -> memref<?xf32>
  tile_host.launch @f32(%y_f32, %n) : memref<?xf32>, i32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%w_f32 : memref<?xf32>) {
  ^bb0(%u: f32):
    %i = linalg.index 0 : index
    %at = arith.index_cast %i : index to i32
    %k = arith.subi %at, %n : i32
    %forty = arith.constant 40 : i32
    %in = arith.cmpi ult, %k, %forty : i32
    %three = arith.constant 3 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %r = arith.remui %k, %three : i32
    %v = arith.addi %r, %one : i32
    %times = arith.constant 64 : i32
    %all = arith.muli %v, %times : i32
    %sum = arith.select %in, %all, %zero : i32
    %f = arith.sitofp %sum : i32 to f32
    linalg.yield %f : f32
  }
  tile_host.expect_close %y_f32, %w_f32 : memref<?xf32>, memref<?xf32>
  %y_f16 = tile_host.alloc(%size) : (i32) -> memref<?xf16>
  %w_f16 = tile_host.alloc(%size) : (i32) -> memref<?xf16>
  tile_host.launch @f16(%y_f16, %n) : memref<?xf16>, i32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%w_f16 : memref<?xf16>) {
  ^bb0(%u: f16):
    %i = linalg.index 0 : index
    %at = arith.index_cast %i : index to i32
    %k = arith.subi %at, %n : i32
    %forty = arith.constant 40 : i32
    %in = arith.cmpi ult, %k, %forty : i32
    %three = arith.constant 3 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %r = arith.remui %k, %three : i32
    %v = arith.addi %r, %one : i32
    %times = arith.constant 64 : i32
    %all = arith.muli %v, %times : i32
    %sum = arith.select %in, %all, %zero : i32
    %f = arith.sitofp %sum : i32 to f16
    linalg.yield %f : f16
  }
  tile_host.expect_close %y_f16, %w_f16 : memref<?xf16>, memref<?xf16>
  %y_bf16 = tile_host.alloc(%size) : (i32) -> memref<?xbf16>
  %w_bf16 = tile_host.alloc(%size) : (i32) -> memref<?xbf16>
  tile_host.launch @bf16(%y_bf16, %n) : memref<?xbf16>, i32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%w_bf16 : memref<?xbf16>) {
  ^bb0(%u: bf16):
    %i = linalg.index 0 : index
    %at = arith.index_cast %i : index to i32
    %k = arith.subi %at, %n : i32
    %forty = arith.constant 40 : i32
    %in = arith.cmpi ult, %k, %forty : i32
    %three = arith.constant 3 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %r = arith.remui %k, %three : i32
    %v = arith.addi %r, %one : i32
    %times = arith.constant 64 : i32
    %all = arith.muli %v, %times : i32
    %sum = arith.select %in, %all, %zero : i32
    %f = arith.sitofp %sum : i32 to bf16
    linalg.yield %f : bf16
  }
  tile_host.expect_close %y_bf16, %w_bf16 : memref<?xbf16>, memref<?xbf16>
  %y_f64 = tile_host.alloc(%size) : (i32) -> memref<?xf64>
  %w_f64 = tile_host.alloc(%size) : (i32) -> memref<?xf64>
  tile_host.launch @f64(%y_f64, %n) : memref<?xf64>, i32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%w_f64 : memref<?xf64>) {
  ^bb0(%u: f64):
    %i = linalg.index 0 : index
    %at = arith.index_cast %i : index to i32
    %k = arith.subi %at, %n : i32
    %forty = arith.constant 40 : i32
    %in = arith.cmpi ult, %k, %forty : i32
    %three = arith.constant 3 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %r = arith.remui %k, %three : i32
    %v = arith.addi %r, %one : i32
    %times = arith.constant 64 : i32
    %all = arith.muli %v, %times : i32
    %sum = arith.select %in, %all, %zero : i32
    %f = arith.sitofp %sum : i32 to f64
    linalg.yield %f : f64
  }
  tile_host.expect_close %y_f64, %w_f64 : memref<?xf64>, memref<?xf64>
  %y_i32 = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  %w_i32 = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  tile_host.launch @i32(%y_i32, %n) : memref<?xi32>, i32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%w_i32 : memref<?xi32>) {
  ^bb0(%u: i32):
    %i = linalg.index 0 : index
    %at = arith.index_cast %i : index to i32
    %k = arith.subi %at, %n : i32
    %forty = arith.constant 40 : i32
    %in = arith.cmpi ult, %k, %forty : i32
    %three = arith.constant 3 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %r = arith.remui %k, %three : i32
    %v = arith.addi %r, %one : i32
    %times = arith.constant 1 : i32
    %all = arith.muli %v, %times : i32
    %sum = arith.select %in, %all, %zero : i32
    linalg.yield %sum : i32
  }
  tile_host.expect_close %y_i32, %w_i32 : memref<?xi32>, memref<?xi32>
  return
}
