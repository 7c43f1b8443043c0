// A kernel without arguments runs by its name alone.
// RUN: tile-run %s --target=cpu --repeat 1 --kernel speak | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --kernel speak --check | FileCheck %s --check-prefix=SPOKEN
// RUN: tile-run %s --target=cpu --repeat 1 --no-host --kernel alone --grid 2 | FileCheck %s --check-prefix=ALONE
// RUN: not tile-run %s --target=cpu --kernel alone 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: not tile-run %s --target=cpu --kernel speak --arg 1 2>&1 | FileCheck %s --check-prefix=COUNT
// CHECK-DAG: pid (0, 0, 0) here: 0
// CHECK-DAG: pid (2, 0, 0) here: 2
// CHECK: cpu{{.*}}: speak(): {{.*}} ms
// SPOKEN-DAG: pid (2, 0, 0) here: 2
// ALONE-DAG: pid (1, 0, 0) alone
// GRID: error: expected kernel 'alone' to have a tile.grid, or the launch to give one (grid({{.*}}), --grid), found neither
// COUNT: no-arguments.mlir:[[@LINE+1]]:1: error: expected 0 --arg for kernel 'speak', found 1
tile.func @speak() {
  tile.grid() {
    %c3 = arith.constant 3 : i32
    tile.yield %c3 : i32
  }
  %x = tile.program_id x
  tile.print "here" %x : i32
  tile.return
}

tile.func @alone() {
  tile.print "alone"
  tile.return
}
