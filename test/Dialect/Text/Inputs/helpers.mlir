// What test/Dialect/Text/include.mlir includes, and what this includes.
tile.include "more.mlir"
tile.include "tile/ranges.mlir"

tile.func private @from_seven() -> tensor<?xi32, #tile.dims<[N]>> {
  %seven = tile.call @seven() -> i32
  %range = tile.call @range(%seven) -> tensor<?xi32, #tile.dims<[N]>>
  tile.return %range : tensor<?xi32, #tile.dims<[N]>>
}

tile.func @shared_kernel(%x: !tile.ptr<i32>) {
  tile.return
}

func.func private @host_helper() -> i32 {
  %four = arith.constant 4 : i32
  return %four : i32
}

func.func @main() {
  return
}
