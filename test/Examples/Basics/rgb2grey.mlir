// Turns a colour picture grey: the tutorials' kernel for data of two dimensions.
//
//   tile-run rgb2grey.mlir                          a generated picture of 150 x 225
//   tile-run rgb2grey.mlir --args 1066,1600         another size
//
//   tile-run rgb2grey.mlir --kernel rgb2grey --arg photo.ppm --arg zeros:i8[1066x1600]:out=grey.pgm \
//       --arg 1066 --arg 1600                       a picture of your own, of 1066 rows of 1600 pixels
//
// The colour picture is written to colour.ppm, read back from there, and the grey one written to grey.pgm, in the
// directory that tile-run runs in: any viewer of pictures shows both.
//
// A picture is 3 x h x w bytes, one plane a colour. Each program does a block of BH x BW pixels: its rows and
// its columns are two vectors, and the offset of a pixel is row * w + column.
//
//   offs = w * rows[:, None] + columns[None, :]
//   mask = (rows < h)[:, None] & (columns < w)[None, :]
//
// The bytes have no sign (arith.uitofp) and become f32 in the program; grey is cut to a whole number, as
// converting it to u8 does.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1066,1600 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 31,257 -D BH=8 -D BW=64 | FileCheck %s
// RUN: tile-run %s --check --args 31,257 -D BH=8 -D BW=64
// RUN: head -c 11 grey.pgm | FileCheck %s --check-prefix=PGM
// RUN: head -c 11 colour.ppm | FileCheck %s --check-prefix=PPM
// RUN: tile-run %s --target=cpu --repeat 1 --kernel rgb2grey --arg colour.ppm --arg zeros:i8[31x257]:out=own.pgm --arg 31 --arg 257
// RUN: cmp own.pgm grey.pgm
// CHECK: largest error {{[01]}}, relative {{.*}}, in 1 comparison
// CHECK: : rgb2grey({{.*}}GB/s
//      PGM: P5
// PGM-NEXT: 257 31
//      PPM: P6
// PPM-NEXT: 257 31

!offs = tensor<?x?xi32, #tile.dims<[BH, BW]>>
!mask = tensor<?x?xi1, #tile.dims<[BH, BW]>>
!bytes = tensor<?x?xi8, #tile.dims<[BH, BW]>>
!floats = tensor<?x?xf32, #tile.dims<[BH, BW]>>

tile.func @rgb2grey(%x: !tile.ptr<i8>, %out: !tile.ptr<i8>, %h: i32, %w: i32)
    meta {BH = 32, BW = 32} {
  tile.grid = %h ceildiv BH, %w ceildiv BW
  // 5 operations a pixel; 3 bytes in and 1 out.
  tile.cost = %h * %w * 5, %h * %w * 4

  // A block of pixels: its rows, its columns, where they lie, and which of them exist.
  %column = tile.expr col(program_id(x) * BH + arange(BH))
  %row = tile.expr row(program_id(y) * BW + arange(BW))
  %offs = tile.expr %column * %w + %row
  %mask = tile.expr %column < %h and %row < %w

  // The planes follow one another: red, green, blue.
  %plane = tile.expr %h * %w
  %x_green = tile.expr %x + %plane
  %x_blue = tile.expr %x_green + %plane
  %r = tile.call @load_bytes(%x, %offs, %mask) -> !floats
  %g = tile.call @load_bytes(%x_green, %offs, %mask) -> !floats
  %b = tile.call @load_bytes(%x_blue, %offs, %mask) -> !floats
  %grey = tile.expr 0.2989 * %r + 0.5870 * %g + 0.1140 * %b
  %bytes = arith.fptoui %grey : !floats to !bytes
  %out_ptrs = tile.expr %out + %offs
  tile.store %out_ptrs, %bytes, %mask
  tile.return
}

// base[offs] where the mask is true, as floats.
tile.func private @load_bytes(%base: !tile.ptr<i8>, %offs: !offs, %mask: !mask) -> !floats {
  %ptrs = tile.expr %base + %offs
  %bytes = tile.load %ptrs, %mask
  %floats = arith.uitofp %bytes : !bytes to !floats
  tile.return %floats
}

func.func @main(%h: i32 {tile_host.default = 150 : i32}, %w: i32 {tile_host.default = 225 : i32}) {
  %c3 = arith.constant 3 : index
  %c255 = arith.constant 255 : index
  %h_index = arith.index_cast %h : i32 to index
  %w_index = arith.index_cast %w : i32 to index

  // Red grows from left to right, green from top to bottom, blue is a grain of both.
  %drawn = tile_host.alloc(%h, %w) -> memref<3x?x?xi8>
  linalg.generic {indexing_maps = [affine_map<(c, i, j) -> (c, i, j)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%drawn : memref<3x?x?xi8>) {
  ^bb0(%old: i8):
    %c = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %right = arith.muli %j, %c255 : index
    %red = arith.divui %right, %w_index : index
    %under = arith.muli %i, %c255 : index
    %green = arith.divui %under, %h_index : index
    %product = arith.muli %i, %j : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %is_red = arith.cmpi ult, %c, %c1 : index
    %is_green = arith.cmpi ult, %c, %c2 : index
    %other = arith.select %is_green, %green, %product : index
    %value = arith.select %is_red, %red, %other : index
    %byte = arith.index_cast %value : index to i8
    linalg.yield %byte : i8
  }
  tile_host.write %drawn, "colour.ppm"
  %x = tile_host.read "colour.ppm" : memref<3x?x?xi8>

  %out = tile_host.alloc(%h, %w) -> memref<?x?xi8>
  tile_host.launch @rgb2grey(%x, %out, %h, %w)
  tile_host.write %out, "grey.pgm"

  // The reference reads what was drawn, not what came back from the file. The bytes are compared as whole
  // numbers without a sign; rounding may differ by one where a grey is nearly whole.
  %got = tile_host.alloc(%h, %w) -> memref<?x?xi32>
  %want = tile_host.alloc(%h, %w) -> memref<?x?xi32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
                                   affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%out : memref<?x?xi8>) outs(%got, %want : memref<?x?xi32>, memref<?x?xi32>) {
  ^bb0(%byte: i8, %old_got: i32, %old_want: i32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %r = memref.load %drawn[%c0, %i, %j] : memref<3x?x?xi8>
    %g = memref.load %drawn[%c1, %i, %j] : memref<3x?x?xi8>
    %b = memref.load %drawn[%c2, %i, %j] : memref<3x?x?xi8>
    %r64 = arith.uitofp %r : i8 to f64
    %g64 = arith.uitofp %g : i8 to f64
    %b64 = arith.uitofp %b : i8 to f64
    %weight_r = arith.constant 0.2989 : f64
    %weight_g = arith.constant 0.5870 : f64
    %weight_b = arith.constant 0.1140 : f64
    %part_r = arith.mulf %weight_r, %r64 : f64
    %part_g = arith.mulf %weight_g, %g64 : f64
    %part_b = arith.mulf %weight_b, %b64 : f64
    %rg = arith.addf %part_r, %part_g : f64
    %grey = arith.addf %rg, %part_b : f64
    %whole = arith.fptoui %grey : f64 to i32
    %found = arith.extui %byte : i8 to i32
    linalg.yield %found, %whole : i32, i32
  }
  tile_host.expect_close %got, %want {atol = 1.0}
  return
}
