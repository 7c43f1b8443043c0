//===- Bits.c - PTX instructions on the bits of integers ------------------===//
//
// brev.b32 %d, %a;               ->   halves that change places, of 16 bits, of 8, .. of 1
// bfe.u32 %d, %a, %at, %count;   ->   (a >> at << 32 - count) >> 32 - count
// shf.l.wrap.b32 %d, %a, %b, %c; ->   the upper half of {b, a} << (c & 31)
// mul.hi.s32 %d, %a, %b;         ->   the upper half of a product of 64 bits
//
// Instructions: NVIDIA, "Parallel Thread Execution ISA", 9.7.1.
//===----------------------------------------------------------------------===//
#include "Ptx.h"
#include <string.h>

MlirType cpuPtxType(TileBuilder *b, MlirType like, int bits) {
  MlirType element = mlirIntegerTypeGet(b->context, (unsigned)bits);
  return tileTypeIsTile(like) ? tileWithElement(like, element) : element;
}

typedef struct {
  TileBuilder *b;
  const PtxInstruction *i;
  const PtxName *name;
  int bits; // of what the last word of the name says
  bool isSigned;
} Bits;

static MlirType typeOf(const Bits *x, int bits) { return cpuPtxType(x->b, x->i->like, bits); }

static int widthOf(MlirValue v) { return tileBitWidth(tileElementType(mlirValueGetType(v))); }

static MlirValue number(const Bits *x, int bits, int64_t n) {
  return tileBuildInt(x->b, typeOf(x, bits), n);
}

static MlirValue make(const Bits *x, const char *op, MlirValue p, MlirValue q) {
  return tileBuildBinary(x->b, op, p, q);
}

/// With so many bits, more of which are signs or zeros.
static MlirValue resize(const Bits *x, MlirValue v, int bits, bool isSigned) {
  int has = widthOf(v);
  if (has == bits) return v;
  const char *op = has > bits ? "arith.trunci" : isSigned ? "arith.extsi" : "arith.extui";
  return tileBuildUnary(x->b, op, typeOf(x, bits), v);
}

/// All inputs, of so many bits each; false where there are others.
static bool readInputs(const Bits *x, int count, const int *bits, MlirValue *v) {
  if (x->i->numInputs != count) return false;
  for (int n = 0; n < count; ++n) {
    const PtxInput *in = &x->i->inputs[n];
    if (!in->isImmediate && widthOf(in->value) != bits[n]) return false;
    v[n] = in->isImmediate ? number(x, bits[n], in->number) : in->value;
  }
  return true;
}

static bool buildReversed(const Bits *x, MlirValue *out) {
  static const uint64_t lower[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                   0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
  MlirValue v;
  if (!readInputs(x, 1, &x->bits, &v)) return false;
  for (int n = 0; 1 << n < x->bits; ++n) {
    MlirValue by = number(x, x->bits, 1 << n), mask = number(x, x->bits, (int64_t)lower[n]);
    if (x->bits == 32) mask = number(x, 32, (int32_t)lower[n]);
    MlirValue high = make(x, "arith.andi", make(x, "arith.shrui", v, by), mask);
    v = make(x, "arith.ori", high, make(x, "arith.shli", make(x, "arith.andi", v, mask), by));
  }
  *out = v;
  return true;
}

/// popc, clz: 32 bits of each width.
static bool buildCount(const Bits *x, MlirValue *out) {
  MlirValue v;
  if (!readInputs(x, 1, &x->bits, &v)) return false;
  const char *op = strcmp(x->name->words[0], "popc") ? "math.ctlz" : "math.ctpop";
  *out = resize(x, tileBuildUnary(x->b, op, typeOf(x, x->bits), v), 32, false);
  return true;
}

static bool buildNegOrAbs(const Bits *x, MlirValue *out) {
  MlirValue v;
  if (!x->isSigned || !readInputs(x, 1, &x->bits, &v)) return false;
  *out = make(x, "arith.subi", number(x, x->bits, 0), v);
  if (!strcmp(x->name->words[0], "abs")) *out = make(x, "arith.maxsi", *out, v);
  return true;
}

/// The lowest byte of a position or a number of bits, at most `most`, as wide as the field.
static MlirValue boundedByte(const Bits *x, MlirValue v, int most) {
  v = make(x, "arith.andi", v, number(x, 32, 255));
  return resize(x, make(x, "arith.minui", v, number(x, 32, most)), x->bits, false);
}

/// v << by, or >> by; nothing is left (of a signed one: its sign) where that is all bits.
static MlirValue shifted(const Bits *x, const char *op, MlirValue v, MlirValue by) {
  MlirValue most = number(x, x->bits, x->bits - 1);
  MlirValue made = make(x, op, v, make(x, "arith.minui", by, most));
  if (!strcmp(op, "arith.shrsi")) return made;
  MlirValue fits = tileBuildCmpi(x->b, TILE_ULE, by, most);
  return tileBuildSelect(x->b, fits, made, number(x, x->bits, 0));
}

static bool buildExtract(const Bits *x, MlirValue *out) {
  MlirValue v[3];
  if (!readInputs(x, 3, (int[]){x->bits, 32, 32}, v)) return false;
  const char *right = x->isSigned ? "arith.shrsi" : "arith.shrui";
  MlirValue count = boundedByte(x, v[2], x->bits), zero = number(x, x->bits, 0);
  MlirValue field = shifted(x, right, v[0], boundedByte(x, v[1], x->bits));
  MlirValue above = make(x, "arith.subi", number(x, x->bits, x->bits), count);
  field = shifted(x, right, shifted(x, "arith.shli", field, above), above);
  MlirValue isNone = tileBuildCmpi(x->b, TILE_EQ, count, zero);
  *out = tileBuildSelect(x->b, isNone, zero, field);
  return true;
}

static bool buildInsert(const Bits *x, MlirValue *out) {
  MlirValue v[4];
  if (!readInputs(x, 4, (int[]){x->bits, x->bits, 32, 32}, v)) return false;
  MlirValue at = boundedByte(x, v[2], x->bits), count = boundedByte(x, v[3], x->bits);
  MlirValue ones = number(x, x->bits, -1);
  MlirValue mask = make(x, "arith.xori", shifted(x, "arith.shli", ones, count), ones);
  mask = shifted(x, "arith.shli", mask, at);
  MlirValue field = make(x, "arith.andi", shifted(x, "arith.shli", v[0], at), mask);
  MlirValue rest = make(x, "arith.andi", v[1], make(x, "arith.xori", mask, ones));
  *out = make(x, "arith.ori", field, rest);
  return true;
}

/// shf.l.wrap.b32 and its like: of {second, first}, 64 bits.
static bool buildFunnel(const Bits *x, MlirValue *out) {
  MlirValue v[3];
  if (x->name->count != 4 || !readInputs(x, 3, (int[]){32, 32, 32}, v)) return false;
  bool left = !strcmp(x->name->words[1], "l"), wraps = !strcmp(x->name->words[2], "wrap");
  if ((!left && strcmp(x->name->words[1], "r")) || (!wraps && strcmp(x->name->words[2], "clamp")))
    return false;
  MlirValue by = number(x, 32, wraps ? 31 : 32), high = number(x, 64, 32);
  by = resize(x, make(x, wraps ? "arith.andi" : "arith.minui", v[2], by), 64, false);
  MlirValue both = make(x, "arith.shli", resize(x, v[1], 64, false), high);
  both = make(x, "arith.ori", both, resize(x, v[0], 64, false));
  both = make(x, left ? "arith.shli" : "arith.shrui", both, by);
  *out = resize(x, left ? make(x, "arith.shrui", both, high) : both, 32, false);
  return true;
}

/// mul and mad of 16 or 32 bits: the upper half of the product (.hi), or all of it (.wide).
static bool buildWideProduct(const Bits *x, MlirValue *out) {
  bool isMad = !strcmp(x->name->words[0], "mad"), isHigh = !strcmp(x->name->words[1], "hi");
  if (x->bits > 32 || (!isHigh && strcmp(x->name->words[1], "wide"))) return false;
  int wide = 2 * x->bits, third = isHigh ? x->bits : wide;
  MlirValue v[3];
  if (!readInputs(x, isMad ? 3 : 2, (int[]){x->bits, x->bits, third}, v)) return false;
  MlirValue p = resize(x, v[0], wide, x->isSigned), q = resize(x, v[1], wide, x->isSigned);
  *out = make(x, "arith.muli", p, q);
  if (isHigh)
    *out = resize(x, make(x, "arith.shrui", *out, number(x, wide, x->bits)), x->bits, false);
  if (isMad) *out = make(x, "arith.addi", *out, v[2]);
  return true;
}

/// dp4a.s32.u32: four products of bytes, of a with a sign and of b without, and c.
static bool buildBytes(const Bits *x, MlirValue *out) {
  MlirValue v[3];
  if (x->name->count != 3 || !readInputs(x, 3, (int[]){32, 32, 32}, v)) return false;
  *out = v[2];
  for (int n = 0; n < 4; ++n) {
    MlirValue byte[2];
    for (int k = 0; k < 2; ++k) {
      bool isSigned = !strcmp(x->name->words[1 + k], "s32");
      MlirValue top = make(x, "arith.shli", v[k], number(x, 32, 24 - 8 * n));
      byte[k] = make(x, isSigned ? "arith.shrsi" : "arith.shrui", top, number(x, 32, 24));
    }
    *out = make(x, "arith.addi", *out, make(x, "arith.muli", byte[0], byte[1]));
  }
  return true;
}

bool cpuBuildPtxBits(TileBuilder *b, const PtxInstruction *instruction, const PtxName *name,
                     int bits, bool isSigned, MlirValue *out) {
  static const struct {
    const char *word;
    int count; // of words in the name
    bool (*build)(const Bits *, MlirValue *);
  } known[] = {
      {"brev", 2, buildReversed},   {"popc", 2, buildCount},   {"clz", 2, buildCount},
      {"neg", 2, buildNegOrAbs},    {"abs", 2, buildNegOrAbs}, {"bfe", 2, buildExtract},
      {"bfi", 2, buildInsert},      {"shf", 4, buildFunnel},   {"mul", 3, buildWideProduct},
      {"mad", 3, buildWideProduct}, {"dp4a", 3, buildBytes},
  };
  const Bits x = {.b = b, .i = instruction, .name = name, .bits = bits, .isSigned = isSigned};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (!strcmp(known[i].word, name->words[0]) && known[i].count == name->count)
      return known[i].build(&x, out);
  return false;
}
