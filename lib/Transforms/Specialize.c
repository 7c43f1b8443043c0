//===- Specialize.c - bind meta-parameters and launch-time facts ----------===//
//
// Before:  tile.func @k(%p: !tile.ptr<f32>, %s: i32) meta {BLOCK = 1024 : i32} {
//            %b = tile.meta BLOCK : i32
//            %r = tile.arange : tensor<?xi32, #tile.dims<[BLOCK]>>
// After:   tile.func @k(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %s: i32) {
//            %b = arith.constant 1024 : i32
//            %r = tile.arange : tensor<1024xi32>
//
// The option `facts` has what is known of the launch, in the text form of tile/Facts.h. Here it is
// `0/16`; `wave:1` gives the kernel attributes {tile_gpu.single_wave = 1 : i32}, `programs:8`
// {tile_gpu.programs = 8 : i32}, `pack` {tile_gpu.packs}. An argument that is 1 keeps its place in
// the signature; its uses become 1. Of `4/8<4096`, loops from 0 up to it by 4096 or more have one
// step. Of `4/1x`, where argument 4 is the number of programs along x, loops over what all programs
// share have one step in each:
//
// Before:  %i = tile.program_id x
//          %n = tile.num_programs x
//          scf.for %row = %i to %rows step %n : i32 { f(%row) }
// After:   f(%i)
//
// Requires: helpers inlined.  Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "Extents.h"
#include "Loops.h"
#include "tile/Analysis/SharedLoops.h"
#include "tile/Facts.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Support/Hints.h"
#include "tile/Trace.h"
#include <stdlib.h>

typedef struct {
  TileExtentBinder binder; // first: what binds names is the specializer
  const TileFacts *facts;
  MlirAttribute meta; // the kernel's defaults, a dictionary; may be null
  bool *used;         // by binding of the facts: some kernel has a use for it
} Specializer;

static bool lookUpFact(const Specializer *s, MlirStringRef name, int64_t *value) {
  const TileBinding *binding = tileFactsFindBinding(s->facts, name.data, name.length);
  if (!binding) return false;
  s->used[binding - s->facts->bindings] = true;
  *value = binding->value;
  return true;
}

/// The value of meta-parameter `name`: a fact first, then the default.
static bool lookUp(const Specializer *s, MlirStringRef name, int64_t *value) {
  if (lookUpFact(s, name, value)) return true;
  if (mlirAttributeIsNull(s->meta)) return false;
  MlirAttribute attr = mlirDictionaryAttrGetElementByName(s->meta, name);
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAInteger(attr)) return false;
  *value = mlirIntegerAttrGetValueInt(attr);
  return *value > 0;
}

static bool lookUpExtent(TileExtentBinder *binder, MlirLocation loc, MlirStringRef name,
                         TileExtent *extent) {
  Specializer *s = (Specializer *)binder;
  if (lookUp(s, name, &extent->size)) return true;
  tileHintUnboundMeta(loc, s->meta, name, "facts");
  return false;
}

static MlirLogicalResult checkArgument(MlirOperation func, unsigned argument) {
  intptr_t count = mlirBlockGetNumArguments(tileBody(func, 0));
  if (argument < count) return mlirLogicalResultSuccess();
  tileEmitError(mlirOperationGetLocation(func), "expected an argument from 0 to %ld, found %u",
                (long)count - 1, argument);
  return mlirLogicalResultFailure();
}

/// `set` with `name` = `value`, whatever it was before.
static MlirAttribute withAttr(MlirContext context, MlirAttribute set, const char *name,
                              MlirAttribute value) {
  intptr_t size = mlirDictionaryAttrGetNumElements(set), count = 0;
  MlirNamedAttribute *entries = calloc((size_t)size + 1, sizeof *entries);
  if (!entries) abort();
  for (intptr_t e = 0; e < size; ++e) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(set, e);
    if (!tileStringIs(mlirIdentifierStr(entry.name), name)) entries[count++] = entry;
  }
  MlirIdentifier identifier = mlirIdentifierGet(context, tileString(name));
  entries[count++] = mlirNamedAttributeGet(identifier, value);
  MlirAttribute result = mlirDictionaryAttrGet(context, count, entries);
  free(entries);
  return result;
}

/// Gives the argument an attribute. Of divisors the larger one counts.
static void mark(MlirOperation func, unsigned argument, const char *name, MlirAttribute value) {
  MlirContext context = mlirOperationGetContext(func);
  MlirAttribute all = tileAttr(func, "arg_attrs");
  intptr_t count = mlirBlockGetNumArguments(tileBody(func, 0));
  MlirAttribute *sets = calloc((size_t)count, sizeof *sets);
  if (!sets) abort();
  for (intptr_t k = 0; k < count; ++k)
    sets[k] = mlirAttributeIsNull(all) ? mlirDictionaryAttrGet(context, 0, NULL)
                                       : mlirArrayAttrGetElement(all, k);
  MlirAttribute old = mlirDictionaryAttrGetElementByName(sets[argument], tileString(name));
  bool isLess = !mlirAttributeIsNull(old) && mlirAttributeIsAInteger(value) &&
                mlirIntegerAttrGetValueInt(old) > mlirIntegerAttrGetValueInt(value);
  if (!isLess) sets[argument] = withAttr(context, sets[argument], name, value);
  mlirOperationSetAttributeByName(func, tileString("arg_attrs"),
                                  mlirArrayAttrGet(context, count, sets));
  free(sets);
}

static MlirLogicalResult expectInteger(MlirOperation func, unsigned argument, const char *what) {
  MlirType type = mlirValueGetType(mlirBlockGetArgument(tileBody(func, 0), argument));
  if (mlirTypeIsAInteger(type)) return mlirLogicalResultSuccess();
  tileEmitError(mlirOperationGetLocation(func), "expected an integer for argument %u to %s",
                argument, what);
  return mlirLogicalResultFailure();
}

/// Replaces an argument that equals 1.
static void replaceOne(MlirOperation func, unsigned argument) {
  MlirBlock body = tileBody(func, 0);
  MlirValue arg = mlirBlockGetArgument(body, argument);
  // Captures of tile.grid and tile.cost stay arguments: the host evaluates those.
  TileBuilder b = tileBuilderAtStart(body);
  MlirValue one = tileBuildInt(&b, mlirValueGetType(arg), 1);
  MlirOpOperand use = mlirValueGetFirstUse(arg);
  while (!mlirOpOperandIsNull(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    unsigned index = mlirOpOperandGetOperandNumber(use);
    use = mlirOpOperandGetNextUse(use);
    if (!tileOpIsAGrid(user) && !tileOpIsACost(user)) mlirOperationSetOperand(user, index, one);
  }
}

/// Each program takes its step of loops up to an argument that counts programs.
static void takeSteps(MlirOperation func, unsigned argument) {
  TileOpList loops = {0};
  tileFindLoops(func, &loops);
  for (size_t i = 0; i < loops.count; ++i)
    if (tileArgumentOfPrograms(func, loops.ops[i]) == (int)argument) tileTakeOneStep(loops.ops[i]);
  tileOpListDestroy(&loops);
}

/// Loops from 0 up to arguments that are no more than a step take one: registers hold so much of a
/// row, and what several of them read is read once. Of a few steps it is written down how many
/// there are at most (tileMostSteps).
static void takeOnlySteps(MlirOperation func, const TileFacts *facts) {
  enum { FEW = 16 };
  MlirType i64 = mlirIntegerTypeGet(mlirOperationGetContext(func), 64);
  int64_t each = tileMachineNumber(tileMachineOf(func), TILE_NUMBER_ONLY_STEP_ELEMENTS);
  int64_t elements = each * tileNumThreadsOf(func);
  TileOpList loops = {0};
  tileFindLoops(func, &loops);
  for (size_t i = 0; i < loops.count; ++i) {
    int argument = -1;
    int64_t step = tileStepToArgument(func, loops.ops[i], &argument);
    int64_t most = step ? tileFactsGetArgument(facts, (unsigned)argument).most : 0;
    bool isOne = most && most <= step;
    if (isOne && step <= elements) tileTakeOneStep(loops.ops[i]);
    if (most && !isOne && most <= FEW * step)
      mlirOperationSetDiscardableAttributeByName(loops.ops[i], tileString("tile.most_steps"),
                                                 mlirIntegerAttrGet(i64, (most - 1) / step + 1));
  }
  tileOpListDestroy(&loops);
}

static MlirLogicalResult markArgument(MlirOperation func, unsigned argument,
                                      TileArgumentFact fact) {
  bool isSign = fact.positive || fact.negative;
  if (!fact.divisor && !isSign && !fact.one && !fact.programs && !fact.most)
    return mlirLogicalResultSuccess();
  MlirContext context = mlirOperationGetContext(func);
  TILE_TRY(checkArgument(func, argument));
  if (fact.divisor > 1)
    mark(func, argument, "tile.divisibility", mlirIntegerAttrGet(tileI32(context), fact.divisor));
  if (fact.positive || fact.most) {
    TILE_TRY(expectInteger(func, argument, "be positive"));
    mark(func, argument, "tile.positive", mlirUnitAttrGet(context));
  }
  if (fact.negative) {
    TILE_TRY(expectInteger(func, argument, "be negative"));
    mark(func, argument, "tile.negative", mlirUnitAttrGet(context));
  }
  if (fact.one) {
    TILE_TRY(expectInteger(func, argument, "equal 1"));
    replaceOne(func, argument);
  }
  if (fact.programs) {
    TILE_TRY(expectInteger(func, argument, "count programs"));
    takeSteps(func, argument);
  }
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult markArguments(MlirOperation func, const TileFacts *facts) {
  for (unsigned i = 0; i < facts->numArguments; ++i)
    TILE_TRY(markArgument(func, i, facts->arguments[i]));
  return mlirLogicalResultSuccess();
}

/// num_warps, num_stages, num_ctas, num_parts, num_splits, num_last_splits, num_teams, num_at_once
/// and maxnreg are bound as meta-parameters are, and kept on the kernel: `meta {num_warps = 8}` ->
/// `attributes {tile.num_warps = 8 : i32}`. What an earlier run has bound stays, unless a fact
/// binds it again: a stage can be edited and run once more.
static void keepLaunchParameters(Specializer *s, MlirOperation func) {
  static const char *const names[][2] = {
      {"num_warps", "tile.num_warps"},   {"num_stages", "tile.num_stages"},
      {"num_ctas", "tile.num_ctas"},     {"num_parts", "tile.num_parts"},
      {"num_splits", "tile.num_splits"}, {"num_last_splits", "tile.num_last_splits"},
      {"num_teams", "tile.num_teams"},   {"num_at_once", "tile.num_at_once"},
      {"maxnreg", "tile.maxnreg"}};
  MlirType i32 = tileI32(mlirOperationGetContext(func));
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    int64_t value;
    bool bound = !mlirAttributeIsNull(tileAttr(func, names[i][1]));
    MlirStringRef name = tileString(names[i][0]);
    if (bound ? lookUpFact(s, name, &value) : lookUp(s, name, &value))
      mlirOperationSetAttributeByName(func, tileString(names[i][1]),
                                      mlirIntegerAttrGet(i32, value));
  }
}

/// Room for all programs at a time. Without such a fact, what an earlier run was told stays.
static void markWave(MlirOperation func, const TileFacts *facts) {
  if (!facts->singleWave) return;
  MlirType i32 = tileI32(mlirOperationGetContext(func));
  mlirOperationSetAttributeByName(func, tileString("tile_gpu.single_wave"),
                                  mlirIntegerAttrGet(i32, facts->singleWave));
}

/// Programs for each multiprocessor. Without such a fact, what an earlier run was told stays.
static void markPrograms(MlirOperation func, const TileFacts *facts) {
  if (!facts->programs) return;
  MlirType i32 = tileI32(mlirOperationGetContext(func));
  mlirOperationSetAttributeByName(func, tileString("tile_gpu.programs"),
                                  mlirIntegerAttrGet(i32, facts->programs));
}

/// Arrays may be packed. Without such a fact, what an earlier run was told stays.
static void markPacks(MlirOperation func, const TileFacts *facts) {
  if (!facts->packs) return;
  mlirOperationSetAttributeByName(func, tileString("tile_gpu.packs"),
                                  mlirUnitAttrGet(mlirOperationGetContext(func)));
}

/// The kernel's own names may be bound though nothing in it asks for them.
static void useNames(const Specializer *s) {
  intptr_t count = mlirAttributeIsNull(s->meta) ? 0 : mlirDictionaryAttrGetNumElements(s->meta);
  for (intptr_t i = 0; i < count; ++i) {
    int64_t value;
    lookUpFact(s, mlirIdentifierStr(mlirDictionaryAttrGetElement(s->meta, i).name), &value);
  }
}

/// One remark with all that is known, the kernel's own bindings included.
static void traceFacts(const Specializer *s, MlirOperation func) {
  TileFacts facts = {0};
  tileFactsCopy(&facts, s->facts);
  intptr_t count = mlirAttributeIsNull(s->meta) ? 0 : mlirDictionaryAttrGetNumElements(s->meta);
  for (intptr_t i = 0; i < count; ++i) {
    MlirStringRef name = mlirIdentifierStr(mlirDictionaryAttrGetElement(s->meta, i).name);
    int64_t value;
    if (lookUp(s, name, &value)) tileFactsBind(&facts, name.data, name.length, value);
  }
  TileText text = {0};
  tileTextAdd(&text, "");
  tileFactsPrint(&facts, &text);
  tileTrace(mlirOperationGetLocation(func), "kernel is specialized: %s",
            text.size ? text.data : "nothing is known");
  free(text.data);
  tileFactsDestroy(&facts);
}

/// A name that no kernel has a use for is a typing error, unless the kernels that have it were left
/// out.
static MlirLogicalResult checkUses(MlirOperation module, const TileSpecializeOptions *options,
                                   const TileFacts *facts, const bool *used) {
  for (unsigned i = 0; i < facts->numBindings && !options->kernel.length; ++i) {
    if (used[i]) continue;
    tileEmitError(mlirOperationGetLocation(module),
                  "expected the name of a meta-parameter in facts, found '%s'",
                  facts->bindings[i].name);
    return mlirLogicalResultFailure();
  }
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult specialize(MlirOperation func, const TileFacts *facts, bool *used) {
  Specializer s = {{lookUpExtent}, facts, tileFuncGetMetaAttr(func), used};
  if (!tileBindExtentsIn(&s.binder, func)) return mlirLogicalResultFailure();
  TILE_TRY(markArguments(func, facts));
  markWave(func, facts);
  markPrograms(func, facts);
  markPacks(func, facts);
  keepLaunchParameters(&s, func);
  takeOnlySteps(func, facts);
  useNames(&s);
  if (tileTraceIsOn()) traceFacts(&s, func);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult specializeAll(MlirOperation module, const TileSpecializeOptions *options,
                                       const TileFacts *facts, bool *used) {
  bool found = options->kernel.length == 0;
  TILE_FOR_EACH_OP(func, tileBody(module, 0)) {
    if (!tileOpIsAFunc(func)) continue;
    bool named = mlirStringRefEqual(tileFuncGetSymName(func), options->kernel);
    if (options->kernel.length && !named) continue;
    found = true;
    TILE_TRY(specialize(func, facts, used));
  }
  if (found) return checkUses(module, options, facts, used);
  tileEmitError(mlirOperationGetLocation(module), "expected a kernel named '%.*s', found none",
                (int)options->kernel.length, options->kernel.data);
  return mlirLogicalResultFailure();
}

MlirLogicalResult tileRunSpecialize(MlirOperation module, const TileSpecializeOptions *options) {
  TileFacts facts = {0};
  const char *wrong;
  size_t length;
  MlirLogicalResult result = mlirLogicalResultFailure();
  if (tileFactsParse(&facts, options->facts.data, options->facts.length, &wrong, &length)) {
    bool *used = calloc(facts.numBindings + (size_t)1, sizeof *used);
    if (!used) abort();
    result = specializeAll(module, options, &facts, used);
    free(used);
  } else {
    tileEmitError(mlirOperationGetLocation(module),
                  "expected facts as BM=64, 0/16, 3/256+, 7=1 or wave:2, found '%.*s'", (int)length,
                  wrong);
  }
  tileFactsDestroy(&facts);
  return result;
}
