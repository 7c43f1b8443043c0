//===- Opaque.h - PTX of which ptxas does not know that it does nothing ---===//
//
// A word that comes out as it went in, by a choice that no program makes: that of a grid without
// programs. To LLVM and ptxas it is another one, so what is computed of either is not one value,
// and is not held in registers for both. ptxas sees through a move.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_OPAQUE_H
#define TILE_OPAQUE_H

#define TILE_OPAQUE_WORD                                                                           \
  "{\n.reg .pred never;\n.reg .b32 programs;\nmov.u32 programs, %nctaid.x;\n"                      \
  "setp.eq.u32 never, programs, 0;\nselp.b32 $0, 0, $1, never;\n}"

#endif
