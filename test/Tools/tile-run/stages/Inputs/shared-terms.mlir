// Its lines DOUBLE and MIX are written out by shared-terms.awk.
tile.func @product(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32, %steps: i32) attributes {tile.num_warps = 8 : i32} {
  tile.grid = %n ceildiv 128
  %pid = tile.expr program_id(x)
  DOUBLE %row = arith.addi %pid : i32
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %none = arith.constant dense<0.0> : tensor<128x64xf16>
  %sum = scf.for %k = %c0 to %steps step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %rows = tile.expr col(%row * 128 + arange(128))
    %ks = tile.expr row(%k + arange(64))
    %ap = tile.expr %a + %rows * 4096 + %ks
    %in_rows = tile.expr %rows < %n
    %in = tile.broadcast %in_rows : tensor<128x1xi1> -> tensor<128x64xi1>
    %at = tile.load %ap, %in, %none
    DOUBLE %ax = arith.addf %at : tensor<128x64xf16>
    %bp = tile.expr %b + col(%k + arange(64)) * 4096 + row(arange(128))
    %bt = tile.load %bp
    %d = tile.dot %ax, %bt, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %cp = tile.expr %c + col(%pid * 128 + arange(128)) * 4096 + row(arange(128))
  tile.store %cp, %sum
  tile.return
}

tile.func @rows(%a: !tile.ptr<f32>, %c: !tile.ptr<f32>, %n: i32, %m: i32) {
  tile.grid = %n ceildiv 1024
  %i = tile.expr program_id(x) * 1024 + arange(1024)
  %in = tile.expr %i < %n
  %above = tile.expr %i > %m
  MIX %mask = %in %above : tensor<1024xi1>
  %none = arith.constant dense<0.0> : tensor<1024xf32>
  %p = tile.expr %a + %i
  %x = tile.load %p, %mask, %none
  DOUBLE %y = arith.addf %x : tensor<1024xf32>
  %q = tile.expr %c + %i
  tile.store %q, %y, %mask
  tile.return
}

// Offsets that a loop's counter makes, and what a branch does with an operand.
tile.func @ahead(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32, %steps: i32) attributes {tile.num_warps = 8 : i32} {
  tile.grid = %n ceildiv 128
  %pid = tile.expr program_id(x)
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %none = arith.constant dense<0.0> : tensor<128x64xf16>
  %isFew = arith.cmpi slt, %steps, %n : i32
  %sum = scf.for %k = %c0 to %steps step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %step = tile.expr %k + arange(64)
    DOUBLE %far = arith.addi %step : tensor<64xi32>
    %rows = tile.expr col(%pid * 128 + arange(128))
    %ap = tile.expr %a + %rows * 4096 + row(%far)
    %in_rows = tile.expr %rows < %n
    %in_depth = tile.expr row(%far) < %n
    %ins = tile.broadcast %in_rows : tensor<128x1xi1> -> tensor<128x64xi1>
    %ind = tile.broadcast %in_depth : tensor<1x64xi1> -> tensor<128x64xi1>
    %in = arith.andi %ins, %ind : tensor<128x64xi1>
    %at = tile.load %ap, %in, %none
    DOUBLE %ax = arith.addf %at : tensor<128x64xf16>
    %chosen = scf.if %isFew -> (tensor<128x64xf16>) {
      scf.yield %ax : tensor<128x64xf16>
    } else {
      %ay = arith.mulf %ax, %ax : tensor<128x64xf16>
      scf.yield %ay : tensor<128x64xf16>
    }
    %bp = tile.expr %b + col(%k + arange(64)) * 4096 + row(arange(128))
    %bt = tile.load %bp
    %d = tile.dot %chosen, %bt, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %cp = tile.expr %c + col(%pid * 128 + arange(128)) * 4096 + row(arange(128))
  tile.store %cp, %sum
  tile.return
}

func.func @main() { return }
