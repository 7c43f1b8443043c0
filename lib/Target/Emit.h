//===- Emit.h - what device and host emission share -----------------------===//
//
// From the LLVM dialect to LLVM IR, through its optimizer and code generator, to a blob. What is
// done to the IR and the PTX on the way is in Rewrites/Rewrites.h.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TARGET_EMIT_H
#define TILE_TARGET_EMIT_H

#include "Recover.h"
#include "tile/Target/Target.h"
#include "llvm-c/TargetMachine.h"

/// A copy of `size` bytes at `data`.
TileBlob tileBlobCreate(const char *data, size_t size);

/// Translates `op` (a builtin.module or gpu.module of LLVM dialect) into `llvm` for `machine`.
/// Returns NULL after a diagnostic.
LLVMModuleRef tileTargetTranslate(MlirOperation op, LLVMContextRef llvm,
                                  LLVMTargetMachineRef machine);

/// Parses LLVM IR text into `llvm`; NULL after a diagnostic.
LLVMModuleRef tileTargetParse(MlirLocation loc, const TileBlob *text, LLVMContextRef llvm);

/// Runs the passes of `pipeline` (opt -passes syntax).
MlirLogicalResult tileTargetOptimize(MlirLocation loc, LLVMModuleRef module, const char *pipeline,
                                     LLVMTargetMachineRef machine);

/// Gives each function the scope that line numbers need. Full line tables would make LLVM write
/// `.target ..., debug`, for which the driver turns its optimizer off; directives alone do not.
MlirLogicalResult tileTargetAddLineInfo(MlirModule module);

/// Gives branches to rare code (tileLocationIsRare) their weights (Rare.c); were there any?
bool tileTargetWeighRare(MlirOperation op);

/// `module` as text.
TileBlob tileTargetPrint(LLVMModuleRef module);

/// `module` through the code generator.
MlirLogicalResult tileTargetGenerate(MlirLocation loc, LLVMModuleRef module,
                                     LLVMTargetMachineRef machine, LLVMCodeGenFileType type,
                                     TileBlob *blob);

/// The machine that runs this process, with every feature it has. The caller disposes of it. NULL
/// after a diagnostic.
LLVMTargetMachineRef tileTargetCreateHostMachine(MlirLocation loc);

#endif // TILE_TARGET_EMIT_H
