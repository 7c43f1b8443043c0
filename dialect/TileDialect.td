//===- TileDialect.td - the dialect, its types and attributes -------------===//
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
    program ids, pointer tiles, masked loads and stores, dot, reductions, and
    the host-side ops that allocate arrays, launch kernels and check results.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
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

def Tile_BufferType : Tile_Type<"Buffer", "buffer"> {
  let summary = "A block of shared memory (made by the compiler, never by users).";
  let description = [{
    `!tile.buffer<128x64xf16, swizzle = 128>`: rows of `swizzle` bytes, the
    16-byte chunk index xored with row bits as TMA and wgmma do it (see
    docs/layouts.md). `order` lists the dimensions, fastest first, when the last
    dimension is not the fastest: `!tile.buffer<64x128xf16, order = [0, 1]>`.
    `stages` > 1 makes a ring of so many blocks.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "int64_t":$swizzle, ArrayRefParameter<"int64_t">:$order,
                        "int64_t":$stages);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===- attributes ---------------------------------------------------------===//

class Tile_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Tile_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Tile_DimsAttr : Tile_Attr<"Dims", "dims",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "Names, in order, of the `?` extents of a tile: meta-parameters.";
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$names);
  let assemblyFormat = "`<` `[` custom<DimNames>($names) `]` `>`";
  let genVerifyDecl = 1;
}

def Tile_LayoutAttr : Tile_Attr<"Layout", "layout",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "Who holds which element of a tile: a linear layout over F2.";
  let description = [{
    For each bit of register, lane, warp (and block) index, the coordinate that
    this bit alone selects (docs/layouts.md). The accumulator of an mma.sync:

        #tile.layout<register = [[0, 1], [8, 0], [0, 8]],
                     lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>

    Stored flat: basis i of an input is the `rank` numbers from `i * rank` on.
  }];
  let parameters = (ins "int64_t":$rank, ArrayRefParameter<"int64_t">:$registers,
                        ArrayRefParameter<"int64_t">:$lanes,
                        ArrayRefParameter<"int64_t">:$warps,
                        ArrayRefParameter<"int64_t">:$blocks);
  let hasCustomAssemblyFormat = 1;
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
  I32EnumAttrCase<"UMax", 8, "umax">, I32EnumAttrCase<"Xchg", 9, "xchg">]>;
def Tile_RmwKindAttr : Tile_EnumAttr<Tile_RmwKind, "rmw_kind">;

def Tile_Order : Tile_Enum<"Order", "memory order of an atomic", [
  I32EnumAttrCase<"Relaxed", 0, "relaxed">, I32EnumAttrCase<"Acquire", 1, "acquire">,
  I32EnumAttrCase<"Release", 2, "release">, I32EnumAttrCase<"AcqRel", 3, "acq_rel">]>;
def Tile_OrderAttr : Tile_EnumAttr<Tile_Order, "order">;

def Tile_Scope : Tile_Enum<"Scope", "who sees an atomic", [
  I32EnumAttrCase<"Cta", 0, "cta">, I32EnumAttrCase<"Gpu", 1, "gpu">,
  I32EnumAttrCase<"Sys", 2, "sys">]>;
def Tile_ScopeAttr : Tile_EnumAttr<Tile_Scope, "scope">;

def Tile_Precision : Tile_Enum<"Precision", "how an f32 dot may round its operands", [
  I32EnumAttrCase<"Ieee", 0, "ieee">, I32EnumAttrCase<"Tf32", 1, "tf32">,
  I32EnumAttrCase<"Tf32x3", 2, "tf32x3">]>;
def Tile_PrecisionAttr : Tile_EnumAttr<Tile_Precision, "precision">;

def Tile_Padding : Tile_Enum<"Padding", "what a descriptor reads out of bounds", [
  I32EnumAttrCase<"Zero", 0, "zero">, I32EnumAttrCase<"NaN", 1, "nan">]>;
def Tile_PaddingAttr : Tile_EnumAttr<Tile_Padding, "padding">;

def Tile_Instruction : Tile_Enum<"Instruction", "how a dot is computed (chosen by the compiler)", [
  I32EnumAttrCase<"Fma", 0, "fma">, I32EnumAttrCase<"MmaSync", 1, "mma_sync">,
  I32EnumAttrCase<"Wgmma", 2, "wgmma">]>;
def Tile_InstructionAttr : Tile_EnumAttr<Tile_Instruction, "instruction">;

#endif
