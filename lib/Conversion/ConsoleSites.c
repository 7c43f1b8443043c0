//===- ConsoleSites.c - the sites of prints and asserts -------------------===//
#include "ConsoleSites.h"
#include "tile/Support/Source.h"
#include "tile/Text.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A field, in which neither separator nor NUL can stand.
static void addField(TileText *t, MlirStringRef text) {
  const char separator = TILE_CONSOLE_SEPARATOR;
  tileTextAddBytes(t, &separator, 1);
  size_t start = t->size;
  tileTextAddBytes(t, text.data, text.length);
  for (size_t i = start; i < t->size; ++i)
    if (t->data[i] == separator || !t->data[i]) t->data[i] = '?';
}

static void addNumber(TileText *t, int64_t number) {
  char text[32];
  snprintf(text, sizeof text, "%" PRId64, number);
  addField(t, tileString(text));
}

int tileConsoleShape(MlirOperation print, intptr_t i, int64_t shape[TILE_MAX_RANK]) {
  int rank = tileShape(mlirValueGetType(tilePrintGetValues(print, i)), shape);
  MlirAttribute extents = tileAttr(print, "tile.extents");
  if (mlirAttributeIsNull(extents)) return rank;
  MlirAttribute own = mlirArrayAttrGetElement(extents, i);
  for (int d = 0; d < rank; ++d) shape[d] = mlirDenseI64ArrayGetElement(own, d);
  return rank;
}

/// "4x8xf32", "ptr"
static void addType(TileText *t, MlirType type, int rank, const int64_t *shape) {
  char extent[32];
  addField(t, tileString(""));
  for (int d = 0; d < rank; ++d) {
    int length = snprintf(extent, sizeof extent, "%" PRId64 "x", shape[d]);
    tileTextAddBytes(t, extent, (size_t)length);
  }
  MlirType element = tileElementType(type);
  if (tileTypeIsAPtr(element))
    tileTextAddBytes(t, "ptr", 3);
  else
    mlirTypePrint(element, tileTextCollect, t);
}

/// " 128" of four warps; nothing where their number is not known.
static void addThreads(TileText *t, MlirOperation op) {
  char text[32];
  while (!mlirOperationIsNull(op) && mlirAttributeIsNull(tileAttr(op, "tile.num_warps")))
    op = mlirOperationGetParentOperation(op);
  if (mlirOperationIsNull(op)) return;
  int length = snprintf(text, sizeof text, " %" PRId64, 32 * tileIntAttr(op, "tile.num_warps", 1));
  tileTextAddBytes(t, text, (size_t)length);
}

char *tileConsoleDescribe(MlirOperation op) {
  TileText t = {0};
  bool isPrint = tileOpIsAPrint(op);
  tileTextAddBytes(&t, isPrint ? "print" : "assert", isPrint ? 5 : 6);
  MlirAttribute elements = tileAttr(op, "tile.elements");
  if (isPrint && !mlirAttributeIsNull(elements) && mlirAttributeIsAString(elements)) {
    MlirStringRef letters = mlirStringAttrGetValue(elements);
    tileTextAddBytes(&t, " ", 1);
    for (size_t i = 0; i < letters.length; ++i)
      tileTextAddBytes(
          &t, strchr("ux", letters.data[i]) && letters.data[i] ? &letters.data[i] : "i", 1);
    addThreads(&t, op);
  }
  TileSourcePlace place = {.line = 0};
  bool known = tileSourceFind(mlirOperationGetLocation(op), &place);
  addField(&t, known ? place.file : tileString(""));
  addNumber(&t, place.line);
  addNumber(&t, place.column);
  addField(&t, isPrint ? tilePrintGetText(op) : tileAssertGetText(op));
  int64_t shape[TILE_MAX_RANK];
  for (intptr_t i = 0; isPrint && i < tilePrintGetNumValues(op); ++i) {
    int rank = tileConsoleShape(op, i, shape);
    addType(&t, mlirValueGetType(tilePrintGetValues(op, i)), rank, shape);
  }
  if (!isPrint) {
    MlirType type = mlirValueGetType(tileAssertGetCondition(op));
    int rank = tileShape(type, shape);
    addType(&t, type, rank, shape);
  }
  return t.data;
}
