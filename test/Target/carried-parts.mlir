// RUN: tile-run %s --emit=ptx --arch sm_90a | FileCheck %s

// Halves that are loaded one by one for the next step are carried one by one: nothing waits for them in
// their own step.
// CHECK-LABEL: .visible .entry alone(
// CHECK: $L__BB[[#BODY:]]_[[#LOOP:]]:
// CHECK: st.volatile.shared.b16
// CHECK-COUNT-4: ld.volatile.global.b16
// CHECK-NOT: mov.b32
// CHECK: bra {{.*}}$L__BB[[#BODY]]_[[#LOOP]];
gpu.module @kernels {
  llvm.func @alone(%p: !llvm.ptr<1>, %s: !llvm.ptr<3>, %n: i32) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(dense<0.0> : vector<4xf16>) : vector<4xf16>
    llvm.br ^test(%c0, %zero : i32, vector<4xf16>)
  ^test(%i: i32, %now: vector<4xf16>):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^step, ^end
  ^step:
    %first = llvm.shufflevector %now, %now [0] : vector<4xf16>
    %others = llvm.shufflevector %now, %now [2, 3] : vector<4xf16>
    %t = llvm.getelementptr %s[100] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f16
    llvm.store volatile %first, %s {alignment = 2 : i64} : vector<1xf16>, !llvm.ptr<3>
    llvm.store volatile %others, %t {alignment = 4 : i64} : vector<2xf16>, !llvm.ptr<3>
    %j = llvm.add %i, %c1 : i32
    %q = llvm.getelementptr %p[%j] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
    %r = llvm.getelementptr %q[300] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f16
    %u = llvm.getelementptr %q[600] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f16
    %v = llvm.getelementptr %q[900] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f16
    %a = llvm.load volatile %q {alignment = 2 : i64} : !llvm.ptr<1> -> vector<1xf16>
    %b = llvm.load volatile %r {alignment = 2 : i64} : !llvm.ptr<1> -> vector<1xf16>
    %c = llvm.load volatile %u {alignment = 2 : i64} : !llvm.ptr<1> -> vector<1xf16>
    %d = llvm.load volatile %v {alignment = 2 : i64} : !llvm.ptr<1> -> vector<1xf16>
    %ab = llvm.shufflevector %a, %b [0, 1] : vector<1xf16>
    %cd = llvm.shufflevector %c, %d [0, 1] : vector<1xf16>
    %next = llvm.shufflevector %ab, %cd [0, 1, 2, 3] : vector<2xf16>
    llvm.br ^test(%j, %next : i32, vector<4xf16>)
  ^end:
    llvm.return
  }

  // So are bytes that are loaded under a mask.
  // CHECK-LABEL: .visible .entry masked(
  // CHECK: $L__BB[[#BODY:]]_[[#LOOP:]]:
  // CHECK: st.volatile.shared
  // CHECK-COUNT-2: ld.global.u8
  // CHECK-NOT: mov.b32 {{.*}}{
  // CHECK-NOT: prmt
  // CHECK: bra {{.*}}$L__BB[[#BODY]]_[[#LOOP]];
  llvm.func @masked(%p: !llvm.ptr<1>, %s: !llvm.ptr<3>, %n: i32) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %none = llvm.mlir.constant(0 : i16) : i16
    %zero = llvm.mlir.constant(dense<0> : vector<2xi8>) : vector<2xi8>
    %l0 = llvm.mlir.constant(0 : i64) : i64
    %l1 = llvm.mlir.constant(1 : i64) : i64
    %poison = llvm.mlir.poison : vector<2xi8>
    llvm.br ^test(%c0, %zero : i32, vector<2xi8>)
  ^test(%i: i32, %now: vector<2xi8>):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^step, ^end
  ^step:
    llvm.store volatile %now, %s {alignment = 2 : i64} : vector<2xi8>, !llvm.ptr<3>
    %j = llvm.add %i, %c1 : i32
    %q = llvm.getelementptr %p[%j] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
    %r = llvm.getelementptr %q[300] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    %has = llvm.icmp "slt" %j, %n : i32
    %a16 = llvm.inline_asm has_side_effects "@$3 ld.global.u8 $0, [$2];", "=h,0,l,b" %none, %q, %has : (i16, !llvm.ptr<1>, i1) -> i16
    %b16 = llvm.inline_asm has_side_effects "@$3 ld.global.u8 $0, [$2];", "=h,0,l,b" %none, %r, %has : (i16, !llvm.ptr<1>, i1) -> i16
    %a = llvm.trunc %a16 : i16 to i8
    %b = llvm.trunc %b16 : i16 to i8
    %first = llvm.insertelement %a, %poison[%l0 : i64] : vector<2xi8>
    %next = llvm.insertelement %b, %first[%l1 : i64] : vector<2xi8>
    llvm.br ^test(%j, %next : i32, vector<2xi8>)
  ^end:
    llvm.return
  }

  // Halves that come in one word stay there.
  // CHECK-LABEL: .visible .entry together(
  // CHECK: $L__BB[[#BODY:]]_[[#LOOP:]]:
  // CHECK: ld.volatile.global.b32
  // CHECK: bra {{.*}}$L__BB[[#BODY]]_[[#LOOP]];
  llvm.func @together(%p: !llvm.ptr<1>, %s: !llvm.ptr<3>, %n: i32) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(dense<0.0> : vector<2xf16>) : vector<2xf16>
    llvm.br ^test(%c0, %zero : i32, vector<2xf16>)
  ^test(%i: i32, %now: vector<2xf16>):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^step, ^end
  ^step:
    llvm.store volatile %now, %s {alignment = 4 : i64} : vector<2xf16>, !llvm.ptr<3>
    %j = llvm.add %i, %c1 : i32
    %q = llvm.getelementptr %p[%j] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<2xf16>
    %next = llvm.load volatile %q {alignment = 4 : i64} : !llvm.ptr<1> -> vector<2xf16>
    llvm.br ^test(%j, %next : i32, vector<2xf16>)
  ^end:
    llvm.return
  }
}
