//===- Pipelines.c - the order of the passes ------------------------------===//
//
// The one place that says which pass runs when; one line and one reason a pass.
//
//===----------------------------------------------------------------------===//
#include "tile/Conversion/Pipelines.h"
#include "tile/Text.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// `$arch`, `$warps`, `$stages` and `$bits` stand for options, `$simplify` for canonicalize as
/// kernels bear it, `$facts` for what is known of the launch. A list's stages never decrease: that
/// of a step is what has been reached behind it.
typedef struct {
  TileStage stage;
  const char *text;
} PipelineStep;

/// MLIR takes truncf of sitofp or uitofp for one conversion, which rounds once instead of twice.
static const char simplify[] =
    "canonicalize{disable-patterns=\"(anonymous namespace)::TruncFSIToFPToSIToFP,"
    "(anonymous namespace)::TruncFUIToFPToUIToFP\"}";

static const PipelineStep toNVVM[] = {
    // All passes ask the target what there is, and what pays.
    {TILE_STAGE_TILE, "tile-set-target{arch=$arch}"},
    // What Triton wrote becomes tile.
    {TILE_STAGE_TILE, "convert-triton-to-tile"},
    // Functions of other dialects are never inlined: what calls them is refused.
    {TILE_STAGE_TILE, "tile.func(tile-check-ops)"},
    // A helper for any extents becomes one for each set it is called with.
    {TILE_STAGE_TILE, "tile-instantiate"},
    // Helpers vanish first: everything after sees whole kernels.
    {TILE_STAGE_TILE, "inline{default-pipeline=}"},
    // And those that only helpers called, which nobody calls any more.
    {TILE_STAGE_TILE, "symbol-dce"},
    // What is known of the launch is written on the kernel, with its own defaults for the rest.
    {TILE_STAGE_TILE, "tile-specialize$facts"},
    // What neither road takes, both refuse, before anything has changed.
    {TILE_STAGE_TILE, "tile.func(tile-check-kernel)"},
    // Passes of loops compare numbers with a sign.
    {TILE_STAGE_TILE, "tile.func(tile-sign-loops)"},
    // Persistent loops over all steps of all tiles become two, which passes of loops know.
    {TILE_STAGE_TILE, "tile.func(tile-nest-loops)"},
    // How many tiles a program has is a choice, not a branch.
    {TILE_STAGE_TILE, "tile.func(tile-select-numbers)"},
    // What is inlined is simplified; host programs, which go no further, are not.
    {TILE_STAGE_TILE, "tile.func($simplify)"},
    // Passes of loops know loops over ranges.
    {TILE_STAGE_TILE, "tile.func(tile-uplift-loops)"},
    // One row a program is no loop over rows.
    {TILE_STAGE_TILE, "tile.func(tile-inline-steps)"},
    // Groups that may be empty are loops, too, to who copies for several of them.
    {TILE_STAGE_TILE, "tile.func(tile-step-branches)"},
    // What authors load a step ahead is copied ahead by tile, and begins with loads in their steps.
    {TILE_STAGE_TILE, "tile.func(tile-load-in-step)"},
    // Offsets that lie one way in a loop are wanted in several.
    {TILE_STAGE_TILE, "tile.func(tile-count-offsets)"},
    // swizzle2d becomes arithmetic before it is simplified.
    {TILE_STAGE_TILE, "tile.func(tile-expand-ops)"},
    // f32 of bf16's precision is several products of bf16.
    {TILE_STAGE_TILE, "tile.func(tile-split-precision{bf16=true})"},
    // What loops hold asks for registers, and all behind it for the number of warps.
    {TILE_STAGE_TILE, "tile.func(tile-choose-warps{num-warps=$warps})"},
    // Where only the program knows how rows end it asks, once.
    {TILE_STAGE_TILE, "tile.func(tile-version-tails)"},
    // Boxes become masked tiles of pointers, but for those that the copy engine can fetch for dots.
    {TILE_STAGE_TILE, "tile.func(tile-expand-descriptors{num-warps=$warps})"},
    // Constants of meta-parameters fold, and what the range of a loop's counter says of quotients
    // and remainders; masks and offsets shared by accesses merge and leave loops.
    {TILE_STAGE_TILE,
     "tile.func($simplify,int-range-optimizations,cse,loop-invariant-code-motion)"},
    // Places that a mask leaves out need not be the first element's.
    {TILE_STAGE_TILE, "tile.func(tile-follow-masks,$simplify,cse)"},
    // What is read, or overwritten, by the pointers of a store is what it wrote.
    {TILE_STAGE_TILE, "tile.func(tile-order-accesses)"},
    // Sums that publish nothing wait for nothing; nobody counts barriers yet.
    {TILE_STAGE_TILE, "tile.func(tile-relax-sums)"},
    // Parts of tiles are halves of halves, for layouts.
    {TILE_STAGE_TILE, "tile.func(tile-expand-slices)"},
    // Packed weights are read once for all numbers in them, and scales once for their group.
    {TILE_STAGE_TILE, "tile.func(tile-load-once,$simplify,cse)"},
    // tf32 beside bf16 is two products of bf16.
    {TILE_STAGE_TILE, "tile.func(tile-split-operands)"},
    // Of few rows arrays are read where they lie.
    {TILE_STAGE_TILE, "tile.func(tile-choose-packing)"},
    // Tensor cores want many rows, and take any number of columns.
    {TILE_STAGE_TILE, "tile.func(tile-transpose-dots{num-warps=$warps})"},
    // f32 of nearly all its bits is three products of tf32, if the dot says so.
    {TILE_STAGE_TILE, "tile.func(tile-split-precision)"},
    // Layouts are linear over bits: other extents get padding.
    {TILE_STAGE_TILE, "tile.func(tile-pad-extents)"},
    // What registers do not hold is read in parts.
    {TILE_STAGE_TILE, "tile.func(tile-loop-over-parts{num-warps=$warps},cse)"},
    // A chunk whose rows are multiplied at once is no loop over its parts: steps of the loop around
    // it are what runs ahead.
    {TILE_STAGE_TILE, "tile.func(tile-inline-steps,$simplify,cse)"},
    // Channels that a filter has not are not loaded for its dots.
    {TILE_STAGE_TILE, "tile.func(tile-narrow-depth)"},
    // What dots read through pointers that are as regular as a box becomes one.
    {TILE_STAGE_TILE, "tile.func(tile-raise-descriptors{num-warps=$warps})"},
    // What launch facts say of all elements is no longer asked of each.
    {TILE_STAGE_TILE, "tile.func(tile-fold-masks)"},
    // What pointed there, and what masked, is no longer needed; rows that are one now are loaded
    // once.
    {TILE_STAGE_TILE, "tile.func($simplify,cse,tile-load-once,$simplify,cse)"},
    // What threads make of a box, they make in A's registers.
    {TILE_STAGE_TILE, "tile.func(tile-transpose-dots{num-warps=$warps})"},
    // Where boxes end is where their tiles' zeros begin.
    {TILE_STAGE_TILE, "tile.func(tile-narrow-dots)"},
    // What runs ahead in a loop of dots begins once, not for each tap of a filter.
    {TILE_STAGE_TILE, "tile.func(tile-flatten-loops,$simplify,cse)"},
    // Below the diagonal nothing is hidden.
    {TILE_STAGE_TILE, "tile.func(tile-split-masks,$simplify,cse)"},
    // A row's sum divides all of the row: one reciprocal does for them.
    {TILE_STAGE_TILE, "tile.func(tile-invert-divisors)"},
    // Weights that were 16 bits or less, and will be, are computed so.
    {TILE_STAGE_TILE, "tile.func(tile-narrow-arithmetic,cse)"},
    // Of GELU's erf only what is left of 1 is computed.
    {TILE_STAGE_TILE, "tile.func(tile-expand-gelu)"},
    // The greatest of scaled scores is the greatest score, scaled.
    {TILE_STAGE_TILE, "tile.func(tile-scale-maxima)"},
    // What sums take apart of a pair is exchanged once.
    {TILE_STAGE_TILE, "tile.func(tile-exchange-pairs,$simplify,cse)"},
    // Whether a pair is in order, and has to be, are two truths.
    {TILE_STAGE_TILE, "tile.func(tile-compare-truths)"},
    // What is put together of several arrays is loaded once, from the one that it is taken from.
    {TILE_STAGE_TILE, "tile.func(tile-choose-pointers,$simplify,cse)"},
    // The last step of a row, which alone is masked, is no loop.
    {TILE_STAGE_TILE, "tile.func(tile-inline-steps)"},
    // Taps of a filter are loaded together, and the loop around them is the one that runs ahead.
    {TILE_STAGE_TILE, "tile.func(tile-unroll-loops{num-warps=$warps},$simplify,cse)"},
    // What each step of a loop loads alike is loaded in front of it.
    {TILE_STAGE_TILE, "tile.func(tile-hoist-steady-loads,cse)"},
    // Rows that are read twice are in the caches where they ended; masks of steps are behind us.
    {TILE_STAGE_TILE, "tile.func(tile-turn-loops)"},
    // A thread has seven predicates, and what a loop carries is in use all along.
    {TILE_STAGE_TILE, "tile.func(tile-carry-truths{num-warps=$warps})"},
    // x[2 i] and x[2 i + 1] are one access of both.
    {TILE_STAGE_TILE, "tile.func(tile-join-accesses,$simplify,cse)"},
    // Of an image's address rows and columns are multiplied apart.
    {TILE_STAGE_TILE, "tile.func(tile-narrow-offsets,cse)"},
    // Programs begin in an order that leaves no long one for the end; proofs are behind us, and
    // the loop over programs is still to be made.
    {TILE_STAGE_TILE, "tile.func(tile-heavy-first)"},
    // Which instruction computes a dot decides the layouts around it.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-accelerate-dot{num-warps=$warps})"},
    // What a step may not multiply can be copied ahead all the same.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-lift-loads,cse)"},
    // What is added to memory need not be there before the tensor cores begin.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-add-loaded)"},
    // Every tile gets its distribution.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-assign-layouts{num-warps=$warps})"},
    // What a loop reduces in each step, and nobody looks at before its end, threads reduce once.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-defer-reductions)"},
    // What a loop carries for a reduction behind it, it carries a part for each thread.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-narrow-carried)"},
    // Rows that every warp wants come without a barrier.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-localize-rows)"},
    // Recomputed indices and masks merge again and leave loops.
    {TILE_STAGE_LAYOUTS, "tile.func($simplify,cse,loop-invariant-code-motion)"},
    // Tiles that a loop picks rows of are stored in front of it.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-stage-gathers)"},
    // A row of biases is on its way while dots run.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-hoist-loads)"},
    // What is not copied, or not stored again, leaves room, which the plan counts with.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-narrow-boxes)"},
    {TILE_STAGE_LAYOUTS, "tile.func(tile-store-once)"},
    // How blocks and warps share the work is decided once, for all passes up to tile-stage-stores.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-plan-roles{num-stages=$stages})"},
    // Where the device orders programs, heads have their long ones together; a loop has its own.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-order-programs)"},
    // First boxes come to the cache at once. It reads loops of copies, as the kernel has them.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-warm-cache)"},
    // Blocks that divide a loop do so before anything else is made of it.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-split-sums)"},
    // The loop over programs is around what both roles do: so it comes before they part.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-make-persistent)"},
    // Blocks without a program in the last round help: the loop that says which is still one.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-share-last-round)"},
    // Or have a part each of its programs' loops, where products take long.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-split-last-round)"},
    // Blocks of a cluster count each other's readers: so who shares is known before rings are made.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-share-copies)"},
    // What the copy engine fetches gets a warp group of its own.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-warp-specialize)"},
    // Consumers alone store: under the next program's dots.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-defer-stores)"},
    // Of the loop that is left between boxes, warp groups take the end in turn.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-take-turns)"},
    // What is not deferred goes out box by box.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-stage-stores)"},
    // When all stores stand, those of a divided loop's sum are one block's.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-join-sums)"},
    // And what lies between two dots runs under one of them.
    {TILE_STAGE_LAYOUTS, "tile.func($simplify,cse,tile-overlap-dots)"},
    // Copies for later iterations run under the dots of this one.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-pipeline{num-stages=$stages})"},
    // What is left to threads is stored once for all dots that read it.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-stage-operands)"},
    // And reads of shared memory under products.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-prefetch-operands)"},
    // What steps read beside copies, a few words, comes a step ahead.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-load-ahead)"},
    // Dots that follow each other are waited for once.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-chain-dots)"},
    // And what is added to a sum takes no registers for all of it.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-add-parts)"},
    // The addresses ahead share what they can with those of the prologue.
    {TILE_STAGE_LAYOUTS, "tile.func($simplify,cse,loop-invariant-code-motion)"},
    // What only the end of a program wants is not held over its dots.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-sink-tiles)"},
    // Many loads are on their way before one of them is waited for.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-issue-loads)"},
    // What waits for threads to meet waits as it was loaded.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-widen-late)"},
    // Loops of many short steps are unrolled in part.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-hide-steps)"},
    // Last of all on tiles: what is placed must not move any more.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-allocate-shared)"},
    // A program without work leaves before anything is made ready.
    {TILE_STAGE_LAYOUTS, "tile.func(tile-leave-early)"},
    // From tiles to one thread.
    {TILE_STAGE_GPU, "convert-tile-to-gpu"},
    // Addresses share what they have in common. Folding it is left to LLVM, which is faster at it.
    {TILE_STAGE_GPU, "gpu.module(cse)"},
    // ceildivsi and its like have no instruction.
    {TILE_STAGE_NVVM, "gpu.module(arith-expand)"},
    {TILE_STAGE_NVVM, "tile-lower-flow"},
    // gpu, arith, math, vector and cf in one go.
    {TILE_STAGE_NVVM,
     "gpu.module(convert-gpu-to-nvvm,convert-nvvm-to-llvm,reconcile-unrealized-casts)"},
    // Constants that the lowerings made again merge.
    {TILE_STAGE_NVVM, "gpu.module(cse)"},
};

static const PipelineStep toCPU[] = {
    // The front half is the GPU's. Checked code is not simplified: ops stay as they are written.
    {TILE_STAGE_TILE, "convert-triton-to-tile"},
    {TILE_STAGE_TILE, "tile.func(tile-check-ops)"},
    {TILE_STAGE_TILE, "tile-instantiate"},
    {TILE_STAGE_TILE, "inline{default-pipeline=}"},
    {TILE_STAGE_TILE, "symbol-dce"},
    {TILE_STAGE_TILE, "tile-specialize$facts"},
    {TILE_STAGE_TILE, "tile.func(tile-check-kernel)"},
    {TILE_STAGE_TILE, "tile.func(tile-sign-loops)"},
    {TILE_STAGE_TILE, "tile.func($simplify)"},
    {TILE_STAGE_TILE, "tile.func(tile-expand-ops)"},
    {TILE_STAGE_TILE, "tile.func(tile-expand-descriptors{all=true})"},
    {TILE_STAGE_TILE, "tile.func($simplify,cse,loop-invariant-code-motion)"},
    // What a first step does otherwise is a choice: what steps carry is one loop over chunks.
    {TILE_STAGE_TILE, "tile.func(tile-select-choices)"},
    // What is reduced behind a loop is reduced in its steps, in registers.
    {TILE_STAGE_TILE, "tile.func(tile-narrow-carried{whole=true},$simplify)"},
    // A row's sum divides all of the row: one reciprocal does for them.
    {TILE_STAGE_TILE, "tile.func(tile-invert-divisors)"},
    // Of GELU's erf only what is left of 1 is computed.
    {TILE_STAGE_TILE, "tile.func(tile-expand-gelu)"},
    // Tiles become loops over vectors, kernels functions.
    {TILE_STAGE_NVVM, "convert-tile-to-cpu{vector-bits=$bits check=$check trace=$trace}"},
    // Rounding divisions and the like, which have no LLVM instruction.
    {TILE_STAGE_NVVM, "arith-expand"},
    {TILE_STAGE_NVVM, "tile-lower-flow"},
    // Instructions where there are some; this comes first, as libm has an fma and a sqrt as well.
    {TILE_STAGE_NVVM, "convert-math-to-llvm"},
    // Math functions without an expansion of ours are calls, and those need func.
    {TILE_STAGE_NVVM, "convert-math-to-libm"},
    {TILE_STAGE_NVVM, "convert-vector-to-llvm"},
    {TILE_STAGE_NVVM, "convert-arith-to-llvm"},
    {TILE_STAGE_NVVM, "convert-func-to-llvm"},
    {TILE_STAGE_NVVM, "convert-cf-to-llvm"},
    {TILE_STAGE_NVVM, "reconcile-unrealized-casts"},
};

/// A word of a step and what it stands for; the last one's name is NULL.
typedef struct {
  const char *name, *value;
} PipelineWord;

/// `step` with its words replaced, appended to `text`.
static void expand(const char *step, const PipelineWord *words, TileText *text) {
  for (const char *at = step; *at;) {
    const PipelineWord *w = words;
    while (w->name && strncmp(at, w->name, strlen(w->name)) != 0) ++w;
    if (w->name)
      tileTextAdd(text, w->value);
    else
      tileTextAddBytes(text, at, 1);
    at += w->name ? strlen(w->name) : 1;
  }
}

/// The options of tile-specialize, to be freed.
static char *printSpecialize(MlirStringRef kernel, const TileFacts *facts) {
  TileText text = {0}, known = {0};
  tileTextAdd(&text, "");
  if (facts) tileFactsPrint(facts, &known);
  if (kernel.length || known.size) tileTextAdd(&text, "{");
  if (kernel.length) tileTextPrint(&text, "kernel=%.*s", (int)kernel.length, kernel.data);
  if (known.size) tileTextPrint(&text, "%sfacts=%s", kernel.length ? " " : "", known.data);
  if (kernel.length || known.size) tileTextAdd(&text, "}");
  free(known.data);
  return text.data;
}

static void report(MlirStringRef message, void *data) {
  (void)data;
  fprintf(stderr, "%.*s", (int)message.length, message.data);
}

static MlirLogicalResult append(MlirOpPassManager pm, const char *step, const PipelineWord *words) {
  TileText text = {0};
  expand(step, words, &text);
  MlirLogicalResult result =
      mlirOpPassManagerAddPipeline(pm, mlirStringRefCreateFromCString(text.data), report, NULL);
  free(text.data);
  return result;
}

MlirLogicalResult tileBuildToNVVM(MlirOpPassManager pm, const TileToNVVMOptions *options) {
  char arch[32], warps[32], stages[32];
  snprintf(arch, sizeof arch, "%.*s", (int)options->arch.length, options->arch.data);
  snprintf(warps, sizeof warps, "%" PRId64, options->numWarps);
  snprintf(stages, sizeof stages, "%" PRId64, options->numStages);
  char *facts = printSpecialize(options->kernel, options->facts);
  const PipelineWord words[] = {{"$simplify", simplify}, {"$arch", arch},   {"$warps", warps},
                                {"$stages", stages},     {"$facts", facts}, {NULL, NULL}};
  MlirLogicalResult result = mlirLogicalResultSuccess();
  for (size_t i = 0; i < sizeof toNVVM / sizeof *toNVVM; ++i) {
    if (toNVVM[i].stage > options->stage) break;
    result = append(pm, toNVVM[i].text, words);
    if (mlirLogicalResultIsFailure(result)) break;
  }
  free(facts);
  return result;
}

MlirLogicalResult tileBuildToCPU(MlirOpPassManager pm, const TileToCPUOptions *options) {
  char bits[32];
  bool isChecked = options->check || options->trace;
  snprintf(bits, sizeof bits, "%" PRId64, options->vectorBits);
  char *facts = printSpecialize(options->kernel, options->facts);
  const PipelineWord words[] = {{"$simplify", simplify},
                                {"$bits", bits},
                                {"$check", options->check ? "true" : "false"},
                                {"$trace", options->trace ? "true" : "false"},
                                {"$facts", facts},
                                {NULL, NULL}};
  MlirLogicalResult result = mlirLogicalResultSuccess();
  for (size_t i = 0; i < sizeof toCPU / sizeof *toCPU; ++i) {
    if (toCPU[i].stage > options->stage) break;
    if (isChecked && strstr(toCPU[i].text, "$simplify")) continue;
    result = append(pm, toCPU[i].text, words);
    if (mlirLogicalResultIsFailure(result)) break;
  }
  free(facts);
  return result;
}
