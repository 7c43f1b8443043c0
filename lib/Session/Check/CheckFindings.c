//===- CheckFindings.c - findings as diagnostics and counts ---------------===//
#include "CheckImpl.h"
#include "tile/Support/Source.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/// How many findings are printed where the options do not say.
enum { DEFAULT_LIMIT = 10 };

//===- parts of messages --------------------------------------------------===//

static void sayList(TileText *m, unsigned count, const int64_t *numbers) {
  for (unsigned i = 0; i < count; ++i) tileTextPrint(m, i ? ", %" PRId64 : "[%" PRId64, numbers[i]);
  tileTextPrint(m, "]");
}

void checkSayProgram(TileText *m, const int32_t program[3]) {
  tileTextPrint(m, "program (%d, %d, %d)", program[0], program[1], program[2]);
}

/// " at lane [0, 3]", " at 12 lanes from [0, 3] to [1, 7]"; nothing for a scalar.
static void sayLanes(TileText *m, const TileCheckSite *site, const TileFinding *f) {
  if (!site->rank) return;
  if (f->lanes == 1) {
    tileTextPrint(m, " at lane ");
    sayList(m, site->rank, f->first);
    return;
  }
  tileTextPrint(m, " at %" PRId64 " lanes from ", f->lanes);
  sayList(m, site->rank, f->first);
  tileTextPrint(m, " to ");
  sayList(m, site->rank, f->last);
}

/// "3x4xf32)".
static void sayShape(TileText *m, const TileArray *array) {
  for (unsigned d = 0; d < array->rank; ++d) tileTextPrint(m, "%" PRId64 "x", array->shape[d]);
  tileTextPrint(m, "%s)", tileElementGetName(array->type));
}

/// "%x (3x4xf32)".
static void sayArray(TileText *m, const TileProgramSites *s, const TileFinding *f) {
  tileTextPrint(m, "%s (", f->argument >= 0 ? s->arguments[f->argument].text : "an array");
  sayShape(m, f->array);
}

/// "[1, 2]", the indices of a finding's element; where the argument points into the array, "[3]",
/// counted from there.
static void sayElement(TileText *m, const TileFinding *f) {
  const TileArray *array = f->array;
  int64_t element = f->element, indices[TILE_ARRAY_MAX_RANK];
  if (f->start) {
    tileTextPrint(m, "[%" PRId64 "]", element - f->start);
    return;
  }
  for (unsigned d = array->rank; d-- > 0;) {
    int64_t extent = array->shape[d] > 0 ? array->shape[d] : 1;
    indices[d] = element % extent;
    element /= extent;
  }
  if (array->rank)
    sayList(m, array->rank, indices);
  else
    tileTextPrint(m, "[]");
}

static void sayValue(TileText *m, TileElementType type, const void *bytes) {
  if (tileElementIsInteger(type))
    tileTextPrint(m, "%" PRId64, tileElementToInteger(type, bytes));
  else
    tileTextPrint(m, "%.9g", tileElementToDouble(type, bytes));
}

/// "[1, 2] of %x (3x4xf32)", the element of a finding.
static void sayElementOf(TileText *m, const TileProgramSites *s, const TileFinding *f) {
  sayElement(m, f);
  tileTextPrint(m, " of ");
  sayArray(m, s, f);
}

/// "program (0, 1, 0) at lane [0, 3]".
static void sayWhere(TileText *m, const TileProgramSites *s, const TileFinding *f) {
  checkSayProgram(m, f->program);
  sayLanes(m, &s->sites[f->site], f);
}

/// What all of `whom` should have written alike; the first value is that of `other`, a program,
/// where there is one.
static void sayTwoValues(TileText *m, const TileProgramSites *s, const TileFinding *f,
                         const char *whom, const int32_t other[3]) {
  tileTextPrint(m, "expected one value from all %s for ", whom);
  sayElementOf(m, s, f);
  tileTextPrint(m, ", found ");
  sayValue(m, f->array->type, &f->before);
  if (other) {
    tileTextPrint(m, " of ");
    checkSayProgram(m, other);
  }
  tileTextPrint(m, " and ");
  sayValue(m, f->array->type, &f->after);
  tileTextPrint(m, " of ");
  sayWhere(m, s, f);
}

//===- findings -----------------------------------------------------------===//

static const char *verbOf(const TileCheckSite *site) {
  return site->kind == TILE_SITE_LOAD    ? "read"
         : site->kind == TILE_SITE_STORE ? "written"
                                         : "changed atomically";
}

static void sayBounds(TileText *m, const TileProgramSites *s, const TileFinding *f) {
  if (!f->array) {
    tileTextPrint(m, "expected an address inside an array, found one of none %s by ",
                  verbOf(&s->sites[f->site]));
  } else {
    tileTextPrint(m, "expected an element of ");
    sayArray(m, s, f);
    tileTextPrint(m, ", %" PRId64 " to %" PRId64 ", found element %" PRId64 " %s by ", -f->start,
                  f->array->count - 1 - f->start, f->element - f->start,
                  verbOf(&s->sites[f->site]));
  }
  sayWhere(m, s, f);
}

static void sayUnwritten(TileText *m, const TileProgramSites *s, const TileFinding *f) {
  tileTextPrint(m, "expected an element that was written, found ");
  sayElementOf(m, s, f);
  tileTextPrint(m, " read by ");
  sayWhere(m, s, f);
}

static void sayConflict(TileText *m, const TileProgramSites *s, const TileFinding *f) {
  sayTwoValues(m, s, f, "programs", f->other);
}

static void sayMeeting(TileText *m, const TileProgramSites *s, const TileFinding *f) {
  sayTwoValues(m, s, f, "lanes", NULL);
}

static void sayRace(TileText *m, const TileProgramSites *s, const TileFinding *f) {
  bool reads = s->sites[f->site].kind == TILE_SITE_LOAD;
  tileTextPrint(m, "expected no program to read what another writes, found ");
  sayElementOf(m, s, f);
  tileTextPrint(m, reads ? " written by " : " read by ");
  if (f->other[0] < 0)
    tileTextPrint(m, "several programs");
  else
    checkSayProgram(m, f->other);
  tileTextPrint(m, reads ? " and read by " : " and written by ");
  sayWhere(m, s, f);
}

static void sayShared(TileText *m, const TileProgramSites *s, const TileFinding *f) {
  tileTextPrint(m, "expected each element of ");
  sayArray(m, s, f);
  tileTextPrint(m,
                " to be written by one program, found %" PRId64 " that several write, the first ",
                f->shared);
  sayElement(m, f);
}

static void sayOverflow(TileText *m, const TileProgramSites *s, const TileFinding *f) {
  const CheckSiteText *site = &s->texts[f->site];
  static const struct {
    const char *op, *sign;
  } signs[] = {{"arith.addi", "+"}, {"arith.subi", "-"}, {"arith.muli", "*"}, {"arith.shli", "<<"}};
  const char *sign = NULL;
  for (size_t i = 0; i < sizeof signs / sizeof *signs; ++i)
    if (tileStringIs(site->op, signs[i].op)) sign = signs[i].sign;
  tileTextPrint(m, "expected a number of %d bits, found %" PRId64, tileBitWidth(site->type),
                f->operands[0]);
  if (sign) tileTextPrint(m, " %s %" PRId64, sign, f->operands[1]);
  tileTextPrint(m, " in ");
  sayWhere(m, s, f);
}

static void sayAssert(TileText *m, const TileProgramSites *s, const TileFinding *f) {
  MlirStringRef text = s->texts[f->site].text;
  tileTextPrint(m, "expected \"%.*s\", found it false in ", (int)text.length, text.data);
  sayWhere(m, s, f);
}

static void sayNeverWritten(TileText *m, const TileProgramSites *s, const TileFinding *f) {
  tileTextPrint(m, "expected all of ");
  sayArray(m, s, f);
  tileTextPrint(
      m, " to be written, found %" PRId64 " of %" PRId64 " elements that never are, the first ",
      f->missing, f->array->count);
  sayElement(m, f);
  if (f->shared)
    tileTextPrint(m, "; %" PRId64 " %s written by several programs", f->shared,
                  f->shared == 1 ? "is" : "are");
}

static void (*const sayFinding[])(TileText *, const TileProgramSites *, const TileFinding *) = {
    [TILE_FINDING_BOUNDS] = sayBounds,
    [TILE_FINDING_UNWRITTEN] = sayUnwritten,
    [TILE_FINDING_MEETING] = sayMeeting,
    [TILE_FINDING_CONFLICT] = sayConflict,
    [TILE_FINDING_OVERFLOW] = sayOverflow,
    [TILE_FINDING_ASSERT] = sayAssert,
    [TILE_FINDING_NEVER_WRITTEN] = sayNeverWritten,
    [TILE_FINDING_RACE] = sayRace,
    [TILE_FINDING_SHARED] = sayShared,
};

/// May this finding be printed? Counts it.
static bool printsFinding(TileProgramChecker *c) {
  unsigned limit = c->program->options.checkLimit;
  if (c->printed >= (limit ? limit : DEFAULT_LIMIT)) return false;
  ++c->printed;
  return true;
}

static void onHostFinding(TileProgramChecker *c, const TileFinding *f) {
  CheckSiteText *site = &c->host[f->site];
  ++site->counts[f->kind];
  if (!printsFinding(c)) return;
  TileText m = {0};
  tileTextPrint(&m, "expected results that were written, found %" PRId64 " element%s of %s (",
                f->missing, f->missing == 1 ? "" : "s",
                site->name.text[0] ? site->name.text : "an array");
  sayShape(&m, f->array);
  tileTextPrint(&m, " that nobody has, the first ");
  sayElement(&m, f);
  tileEmitError(site->loc, "%s", m.data);
  free(m.data);
}

void checkOnFinding(void *data, const TileFinding *f) {
  TileProgramChecker *c = data;
  if (f->kernel < 0) {
    onHostFinding(c, f);
    return;
  }
  TileProgramSites *s = c->kernels[f->kernel];
  CheckSiteText *site = &s->texts[f->site];
  ++site->counts[f->kind];
  if (f->kind >= TILE_FINDING_NEVER_WRITTEN && *s->cause.text) ++c->caused;
  if (!printsFinding(c)) return;
  TileText m = {0};
  sayFinding[f->kind](&m, s, f);
  bool isEnd = f->kind >= TILE_FINDING_NEVER_WRITTEN;
  const TileNote cause = {s->cause.loc, tileString(s->cause.text)};
  if (isEnd && *s->cause.text)
    tileEmitWithNotes(MlirDiagnosticError, site->loc, tileString(m.data), &cause, 1);
  else if (isEnd)
    tileEmitWarning(site->loc, "%s", m.data);
  else
    tileEmitError(site->loc, "%s", m.data);
  free(m.data);
}

//===- the summary --------------------------------------------------------===//

static const char *const kindNames[] = {
    [TILE_FINDING_BOUNDS] = "outside of the array",
    [TILE_FINDING_UNWRITTEN] = "never written before",
    [TILE_FINDING_CONFLICT] = "another value",
    [TILE_FINDING_MEETING] = "lanes that meet",
    [TILE_FINDING_OVERFLOW] = "overflow",
    [TILE_FINDING_ASSERT] = "assert",
    [TILE_FINDING_NEVER_WRITTEN] = "never written",
    [TILE_FINDING_RACE] = "read and written",
    [TILE_FINDING_SHARED] = "written twice",
};

static void printCounts(FILE *stream, const CheckSiteText *site) {
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
  result.warnings = totals.findings[TILE_FINDING_NEVER_WRITTEN] +
                    totals.findings[TILE_FINDING_SHARED] - c->caused;
  result.errors += c->caused;
  if (p->options.traces && !totals.traced)
    tileEmitWarning(p->loc, "expected a launch with program (%d, %d, %d), found none",
                    p->options.traced[0], p->options.traced[1], p->options.traced[2]);
  if (!p->options.check) return result;
  uint64_t all = result.errors + result.warnings;
  fprintf(stream, "check: %" PRIu64 " launch%s, %" PRIu64 " program%s: ", totals.launches,
          totals.launches == 1 ? "" : "es", totals.programs, totals.programs == 1 ? "" : "s");
  if (!all)
    fputs(p->failed ? "ended by an error, nothing found before\n" : "nothing found\n", stream);
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
