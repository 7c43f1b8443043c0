// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-nest-loops))' | FileCheck %s

// Conditions that are no first steps' alone, and what first steps may not hand on by itself, stay in the inner loop.

// Another number does not say whether it begins.
// CHECK-LABEL: tile.func @first_by_another
// CHECK-COUNT-2: scf.for
// CHECK: scf.if
// CHECK: scf.yield
// CHECK: tile.dot
tile.func @first_by_another(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %t0 = %c0, %sum0 = %zero) -> (i32, i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %begins = arith.cmpi eq, %other, %c0 : i32
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
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %t, %then : i32, i32, tensor<16x16xf32>
  }
  tile.return
}

// What is not 0 is no first step.
// CHECK-LABEL: tile.func @first_where_not
// CHECK-COUNT-2: scf.for
// CHECK: scf.if
// CHECK: scf.yield
// CHECK: tile.dot
tile.func @first_where_not(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %t0 = %c0, %sum0 = %zero) -> (i32, i32, tensor<16x16xf32>) : i32 {
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
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %t, %then : i32, i32, tensor<16x16xf32>
  }
  tile.return
}

// Nor is 1.
// CHECK-LABEL: tile.func @first_at_one
// CHECK-COUNT-2: scf.for
// CHECK: scf.if
// CHECK: scf.yield
// CHECK: tile.dot
tile.func @first_at_one(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %t0 = %c0, %sum0 = %zero) -> (i32, i32, tensor<16x16xf32>) : i32 {
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
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %t, %then : i32, i32, tensor<16x16xf32>
  }
  tile.return
}

// Nor a number that nobody knows.
// CHECK-LABEL: tile.func @first_at_any
// CHECK-COUNT-2: scf.for
// CHECK: scf.if
// CHECK: scf.yield
// CHECK: tile.dot
tile.func @first_at_any(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %t0 = %c0, %sum0 = %zero) -> (i32, i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %begins = arith.cmpi eq, %k, %other : i32
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
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %t, %then : i32, i32, tensor<16x16xf32>
  }
  tile.return
}

// Other steps have a number from outside of the loop.
// CHECK-LABEL: tile.func @else_outside
// CHECK-COUNT-2: scf.for
// CHECK: scf.if
// CHECK: scf.yield
// CHECK: tile.dot
tile.func @else_outside(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %t0 = %c0, %sum0 = %zero) -> (i32, i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %begins = arith.cmpi eq, %k, %c0 : i32
    %t = scf.if %begins -> (i32) {
      %t1 = arith.addi %t0, %c1 : i32
      scf.yield %t1 : i32
    } else {
      scf.yield %other : i32
    }
    %far = arith.muli %k, %t : i32
    %offset = tile.splat %far : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %t, %then : i32, i32, tensor<16x16xf32>
  }
  tile.return
}

// The counter is another one in each step.
// CHECK-LABEL: tile.func @else_counter
// CHECK-COUNT-2: scf.for
// CHECK: scf.if
// CHECK: scf.yield
// CHECK: tile.dot
tile.func @else_counter(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %t0 = %c0, %sum0 = %zero) -> (i32, i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %begins = arith.cmpi eq, %k, %c0 : i32
    %t = scf.if %begins -> (i32) {
      %t1 = arith.addi %t0, %c1 : i32
      scf.yield %t1 : i32
    } else {
      scf.yield %s : i32
    }
    %far = arith.muli %k, %t : i32
    %offset = tile.splat %far : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %t, %then : i32, i32, tensor<16x16xf32>
  }
  tile.return
}

// What the step computes is not carried.
// CHECK-LABEL: tile.func @else_computed
// CHECK-COUNT-2: scf.for
// CHECK: scf.if
// CHECK: scf.yield
// CHECK: tile.dot
tile.func @else_computed(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %t0 = %c0, %sum0 = %zero) -> (i32, i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %begins = arith.cmpi eq, %k, %c0 : i32
    %t = scf.if %begins -> (i32) {
      %t1 = arith.addi %t0, %c1 : i32
      scf.yield %t1 : i32
    } else {
      scf.yield %k : i32
    }
    %far = arith.muli %k, %t : i32
    %offset = tile.splat %far : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %t, %then : i32, i32, tensor<16x16xf32>
  }
  tile.return
}

// What is carried is read besides.
// CHECK-LABEL: tile.func @read_besides
// CHECK-COUNT-2: scf.for
// CHECK: scf.if
// CHECK: scf.yield
// CHECK: tile.dot
tile.func @read_besides(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %t0 = %c0, %sum0 = %zero) -> (i32, i32, tensor<16x16xf32>) : i32 {
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
    %seen = arith.addi %t0, %k : i32
    %far = arith.muli %seen, %t : i32
    %offset = tile.splat %far : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %t, %then : i32, i32, tensor<16x16xf32>
  }
  tile.return
}
