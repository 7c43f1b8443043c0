// tile.print on the CPU and on a GPU: the same text, in the order of the programs.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=1 | FileCheck %s %}

// Once a program; the programs one after the other, those of a column together.
// CHECK: {{^}}pid (0, 0, 0) grid{{$}}
// CHECK-NEXT: {{^}}pid (1, 0, 0) grid{{$}}
// CHECK-NEXT: {{^}}pid (0, 1, 0) grid{{$}}
// CHECK-NEXT: {{^}}pid (0, 1, 0) here: 1{{$}}
// CHECK-NEXT: {{^}}pid (0, 1, 0) here: 2{{$}}
// CHECK-NEXT: {{^}}pid (1, 1, 0) grid{{$}}
tile.func @grid(%n: i32) {
  tile.grid(%n : i32) {
    tile.yield %n, %n : i32, i32
  }
  %x = tile.program_id x
  %y = tile.program_id y
  tile.print "grid"
  // The tutorials' print_if: pid=0,1.
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %left = arith.cmpi eq, %x, %zero : i32
  %lower = arith.cmpi eq, %y, %one : i32
  %here = arith.andi %left, %lower : i1
  tile.print "here" %y, %n if %here : i32, i32
  tile.return
}

// Every type; a line for each value.
// CHECK-NEXT: {{^}}pid (0, 0, 0) i1: [0 1 0 1]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) i8: [-2 -1  0  1]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) i16: [-2 -1  0  1]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) i32: [-2 -1  0  1]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) i64: [-2 -1  0  1]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) f16: [  -1 -0.5    0  0.5]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) bf16: [  -1 -0.5    0  0.5]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) f32: [  -1 -0.5    0  0.5]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) f64: [  -1 -0.5    0  0.5]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) f8E4M3FN: [  -1 -0.5    0  0.5]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) f8E5M2: [  -1 -0.5    0  0.5]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) pointer: [[P:0x[0-9a-f]+]]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) pointers: {{\[}}[[P]] [[P]]]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) scalars: 1{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) scalars: -3{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) scalars: -1.5{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) scalars: -1.5{{$}}
tile.func @types() {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.arange : tensor<4xi32>
  %two = arith.constant dense<2> : tensor<4xi32>
  %i32 = arith.subi %i, %two : tensor<4xi32>
  %i1 = arith.trunci %i : tensor<4xi32> to tensor<4xi1>
  %i8 = arith.trunci %i32 : tensor<4xi32> to tensor<4xi8>
  %i16 = arith.trunci %i32 : tensor<4xi32> to tensor<4xi16>
  %i64 = arith.extsi %i32 : tensor<4xi32> to tensor<4xi64>
  tile.print "i1" %i1 : tensor<4xi1>
  tile.print "i8" %i8 : tensor<4xi8>
  tile.print "i16" %i16 : tensor<4xi16>
  tile.print "i32" %i32 : tensor<4xi32>
  tile.print "i64" %i64 : tensor<4xi64>
  %whole = arith.sitofp %i32 : tensor<4xi32> to tensor<4xf32>
  %half = arith.constant dense<0.5> : tensor<4xf32>
  %f32 = arith.mulf %whole, %half : tensor<4xf32>
  %f16 = arith.truncf %f32 : tensor<4xf32> to tensor<4xf16>
  %bf16 = arith.truncf %f32 : tensor<4xf32> to tensor<4xbf16>
  %f64 = arith.extf %f32 : tensor<4xf32> to tensor<4xf64>
  %e4m3 = arith.truncf %f32 : tensor<4xf32> to tensor<4xf8E4M3FN>
  %e5m2 = arith.truncf %f32 : tensor<4xf32> to tensor<4xf8E5M2>
  tile.print "f16" %f16 : tensor<4xf16>
  tile.print "bf16" %bf16 : tensor<4xbf16>
  tile.print "f32" %f32 : tensor<4xf32>
  tile.print "f64" %f64 : tensor<4xf64>
  tile.print "f8E4M3FN" %e4m3 : tensor<4xf8E4M3FN>
  tile.print "f8E5M2" %e5m2 : tensor<4xf8E5M2>
  tile.return
}

tile.func @scalars(%x: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %same = tile.splat %x : !tile.ptr<f32> -> tensor<2x!tile.ptr<f32>>
  tile.print "pointer" %x : !tile.ptr<f32>
  tile.print "pointers" %same : tensor<2x!tile.ptr<f32>>
  %yes = arith.constant true
  %three = arith.constant -3 : i16
  %f = arith.constant -1.5 : f32
  %h = arith.constant -1.5 : bf16
  tile.print "scalars" %yes, %three, %f, %h : i1, i16, f32, bf16
  tile.return
}

// Rows below each other; beyond a thousand elements, three at either end of a dimension.
// CHECK-NEXT: {{^}}pid (0, 0, 0) square:{{$}}
// CHECK-NEXT: {{^}}{{\[\[}}0 1 2 3]{{$}}
// CHECK-NEXT: {{^}} [4 5 6 7]]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) long:{{$}}
// CHECK-NEXT: {{^}}{{\[\[}}   0    1    2 ...   61   62   63]{{$}}
// CHECK-NEXT: {{^}} [  64   65   66 ...  125  126  127]{{$}}
// CHECK-NEXT: {{^}} [ 128  129  130 ...  189  190  191]{{$}}
// CHECK-NEXT: {{^}} ...{{$}}
// CHECK-NEXT: {{^}} [1856 1857 1858 ... 1917 1918 1919]{{$}}
// CHECK-NEXT: {{^}} [1920 1921 1922 ... 1981 1982 1983]{{$}}
// CHECK-NEXT: {{^}} [1984 1985 1986 ... 2045 2046 2047]]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) flat: [   0    1    2 ... 2045 2046 2047]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) odd:{{$}}
// CHECK-NEXT: {{^}}{{\[\[}}0 1 2 3 4]{{$}}
// CHECK-NEXT: {{^}} [5 6 7 8 9]]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) loop: 0{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) loop: [0 1]{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) loop: 2{{$}}
// CHECK-NEXT: {{^}}pid (0, 0, 0) loop: [2 3]{{$}}
// CHECK-NOT: pid
tile.func @shapes(%x: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %eight = tile.arange : tensor<8xi32>
  %square = tile.reshape %eight : tensor<8xi32> -> tensor<2x4xi32>
  tile.print "square" %square : tensor<2x4xi32>
  %many = tile.arange : tensor<2048xi32>
  %rows = tile.reshape %many : tensor<2048xi32> -> tensor<32x64xi32>
  tile.print "long" %rows : tensor<32x64xi32>
  tile.print "flat" %many : tensor<2048xi32>
  %ten = tile.arange : tensor<10xi32>
  %odd = tile.reshape %ten : tensor<10xi32> -> tensor<2x5xi32>
  tile.print "odd" %odd : tensor<2x5xi32>
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %four = arith.constant 4 : i32
  %pair = tile.arange : tensor<2xi32>
  scf.for %i = %zero to %four step %two : i32 {
    %start = tile.splat %i : i32 -> tensor<2xi32>
    %at = arith.addi %start, %pair : tensor<2xi32>
    tile.print "loop" %i, %at : i32, tensor<2xi32>
  }
  tile.return
}

func.func @main() {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : i32
  %x = tile_host.alloc(%one) : (index) -> memref<?xf32>
  %y = tile_host.alloc(%one) : (index) -> memref<?xi32>
  tile_host.launch @grid(%two) : i32
  tile_host.launch @types()
  tile_host.launch @scalars(%x) : memref<?xf32>
  tile_host.launch @shapes(%y) : memref<?xi32>
  return
}
