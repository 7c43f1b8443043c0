//===- HintTypes.c - the op that is missing between two types -------------===//
#include "HintTypes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "tile/IR.h"
#include "tile/Tile.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANK = 16, MAX_EXTENT = 64, MAX_NAME = 128, MAX_MADE = 192 };

/// A tile's extents as they are written: numbers, and what #tile.dims says of those that are `?`.
typedef struct Extents {
  int rank;
  char extent[MAX_RANK][MAX_EXTENT];
  bool isNamed[MAX_RANK];
} Extents;

static char *print(MlirType type) {
  TileText text = {0};
  tileTextAdd(&text, "");
  mlirTypePrint(type, tileTextCollect, &text);
  return text.data;
}

/// The next of "[A, B floordiv 8]" from `*at` on, without blanks around.
static void nextName(const char **at, char *name) {
  int depth = 0;
  size_t used = 0;
  *at += strspn(*at, " ");
  for (; **at && (depth || (**at != ',' && **at != ']')); ++*at) {
    depth += (**at == '(') - (**at == ')');
    if (used < MAX_EXTENT - 1) name[used++] = **at;
  }
  name[used] = 0;
  if (**at == ',') ++*at;
}

/// False for types that are no tiles, and for tiles that have a layout.
static bool readExtents(MlirType type, Extents *e) {
  if (!mlirTypeIsARankedTensor(type) || mlirShapedTypeGetRank(type) > MAX_RANK) return false;
  e->rank = (int)mlirShapedTypeGetRank(type);
  MlirAttribute encoding = mlirRankedTensorTypeGetEncoding(type);
  bool isPlain = mlirAttributeIsNull(encoding);
  if (!isPlain && !tileAttributeIsADims(encoding)) return false;
  TileText text = {0};
  tileTextAdd(&text, "");
  if (!isPlain) mlirAttributePrint(encoding, tileTextCollect, &text);
  const char *names = strchr(text.data, '[');
  if (names) ++names;
  for (int i = 0; i < e->rank; ++i) {
    e->isNamed[i] = mlirShapedTypeIsDynamicDim(type, i);
    e->extent[i][0] = 0;
    if (!e->isNamed[i])
      snprintf(e->extent[i], MAX_EXTENT, "%lld", (long long)mlirShapedTypeGetDimSize(type, i));
    else if (names)
      nextName(&names, e->extent[i]);
  }
  free(text.data);
  return true;
}

static bool isOne(const Extents *e, int i) { return !strcmp(e->extent[i], "1"); }

/// Can a tile of extents `e` be repeated to be one of `to`?
static bool spreadsTo(const Extents *e, const Extents *to) {
  if (e->rank != to->rank) return false;
  for (int i = 0; i < e->rank; ++i)
    if (strcmp(e->extent[i], to->extent[i]) && !isOne(e, i)) return false;
  return true;
}

static bool isSame(const Extents *a, const Extents *b) {
  bool same = a->rank == b->rank;
  for (int i = 0; same && i < a->rank; ++i) same = !strcmp(a->extent[i], b->extent[i]);
  return same;
}

/// The type of a tile, as it is written.
static void addType(TileText *t, const Extents *e, MlirType element) {
  tileTextAdd(t, "tensor<");
  int named = 0;
  for (int i = 0; i < e->rank; ++i) {
    tileTextPrint(t, "%sx", e->isNamed[i] ? "?" : e->extent[i]);
    named += e->isNamed[i];
  }
  mlirTypePrint(element, tileTextCollect, t);
  if (named) tileTextAdd(t, ", #tile.dims<[");
  for (int i = 0, k = 0; i < e->rank; ++i)
    if (e->isNamed[i]) tileTextPrint(t, "%s%s", k++ ? ", " : "", e->extent[i]);
  tileTextAdd(t, named ? "]>>" : ">");
}

/// The type's alias where the text defines one, as "!ptrs", else the type.
static void addAlias(TileText *t, const char *text, MlirType type) {
  char *wanted = print(type);
  size_t length = strlen(wanted);
  for (const char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
    if (*at != '!') continue;
    size_t name = 1;
    while (isalnum((unsigned char)at[name]) || at[name] == '_') ++name;
    const char *value = at + name + strspn(at + name, " ");
    if (*value != '=') continue;
    value += 1 + strspn(value + 1, " ");
    if (strncmp(value, wanted, length) || !strchr(" \n\r/", value[length])) continue;
    tileTextAddBytes(t, at, name);
    free(wanted);
    return;
  }
  tileTextAdd(t, wanted);
  free(wanted);
}

/// `%n_tile`, or `%n_tile2` where the text has that.
static void makeName(const char *text, const char *name, const char *word, char *made) {
  snprintf(made, MAX_MADE, "%s_%s", name, word);
  for (int i = 2; strstr(text, made) && i < 100; ++i)
    snprintf(made, MAX_MADE, "%s_%s%d", name, word, i);
}

/// "insert '%n_tile = OP %n : FOUND -> WANTED' above, and use '%n_tile'".
static void addInsertion(const TileTypeMistake *m, const char *op, const char *word,
                         const char *name, TileText *t) {
  char made[MAX_MADE];
  makeName(m->text, name, word, made);
  tileTextPrint(t, "insert '%s = %s %s : ", made, op, name);
  addAlias(t, m->text, m->found);
  tileTextAdd(t, !strncmp(op, "arith.", 6) ? " to " : " -> ");
  addAlias(t, m->text, m->wanted);
  tileTextPrint(t, "' above, and use '%s'", made);
}

/// The op that makes a number of another type; NULL where there is none, or several.
static const char *findConversion(MlirType from, MlirType to) {
  bool isIndex = mlirTypeIsAIndex(from) != mlirTypeIsAIndex(to);
  bool fromInt = mlirTypeIsAInteger(from), toInt = mlirTypeIsAInteger(to);
  bool fromFloat = mlirTypeIsAFloat(from), toFloat = mlirTypeIsAFloat(to);
  if (isIndex && (fromInt || toInt)) return "arith.index_cast";
  if (fromInt && toFloat) return "arith.sitofp";
  if (fromFloat && toInt) return "arith.fptosi";
  if (fromInt && toInt) {
    unsigned a = mlirIntegerTypeGetWidth(from), b = mlirIntegerTypeGetWidth(to);
    return a == 1 ? "arith.extui" : a < b ? "arith.extsi" : "arith.trunci";
  }
  if (fromFloat && toFloat) {
    unsigned a = mlirFloatTypeGetWidth(from), b = mlirFloatTypeGetWidth(to);
    return a < b ? "arith.extf" : a > b ? "arith.truncf" : NULL;
  }
  return NULL;
}

/// One rank less: an axis of extent 1, at which it fits, and then it is repeated.
static bool hintRank(const TileTypeMistake *m, const Extents *wanted, const Extents *found,
                     MlirType element, const char *name, TileText *hint) {
  for (int axis = 0; axis < wanted->rank; ++axis) {
    Extents e = {.rank = wanted->rank};
    for (int i = 0; i < e.rank; ++i) {
      if (i == axis) {
        snprintf(e.extent[i], MAX_EXTENT, "1");
        continue;
      }
      int from = i - (i > axis);
      snprintf(e.extent[i], MAX_EXTENT, "%s", found->extent[from]);
      e.isNamed[i] = found->isNamed[from];
    }
    if (!spreadsTo(&e, wanted)) continue;
    TileText type = {0};
    char made[MAX_MADE];
    addType(&type, &e, element);
    tileTextPrint(hint, "%s has one axis less: insert '", name);
    bool repeats = !isSame(&e, wanted);
    makeName(m->text, name, "tile", made);
    tileTextPrint(hint, "%s = tile.expand_dims %s axis %d : ", made, name, axis);
    addAlias(hint, m->text, m->found);
    tileTextPrint(hint, " -> %s' above, %suse '%s'", type.data,
                  repeats ? "repeat that by tile.broadcast, and " : "and ", made);
    free(type.data);
    return true;
  }
  return false;
}

bool tileHintTypes(const TileTypeMistake *m, TileText *hint) {
  Extents wanted, found;
  char name[MAX_NAME];
  bool wantsTile = readExtents(m->wanted, &wanted), hasTile = readExtents(m->found, &found);
  if (m->name.length >= sizeof name - 16 || memchr(m->name.data, '#', m->name.length)) return false;
  snprintf(name, sizeof name, "%.*s", (int)m->name.length, m->name.data);
  MlirType wantedElement = wantsTile ? mlirShapedTypeGetElementType(m->wanted) : m->wanted;
  MlirType element = hasTile ? mlirShapedTypeGetElementType(m->found) : m->found;
  bool sameElement = mlirTypeEqual(wantedElement, element);
  bool sameShape = wantsTile ? hasTile && isSame(&wanted, &found) : !hasTile;
  const char *conversion = findConversion(element, wantedElement);
  if (sameShape && conversion) {
    addInsertion(m, conversion, "as", name, hint);
    return true;
  }
  if (!sameElement || !wantsTile) return false;
  if (!hasTile) {
    tileTextPrint(hint, "%s is a scalar, and a tile is wanted: ", name);
    addInsertion(m, "tile.splat", "tile", name, hint);
    return true;
  }
  if (spreadsTo(&found, &wanted)) {
    tileTextPrint(hint, "%s has fewer elements: ", name);
    addInsertion(m, "tile.broadcast", "tile", name, hint);
    return true;
  }
  return found.rank + 1 == wanted.rank && hintRank(m, &wanted, &found, element, name, hint);
}
