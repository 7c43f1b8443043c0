//===- LibdeviceKit.h - writing functions of libdevice in arith and math --===//
#ifndef TILE_CONVERSION_LIBDEVICE_KIT_H
#define TILE_CONVERSION_LIBDEVICE_KIT_H

#include "../TritonToTile.h"
#include "tile/Support/FastMath.h"

/// One call: its operands, numbers or tiles of one shape, and the type of its result.
typedef struct {
  TileBuilder *b;
  MlirValue in[4];
  MlirType type;
} ExternCall;

/// What the call gives.
typedef MlirValue ExternFunction(const ExternCall *c);

/// A function and its name without __nv_, and without the last f that f32 has.
typedef struct {
  const char *name;
  intptr_t operands;
  ExternFunction *build;
} ExternRule;

/// Ended by a null name: functions of floats, of bits and integers, with a direction of rounding,
/// special functions of f32, and those of f64.
extern const ExternRule externFloats[], externIntegers[], externRounding[], externNarrow[],
    externSpecials[];

/// Of LibdeviceBesselNarrow.c, LibdeviceGamma.c and LibdeviceInverse.c, for those tables.
ExternFunction externNarrowJZero, externNarrowJOne, externNarrowYZero, externNarrowYOne,
    externNarrowIZero, externNarrowIOne;
ExternFunction externLogGamma, externGamma, externNarrowLogGamma, externNarrowGamma,
    externErfInverse, externErfcInverse, externNormalInverse, externNarrowErfInverse,
    externNarrowErfcInverse, externNarrowNormalInverse;

/// arith.cmpf predicates, as MLIR numbers them: ordered, and those that NaN fulfils.
enum {
  EXTERN_OEQ = 1,
  EXTERN_OGT,
  EXTERN_OGE,
  EXTERN_OLT,
  EXTERN_OLE,
  EXTERN_UEQ = 8,
  EXTERN_ULT = 11,
  EXTERN_UNE = 13,
  EXTERN_UNO
};

static inline MlirValue xNum(const ExternCall *c, MlirValue like, double value) {
  return tileBuildFloat(c->b, mlirValueGetType(like), value);
}
static inline MlirValue xInt(const ExternCall *c, MlirValue like, int64_t value) {
  return tileBuildInt(c->b, mlirValueGetType(like), value);
}
static inline MlirValue xOp(const ExternCall *c, const char *name, MlirValue x, MlirValue y) {
  return tileBuildBinary(c->b, name, x, y);
}
static inline MlirValue xAdd(const ExternCall *c, MlirValue x, MlirValue y) {
  return xOp(c, "arith.addf", x, y);
}
static inline MlirValue xSub(const ExternCall *c, MlirValue x, MlirValue y) {
  return xOp(c, "arith.subf", x, y);
}
static inline MlirValue xMul(const ExternCall *c, MlirValue x, MlirValue y) {
  return xOp(c, "arith.mulf", x, y);
}
static inline MlirValue xDiv(const ExternCall *c, MlirValue x, MlirValue y) {
  return xOp(c, "arith.divf", x, y);
}
static inline MlirValue xScale(const ExternCall *c, MlirValue x, double by) {
  MlirValue factor = xNum(c, x, by);
  return xMul(c, x, factor);
}
static inline MlirValue xPlus(const ExternCall *c, MlirValue x, double more) {
  MlirValue term = xNum(c, x, more);
  return xAdd(c, x, term);
}
static inline MlirValue xOver(const ExternCall *c, double value, MlirValue x) {
  MlirValue number = xNum(c, x, value);
  return xDiv(c, number, x);
}
/// x / y and the root of x where TILE_DIVISOR_IN_RANGE, or TILE_RADICAND_IN_RANGE, is true.
static inline MlirValue xQuotient(const ExternCall *c, MlirValue x, MlirValue y) {
  MlirType type = mlirValueGetType(x);
  MlirAttribute yes = mlirUnitAttrGet(c->b->context);
  return tileResult(tileBuildOp(c->b, "arith.divf", TILE_VALUES(x, y), 1, &type,
                                TILE_ATTRS({TILE_DIVISOR_IN_RANGE, yes}), 0));
}
static inline MlirValue xRoot(const ExternCall *c, MlirValue x) {
  MlirType type = mlirValueGetType(x);
  MlirAttribute yes = mlirUnitAttrGet(c->b->context);
  return tileResult(tileBuildOp(c->b, "math.sqrt", TILE_VALUES(x), 1, &type,
                                TILE_ATTRS({TILE_RADICAND_IN_RANGE, yes}), 0));
}
/// A function of math, of x's type.
static inline MlirValue xMath(const ExternCall *c, const char *name, MlirValue x) {
  return tileBuildUnary(c->b, name, mlirValueGetType(x), x);
}
static inline MlirValue xFma(const ExternCall *c, MlirValue x, MlirValue y, MlirValue z) {
  return tileBuild(c->b, "math.fma", mlirValueGetType(x), TILE_VALUES(x, y, z));
}
static inline MlirValue xTest(const ExternCall *c, int predicate, MlirValue x, MlirValue y) {
  MlirType truth = tileWithElement(mlirValueGetType(x), tileI1(c->b->context));
  MlirAttribute attr = mlirIntegerAttrGet(tileI64(c->b->context), predicate);
  return tileResult(tileBuildOp(c->b, "arith.cmpf", TILE_VALUES(x, y), 1, &truth,
                                TILE_ATTRS({"predicate", attr}), 0));
}
static inline MlirValue xIs(const ExternCall *c, int predicate, MlirValue x, double value) {
  MlirValue other = xNum(c, x, value);
  return xTest(c, predicate, x, other);
}
static inline MlirValue xPick(const ExternCall *c, MlirValue is, MlirValue yes, MlirValue no) {
  return tileBuildSelect(c->b, is, yes, no);
}
static inline MlirValue xCast(const ExternCall *c, const char *name, MlirValue x,
                              MlirType element) {
  return tritonCast(c->b, name, x, element);
}
static inline bool xIsDouble(MlirValue x) {
  return mlirTypeIsAF64(tileElementType(mlirValueGetType(x)));
}

/// a[0] x^(n-1) + .. + a[n-1].
static inline MlirValue xPolynomial(const ExternCall *c, MlirValue x, const double *a,
                                    size_t count) {
  MlirValue sum = xNum(c, x, a[0]);
  for (size_t i = 1; i < count; ++i) {
    MlirValue next = xNum(c, x, a[i]);
    sum = xFma(c, sum, x, next);
  }
  return sum;
}
#define X_POLYNOMIAL(c, x, a) xPolynomial(c, x, a, sizeof(a) / sizeof *(a))

/// A function of math that has an approximation of the chip (fastmath<afn>), by that.
static inline MlirValue xFast(const ExternCall *c, const char *name, MlirValue x) {
  MlirType type = mlirValueGetType(x);
  MlirAttribute afn = tileParseAttr(c->b->context, "#arith.fastmath<afn>");
  return tileResult(
      tileBuildOp(c->b, name, TILE_VALUES(x), 1, &type, TILE_ATTRS({"fastmath", afn}), 0));
}

/// sin(pi x), or cos(pi x): x is reduced to an eighth of a turn without an error.
MlirValue externTurn(const ExternCall *c, MlirValue x, bool cosine);

#endif
