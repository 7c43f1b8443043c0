//===- TtgOps.td - of Triton's GPU dialect, what TTIR holds ---------------===//
#ifndef TILE_TRITON_TTG_OPS_TD
#define TILE_TRITON_TTG_OPS_TD

include "Triton/TritonDialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Ttg_BarrierOp : Op<Ttg_Dialect, "barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "A barrier of the program, as 3.9 writes it.";
  let arguments = (ins StrAttr:$space);
  let assemblyFormat = "custom<Word>($space) attr-dict";
}

#endif
