//===- Pointers.c - where accesses point, as getelementptr ----------------===//
//
// What a thread holds of pointers are numbers: they cross lanes, are carried and compared as those
// are. Of sums of numbers InstCombine makes `p + 4 (i + j)` where `(p + 4 i) + 4 j` stands, and
// i + j has 64 bits: four instructions for the one of `+ 4 j`, and `p + 4 i` is made anew in each
// step of a loop that does not change it. So accesses through a sum of a tile of sums, in loops if
// those change one of them, get pointers of their own, beside numbers that nobody reads then:
//
//   %p = tile.addptr %x, %rows      %e = llvm.getelementptr %x[%rows r] : i32
//   scf.for .. {                    scf.for .. {
//     %q = tile.addptr %p, %taps      %f = llvm.getelementptr %e[%taps r] : i32
//     %v = tile.load %q               %v = llvm.load %f
//
// Loops with dots keep numbers, and kernels with dots outside of loops: their tiles have many
// pointers, and each would be held in two registers beside the accumulators. Where rows lie apart
// by a number that is known as the kernel is compiled, so do registers, and an instruction has it;
// where the launch alone knows it, copies add up theirs, one of another:
//
//   %p = tile.addptr %x, %rows      %n = %x + %rows 0                of two registers, for 16
//   tile.load %p                    %v = llvm.load %n, %n + 2048, %n + 4096 ..
//   tile_gpu.async_copy %p          cp.async %n; %m = add %n, %apart; cp.async %m ..
//===----------------------------------------------------------------------===//
#include "../Lowering.h"
#include <stdlib.h>

/// Pointers that were made of a tile, each beside its number; null: not yet.
typedef struct {
  MlirValue numbers; ///< what they were made of
  MlirValue *of;     ///< a register
} Made;

static MlirValue *findMade(Lowering *l, MlirValue tile, MlirValue numbers, int r) {
  Made *made = tilePointerTableAdd(&l->pointers, tile.ptr, sizeof *made);
  MlirType type = mlirValueGetType(numbers);
  int64_t count = mlirTypeIsAVector(type) ? mlirShapedTypeGetDimSize(type, 0) : 1;
  if (!mlirValueEqual(made->numbers, numbers)) {
    free(made->of);
    *made = (Made){.numbers = numbers, .of = calloc((size_t)count, sizeof *made->of)};
    if (!made->of) abort();
  }
  return &made->of[r];
}

void lowerFreePointers(Lowering *l) {
  for (Made *m = tilePointerTableFirst(l->pointers); m; m = tilePointerTableNext(m)) free(m->of);
  tilePointerTableClear(&l->pointers);
}

static MlirValue numberAt(Lowering *l, MlirValue value, int r) {
  return mlirTypeIsAVector(mlirValueGetType(value)) ? lowerExtract(l, value, r) : value;
}

/// The pointer that a number is; an argument of the kernel is one.
static MlirValue pointerOf(Lowering *l, MlirValue number) {
  MlirOperation from = tileValueGetOp(number);
  MlirType type = mlirTypeParseGet(l->b.context, tileString("!llvm.ptr<1>"));
  if (!mlirOperationIsNull(from) && tileOpIs(from, "llvm.ptrtoint") &&
      mlirTypeEqual(mlirValueGetType(tileOperand(from, 0)), type))
    return tileOperand(from, 0);
  return tileBuildUnary(&l->b, "llvm.inttoptr", type, number);
}

static MlirValue pointerAt(Lowering *l, MlirValue tile, int r);

/// %e = llvm.getelementptr %base[%offset] : as wide as an element of memory
static MlirValue buildPointer(Lowering *l, MlirOperation addptr, int r) {
  MlirContext c = l->b.context;
  MlirValue base = pointerAt(l, tileAddPtrGetPtr(addptr), r);
  MlirValue offset = numberAt(l, lowerGet(l, tileAddPtrGetOffset(addptr)), r);
  if (tileBitWidth(mlirValueGetType(offset)) < 64)
    offset = tileBuildUnary(&l->b, "arith.extsi", tileI64(c), offset);
  MlirType pointers = tileElementType(mlirValueGetType(tileResult(addptr)));
  int bytes = tileElementBytes(tilePtrTypeGetPointee(pointers));
  MlirAttribute element = mlirTypeAttrGet(mlirIntegerTypeGet(c, 8 * (unsigned)bytes));
  int32_t isOperand = INT32_MIN;
  MlirAttribute indices = mlirDenseI32ArrayGet(c, 1, &isOperand);
  MlirType type = mlirValueGetType(base);
  return tileResult(tileBuildOp(&l->b, "llvm.getelementptr", TILE_VALUES(base, offset), 1, &type,
                                TILE_ATTRS({"rawConstantIndices", indices}, {"elem_type", element}),
                                0));
}

/// Where register r of `tile` points: made right behind its number, so that all who may read that
/// may read it.
static MlirValue pointerAt(Lowering *l, MlirValue tile, int r) {
  MlirOperation op = tileValueGetOp(tile);
  MlirValue numbers = lowerGet(l, tile);
  MlirOperation made = tileValueGetOp(numbers);
  if (!mlirOperationIsNull(op) && tileOpIsASplat(op)) return pointerAt(l, tileSplatGetValue(op), 0);
  if (mlirOperationIsNull(op) || !tileOpIsAAddPtr(op) || mlirOperationIsNull(made))
    return pointerOf(l, numberAt(l, numbers, r));
  MlirValue known = *findMade(l, tile, numbers, r);
  if (!mlirValueIsNull(known)) return known;
  TileBuilder here = l->b;
  l->b = tileBuilderAfter(made);
  known = buildPointer(l, op, r);
  l->b = here;
  return *findMade(l, tile, numbers, r) = known;
}

//===- where it pays ------------------------------------------------------===//

/// Null, no loop: all is.
static bool isIn(MlirOperation loop, MlirValue value) {
  if (mlirOperationIsNull(loop)) return true;
  MlirOperation op = mlirBlockGetParentOperation(tileValueGetBlock(value));
  return tileOpHolds(loop, op);
}

/// Is it a sum of its own, through what only gives it another shape? (Of a number that is spread
/// over a tile nothing is known once it is.)
static bool isSum(MlirValue pointers) {
  MlirOperation op = tileValueGetOp(pointers);
  while (!mlirOperationIsNull(op) && tileOpIsView(op) && !tileOpIsASplat(op))
    op = tileValueGetOp(tileOperand(op, 0));
  return !mlirOperationIsNull(op) && tileOpIsAAddPtr(op);
}

/// Is it one number for all of a tile?
static bool isUniform(MlirValue offset) {
  MlirOperation op = tileValueGetOp(offset);
  return !mlirOperationIsNull(op) && tileOpIsASplat(op);
}

/// Are neighbours as far apart everywhere, by a number that is known? Then registers are, and one
/// number for all of them is added to one pointer, from which they have their distances.
static bool isEven(const Lowering *l, MlirValue pointers) {
  int64_t step;
  for (int d = 0; d < (int)mlirShapedTypeGetRank(mlirValueGetType(pointers)); ++d)
    if (!tileAxisStep(l->axis, pointers, d, &step)) return false;
  return true;
}

/// Is it a sum of 64 bits of what the loop changes, and what it does not?
static bool mixesSum(MlirOperation loop, MlirValue offset) {
  MlirOperation op = tileValueGetOp(offset);
  return !mlirOperationIsNull(op) && tileOpIs(op, "arith.addi") &&
         tileBitWidth(tileElementType(mlirValueGetType(offset))) == 64 &&
         isIn(loop, tileOperand(op, 0)) != isIn(loop, tileOperand(op, 1));
}

/// Would two offsets be added up in a step of the loop, in front of what they are added to? Null:
/// where there is none.
static bool mixes(const Lowering *l, MlirOperation loop, MlirValue tile) {
  MlirOperation op = tileValueGetOp(tile);
  if (mlirOperationIsNull(op) || !tileOpIsAAddPtr(op)) return false;
  MlirValue base = tileAddPtrGetPtr(op), offset = tileAddPtrGetOffset(op);
  bool moves = isIn(loop, base) || isIn(loop, offset);
  if (isUniform(offset)) moves &= !isIn(loop, base) && !isEven(l, base);
  return (moves && isSum(base)) || mixesSum(loop, offset) || mixes(l, loop, base);
}

/// Does the access stand in a loop of dots, or beside dots in no loop? Each register of each access
/// asks, and a loop is walked for the first.
static bool isBesideDots(Lowering *l, MlirOperation loop) {
  if (!l->hasDots || mlirOperationIsNull(loop)) return l->hasDots;
  if (!mlirOperationEqual(l->around.loop, loop)) {
    l->around.loop = loop;
    l->around.hasDots = tileHoldsDot(loop);
  }
  return l->around.hasDots;
}

MlirValue lowerPointerAt(Lowering *l, MlirOperation access, MlirValue tile, int r) {
  MlirOperation loop = tileLoopAround(access);
  if (!isBesideDots(l, loop) && mixes(l, loop, tile)) return pointerAt(l, tile, r);
  return numberAt(l, lowerGet(l, tile), r);
}

static bool isWgmma(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsWgmma(op);
}

static bool isBesideWgmma(const Lowering *l, MlirOperation access) {
  MlirOperation loop = tileLoopAround(access);
  return tileHoldsOp(mlirOperationIsNull(loop) ? l->kernel : loop, isWgmma, NULL);
}

// Of what is stored beside dots by mma.sync or FMA alone: one pointer for what warp groups store
// was as often a register more as less.
bool lowerSharesPointers(Lowering *l, MlirOperation access) {
  if (!isBesideDots(l, tileLoopAround(access))) return false;
  return !tileOpIsAStore(access) || !isBesideWgmma(l, access);
}

/// How far register r of `tile`, of `layout`, points behind register 0, in bytes: a sum of what is
/// known, and of so many times what is not.
typedef struct {
  int64_t known;
  int count;
  TileAxisDistance others[TILE_MAX_RANK];
} Distance;

/// False where neighbours do not lie apart by as much everywhere, or by more than instructions
/// take: an address has 24 bits with a sign for what is added to it.
static bool distanceOf(const Lowering *l, MlirValue tile, const TileLayout *layout, int r,
                       Distance *distance) {
  const int64_t most = (1 << 23) - 1;
  int bytes = tileElementBytes(tilePtrTypeGetPointee(tileElementType(mlirValueGetType(tile))));
  *distance = (Distance){.known = 0};
  for (int d = 0; d < layout->rank; ++d) {
    int64_t part = lowerRegisterPart(layout, r, d);
    TileAxisDistance own;
    if (!part) continue;
    if (!lowerPartsAreDisjoint(layout, d) || !tileAxisDistance(l->axis, tile, d, &own) ||
        __builtin_mul_overflow(own.count, bytes * part, &own.count) || llabs(own.count) > most)
      return false;
    if (mlirValueIsNull(own.times))
      distance->known += own.count;
    else
      distance->others[distance->count++] = own;
  }
  return llabs(distance->known) <= most;
}

MlirValue lowerPointerFrom(Lowering *l, MlirOperation access, MlirValue tile,
                           const TileLayout *layout, int r, int64_t *bytes) {
  Distance distance;
  bool isKnown = distanceOf(l, tile, layout, r, &distance) && !distance.count;
  *bytes = isKnown ? distance.known : 0;
  return lowerPointerAt(l, access, tile, isKnown ? 0 : r);
}

//===- from one row to another --------------------------------------------===//

/// A sum that LLVM does not take apart: it would carry a pointer of each register from step to
/// step, or hold its distance in front of the loop.
static MlirValue addDistance(Lowering *l, MlirValue pointer, const TileAxisDistance *distance) {
  MlirContext c = l->b.context;
  MlirType i64 = tileI64(c);
  MlirValue times = lowerGet(l, distance->times);
  if (!mlirTypeEqual(mlirValueGetType(times), i64))
    times = tileBuildUnary(&l->b, "arith.extsi", i64, times);
  MlirValue count = tileBuildInt(&l->b, i64, distance->count);
  times = tileBuildBinary(&l->b, "arith.muli", times, count);
  TileNamedAttr attrs[] = {{"asm_string", tileStringAttr(c, "add.s64 $0, $1, $2;")},
                           {"constraints", tileStringAttr(c, "=l,l,l")}};
  return tileResult(
      tileBuildOp(&l->b, "llvm.inline_asm", TILE_VALUES(pointer, times), 1, &i64, 2, attrs, 0));
}

/// The pointer of register r but for what is known of its distance. It is that of the register
/// without its lowest bit, and what this bit adds: of 16 rows the last one is four sums away from
/// the first, and three are held at a time.
static MlirValue rowOf(Lowering *l, MlirOperation access, MlirValue tile, const TileLayout *layout,
                       int r, MlirValue made[]) {
  Distance distance;
  if (!mlirValueIsNull(made[r])) return made[r];
  if (!r) return made[r] = lowerPointerAt(l, access, tile, 0);
  MlirValue pointer = rowOf(l, access, tile, layout, r & (r - 1), made);
  distanceOf(l, tile, layout, r & -r, &distance);
  for (int i = 0; i < distance.count; ++i) pointer = addDistance(l, pointer, &distance.others[i]);
  return made[r] = pointer;
}

// A distance is held in two registers as a pointer is, for each bit of a row's number: of four rows
// nothing is gained, and beside wgmma, where a thread has few rows, a register as often lost.
bool lowerAddsPointersUp(const Lowering *l, MlirOperation copy, const TileLayout *layout) {
  enum { LEAST_BITS = 3 };
  if (isBesideWgmma(l, copy)) return false;
  MlirValue tile = tileAsyncCopyGetPtr(copy);
  int bits = 0;
  for (int b = 0; b < layout->inBits[TILE_REGISTER]; ++b) {
    Distance distance;
    if (!distanceOf(l, tile, layout, 1 << b, &distance)) return false;
    bits += distance.count > 0;
  }
  return bits >= LEAST_BITS;
}

MlirValue lowerCopyPointer(Lowering *l, MlirOperation copy, const TileLayout *layout, int r,
                           MlirValue made[], int64_t *bytes) {
  Distance distance;
  MlirValue tile = tileAsyncCopyGetPtr(copy);
  if (!made || !distanceOf(l, tile, layout, r, &distance))
    return lowerPointerFrom(l, copy, tile, layout, r, bytes);
  *bytes = distance.known;
  return rowOf(l, copy, tile, layout, r, made);
}
