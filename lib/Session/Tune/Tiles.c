//===- Tiles.c - a kernel's tiles under a configuration -------------------===//
#include "TuneImpl.h"
#include "tile/Extent.h"

int64_t tileViewGetValue(const TileView *view, MlirStringRef name, int64_t otherwise) {
  int64_t value;
  if (tileConfigGet(view->config, name, &value)) return value;
  MlirAttribute meta = tileFuncGetMetaAttr(view->kernel->func);
  if (mlirAttributeIsNull(meta)) return otherwise;
  MlirAttribute attr = mlirDictionaryAttrGetElementByName(meta, name);
  bool is = !mlirAttributeIsNull(attr) && mlirAttributeIsAInteger(attr);
  return is ? mlirIntegerAttrGetValueInt(attr) : otherwise;
}

static bool lookUpExtent(void *data, MlirStringRef name, int64_t *size, MlirStringRef *text) {
  (void)text;
  *size = tileViewGetValue(data, name, 1);
  return true;
}

/// A name, or arithmetic on names; 1 where it is none.
static int64_t extentOf(const TileView *view, MlirType type, MlirStringRef text) {
  int64_t size;
  MlirStringRef left;
  TileView known = *view;
  bool ok = tileExtentBind(mlirTypeGetContext(type), text, lookUpExtent, &known, &size, &left);
  return ok && size > 0 ? size : 1;
}

int64_t tileViewCountElements(const TileView *view, MlirType type, int64_t shape[TILE_MAX_RANK]) {
  if (!tileTypeIsTile(type)) return 0;
  int rank = tileShape(type, shape);
  MlirAttribute dims = mlirRankedTensorTypeGetEncoding(type);
  int64_t count = 1;
  for (int i = 0, next = 0; i < rank; ++i) {
    if (shape[i] < 0 && tileAttributeIsADims(dims))
      shape[i] = extentOf(view, type, tileDimsGetName(dims, next++));
    count *= shape[i] > 0 && count <= INT32_MAX ? shape[i] : 1;
  }
  return count;
}

bool tileViewFindProduct(const TileView *view, MlirOperation dot, TileProduct *product) {
  MlirType aType = mlirValueGetType(tileDotGetA(dot)), bType = mlirValueGetType(tileDotGetB(dot));
  int64_t shape[TILE_MAX_RANK], other[TILE_MAX_RANK];
  int64_t a = tileViewCountElements(view, aType, shape);
  int64_t b = tileViewCountElements(view, bType, other);
  int rank = tileShape(aType, (int64_t[TILE_MAX_RANK]){0});
  if (!a || !b || rank < 2) return false;
  int64_t m = shape[rank - 2], k = shape[rank - 1], n = other[rank - 1];
  *product = (TileProduct){.batch = a / (m * k), .m = m, .n = n, .k = k};
  product->aBytes = a * tileBitWidth(tileElementType(aType)) / 8;
  product->bBytes = b * tileBitWidth(tileElementType(bType)) / 8;
  return true;
}
