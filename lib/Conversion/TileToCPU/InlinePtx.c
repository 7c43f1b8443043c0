//===- InlinePtx.c - PTX of one instruction, on the CPU -------------------===//
//
// Before:  %y = tile.inline_ptx "mul.rn.f32 $0, $1, $2;" constraints "=f,f,f" pure (%a, %b)
// After:   %y = arith.mulf %a, %b
//
// Kernels name an instruction where they want that one and no other: a product that is not fused,
// an approximation. What arith and math compute here is rounded correctly, or nearly so: an
// approximation of the GPU's is a little further from the value, and flushes what is subnormal.
//
// Names: NVIDIA, "Parallel Thread Execution ISA", version 9.0, chapter 9.7.
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include <string.h>

/// How an instruction's operands and result are read.
typedef enum { AS_F32, AS_F64, AS_I32, AS_BITS, TO_F16, TO_BF16 } PtxType;

typedef struct {
  const char *name;
  int numInputs;
  const char *op;
  PtxType type;
} PtxRule;

/// Without .ftz. An op of one input that divides stands for a reciprocal.
static const PtxRule rules[] = {
    {"add.f32", 2, "arith.addf", AS_F32},
    {"add.rn.f32", 2, "arith.addf", AS_F32},
    {"sub.f32", 2, "arith.subf", AS_F32},
    {"sub.rn.f32", 2, "arith.subf", AS_F32},
    {"mul.f32", 2, "arith.mulf", AS_F32},
    {"mul.rn.f32", 2, "arith.mulf", AS_F32},
    {"div.rn.f32", 2, "arith.divf", AS_F32},
    {"div.full.f32", 2, "arith.divf", AS_F32},
    {"div.approx.f32", 2, "arith.divf", AS_F32},
    {"fma.rn.f32", 3, "math.fma", AS_F32},
    {"min.f32", 2, "arith.minnumf", AS_F32},
    {"max.f32", 2, "arith.maxnumf", AS_F32},
    {"neg.f32", 1, "arith.negf", AS_F32},
    {"abs.f32", 1, "math.absf", AS_F32},
    {"rcp.rn.f32", 1, "arith.divf", AS_F32},
    {"rcp.approx.f32", 1, "arith.divf", AS_F32},
    {"sqrt.rn.f32", 1, "math.sqrt", AS_F32},
    {"sqrt.approx.f32", 1, "math.sqrt", AS_F32},
    {"rsqrt.approx.f32", 1, "math.rsqrt", AS_F32},
    {"ex2.approx.f32", 1, "math.exp2", AS_F32},
    {"lg2.approx.f32", 1, "math.log2", AS_F32},
    {"sin.approx.f32", 1, "math.sin", AS_F32},
    {"cos.approx.f32", 1, "math.cos", AS_F32},
    {"tanh.approx.f32", 1, "math.tanh", AS_F32},
    {"add.rn.f64", 2, "arith.addf", AS_F64},
    {"mul.rn.f64", 2, "arith.mulf", AS_F64},
    {"div.rn.f64", 2, "arith.divf", AS_F64},
    {"fma.rn.f64", 3, "math.fma", AS_F64},
    {"add.s32", 2, "arith.addi", AS_I32},
    {"add.u32", 2, "arith.addi", AS_I32},
    {"sub.s32", 2, "arith.subi", AS_I32},
    {"mul.lo.s32", 2, "arith.muli", AS_I32},
    {"mul.lo.u32", 2, "arith.muli", AS_I32},
    {"and.b32", 2, "arith.andi", AS_I32},
    {"or.b32", 2, "arith.ori", AS_I32},
    {"xor.b32", 2, "arith.xori", AS_I32},
    {"mov.b32", 1, NULL, AS_BITS},
    {"mov.u32", 1, NULL, AS_BITS},
    {"mov.b64", 1, NULL, AS_BITS},
    {"cvt.rn.f16.f32", 1, "arith.truncf", TO_F16},
    {"cvt.rn.bf16.f32", 1, "arith.truncf", TO_BF16},
};

//===- the text -----------------------------------------------------------===//

static void skip(MlirStringRef *text, const char *letters) {
  while (text->length && strchr(letters, text->data[0])) ++text->data, --text->length;
}

/// Takes `word` from the front of the text, if it is there.
static bool take(MlirStringRef *text, const char *word) {
  size_t length = strlen(word);
  skip(text, " \t\n");
  if (text->length < length || strncmp(text->data, word, length) != 0) return false;
  text->data += length;
  text->length -= length;
  return true;
}

/// "NAME $0, $1, $2;" and no more; NULL for any other text.
static const PtxRule *findRule(MlirStringRef text, intptr_t numInputs) {
  char name[32];
  size_t length = 0;
  skip(&text, " \t\n");
  for (; text.length && !strchr(" \t", text.data[0]) && length + 1 < sizeof name;
       ++text.data, --text.length)
    name[length++] = text.data[0];
  name[length] = 0;
  char *flush = strstr(name, ".ftz");
  if (flush) memmove(flush, flush + 4, strlen(flush + 4) + 1);
  static const char *const places[] = {"$0", "$1", "$2", "$3"};
  for (intptr_t i = 0; i <= numInputs; ++i) {
    if (i > 3 || (i && !take(&text, ",")) || !take(&text, places[i])) return NULL;
  }
  bool ends = take(&text, ";");
  skip(&text, " \t\n");
  if (!ends || text.length) return NULL;
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
    if (rules[i].numInputs == numInputs && !strcmp(rules[i].name, name)) return &rules[i];
  return NULL;
}

//===- the op -------------------------------------------------------------===//

static MlirType elementOf(MlirContext context, PtxType type, MlirType own) {
  switch (type) {
  case AS_F64:
    return mlirF64TypeGet(context);
  case AS_I32:
    return tileI32(context);
  case AS_BITS:
    return own;
  default:
    return tileF32(context);
  }
}

/// `x` with elements of type `element`, of as many bits.
static MlirValue cast(TileBuilder *b, MlirValue x, MlirType element) {
  MlirType from = mlirValueGetType(x);
  MlirType type = tileTypeIsTile(from) ? tileWithElement(from, element) : element;
  return mlirTypeEqual(from, type) ? x : tileBuildUnary(b, "arith.bitcast", type, x);
}

static int widthOf(MlirValue x) { return tileBitWidth(tileElementType(mlirValueGetType(x))); }

static MlirWalkResult expand(MlirOperation op, void *data) {
  (void)data;
  if (!tileOpIs(op, "tile.inline_ptx") || tileInlinePtxGetPack(op) != 1)
    return MlirWalkResultAdvance;
  intptr_t count = mlirOperationGetNumOperands(op);
  const PtxRule *rule = findRule(tileInlinePtxGetText(op), count);
  if (!rule) return MlirWalkResultAdvance;
  TileBuilder b = tileBuilderBefore(op);
  MlirValue result = tileResult(op), inputs[3];
  MlirType own = tileElementType(mlirValueGetType(result));
  MlirType element = elementOf(b.context, rule->type, own);
  MlirType narrow = rule->type == TO_F16    ? mlirF16TypeGet(b.context)
                    : rule->type == TO_BF16 ? mlirBF16TypeGet(b.context)
                                            : element;
  // Registers may be wider than elements: what the rest of them holds is the text's own business.
  if (widthOf(result) != tileBitWidth(narrow)) return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < count; ++i)
    if (widthOf(tileOperand(op, i)) != tileBitWidth(element)) return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < count; ++i) inputs[i] = cast(&b, tileOperand(op, i), element);
  MlirType type = tileTypeIsTile(mlirValueGetType(result))
                      ? tileWithElement(mlirValueGetType(result), narrow)
                      : narrow;
  MlirValue made = inputs[0];
  if (rule->op && rule->numInputs == 1 && !strcmp(rule->op, "arith.divf"))
    made = tileBuildBinary(&b, rule->op, tileBuildFloat(&b, type, 1.0), inputs[0]);
  else if (rule->op)
    made = tileBuild(&b, rule->op, type, count, inputs);
  made = cast(&b, made, own);
  tileReplaceOp(op, TILE_VALUES(made));
  return MlirWalkResultAdvance;
}

void cpuExpandPtx(MlirOperation kernel) {
  mlirOperationWalk(kernel, expand, NULL, MlirWalkPostOrder);
}
