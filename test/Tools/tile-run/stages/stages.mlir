// --dump-dir writes each stage of each kernel; --override goes on from an edited one.
//
// RUN: rm -rf %t && mkdir %t
// RUN: tile-run %examples/Basics/vector_add.mlir --target=cpu --repeat 1 --dump-dir %t/cpu | FileCheck %s --check-prefix=RIGHT
// RUN: ls %t/cpu/add | FileCheck %s --check-prefix=CPU
// The front half runs once.
// RUN: sh -c "ls %t/cpu/add | grep -cE -- '-(tile-instantiate|inline|symbol-dce|tile-specialize).mlir'" | FileCheck %s --check-prefix=ONCE
// ONCE: {{^}}4{{$}}
// RIGHT: largest error 0,
// CPU: -tile-instantiate.mlir
// CPU: -tile-specialize.mlir
// CPU: -tile-expand-ops.mlir
// CPU: {{^[0-9][0-9]}}-tile-expand-descriptors.mlir
// CPU-NEXT: {{^[0-9][0-9]}}-canonicalize.mlir
// CPU-NEXT: {{^[0-9][0-9]}}-cse.mlir
// CPU: {{^[0-9][0-9]}}-convert-tile-to-cpu.mlir
// CPU: {{^[0-9][0-9]}}-llvm.ll
// CPU-NEXT: {{^[0-9][0-9]}}-asm.s
// CPU-NEXT: {{^[0-9][0-9]}}-object.o

// What runs is the edited stage: of the passes, of LLVM IR, of machine code.
// RUN: sed s/arith.addf/arith.subf/ %t/cpu/add/*-tile-expand-ops.mlir > %t/sub.mlir
// RUN: not tile-run %examples/Basics/vector_add.mlir --target=cpu --repeat 1 --override tile-expand-ops=%t/sub.mlir 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: sed "s/ fadd / fsub /" %t/cpu/add/*-llvm.ll > %t/sub.ll
// RUN: not tile-run %examples/Basics/vector_add.mlir --target=cpu --repeat 1 --override add/llvm=%t/sub.ll --dump-dir %t/sub 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: expected {{.*}}found
// RUN: cp %t/cpu/add/*-object.o %t/add.o && cp %t/sub/add/*-object.o %t/sub.o
// RUN: tile-run %examples/Basics/vector_add.mlir --target=cpu --repeat 1 --override object=%t/add.o | FileCheck %s --check-prefix=RIGHT
// RUN: not tile-run %examples/Basics/vector_add.mlir --target=cpu --repeat 1 --override object=%t/sub.o 2>&1 | FileCheck %s --check-prefix=WRONG

// The GPU's stages, one compilation a folder; seen one by one, the code is what it is otherwise.
// RUN: tile-run %examples/Matmul/matmul.mlir --args 512 --emit=ptx --dump-dir %t/gpu -o %t/stages.ptx
// RUN: tile-run %examples/Matmul/matmul.mlir --args 512 --emit=ptx -o %t/whole.ptx
// RUN: cmp %t/stages.ptx %t/whole.ptx
// RUN: cmp %t/stages.ptx %t/gpu/matmul/*-ptx.ptx
// RUN: FileCheck %s --check-prefix=LAYOUTS --input-file %t/gpu/matmul/*-tile-assign-layouts.mlir
// LAYOUTS: tile.dot {{.*}}#tile_gpu.layout
// RUN: sed "s/^.target.*/.target sm_100a/" %t/stages.ptx > %t/edited.ptx
// RUN: tile-run %examples/Matmul/matmul.mlir --args 512 --emit=ptx --override ptx=%t/edited.ptx | FileCheck %s --check-prefix=EDITED
// EDITED: .target sm_100a

// Words that fit nothing.
// RUN: not tile-run %examples/Basics/vector_add.mlir --target=cpu --override llvm 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: expected STAGE=FILE or KERNEL/STAGE=FILE to override, found 'llvm'
// RUN: not tile-run %examples/Basics/vector_add.mlir --target=cpu --override sub/llvm=x 2>&1 | FileCheck %s --check-prefix=KERNEL
// KERNEL: error: expected the name of a kernel in front of '/', found 'sub/llvm=x'
// RUN: not tile-run %examples/Basics/vector_add.mlir --target=cpu --override ptx=%t/edited.ptx 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: vector_add.mlir:{{[0-9]+}}:{{[0-9]+}}: error: expected a stage of kernel 'add' to override (--dump-dir shows them), found 'ptx'
// RUN: not tile-run %examples/Basics/vector_add.mlir --target=cpu --override canonicalize=%t/sub.mlir 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error: expected one of {{([0-9]+-canonicalize, )+[0-9]+}}-canonicalize to override, found 'canonicalize'
// RUN: not tile-run %examples/Basics/vector_add.mlir --target=cpu --override llvm=%t/no.ll 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: expected to read '{{.*}}no.ll', found: No such file or directory
// RUN: not tile-run %examples/Basics/vector_add.mlir --target=cpu --override llvm=%s 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: expected LLVM IR, found
// RUN: not tile-run %examples/Basics/vector_add.mlir --target=cpu --dump-dir %s 2>&1 | FileCheck %s --check-prefix=DIR
// DIR: error: expected to make the folder '{{.*}}/add', found: Not a directory
