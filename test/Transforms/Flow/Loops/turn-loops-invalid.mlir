// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-turn-loops))' --verify-diagnostics -split-input-file | FileCheck %s

// What it adds up depends on the order.
// CHECK-LABEL: tile.func @carries
// CHECK: scf.for
// CHECK-NOT: arith.divsi
tile.func @carries(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %i = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<32xf32>
    scf.yield %next : tensor<32xf32>
  }
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  // expected-remark @+1 {{loop is not turned: expected a loop that carries sums and the like alone}}
  %squares = scf.for %k = %c0 to %n step %c32 iter_args(%own = %zero) -> (tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %w = arith.divf %v, %sum : tensor<32xf32>
    %more = arith.subf %w, %own : tensor<32xf32>
    scf.yield %more : tensor<32xf32>
  }
  %q = tile.addptr %ys, %i : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %q, %squares : tensor<32x!tile.ptr<f32>>
  tile.return
}

// -----

// The last step's stays.
// CHECK-LABEL: tile.func @one_place
// CHECK: scf.for
// CHECK-NOT: arith.divsi
tile.func @one_place(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %i = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<32xf32>
    scf.yield %next : tensor<32xf32>
  }
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  // expected-remark @+1 {{loop is not turned: expected each step to store behind all that the one before stores}}
  scf.for %k = %c0 to %n step %c32 : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %w = arith.divf %v, %sum : tensor<32xf32>
    %q = tile.addptr %ys, %i : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    tile.store %q, %w : tensor<32x!tile.ptr<f32>>
  }
  tile.return
}

// -----

// A later step reads what this one stores.
// CHECK-LABEL: tile.func @shifted
// CHECK: scf.for
// CHECK-NOT: arith.divsi
tile.func @shifted(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %i = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<32xf32>
    scf.yield %next : tensor<32xf32>
  }
  %far32 = arith.constant dense<32> : tensor<32xi32>
  // expected-remark @+1 {{loop is not turned: expected to read what the step itself stores to}}
  scf.for %k = %c0 to %n step %c32 : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %w = arith.divf %v, %sum : tensor<32xf32>
    %far = tile.addptr %p, %far32 : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    tile.store %far, %w : tensor<32x!tile.ptr<f32>>
  }
  tile.return
}

// -----

// A later step overwrites what this one stores elsewhere in the array.
// CHECK-LABEL: tile.func @twice
// CHECK: scf.for
// CHECK-NOT: arith.divsi
tile.func @twice(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %i = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<32xf32>
    scf.yield %next : tensor<32xf32>
  }
  %far32 = arith.constant dense<32> : tensor<32xi32>
  // expected-remark @+1 {{loop is not turned: expected a step's stores to one array to be to the same places of it}}
  scf.for %k = %c0 to %n step %c32 : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %w = arith.divf %v, %sum : tensor<32xf32>
    %out = tile.addptr %ys, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    tile.store %out, %v : tensor<32x!tile.ptr<f32>>
    %far = tile.addptr %out, %far32 : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    tile.store %far, %w : tensor<32x!tile.ptr<f32>>
  }
  tile.return
}

// -----

// Something but loads and stores.
// CHECK-LABEL: tile.func @exchanges
// CHECK: scf.for
// CHECK-NOT: arith.divsi
tile.func @exchanges(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %i = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<32xf32>
    scf.yield %next : tensor<32xf32>
  }
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  // expected-remark @+1 {{loop is not turned: expected loads and stores alone}}
  scf.for %k = %c0 to %n step %c32 : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %w = arith.divf %v, %sum : tensor<32xf32>
    %q = tile.addptr %ys, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %old = tile.atomic_rmw fadd relaxed gpu %q, %w : tensor<32x!tile.ptr<f32>>
  }
  tile.return
}

// -----

// Two steps store to one place.
// CHECK-LABEL: tile.func @halves
// CHECK: scf.for
// CHECK-NOT: arith.subi
tile.func @halves(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %i = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<32xf32>
    scf.yield %next : tensor<32xf32>
  }
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %twos = arith.constant dense<2> : tensor<32xi32>
  // expected-remark @+1 {{loop is not turned: expected stores to addresses that are sums of strides times positions}}
  scf.for %k = %c0 to %n step %c32 : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %w = arith.divf %v, %sum : tensor<32xf32>
    %half = arith.divsi %at, %twos : tensor<32xi32>
    %q = tile.addptr %ys, %half : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    tile.store %q, %w : tensor<32x!tile.ptr<f32>>
  }
  tile.return
}

// -----

// A step that the launch says: whether steps are side by side is not known.
// CHECK-LABEL: tile.func @steps
// CHECK: scf.for
// CHECK-NOT: arith.divsi
tile.func @steps(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %i = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %m iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<32xf32>
    scf.yield %next : tensor<32xf32>
  }
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  scf.for %k = %c0 to %n step %m : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %w = arith.divf %v, %sum : tensor<32xf32>
    %q = tile.addptr %ys, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    tile.store %q, %w : tensor<32x!tile.ptr<f32>>
  }
  tile.return
}

// -----

// Another range: nothing to say.
// CHECK-LABEL: tile.func @other_range
// CHECK: scf.for
// CHECK-NOT: arith.divsi
tile.func @other_range(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %i = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<32xf32>
    scf.yield %next : tensor<32xf32>
  }
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  scf.for %k = %c0 to %m step %c32 : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %w = arith.divf %v, %sum : tensor<32xf32>
    %q = tile.addptr %ys, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    tile.store %q, %w : tensor<32x!tile.ptr<f32>>
  }
  tile.return
}

// -----

// What is read beside what is stored the next step stores, which has the same places but fewer.
// CHECK-LABEL: tile.func @wider
// CHECK: scf.for
// CHECK-NOT: arith.divsi
tile.func @wider(%x: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %i = tile.arange : tensor<32xi32>
  %j = tile.arange : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %ws = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<32xf32>
    scf.yield %next : tensor<32xf32>
  }
  // expected-remark @+1 {{loop is not turned: expected to read what the step itself stores to}}
  scf.for %k = %c0 to %n step %c32 : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %kw = tile.splat %k : i32 -> tensor<64xi32>
    %aw = arith.addi %kw, %j : tensor<64xi32>
    %pw = tile.addptr %ws, %aw : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %vw = tile.load %pw : tensor<64x!tile.ptr<f32>>
    %all = tile.reduce %vw axis 0 : tensor<64xf32> -> f32 {
    ^bb0(%l: f32, %r: f32):
      %both = arith.addf %l, %r : f32
      tile.yield %both : f32
    }
    %alls = tile.splat %all : f32 -> tensor<32xf32>
    %w = arith.divf %v, %sum : tensor<32xf32>
    %u = arith.addf %w, %alls : tensor<32xf32>
    tile.store %p, %u : tensor<32x!tile.ptr<f32>>
  }
  tile.return
}

// -----

// Columns: what programs beside each other read is in the caches, or is not, whatever the order.
// CHECK-LABEL: tile.func @columns
// CHECK: scf.for
// CHECK-NOT: arith.divsi
tile.func @columns(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %pitch: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %i = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %row = arith.muli %k, %pitch : i32
    %rows = tile.splat %row : i32 -> tensor<32xi32>
    %at = arith.addi %rows, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<32xf32>
    scf.yield %next : tensor<32xf32>
  }
  scf.for %k = %c0 to %n step %c1 : i32 {
    %row = arith.muli %k, %pitch : i32
    %rows = tile.splat %row : i32 -> tensor<32xi32>
    %at = arith.addi %rows, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %w = arith.divf %v, %sum : tensor<32xf32>
    %q = tile.addptr %ys, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    tile.store %q, %w : tensor<32x!tile.ptr<f32>>
  }
  tile.return
}

// -----

// Windows, each row 8 places behind the one before: of two steps' places some are the same, and the later one's
// number stays.
// CHECK-LABEL: tile.func @windows
// CHECK: scf.for
// CHECK-NOT: arith.divsi
tile.func @windows(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %i = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<32xf32>
    scf.yield %next : tensor<32xf32>
  }
  tile.print "%" %sum : tensor<32xf32>
  %r = tile.arange : tensor<4xi32>
  %eight = arith.constant dense<8> : tensor<4x1xi32>
  %rows = tile.expand_dims %r axis 1 : tensor<4xi32> -> tensor<4x1xi32>
  %down = arith.muli %rows, %eight : tensor<4x1xi32>
  %downs = tile.broadcast %down : tensor<4x1xi32> -> tensor<4x32xi32>
  %across = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %acrosses = tile.broadcast %across : tensor<1x32xi32> -> tensor<4x32xi32>
  %window = arith.addi %downs, %acrosses : tensor<4x32xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<4x32x!tile.ptr<f32>>
  // expected-remark @+1 {{loop is not turned: expected each step to store behind all that the one before stores}}
  scf.for %k = %c0 to %n step %c32 : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %most = tile.reduce max %v axis 0 : tensor<32xf32> -> f32
    %all = tile.splat %most : f32 -> tensor<4x32xf32>
    %k2 = tile.splat %k : i32 -> tensor<4x32xi32>
    %at2 = arith.addi %k2, %window : tensor<4x32xi32>
    %q = tile.addptr %ys, %at2 : tensor<4x32x!tile.ptr<f32>>, tensor<4x32xi32>
    tile.store %q, %all : tensor<4x32x!tile.ptr<f32>>
  }
  tile.return
}

// -----

// What the pointers lead to may be what another step stores.
// CHECK-LABEL: tile.func @unknown
// CHECK: scf.for
// CHECK-NOT: arith.divsi
tile.func @unknown(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %table: !tile.ptr<i64>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %i = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<32xf32>
    scf.yield %next : tensor<32xf32>
  }
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %ts = tile.splat %table : !tile.ptr<i64> -> tensor<32x!tile.ptr<i64>>
  // expected-remark @+1 {{loop is not turned: expected loads of arrays that are known}}
  scf.for %k = %c0 to %n step %c32 : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %tp = tile.addptr %ts, %at : tensor<32x!tile.ptr<i64>>, tensor<32xi32>
    %address = tile.load %tp : tensor<32x!tile.ptr<i64>>
    %far = tile.ptr_cast %address : tensor<32xi64> -> tensor<32x!tile.ptr<f32>>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %u = tile.load %far : tensor<32x!tile.ptr<f32>>
    %w = arith.divf %v, %sum : tensor<32xf32>
    %z = arith.addf %w, %u : tensor<32xf32>
    %q = tile.addptr %ys, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    tile.store %q, %z : tensor<32x!tile.ptr<f32>>
  }
  tile.return
}
