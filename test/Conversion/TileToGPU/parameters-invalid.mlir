// RUN: tile-opt %s --convert-tile-to-gpu -split-input-file -verify-diagnostics
// RUN: not tile-opt %s --tile-set-target=arch=sm_80 --convert-tile-to-gpu -split-input-file 2>&1 | FileCheck %s --check-prefix=SM80

// SM80: error: expected a chip with tensor maps for a descriptor, found sm_80
tile.func @changes(%x: !tile.ptr<f16>, %c: i1) {
  %pid = tile.program_id x
  // expected-error @+1 {{expected a descriptor made of kernel arguments, found tile.program_id in its extents}}
  %d = tile.make_desc %x, [%pid], [] : !tile.ptr<f16> -> !tile.desc<64xf16>
  %r = scf.if %c -> !tile.desc<64xf16> {
    scf.yield %d : !tile.desc<64xf16>
  } else {
    scf.yield %d : !tile.desc<64xf16>
  }
  tile.return
}

// -----

tile.func @loop(%x: !tile.ptr<f16>, %n: i32, %s: i64) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %wide = arith.extsi %i : i32 to i64
    // expected-error @+1 {{expected a descriptor made of kernel arguments, found a value that changes inside the kernel in its strides}}
    %d = tile.make_desc %x, [%n, %n], [%wide] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
    %c = arith.cmpi eq, %i, %n : i32
    %r = scf.if %c -> !tile.desc<64x64xf16> {
      scf.yield %d : !tile.desc<64x64xf16>
    } else {
      scf.yield %d : !tile.desc<64x64xf16>
    }
  }
  tile.return
}

// -----

tile.func @base(%xs: !tile.ptr<!tile.ptr<f16>>, %n: i32, %c: i1) {
  %x = tile.load %xs : !tile.ptr<!tile.ptr<f16>>
  // expected-error @+1 {{expected a descriptor made of kernel arguments, found tile.load in its base}}
  %d = tile.make_desc %x, [%n], [] : !tile.ptr<f16> -> !tile.desc<64xf16>
  %r = scf.if %c -> !tile.desc<64xf16> {
    scf.yield %d : !tile.desc<64xf16>
  } else {
    scf.yield %d : !tile.desc<64xf16>
  }
  tile.return
}

// -----

tile.func @narrow(%x: !tile.ptr<f16>, %n: i32, %s: i64, %c: i1) {
  // expected-error @+1 {{expected a descriptor whose rows are 16 bytes or more, found shorter ones}}
  %d = tile.make_desc %x, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x4xf16>
  %r = scf.if %c -> !tile.desc<64x4xf16> {
    scf.yield %d : !tile.desc<64x4xf16>
  } else {
    scf.yield %d : !tile.desc<64x4xf16>
  }
  tile.return
}

// -----

// Every step names its operand twice: 2^10 of them are more than a description holds.
tile.func @long(%x: !tile.ptr<f16>, %n: i32, %c: i1) {
  %a = arith.addi %n, %n : i32
  %b = arith.addi %a, %a : i32
  %e = arith.addi %b, %b : i32
  %f = arith.addi %e, %e : i32
  %g = arith.addi %f, %f : i32
  %h = arith.addi %g, %g : i32
  %i = arith.addi %h, %h : i32
  %j = arith.addi %i, %i : i32
  // expected-error @+1 {{expected a descriptor whose extents and strides take at most 1023 characters to describe, found more}}
  %d = tile.make_desc %x, [%j], [] : !tile.ptr<f16> -> !tile.desc<64xf16>
  %r = scf.if %c -> !tile.desc<64xf16> {
    scf.yield %d : !tile.desc<64xf16>
  } else {
    scf.yield %d : !tile.desc<64xf16>
  }
  tile.return
}

// -----

tile.func @plain() {
  // expected-error @+1 {{expected a kernel with tile_gpu.persistent around tile_gpu.grid_extent, found one without}}
  %x = tile_gpu.grid_extent x
  tile.return
}
