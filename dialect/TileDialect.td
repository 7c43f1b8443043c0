//===- TileDialect.td - tile, its types, attributes and enumerations -------===//
#ifndef TILE_DIALECT_TD
#define TILE_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/TensorEncoding.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tile";
  let summary = "Tile-level kernels: a program works on whole tiles, never on threads.";
  let description = [{
    One *program* is one block of a launch grid. Its values are whole tiles,
    builtin `tensor` types; element-wise work and control flow are upstream
    (`arith`, `math`, `scf`). The dialect adds what upstream has no word for:
    program ids, pointer tiles, masked loads and stores, dot, reductions. It is all
    that a kernel is written in; host programs that launch kernels are written in
    `tile_host`, and `tile_gpu` is what the compiler makes on the way to a GPU.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tile::TileGpuDialect"];
  let extraClassDeclaration = [{
    /// Tells of ops that are in one of the other two dialects.
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef name) const override;
  }];
}

//===- types --------------------------------------------------------------===//

class Tile_Type<string name, string typeMnemonic> : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tile_PtrType : Tile_Type<"Ptr", "ptr"> {
  let summary = "A 64-bit pointer into global memory.";
  let parameters = (ins "::mlir::Type":$pointee);
  let assemblyFormat = "`<` $pointee `>`";
  let genVerifyDecl = 1;
}

def Tile_DescType : Tile_Type<"Desc", "desc"> {
  let summary = "A tensor descriptor: base, shape, strides, and the box one access moves.";
  let description = [{
    `!tile.desc<128x64xf16>` moves a tile of 128 x 64; the extents may be
    meta-parameters: `!tile.desc<?x?xf16, #tile.dims<[BM, BK]>>`.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$box);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_VarType : Tile_Type<"Var", "any"> {
  let summary = "The element type that a helper leaves open, under a name of its own.";
  let description = [{
    `tile.func private @twice(%x: tensor<?x!tile.any<T>, #tile.dims<[N]>>)` is called with tiles of
    any numbers: each call chooses T by its types. The parser makes a copy of the helper for each,
    so that no pass meets the type.
  }];
  let parameters = (ins "::mlir::StringAttr":$name);
  let assemblyFormat = "`<` custom<VarName>($name) `>`";
}

//===- attributes ---------------------------------------------------------===//

class Tile_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Tile_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Tile_DimsAttr : Tile_Attr<"Dims", "dims",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "What the `?` extents of a tile are, in order: names of meta-parameters, or affine expressions of them.";
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$names);
  let assemblyFormat = "`<` `[` custom<DimNames>($names) `]` `>`";
  let genVerifyDecl = 1;
}

//===- enumerations -------------------------------------------------------===//

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}
class Tile_EnumAttr<Tile_Enum e, string mnemonic> : EnumAttr<Tile_Dialect, e, mnemonic>;

def Tile_Axis : Tile_Enum<"Axis", "a dimension of the launch grid", [
  I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">, I32EnumAttrCase<"Z", 2, "z">]>;
def Tile_AxisAttr : Tile_EnumAttr<Tile_Axis, "axis">;

def Tile_RmwKind : Tile_Enum<"RmwKind", "what an atomic read-modify-write computes", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"FAdd", 1, "fadd">,
  I32EnumAttrCase<"And", 2, "and">, I32EnumAttrCase<"Or", 3, "or">,
  I32EnumAttrCase<"Xor", 4, "xor">, I32EnumAttrCase<"Min", 5, "min">,
  I32EnumAttrCase<"Max", 6, "max">, I32EnumAttrCase<"UMin", 7, "umin">,
  I32EnumAttrCase<"UMax", 8, "umax">, I32EnumAttrCase<"Xchg", 9, "xchg">,
  I32EnumAttrCase<"FMin", 10, "fmin">, I32EnumAttrCase<"FMax", 11, "fmax">]>;
def Tile_RmwKindAttr : Tile_EnumAttr<Tile_RmwKind, "rmw_kind">;

def Tile_Order : Tile_Enum<"Order", "memory order of an atomic", [
  I32EnumAttrCase<"Relaxed", 0, "relaxed">, I32EnumAttrCase<"Acquire", 1, "acquire">,
  I32EnumAttrCase<"Release", 2, "release">, I32EnumAttrCase<"AcqRel", 3, "acq_rel">]>;
def Tile_OrderAttr : Tile_EnumAttr<Tile_Order, "order">;

def Tile_Scope : Tile_Enum<"Scope", "who sees an atomic", [
  I32EnumAttrCase<"Cta", 0, "cta">, I32EnumAttrCase<"Gpu", 1, "gpu">,
  I32EnumAttrCase<"Sys", 2, "sys">]>;
def Tile_ScopeAttr : Tile_EnumAttr<Tile_Scope, "scope">;

def Tile_CacheUse : Tile_Enum<"CacheUse", "how an access uses the caches", [
  I32EnumAttrCase<"CA", 0, "ca">, I32EnumAttrCase<"CG", 1, "cg">, I32EnumAttrCase<"CS", 2, "cs">,
  I32EnumAttrCase<"CV", 3, "cv">, I32EnumAttrCase<"WB", 4, "wb">, I32EnumAttrCase<"WT", 5, "wt">]>;
def Tile_CacheUseAttr : Tile_EnumAttr<Tile_CacheUse, "cache">;

def Tile_Evict : Tile_Enum<"Evict", "when caches give up what an access touched", [
  I32EnumAttrCase<"First", 0, "first">, I32EnumAttrCase<"Last", 1, "last">]>;
def Tile_EvictAttr : Tile_EnumAttr<Tile_Evict, "evict">;

def Tile_Precision : Tile_Enum<"Precision", "how an f32 dot may round its operands", [
  I32EnumAttrCase<"Ieee", 0, "ieee">, I32EnumAttrCase<"Tf32", 1, "tf32">,
  I32EnumAttrCase<"Tf32x3", 2, "tf32x3">, I32EnumAttrCase<"Bf16x3", 3, "bf16x3">,
  I32EnumAttrCase<"Bf16x6", 4, "bf16x6">]>;
def Tile_PrecisionAttr : Tile_EnumAttr<Tile_Precision, "precision">;

def Tile_Padding : Tile_Enum<"Padding", "what a descriptor reads out of bounds", [
  I32EnumAttrCase<"Zero", 0, "zero">, I32EnumAttrCase<"NaN", 1, "nan">]>;
def Tile_PaddingAttr : Tile_EnumAttr<Tile_Padding, "padding">;

#endif
