//===- Extents.c - putting extents in the place of names ------------------===//
#include "Extents.h"
#include "tile/Extent.h"

enum { MOST_ELEMENTS = 1 << 24 };

/// Unlike a tile's, a descriptor's type has to be right when it is made.
static bool checkBox(MlirLocation loc, MlirType box) {
  int64_t shape[TILE_MAX_RANK], elements = 1;
  int rank = tileShape(box, shape);
  for (int d = 0; d < rank; ++d) {
    if (shape[d] > MOST_ELEMENTS / elements) {
      tileEmitError(loc, "expected a box of at most 2^24 elements, found more once its extents are "
                         "bound");
      return false;
    }
    if (shape[d] > 0) elements *= shape[d];
  }
  return true;
}

/// One extent, and whether somebody has said already why it is none.
typedef struct {
  TileExtentBinder *binder;
  MlirLocation loc;
  bool reported;
} Lookup;

static bool lookUpName(void *data, MlirStringRef name, int64_t *size, MlirStringRef *text) {
  Lookup *l = data;
  TileExtent extent;
  l->reported = !l->binder->lookUp(l->binder, l->loc, name, &extent);
  if (l->reported) return false;
  *size = extent.size;
  *text = extent.name;
  return true;
}

/// A name, or arithmetic on names, as the binder has them.
static bool bindExtent(TileExtentBinder *binder, MlirLocation loc, MlirContext context,
                       MlirStringRef text, TileExtent *extent) {
  Lookup l = {binder, loc, false};
  if (tileExtentBind(context, text, lookUpName, &l, &extent->size, &extent->name)) {
    if (extent->size > 0) return true;
    if (extent->size == INT64_MIN) return extent->size = -1, true;
    tileEmitError(loc, "expected a positive extent for '%.*s', found %lld", (int)text.length,
                  text.data, (long long)extent->size);
  } else if (!l.reported) {
    tileEmitError(loc, "expected an extent that arithmetic in 64 bits finds, found '%.*s'",
                  (int)text.length, text.data);
  }
  return false;
}

/// `type` with its named extents bound; itself when it has none; null after an error.
static MlirType bindType(TileExtentBinder *binder, MlirLocation loc, MlirType type) {
  if (tileTypeIsADesc(type)) {
    MlirType box = bindType(binder, loc, tileDescTypeGetBox(type));
    if (mlirTypeIsNull(box) || !checkBox(loc, box)) return (MlirType){NULL};
    return tileDescTypeGet(box);
  }
  if (!tileTypeIsTile(type)) return type;
  MlirAttribute dims = mlirRankedTensorTypeGetEncoding(type);
  if (!tileAttributeIsADims(dims)) return type;
  int64_t shape[TILE_MAX_RANK];
  MlirStringRef names[TILE_MAX_RANK];
  intptr_t numNames = 0;
  int rank = tileShape(type, shape);
  if (rank < 0) {
    tileEmitError(loc, "expected a tile of rank %d at most, found rank %d", TILE_MAX_RANK,
                  (int)mlirShapedTypeGetRank(type));
    return (MlirType){NULL};
  }
  for (int i = 0, next = 0; i < rank; ++i) {
    if (shape[i] >= 0) continue;
    TileExtent extent;
    MlirStringRef text = tileDimsGetName(dims, next++);
    if (!bindExtent(binder, loc, mlirTypeGetContext(type), text, &extent)) return (MlirType){NULL};
    shape[i] = extent.size < 0 ? mlirShapedTypeGetDynamicSize() : extent.size;
    if (extent.size < 0) names[numNames++] = extent.name;
  }
  MlirAttribute encoding = mlirAttributeGetNull();
  if (numNames) encoding = tileDimsAttrGet(mlirTypeGetContext(type), numNames, names);
  return mlirRankedTensorTypeGet(rank, shape, mlirShapedTypeGetElementType(type), encoding);
}

static bool bindValue(TileExtentBinder *binder, MlirLocation loc, MlirValue value) {
  MlirType type = bindType(binder, loc, mlirValueGetType(value));
  if (mlirTypeIsNull(type)) return false;
  mlirValueSetType(value, type);
  return true;
}

/// A constant tile of named extents names its type in an attribute too.
static bool bindConstant(TileExtentBinder *binder, MlirOperation op) {
  MlirAttribute value = tileAttr(op, "value");
  if (!mlirAttributeIsADenseElements(value)) return true;
  MlirType type = mlirAttributeGetType(value);
  MlirType bound = bindType(binder, mlirOperationGetLocation(op), type);
  if (mlirTypeIsNull(bound)) return false;
  if (mlirTypeEqual(bound, type)) return true;
  MlirAttribute splat = mlirDenseElementsAttrGetSplatValue(value);
  mlirOperationSetAttributeByName(op, tileString("value"),
                                  mlirDenseElementsAttrSplatGet(bound, splat));
  return true;
}

/// Once all is bound, a part has to be one.
static bool isInside(MlirOperation op, MlirLocation loc) {
  int64_t whole[TILE_MAX_RANK], part[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(tileSliceGetSource(op)), whole);
  if (tileShape(mlirValueGetType(tileResult(op)), part) != rank)
    return true; // the verifier says so
  for (int d = 0; d < rank; ++d) {
    int64_t offset = tileSliceOffset(op, d);
    if (offset < 0 || whole[d] < 0 || part[d] < 0 || offset <= whole[d] - part[d]) continue;
    tileEmitError(loc,
                  "expected a part of %lld elements along dimension %d, found %lld from %lld on",
                  (long long)whole[d], d, (long long)part[d], (long long)offset);
    return false;
  }
  return true;
}

/// Offsets are numbers, or arithmetic as extents are, and may be 0.
static bool bindSlice(TileExtentBinder *binder, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute offsets = tileSliceGetOffsetsAttr(op), bound[TILE_MAX_RANK];
  intptr_t count = mlirArrayAttrGetNumElements(offsets);
  if (count > TILE_MAX_RANK) return true; // the verifier says so
  for (intptr_t i = 0; i < count; ++i) {
    bound[i] = mlirArrayAttrGetElement(offsets, i);
    if (!mlirAttributeIsAString(bound[i])) continue;
    Lookup l = {binder, loc, false};
    MlirStringRef text = mlirStringAttrGetValue(bound[i]), left = text;
    int64_t size;
    if (!tileExtentBind(context, text, lookUpName, &l, &size, &left)) {
      if (!l.reported)
        tileEmitError(loc, "expected an offset that arithmetic in 64 bits finds, found '%.*s'",
                      (int)text.length, text.data);
      return false;
    }
    if (size < 0 && size != INT64_MIN) {
      tileEmitError(loc, "expected an offset of 0 or more for '%.*s', found %lld", (int)text.length,
                    text.data, (long long)size);
      return false;
    }
    bound[i] = size == INT64_MIN ? mlirStringAttrGet(context, left)
                                 : mlirIntegerAttrGet(tileI64(context), size);
  }
  mlirOperationSetAttributeByName(op, tileString("offsets"),
                                  mlirArrayAttrGet(context, count, bound));
  return isInside(op, loc);
}

static bool bindMeta(TileExtentBinder *binder, MlirOperation op) {
  TileExtent extent;
  if (!bindExtent(binder, mlirOperationGetLocation(op), mlirOperationGetContext(op),
                  tileMetaGetName(op), &extent))
    return false;
  if (extent.size < 0) {
    MlirAttribute name = mlirStringAttrGet(mlirOperationGetContext(op), extent.name);
    mlirOperationSetAttributeByName(op, tileString("name"), name);
    return true;
  }
  // %b = arith.constant SIZE
  TileBuilder b = tileBuilderBefore(op);
  MlirValue constant = tileBuildInt(&b, mlirValueGetType(tileResult(op)), extent.size);
  tileReplaceOp(op, TILE_VALUES(constant));
  return true;
}

typedef struct {
  TileExtentBinder *binder;
  bool failed;
} Walk;

static bool bindOp(TileExtentBinder *binder, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!bindValue(binder, loc, mlirOperationGetResult(op, i))) return false;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock b = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)); !mlirBlockIsNull(b);
         b = mlirBlockGetNextInRegion(b))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(b); ++i)
        if (!bindValue(binder, loc, mlirBlockGetArgument(b, i))) return false;
  if (tileOpIs(op, "arith.constant")) return bindConstant(binder, op);
  if (tileOpIsASlice(op)) return bindSlice(binder, op);
  return !tileOpIsAMeta(op) || bindMeta(binder, op);
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  Walk *walk = data;
  bool meta = tileOpIsAMeta(op); // asked first: binding may erase it
  walk->failed = !bindOp(walk->binder, op);
  if (walk->failed) return MlirWalkResultInterrupt;
  return meta ? MlirWalkResultSkip : MlirWalkResultAdvance;
}

bool tileBindExtentsIn(TileExtentBinder *binder, MlirOperation root) {
  Walk walk = {binder, false};
  mlirOperationWalk(root, visit, &walk, MlirWalkPostOrder);
  return !walk.failed;
}
