//===- Dispatch.c - which function lowers an op, and the ops of a block ---===//
//
// Ops are lowered one by one, in order, each by the function that Lowerings.def names for it, or,
// of arith, math and scf, by that of its dialect.
//
// Honest recursion: an op with regions lowers the blocks inside of it (scf here, the two roles in
// Roles.c), and a chain of element-wise ops is lowered as often as a tile has strips (Strips.c). So
// these three files call each other; no other file of TileToGPU calls up.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include <stdlib.h>

//===- structured control flow --------------------------------------------===//

/// scf.for, if, while and their terminators: the same op over thread values.
static MlirLogicalResult lowerStructured(Lowering *l, MlirOperation op) {
  intptr_t numOperands = mlirOperationGetNumOperands(op),
           numResults = mlirOperationGetNumResults(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType *types = malloc((size_t)(numResults + 1) * sizeof *types);
  if (!types) abort();
  if (!lowerResultTypes(l, op, types)) {
    free(types);
    return mlirLogicalResultFailure();
  }
  MlirOperationState state = mlirOperationStateGet(tileOpName(op), loc);
  mlirOperationStateAddResults(&state, numResults, types);
  free(types);
  for (intptr_t i = 0; i < numOperands; ++i) {
    MlirValue operand = lowerGet(l, mlirOperationGetOperand(op, i));
    mlirOperationStateAddOperands(&state, 1, &operand);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute attr = mlirOperationGetAttribute(op, i);
    if (!tileStringIs(mlirIdentifierStr(attr.name), "tile.num_stages") &&
        !tileStringIs(mlirIdentifierStr(attr.name), "tile.most_steps"))
      mlirOperationStateAddAttributes(&state, 1, &attr);
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirRegion region = mlirRegionCreate();
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  MlirOperation made = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(l->b.block, made);
  TileBuilder outside = l->b;
  MlirLogicalResult result = mlirLogicalResultSuccess();
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op) && mlirLogicalResultIsSuccess(result);
       ++r) {
    MlirBlock from = tileBody(op, r);
    if (mlirBlockIsNull(from)) continue;
    MlirBlock to = mlirBlockCreate(0, NULL, NULL);
    mlirRegionAppendOwnedBlock(mlirOperationGetRegion(made, r), to);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(from); ++i) {
      MlirValue arg = mlirBlockGetArgument(from, i);
      MlirType type = lowerType(l, loc, mlirValueGetType(arg));
      if (mlirTypeIsNull(type)) return mlirLogicalResultFailure();
      lowerSet(l, arg, mlirBlockAddArgument(to, type, mlirValueGetLocation(arg)));
    }
    l->b.block = to;
    result = lowerBlock(l, from);
  }
  l->b = outside;
  for (intptr_t i = 0; i < numResults; ++i)
    lowerSet(l, mlirOperationGetResult(op, i), mlirOperationGetResult(made, i));
  return result;
}

//===- dispatch -----------------------------------------------------------===//

/// What only the host evaluates, and what stands for nothing.
MlirLogicalResult lowerNothing(Lowering *l, MlirOperation op) {
  (void)l, (void)op;
  return mlirLogicalResultSuccess();
}

/// An address is an i64, whatever lies there.
MlirLogicalResult lowerSame(Lowering *l, MlirOperation op) {
  lowerSet(l, tileResult(op), lowerGet(l, tileOperand(op, 0)));
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerReturn(Lowering *l, MlirOperation op) {
  (void)op;
  tileBuildOp(&l->b, "llvm.return", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerGpuBarrier(Lowering *l, MlirOperation op) {
  (void)op;
  lowerBarrier(l);
  return mlirLogicalResultSuccess();
}

static const struct {
  const char *name;
  LowerFn lower;
} lowerings[] = {
#define TILE_LOWERING(name, function) {name, lower##function},
#include "Lowerings.def"
};

LowerFn lowerFind(MlirOperation op) {
  for (size_t i = 0; i < sizeof lowerings / sizeof *lowerings; ++i)
    if (tileOpIs(op, lowerings[i].name)) return lowerings[i].lower;
  bool isMath = tileOpIsOfDialect(op, "math") || tileOpIs(op, "arith.remf");
  if ((isMath || tileOpIsOfDialect(op, "arith")) && lowerInvolvesFloat8(op)) return lowerFloat8;
  if (isMath || tileOpIsOfDialect(op, "arith")) return isMath ? lowerMath : lowerElementwise;
  return tileOpIsOfDialect(op, "scf") ? lowerStructured : NULL;
}

MlirLogicalResult lowerBlock(Lowering *l, MlirBlock from) {
  MlirOperation last = {NULL};
  int renewed = l->numRenewed;
  TILE_FOR_EACH_OP(op, from) {
    if (!mlirOperationIsNull(last)) {
      if (mlirOperationEqual(op, last)) last = (MlirOperation){NULL};
      continue;
    }
    TILE_TRY(lowerStrips(l, op, &last));
    if (!mlirOperationIsNull(last)) {
      if (mlirOperationEqual(op, last)) last = (MlirOperation){NULL};
      continue;
    }
    LowerFn lower = lowerFind(op);
    if (!lower) {
      MlirStringRef name = tileOpName(op);
      tileEmitError(mlirOperationGetLocation(op),
                    "expected an operation that convert-tile-to-gpu lowers, found '%.*s'",
                    (int)name.length, name.data);
      return mlirLogicalResultFailure();
    }
    l->b.location = mlirOperationGetLocation(op);
    // tile-pipeline and tile-allocate-shared know of nothing that the async proxy would have to
    // see.
    l->unfenced = !mlirAttributeIsNull(tileAttr(op, "tile_gpu.unfenced"));
    TILE_TRY(lower(l, op));
  }
  lowerForgetRenewed(l, renewed);
  return mlirLogicalResultSuccess();
}
