tile.func private @wrong(%x: i32) {
  %y = tile.expr %x + %z
  tile.return
}
