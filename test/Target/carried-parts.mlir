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
