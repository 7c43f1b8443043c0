//===- tile-compile.c - kernels compiled ahead of time --------------------===//
//
//   tile-compile matmul.mlir --arch sm_80,sm_90a -o matmul      writes matmul.h and matmul.c
//   tile-compile matmul.mlir --arch sm_80,cpu                   and matmul_cpu.s
//
// A client of libtile: each architecture and each set of facts is an artifact, which is written
// down as data for libtile-rt.
//===----------------------------------------------------------------------===//
#include "TileCompile.h"
#include "tile/Runtime/FactCode.h"
#include "tile/Runtime/GridForm.h"
#include "tile/Support/Process.h"
#include "tile/Support/Render.h"
#include <stdlib.h>
#include <string.h>

/// Prints what the last call had to say, as tile-run would.
static void printMessages(void) {
  static const char *const severities[] = {"error", "warning", "note", "remark"};
  tile_diagnostic first = {0}, each = {.size = sizeof each};
  for (size_t i = 0; tile_get_diagnostic(i, &each) == TILE_STATUS_OK; ++i) {
    if (each.severity == TILE_SEVERITY_REMARK) continue;
    if (each.severity != TILE_SEVERITY_NOTE) first = each;
    const TileMessage message = {.severity = severities[each.severity],
                                 .file = each.file,
                                 .line = (int)each.line,
                                 .column = (int)each.column,
                                 .text = each.message,
                                 .isSamePlace = i && each.severity == TILE_SEVERITY_NOTE &&
                                                each.line == first.line &&
                                                each.column == first.column};
    tileRenderMessage(stderr, &message);
  }
}

static bool check(tile_status status) {
  if (status == TILE_STATUS_OK) return true;
  if (tile_get_num_diagnostics())
    printMessages();
  else
    fprintf(stderr, "%s\n", tile_get_message());
  return false;
}

/// The caller's grid, in slots behind the arguments.
static void setGrid(Bundle *b, tile_rt_variant *variant) {
  for (uint16_t i = 0; i < 3; ++i) {
    b->gridSteps[i] = (tile_rt_step){.op = TILE_GRID_ARGUMENT,
                                     .width = 64,
                                     .from = 64,
                                     .value = (int64_t)b->info.num_arguments + i};
    variant->extents[i] = i;
  }
  variant->steps = b->gridSteps;
  variant->num_steps = variant->num_extents = 3;
}

/// One variant more; `facts` NULL: nothing is known. `config` -1: that of the command line. What
/// makes the first one slow is told, since it is the code of most launches.
static bool addVariant(Bundle *b, const CompileOptions *o, const char *arch, const char *facts,
                       int config, bool ptx) {
  if (b->numVariants == 4 * MAX_LIST) {
    fprintf(stderr, "error: expected at most %d variants, found more\n", 4 * MAX_LIST);
    return false;
  }
  const tile_compile_options how = {.size = sizeof how,
                                    .arch = arch,
                                    .config = config < 0 ? o->config : b->configs[config],
                                    .facts = facts,
                                    .format = !strcmp(arch, "cpu") ? TILE_FORMAT_ASSEMBLY
                                              : ptx                ? TILE_FORMAT_PTX
                                                                   : TILE_FORMAT_CUBIN};
  tile_artifact **artifact = &b->artifacts[b->numVariants];
  tile_rt_variant *variant = &b->variants[b->numVariants];
  if (!check(tile_kernel_compile(b->kernel, &how, artifact))) return false;
  if (!b->numVariants) printMessages();
  if (!check(tile_artifact_get_variant(*artifact, variant, sizeof *variant))) return false;
  variant->config = config < 0 ? 0 : (uint32_t)config;
  if (!b->info.has_grid) setGrid(b, variant);
  ++b->numVariants;
  return true;
}

/// Is the code of two variants the same? Assembly has a name for each.
static bool isSameCode(const tile_rt_variant *v, const tile_rt_variant *w) {
  bool same = !isForProcessor(v) && v->code_size == w->code_size &&
              !memcmp(v->code, w->code, v->code_size) && v->wave == w->wave &&
              v->num_maps == w->num_maps && v->packs == w->packs;
  for (unsigned i = 0; same && i < v->num_maps; ++i) same = !strcmp(v->maps[i], w->maps[i]);
  return same;
}

/// Was the one told all that the other was?
static bool knows(const Bundle *b, const tile_rt_variant *v, const tile_rt_variant *w) {
  for (size_t i = 0; i < b->info.num_arguments; ++i)
    if (!tileFactImplies(v->facts[i], w->facts[i])) return false;
  return true;
}

/// Of the last two variants drops the one that was told more, where that was of no use.
static bool dropUseless(Bundle *b) {
  const int last = b->numVariants - 1;
  const tile_rt_variant *v = &b->variants[last - 1], *w = v + 1;
  if (!isSameCode(v, w)) return false;
  const bool isFirst = knows(b, v, w);
  if (!isFirst && !knows(b, w, v)) return false;
  tile_artifact_destroy(b->artifacts[last - isFirst]);
  if (isFirst) {
    b->artifacts[last - 1] = b->artifacts[last];
    b->variants[last - 1] = b->variants[last];
  }
  b->artifacts[last] = NULL;
  --b->numVariants;
  return true;
}

/// All that was asked for of one architecture and configuration, in the order of the facts.
static bool addConfig(Bundle *b, const CompileOptions *o, const char *arch, int config, bool ptx) {
  const int first = b->numVariants;
  for (int i = 0; i < o->numFacts + !o->strict; ++i) {
    if (!addVariant(b, o, arch, i < o->numFacts ? o->facts[i] : NULL, config, ptx)) return false;
    while (b->numVariants > first + 1 && dropUseless(b)) continue;
  }
  return true;
}

/// With each configuration that was tuned for it; else with that of the command line.
static bool addArch(Bundle *b, const CompileOptions *o, const char *arch, bool ptx) {
  bool any = false;
  for (int i = 0; i < b->numConfigs; ++i) {
    if (!isChosen(b, arch, i)) continue;
    any = true;
    if (!addConfig(b, o, arch, i, ptx)) return false;
  }
  return any || addConfig(b, o, arch, -1, ptx);
}

/// Code of later architectures, and for one alone, goes before that of others that runs there, too.
static int compare(const void *left, const void *right) {
  const char *a = *(const char *const *)left, *b = *(const char *const *)right;
  long x = strtol(strncmp(a, "sm_", 3) ? a : a + 3, NULL, 10);
  long y = strtol(strncmp(b, "sm_", 3) ? b : b + 3, NULL, 10);
  if (x != y) return x < y ? 1 : -1;
  return strlen(a) > strlen(b) ? -1 : strlen(a) < strlen(b);
}

static bool addAll(Bundle *b, CompileOptions *o) {
  qsort(o->archs, (size_t)o->numArchs, sizeof *o->archs, compare);
  const char *newest = NULL;
  for (int i = 0; i < o->numArchs; ++i) {
    const char *arch = o->archs[i];
    if (!newest && arch[strlen(arch) - 1] != 'a' && strcmp(arch, "cpu") != 0) newest = arch;
    if (!addArch(b, o, arch, o->ptx)) return false;
  }
  // For chips that are not here yet: PTX of the newest that others can run.
  return !newest || o->ptx || addArch(b, o, newest, true);
}

static bool compileFile(CompileOptions *o, tile_context *context) {
  static Bundle b = {.info.size = sizeof b.info};
  tile_module *module;
  bool ok = check(tile_module_create_from_file(context, o->file, &module)) &&
            check(tile_module_find_kernel(module, o->kernel, &b.kernel)) &&
            check(tile_kernel_get_info(b.kernel, &b.info)) && expandFacts(&b, o) &&
            (!o->tuned || findTuned(&b, o)) && addAll(&b, o) &&
            writeBundle(&b, o->output ? o->output : b.info.name);
  for (int i = 0; i < 4 * MAX_LIST && b.artifacts[i]; ++i) tile_artifact_destroy(b.artifacts[i]);
  forgetTuned(&b);
  return ok;
}

int main(int argc, char **argv) {
  tileProcessBegin("tile-compile");
  CompileOptions o = compileOptionsParse(argc, argv);
  tile_context *context;
  bool ok = check(tile_context_create(NULL, &context));
  ok = ok && compileFile(&o, context);
  tile_context_destroy(context);
  return ok ? 0 : 1;
}
