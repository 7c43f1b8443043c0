//===- TritonDialect.td - `tt` and `ttg` as a reader sees them ------------===//
//
// What Triton's front end prints (TTIR), of its versions 3.6 to 3.9: enough to
// parse it with MLIR 22, and no more. convert-triton-to-tile takes the place of
// every op. Types of operands are checked there, and by tile's own verifiers; so
// enumerations stay words here. The names of ops, operands and attributes are
// Triton's (include/triton/Dialect/Triton/IR/TritonOps.td in its repository, MIT).
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRITON_DIALECT_TD
#define TILE_TRITON_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypes.td"
include "mlir/IR/OpBase.td"

def Tt_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::tile::tt";
  let summary = "Triton's TTIR, to be read and turned into tile.";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

def Ttg_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::tile::ttg";
  let summary = "The one op of Triton's GPU dialect that TTIR may hold.";
}

class Tt_Type<string name, string typeMnemonic> : TypeDef<Tt_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tt_PtrType : Tt_Type<"Ptr", "ptr"> {
  let summary = "A pointer, into global memory unless an address space is named.";
  let description = [{
    3.6 writes another space as a number, `!tt.ptr<f32, 4>`, which this prints, 3.9 by its name,
    `!tt.ptr<f32, "constant">` (of `tl.const`).
  }];
  let parameters = (ins "::mlir::Type":$pointee, DefaultValuedParameter<"int64_t", "1">:$space);
  let assemblyFormat = "`<` $pointee (`,` custom<Space>($space)^)? `>`";
}

def Tt_DescType : Tt_Type<"Desc", "tensordesc"> {
  let summary = "A tensor descriptor of a box.";
  let description = [{
    3.6 writes `!tt.tensordesc<tensor<128x64xf16>>`, 3.9 `!tt.tensordesc<128x64xf16>`; this
    prints the former.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$box);
  let hasCustomAssemblyFormat = 1;
}

def Tt_CachePolicyAttr : AttrDef<Tt_Dialect, "CachePolicy"> {
  let mnemonic = "cache_policy";
  let summary = "How an access uses the caches, as 3.9 writes it.";
  let parameters = (ins "::mlir::StringAttr":$cache, "::mlir::StringAttr":$evict);
  let assemblyFormat = [{
    `<` `cache_modifier` `=` custom<Word>($cache) `,` `eviction_policy` `=` custom<Word>($evict) `>`
  }];
}

#endif
