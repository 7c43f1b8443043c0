//===- TritonExtern.c - functions of libdevice ----------------------------===//
//
// tl.extra.libdevice, and much of tl.math, are calls of NVIDIA's libdevice: __nv_NAMEf of f32,
// __nv_NAME of f64. What arith and math have is made of those; the rest of what these have not is
// composed here. Names and meanings: NVIDIA, "Libdevice User's Guide", version 12.
//===----------------------------------------------------------------------===//
#include "Libdevice/LibdeviceKit.h"
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *symbol; // without __nv_ and, of f32, without the f
  const char *op;
} ExternName;

/// Functions that are one op of the same operands.
static const ExternName plain[] = {
    {"tanh", "math.tanh"},      {"exp", "math.exp"},
    {"exp2", "math.exp2"},      {"expm1", "math.expm1"},
    {"log", "math.log"},        {"log2", "math.log2"},
    {"log10", "math.log10"},    {"log1p", "math.log1p"},
    {"erf", "math.erf"},        {"erfc", "math.erfc"},
    {"floor", "math.floor"},    {"ceil", "math.ceil"},
    {"trunc", "math.trunc"},    {"round", "math.round"},
    {"rint", "math.roundeven"}, {"nearbyint", "math.roundeven"},
    {"sqrt_rn", "math.sqrt"},   {"fsqrt_rn", "math.sqrt"},
    {"dsqrt_rn", "math.sqrt"},  {"frsqrt_rn", "math.rsqrt"},
    {"cbrt", "math.cbrt"},      {"fabs", "math.absf"},
    {"abs", "math.absi"},       {"llabs", "math.absi"},
    {"sin", "math.sin"},        {"cos", "math.cos"},
    {"tan", "math.tan"},        {"asin", "math.asin"},
    {"acos", "math.acos"},      {"atan", "math.atan"},
    {"sinh", "math.sinh"},      {"cosh", "math.cosh"},
    {"asinh", "math.asinh"},    {"acosh", "math.acosh"},
    {"atanh", "math.atanh"},    {"pow", "math.powf"},
    {"powi", "math.fpowi"},     {"atan2", "math.atan2"},
    {"fmod", "arith.remf"},     {"copysign", "math.copysign"},
    {"fma", "math.fma"},        {"fma_rn", "math.fma"},
    {"fmaf_rn", "math.fma"},    {"fmax", "arith.maxnumf"},
    {"fmin", "arith.minnumf"},  {"max", "arith.maxsi"},
    {"min", "arith.minsi"},     {"umax", "arith.maxui"},
    {"umin", "arith.minui"},    {"fadd_rn", "arith.addf"},
    {"dadd_rn", "arith.addf"},  {"fsub_rn", "arith.subf"},
    {"dsub_rn", "arith.subf"},  {"fmul_rn", "arith.mulf"},
    {"dmul_rn", "arith.mulf"},  {"fdiv_rn", "arith.divf"},
    {"ddiv_rn", "arith.divf"},  {"fdividef", "arith.divf"},

};

/// Truths, which libdevice gives as i32.
static const ExternName predicates[] = {
    {"isnan", "math.isnan"},  {"isnand", "math.isnan"},    {"isinf", "math.isinf"},
    {"isinfd", "math.isinf"}, {"finite", "math.isfinite"}, {"isfinited", "math.isfinite"}};

static const char *find(const ExternName *list, size_t count, const char *name) {
  for (size_t i = 0; i < count; ++i)
    if (!strcmp(list[i].symbol, name)) return list[i].op;
  return NULL;
}

/// The name without __nv_, and without the f of f32 where only then it is known.
static const char *lookUp(const ExternName *list, size_t count, char *name) {
  const char *found = find(list, count, name);
  size_t length = strlen(name);
  if (found || length < 2 || name[length - 1] != 'f') return found;
  name[length - 1] = 0;
  found = find(list, count, name);
  name[length - 1] = 'f';
  return found;
}

static const ExternRule *findRule(const ExternRule *rules, const char *name, intptr_t operands) {
  size_t length = strlen(name);
  for (const ExternRule *rule = rules; rule->name; ++rule) {
    size_t known = strlen(rule->name);
    bool isF32 = length == known + 1 && name[known] == 'f';
    if (rule->operands == operands && !strncmp(rule->name, name, known) &&
        (length == known || isF32))
      return rule;
  }
  return NULL;
}

/// What takes several ops; null where there is no such function.
static MlirValue compose(MlirOperation op, TileBuilder *b, const char *name) {
  ExternCall call = {.b = b, .type = tritonResultType(op)};
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count > 4) return (MlirValue){NULL};
  for (intptr_t i = 0; i < count; ++i) call.in[i] = tileOperand(op, i);
  const ExternRule *rule = findRule(externFloats, name, count);
  if (!rule) rule = findRule(externIntegers, name, count);
  if (!rule) rule = findRule(externRounding, name, count);
  bool isNarrow = mlirTypeIsAF32(tileElementType(call.type));
  if (!rule) rule = findRule(isNarrow ? externNarrow : externSpecials, name, count);
  return rule ? rule->build(&call) : (MlirValue){NULL};
}

static MlirLogicalResult convertExtern(MlirOperation op, TileBuilder *b) {
  MlirStringRef symbol = tritonWord(op, "symbol");
  char name[64] = "";
  if (symbol.length > 5 && symbol.length < sizeof name && !memcmp(symbol.data, "__nv_", 5))
    snprintf(name, sizeof name, "%.*s", (int)symbol.length - 5, symbol.data + 5);
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirType type = tritonResultType(op);
  MlirValue operands[4];
  for (intptr_t i = 0; i < count && i < 4; ++i) operands[i] = tileOperand(op, i);
  const char *made = lookUp(plain, sizeof plain / sizeof *plain, name);
  if (made && count <= 4) return tritonReplace(op, tileBuild(b, made, type, count, operands));
  made = lookUp(predicates, sizeof predicates / sizeof *predicates, name);
  if (made && count == 1) {
    MlirType i1 = tileWithElement(type, tileI1(b->context));
    MlirValue is = tileBuildUnary(b, made, i1, operands[0]);
    return tritonReplace(op, tileBuildUnary(b, "arith.extui", type, is));
  }
  if (!strcmp(name, "signbitf") || !strcmp(name, "signbitd")) {
    MlirType element = tileElementType(mlirValueGetType(operands[0]));
    int bits = tileBitWidth(element);
    MlirValue x =
        tritonCast(b, "arith.bitcast", operands[0], mlirIntegerTypeGet(b->context, (unsigned)bits));
    MlirValue by = tileBuildInt(b, mlirValueGetType(x), bits - 1);
    x = tileBuildBinary(b, "arith.shrui", x, by);
    if (bits == 64) x = tileBuildUnary(b, "arith.trunci", type, x);
    return tritonReplace(op, x);
  }
  MlirValue composed = compose(op, b, name);
  if (!mlirValueIsNull(composed)) return tritonReplace(op, composed);
  tileEmitError(mlirOperationGetLocation(op),
                "expected a function of libdevice that tile has, found '%.*s'", (int)symbol.length,
                symbol.data);
  return mlirLogicalResultFailure();
}

const TritonRule tritonExternRules[] = {{"tt.extern_elementwise", convertExtern}, {NULL, NULL}};
