# summaries.jq - what each op does, in a sentence, from the ODS itself: for editors.
#
# Input: `llvm-tblgen --dump-json TileAll.td`.  $mode: "all".
#
#   TILE_SUMMARY("tile.load", "Reads what pointers lead to.")

. as $all
| "// Generated from the ODS; see dialect/summaries.jq.",
  ($all["!instanceof"].Op[] | $all[.] | select(.summary != "" and .opDialect != null)
    | "TILE_SUMMARY(\($all[.opDialect.def].name + "." + .opName | tojson), \(.summary | gsub("\\s+"; " ") | tojson))")
