// FROM, TO, OP, the floats (VALUES) and what each becomes (EXPECTED) are put in by to-integer.test. Numbers that
// the compiler knows, and numbers that it reads.
!from = tensor<16xFROM>
!to = tensor<16xTO>

tile.func @fill(%x: !tile.ptr<FROM>, %wanted: !tile.ptr<TO>, %known: !tile.ptr<TO>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : tensor<16xi32>
  %values = arith.constant dense<[VALUES]> : !from
  %expected = arith.constant dense<[EXPECTED]> : !to
  %xs = tile.splat %x : !tile.ptr<FROM> -> tensor<16x!tile.ptr<FROM>>
  %xp = tile.addptr %xs, %lane : tensor<16x!tile.ptr<FROM>>, tensor<16xi32>
  tile.store %xp, %values : tensor<16x!tile.ptr<FROM>>
  %ws = tile.splat %wanted : !tile.ptr<TO> -> tensor<16x!tile.ptr<TO>>
  %wp = tile.addptr %ws, %lane : tensor<16x!tile.ptr<TO>>, tensor<16xi32>
  tile.store %wp, %expected : tensor<16x!tile.ptr<TO>>
  %converted = arith.OP %values : !from to !to
  %ks = tile.splat %known : !tile.ptr<TO> -> tensor<16x!tile.ptr<TO>>
  %kp = tile.addptr %ks, %lane : tensor<16x!tile.ptr<TO>>, tensor<16xi32>
  tile.store %kp, %converted : tensor<16x!tile.ptr<TO>>
  tile.return
}

// Tiles, and scalars: program i converts element i by itself.
tile.func @convert(%x: !tile.ptr<FROM>, %tiles: !tile.ptr<TO>, %scalars: !tile.ptr<TO>) {
  tile.grid() {
    %n = arith.constant 16 : i32
    tile.yield %n : i32
  }
  %pid = tile.program_id x
  %from = tile.addptr %x, %pid : !tile.ptr<FROM>, i32
  %v = tile.load %from : !tile.ptr<FROM>
  %s = arith.OP %v : FROM to TO
  %to = tile.addptr %scalars, %pid : !tile.ptr<TO>, i32
  tile.store %to, %s : !tile.ptr<TO>
  %zero = arith.constant 0 : i32
  %first = arith.cmpi eq, %pid, %zero : i32
  scf.if %first {
    %lane = tile.arange : tensor<16xi32>
    %xs = tile.splat %x : !tile.ptr<FROM> -> tensor<16x!tile.ptr<FROM>>
    %xp = tile.addptr %xs, %lane : tensor<16x!tile.ptr<FROM>>, tensor<16xi32>
    %values = tile.load %xp : tensor<16x!tile.ptr<FROM>>
    %converted = arith.OP %values : !from to !to
    %ts = tile.splat %tiles : !tile.ptr<TO> -> tensor<16x!tile.ptr<TO>>
    %tp = tile.addptr %ts, %lane : tensor<16x!tile.ptr<TO>>, tensor<16xi32>
    tile.store %tp, %converted : tensor<16x!tile.ptr<TO>>
  }
  tile.return
}

func.func @main() {
  %x = tile_host.alloc() : () -> memref<16xFROM>
  %wanted = tile_host.alloc() : () -> memref<16xTO>
  %known = tile_host.alloc() : () -> memref<16xTO>
  %tiles = tile_host.alloc() : () -> memref<16xTO>
  %scalars = tile_host.alloc() : () -> memref<16xTO>
  tile_host.launch @fill(%x, %wanted, %known) : memref<16xFROM>, memref<16xTO>, memref<16xTO>
  tile_host.launch @convert(%x, %tiles, %scalars) : memref<16xFROM>, memref<16xTO>, memref<16xTO>
  tile_host.expect_close %known, %wanted : memref<16xTO>, memref<16xTO>
  tile_host.expect_close %tiles, %wanted : memref<16xTO>, memref<16xTO>
  tile_host.expect_close %scalars, %wanted : memref<16xTO>, memref<16xTO>
  return
}
