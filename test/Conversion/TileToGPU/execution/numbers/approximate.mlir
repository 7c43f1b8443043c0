// Approximate functions (fastmath<afn>) beside the host's libm in f64: sin, cos and log within
// 2^-20, erf within 2^-20, exp and tanh by their relative errors. x is uniform in [-3, 3), its size for log.
// The CPU takes the exact ones.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: in 6 comparisons

!ints = tensor<1024xi32>
!vals = tensor<1024xf32>
!ptrs = tensor<1024x!tile.ptr<f32>>

tile.func private @pointers(%x: !tile.ptr<f32>) -> !ptrs {
  %block = arith.constant 1024 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %base = tile.addptr %x, %first : !tile.ptr<f32>, i32
  %lanes = tile.arange : !ints
  %bases = tile.splat %base : !tile.ptr<f32> -> !ptrs
  %ptrs = tile.addptr %bases, %lanes : !ptrs, !ints
  tile.return %ptrs : !ptrs
}

tile.func @exp(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>) {
  tile.grid() {
    %programs = arith.constant 4 : i32
    tile.yield %programs : i32
  }
  %p = tile.call @pointers(%x) : (!tile.ptr<f32>) -> !ptrs
  %q = tile.call @pointers(%out) : (!tile.ptr<f32>) -> !ptrs
  %v = tile.load %p : !ptrs
  %y = math.exp %v fastmath<afn> : !vals
  tile.store %q, %y : !ptrs
  tile.return
}

tile.func @log(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>) {
  tile.grid() {
    %programs = arith.constant 4 : i32
    tile.yield %programs : i32
  }
  %p = tile.call @pointers(%x) : (!tile.ptr<f32>) -> !ptrs
  %q = tile.call @pointers(%out) : (!tile.ptr<f32>) -> !ptrs
  %v = tile.load %p : !ptrs
  %y = math.log %v fastmath<afn> : !vals
  tile.store %q, %y : !ptrs
  tile.return
}

tile.func @sin(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>) {
  tile.grid() {
    %programs = arith.constant 4 : i32
    tile.yield %programs : i32
  }
  %p = tile.call @pointers(%x) : (!tile.ptr<f32>) -> !ptrs
  %q = tile.call @pointers(%out) : (!tile.ptr<f32>) -> !ptrs
  %v = tile.load %p : !ptrs
  %y = math.sin %v fastmath<afn> : !vals
  tile.store %q, %y : !ptrs
  tile.return
}

tile.func @cos(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>) {
  tile.grid() {
    %programs = arith.constant 4 : i32
    tile.yield %programs : i32
  }
  %p = tile.call @pointers(%x) : (!tile.ptr<f32>) -> !ptrs
  %q = tile.call @pointers(%out) : (!tile.ptr<f32>) -> !ptrs
  %v = tile.load %p : !ptrs
  %y = math.cos %v fastmath<afn> : !vals
  tile.store %q, %y : !ptrs
  tile.return
}

tile.func @tanh(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>) {
  tile.grid() {
    %programs = arith.constant 4 : i32
    tile.yield %programs : i32
  }
  %p = tile.call @pointers(%x) : (!tile.ptr<f32>) -> !ptrs
  %q = tile.call @pointers(%out) : (!tile.ptr<f32>) -> !ptrs
  %v = tile.load %p : !ptrs
  %y = math.tanh %v fastmath<afn> : !vals
  tile.store %q, %y : !ptrs
  tile.return
}

tile.func @erf(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>) {
  tile.grid() {
    %programs = arith.constant 4 : i32
    tile.yield %programs : i32
  }
  %p = tile.call @pointers(%x) : (!tile.ptr<f32>) -> !ptrs
  %q = tile.call @pointers(%out) : (!tile.ptr<f32>) -> !ptrs
  %v = tile.load %p : !ptrs
  %y = math.erf %v fastmath<afn> : !vals
  tile.store %q, %y : !ptrs
  tile.return
}

func.func @main() {
  %x = tile_host.random() seed 7 : () -> memref<4096xf32>
  %size = tile_host.alloc() : () -> memref<4096xf32>
  %three = arith.constant 3.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%x, %size : memref<4096xf32>, memref<4096xf32>) {
  ^bb0(%v: f32, %old: f32):
    %w = arith.mulf %v, %three : f32
    %s = math.absf %w : f32
    linalg.yield %w, %s : f32, f32
  }
  %exp = tile_host.alloc() : () -> memref<4096xf32>
  %want_exp = tile_host.alloc() : () -> memref<4096xf64>
  tile_host.launch @exp(%x, %exp) : memref<4096xf32>, memref<4096xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<4096xf32>) outs(%want_exp : memref<4096xf64>) {
  ^bb0(%v: f32, %old: f64):
    %w = arith.extf %v : f32 to f64
    %y = math.exp %w : f64
    linalg.yield %y : f64
  }
  tile_host.expect_close %exp, %want_exp {atol = 1.0e-06, rtol = 1.0e-06} : memref<4096xf32>, memref<4096xf64>
  %log = tile_host.alloc() : () -> memref<4096xf32>
  %want_log = tile_host.alloc() : () -> memref<4096xf64>
  tile_host.launch @log(%size, %log) : memref<4096xf32>, memref<4096xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%size : memref<4096xf32>) outs(%want_log : memref<4096xf64>) {
  ^bb0(%v: f32, %old: f64):
    %w = arith.extf %v : f32 to f64
    %y = math.log %w : f64
    linalg.yield %y : f64
  }
  tile_host.expect_close %log, %want_log {atol = 1.0e-06, rtol = 1.0e-06} : memref<4096xf32>, memref<4096xf64>
  %sin = tile_host.alloc() : () -> memref<4096xf32>
  %want_sin = tile_host.alloc() : () -> memref<4096xf64>
  tile_host.launch @sin(%x, %sin) : memref<4096xf32>, memref<4096xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<4096xf32>) outs(%want_sin : memref<4096xf64>) {
  ^bb0(%v: f32, %old: f64):
    %w = arith.extf %v : f32 to f64
    %y = math.sin %w : f64
    linalg.yield %y : f64
  }
  tile_host.expect_close %sin, %want_sin {atol = 1.0e-06, rtol = 0.0e+00} : memref<4096xf32>, memref<4096xf64>
  %cos = tile_host.alloc() : () -> memref<4096xf32>
  %want_cos = tile_host.alloc() : () -> memref<4096xf64>
  tile_host.launch @cos(%x, %cos) : memref<4096xf32>, memref<4096xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<4096xf32>) outs(%want_cos : memref<4096xf64>) {
  ^bb0(%v: f32, %old: f64):
    %w = arith.extf %v : f32 to f64
    %y = math.cos %w : f64
    linalg.yield %y : f64
  }
  tile_host.expect_close %cos, %want_cos {atol = 1.0e-06, rtol = 0.0e+00} : memref<4096xf32>, memref<4096xf64>
  %tanh = tile_host.alloc() : () -> memref<4096xf32>
  %want_tanh = tile_host.alloc() : () -> memref<4096xf64>
  tile_host.launch @tanh(%x, %tanh) : memref<4096xf32>, memref<4096xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<4096xf32>) outs(%want_tanh : memref<4096xf64>) {
  ^bb0(%v: f32, %old: f64):
    %w = arith.extf %v : f32 to f64
    %y = math.tanh %w : f64
    linalg.yield %y : f64
  }
  tile_host.expect_close %tanh, %want_tanh {atol = 0.0e+00, rtol = 6.0e-04} : memref<4096xf32>, memref<4096xf64>
  %erf = tile_host.alloc() : () -> memref<4096xf32>
  %want_erf = tile_host.alloc() : () -> memref<4096xf64>
  tile_host.launch @erf(%x, %erf) : memref<4096xf32>, memref<4096xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<4096xf32>) outs(%want_erf : memref<4096xf64>) {
  ^bb0(%v: f32, %old: f64):
    %w = arith.extf %v : f32 to f64
    %y = math.erf %w : f64
    linalg.yield %y : f64
  }
  tile_host.expect_close %erf, %want_erf {atol = 1.0e-06, rtol = 0.0e+00} : memref<4096xf32>, memref<4096xf64>
  return
}
