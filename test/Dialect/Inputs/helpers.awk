# awk -v count=N [-v back=I]: helpers @h0 to @hN, each of which calls the next; with `back` the last one calls @hI.
BEGIN {
  for (i = 0; i <= count; ++i) {
    print "tile.func private @h" i "() {"
    if (i < count || back != "") print "  tile.call @h" (i < count ? i + 1 : back) "() : () -> ()"
    print "  tile.return\n}"
  }
}
