// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expected a pointer to i1 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2 or a pointer, found 'i7'}}
func.func private @pointee(!tile.ptr<i7>)

// -----

// expected-error @+1 {{expected power of two extents, or multiples of 8 and a swizzle, found 12}}
func.func private @extent(!tile_gpu.buffer<12xf16>)

// -----

// expected-error @+1 {{expected power of two extents, or multiples of 8 and a swizzle, found 0}}
func.func private @zero(!tile_gpu.buffer<0xf16>)

// -----

// expected-error @+1 {{expected at most 2^24 elements, found}}
func.func private @huge(!tile_gpu.buffer<4611686018427387904x4xf16>)

// -----

// expected-error @+1 {{expected a buffer of rank 1 to 5, found rank 0}}
func.func private @rank(!tile_gpu.buffer<f16>)

// -----

// expected-error @+1 {{expected a buffer of numbers, found 'index'}}
func.func private @element(!tile_gpu.buffer<8xindex>)

// -----

// expected-error @+1 {{expected a swizzle of 0, 32, 64 or 128 bytes, or 256, found 48}}
func.func private @swizzle(!tile_gpu.buffer<8xf16, swizzle = 48>)

// -----

// expected-error @+1 {{expected swizzle, order, stages or ragged, found 'swizle'}}
func.func private @key(!tile_gpu.buffer<8xf16, swizle = 32>)

// -----

// expected-error @+1 {{expected ragged rows of two dimensions, without a swizzle, of a multiple of 16 bytes, found others}}
func.func private @ragged(!tile_gpu.buffer<8x64xf16, swizzle = 128, ragged>)

// -----

// expected-error @+1 {{expected ragged rows of two dimensions, without a swizzle, of a multiple of 16 bytes, found others}}
func.func private @ragged_rows(!tile_gpu.buffer<64x4xf16, ragged>)

// -----

// expected-error @+1 {{expected each key once, found 'swizzle' again}}
func.func private @twice(!tile_gpu.buffer<8xf16, swizzle = 32, swizzle = 64>)

// -----

// expected-error @+1 {{expected order to list each of the 2 dimensions once, found [0, 0]}}
func.func private @order(!tile_gpu.buffer<8x8xf16, order = [0, 0]>)

// -----

// expected-error @+1 {{expected 1 to 1024 stages, found 0}}
func.func private @stages(!tile_gpu.buffer<8xf16, stages = 0>)

// -----

// expected-error @+1 {{expected one name for each '?' extent, found 1 for 2}}
func.func private @names(tensor<?x?xf32, #tile.dims<[A]>>)

// -----

// expected-error @+1 {{expected an extent of names, numbers, +, -, *, floordiv, ceildiv, mod and brackets, with a name that counts, found ''}}
func.func private @no_names(tensor<4xf32, #tile.dims<[]>>)

// -----

// expected-error @+1 {{expected bases of 1 to 16 coordinates, found 0}}
func.func private @rank_zero(tensor<4xf32, #tile_gpu.layout<register = [[]], lane = [], warp = []>>)

// -----

// expected-error @+1 {{expected bases of 1 coordinates, found 2}}
func.func private @mixed(tensor<4xf32, #tile_gpu.layout<register = [[1], [0, 1]], lane = [], warp = []>>)

// -----

// expected-error @+1 {{expected a layout of rank 2, found rank 1}}
func.func private @layout_rank(tensor<4x4xf32, #tile_gpu.layout<register = [[1]], lane = [], warp = []>>)

// -----

// expected-error @+1 {{expected coordinates below the extent 4, found 4}}
func.func private @outside(tensor<4xf32, #tile_gpu.layout<register = [[4]], lane = [], warp = []>>)

// -----

// expected-error @+1 {{expected coordinates from 0 to 2^24 - 1, found -1}}
func.func private @negative(tensor<4xf32, #tile_gpu.layout<register = [[-1]], lane = [], warp = []>>)

// -----

// expected-error @+1 {{expected static extents, found '?'}}
func.func private @dynamic(tensor<?xf32, #tile_gpu.layout<register = [[1]], lane = [], warp = []>>)
