// tile.print and tile.assert: calls of the runtime, with the op's description.
// RUN: tile-opt %s --convert-tile-to-cpu=vector-bits=256 | FileCheck %s

// CHECK-DAG: llvm.func @tileConsolePrint(!llvm.ptr, i32, i32, i32, !llvm.ptr) attributes {tile.speaks}
// CHECK-DAG: llvm.func @tileConsoleFail(!llvm.ptr, i32, i32, i32, !llvm.ptr, i64, i64) attributes {tile.speaks}
// CHECK-DAG: llvm.mlir.global internal constant @[[TEXT:.*]]("print\1F{{.*}}console.mlir\1F16\1F3\1Ftext\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[VALUES:.*]]("print\1F{{.*}}console.mlir\1F{{[0-9]+}}\1F3\1Fvalues\1F5x12xbf16\1Fptr\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[ALL:.*]]("assert\1F{{.*}}console.mlir\1F{{[0-9]+}}\1F3\1Fall\1F3x12xi1\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[ONE:.*]]("assert\1F{{.*}}console.mlir\1F{{[0-9]+}}\1F3\1Fone\1Fi1\00")

// CHECK-LABEL: func.func @text(
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr, %[[X:[a-z0-9]+]]: i32, %[[Y:[a-z0-9]+]]: i32, %[[Z:[a-z0-9]+]]: i32,
tile.func @text() {
  // CHECK: %[[SITE:.*]] = llvm.mlir.addressof @[[TEXT]]
  // CHECK: llvm.call @tileConsolePrint(%[[SITE]], %[[X]], %[[Y]], %[[Z]], %{{.*}})
  tile.print "text"
  tile.return
}

// A tile lies in a buffer whose rows are whole vectors: 16 elements for 12. Scalars get one too.
// CHECK-LABEL: func.func @values
tile.func @values(%x: bf16, %p: !tile.ptr<i8>, %if: i1) {
  // CHECK-DAG: %[[TILE:.*]] = llvm.alloca %c80_i64 x i16
  // CHECK-DAG: %[[POINTER:.*]] = llvm.alloca %c1_i64 x !llvm.ptr
  // CHECK-DAG: %[[LIST:.*]] = llvm.alloca %c5_i64 x i64
  // CHECK: %[[IF:.*]] = arith.cmpi ne
  // CHECK: scf.if %[[IF]] {
  // CHECK:   scf.for
  // CHECK:   %[[A:.*]] = llvm.ptrtoint %[[TILE]]
  // CHECK:   llvm.store %[[A]]
  // CHECK:   llvm.store %c16_i64
  // CHECK:   llvm.store %{{.*}}, %[[POINTER]]
  // CHECK:   %[[B:.*]] = llvm.ptrtoint %[[POINTER]]
  // CHECK:   llvm.store %[[B]]
  // CHECK:   llvm.call @tileConsolePrint(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[LIST]])
  // CHECK: }
  %t = tile.splat %x : bf16 -> tensor<5x12xbf16>
  tile.print "values" %t, %p if %if : tensor<5x12xbf16>, !tile.ptr<i8>
  tile.return
}

// Chunk by chunk; of the last, which ends in the middle, what is beyond counts as true.
// CHECK-LABEL: func.func @all
tile.func @all(%n: i32) {
  %i = tile.arange : tensor<12xi32>
  %ends = tile.splat %n : i32 -> tensor<12xi32>
  %in = arith.cmpi slt, %i, %ends : tensor<12xi32>
  %row = tile.expand_dims %in axis 0 : tensor<12xi1> -> tensor<1x12xi1>
  %ok = tile.broadcast %row : tensor<1x12xi1> -> tensor<3x12xi1>
  // CHECK: scf.for %[[I:.*]] =
  // CHECK:   %[[ROW:.*]] = arith.muli %[[I]], %c12_i64
  // CHECK:   %[[ALL8:.*]] = vector.reduction <and>, %[[LANES:.*]] : vector<8xi1> into i1
  // CHECK:   %[[NOT:.*]] = arith.xori %[[ALL8]], %true
  // CHECK:   scf.if %[[NOT]] {
  // CHECK:     %[[BYTES:.*]] = arith.extui %[[LANES]] : vector<8xi1> to vector<8xi8>
  // CHECK:     llvm.store %[[BYTES]], %[[ROOM:.*]] {
  // CHECK:     llvm.call @tileConsoleFail(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[ROOM]], %c8_i64, %{{.*}})
  // CHECK:   }
  // CHECK:   %[[HALF:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<8xi1>
  // CHECK:   vector.reduction <and>, %[[HALF]]
  // CHECK:     llvm.call @tileConsoleFail(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[ROOM]], %c4_i64, %{{.*}})
  tile.assert %ok, "all" : tensor<3x12xi1>
  tile.return
}

// CHECK-LABEL: func.func @one
tile.func @one(%ok: i1) {
  // CHECK-NOT: scf.for
  // CHECK: scf.if
  // CHECK:   llvm.call @tileConsoleFail(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %c1_i64, %c0_i64)
  tile.assert %ok, "one" : i1
  tile.return
}
