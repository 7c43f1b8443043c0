// Device code in the llvm and nvvm dialects as LLVM IR, PTX and a cubin.
// RUN: tile-run %s --emit=llvm --arch sm_80 | FileCheck %s --check-prefix=LLVM
// RUN: tile-run %s --emit=ptx --arch sm_80 | FileCheck %s --check-prefixes=PTX,SM80
// RUN: tile-run %s --emit=ptx --arch sm_90a | FileCheck %s --check-prefixes=PTX,SM90
// RUN: tile-run %s --emit=ptx --arch sm_100a | FileCheck %s --check-prefixes=PTX,SM100

// LLVM: define ptx_kernel void @twice(
// LLVM: load <4 x float>

// Line information must not make it a debug target, whose code is not optimized.
// PTX-NOT: debug{{$}}
// SM80: .target sm_80{{$}}
// SM90: .target sm_90a{{$}}
// SM100: .target sm_100a{{$}}
// PTX: .visible .entry twice(
// PTX: .loc 1 [[#@LINE+9]]
// PTX: ld.global.v{{4.b32|2.b64}}
// PTX: .loc 1 [[#@LINE+8]]
// PTX: st.global.v{{4.b32|2.b64}}
// PTX: .file 1 "{{.*}}gpu.mlir"
gpu.module @kernels {
  llvm.func @twice(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %place = llvm.getelementptr %p[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    %x = llvm.load %place {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    %y = llvm.fadd %x, %x : vector<4xf32>
    llvm.store %y, %place {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}
