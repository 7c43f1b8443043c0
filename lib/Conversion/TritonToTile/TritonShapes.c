//===- TritonShapes.c - program ids, ranges, and ops that move elements ---===//
#include "TritonToTile.h"
#include <stdio.h>

static MlirLogicalResult convertGridIndex(MlirOperation op, TileBuilder *b) {
  MlirStringRef axis = tritonWord(op, "axis");
  if (axis.length != 1 || axis.data[0] < 'x' || axis.data[0] > 'z')
    return tritonRefuse(op, "axis x, y or z", "another");
  char text[32];
  snprintf(text, sizeof text, "#tile<axis %c>", axis.data[0]);
  const char *name = tileOpIs(op, "tt.get_program_id") ? "tile.program_id" : "tile.num_programs";
  MlirAttribute attr = tileParseAttr(b->context, text);
  MlirType type = tritonResultType(op);
  MlirOperation made = tileBuildOp(b, name, TILE_NONE, 1, &type, TILE_ATTRS({"axis", attr}), 0);
  return tritonReplace(op, tileResult(made));
}

static MlirLogicalResult convertRange(MlirOperation op, TileBuilder *b) {
  MlirType type = tritonResultType(op);
  int64_t start = tileIntAttr(op, "start", 0), end = tileIntAttr(op, "end", 0);
  if (!tileTypeIsTile(type) || tileNumElements(type) != end - start)
    return tritonRefuse(op, "as many elements as there are numbers from start to end", "others");
  MlirValue range = tileBuild(b, "tile.arange", type, TILE_NONE);
  if (start) {
    MlirValue first = tileBuildInt(b, type, start);
    range = tileBuildBinary(b, "arith.addi", range, first);
  }
  return tritonReplace(op, range);
}

/// Ops of one operand that tile has, too, under a name of its own.
static MlirLogicalResult convertUnary(MlirOperation op, TileBuilder *b) {
  const char *name = tileOpIs(op, "tt.splat") ? "tile.splat" : "tile.broadcast";
  MlirType type = tritonResultType(op);
  MlirValue x = tileOperand(op, 0);
  if (mlirTypeEqual(mlirValueGetType(x), type)) return tritonReplace(op, x);
  return tritonReplace(op, tileBuildUnary(b, name, type, x));
}

MlirValue tritonReshape(TileBuilder *b, MlirValue x, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(x), type)) return x;
  return tileBuildUnary(b, "tile.reshape", type, x);
}

static MlirLogicalResult convertReshape(MlirOperation op, TileBuilder *b) {
  MlirValue made = tritonReshape(b, tileOperand(op, 0), tritonResultType(op));
  return tritonReplace(op, made);
}

static MlirLogicalResult convertExpandDims(MlirOperation op, TileBuilder *b) {
  MlirType type = tritonResultType(op);
  MlirOperation made = tileBuildOp(b, "tile.expand_dims", TILE_VALUES(tileOperand(op, 0)), 1, &type,
                                   TILE_ATTRS({"axis", tileAttr(op, "axis")}), 0);
  return tritonReplace(op, tileResult(made));
}

static MlirLogicalResult convertTrans(MlirOperation op, TileBuilder *b) {
  MlirAttribute order = tileAttr(op, "order");
  if (mlirAttributeIsNull(order)) return tritonRefuse(op, "an order", "none");
  MlirType type = tritonResultType(op);
  MlirOperation made = tileBuildOp(b, "tile.trans", TILE_VALUES(tileOperand(op, 0)), 1, &type,
                                   TILE_ATTRS({"order", order}), 0);
  return tritonReplace(op, tileResult(made));
}

static MlirLogicalResult convertJoin(MlirOperation op, TileBuilder *b) {
  MlirValue lhs = tileOperand(op, 0), rhs = tileOperand(op, 1);
  MlirType type = tritonResultType(op);
  return tritonReplace(op, tileBuild(b, "tile.join", type, TILE_VALUES(lhs, rhs)));
}

static MlirLogicalResult convertCat(MlirOperation op, TileBuilder *b) {
  MlirValue lhs = tileOperand(op, 0), rhs = tileOperand(op, 1);
  MlirType type = tritonResultType(op);
  MlirAttribute axis = mlirIntegerAttrGet(tileI32(b->context), 0);
  MlirOperation made =
      tileBuildOp(b, "tile.cat", TILE_VALUES(lhs, rhs), 1, &type, TILE_ATTRS({"axis", axis}), 0);
  return tritonReplace(op, tileResult(made));
}

static MlirLogicalResult convertSplit(MlirOperation op, TileBuilder *b) {
  MlirType types[2] = {tritonResultType(op), tritonResultType(op)};
  MlirOperation made =
      tileBuildOp(b, "tile.split", TILE_VALUES(tileOperand(op, 0)), 2, types, TILE_NONE, 0);
  MlirValue lhs = mlirOperationGetResult(made, 0), rhs = mlirOperationGetResult(made, 1);
  tileReplaceOp(op, TILE_VALUES(lhs, rhs));
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult convertGather(MlirOperation op, TileBuilder *b) {
  MlirValue source = tileOperand(op, 0), indices = tileOperand(op, 1);
  MlirType type = tritonResultType(op);
  // Positions are never negative.
  if (tileBitWidth(tileElementType(mlirValueGetType(indices))) < 32)
    indices = tritonCast(b, "arith.extui", indices, tileI32(b->context));
  MlirOperation made = tileBuildOp(b, "tile.gather", TILE_VALUES(source, indices), 1, &type,
                                   TILE_ATTRS({"axis", tileAttr(op, "axis")}), 0);
  return tritonReplace(op, tileResult(made));
}

const TritonRule tritonShapeRules[] = {{"tt.get_program_id", convertGridIndex},
                                       {"tt.get_num_programs", convertGridIndex},
                                       {"tt.make_range", convertRange},
                                       {"tt.splat", convertUnary},
                                       {"tt.broadcast", convertUnary},
                                       {"tt.reshape", convertReshape},
                                       {"tt.expand_dims", convertExpandDims},
                                       {"tt.trans", convertTrans},
                                       {"tt.join", convertJoin},
                                       {"tt.cat", convertCat},
                                       {"tt.split", convertSplit},
                                       {"tt.gather", convertGather},
                                       {NULL, NULL}};
