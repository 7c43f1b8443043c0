// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-nest-loops,canonicalize,cse))' | FileCheck %s

// What first steps do stands in front of the inner loop, what last ones do behind it; what they read is made again (%offset), or
// handed out (%x, which is loaded). The sum begins with each tile at zero, and nothing but the tile's number is carried from one to the next.
// CHECK-LABEL: tile.func @moved
// CHECK-SAME: %[[STEPS:[a-z0-9]+]]: i32, %[[TILES:[a-z0-9]+]]: i32
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.0
// CHECK: %[[SOME:.*]] = arith.cmpi sgt, %[[STEPS]], %[[C0]]
// CHECK: %[[COUNT:.*]] = arith.select %[[SOME]], %[[TILES]], %[[C0]]
// CHECK: scf.for %{{.*}} = %[[C0]] to %[[COUNT]] step %[[C1]] iter_args(%[[T0:.*]] = %{{.*}}) -> (i32)
// CHECK: %[[T:.*]] = arith.addi %[[T0]], %[[C1]]
// CHECK: %[[IN:.*]]:2 = scf.for %[[K:.*]] = %[[C0]] to %[[STEPS]] step %[[C1]] iter_args(%[[SUM0:.*]] = %[[ZERO]], %{{.*}} = %{{.*}})
// CHECK: arith.muli %[[K]], %[[T]]
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[SUM:.*]] = tile.dot %[[X]], %[[X]], %[[SUM0]]
// CHECK-NOT: scf.if
// CHECK: scf.yield %[[SUM]], %[[X]]
// CHECK: %[[LAST:.*]] = arith.subi %[[STEPS]], %[[C1]]
// CHECK: arith.muli %[[LAST]], %[[T]]
// CHECK: %[[BOTH:.*]] = arith.addf %[[IN]]#0, %[[IN]]#1
// CHECK: tile.store %{{.*}}, %[[BOTH]]
// CHECK: scf.yield %[[T]]
tile.func @moved(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %t0 = %minus, %sum0 = %zero) -> (i32, i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %begins = arith.cmpi eq, %k, %c0 : i32
    %t = scf.if %begins -> (i32) {
      %t1 = arith.addi %t0, %c1 : i32
      scf.yield %t1 : i32
    } else {
      scf.yield %t0 : i32
    }
    %far = arith.muli %k, %t : i32
    %offset = tile.splat %far : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      %both = arith.addf %sum, %x : tensor<16x16xf32>
      %pc = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
      tile.store %pc, %both : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %t, %then : i32, i32, tensor<16x16xf32>
  }
  tile.return
}

// A number of steps that is known, and an end that is no product of it: a last tile that is not complete is left out.
// CHECK-LABEL: tile.func @quotient
// CHECK-SAME: %[[TOTAL:[a-z0-9]+]]: i32
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i32
// CHECK: %[[COUNT:.*]] = arith.divsi %[[TOTAL]], %[[C4]]
// CHECK: scf.for %[[T:.*]] = %[[C0]] to %[[COUNT]] step %[[C1]]
// CHECK: scf.for %[[K:.*]] = %[[C0]] to %[[C4]] step %[[C1]]
// CHECK: tile.store
tile.func @quotient(%a: tensor<16x16x!tile.ptr<f32>>, %total: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  scf.for %s = %c0 to %total step %c1 iter_args(%sum0 = %zero) -> (tensor<16x16xf32>) : i32 {
    %k = arith.remsi %s, %c4 : i32
    %t = arith.divsi %s, %c4 : i32
    %far = arith.muli %k, %t : i32
    %offset = tile.splat %far : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %c3 : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %then : tensor<16x16xf32>
  }
  tile.return
}

// What is done in second steps stays in the loop over steps, in its branch.
// CHECK-LABEL: tile.func @begins_elsewhere
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.dot
tile.func @begins_elsewhere(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %t0 = %minus, %sum0 = %zero) -> (i32, i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %begins = arith.cmpi eq, %k, %c1 : i32
    %t = scf.if %begins -> (i32) {
      %t1 = arith.addi %t0, %c1 : i32
      scf.yield %t1 : i32
    } else {
      scf.yield %t0 : i32
    }
    %far = arith.muli %k, %t : i32
    %offset = tile.splat %far : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      %both = arith.addf %sum, %x : tensor<16x16xf32>
      %pc = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
      tile.store %pc, %both : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %t, %then : i32, i32, tensor<16x16xf32>
  }
  tile.return
}

// And so does what is done in all but the first.
// CHECK-LABEL: tile.func @begins_otherwise
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.dot
tile.func @begins_otherwise(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %t0 = %minus, %sum0 = %zero) -> (i32, i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %begins = arith.cmpi ne, %k, %c0 : i32
    %t = scf.if %begins -> (i32) {
      %t1 = arith.addi %t0, %c1 : i32
      scf.yield %t1 : i32
    } else {
      scf.yield %t0 : i32
    }
    %far = arith.muli %k, %t : i32
    %offset = tile.splat %far : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      %both = arith.addf %sum, %x : tensor<16x16xf32>
      %pc = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
      tile.store %pc, %both : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %t, %then : i32, i32, tensor<16x16xf32>
  }
  tile.return
}
