// Bytes that are sorted by exchanges of pairs are words meanwhile.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-exchange-pairs,canonicalize,cse))' | FileCheck %s

// Six steps of one pair, with a sign: widened once, narrowed once.
// CHECK-LABEL: tile.func @signed
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[W:.*]] = arith.extsi %[[X]] : tensor<8x2xi8> to tensor<8x2xi32>
// CHECK-COUNT-6: tile.reduce xor %{{.*}} axis 1 : tensor<8x2xi32> -> tensor<8xi32>
// CHECK-NOT: tensor<8x2xi8>
// CHECK: %[[Y:.*]] = arith.trunci %{{.*}} : tensor<8x2xi32> to tensor<8x2xi8>
// CHECK: tile.store %{{.*}}, %[[Y]]
tile.func @signed(%p: tensor<8x2x!tile.ptr<i8>>, %up: tensor<8x2xi1>) {
  %x0 = tile.load %p : tensor<8x2x!tile.ptr<i8>>
  %b0 = tile.reduce xor %x0 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c0 = tile.expand_dims %b0 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d0 = tile.broadcast %c0 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o0 = arith.xori %x0, %d0 : tensor<8x2xi8>
  %g0 = arith.cmpi sgt, %x0, %o0 : tensor<8x2xi8>
  %t0 = arith.xori %g0, %up : tensor<8x2xi1>
  %x1 = arith.select %t0, %o0, %x0 : tensor<8x2xi1>, tensor<8x2xi8>
  %b1 = tile.reduce xor %x1 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c1 = tile.expand_dims %b1 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d1 = tile.broadcast %c1 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o1 = arith.xori %x1, %d1 : tensor<8x2xi8>
  %g1 = arith.cmpi sgt, %x1, %o1 : tensor<8x2xi8>
  %t1 = arith.xori %g1, %up : tensor<8x2xi1>
  %x2 = arith.select %t1, %o1, %x1 : tensor<8x2xi1>, tensor<8x2xi8>
  %b2 = tile.reduce xor %x2 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c2 = tile.expand_dims %b2 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d2 = tile.broadcast %c2 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o2 = arith.xori %x2, %d2 : tensor<8x2xi8>
  %g2 = arith.cmpi sgt, %x2, %o2 : tensor<8x2xi8>
  %t2 = arith.xori %g2, %up : tensor<8x2xi1>
  %x3 = arith.select %t2, %o2, %x2 : tensor<8x2xi1>, tensor<8x2xi8>
  %b3 = tile.reduce xor %x3 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c3 = tile.expand_dims %b3 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d3 = tile.broadcast %c3 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o3 = arith.xori %x3, %d3 : tensor<8x2xi8>
  %g3 = arith.cmpi sgt, %x3, %o3 : tensor<8x2xi8>
  %t3 = arith.xori %g3, %up : tensor<8x2xi1>
  %x4 = arith.select %t3, %o3, %x3 : tensor<8x2xi1>, tensor<8x2xi8>
  %b4 = tile.reduce xor %x4 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c4 = tile.expand_dims %b4 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d4 = tile.broadcast %c4 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o4 = arith.xori %x4, %d4 : tensor<8x2xi8>
  %g4 = arith.cmpi sgt, %x4, %o4 : tensor<8x2xi8>
  %t4 = arith.xori %g4, %up : tensor<8x2xi1>
  %x5 = arith.select %t4, %o4, %x4 : tensor<8x2xi1>, tensor<8x2xi8>
  %b5 = tile.reduce xor %x5 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c5 = tile.expand_dims %b5 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d5 = tile.broadcast %c5 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o5 = arith.xori %x5, %d5 : tensor<8x2xi8>
  %g5 = arith.cmpi sgt, %x5, %o5 : tensor<8x2xi8>
  %t5 = arith.xori %g5, %up : tensor<8x2xi1>
  %x6 = arith.select %t5, %o5, %x5 : tensor<8x2xi1>, tensor<8x2xi8>
  tile.store %p, %x6 : tensor<8x2x!tile.ptr<i8>>
  tile.return
}

// Without one.
// CHECK-LABEL: tile.func @unsigned
// CHECK: arith.extui %{{.*}} : tensor<8x2xi8> to tensor<8x2xi32>
// CHECK: arith.cmpi ugt, %{{.*}} : tensor<8x2xi32>
tile.func @unsigned(%p: tensor<8x2x!tile.ptr<i8>>, %up: tensor<8x2xi1>) {
  %x0 = tile.load %p : tensor<8x2x!tile.ptr<i8>>
  %b0 = tile.reduce xor %x0 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c0 = tile.expand_dims %b0 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d0 = tile.broadcast %c0 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o0 = arith.xori %x0, %d0 : tensor<8x2xi8>
  %g0 = arith.cmpi ugt, %x0, %o0 : tensor<8x2xi8>
  %t0 = arith.xori %g0, %up : tensor<8x2xi1>
  %x1 = arith.select %t0, %o0, %x0 : tensor<8x2xi1>, tensor<8x2xi8>
  %b1 = tile.reduce xor %x1 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c1 = tile.expand_dims %b1 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d1 = tile.broadcast %c1 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o1 = arith.xori %x1, %d1 : tensor<8x2xi8>
  %g1 = arith.cmpi ugt, %x1, %o1 : tensor<8x2xi8>
  %t1 = arith.xori %g1, %up : tensor<8x2xi1>
  %x2 = arith.select %t1, %o1, %x1 : tensor<8x2xi1>, tensor<8x2xi8>
  %b2 = tile.reduce xor %x2 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c2 = tile.expand_dims %b2 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d2 = tile.broadcast %c2 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o2 = arith.xori %x2, %d2 : tensor<8x2xi8>
  %g2 = arith.cmpi ugt, %x2, %o2 : tensor<8x2xi8>
  %t2 = arith.xori %g2, %up : tensor<8x2xi1>
  %x3 = arith.select %t2, %o2, %x2 : tensor<8x2xi1>, tensor<8x2xi8>
  %b3 = tile.reduce xor %x3 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c3 = tile.expand_dims %b3 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d3 = tile.broadcast %c3 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o3 = arith.xori %x3, %d3 : tensor<8x2xi8>
  %g3 = arith.cmpi ugt, %x3, %o3 : tensor<8x2xi8>
  %t3 = arith.xori %g3, %up : tensor<8x2xi1>
  %x4 = arith.select %t3, %o3, %x3 : tensor<8x2xi1>, tensor<8x2xi8>
  %b4 = tile.reduce xor %x4 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c4 = tile.expand_dims %b4 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d4 = tile.broadcast %c4 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o4 = arith.xori %x4, %d4 : tensor<8x2xi8>
  %g4 = arith.cmpi ugt, %x4, %o4 : tensor<8x2xi8>
  %t4 = arith.xori %g4, %up : tensor<8x2xi1>
  %x5 = arith.select %t4, %o4, %x4 : tensor<8x2xi1>, tensor<8x2xi8>
  %b5 = tile.reduce xor %x5 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c5 = tile.expand_dims %b5 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d5 = tile.broadcast %c5 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o5 = arith.xori %x5, %d5 : tensor<8x2xi8>
  %g5 = arith.cmpi ugt, %x5, %o5 : tensor<8x2xi8>
  %t5 = arith.xori %g5, %up : tensor<8x2xi1>
  %x6 = arith.select %t5, %o5, %x5 : tensor<8x2xi1>, tensor<8x2xi8>
  tile.store %p, %x6 : tensor<8x2x!tile.ptr<i8>>
  tile.return
}

// One step that compares otherwise than the rest: they stay.
// CHECK-LABEL: tile.func @mixed
// CHECK-NOT: tensor<8x2xi32>
// CHECK: tile.return
tile.func @mixed(%p: tensor<8x2x!tile.ptr<i8>>, %up: tensor<8x2xi1>) {
  %x0 = tile.load %p : tensor<8x2x!tile.ptr<i8>>
  %b0 = tile.reduce xor %x0 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c0 = tile.expand_dims %b0 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d0 = tile.broadcast %c0 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o0 = arith.xori %x0, %d0 : tensor<8x2xi8>
  %g0 = arith.cmpi sgt, %x0, %o0 : tensor<8x2xi8>
  %t0 = arith.xori %g0, %up : tensor<8x2xi1>
  %x1 = arith.select %t0, %o0, %x0 : tensor<8x2xi1>, tensor<8x2xi8>
  %b1 = tile.reduce xor %x1 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c1 = tile.expand_dims %b1 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d1 = tile.broadcast %c1 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o1 = arith.xori %x1, %d1 : tensor<8x2xi8>
  %g1 = arith.cmpi sgt, %x1, %o1 : tensor<8x2xi8>
  %t1 = arith.xori %g1, %up : tensor<8x2xi1>
  %x2 = arith.select %t1, %o1, %x1 : tensor<8x2xi1>, tensor<8x2xi8>
  %b2 = tile.reduce xor %x2 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c2 = tile.expand_dims %b2 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d2 = tile.broadcast %c2 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o2 = arith.xori %x2, %d2 : tensor<8x2xi8>
  %g2 = arith.cmpi sgt, %x2, %o2 : tensor<8x2xi8>
  %t2 = arith.xori %g2, %up : tensor<8x2xi1>
  %x3 = arith.select %t2, %o2, %x2 : tensor<8x2xi1>, tensor<8x2xi8>
  %b3 = tile.reduce xor %x3 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c3 = tile.expand_dims %b3 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d3 = tile.broadcast %c3 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o3 = arith.xori %x3, %d3 : tensor<8x2xi8>
  %g3 = arith.cmpi sgt, %x3, %o3 : tensor<8x2xi8>
  %t3 = arith.xori %g3, %up : tensor<8x2xi1>
  %x4 = arith.select %t3, %o3, %x3 : tensor<8x2xi1>, tensor<8x2xi8>
  %b4 = tile.reduce xor %x4 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c4 = tile.expand_dims %b4 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d4 = tile.broadcast %c4 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o4 = arith.xori %x4, %d4 : tensor<8x2xi8>
  %g4 = arith.cmpi sgt, %x4, %o4 : tensor<8x2xi8>
  %t4 = arith.xori %g4, %up : tensor<8x2xi1>
  %x5 = arith.select %t4, %o4, %x4 : tensor<8x2xi1>, tensor<8x2xi8>
  %b5 = tile.reduce xor %x5 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c5 = tile.expand_dims %b5 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d5 = tile.broadcast %c5 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o5 = arith.xori %x5, %d5 : tensor<8x2xi8>
  %g5 = arith.cmpi ugt, %x5, %o5 : tensor<8x2xi8>
  %t5 = arith.xori %g5, %up : tensor<8x2xi1>
  %x6 = arith.select %t5, %o5, %x5 : tensor<8x2xi1>, tensor<8x2xi8>
  tile.store %p, %x6 : tensor<8x2x!tile.ptr<i8>>
  tile.return
}

// So do as few as there are conversions.
// CHECK-LABEL: tile.func @few
// CHECK-NOT: tensor<8x2xi32>
// CHECK: tile.return
tile.func @few(%p: tensor<8x2x!tile.ptr<i8>>, %up: tensor<8x2xi1>) {
  %x0 = tile.load %p : tensor<8x2x!tile.ptr<i8>>
  %b0 = tile.reduce xor %x0 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c0 = tile.expand_dims %b0 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d0 = tile.broadcast %c0 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o0 = arith.xori %x0, %d0 : tensor<8x2xi8>
  %g0 = arith.cmpi sgt, %x0, %o0 : tensor<8x2xi8>
  %t0 = arith.xori %g0, %up : tensor<8x2xi1>
  %x1 = arith.select %t0, %o0, %x0 : tensor<8x2xi1>, tensor<8x2xi8>
  %b1 = tile.reduce xor %x1 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c1 = tile.expand_dims %b1 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d1 = tile.broadcast %c1 : tensor<8x1xi8> -> tensor<8x2xi8>
  %o1 = arith.xori %x1, %d1 : tensor<8x2xi8>
  %g1 = arith.cmpi sgt, %x1, %o1 : tensor<8x2xi8>
  %t1 = arith.xori %g1, %up : tensor<8x2xi1>
  %x2 = arith.select %t1, %o1, %x1 : tensor<8x2xi1>, tensor<8x2xi8>
  tile.store %p, %x2 : tensor<8x2x!tile.ptr<i8>>
  tile.return
}

// What is turned round, and not compared, stays packed.
// CHECK-LABEL: tile.func @turned
// CHECK-NOT: tensor<8x2xi32>
// CHECK: tile.return
tile.func @turned(%p: tensor<8x2x!tile.ptr<i8>>) {
  %x0 = tile.load %p : tensor<8x2x!tile.ptr<i8>>
  %b0 = tile.reduce xor %x0 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c0 = tile.expand_dims %b0 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d0 = tile.broadcast %c0 : tensor<8x1xi8> -> tensor<8x2xi8>
  %x1 = arith.xori %x0, %d0 : tensor<8x2xi8>
  %b1 = tile.reduce xor %x1 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c1 = tile.expand_dims %b1 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d1 = tile.broadcast %c1 : tensor<8x1xi8> -> tensor<8x2xi8>
  %x2 = arith.xori %x1, %d1 : tensor<8x2xi8>
  %b2 = tile.reduce xor %x2 axis 1 : tensor<8x2xi8> -> tensor<8xi8>
  %c2 = tile.expand_dims %b2 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %d2 = tile.broadcast %c2 : tensor<8x1xi8> -> tensor<8x2xi8>
  %x3 = arith.xori %x2, %d2 : tensor<8x2xi8>
  tile.store %p, %x3 : tensor<8x2x!tile.ptr<i8>>
  tile.return
}
