//===- TileKinds.td - what ops of the three dialects are made of ----------===//
#ifndef TILE_KINDS_TD
#define TILE_KINDS_TD

include "Gpu/TileGpuDialect.td"
include "TileTraits.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

/// Every op of the three dialects.
class Tile_AnyOp<Dialect dialect, string mnemonic, list<Trait> traits = []>
    : Op<dialect, mnemonic, traits>;
class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Tile_AnyOp<Tile_Dialect, mnemonic, traits>;
class TileGpu_Op<string mnemonic, list<Trait> traits = []>
    : Tile_AnyOp<TileGpu_Dialect, mnemonic, traits>;

//===- operand and result kinds -------------------------------------------===//

def Tile_Number : AnyTypeOf<[I1, I8, I16, I32, I64, F16, BF16, F32, F64, F8E4M3FN, F8E5M2],
                            "number">;
def Tile_Element : AnyTypeOf<[Tile_Number, Tile_PtrType], "number or pointer">;
class Tile_TileOf<list<Type> elements> : RankedTensorOf<elements,
    [CPred<"::tile::isTileShape(::llvm::cast<::mlir::RankedTensorType>($_self))">],
    "tile (rank 1 to 16, positive or named extents, at most 2^24 elements)">;
def Tile_Tile : Tile_TileOf<[Tile_Element]>;
def Tile_Numbers : Tile_TileOf<[Tile_Number]>;
def Tile_Value : AnyTypeOf<[Tile_Element, Tile_Tile], "number, pointer or tile">;
def Tile_Pointers : AnyTypeOf<[Tile_PtrType, Tile_TileOf<[Tile_PtrType]>],
                              "pointer or tile of pointers">;
def Tile_Addresses : AnyTypeOf<[I64, Tile_PtrType, Tile_TileOf<[I64, Tile_PtrType]>],
                               "pointer, i64 or tile of these">;
def Tile_Offsets : AnyTypeOf<[I32, I64, Tile_TileOf<[I32, I64]>], "i32 or i64 offsets">;
def Tile_Mask : AnyTypeOf<[I1, Tile_TileOf<[I1]>], "i1 or tile of i1">;
def Tile_I32s : AnyTypeOf<[I32, Tile_TileOf<[I32]>], "i32 or tile of i32">;
def Tile_BufferOrTile : AnyTypeOf<[Tile_Numbers, Tile_BufferType], "tile or shared buffer">;

/// An op that can infer its results' types for a builder, but for the layouts: those are for a pass
/// to choose, and verify() compares the rest.
class Tile_AnyLayout {
  code extraClassDeclaration = [{
    static bool isCompatibleReturnTypes(::mlir::TypeRange, ::mlir::TypeRange) { return true; }
  }];
}

class PointeeOf<string ptr, string value> : TypesMatchWith<
    "type of '" # value # "' is what '" # ptr # "' points at", ptr, value,
    "::tile::pointeeType($_self)">;
class MaskOf<string ptr, string mask> : OptionalTypesMatchWith<
    "type of '" # mask # "' is i1 of the shape of '" # ptr # "'", ptr, mask,
    "::tile::maskType($_self)">;

//===- shapes of ops ------------------------------------------------------===//

/// A number along an axis of the grid.
class Tile_GridIndexOp<string mnemonic, Dialect dialect = Tile_Dialect>
    : Tile_AnyOp<dialect, mnemonic, [Pure, Tile_ReadsPlace]> {
  let arguments = (ins Tile_AxisAttr:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "`` $axis attr-dict";
}

/// The same elements in another shape, order or place.
class Tile_ShapeOp<string mnemonic, list<Trait> traits = [], Dialect dialect = Tile_Dialect>
    : Tile_AnyOp<dialect, mnemonic, !listconcat([Pure], traits)> {
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source attr-dict custom<SourceTypes>(ref($source), type($source), type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

#endif
