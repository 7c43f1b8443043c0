// PTX on the bits of integers, computed on the CPU: results beside numbers worked out by a script, bit by bit.
//
// RUN: tile-run %s --no-host --kernel bits --grid 1 --arg 0 --target=cpu --repeat 1
// RUN: %if gpu %{ tile-run %s --no-host --kernel bits --grid 1 --arg 0 --target=gpu --repeat 1 %}

tile.func private @equal(%found: i32, %wanted: i32) {
  %is = arith.cmpi eq, %found, %wanted : i32
  tile.assert %is, "expected another number" : i1
  tile.return
}

tile.func private @equal64(%found: i64, %wanted: i64) {
  %is = arith.cmpi eq, %found, %wanted : i64
  tile.assert %is, "expected another number" : i1
  tile.return
}

tile.func @bits(%zero: i32) {
  %zero64 = arith.extsi %zero : i32 to i64
  %zero16 = arith.trunci %zero : i32 to i16
  %k0 = arith.constant -1698898191 : i32
  %c0 = arith.addi %k0, %zero : i32
  %k1 = arith.constant -1887748775 : i32
  %c1 = arith.addi %k1, %zero : i32
  %r0 = tile.inline_ptx "brev.b32 $0, $1;" constraints "=r,r" pure (%c0) : (i32) -> i32
  tile.call @equal(%r0, %c1) : (i32, i32) -> ()
  %k2 = arith.constant -7296712169324925636 : i64
  %c2 = arith.addi %k2, %zero64 : i64
  %k3 = arith.constant 4374254112678296921 : i64
  %c3 = arith.addi %k3, %zero64 : i64
  %r1 = tile.inline_ptx "brev.b64 $0, $1;" constraints "=l,l" pure (%c2) : (i64) -> i64
  tile.call @equal64(%r1, %c3) : (i64, i64) -> ()
  %k4 = arith.constant 20 : i32
  %c4 = arith.addi %k4, %zero : i32
  %r2 = tile.inline_ptx "popc.b32 $0, $1;" constraints "=r,r" pure (%c0) : (i32) -> i32
  tile.call @equal(%r2, %c4) : (i32, i32) -> ()
  %k5 = arith.constant 36 : i32
  %c5 = arith.addi %k5, %zero : i32
  %r3 = tile.inline_ptx "popc.b64 $0, $1;" constraints "=r,l" pure (%c2) : (i64) -> i32
  tile.call @equal(%r3, %c5) : (i32, i32) -> ()
  %k6 = arith.constant 253635900 : i32
  %c6 = arith.addi %k6, %zero : i32
  %k7 = arith.constant 4 : i32
  %c7 = arith.addi %k7, %zero : i32
  %r4 = tile.inline_ptx "clz.b32 $0, $1;" constraints "=r,r" pure (%c6) : (i32) -> i32
  tile.call @equal(%r4, %c7) : (i32, i32) -> ()
  %k8 = arith.constant 0 : i32
  %c8 = arith.addi %k8, %zero : i32
  %k9 = arith.constant 32 : i32
  %c9 = arith.addi %k9, %zero : i32
  %r5 = tile.inline_ptx "clz.b32 $0, $1;" constraints "=r,r" pure (%c8) : (i32) -> i32
  tile.call @equal(%r5, %c9) : (i32, i32) -> ()
  %k10 = arith.constant 253635900 : i64
  %c10 = arith.addi %k10, %zero64 : i64
  %r6 = tile.inline_ptx "clz.b64 $0, $1;" constraints "=r,l" pure (%c10) : (i64) -> i32
  tile.call @equal(%r6, %c5) : (i32, i32) -> ()
  %k11 = arith.constant 1698898191 : i32
  %c11 = arith.addi %k11, %zero : i32
  %r7 = tile.inline_ptx "neg.s32 $0, $1;" constraints "=r,r" pure (%c0) : (i32) -> i32
  tile.call @equal(%r7, %c11) : (i32, i32) -> ()
  %r8 = tile.inline_ptx "abs.s32 $0, $1;" constraints "=r,r" pure (%c0) : (i32) -> i32
  tile.call @equal(%r8, %c11) : (i32, i32) -> ()
  %k12 = arith.constant 8 : i32
  %c12 = arith.addi %k12, %zero : i32
  %k13 = arith.constant 239 : i32
  %c13 = arith.addi %k13, %zero : i32
  %r9 = tile.inline_ptx "bfe.u32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c7, %c12) : (i32, i32, i32) -> i32
  tile.call @equal(%r9, %c13) : (i32, i32) -> ()
  %k14 = arith.constant -17 : i32
  %c14 = arith.addi %k14, %zero : i32
  %r10 = tile.inline_ptx "bfe.s32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c7, %c12) : (i32, i32, i32) -> i32
  tile.call @equal(%r10, %c14) : (i32, i32) -> ()
  %k15 = arith.constant 253636380 : i32
  %c15 = arith.addi %k15, %zero : i32
  %r11 = tile.inline_ptx "bfi.b32 $0, $1, $2, $3, $4;" constraints "=r,r,r,r,r" pure (%c0, %c6, %c7, %c12) : (i32, i32, i32, i32) -> i32
  tile.call @equal(%r11, %c15) : (i32, i32) -> ()
  %k16 = arith.constant 24 : i32
  %c16 = arith.addi %k16, %zero : i32
  %k17 = arith.constant 154 : i32
  %c17 = arith.addi %k17, %zero : i32
  %r12 = tile.inline_ptx "bfe.u32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c16, %c12) : (i32, i32, i32) -> i32
  tile.call @equal(%r12, %c17) : (i32, i32) -> ()
  %k18 = arith.constant -102 : i32
  %c18 = arith.addi %k18, %zero : i32
  %r13 = tile.inline_ptx "bfe.s32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c16, %c12) : (i32, i32, i32) -> i32
  tile.call @equal(%r13, %c18) : (i32, i32) -> ()
  %k19 = arith.constant -249680580 : i32
  %c19 = arith.addi %k19, %zero : i32
  %r14 = tile.inline_ptx "bfi.b32 $0, $1, $2, $3, $4;" constraints "=r,r,r,r,r" pure (%c0, %c6, %c16, %c12) : (i32, i32, i32, i32) -> i32
  tile.call @equal(%r14, %c19) : (i32, i32) -> ()
  %k20 = arith.constant 2475 : i32
  %c20 = arith.addi %k20, %zero : i32
  %r15 = tile.inline_ptx "bfe.u32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c4, %c4) : (i32, i32, i32) -> i32
  tile.call @equal(%r15, %c20) : (i32, i32) -> ()
  %k21 = arith.constant -1621 : i32
  %c21 = arith.addi %k21, %zero : i32
  %r16 = tile.inline_ptx "bfe.s32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c4, %c4) : (i32, i32, i32) -> i32
  tile.call @equal(%r16, %c21) : (i32, i32) -> ()
  %k22 = arith.constant -283235012 : i32
  %c22 = arith.addi %k22, %zero : i32
  %r17 = tile.inline_ptx "bfi.b32 $0, $1, $2, $3, $4;" constraints "=r,r,r,r,r" pure (%c0, %c6, %c4, %c4) : (i32, i32, i32, i32) -> i32
  tile.call @equal(%r17, %c22) : (i32, i32) -> ()
  %k23 = arith.constant 40 : i32
  %c23 = arith.addi %k23, %zero : i32
  %k24 = arith.constant 3 : i32
  %c24 = arith.addi %k24, %zero : i32
  %r18 = tile.inline_ptx "bfe.u32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c23, %c24) : (i32, i32, i32) -> i32
  tile.call @equal(%r18, %c8) : (i32, i32) -> ()
  %k25 = arith.constant -1 : i32
  %c25 = arith.addi %k25, %zero : i32
  %r19 = tile.inline_ptx "bfe.s32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c23, %c24) : (i32, i32, i32) -> i32
  tile.call @equal(%r19, %c25) : (i32, i32) -> ()
  %r20 = tile.inline_ptx "bfi.b32 $0, $1, $2, $3, $4;" constraints "=r,r,r,r,r" pure (%c0, %c6, %c23, %c24) : (i32, i32, i32, i32) -> i32
  tile.call @equal(%r20, %c6) : (i32, i32) -> ()
  %r21 = tile.inline_ptx "bfe.u32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c24, %c8) : (i32, i32, i32) -> i32
  tile.call @equal(%r21, %c8) : (i32, i32) -> ()
  %r22 = tile.inline_ptx "bfe.s32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c24, %c8) : (i32, i32, i32) -> i32
  tile.call @equal(%r22, %c8) : (i32, i32) -> ()
  %r23 = tile.inline_ptx "bfi.b32 $0, $1, $2, $3, $4;" constraints "=r,r,r,r,r" pure (%c0, %c6, %c24, %c8) : (i32, i32, i32, i32) -> i32
  tile.call @equal(%r23, %c6) : (i32, i32) -> ()
  %r24 = tile.inline_ptx "bfe.u32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c8, %c9) : (i32, i32, i32) -> i32
  tile.call @equal(%r24, %c0) : (i32, i32) -> ()
  %r25 = tile.inline_ptx "bfe.s32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c8, %c9) : (i32, i32, i32) -> i32
  tile.call @equal(%r25, %c0) : (i32, i32) -> ()
  %r26 = tile.inline_ptx "bfi.b32 $0, $1, $2, $3, $4;" constraints "=r,r,r,r,r" pure (%c0, %c6, %c8, %c9) : (i32, i32, i32, i32) -> i32
  tile.call @equal(%r26, %c0) : (i32, i32) -> ()
  %k26 = arith.constant 31 : i32
  %c26 = arith.addi %k26, %zero : i32
  %k27 = arith.constant 1 : i32
  %c27 = arith.addi %k27, %zero : i32
  %r27 = tile.inline_ptx "bfe.u32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c26, %c27) : (i32, i32, i32) -> i32
  tile.call @equal(%r27, %c27) : (i32, i32) -> ()
  %r28 = tile.inline_ptx "bfe.s32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c26, %c27) : (i32, i32, i32) -> i32
  tile.call @equal(%r28, %c25) : (i32, i32) -> ()
  %k28 = arith.constant -1893847748 : i32
  %c28 = arith.addi %k28, %zero : i32
  %r29 = tile.inline_ptx "bfi.b32 $0, $1, $2, $3, $4;" constraints "=r,r,r,r,r" pure (%c0, %c6, %c26, %c27) : (i32, i32, i32, i32) -> i32
  tile.call @equal(%r29, %c28) : (i32, i32) -> ()
  %r30 = tile.inline_ptx "shf.l.wrap.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c8) : (i32, i32, i32) -> i32
  tile.call @equal(%r30, %c6) : (i32, i32) -> ()
  %r31 = tile.inline_ptx "shf.r.wrap.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c8) : (i32, i32, i32) -> i32
  tile.call @equal(%r31, %c0) : (i32, i32) -> ()
  %r32 = tile.inline_ptx "shf.l.clamp.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c8) : (i32, i32, i32) -> i32
  tile.call @equal(%r32, %c6) : (i32, i32) -> ()
  %r33 = tile.inline_ptx "shf.r.clamp.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c8) : (i32, i32, i32) -> i32
  tile.call @equal(%r33, %c0) : (i32, i32) -> ()
  %k29 = arith.constant 5 : i32
  %c29 = arith.addi %k29, %zero : i32
  %k30 = arith.constant -473585773 : i32
  %c30 = arith.addi %k30, %zero : i32
  %r34 = tile.inline_ptx "shf.l.wrap.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c29) : (i32, i32, i32) -> i32
  tile.call @equal(%r34, %c30) : (i32, i32) -> ()
  %k31 = arith.constant -455743753 : i32
  %c31 = arith.addi %k31, %zero : i32
  %r35 = tile.inline_ptx "shf.r.wrap.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c29) : (i32, i32, i32) -> i32
  tile.call @equal(%r35, %c31) : (i32, i32) -> ()
  %r36 = tile.inline_ptx "shf.l.clamp.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c29) : (i32, i32, i32) -> i32
  tile.call @equal(%r36, %c30) : (i32, i32) -> ()
  %r37 = tile.inline_ptx "shf.r.clamp.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c29) : (i32, i32, i32) -> i32
  tile.call @equal(%r37, %c31) : (i32, i32) -> ()
  %k32 = arith.constant 1298034552 : i32
  %c32 = arith.addi %k32, %zero : i32
  %r38 = tile.inline_ptx "shf.l.wrap.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c26) : (i32, i32, i32) -> i32
  tile.call @equal(%r38, %c32) : (i32, i32) -> ()
  %k33 = arith.constant 507271801 : i32
  %c33 = arith.addi %k33, %zero : i32
  %r39 = tile.inline_ptx "shf.r.wrap.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c26) : (i32, i32, i32) -> i32
  tile.call @equal(%r39, %c33) : (i32, i32) -> ()
  %r40 = tile.inline_ptx "shf.l.clamp.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c26) : (i32, i32, i32) -> i32
  tile.call @equal(%r40, %c32) : (i32, i32) -> ()
  %r41 = tile.inline_ptx "shf.r.clamp.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c26) : (i32, i32, i32) -> i32
  tile.call @equal(%r41, %c33) : (i32, i32) -> ()
  %r42 = tile.inline_ptx "shf.l.wrap.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c9) : (i32, i32, i32) -> i32
  tile.call @equal(%r42, %c6) : (i32, i32) -> ()
  %r43 = tile.inline_ptx "shf.r.wrap.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c9) : (i32, i32, i32) -> i32
  tile.call @equal(%r43, %c0) : (i32, i32) -> ()
  %r44 = tile.inline_ptx "shf.l.clamp.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c9) : (i32, i32, i32) -> i32
  tile.call @equal(%r44, %c0) : (i32, i32) -> ()
  %r45 = tile.inline_ptx "shf.r.clamp.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c9) : (i32, i32, i32) -> i32
  tile.call @equal(%r45, %c6) : (i32, i32) -> ()
  %k34 = arith.constant 37 : i32
  %c34 = arith.addi %k34, %zero : i32
  %r46 = tile.inline_ptx "shf.l.wrap.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c34) : (i32, i32, i32) -> i32
  tile.call @equal(%r46, %c30) : (i32, i32) -> ()
  %r47 = tile.inline_ptx "shf.r.wrap.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c34) : (i32, i32, i32) -> i32
  tile.call @equal(%r47, %c31) : (i32, i32) -> ()
  %r48 = tile.inline_ptx "shf.l.clamp.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c34) : (i32, i32, i32) -> i32
  tile.call @equal(%r48, %c0) : (i32, i32) -> ()
  %r49 = tile.inline_ptx "shf.r.clamp.b32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c34) : (i32, i32, i32) -> i32
  tile.call @equal(%r49, %c6) : (i32, i32) -> ()
  %k35 = arith.constant 153308809 : i32
  %c35 = arith.addi %k35, %zero : i32
  %r50 = tile.inline_ptx "mul.hi.u32 $0, $1, $2;" constraints "=r,r,r" pure (%c0, %c6) : (i32, i32) -> i32
  tile.call @equal(%r50, %c35) : (i32, i32) -> ()
  %k36 = arith.constant -100327091 : i32
  %c36 = arith.addi %k36, %zero : i32
  %r51 = tile.inline_ptx "mul.hi.s32 $0, $1, $2;" constraints "=r,r,r" pure (%c0, %c6) : (i32, i32) -> i32
  tile.call @equal(%r51, %c36) : (i32, i32) -> ()
  %k37 = arith.constant 658456323908869500 : i64
  %c37 = arith.addi %k37, %zero64 : i64
  %r52 = tile.inline_ptx "mul.wide.u32 $0, $1, $2;" constraints "=l,r,r" pure (%c0, %c6) : (i32, i32) -> i64
  tile.call @equal64(%r52, %c37) : (i64, i64) -> ()
  %k38 = arith.constant -430901571682656900 : i64
  %c38 = arith.addi %k38, %zero64 : i64
  %r53 = tile.inline_ptx "mul.wide.s32 $0, $1, $2;" constraints "=l,r,r" pure (%c0, %c6) : (i32, i32) -> i64
  tile.call @equal64(%r53, %c38) : (i64, i64) -> ()
  %k39 = arith.constant 7 : i32
  %c39 = arith.addi %k39, %zero : i32
  %k40 = arith.constant 153308816 : i32
  %c40 = arith.addi %k40, %zero : i32
  %r54 = tile.inline_ptx "mad.hi.u32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c39) : (i32, i32, i32) -> i32
  tile.call @equal(%r54, %c40) : (i32, i32) -> ()
  %k41 = arith.constant -7727613741007582536 : i64
  %c41 = arith.addi %k41, %zero64 : i64
  %r55 = tile.inline_ptx "mad.wide.s32 $0, $1, $2, $3;" constraints "=l,r,r,l" pure (%c0, %c6, %c2) : (i32, i32, i64) -> i64
  tile.call @equal64(%r55, %c41) : (i64, i64) -> ()
  %k42 = arith.constant -25924 : i16
  %c42 = arith.addi %k42, %zero16 : i16
  %k43 = arith.constant 32767 : i16
  %c43 = arith.addi %k43, %zero16 : i16
  %k44 = arith.constant -849451708 : i32
  %c44 = arith.addi %k44, %zero : i32
  %r56 = tile.inline_ptx "mul.wide.s16 $0, $1, $2;" constraints "=r,h,h" pure (%c42, %c43) : (i16, i16) -> i32
  tile.call @equal(%r56, %c44) : (i32, i32) -> ()
  %k45 = arith.constant 100 : i32
  %c45 = arith.addi %k45, %zero : i32
  %k46 = arith.constant -5900 : i32
  %c46 = arith.addi %k46, %zero : i32
  %r57 = tile.inline_ptx "dp4a.s32.s32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c45) : (i32, i32, i32) -> i32
  tile.call @equal(%r57, %c46) : (i32, i32) -> ()
  %r58 = tile.inline_ptx "dp4a.s32.u32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c45) : (i32, i32, i32) -> i32
  tile.call @equal(%r58, %c46) : (i32, i32) -> ()
  %k47 = arith.constant 32500 : i32
  %c47 = arith.addi %k47, %zero : i32
  %r59 = tile.inline_ptx "dp4a.u32.s32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c45) : (i32, i32, i32) -> i32
  tile.call @equal(%r59, %c47) : (i32, i32) -> ()
  %r60 = tile.inline_ptx "dp4a.u32.u32 $0, $1, $2, $3;" constraints "=r,r,r,r" pure (%c0, %c6, %c45) : (i32, i32, i32) -> i32
  tile.call @equal(%r60, %c47) : (i32, i32) -> ()
  tile.return
}
