// The whole road: --tile-to-nvvm, and PTX for each architecture.
// RUN: tile-opt %s --tile-to-nvvm=arch=sm_80 | FileCheck %s --check-prefix=NVVM
// RUN: tile-run %s --emit=ptx --arch sm_80 --kernel add | FileCheck %s --check-prefixes=ADD,SM80
// RUN: tile-run %s --emit=ptx --arch sm_86 --kernel add | FileCheck %s --check-prefixes=ADD,SM86
// RUN: tile-run %s --emit=ptx --arch sm_89 --kernel add | FileCheck %s --check-prefixes=ADD,SM89
// RUN: tile-run %s --emit=ptx --arch sm_90a --kernel add | FileCheck %s --check-prefixes=ADD,SM90
// RUN: tile-run %s --emit=ptx --arch sm_100a --kernel add | FileCheck %s --check-prefixes=ADD,SM100
// RUN: tile-run %s --emit=ptx --arch sm_80 --kernel rows | FileCheck %s --check-prefix=ROWS
// RUN: tile-run %s --emit=ptx --arch sm_80 --kernel dot | FileCheck %s --check-prefix=DOT
// RUN: tile-run %s --emit=ptx --arch sm_86 --kernel dot | FileCheck %s --check-prefix=DOT
// RUN: tile-run %s --emit=ptx --arch sm_89 --kernel dot | FileCheck %s --check-prefix=DOT
// RUN: tile-run %s --emit=ptx --arch sm_100a --kernel dot | FileCheck %s --check-prefix=DOT
// RUN: tile-run %s --emit=ptx --arch sm_80 --kernel dot_bf16 | FileCheck %s --check-prefix=BF16
// RUN: tile-run %s --emit=ptx --arch sm_80 --kernel dot_f32 | FileCheck %s --check-prefix=FMA

// SM80: .target sm_80{{$}}
// SM86: .target sm_86{{$}}
// SM89: .target sm_89{{$}}
// SM90: .target sm_90a{{$}}
// SM100: .target sm_100a{{$}}

// Nothing of the tile dialect is left, nor of what lies between.
// NVVM: gpu.module @kernels
// NVVM-NOT: {{ (tile|scf|arith|vector|math|cf)\.}}
// NVVM: llvm.func @add({{.*}} attributes {{{.*}}nvvm.kernel{{.*}}nvvm.reqntid = array<i32: 128>

// ADD: .entry add(
// ADD: .reqntid 128
// ADD: @%p{{[0-9]+}} ld.global.v4.b32
// ADD: @%p{{[0-9]+}} ld.global.v4.b32
// ADD: add.{{(rn\.)?}}f32
// ADD: @%p{{[0-9]+}} st.global.v4.b32
tile.func @add(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  %block = arith.constant 1024 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<1024xi32>
  %base = tile.splat %first : i32 -> tensor<1024xi32>
  %offs = arith.addi %base, %lane : tensor<1024xi32>
  %end = tile.splat %n : i32 -> tensor<1024xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %offs : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p, %in : tensor<1024x!tile.ptr<f32>>
  %w = arith.addf %v, %v : tensor<1024xf32>
  tile.store %p, %w, %in : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// Rows of f16: eight elements an access.
// ROWS: .entry rows(
// ROWS-COUNT-2: ld.global.v{{4.b32|2.b64}}
// ROWS-NOT: ld.global
// ROWS-COUNT-2: st.global.v{{4.b32|2.b64}}
// ROWS-NOT: st.global
// ROWS: ret;
tile.func @rows(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %stride: i32 {tile.divisibility = 16 : i32}) {
  %r = tile.arange : tensor<32xi32>
  %c = tile.arange : tensor<64xi32>
  %row = tile.expand_dims %r axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %col = tile.expand_dims %c axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %s = tile.splat %stride : i32 -> tensor<32x1xi32>
  %far = arith.muli %row, %s : tensor<32x1xi32>
  %rows = tile.broadcast %far : tensor<32x1xi32> -> tensor<32x64xi32>
  %cols = tile.broadcast %col : tensor<1x64xi32> -> tensor<32x64xi32>
  %offs = arith.addi %rows, %cols : tensor<32x64xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %p = tile.addptr %xs, %offs : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
  %v = tile.load %p : tensor<32x64x!tile.ptr<f16>>
  %w = arith.addf %v, %v : tensor<32x64xf16>
  tile.store %p, %w : tensor<32x64x!tile.ptr<f16>>
  tile.return
}

// Copies into shared memory, fragments from there, products, and a store of whole vectors.
// DOT: .entry dot(
// DOT: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16
// DOT: cp.async.commit_group
// DOT: cp.async.wait_group
// DOT: bar{{.*}}.sync
// DOT: ldmatrix.sync.aligned.m8n8.x4{{.*}}.shared.b16
// DOT: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// DOT: st.global.v{{4.b32|2.b64}}
tile.func @dot(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %w: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  %i = tile.arange : tensor<4096xi32>
  %o = tile.reshape %i : tensor<4096xi32> -> tensor<64x64xi32>
  %step = arith.constant dense<4096> : tensor<64x64xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %p0 = tile.addptr %xs, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %ws = tile.splat %w : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %u = tile.addptr %ws, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %q = tile.addptr %ys, %o : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r, %e = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero, %p = %p0) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>) : i32 {
    %l = tile.load %p : tensor<64x64x!tile.ptr<f16>>
    %m = tile.load %u : tensor<64x64x!tile.ptr<f16>>
    %d = tile.dot %l, %m, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %next = tile.addptr %p, %step : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    scf.yield %d, %next : tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>
  }
  tile.store %q, %r : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// BF16: .entry dot_bf16(
// BF16: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
tile.func @dot_bf16(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %w: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  %i = tile.arange : tensor<4096xi32>
  %o = tile.reshape %i : tensor<4096xi32> -> tensor<64x64xi32>
  %step = arith.constant dense<4096> : tensor<64x64xi32>
  %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>>
  %p0 = tile.addptr %xs, %o : tensor<64x64x!tile.ptr<bf16>>, tensor<64x64xi32>
  %ws = tile.splat %w : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>>
  %u = tile.addptr %ws, %o : tensor<64x64x!tile.ptr<bf16>>, tensor<64x64xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %q = tile.addptr %ys, %o : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r, %e = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero, %p = %p0) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<bf16>>) : i32 {
    %l = tile.load %p : tensor<64x64x!tile.ptr<bf16>>
    %m = tile.load %u : tensor<64x64x!tile.ptr<bf16>>
    %d = tile.dot %l, %m, %a : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
    %next = tile.addptr %p, %step : tensor<64x64x!tile.ptr<bf16>>, tensor<64x64xi32>
    scf.yield %d, %next : tensor<64x64xf32>, tensor<64x64x!tile.ptr<bf16>>
  }
  tile.store %q, %r : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// No calls: FMA is an instruction.
// FMA: .entry dot_f32(
// FMA-NOT: mma.sync
// FMA-NOT: call
// FMA: fma.rn.f32
// FMA-NOT: call
// FMA: ret;
tile.func @dot_f32(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %w: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  %i = tile.arange : tensor<1024xi32>
  %o = tile.reshape %i : tensor<1024xi32> -> tensor<32x32xi32>
  %step = arith.constant dense<1024> : tensor<32x32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  %p0 = tile.addptr %xs, %o : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %ws = tile.splat %w : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  %u = tile.addptr %ws, %o : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  %q = tile.addptr %ys, %o : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r, %e = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero, %p = %p0) -> (tensor<32x32xf32>, tensor<32x32x!tile.ptr<f32>>) : i32 {
    %l = tile.load %p : tensor<32x32x!tile.ptr<f32>>
    %m = tile.load %u : tensor<32x32x!tile.ptr<f32>>
    %d = tile.dot %l, %m, %a : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    %next = tile.addptr %p, %step : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
    scf.yield %d, %next : tensor<32x32xf32>, tensor<32x32x!tile.ptr<f32>>
  }
  tile.store %q, %r : tensor<32x32x!tile.ptr<f32>>
  tile.return
}
