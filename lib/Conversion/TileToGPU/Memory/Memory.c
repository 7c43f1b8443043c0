//===- Memory.c - loads and stores through pointers -----------------------===//
//
// Registers that axis analysis proves to lie side by side in memory go in one
// access of up to 16 bytes:
//
//   all lanes on:  %v = llvm.load %p {alignment = 16} : !llvm.ptr<1> -> vector<8xf16>
//   masked:        @%m ld.global.v4.b32 {..}, [%p];   other stays where %m is false
//
// Accesses within one run of memory share an address: those behind the first add their distance in
// the instruction, [%p + 4096], and need no registers for addresses of their own.
//
// A branch around each load would serialize their latencies, so masked accesses are
// predicated inline PTX. Where several threads hold one element, one of them stores.
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"
#include "tile/Support/Slow.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// One load or store op, as the thread sees it. A scalar access is one of a single register.
typedef struct {
  MlirOperation op;
  TileLayout layout;
  int registers;      // of the thread
  int vector;         // elements an access
  int bytes;          // of an element in memory
  MlirType element;   // of the tile
  MlirType stored;    // of the element in memory: i8 for i1
  MlirValue pointers; // the tile
  MlirValue mask;     // the tile, or null
  MlirValue first;    // i1: stores of this thread count; null: always
  bool scalar;
  bool shares;      // pointers, among registers
  char hints[48];   // behind ld.global and st.global: ".cg", ".L1::evict_first.L2::cache_hint"
  MlirValue policy; // i64: of the L2 cache; null: its own
  int runDim;       // where positions that differ in these bits alone follow each other in memory
  int64_t run;      // 0: nowhere
} Access;

/// Where an access begins.
typedef struct {
  MlirValue base; // i64 or !llvm.ptr<1>
  int64_t bytes;  // behind it
} Address;

/// Elements below 4 bytes one by one, though they follow each other in memory, or each other's end.
/// (Of 4 bytes, and of every other element, nothing is gained by wider ones:
/// docs/results/notebook/h200.md.)
static void saySingle(Lowering *l, MlirOperation op, MlirValue ptr, const Access *a) {
  enum { run = 8 };
  if (a->vector > 1 || a->bytes >= 4 || a->registers < run) return;
  MlirLocation loc = mlirOperationGetLocation(op);
  for (int d = 0; d < a->layout.rank; ++d) {
    int64_t step = 0;
    bool isEven = tileAxisStep(l->axis, ptr, d, &step), falls = isEven && step == -1;
    // What is stored once behind dots, or loaded for them, takes little of their time.
    bool rises = tileAxisAnalysisGet(l->axis, ptr)->contiguity[d] >= run ||
                 (isEven && step == 1 && !l->hasDots);
    if ((!falls && !rises) || tileAxisAccessVector(l->axis, op, d) > 1) continue;
    if (falls)
      tileEmitSlow(loc,
                   "access is made element by element: expected addresses that rise (tile.gather "
                   "turns a tile), found falling ones");
    else
      tileEmitSlow(
          loc,
          "access is made element by element: expected rows and masks that begin and end at "
          "multiples of %d elements or more (of 16 bytes at best), found no such fact",
          4 / a->bytes);
    return;
  }
}

/// The longest runs of addresses whose positions are a thread's part and, apart from it, a
/// register's.
static void findRun(Lowering *l, MlirValue ptr, Access *a) {
  const TileAxisInfo *info = tileAxisAnalysisGet(l->axis, ptr);
  for (int d = 0; d < info->rank; ++d) {
    int64_t run = (info->contiguity[d] & -info->contiguity[d]) - 1;
    if (run <= a->run || !lowerPartsAreDisjoint(&a->layout, d)) continue;
    a->run = run;
    a->runDim = d;
  }
}

static const char *const evictions[] = {"evict_first", "evict_last"};

/// i64: what an access with `evict` tells the L2 cache; null where it says nothing.
static MlirValue evictionPolicy(Lowering *l, int64_t evict) {
  if (evict < 0) return (MlirValue){NULL};
  char text[64];
  snprintf(text, sizeof text, "createpolicy.fractional.L2::%s.b64 $0, 1.0;", evictions[evict]);
  MlirType i64 = tileI64(l->b.context);
  return tileResult(tileBuildOp(&l->b, "llvm.inline_asm", TILE_NONE, 1, &i64,
                                TILE_ATTRS({"asm_string", tileStringAttr(l->b.context, text)},
                                           {"constraints", tileStringAttr(l->b.context, "=l")}),
                                0));
}

/// What an access asks of the caches. PTX has a word for L1 or a cache operator, not both, and for
/// the L2 cache a policy in a register.
static void findHints(Lowering *l, int64_t cache, int64_t evict, Access *a) {
  static const char *const caches[] = {".ca", ".cg", ".cs", ".cv", ".wb", ".wt"};
  a->policy = evictionPolicy(l, evict);
  if (cache >= 0) snprintf(a->hints, sizeof a->hints, "%s", caches[cache]);
  if (evict >= 0)
    snprintf(a->hints, sizeof a->hints, "%s%s%s.L2::cache_hint", cache >= 0 ? caches[cache] : "",
             cache >= 0 ? "" : ".L1::", cache >= 0 ? "" : evictions[evict]);
}

static bool describe(Lowering *l, MlirOperation op, MlirValue ptr, MlirValue mask, Access *a) {
  MlirType type = mlirValueGetType(ptr);
  MlirContext c = l->b.context;
  *a = (Access){
      .op = op, .registers = 1, .vector = 1, .scalar = !tileTypeIsTile(type), .pointers = ptr};
  a->element = lowerElementType(tilePtrTypeGetPointee(tileElementType(type)));
  a->stored = tileBitWidth(a->element) == 1 ? tileI8(c) : a->element;
  a->bytes = tileElementBytes(a->element);
  a->mask = mask;
  if (a->scalar) return true;
  if (!lowerLayoutOf(mlirOperationGetLocation(op), type, &a->layout)) return false;
  a->registers = lowerNumRegisters(&a->layout);
  a->vector = tileAxisAccessVectorIn(l->axis, op, a->layout);
  while (a->vector * a->bytes > 16) a->vector /= 2;
  a->shares = lowerSharesPointers(l, op);
  findRun(l, ptr, a);
  saySingle(l, op, ptr, a);
  return true;
}

/// The comparison, or what joins two, that makes the tile of truths; null for others.
static MlirOperation truthMaker(MlirValue tile) {
  MlirOperation op = tileValueGetOp(tile), none = {NULL};
  if (mlirOperationIsNull(op) || !tileTypeIsTile(mlirValueGetType(tile))) return none;
  bool computes =
      tileOpIs(op, "arith.andi") || tileOpIs(op, "arith.ori") || tileOpIs(op, "arith.cmpi");
  return computes ? op : none;
}

/// Can each register of `tile`, truths, be computed by itself, from what is at hand, in `*left`
/// ops?
static bool canMakeTruths(Lowering *l, MlirValue tile, int *left) {
  MlirOperation op = truthMaker(tile);
  if (mlirOperationIsNull(op)) return lowerIsWhole(l, tile);
  if (--*left < 0) return false;
  for (int i = 0; i < 2; ++i) {
    MlirValue operand = tileOperand(op, i);
    bool can =
        tileOpIs(op, "arith.cmpi") ? lowerIsWhole(l, operand) : canMakeTruths(l, operand, left);
    if (!can) return false;
  }
  return true;
}

/// Has a thread as many elements as a block leaves it registers?
static bool fillsRegisters(const Lowering *l, const TileLayout *layout) {
  int64_t each = l->machine->registers / (32 * (int64_t)l->numWarps);
  if (each > l->machine->threadRegisters) each = l->machine->threadRegisters;
  return lowerNumRegisters(layout) >= each;
}

/// Register r of truths whether positions are below a limit, as a comparison of what the thread has
/// of them with the limit less what the register has: a number of all threads, where the sum would
/// be held for each register. Null where it is something else.
static MlirValue makeBelow(Lowering *l, MlirOperation op, const TileLayout *layout, int r) {
  MlirValue none = {NULL}, limit = tileOperand(op, 1);
  MlirOperation positions = tileValueGetOp(tileOperand(op, 0)), splat = tileValueGetOp(limit);
  if (!tileOpIs(op, "arith.cmpi") || tileIntAttr(op, "predicate", -1) != TILE_SLT ||
      !fillsRegisters(l, layout) || mlirOperationIsNull(positions) || !tileOpIsAArange(positions) ||
      mlirOperationIsNull(splat) || !tileOpIsASplat(splat) || !lowerPartsAreDisjoint(layout, 0))
    return none;
  MlirType i32 = tileI32(l->b.context);
  MlirValue number = lowerGet(l, tileSplatGetValue(splat));
  if (!mlirTypeEqual(mlirValueGetType(number), i32)) return none;
  // Below 0 it says the same as 0, and the difference does not wrap.
  number = tileBuildBinary(&l->b, "arith.maxsi", number, lowerI32(l, 0));
  number =
      tileBuildBinary(&l->b, "arith.subi", number, lowerI32(l, lowerRegisterPart(layout, r, 0)));
  return tileBuildCmpi(&l->b, TILE_SLT, lowerThreadPart(l, layout, 0), number);
}

/// Register r of truths that can be made.
static MlirValue makeTruth(Lowering *l, MlirValue tile, int r) {
  MlirOperation op = truthMaker(tile);
  TileLayout layout;
  if (mlirOperationIsNull(op) || !tileTypeGetLayout(mlirValueGetType(tile), &layout))
    return lowerExtract(l, lowerGet(l, tile), r);
  LowerSame same;
  if (lowerFindSame(l, tile, &same)) r = lowerFirstSame(&layout, &same, r, 1);
  MlirValue below = makeBelow(l, op, &layout, r), operands[2];
  if (!mlirValueIsNull(below)) return below;
  for (int i = 0; i < 2; ++i) {
    MlirValue operand = tileOperand(op, i);
    operands[i] = tileOpIs(op, "arith.cmpi") ? lowerExtract(l, lowerGet(l, operand), r)
                                             : makeTruth(l, operand, r);
  }
  MlirType i1 = tileI1(l->b.context);
  return tileResult(tileBuildLike(&l->b, op, 2, operands, &i1));
}

MlirValue lowerTruthAt(Lowering *l, MlirValue tile, int r) {
  int left = 32;
  if (canMakeTruths(l, tile, &left)) return makeTruth(l, tile, r);
  return lowerExtract(l, lowerGet(l, tile), r);
}

/// The mask of register i, or null.
static MlirValue maskOf(Lowering *l, const Access *a, int i) {
  if (mlirValueIsNull(a->mask)) return a->mask;
  return a->scalar ? lowerGet(l, a->mask) : lowerTruthAt(l, a->mask, i);
}

static MlirValue slice(Lowering *l, const Access *a, MlirValue value, int i) {
  if (a->scalar) return lowerFromElements(l, mlirValueGetType(value), 1, &value);
  return lowerExtractSlice(l, value, i, a->vector);
}

/// Do registers q and r lie in one run?
static bool shareRun(const Access *a, int q, int r) {
  for (int d = 0; d < a->layout.rank; ++d) {
    int64_t apart = lowerRegisterPart(&a->layout, q, d) ^ lowerRegisterPart(&a->layout, r, d);
    if (apart & ~(d == a->runDim ? a->run : 0)) return false;
  }
  return true;
}

/// The address of register r, from that of the first in its run.
static Address addressOf(Lowering *l, const Access *a, int r) {
  int q = r;
  if (!a->scalar && a->run)
    for (q = 0; q < r && !shareRun(a, q, r);) q += a->vector;
  Address address = {.bytes = 0};
  if (a->shares)
    address.base = lowerPointerFrom(l, a->op, a->pointers, &a->layout, q, &address.bytes);
  else
    address.base = lowerPointerAt(l, a->op, a->pointers, q);
  if (q != r)
    address.bytes += a->bytes * (lowerRegisterPart(&a->layout, r, a->runDim) -
                                 lowerRegisterPart(&a->layout, q, a->runDim));
  return address;
}

static MlirValue globalPointer(Lowering *l, Address address) {
  MlirType type = mlirTypeParseGet(l->b.context, tileString("!llvm.ptr<1>"));
  MlirValue at = address.base;
  if (mlirTypeEqual(mlirValueGetType(at), type)) return lowerConstantOffset(l, at, address.bytes);
  if (address.bytes) {
    MlirValue bytes = tileBuildInt(&l->b, tileI64(l->b.context), address.bytes);
    at = tileBuildBinary(&l->b, "arith.addi", at, bytes);
  }
  return tileBuildUnary(&l->b, "llvm.inttoptr", type, at);
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

//===- accesses as inline PTX ---------------------------------------------===//

/// The text, and the operands, which are numbered behind the results.
typedef struct {
  char text[192], constraints[64];
  MlirValue operands[7];
  int results, count;
} Asm;

static void append(char *text, size_t size, const char *format, ...) {
  size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, size - used, format, arguments);
  va_end(arguments);
}

/// Its number in the text.
static int addOperand(Asm *as, const char *constraint, MlirValue value) {
  append(as->constraints, sizeof as->constraints, "%s%s", *as->constraints ? "," : "", constraint);
  as->operands[as->count] = value;
  return as->results + as->count++;
}

/// "@$n " where there is a predicate.
static void addPredicate(Asm *as, MlirValue predicate) {
  if (!mlirValueIsNull(predicate))
    append(as->text, sizeof as->text, "@$%d ", addOperand(as, "b", predicate));
}

/// "[$n]", or "[$n+bytes]".
static void addAddress(Asm *as, int operand, int64_t bytes) {
  append(as->text, sizeof as->text, "[$%d", operand);
  if (bytes) append(as->text, sizeof as->text, "+%ld", (long)bytes);
  append(as->text, sizeof as->text, "]");
}

/// "$0, $1" for operands first .. first + count - 1, in braces where they form a vector.
static void addWords(Asm *as, int first, int count) {
  append(as->text, sizeof as->text, "%s", count > 1 ? "{" : "");
  for (int i = 0; i < count; ++i)
    append(as->text, sizeof as->text, "%s$%d", i ? ", " : "", first + i);
  append(as->text, sizeof as->text, "%s", count > 1 ? "}" : "");
}

/// The policy for the L2 cache, where there is one, and the end of the instruction.
static void endAsm(Asm *as, const Access *a) {
  if (!mlirValueIsNull(a->policy))
    append(as->text, sizeof as->text, ", $%d", addOperand(as, "l", a->policy));
  append(as->text, sizeof as->text, ";");
}

//===- load ---------------------------------------------------------------===//

/// !llvm.struct<(i32, i32)> of an access's words; of one word its type.
static MlirType typeOfWords(Lowering *l, const Words *w, MlirType word) {
  char type[64] = "!llvm.struct<(";
  if (w->count == 1) return word;
  for (int i = 0; i < w->count; ++i)
    snprintf(type + strlen(type), sizeof type - strlen(type), "%si%d", i ? ", " : "", w->bits);
  snprintf(type + strlen(type), sizeof type - strlen(type), ")>");
  return mlirTypeParseGet(l->b.context, tileString(type));
}

/// @$p ld.global.v4.b32 {$0, $1, $2, $3}, [$8];  the results start as `other`. With hints, and a
/// null predicate where all lanes are on:  ld.global.L2::cache_hint.b32 $0, [$1], $2;
static MlirValue asmLoad(Lowering *l, const Access *a, Address address, MlirValue predicate,
                         MlirValue other) {
  Words w = wordsOf(a);
  MlirType word = mlirIntegerTypeGet(l->b.context, (unsigned)w.bits);
  Asm as = {.results = w.count};
  for (int i = 0; i < w.count; ++i)
    append(as.constraints, sizeof as.constraints, "%s=%c", i ? "," : "", w.constraint);
  if (!mlirValueIsNull(predicate)) {
    MlirValue before[4];
    if (!mlirValueIsNull(other)) toWords(l, a, &w, other, before);
    for (int i = 0; i < w.count; ++i) {
      const char tied[] = {(char)('0' + i), 0};
      addOperand(&as, tied, mlirValueIsNull(other) ? tileBuildInt(&l->b, word, 0) : before[i]);
    }
  }
  int from = addOperand(&as, "l", address.base);
  addPredicate(&as, predicate);
  append(as.text, sizeof as.text, "ld.global%s%s ", a->hints, w.suffix);
  addWords(&as, 0, w.count);
  append(as.text, sizeof as.text, ", ");
  addAddress(&as, from, address.bytes);
  endAsm(&as, a);

  MlirType result = typeOfWords(l, &w, word);
  MlirOperation loaded = lowerInlineAsm(l, as.text, as.constraints, result, as.count, as.operands);
  MlirValue words[4] = {tileResult(loaded)};
  for (int64_t i = 0; w.count > 1 && i < w.count; ++i)
    words[i] = lowerStructElement(l, tileResult(loaded), word, i);
  return fromWords(l, a, &w, words);
}

static MlirValue plainLoad(Lowering *l, const Access *a, Address address) {
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

/// Do registers read one element several times? The same address, mask and fallback say so.
static bool findRepeats(Lowering *l, MlirOperation op, const Access *a, LowerSame *same) {
  if (a->scalar || a->vector > 1 || !lowerFindSame(l, tileLoadGetPtr(op), same)) return false;
  const MlirValue others[] = {tileLoadGetMask(op), tileLoadGetOther(op)};
  for (int i = 0; i < 2; ++i) {
    if (mlirValueIsNull(others[i])) continue;
    LowerSame other;
    if (!lowerFindSame(l, others[i], &other)) return false;
    for (int d = 0; d < TILE_MAX_RANK; ++d) same->bits[d] &= other.bits[d];
  }
  return true;
}

MlirLogicalResult lowerLoad(Lowering *l, MlirOperation op) {
  Access a;
  if (!describe(l, op, tileLoadGetPtr(op), tileLoadGetMask(op), &a))
    return mlirLogicalResultFailure();
  findHints(l, tileLoadGetCache(op), tileLoadGetEvict(op), &a);
  MlirValue otherTile = tileLoadGetOther(op);
  MlirValue other = mlirValueIsNull(otherTile) ? otherTile : lowerGet(l, otherTile);
  MlirValue *slices = lowerNewSlices(a.registers / a.vector);
  LowerSame same;
  bool repeats = findRepeats(l, op, &a, &same);
  for (int r = 0; r < a.registers; r += a.vector) {
    int first = repeats ? lowerFirstSame(&a.layout, &same, r, a.vector) : r;
    if (first != r) {
      slices[r / a.vector] = slices[first / a.vector];
      continue;
    }
    Address address = addressOf(l, &a, r);
    MlirValue predicate = maskOf(l, &a, r), fallback = {NULL}, loaded;
    if (mlirValueIsNull(predicate) && !*a.hints) {
      loaded = plainLoad(l, &a, address);
    } else {
      if (!mlirValueIsNull(other)) {
        fallback = slice(l, &a, other, r);
        fallback = toStored(l, &a, fallback);
      }
      loaded = asmLoad(l, &a, address, predicate, fallback);
    }
    slices[r / a.vector] = fromStored(l, &a, loaded);
  }
  MlirValue whole = lowerJoinSlices(l, a.registers / a.vector, slices);
  lowerSet(l, tileResult(op), a.scalar ? lowerExtract(l, whole, 0) : whole);
  if (!mlirAttributeIsNull(tileAttr(op, "tile_gpu.issues"))) {
    lowerStandApart(l);
    lowerRenewMasks(l, op, a.vector);
  }
  return mlirLogicalResultSuccess();
}

//===- store --------------------------------------------------------------===//

/// @$p st.global.v4.b32 [$0], {$1, $2, $3, $4};  where all store: without the predicate
static void asmStore(Lowering *l, const Access *a, Address address, MlirValue predicate,
                     MlirValue vector) {
  Words w = wordsOf(a);
  MlirValue words[4];
  Asm as = {.count = 0};
  int to = addOperand(&as, "l", address.base), from = as.count;
  addPredicate(&as, predicate);
  toWords(l, a, &w, vector, words);
  for (int i = 0; i < w.count; ++i) {
    const char constraint[] = {w.constraint, 0};
    int number = addOperand(&as, constraint, words[i]);
    if (!i) from = number;
  }
  append(as.text, sizeof as.text, "st.global%s%s ", a->hints, w.suffix);
  addAddress(&as, to, address.bytes);
  append(as.text, sizeof as.text, ", ");
  addWords(&as, from, w.count);
  endAsm(&as, a);
  lowerInlineAsm(l, as.text, as.constraints, (MlirType){NULL}, as.count, as.operands);
}

static void plainStore(Lowering *l, const Access *a, Address address, MlirValue vector) {
  MlirValue pointer = globalPointer(l, address);
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(l->b.context), a->vector * a->bytes);
  tileBuildOp(&l->b, "llvm.store", TILE_VALUES(vector, pointer), TILE_NONE,
              TILE_ATTRS({"alignment", alignment}), 0);
}

MlirLogicalResult lowerStore(Lowering *l, MlirOperation op) {
  Access a;
  if (!describe(l, op, tileStoreGetPtr(op), tileStoreGetMask(op), &a))
    return mlirLogicalResultFailure();
  findHints(l, tileStoreGetCache(op), tileStoreGetEvict(op), &a);
  MlirValue value = lowerGet(l, tileStoreGetValue(op));
  a.first = a.scalar ? lowerIsThreadZero(l) : lowerIsFirstCopy(l, &a.layout);
  uint32_t copies = a.scalar ? 0 : tileLayoutFreeBits(a.layout, TILE_REGISTER);
  for (int r = 0; r < a.registers; r += a.vector) {
    if ((uint32_t)r & copies) continue; // this register repeats another
    Address address = addressOf(l, &a, r);
    MlirValue vector = slice(l, &a, value, r);
    vector = toStored(l, &a, vector);
    MlirValue mask = maskOf(l, &a, r);
    MlirValue predicate = lowerBoth(l, mask, a.first);
    if (mlirValueIsNull(predicate) && !*a.hints)
      plainStore(l, &a, address, vector);
    else
      asmStore(l, &a, address, predicate, vector);
  }
  return mlirLogicalResultSuccess();
}
