# traits.jq - what passes may know of an op, in C and C++, from the ODS itself.
#
# Input: `llvm-tblgen --dump-json TileTraits.td`.  $mode: "header", "source" or "classes".
# For `def Tile_IsAccess : Tile_Trait<"IsAccess", ..>` and `def Tile_Global : Tile_Resource<"Global", ..>`:
#
#   bool tileOpIsAccess(MlirOperation op);
#   TILE_READS_GLOBAL = 1 << 0, TILE_WRITES_GLOBAL = 1 << 1
#
# and, in C++, the classes tile::IsAccess and tile::Global that ODS refers to.

. as $all
| def upper: .word | ascii_upcase;
  def signature: "bool tileOp\(.word)(MlirOperation op)";
  [$all["!instanceof"].Tile_Trait[] | $all[.]] as $traits
| [$all["!instanceof"].Tile_Resource[] | $all[.]] as $resources
| if $mode == "header" then
    "// Generated from dialect/TileTraits.td; see dialect/traits.jq.",
    "#ifndef TILE_TRAITS_H\n#define TILE_TRAITS_H\n#include \"mlir-c/IR.h\"\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n",
    "/// What an op reads and writes, as bits of tileOpGetEffects.\ntypedef enum {",
    ($resources | to_entries[] | .key as $i | .value
      | "  TILE_READS_\(upper) = 1 << \(2 * $i), ///< \(.summary)\n  TILE_WRITES_\(upper) = 1 << \(2 * $i + 1),"),
    "  TILE_EFFECTS_ALL = (1 << \(2 * ($resources | length))) - 1\n} TileEffects;\n",
    ($traits[] | "/// \(.summary)\n\(signature);"),
    "\n#ifdef __cplusplus\n}\n#endif\n#endif"
  elif $mode == "source" then
    "// Generated from dialect/TileTraits.td; see dialect/traits.jq.",
    ($traits[] | "\(signature) { return unwrap(op)->hasTrait<tile::\(.word)>(); }"),
    "/// The place of a resource in TileEffects; -1: all of them.",
    "static int numberOf(mlir::SideEffects::Resource *resource) {",
    ($resources | to_entries[] | "  if (isa<tile::\(.value.word)>(resource)) return \(.key);"),
    "  return -1;\n}"
  else
    "// Generated from dialect/TileTraits.td; see dialect/traits.jq.\nnamespace tile {",
    ($resources[] | "/// \(.summary).\nstruct \(.word) : mlir::SideEffects::Resource::Base<\(.word)> {\n  llvm::StringRef getName() final { return \"tile.\(.word | ascii_downcase)\"; }\n};"),
    ($traits[] | "/// \(.summary)\ntemplate <typename Op> struct \(.word) : mlir::OpTrait::TraitBase<Op, \(.word)> {};"),
    "} // namespace tile"
  end
