// Positions along one dimension, for any extents M and N.

// first + [0 .. N - 1]
tile.func private @range(%first: i32) -> tensor<?xi32, #tile.dims<[N]>> {
  %range = tile.expr %first + arange(N)
  tile.return %range : tensor<?xi32, #tile.dims<[N]>>
}

// The same as a column, down the rows of a block.
tile.func private @column(%first: i32) -> tensor<?x1xi32, #tile.dims<[M]>> {
  %column = tile.expr %first + col(arange(M))
  tile.return %column : tensor<?x1xi32, #tile.dims<[M]>>
}

// And as a row, along its columns.
tile.func private @row(%first: i32) -> tensor<1x?xi32, #tile.dims<[N]>> {
  %row = tile.expr %first + row(arange(N))
  tile.return %row : tensor<1x?xi32, #tile.dims<[N]>>
}
