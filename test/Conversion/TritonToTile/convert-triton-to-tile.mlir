// RUN: tile-opt %s --convert-triton-to-tile | FileCheck %s
// RUN: tile-opt %s --convert-triton-to-tile=fp-fusion=false | FileCheck %s --check-prefix=EXACT

// What Triton knows of arguments is known of tile's.
// CHECK-LABEL: tile.func @arguments
// CHECK-SAME: (%{{.*}}: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %{{.*}}: !tile.ptr<i8>, %{{.*}}: !tile.ptr<!tile.ptr<f16>>, %{{.*}}: i32 {tile.divisibility = 16 : i32}, %{{.*}}: f64)
// CHECK-SAME: attributes {tile.knows_ones}
// CHECK-NEXT: tile.return
tt.func public @arguments(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32},
    %flags: !tt.ptr<i1>, %lists: !tt.ptr<!tt.ptr<f16>>, %n: i32 {tt.divisibility = 16 : i32}, %f: f64)
    attributes {noinline = false} {
  tt.return
}

// CHECK-LABEL: tile.func @indices
// CHECK: tile.program_id y
// CHECK: tile.num_programs z
// CHECK: %[[LANE:.*]] = tile.arange : tensor<32xi32>
// CHECK: %[[FIRST:.*]] = arith.constant dense<32> : tensor<32xi32>
// CHECK: arith.addi %[[LANE]], %[[FIRST]] : tensor<32xi32>
tt.func public @indices(%out: !tt.ptr<i32>) {
  %y = tt.get_program_id y : i32
  %z = tt.get_num_programs z : i32
  %lane = tt.make_range {end = 64 : i32, start = 32 : i32} : tensor<32xi32>
  %sum = arith.addi %y, %z : i32
  %sums = tt.splat %sum : i32 -> tensor<32xi32>
  %at = arith.addi %sums, %lane : tensor<32xi32>
  %base = tt.splat %out : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
  %to = tt.addptr %base, %at : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
  tt.store %to, %at : tensor<32x!tt.ptr<i32>>
  tt.return
}

// CHECK-LABEL: tile.func @shapes
// CHECK: tile.expand_dims %{{.*}} axis 1 : tensor<8xf32> -> tensor<8x1xf32>
// CHECK: tile.broadcast %{{.*}} : tensor<8x1xf32> -> tensor<8x4xf32>
// CHECK: tile.trans %{{.*}} order [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
// CHECK: tile.reshape %{{.*}} : tensor<4x8xf32> -> tensor<32xf32>
// CHECK: tile.join %{{.*}}, %{{.*}} : tensor<32xf32> -> tensor<32x2xf32>
// CHECK: tile.split %{{.*}} : tensor<32x2xf32> -> tensor<32xf32>
// CHECK: tile.cat %{{.*}}, %{{.*}} axis 0 : tensor<32xf32>, tensor<32xf32> -> tensor<64xf32>
// CHECK: arith.extui %{{.*}} : tensor<64xi8> to tensor<64xi32>
// CHECK: tile.gather %{{.*}}, %{{.*}} axis 0 : tensor<64xf32>, tensor<64xi32> -> tensor<64xf32>
tt.func public @shapes(%out: tensor<64x!tt.ptr<f32>>, %x: tensor<8xf32>, %places: tensor<64xi8>) {
  %column = tt.expand_dims %x {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  %wide = tt.broadcast %column : tensor<8x1xf32> -> tensor<8x4xf32>
  %turned = tt.trans %wide {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
  %flat = tt.reshape %turned allow_reorder : tensor<4x8xf32> -> tensor<32xf32>
  %pair = tt.join %flat, %flat : tensor<32xf32> -> tensor<32x2xf32>
  %one, %two = tt.split %pair : tensor<32x2xf32> -> tensor<32xf32>
  %all = tt.cat %one, %two : tensor<32xf32> -> tensor<64xf32>
  %some = tt.gather %all[%places] {axis = 0 : i32} : (tensor<64xf32>, tensor<64xi8>) -> tensor<64xf32>
  tt.store %out, %some : tensor<64x!tt.ptr<f32>>
  tt.return
}

// Narrow offsets are signed; truths take a byte in memory.
// CHECK-LABEL: tile.func @memory
// CHECK: %[[OFFSET:.*]] = arith.extsi %{{.*}} : tensor<8xi16> to tensor<8xi32>
// CHECK: tile.addptr %{{.*}}, %[[OFFSET]] : tensor<8x!tile.ptr<i8>>, tensor<8xi32>
// CHECK: %[[BYTE:.*]] = tile.load %[[P:.*]], %[[M:.*]] evict first : tensor<8x!tile.ptr<i8>>
// CHECK: %[[TRUTH:.*]] = arith.cmpi ne, %[[BYTE]], %{{.*}} : tensor<8xi8>
// CHECK: %[[BACK:.*]] = arith.extui %[[TRUTH]] : tensor<8xi1> to tensor<8xi8>
// CHECK: tile.store %[[P]], %[[BACK]], %[[M]] : tensor<8x!tile.ptr<i8>>
tt.func public @memory(%flags: tensor<8x!tt.ptr<i1>>, %offset: tensor<8xi16>, %m: tensor<8xi1>) {
  %p = tt.addptr %flags, %offset : tensor<8x!tt.ptr<i1>>, tensor<8xi16>
  %bytes = tt.bitcast %p : tensor<8x!tt.ptr<i1>> -> tensor<8x!tt.ptr<i8>>
  %v = tt.load %p, %m evictionPolicy = evict_first {isVolatile = false} : tensor<8x!tt.ptr<i1>>
  tt.store %p, %v, %m : tensor<8x!tt.ptr<i1>>
  tt.return
}

// CHECK-LABEL: tile.func @addresses
// CHECK: tile.ptr_cast %{{.*}} : !tile.ptr<i8> -> !tile.ptr<f32>
// CHECK: tile.ptr_cast %{{.*}} : !tile.ptr<f32> -> i64
// CHECK: tile.ptr_cast %{{.*}} : i64 -> !tile.ptr<i32>
// CHECK: tile.atomic_rmw or relaxed sys %{{.*}}, %{{.*}} : !tile.ptr<i32>
// CHECK-COUNT-2: tile.barrier
tt.func public @addresses(%p: !tt.ptr<i8>) {
  %q = tt.bitcast %p : !tt.ptr<i8> -> !tt.ptr<f32>
  %n = tt.ptr_to_int %q : !tt.ptr<f32> -> i64
  %r = tt.int_to_ptr %n : i64 -> !tt.ptr<i32>
  %v = tt.load %r {isVolatile = true} : !tt.ptr<i32>
  gpu.barrier
  ttg.barrier local
  tt.return
}

// CHECK-LABEL: tile.func @atomics
// CHECK: tile.atomic_rmw fadd acq_rel gpu %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x!tile.ptr<f32>>
// CHECK: tile.atomic_rmw xchg relaxed sys %{{.*}}, %{{.*}} : !tile.ptr<i32>
// CHECK: tile.atomic_cas acquire cta %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<i32>
tt.func public @atomics(%p: tensor<8x!tt.ptr<f32>>, %v: tensor<8xf32>, %m: tensor<8xi1>, %q: !tt.ptr<i32>, %n: i32) {
  %a = tt.atomic_rmw fadd, acq_rel, gpu, %p, %v, %m : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>
  %b = tt.atomic_rmw exch, relaxed, sys, %q, %n : (!tt.ptr<i32>, i32) -> i32
  %c = tt.atomic_cas acquire, cta, %q, %n, %b : (!tt.ptr<i32>, i32, i32) -> i32
  tt.return
}

// Both spellings of a descriptor's type; the tile leaves out the box's first dimension.
// CHECK-LABEL: tile.func @descriptors
// CHECK: %[[D:.*]] = tile.make_desc %{{.*}}, [%[[M:.*]], %[[N:.*]]], [%[[S:.*]]] padding nan : !tile.ptr<f16> -> !tile.desc<1x64xf16>
// CHECK: %[[BOX:.*]] = tile.desc_load %[[D]][%{{.*}}, %{{.*}}] : !tile.desc<1x64xf16>
// CHECK: %[[ROW:.*]] = tile.reshape %[[BOX]] : tensor<1x64xf16> -> tensor<64xf16>
// CHECK: %[[AGAIN:.*]] = tile.reshape %[[ROW]] : tensor<64xf16> -> tensor<1x64xf16>
// CHECK: tile.desc_store %[[D]][%{{.*}}, %{{.*}}], %[[AGAIN]] : !tile.desc<1x64xf16>
tt.func public @descriptors(%p: !tt.ptr<f16>, %m: i32, %n: i32, %pitch: i64) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%m, %n], [%pitch, %one] {padding = 2 : i32} : <f16>, <tensor<1x64xf16>>
  %v = tt.descriptor_load %d[%m, %n] : !tt.tensordesc<1x64xf16> -> tensor<64xf16>
  tt.descriptor_store %d[%m, %n], %v : !tt.tensordesc<tensor<1x64xf16>>, tensor<64xf16>
  tt.return
}

// A descriptor that is passed is what it is made of: base, extents, and strides but for the last.
// CHECK-LABEL: tile.func @passed
// CHECK-SAME: (%{{.*}}: i32, %[[P:.*]]: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %[[M:.*]]: i32, %[[N:.*]]: i32, %[[S:.*]]: i64 {tile.divisibility = 8 : i32}, %[[Q:.*]]: !tile.ptr<f32> {tile.divisibility = 16 : i32})
// CHECK: %[[D:.*]] = tile.make_desc %[[P]], [%[[M]], %[[N]]], [%[[S]]] : !tile.ptr<f16> -> !tile.desc<8x64xf16>
// CHECK: tile.desc_load %[[D]]
tt.func public @passed(%n: i32, %d: !tt.tensordesc<tensor<8x64xf16>>, %q: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %v = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<8x64xf16>> -> tensor<8x64xf16>
  tt.descriptor_store %d[%n, %n], %v : !tt.tensordesc<tensor<8x64xf16>>, tensor<8x64xf16>
  tt.return
}

// What an argument reads outside of its array is said of it.
// CHECK-LABEL: tile.func @padded
// CHECK: tile.make_desc {{.*}} padding nan : !tile.ptr<f16> -> !tile.desc<8x64xf16>
tt.func public @padded(%n: i32, %d: !tt.tensordesc<tensor<8x64xf16>> {tt.padding = 2 : i32}) {
  %v = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<8x64xf16>> -> tensor<8x64xf16>
  tt.descriptor_store %d[%n, %n], %v : !tt.tensordesc<tensor<8x64xf16>>, tensor<8x64xf16>
  tt.return
}

// CHECK-LABEL: tile.func @products
// CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} precision tf32 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
// CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} precision tf32x3 : tensor<16x16xf32>
// CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} precision bf16x3 : tensor<16x16xf32>
// CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} precision bf16x6 : tensor<16x16xf32>
// CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : tensor<16x16xf16> to tensor<16x16xf32>
// CHECK: %[[SUM:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[WIDE]] : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
// CHECK: arith.truncf %[[SUM]] : tensor<16x16xf32> to tensor<16x16xf16>
tt.func public @products(%p: tensor<16x16x!tt.ptr<f32>>, %q: tensor<16x16x!tt.ptr<f16>>) {
  %x = tt.load %p : tensor<16x16x!tt.ptr<f32>>
  %y = tt.dot %x, %x, %x, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %z = tt.dot %x, %x, %y, inputPrecision = tf32x3 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %v = tt.dot %x, %x, %z, inputPrecision = bf16x3 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %w = tt.dot %x, %x, %v, inputPrecision = bf16x6 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.store %p, %w : tensor<16x16x!tt.ptr<f32>>
  %h = tt.load %q : tensor<16x16x!tt.ptr<f16>>
  %d = tt.dot %h, %h, %h {maxNumImpreciseAcc = 0 : i32} : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf16>
  tt.store %q, %d : tensor<16x16x!tt.ptr<f16>>
  tt.return
}

// Sums of 8-bit floats that a tensor core shall not add so much to begin at zero, and are added as f32.
// CHECK-LABEL: tile.func @imprecise
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
// CHECK: %[[PART:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[ZERO]] : tensor<16x64xf8E4M3FN>
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[PART]] : tensor<16x16xf32>
// CHECK-NOT: addf
// CHECK: tile.dot %{{.*}}, %{{.*}}, %[[SUM]] : tensor<16x64xf8E4M3FN>
// CHECK-NOT: addf
tt.func public @imprecise(%p: tensor<16x64x!tt.ptr<f8E4M3FN>>, %q: tensor<64x16x!tt.ptr<f8E4M3FN>>, %r: tensor<16x16x!tt.ptr<f32>>) {
  %a = tt.load %p : tensor<16x64x!tt.ptr<f8E4M3FN>>
  %b = tt.load %q : tensor<64x16x!tt.ptr<f8E4M3FN>>
  %c = tt.load %r : tensor<16x16x!tt.ptr<f32>>
  %d = tt.dot %a, %b, %c {maxNumImpreciseAcc = 64 : i32} : tensor<16x64xf8E4M3FN> * tensor<64x16xf8E4M3FN> -> tensor<16x16xf32>
  %e = tt.dot %a, %b, %d {maxNumImpreciseAcc = 65 : i32} : tensor<16x64xf8E4M3FN> * tensor<64x16xf8E4M3FN> -> tensor<16x16xf32>
  tt.store %r, %e : tensor<16x16x!tt.ptr<f32>>
  tt.return
}

// A region of tile's sees nothing of outside: the constant is made again.
// CHECK-LABEL: tile.func @combine
// CHECK: tile.reduce %{{.*}} axis 0 : tensor<8xi32> -> i32 {
// CHECK-NEXT: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32):
// CHECK-NEXT: %[[SEVEN:.*]] = arith.constant 7 : i32
// CHECK-NEXT: %[[LOW:.*]] = arith.andi %[[A]], %[[SEVEN]] : i32
// CHECK: tile.yield
// CHECK: tile.scan %{{.*}} axis 0 attributes {reverse}
// CHECK-NOT: tile.assert
// CHECK: tile.histogram %{{.*}} : tensor<8xi32> -> tensor<16xi32>
// CHECK: tile.reduce max %{{.*}} axis 0 : tensor<1xi32> -> i32
tt.func public @combine(%x: tensor<8xi32>, %one: tensor<1x1xi32>, %p: !tt.ptr<i32>, %q: tensor<16x!tt.ptr<i32>>) {
  %seven = arith.constant 7 : i32
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %low = arith.andi %a, %seven : i32
    %sum = arith.addi %low, %b : i32
    tt.reduce.return %sum : i32
  }) : (tensor<8xi32>) -> i32
  tt.store %p, %r : !tt.ptr<i32>
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = true}> ({
  ^bb0(%a: i32, %b: i32):
    %sum = arith.addi %a, %b : i32
    %small = arith.cmpi slt, %sum, %seven : i32
    tt.assert %small, "nobody says it in there" : i1
    tt.scan.return %sum : i32
  }) : (tensor<8xi32>) -> tensor<8xi32>
  %h = tt.histogram %s : tensor<8xi32> -> tensor<16xi32>
  tt.store %q, %h : tensor<16x!tt.ptr<i32>>
  %u = tt.unsplat %one : tensor<1x1xi32>
  tt.store %p, %u : !tt.ptr<i32>
  tt.return
}

// CHECK-LABEL: tile.func @arithmetic
// CHECK: %[[LEAST:.*]] = arith.maxnumf
// CHECK: arith.minnumf %[[LEAST]]
// CHECK: arith.maximumf
// CHECK: arith.minimumf
// CHECK: math.sqrt
// CHECK: arith.divf
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: math.tanh %{{.*}} : f32
// CHECK: math.powf %{{.*}}, %{{.*}} : f32
// CHECK: %[[NAN:.*]] = math.isnan %{{.*}} : f32
// CHECK: arith.extui %[[NAN]] : i1 to i32
// CHECK: %[[P:.*]] = arith.muli %{{.*}}, %{{.*}} : i64
// CHECK: %[[H:.*]] = arith.shrui %[[P]], %{{.*}} : i64
// CHECK: arith.trunci %[[H]] : i64 to i32
tt.func public @arithmetic(%p: !tt.ptr<f32>, %x: f32, %y: f32, %b: bf16, %n: i32, %q: !tt.ptr<f16>, %r: !tt.ptr<i32>) {
  %c = tt.clampf %x, %y, %x, propagateNan = none : f32
  %d = tt.clampf %c, %y, %x, propagateNan = all : f32
  %e = tt.precise_sqrt %d : f32
  %f = tt.precise_divf %e, %x : f32
  %h = tt.fp_to_fp %b : bf16 -> f16
  %t = tt.extern_elementwise %f {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (f32) -> f32
  %w = tt.extern_elementwise %t, %x {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (f32, f32) -> f32
  %i = tt.extern_elementwise %w {libname = "", libpath = "", pure = true, symbol = "__nv_isnanf"} : (f32) -> i32
  %m = tt.mulhiui %i, %n : i32
  tt.store %p, %w : !tt.ptr<f32>
  tt.store %q, %h : !tt.ptr<f16>
  tt.store %r, %m : !tt.ptr<i32>
  tt.return
}

// As exact as Triton's own code, unless it says precise; what is combined alone has nothing to fuse.
// CHECK-LABEL: tile.func @numerics
// CHECK: %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f32
// CHECK: arith.addf %[[P]], %{{.*}} fastmath<contract> : f32
// CHECK: arith.divf %{{.*}}, %{{.*}} fastmath<arcp> : f32
// CHECK: math.exp %{{.*}} fastmath<afn> : f32
// CHECK: math.sqrt %{{.*}} fastmath<afn> : f32
// CHECK: math.rsqrt %{{.*}} fastmath<afn> : f32
// CHECK: math.log %{{.*}} : f32
// CHECK: arith.divf %{{.*}}, %{{.*}} : f64
// CHECK: tile.reduce add
// CHECK: arith.divf %{{.*}}, %{{.*}} : f32
// EXACT-LABEL: tile.func @numerics
// EXACT: arith.mulf %{{.*}}, %{{.*}} : f32
// EXACT: arith.divf %{{.*}}, %{{.*}} fastmath<arcp> : f32
tt.func public @numerics(%p: !tt.ptr<f32>, %q: !tt.ptr<f64>, %x: f32, %y: f32, %w: f64, %t: tensor<8xf32>) {
  %a = arith.mulf %x, %y : f32
  %b = arith.addf %a, %x : f32
  %c = arith.divf %b, %y : f32
  %d = math.exp %c : f32
  %e = math.sqrt %d : f32
  %g = math.rsqrt %e : f32
  %f = math.log %g : f32
  %v = arith.divf %w, %w : f64
  tt.store %q, %v : !tt.ptr<f64>
  %r = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%k: f32, %l: f32):
    %sum = arith.addf %k, %l : f32
    tt.reduce.return %sum : f32
  }) : (tensor<8xf32>) -> f32
  %h = tt.precise_divf %f, %r : f32
  tt.store %p, %h : !tt.ptr<f32>
  tt.return
}

// Functions of libdevice of several ops: those of f32 in f32, gamma with what its logarithm's sum leaves over.
// CHECK-LABEL: tile.func @composed
// CHECK: %[[Z:.*]] = math.ctlz %{{.*}} : i64
// CHECK: arith.trunci %[[Z]] : i64 to i32
// CHECK: %[[R:.*]] = arith.divf %{{.*}}, %{{.*}} {tile_gpu.divisor_in_range} : f32
// CHECK: arith.mulf %{{.*}}, %[[R]] : f32
// CHECK-NOT: f64
// CHECK: math.fma %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK-NOT: f64
// CHECK: tile.return
tt.func public @composed(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %x: f32, %y: f32, %n: i64) {
  %z = tt.extern_elementwise %n {libname = "", libpath = "", pure = true, symbol = "__nv_clzll"} : (i64) -> i32
  tt.store %q, %z : !tt.ptr<i32>
  %d = tt.extern_elementwise %x, %y {libname = "", libpath = "", pure = true, symbol = "__nv_fast_fdividef"} : (f32, f32) -> f32
  %l = tt.extern_elementwise %d {libname = "", libpath = "", pure = true, symbol = "__nv_tgammaf"} : (f32) -> f32
  tt.store %p, %l : !tt.ptr<f32>
  tt.return
}

// erfinv has a root, and the sign of its argument.
// CHECK-LABEL: tile.func @narrow
// CHECK-NOT: f64
// CHECK: math.sqrt %{{.*}} : f32
// CHECK: math.copysign %{{.*}} : f32
// CHECK-NOT: f64
// CHECK: tile.return
tt.func public @narrow(%p: !tt.ptr<f32>, %x: f32) {
  %y = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_erfinvf"} : (f32) -> f32
  tt.store %p, %y : !tt.ptr<f32>
  tt.return
}

// Without __CUDA_PREC_SQRT, as Triton links it; sqrt_rn is IEEE's, and f64 has no other.
// CHECK-LABEL: tile.func @roots
// CHECK: math.sqrt %{{.*}} fastmath<afn> : f32
// CHECK: math.sqrt %{{[^ ]*}} : f32
// CHECK: math.sqrt %{{[^ ]*}} : f64
tt.func public @roots(%p: !tt.ptr<f32>, %q: !tt.ptr<f64>) {
  %x = tt.load %p : !tt.ptr<f32>
  %a = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_sqrtf"} : (f32) -> f32
  %b = tt.extern_elementwise %a {libname = "", libpath = "", pure = true, symbol = "__nv_fsqrt_rn"} : (f32) -> f32
  tt.store %p, %b : !tt.ptr<f32>
  %y = tt.load %q : !tt.ptr<f64>
  %c = tt.extern_elementwise %y {libname = "", libpath = "", pure = true, symbol = "__nv_sqrt"} : (f64) -> f64
  tt.store %q, %c : !tt.ptr<f64>
  tt.return
}

// Of a text with two results each is an op.
// CHECK-LABEL: tile.func @both
// CHECK: tile.inline_ptx "{{.*}}" constraints "=r,=f,r" pure of [i32, f32] output 0(%[[X:.*]]) : (tensor<8xi32>) -> tensor<8xi32>
// CHECK: tile.inline_ptx "{{.*}}" constraints "=r,=f,r" pure of [i32, f32] output 1(%[[X]]) : (tensor<8xi32>) -> tensor<8xf32>
tt.func public @both(%p: tensor<8x!tt.ptr<i32>>, %q: tensor<8x!tt.ptr<f32>>, %x: tensor<8xi32>) {
  %y:2 = tt.elementwise_inline_asm "mov.b32 $0, $2; mov.b32 $1, $2;" {constraints = "=r,=f,r", packed_element = 1 : i32, pure = true} %x : tensor<8xi32> -> tensor<8xi32>, tensor<8xf32>
  tt.store %p, %y#0 : tensor<8x!tt.ptr<i32>>
  tt.store %q, %y#1 : tensor<8x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: tile.func @asm
// CHECK: tile.inline_ptx "mov.b32 $0, $1;" constraints "=r,r" pack 4 pure(%{{.*}}) : (tensor<8xi8>) -> tensor<8xi8>
tt.func public @asm(%p: tensor<8x!tt.ptr<i8>>, %x: tensor<8xi8>) {
  %y = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r, r", packed_element = 4 : i32, pure = true} %x : tensor<8xi8> -> tensor<8xi8>
  tt.store %p, %y : tensor<8x!tt.ptr<i8>>
  tt.return
}

// CHECK-LABEL: tile.func @debugging
// CHECK: tile.print "x" %{{.*}} : i32
// CHECK: tile.assert %{{.*}}, "small" : i1
// CHECK: tile.assume %{{.*}}
tt.func public @debugging(%n: i32, %c: i1) {
  tt.print " x: " {hex = false, isSigned = array<i32: 1>} : %n : i32
  tt.assert %c, "small" : i1
  llvm.intr.assume %c : i1
  tt.return
}

// An early return: what follows is in the other branch. tt's attributes of loops stay behind.
// CHECK-LABEL: tile.func @early
// CHECK: scf.if %{{.*}} {
// CHECK: } else {
// CHECK: scf.for
// CHECK: tile.store
// CHECK-NEXT: } {tile.num_stages = 2 : i32
// CHECK-NOT: cf.
// CHECK: tile.return
tt.func public @early(%p: !tt.ptr<i32>, %n: i32, %c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  tt.return
^bb2:
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    tt.store %p, %i : !tt.ptr<i32>
  } {tt.num_stages = 2 : i32}
  tt.return
}

// CHECK-LABEL: tile.func private @helper
// CHECK: tile.return %{{.*}} : tensor<8x!tile.ptr<f32>>
// CHECK-LABEL: tile.func @caller
// CHECK: tile.call @helper(%{{.*}}) : (tensor<8x!tile.ptr<f32>>) -> tensor<8x!tile.ptr<f32>>
tt.func private @helper(%p: tensor<8x!tt.ptr<f32>>) -> tensor<8x!tt.ptr<f32>> attributes {noinline = true} {
  tt.return %p : tensor<8x!tt.ptr<f32>>
}
tt.func public @caller(%p: tensor<8x!tt.ptr<f32>>, %v: tensor<8xf32>) {
  %q = tt.call @helper(%p) : (tensor<8x!tt.ptr<f32>>) -> tensor<8x!tt.ptr<f32>>
  tt.store %q, %v : tensor<8x!tt.ptr<f32>>
  tt.return
}

// Kernels of tile stay as they are.
// CHECK-LABEL: tile.func @own
// CHECK-NEXT: tile.return
tile.func @own() {
  tile.return
}

// What 3.6 and 3.9 say of caches. A load that asks each time is not what was stored before.
// CHECK-LABEL: tile.func @caches
// CHECK: tile.load %{{.*}}, %{{.*}} cache cg evict last : tensor<8x!tile.ptr<f32>>
// CHECK: tile.load %{{.*}} cache ca evict first : tensor<8x!tile.ptr<f32>>
// CHECK: tile.load %{{.*}} : tensor<8x!tile.ptr<f32>>
// CHECK: tile.store %[[P:.*]], %[[V:.*]], %{{.*}} cache wt : tensor<8x!tile.ptr<f32>>
// CHECK: tile.store %[[P]], %[[V]] evict first : tensor<8x!tile.ptr<f32>>
// CHECK: %[[AGAIN:.*]] = tile.load %[[P]] cache cv : tensor<8x!tile.ptr<f32>>
// CHECK: tile.store %{{.*}}, %[[AGAIN]] : tensor<8x!tile.ptr<f32>>
tt.func public @caches(%p: tensor<8x!tt.ptr<f32>>, %q: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>) {
  %a = tt.load %q, %m cacheModifier = cg evictionPolicy = evict_last : tensor<8x!tt.ptr<f32>>
  %b = tt.load %q {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_first>} : tensor<8x!tt.ptr<f32>>
  %c = tt.load %q {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_normal>} : tensor<8x!tt.ptr<f32>>
  %ab = arith.addf %a, %b : tensor<8xf32>
  %abc = arith.addf %ab, %c : tensor<8xf32>
  tt.store %p, %abc, %m cacheModifier = wt : tensor<8x!tt.ptr<f32>>
  tt.store %p, %abc evictionPolicy = evict_first : tensor<8x!tt.ptr<f32>>
  %again = tt.load %p cacheModifier = cv : tensor<8x!tt.ptr<f32>>
  tt.store %q, %again : tensor<8x!tt.ptr<f32>>
  tt.return
}

// What a loop adds up in 16 bits, and only adds products to, it carries in 32: narrowed behind it. A sum
// that somebody else reads in its step is narrowed there.
// CHECK-LABEL: tile.func @carried
// CHECK: %[[INIT:.*]] = arith.extf %{{.*}} : tensor<16x16xf16> to tensor<16x16xf32>
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[INIT]]) -> (tensor<16x16xf32>)
// CHECK: %[[NEXT:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[ACC]] : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
// CHECK: scf.yield %[[NEXT]] : tensor<16x16xf32>
// CHECK: %[[NARROW:.*]] = arith.truncf %[[SUM]] : tensor<16x16xf32> to tensor<16x16xf16>
// CHECK: tile.store %{{.*}}, %[[NARROW]]
// CHECK: scf.for {{.*}} -> (tensor<16x16xf16>)
// CHECK: arith.truncf
// CHECK: scf.yield {{.*}} : tensor<16x16xf16>
tt.func public @carried(%q: tensor<16x16x!tt.ptr<f16>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf16>) : i32 {
    %h = tt.load %q : tensor<16x16x!tt.ptr<f16>>
    %d = tt.dot %h, %h, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf16>
    scf.yield %d : tensor<16x16xf16>
  }
  tt.store %q, %sum : tensor<16x16x!tt.ptr<f16>>
  %seen = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf16>) : i32 {
    %h = tt.load %q : tensor<16x16x!tt.ptr<f16>>
    %d = tt.dot %h, %h, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf16>
    tt.store %q, %d : tensor<16x16x!tt.ptr<f16>>
    scf.yield %d : tensor<16x16xf16>
  }
  tt.store %q, %seen : tensor<16x16x!tt.ptr<f16>>
  tt.return
}
