//===- TritonToTile.h - what the files of this folder share ---------------===//
#ifndef TILE_CONVERSION_TRITON_TO_TILE_H
#define TILE_CONVERSION_TRITON_TO_TILE_H

#include "tile/Conversion/Triton.h"
#include "tile/IR.h"
#include "tile/Support/PointerTable.h"

/// Makes tile ops in the place of one op of Triton's. Types of operands and results are tile's by
/// now (convertTypes). Replaces the op, or fails after a diagnostic at it.
typedef MlirLogicalResult TritonConversion(MlirOperation op, TileBuilder *b);

typedef struct {
  const char *name;
  TritonConversion *convert;
} TritonRule;

/// The rules of each file, ended by a null name.
extern const TritonRule tritonShapeRules[], tritonMemoryRules[], tritonAtomicRules[],
    tritonDescriptorRules[], tritonDescriptorRowRules[], tritonComputeRules[],
    tritonDotScaledRules[], tritonCombineRules[], tritonFloatRules[], tritonExternRules[];

/// Gives all values below `func` types of tile's: !tt.ptr<T> becomes !tile.ptr<T>, and a pointer to
/// i1 one to i8, as a truth takes a byte in memory; descriptors and tiles of pointers likewise.
/// Fails after a diagnostic where a type has no equivalent.
MlirLogicalResult tritonConvertTypes(MlirOperation func);

/// On a tt.descriptor_reduce, a unit: its numbers are unsigned, which types of tile's do not say.
#define TRITON_UNSIGNED "tile.unsigned"

/// Makes of each argument that is a descriptor those that it is made of, and a tile.make_desc.
void tritonExpandArguments(MlirOperation func);

/// The rule of tt.make_tensor_descriptor.
TritonConversion tritonConvertMakeDescriptor;
/// Has loops, branches and choices of `func` hand on what descriptors are made of, in their place.
MlirLogicalResult tritonSpreadDescriptors(MlirOperation func);

/// Lets arith and math ops be as exact as Triton's own lowering computes them, and no more: fused
/// products and sums (where `fuses`), approximate division, square root and exponential of f32.
void tritonRelax(MlirOperation op, bool fuses);
/// Replaces a conversion of floats to 8 bits by one to 16 and its low halves, as Triton's lowering
/// has it; false, and nothing done, for any other op.
bool tritonConvertToBytes(MlirOperation op, TileBuilder *b);

/// A word attribute's text; empty where it is absent.
MlirStringRef tritonWord(MlirOperation op, const char *name);
static inline bool tritonWordIs(MlirOperation op, const char *name, const char *word) {
  return tileStringIs(tritonWord(op, name), word);
}

/// The terminator's operands under the op called `name`.
MlirLogicalResult tritonReplaceTerminator(MlirOperation op, TileBuilder *b, const char *name);
/// Puts an op called `name` in the place of `op`: its operands, result types and regions, these
/// attributes.
void tritonRebuild(MlirOperation op, TileBuilder *b, const char *name, intptr_t numAttrs,
                   const TileNamedAttr *attrs);

static inline MlirType tritonResultType(MlirOperation op) {
  return mlirValueGetType(tileResult(op));
}

/// `x` with another element type, by one of the ops that take a value and give one.
static inline MlirValue tritonCast(TileBuilder *b, const char *name, MlirValue x,
                                   MlirType element) {
  return tileBuildUnary(b, name, tileWithElement(mlirValueGetType(x), element), x);
}

/// A tile.reshape where the types differ, else `x`.
MlirValue tritonReshape(TileBuilder *b, MlirValue x, MlirType type);

/// All elements of a tile as one, by an op of two operands that is called so.
MlirValue tritonReduceAll(TileBuilder *b, MlirValue x, const char *name);

/// The upper half of an unsigned product of two i64, from the products of their halves (Warren,
/// Hacker's Delight, 8-2).
MlirValue tritonMulHigh64(TileBuilder *b, MlirValue x, MlirValue y);

/// What `from` says of its result, for the result of `to`, which may be itself (TritonHints.c).
void tritonKeepHints(MlirOperation from, MlirOperation to);
/// Of a loop without dots: the stages that its author asks for.
void tritonKeepStages(MlirOperation op);
/// Of a signed quotient or remainder of tiles: the dividend counts as not below 0.
void tritonTakeAsNonnegative(MlirOperation op);
/// Of ops whose result nobody takes for an offset or a number with a sign, in this function or one
/// that it is handed to: they may wrap. `others`: ops of the module that stay as they are.
void tritonMarkWraps(MlirOperation module, const TilePointerTable *others);
/// Says that `divisor`, a power of two, divides `value` (a pointer: in bytes), as an op of `block`
/// demands; nothing where the value is computed elsewhere.
void tritonPromiseDivisor(MlirValue value, int64_t divisor, MlirBlock block);

/// Replaces an op of one result.
static inline MlirLogicalResult tritonReplace(MlirOperation op, MlirValue value) {
  if (mlirValueIsAOpResult(value)) tritonKeepHints(op, tileValueGetOp(value));
  tileReplaceOp(op, TILE_VALUES(value));
  return mlirLogicalResultSuccess();
}

/// Says at `op` what was expected of it, and fails.
MlirLogicalResult tritonRefuse(MlirOperation op, const char *expected, const char *found);

#endif
