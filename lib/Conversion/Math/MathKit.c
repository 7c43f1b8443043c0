//===- MathKit.c - what math functions are put together of ----------------===//
#include "MathKit.h"
#include "tile/Support/FastMath.h"

V mathRatio(Math *m, V x, V y) {
  MlirAttribute fast = tileParseAttr(m->b->context, "#arith.fastmath<arcp>");
  return tileResult(tileBuildOp(m->b, "arith.divf", TILE_VALUES(x, y), 1, &m->type,
                                TILE_ATTRS({"fastmath", fast}), 0));
}

V mathQuotient(Math *m, V x, V y) {
  MlirAttribute yes = mlirUnitAttrGet(m->b->context);
  return tileResult(tileBuildOp(m->b, "arith.divf", TILE_VALUES(x, y), 1, &m->type,
                                TILE_ATTRS({TILE_DIVISOR_IN_RANGE, yes}), 0));
}

V mathRoot(Math *m, V x) {
  MlirAttribute yes = mlirUnitAttrGet(m->b->context);
  return tileResult(tileBuildOp(m->b, "math.sqrt", TILE_VALUES(x), 1, &m->type,
                                TILE_ATTRS({TILE_RADICAND_IN_RANGE, yes}), 0));
}

V mathAny(Math *m, V lanes) {
  if (!mlirTypeIsAVector(m->masks)) return lanes;
  MlirType i1 = tileI1(m->b->context);
  MlirAttribute kind = tileParseAttr(m->b->context, "#vector.kind<or>");
  return tileResult(tileBuildOp(m->b, "vector.reduction", TILE_VALUES(lanes), 1, &i1,
                                TILE_ATTRS({"kind", kind}), 0));
}

V mathNot(Math *m, V x) {
  V yes = tileBuildInt(m->b, m->masks, 1);
  return tileBuildBinary(m->b, "arith.xori", x, yes);
}

V mathUnless(Math *m, V usual, V quick, V (*rare)(Math *m, V x, V y), V x, V y) {
  V unusual = mathNot(m, usual);
  // %r = scf.if %any { .. } else { what is there }
  MlirOperation op = tileBuildIf(m->b, mathAny(m, unusual), 1, &m->type, true);
  TileBuilder outside = *m->b;
  for (int i = 0; i < 2; ++i) {
    *m->b = tileBuilderAtEnd(tileBody(op, i), outside.location);
    V result = i == 0 ? select(m, unusual, rare(m, x, y), quick) : quick;
    tileBuildOp(m->b, "scf.yield", TILE_VALUES(result), TILE_NONE, TILE_NONE, 0);
  }
  *m->b = outside;
  return tileResult(op);
}

V mathCopySign(Math *m, V x, V sign) {
  V signs = integer(m, (int64_t)((uint64_t)1 << (m->mantissa + (m->wide ? 11 : 8))));
  V magnitudes = integer(m, ~(int64_t)((uint64_t)1 << (m->mantissa + (m->wide ? 11 : 8))));
  V size = tileBuildBinary(m->b, "arith.andi", bits(m, x), magnitudes);
  V top = tileBuildBinary(m->b, "arith.andi", bits(m, sign), signs);
  return floats(m, tileBuildBinary(m->b, "arith.ori", size, top));
}

V mathPolynomial(Math *m, V x, int n, const double *c) {
  V sum = number(m, c[0]);
  for (int i = 1; i < n; ++i) sum = fma3(m, sum, x, number(m, c[i]));
  return sum;
}

V mathNearest(Math *m, V x, double scale, V *asInt) {
  V magic = number(m, pick(m, 0x1.8p23, 0x1.8p52)), factor = number(m, scale);
  V shifted = fma3(m, x, factor, magic);
  V low = bits(m, shifted), base = bits(m, magic);
  *asInt = isub(m, low, base);
  return sub(m, shifted, magic);
}

V mathScale(Math *m, V x, V n) {
  V half = iop(m, "arith.shrsi", n, 1);
  V rest = isub(m, n, half);
  V parts[2] = {half, rest};
  for (int i = 0; i < 2; ++i) {
    V biased = iop(m, "arith.addi", parts[i], m->bias);
    V factor = floats(m, iop(m, "arith.shli", biased, m->mantissa));
    x = mul(m, x, factor);
  }
  return x;
}

V mathClamp(Math *m, V x, double low, double high) {
  V above = compareNumber(m, OGT, x, high);
  x = selectNumber(m, above, high, x);
  V below = compareNumber(m, OLT, x, low);
  return selectNumber(m, below, low, x);
}
