// Blocks of M x N of a matrix of any element type T, from its row `first_m` and column `first_n` on. Strides are in
// elements. The corner is found in 64 bits, what is inside the block in 32.

tile.func private @block_pointers(%base: !tile.ptr<!tile.any<T>>, %first_m: i32, %first_n: i32,
                                  %stride_m: i32, %stride_n: i32)
    -> tensor<?x?x!tile.ptr<!tile.any<T>>, #tile.dims<[M, N]>> {
  %corner = tile.expr i64(%first_m) * i64(%stride_m) + i64(%first_n) * i64(%stride_n)
  %pointers = tile.expr %base + %corner + (col(arange(M)) * %stride_m + row(arange(N)) * %stride_n)
  tile.return %pointers : tensor<?x?x!tile.ptr<!tile.any<T>>, #tile.dims<[M, N]>>
}

// Which elements a matrix of m x n has.
tile.func private @block_bounds(%first_m: i32, %first_n: i32, %m: i32, %n: i32)
    -> tensor<?x?xi1, #tile.dims<[M, N]>> {
  %in = tile.expr col(arange(M)) < %m - %first_m and row(arange(N)) < %n - %first_n
  tile.return %in : tensor<?x?xi1, #tile.dims<[M, N]>>
}

// A block of a matrix of m x n; 0 where it has nothing.
tile.func private @load_block(%base: !tile.ptr<!tile.any<T>>, %first_m: i32, %first_n: i32, %m: i32, %n: i32,
                              %stride_m: i32, %stride_n: i32)
    -> tensor<?x?x!tile.any<T>, #tile.dims<[M, N]>> {
  %pointers = tile.call @block_pointers(%base, %first_m, %first_n, %stride_m, %stride_n)
      -> tensor<?x?x!tile.ptr<!tile.any<T>>, #tile.dims<[M, N]>>
  %in = tile.call @block_bounds(%first_m, %first_n, %m, %n) -> tensor<?x?xi1, #tile.dims<[M, N]>>
  %block = tile.load %pointers, %in
  tile.return %block : tensor<?x?x!tile.any<T>, #tile.dims<[M, N]>>
}

// Stores the part of a block that the matrix has.
tile.func private @store_block(%base: !tile.ptr<!tile.any<T>>, %first_m: i32, %first_n: i32, %m: i32, %n: i32,
                               %stride_m: i32, %stride_n: i32,
                               %block: tensor<?x?x!tile.any<T>, #tile.dims<[M, N]>>) {
  %pointers = tile.call @block_pointers(%base, %first_m, %first_n, %stride_m, %stride_n)
      -> tensor<?x?x!tile.ptr<!tile.any<T>>, #tile.dims<[M, N]>>
  %in = tile.call @block_bounds(%first_m, %first_n, %m, %n) -> tensor<?x?xi1, #tile.dims<[M, N]>>
  tile.store %pointers, %block, %in
  tile.return
}
