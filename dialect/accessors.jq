# accessors.jq - C accessors of every op of the three dialects, from the ODS itself.
#
# Input: `llvm-tblgen --dump-json TileAll.td`.  $mode: "header" or "source".
# For an op `load` with an optional operand `mask` and an attribute `axis`:
#
#   bool tileOpIsALoad(MlirOperation op);
#   MlirValue tileLoadGetMask(MlirOperation op);   null when absent
#   int64_t tileLoadGetAxis(MlirOperation op);
#
# Variadic operands and results get `GetNumX` and an index; integers, enums,
# strings, symbols and unit attributes come as C values (an absent enum as -1),
# others as MlirAttribute (null when absent).

. as $all
| def camel: split("_") | map(.[0:1] | ascii_upcase) as $first
    | [range(length) as $i | $first[$i] + .[$i][1:]] | join("");
  def isA($class): . as $d | $all["!instanceof"][$class] // [] | index($d) != null;
  def signature($f): "\($f.type) tile\($f.op)\($f.name)(MlirOperation op\($f.params))";
  def operandKind: if isA("Variadic") then "variadic" elif isA("Optional") then "optional" else "one" end;

  # The accessors of one operand or result.
  def values($op; $cls): .[0]["def"] as $record | (.[1] | camel) as $n
    | if ($record | operandKind) == "variadic" then
        {type: "intptr_t", op: $op, name: "GetNum\($n)", params: "",
         body: "return static_cast<intptr_t>(llvm::range_size(cast<tile::\($cls)>(unwrap(op)).get\($n)()));"},
        {type: "MlirValue", op: $op, name: "Get\($n)", params: ", intptr_t i",
         body: "return wrap(mlir::Value(cast<tile::\($cls)>(unwrap(op)).get\($n)()[i]));"}
      else
        {type: "MlirValue", op: $op, name: "Get\($n)", params: "",
         body: "return wrap(mlir::Value(cast<tile::\($cls)>(unwrap(op)).get\($n)()));"}
      end;

  # How an attribute is seen from C.
  def attributes($op; $cls): .[0]["def"] as $record | (.[1] | camel) as $n | $all[$record] as $d
    | ($d.baseAttr?["def"] // $record) as $base
    | "cast<tile::\($cls)>(unwrap(op)).get\($n)" as $get
    | {op: $op, name: "Get\($n)", params: ""}
    | if ($record | isA("OptionalAttr")) and ($base | isA("EnumAttr")) then
        . + {type: "int64_t", body: "auto value = \($get)(); return value ? static_cast<int64_t>(*value) : -1;"}
      elif ($record | isA("OptionalAttr")) then
        . + {name: "Get\($n)Attr", type: "MlirAttribute", body: "return wrap(mlir::Attribute(\($get)Attr()));"}
      elif ($base | isA("SignlessIntegerAttrBase")) or ($base | isA("TypedSignlessIntegerAttrBase")) or ($base | isA("EnumAttr")) then
        . + {type: "int64_t", body: "return static_cast<int64_t>(\($get)());"}
      elif $base == "F64Attr" then . + {type: "double", body: "return \($get)().convertToDouble();"}
      elif $base == "UnitAttr" then . + {type: "bool", body: "return \($get)();"}
      elif $base == "StrAttr" or $base == "SymbolNameAttr" or $base == "FlatSymbolRefAttr" then
        . + {type: "MlirStringRef", body: "return wrap(\($get)());"}
      else . + {name: "Get\($n)Attr", type: "MlirAttribute", body: "return wrap(mlir::Attribute(\($get)Attr()));"} end;

  def accessors: .["!name"] as $record | ($record | ltrimstr("Tile_")) as $cls | ($cls | rtrimstr("Op")) as $op
    | {type: "bool", op: "OpIsA", name: $op, params: "", body: "return isa_and_nonnull<tile::\($cls)>(unwrap(op));"},
      (.arguments.args[] | if (.[0]["def"] | isA("Attr")) then attributes($op; $cls) else values($op; $cls) end),
      (.results.args[] | values($op; $cls)),
      (.regions.args[] | (.[1] | camel) as $n
        | {type: "MlirRegion", op: $op, name: "Get\($n)", params: "",
           body: "return wrap(&cast<tile::\($cls)>(unwrap(op)).get\($n)());"});

  def enums: $all["!instanceof"].Tile_Enum[] | $all[.] | .className as $c
    | "/// \(.summary).\ntypedef enum {\n" + ([.enumerants[] | $all[.["def"]]
        | "  TILE_\($c | gsub("(?<a>[a-z0-9])(?<b>[A-Z])"; "\(.a)_\(.b)") | ascii_upcase)_\(.str | ascii_upcase) = \(.value),\n"] | join(""))
      + "} Tile\($c);\n";

  [$all["!instanceof"].Tile_AnyOp[] | $all[.]] as $ops
| if $mode == "header" then
    "// Generated from the dialect's ODS; see dialect/accessors.jq.",
    "#ifndef TILE_OPS_H\n#define TILE_OPS_H\n#include \"mlir-c/IR.h\"\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n",
    enums, ($ops[] | "/// \($all[.opDialect["def"]].name).\(.opName): \(.summary)", (accessors | signature(.) + ";"), ""),
    "#ifdef __cplusplus\n}\n#endif\n#endif"
  else
    "// Generated from the dialect's ODS; see dialect/accessors.jq.",
    "#include \"Tile.h\"\n#include \"tile/Ops.h\"\n#include \"mlir/CAPI/IR.h\"\n#include \"mlir/CAPI/Support.h\"\nusing namespace mlir;\n",
    ($ops[] | accessors | signature(.) + " {\n  \(.body)\n}")
  end
