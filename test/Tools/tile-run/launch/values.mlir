// Numbers for a kernel's arguments are what --args takes for @main's: C's numbers, in the range of their type.
// DEFINE: %{float} = 1
// DEFINE: %{int} = 1
// DEFINE: %{truth} = 1
// DEFINE: %{run} = tile-run %s --target=cpu --repeat 1 --kernel k --grid 1 --arg=%{float} --arg=%{float} --arg=%{int} --arg=%{truth}
// RUN: %{run} | FileCheck %s --check-prefixes=ONE,INT1
// REDEFINE: %{float} = inf
// REDEFINE: %{int} = 4294967295
// RUN: %{run} | FileCheck %s --check-prefixes=INF,MINUS1
// REDEFINE: %{float} = -infinity
// REDEFINE: %{int} = -0
// RUN: %{run} | FileCheck %s --check-prefixes=NINF,INT0
// REDEFINE: %{float} = nan
// REDEFINE: %{int} = -2147483648
// RUN: %{run} | FileCheck %s --check-prefixes=NAN,LEAST
// REDEFINE: %{float} = 1e999
// REDEFINE: %{int} = 0x10
// RUN: %{run} | FileCheck %s --check-prefixes=INF,INT16
// REDEFINE: %{float} = .5
// REDEFINE: %{int} = +5
// REDEFINE: %{truth} = -1
// RUN: %{run} | FileCheck %s --check-prefixes=HALF,INT5,TRUE
// REDEFINE: %{float} = 0x1p-3
// REDEFINE: %{truth} = 0
// RUN: %{run} | FileCheck %s --check-prefixes=EIGHTH,INT5,FALSE
// REDEFINE: %{float} = 2^10
// REDEFINE: %{int} = -3^3
// RUN: %{run} | FileCheck %s --check-prefixes=POWER
// POWER: floats: 1024
// POWER: floats: 1024
// POWER: ints: -27
// ONE: floats: 1
// ONE: floats: 1
// INF: floats: inf
// INF: floats: inf
// NINF: floats: -inf
// NINF: floats: -inf
// NAN: floats: nan
// NAN: floats: nan
// HALF: floats: 0.5
// HALF: floats: 0.5
// EIGHTH: floats: 0.125
// INT1: ints: 1
// MINUS1: ints: -1
// INT0: ints: 0
// LEAST: ints: -2147483648
// INT16: ints: 16
// INT5: ints: 5
// TRUE: ints: 1
// FALSE: ints: 0

// What is none of its type is refused at the kernel.
// REDEFINE: %{truth} = 2
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=TRUTH
// REDEFINE: %{int} = 5000000000
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=LARGE
// REDEFINE: %{int} = 2^32
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=POWERS
// REDEFINE: %{int} = 1.0
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=POINT
// REDEFINE: %{float} = 1e
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=EMPTY
// TRUTH: values.mlir:[[@LINE+5]]:1: error: expected a value of type i1 for argument 3, found '2'
// LARGE: values.mlir:[[@LINE+4]]:1: error: expected a value of type i32 for argument 2, found '5000000000'
// POWERS: error: expected a value of type i32 for argument 2, found '2^32'
// POINT: values.mlir:[[@LINE+2]]:1: error: expected a value of type i32 for argument 2, found '1.0'
// EMPTY: values.mlir:[[@LINE+1]]:1: error: expected a value of type f32 for argument 0, found '1e'
tile.func @k(%a: f32, %b: bf16, %c: i32, %d: i1) {
  tile.print "floats" %a, %b : f32, bf16
  tile.print "ints" %c, %d : i32, i1
  tile.return
}
