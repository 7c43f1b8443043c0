// Functions of libdevice that round in a direction: distances between neighbours, exactly.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: tile-run %s --target=cpu --args 0
// RUN: tile-run %S/Inputs/rounding.ttir --target=cpu --repeat 1 --grid 1 \
// RUN:   --arg zeros:f64[11]:out=got.npy --arg in.npy
// RUN: tile-run %s --target=cpu --args 1

memref.global "private" constant @in : memref<5xf64> = dense<[1.0, 3.0, 8.271806125530277e-25, -1.0, 1.0715086071862673e+301]>
memref.global "private" constant @want : memref<11xf64> = dense<[
    5.551115123125783e-17, 0.0, 0.0, 5.551115123125783e-17, 2.220446049250313e-16, 0.0, 1.1102230246251565e-16, 0.0, 2.220446049250313e-16, 5.551115123125783e-17, 0.0]>

func.func @main(%checks: i32) {
  %zero = arith.constant 0 : i32
  %writes = arith.cmpi eq, %checks, %zero : i32
  scf.if %writes {
    %table = memref.get_global @in : memref<5xf64>
    %in = tile_host.alloc() : () -> memref<5xf64>
    linalg.copy ins(%table : memref<5xf64>) outs(%in : memref<5xf64>)
    tile_host.write %in, "in.npy" : memref<5xf64>
  } else {
    %got = tile_host.read "got.npy" : memref<11xf64>
    %table = memref.get_global @want : memref<11xf64>
    %want = tile_host.alloc() : () -> memref<11xf64>
    linalg.copy ins(%table : memref<11xf64>) outs(%want : memref<11xf64>)
    tile_host.expect_close %got, %want : memref<11xf64>, memref<11xf64>
  }
  return
}
