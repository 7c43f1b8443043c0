// Fields of words become floats of 16 bits two by two: other bytes are taken in place of shifts, so that eight numbers of 4 bits need
// one shift, and a mask and the bits beside it are one instruction. How far each is shifted says the number of its element.
//
// RUN: tile-run %s --no-host --emit=ptx --arch=sm_90a --kernel=fours -o - | FileCheck %s --check-prefix=FOURS
// RUN: tile-run %s --no-host --emit=ptx --arch=sm_90a --kernel=eights -o - | FileCheck %s --check-prefix=EIGHTS
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 4 comparisons

// FOURS-LABEL: .entry fours
// FOURS-DAG: prmt.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, 0x7733U;
// FOURS-DAG: lop3.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 983055, 1677747200, 0xea;
// FOURS-NOT: shr.u32 %r{{[0-9]+}}, %r{{[0-9]+}}, {{(8|12|16|20|24|28)}};
tile.func @fours(%x: !tile.ptr<i32>, %y: !tile.ptr<f16>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.arange : tensor<2048xi32>
  %in = tile.expr %i div 8
  %by = tile.expr %i rem 8 * 4
  %xp = tile.expr %x + %in
  %word = tile.load %xp
  %moved = arith.shrui %word, %by : tensor<2048xi32>
  %few = tile.expr %moved and 15
  %value = arith.uitofp %few : tensor<2048xi32> to tensor<2048xf16>
  %yp = tile.expr %y + %i
  tile.store %yp, %value
  tile.return
}

// Of two bits, less a zero of four.
tile.func @twos(%x: !tile.ptr<i32>, %y: !tile.ptr<bf16>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.arange : tensor<2048xi32>
  %in = tile.expr %i div 16
  %by = tile.expr %i rem 16 * 2
  %xp = tile.expr %x + %in
  %word = tile.load %xp
  %moved = arith.shrsi %word, %by : tensor<2048xi32>
  %few = tile.expr %moved and 3
  %zero = tile.expr %i and 15
  %less = arith.subi %few, %zero : tensor<2048xi32>
  %value = arith.sitofp %less : tensor<2048xi32> to tensor<2048xbf16>
  %yp = tile.expr %y + %i
  tile.store %yp, %value
  tile.return
}

// Bytes are where they are.
// EIGHTS-LABEL: .entry eights
// EIGHTS-NOT: shr.{{[su]}}32 %r{{[0-9]+}}, %r{{[0-9]+}}, {{(8|16|24)}};
// EIGHTS: prmt.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, 0x{{5500|7722}}U;
tile.func @eights(%x: !tile.ptr<i32>, %y: !tile.ptr<f16>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.arange : tensor<2048xi32>
  %in = tile.expr %i div 4
  %by = tile.expr %i rem 4 * 8
  %xp = tile.expr %x + %in
  %word = tile.load %xp
  %moved = arith.shrsi %word, %by : tensor<2048xi32>
  %few = tile.expr %moved and 255
  %value = arith.sitofp %few : tensor<2048xi32> to tensor<2048xf16>
  %yp = tile.expr %y + %i
  tile.store %yp, %value
  tile.return
}

// Bytes as f32, signed and not.
tile.func @bytes(%x: !tile.ptr<i8>, %y: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.arange : tensor<2048xi32>
  %xp = tile.expr %x + %i
  %byte = tile.load %xp
  %signed = arith.sitofp %byte : tensor<2048xi8> to tensor<2048xf32>
  %whole = arith.uitofp %byte : tensor<2048xi8> to tensor<2048xf32>
  %value = tile.expr %signed * 1024.0 + %whole
  %yp = tile.expr %y + %i
  tile.store %yp, %value
  tile.return
}

// The same by doubles.
tile.func @want(%x: !tile.ptr<i32>, %bytes: !tile.ptr<i8>, %four: !tile.ptr<f16>, %two: !tile.ptr<bf16>, %eight: !tile.ptr<f16>,
                %byte: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.arange : tensor<2048xi32>
  %four_in = tile.expr %i div 8
  %four_by = tile.expr %i rem 8 * 4
  %four_xp = tile.expr %x + %four_in
  %four_word = tile.load %four_xp
  %four_moved = arith.shrui %four_word, %four_by : tensor<2048xi32>
  %four_few = tile.expr f64(%four_moved and 15)
  %four_value = tile.expr f16(%four_few)
  %four_yp = tile.expr %four + %i
  tile.store %four_yp, %four_value
  %two_in = tile.expr %i div 16
  %two_by = tile.expr %i rem 16 * 2
  %two_xp = tile.expr %x + %two_in
  %two_word = tile.load %two_xp
  %two_moved = arith.shrui %two_word, %two_by : tensor<2048xi32>
  %two_few = tile.expr f64(%two_moved and 3)
  %two_value = tile.expr bf16(%two_few - f64(%i and 15))
  %two_yp = tile.expr %two + %i
  tile.store %two_yp, %two_value
  %eight_in = tile.expr %i div 4
  %eight_by = tile.expr %i rem 4 * 8
  %eight_xp = tile.expr %x + %eight_in
  %eight_word = tile.load %eight_xp
  %eight_moved = arith.shrui %eight_word, %eight_by : tensor<2048xi32>
  %eight_few = tile.expr f64(%eight_moved and 255)
  %eight_value = tile.expr f16(%eight_few)
  %eight_yp = tile.expr %eight + %i
  tile.store %eight_yp, %eight_value
  %bp = tile.expr %bytes + %i
  %b = tile.load %bp
  %signed = arith.sitofp %b : tensor<2048xi8> to tensor<2048xf64>
  %whole = arith.uitofp %b : tensor<2048xi8> to tensor<2048xf64>
  %sum = tile.expr f32(%signed * 1024.0 + %whole)
  %byte_yp = tile.expr %byte + %i
  tile.store %byte_yp, %sum
  tile.return
}

func.func @main() {
  %x = tile_host.random() seed 1 : () -> memref<2048xi32>
  %b = tile_host.random() seed 2 : () -> memref<2048xi8>
  %four = tile_host.alloc() : () -> memref<2048xf16>
  %fourWant = tile_host.alloc() : () -> memref<2048xf16>
  %two = tile_host.alloc() : () -> memref<2048xbf16>
  %twoWant = tile_host.alloc() : () -> memref<2048xbf16>
  %eight = tile_host.alloc() : () -> memref<2048xf16>
  %eightWant = tile_host.alloc() : () -> memref<2048xf16>
  %byte = tile_host.alloc() : () -> memref<2048xf32>
  %byteWant = tile_host.alloc() : () -> memref<2048xf32>
  tile_host.launch @fours(%x, %four) : memref<2048xi32>, memref<2048xf16>
  tile_host.launch @twos(%x, %two) : memref<2048xi32>, memref<2048xbf16>
  tile_host.launch @eights(%x, %eight) : memref<2048xi32>, memref<2048xf16>
  tile_host.launch @bytes(%b, %byte) : memref<2048xi8>, memref<2048xf32>
  tile_host.launch @want(%x, %b, %fourWant, %twoWant, %eightWant, %byteWant) : memref<2048xi32>, memref<2048xi8>, memref<2048xf16>, memref<2048xbf16>, memref<2048xf16>, memref<2048xf32>
  tile_host.expect_close %four, %fourWant : memref<2048xf16>, memref<2048xf16>
  tile_host.expect_close %two, %twoWant : memref<2048xbf16>, memref<2048xbf16>
  tile_host.expect_close %eight, %eightWant : memref<2048xf16>, memref<2048xf16>
  tile_host.expect_close %byte, %byteWant : memref<2048xf32>, memref<2048xf32>
  return
}
