//===- CheckTrace.c - values of a traced program as text ------------------===//
#include "CheckImpl.h"
#include "tile/Support/Source.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Elements of a tile that are printed.
enum { MOST_PRINTED = 64 };

/// The addresses of a tile of pointers as offsets into their array, and its name; NULL when no
/// array is known. `*view` becomes the tile of these offsets, whose memory the caller frees.
static const char *asOffsets(const TileProgramChecker *c, const TileProgramSites *s, int site,
                             TileArray *view) {
  const char *const *pointers = view->host;
  int argument = s->sites[site].argument;
  int64_t rows = 1;
  for (unsigned d = 0; d + 1 < view->rank; ++d) rows *= view->shape[d];
  int64_t row = view->rank > 1 ? view->strides[view->rank - 2] : view->rank ? view->shape[0] : 1;
  TileArray *array = argument >= 0 ? c->arrays[argument] : tileArrayFind(pointers[0]);
  const char *base = array ? array->host : NULL;
  int64_t bytes = array ? (int64_t)tileElementGetSize(array->type) : 1;
  int64_t *offsets = tileRuntimeAlloc(((size_t)(rows * row) + 1) * sizeof *offsets);
  for (int64_t i = 0; i < rows * row; ++i)
    offsets[i] = ((intptr_t)pointers[i] - (intptr_t)base) / bytes;
  view->host = offsets;
  view->type = TILE_ELEMENT_I64;
  if (!array) return NULL;
  return argument >= 0 ? s->arguments[argument].text : "array";
}

/// A view of the traced value as an array: its shape from the type, its rows as they lie.
static TileArray viewValue(MlirType type, const TileTracedValue *v) {
  TileArray view = {.hostValid = true, .count = 1};
  // The values are only read.
  memcpy(&view.host, &v->data, sizeof v->data);
  tileProgramGetElementType(tileElementType(type), &view.type);
  int64_t shape[TILE_MAX_RANK];
  view.rank = tileTypeIsTile(type) ? (unsigned)tileShape(type, shape) : 0;
  int64_t stride = 1;
  for (unsigned d = view.rank; d-- > 0;) {
    view.shape[d] = shape[d];
    view.count *= shape[d];
    view.strides[d] = d + 1 == view.rank ? 1 : d + 2 == view.rank ? v->row : stride;
    stride = view.strides[d] * shape[d];
  }
  return view;
}

static void appendType(MlirStringRef text, void *data) {
  (void)data;
  fwrite(text.data, 1, text.length, stdout);
}

static void announce(TileProgramChecker *c, const TileProgramSites *s, const TileTracedValue *v) {
  if (c->announced) return;
  c->announced = true;
  TileText m = {0};
  checkSayProgram(&m, v->program);
  printf("%s of %.*s:\n", m.data, (int)s->kernel->name.length, s->kernel->name.data);
  free(m.data);
}

void checkOnValue(void *data, const TileTracedValue *v) {
  TileProgramChecker *c = data;
  const TileProgramSites *s = c->kernels[v->kernel];
  const CheckSiteText *site = &s->texts[v->site];
  announce(c, s, v);
  TileSourcePlace place;
  if (tileSourceFind(site->loc, &place))
    printf("%.*s:%d:%d: ", (int)place.file.length, place.file.data, place.line, place.column);
  if (site->name.text[0]) printf("%s = ", site->name.text);
  printf("%.*s", (int)site->op.length, site->op.data);
  if (!v->data) {
    putchar('\n');
    return;
  }
  fputs(s->sites[v->site].kind == TILE_SITE_ITERATION ? " at " : " : ", stdout);
  mlirTypePrint(site->type, appendType, NULL);
  TileArray view = viewValue(site->type, v);
  void *offsets = NULL;
  fputs(view.rank > 1 ? "\n" : " = ", stdout);
  if (tileTypeIsAPtr(tileElementType(site->type))) {
    const char *name = asOffsets(c, s, v->site, &view);
    offsets = view.host;
    if (name) printf(view.rank > 1 ? "%s +\n" : "%s + ", name);
  }
  tileArrayPrintValues(stdout, &view, MOST_PRINTED, 0, false);
  putchar('\n');
  free(offsets);
}
