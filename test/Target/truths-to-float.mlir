// For sm_90, LLVM 22.1 would make 0 and 1 of truths that become a signed bf16, also of those that the optimizer finds
// behind an extension: the numbers are chosen instead.
//
// RUN: tile-run %s --emit=ptx --arch=sm_90a -o - | FileCheck %s
// CHECK-LABEL: .entry extended
// CHECK-NOT: cvt.rn.bf16
// CHECK: selp.b16 {{.*}}, 0xBF80, 0x0000

tile.func @extended(%x: !tile.ptr<i1>, %y: !tile.ptr<bf16>) {
  %holds = tile.load %x : !tile.ptr<i1>
  %long = arith.extsi %holds : i1 to i64
  %number = arith.sitofp %long : i64 to bf16
  tile.store %y, %number : !tile.ptr<bf16>
  tile.return
}
