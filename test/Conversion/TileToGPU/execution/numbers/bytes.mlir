// Every byte, signed and not, as f32, f16 and bf16, of which a thread makes four and more at a time; all hold it exactly. And every
// byte shifted by constants, a word at a time. The host takes the same bytes one by one.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 9 comparisons

tile.func @convert(%bytes: !tile.ptr<i8>, %sf: !tile.ptr<f32>, %sh: !tile.ptr<f16>, %sb: !tile.ptr<bf16>,
                   %uf: !tile.ptr<f32>, %uh: !tile.ptr<f16>, %ub: !tile.ptr<bf16>) attributes {tile.num_warps = 1 : i32} {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : tensor<256xi32>
  %ptrs = tile.expr %bytes + %lane
  %x = tile.load %ptrs : tensor<256x!tile.ptr<i8>>
  %sf_value = arith.sitofp %x : tensor<256xi8> to tensor<256xf32>
  %sh_value = arith.sitofp %x : tensor<256xi8> to tensor<256xf16>
  %sb_value = arith.sitofp %x : tensor<256xi8> to tensor<256xbf16>
  %uf_value = arith.uitofp %x : tensor<256xi8> to tensor<256xf32>
  %uh_value = arith.uitofp %x : tensor<256xi8> to tensor<256xf16>
  %ub_value = arith.uitofp %x : tensor<256xi8> to tensor<256xbf16>
  %sf_ptrs = tile.expr %sf + %lane
  %sh_ptrs = tile.expr %sh + %lane
  %sb_ptrs = tile.expr %sb + %lane
  %uf_ptrs = tile.expr %uf + %lane
  %uh_ptrs = tile.expr %uh + %lane
  %ub_ptrs = tile.expr %ub + %lane
  tile.store %sf_ptrs, %sf_value : tensor<256x!tile.ptr<f32>>
  tile.store %sh_ptrs, %sh_value : tensor<256x!tile.ptr<f16>>
  tile.store %sb_ptrs, %sb_value : tensor<256x!tile.ptr<bf16>>
  tile.store %uf_ptrs, %uf_value : tensor<256x!tile.ptr<f32>>
  tile.store %uh_ptrs, %uh_value : tensor<256x!tile.ptr<f16>>
  tile.store %ub_ptrs, %ub_value : tensor<256x!tile.ptr<bf16>>
  tile.return
}

tile.func @shift(%bytes: !tile.ptr<i8>, %half: !tile.ptr<f32>, %low: !tile.ptr<f32>, %left: !tile.ptr<f32>)
    attributes {tile.num_warps = 1 : i32} {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : tensor<256xi32>
  %ptrs = tile.expr %bytes + %lane
  %x = tile.load %ptrs : tensor<256x!tile.ptr<i8>>
  %four = arith.constant dense<4> : tensor<256xi8>
  %three = arith.constant dense<3> : tensor<256xi8>
  %one = arith.constant dense<1> : tensor<256xi8>
  %signed = arith.shrsi %x, %four : tensor<256xi8>
  %unsigned = arith.shrui %x, %three : tensor<256xi8>
  %twice = arith.shli %x, %one : tensor<256xi8>
  %half_value = arith.sitofp %signed : tensor<256xi8> to tensor<256xf32>
  %low_value = arith.uitofp %unsigned : tensor<256xi8> to tensor<256xf32>
  %left_value = arith.sitofp %twice : tensor<256xi8> to tensor<256xf32>
  %half_ptrs = tile.expr %half + %lane
  %low_ptrs = tile.expr %low + %lane
  %left_ptrs = tile.expr %left + %lane
  tile.store %half_ptrs, %half_value : tensor<256x!tile.ptr<f32>>
  tile.store %low_ptrs, %low_value : tensor<256x!tile.ptr<f32>>
  tile.store %left_ptrs, %left_value : tensor<256x!tile.ptr<f32>>
  tile.return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 256 : index
  %m = arith.constant 256 : i32
  %bytes = tile_host.alloc(%m) -> memref<?xi8>
  %signed = tile_host.alloc(%m) -> memref<?xf64>
  %unsigned = tile_host.alloc(%m) -> memref<?xf64>
  %halved = tile_host.alloc(%m) -> memref<?xf64>
  %lowered = tile_host.alloc(%m) -> memref<?xf64>
  %doubled = tile_host.alloc(%m) -> memref<?xf64>
  %c2 = arith.constant 2 : i64
  %c8 = arith.constant 8 : i64
  %c16 = arith.constant 16 : i64
  scf.for %i = %c0 to %n step %c1 {
    %byte = arith.index_cast %i : index to i8
    %s = arith.extsi %byte : i8 to i64
    %u = arith.index_cast %i : index to i64
    %sf = arith.sitofp %s : i64 to f64
    %uf = arith.sitofp %u : i64 to f64
    %h = arith.floordivsi %s, %c16 : i64
    %l = arith.divui %u, %c8 : i64
    %d = arith.muli %s, %c2 : i64
    %d8 = arith.trunci %d : i64 to i8
    %hf = arith.sitofp %h : i64 to f64
    %lf = arith.sitofp %l : i64 to f64
    %df = arith.sitofp %d8 : i8 to f64
    memref.store %hf, %halved[%i] : memref<?xf64>
    memref.store %lf, %lowered[%i] : memref<?xf64>
    memref.store %df, %doubled[%i] : memref<?xf64>
    memref.store %byte, %bytes[%i] : memref<?xi8>
    memref.store %sf, %signed[%i] : memref<?xf64>
    memref.store %uf, %unsigned[%i] : memref<?xf64>
  }
  %sf = tile_host.alloc(%m) -> memref<?xf32>
  %sh = tile_host.alloc(%m) -> memref<?xf16>
  %sb = tile_host.alloc(%m) -> memref<?xbf16>
  %uf = tile_host.alloc(%m) -> memref<?xf32>
  %uh = tile_host.alloc(%m) -> memref<?xf16>
  %ub = tile_host.alloc(%m) -> memref<?xbf16>
  tile_host.launch @convert(%bytes, %sf, %sh, %sb, %uf, %uh, %ub)
  %half = tile_host.alloc(%m) -> memref<?xf32>
  %low = tile_host.alloc(%m) -> memref<?xf32>
  %left = tile_host.alloc(%m) -> memref<?xf32>
  tile_host.launch @shift(%bytes, %half, %low, %left)
  tile_host.expect_close %half, %halved {atol = 0.0, rtol = 0.0}
  tile_host.expect_close %low, %lowered {atol = 0.0, rtol = 0.0}
  tile_host.expect_close %left, %doubled {atol = 0.0, rtol = 0.0}
  tile_host.expect_close %sf, %signed {atol = 0.0, rtol = 0.0}
  tile_host.expect_close %sh, %signed {atol = 0.0, rtol = 0.0}
  tile_host.expect_close %sb, %signed {atol = 0.0, rtol = 0.0}
  tile_host.expect_close %uf, %unsigned {atol = 0.0, rtol = 0.0}
  tile_host.expect_close %uh, %unsigned {atol = 0.0, rtol = 0.0}
  tile_host.expect_close %ub, %unsigned {atol = 0.0, rtol = 0.0}
  return
}
