# Prints helpers that call each other: awk -v kind=twice|chain|orders -f helpers.awk
function call(name, arguments, types) { return sprintf("tile.call @%s(%s) : (%s)", name, arguments, types) }

# `depth` helpers of one argument, each calling the one before `times` times.
function tower(depth, times,    i, k) {
  print "tile.func private @h0(%x0: i32) -> i32 {\n  tile.return %x0 : i32\n}"
  for (i = 1; i <= depth; ++i) {
    printf "tile.func private @h%d(%%x0: i32) -> i32 {\n", i
    for (k = 0; k < times; ++k) printf "  %%x%d = %s -> i32\n", k + 1, call("h" (i - 1), "%x" k, "i32")
    printf "  tile.return %%x%d : i32\n}\n", times
  }
  print "tile.func @k(%x: i32, %p: !tile.ptr<i32>) {\n  %y = " call("h" depth, "%x", "i32") " -> i32"
  print "  tile.store %p, %y : !tile.ptr<i32>\n  tile.return\n}"
}

# Tiles of six extents, handed on with the first two exchanged, and turned by one: each order of six.
function orders(depth,    h, i, k, n, arguments, types) {
  n = split("A B C D E F", names)
  for (h = 0; h <= depth; ++h) {
    types = ""
    for (i = 1; i <= n; ++i) types = types (i == 1 ? "" : ", ") "%a" i ": tensor<?xi32, #tile.dims<[" names[i] "]>>"
    print "tile.func private @h" h "(" types ") {"
    for (k = 0; k < 2 && h; ++k) {
      arguments = types = ""
      for (i = 1; i <= n; ++i) {
        from = k ? i % n + 1 : i <= 2 ? 3 - i : i
        arguments = arguments (i == 1 ? "" : ", ") "%a" from
        types = types (i == 1 ? "" : ", ") "tensor<?xi32, #tile.dims<[" names[from] "]>>"
      }
      print "  " call("h" (h - 1), arguments, types) " -> ()"
    }
    for (i = 0; i < 200; ++i) print "  %c" i " = arith.constant " i " : i32"
    print "  tile.return\n}"
  }
  print "tile.func @k() {"
  arguments = types = ""
  for (i = 1; i <= n; ++i) {
    print "  %a" i " = tile.arange : tensor<" 2 ^ i "xi32>"
    arguments = arguments (i == 1 ? "" : ", ") "%a" i
    types = types (i == 1 ? "" : ", ") "tensor<" 2 ^ i "xi32>"
  }
  print "  " call("h" depth, arguments, types) " -> ()\n  tile.return\n}"
}

BEGIN {
  if (kind == "twice") tower(30, 2)
  if (kind == "chain") tower(600, 1)
  if (kind == "orders") orders(12)
}
