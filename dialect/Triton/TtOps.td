//===- TtOps.td - the ops of TTIR -------------------------------------===//
#ifndef TILE_TRITON_TT_OPS_TD
#define TILE_TRITON_TT_OPS_TD

include "Triton/TritonDialect.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

class Tt_Op<string mnemonic, list<Trait> traits = []> : Op<Tt_Dialect, mnemonic, traits>;

class Tt_Same<string a, string b>
    : TypesMatchWith<"'" # a # "' and '" # b # "' have one type", a, b, "$_self">;
class Tt_PointeeOf<string ptr, string value>
    : TypesMatchWith<"type of '" # value # "' is what '" # ptr # "' points at", ptr, value,
                     "::tile::tt::pointeeType($_self)">;
class Tt_OtherOf<string ptr, string other>
    : OptionalTypesMatchWith<"type of '" # other # "' is what '" # ptr # "' points at", ptr, other,
                             "::tile::tt::pointeeType($_self)">;
class Tt_MaskOf<string ptr, string mask>
    : OptionalTypesMatchWith<"type of '" # mask # "' is i1 of the shape of '" # ptr # "'", ptr,
                             mask, "::tile::tt::maskType($_self)">;

/// One operand and one result, of types that are both written.
class Tt_Unary<string mnemonic> : Tt_Op<mnemonic, [Pure]> {
  let arguments = (ins AnyType:$src);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}
/// Two operands and a result of one type.
class Tt_Binary<string mnemonic>
    : Tt_Op<mnemonic, [Pure, Tt_Same<"x", "y">, Tt_Same<"x", "result">]> {
  let arguments = (ins AnyType:$x, AnyType:$y);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}
/// Ends a region that yields something.
class Tt_Yield<string mnemonic, string parent>
    : Tt_Op<mnemonic, [Terminator, ReturnLike, Pure, HasParent<parent>]> {
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

//===- structure ----------------------------------------------------------===//

def Tt_FuncOp : Tt_Op<"func", [FunctionOpInterface, IsolatedFromAbove, AffineScope]> {
  let summary = "A kernel (public) or a helper (private).";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::mlir::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::mlir::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def Tt_ReturnOp : Tt_Op<"return", [Terminator, ReturnLike, Pure, HasParent<"FuncOp">]> {
  let summary = "Ends a function.";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Tt_CallOp : Tt_Op<"call"> {
  let summary = "Calls a helper.";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = "$callee `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)";
}

//===- indices and shapes -------------------------------------------------===//

class Tt_GridIndex<string mnemonic> : Tt_Op<mnemonic, [Pure]> {
  let arguments = (ins StrAttr:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "custom<Word>($axis) attr-dict `:` type($result)";
}
def Tt_GetProgramIdOp : Tt_GridIndex<"get_program_id">;
def Tt_GetNumProgramsOp : Tt_GridIndex<"get_num_programs">;

def Tt_MakeRangeOp : Tt_Op<"make_range", [Pure]> {
  let summary = "start, start + 1, .. end - 1.";
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Tt_SplatOp : Tt_Unary<"splat">;
def Tt_BroadcastOp : Tt_Unary<"broadcast">;
def Tt_ExpandDimsOp : Tt_Unary<"expand_dims">;
def Tt_TransOp : Tt_Unary<"trans">;

def Tt_UnsplatOp : Tt_Op<"unsplat", [Pure]> {
  let summary = "The one element of a tile of one element.";
  let arguments = (ins AnyType:$src);
  let results = (outs AnyType:$result);
  let hasCustomAssemblyFormat = 1;
}

def Tt_ReshapeOp : Tt_Op<"reshape", [Pure]> {
  let arguments = (ins AnyType:$src, UnitAttr:$allow_reorder, UnitAttr:$efficient_layout);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $src (`allow_reorder` $allow_reorder^)? (`efficient_layout` $efficient_layout^)? attr-dict
    `:` type($src) `->` type($result)
  }];
}

class Tt_Pair<string mnemonic> : Tt_Op<mnemonic, [Pure, Tt_Same<"lhs", "rhs">]> {
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
}
def Tt_JoinOp : Tt_Pair<"join">;
def Tt_CatOp : Tt_Pair<"cat">;

def Tt_SplitOp : Tt_Op<"split", [Pure, Tt_Same<"lhs", "rhs">]> {
  let arguments = (ins AnyType:$src);
  let results = (outs AnyType:$lhs, AnyType:$rhs);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($lhs)";
}

def Tt_GatherOp : Tt_Op<"gather", [Pure]> {
  let arguments = (ins AnyType:$src, AnyType:$indices, I32Attr:$axis);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)";
}

//===- conversions --------------------------------------------------------===//

def Tt_BitcastOp : Tt_Unary<"bitcast">;
def Tt_IntToPtrOp : Tt_Unary<"int_to_ptr">;
def Tt_PtrToIntOp : Tt_Unary<"ptr_to_int">;

def Tt_FpToFpOp : Tt_Op<"fp_to_fp", [Pure]> {
  let arguments = (ins AnyType:$src, OptionalAttr<StrAttr>:$rounding);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $src attr-dict (`,` `rounding` `=` custom<Word>($rounding)^)? `:` type($src) `->` type($result)
  }];
}

//===- memory -------------------------------------------------------------===//

def Tt_AddPtrOp : Tt_Op<"addptr", [Pure, Tt_Same<"ptr", "result">]> {
  let arguments = (ins AnyType:$ptr, AnyType:$offset);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset)";
}

def Tt_LoadOp : Tt_Op<"load", [MemoryEffects<[MemRead]>, AttrSizedOperandSegments,
    Tt_PointeeOf<"ptr", "result">, Tt_MaskOf<"ptr", "mask">, Tt_OtherOf<"ptr", "other">]> {
  let arguments = (ins AnyType:$ptr, Optional<AnyType>:$mask, Optional<AnyType>:$other,
                       OptionalAttr<StrAttr>:$cache, OptionalAttr<StrAttr>:$evict);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)?
    oilist(`cacheModifier` `=` custom<Word>($cache) | `evictionPolicy` `=` custom<Word>($evict))
    attr-dict `:` type($ptr)
  }];
}

def Tt_StoreOp : Tt_Op<"store", [MemoryEffects<[MemWrite]>, Tt_PointeeOf<"ptr", "value">,
                                 Tt_MaskOf<"ptr", "mask">]> {
  let arguments = (ins AnyType:$ptr, AnyType:$value, Optional<AnyType>:$mask,
                       OptionalAttr<StrAttr>:$cache, OptionalAttr<StrAttr>:$evict);
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)?
    oilist(`cacheModifier` `=` custom<Word>($cache) | `evictionPolicy` `=` custom<Word>($evict))
    attr-dict `:` type($ptr)
  }];
}

def Tt_AtomicRmwOp : Tt_Op<"atomic_rmw", [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins StrAttr:$kind, StrAttr:$sem, StrAttr:$scope, AnyType:$ptr, AnyType:$value,
                       Optional<AnyType>:$mask);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    custom<Word>($kind) `,` custom<Word>($sem) `,` custom<Word>($scope) `,` $ptr `,` $value
    (`,` $mask^)? attr-dict `:` functional-type(operands, $result)
  }];
}

def Tt_AtomicCasOp : Tt_Op<"atomic_cas", [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins StrAttr:$sem, StrAttr:$scope, AnyType:$ptr, AnyType:$expected,
                       AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    custom<Word>($sem) `,` custom<Word>($scope) `,` $ptr `,` $expected `,` $value attr-dict
    `:` functional-type(operands, $result)
  }];
}

// From Triton 3.9 on. A poll waits until each pointer was seen to hold what is expected; with a timeout,
// in nanoseconds, for so long at most, and tells which were.

def Tt_AtomicLoadOp : Tt_Op<"atomic_load", [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins StrAttr:$sem, StrAttr:$scope, AnyType:$ptr, Optional<AnyType>:$mask);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    custom<Word>($sem) `,` custom<Word>($scope) `,` $ptr (`,` $mask^)? attr-dict
    `:` functional-type(operands, $result)
  }];
}

def Tt_AtomicStoreOp : Tt_Op<"atomic_store", [MemoryEffects<[MemRead, MemWrite]>,
                                              Tt_PointeeOf<"ptr", "value">, Tt_MaskOf<"ptr", "mask">]> {
  let arguments = (ins StrAttr:$sem, StrAttr:$scope, AnyType:$ptr, AnyType:$value,
                       Optional<AnyType>:$mask);
  let assemblyFormat = [{
    custom<Word>($sem) `,` custom<Word>($scope) `,` $ptr `,` $value (`,` $mask^)? attr-dict
    `:` type($ptr)
  }];
}

def Tt_AtomicPollOp : Tt_Op<"atomic_poll", [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins StrAttr:$sem, StrAttr:$scope, AnyType:$ptr, AnyType:$expected,
                       Optional<I64>:$timeout);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    custom<Word>($sem) `,` custom<Word>($scope) `,` $ptr `,` $expected (`timeout` $timeout^)? attr-dict
    `:` type($ptr) `,` type($expected) `->` type($result)
  }];
}

//===- descriptors --------------------------------------------------------===//

def Tt_MakeTensorDescriptorOp : Tt_Op<"make_tensor_descriptor", [Pure, AttrSizedOperandSegments]> {
  let arguments = (ins Tt_PtrType:$base, Variadic<I32>:$shape, Variadic<I64>:$strides);
  let results = (outs Tt_DescType:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:` type($base) `,` type($result)
  }];
}

def Tt_DescriptorLoadOp : Tt_Op<"descriptor_load", [MemoryEffects<[MemRead]>]> {
  let arguments = (ins Tt_DescType:$desc, Variadic<I32>:$indices, OptionalAttr<StrAttr>:$cache,
                       OptionalAttr<StrAttr>:$evict);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]`
    oilist(`cacheModifier` `=` custom<Word>($cache) | `evictionPolicy` `=` custom<Word>($evict))
    attr-dict `:` qualified(type($desc)) `->` type($result)
  }];
}

def Tt_DescriptorStoreOp : Tt_Op<"descriptor_store", [MemoryEffects<[MemWrite]>]> {
  let arguments = (ins Tt_DescType:$desc, AnyType:$src, Variadic<I32>:$indices);
  let assemblyFormat = [{
    $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)
  }];
}

def Tt_DescriptorReduceOp : Tt_Op<"descriptor_reduce", [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins StrAttr:$kind, Tt_DescType:$desc, AnyType:$src, Variadic<I32>:$indices);
  let assemblyFormat = [{
    custom<Word>($kind) `,` $desc `[` $indices `]` `,` $src attr-dict
    `:` qualified(type($desc)) `,` type($src)
  }];
}

def Tt_DescriptorGatherOp : Tt_Op<"descriptor_gather", [MemoryEffects<[MemRead]>]> {
  let arguments = (ins Tt_DescType:$desc, AnyType:$rows, I32:$column);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $desc `[` $rows `,` $column `]` attr-dict `:` functional-type(operands, results)
  }];
}

def Tt_DescriptorScatterOp : Tt_Op<"descriptor_scatter", [MemoryEffects<[MemWrite]>]> {
  let arguments = (ins Tt_DescType:$desc, AnyType:$rows, I32:$column, AnyType:$src);
  let assemblyFormat = "$desc `[` $rows `,` $column `]` `,` $src attr-dict `:` type(operands)";
}

//===- computation --------------------------------------------------------===//

def Tt_ClampFOp : Tt_Op<"clampf", [Pure, Tt_Same<"x", "min">, Tt_Same<"x", "max">,
                                   Tt_Same<"x", "result">]> {
  let arguments = (ins AnyType:$x, AnyType:$min, AnyType:$max, StrAttr:$propagateNan);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $x `,` $min `,` $max `,` `propagateNan` `=` custom<Word>($propagateNan) attr-dict `:` type($x)
  }];
}

def Tt_PreciseSqrtOp : Tt_Op<"precise_sqrt", [Pure, Tt_Same<"x", "result">]> {
  let arguments = (ins AnyType:$x);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}
def Tt_PreciseDivFOp : Tt_Binary<"precise_divf">;
def Tt_ApproxDivFOp : Tt_Binary<"approx_divf">;
def Tt_MulhiUIOp : Tt_Binary<"mulhiui">;

def Tt_DotOp : Tt_Op<"dot", [Pure, Tt_Same<"d", "c">]> {
  let arguments = (ins AnyType:$a, AnyType:$b, AnyType:$c, OptionalAttr<StrAttr>:$inputPrecision);
  let results = (outs AnyType:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` custom<Word>($inputPrecision)^)? attr-dict
    `:` type($a) `*` type($b) `->` type($d)
  }];
}

def Tt_DotScaledOp : Tt_Op<"dot_scaled", [Pure, AttrSizedOperandSegments, Tt_Same<"d", "c">]> {
  let arguments = (ins AnyType:$a, AnyType:$b, AnyType:$c, Optional<AnyType>:$a_scale,
                       Optional<AnyType>:$b_scale, StrAttr:$lhs, StrAttr:$rhs);
  let results = (outs AnyType:$d);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c `lhs` `=` custom<Word>($lhs)
    `rhs` `=` custom<Word>($rhs) attr-dict
    `:` type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->` type($d)
  }];
}

class Tt_Combine<string mnemonic, dag more> : Tt_Op<mnemonic, [SingleBlock, RecursiveMemoryEffects]> {
  let arguments = !con((ins Variadic<AnyType>:$srcs, I32Attr:$axis), more);
  let results = (outs Variadic<AnyType>:$result);
  let regions = (region SizedRegion<1>:$body);
}
def Tt_ReduceOp : Tt_Combine<"reduce", (ins)>;
def Tt_ReduceReturnOp : Tt_Yield<"reduce.return", "ReduceOp">;
def Tt_ScanOp : Tt_Combine<"scan", (ins BoolAttr:$reverse)>;
def Tt_ScanReturnOp : Tt_Yield<"scan.return", "ScanOp">;

def Tt_MapElementwiseOp : Tt_Op<"map_elementwise", [RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<AnyType>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<AnyType>:$result);
  let regions = (region AnyRegion:$body);
}
def Tt_MapElementwiseReturnOp : Tt_Yield<"map_elementwise.return", "MapElementwiseOp">;

def Tt_ExternElementwiseOp : Tt_Op<"extern_elementwise",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "A function of libdevice, on each element.";
  let arguments = (ins Variadic<AnyType>:$srcs, StrAttr:$libname, StrAttr:$libpath, StrAttr:$symbol,
                       BoolAttr:$pure);
  let results = (outs AnyType:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
}

def Tt_ElementwiseInlineAsmOp : Tt_Op<"elementwise_inline_asm",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "PTX, on so many packed elements at a time.";
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure,
                       I32Attr:$packed_element, Variadic<AnyType>:$args);
  let results = (outs Variadic<AnyType>:$result);
  let assemblyFormat = "$asm_string attr-dict ($args^ `:` type($args))? `->` type($result)";
}

def Tt_HistogramOp : Tt_Op<"histogram", [Pure, Tt_MaskOf<"src", "mask">]> {
  let arguments = (ins AnyType:$src, Optional<AnyType>:$mask);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)";
}

//===- debugging and order ------------------------------------------------===//

def Tt_PrintOp : Tt_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let arguments = (ins StrAttr:$prefix, Variadic<AnyType>:$args);
  let assemblyFormat = "$prefix attr-dict (`:` $args^ `:` type($args))?";
}

def Tt_AssertOp : Tt_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let arguments = (ins AnyType:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

class Tt_GridDependency<string mnemonic>
    : Tt_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let assemblyFormat = "attr-dict";
}
def Tt_GridDependencyWaitOp : Tt_GridDependency<"grid_dependency_wait">;
def Tt_GridDependencyLaunchOp : Tt_GridDependency<"grid_dependency_launch_dependents">;

#endif
