//===- TritonCarriedDescriptors.c - descriptors that are chosen as a kernel runs --===//
//
// Before:  %d = scf.if %new -> (!tile.desc<8x64xf16>) {
//            %a = tile.make_desc %p, [%m, %n], [%pitch]
//            scf.yield %a
//          } else { scf.yield %carried }          // an argument of the loop's body
// After:   %q, .. = scf.if %new -> (!tile.ptr<f16>, i32, i32, i64) {
//            scf.yield %p, %m, %n, %pitch
//          } else { scf.yield %base, .. }
//          %d = tile.make_desc %q, [%m, %n], [%pitch]
//
// Loops, branches and choices hand on what a descriptor is made of, and it is made anew behind
// them, so that each access has its tile.make_desc. What is the same in all descriptors that may
// have come, as extents and strides are in most kernels, is taken from where it was made.
//
// Refuses descriptors that fill what is beyond their arrays with zeros and with NaNs by turns.
//===----------------------------------------------------------------------===//
#include "TritonToTile.h"
#include <stdlib.h>

enum { MOST_PARTS = 2 * TILE_MAX_RANK };

/// The base, extents and strides of a descriptor, in the order of tile.make_desc's operands.
typedef struct {
  int rank, count;
  MlirType types[MOST_PARTS];
} Parts;

static Parts partsOf(MlirType desc) {
  MlirType box = tileDescTypeGetBox(desc);
  MlirContext c = mlirTypeGetContext(desc);
  Parts parts = {.rank = (int)mlirShapedTypeGetRank(box)};
  parts.count = 2 * parts.rank;
  for (int i = 0; i < parts.count; ++i)
    parts.types[i] = i == 0            ? tilePtrTypeGet(tileElementType(box))
                     : i <= parts.rank ? tileI32(c)
                                       : tileI64(c);
  return parts;
}

static bool isDesc(MlirValue value) { return tileTypeIsADesc(mlirValueGetType(value)); }

//===- where a value may come from ----------------------------------------===//

static MlirValue yielded(MlirOperation op, intptr_t region, intptr_t i) {
  MlirBlock block = tileBody(op, region);
  if (mlirBlockIsNull(block)) return (MlirValue){NULL};
  return tileOperand(mlirBlockGetTerminator(block), i);
}

/// Of result `i` of `op` the value number `n` that it may be; null: none more.
static MlirValue resultFrom(MlirOperation op, intptr_t i, intptr_t n) {
  MlirValue none = {NULL};
  if (tileOpIs(op, "arith.select")) return n < 2 ? tileOperand(op, 1 + n) : none;
  if (tileOpIs(op, "scf.if") || tileOpIs(op, "scf.index_switch"))
    return n < mlirOperationGetNumRegions(op) ? yielded(op, n, i) : none;
  if (tileOpIs(op, "scf.while")) return n ? none : yielded(op, 0, 1 + i);
  if (!tileOpIs(op, "scf.for") || n > 1) return none;
  return n ? yielded(op, 0, i) : tileForGetInit(op, i);
}

/// The same of argument `i` of `block`.
static MlirValue argumentFrom(MlirBlock block, intptr_t i, intptr_t n) {
  MlirOperation op = mlirBlockGetParentOperation(block);
  MlirValue none = {NULL};
  if (tileOpIs(op, "scf.for")) return i > 0 ? resultFrom(op, i - 1, n) : none;
  if (!tileOpIs(op, "scf.while")) return none;
  if (!mlirBlockEqual(block, tileBody(op, 0))) return n ? none : yielded(op, 0, 1 + i);
  return n == 0 ? tileOperand(op, i) : n == 1 ? yielded(op, 1, i) : none;
}

static MlirValue valueFrom(MlirValue value, intptr_t n) {
  if (mlirValueIsABlockArgument(value))
    return argumentFrom(mlirBlockArgumentGetOwner(value), mlirBlockArgumentGetArgNumber(value), n);
  return resultFrom(mlirOpResultGetOwner(value), mlirOpResultGetResultNumber(value), n);
}

/// Calls `look` with each value that `value` may be and that no loop, branch or choice hands on.
static void visitSources(MlirValue value, TilePointerTable *seen,
                         void (*look)(MlirValue source, void *data), void *data) {
  if (!tilePointerTableInsert(seen, value.ptr)) return;
  MlirValue from = valueFrom(value, 0);
  if (mlirValueIsNull(from)) look(value, data);
  for (intptr_t n = 0; !mlirValueIsNull(from); from = valueFrom(value, ++n))
    visitSources(from, seen, look, data);
}

static void forEachSource(MlirValue value, void (*look)(MlirValue source, void *data), void *data) {
  TilePointerTable seen = {0};
  visitSources(value, &seen, look, data);
  tilePointerTableClear(&seen);
}

typedef struct {
  MlirAttribute padding;
  bool isAny, differs; ///< one was seen; another pads otherwise, or is nobody's
} Padding;

static void lookAtPadding(MlirValue source, void *data) {
  Padding *p = data;
  MlirOperation made = tileValueGetOp(source);
  bool isMade = !mlirOperationIsNull(made) && tileOpIsAMakeDesc(made);
  MlirAttribute padding = isMade ? tileAttr(made, "padding") : (MlirAttribute){NULL};
  p->differs |= !isMade || (p->isAny && !mlirAttributeEqual(padding, p->padding));
  p->padding = padding;
  p->isAny = true;
}

typedef struct {
  MlirValue value;
  int count;
} Source;

static void countSource(MlirValue source, void *data) {
  Source *s = data;
  s->value = source;
  ++s->count;
}

/// The one value that `value`, which `op` hands on, can only be, where that is made in front of
/// `op`; else `value`.
static MlirValue onlySource(MlirValue value, MlirOperation op) {
  Source s = {.count = 0};
  forEachSource(value, countSource, &s);
  if (s.count != 1) return value;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    MlirBlock body = tileBody(op, i);
    if (!mlirBlockIsNull(body) && tileBlockHolds(body, tileValueGetBlock(s.value))) return value;
  }
  return s.value;
}

//===- handing on the parts -----------------------------------------------===//

/// Appends what `value` stands for: the parts of a descriptor, which a cast is put for until it is
/// known who makes it, or the value itself.
static void addParts(TileBuilder *b, MlirValue value, MlirValue *values, intptr_t *count) {
  if (!isDesc(value)) {
    values[(*count)++] = value;
    return;
  }
  Parts parts = partsOf(mlirValueGetType(value));
  MlirOperation cast = tileBuildOp(b, "builtin.unrealized_conversion_cast", TILE_VALUES(value),
                                   parts.count, parts.types, TILE_NONE, 0);
  for (int i = 0; i < parts.count; ++i) values[(*count)++] = mlirOperationGetResult(cast, i);
}

/// What a kernel's loops and branches hand on.
typedef struct {
  TileOpList carriers;
  TilePointerTable paddings; ///< of each descriptor that is handed on, a Padding
  TileOpList made;
} Carried;

/// The descriptor of these parts, in the place of `old`.
static void remake(Carried *c, TileBuilder *b, MlirValue old, const MlirValue *values) {
  MlirType desc = mlirValueGetType(old);
  Parts parts = partsOf(desc);
  MlirAttribute padding = ((Padding *)tilePointerTableFind(c->paddings, old.ptr))->padding;
  int32_t sizes[3] = {1, parts.rank, parts.rank - 1};
  TileNamedAttr attrs[2] = {{"operandSegmentSizes", mlirDenseI32ArrayGet(b->context, 3, sizes)},
                            {"padding", padding}};
  bool pads = !mlirAttributeIsNull(padding);
  MlirOperation made =
      tileBuildOp(b, "tile.make_desc", parts.count, values, 1, &desc, pads ? 2 : 1, attrs, 0);
  tileOpListAdd(&c->made, made);
  mlirValueReplaceAllUsesOfWith(old, tileResult(made));
}

/// Operands of `op` with the parts of descriptors; how many.
static intptr_t spreadOperands(MlirOperation op, MlirValue **values) {
  intptr_t count = mlirOperationGetNumOperands(op), made = 0;
  *values = malloc((size_t)(count * MOST_PARTS + 1) * sizeof **values);
  if (!*values) abort();
  TileBuilder b = tileBuilderBefore(op);
  for (intptr_t i = 0; i < count; ++i) addParts(&b, tileOperand(op, i), *values, &made);
  return made;
}

/// An op like `op`, in front of it, with its regions.
static MlirOperation buildAs(MlirOperation op, intptr_t count, const MlirValue *values,
                             intptr_t numTypes, const MlirType *types) {
  TileBuilder b = tileBuilderBefore(op);
  MlirOperation made =
      tileBuildTaking(&b, tileOpName(op).data, op, count, values, numTypes, types, TILE_NONE);
  tileCopyAttributes(op, made);
  return made;
}

/// Arguments of a block, and what its terminator hands on.
static void spreadBlock(Carried *c, MlirBlock block) {
  MlirOperation first = mlirBlockGetFirstOperation(block);
  TileBuilder b = tileBuilderBefore(first);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue old = mlirBlockGetArgument(block, i), values[MOST_PARTS];
    if (!isDesc(old)) continue;
    Parts parts = partsOf(mlirValueGetType(old));
    for (int k = 0; k < parts.count; ++k)
      values[k] = mlirBlockInsertArgument(block, i + 1 + k, parts.types[k], b.location);
    remake(c, &b, old, values);
    mlirBlockEraseArgument(block, (unsigned)i);
    i += parts.count - 1;
  }
  MlirOperation end = mlirBlockGetTerminator(block);
  MlirValue *values;
  intptr_t count = spreadOperands(end, &values);
  if (count != mlirOperationGetNumOperands(end)) {
    buildAs(end, count, values, TILE_NONE);
    mlirOperationDestroy(end);
  }
  free(values);
}

static void spreadResults(Carried *c, MlirOperation op, MlirOperation made) {
  TileBuilder b = tileBuilderAfter(made);
  intptr_t at = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue old = mlirOperationGetResult(op, i), values[MOST_PARTS];
    if (!isDesc(old)) {
      mlirValueReplaceAllUsesOfWith(old, mlirOperationGetResult(made, at++));
      continue;
    }
    int count = partsOf(mlirValueGetType(old)).count;
    for (int k = 0; k < count; ++k) values[k] = mlirOperationGetResult(made, at++);
    remake(c, &b, old, values);
  }
}

/// An op with regions that hands descriptors on.
static void spreadOp(Carried *c, MlirOperation op) {
  MlirValue *values;
  intptr_t count = spreadOperands(op, &values), numResults = mlirOperationGetNumResults(op);
  MlirType *types = malloc((size_t)(numResults * MOST_PARTS + 1) * sizeof *types);
  if (!types) abort();
  intptr_t numTypes = 0;
  for (intptr_t i = 0; i < numResults; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    Parts parts = {.count = 1, .types = {mlirValueGetType(result)}};
    if (isDesc(result)) parts = partsOf(parts.types[0]);
    for (int k = 0; k < parts.count; ++k) types[numTypes++] = parts.types[k];
  }
  MlirOperation made = buildAs(op, count, values, numTypes, types);
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(made); ++i) {
    MlirBlock block = tileBody(made, i);
    if (!mlirBlockIsNull(block)) spreadBlock(c, block);
  }
  spreadResults(c, op, made);
  mlirOperationDestroy(op);
  free(types);
  free(values);
}

/// %d = arith.select %c, %x, %y of descriptors: a choice of each part.
static void spreadSelect(Carried *c, MlirOperation op) {
  TileBuilder b = tileBuilderBefore(op);
  MlirValue values[2 * MOST_PARTS], chosen[MOST_PARTS];
  intptr_t count = 0;
  addParts(&b, tileOperand(op, 1), values, &count);
  addParts(&b, tileOperand(op, 2), values, &count);
  for (intptr_t i = 0; i < count / 2; ++i)
    chosen[i] = tileBuildSelect(&b, tileOperand(op, 0), values[i], values[count / 2 + i]);
  remake(c, &b, tileResult(op), chosen);
  mlirOperationDestroy(op);
}

//===- a function ---------------------------------------------------------===//

typedef void (*LookAtHanded)(Carried *c, MlirValue desc, bool *answer);

/// Calls `look` with each descriptor that is a result of `op`, or an argument of its regions.
static void forEachHanded(Carried *c, MlirOperation op, LookAtHanded look, bool *answer) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (isDesc(mlirOperationGetResult(op, i))) look(c, mlirOperationGetResult(op, i), answer);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = tileBody(op, r);
    for (intptr_t i = 0; !mlirBlockIsNull(block) && i < mlirBlockGetNumArguments(block); ++i)
      if (isDesc(mlirBlockGetArgument(block, i))) look(c, mlirBlockGetArgument(block, i), answer);
  }
}

/// Notes how `desc` pads; false where descriptors that it may be differ.
static void notePadding(Carried *c, MlirValue desc, bool *padAlike) {
  Padding *padding = tilePointerTableAdd(&c->paddings, desc.ptr, sizeof *padding);
  forEachSource(desc, lookAtPadding, padding);
  *padAlike &= !padding->differs;
}

static MlirLogicalResult noteCarrier(Carried *c, MlirOperation op) {
  bool padAlike = true;
  forEachHanded(c, op, notePadding, &padAlike);
  if (padAlike) return mlirLogicalResultSuccess();
  return tritonRefuse(op, "descriptors that the kernel makes or is given, which all pad alike",
                      "others");
}

static void noteOne(Carried *c, MlirValue desc, bool *isThere) {
  (void)c, (void)desc;
  *isThere = true;
}

static bool handsOn(MlirOperation op, void *data) {
  if (!tileOpIsOfDialect(op, "scf") && !tileOpIs(op, "arith.select")) return false;
  bool isThere = false;
  forEachHanded(data, op, noteOne, &isThere);
  return isThere;
}

static bool isMake(MlirOperation op, void *data) {
  (void)data;
  return tileOpIs(op, "tt.make_tensor_descriptor");
}

static MlirLogicalResult convertMakes(MlirOperation func) {
  TileOpList makes = {0};
  tileOpListCollect(&makes, func, MlirWalkPostOrder, isMake, NULL);
  MlirLogicalResult result = mlirLogicalResultSuccess();
  for (size_t i = 0; i < makes.count && mlirLogicalResultIsSuccess(result); ++i) {
    TileBuilder b = tileBuilderBefore(makes.ops[i]);
    result = tritonConvertMakeDescriptor(makes.ops[i], &b);
  }
  tileOpListDestroy(&makes);
  return result;
}

static bool isCast(MlirOperation op, void *data) {
  (void)data;
  return tileOpIs(op, "builtin.unrealized_conversion_cast");
}

/// Who makes a descriptor is known now.
static void resolveCasts(MlirOperation func) {
  TileOpList casts = {0};
  tileOpListCollect(&casts, func, MlirWalkPostOrder, isCast, NULL);
  for (size_t i = 0; i < casts.count; ++i) {
    MlirOperation op = casts.ops[i], made = tileValueGetOp(tileOperand(op, 0));
    for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, k), tileOperand(made, k));
    mlirOperationDestroy(op);
  }
  tileOpListDestroy(&casts);
}

/// Takes what is the same in all descriptors from where it is made.
static void shorten(MlirOperation made) {
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(made); ++k) {
    MlirValue part = tileOperand(made, k);
    bool isArgument = mlirValueIsABlockArgument(part);
    MlirOperation op = isArgument ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(part))
                                  : tileValueGetOp(part);
    mlirOperationSetOperand(made, k, onlySource(part, op));
  }
}

static MlirLogicalResult spread(MlirOperation func, Carried *c) {
  TILE_TRY(convertMakes(func));
  for (size_t i = 0; i < c->carriers.count; ++i) TILE_TRY(noteCarrier(c, c->carriers.ops[i]));
  for (size_t i = 0; i < c->carriers.count; ++i) {
    MlirOperation op = c->carriers.ops[i];
    if (tileOpIs(op, "arith.select"))
      spreadSelect(c, op);
    else
      spreadOp(c, op);
  }
  resolveCasts(func);
  for (size_t i = 0; i < c->made.count; ++i) shorten(c->made.ops[i]);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult tritonSpreadDescriptors(MlirOperation func) {
  Carried c = {.paddings = {0}};
  tileOpListCollect(&c.carriers, func, MlirWalkPostOrder, handsOn, NULL);
  MlirLogicalResult result = c.carriers.count ? spread(func, &c) : mlirLogicalResultSuccess();
  tileOpListDestroy(&c.carriers);
  tileOpListDestroy(&c.made);
  tilePointerTableClear(&c.paddings);
  return result;
}
