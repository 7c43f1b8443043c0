//===- Instructions.c - PTX instructions as arith and math ----------------===//
//
// lop3.b32 %d, %a, %b, %c, 0xf8;   ->   (a & ~b & ~c) | .. | (a & b & c): the rows of its table
// prmt.b32 %d, %a, %b, 0x5746;     ->   four bytes, each shifted to its place
// fma.rn.f16x2 %d, %a, %b, %c;     ->   math.fma of the low halves, and of the high
//
// Those on the bits of integers are in Bits.c. What flushes subnormal numbers (.ftz) and
// approximates is exact here. Instructions: NVIDIA, "Parallel Thread Execution ISA", 9.7.
//===----------------------------------------------------------------------===//
#include "Ptx.h"
#include <string.h>

/// What the last word of a name says: "f16x2" is floats of 16 bits, two a register.
typedef struct {
  char kind; // 's', 'u', 'b', 'f', 'h' (bf16), 'e' (e4m3) or 'g' (e5m2), 'p' (a predicate)
  int bits;  // of an element
  int lanes;
} Type;

static const struct {
  const char *word;
  Type type;
} types[] = {
    {"pred", {'p', 1, 1}},    {"s16", {'s', 16, 1}},   {"s32", {'s', 32, 1}},
    {"s64", {'s', 64, 1}},    {"u16", {'u', 16, 1}},   {"u32", {'u', 32, 1}},
    {"u64", {'u', 64, 1}},    {"b16", {'b', 16, 1}},   {"b32", {'b', 32, 1}},
    {"b64", {'b', 64, 1}},    {"f16", {'f', 16, 1}},   {"f32", {'f', 32, 1}},
    {"f64", {'f', 64, 1}},    {"bf16", {'h', 16, 1}},  {"f16x2", {'f', 16, 2}},
    {"bf16x2", {'h', 16, 2}}, {"s8", {'s', 8, 1}},     {"u8", {'u', 8, 1}},
    {"f32x2", {'f', 32, 2}},  {"e4m3x2", {'e', 8, 2}}, {"e5m2x2", {'g', 8, 2}},
};

/// An instruction by its first word: an op for integers without and with a sign, and for floats.
static const struct {
  const char *word;
  int numInputs;
  const char *unsignedOp, *signedOp, *floatOp;
} simple[] = {
    {"add", 2, "arith.addi", "arith.addi", "arith.addf"},
    {"sub", 2, "arith.subi", "arith.subi", "arith.subf"},
    {"mul", 2, "arith.muli", "arith.muli", "arith.mulf"},
    {"div", 2, NULL, NULL, "arith.divf"},
    {"min", 2, "arith.minui", "arith.minsi", "arith.minnumf"},
    {"max", 2, "arith.maxui", "arith.maxsi", "arith.maxnumf"},
    {"and", 2, "arith.andi", NULL, NULL},
    {"or", 2, "arith.ori", NULL, NULL},
    {"xor", 2, "arith.xori", NULL, NULL},
    {"fma", 3, NULL, NULL, "math.fma"},
    {"neg", 1, NULL, NULL, "arith.negf"},
    {"abs", 1, NULL, NULL, "math.absf"},
    {"sqrt", 1, NULL, NULL, "math.sqrt"},
    {"rsqrt", 1, NULL, NULL, "math.rsqrt"},
    {"ex2", 1, NULL, NULL, "math.exp2"},
    {"lg2", 1, NULL, NULL, "math.log2"},
    {"sin", 1, NULL, NULL, "math.sin"},
    {"cos", 1, NULL, NULL, "math.cos"},
    {"tanh", 1, NULL, NULL, "math.tanh"},
};

typedef struct {
  TileBuilder *b;
  const PtxInstruction *i;
  PtxName name;
  Type type; // of the last word
} Build;

static bool readName(Build *x) {
  PtxName *n = &x->name;
  char *state;
  strcpy(n->text, x->i->name);
  for (char *at = strtok_r(n->text, ".", &state); at; at = strtok_r(NULL, ".", &state)) {
    if (!strcmp(at, "ftz") || !strcmp(at, "rn") || !strcmp(at, "approx") || !strcmp(at, "full"))
      continue;
    if (n->count == 6) return false;
    n->words[n->count++] = at;
  }
  return n->count > 0;
}

static bool readType(const char *word, Type *type) {
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    if (!strcmp(types[i].word, word)) {
      *type = types[i].type;
      return true;
    }
  return false;
}

//===- operands -----------------------------------------------------------===//

static MlirType typeOf(const Build *x, int bits) { return cpuPtxType(x->b, x->i->like, bits); }

static MlirType floatsOf(const Build *x, Type type) {
  MlirContext c = x->b->context;
  MlirType element = type.kind == 'h'   ? mlirBF16TypeGet(c)
                     : type.kind == 'e' ? mlirFloat8E4M3FNTypeGet(c)
                     : type.kind == 'g' ? mlirFloat8E5M2TypeGet(c)
                     : type.bits == 16  ? mlirF16TypeGet(c)
                     : type.bits == 32  ? mlirF32TypeGet(c)
                                        : mlirF64TypeGet(c);
  return tileTypeIsTile(x->i->like) ? tileWithElement(x->i->like, element) : element;
}

static int widthOf(MlirValue v) { return tileBitWidth(tileElementType(mlirValueGetType(v))); }

/// Input `n`, an integer of `bits`; null where the register has others.
static MlirValue input(const Build *x, int n, int bits) {
  const PtxInput *in = &x->i->inputs[n];
  if (in->isImmediate) return tileBuildInt(x->b, typeOf(x, bits), in->number);
  return widthOf(in->value) == bits ? in->value : (MlirValue){NULL};
}

static MlirValue shift(const Build *x, const char *op, MlirValue v, int by) {
  if (!by) return v;
  MlirValue distance = tileBuildInt(x->b, mlirValueGetType(v), by);
  return tileBuildBinary(x->b, op, v, distance);
}

static MlirValue both(const Build *x, const char *op, MlirValue p, MlirValue q) {
  return mlirValueIsNull(p) ? q : tileBuildBinary(x->b, op, p, q);
}

static bool isFloat(Type type) { return type.kind && strchr("fheg", type.kind); }

/// Lane `lane` of a register, as what the instruction computes with.
static MlirValue laneOf(const Build *x, MlirValue v, int lane) {
  if (x->type.lanes > 1) {
    v = shift(x, "arith.shrui", v, lane * x->type.bits);
    v = tileBuildUnary(x->b, "arith.trunci", typeOf(x, x->type.bits), v);
  }
  return isFloat(x->type) ? tileBuildUnary(x->b, "arith.bitcast", floatsOf(x, x->type), v) : v;
}

/// Lanes of `bits` as a register.
static MlirValue packLanes(const Build *x, MlirValue *lanes, int count, int bits) {
  MlirValue all = {NULL};
  for (int i = 0; i < count; ++i) {
    MlirValue v = lanes[i];
    if (!mlirTypeIsAInteger(tileElementType(mlirValueGetType(v))))
      v = tileBuildUnary(x->b, "arith.bitcast", typeOf(x, bits), v);
    if (count == 1) return v;
    v = tileBuildUnary(x->b, "arith.extui", typeOf(x, count * bits), v);
    all = both(x, "arith.ori", all, shift(x, "arith.shli", v, i * bits));
  }
  return all;
}

//===- instructions -------------------------------------------------------===//

static bool buildSimple(Build *x, MlirValue *out) {
  const char *op = NULL;
  int count = x->i->numInputs;
  for (size_t i = 0; i < sizeof simple / sizeof *simple && !op; ++i)
    if (!strcmp(simple[i].word, x->name.words[0]) && simple[i].numInputs == count)
      op = isFloat(x->type)      ? simple[i].floatOp
           : x->type.kind == 's' ? simple[i].signedOp
                                 : simple[i].unsignedOp;
  // "mul.lo.u32" keeps the low half, and "add.u32" has no other word.
  bool low = x->name.count == 3 && !strcmp(x->name.words[1], "lo");
  bool isInteger = !isFloat(x->type), mul = !strcmp(x->name.words[0], "mul");
  if (!op || (isInteger && mul ? !low : x->name.count != 2)) return false;
  MlirValue lanes[2], operands[3];
  for (int lane = 0; lane < x->type.lanes; ++lane) {
    for (int n = 0; n < count; ++n) {
      MlirValue v = input(x, n, x->type.bits * x->type.lanes);
      if (mlirValueIsNull(v)) return false;
      operands[n] = laneOf(x, v, lane);
    }
    lanes[lane] = tileBuild(x->b, op, mlirValueGetType(operands[0]), count, operands);
  }
  *out = packLanes(x, lanes, x->type.lanes, x->type.bits);
  return true;
}

/// a * b + c of integers.
static bool buildMad(Build *x, MlirValue *out) {
  if (x->name.count != 3 || strcmp(x->name.words[1], "lo") || x->i->numInputs != 3) return false;
  MlirValue v[3];
  for (int n = 0; n < 3; ++n) {
    v[n] = input(x, n, x->type.bits);
    if (mlirValueIsNull(v[n])) return false;
  }
  MlirValue product = tileBuildBinary(x->b, "arith.muli", v[0], v[1]);
  *out = tileBuildBinary(x->b, "arith.addi", product, v[2]);
  return true;
}

static bool buildNot(Build *x, MlirValue *out) {
  MlirValue v = x->i->numInputs == 1 ? input(x, 0, x->type.bits) : (MlirValue){NULL};
  if (mlirValueIsNull(v)) return false;
  MlirValue ones = tileBuildInt(x->b, mlirValueGetType(v), -1);
  *out = tileBuildBinary(x->b, "arith.xori", v, ones);
  return true;
}

/// Distances of the width and more leave zeros, or copies of the sign.
static bool buildShift(Build *x, MlirValue *out) {
  if (x->i->numInputs != 2) return false;
  int bits = x->type.bits;
  MlirValue v = input(x, 0, bits), by = input(x, 1, 32);
  if (mlirValueIsNull(v) || mlirValueIsNull(by)) return false;
  bool left = !strcmp(x->name.words[0], "shl"), arithmetic = !left && x->type.kind == 's';
  MlirValue most = tileBuildInt(x->b, mlirValueGetType(by), bits - 1);
  MlirValue fits = tileBuildCmpi(x->b, TILE_ULE, by, most);
  by = tileBuildBinary(x->b, "arith.minui", by, most);
  if (bits > 32) by = tileBuildUnary(x->b, "arith.extui", typeOf(x, bits), by);
  if (bits < 32) by = tileBuildUnary(x->b, "arith.trunci", typeOf(x, bits), by);
  const char *op = left ? "arith.shli" : arithmetic ? "arith.shrsi" : "arith.shrui";
  *out = tileBuildBinary(x->b, op, v, by);
  MlirValue zero = tileBuildInt(x->b, typeOf(x, bits), 0);
  if (!arithmetic) *out = tileBuildSelect(x->b, fits, *out, zero);
  return true;
}

/// A reciprocal.
static bool buildRcp(Build *x, MlirValue *out) {
  MlirValue v = x->i->numInputs == 1 ? input(x, 0, x->type.bits) : (MlirValue){NULL};
  if (mlirValueIsNull(v) || !isFloat(x->type) || x->type.lanes > 1 || x->name.count != 2)
    return false;
  v = laneOf(x, v, 0);
  MlirValue one = tileBuildFloat(x->b, mlirValueGetType(v), 1.0);
  v = tileBuildBinary(x->b, "arith.divf", one, v);
  *out = packLanes(x, &v, 1, x->type.bits);
  return true;
}

static bool buildLop3(Build *x, MlirValue *out) {
  if (x->i->numInputs != 4 || !x->i->inputs[3].isImmediate) return false;
  int64_t table = x->i->inputs[3].number;
  MlirValue v[3][2], zero = tileBuildInt(x->b, typeOf(x, 32), 0), sum = zero;
  MlirValue ones = tileBuildInt(x->b, typeOf(x, 32), -1);
  for (int n = 0; n < 3; ++n) {
    v[n][1] = input(x, n, 32);
    if (mlirValueIsNull(v[n][1])) return false;
    v[n][0] = tileBuildBinary(x->b, "arith.xori", v[n][1], ones);
  }
  for (int row = 0; row < 8; ++row) { // bits of a row: a, b, c
    if (!(table >> row & 1)) continue;
    MlirValue two = tileBuildBinary(x->b, "arith.andi", v[0][row >> 2], v[1][row >> 1 & 1]);
    MlirValue all = tileBuildBinary(x->b, "arith.andi", two, v[2][row & 1]);
    sum = tileBuildBinary(x->b, "arith.ori", sum, all);
  }
  *out = sum;
  return true;
}

/// Bytes 0 to 3 are those of the first input, 4 to 7 of the second; 8 more is the byte's sign.
static bool buildPrmt(Build *x, MlirValue *out) {
  if (x->i->numInputs != 3 || !x->i->inputs[2].isImmediate || x->name.count != 2) return false;
  MlirValue sources[2] = {input(x, 0, 32), input(x, 1, 32)}, all = {NULL};
  if (mlirValueIsNull(sources[0]) || mlirValueIsNull(sources[1])) return false;
  MlirValue byte = tileBuildInt(x->b, typeOf(x, 32), 255);
  for (int place = 0; place < 4; ++place) {
    int which = (int)(x->i->inputs[2].number >> 4 * place & 15);
    MlirValue v = sources[which >> 2 & 1];
    if (which & 8)
      v = shift(x, "arith.shrsi", shift(x, "arith.shli", v, 24 - 8 * (which & 3)), 31);
    else
      v = shift(x, "arith.shrui", v, 8 * (which & 3));
    v = tileBuildBinary(x->b, "arith.andi", v, byte);
    all = both(x, "arith.ori", all, shift(x, "arith.shli", v, 8 * place));
  }
  *out = all;
  return true;
}

static bool buildMov(Build *x, MlirValue *out) {
  bool ok = x->i->numInputs == 1 && x->type.lanes == 1 && x->type.bits == x->i->bits;
  *out = ok ? input(x, 0, x->type.bits) : (MlirValue){NULL};
  return !mlirValueIsNull(*out);
}

/// selp.b16 %d, %a, %b, %p;
static bool buildSelp(Build *x, MlirValue *out) {
  if (x->i->numInputs != 3) return false;
  MlirValue yes = input(x, 0, x->type.bits), no = input(x, 1, x->type.bits), p = input(x, 2, 1);
  if (mlirValueIsNull(yes) || mlirValueIsNull(no) || mlirValueIsNull(p)) return false;
  *out = tileBuildSelect(x->b, p, yes, no);
  return true;
}

/// arith.cmpi's and arith.cmpf's numbers of a comparison; false where it is unknown.
static bool readComparison(const Build *x, int *integer, int *real) {
  static const struct {
    const char *word;
    int isSigned, isUnsigned, isFloat;
  } all[] = {
      {"eq", 0, 0, 1},   {"ne", 1, 1, 6},   {"lt", 2, 6, 4},     {"le", 3, 7, 5},
      {"gt", 4, 8, 2},   {"ge", 5, 9, 3},   {"lo", -1, 6, -1},   {"ls", -1, 7, -1},
      {"hi", -1, 8, -1}, {"hs", -1, 9, -1}, {"neu", -1, -1, 13},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    if (strcmp(all[i].word, x->name.words[1])) continue;
    *integer = x->type.kind == 's' ? all[i].isSigned : all[i].isUnsigned;
    *real = all[i].isFloat;
    return (isFloat(x->type) ? *real : *integer) >= 0;
  }
  return false;
}

/// setp.lt.f16x2 %p|%q, %a, %b; a predicate a lane.
static bool buildSetp(Build *x, MlirValue out[2]) {
  int integer, real;
  if (x->name.count != 3 || x->i->numInputs != 2 || x->i->numOutputs != x->type.lanes ||
      !readComparison(x, &integer, &real))
    return false;
  for (int lane = 0; lane < x->type.lanes; ++lane) {
    MlirValue v[2];
    for (int n = 0; n < 2; ++n) {
      MlirValue all = input(x, n, x->type.bits * x->type.lanes);
      if (mlirValueIsNull(all)) return false;
      v[n] = laneOf(x, all, lane);
    }
    MlirAttribute predicate =
        mlirIntegerAttrGet(tileI64(x->b->context), isFloat(x->type) ? real : integer);
    MlirType truths = typeOf(x, 1);
    out[lane] = tileResult(tileBuildOp(x->b, isFloat(x->type) ? "arith.cmpf" : "arith.cmpi", 2, v,
                                       1, &truths, TILE_ATTRS({"predicate", predicate}), 0));
  }
  return true;
}

/// One number converted, of floats already one: floats to floats, integers to integers, to floats
/// by rn, and from floats that are, or become, whole.
static MlirValue convert(const Build *x, Type from, Type to, bool isWhole, MlirValue v) {
  MlirType type = isFloat(to) ? floatsOf(x, to) : typeOf(x, to.bits);
  const char *op = NULL;
  if (isFloat(from) && from.kind == to.kind && from.bits == to.bits)
    return v; // rounded to a whole number
  if (isFloat(from) && isFloat(to))
    op = from.bits < to.bits ? "arith.extf" : from.bits > to.bits ? "arith.truncf" : NULL;
  else if (isFloat(to))
    op = from.kind == 's' ? "arith.sitofp" : "arith.uitofp";
  else if (isFloat(from))
    op = !isWhole ? NULL : to.kind == 's' ? "arith.fptosi" : "arith.fptoui";
  else if (from.bits == to.bits)
    return v;
  else
    op = from.bits > to.bits ? "arith.trunci" : from.kind == 's' ? "arith.extsi" : "arith.extui";
  return op ? tileBuildUnary(x->b, op, type, v) : (MlirValue){NULL};
}

/// cvt.rn.tf32.f32 %d, %a; to the nearest of 10 bits, of two the even one; rna: the one farther
/// from zero. Infinities and NaNs stay.
static bool buildTf32(Build *x, bool even, MlirValue *out) {
  MlirValue v = x->i->numInputs == 1 && x->i->bits == 32 ? input(x, 0, 32) : (MlirValue){NULL};
  if (mlirValueIsNull(v)) return false;
  MlirType type = mlirValueGetType(v);
  MlirValue half = tileBuildInt(x->b, type, even ? 0xfff : 0x1000),
            one = tileBuildInt(x->b, type, 1);
  if (even) {
    MlirValue odd = tileBuildBinary(x->b, "arith.andi", shift(x, "arith.shrui", v, 13), one);
    half = tileBuildBinary(x->b, "arith.addi", half, odd);
  }
  MlirValue sum = tileBuildBinary(x->b, "arith.addi", v, half);
  MlirValue kept = tileBuildInt(x->b, type, ~0x1fff);
  sum = tileBuildBinary(x->b, "arith.andi", sum, kept);
  MlirValue exponent = tileBuildInt(x->b, type, 0x7f800000);
  MlirValue own = tileBuildBinary(x->b, "arith.andi", v, exponent);
  MlirValue finite = tileBuildCmpi(x->b, TILE_ULT, own, exponent);
  *out = tileBuildSelect(x->b, finite, sum, v);
  return true;
}

/// Numbers beyond the most of 8 bits become the most; NaNs stay.
static MlirValue saturate(const Build *x, Type to, MlirValue v) {
  double most = to.kind == 'e' ? 448 : 57344;
  MlirType type = mlirValueGetType(v);
  v = tileBuildBinary(x->b, "arith.minimumf", v, tileBuildFloat(x->b, type, most));
  return tileBuildBinary(x->b, "arith.maximumf", v, tileBuildFloat(x->b, type, -most));
}

/// What a conversion's name says between "cvt" and its types.
typedef struct {
  const char *toWhole; // the op that rounds to a whole number
  bool truncates, isAway, saturates, isRelu;
} Manner;

static bool readManner(const PtxName *n, Manner *m) {
  static const char *const whole[][2] = {{"rzi", "math.trunc"},
                                         {"rni", "math.roundeven"},
                                         {"rmi", "math.floor"},
                                         {"rpi", "math.ceil"}};
  for (int at = 1; at < n->count - 2; ++at) {
    const char *word = n->words[at];
    bool known = true;
    if (!strcmp(word, "rna"))
      m->isAway = true;
    else if (!strcmp(word, "satfinite"))
      m->saturates = true;
    else if (!strcmp(word, "relu"))
      m->isRelu = true;
    else
      known = false;
    for (size_t i = 0; i < sizeof whole / sizeof *whole && !m->toWhole; ++i)
      if (!strcmp(word, whole[i][0])) m->toWhole = whole[i][1], known = true;
    if (!known) return false;
  }
  m->truncates = m->toWhole && !strcmp(m->toWhole, "math.trunc");
  return true;
}

/// A number as the manner has it, before its type changes: whole, not below 0, within the type.
static MlirValue prepare(const Build *x, const Manner *m, Type to, MlirValue v) {
  MlirType type = mlirValueGetType(v);
  if (m->toWhole && (isFloat(to) || !m->truncates)) v = tileBuildUnary(x->b, m->toWhole, type, v);
  if (m->isRelu) { // a NaN stays
    MlirValue zero = tileBuildFloat(x->b, type, 0.0);
    v = tileBuildBinary(x->b, "arith.maximumf", v, zero);
  }
  return m->saturates ? saturate(x, to, v) : v;
}

/// cvt.rn.f16.f32 %d, %a;  cvt.rn.relu.bf16x2.f32 %d, %high, %low;  cvt.rni.s32.f32 %d, %a;
/// cvt.rn.satfinite.e4m3x2.f16x2 %d, %a;
static bool buildCvt(Build *x, MlirValue *out) {
  const PtxName *n = &x->name;
  Type from = x->type, to;
  Manner m = {0};
  if (n->count < 3 || !readManner(n, &m)) return false;
  if (!strcmp(n->words[n->count - 2], "tf32") && from.kind == 'f' && from.bits == 32)
    return !m.toWhole && !m.saturates && !m.isRelu && buildTf32(x, !m.isAway, out);
  if (m.isAway || !readType(n->words[n->count - 2], &to)) return false;
  bool packed = from.lanes > 1;
  if (m.saturates != (isFloat(to) && to.bits == 8) ||
      ((m.saturates || m.isRelu || m.toWhole) && !isFloat(from)) || (m.isRelu && !isFloat(to)) ||
      (packed && from.lanes != to.lanes) || x->i->numInputs != (packed ? 1 : to.lanes))
    return false;
  MlirValue lanes[2];
  for (int lane = 0; lane < to.lanes; ++lane) {
    int bits = packed ? from.lanes * from.bits : from.bits < 16 ? 16 : from.bits;
    MlirValue v = input(x, packed ? 0 : to.lanes - 1 - lane, bits);
    if (mlirValueIsNull(v)) return false;
    if (!packed && from.bits < 16)
      v = tileBuildUnary(x->b, "arith.trunci", typeOf(x, from.bits), v);
    v = laneOf(x, v, lane);
    if (isFloat(from)) v = prepare(x, &m, to, v);
    lanes[lane] = convert(x, from, to, m.toWhole != NULL, v);
    if (mlirValueIsNull(lanes[lane])) return false;
  }
  *out = packLanes(x, lanes, to.lanes, to.bits);
  return widthOf(*out) == x->i->bits;
}

/// max.NaN.f32 %d, %a, %b; a NaN where one is.  min.xorsign.abs.f32: of the magnitudes, with a sign
/// where one of both has one.
static bool buildExtremum(Build *x, MlirValue *out) {
  const PtxName *n = &x->name;
  if (n->count == 2 || !isFloat(x->type)) return buildSimple(x, out);
  int at = 1;
  bool keepsNan = !strcmp(n->words[at], "NaN"), isMax = !strcmp(n->words[0], "max");
  at += keepsNan;
  bool magnitudes =
      n->count == at + 3 && !strcmp(n->words[at], "xorsign") && !strcmp(n->words[at + 1], "abs");
  if (n->count != at + (magnitudes ? 3 : 1) || x->i->numInputs != 2) return false;
  const char *op = keepsNan ? (isMax ? "arith.maximumf" : "arith.minimumf")
                            : (isMax ? "arith.maxnumf" : "arith.minnumf");
  int width = x->type.bits * x->type.lanes;
  MlirValue a = input(x, 0, width), b = input(x, 1, width), lanes[2];
  if (mlirValueIsNull(a) || mlirValueIsNull(b)) return false;
  MlirValue signs = tileBuildBinary(x->b, "arith.xori", a, b);
  uint64_t sign = (uint64_t)1 << (x->type.bits - 1);
  if (x->type.lanes > 1) sign |= sign << x->type.bits;
  MlirValue mask = tileBuildInt(x->b, mlirValueGetType(a), (int64_t)sign);
  for (int lane = 0; lane < x->type.lanes; ++lane) {
    MlirValue p = laneOf(x, a, lane), q = laneOf(x, b, lane);
    if (magnitudes) p = tileBuildUnary(x->b, "math.absf", mlirValueGetType(p), p);
    if (magnitudes) q = tileBuildUnary(x->b, "math.absf", mlirValueGetType(q), q);
    lanes[lane] = tileBuildBinary(x->b, op, p, q);
  }
  *out = packLanes(x, lanes, x->type.lanes, x->type.bits);
  if (!magnitudes) return true;
  signs = tileBuildBinary(x->b, "arith.andi", signs, mask);
  *out = tileBuildBinary(x->b, "arith.ori", *out, signs);
  return true;
}

bool cpuBuildPtx(TileBuilder *b, const PtxInstruction *instruction, MlirValue outputs[2]) {
  static const struct {
    const char *word;
    bool (*build)(Build *, MlirValue *);
  } others[] = {
      {"mov", buildMov},      {"not", buildNot},   {"shl", buildShift}, {"shr", buildShift},
      {"lop3", buildLop3},    {"prmt", buildPrmt}, {"selp", buildSelp}, {"setp", buildSetp},
      {"cvt", buildCvt},      {"mad", buildMad},   {"rcp", buildRcp},   {"min", buildExtremum},
      {"max", buildExtremum},
  };
  Build x = {.b = b, .i = instruction};
  if (!readName(&x) || !readType(x.name.words[x.name.count - 1], &x.type)) return false;
  if (instruction->numOutputs > 1 && strcmp(x.name.words[0], "setp")) return false;
  if (!isFloat(x.type) &&
      cpuBuildPtxBits(b, instruction, &x.name, x.type.bits, x.type.kind == 's', outputs))
    return true;
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    if (!strcmp(others[i].word, x.name.words[0])) return others[i].build(&x, outputs);
  return buildSimple(&x, outputs);
}
