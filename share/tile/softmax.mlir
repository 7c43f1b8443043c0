// One step of the online softmax (Milakov and Gimelshein 2018), over M rows of which N columns come at a time. Given
// the maximum and the sum of each row so far, it gives the weights of these columns, the new maximum and sum, and the
// factor by which what has been added up under the old maximum is too large. Scores count in powers of 2: those of e
// are multiplied by log2(e) before. A first maximum is -inf only where no score is.
tile.func private @online_softmax(%scores: tensor<?x?xf32, #tile.dims<[M, N]>>,
                                  %max: tensor<?xf32, #tile.dims<[M]>>, %sum: tensor<?xf32, #tile.dims<[M]>>)
    -> (tensor<?x?xf32, #tile.dims<[M, N]>>, tensor<?xf32, #tile.dims<[M]>>,
        tensor<?xf32, #tile.dims<[M]>>, tensor<?xf32, #tile.dims<[M]>>) {
  %block_max = tile.reduce max %scores axis 1
  %new_max = tile.expr max(%max, %block_max)
  %weights = tile.expr math.exp2(%scores - col(%new_max))
  %factor = tile.expr math.exp2(%max - %new_max)
  %block_sum = tile.reduce add %weights axis 1
  %new_sum = tile.expr %sum * %factor + %block_sum
  tile.return %weights, %new_max, %new_sum, %factor : tensor<?x?xf32, #tile.dims<[M, N]>>,
      tensor<?xf32, #tile.dims<[M]>>, tensor<?xf32, #tile.dims<[M]>>, tensor<?xf32, #tile.dims<[M]>>
}
