//===- InlinePtx.c - a kernel's own PTX, on the CPU -----------------------===//
//
// Before:  %y = tile.inline_ptx "mul.rn.f32 $0, $1, $2;" constraints "=f,f,f" pure (%a, %b)
// After:   %y = arith.mulf %a, %b
//
// Kernels name an instruction where they want that one and no other: a product that is not fused,
// an approximation. What arith and math compute here is rounded correctly, or nearly so: an
// approximation of the GPU's is a little further from the value, and flushes what is subnormal.
// Longer texts convert numbers by their bits, several a register. A tile of which a text takes N
// elements (pack) is taken apart into N tiles, and registers are made of these:
//
// Before:  %y = tile.inline_ptx "shl.b32 $0, $1, 4;" constraints "=r,r" pack 4 pure (%x) : 64 x i8
// After:   %x0, .. %x3 = the elements 4 i, .. 4 i + 3 of %x : 16 x i8
//          %r = %x0 | %x1 << 8 | %x2 << 16 | %x3 << 24      %s = %r << 4
//          %y = the bytes of %s, side by side again
//
// The GPU's clock of nanoseconds, %globaltimer, is the C library's (Clock.c).
//
// In the region of a reduction or scan it works on scalars, which the combination computes vector
// by vector.
//
// A text with anything else than the instructions of Instructions.c stays, and is refused.
//===----------------------------------------------------------------------===//
#include "Ptx.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_PACK = 16, MAX_LETTERS = 64 };

/// Elements of one operand, or of a result, as one text has them.
typedef struct {
  MlirType element;
  int bits, perRegister, registers;
  int registerBits;
} Group;

/// As the GPU's lowering groups them.
static bool groupOf(MlirType type, int pack, char letter, Group *g) {
  MlirType element = tileElementType(type);
  if (!mlirTypeIsAInteger(element) && !mlirTypeIsAFloat(element)) return false;
  *g = (Group){.element = element, .bits = tileBitWidth(element)};
  if (g->bits < 8) return false;
  g->perRegister = g->bits < 32 ? 32 / g->bits : 1;
  while (g->perRegister > 1 && (g->perRegister > pack || pack % g->perRegister))
    g->perRegister /= 2;
  g->registers = pack / g->perRegister;
  int packed = g->bits * g->perRegister, wanted = letter == 'r' ? 32 : letter == 'h' ? 16 : packed;
  g->registerBits = packed < wanted ? wanted : packed;
  return true;
}

/// The letters of the constraints, in their order; -1 where there are others than registers.
static int readLetters(MlirStringRef text, char letters[MAX_LETTERS]) {
  int count = 0;
  for (size_t i = 0; i < text.length; ++i) {
    char c = text.data[i];
    if (strchr("=&, ", c)) continue;
    if (!strchr("rlfdhc", c) || count == MAX_LETTERS) return -1;
    letters[count++] = c;
  }
  return count;
}

//===- elements apart and together ----------------------------------------===//

static MlirType shaped(MlirType element, int rank, int64_t a, int64_t b, int64_t c) {
  const int64_t shape[] = {a, b, c};
  return mlirRankedTensorTypeGet(rank, shape, element, mlirAttributeGetNull());
}

/// Elements 0, 1, .. of each row of `x`, n x m, as tiles of n; m is a power of two.
static void takeApart(TileBuilder *b, MlirValue x, int64_t n, int m, MlirValue *parts) {
  MlirType element = tileElementType(mlirValueGetType(x));
  if (m == 1) {
    parts[0] = tileBuildUnary(b, "tile.reshape", shaped(element, 1, n, 0, 0), x);
    return;
  }
  MlirType half = shaped(element, 2, n, m / 2, 0), halves[2] = {half, half};
  x = tileBuildUnary(b, "tile.reshape", shaped(element, 3, n, m / 2, 2), x);
  MlirOperation split = tileBuildOp(b, "tile.split", TILE_VALUES(x), 2, halves, TILE_NONE, 0);
  MlirValue evens[MAX_PACK], odds[MAX_PACK];
  takeApart(b, mlirOperationGetResult(split, 0), n, m / 2, evens);
  takeApart(b, mlirOperationGetResult(split, 1), n, m / 2, odds);
  for (int i = 0; i < m; ++i) parts[i] = i % 2 ? odds[i / 2] : evens[i / 2];
}

/// The other way: n x m of `count` = m parts.
static MlirValue putTogether(TileBuilder *b, const MlirValue *parts, int64_t n, int m) {
  MlirType element = tileElementType(mlirValueGetType(parts[0]));
  if (m == 1) return tileBuildUnary(b, "tile.reshape", shaped(element, 2, n, 1, 0), parts[0]);
  MlirValue evens[MAX_PACK], odds[MAX_PACK];
  for (int i = 0; i < m; ++i) (i % 2 ? odds : evens)[i / 2] = parts[i];
  MlirValue even = putTogether(b, evens, n, m / 2), odd = putTogether(b, odds, n, m / 2);
  MlirValue joined =
      tileBuild(b, "tile.join", shaped(element, 3, n, m / 2, 2), TILE_VALUES(even, odd));
  return tileBuildUnary(b, "tile.reshape", shaped(element, 2, n, m, 0), joined);
}

/// Integers of `bits`, widened by zeros or cut off.
static MlirValue toBits(TileBuilder *b, MlirValue v, int bits) {
  MlirType type = mlirValueGetType(v), integers;
  int found = tileBitWidth(tileElementType(type));
  if (!mlirTypeIsAInteger(tileElementType(type)))
    v = tileBuildUnary(b, "arith.bitcast", cpuPtxType(b, type, found), v);
  integers = cpuPtxType(b, type, bits);
  if (found == bits) return v;
  return tileBuildUnary(b, found < bits ? "arith.extui" : "arith.trunci", integers, v);
}

static int packRegisters(TileBuilder *b, const Group *g, const MlirValue *elements,
                         MlirValue *registers) {
  for (int i = 0; i < g->registers; ++i) {
    MlirValue all = toBits(b, elements[i * g->perRegister], g->registerBits);
    for (int k = 1; k < g->perRegister; ++k) {
      MlirValue part = toBits(b, elements[i * g->perRegister + k], g->registerBits);
      MlirValue distance = tileBuildInt(b, mlirValueGetType(part), k * g->bits);
      part = tileBuildBinary(b, "arith.shli", part, distance);
      all = tileBuildBinary(b, "arith.ori", all, part);
    }
    registers[i] = all;
  }
  return g->registers;
}

static void unpackRegisters(TileBuilder *b, const Group *g, const MlirValue *registers,
                            MlirValue *elements) {
  for (int i = 0; i < g->registers * g->perRegister; ++i) {
    MlirValue v = registers[i / g->perRegister];
    MlirValue distance =
        tileBuildInt(b, mlirValueGetType(v), (int64_t)(i % g->perRegister) * g->bits);
    if (i % g->perRegister) v = tileBuildBinary(b, "arith.shrui", v, distance);
    v = toBits(b, v, g->bits);
    MlirType type = mlirValueGetType(v);
    MlirType floats = tileTypeIsTile(type) ? tileWithElement(type, g->element) : g->element;
    elements[i] =
        mlirTypeIsAInteger(g->element) ? v : tileBuildUnary(b, "arith.bitcast", floats, v);
  }
}

//===- the op -------------------------------------------------------------===//

/// Bits of all output registers; the number of them, or -1. `own`: the group that is the op's
/// result, whose registers begin at `first`.
static int readOutputs(MlirOperation op, int pack, const char *letters, int found, Group *own,
                       int *first, int bits[MAX_LETTERS]) {
  MlirAttribute all = tileAttr(op, "outputs");
  bool several = !mlirAttributeIsNull(all);
  int count = 0, groups = several ? (int)mlirArrayAttrGetNumElements(all) : 1;
  for (int i = 0; i < groups; ++i) {
    MlirType type = several ? mlirTypeAttrGetValue(mlirArrayAttrGetElement(all, i))
                            : mlirValueGetType(tileResult(op));
    Group g;
    if (count >= found || !groupOf(type, pack, letters[count], &g) || count + g.registers > found)
      return -1;
    if (i == (several ? (int)tileInlinePtxGetIndex(op) : 0)) {
      *own = g;
      *first = count;
    }
    for (int k = 0; k < g.registers; ++k) bits[count++] = g.registerBits;
  }
  return count;
}

/// The elements of `x` that a text takes, one behind the other; `n` texts.
static void takeElements(TileBuilder *b, MlirValue x, int64_t n, int pack, MlirValue *elements) {
  if (pack == 1) {
    elements[0] = x;
    return;
  }
  MlirType flat = shaped(tileElementType(mlirValueGetType(x)), 2, n, pack, 0);
  takeApart(b, tileBuildUnary(b, "tile.reshape", flat, x), n, pack, elements);
}

/// Registers wrap: what was made of a text, behind `first` and in front of `end`, says so to the
/// checks of offsets and masks.
static void sayWraps(MlirOperation first, MlirOperation end) {
  MlirAttribute unit = mlirUnitAttrGet(mlirOperationGetContext(end));
  for (MlirOperation at = first; !mlirOperationEqual(at, end); at = mlirOperationGetNextInBlock(at))
    if (tileOpIsModular(at))
      mlirOperationSetDiscardableAttributeByName(at, tileString("tile.wraps"), unit);
}

static MlirWalkResult expand(MlirOperation op, void *data) {
  (void)data;
  if (!tileOpIs(op, "tile.inline_ptx") || cpuIsClock(op)) return MlirWalkResultAdvance;
  int pack = (int)tileInlinePtxGetPack(op), first = 0, bits[MAX_LETTERS];
  MlirType type = mlirValueGetType(tileResult(op));
  int64_t shape[TILE_MAX_RANK], n = 1;
  int rank = tileTypeIsTile(type) ? tileShape(type, shape) : 0;
  for (int d = 0; d < rank; ++d) n *= shape[d];
  if (pack < 1 || pack > MAX_PACK || pack & (pack - 1) || n % pack) return MlirWalkResultAdvance;
  char letters[MAX_LETTERS];
  int found = readLetters(tileInlinePtxGetConstraints(op), letters);
  Group own = {0};
  int outputs = readOutputs(op, pack, letters, found, &own, &first, bits), inputs = 0;
  if (outputs < 0) return MlirWalkResultAdvance;
  TileBuilder b = tileBuilderBefore(op);
  MlirOperation start = tileValueGetOp(tileBuildInt(&b, tileI32(b.context), 0));
  MlirValue registers[MAX_LETTERS], results[MAX_LETTERS], elements[MAX_PACK];
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    Group g;
    MlirValue x = tileOperand(op, i);
    if (outputs + inputs >= found ||
        !groupOf(mlirValueGetType(x), pack, letters[outputs + inputs], &g) ||
        outputs + inputs + g.registers > found)
      return MlirWalkResultAdvance;
    takeElements(&b, x, n / pack, pack, elements);
    inputs += packRegisters(&b, &g, elements, registers + inputs);
  }
  MlirType like = pack > 1 ? shaped(tileElementType(type), 1, n / pack, 0, 0) : type;
  if (!cpuRunPtx(&b, tileInlinePtxGetText(op), like, inputs, registers, outputs, bits, results))
    return MlirWalkResultAdvance;
  unpackRegisters(&b, &own, results + first, elements);
  MlirValue made = elements[0];
  if (pack > 1)
    made = tileBuildUnary(&b, "tile.reshape", type, putTogether(&b, elements, n / pack, pack));
  sayWraps(start, op);
  mlirOperationDestroy(start);
  tileReplaceOp(op, TILE_VALUES(made));
  return MlirWalkResultAdvance;
}

void cpuExpandPtx(MlirOperation kernel) {
  mlirOperationWalk(kernel, expand, NULL, MlirWalkPostOrder);
}
