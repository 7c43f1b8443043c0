//===- ProgramCheck.c - findings and traced values as text ----------------===//
//
// Between the checker, which knows sites by number, and the reader, who knows lines and names. A
// kernel compiled for checking says in its module's `tile.sites` what each number is; findings
// become diagnostics there, the first few of them, and counts.
//
//===----------------------------------------------------------------------===//
#include "ProgramImpl.h"
#include "tile/Source.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64, DEFAULT_LIMIT = 10, MOST_PRINTED = 64 };

typedef struct Name {
  char text[NAME_BYTES];
} Name;

/// What messages say of a site.
typedef struct Site {
  MlirLocation loc;
  MlirStringRef op, text;
  MlirType type;
  Name name; ///< of the value that is printed
  uint64_t counts[TILE_FINDING_KINDS];
} Site;

struct TileProgramSites {
  TileProgramKernel *kernel;
  TileCheckSite *sites; ///< as the checker sees them
  Site *texts;
  size_t count;
  Name *arguments;
};

struct TileProgramChecker {
  TileProgram *program;
  TileChecker *checker;
  TileProgramSites **kernels;
  size_t numKernels;
  /// The host's ops with findings, by their number; made with the first.
  Site *host;
  size_t numHost;
  uint64_t printed;
  bool announced;     ///< the traced program's heading is out
  TileArray **arrays; ///< of the launch's arguments
};

//===- reading tile.sites -------------------------------------------------===//

static MlirAttribute entry(MlirAttribute site, const char *name) {
  return mlirDictionaryAttrGetElementByName(site, tileString(name));
}

static TileSiteKind kindOf(MlirStringRef name) {
  static const char *const names[] = {"load",   "store", "atomic",    "overflow",
                                      "assert", "value", "iteration", "op"};
  for (int i = 0; i < TILE_SITE_OP; ++i)
    if (tileStringIs(name, names[i])) return (TileSiteKind)i;
  return TILE_SITE_OP;
}

/// The name that a result or induction variable has in the source.
static void nameValue(Site *site, TileSiteKind kind, int64_t result) {
  TileSourcePlace place;
  if (kind != TILE_SITE_VALUE || !tileSourceFind(site->loc, &place)) return;
  tileSourceGetResultName(&place, (int)result, site->name.text, NAME_BYTES);
}

static void readSite(MlirAttribute from, TileCheckSite *site, Site *text) {
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
    TileSourcePlace place;
    MlirLocation loc = mlirValueGetLocation(mlirBlockGetArgument(body, i));
    char *name = s->arguments[i].text;
    if (!tileSourceFind(loc, &place) || !tileSourceGetName(&place, name, NAME_BYTES))
      snprintf(name, NAME_BYTES, "argument %u", i);
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

//===- parts of messages --------------------------------------------------===//

typedef struct Message {
  char text[1024];
  size_t size;
} Message;

__attribute__((format(printf, 2, 3))) static void say(Message *m, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t room = sizeof m->text - m->size;
  int length = vsnprintf(m->text + m->size, room, format, arguments);
  va_end(arguments);
  m->size += length > 0 && (size_t)length < room ? (size_t)length : room - 1;
}

static void sayList(Message *m, unsigned count, const int64_t *numbers) {
  for (unsigned i = 0; i < count; ++i) say(m, i ? ", %" PRId64 : "[%" PRId64, numbers[i]);
  say(m, "]");
}

static void sayProgram(Message *m, const int32_t program[3]) {
  say(m, "program (%d, %d, %d)", program[0], program[1], program[2]);
}

/// " at lane [0, 3]", " at 12 lanes from [0, 3] to [1, 7]"; nothing for a scalar.
static void sayLanes(Message *m, const TileCheckSite *site, const TileFinding *f) {
  if (!site->rank) return;
  if (f->lanes == 1) {
    say(m, " at lane ");
    sayList(m, site->rank, f->first);
    return;
  }
  say(m, " at %" PRId64 " lanes from ", f->lanes);
  sayList(m, site->rank, f->first);
  say(m, " to ");
  sayList(m, site->rank, f->last);
}

/// "3x4xf32)".
static void sayShape(Message *m, const TileArray *array) {
  for (unsigned d = 0; d < array->rank; ++d) say(m, "%" PRId64 "x", array->shape[d]);
  say(m, "%s)", tileElementGetName(array->type));
}

/// "%x (3x4xf32)".
static void sayArray(Message *m, const TileProgramSites *s, const TileFinding *f) {
  say(m, "%s (", f->argument >= 0 ? s->arguments[f->argument].text : "an array");
  sayShape(m, f->array);
}

/// "[1, 2]", the indices of an element of the array.
static void sayElement(Message *m, const TileArray *array, int64_t element) {
  int64_t indices[TILE_ARRAY_MAX_RANK];
  for (unsigned d = array->rank; d-- > 0;) {
    int64_t extent = array->shape[d] > 0 ? array->shape[d] : 1;
    indices[d] = element % extent;
    element /= extent;
  }
  if (array->rank)
    sayList(m, array->rank, indices);
  else
    say(m, "[]");
}

static void sayValue(Message *m, TileElementType type, const void *bytes) {
  if (tileElementIsInteger(type))
    say(m, "%" PRId64, tileElementToInteger(type, bytes));
  else
    say(m, "%.9g", tileElementToDouble(type, bytes));
}

//===- findings -----------------------------------------------------------===//

static const char *verbOf(const TileCheckSite *site) {
  return site->kind == TILE_SITE_LOAD    ? "read"
         : site->kind == TILE_SITE_STORE ? "written"
                                         : "changed atomically";
}

static void sayBounds(Message *m, const TileProgramSites *s, const TileFinding *f) {
  if (!f->array) {
    say(m, "expected an address inside an array, found one of none %s by ",
        verbOf(&s->sites[f->site]));
  } else {
    say(m, "expected an element of ");
    sayArray(m, s, f);
    say(m, ", 0 to %" PRId64 ", found element %" PRId64 " %s by ", f->array->count - 1, f->element,
        verbOf(&s->sites[f->site]));
  }
  sayProgram(m, f->program);
  sayLanes(m, &s->sites[f->site], f);
}

static void sayUnwritten(Message *m, const TileProgramSites *s, const TileFinding *f) {
  say(m, "expected an element that was written, found ");
  sayElement(m, f->array, f->element);
  say(m, " of ");
  sayArray(m, s, f);
  say(m, " read by ");
  sayProgram(m, f->program);
  sayLanes(m, &s->sites[f->site], f);
}

static void sayConflict(Message *m, const TileProgramSites *s, const TileFinding *f) {
  say(m, "expected one value from all programs for ");
  sayElement(m, f->array, f->element);
  say(m, " of ");
  sayArray(m, s, f);
  say(m, ", found ");
  sayValue(m, f->array->type, &f->before);
  say(m, " of ");
  sayProgram(m, f->other);
  say(m, " and ");
  sayValue(m, f->array->type, &f->after);
  say(m, " of ");
  sayProgram(m, f->program);
  sayLanes(m, &s->sites[f->site], f);
}

static void sayOverflow(Message *m, const TileProgramSites *s, const TileFinding *f) {
  const Site *site = &s->texts[f->site];
  static const struct {
    const char *op, *sign;
  } signs[] = {{"arith.addi", "+"}, {"arith.subi", "-"}, {"arith.muli", "*"}, {"arith.shli", "<<"}};
  const char *sign = NULL;
  for (size_t i = 0; i < sizeof signs / sizeof *signs; ++i)
    if (tileStringIs(site->op, signs[i].op)) sign = signs[i].sign;
  say(m, "expected a number of %d bits, found %" PRId64, tileBitWidth(site->type), f->operands[0]);
  if (sign) say(m, " %s %" PRId64, sign, f->operands[1]);
  say(m, " in ");
  sayProgram(m, f->program);
  sayLanes(m, &s->sites[f->site], f);
}

static void sayAssert(Message *m, const TileProgramSites *s, const TileFinding *f) {
  MlirStringRef text = s->texts[f->site].text;
  say(m, "expected \"%.*s\", found it false in ", (int)text.length, text.data);
  sayProgram(m, f->program);
  sayLanes(m, &s->sites[f->site], f);
}

static void sayNeverWritten(Message *m, const TileProgramSites *s, const TileFinding *f) {
  say(m, "expected all of ");
  sayArray(m, s, f);
  say(m, " to be written, found %" PRId64 " of %" PRId64 " elements that never are, the first ",
      f->missing, f->array->count);
  sayElement(m, f->array, f->element);
  if (f->shared)
    say(m, "; %" PRId64 " %s written by several programs", f->shared,
        f->shared == 1 ? "is" : "are");
}

static void (*const sayFinding[])(Message *, const TileProgramSites *, const TileFinding *) = {
    [TILE_FINDING_BOUNDS] = sayBounds,     [TILE_FINDING_UNWRITTEN] = sayUnwritten,
    [TILE_FINDING_CONFLICT] = sayConflict, [TILE_FINDING_OVERFLOW] = sayOverflow,
    [TILE_FINDING_ASSERT] = sayAssert,     [TILE_FINDING_NEVER_WRITTEN] = sayNeverWritten,
};

/// May this finding be printed? Counts it.
static bool printsFinding(TileProgramChecker *c) {
  unsigned limit = c->program->options.checkLimit;
  if (c->printed >= (limit ? limit : DEFAULT_LIMIT)) return false;
  ++c->printed;
  return true;
}

static void onHostFinding(TileProgramChecker *c, const TileFinding *f) {
  Site *site = &c->host[f->site];
  ++site->counts[f->kind];
  if (!printsFinding(c)) return;
  Message m = {.size = 0};
  say(&m, "expected results that were written, found %" PRId64 " element%s of %s (", f->missing,
      f->missing == 1 ? "" : "s", site->name.text[0] ? site->name.text : "an array");
  sayShape(&m, f->array);
  say(&m, " that nobody has, the first ");
  sayElement(&m, f->array, f->element);
  tileEmitError(site->loc, "%s", m.text);
}

static void onFinding(void *data, const TileFinding *f) {
  TileProgramChecker *c = data;
  if (f->kernel < 0) {
    onHostFinding(c, f);
    return;
  }
  TileProgramSites *s = c->kernels[f->kernel];
  Site *site = &s->texts[f->site];
  ++site->counts[f->kind];
  if (!printsFinding(c)) return;
  Message m = {.size = 0};
  sayFinding[f->kind](&m, s, f);
  if (f->kind == TILE_FINDING_NEVER_WRITTEN)
    tileEmitWarning(site->loc, "%s", m.text);
  else
    tileEmitError(site->loc, "%s", m.text);
}

//===- traced values ------------------------------------------------------===//

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
  Message m = {.size = 0};
  sayProgram(&m, v->program);
  printf("%s of %.*s:\n", m.text, (int)s->kernel->name.length, s->kernel->name.data);
}

static void onValue(void *data, const TileTracedValue *v) {
  TileProgramChecker *c = data;
  const TileProgramSites *s = c->kernels[v->kernel];
  const Site *site = &s->texts[v->site];
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

//===- the program's side -------------------------------------------------===//

void tileProgramCreateChecker(TileProgram *p) {
  if (!p->options.check && !p->options.traces) return;
  TileProgramChecker *c = tileRuntimeAlloc(sizeof *c);
  TileCheckerOptions options = {
      .finding = onFinding, .value = onValue, .data = c, .traces = p->options.traces};
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
static void nameOperand(MlirOperation op, int i, Name *name) {
  MlirValue value = mlirOperationGetOperand(op, i);
  TileSourcePlace place;
  *name = (Name){{0}};
  if (tileSourceFind(mlirValueGetLocation(value), &place) && mlirValueIsAOpResult(value))
    tileSourceGetResultName(&place, (int)mlirOpResultGetResultNumber(value), name->text,
                            NAME_BYTES);
}

void tileProgramCheckHostRead(TileProgram *p, int64_t number, int operand, const TileArray *view) {
  TileProgramChecker *c = p->checker;
  TileArray *array = c && p->options.check ? tileArrayFind(view->host) : NULL;
  if (!array) return;
  if (!c->host) c->host = tileRuntimeAlloc(((size_t)p->numSites + 1) * sizeof *c->host);
  c->numHost = (size_t)p->numSites;
  Site *site = &c->host[number];
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

uint64_t tileProgramBeginCheckedLaunch(TileProgram *p, const TileProgramSites *sites,
                                       const uint64_t *slots, const int32_t grid[3]) {
  TileProgramChecker *c = p->checker;
  size_t number = 0, count = sites->kernel->count;
  while (c->kernels[number] != sites) ++number;
  TileArray **arrays = tileRuntimeAlloc((count + 1) * sizeof(TileArray *));
  for (size_t i = 0; i < count; ++i)
    if (sites->kernel->parameters[i].isPointer)
      arrays[i] = tileArrayFind((const void *)(intptr_t)slots[i]);
  tileCheckerBeginLaunch(c->checker, (int)number, sites->sites, count, arrays, grid);
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

//===- the summary --------------------------------------------------------===//

static const char *const kindNames[] = {
    [TILE_FINDING_BOUNDS] = "outside of the array",
    [TILE_FINDING_UNWRITTEN] = "never written before",
    [TILE_FINDING_CONFLICT] = "another value",
    [TILE_FINDING_OVERFLOW] = "overflow",
    [TILE_FINDING_ASSERT] = "assert",
    [TILE_FINDING_NEVER_WRITTEN] = "never written",
};

static void printCounts(FILE *stream, const Site *site) {
  for (int kind = 0; kind < TILE_FINDING_KINDS; ++kind) {
    if (!site->counts[kind]) continue;
    fprintf(stream, "  %8" PRIu64 "  %-20s  %.*s", site->counts[kind], kindNames[kind],
            (int)site->op.length, site->op.data);
    TileSourcePlace place;
    if (tileSourceFind(site->loc, &place))
      fprintf(stream, " at %.*s:%d:%d", (int)place.file.length, place.file.data, place.line,
              place.column);
    fputc('\n', stream);
  }
}

TileProgramFindings tileProgramFinishCheck(TileProgram *p, FILE *stream) {
  TileProgramFindings result = {0};
  TileProgramChecker *c = p->checker;
  if (!c) return result;
  if (p->options.check) tileCheckerFinish(c->checker);
  TileCheckerTotals totals = tileCheckerGetTotals(c->checker);
  for (int kind = 0; kind < TILE_FINDING_NEVER_WRITTEN; ++kind)
    result.errors += totals.findings[kind];
  result.warnings = totals.findings[TILE_FINDING_NEVER_WRITTEN];
  if (p->options.traces && !totals.traced)
    tileEmitWarning(p->loc, "expected a launch with program (%d, %d, %d), found none",
                    p->options.traced[0], p->options.traced[1], p->options.traced[2]);
  if (!p->options.check) return result;
  uint64_t all = result.errors + result.warnings;
  fprintf(stream, "check: %" PRIu64 " launch%s, %" PRIu64 " program%s: ", totals.launches,
          totals.launches == 1 ? "" : "es", totals.programs, totals.programs == 1 ? "" : "s");
  if (!all)
    fputs("nothing found\n", stream);
  else
    fprintf(stream,
            "%" PRIu64 " error%s, %" PRIu64 " warning%s, %" PRIu64 " of them printed above\n",
            result.errors, result.errors == 1 ? "" : "s", result.warnings,
            result.warnings == 1 ? "" : "s", c->printed);
  for (size_t k = 0; k < c->numKernels; ++k)
    for (size_t i = 0; i < c->kernels[k]->count; ++i) printCounts(stream, &c->kernels[k]->texts[i]);
  for (size_t i = 0; i < c->numHost; ++i) printCounts(stream, &c->host[i]);
  return result;
}
