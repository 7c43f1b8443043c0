//===- Rewrites.h - code as LLVM and ptxas want it --------------*- C -*-===//
//
// What upstream's conversions and optimizations leave is right, and slower than it need be, or more
// than LLVM's NVPTX backend takes: each file of this folder mends one habit, which it names, in
// LLVM IR or in the PTX that comes of it. Gpu.c says in which order. None changes what is computed.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TARGET_REWRITES_H
#define TILE_TARGET_REWRITES_H

#include "../Emit.h"
#include "tile/Text.h"

//===- reading LLVM IR ----------------------------------------------------===//

/// Calls `visit` with each instruction of the module, a builder to place, and `data`; it may erase
/// the instruction.
void tileTargetVisit(LLVMModuleRef module, void (*visit)(LLVMBuilderRef, LLVMValueRef, void *),
                     void *data);

/// What lane `*lane` of `value`, of a vector that is put together, was taken from, one step back;
/// of a number the lane is 0. Null: it was not.
LLVMValueRef tileTargetStepBack(LLVMValueRef value, unsigned *lane);

/// The name of the function that `instruction` calls; "" where it calls none.
const char *tileTargetGetCallee(LLVMValueRef instruction);

/// The PTX that `instruction` is as text; "" where it is none.
const char *tileTargetGetText(LLVMValueRef instruction);

/// What `instruction` calls: one or the other; "" where it calls nothing.
const char *tileTargetGetCalled(LLVMValueRef instruction);

/// The type of a vector's elements, or `type` itself.
LLVMTypeRef tileTargetElementOf(LLVMTypeRef type);

/// Is it a float of 16 bits?
bool tileTargetIsHalf(LLVMTypeRef type);

//===- rewrites of LLVM IR ------------------------------------------------===//

/// Takes masked stores of one lane apart (MaskedStores.c).
void tileTargetSplitMaskedStores(LLVMModuleRef module);

/// Chooses between floats where an integer is chosen or bits of it, for x86 (BitChoices.c).
void tileTargetChooseAsFloats(LLVMModuleRef module);

/// Replaces shuffles of constants by these (ConstantShuffles.c); were there any?
bool tileTargetFoldShuffles(LLVMModuleRef module);

/// Has loops carry bytes and halves that are loaded one by one so (CarriedParts.c).
void tileTargetCarryParts(LLVMModuleRef module);

/// Lets loops of unknown length that load `bytes` a thread a step at most count down to 0, so that
/// ptxas unrolls them (CountDown.c).
void tileTargetCountDown(LLVMModuleRef module, uint64_t bytes);

/// Computes distances of a thread's rows from its columns that are the same once
/// (EqualDifferences.c); were there any?
bool tileTargetShareDifferences(LLVMModuleRef module, const TileMachine *machine);

/// Makes choices of conversions of i1 to signed bf16, for NVPTX (TruthsToFloat.c).
void tileTargetChooseTruths(LLVMModuleRef module);

/// Chooses between floats of 16 bits without taking words apart, for ptxas (HalfChoices.c).
void tileTargetChooseHalves(LLVMModuleRef module);

/// Takes fields of words two by two from other bytes in place of shifted ones (PairedFields.c).
void tileTargetPairFields(LLVMModuleRef module);

/// Keeps factors of pairs of 16 bits, to which a constant is added, in a register (KeptFactors.c).
void tileTargetKeepFactors(LLVMModuleRef module, const TileMachine *machine);

/// Adds numbers of 32 bits to the addresses of a block one by one (ChainedSums.c).
void tileTargetChainSums(LLVMBuilderRef builder, LLVMBasicBlockRef block);

/// Hides from the code generator how the columns of a block's addresses move on from step to step,
/// where sums of them and of rows would be too many registers (HiddenColumns.c).
void tileTargetHideColumns(LLVMBuilderRef builder, LLVMBasicBlockRef block,
                           const TileMachine *machine);

/// Computes what one copy alone wants in front of that copy, for ptxas, in kernels with products
/// and blocks of several copies (NearCopies.c).
void tileTargetSinkToCopies(LLVMModuleRef module, const TileMachine *machine);

//===- rewrites of PTX ----------------------------------------------------===//

/// Where `what` is found in PTX, `rewrite` is called with the text from there on: it returns how
/// much of it it has written anew, or 0.
void tileTargetRewritePtx(TileBlob *ptx, const char *what,
                          size_t (*rewrite)(TileText *out, const char *text));

/// Takes sums of two lanes of 16 bits apart in PTX, for ptxas (PackedAdds.c).
void tileTargetSplitPackedAdds(TileBlob *ptx);

/// Negates integers by complements in PTX with maxima or minima, for ptxas (Negations.c).
void tileTargetComplementNegations(TileBlob *ptx);

#endif // TILE_TARGET_REWRITES_H
