//===- Specialize.c - bind meta-parameters and launch-time facts ----------===//
//
// Before:  tile.func @k(%p: !tile.ptr<f32>, %s: i32) meta {BLOCK = 1024 : i32} {
//            %b = tile.meta BLOCK : i32
//            %r = tile.arange : tensor<?xi32, #tile.dims<[BLOCK]>>
// After:   tile.func @k(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %s: i32) {
//            %b = arith.constant 1024 : i32
//            %r = tile.arange : tensor<1024xi32>
//
// With single-wave=1 the kernel gets attributes {tile.single_wave = 1 : i32}.
//
// An argument in `ones` keeps its place in the signature; its uses become 1.
//
// Requires: helpers inlined.  Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "Extents.h"
#include "tile/Passes.h"
#include "tile/Trace.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  TileExtentBinder binder; // first: what binds names is the specializer
  const TileSpecializeOptions *options;
  MlirAttribute meta; // the kernel's defaults, a dictionary; may be null
  bool bound;         // a name was
  uint64_t *used;     // bindings that some kernel has a use for (bit i; all past the 64th have)
} Specializer;

/// Parses "NAME=VALUE"; the value must be a positive decimal that fits 32 bits.
static bool parseBinding(MlirStringRef text, MlirStringRef *name, int64_t *value) {
  const char *equals = memchr(text.data, '=', text.length);
  if (!equals || equals == text.data) return false;
  *name = mlirStringRefCreate(text.data, (size_t)(equals - text.data));
  size_t digits = text.length - name->length - 1;
  *value = 0;
  for (size_t i = 0; i < digits; ++i) {
    char c = equals[1 + i];
    if (c < '0' || c > '9' || *value > INT32_MAX) return false;
    *value = *value * 10 + (c - '0');
  }
  return digits && *value > 0 && *value <= INT32_MAX;
}

static bool lookUpOption(const Specializer *s, MlirStringRef name, int64_t *value) {
  for (intptr_t i = 0; i < s->options->numBind; ++i) {
    MlirStringRef bound;
    if (!parseBinding(s->options->bind[i], &bound, value) || !mlirStringRefEqual(bound, name))
      continue;
    if (i < 64) *s->used |= UINT64_C(1) << i;
    return true;
  }
  return false;
}

/// The value of meta-parameter `name`: an option first, then the default.
static bool lookUp(const Specializer *s, MlirStringRef name, int64_t *value) {
  if (lookUpOption(s, name, value)) return true;
  if (mlirAttributeIsNull(s->meta)) return false;
  MlirAttribute attr = mlirDictionaryAttrGetElementByName(s->meta, name);
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAInteger(attr)) return false;
  *value = mlirIntegerAttrGetValueInt(attr);
  return *value > 0;
}

static bool lookUpExtent(TileExtentBinder *binder, MlirLocation loc, MlirStringRef name,
                         TileExtent *extent) {
  Specializer *s = (Specializer *)binder;
  s->bound = true;
  if (lookUp(s, name, &extent->size)) return true;
  tileEmitError(loc, "expected a value for meta-parameter '%.*s', found none in meta {..} or bind",
                (int)name.length, name.data);
  return false;
}

/// Reads digits, at least one, up to `end` or another character; false where the number passes
/// 2^31.
static bool parseNumber(const char **at, const char *end, int64_t *value) {
  const char *first = *at;
  for (*value = 0; *at < end && **at >= '0' && **at <= '9'; ++*at) {
    *value = *value * 10 + (**at - '0');
    if (*value > INT32_MAX) return false;
  }
  return *at > first;
}

/// Parses "ARGUMENT:DIVISOR", the divisor a power of two.
static bool parseDivisor(MlirStringRef text, int64_t *argument, int64_t *divisor) {
  const char *at = text.data, *end = text.data + text.length;
  if (!parseNumber(&at, end, argument) || at == end || *at != ':') return false;
  ++at;
  return parseNumber(&at, end, divisor) && at == end && *divisor > 0 &&
         (*divisor & (*divisor - 1)) == 0;
}

static MlirLogicalResult checkArgument(MlirOperation func, int64_t argument) {
  intptr_t count = mlirBlockGetNumArguments(tileBody(func, 0));
  if (argument >= 0 && argument < count) return mlirLogicalResultSuccess();
  tileEmitError(mlirOperationGetLocation(func), "expected an argument from 0 to %ld, found %ld",
                (long)count - 1, (long)argument);
  return mlirLogicalResultFailure();
}

/// `set` with `name` = `value`, whatever it was before.
static MlirAttribute withAttr(MlirContext context, MlirAttribute set, const char *name,
                              MlirAttribute value) {
  MlirNamedAttribute entries[8];
  intptr_t count = 0;
  for (intptr_t e = 0; e < mlirDictionaryAttrGetNumElements(set) && e < 7; ++e) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(set, e);
    if (!tileStringIs(mlirIdentifierStr(entry.name), name)) entries[count++] = entry;
  }
  MlirIdentifier identifier = mlirIdentifierGet(context, tileString(name));
  entries[count++] = mlirNamedAttributeGet(identifier, value);
  return mlirDictionaryAttrGet(context, count, entries);
}

/// Gives the argument an attribute. Of divisors the larger one counts.
static MlirLogicalResult mark(MlirOperation func, int64_t argument, const char *name,
                              MlirAttribute value) {
  TILE_TRY(checkArgument(func, argument));
  MlirContext context = mlirOperationGetContext(func);
  MlirAttribute all = tileAttr(func, "arg_attrs"), sets[256];
  intptr_t count = mlirBlockGetNumArguments(tileBody(func, 0));
  if (count > 256) return mlirLogicalResultSuccess(); // more arguments than a launch can pass
  for (intptr_t k = 0; k < count; ++k)
    sets[k] = mlirAttributeIsNull(all) ? mlirDictionaryAttrGet(context, 0, NULL)
                                       : mlirArrayAttrGetElement(all, k);
  MlirAttribute old = mlirDictionaryAttrGetElementByName(sets[argument], tileString(name));
  bool isLess = !mlirAttributeIsNull(old) && mlirAttributeIsAInteger(value) &&
                mlirIntegerAttrGetValueInt(old) > mlirIntegerAttrGetValueInt(value);
  if (!isLess) sets[argument] = withAttr(context, sets[argument], name, value);
  mlirOperationSetAttributeByName(func, tileString("arg_attrs"),
                                  mlirArrayAttrGet(context, count, sets));
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult markDivisible(MlirOperation func, int64_t argument, int64_t divisor) {
  MlirType i32 = tileI32(mlirOperationGetContext(func));
  return mark(func, argument, "tile.divisibility", mlirIntegerAttrGet(i32, divisor));
}

static MlirLogicalResult markPositive(MlirOperation func, int64_t argument) {
  TILE_TRY(checkArgument(func, argument));
  if (mlirTypeIsAInteger(mlirValueGetType(mlirBlockGetArgument(tileBody(func, 0), argument))))
    return mark(func, argument, "tile.positive", mlirUnitAttrGet(mlirOperationGetContext(func)));
  tileEmitError(mlirOperationGetLocation(func),
                "expected an integer for argument %ld to be positive", (long)argument);
  return mlirLogicalResultFailure();
}

static MlirLogicalResult markArguments(MlirOperation func, const TileSpecializeOptions *options) {
  for (intptr_t i = 0; i < options->numDivisible; ++i)
    TILE_TRY(markDivisible(func, options->divisible[i], 16));
  for (intptr_t i = 0; i < options->numDivisibility; ++i) {
    MlirStringRef text = options->divisibility[i];
    int64_t argument, divisor;
    if (!parseDivisor(text, &argument, &divisor)) {
      tileEmitError(mlirOperationGetLocation(func),
                    "expected ARGUMENT:DIVISOR with a power of two, found '%.*s'", (int)text.length,
                    text.data);
      return mlirLogicalResultFailure();
    }
    TILE_TRY(markDivisible(func, argument, divisor));
  }
  for (intptr_t i = 0; i < options->numPositive; ++i)
    TILE_TRY(markPositive(func, options->positive[i]));
  return mlirLogicalResultSuccess();
}

/// Replaces arguments that equal 1.
static MlirLogicalResult replaceOnes(MlirOperation func, const TileSpecializeOptions *options) {
  MlirBlock body = tileBody(func, 0);
  MlirLocation loc = mlirOperationGetLocation(func);
  for (intptr_t i = 0; i < options->numOnes; ++i) {
    TILE_TRY(checkArgument(func, options->ones[i]));
    MlirValue arg = mlirBlockGetArgument(body, options->ones[i]);
    MlirType type = mlirValueGetType(arg);
    if (!mlirTypeIsAInteger(type)) {
      tileEmitError(loc, "expected an integer for argument %ld to equal 1", (long)options->ones[i]);
      return mlirLogicalResultFailure();
    }
    // Captures of tile.grid and tile.cost stay arguments: the host evaluates those.
    TileBuilder b = tileBuilderBefore(mlirBlockGetFirstOperation(body));
    MlirValue one = tileBuildInt(&b, type, 1);
    MlirOpOperand use = mlirValueGetFirstUse(arg);
    while (!mlirOpOperandIsNull(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      unsigned index = mlirOpOperandGetOperandNumber(use);
      use = mlirOpOperandGetNextUse(use);
      if (!tileOpIsAGrid(user) && !tileOpIsACost(user)) mlirOperationSetOperand(user, index, one);
    }
  }
  return mlirLogicalResultSuccess();
}

/// num_warps, num_stages, num_ctas and maxnreg are bound as meta-parameters are, and kept on the
/// kernel: `meta {num_warps = 8}` -> `attributes {tile.num_warps = 8 : i32}`. What an earlier run
/// has bound stays, unless an option binds it again: pipelines run this pass once more, without
/// options.
static void keepLaunchParameters(Specializer *s, MlirOperation func) {
  static const char *const names[][2] = {{"num_warps", "tile.num_warps"},
                                         {"num_stages", "tile.num_stages"},
                                         {"num_ctas", "tile.num_ctas"},
                                         {"maxnreg", "tile.maxnreg"}};
  MlirType i32 = tileI32(mlirOperationGetContext(func));
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    int64_t value;
    bool bound = !mlirAttributeIsNull(tileAttr(func, names[i][1]));
    MlirStringRef name = tileString(names[i][0]);
    if (bound ? lookUpOption(s, name, &value) : lookUp(s, name, &value))
      mlirOperationSetAttributeByName(func, tileString(names[i][1]),
                                      mlirIntegerAttrGet(i32, value));
  }
}

/// Room for all programs at a time. Without the option, what an earlier run was told stays.
static MlirLogicalResult markWave(MlirOperation func, const TileSpecializeOptions *options) {
  int64_t room = options->singleWave;
  if (room < 0 || room > 2) {
    tileEmitError(mlirOperationGetLocation(func),
                  "expected room for 1 or 2 blocks a program in single-wave, or 0 where it is not "
                  "known, found %lld",
                  (long long)room);
    return mlirLogicalResultFailure();
  }
  MlirType i32 = tileI32(mlirOperationGetContext(func));
  if (room)
    mlirOperationSetAttributeByName(func, tileString("tile.single_wave"),
                                    mlirIntegerAttrGet(i32, room));
  return mlirLogicalResultSuccess();
}

/// The kernel's own names may be bound though nothing in it asks for them.
static void useNames(const Specializer *s) {
  intptr_t count = mlirAttributeIsNull(s->meta) ? 0 : mlirDictionaryAttrGetNumElements(s->meta);
  for (intptr_t i = 0; i < count; ++i) {
    int64_t value;
    lookUpOption(s, mlirIdentifierStr(mlirDictionaryAttrGetElement(s->meta, i).name), &value);
  }
}

/// One remark with the value of each meta-parameter.
static void traceBindings(const Specializer *s, MlirOperation func) {
  char text[512] = "";
  size_t used = 0;
  intptr_t count = mlirAttributeIsNull(s->meta) ? 0 : mlirDictionaryAttrGetNumElements(s->meta);
  for (intptr_t i = 0; i < count && used < sizeof text; ++i) {
    MlirStringRef name = mlirIdentifierStr(mlirDictionaryAttrGetElement(s->meta, i).name);
    int64_t value;
    if (!lookUp(s, name, &value)) continue;
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s = %lld", used ? ", " : "",
                             (int)name.length, name.data, (long long)value);
  }
  const TileSpecializeOptions *o = s->options;
  tileTrace(
      mlirOperationGetLocation(func),
      "kernel is specialized: %s; %ld arguments divisible by 16, %ld by less, %ld equal to 1%s",
      text, (long)o->numDivisible, (long)o->numDivisibility, (long)o->numOnes,
      o->singleWave > 1 ? "; room for two blocks a program at a time"
      : o->singleWave   ? "; room for all programs at a time"
                        : "");
}

static MlirLogicalResult checkBindings(MlirLocation loc, const TileSpecializeOptions *options) {
  for (intptr_t i = 0; i < options->numBind; ++i) {
    MlirStringRef name;
    int64_t value;
    if (parseBinding(options->bind[i], &name, &value)) continue;
    tileEmitError(loc, "expected NAME=VALUE with a positive value below 2^31, found '%.*s'",
                  (int)options->bind[i].length, options->bind[i].data);
    return mlirLogicalResultFailure();
  }
  return mlirLogicalResultSuccess();
}

/// A name that no kernel has a use for is a typing error, unless the kernels that have it were left
/// out.
static MlirLogicalResult checkUses(MlirLocation loc, const TileSpecializeOptions *options,
                                   uint64_t used) {
  for (intptr_t i = 0; i < options->numBind && i < 64 && !options->kernel.length; ++i) {
    MlirStringRef name;
    int64_t value;
    if ((used >> i & 1) || !parseBinding(options->bind[i], &name, &value)) continue;
    tileEmitError(loc, "expected the name of a meta-parameter in bind, found '%.*s'",
                  (int)name.length, name.data);
    return mlirLogicalResultFailure();
  }
  return mlirLogicalResultSuccess();
}

MlirLogicalResult tileRunSpecialize(MlirOperation module, const TileSpecializeOptions *options) {
  TILE_TRY(checkBindings(mlirOperationGetLocation(module), options));
  bool found = options->kernel.length == 0;
  uint64_t used = 0;
  TILE_FOR_EACH_OP(func, tileBody(module, 0)) {
    if (!tileOpIsAFunc(func)) continue;
    bool named = mlirStringRefEqual(tileFuncGetSymName(func), options->kernel);
    if (options->kernel.length && !named) continue;
    found = true;
    Specializer s = {{lookUpExtent}, options, tileFuncGetMetaAttr(func), false, &used};
    if (!tileBindExtentsIn(&s.binder, func)) return mlirLogicalResultFailure();
    TILE_TRY(markArguments(func, options));
    TILE_TRY(replaceOnes(func, options));
    TILE_TRY(markWave(func, options));
    keepLaunchParameters(&s, func);
    useNames(&s);
    if (tileTraceIsOn() && (s.bound || options->numDivisible || options->numDivisibility ||
                            options->numOnes || options->singleWave))
      traceBindings(&s, func);
  }
  if (found) return checkUses(mlirOperationGetLocation(module), options, used);
  tileEmitError(mlirOperationGetLocation(module), "expected a kernel named '%.*s', found none",
                (int)options->kernel.length, options->kernel.data);
  return mlirLogicalResultFailure();
}
