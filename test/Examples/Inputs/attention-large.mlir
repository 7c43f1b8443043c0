// Scores up to a hundred and more, of which exp is no f32; maxima that grow from block to block, so that what was added
// up before has to shrink.
func.func @main() {
  %heads = arith.constant 2 : i32
  %length = arith.constant 150 : i32
  %d = arith.constant 64 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c150 = arith.constant 150 : index
  %q = tile_host.random(%heads, %length, %d) seed 1 : (i32, i32, i32) -> memref<?x?x?xf16>
  %k = tile_host.random(%heads, %length, %d) seed 2 : (i32, i32, i32) -> memref<?x?x?xf16>
  %v = tile_host.random(%heads, %length, %d) seed 3 : (i32, i32, i32) -> memref<?x?x?xf16>
  %full = tile_host.alloc(%heads, %length, %d) : (i32, i32, i32) -> memref<?x?x?xf16>
  %causal = tile_host.alloc(%heads, %length, %d) : (i32, i32, i32) -> memref<?x?x?xf16>
  %large = arith.constant 64.0 : f16
  scf.for %h = %c0 to %c2 step %c1 {
    scf.for %i = %c0 to %c150 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %x = memref.load %q[%h, %i, %j] : memref<?x?x?xf16>
        %y = arith.mulf %x, %large : f16
        memref.store %y, %q[%h, %i, %j] : memref<?x?x?xf16>
      }
    }
  }
  // log2(e) / sqrt(64)
  %scale = arith.constant 0.180336877 : f32
  tile_host.launch @attention(%q, %k, %v, %full, %heads, %length, %scale)
      : memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, i32, i32, f32
  tile_host.launch @attention_causal(%q, %k, %v, %causal, %heads, %length, %scale)
      : memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, i32, i32, f32
  %no = arith.constant false
  %yes = arith.constant true
  %full_want = tile_host.alloc(%heads, %length, %d) : (i32, i32, i32) -> memref<?x?x?xf64>
  %causal_want = tile_host.alloc(%heads, %length, %d) : (i32, i32, i32) -> memref<?x?x?xf64>
  func.call @reference(%q, %k, %v, %full, %full_want, %no)
      : (memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf64>, i1) -> ()
  func.call @reference(%q, %k, %v, %causal, %causal_want, %yes)
      : (memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf64>, i1) -> ()
  tile_host.expect_close %full, %full_want {atol = 2.0e-3, rtol = 2.0e-3} : memref<?x?x?xf16>, memref<?x?x?xf64>
  tile_host.expect_close %causal, %causal_want {atol = 2.0e-3, rtol = 2.0e-3} : memref<?x?x?xf16>, memref<?x?x?xf64>
  return
}
