//===- Dot.c - matrix products: FMA, and who computes the others ----------===//
//
// FMA: a thread has rows of A and columns of B in registers for a few k (a chunk), and updates
// every accumulator it holds. Operands lie in shared memory in any order, swizzled or not; a load
// takes up to 16 bytes, along K or along rows (columns), as they lie:
//
//   chunk 0 = load(k = 0)
//   for k0 = 0 to depth step 8:                   (A and B of f32 with K fastest)
//     chunk 1 = load(k0 + 4) ; acc += chunk 0     loads run ahead of what multiplies
//     chunk 0 = load(k0 + 8) ; acc += chunk 1     of the last round: k = 0 again, which nobody
//     needs
//
// That order is CUTLASS's for SIMT products. mma.sync: Mma.c; wgmma: Wgmma.c.
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"
#include "tile/Analysis/DotForm.h"
#include "tile/Analysis/Scratch.h"
#include "tile/MachineNumbers.h"
#include <stdlib.h>

//===- FMA: operands ------------------------------------------------------===//

/// One operand of the FMA form. What a thread needs of it is numbered r << depthBits | k, r being a
/// register of the accumulator.
typedef struct {
  MlirType element;
  LowerAddress address;
  int depthBits;
  int vector;        // elements of a load
  int vectorBits[4]; // of such a number, the bits that count elements of a load, low ones first
  int chunk;         // elements along K that a load has, at least
  unsigned matter;   // the bits of such a number that change the element
  // in registers: all of K, as one load
  MlirValue value; // null: in shared memory
  TileLayout layout;
  int dim, k;
} FmaOperand;

/// What threads need of an operand, as a layout of its tile: the accumulator's, rows (or columns)
/// alone, behind all of K.
static TileLayout neededLayout(const TileLayout *acc, int dim, int depthBits) {
  int rank = acc->rank, k = dim == rank - 2 ? rank - 1 : rank - 2;
  TileLayout layout = tileLayoutEmpty(rank);
  // Of B, K and N are the last dimensions; of A, M and K.
  int own = dim == rank - 2 ? rank - 2 : rank - 1;
  for (int d = 0; d < rank; ++d) layout.outBits[d] = acc->outBits[d];
  layout.outBits[k] = depthBits;
  for (int b = 0; b < depthBits; ++b) {
    int64_t at[TILE_MAX_RANK] = {0};
    at[k] = (int64_t)1 << b;
    layout.bases[TILE_REGISTER][b] = tileLayoutPack(layout, at);
  }
  for (int in = 0; in <= TILE_WARP; ++in) {
    int first = in == TILE_REGISTER ? depthBits : 0;
    layout.inBits[in] = first + acc->inBits[in];
    for (int b = 0; b < acc->inBits[in]; ++b) {
      int64_t at[TILE_MAX_RANK] = {0};
      at[own] = tileLayoutCoordinate(*acc, acc->bases[in][b], dim);
      if (rank == 3) at[0] = tileLayoutCoordinate(*acc, acc->bases[in][b], 0);
      layout.bases[in][first + b] = tileLayoutPack(layout, at);
    }
  }
  return layout;
}

static int64_t offsetOf(const TileLayout *map, TileInDim in, int bit) {
  return tileLayoutCoordinate(*map, map->bases[in][bit], map->rank - 1);
}

/// The bit of `in` that alone moves `elements` on, while no other bit touches that; -1: none.
static int findUnit(const TileLayout *map, int64_t elements) {
  int found = -1;
  for (int in = 0; in <= TILE_WARP; ++in)
    for (int b = 0; b < map->inBits[in]; ++b) {
      int64_t offset = offsetOf(map, (TileInDim)in, b);
      if (!(offset & elements)) continue;
      if (in != TILE_REGISTER || offset != elements || found >= 0) return -1;
      found = b;
    }
  return found;
}

/// An operand that tile-prefetch-operands has read: each of its registers is an element.
static bool prepareRegisters(Lowering *l, MlirOperation op, MlirValue value, const TileLayout *acc,
                             FmaOperand *o) {
  MlirLocation loc = mlirOperationGetLocation(op);
  if (!lowerLayoutOf(loc, mlirValueGetType(value), &o->layout)) return false;
  bool isRead = false;
  for (int first = 0; first < 2; ++first) {
    TileLayout needed = tileLayoutFmaOperand(*acc, o->dim, o->k, o->depthBits, first);
    isRead |= tileLayoutEqual(o->layout, needed);
  }
  if (!isRead) {
    tileEmitError(loc,
                  "expected operands in shared buffers (see tile-assign-layouts), found tiles");
    return false;
  }
  o->value = lowerGet(l, value);
  o->vector = lowerNumRegisters(&o->layout);
  o->chunk = 1 << o->depthBits;
  return true;
}

static bool prepareFma(Lowering *l, MlirOperation op, MlirValue value, const TileLayout *acc,
                       int dim, FmaOperand *o) {
  MlirType type = mlirValueGetType(value);
  int64_t shape[TILE_MAX_RANK];
  lowerDotShape(value, shape);
  int k = dim == acc->rank - 2 ? acc->rank - 1 : acc->rank - 2;
  *o = (FmaOperand){.element = tileDotOperandElement(value), .vector = 1, .chunk = 1, .dim = dim};
  o->k = k;
  while ((int64_t)1 << o->depthBits < shape[k]) ++o->depthBits;
  if (!tileTypeIsABuffer(type)) return prepareRegisters(l, op, value, acc, o);
  TileLayout map = tileLayoutInvalid();
  TileLayout shared = tileBufferLayout(type);
  TileLayout needed = neededLayout(acc, dim, o->depthBits);
  if (!tileLayoutIsValid(shared) || !tileLayoutSharedAddress(needed, shared, &map)) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected shared buffers of the operands' shapes for fma, found others");
    return false;
  }
  int bytes = tileElementBytes(o->element);
  for (int n = 0; o->vector * bytes < 16; ++n) {
    int bit = findUnit(&map, o->vector);
    if (bit < 0) break;
    o->vectorBits[n] = bit;
    if (bit < o->depthBits && o->chunk < 2 << bit) o->chunk = 2 << bit;
    o->vector *= 2;
  }
  for (int b = 0; b < map.inBits[TILE_REGISTER]; ++b)
    if (offsetOf(&map, TILE_REGISTER, b)) o->matter |= 1u << b;
  o->address = lowerBufferAddress(l, lowerGet(l, value), &map, bytes);
  return true;
}

/// The operand as seen from k0, a multiple of `step`.
static FmaOperand movedAlong(Lowering *l, const FmaOperand *o, MlirValue k0, int step) {
  FmaOperand moved = *o;
  MlirValue one = lowerI32(l, 1);
  for (int b = __builtin_ctz((unsigned)step); b < o->depthBits; ++b) {
    int64_t bytes = offsetOf(&o->address.map, TILE_REGISTER, b) * o->address.bytes;
    MlirValue place = lowerI32(l, b), size = lowerI32(l, bytes);
    MlirValue bit = tileBuildBinary(&l->b, "arith.shrui", k0, place);
    bit = tileBuildBinary(&l->b, "arith.andi", bit, one);
    MlirValue part = tileBuildBinary(&l->b, "arith.muli", bit, size);
    moved.address.start = tileBuildBinary(&l->b, "arith.xori", moved.address.start, part);
    moved.address.mixed |= bytes;
  }
  return moved;
}

//===- FMA: chunks --------------------------------------------------------===//

/// What one chunk of K takes of an operand: loads, and where each element of it is among them.
typedef struct {
  int numLoads, depth; // loads, and elements along K
  int *numbers;        // of the first element of each load
  int *load, *element; // [register of the accumulator][k]
} FmaChunk;

static void freeChunk(FmaChunk *c) {
  free(c->numbers);
  free(c->load);
  free(c->element);
}

/// Which register of an operand has sum `r`'s element of K number `k`.
static int registerOf(const FmaOperand *o, const TileLayout *acc, int r, int k) {
  int found = 0;
  for (int b = 0; b < o->layout.inBits[TILE_REGISTER]; ++b) {
    int64_t depth = tileLayoutCoordinate(o->layout, o->layout.bases[TILE_REGISTER][b], o->k);
    int64_t own = tileLayoutCoordinate(o->layout, o->layout.bases[TILE_REGISTER][b], o->dim);
    bool isSet = (k & depth) != 0;
    for (int a = 0; a < acc->inBits[TILE_REGISTER] && own; ++a)
      isSet |=
          (r >> a & 1) && tileLayoutCoordinate(*acc, acc->bases[TILE_REGISTER][a], o->dim) == own;
    found |= isSet << b;
  }
  return found;
}

static FmaChunk planChunk(const FmaOperand *o, const TileLayout *acc, int registers, int depth) {
  size_t count = (size_t)registers * (size_t)depth;
  FmaChunk c = {.depth = depth,
                .numbers = malloc(count * sizeof(int)),
                .load = malloc(count * sizeof(int)),
                .element = malloc(count * sizeof(int))};
  if (!c.numbers || !c.load || !c.element) abort();
  if (!mlirValueIsNull(o->value)) c.numLoads = 1;
  for (int r = 0; r < registers; ++r)
    for (int k = 0; k < depth; ++k) {
      if (!mlirValueIsNull(o->value)) {
        c.load[r * depth + k] = 0;
        c.element[r * depth + k] = registerOf(o, acc, r, k);
        continue;
      }
      unsigned number = ((unsigned)r << o->depthBits | (unsigned)k) & o->matter;
      int element = 0, load = 0;
      for (int b = 0; 1 << b < o->vector; ++b) {
        element |= (int)(number >> o->vectorBits[b] & 1) << b;
        number &= ~(1u << o->vectorBits[b]);
      }
      while (load < c.numLoads && c.numbers[load] != (int)number) ++load;
      if (load == c.numLoads) c.numbers[c.numLoads++] = (int)number;
      c.load[r * depth + k] = load;
      c.element[r * depth + k] = element;
    }
  return c;
}

/// The loads of a chunk that begins at k.
static void loadChunk(Lowering *l, const FmaOperand *o, const FmaChunk *c, int k,
                      MlirValue *loads) {
  if (!mlirValueIsNull(o->value)) {
    loads[0] = o->value;
    return;
  }
  MlirType type = tileVectorType(o->vector, o->element);
  int bytes = o->vector * o->address.bytes;
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(l->b.context), bytes);
  for (int i = 0; i < c->numLoads; ++i) {
    MlirValue pointer = lowerBufferPointer(l, &o->address, c->numbers[i] | k, (MlirValue){NULL});
    loads[i] = tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(pointer), 1, &type,
                                      TILE_ATTRS({"alignment", alignment}), 0));
  }
}

/// The elements of a chunk, [load][element], as the accumulator's type.
static MlirValue *elementsOf(Lowering *l, const FmaOperand *o, const FmaChunk *c,
                             const MlirValue *loads, MlirType type) {
  MlirValue *elements = malloc((size_t)c->numLoads * (size_t)o->vector * sizeof *elements);
  if (!elements) abort();
  const char *extension = mlirTypeIsAInteger(type) ? "arith.extsi" : "arith.extf";
  for (int i = 0; i < c->numLoads; ++i) {
    MlirValue wide = loads[i];
    if (!mlirTypeEqual(o->element, type))
      wide = tileBuildUnary(&l->b, extension, tileVectorType(o->vector, type), wide);
    for (int e = 0; e < o->vector; ++e) elements[i * o->vector + e] = lowerExtract(l, wide, e);
  }
  return elements;
}

//===- FMA: the product ---------------------------------------------------===//

typedef struct {
  FmaOperand operands[2];
  FmaChunk chunks[2];
  MlirType element; // of the sums
  int registers;
} FmaDot;

/// sums[r] += A(r, k) B(k, r) over a chunk whose loads are `loads`: A's, then B's.
static void multiplyChunk(Lowering *l, const FmaDot *d, const MlirValue *loads, MlirValue *sums) {
  const FmaChunk *a = &d->chunks[0], *b = &d->chunks[1];
  MlirValue *x = elementsOf(l, &d->operands[0], a, loads, d->element);
  MlirValue *y = elementsOf(l, &d->operands[1], b, loads + a->numLoads, d->element);
  for (int k = 0; k < a->depth; ++k)
    for (int r = 0; r < d->registers; ++r) {
      int i = r * a->depth + k;
      MlirValue left = x[a->load[i] * d->operands[0].vector + a->element[i]];
      MlirValue right = y[b->load[i] * d->operands[1].vector + b->element[i]];
      if (mlirTypeIsAInteger(d->element)) {
        MlirValue product = tileBuildBinary(&l->b, "arith.muli", left, right);
        sums[r] = tileBuildBinary(&l->b, "arith.addi", product, sums[r]);
      } else {
        sums[r] = tileBuild(&l->b, "llvm.intr.fma", d->element, TILE_VALUES(left, right, sums[r]));
      }
    }
  free(x);
  free(y);
}

static void loadChunks(Lowering *l, const FmaDot *d, const FmaOperand operands[2], int k,
                       MlirValue *loads) {
  loadChunk(l, &operands[0], &d->chunks[0], k, loads);
  loadChunk(l, &operands[1], &d->chunks[1], k, loads + d->chunks[0].numLoads);
}

/// `step` of K, of operands that begin there: chunk after chunk, the next one's loads first.
/// `loads` is the first chunk; in the end it is that of `next`, where there is one.
static MlirValue multiplyStep(Lowering *l, const FmaDot *d, const FmaOperand operands[2], int step,
                              const FmaOperand *next, MlirValue *loads, MlirValue sum) {
  int count = d->chunks[0].numLoads + d->chunks[1].numLoads, depth = d->chunks[0].depth;
  MlirValue *ahead = malloc((size_t)count * sizeof *ahead);
  MlirValue *sums = malloc((size_t)d->registers * sizeof *sums);
  if (!ahead || !sums) abort();
  for (int r = 0; r < d->registers; ++r) sums[r] = lowerExtract(l, sum, r);
  for (int k = 0; k < step; k += depth) {
    bool last = k + depth == step;
    if (!last) loadChunks(l, d, operands, k + depth, ahead);
    if (last && next) loadChunks(l, d, next, 0, ahead);
    multiplyChunk(l, d, loads, sums);
    for (int i = 0; i < count && (!last || next); ++i) loads[i] = ahead[i];
  }
  sum = lowerFromElements(l, d->element, d->registers, sums);
  free(ahead);
  free(sums);
  return sum;
}

/// %acc', .. = scf.for %k0 iter_args(%acc, %chunk..)
static MlirValue multiplyInLoop(Lowering *l, const FmaDot *d, int depth, int step, MlirValue *loads,
                                MlirValue start) {
  int count = d->chunks[0].numLoads + d->chunks[1].numLoads;
  size_t total = (size_t)count + 4;
  MlirValue *values = malloc(total * sizeof *values);
  MlirType *types = malloc(total * sizeof *types);
  MlirLocation *locs = malloc(total * sizeof *locs);
  if (!values || !types || !locs) abort();
  TileBuilder outside = l->b;
  values[0] = lowerI32(l, 0);
  values[1] = lowerI32(l, depth);
  values[2] = lowerI32(l, step);
  values[3] = start;
  for (int i = 0; i < count; ++i) values[4 + i] = loads[i];
  for (size_t i = 0; i < total; ++i) types[i] = mlirValueGetType(values[i]);
  for (size_t i = 0; i < total; ++i) locs[i] = l->b.location;
  outside = l->b;
  MlirOperation loop =
      tileBuildOp(&l->b, "scf.for", (intptr_t)total, values, count + 1, types + 3, TILE_NONE, 1);
  types[2] = tileI32(l->b.context);
  MlirBlock body = mlirBlockCreate(count + 2, types + 2, locs);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop, 0), body);
  l->b.block = body;
  MlirValue k0 = mlirBlockGetArgument(body, 0), sum = mlirBlockGetArgument(body, 1);
  for (int i = 0; i < count; ++i) loads[i] = mlirBlockGetArgument(body, i + 2);
  MlirValue stepValue = lowerI32(l, step), mask = lowerI32(l, depth - 1);
  MlirValue k1 = tileBuildBinary(&l->b, "arith.addi", k0, stepValue);
  k1 = tileBuildBinary(&l->b, "arith.andi", k1, mask);
  FmaOperand here[2], next[2];
  for (int i = 0; i < 2; ++i) here[i] = movedAlong(l, &d->operands[i], k0, step);
  for (int i = 0; i < 2; ++i) next[i] = movedAlong(l, &d->operands[i], k1, step);
  values[0] = multiplyStep(l, d, here, step, next, loads, sum);
  for (int i = 0; i < count; ++i) values[1 + i] = loads[i];
  tileBuildOp(&l->b, "scf.yield", count + 1, values, TILE_NONE, TILE_NONE, 0);
  l->b = outside;
  free(values);
  free(types);
  free(locs);
  return tileResult(loop);
}

static MlirLogicalResult lowerFma(Lowering *l, MlirOperation op, const TileLayout *acc) {
  int64_t shape[TILE_MAX_RANK];
  int rank = acc->rank;
  MlirValue start = lowerGet(l, tileDotGetAcc(op));
  FmaDot d = {.registers = lowerNumRegisters(acc),
              .element = mlirShapedTypeGetElementType(mlirValueGetType(start))};
  if (!prepareFma(l, op, tileDotGetA(op), acc, rank - 2, &d.operands[0]) ||
      !prepareFma(l, op, tileDotGetB(op), acc, rank - 1, &d.operands[1]))
    return mlirLogicalResultFailure();
  lowerDotShape(tileDotGetA(op), shape);
  int depth = (int)shape[rank - 1], chunk = d.operands[0].chunk;
  if (chunk < d.operands[1].chunk) chunk = d.operands[1].chunk;
  int step = chunk, most = tileMachineNumber(l->machine, TILE_NUMBER_FMA_STEP);
  while (step < depth && step * 2 * d.registers <= most) step *= 2;
  for (int i = 0; i < 2; ++i) d.chunks[i] = planChunk(&d.operands[i], acc, d.registers, chunk);
  size_t count = (size_t)(d.chunks[0].numLoads + d.chunks[1].numLoads);
  MlirValue *loads = malloc(count * sizeof *loads);
  if (!loads) abort();
  loadChunks(l, &d, d.operands, 0, loads);
  MlirValue sum = step == depth ? multiplyStep(l, &d, d.operands, step, NULL, loads, start)
                                : multiplyInLoop(l, &d, depth, step, loads, start);
  lowerSet(l, tileResult(op), sum);
  free(loads);
  for (int i = 0; i < 2; ++i) freeChunk(&d.chunks[i]);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerDot(Lowering *l, MlirOperation op) {
  TileLayout acc;
  if (!lowerLayoutOf(mlirOperationGetLocation(op), mlirValueGetType(tileResult(op)), &acc))
    return mlirLogicalResultFailure();
  int instruction = (int)tileDotGetInstruction(op);
  if (instruction != TILE_INSTRUCTION_WGMMA && instruction != TILE_INSTRUCTION_MMA_SYNC)
    return lowerFma(l, op, &acc);
  TileDotForm form;
  if (!tileDotGetForm(op, &form)) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected operands that tensor cores multiply, found f32 of all its bits");
    return mlirLogicalResultFailure();
  }
  return instruction == TILE_INSTRUCTION_WGMMA ? lowerWgmma(l, op, &acc) : lowerMma(l, op, &acc);
}
