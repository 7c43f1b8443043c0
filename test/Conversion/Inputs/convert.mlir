// One number, for the PTX that conversions-ptx.test looks at, which puts FROM, TO and OP in.
tile.func @convert(%x: !tile.ptr<FROM>, %y: !tile.ptr<TO>) {
  %v = tile.load %x : !tile.ptr<FROM>
  %r = arith.OP %v : FROM to TO
  tile.store %y, %r : !tile.ptr<TO>
  tile.return
}
