//===- TritonAtomics.c - atomic read-modify-write and compare-and-swap ----===//
#include "TritonToTile.h"
#include <stdio.h>

/// "#tile<rmw_kind fadd>" and so on; null, after MLIR's diagnostic, for a word that tile has not.
static MlirAttribute enumAttr(MlirContext context, const char *name, MlirStringRef word) {
  char text[128];
  snprintf(text, sizeof text, "#tile<%s %.*s>", name, (int)word.length, word.data);
  return tileParseAttr(context, text);
}

static MlirLogicalResult convertRmw(MlirOperation op, TileBuilder *b) {
  MlirStringRef word = tritonWord(op, "kind");
  if (tileStringIs(word, "exch")) word = tileString("xchg");
  MlirAttribute kind = enumAttr(b->context, "rmw_kind", word);
  MlirAttribute order = enumAttr(b->context, "order", tritonWord(op, "sem"));
  MlirAttribute scope = enumAttr(b->context, "scope", tritonWord(op, "scope"));
  if (mlirAttributeIsNull(kind) || mlirAttributeIsNull(order) || mlirAttributeIsNull(scope))
    return tritonRefuse(op, "a kind, an order and a scope that tile has", "another");
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count > 3) return tritonRefuse(op, "pointers, values and a mask", "more");
  MlirValue operands[3] = {tileOperand(op, 0), tileOperand(op, 1)};
  if (count > 2) operands[2] = tileOperand(op, 2);
  MlirType type = tritonResultType(op);
  MlirOperation made =
      tileBuildOp(b, "tile.atomic_rmw", count, operands, 1, &type,
                  TILE_ATTRS({"kind", kind}, {"order", order}, {"scope", scope}), 0);
  return tritonReplace(op, tileResult(made));
}

static MlirLogicalResult convertCas(MlirOperation op, TileBuilder *b) {
  MlirAttribute order = enumAttr(b->context, "order", tritonWord(op, "sem"));
  MlirAttribute scope = enumAttr(b->context, "scope", tritonWord(op, "scope"));
  if (mlirAttributeIsNull(order) || mlirAttributeIsNull(scope))
    return tritonRefuse(op, "an order and a scope that tile has", "another");
  MlirValue operands[3];
  for (intptr_t i = 0; i < 3; ++i) operands[i] = tileOperand(op, i);
  MlirType type = tritonResultType(op);
  MlirOperation made = tileBuildOp(b, "tile.atomic_cas", 3, operands, 1, &type,
                                   TILE_ATTRS({"order", order}, {"scope", scope}), 0);
  return tritonReplace(op, tileResult(made));
}

const TritonRule tritonAtomicRules[] = {
    {"tt.atomic_rmw", convertRmw}, {"tt.atomic_cas", convertCas}, {NULL, NULL}};
