// Host code in the llvm dialect, for the machine at hand.
// RUN: tile-run %s --emit=llvm --target=cpu | FileCheck %s --check-prefix=LLVM
// RUN: tile-run %s --emit=asm | FileCheck %s --check-prefix=ASM

// LLVM: define i32 @increment(i32 %{{.*}}) {{.*}}#[[ATTRIBUTES:[0-9]+]]
// LLVM: attributes #[[ATTRIBUTES]] = { {{.*}}"target-cpu"="{{.+}}" "target-features"="{{.+}}"
// ASM: increment:
// ASM: ret
llvm.func @increment(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %y = llvm.add %x, %one : i32
  llvm.return %y : i32
}
