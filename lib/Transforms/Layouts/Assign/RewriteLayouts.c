//===- RewriteLayouts.c - write the chosen layouts into a kernel ----------===//
//
// Values get their layouts as their types' encodings, operands the layouts that their
// ops want: a flexible value is recomputed, a movable one follows its source, any
// other is converted. Operands of dots and boxes of descriptors go through shared
// buffers. See the story in AssignLayouts.c.
//
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "../../ValueMap.h"
#include "Assigner.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/Grow.h"
#include "tile/Support/ValueSearch.h"
#include <stdlib.h>

/// An operand of dots in loops that is stored in front of the first of them.
typedef struct {
  MlirValue value, buffer;
  MlirOperation place; ///< the first of the loops,
  MlirOperation last;  ///< and the last that is known to read it
} StoredOperand;

typedef struct {
  const TileAssigner *a;
  TilePointerTable copies; ///< layout -> TileValueMap: what has been made available in it
  StoredOperand *stored;
  size_t numStored, capacity;
} Rewriter;

//===- a value in another layout ------------------------------------------===//

static MlirValue provide(Rewriter *r, MlirValue value, MlirAttribute layout);

/// The defining op of a flexible or movable value once more, in `layout`. Null where the operands
/// cannot be had in the layouts that this takes.
static MlirValue recompute(Rewriter *r, MlirValue value, MlirAttribute layout) {
  MlirOperation op = tileValueGetOp(value);
  intptr_t index = mlirOpResultGetResultNumber(value), count = mlirOperationGetNumOperands(op);
  MlirValue operands[8];
  if (count > 8) return (MlirValue){NULL};
  for (intptr_t i = 0; i < count; ++i) {
    operands[i] = tileOperand(op, i);
    if (!tileValueIsTile(operands[i])) continue;
    MlirAttribute need = tileLayoutBackward(&r->a->rules, op, i, layout);
    if (mlirAttributeIsNull(need)) return (MlirValue){NULL};
    operands[i] = provide(r, operands[i], need);
  }
  MlirOperation copy = tileCloneInLayout(op, layout);
  for (intptr_t i = 0; i < count; ++i) mlirOperationSetOperand(copy, i, operands[i]);
  return mlirOperationGetResult(copy, index);
}

/// Does the op extend elements of 16 bits or more, of more than a row (tile-localize-rows)? What it
/// extends moves in fewer bytes.
static bool widens(MlirOperation op) {
  bool extends =
      !mlirOperationIsNull(op) &&
      (tileOpIs(op, "arith.extf") || tileOpIs(op, "arith.extsi") || tileOpIs(op, "arith.extui") ||
       tileOpIs(op, "arith.sitofp") || tileOpIs(op, "arith.uitofp"));
  int64_t shape[TILE_MAX_RANK], longer = 0;
  for (int d = extends ? tileShape(mlirValueGetType(tileResult(op)), shape) : 0; d-- > 0;)
    longer += shape[d] > 1;
  if (longer < 2) return false;
  int from = tileBitWidth(tileElementType(mlirValueGetType(tileOperand(op, 0))));
  return from >= 16 && from < tileBitWidth(tileElementType(mlirValueGetType(tileResult(op))));
}

static bool isSource(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  return !mlirOperationIsNull(op) && tileOpIsSource(op);
}

/// `value`, which this pass has made, in `layout`.
static MlirValue provideMade(MlirValue value, MlirAttribute layout) {
  MlirType type = mlirValueGetType(value);
  if (!tileTypeIsTile(type) || mlirAttributeEqual(mlirRankedTensorTypeGetEncoding(type), layout))
    return value;
  if (isSource(value))
    return mlirOperationGetResult(tileCloneInLayout(tileValueGetOp(value), layout), 0);
  TileBuilder b = tileBuilderBehind(value);
  return tileBuildUnary(&b, "tile_gpu.convert_layout", tileWithEncoding(type, layout), value);
}

/// Is `value` a tile of rows of 16 bits or more that a loop of dots loads for one reader? It may
/// come in a ring, which is read in any layout.
static bool isLoadedAhead(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  int64_t shape[TILE_MAX_RANK], longer = 0;
  MlirType type = mlirValueGetType(value);
  if (mlirOperationIsNull(op) || !tileOpIsALoad(op) || mlirOpOperandIsNull(tileOnlyUse(value)) ||
      tileBitWidth(tileElementType(type)) < 16)
    return false;
  for (int d = tileShape(type, shape); d-- > 0;) longer += shape[d] > 1;
  MlirOperation loop = mlirOperationGetParentOperation(op);
  return longer >= 2 && tileIsLoopOfDots(loop);
}

/// Does `value` repeat a tile several times (`repeated-times`)? That moves in its place.
static bool isRepeated(const TileAssigner *a, MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return false;
  int64_t elements = tileNumElements(mlirValueGetType(value)), fewest = elements;
  for (TileValueInfo *info = tileAssignerFind(a, value); info && info->class == TILE_LAYOUT_MOVABLE;
       info = tileAssignerFind(a, value)) {
    value = tileOperand(tileValueGetOp(value), 0);
    int64_t own = tileNumElements(mlirValueGetType(value));
    if (own < fewest) fewest = own;
  }
  return tileMachineNumber(tileMachineOf(op), TILE_NUMBER_REPEATED_TIMES) * fewest <= elements;
}

/// What a value is computed of, which may move in its place.
typedef struct {
  const TileAssigner *a;
  MlirAttribute layout;
  MlirValue narrow; ///< a tile of few bits that is widened
  int left;         ///< ops that may still be looked at
} Origin;

/// Is `value` looked at where it is not wanted in the layout that is asked for? What it becomes
/// element by element is looked at next.
static bool isWantedElsewhere(TileValueSearch *s, MlirValue value, const void *data) {
  Origin *o = *(Origin *const *)data;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!tileOpIsElementwise(user) || tileOpGetEffects(user) || o->left-- <= 0) return true;
    MlirValue result = tileResult(user);
    TileValueInfo *info = tileAssignerFind(o->a, result);
    MlirAttribute own =
        info ? info->layout : mlirRankedTensorTypeGetEncoding(mlirValueGetType(result));
    if (!mlirAttributeEqual(own, o->layout)) tileValueSearchAdd(s, result);
  }
  return false;
}

/// Is `value` computed otherwise than element by element, for readers that want it alike, of one
/// tile that is widened, of tiles loaded ahead or repeated, and of numbers that can be had
/// anywhere?
static bool comesFromElsewhere(TileValueSearch *s, MlirValue value, const void *data) {
  Origin *o = *(Origin *const *)data;
  MlirOperation op = tileValueGetOp(value);
  if (widens(op)) {
    MlirValue from = tileOperand(op, 0);
    bool isSecond = !mlirValueIsNull(o->narrow) && !mlirValueEqual(o->narrow, from);
    o->narrow = from;
    return isSecond;
  }
  if (mlirOperationIsNull(op) || !tileOpIsElementwise(op) || tileOpGetEffects(op) ||
      o->left-- <= 0 ||
      (mlirOpOperandIsNull(tileOnlyUse(value)) &&
       tileValueSearchFinds(value, isWantedElsewhere, &o)))
    return true;
  bool found = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (!tileValueIsTile(operand) || isSource(operand)) continue;
    if (!isLoadedAhead(operand) && !isRepeated(o->a, operand)) tileValueSearchAdd(s, operand);
    found = true;
  }
  return !found;
}

/// Is it better to have what `value` is computed of in `layout` than itself? Then that moves, and
/// it is computed there.
static bool comesFromNarrow(const TileAssigner *a, MlirValue value, MlirAttribute layout) {
  enum { MOST_OPS = 256 };
  Origin origin = {.a = a, .layout = layout, .left = MOST_OPS}, *o = &origin;
  return !tileValueSearchFinds(value, comesFromElsewhere, &o);
}

/// `value` in `layout`: itself, a recomputation, or a conversion. Each is made once.
static MlirValue provide(Rewriter *r, MlirValue value, MlirAttribute layout) {
  TileValueInfo *info = tileAssignerFind(r->a, value);
  if (!info) return provideMade(value, layout); // made by this pass
  if (info->class != TILE_LAYOUT_FLEXIBLE && mlirAttributeEqual(info->layout, layout)) return value;
  const MlirValue asked = value;
  TileValueMap *copies = tilePointerTableAdd(&r->copies, layout.ptr, sizeof *copies);
  if (tileValueMapHas(*copies, asked)) return tileValueMapGet(*copies, asked);
  MlirValue made = {NULL};
  if (info->class != TILE_LAYOUT_FIXED || comesFromNarrow(r->a, value, layout))
    made = recompute(r, value, layout);
  if (mlirValueIsNull(made)) {
    // %c = tile_gpu.convert_layout %v : from -> to
    MlirAttribute own = info->layout;
    if (info->class == TILE_LAYOUT_FLEXIBLE) {
      own = tileLayoutDefault(&r->a->rules, mlirValueGetType(value));
      value = mlirAttributeEqual(own, layout) ? value : provide(r, value, own);
    }
    TileBuilder b = tileBuilderBehind(value);
    made = tileBuildUnary(&b, "tile_gpu.convert_layout",
                          tileWithEncoding(mlirValueGetType(value), layout), value);
  }
  tileValueMapSet(copies, asked, made);
  return made;
}

//===- shared buffers -----------------------------------------------------===//

/// `name` %desc[%indices], %buffer in front of `access`, a desc_load or desc_store.
static void moveBox(MlirOperation access, const char *name, MlirValue buffer) {
  TileBuilder b = tileBuilderBefore(access);
  MlirValue operands[1 + TILE_MAX_RANK + 1];
  MlirType box = tileDescTypeGetBox(mlirValueGetType(tileOperand(access, 0)));
  intptr_t count = 1 + (intptr_t)mlirShapedTypeGetRank(box);
  for (intptr_t i = 0; i < count; ++i) operands[i] = tileOperand(access, i);
  operands[count++] = buffer;
  static const char *const kept[] = {"extents", "add"};
  TileNamedAttr attrs[2];
  int numAttrs = 0;
  for (int i = 0; i < 2; ++i) {
    MlirAttribute attr = tileAttr(access, kept[i]);
    if (!mlirAttributeIsNull(attr)) attrs[numAttrs++] = (TileNamedAttr){kept[i], attr};
  }
  tileBuildOp(&b, name, count, operands, TILE_NONE, numAttrs, attrs, 0);
}

/// Does `op` copy the box of `load` into a buffer of `type`?
static bool copiesBox(MlirOperation op, MlirOperation load, MlirType type) {
  if (!tileOpIsADescCopy(op) || !mlirTypeEqual(mlirValueGetType(tileDescCopyGetBuffer(op)), type))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(load); ++i)
    if (!mlirValueEqual(tileOperand(op, i), tileOperand(load, i))) return false;
  return true;
}

/// The buffer of `type` that copyBox has made for `load` already; null where there is none. What it
/// makes stands right in front of the load.
static MlirValue findCopiedBox(MlirOperation load, MlirType type) {
  MlirValue found = {NULL};
  TILE_FOR_EACH_OP(op, mlirOperationGetBlock(load)) {
    if (mlirOperationEqual(op, load)) break;
    if (copiesBox(op, load, type))
      found = tileDescCopyGetBuffer(op);
    else if (!tileOpIsADescCopy(op) && !tileOpIsAAllocShared(op))
      found = (MlirValue){NULL};
  }
  return found;
}

/// A buffer that holds the box of `load` already, in front of `dot` under the names of `type`: what
/// is read both ways round is copied once. Null where there is none.
static MlirValue turnCopiedBox(MlirOperation load, MlirType type, MlirOperation dot) {
  MlirType turned = tileBufferTurned(type);
  MlirValue box = mlirTypeIsNull(turned) ? (MlirValue){NULL} : findCopiedBox(load, turned);
  if (mlirValueIsNull(box)) return box;
  TileBuilder b = tileBuilderBefore(dot);
  const int32_t order[] = {1, 0};
  MlirAttribute attr = mlirDenseI32ArrayGet(b.context, 2, order);
  return tileResult(tileBuildOp(&b, "tile_gpu.buffer_trans", TILE_VALUES(box), 1, &type,
                                TILE_ATTRS({"order", attr}), 0));
}

/// %b = tile_gpu.alloc_shared; tile_gpu.desc_copy %desc[..] into %b, in front of a desc_load. Its
/// readers share the buffer where they want it alike.
static MlirValue copyBox(MlirOperation load, MlirType type) {
  MlirValue made = findCopiedBox(load, type);
  if (!mlirValueIsNull(made)) return made;
  TileBuilder b = tileBuilderBefore(load);
  MlirValue buffer = tileBuild(&b, "tile_gpu.alloc_shared", type, TILE_NONE);
  moveBox(load, "tile_gpu.desc_copy", buffer);
  return buffer;
}

/// The outermost loop around `dot` that `value` comes from outside of; null: none.
static MlirOperation loopOfOperand(MlirOperation dot, MlirValue value) {
  MlirBlock home = tileValueGetBlock(value);
  MlirOperation loop = {NULL}, at = dot;
  while (!mlirBlockEqual(mlirOperationGetBlock(at), home)) {
    at = mlirOperationGetParentOperation(at);
    if (mlirOperationIsNull(at) || tileOpIsAFunc(at)) return (MlirOperation){NULL};
    if (tileOpIs(at, "scf.for")) loop = at;
  }
  return loop;
}

/// Is `loop` the same as `first`, or does it run behind it, in no other branch?
static bool isBehind(MlirOperation loop, MlirOperation first) {
  MlirBlock block = mlirOperationGetBlock(first);
  if (!tileBlockHolds(block, mlirOperationGetBlock(loop))) return false;
  MlirOperation at = tileAncestorIn(block, loop);
  return mlirOperationEqual(at, first) || mlirOperationIsBeforeInBlock(first, at);
}

/// What has been stored for `loop`, or for one in front of it, which is still there.
static StoredOperand *findStored(Rewriter *r, MlirValue value, MlirType type, MlirOperation loop) {
  for (size_t i = 0; i < r->numStored; ++i) {
    StoredOperand *s = &r->stored[i];
    if (mlirValueEqual(s->value, value) && isBehind(loop, s->place) &&
        mlirTypeEqual(mlirValueGetType(s->buffer), type))
      return s;
  }
  return NULL;
}

/// Bytes of stored operands that are there while `loop` runs: those of another branch never are,
/// and those that nobody reads from it on have given their place away.
static int64_t bytesDuring(const Rewriter *r, MlirOperation loop) {
  int64_t bytes = 0;
  for (size_t i = 0; i < r->numStored; ++i) {
    const StoredOperand *s = &r->stored[i];
    bool isWithin = tileBlockHolds(tileBody(loop, 0), mlirOperationGetBlock(s->place));
    if (!isWithin && !isBehind(loop, s->place)) continue;
    bool isOver = mlirBlockEqual(mlirOperationGetBlock(s->last), mlirOperationGetBlock(loop)) &&
                  mlirOperationIsBeforeInBlock(s->last, loop);
    if (!isOver) bytes += tileBufferBytes(mlirValueGetType(s->buffer));
  }
  return bytes;
}

/// What a loop takes of shared memory besides operands that stand in front of it.
typedef struct {
  MlirOperation loop;
  int64_t copied, computed, largest; ///< tiles that are loaded; operands that are made; sums
} LoopBytes;

static int64_t bytesOf(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return tileTypeIsTile(type) ? tileNumElements(type) * tileBitWidth(tileElementType(type)) / 8 : 0;
}

static MlirWalkResult addBytes(MlirOperation op, void *data) {
  LoopBytes *b = data;
  int64_t shape[TILE_MAX_RANK];
  if (tileOpIsADescLoad(op) ||
      (tileOpIsALoad(op) && tileShape(mlirValueGetType(tileResult(op)), shape) > 1))
    b->copied += bytesOf(tileResult(op));
  for (int i = 0; i < 2 && tileOpIsADot(op); ++i) {
    MlirOperation from = tileValueGetOp(tileOperand(op, i));
    bool isMade = mlirOperationIsNull(from) || tileOpHolds(b->loop, from);
    if (isMade) b->computed += bytesOf(tileOperand(op, i));
  }
  if (tileOpIsADot(op) && bytesOf(tileResult(op)) > b->largest)
    b->largest = bytesOf(tileResult(op));
  return MlirWalkResultAdvance;
}

/// May buffers that live as long as `loop` take `bytes` more? They must leave enough for what loops
/// copy, and where they copy nothing for what their dots compute: a share of all, or, if they are
/// more, what there is of it. A step that stored them itself would have as little.
static bool hasRoom(const Rewriter *r, MlirOperation loop, int64_t bytes) {
  const TileMachine *m = tileMachineOf(loop);
  LoopBytes b = {.loop = loop};
  mlirOperationWalk(loop, addBytes, &b, MlirWalkPreOrder);
  int share = tileMachineNumber(m, b.copied ? TILE_NUMBER_INVARIANT_SHARED
                                            : TILE_NUMBER_INVARIANT_SHARED_ALONE);
  int64_t all = bytesDuring(r, loop) + bytes;
  int64_t besides =
      tileMachineNumber(m, TILE_NUMBER_THREAD_RING_STAGES) * b.copied + b.computed + b.largest;
  return all <= m->sharedBytes / 100 * share || all + besides <= m->sharedBytes;
}

static MlirValue storeBefore(MlirOperation place, MlirValue value, MlirType type) {
  TileBuilder b = tileBuilderBefore(place);
  MlirValue buffer = tileBuild(&b, "tile_gpu.alloc_shared", type, TILE_NONE);
  tileBuildOp(&b, "tile_gpu.buffer_store", TILE_VALUES(value, buffer), TILE_NONE, TILE_NONE, 0);
  return buffer;
}

/// A buffer of `type` with `value` in it, for an operand of `dot`: stored in front of the outermost
/// loop that `value` comes from outside of, where there is room, which then finds it in shared
/// memory in every step, as loops behind it do; else in front of the dot.
static MlirValue storeOperand(Rewriter *r, MlirOperation dot, MlirValue value, MlirType type) {
  MlirOperation loop = loopOfOperand(dot, value);
  if (mlirOperationIsNull(loop)) return storeBefore(dot, value, type);
  StoredOperand *found = findStored(r, value, type, loop);
  if (found) {
    found->last = loop;
    return found->buffer;
  }
  if (!hasRoom(r, loop, tileBufferBytes(type))) return storeBefore(dot, value, type);
  MlirValue buffer = storeBefore(loop, value, type);
  r->stored = tileGrow(r->stored, r->numStored, &r->capacity, sizeof *r->stored);
  r->stored[r->numStored++] = (StoredOperand){value, buffer, loop, loop};
  return buffer;
}

/// The dot reads its operand from shared memory: where a descriptor fills a buffer, that; else
/// %b = tile_gpu.alloc_shared; tile_gpu.buffer_store %v, %b. It comes from registers where it is in
/// those that the instruction takes it from.
static void shareOperand(Rewriter *r, MlirOperation dot, int i) {
  MlirValue value = tileOperand(dot, i);
  MlirOperation load;
  MlirType box = tileBufferOfDescOperand(&r->a->rules, value, &load);
  bool across = tileDotReadsAcross(&r->a->rules, dot, i);
  if (!mlirTypeIsNull(box) && !across) {
    MlirValue turned = turnCopiedBox(load, box, dot);
    mlirOperationSetOperand(dot, i, mlirValueIsNull(turned) ? copyBox(load, box) : turned);
    return;
  }
  TileValueInfo *info = tileAssignerFind(r->a, value);
  // Loads have been rewritten by now: how A was to be read the sums say.
  MlirAttribute sums = tileAssignerFind(r->a, tileResult(dot))->layout;
  MlirAttribute layout = info->layout;
  MlirAttribute turned =
      i ? tileLayoutOfLoadedB(&r->a->rules, dot) : tileLayoutOfPairedA(&r->a->rules, dot, sums);
  if (!mlirAttributeIsNull(turned)) value = provide(r, value, layout = turned);
  if (!i && !mlirAttributeIsNull(turned)) {
    mlirOperationSetOperand(dot, i, value);
    return;
  }
  MlirAttribute own = tileLayoutOfDotOperand(&r->a->rules, dot, i, layout, sums);
  if (!mlirAttributeIsNull(own)) {
    mlirOperationSetOperand(dot, i, provide(r, value, own));
    return;
  }
  if (mlirAttributeIsNull(layout))
    layout = tileLayoutDefault(&r->a->rules, mlirValueGetType(value));
  MlirType type = tileBufferOfDot(&r->a->rules, dot, i, layout);
  layout = tileLayoutOfStored(&r->a->rules, mlirValueGetType(value), layout, type);
  type = tileBufferOfStored(&r->a->rules, dot, mlirValueGetType(value), layout, type);
  value = provide(r, value, layout);
  mlirOperationSetOperand(dot, i, storeOperand(r, dot, value, type));
}

/// Reads what a dot reads transposed: the same bytes under the names that the dot has for them.
static MlirValue readTurned(TileBuilder *b, MlirType type, MlirValue buffer) {
  int64_t shape[TILE_MAX_RANK];
  TileLayout layout;
  if (tileShape(type, shape) != 2 || !tileTypeGetLayout(type, &layout)) return (MlirValue){NULL};
  const int order[] = {1, 0};
  const int32_t back[] = {1, 0};
  const int64_t turned[] = {shape[1], shape[0]};
  TileLayout from = tileLayoutTranspose(layout, order);
  MlirType read = mlirRankedTensorTypeGet(2, turned, tileElementType(type),
                                          tileLayoutToAttr(b->context, &from));
  MlirValue value = tileBuild(b, "tile_gpu.buffer_load", read, TILE_VALUES(buffer));
  MlirAttribute attr = mlirDenseI32ArrayGet(b->context, 2, back);
  return tileResult(
      tileBuildOp(b, "tile.trans", TILE_VALUES(value), 1, &type, TILE_ATTRS({"order", attr}), 0));
}

/// The first op behind `op`, in its block, that its result reaches; null where there is none.
static MlirOperation firstReader(MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOperation next = mlirOperationGetNextInBlock(op);
  for (; !mlirOperationIsNull(next); next = mlirOperationGetNextInBlock(next))
    for (MlirOpOperand use = mlirValueGetFirstUse(tileResult(op)); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use))
      if (mlirOperationEqual(tileAncestorIn(block, mlirOpOperandGetOwner(use)), next)) return next;
  return next;
}

/// In front of which op the elements of a box are read: of the first that wants them, where dots
/// read the box itself, so that those need not wait for what is computed.
static MlirOperation placeOfRead(MlirOperation load, MlirValue buffer) {
  bool waits = false;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    waits |= tileOpIsADot(mlirOpOperandGetOwner(use));
  MlirOperation reader = waits ? firstReader(load) : load;
  while (!mlirOperationIsNull(reader) && tileOpIsATrans(reader)) {
    MlirOperation later = firstReader(reader);
    if (mlirOperationIsNull(later)) break;
    mlirOperationMoveBefore(reader, later);
    reader = firstReader(load);
    if (mlirOperationEqual(mlirOperationGetNextInBlock(reader), later)) break;
  }
  return mlirOperationIsNull(reader) ? load : reader;
}

/// Reads a box by way of a buffer, where somebody wants its elements in registers.
static void loadBox(const TileAssigner *a, MlirOperation load) {
  MlirValue result = tileResult(load);
  MlirType type = tileBufferOfBox(&a->rules, mlirValueGetType(result)),
           turned = tileBufferTurned(type);
  MlirValue other = {NULL}, read = {NULL};
  if (mlirValueIsNull(findCopiedBox(load, type)) && !mlirTypeIsNull(turned))
    other = findCopiedBox(load, turned);
  if (!mlirValueIsNull(other)) {
    TileBuilder b = tileBuilderBefore(placeOfRead(load, other));
    read = readTurned(&b, mlirValueGetType(result), other);
  }
  if (mlirValueIsNull(read)) {
    MlirValue buffer = copyBox(load, type);
    TileBuilder b = tileBuilderBefore(placeOfRead(load, buffer));
    read = tileBuild(&b, "tile_gpu.buffer_load", mlirValueGetType(result), TILE_VALUES(buffer));
  }
  mlirValueReplaceAllUsesOfWith(result, read);
}

/// Writes a box by way of a buffer.
static void storeBox(const TileAssigner *a, MlirOperation store) {
  MlirValue value = tileDescStoreGetValue(store);
  TileBuilder b = tileBuilderBefore(store);
  MlirType type = tileBufferOfBox(&a->rules, mlirValueGetType(value));
  MlirValue buffer = tileBuild(&b, "tile_gpu.alloc_shared", type, TILE_NONE);
  tileBuildOp(&b, "tile_gpu.buffer_store", TILE_VALUES(value, buffer), TILE_NONE, TILE_NONE, 0);
  moveBox(store, "tile_gpu.desc_write", buffer);
  mlirOperationDestroy(store);
}

//===- operands -----------------------------------------------------------===//

/// The layout of an operand that the op takes as it is. Operands of one reduction or partial sort,
/// and a histogram's values and mask, share the first that is known, but that of a row which was
/// spread beside a tile.
static MlirAttribute natural(const TileAssigner *a, MlirOperation op, MlirValue operand) {
  bool shared = tileOpIsAReduce(op) || tileOpIsAHistogram(op) || tileOpIsAPartialSort(op);
  MlirAttribute layout = shared ? mlirAttributeGetNull() : tileAssignerLayoutOf(a, operand);
  for (intptr_t k = 0; shared && k < mlirOperationGetNumOperands(op) && mlirAttributeIsNull(layout);
       ++k)
    if (!tileAssignerFollows(a, op, tileOperand(op, k)))
      layout = tileAssignerLayoutOf(a, tileOperand(op, k));
  return mlirAttributeIsNull(layout) ? tileLayoutDefault(&a->rules, mlirValueGetType(operand))
                                     : layout;
}

static bool isOfClass(const TileAssigner *a, MlirOperation op, TileLayoutClass class) {
  return tileHasTileResult(op) && tileAssignerFind(a, tileResult(op))->class == class;
}

/// The layouts that the tile operands of all ops come in, one op after the other; to be freed. What
/// an access wants follows from where its pointers come from as they were analysed, so all are
/// asked before anything is replaced: pointers that a loop carries enter it through operands of the
/// loop.
static MlirAttribute *askAll(const TileAssigner *a) {
  size_t total = 0, at = 0;
  for (size_t n = 0; n < a->numOps; ++n) total += (size_t)mlirOperationGetNumOperands(a->ops[n]);
  MlirAttribute *layouts = calloc(total + 1, sizeof *layouts);
  if (!layouts) abort();
  for (size_t n = 0; n < a->numOps; ++n) {
    MlirOperation op = a->ops[n];
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i, ++at) {
      MlirValue operand = tileOperand(op, i);
      if (isOfClass(a, op, TILE_LAYOUT_FLEXIBLE) || !tileValueIsTile(operand) ||
          !tileAssignerFind(a, operand))
        continue;
      layouts[at] = tileAssignerWanted(a, op, i);
      if (mlirAttributeIsNull(layouts[at])) layouts[at] = natural(a, op, operand);
    }
  }
  return layouts;
}

static void rewriteOperands(Rewriter *r, MlirOperation op, const MlirAttribute *layouts) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (mlirAttributeIsNull(layouts[i])) continue;
    if (tileOpIsADot(op) && i < 2)
      shareOperand(r, op, (int)i);
    else
      mlirOperationSetOperand(op, i, provide(r, tileOperand(op, i), layouts[i]));
  }
}

/// Operands of movable ops are replaced last, those of users before those of their sources: as long
/// as an op may be recomputed, it has the operands that it came with, whose layouts are known.
static void rewriteAllOperands(Rewriter *r, const MlirAttribute *layouts) {
  const TileAssigner *a = r->a;
  size_t at = 0;
  for (size_t n = 0; n < a->numOps; ++n) {
    if (!isOfClass(a, a->ops[n], TILE_LAYOUT_MOVABLE)) rewriteOperands(r, a->ops[n], layouts + at);
    at += (size_t)mlirOperationGetNumOperands(a->ops[n]);
  }
  for (size_t n = a->numOps; n-- > 0;) {
    at -= (size_t)mlirOperationGetNumOperands(a->ops[n]);
    if (isOfClass(a, a->ops[n], TILE_LAYOUT_MOVABLE)) rewriteOperands(r, a->ops[n], layouts + at);
  }
}

static bool isUnused(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, i)))) return false;
  return true;
}

static void freeCopies(Rewriter *r) {
  TileValueMap *copies = tilePointerTableFirst(r->copies);
  for (; copies; copies = tilePointerTableNext(copies)) tileValueMapClear(copies);
  tilePointerTableClear(&r->copies);
}

void tileAssignerRewrite(TileAssigner *a) {
  Rewriter r = {.a = a};
  MlirAttribute *layouts = askAll(a);
  const TileValueInfo *info = tilePointerTableFirst(a->values);
  for (; info; info = tilePointerTableNext(info))
    if (info->class != TILE_LAYOUT_FLEXIBLE)
      mlirValueSetType(info->value, tileWithEncoding(mlirValueGetType(info->value), info->layout));
  rewriteAllOperands(&r, layouts);
  free(layouts);
  // What was recomputed wherever it is needed.
  for (size_t n = a->numOps; n-- > 0;) {
    MlirOperation op = a->ops[n];
    if (tileOpIsADescStore(op)) {
      storeBox(a, op);
      continue;
    }
    bool fixed =
        !tileHasTileResult(op) || tileAssignerFind(a, tileResult(op))->class == TILE_LAYOUT_FIXED;
    if (tileOpIsADescLoad(op) && !isUnused(op)) loadBox(a, op);
    if ((!fixed || tileOpIsADescLoad(op)) && isUnused(op)) mlirOperationDestroy(op);
  }
  freeCopies(&r);
  free(r.stored);
}
