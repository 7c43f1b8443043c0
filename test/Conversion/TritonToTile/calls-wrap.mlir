// RUN: tile-opt %s --convert-triton-to-tile | FileCheck %s

// Sums that only bits of are read may wrap, also where a function that is called (noinline) makes or reads them: its
// results are read by those who call it, its arguments by itself.
module {
  // CHECK-LABEL: tile.func @kernel
  tt.func public @kernel(%p: !tt.ptr<i32>, %n: i32) {
    %c31 = arith.constant 31 : i32
    %c5 = arith.constant 5 : i32
    // CHECK: arith.muli %{{.*}}, %{{.*}} {tile.wraps} : i32
    %seed = arith.muli %n, %c5 : i32
    %hash = tt.call @hash(%seed) : (i32) -> i32
    %at = arith.andi %hash, %c31 : i32
    %q = tt.addptr %p, %at : !tt.ptr<i32>, i32
    tt.store %q, %hash : !tt.ptr<i32>
    // An offset, in a function or behind it, is a number with a sign.
    // CHECK: arith.muli %{{.*}}, %{{.*}} : i32
    %first = arith.muli %n, %c31 : i32
    tt.call @put(%p, %first) : (!tt.ptr<i32>, i32) -> ()
    %place = tt.call @place(%n) : (i32) -> i32
    %r = tt.addptr %p, %place : !tt.ptr<i32>, i32
    tt.store %r, %n : !tt.ptr<i32>
    // One that both reads: of one who calls it, and not of another.
    %bits = tt.call @both(%n) : (i32) -> i32
    %cut = arith.andi %bits, %c31 : i32
    %s = tt.addptr %p, %cut : !tt.ptr<i32>, i32
    tt.store %s, %n : !tt.ptr<i32>
    %whole = tt.call @both(%n) : (i32) -> i32
    %t = tt.addptr %p, %whole : !tt.ptr<i32>, i32
    tt.store %t, %n : !tt.ptr<i32>
    tt.return
  }
  // CHECK-LABEL: tile.func private @hash
  // CHECK: arith.muli {{.*}} {tile.wraps}
  tt.func private @hash(%x: i32) -> i32 attributes {noinline = true} {
    %golden = arith.constant -1640531527 : i32
    %h = arith.muli %x, %golden : i32
    tt.return %h : i32
  }
  // CHECK-LABEL: tile.func private @put
  tt.func private @put(%p: !tt.ptr<i32>, %at: i32) attributes {noinline = true} {
    %q = tt.addptr %p, %at : !tt.ptr<i32>, i32
    tt.store %q, %at : !tt.ptr<i32>
    tt.return
  }
  // CHECK-LABEL: tile.func private @place
  // CHECK: arith.muli %{{.*}}, %{{.*}} : i32
  tt.func private @place(%x: i32) -> i32 attributes {noinline = true} {
    %c3 = arith.constant 3 : i32
    %y = arith.muli %x, %c3 : i32
    tt.return %y : i32
  }
  // CHECK-LABEL: tile.func private @both
  // CHECK: arith.muli %{{.*}}, %{{.*}} : i32
  tt.func private @both(%x: i32) -> i32 attributes {noinline = true} {
    %c3 = arith.constant 3 : i32
    %y = arith.muli %x, %c3 : i32
    tt.return %y : i32
  }
}
