//===- TileOps.td - what a program does -----------------------------------===//
//
// What users write in kernels, in the order of docs/dialect.md: structure, indices,
// shape, memory, descriptors, computation, debugging. What the compiler makes of it is
// in Gpu/TileGpuOps.td, what host programs do in Host/TileHostOps.td.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_OPS_TD
#define TILE_OPS_TD

include "TileKinds.td"

//===- structure ----------------------------------------------------------===//

def Tile_FuncOp : Tile_Op<"func", [FunctionOpInterface, IsolatedFromAbove,
                                   AffineScope, AutomaticAllocationScope,
                                   DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A kernel (public) or a helper (private).";
  let description = [{
    ```mlir
    tile.func @add(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32)
        meta {BLOCK = 1024} configs [{BLOCK = 512, num_warps = 4}, ...] { ... }
    ```
    `meta` holds the default of each meta-parameter; `configs` the candidates of
    tuning, each binding meta-parameters or `num_warps`, `num_stages`,
    `num_ctas`, `num_parts`, `num_splits`, `num_last_splits`, `num_teams`, `num_at_once`, `maxnreg`. A private function has no grid and is inlined.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs, OptionalAttr<DictionaryAttr>:$meta,
    OptionalAttr<ArrayAttr>:$configs);
  let regions = (region MinSizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::mlir::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def Tile_ReturnOp : Tile_Op<"return", [Pure, Terminator, ReturnLike, HasParent<"FuncOp">]> {
  let summary = "Ends a kernel, or gives a helper's results.";
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "($results^ `` custom<KnownTypes>(ref($results), type($results)))? attr-dict";
  let hasVerifier = 1;
}

def Tile_CallOp : Tile_Op<"call", [CallOpInterface,
                                   DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls a helper; inlined before anything else happens.";
  let description = [{
    `%r = tile.call @helper(%a, %b) : (i32, tensor<8xf32>) -> tensor<8xf32>`. Only
    private functions are called, and none calls itself, not even through others.
    The extents that a helper's signature names are its own: each call chooses them
    by its types, a number or a name of the caller's for each (tile-instantiate).
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$inputs,
    OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat =
      
      "$callee `(` $inputs `)` attr-dict custom<CallTypes>(ref($inputs), type($inputs), type($outputs))";
  let extraClassDeclaration = [{
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(
          ::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
    ::mlir::Operation::operand_range getArgOperands() { return getInputs(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getInputsMutable(); }
  }];
}

class Tile_IsolatedHostRegionOp<string mnemonic> : Tile_Op<mnemonic,
    [SingleBlock, IsolatedFromAbove, HasParent<"FuncOp">, MemoryEffects<[MemWrite<Tile_Launch>]>]> {
  let arguments = (ins Variadic<AnyType>:$captures);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_GridOp : Tile_IsolatedHostRegionOp<"grid"> {
  let summary = "How many programs a launch has; evaluated on the host.";
  let description = [{
    `tile.grid(%n : i32) { ... tile.yield %x, %y : i32, i32 }` yields one to three
    i32. Isolated, so that nothing of the body is shared into it; the kernel's
    arguments it needs are captured by name. `tile.grid = %m ceildiv BM, %heads` is
    the same of formulas (tile.expr).
  }];
}

def Tile_CostOp : Tile_IsolatedHostRegionOp<"cost"> {
  let summary = "What one launch computes and moves: yields operations and bytes, both i64.";
  let description = [{
    `tile.cost = 2 * %m * %n * %k, 2 * (%m * %k + %k * %n + %m * %n)`: in a formula all
    integers are i64.
  }];
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["GridOp", "CostOp", "ReduceOp", "ScanOp"]>]> {
  let summary = "Ends the region of a grid, cost, reduce or scan.";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `` custom<KnownTypes>(ref($values), type($values)))? attr-dict";
}

def Tile_MetaOp : Tile_Op<"meta", [Pure]> {
  let summary = "The value of a meta-parameter: a constant once tile-specialize has run.";
  let arguments = (ins StrAttr:$name);
  let results = (outs AnyTypeOf<[AnySignlessInteger, Index]>:$result);
  let assemblyFormat = "custom<Keyword>($name) attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===- what stands in text alone ------------------------------------------===//

def Tile_ExprOp : Tile_Op<"expr", [NoMemoryEffect]> {
  let summary = "Arithmetic on scalars and tiles, as a formula.";
  let description = [{
    `%offs = tile.expr %pid * BLOCK + arange(BLOCK)`, `%in = tile.expr %offs < %n`,
    `%zeros = tile.expr 0.0 : tensor<64x64xf32>`. Scalars and extents of 1 are repeated to the
    shape of the operand beside them; numbers and meta-parameters take its type. The type of the
    result follows, or is written, and is then what the result is repeated to.

    An expression is text: tile's parser makes ops of arith and tile of it (docs/dialect.md has
    the operators and functions), so that no pass meets one.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, AnyAttr:$tree);
  let results = (outs AnyType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_IncludeOp : Tile_Op<"include"> {
  let summary = "Brings the helpers and kernels of another file.";
  let description = [{
    `tile.include "tile/blocks.mlir"` is looked for beside the file that has it, then where tile is
    installed. The parser puts the functions in its place, those of each file once.
  }];
  let arguments = (ins StrAttr:$path);
  let assemblyFormat = "$path attr-dict";
  let hasVerifier = 1;
}

//===- indices ------------------------------------------------------------===//

def Tile_ProgramIdOp : Tile_GridIndexOp<"program_id"> {
  let summary = "This program's position in the grid along x, y or z.";
}
def Tile_NumProgramsOp : Tile_GridIndexOp<"num_programs"> {
  let summary = "The grid's extent along x, y or z.";
}

def Tile_ArangeOp : Tile_Op<"arange", [Pure]> {
  let summary = "0, 1, .. N-1 as a tile of one dimension.";
  let results = (outs Tile_TileOf<[I32]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_Swizzle2dOp : Tile_Op<"swizzle2d", [NoMemoryEffect, SameOperandsAndResultType, Elementwise]> {
  let summary = "Regroups a 2-D grid position, so that neighbouring programs share rows.";
  let description = [{
    Walks a `size_i` x `size_j` grid in groups of `group` rows, column by column
    inside a group; the last group may be smaller.
    `%i2, %j2 = tile.swizzle2d %i, %j, %size_i, %size_j, %group : i32`
  }];
  let arguments = (ins Tile_I32s:$i, Tile_I32s:$j, Tile_I32s:$size_i, Tile_I32s:$size_j,
                       Tile_I32s:$group);
  let results = (outs Tile_I32s:$new_i, Tile_I32s:$new_j);
  let assemblyFormat = [{
    $i `,` $j `,` $size_i `,` $size_j `,` $group attr-dict
    custom<SwizzleTypes>(ref($i), ref($j), ref($size_i), ref($size_j), ref($group), type($i), type($j),
                         type($size_i), type($size_j), type($group), type($new_i), type($new_j))
  }];
}

//===- shape --------------------------------------------------------------===//

def Tile_SplatOp : Tile_Op<"splat", [Pure, Tile_IsView,
    TypesMatchWith<"type of 'value' is the result's element type", "result", "value",
                   "::mlir::getElementTypeOrSelf($_self)">]> {
  let summary = "A tile with one value everywhere.";
  let arguments = (ins Tile_Element:$value);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$value attr-dict custom<SourceTypes>(ref($value), type($value), type($result))";
  let hasFolder = 1;
}

def Tile_ExpandDimsOp : Tile_ShapeOp<"expand_dims",
    [Tile_MovesElements, Tile_IsView, DeclareOpInterfaceMethods<InferTypeOpInterface>]>, Tile_AnyLayout {
  let summary = "Inserts a dimension of extent 1 at `axis`.";
  let arguments = (ins Tile_Tile:$source, I32Attr:$axis);
  let assemblyFormat = [{
    $source `axis` $axis attr-dict custom<ExpandTypes>(ref($source), ref($axis), type($source), type($result))
  }];
}

def Tile_BroadcastOp : Tile_ShapeOp<"broadcast", [Tile_IsView]> {
  let summary = "Repeats a tile along its dimensions of extent 1.";
}

def Tile_ReshapeOp : Tile_ShapeOp<"reshape", [Tile_MovesElements]> {
  let summary = "The same elements in row-major order under another shape.";
}

def Tile_TransOp : Tile_ShapeOp<"trans",
    [Tile_MovesElements, Tile_IsView, DeclareOpInterfaceMethods<InferTypeOpInterface>]>, Tile_AnyLayout {
  let summary = "Permutes dimensions: result dimension i is source dimension order[i].";
  let arguments = (ins Tile_Tile:$source, DenseI32ArrayAttr:$order);
  let assemblyFormat = [{
    $source `order` $order attr-dict custom<TransTypes>(ref($source), ref($order), type($source), type($result))
  }];
}

def Tile_JoinOp : Tile_Op<"join", [Pure, SameTypeOperands,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]>, Tile_AnyLayout {
  let summary = "Two tiles as one with a new last dimension of extent 2.";
  let arguments = (ins Tile_Tile:$lhs, Tile_Tile:$rhs);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict custom<JoinTypes>(ref($lhs), type($lhs), type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_SplitOp : Tile_Op<"split", [Pure, AllTypesMatch<["lhs", "rhs"]>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]>, Tile_AnyLayout {
  let summary = "Undoes join: the two halves of a last dimension of extent 2.";
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$lhs, Tile_Tile:$rhs);
  let assemblyFormat = "$source attr-dict custom<SplitTypes>(ref($source), type($source), type($lhs))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_SliceOp : Tile_ShapeOp<"slice"> {
  let summary = "A part of a tile: result[i, j] = source[offset_0 + i, offset_1 + j].";
  let description = [{
    `%right = tile.slice %x[0, 32] : tensor<16x64xf16> -> tensor<16x32xf16>`. Offsets are numbers, or
    arithmetic on meta-parameters as in `#tile.dims`: `%x[0, D floordiv 2]`. Extents are any that
    tiles have; halves, quarters and so on move nothing between threads that hold them anyway.
  }];
  let arguments = (ins Tile_Tile:$source, ArrayAttr:$offsets);
  let assemblyFormat = [{
    $source `` custom<SliceOffsets>($offsets) attr-dict custom<SourceTypes>(ref($source), type($source), type($result))
  }];
}

def Tile_CatOp : Tile_Op<"cat", [Pure]> {
  let summary = "Two tiles one after the other along an axis.";
  let arguments = (ins Tile_Tile:$lhs, Tile_Tile:$rhs, I32Attr:$axis);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `axis` $axis attr-dict
    custom<CatTypes>(ref($lhs), ref($rhs), ref($axis), type($lhs), type($rhs), type($result))
  }];
  let hasVerifier = 1;
}

def Tile_GatherOp : Tile_Op<"gather", [NoMemoryEffect]> {
  let summary = "Picks along an axis: result[.., i, ..] = source[.., indices[.., i, ..], ..].";
  let arguments = (ins Tile_Tile:$source, Tile_TileOf<[I32, I64]>:$indices, I32Attr:$axis);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `,` $indices `axis` $axis attr-dict
    custom<GatherTypes>(ref($source), ref($indices), type($source), type($indices), type($result))
  }];
  let hasVerifier = 1;
}

//===- memory -------------------------------------------------------------===//

def Tile_AddPtrOp : Tile_Op<"addptr", [Pure, Tile_Elementwise,
                                       AllTypesMatch<["ptr", "result"]>]> {
  let summary = "Moves pointers by offsets counted in elements, in 64 bits.";
  let arguments = (ins Tile_Pointers:$ptr, Tile_Offsets:$offset);
  let results = (outs Tile_Pointers:$result);
  let assemblyFormat = [{
    $ptr `,` $offset attr-dict custom<AddressTypes>(ref($ptr), ref($offset), type($ptr), type($offset), type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_PtrCastOp : Tile_Op<"ptr_cast", [Pure, Tile_Elementwise]> {
  let summary = "Pointers as pointers to something else, as i64 addresses, or made of addresses.";
  let description = [{
    `%b = tile.ptr_cast %a : !tile.ptr<i8> -> !tile.ptr<f32>`: the same address. Pointers made of
    numbers come from no argument, so that `--check` does not know their array.
  }];
  let arguments = (ins Tile_Addresses:$source);
  let results = (outs Tile_Addresses:$result);
  let assemblyFormat = "$source attr-dict custom<SourceTypes>(ref($source), type($source), type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_BarrierOp : Tile_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "What the program wrote before is there for what it reads behind.";
  let description = [{
    On the GPU threads of one program read what others of its threads wrote only behind a barrier.
    On the CPU programs keep to their order anyway. It stands where all threads get, or none: not
    in a region that is evaluated for elements, or on the host.
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_LoadOp : Tile_Op<"load", [
    Tile_IsAccess, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, AttrSizedOperandSegments,
    PointeeOf<"ptr", "result">, MaskOf<"ptr", "mask">,
    OptionalTypesMatchWith<"type of 'other' is what 'ptr' points at", "ptr", "other",
                           "::tile::pointeeType($_self)">]> {
  let summary = "Reads through pointers; masked-out lanes read nothing and yield `other`, or 0.";
  let description = [{
    `%v = tile.load %p, %m cache cg evict first` says how caches are used, in PTX's words: `ca` (all
    levels), `cg` (not L1), `cs` (streaming), `cv` (read again each time: such a load stays where it
    stands); `first` or `last` among what L1 and L2 give up. What copies ask for is not changed by it:
    loads that become boxes or asynchronous copies use no L1. The CPU does nothing with either.
  }];
  let arguments = (ins Tile_Pointers:$ptr, Optional<Tile_Mask>:$mask,
                       Optional<Tile_Value>:$other, OptionalAttr<Tile_CacheUseAttr>:$cache,
                       OptionalAttr<Tile_EvictAttr>:$evict);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = [{
    $ptr (`,` $mask^ (`,` $other^)?)? (`cache` `` $cache^)? (`evict` `` $evict^)? attr-dict
    custom<LoadTypes>(ref($ptr), ref($mask), ref($other), type($ptr), type($mask), type($other), type($result))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_StoreOp : Tile_Op<"store", [
    Tile_IsAccess, MemoryEffects<[MemWrite<Tile_Global>]>, PointeeOf<"ptr", "value">,
                                     MaskOf<"ptr", "mask">]> {
  let summary = "Writes through pointers; masked-out lanes write nothing.";
  let description = [{
    `cache` is `wb` (all levels), `cg` (L2), `cs` (streaming) or `wt` (through L2 to memory), `evict` as
    of tile.load.
  }];
  let arguments = (ins Tile_Pointers:$ptr, Tile_Value:$value, Optional<Tile_Mask>:$mask,
                       OptionalAttr<Tile_CacheUseAttr>:$cache, OptionalAttr<Tile_EvictAttr>:$evict);
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)? (`cache` `` $cache^)? (`evict` `` $evict^)? attr-dict
    custom<StoreTypes>(ref($ptr), ref($value), ref($mask), type($ptr), type($value), type($mask))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_AtomicRmwOp : Tile_Op<"atomic_rmw", [Tile_IsAccess,
    MemoryEffects<[MemRead<Tile_Global>, MemWrite<Tile_Global>]>,
    PointeeOf<"ptr", "value">, MaskOf<"ptr", "mask">, PointeeOf<"ptr", "result">]> {
  let summary = "Atomically replaces what pointers point at; yields the old values.";
  let description = [{
    `%old = tile.atomic_rmw fadd relaxed gpu %p, %v, %mask : tensor<8x!tile.ptr<f32>>`.
    Masked-out lanes touch nothing and yield 0. `fmin` and `fmax`, of f16 and bf16, take what is a
    number where the other is NaN.
  }];
  let arguments = (ins Tile_RmwKindAttr:$kind, Tile_OrderAttr:$order, Tile_ScopeAttr:$scope,
                       Tile_Pointers:$ptr, Tile_Value:$value, Optional<Tile_Mask>:$mask);
  let results = (outs Tile_Value:$result);
  let assemblyFormat =
[{
    `` $kind `` $order `` $scope $ptr `,` $value (`,` $mask^)? attr-dict
    custom<RmwTypes>(ref($ptr), ref($value), ref($mask), type($ptr), type($value), type($mask), type($result))
  }];
  let hasVerifier = 1;
}

def Tile_AtomicCasOp : Tile_Op<"atomic_cas", [Tile_IsAccess,
    MemoryEffects<[MemRead<Tile_Global>, MemWrite<Tile_Global>]>,
    PointeeOf<"ptr", "expected">, PointeeOf<"ptr", "value">, MaskOf<"ptr", "mask">,
    PointeeOf<"ptr", "result">]> {
  let summary = "Atomic compare-and-swap; yields the old values, and 0 where it is masked out.";
  let arguments = (ins Tile_OrderAttr:$order, Tile_ScopeAttr:$scope, Tile_Pointers:$ptr,
                       Tile_Value:$expected, Tile_Value:$value, Optional<Tile_Mask>:$mask);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = [{
    `` $order `` $scope $ptr `,` $expected `,` $value (`,` $mask^)? attr-dict
    custom<CasTypes>(ref($ptr), ref($expected), ref($value), ref($mask), type($ptr), type($expected), type($value),
                     type($mask), type($result))
  }];
  let hasVerifier = 1;
}

//===- descriptors --------------------------------------------------------===//

def Tile_MakeDescOp : Tile_Op<"make_desc", [Pure, AttrSizedOperandSegments]> {
  let summary = "Describes an array in global memory, to be read and written a box at a time.";
  let description = [{
    `%d = tile.make_desc %base, [%m, %k], [%stride_m] : !tile.ptr<f16> -> !tile.desc<128x64xf16>`
    has one i32 extent, not negative, for each dimension, and one i64 stride, in
    elements, for each but the last, which is contiguous. Positions are signed:
    elements before the first are as far out of bounds as those after the last.
  }];
  let arguments = (ins Tile_PtrType:$base, Variadic<I32>:$shape, Variadic<I64>:$strides,
                       DefaultValuedAttr<Tile_PaddingAttr, "::tile::Padding::Zero">:$padding);
  let results = (outs Tile_DescType:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` (`padding` `` $padding^)? attr-dict
    custom<SourceTypes>(ref($base), type($base), type($result))
  }];
  let hasVerifier = 1;
}

def Tile_DescLoadOp : Tile_Op<"desc_load", [MemoryEffects<[MemRead<Tile_Global>]>,
    TypesMatchWith<"type of 'result' is the descriptor's box", "desc", "result",
                   "::tile::boxType($_self)">]> {
  let summary = "Reads the box at a position; elements out of bounds read the padding.";
  let arguments = (ins Tile_DescType:$desc, Variadic<I32>:$indices);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$desc `[` $indices `]` attr-dict custom<KnownType>(ref($desc), type($desc))";
  let hasVerifier = 1;
}

def Tile_DescStoreOp : Tile_Op<"desc_store", [MemoryEffects<[MemWrite<Tile_Global>]>,
    TypesMatchWith<"type of 'value' is the descriptor's box", "desc", "value",
                   "::tile::boxType($_self)">]> {
  let summary = "Writes the box at a position; elements out of bounds are dropped.";
  let description = [{
    So are those beyond `extents`, of a tile that is padded (tile-pad-extents): each from 1 to the
    box's. With `add`, of f32, it adds to what is there, as a relaxed tile.atomic_rmw does.
  }];
  let arguments = (ins Tile_DescType:$desc, Variadic<I32>:$indices, Tile_Tile:$value,
                       OptionalAttr<DenseI64ArrayAttr>:$extents, UnitAttr:$add);
  let assemblyFormat = "$desc `[` $indices `]` `,` $value attr-dict custom<KnownType>(ref($desc), type($desc))";
  let hasVerifier = 1;
}

//===- computation --------------------------------------------------------===//

def Tile_DotOp : Tile_Op<"dot", [AllTypesMatch<["acc", "result"]>,
                                 DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "acc + a * b, as a matrix product of tiles; 2-D, or 3-D with a batch in front.";
  let description = [{
    `%d = tile.dot %a, %b, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>`.
    Accumulates in f32; in i32 for i8, in f64 for f64. The compiler replaces
    operands by shared buffers, which the dot then reads, and sets `instruction`. An `async` dot
    (wgmma) only starts: its result may be carried on, and read after a tile_gpu.dot_wait. `when %c`
    (wgmma) leaves a warp group's part of the result open where that group has %c = false. A buffer of
    B may have fewer columns (wgmma): the others of the result are those of `acc`.
  }];
  let arguments = (ins Tile_BufferOrTile:$a, Tile_BufferOrTile:$b, Tile_Numbers:$acc,
    DefaultValuedAttr<Tile_PrecisionAttr, "::tile::Precision::Ieee">:$precision,
    OptionalAttr<Tile_InstructionAttr>:$instruction, UnitAttr:$async, Optional<I1>:$when);
  let results = (outs Tile_Numbers:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $acc (`precision` `` $precision^)? (`by` `` $instruction^)? (`async` $async^)?
    (`when` $when^)? attr-dict
    custom<DotTypes>(ref($a), ref($b), ref($acc), type($a), type($b), type($acc), type($result))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

class Tile_CombineOp<string mnemonic, list<Trait> traits = []> : Tile_Op<mnemonic,
    !listconcat(traits, [NoMemoryEffect, RecursivelySpeculatable, SingleBlock, IsolatedFromAbove,
     DeclareOpInterfaceMethods<InferTypeOpInterface>])>, Tile_AnyLayout {
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<Tile_Value>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_ReduceOp : Tile_CombineOp<"reduce"> {
  let summary = "Combines the elements along an axis, in any order, by an associative region.";
  let description = [{
    ```mlir
    %sum = tile.reduce add %x axis 1 : tensor<8x64xf32> -> tensor<8xf32>
    %m, %i = tile.reduce %x, %idx axis 0 : tensor<64xf32>, tensor<64xi32> -> f32, i32 {
    ^bb0(%v0: f32, %i0: i32, %v1: f32, %i1: i32):
      ...
      tile.yield %v, %i : f32, i32
    }
    ```
    The named forms are add, mul, max, min (which propagate NaN), maxnum, minnum
    (which do not), umax, umin, and, or, xor; they stand for a region of one op.
  }];
  let arguments = (ins Variadic<Tile_Numbers>:$sources, I32Attr:$axis);
}

def Tile_ScanOp : Tile_CombineOp<"scan", [Tile_KeepsLayout]> {
  let summary = "Inclusive prefix combination along an axis, in order.";
  let description = [{
    Written as reduce is; `reverse` scans from the end:
    `%c = tile.scan add %x axis 0 {reverse} : tensor<64xf32> -> tensor<64xf32>`.
  }];
  let arguments = (ins Variadic<Tile_Numbers>:$sources, I32Attr:$axis, UnitAttr:$reverse);
}

def Tile_HistogramOp : Tile_Op<"histogram", [Pure, MaskOf<"source", "mask">]> {
  let summary = "Counts how often each of 0 .. B-1 occurs; other values are not counted.";
  let arguments = (ins Tile_TileOf<[I32]>:$source, Optional<Tile_TileOf<[I1]>>:$mask);
  let results = (outs Tile_TileOf<[I32]>:$result);
  let assemblyFormat =
      "$source (`,` $mask^)? attr-dict custom<SourceTypes>(ref($source), type($source), type($result))";
  let hasVerifier = 1;
}

def Tile_SortOp : Tile_Op<"sort", [Pure, Tile_KeepsLayout,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Sorts keys along an axis, stably, and moves the other operands with them.";
  let description = [{
    The first operand has the keys. Integers count as signed, i1 as 0 and 1; floats in the order
    -inf .. -0, +0 .. inf, NaNs, which are all equal and of which some NaN comes back. Equal keys keep
    their order.
  }];
  let arguments = (ins Variadic<Tile_Numbers>:$sources, I32Attr:$axis, UnitAttr:$descending);
  let results = (outs Variadic<Tile_Numbers>:$results);
  let assemblyFormat = "$sources `axis` $axis attr-dict `` custom<KnownTypes>(ref($sources), type($sources))";
  let hasVerifier = 1;
}

def Tile_PartialSortOp : Tile_Op<"partial_sort", [Pure]> {
  let summary = "The first elements along an axis of what tile.sort would give.";
  let description = [{
    `%top, %at = tile.partial_sort %x, %i axis 0 {descending} : (tensor<4096xf32>, tensor<4096xi32>) -> (tensor<64xf32>, tensor<64xi32>)`.
    Results have as many elements along the axis as their type says. A tile.sort of which tile.slice
    takes the first is made one (tile-expand-slices).
  }];
  let arguments = (ins Variadic<Tile_Numbers>:$sources, I32Attr:$axis, UnitAttr:$descending);
  let results = (outs Variadic<Tile_Numbers>:$results);
  let assemblyFormat = "$sources `axis` $axis attr-dict `:` functional-type($sources, $results)";
  let hasVerifier = 1;
}

def Tile_RandOp : Tile_Op<"rand", [Pure, Elementwise,
    TypesMatchWith<"type of 'result' is f32 of the offsets' shape", "offset", "result",
                   "::tile::f32Like($_self)">]> {
  let summary = "Uniform f32 in [0, 1): Philox 4x32-10 of a seed and a counter.";
  let description = [{
    `%r = tile.rand %seed, %offsets : i64, tensor<64xi32>`. The counter is (offset, 0,
    0, 0), the key the two words of the seed; the result is the upper 24 bits of the
    first word, times 2^-24. An element depends on seed and offset alone.
  }];
  let arguments = (ins AnyTypeOf<[I32, I64]>:$seed, Tile_I32s:$offset);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$seed `,` $offset attr-dict custom<KnownPair>(ref($seed), ref($offset), type($seed), type($offset))";
}

def Tile_InlinePtxOp : Tile_Op<"inline_ptx",
    [Tile_Elementwise, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "PTX on each element of tiles, or on so many at a time; without branches and accesses it runs on the CPU too.";
  let description = [{
    `%y = tile.inline_ptx "ex2.approx.ftz.f32 $0, $1;" constraints "=f,f" pure (%x) : (tensor<8xf32>) -> tensor<8xf32>`.
    The result is $0, operands follow; constraints are LLVM's of PTX: r, l, f, d and h, of 32, 64, 32
    (float), 64 (double) and 16 bits. With `pack N` a text works on N elements, which of less than 32
    bits share registers: so many as fit. What is not pure may do anything, as often as it stands.

    A pure text of several outputs is an op for each: `of [i32, f32] output 1` is the second of two, and
    $0 and $1 are both there. Ops that differ in that alone become one text again.
  }];
  let arguments = (ins StrAttr:$text, StrAttr:$constraints,
                       DefaultValuedAttr<I32Attr, "1">:$pack, UnitAttr:$pure,
                       OptionalAttr<TypeArrayAttr>:$outputs, DefaultValuedAttr<I32Attr, "0">:$index,
                       Variadic<Tile_Value>:$inputs);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = [{
    $text `constraints` $constraints (`pack` $pack^)? (`pure` $pure^)?
    (`of` $outputs^ `output` $index)? `(` $inputs `)` attr-dict
    `:` functional-type($inputs, $result)
  }];
  let hasVerifier = 1;
}

//===- debugging and hints ------------------------------------------------===//

def Tile_PrintOp : Tile_Op<"print", [MemoryEffects<[MemWrite<Tile_Console>]>, AttrSizedOperandSegments]> {
  let summary = "Prints a text and values, once a program, if a condition holds.";
  let description = [{
    `tile.print "x" %pid, %x if %first : i32, tensor<4xf32>` prints a line for each value, or
    one for the text alone, after the position of the program:

        pid (1, 0, 0) x: 1
        pid (1, 0, 0) x: [0.5   1 1.5   2]

    Rows of a tile of several dimensions go below each other; a tile of more than 1000
    elements is shortened in the middle, as by `tile_host.dump`. What a launch prints
    appears when it has ended, in the order of the programs (x fastest).
  }];
  let arguments = (ins StrAttr:$text, Variadic<Tile_Value>:$values, Optional<I1>:$condition);
  let assemblyFormat = "$text (custom<Printed>($values)^)? (`if` $condition^)? attr-dict `` custom<KnownTypes>(ref($values), type($values))";
  let hasCanonicalizeMethod = 1;
}

def Tile_AssertOp : Tile_Op<"assert",
    [MemoryEffects<[MemWrite<Tile_Console>, MemWrite<Tile_Control>]>]> {
  let summary = "Fails the launch with a text where a condition is false.";
  let description = [{
    The program ends there; the others run on, and the launch fails with the place of
    the op, the first such program and the first element of the tile.

    A `fatal` one ends a GPU's context as CUDA's assert() does: the driver prints text and place, and
    whatever is asked of the context from then on fails. So nobody has to wait for the launch.
  }];
  let arguments = (ins Tile_Mask:$condition, StrAttr:$text, UnitAttr:$fatal);
  let assemblyFormat = "$condition `,` $text (`fatal` $fatal^)? attr-dict custom<KnownType>(ref($condition), type($condition))";
  let hasCanonicalizeMethod = 1;
}

def Tile_AssumeOp : Tile_Op<"assume", [MemoryEffects<[MemWrite<Tile_Control>]>]> {
  let summary = "Promises that a condition holds; analyses may use it.";
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
  let hasCanonicalizeMethod = 1;
}

#endif
