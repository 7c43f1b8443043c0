# passes.jq - a registered MLIR pass out of each entry of Passes.td.
#
# Input: `llvm-tblgen --dump-json Passes.td`.  $mode: "header" or "source".
# For `def TileFoo : Pass<"tile-foo", ..>` with Option<"arch", .., "std::string", ..>:
#
#   typedef struct { MlirStringRef arch; } TileFooOptions;
#   MlirLogicalResult tileRunFoo(MlirOperation op, const TileFooOptions *options);
#
# A ListOption `bind` becomes `bind` and `numBind`. An option-less pass has no options argument.

. as $all
| def cType: if . == "std::string" then "MlirStringRef" elif . == "unsigned" then "uint32_t" else . end;
  def optionList: [.options[]? | $all[.["def"]]];
  def isList: .["!superclasses"]? // [] | index("ListOption") != null;
  def cName: .["!name"] | if startswith("Tile") then . else "Tile" + . end;
  def run: "tileRun" + (.["!name"] | ltrimstr("Tile"));
  def signature: "MlirLogicalResult \(run)(MlirOperation op"
    + (if (optionList | length) > 0 then ", const \(cName)Options *options)" else ")" end);

  def field: (.type | cType) as $t
    | if isList then "  const \($t) *\(.cppName);\n  intptr_t num\(.cppName[0:1] | ascii_upcase)\(.cppName[1:]); ///< \(.description)"
      else "  \($t) \(.cppName); ///< \(.description)" end;
  def fill: .cppName as $n | "num\($n[0:1] | ascii_upcase)\($n[1:])" as $count
    | if isList then
        "    std::vector<\(.type | cType)> \($n)List;\n    for (const auto &v : \($n)) \($n)List.push_back("
        + (if .type == "std::string" then "wrap(StringRef(v))" else "v" end) + ");\n"
        + "    options.\($n) = \($n)List.data();\n    options.\($count) = static_cast<intptr_t>(\($n)List.size());"
      elif .type == "std::string" then "    options.\($n) = wrap(StringRef(\($n)));"
      else "    options.\($n) = \($n);" end;

  [$all["!instanceof"].Pass[] | $all[.]] as $passes
| if $mode == "header" then
    "// Generated from dialect/Passes.td; see dialect/Glue/passes.jq.",
    "#ifndef TILE_PASSES_H\n#define TILE_PASSES_H\n#include \"mlir-c/IR.h\"\n#include \"mlir-c/Support.h\"",
    "#ifdef __cplusplus\nextern \"C\" {\n#endif\n",
    ($passes[] | (if (optionList | length) > 0 then "/// Options of \(.argument).\ntypedef struct {",
        (optionList[] | field), "} \(cName)Options;" else empty end),
      "/// \(.argument): \(.summary).", signature + ";\n"),
    "/// The arguments of all passes, between commas.",
    "#define TILE_PASS_NAMES " + ([$passes[] | "\"\(.argument)\""] | join(", ")) + "\n",
    "#ifdef __cplusplus\n}\n#endif\n#endif"
  else
    "// Generated from dialect/Passes.td; see dialect/Glue/passes.jq.",
    "#define GEN_PASS_DECL",
    ($passes[] | "#define GEN_PASS_DEF_\(.["!name"] | ascii_upcase)"),
    "#define GEN_PASS_REGISTRATION\n#include \"TilePasses.h.inc\"\nnamespace {",
    ($passes[] | .["!name"] as $n
      | "struct \($n)Glue : impl::\($n)Base<\($n)Glue> {\n  using Base = impl::\($n)Base<\($n)Glue>;\n  using Base::Base;\n  void runOnOperation() override {",
        "    TraceScope scope(\"\(.argument)\", getOperation());",
        (if (optionList | length) > 0 then
          "    ::\(cName)Options options = {};", (optionList[] | fill),
          "    MlirLogicalResult result = \(run)(wrap(getOperation().getOperation()), &options);"
         else "    MlirLogicalResult result = \(run)(wrap(getOperation().getOperation()));" end),
        "    if (mlirLogicalResultIsFailure(result) || !isValid(getOperation(), \"\(.argument)\")) signalPassFailure();\n    else scope.report();",
        "  }\n};"),
    "} // namespace"
  end
