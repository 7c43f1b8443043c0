// RUN: not tile-opt %s --convert-tile-to-cpu=vector-bits=100 2>&1 | FileCheck %s
// CHECK: error: expected vector-bits of 128, 256, 512 or 0 for the host's, found 100
tile.func @nothing() {
  tile.return
}
