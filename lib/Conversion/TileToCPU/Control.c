//===- Control.c - scf.for, scf.if and scf.while over tiles ---------------===//
//
// Scalars are carried as they are. A tile that a loop carries is either
//
//   an induction: the loop adds something uniform each time, as in
//       %p2 = tile.addptr %p, %step        (%step a splat)
//     and then only the sum so far is carried, as a scalar; pointers stay
//     expressions, and known to be contiguous;
//
//   or a buffer that each iteration overwrites. The new values may read the
//   old ones, so they are written in an order in which nobody reads what is
//   already overwritten; where there is none (a swap), one goes through a
//   buffer of its own.
//
// A buffer that dies where a loop starts becomes the loop's, so an accumulator is
// in one place through nested loops and dots.
//===----------------------------------------------------------------------===//
#include "Lowering.h"

//===- carried tiles ------------------------------------------------------===//

typedef struct {
  MlirValue init, argument, next, result; ///< of the kernel
  bool isTile, isInduction;
  CpuBuffer buffer;
  int slot; ///< its scalar's place among the loop's carried scalars, or -1
} Carried;

/// The scalar that a tile has in every element; null for other tiles.
static MlirValue uniformValue(CpuLowering *l, MlirValue tile) {
  CpuSlot *slot = cpuFind(l, tile);
  MlirOperation op = tileValueGetOp(tile);
  int64_t number;
  if (mlirOperationIsNull(op)) return (MlirValue){NULL};
  if (tileOpIsASplat(op)) return cpuScalar(l, tileSplatGetValue(op));
  if (slot && slot->form != CPU_INLINE) return (MlirValue){NULL};
  if (tileConstantInt(tile, &number))
    return cpuInt(l, tileElementType(mlirValueGetType(tile)), number);
  if (tileOpIsABroadcast(op) || tileOpIsAExpandDims(op)) return uniformValue(l, tileOperand(op, 0));
  return (MlirValue){NULL};
}

/// Is it a uniform tile by its op alone, before the loop's body has been lowered?
static bool isUniformTile(MlirValue tile) {
  MlirOperation op = tileValueGetOp(tile);
  int64_t number;
  if (mlirOperationIsNull(op)) return false;
  if (tileOpIsASplat(op) || tileConstantInt(tile, &number)) return true;
  if (tileOpIsABroadcast(op) || tileOpIsAExpandDims(op)) return isUniformTile(tileOperand(op, 0));
  return false;
}

/// The next link of the chain of sums from `value` back to the loop's argument: its tile operand
/// and what is added. False at the end of the chain.
static bool previousSum(MlirValue value, MlirValue *from, MlirValue *added) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return false;
  if (!tileOpIsAAddPtr(op) && !tileOpIs(op, "arith.addi")) return false;
  *from = tileOperand(op, 0);
  *added = tileOperand(op, 1);
  if (tileOpIs(op, "arith.addi") && isUniformTile(*from)) {
    *from = tileOperand(op, 1);
    *added = tileOperand(op, 0);
  }
  return isUniformTile(*added);
}

static bool loadsInline(CpuLowering *l, MlirValue tile, int *budget);

/// What it starts as is evaluated in every iteration, so no load may be part of that.
static bool isInduction(CpuLowering *l, const Carried *c) {
  int budget = 200;
  MlirType element = tileElementType(mlirValueGetType(c->init));
  if (!tileTypeIsAPtr(element) && !mlirTypeIsAInteger(element)) return false;
  MlirValue value = c->next, from, added;
  while (!mlirValueEqual(value, c->argument)) {
    if (!previousSum(value, &from, &added)) return false;
    value = from;
  }
  return !loadsInline(l, c->init, &budget);
}

static bool loadsInline(CpuLowering *l, MlirValue tile, int *budget) {
  CpuSlot *slot = cpuFind(l, tile);
  if (--*budget < 0) return true;
  if (!slot || slot->form == CPU_SCALAR || slot->form == CPU_BUFFER) return false;
  if (slot->form == CPU_INDUCTION) return loadsInline(l, slot->start, budget);
  MlirOperation op = tileValueGetOp(tile);
  if (tileOpIsALoad(op)) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (loadsInline(l, tileOperand(op, i), budget)) return true;
  return false;
}

static void emitStart(CpuLowering *l, bool yes, void *data) {
  (void)yes;
  Carried *c = data;
  cpuWrite(l, c->init, &c->buffer);
}

/// Puts the tile the loop starts with where the loop carries it; if `ifEmpty`, only where the loop
/// has no step.
static void startTile(CpuLowering *l, MlirOperation op, Carried *c, bool ifEmpty) {
  CpuSlot *slot = cpuFind(l, c->init);
  if (c->isInduction) return;
  if (slot->form == CPU_BUFFER && slot->owned && cpuDiesAt(c->init, op)) {
    c->buffer = slot->buffer;
    return;
  }
  c->buffer = cpuAllocateBuffer(l, mlirValueGetType(c->init), (MlirType){NULL});
  if (ifEmpty) {
    MlirValue from = cpuScalar(l, tileOperand(op, 0)), to = cpuScalar(l, tileOperand(op, 1));
    cpuIf(l, tileBuildCmpi(&l->at, TILE_SGE, from, to), false, emitStart, c);
  } else {
    cpuWrite(l, c->init, &c->buffer);
  }
}

/// The type in which an induction's sum is carried.
static MlirType sumType(CpuLowering *l, const Carried *c) {
  MlirType element = tileElementType(mlirValueGetType(c->init));
  return tileTypeIsAPtr(element) ? tileI64(l->context) : element;
}

static void bindTile(CpuLowering *l, const Carried *c, MlirValue tile, MlirValue sum) {
  if (!c->isInduction) {
    cpuSetBuffer(l, tile, c->buffer, true);
    return;
  }
  CpuSlot *slot = cpuSet(l, tile, CPU_INDUCTION);
  slot->start = c->init;
  slot->scalar = sum;
}

/// sum + all that the chain from `next` back to the argument adds.
static MlirValue advance(CpuLowering *l, const Carried *c, MlirValue sum) {
  MlirValue value = c->next, from, added;
  MlirType type = sumType(l, c);
  while (!mlirValueEqual(value, c->argument) && previousSum(value, &from, &added)) {
    MlirValue scalar = uniformValue(l, added);
    if (!mlirTypeEqual(mlirValueGetType(scalar), type))
      scalar = tileBuildUnary(&l->at, "arith.extsi", type, scalar);
    sum = tileBuildBinary(&l->at, "arith.addi", sum, scalar);
    value = from;
  }
  return sum;
}

//===- overwriting carried buffers ----------------------------------------===//

static bool isInPlace(CpuLowering *l, const Carried *c) {
  CpuSlot *slot = cpuFind(l, c->next);
  return slot->form == CPU_BUFFER && mlirValueEqual(slot->buffer.pointer, c->buffer.pointer);
}

/// May `all[i]` be written now, with `done` telling which are?
static bool mayWrite(CpuLowering *l, Carried *all, const bool *done, int count, int i) {
  bool elsewhere;
  if (cpuReads(l, all[i].next, all[i].buffer.pointer, &elsewhere) && elsewhere) return false;
  for (int k = 0; k < count; ++k)
    if (k != i && !done[k] && cpuReads(l, all[k].next, all[i].buffer.pointer, &elsewhere))
      return false;
  return true;
}

/// May `all[i]` be written together with others, if nobody else reads what they overwrite: does it
/// read of all that are carried the same elements?
static bool readsInPlace(CpuLowering *l, const Carried *all, const bool *done, int count, int i) {
  bool elsewhere = false;
  for (int k = 0; k < count; ++k)
    if (!done[k] && cpuReads(l, all[i].next, all[k].buffer.pointer, &elsewhere) && elsewhere)
      return false;
  return true;
}

/// Writes what goes together with `all[first]` by one nest, where it may be; how many were.
static int writeTogether(CpuLowering *l, const Carried *all, bool *done, int count, int first) {
  int members[CPU_MAX_TOGETHER], size = 0;
  for (int i = first; i < count && size < CPU_MAX_TOGETHER; ++i)
    if (!done[i] && cpuGoTogether(l, all[first].next, all[i].next) &&
        readsInPlace(l, all, done, count, i))
      members[size++] = i;
  if (size < 2) return 0;
  MlirValue tiles[CPU_MAX_TOGETHER];
  CpuBuffer buffers[CPU_MAX_TOGETHER];
  for (int m = 0; m < size; ++m) {
    tiles[m] = all[members[m]].next;
    buffers[m] = all[members[m]].buffer;
    done[members[m]] = true;
  }
  bool elsewhere, isFree = true;
  for (int m = 0; m < size; ++m)
    for (int k = 0; k < count; ++k)
      isFree &= done[k] || !cpuReads(l, all[k].next, buffers[m].pointer, &elsewhere);
  if (isFree) cpuWriteTogether(l, size, tiles, buffers);
  for (int m = 0; m < size; ++m) done[members[m]] = isFree;
  return isFree ? size : 0;
}

static void writeNext(CpuLowering *l, Carried *all, int count) {
  bool *done = cpuAllocate(l, (size_t)count + 1);
  CpuSlot *kept = cpuAllocate(l, (size_t)(count + 1) * sizeof *kept);
  bool *isKept = cpuAllocate(l, (size_t)count + 1);
  int left = 0;
  for (int i = 0; i < count; ++i) {
    done[i] = !all[i].isTile || all[i].isInduction || isInPlace(l, &all[i]);
    left += !done[i];
  }
  for (int i = 0; i < count; ++i)
    if (!done[i]) left -= writeTogether(l, all, done, count, i);
  while (left) {
    int next = -1, any = 0;
    for (int i = count; i-- > 0;) {
      if (done[i]) continue;
      if (!isKept[i]) any = i;
      if (mayWrite(l, all, done, count, i)) next = i;
    }
    if (next < 0) {
      // Everyone left is read by another: one gets a buffer of its own, and is then a plain copy.
      CpuBuffer own = cpuAllocateBuffer(l, mlirValueGetType(all[any].next), (MlirType){NULL});
      cpuWrite(l, all[any].next, &own);
      kept[any] = *cpuFind(l, all[any].next);
      isKept[any] = true;
      cpuSetBuffer(l, all[any].next, own, false);
      continue;
    }
    cpuWrite(l, all[next].next, &all[next].buffer);
    done[next] = true;
    --left;
  }
  // Outside of the loop the value is what it was: the copy exists only where this ran.
  for (int i = count; i-- > 0;)
    if (isKept[i]) *cpuFind(l, all[i].next) = kept[i];
}

//===- scf.for ------------------------------------------------------------===//

/// `value`, what the loop carries as its step sees it or as it leaves it, is from here on what
/// `scalars` have, or a tile.
static void bindCarried(CpuLowering *l, const Carried *c, MlirValue value, const MlirValue *scalars,
                        MlirValue counter) {
  if (c->isTile)
    bindTile(l, c, value, c->isInduction ? scalars[c->slot] : counter);
  else
    cpuSetScalar(l, value, scalars[c->slot]);
}

void cpuLowerFor(CpuLowering *l, MlirOperation op) {
  MlirBlock body = tileBody(op, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  int count = (int)mlirOperationGetNumResults(op), numScalars = 0;
  Carried *all = cpuAllocate(l, (size_t)(count + 1) * sizeof *all);
  MlirValue *scalars = cpuAllocate(l, (size_t)(count + 1) * sizeof *scalars);
  const int64_t steps = cpuCountSteps(l, op);
  MlirValue from = cpuScalar(l, tileOperand(op, 0));
  MlirValue to = cpuScalar(l, tileOperand(op, 1));
  for (int i = 0; i < count; ++i) {
    Carried *c = &all[i];
    c->init = tileForGetInit(op, i);
    c->argument = mlirBlockGetArgument(body, 1 + i);
    c->next = tileOperand(yield, i);
    c->result = mlirOperationGetResult(op, i);
    c->isTile = tileTypeIsTile(mlirValueGetType(c->init));
    c->isInduction = c->isTile && isInduction(l, c);
    c->slot = c->isTile && !c->isInduction ? -1 : numScalars++;
    if (c->isTile) startTile(l, op, c, steps > 1 && cpuStartsByDot(l, op, i));
    if (c->isInduction) scalars[c->slot] = cpuInt(l, sumType(l, c), 0);
    if (!c->isTile) scalars[c->slot] = cpuScalar(l, c->init);
  }
  if (steps > 1) scalars[numScalars++] = cpuI64(l, 0);

  CpuLoop loop;
  MlirValue step = cpuScalar(l, tileOperand(op, 2));
  MlirValue counter = cpuBeginLoop(l, &loop, from, to, step, numScalars, scalars);
  cpuSetScalar(l, mlirBlockGetArgument(body, 0), counter);
  cpuTraceIteration(l, op);
  const CpuSteps outer = l->steps;
  l->steps = (CpuSteps){.count = 0};
  if (steps > 1)
    l->steps = cpuBeginSteps(l, op, steps, scalars[numScalars - 1],
                             (MlirValue[]){counter, from, to, step});
  for (int i = 0; i < count; ++i) bindCarried(l, &all[i], all[i].argument, scalars, counter);
  cpuLowerBlock(l, body);
  if (l->failed) return;
  writeNext(l, all, count);
  if (steps > 1) scalars[numScalars - 1] = cpuNextStep(l);
  l->steps = outer;
  for (int i = 0; i < count; ++i) {
    if (all[i].isInduction)
      scalars[all[i].slot] = advance(l, &all[i], scalars[all[i].slot]);
    else if (!all[i].isTile)
      scalars[all[i].slot] = cpuScalar(l, all[i].next);
  }
  cpuEndLoop(l, &loop, numScalars, scalars);
  for (int i = 0; i < count; ++i) bindCarried(l, &all[i], all[i].result, scalars, counter);
}

//===- regions with scalar results ----------------------------------------===//

/// An op like the kernel's with scalar operands and results alone, and empty regions.
static MlirOperation createControl(CpuLowering *l, const char *name, intptr_t numOperands,
                                   const MlirValue *operands, MlirOperation like, int numRegions) {
  intptr_t count = mlirOperationGetNumResults(like), numTypes = 0;
  MlirType *types = cpuAllocate(l, (size_t)(count + 1) * sizeof *types);
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(like, i));
    if (!tileTypeIsTile(type)) types[numTypes++] = cpuRegisterType(l, type);
  }
  return tileBuildOp(&l->at, name, numOperands, operands, numTypes, types, TILE_NONE, numRegions);
}

/// Opens a block for region `i`; its arguments stand for the scalars among `arguments`' arguments.
static void openRegion(CpuLowering *l, MlirOperation op, int i, MlirBlock arguments) {
  intptr_t count = mlirBlockGetNumArguments(arguments), numTypes = 0;
  MlirType *types = cpuAllocate(l, (size_t)(count + 1) * sizeof *types);
  MlirLocation *locations = cpuAllocate(l, (size_t)(count + 1) * sizeof *locations);
  for (intptr_t k = 0; k < count; ++k) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(arguments, k));
    if (tileTypeIsTile(type)) continue;
    locations[numTypes] = l->at.location;
    types[numTypes++] = cpuRegisterType(l, type);
  }
  MlirBlock block = mlirBlockCreate(numTypes, types, locations);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(op, i), block);
  l->at = tileBuilderAtEnd(block, l->at.location);
  for (intptr_t k = 0, next = 0; k < count; ++k) {
    MlirValue argument = mlirBlockGetArgument(arguments, k);
    if (!tileTypeIsTile(mlirValueGetType(argument)))
      cpuSetScalar(l, argument, mlirBlockGetArgument(block, next++));
  }
}

/// Writes the tiles among the terminator's operands from `first` on into `buffers`, and ends the
/// block with `name` on the scalars, after `lead` unless that is null.
static void closeRegion(CpuLowering *l, const char *name, MlirOperation terminator, int first,
                        MlirValue lead, CpuBuffer *buffers) {
  intptr_t count = mlirOperationGetNumOperands(terminator), numScalars = 0;
  MlirValue *scalars = cpuAllocate(l, (size_t)(count + 1) * sizeof *scalars);
  if (!mlirValueIsNull(lead)) scalars[numScalars++] = lead;
  for (intptr_t i = first; i < count; ++i) {
    MlirValue value = tileOperand(terminator, i);
    if (tileTypeIsTile(mlirValueGetType(value)))
      cpuWrite(l, value, &buffers[i - first]);
    else
      scalars[numScalars++] = cpuScalar(l, value);
  }
  tileBuildOp(&l->at, name, numScalars, scalars, TILE_NONE, TILE_NONE, 0);
}

static CpuBuffer *allocateTiles(CpuLowering *l, intptr_t count,
                                MlirValue (*get)(MlirOperation, intptr_t), MlirOperation op) {
  CpuBuffer *buffers = cpuAllocate(l, (size_t)(count + 1) * sizeof *buffers);
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(get(op, i));
    if (tileTypeIsTile(type)) buffers[i] = cpuAllocateBuffer(l, type, (MlirType){NULL});
  }
  return buffers;
}

static void bindResults(CpuLowering *l, MlirOperation op, MlirOperation made,
                        const CpuBuffer *buffers) {
  for (intptr_t i = 0, next = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (tileTypeIsTile(mlirValueGetType(result)))
      cpuSetBuffer(l, result, buffers[i], true);
    else
      cpuSetScalar(l, result, mlirOperationGetResult(made, next++));
  }
}

//===- scf.if -------------------------------------------------------------===//

void cpuLowerIf(CpuLowering *l, MlirOperation op) {
  CpuBuffer *buffers = allocateTiles(l, mlirOperationGetNumResults(op), mlirOperationGetResult, op);
  MlirValue condition = cpuScalar(l, tileOperand(op, 0)), null = {NULL};
  MlirOperation made = createControl(l, "scf.if", 1, &condition, op, 2);
  TileBuilder outside = l->at;
  for (int i = 0; i < 2; ++i) {
    MlirBlock block = tileBody(op, i);
    if (mlirBlockIsNull(block)) continue;
    openRegion(l, made, i, block);
    cpuLowerBlock(l, block);
    if (l->failed) break;
    closeRegion(l, "scf.yield", mlirBlockGetTerminator(block), 0, null, buffers);
    l->at = outside;
  }
  l->at = outside;
  if (!l->failed) bindResults(l, op, made, buffers);
}

//===- scf.while ----------------------------------------------------------===//

void cpuLowerWhile(CpuLowering *l, MlirOperation op) {
  MlirBlock before = tileBody(op, 0), after = tileBody(op, 1);
  intptr_t count = mlirOperationGetNumOperands(op), numScalars = 0;
  CpuBuffer *carried = allocateTiles(l, count, mlirOperationGetOperand, op);
  CpuBuffer *forwarded =
      allocateTiles(l, mlirOperationGetNumResults(op), mlirOperationGetResult, op);
  MlirValue *scalars = cpuAllocate(l, (size_t)(count + 1) * sizeof *scalars), null = {NULL};
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue init = tileOperand(op, i);
    if (tileTypeIsTile(mlirValueGetType(init))) {
      cpuWrite(l, init, &carried[i]);
      cpuSetBuffer(l, mlirBlockGetArgument(before, i), carried[i], false);
    } else {
      scalars[numScalars++] = cpuScalar(l, init);
    }
  }
  MlirOperation made = createControl(l, "scf.while", numScalars, scalars, op, 2);
  TileBuilder outside = l->at;
  openRegion(l, made, 0, before);
  cpuLowerBlock(l, before);
  if (l->failed) return;
  MlirOperation condition = mlirBlockGetTerminator(before);
  closeRegion(l, "scf.condition", condition, 1, cpuScalar(l, tileOperand(condition, 0)), forwarded);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(after); ++i) {
    MlirValue argument = mlirBlockGetArgument(after, i);
    if (tileTypeIsTile(mlirValueGetType(argument))) cpuSetBuffer(l, argument, forwarded[i], false);
  }
  openRegion(l, made, 1, after);
  cpuLowerBlock(l, after);
  if (l->failed) return;
  closeRegion(l, "scf.yield", mlirBlockGetTerminator(after), 0, null, carried);
  l->at = outside;
  bindResults(l, op, made, forwarded);
}
