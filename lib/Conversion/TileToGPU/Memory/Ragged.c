//===- Ragged.c - rows that begin anywhere, in shared memory --------------===//
//
// A ragged buffer has rows of whole chunks of 16 bytes and one more: cp.async copies each chunk of
// memory that some of a row lies in, so that a row begins in shared memory where it does in its
// first chunk. Behind all rows stand these places, in bytes, which who copies writes down.
//
// The thread that has elements v i to v i + v - 1 of a row, 16 bytes from p on, copies the chunk of
// p, and who has the last ones of the row the chunk behind it. With o = p & 15 and n_i the number
// of its elements that the mask, true up to some element, lets through:
//
//   cp.async [row + 16 i], [p - o], 16, min(16, max(0, o - (16 - bytes(n_i-1))) + bytes(n_i))
//
// bytes behind which, also of other rows, become zeros; n_i-1 is the lane's before. Of a mask that
// asks whether columns lie in front of one, n_i is a difference; of others it is counted. In front
// of a row n is what makes its own first chunk whole: no byte of a row that is masked off is read.
//
// Whoever reads an element adds its row's place to its address. What follows each other along the
// row comes as two words, shifted into one: who reads bytes has one of four places in a word.
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"
#include <stdio.h>
#include <stdlib.h>

enum { CHUNK = 16, WORD = 4 };

//===- addresses ----------------------------------------------------------===//

void lowerRaggedFree(LowerRagged *r) {
  free(r->rows);
  *r = (LowerRagged){.rows = NULL};
}

bool lowerRagged(Lowering *l, MlirOperation op, MlirValue buffer, const TileLayout *layout,
                 LowerRagged *r) {
  MlirType type = mlirValueGetType(buffer);
  *r = (LowerRagged){.layout = *layout,
                     .buffer = lowerGet(l, buffer),
                     .element = lowerElementType(tileBufferTypeGetElement(type)),
                     .pitch = tileBufferPitch(type),
                     .column = (int)tileBufferTypeGetOrder(type, 0),
                     .row = (int)tileBufferTypeGetOrder(type, 1)};
  r->bytes = tileElementBytes(r->element);
  r->places = r->pitch * tileBufferTypeGetDim(type, r->row);
  if (!lowerPartsAreDisjoint(layout, 0) || !lowerPartsAreDisjoint(layout, 1)) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected rows and columns of a ragged buffer that registers and threads divide, "
                  "found others");
    return false;
  }
  r->rows = calloc((size_t)lowerNumRegisters(layout), sizeof *r->rows);
  if (!r->rows) abort();
  MlirValue row = lowerThreadPart(l, layout, r->row),
            column = lowerThreadPart(l, layout, r->column);
  MlirValue word = lowerI32(l, WORD), pitch = lowerI32(l, r->pitch), bytes = lowerI32(l, r->bytes);
  r->place = tileBuildBinary(&l->b, "arith.muli", row, word);
  r->start = tileBuildBinary(&l->b, "arith.muli", row, pitch);
  MlirValue along = tileBuildBinary(&l->b, "arith.muli", column, bytes);
  r->start = tileBuildBinary(&l->b, "arith.addi", r->start, along);
  return true;
}

/// The pointer at `start` and `bytes` more in the buffer.
static MlirValue pointerAt(Lowering *l, const LowerRagged *r, MlirValue start, int64_t bytes) {
  MlirValue pointer = lowerOffset(l, lowerSharedPointer(l, start), r->buffer);
  return lowerConstantOffset(l, pointer, bytes);
}

/// What is known of the row that register `reg` is in, once for all of its registers.
static LowerRaggedRow *rowOf(Lowering *l, LowerRagged *r, int reg) {
  int64_t part = lowerRegisterPart(&r->layout, reg, r->row);
  int i = 0;
  while (i < r->numRows && r->rows[i].part != part) ++i;
  LowerRaggedRow *row = &r->rows[i];
  if (i < r->numRows) return row;
  ++r->numRows;
  row->part = part;
  MlirType i32 = tileI32(l->b.context);
  MlirValue at = pointerAt(l, r, r->place, r->places + WORD * part);
  row->place = tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(at), 1, &i32, TILE_NONE, 0));
  row->start = tileBuildBinary(&l->b, "arith.addi", r->start, row->place);
  return row;
}

static MlirValue loadAt(Lowering *l, MlirValue pointer, MlirType type, int bytes) {
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(l->b.context), bytes);
  return tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(pointer), 1, &type,
                                TILE_ATTRS({"alignment", alignment}), 0));
}

/// Bytes from the thread's part of its row to register `reg`, in the buffer.
static int64_t bytesTo(const LowerRagged *r, const LowerRaggedRow *row, int reg) {
  return row->part * r->pitch + lowerRegisterPart(&r->layout, reg, r->column) * r->bytes;
}

static MlirValue loadElement(Lowering *l, LowerRagged *r, int reg) {
  LowerRaggedRow *row = rowOf(l, r, reg);
  return loadAt(l, pointerAt(l, r, row->start, bytesTo(r, row, reg)), r->element, r->bytes);
}

/// Are `count` registers from `reg` on a word of one row, wherever that begins?
static bool isWord(const LowerRagged *r, int reg, int count) {
  int64_t first = lowerRegisterPart(&r->layout, reg, r->column);
  for (int i = 0; i < count; ++i)
    if (lowerRegisterPart(&r->layout, reg + i, r->column) != first + i ||
        lowerRegisterPart(&r->layout, reg + i, r->row) !=
            lowerRegisterPart(&r->layout, reg, r->row))
      return false;
  if (first * r->bytes % WORD) return false;
  for (int in = TILE_LANE; in <= TILE_WARP; ++in)
    for (int b = 0; b < r->layout.inBits[in]; ++b)
      if (tileLayoutCoordinate(r->layout, r->layout.bases[in][b], r->column) * r->bytes % WORD)
        return false;
  return true;
}

MlirValue lowerRaggedWord(Lowering *l, LowerRagged *r, int reg, int count) {
  MlirType i32 = tileI32(l->b.context);
  if (count == 1 || count * r->bytes != WORD || !isWord(r, reg, count)) {
    MlirValue parts[WORD];
    for (int i = 0; i < count; ++i) parts[i] = loadElement(l, r, reg + i);
    MlirValue all = lowerFromElements(l, r->element, count, parts);
    return lowerExtract(l, lowerBitcast(l, all, tileVectorType(1, i32)), 0);
  }
  LowerRaggedRow *row = rowOf(l, r, reg);
  if (mlirValueIsNull(row->words)) {
    MlirValue mask = lowerI32(l, -WORD), eight = lowerI32(l, 8);
    row->words = tileBuildBinary(&l->b, "arith.andi", row->start, mask);
    row->shift = tileBuildBinary(&l->b, "arith.muli", row->place, eight); // modulo 32
  }
  int64_t bytes = bytesTo(r, row, reg);
  MlirValue words[] = {loadAt(l, pointerAt(l, r, row->words, bytes + WORD), i32, WORD),
                       loadAt(l, pointerAt(l, r, row->words, bytes), i32, WORD), row->shift};
  return tileResult(tileBuildOp(&l->b, "llvm.intr.fshr", 3, words, 1, &i32, TILE_NONE, 0));
}

/// Are `count` registers from `reg` on a chunk of 16 bytes of a row of whole chunks?
static bool isChunk(const LowerRagged *r, int reg, int count) {
  for (int i = 0; i < count; ++i)
    if (lowerRegisterPart(&r->layout, reg + i, r->column) !=
            lowerRegisterPart(&r->layout, reg, r->column) + i ||
        lowerRegisterPart(&r->layout, reg + i, r->row) !=
            lowerRegisterPart(&r->layout, reg, r->row))
      return false;
  return tileLayoutContiguous(r->layout, r->column) * r->bytes >= CHUNK;
}

/// Words `from` on of `words` where `on`, else those from 0 on, `count` of them.
static void moveDown(Lowering *l, MlirValue *words, int from, int count, MlirValue on) {
  for (int i = 0; i < count; ++i) words[i] = tileBuildSelect(&l->b, on, words[i + from], words[i]);
}

static MlirValue isSet(Lowering *l, MlirValue bits, int64_t bit) {
  MlirValue mask = lowerI32(l, bit), zero = lowerI32(l, 0);
  MlirValue set = tileBuildBinary(&l->b, "arith.andi", bits, mask);
  return tileBuildCmpi(&l->b, TILE_NE, set, zero);
}

/// The words of a chunk's registers from `reg` on: of the two chunks that they lie in, which have
/// aligned places, moved down by the row's. Lanes that read words 16 bytes apart would meet in
/// banks.
static void loadChunk(Lowering *l, LowerRagged *r, int reg, MlirValue words[4]) {
  enum { WORDS = CHUNK / WORD };
  MlirType i32 = tileI32(l->b.context), part = tileVectorType(WORDS, i32);
  LowerRaggedRow *row = rowOf(l, r, reg);
  MlirValue all[2 * WORDS];
  for (int half = 0; half < 2; ++half) {
    MlirValue at = pointerAt(l, r, r->start, bytesTo(r, row, reg) + half * CHUNK);
    MlirValue chunk = loadAt(l, at, part, CHUNK);
    for (int i = 0; i < WORDS; ++i) all[half * WORDS + i] = lowerExtract(l, chunk, i);
  }
  moveDown(l, all, 2, WORDS + 2, isSet(l, row->place, 2 * WORD));
  moveDown(l, all, 1, WORDS + 1, isSet(l, row->place, WORD));
  MlirValue shift = tileBuildBinary(&l->b, "arith.muli", row->place, lowerI32(l, 8));
  for (int i = 0; i < WORDS; ++i) {
    MlirValue operands[] = {all[i + 1], all[i], shift}; // modulo 32
    words[i] =
        r->bytes == WORD
            ? all[i]
            : tileResult(tileBuildOp(&l->b, "llvm.intr.fshr", 3, operands, 1, &i32, TILE_NONE, 0));
  }
}

MlirLogicalResult lowerRaggedLoad(Lowering *l, MlirOperation op, const TileLayout *layout,
                                  int first, int registers) {
  LowerRagged r;
  MlirType type = lowerElementType(tileElementType(mlirValueGetType(tileResult(op))));
  if (!lowerRagged(l, op, tileBufferLoadGetBuffer(op), layout, &r))
    return mlirLogicalResultFailure();
  int perWord = WORD / r.bytes;
  bool byWords = registers % perWord == 0;
  MlirValue *parts = calloc((size_t)registers, sizeof *parts);
  if (!parts) abort();
  int count = byWords ? registers / perWord : registers, vector = CHUNK / r.bytes;
  for (int i = 0; i < count; ++i)
    if (byWords && i * perWord % vector == 0 && isChunk(&r, first + i * perWord, vector) &&
        i * perWord + vector <= registers) {
      loadChunk(l, &r, first + i * perWord, parts + i);
      i += vector / perWord - 1;
    } else
      parts[i] = byWords ? lowerRaggedWord(l, &r, first + i * perWord, perWord)
                         : loadElement(l, &r, first + i);
  MlirValue all = lowerFromElements(l, byWords ? tileI32(l->b.context) : type, count, parts);
  if (byWords) all = lowerBitcast(l, all, tileVectorType(registers, type));
  lowerSet(l, tileResult(op), all);
  free(parts);
  lowerRaggedFree(&r);
  return mlirLogicalResultSuccess();
}

//===- copies -------------------------------------------------------------===//

typedef struct {
  Lowering *l;
  LowerRagged r;
  int vector;        // elements of a chunk
  MlirValue mask;    // the tile, or null
  MlirValue isFirst; // i1: has this thread a row's first elements?
  MlirValue isLast;  // i1: its last ones?
  MlirValue copies;  // i1: is it the first of those that have the same? Null: always
} RaggedCopy;

static MlirValue binary(RaggedCopy *c, const char *op, MlirValue a, MlirValue b) {
  return tileBuildBinary(&c->l->b, op, a, b);
}

/// The smaller one; null stands for a number that is not less.
static MlirValue smaller(RaggedCopy *c, MlirValue a, MlirValue b) {
  if (mlirValueIsNull(a)) return b;
  return mlirValueIsNull(b) ? a : binary(c, "arith.minsi", a, b);
}

/// Is all that a thread holds of both operands at hand? Of what only ops of a strip read (Strips.c)
/// the last strip is.
static bool holdsOperands(RaggedCopy *c, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue held = lowerGet(c->l, tileOperand(op, i));
    if (mlirValueIsNull(held) || !mlirTypeIsAVector(mlirValueGetType(held)) ||
        mlirShapedTypeGetDimSize(mlirValueGetType(held), 0) != lowerNumRegisters(&c->r.layout))
      return false;
  }
  return true;
}

/// Is `value` a row or column of i32 along `dim`, at hand, whose elements of a chunk go up by 1, or
/// are one number?
static bool isAlong(RaggedCopy *c, MlirValue value, int dim, bool rises) {
  int64_t shape[TILE_MAX_RANK];
  MlirType type = mlirValueGetType(value);
  const TileAxisInfo *info = tileAxisAnalysisGet(c->l->axis, value);
  int rank = tileShape(type, shape);
  if (tileBitWidth(tileElementType(type)) != 32 || info->rank <= dim) return false;
  for (int d = 0; d < rank; ++d)
    if (d != dim && shape[d] != 1) return false;
  int64_t run = rises ? info->contiguity[dim] : info->constancy[dim];
  return run % c->vector == 0 && lowerIsWhole(c->l, value);
}

/// What a thread has of `value`, which repeats along all dimensions but `dim`, for register `reg`
/// of the copy; null where it has it nowhere.
static MlirValue elementFor(RaggedCopy *c, MlirValue value, int dim, int reg) {
  TileLayout layout;
  if (!tileTypeGetLayout(mlirValueGetType(value), &layout)) return (MlirValue){NULL};
  int64_t part = lowerRegisterPart(&c->r.layout, reg, c->r.column);
  for (int r = 0; r < lowerNumRegisters(&layout); ++r)
    if (lowerRegisterPart(&layout, r, dim) == part)
      return lowerExtract(c->l, lowerGet(c->l, value), r);
  return (MlirValue){NULL};
}

/// Of a mask that asks whether columns, one after the other, lie in front of one: how many bytes of
/// the chunk of register `reg` do. Null of any other mask. As numbers without a sign max(end, x) -
/// x is right wherever x and end are.
static MlirValue bytesInFront(RaggedCopy *c, MlirValue mask, int reg) {
  Lowering *l = c->l;
  int dim = c->r.column;
  MlirValue none = {NULL};
  MlirOperation op = tileValueGetOp(mask);
  for (; !mlirOperationIsNull(op) && (tileOpIsABroadcast(op) || tileOpIsAExpandDims(op));
       op = tileValueGetOp(tileOperand(op, 0))) {
    int axis = tileOpIsAExpandDims(op) ? (int)tileExpandDimsGetAxis(op) : TILE_MAX_RANK;
    if (axis == dim) return none;
    dim -= axis < dim;
  }
  if (mlirOperationIsNull(op) || !tileOpIs(op, "arith.cmpi") ||
      tileIntAttr(op, "predicate", -1) != TILE_SLT)
    return none;
  MlirValue x = tileOperand(op, 0), end = tileOperand(op, 1);
  if (!isAlong(c, x, dim, true) || !isAlong(c, end, dim, false)) return none;
  MlirValue first = elementFor(c, x, dim, reg), last = elementFor(c, end, dim, reg);
  if (mlirValueIsNull(first) || mlirValueIsNull(last)) return none;
  MlirValue left = binary(c, "arith.subi", binary(c, "arith.maxsi", last, first), first);
  left = binary(c, "arith.minui", left, lowerI32(l, c->vector));
  return binary(c, "arith.muli", left, lowerI32(l, c->r.bytes));
}

/// How many bytes from register `reg` on, up to a chunk, `mask` lets through, as i32; null: all.
static MlirValue bytesThrough(RaggedCopy *c, MlirValue mask, int reg) {
  Lowering *l = c->l;
  if (mlirValueIsNull(mask)) return mask;
  MlirOperation op = tileValueGetOp(mask);
  // What rows say and what columns say are counted apart: of the latter a loop knows in front.
  if (!mlirOperationIsNull(op) && tileOpIs(op, "arith.andi") && holdsOperands(c, op)) {
    MlirValue one = bytesThrough(c, tileOperand(op, 0), reg);
    return smaller(c, one, bytesThrough(c, tileOperand(op, 1), reg));
  }
  const TileAxisInfo *info = tileAxisAnalysisGet(l->axis, mask);
  MlirValue truths = lowerGet(l, mask), sum = bytesInFront(c, mask, reg);
  if (!mlirValueIsNull(sum)) return sum;
  bool isOne = info->rank > c->r.column && info->constancy[c->r.column] % c->vector == 0;
  for (int i = 0; i < (isOne ? 1 : c->vector); ++i) {
    MlirValue on = lowerExtract(l, truths, reg + i);
    MlirValue yes = lowerI32(l, isOne ? CHUNK : c->r.bytes), no = lowerI32(l, 0);
    MlirValue bytes = tileBuildSelect(&l->b, on, yes, no);
    sum = mlirValueIsNull(sum) ? bytes : binary(c, "arith.addi", sum, bytes);
  }
  return sum;
}

/// How many bytes of the chunk of a place are the lane's before, which has the elements before of
/// the same row, `own` being the thread's. A row that begins here has its chunk whole, or not at
/// all.
static MlirValue bytesBefore(RaggedCopy *c, MlirValue place, MlirValue own) {
  Lowering *l = c->l;
  MlirValue zero = lowerI32(l, 0), chunk = lowerI32(l, CHUNK);
  MlirValue before = tileResult(lowerInlineAsm(l, "shfl.sync.up.b32 $0, $1, 1, 0, -1;", "=r,r",
                                               tileI32(l->b.context), 1, &own));
  MlirValue isOff = tileBuildCmpi(&l->b, TILE_EQ, own, zero);
  MlirValue front = tileBuildSelect(&l->b, isOff, zero, chunk);
  before = tileBuildSelect(&l->b, c->isFirst, front, before);
  MlirValue all = binary(c, "arith.addi", place, before);
  return binary(c, "arith.maxsi", binary(c, "arith.subi", all, chunk), zero);
}

/// [@on] cp.async of a chunk, of which `through` (i32) bytes are read.
static void copyChunk(RaggedCopy *c, MlirValue to, int64_t added, MlirValue from, MlirValue through,
                      MlirValue on) {
  char text[96];
  bool isPredicated = !mlirValueIsNull(on);
  MlirValue operands[] = {to, from, through, on};
  snprintf(text, sizeof text, "%scp.async.cg.shared.global [$0+%d], [$1], 16, $2;",
           isPredicated ? "@$3 " : "", (int)added);
  lowerInlineAsm(c->l, text, isPredicated ? "l,l,r,b" : "l,l,r", (MlirType){NULL},
                 isPredicated ? 4 : 3, operands);
}

static MlirValue both(RaggedCopy *c, MlirValue a, MlirValue b) {
  return mlirValueIsNull(b) ? a : binary(c, "arith.andi", a, b);
}

/// The chunk of registers `reg` on, where the thread has a row's last ones also the next chunk, and
/// where it has the first ones the row's place.
static void copyRegisters(RaggedCopy *c, MlirValue pointers, int reg) {
  Lowering *l = c->l;
  MlirContext context = l->b.context;
  int64_t part = lowerRegisterPart(&c->r.layout, reg, c->r.row);
  int64_t added = part * c->r.pitch;
  MlirValue pointer = lowerExtract(l, pointers, reg), zero = lowerI32(l, 0);
  MlirValue low = tileBuildUnary(&l->b, "arith.trunci", tileI32(context), pointer);
  MlirValue bits = lowerI32(l, CHUNK - 1), size = lowerI32(l, CHUNK);
  MlirValue place = binary(c, "arith.andi", low, bits);
  MlirValue whole = tileBuildInt(&l->b, tileI64(context), -CHUNK);
  MlirValue chunk = binary(c, "arith.andi", pointer, whole);
  MlirValue own = bytesThrough(c, c->mask, reg), through = size, rest = place;
  if (!mlirValueIsNull(own)) {
    through = binary(c, "arith.addi", bytesBefore(c, place, own), own);
    through = binary(c, "arith.minsi", through, size);
    rest = binary(c, "arith.subi", binary(c, "arith.addi", place, own), size);
    rest = binary(c, "arith.maxsi", rest, zero);
  }
  MlirValue to = lowerOffset(l, lowerSharedPointer(l, c->r.start), c->r.buffer);
  copyChunk(c, to, added, chunk, through, c->copies);
  // Behind the row's last elements.
  MlirValue wide = tileBuildInt(&l->b, tileI64(context), CHUNK);
  MlirValue next = binary(c, "arith.addi", chunk, wide);
  copyChunk(c, to, added + CHUNK, next, rest, both(c, c->isLast, c->copies));
  MlirValue at = lowerOffset(l, lowerSharedPointer(l, c->r.place), c->r.buffer);
  char text[64];
  snprintf(text, sizeof text, "@$2 st.shared.b32 [$0+%d], $1;", (int)(c->r.places + WORD * part));
  MlirValue operands[] = {at, place, both(c, c->isFirst, c->copies)};
  lowerInlineAsm(l, text, "l,r,b", (MlirType){NULL}, 3, operands);
}

MlirLogicalResult lowerRaggedCopy(Lowering *l, MlirOperation op, const TileLayout *layout,
                                  MlirValue copies) {
  MlirValue buffer = tileAsyncCopyGetBuffer(op), pointers = lowerGet(l, tileAsyncCopyGetPtr(op));
  RaggedCopy c = {.l = l, .mask = tileAsyncCopyGetMask(op), .copies = copies};
  if (!lowerRagged(l, op, buffer, layout, &c.r)) return mlirLogicalResultFailure();
  c.vector = CHUNK / c.r.bytes;
  if (!tileLayoutRunsOverLanes(*layout, c.r.column, c.vector)) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected lanes that have neighbouring 16 bytes of a ragged buffer's rows, found "
                  "others");
    lowerRaggedFree(&c.r);
    return mlirLogicalResultFailure();
  }
  MlirValue column = lowerThreadPart(l, layout, c.r.column), zero = lowerI32(l, 0);
  int64_t extent = tileBufferTypeGetDim(mlirValueGetType(buffer), c.r.column);
  c.isFirst = tileBuildCmpi(&l->b, TILE_EQ, column, zero);
  MlirValue last = lowerI32(l, extent - c.vector);
  c.isLast = tileBuildCmpi(&l->b, TILE_EQ, column, last);
  uint32_t repeated = tileLayoutFreeBits(*layout, TILE_REGISTER);
  for (int r = 0; r < lowerNumRegisters(layout); r += c.vector)
    if (!((uint32_t)r & repeated)) copyRegisters(&c, pointers, r);
  lowerRaggedFree(&c.r);
  return mlirLogicalResultSuccess();
}
