//===- AssignLayouts.c - give every tile a distribution -------------------===//
//
// Before:  %v = tile.load %p, %m : tensor<1024x!tile.ptr<f32>>
// After:   %v = tile.load %p, %m : tensor<1024x!tile.ptr<f32>, #tile.layout<..>>
//
// Loads, stores and dots are anchors. From them layouts spread to what is computed
// once (fixed values): forward through arithmetic, round loops, and backward where
// nothing else decides. Indices, constants and masks (flexible values) have no
// layout of their own: they are recomputed in each layout somebody asks for, which
// costs a few integer operations and saves a conversion. Changes of shape follow
// their source. Where layouts still meet, tile.convert_layout stands between them.
//
// Operands of dots go through shared buffers: alloc_shared and buffer_store.
//
// Requires: meta-parameters bound, instructions chosen (tile-accelerate-dot).
// Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "Layouts.h"
#include "tile/Passes.h"
#include <stdlib.h>
#include <uthash.h>

/// What is known of a tile value.
typedef struct {
  const void *key;
  MlirValue value;
  TileLayoutClass class;
  MlirAttribute layout; // of fixed and movable values
  UT_hash_handle hh;
} ValueInfo;

/// A value that has been made available in another layout.
typedef struct {
  struct {
    const void *value, *layout;
  } key;
  MlirValue made;
  UT_hash_handle hh;
} Copy;

typedef struct {
  TileLayoutRules rules;
  MlirOperation func;
  MlirOperation *ops; // of the kernel, in program order
  size_t numOps, capacity;
  ValueInfo *values;
  Copy *copies;
  bool changed, failed;
} Assigner;

//===- tables -------------------------------------------------------------===//

static ValueInfo *find(const Assigner *a, MlirValue value) {
  ValueInfo *info;
  HASH_FIND_PTR(a->values, &value.ptr, info);
  return info;
}

static ValueInfo *add(Assigner *a, MlirValue value, TileLayoutClass class) {
  ValueInfo *info = calloc(1, sizeof *info);
  if (!info) abort();
  *info = (ValueInfo){.key = value.ptr, .value = value, .class = class};
  HASH_ADD_PTR(a->values, key, info);
  return info;
}

static bool isTile(MlirValue value) { return tileTypeIsTile(mlirValueGetType(value)); }

/// The layout of a fixed or movable value, null when not known or flexible.
static MlirAttribute layoutOf(const Assigner *a, MlirValue value) {
  ValueInfo *info = isTile(value) ? find(a, value) : NULL;
  return info ? info->layout : mlirAttributeGetNull();
}

/// Sets it where it is not known yet.
static void suggest(Assigner *a, MlirValue value, MlirAttribute layout) {
  if (mlirAttributeIsNull(layout) || !isTile(value)) return;
  ValueInfo *info = find(a, value);
  if (!info || info->class == TILE_LAYOUT_FLEXIBLE || !mlirAttributeIsNull(info->layout)) return;
  info->layout = layout;
  a->changed = true;
}

/// May users decide the layout of `value`? Not where its op does: loads, dots, reductions.
static bool isFree(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  return mlirOperationIsNull(op) || tileOpIsOfDialect(op, "scf") || tileOpIsElementwise(op) ||
         tileOpIsShapeChange(op);
}

//===- classes ------------------------------------------------------------===//

static bool hasTileResult(MlirOperation op) {
  return mlirOperationGetNumResults(op) > 0 && isTile(tileResult(op));
}

/// The class of an op's results, from those of its operands.
static TileLayoutClass classify(const Assigner *a, MlirOperation op) {
  if (tileOpIs(op, "arith.constant") || tileOpIsASplat(op) || tileOpIsAArange(op))
    return TILE_LAYOUT_FLEXIBLE;
  bool shape = tileOpIsShapeChange(op);
  if (!shape && !tileOpIsElementwise(op)) return TILE_LAYOUT_FIXED;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (isTile(operand) && find(a, operand)->class != TILE_LAYOUT_FLEXIBLE)
      return shape ? TILE_LAYOUT_MOVABLE : TILE_LAYOUT_FIXED;
  }
  return TILE_LAYOUT_FLEXIBLE;
}

static void collectBlock(Assigner *a, MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue arg = mlirBlockGetArgument(block, i);
    if (isTile(arg)) add(a, arg, TILE_LAYOUT_FIXED);
  }
  TILE_FOR_EACH_OP(op, block) {
    if (a->numOps == a->capacity) {
      a->capacity = a->capacity ? 2 * a->capacity : 256;
      a->ops = realloc(a->ops, a->capacity * sizeof *a->ops);
      if (!a->ops) abort();
    }
    a->ops[a->numOps++] = op;
    bool own =
        !tileOpIsAReduce(op) && !tileOpIsAScan(op) && !tileOpIsAGrid(op) && !tileOpIsACost(op);
    for (intptr_t r = 0; own && r < mlirOperationGetNumRegions(op); ++r) {
      MlirBlock inner = tileBody(op, r);
      if (!mlirBlockIsNull(inner)) collectBlock(a, inner);
    }
    TileLayoutClass class = hasTileResult(op) ? classify(a, op) : TILE_LAYOUT_FIXED;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
      MlirValue result = mlirOperationGetResult(op, i);
      if (isTile(result)) add(a, result, class);
    }
  }
}

//===- structured control flow --------------------------------------------===//
//
// Values that must share a layout: what enters a loop, is carried, is yielded and
// comes out. `visitTies` calls back for each set.

typedef struct {
  MlirOperation op; // whose operand `index` it is; null: a value defined here
  intptr_t index;
  MlirValue value;
} Tied;

typedef void (*TieVisitor)(Assigner *, const Tied *, int);

static Tied tiedOperand(MlirOperation op, intptr_t i) { return (Tied){op, i, tileOperand(op, i)}; }
static Tied tiedValue(MlirValue value) { return (Tied){.value = value}; }

static void visitFor(Assigner *a, MlirOperation op, TieVisitor visit) {
  MlirBlock body = tileBody(op, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    Tied ties[] = {tiedValue(mlirBlockGetArgument(body, i + 1)), tiedOperand(yield, i),
                   tiedOperand(op, i + 3), tiedValue(mlirOperationGetResult(op, i))};
    if (isTile(ties[0].value)) visit(a, ties, 4);
  }
}

static void visitIf(Assigner *a, MlirOperation op, TieVisitor visit) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    Tied ties[] = {tiedValue(mlirOperationGetResult(op, i)),
                   tiedOperand(mlirBlockGetTerminator(tileBody(op, 0)), i),
                   tiedOperand(mlirBlockGetTerminator(tileBody(op, 1)), i)};
    if (isTile(ties[0].value)) visit(a, ties, 3);
  }
}

static void visitWhile(Assigner *a, MlirOperation op, TieVisitor visit) {
  MlirBlock before = tileBody(op, 0), after = tileBody(op, 1);
  MlirOperation condition = mlirBlockGetTerminator(before), yield = mlirBlockGetTerminator(after);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    Tied ties[] = {tiedValue(mlirBlockGetArgument(before, i)), tiedOperand(yield, i),
                   tiedOperand(op, i)};
    if (isTile(ties[0].value)) visit(a, ties, 3);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    Tied ties[] = {tiedValue(mlirBlockGetArgument(after, i)), tiedOperand(condition, i + 1),
                   tiedValue(mlirOperationGetResult(op, i))};
    if (isTile(ties[0].value)) visit(a, ties, 3);
  }
}

static void visitTies(Assigner *a, MlirOperation op, TieVisitor visit) {
  if (tileOpIs(op, "scf.for"))
    visitFor(a, op, visit);
  else if (tileOpIs(op, "scf.if"))
    visitIf(a, op, visit);
  else if (tileOpIs(op, "scf.while"))
    visitWhile(a, op, visit);
}

static bool isDot(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  return !mlirOperationIsNull(op) && tileOpIsADot(op);
}

/// The layout of a dot, else the first that is known in a set, holds for all that are defined here:
/// a conversion in front of a loop is cheaper than one in it.
static void spreadTies(Assigner *a, const Tied *ties, int n) {
  MlirAttribute layout = mlirAttributeGetNull();
  for (int i = 0; i < n && mlirAttributeIsNull(layout); ++i)
    if (isDot(ties[i].value)) layout = layoutOf(a, ties[i].value);
  for (int i = 0; i < n && mlirAttributeIsNull(layout); ++i) layout = layoutOf(a, ties[i].value);
  for (int i = 0; i < n; ++i)
    if (isFree(ties[i].value)) suggest(a, ties[i].value, layout);
}

//===- spreading ----------------------------------------------------------===//

/// What the op's result gets from its operands, or from itself when it is an anchor.
static MlirAttribute inferForward(Assigner *a, MlirOperation op) {
  if (tileOpIsAccess(op)) return tileLayoutOfAccess(&a->rules, op);
  if (tileOpIsADot(op)) return tileLayoutOfDot(&a->rules, op);
  bool open = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (!isTile(operand)) continue;
    MlirAttribute layout = layoutOf(a, operand);
    if (!mlirAttributeIsNull(layout)) return tileLayoutForward(&a->rules, op, layout);
    open |= find(a, operand)->class != TILE_LAYOUT_FLEXIBLE;
  }
  // Nothing but flexible operands: they come in the default layout.
  if (open || mlirOperationGetNumOperands(op) == 0 || !isTile(tileOperand(op, 0)))
    return mlirAttributeGetNull();
  return tileLayoutForward(&a->rules, op,
                           tileLayoutDefault(&a->rules, mlirValueGetType(tileOperand(op, 0))));
}

static void spreadForward(Assigner *a) {
  for (size_t i = 0; i < a->numOps; ++i) {
    MlirOperation op = a->ops[i];
    visitTies(a, op, spreadTies);
    if (!hasTileResult(op) || tileOpIsOfDialect(op, "scf")) continue;
    MlirAttribute layout = inferForward(a, op);
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
      suggest(a, mlirOperationGetResult(op, r), layout);
  }
}

/// The layout in which the op wants operand `i`; null when any will do.
static MlirAttribute wanted(Assigner *a, MlirOperation op, intptr_t i);

static void spreadBackward(Assigner *a) {
  for (size_t n = a->numOps; n-- > 0;) {
    MlirOperation op = a->ops[n];
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue operand = tileOperand(op, i);
      if (isTile(operand) && isFree(operand)) suggest(a, operand, wanted(a, op, i));
    }
  }
}

/// Sets the first fixed value that still has no layout to the default; false when there is none.
static bool settleOne(Assigner *a) {
  for (size_t n = 0; n < a->numOps; ++n) {
    MlirOperation op = a->ops[n];
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue operand = tileOperand(op, i);
      ValueInfo *info = isTile(operand) ? find(a, operand) : NULL;
      if (!info || info->class == TILE_LAYOUT_FLEXIBLE || !mlirAttributeIsNull(info->layout))
        continue;
      suggest(a, operand, tileLayoutDefault(&a->rules, mlirValueGetType(operand)));
      return a->changed;
    }
  }
  for (ValueInfo *info = a->values; info; info = info->hh.next)
    if (info->class != TILE_LAYOUT_FLEXIBLE && mlirAttributeIsNull(info->layout)) {
      suggest(a, info->value, tileLayoutDefault(&a->rules, mlirValueGetType(info->value)));
      return a->changed;
    }
  return false;
}

static void spread(Assigner *a) {
  for (size_t i = 0; i < a->numOps; ++i)
    if (tileOpIsADot(a->ops[i]))
      suggest(a, tileResult(a->ops[i]), tileLayoutOfDot(&a->rules, a->ops[i]));
  do {
    do {
      a->changed = false;
      spreadForward(a);
      if (!a->changed) spreadBackward(a);
    } while (a->changed);
  } while (settleOne(a));
}

//===- demands ------------------------------------------------------------===//

/// A store of few elements is not worth a conversion: it takes the value as it comes.
static MlirAttribute storeLayout(Assigner *a, MlirOperation op) {
  MlirValue value = tileStoreGetValue(op);
  MlirAttribute own = layoutOf(a, value);
  if (isTile(value) && !mlirAttributeIsNull(own) &&
      tileNumElements(mlirValueGetType(value)) <= 128 * a->rules.numWarps) {
    MlirType type = mlirValueGetType(value);
    int64_t shape[TILE_MAX_RANK];
    if (tileShape(type, shape) == 1) return own;
  }
  return tileLayoutOfAccess(&a->rules, op);
}

static MlirAttribute tieLayout(Assigner *a, MlirOperation user, intptr_t i) {
  MlirOperation parent = mlirOperationGetParentOperation(user);
  if (tileOpIs(user, "scf.for")) return layoutOf(a, mlirOperationGetResult(user, i - 3));
  if (tileOpIs(user, "scf.while")) return layoutOf(a, mlirBlockGetArgument(tileBody(user, 0), i));
  if (tileOpIs(user, "scf.condition")) return layoutOf(a, mlirOperationGetResult(parent, i - 1));
  if (tileOpIs(parent, "scf.while"))
    return layoutOf(a, mlirBlockGetArgument(tileBody(parent, 0), i));
  return layoutOf(a, mlirOperationGetResult(parent, i));
}

static MlirAttribute wanted(Assigner *a, MlirOperation op, intptr_t i) {
  if (tileOpIsAStore(op)) return storeLayout(a, op);
  if (tileOpIsAccess(op)) return tileLayoutOfAccess(&a->rules, op);
  if (tileOpIsADot(op)) return i == 2 ? layoutOf(a, tileResult(op)) : mlirAttributeGetNull();
  if (tileOpIsOfDialect(op, "scf")) return tieLayout(a, op, i);
  if (!hasTileResult(op)) return mlirAttributeGetNull();
  return tileLayoutBackward(&a->rules, op, i, layoutOf(a, tileResult(op)));
}

//===- rewriting ----------------------------------------------------------===//

static TileBuilder builderAfter(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) {
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    TileBuilder b = tileBuilderBefore(mlirBlockGetFirstOperation(block));
    return b;
  }
  TileBuilder b = tileBuilderBefore(op);
  b.before = mlirOperationGetNextInBlock(op);
  return b;
}

static MlirValue provide(Assigner *a, MlirValue value, MlirAttribute layout);

static MlirAttribute splatIn(MlirAttribute value, MlirType type) {
  return mlirDenseElementsAttrSplatGet(type, mlirDenseElementsAttrGetSplatValue(value));
}

/// The defining op of a flexible or movable value once more, in `layout`. Null where the operands
/// cannot be had in the layouts that this takes.
static MlirValue recompute(Assigner *a, MlirValue value, MlirAttribute layout) {
  MlirOperation op = tileValueGetOp(value);
  intptr_t index = mlirOpResultGetResultNumber(value), count = mlirOperationGetNumOperands(op);
  MlirValue operands[8];
  if (count > 8) return (MlirValue){NULL};
  for (intptr_t i = 0; i < count; ++i) {
    operands[i] = tileOperand(op, i);
    if (!isTile(operands[i])) continue;
    MlirAttribute need = tileLayoutBackward(&a->rules, op, i, layout);
    if (mlirAttributeIsNull(need)) return (MlirValue){NULL};
    operands[i] = provide(a, operands[i], need);
  }
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < count; ++i) mlirOperationSetOperand(copy, i, operands[i]);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(copy); ++i) {
    MlirValue result = mlirOperationGetResult(copy, i);
    mlirValueSetType(result, tileWithEncoding(mlirValueGetType(result), layout));
  }
  MlirAttribute constant =
      tileOpIs(op, "arith.constant") ? tileAttr(op, "value") : mlirAttributeGetNull();
  if (!mlirAttributeIsNull(constant) && mlirAttributeIsADenseElements(constant))
    mlirOperationSetAttributeByName(
        copy, tileString("value"),
        mlirDenseElementsAttrIsSplat(constant)
            ? splatIn(constant, mlirValueGetType(tileResult(copy)))
            : mlirDenseElementsAttrReshapeGet(constant, mlirValueGetType(tileResult(copy))));
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(op), op, copy);
  return mlirOperationGetResult(copy, index);
}

/// `value` in `layout`: itself, a recomputation, or a conversion. Each is made once.
static MlirValue provide(Assigner *a, MlirValue value, MlirAttribute layout) {
  ValueInfo *info = find(a, value);
  if (!info) return value; // made by this pass
  if (info->class != TILE_LAYOUT_FLEXIBLE && mlirAttributeEqual(info->layout, layout)) return value;
  Copy *copy, key = {.key = {value.ptr, layout.ptr}};
  HASH_FIND(hh, a->copies, &key.key, sizeof key.key, copy);
  if (copy) return copy->made;
  MlirValue made = {NULL};
  if (info->class != TILE_LAYOUT_FIXED) made = recompute(a, value, layout);
  if (mlirValueIsNull(made)) {
    // %c = tile.convert_layout %v : from -> to
    MlirAttribute own = info->layout;
    if (info->class == TILE_LAYOUT_FLEXIBLE) {
      own = tileLayoutDefault(&a->rules, mlirValueGetType(value));
      value = mlirAttributeEqual(own, layout) ? value : provide(a, value, own);
    }
    TileBuilder b = builderAfter(value);
    made = tileBuildUnary(&b, "tile.convert_layout",
                          tileWithEncoding(mlirValueGetType(value), layout), value);
  }
  copy = calloc(1, sizeof *copy);
  if (!copy) abort();
  copy->key = key.key;
  copy->made = made;
  HASH_ADD(hh, a->copies, key, sizeof copy->key, copy);
  return made;
}

/// `name` %desc[%indices], %buffer in front of `access`, a desc_load or desc_store.
static void moveBox(MlirOperation access, const char *name, MlirValue buffer) {
  TileBuilder b = tileBuilderBefore(access);
  MlirValue operands[1 + TILE_MAX_RANK + 1];
  MlirType box = tileDescTypeGetBox(mlirValueGetType(tileOperand(access, 0)));
  intptr_t count = 1 + (intptr_t)mlirShapedTypeGetRank(box);
  for (intptr_t i = 0; i < count; ++i) operands[i] = tileOperand(access, i);
  operands[count++] = buffer;
  tileBuildOp(&b, name, count, operands, TILE_NONE, TILE_NONE, 0);
}

/// %b = tile.alloc_shared; tile.desc_copy %desc[..] into %b, in front of a desc_load.
static MlirValue copyBox(MlirOperation load, MlirType type) {
  TileBuilder b = tileBuilderBefore(load);
  MlirValue buffer = tileBuild(&b, "tile.alloc_shared", type, TILE_NONE);
  moveBox(load, "tile.desc_copy", buffer);
  return buffer;
}

/// The dot reads its operand from shared memory: where a descriptor fills a buffer, that; else
/// %b = tile.alloc_shared; tile.buffer_store %v, %b.
static void shareOperand(Assigner *a, MlirOperation dot, int i) {
  MlirValue value = tileOperand(dot, i);
  MlirOperation load;
  bool fma = tileDotGetInstruction(dot) == TILE_INSTRUCTION_FMA;
  MlirType box = fma ? (MlirType){NULL} : tileBufferOfDescOperand(&a->rules, value, &load);
  if (!mlirTypeIsNull(box)) {
    mlirOperationSetOperand(dot, i, copyBox(load, box));
    return;
  }
  ValueInfo *info = find(a, value);
  MlirAttribute layout = info->layout;
  if (mlirAttributeIsNull(layout)) layout = tileLayoutDefault(&a->rules, mlirValueGetType(value));
  MlirType type = tileBufferOfDot(&a->rules, dot, i, layout);
  value = provide(a, value, layout);
  TileBuilder b = tileBuilderBefore(dot);
  MlirValue buffer = tileBuild(&b, "tile.alloc_shared", type, TILE_NONE);
  tileBuildOp(&b, "tile.buffer_store", TILE_VALUES(value, buffer), TILE_NONE, TILE_NONE, 0);
  mlirOperationSetOperand(dot, i, buffer);
}

/// The layout of an operand that the op takes as it is. Operands of one reduction, and a
/// histogram's values and mask, share the first that is known.
static MlirAttribute natural(Assigner *a, MlirOperation op, MlirValue operand) {
  bool shared = tileOpIsAReduce(op) || tileOpIsAHistogram(op);
  MlirAttribute layout = shared ? mlirAttributeGetNull() : layoutOf(a, operand);
  for (intptr_t k = 0; shared && k < mlirOperationGetNumOperands(op) && mlirAttributeIsNull(layout);
       ++k)
    layout = layoutOf(a, tileOperand(op, k));
  return mlirAttributeIsNull(layout) ? tileLayoutDefault(&a->rules, mlirValueGetType(operand))
                                     : layout;
}

static bool isFlexible(const Assigner *a, MlirOperation op) {
  return hasTileResult(op) && find(a, tileResult(op))->class == TILE_LAYOUT_FLEXIBLE;
}

/// The layouts that the tile operands of all ops come in, one op after the other; to be freed. What
/// an access wants follows from where its pointers come from as they were analysed, so all are
/// asked before anything is replaced: pointers that a loop carries enter it through operands of the
/// loop.
static MlirAttribute *askAll(Assigner *a) {
  size_t total = 0, at = 0;
  for (size_t n = 0; n < a->numOps; ++n) total += (size_t)mlirOperationGetNumOperands(a->ops[n]);
  MlirAttribute *layouts = calloc(total + 1, sizeof *layouts);
  if (!layouts) abort();
  for (size_t n = 0; n < a->numOps; ++n) {
    MlirOperation op = a->ops[n];
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i, ++at) {
      MlirValue operand = tileOperand(op, i);
      if (isFlexible(a, op) || !isTile(operand) || !find(a, operand)) continue;
      layouts[at] = wanted(a, op, i);
      if (mlirAttributeIsNull(layouts[at])) layouts[at] = natural(a, op, operand);
    }
  }
  return layouts;
}

static void rewriteOperands(Assigner *a, MlirOperation op, const MlirAttribute *layouts) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (mlirAttributeIsNull(layouts[i])) continue;
    if (tileOpIsADot(op) && i < 2)
      shareOperand(a, op, (int)i);
    else
      mlirOperationSetOperand(op, i, provide(a, tileOperand(op, i), layouts[i]));
  }
}

/// Reads a box by way of a buffer, where somebody wants its elements in registers.
static void loadBox(Assigner *a, MlirOperation load) {
  MlirValue buffer = copyBox(load, tileBufferOfBox(&a->rules, mlirValueGetType(tileResult(load))));
  TileBuilder b = tileBuilderBefore(load);
  MlirValue result = tileResult(load);
  MlirValue read = tileBuild(&b, "tile.buffer_load", mlirValueGetType(result), TILE_VALUES(buffer));
  mlirValueReplaceAllUsesOfWith(result, read);
}

/// Writes a box by way of a buffer.
static void storeBox(Assigner *a, MlirOperation store) {
  MlirValue value = tileDescStoreGetValue(store);
  TileBuilder b = tileBuilderBefore(store);
  MlirType type = tileBufferOfBox(&a->rules, mlirValueGetType(value));
  MlirValue buffer = tileBuild(&b, "tile.alloc_shared", type, TILE_NONE);
  tileBuildOp(&b, "tile.buffer_store", TILE_VALUES(value, buffer), TILE_NONE, TILE_NONE, 0);
  moveBox(store, "tile.desc_write", buffer);
  mlirOperationDestroy(store);
}

static bool isUnused(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, i)))) return false;
  return true;
}

static void rewrite(Assigner *a) {
  MlirAttribute *layouts = askAll(a);
  for (ValueInfo *info = a->values; info; info = info->hh.next)
    if (info->class != TILE_LAYOUT_FLEXIBLE)
      mlirValueSetType(info->value, tileWithEncoding(mlirValueGetType(info->value), info->layout));
  size_t at = 0;
  for (size_t n = 0; n < a->numOps; ++n) {
    rewriteOperands(a, a->ops[n], layouts + at);
    at += (size_t)mlirOperationGetNumOperands(a->ops[n]);
  }
  free(layouts);
  // What was recomputed wherever it is needed.
  for (size_t n = a->numOps; n-- > 0;) {
    MlirOperation op = a->ops[n];
    if (tileOpIsADescStore(op)) {
      storeBox(a, op);
      continue;
    }
    bool fixed = !hasTileResult(op) || find(a, tileResult(op))->class == TILE_LAYOUT_FIXED;
    if (tileOpIsADescLoad(op) && !isUnused(op)) loadBox(a, op);
    if ((!fixed || tileOpIsADescLoad(op)) && isUnused(op)) mlirOperationDestroy(op);
  }
}

//===- the pass -----------------------------------------------------------===//

/// The extents that layouts can express, and tiles that registers can hold.
static bool checkTile(Assigner *a, MlirOperation op, MlirType type, TileLayoutClass class) {
  MlirLocation loc = mlirOperationGetLocation(op);
  int64_t shape[TILE_MAX_RANK], elements = 1;
  int rank = tileShape(type, shape);
  if (rank < 0) {
    tileEmitError(loc, "expected a tile of rank %d at most, found rank %d", TILE_MAX_RANK,
                  (int)mlirShapedTypeGetRank(type));
    return false;
  }
  for (int d = 0; d < rank; ++d) {
    if (shape[d] <= 0 || (shape[d] & (shape[d] - 1))) {
      tileEmitError(loc, "expected extents that are powers of two on this target, found %lld%s",
                    (long long)shape[d],
                    shape[d] < 0 ? " (bind meta-parameters first: tile-specialize)" : "");
      return false;
    }
    elements *= shape[d];
    // A value that is computed once may take all of a thread's 255 registers, no more. Pointers do
    // not count: accesses need one for each run of elements, not each element.
    if (tileTypeIsAPtr(tileElementType(type)) || class != TILE_LAYOUT_FIXED) continue;
    int64_t limit = (int64_t)255 * 32 * 32 * a->rules.numWarps,
            bits = elements * tileBitWidth(tileElementType(type));
    if (elements >= 1 << TILE_MAX_BITS || bits > limit) {
      tileEmitError(loc,
                    "expected a tile that fits the registers of %d warps (%lld bytes), found %lld "
                    "bytes or more",
                    a->rules.numWarps, (long long)limit / 8, (long long)bits / 8);
      return false;
    }
  }
  return true;
}

static bool checkTiles(Assigner *a) {
  for (size_t n = 0; n < a->numOps; ++n)
    for (intptr_t i = 0; i < mlirOperationGetNumResults(a->ops[n]); ++i) {
      MlirValue result = mlirOperationGetResult(a->ops[n], i);
      if (!isTile(result)) continue;
      if (!checkTile(a, a->ops[n], mlirValueGetType(result), find(a, result)->class)) return false;
    }
  return true;
}

/// --num-warps, or the kernel's own, or 4; a power of two up to 32.
static bool chooseWarps(MlirOperation func, const TileAssignLayoutsOptions *options,
                        int *numWarps) {
  int64_t wish = options->numWarps ? options->numWarps : tileIntAttr(func, "tile.num_warps", 4);
  if (wish >= 1 && wish <= 32 && !(wish & (wish - 1))) {
    *numWarps = (int)wish;
    return true;
  }
  tileEmitError(mlirOperationGetLocation(func), "expected 1, 2, 4, 8, 16 or 32 warps, found %lld",
                (long long)wish);
  return false;
}

static void freeTables(Assigner *a) {
  ValueInfo *info, *nextInfo;
  HASH_ITER(hh, a->values, info, nextInfo) {
    HASH_DEL(a->values, info);
    free(info);
  }
  Copy *copy, *nextCopy;
  HASH_ITER(hh, a->copies, copy, nextCopy) {
    HASH_DEL(a->copies, copy);
    free(copy);
  }
  free(a->ops);
}

MlirLogicalResult tileRunAssignLayouts(MlirOperation func,
                                       const TileAssignLayoutsOptions *options) {
  Assigner a = {.func = func, .rules = {.context = mlirOperationGetContext(func)}};
  if (!chooseWarps(func, options, &a.rules.numWarps)) return mlirLogicalResultFailure();
  collectBlock(&a, tileBody(func, 0));
  bool ok = checkTiles(&a);
  if (ok) {
    TileAxisAnalysis *axis = tileAxisAnalysisCreate(func);
    a.rules.axis = axis;
    spread(&a);
    rewrite(&a);
    tileTraceLayouts(func);
    tileAxisAnalysisDestroy(axis);
    mlirOperationSetAttributeByName(func, tileString("tile.num_warps"),
                                    mlirIntegerAttrGet(tileI32(a.rules.context), a.rules.numWarps));
  }
  freeTables(&a);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
