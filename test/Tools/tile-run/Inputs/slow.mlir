// Kernels on slow roads: see slow.test.
tile.func @f32(%p: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %a = arith.constant dense<1.0> : tensor<64x32xf32>
  %b = arith.constant dense<1.0> : tensor<32x64xf32>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %c : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  %i = tile.arange : tensor<64xi32>
  %r = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %o = tile.broadcast %r : tensor<1x64xi32> -> tensor<64x64xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %q = tile.addptr %s, %o : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %q, %d : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

tile.func @f8(%p: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %a = arith.constant dense<1.0> : tensor<64x32xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<32x64xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %c : tensor<64x32xf8E4M3FN>, tensor<32x64xf8E4M3FN> -> tensor<64x64xf32>
  %i = tile.arange : tensor<64xi32>
  %r = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %o = tile.broadcast %r : tensor<1x64xi32> -> tensor<64x64xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %q = tile.addptr %s, %o : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %q, %d : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// From the last element to the first, by addresses and within a tile.
tile.func @falls(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                 %n: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.expr program_id(x) * 1024 + arange(1024)
  %in = tile.expr %i < %n
  %from = tile.expr %x + (%n - 1 - %i)
  %to = tile.expr %y + %i
  %v = tile.load %from, %in
  tile.store %to, %v, %in
  tile.return
}

tile.func @turned(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                  %n: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.expr program_id(x) * 1024 + arange(1024)
  %from = tile.expr %x + (%n - 1024 - program_id(x) * 1024 + arange(1024))
  %to = tile.expr %y + %i
  %v = tile.load %from
  %back = tile.expr 1023 - arange(1024)
  %turned = tile.gather %v, %back axis 0
  tile.store %to, %turned
  tile.return
}

// Loads of more than all registers, which have to come before a barrier.
tile.func @spills(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32})
    attributes {tile.num_warps = 1 : i32} {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %from = tile.expr %x + arange(4096)
  %to = tile.expr %y + arange(4096)
  %a = tile.load %from : tensor<4096x!tile.ptr<f32>>
  %b = tile.load %to : tensor<4096x!tile.ptr<f32>>
  %next = tile.expr %x + 4096 + arange(4096)
  %c = tile.load %next : tensor<4096x!tile.ptr<f32>>
  tile.barrier
  tile.store %to, %a : tensor<4096x!tile.ptr<f32>>
  tile.store %from, %b : tensor<4096x!tile.ptr<f32>>
  tile.store %to, %c : tensor<4096x!tile.ptr<f32>>
  tile.return
}

// Rows that begin anywhere.
tile.func @rows(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pitch: i32) {
  %row = tile.program_id x
  %i = tile.arange : tensor<1024xi32>
  %at = tile.expr %row * %pitch + %i
  %from = tile.expr %x + %at
  %to = tile.expr %y + %at
  %v = tile.load %from : tensor<1024x!tile.ptr<f16>>
  tile.store %to, %v : tensor<1024x!tile.ptr<f16>>
  tile.return
}
