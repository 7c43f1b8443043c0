//===- InlinePtx.c - PTX of the kernel's own, on elements -----------------===//
//
//   %y = tile.inline_ptx "TEXT" constraints "=r,r" pack 4 (%x)      of 8 bits, 8 a thread
//
//   %w = llvm.bitcast %x : vector<8xi8> to vector<2xi32>    4 elements share a register
//   %v = llvm.inline_asm "TEXT", "=r,r" %w[0]               and again for %w[1]
//
// Elements of less than 32 bits are packed as many as fit, and are asked for; alone they are
// widened to what the constraint names. Where a thread holds no multiple of what is packed, the
// last text works on zeros besides.
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include "mlir-c/Dialect/LLVM.h"
#include <stdlib.h>
#include <string.h>

typedef MlirValue V;
enum { MAX_PACK = 16, MAX_REGISTERS = 64 };

/// Elements of one operand, or of the result, as one text has them.
typedef struct {
  MlirType element;
  int bits, perRegister, registers;
  MlirType packed;     ///< an integer of so many elements, or the element itself
  MlirType constraint; ///< what the register is declared as
} Group;

static Group groupOf(const Lowering *l, MlirType type, int pack, char letter) {
  Group g = {.element = lowerElementType(tileElementType(type))};
  g.bits = tileBitWidth(g.element);
  g.perRegister = g.bits < 32 && g.bits >= 8 ? 32 / g.bits : 1;
  while (g.perRegister > 1 && (g.perRegister > pack || pack % g.perRegister)) g.perRegister /= 2;
  g.registers = pack / g.perRegister;
  g.packed = g.perRegister == 1
                 ? g.element
                 : mlirIntegerTypeGet(l->b.context, (unsigned)(g.bits * g.perRegister));
  int bits = tileBitWidth(g.packed), wanted = letter == 'r' ? 32 : letter == 'h' ? 16 : bits;
  bool widens = bits < wanted && mlirTypeIsAInteger(g.packed);
  g.constraint = widens ? mlirIntegerTypeGet(l->b.context, (unsigned)wanted) : g.packed;
  return g;
}

/// Register `i` of the group that begins at element `first` of a thread's.
static V takeRegister(Lowering *l, const Group *g, V value, int count, int first, int i) {
  V parts[4];
  for (int k = 0; k < g->perRegister; ++k) {
    int at = first + i * g->perRegister + k;
    parts[k] = at >= count                                  ? tileBuildZero(&l->b, g->element)
               : mlirTypeIsAVector(mlirValueGetType(value)) ? lowerExtract(l, value, at)
                                                            : value;
  }
  V packed = parts[0];
  if (g->perRegister > 1) {
    packed = lowerFromElements(l, g->element, g->perRegister, parts);
    packed = tileBuildUnary(&l->b, "llvm.bitcast", g->packed, packed);
  }
  if (mlirTypeEqual(g->constraint, g->packed)) return packed;
  return tileBuildUnary(&l->b, "arith.extui", g->constraint, packed);
}

/// The elements of a register of the result.
static void giveRegister(Lowering *l, const Group *g, V value, V *elements) {
  if (!mlirTypeEqual(g->constraint, g->packed))
    value = tileBuildUnary(&l->b, "arith.trunci", g->packed, value);
  if (g->perRegister == 1) {
    elements[0] = value;
    return;
  }
  value = tileBuildUnary(&l->b, "llvm.bitcast", tileVectorType(g->perRegister, g->element), value);
  for (int k = 0; k < g->perRegister; ++k) elements[k] = lowerExtract(l, value, k);
}

/// Outputs of a text, of which an op has one.
typedef struct {
  Group groups[MAX_PACK];
  int count, own;
} Outputs;

static int countRegisters(const Group *groups, int count) {
  int registers = 0;
  for (int i = 0; i < count; ++i) registers += groups[i].registers;
  return registers;
}

/// One text; the registers of its own output, in `results`. Texts that are alike become one.
static void buildText(Lowering *l, MlirOperation op, const Outputs *o, int count, const V *operands,
                      V *results) {
  MlirContext c = l->b.context;
  MlirType types[MAX_REGISTERS];
  int all = 0, first = countRegisters(o->groups, o->own);
  for (int k = 0; k < o->count; ++k)
    for (int i = 0; i < o->groups[k].registers; ++i) types[all++] = o->groups[k].constraint;
  MlirType type = all > 1 ? mlirLLVMStructTypeLiteralGet(c, all, types, false) : types[0];
  TileNamedAttr attrs[3] = {{"asm_string", tileAttr(op, "text")},
                            {"constraints", tileAttr(op, "constraints")},
                            {"has_side_effects", mlirUnitAttrGet(c)}};
  V made = tileResult(tileBuildOp(&l->b, "llvm.inline_asm", count, operands, 1, &type,
                                  tileInlinePtxGetPure(op) ? 2 : 3, attrs, 0));
  for (int i = 0; i < o->groups[o->own].registers; ++i)
    results[i] = all > 1 ? lowerStructElement(l, made, types[first + i], first + i) : made;
}

/// The letters of the constraints, in their order; -1 where there are others than registers. What a
/// text changes besides (~{memory}) is none: what is not pure keeps its place.
static int readConstraints(MlirStringRef text, char letters[MAX_REGISTERS]) {
  int count = 0;
  for (size_t i = 0; i < text.length && count < MAX_REGISTERS;) {
    size_t end = i;
    while (end < text.length && text.data[end] != ',') ++end;
    size_t at = i;
    while (at < end && (text.data[at] == '=' || text.data[at] == '&')) ++at;
    bool clobbers = at < end && text.data[at] == '~';
    if (!clobbers && (at + 1 != end || !strchr("rlfdhc", text.data[at]))) return -1;
    if (!clobbers) letters[count++] = text.data[at];
    i = end + 1;
  }
  return count;
}

static bool refuse(MlirOperation op, int found, int expected) {
  tileEmitError(mlirOperationGetLocation(op),
                "expected a register constraint (r, l, f, d or h) for each of %d registers, found "
                "%d, or others",
                expected, found < 0 ? 0 : found);
  return false;
}

/// The outputs of `op`, whose constraints are `letters`; false where these are too few.
static bool readOutputs(const Lowering *l, MlirOperation op, int pack, const char *letters,
                        int found, Outputs *o) {
  MlirAttribute all = tileAttr(op, "outputs");
  bool several = !mlirAttributeIsNull(all);
  o->count = several ? (int)mlirArrayAttrGetNumElements(all) : 1;
  o->own = several ? (int)tileInlinePtxGetIndex(op) : 0;
  if (o->count > MAX_PACK) return false;
  for (int i = 0, next = 0; i < o->count; ++i) {
    if (next >= found) return false;
    MlirType type = several ? mlirTypeAttrGetValue(mlirArrayAttrGetElement(all, i))
                            : mlirValueGetType(tileResult(op));
    o->groups[i] = groupOf(l, type, pack, letters[next]);
    next += o->groups[i].registers;
  }
  return countRegisters(o->groups, o->count) <= MAX_REGISTERS;
}

bool lowerInlinePtxAs(Lowering *l, MlirOperation op, MlirType type) {
  char letters[MAX_REGISTERS];
  int pack = (int)tileInlinePtxGetPack(op), numInputs = (int)mlirOperationGetNumOperands(op);
  int found = readConstraints(tileInlinePtxGetConstraints(op), letters);
  Outputs outputs;
  Group in[MAX_PACK];
  if (numInputs > MAX_PACK || !readOutputs(l, op, pack, letters, found, &outputs))
    return refuse(op, found, numInputs + 1);
  const Group *out = &outputs.groups[outputs.own];
  int next = countRegisters(outputs.groups, outputs.count);
  for (int i = 0; i < numInputs; ++i) {
    MlirType from = mlirValueGetType(tileOperand(op, i));
    in[i] = groupOf(l, from, pack, next < found ? letters[next] : 'r');
    next += in[i].registers;
  }
  if (next != found) return refuse(op, found, next);
  int count = mlirTypeIsAVector(type) ? (int)mlirShapedTypeGetDimSize(type, 0) : 1;
  V *elements = malloc((size_t)(count + MAX_PACK) * sizeof *elements);
  if (!elements) abort();
  for (int first = 0; first < count; first += pack) {
    V operands[MAX_REGISTERS], results[MAX_PACK];
    int used = 0;
    for (int i = 0; i < numInputs; ++i) {
      V value = lowerGet(l, tileOperand(op, i));
      for (int r = 0; r < in[i].registers; ++r)
        operands[used++] = takeRegister(l, &in[i], value, count, first, r);
    }
    buildText(l, op, &outputs, used, operands, results);
    for (int r = 0; r < out->registers; ++r)
      giveRegister(l, out, results[r], elements + first + r * out->perRegister);
  }
  bool isVector = mlirTypeIsAVector(type);
  lowerSet(l, tileResult(op),
           isVector ? lowerFromElements(l, out->element, count, elements) : elements[0]);
  free(elements);
  return true;
}

MlirLogicalResult lowerInlinePtx(Lowering *l, MlirOperation op) {
  MlirType type = lowerType(l, mlirOperationGetLocation(op), mlirValueGetType(tileResult(op)));
  bool made = !mlirTypeIsNull(type) && lowerInlinePtxAs(l, op, type);
  return made ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
