//===- Checker.c - the checker of a program, and the sites of its kernels -===//
#include "CheckImpl.h"
#include "tile/Support/Names.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===- reading tile.sites -------------------------------------------------===//

static MlirAttribute entry(MlirAttribute site, const char *name) {
  return mlirDictionaryAttrGetElementByName(site, tileString(name));
}

static TileSiteKind kindOf(MlirStringRef name) {
  static const char *const names[] = {"load",   "store", "atomic",    "relaxed", "overflow",
                                      "assert", "value", "iteration", "op"};
  for (int i = 0; i < TILE_SITE_OP; ++i)
    if (tileStringIs(name, names[i])) return (TileSiteKind)i;
  return TILE_SITE_OP;
}

/// The name that a result or induction variable has in the source.
static void nameValue(CheckSiteText *site, TileSiteKind kind, int64_t result) {
  if (kind == TILE_SITE_VALUE)
    tileNameFind(site->loc, (int)result, site->name.text, CHECK_NAME_BYTES);
}

static void readSite(MlirAttribute from, TileCheckSite *site, CheckSiteText *text) {
  *site = (TileCheckSite){.kind = kindOf(mlirStringAttrGetValue(entry(from, "kind"))),
                          .rank = (unsigned)mlirIntegerAttrGetValueInt(entry(from, "rank")),
                          .argument = (int)mlirIntegerAttrGetValueInt(entry(from, "argument"))};
  text->loc = mlirLocationFromAttribute(entry(from, "loc"));
  text->op = mlirStringAttrGetValue(entry(from, "op"));
  text->text = mlirStringAttrGetValue(entry(from, "text"));
  text->type = mlirTypeAttrGetValue(entry(from, "type"));
  TileElementType element;
  if (tileProgramGetElementType(tileElementType(text->type), &element))
    site->elementBytes = (unsigned)tileElementGetSize(element);
  nameValue(text, site->kind, mlirIntegerAttrGetValueInt(entry(from, "result")));
}

static void nameArguments(TileProgramSites *s) {
  MlirBlock body = tileBody(s->kernel->func, 0);
  for (unsigned i = 0; i < s->kernel->count; ++i) {
    MlirLocation loc = mlirValueGetLocation(mlirBlockGetArgument(body, i));
    char *name = s->arguments[i].text;
    if (!tileNameFind(loc, 0, name, CHECK_NAME_BYTES))
      snprintf(name, CHECK_NAME_BYTES, "argument %u", i);
  }
}

TileProgramSites *tileProgramReadSites(TileProgram *p, TileProgramKernel *kernel,
                                       MlirModule lowered) {
  if (!p->checker) return NULL;
  TileProgramChecker *c = p->checker;
  MlirAttribute all = tileAttr(mlirModuleGetOperation(lowered), "tile.sites");
  TileProgramSites *s = tileRuntimeAlloc(sizeof *s);
  s->kernel = kernel;
  s->count = mlirAttributeIsNull(all) ? 0 : (size_t)mlirArrayAttrGetNumElements(all);
  s->sites = tileRuntimeAlloc((s->count + 1) * sizeof *s->sites);
  s->texts = tileRuntimeAlloc((s->count + 1) * sizeof *s->texts);
  s->arguments = tileRuntimeAlloc((kernel->count + 1) * sizeof *s->arguments);
  for (size_t i = 0; i < s->count; ++i)
    readSite(mlirArrayAttrGetElement(all, (intptr_t)i), &s->sites[i], &s->texts[i]);
  nameArguments(s);
  TileProgramSites **grown = tileRuntimeAlloc((c->numKernels + 1) * sizeof *grown);
  if (c->numKernels) memcpy(grown, c->kernels, c->numKernels * sizeof *grown);
  free(c->kernels);
  c->kernels = grown;
  c->kernels[c->numKernels++] = s;
  return s;
}

//===- the program's side -------------------------------------------------===//

void tileProgramCreateChecker(TileProgram *p) {
  if (!p->options.check && !p->options.traces) return;
  TileProgramChecker *c = tileRuntimeAlloc(sizeof *c);
  TileCheckerOptions options = {
      .finding = checkOnFinding, .value = checkOnValue, .data = c, .traces = p->options.traces};
  memcpy(options.traced, p->options.traced, sizeof options.traced);
  c->program = p;
  c->checker = tileCheckerCreate(&options);
  p->checker = c;
}

void tileProgramDestroyChecker(TileProgram *p) {
  TileProgramChecker *c = p->checker;
  if (!c) return;
  for (size_t i = 0; i < c->numKernels; ++i) {
    free(c->kernels[i]->sites);
    free(c->kernels[i]->texts);
    free(c->kernels[i]->arguments);
    free(c->kernels[i]);
  }
  free(c->kernels);
  free(c->host);
  free(c->arrays);
  tileCheckerDestroy(c->checker);
  free(c);
}

void tileProgramMarkWritten(TileProgram *p, TileArray *array) {
  if (p->checker && array) tileCheckerMarkWritten(p->checker->checker, array);
}

/// The name that operand `i` has in the file, where an op made it.
static void nameOperand(MlirOperation op, int i, CheckName *name) {
  MlirValue value = mlirOperationGetOperand(op, i);
  intptr_t number = mlirValueIsAOpResult(value) ? mlirOpResultGetResultNumber(value) : 0;
  *name = (CheckName){{0}};
  tileNameFind(mlirValueGetLocation(value), (int)number, name->text, CHECK_NAME_BYTES);
}

void tileProgramCheckHostRead(TileProgram *p, int64_t number, int operand, const TileArray *view) {
  TileProgramChecker *c = p->checker;
  TileArray *array = c && p->options.check ? tileArrayFind(view->host) : NULL;
  if (!array) return;
  if (!c->host) c->host = tileRuntimeAlloc(((size_t)p->numSites + 1) * sizeof *c->host);
  c->numHost = (size_t)p->numSites;
  CheckSiteText *site = &c->host[number];
  MlirOperation op = p->sites[number];
  site->loc = mlirOperationGetLocation(op);
  site->op = mlirIdentifierStr(mlirOperationGetName(op));
  nameOperand(op, operand, &site->name);
  int64_t bytes = (int64_t)((uintptr_t)view->host - (uintptr_t)array->host);
  tileCheckerHostReads(c->checker, (int)number, array,
                       bytes / (int64_t)tileElementGetSize(array->type), view->count);
}

void tileProgramForgetArrays(TileProgram *p) {
  if (p->checker) tileCheckerForgetArrays(p->checker->checker);
}

uint64_t tileProgramBeginCheckedLaunch(TileProgram *p, TileProgramSites *sites, const char *config,
                                       const uint64_t *slots, const int32_t grid[3]) {
  TileProgramChecker *c = p->checker;
  if (p->options.check) checkFindCause(p, sites, config, slots, grid);
  size_t number = 0, count = sites->kernel->count;
  while (c->kernels[number] != sites) ++number;
  TileArray **arrays = tileRuntimeAlloc((count + 1) * sizeof(TileArray *));
  for (size_t i = 0; i < count; ++i)
    if (sites->kernel->parameters[i].isPointer)
      arrays[i] = tileArrayFind((const void *)(intptr_t)slots[i]);
  tileCheckerBeginLaunch(c->checker, (int)number, sites->sites, count, arrays, slots, grid);
  free(c->arrays);
  c->arrays = arrays;
  c->announced = false;
  return (uint64_t)(uintptr_t)c->checker;
}

#define SYMBOL(name) {#name, (void (*)(void))(name)}

static const TileJitSymbol symbols[] = {SYMBOL(tileCheckEnter), SYMBOL(tileCheckAccess),
                                        SYMBOL(tileCheckFail), SYMBOL(tileCheckFlush),
                                        SYMBOL(tileTraceValue)};

const TileJitSymbol *tileProgramGetCheckSymbols(size_t *count) {
  *count = sizeof symbols / sizeof *symbols;
  return symbols;
}
