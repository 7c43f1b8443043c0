// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-nest-loops))' -split-input-file -verify-diagnostics | FileCheck %s

// Loops in which nothing says, step by step, which step of its tile that is: each stays one. Those that write elsewhere than in last
// steps say so.
// CHECK-COUNT-17: scf.for
// CHECK-NOT: scf.for

// It is 0 in all steps but the one behind a tile's last.
tile.func @not_at_its_end(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %sum0 = %zero) -> (i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi ne, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %offset = tile.splat %k : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %then : i32, tensor<16x16xf32>
  }
  tile.return
}

// -----

// It begins with 1.
tile.func @begins_at_one(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %sum0 = %zero) -> (i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c1, %next : i32
    %offset = tile.splat %k : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %then : i32, tensor<16x16xf32>
  }
  tile.return
}

// -----

// It moves by a number that nobody knows, by the counter, or by two.
tile.func @by_any_number(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %sum0 = %zero) -> (i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %other : i32
    %k = arith.select %wraps, %c0, %next : i32
    %offset = tile.splat %k : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %then : i32, tensor<16x16xf32>
  }
  tile.return
}

// -----

tile.func @of_the_counter(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %sum0 = %zero) -> (i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %s, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %offset = tile.splat %k : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %then : i32, tensor<16x16xf32>
  }
  tile.return
}

// -----

tile.func @by_two(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %sum0 = %zero) -> (i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c2 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %offset = tile.splat %k : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %then : i32, tensor<16x16xf32>
  }
  tile.return
}

// -----

// The first tile begins within: at 1, by two less, or anywhere.
tile.func @from_one(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %c1, %sum0 = %zero) -> (i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %offset = tile.splat %k : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %then : i32, tensor<16x16xf32>
  }
  tile.return
}

// -----

tile.func @from_below(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %low = arith.constant -2 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %low, %sum0 = %zero) -> (i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %offset = tile.splat %k : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %then : i32, tensor<16x16xf32>
  }
  tile.return
}

// -----

tile.func @from_anywhere(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %other, %sum0 = %zero) -> (i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %offset = tile.splat %k : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %then : i32, tensor<16x16xf32>
  }
  tile.return
}

// -----

// What is -1 first is read besides.
tile.func @read_before(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %sum0 = %zero) -> (i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %offset = tile.splat %k0 : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %then : i32, tensor<16x16xf32>
  }
  tile.return
}

// -----

// The loop counts from 1, from anywhere, by two, or by anything.
tile.func @counts_from_one(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c1 to %total step %c1 iter_args(%k0 = %minus, %sum0 = %zero) -> (i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %offset = tile.splat %k : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %then : i32, tensor<16x16xf32>
  }
  tile.return
}

// -----

tile.func @counts_from_anywhere(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %other to %total step %c1 iter_args(%k0 = %minus, %sum0 = %zero) -> (i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %offset = tile.splat %k : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %then : i32, tensor<16x16xf32>
  }
  tile.return
}

// -----

tile.func @counts_by_two(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c2 iter_args(%k0 = %minus, %sum0 = %zero) -> (i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %offset = tile.splat %k : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %then : i32, tensor<16x16xf32>
  }
  tile.return
}

// -----

tile.func @counts_by_anything(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %other iter_args(%k0 = %minus, %sum0 = %zero) -> (i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %offset = tile.splat %k : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %then : i32, tensor<16x16xf32>
  }
  tile.return
}

// -----

// A remainder is one of another number.
tile.func @remainder_of_another(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %other, %sum0 = %zero) -> (i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.remsi %other, %steps : i32
    %offset = tile.splat %k : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %then : i32, tensor<16x16xf32>
  }
  tile.return
}

// -----

// There is no product.
tile.func @without_products(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %sum0 = %zero) -> (i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %offset = tile.splat %k : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = arith.addf %x, %sum0 : tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %then : i32, tensor<16x16xf32>
  }
  tile.return
}

// -----

// Other steps write, too.
tile.func @else_writes(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  // expected-remark @below {{tiles and steps stay one loop: expected writes in last steps alone}}
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %sum0 = %zero) -> (i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %offset = tile.splat %k : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    } else {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %then : i32, tensor<16x16xf32>
  }
  tile.return
}

// -----

// What last steps make is read in them.
tile.func @written_and_read(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32, %other: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  // expected-remark @below {{tiles and steps stay one loop: expected writes in last steps alone}}
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %sum0 = %zero) -> (i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %offset = tile.splat %k : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    %made = scf.if %ends -> (tensor<16x16xf32>) {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
      scf.yield %zero : tensor<16x16xf32>
    } else {
      scf.yield %sum : tensor<16x16xf32>
    }
    %both = arith.addf %made, %x : tensor<16x16xf32>
    %then = arith.select %ends, %zero, %both : tensor<16x16xf32>
    scf.yield %k, %then : i32, tensor<16x16xf32>
  }
  tile.return
}
