//===- TileHostOps.td - what a host program does with kernels -------------===//
//
// A host program is a func.func beside the kernels, in func, arith, scf, memref
// and linalg, plus these ops. An array is a memref whose data lives where it was
// last used.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_HOST_OPS_TD
#define TILE_HOST_OPS_TD

include "TileKinds.td"

def TileHost_Dialect : Dialect {
  let name = "tile_host";
  let cppNamespace = "::tile";
  let summary = "Host programs: they make arrays, launch kernels and check results.";
  let description = [{
    For whoever runs kernels from a file: a program is a `func.func` beside them, in `func`, `arith`,
    `scf`, `memref` and `linalg`, and these ops. An array is a `memref` whose data lives where it
    was last used, on the GPU or on the host. Inside a `tile.func` the ops are refused.

    `%n: i32 {tile_host.default = 512 : i32}` is what an argument of `@main` is when the command
    line leaves it out.
  }];
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

def Tile_Array : MemRefOf<[Tile_Number]>;
/// Refused inside a kernel.
def Tile_HostOnly : NativeOpTrait<"HostOnly"> { let cppNamespace = "::tile"; }
class TileHost_Op<string mnemonic, list<Trait> traits>
    : Tile_AnyOp<TileHost_Dialect, mnemonic, !listconcat([Tile_HostOnly], traits)>;
def Tile_Extent : AnyTypeOf<[Index, I32, I64], "extent">;

def Tile_LaunchOp : TileHost_Op<"launch", [MemoryEffects<[MemRead, MemWrite]>,
                                           AttrSizedOperandSegments,
                                           DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs a kernel over its grid; arrays are passed as pointers.";
  let description = [{
    `tile_host.launch @softmax(%y, %x, %n) meta {N = %columns, num_warps = 8} : memref<?xf32>, memref<?xf32>, i32`
    binds meta-parameters, or num_warps, num_stages, num_ctas, num_parts, num_splits, num_last_splits, num_teams, num_at_once and maxnreg, for this launch: to numbers, or
    to what the host program computes, of which each new value compiles the kernel anew. What the launch
    does not bind is tuned, or has the kernel's default. The command line's `-D` goes before it.

    `tile_host.launch @add(%x, %n) grid(%programs) : memref<?xf32>, i32` says how many programs there
    are, along up to three dimensions, as a kernel without a `tile.grid` wants it, and before what a
    kernel with one says.
  }];
  // Where `numbers` has the least i64, the next of `values` stands.
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyType>:$inputs,
                       Variadic<I32>:$grid, Variadic<I32>:$values, OptionalAttr<StrArrayAttr>:$names,
                       OptionalAttr<DenseI64ArrayAttr>:$numbers);
  let assemblyFormat = [{
    $kernel `(` $inputs `)` (`grid` `(` $grid^ `)`)? (`meta` custom<Bindings>($names, $numbers, $values)^)? attr-dict
    `` custom<KnownTypes>(ref($inputs), type($inputs))
  }];
  let hasVerifier = 1;
}

def Tile_AllocOp : TileHost_Op<"alloc", []> {
  let summary = "An array of zeros; lives until the program ends.";
  let description = [{`%c = tile_host.alloc(%m, %n) : (i32, i32) -> memref<?x?xf32>`}];
  let arguments = (ins Variadic<Tile_Extent>:$extents);
  let results = (outs Res<Tile_Array, "", [MemAlloc]>:$result);
  let assemblyFormat = "`(` $extents `)` attr-dict custom<ArrayTypes>(ref($extents), type($extents), type($result))";
  let hasVerifier = 1;
}

def Tile_RandomOp : TileHost_Op<"random", []> {
  let summary = "An array of random numbers, the same for the same seed everywhere.";
  let description = [{
    Floating point: uniform in [-1, 1). Integers: uniform over small values
    (-8 .. 7 for widths above 8 bits, all values for i8, 0 and 1 for i1).
    `%a = tile_host.random(%m, %k) seed 1 : (i32, i32) -> memref<?x?xf16>`
  }];
  let arguments = (ins Variadic<Tile_Extent>:$extents, I64Attr:$seed);
  let results = (outs Res<Tile_Array, "", [MemAlloc]>:$result);
  let assemblyFormat =
      "`(` $extents `)` `seed` $seed attr-dict custom<ArrayTypes>(ref($extents), type($extents), type($result))";
  let hasVerifier = 1;
}

def Tile_ReadOp : TileHost_Op<"read", [MemoryEffects<[MemAlloc]>]> {
  let summary = "An array from a .npy file, or a picture from a .ppm or .pgm file.";
  let description = [{
    A .ppm gives `memref<3x?x?xi8>`, a plane for each colour; a .pgm `memref<?x?xi8>`.
  }];
  let arguments = (ins StrAttr:$path);
  let results = (outs Tile_Array:$result);
  let assemblyFormat = "$path attr-dict `:` type($result)";
}

def Tile_WriteOp : TileHost_Op<"write", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Writes an array to a .npy file, or a picture to a .ppm or .pgm file.";
  let arguments = (ins Tile_Array:$array, StrAttr:$path);
  let assemblyFormat = "$array `,` $path attr-dict custom<KnownType>(ref($array), type($array))";
}

def Tile_ExpectCloseOp : TileHost_Op<"expect_close", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Fails the run where |got - want| > atol + rtol * |want|; says where it is worst.";
  let arguments = (ins Tile_Array:$got, Tile_Array:$want,
                       DefaultValuedAttr<F64Attr, "0.0">:$atol,
                       DefaultValuedAttr<F64Attr, "0.0">:$rtol);
  let assemblyFormat = "$got `,` $want attr-dict custom<KnownPair>(ref($got), ref($want), type($got), type($want))";
  let hasVerifier = 1;
}

def Tile_MultiprocessorsOp : TileHost_Op<"multiprocessors", [Pure]> {
  let summary = "How many multiprocessors the GPU has, or threads run programs on the CPU.";
  let description = [{
    A kernel whose programs stay, and stride over the work, takes a few programs for each:
    `%count = tile_host.multiprocessors`.
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_DumpOp : TileHost_Op<"dump", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Prints an array, shortened in the middle.";
  let arguments = (ins Tile_Array:$array);
  let assemblyFormat = "$array attr-dict custom<KnownType>(ref($array), type($array))";
}

#endif
