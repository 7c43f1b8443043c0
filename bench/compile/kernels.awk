# A kernel of `size` ops or groups of ops of one kind, as awk -v what=loads -v size=1000 -f kernels.awk prints it. In the text of
# a group ~ is its number, # the next one's; %v~ is the tile that it begins with, %v# the one that it leaves.
function head(name, more) {
  print "tile.func @" name "(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32" more ") {"
  print "  %pid = tile.program_id x\n  %zero = arith.constant 0 : i32\n  %one = arith.constant 1 : i32"
  if (square) {
    print "  %r = tile.arange : tensor<16xi32>\n  %rows = tile.expand_dims %r axis 1 : tensor<16xi32> -> tensor<16x1xi32>"
    print "  %columns = tile.expand_dims %r axis 0 : tensor<16xi32> -> tensor<1x16xi32>"
    print "  %offs = tile.expr %rows * 16 + %columns"
  } else {
    print "  %r = tile.arange : !i\n  %offs = tile.expr %pid * 128 + %r"
  }
  print "  %xp = tile.expr %x + %offs\n  %yp = tile.expr %y + %offs\n  %v0 = tile.load %xp : !p"
  if (square) print "  %h = arith.truncf %v0 : !t to tensor<16x16xf16>"
}
function tail(i) { print "  tile.store %yp, %v" i " : !p\n  tile.return\n}" }
function repeat(text, count,    i, group) {
  for (i = 0; i < count; ++i) {
    group = text
    gsub(/~/, i, group)
    gsub(/#/, i + 1, group)
    print group
  }
}
BEGIN {
  moved = "  %k~ = arith.constant dense<#> : !i\n" # never where the last store writes
  kind["chain"] = "  %v# = arith.addf %v~, %v0 : !t"
  kind["maths"] = "  %v# = math.exp %v~ : !t"
  kind["scalars"] = "  %s~ = arith.muli %n, %n : i32\n  %f~ = arith.sitofp %s~ : i32 to f32\n  %b~ = tile.splat %f~ : f32 -> !t\n  %v# = arith.addf %v~, %b~ : !t"
  kind["constants"] = "  %c~ = arith.constant dense<~.5> : !t\n  %v# = arith.addf %v~, %c~ : !t"
  kind["tables"] = "  %c~ = arith.constant dense<[~.5, 1.0, 2.0, 3.0]> : !t\n  %v# = arith.addf %v~, %c~ : !t"
  kind["loads"] = moved "  %p~ = tile.addptr %xp, %k~ : !p, !i\n  %l~ = tile.load %p~ : !p\n  %v# = arith.addf %v~, %l~ : !t"
  kind["stores"] = moved "  %p~ = tile.addptr %yp, %k~ : !p, !i\n  tile.store %p~, %v0 : !p"
  kind["atomics"] = moved "  %p~ = tile.addptr %yp, %k~ : !p, !i\n  %w~ = tile.atomic_rmw fadd relaxed gpu %p~, %v0 : !p"
  kind["reductions"] = "  %s~ = tile.reduce add %v~ axis 0 : !t -> f32\n  %b~ = tile.splat %s~ : f32 -> !t\n  %v# = arith.subf %v~, %b~ : !t"
  kind["scans"] = "  %v# = tile.scan add %v~ axis 0 : !t -> !t"
  kind["gathers"] = "  %v# = tile.gather %v~, %r axis 0 : !t, !i -> !t"
  kind["transposes"] = "  %u~ = tile.trans %v~ order [1, 0] : !t -> !t\n  %v# = arith.addf %v~, %u~ : !t"
  kind["dots"] = "  %v# = tile.dot %h, %h, %v~ : tensor<16x16xf16>, tensor<16x16xf16> -> !t"
  kind["loops"] = "  %v# = scf.for %i~ = %zero to %n step %one iter_args(%a~ = %v~) -> (!t) : i32 {\n    %m~ = arith.mulf %a~, %a~ : !t\n    scf.yield %m~ : !t\n  }"
  kind["ifs"] = "  %k~ = arith.constant ~ : i32\n  %g~ = arith.cmpi slt, %n, %k~ : i32\n  %v# = scf.if %g~ -> (!t) {\n    %m~ = arith.mulf %v~, %v0 : !t\n    scf.yield %m~ : !t\n  } else {\n    scf.yield %v~ : !t\n  }"
  kind["asserts"] = "  %k~ = arith.constant ~ : i32\n  %g~ = arith.cmpi sge, %n, %k~ : i32\n  tile.assert %g~, \"~\" : i1"
  kind["prints"] = "  tile.print \"~\" %n : i32"
  kind["wide"] = kind["stores"]
  kind["calls"] = "  %v# = tile.call @square(%v~) : (!t) -> !t"
  kind["helpers"] = "  %v# = tile.call @h~(%v~) : (!t) -> !t"
  kind["arguments"] = "  %b~ = tile.splat %a~ : f32 -> !t\n  %v# = arith.addf %v~, %b~ : !t"
  kind["products"] = moved "  %v# = scf.for %i~ = %zero to %n step %one iter_args(%a~ = %v~) -> (!t) : i32 {\n    %s~ = tile.splat %i~ : i32 -> !i\n    %o~ = tile.expr %offs + %s~ * 256 + %k~ * 4096\n    %p~ = tile.expr %z + %o~\n    %l~ = tile.load %p~ : tensor<16x16x!tile.ptr<f16>>\n    %d~ = tile.dot %l~, %l~, %a~ : tensor<16x16xf16>, tensor<16x16xf16> -> !t\n    scf.yield %d~ : !t\n  }"
  kind["kernels"] = ""

  if (!(what in kind)) {
    print "expected a kind of kernel, found \047" what "\047" > "/dev/stderr"
    exit 1
  }
  square = what == "dots" || what == "transposes" || what == "products"
  extents = square ? "16x16" : what == "tables" ? "4" : what == "wide" ? "65536" : "128"
  print "!t = tensor<" extents "xf32>\n!i = tensor<" extents "xi32>\n!p = tensor<" extents "x!tile.ptr<f32>>"
  helper = "(%a: !t) -> !t {\n  %m = arith.mulf %a, %a : !t\n  tile.return %m : !t\n}"
  if (what == "calls") print "tile.func private @square" helper
  if (what == "helpers") repeat("tile.func private @h~" helper, size)
  if (what == "kernels")
    for (k = 1; k < size; ++k) {
      head("k" k, "")
      tail(0)
    }
  more = what == "products" ? ", %z: !tile.ptr<f16> {tile.divisibility = 16 : i32}" : ""
  if (what == "arguments")
    for (k = 0; k < size; ++k) more = more ", %a" k ": f32"
  head("k", more)
  if (what != "kernels") repeat(kind[what], size)
  tail(kind[what] ~ /%v#/ ? size : 0)
}
