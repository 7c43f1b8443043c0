//===- Memory.c - loads and stores through pointers -----------------------===//
//
// Registers that axis analysis proves to lie side by side in memory go in one
// access of up to 16 bytes:
//
//   all lanes on:  %v = llvm.load %p {alignment = 16} : !llvm.ptr<1> -> vector<8xf16>
//   masked:        @%m ld.global.v4.b32 {..}, [%p];   other stays where %m is false
//
// A branch around each load would serialize their latencies, so masked accesses are
// predicated inline PTX. Where several threads hold one element, one of them stores.
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"
#include "tile/Slow.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// One load or store op, as the thread sees it. A scalar access is one of a single register.
typedef struct {
  TileLayout layout;
  int registers;            // of the thread
  int vector;               // elements an access
  int bytes;                // of an element in memory
  MlirType element;         // of the tile
  MlirType stored;          // of the element in memory: i8 for i1
  MlirValue pointers, mask; // i64s; i1s or null
  MlirValue first;          // i1: stores of this thread count; null: always
  bool scalar;
} Access;

/// Elements below 4 bytes one by one, though they follow each other in memory.
static void saySingle(Lowering *l, MlirOperation op, MlirValue ptr, const Access *a) {
  enum { run = 8 };
  if (a->vector > 1 || a->bytes >= 4 || a->registers < run) return;
  const TileAxisInfo *info = tileAxisAnalysisGet(l->axis, ptr);
  for (int d = 0; d < info->rank; ++d) {
    if (info->contiguity[d] < run || tileAxisAccessVector(l->axis, op, d) > 1) continue;
    tileEmitSlow(mlirOperationGetLocation(op),
                 "access is made element by element: expected rows and masks that begin and end at "
                 "multiples of %d elements or more (of 16 bytes at best), found no such fact",
                 4 / a->bytes);
    return;
  }
}

static bool describe(Lowering *l, MlirOperation op, MlirValue ptr, MlirValue mask, Access *a) {
  MlirType type = mlirValueGetType(ptr);
  MlirContext c = l->b.context;
  *a = (Access){
      .registers = 1, .vector = 1, .scalar = !tileTypeIsTile(type), .pointers = lowerGet(l, ptr)};
  a->element = lowerElementType(tilePtrTypeGetPointee(tileElementType(type)));
  a->stored = tileBitWidth(a->element) == 1 ? tileI8(c) : a->element;
  a->bytes = lowerElementBytes(a->element);
  if (!mlirValueIsNull(mask)) a->mask = lowerGet(l, mask);
  if (a->scalar) return true;
  if (!lowerLayoutOf(mlirOperationGetLocation(op), type, &a->layout)) return false;
  a->registers = lowerNumRegisters(&a->layout);
  a->vector = tileAxisAccessVectorIn(l->axis, op, a->layout);
  while (a->vector * a->bytes > 16) a->vector /= 2;
  saySingle(l, op, ptr, a);
  return true;
}

/// Element i of what may be a scalar.
static MlirValue element(Lowering *l, const Access *a, MlirValue value, int i) {
  return a->scalar ? value : lowerExtract(l, value, i);
}

static MlirValue slice(Lowering *l, const Access *a, MlirValue value, int i) {
  if (a->scalar) return lowerFromElements(l, mlirValueGetType(value), 1, &value);
  return lowerExtractSlice(l, value, i, a->vector);
}

static MlirValue globalPointer(Lowering *l, MlirValue address) {
  MlirType type = mlirTypeParseGet(l->b.context, tileString("!llvm.ptr<1>"));
  return tileBuildUnary(&l->b, "llvm.inttoptr", type, address);
}

//===- words: how inline PTX moves a vector -------------------------------===//

/// A vector as PTX registers: up to four of 32 bits, or one of 16 (also for one byte).
typedef struct {
  int count;
  int bits;       // of a register: 16 or 32
  char suffix[8]; // ".v4.b32"
  char constraint;
} Words;

static Words wordsOf(const Access *a) {
  int bytes = a->vector * a->bytes;
  Words w = {.count = bytes <= 4 ? 1 : bytes / 4,
             .bits = bytes < 4 ? 16 : 32,
             .constraint = bytes < 4 ? 'h' : 'r'};
  const char *type = bytes == 1 ? "u8" : bytes == 2 ? "b16" : "b32";
  snprintf(w.suffix, sizeof w.suffix, "%s%s",
           w.count == 4   ? ".v4."
           : w.count == 2 ? ".v2."
                          : ".",
           type);
  return w;
}

/// vector<NxT> -> its words; one byte is widened to 16 bits.
static void toWords(Lowering *l, const Access *a, const Words *w, MlirValue vector,
                    MlirValue words[4]) {
  MlirType word = mlirIntegerTypeGet(l->b.context, (unsigned)w->bits);
  if (a->vector * a->bytes == 1) {
    MlirValue byte = lowerBitcast(l, vector, tileVectorType(1, tileI8(l->b.context)));
    byte = lowerExtract(l, byte, 0);
    words[0] = tileBuildUnary(&l->b, "arith.extui", word, byte);
    return;
  }
  MlirValue all = lowerBitcast(l, vector, tileVectorType(w->count, word));
  for (int i = 0; i < w->count; ++i) words[i] = lowerExtract(l, all, i);
}

static MlirValue fromWords(Lowering *l, const Access *a, const Words *w, const MlirValue words[4]) {
  MlirType word = mlirIntegerTypeGet(l->b.context, (unsigned)w->bits);
  MlirType type = tileVectorType(a->vector, a->stored);
  if (a->vector * a->bytes == 1) {
    MlirValue byte = tileBuildUnary(&l->b, "arith.trunci", tileI8(l->b.context), words[0]);
    MlirValue one = lowerFromElements(l, tileI8(l->b.context), 1, &byte);
    return lowerBitcast(l, one, type);
  }
  MlirValue all = lowerFromElements(l, word, w->count, words);
  return lowerBitcast(l, all, type);
}

/// Appends "$0, $1" for operands first .. first + count - 1, in braces where they form a vector.
static void appendOperands(char *text, size_t size, int first, int count) {
  size_t used = strlen(text);
  used += (size_t)snprintf(text + used, size - used, "%s", count > 1 ? "{" : "");
  for (int i = 0; i < count; ++i)
    used += (size_t)snprintf(text + used, size - used, "%s$%d", i ? ", " : "", first + i);
  snprintf(text + used, size - used, "%s", count > 1 ? "}" : "");
}

//===- load ---------------------------------------------------------------===//

/// @$p ld.global.v4.b32 {$0, $1, $2, $3}, [$8];  the results start as `other`
static MlirValue maskedLoad(Lowering *l, const Access *a, MlirValue address, MlirValue predicate,
                            MlirValue other) {
  Words w = wordsOf(a);
  MlirType word = mlirIntegerTypeGet(l->b.context, (unsigned)w.bits);
  MlirValue operands[6];
  if (mlirValueIsNull(other))
    for (int i = 0; i < w.count; ++i) operands[i] = tileBuildInt(&l->b, word, 0);
  else
    toWords(l, a, &w, other, operands);
  operands[w.count] = address;
  operands[w.count + 1] = predicate;

  char text[128], constraints[64] = "";
  snprintf(text, sizeof text, "@$%d ld.global%s ", 2 * w.count + 1, w.suffix);
  appendOperands(text, sizeof text, 0, w.count);
  snprintf(text + strlen(text), sizeof text - strlen(text), ", [$%d];", 2 * w.count);
  for (int i = 0; i < w.count; ++i)
    snprintf(constraints + strlen(constraints), sizeof constraints - strlen(constraints), "=%c,",
             w.constraint);
  for (int i = 0; i < w.count; ++i)
    snprintf(constraints + strlen(constraints), sizeof constraints - strlen(constraints), "%d,", i);
  snprintf(constraints + strlen(constraints), sizeof constraints - strlen(constraints), "l,b");

  char type[64] = "!llvm.struct<(";
  for (int i = 0; i < w.count; ++i)
    snprintf(type + strlen(type), sizeof type - strlen(type), "%si%d", i ? ", " : "", w.bits);
  snprintf(type + strlen(type), sizeof type - strlen(type), ")>");
  MlirType result = w.count == 1 ? word : mlirTypeParseGet(l->b.context, tileString(type));
  MlirOperation loaded = lowerInlineAsm(l, text, constraints, result, w.count + 2, operands);
  MlirValue words[4] = {tileResult(loaded)};
  for (int64_t i = 0; w.count > 1 && i < w.count; ++i)
    words[i] = lowerStructElement(l, tileResult(loaded), word, i);
  return fromWords(l, a, &w, words);
}

static MlirValue plainLoad(Lowering *l, const Access *a, MlirValue address) {
  // %v = llvm.load %p {alignment} : !llvm.ptr<1> -> vector<NxT>
  MlirValue pointer = globalPointer(l, address);
  MlirType type = tileVectorType(a->vector, a->stored);
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(l->b.context), a->vector * a->bytes);
  return tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(pointer), 1, &type,
                                TILE_ATTRS({"alignment", alignment}), 0));
}

/// i8 -> i1 where the element is i1.
static MlirValue fromStored(Lowering *l, const Access *a, MlirValue vector) {
  if (mlirTypeEqual(a->stored, a->element)) return vector;
  MlirValue zero = tileBuildInt(&l->b, mlirValueGetType(vector), 0);
  return tileBuildCmpi(&l->b, TILE_NE, vector, zero);
}

static MlirValue toStored(Lowering *l, const Access *a, MlirValue vector) {
  if (mlirTypeEqual(a->stored, a->element)) return vector;
  MlirType type = tileVectorType(mlirShapedTypeGetDimSize(mlirValueGetType(vector), 0), a->stored);
  return tileBuildUnary(&l->b, "arith.extui", type, vector);
}

MlirLogicalResult lowerLoad(Lowering *l, MlirOperation op) {
  Access a;
  if (!describe(l, op, tileLoadGetPtr(op), tileLoadGetMask(op), &a))
    return mlirLogicalResultFailure();
  MlirValue otherTile = tileLoadGetOther(op);
  MlirValue other = mlirValueIsNull(otherTile) ? otherTile : lowerGet(l, otherTile);
  MlirType type = tileVectorType(a.registers, a.element);
  MlirValue whole = tileBuildZero(&l->b, type);
  for (int r = 0; r < a.registers; r += a.vector) {
    MlirValue address = element(l, &a, a.pointers, r), loaded;
    if (mlirValueIsNull(a.mask)) {
      loaded = plainLoad(l, &a, address);
    } else {
      MlirValue predicate = element(l, &a, a.mask, r), fallback = {NULL};
      if (!mlirValueIsNull(other)) {
        fallback = slice(l, &a, other, r);
        fallback = toStored(l, &a, fallback);
      }
      loaded = maskedLoad(l, &a, address, predicate, fallback);
    }
    loaded = fromStored(l, &a, loaded);
    whole = lowerInsertSlice(l, loaded, whole, r);
  }
  lowerSet(l, tileResult(op), a.scalar ? lowerExtract(l, whole, 0) : whole);
  return mlirLogicalResultSuccess();
}

//===- store --------------------------------------------------------------===//

/// @$p st.global.v4.b32 [$0], {$2, $3, $4, $5};
static void maskedStore(Lowering *l, const Access *a, MlirValue address, MlirValue predicate,
                        MlirValue vector) {
  Words w = wordsOf(a);
  MlirValue operands[6] = {address, predicate};
  toWords(l, a, &w, vector, operands + 2);
  char text[128], constraints[64] = "l,b";
  snprintf(text, sizeof text, "@$1 st.global%s [$0], ", w.suffix);
  appendOperands(text, sizeof text, 2, w.count);
  snprintf(text + strlen(text), sizeof text - strlen(text), ";");
  for (int i = 0; i < w.count; ++i)
    snprintf(constraints + strlen(constraints), sizeof constraints - strlen(constraints), ",%c",
             w.constraint);
  lowerInlineAsm(l, text, constraints, (MlirType){NULL}, w.count + 2, operands);
}

static void plainStore(Lowering *l, const Access *a, MlirValue address, MlirValue vector) {
  MlirValue pointer = globalPointer(l, address);
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(l->b.context), a->vector * a->bytes);
  tileBuildOp(&l->b, "llvm.store", TILE_VALUES(vector, pointer), TILE_NONE,
              TILE_ATTRS({"alignment", alignment}), 0);
}

/// %p and %q, either of which may be null for "true".
static MlirValue both(Lowering *l, MlirValue p, MlirValue q) {
  if (mlirValueIsNull(p)) return q;
  return mlirValueIsNull(q) ? p : tileBuildBinary(&l->b, "arith.andi", p, q);
}

/// i1: is this the one thread that stores a scalar?
static MlirValue isThreadZero(Lowering *l) {
  MlirValue thread = tileBuildBinary(&l->b, "arith.ori", l->lane, l->warp);
  MlirValue zero = lowerI32(l, 0);
  return tileBuildCmpi(&l->b, TILE_EQ, thread, zero);
}

MlirLogicalResult lowerStore(Lowering *l, MlirOperation op) {
  Access a;
  if (!describe(l, op, tileStoreGetPtr(op), tileStoreGetMask(op), &a))
    return mlirLogicalResultFailure();
  MlirValue value = lowerGet(l, tileStoreGetValue(op));
  a.first = a.scalar ? isThreadZero(l) : lowerIsFirstCopy(l, &a.layout);
  uint32_t copies = a.scalar ? 0 : tileLayoutFreeBits(a.layout, TILE_REGISTER);
  for (int r = 0; r < a.registers; r += a.vector) {
    if ((uint32_t)r & copies) continue; // this register repeats another
    MlirValue address = element(l, &a, a.pointers, r);
    MlirValue vector = slice(l, &a, value, r);
    vector = toStored(l, &a, vector);
    MlirValue mask = mlirValueIsNull(a.mask) ? a.mask : element(l, &a, a.mask, r);
    MlirValue predicate = both(l, mask, a.first);
    if (mlirValueIsNull(predicate))
      plainStore(l, &a, address, vector);
    else
      maskedStore(l, &a, address, predicate, vector);
  }
  return mlirLogicalResultSuccess();
}
