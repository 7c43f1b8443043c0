//===- HostLaunch.c - tile_host.launch as a packed call of the runtime ---------===//
#include "Host.h"
#include "tile/Support/Hints.h"
#include <stdlib.h>
#include <string.h>

/// Values of a kernel's isolated region and what stands for them at the launch.
typedef struct Mapping {
  MlirValue *from, *to;
  size_t count, capacity;
} Mapping;

static void mappingAdd(Mapping *m, MlirValue from, MlirValue to) {
  if (m->count == m->capacity) {
    m->capacity = m->capacity ? 2 * m->capacity : 32;
    MlirValue *keys = realloc(m->from, m->capacity * sizeof *m->from);
    if (keys) m->from = keys;
    MlirValue *values = realloc(m->to, m->capacity * sizeof *m->to);
    if (values) m->to = values;
    if (!keys || !values) abort();
  }
  m->from[m->count] = from;
  m->to[m->count++] = to;
}

static MlirValue mappingGet(const Mapping *m, MlirValue value) {
  for (size_t i = 0; i < m->count; ++i)
    if (mlirValueEqual(m->from[i], value)) return m->to[i];
  return value;
}

static void mappingDestroy(Mapping *m) {
  free(m->from);
  free(m->to);
}

static MlirWalkResult remapOperands(MlirOperation op, void *data) {
  const Mapping *m = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirValue mapped = mappingGet(m, operand);
    if (!mlirValueEqual(mapped, operand)) mlirOperationSetOperand(op, i, mapped);
  }
  return MlirWalkResultAdvance;
}

/// The kernel called `name`: a public tile.func of the module.
static MlirOperation findKernel(MlirOperation module, MlirStringRef name) {
  TILE_FOR_EACH_OP(op, tileBody(module, 0)) {
    if (tileOpIsAFunc(op) && mlirStringRefEqual(tileFuncGetSymName(op), name)) return op;
  }
  return (MlirOperation){NULL};
}

/// The value that the pass's options bind `name` to; `*value` 0 for one that is no number.
static bool lookUpBinding(const Host *h, MlirStringRef name, int64_t *value) {
  for (intptr_t i = 0; i < h->options->numBind; ++i) {
    MlirStringRef text = h->options->bind[i];
    if (text.length <= name.length || text.data[name.length] != '=' ||
        memcmp(text.data, name.data, name.length) != 0)
      continue;
    char digits[24];
    size_t length = text.length - name.length - 1;
    *value = 0;
    if (length >= sizeof digits) return true;
    memcpy(digits, text.data + name.length + 1, length);
    digits[length] = 0;
    char *end;
    *value = strtoll(digits, &end, 10);
    if (*end || *value < 0) *value = 0;
    return true;
  }
  return false;
}

/// The value of a meta-parameter of `kernel`: a binding of the pass first, then the default.
static bool lookUpMeta(const Host *h, MlirOperation kernel, MlirStringRef name, int64_t *value) {
  if (lookUpBinding(h, name, value)) return *value > 0;
  MlirAttribute meta = tileFuncGetMetaAttr(kernel);
  if (mlirAttributeIsNull(meta)) return false;
  MlirAttribute attr = mlirDictionaryAttrGetElementByName(meta, name);
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAInteger(attr)) return false;
  *value = mlirIntegerAttrGetValueInt(attr);
  return true;
}

/// The position of `name` in the launch's meta {..}; -1 where it is not bound there.
static intptr_t findInLaunch(MlirOperation launch, MlirStringRef name) {
  MlirAttribute names = tileLaunchGetNamesAttr(launch);
  intptr_t count = mlirAttributeIsNull(names) ? 0 : mlirArrayAttrGetNumElements(names);
  for (intptr_t i = 0; i < count; ++i)
    if (mlirStringRefEqual(mlirStringAttrGetValue(mlirArrayAttrGetElement(names, i)), name))
      return i;
  return -1;
}

/// The number or the i32 at position `i` of the launch's meta {..}, as `type`.
static MlirValue getLaunchMeta(Host *h, TileBuilder *b, MlirOperation launch, intptr_t i,
                               MlirType type) {
  MlirAttribute numbers = tileLaunchGetNumbersAttr(launch);
  int64_t number = mlirDenseI64ArrayGetElement(numbers, i);
  if (number > 0) return tileBuildInt(b, type, number);
  intptr_t place = 0;
  for (intptr_t k = 0; k < i; ++k) place += mlirDenseI64ArrayGetElement(numbers, k) <= 0;
  MlirValue value = tileLaunchGetValues(launch, place);
  if (mlirTypeEqual(type, mlirValueGetType(value))) return value;
  MlirValue wide = tileHostToI64(h, b, value);
  return mlirTypeEqual(type, h->i64) ? wide : tileHostFromBits(h, b, wide, type);
}

/// tileHostBind(%site, %position, %value) for each name of the launch's meta {..} that the pass's
/// options do not bind.
static void bindLaunch(Host *h, TileBuilder *b, MlirOperation launch) {
  MlirAttribute names = tileLaunchGetNamesAttr(launch);
  intptr_t count = mlirAttributeIsNull(names) ? 0 : mlirArrayAttrGetNumElements(names);
  for (intptr_t i = 0; i < count; ++i) {
    int64_t bound;
    MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(names, i));
    if (lookUpBinding(h, name, &bound)) continue;
    MlirValue value = getLaunchMeta(h, b, launch, i, h->i64);
    MlirValue site = tileHostSite(h, b, launch);
    MlirValue position = tileBuildInt(b, h->i64, i);
    tileHostCall(h, b, "tileHostBind", (MlirType){NULL}, TILE_VALUES(site, position, value));
  }
}

/// tileHostMeta(%site, %number) for meta-parameter `name`; a null value where it is bound or
/// unknown.
static MlirValue askForMeta(Host *h, TileBuilder *b, MlirOperation kernel, MlirOperation meta) {
  int64_t value;
  MlirValue none = {NULL};
  MlirStringRef name = tileMetaGetName(meta);
  MlirAttribute all = tileFuncGetMetaAttr(kernel);
  if (!h->chooses || lookUpBinding(h, name, &value)) return none;
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(all); ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(all, i);
    if (!mlirStringRefEqual(mlirIdentifierStr(entry.name), name)) continue;
    MlirValue site = tileHostSite(h, b, h->launch);
    MlirValue number = tileBuildInt(b, h->i64, i);
    MlirValue bits = tileHostCall(h, b, "tileHostMeta", h->i64, TILE_VALUES(site, number));
    return tileHostFromBits(h, b, bits, mlirValueGetType(tileResult(meta)));
  }
  return none;
}

typedef struct MetaSearch {
  MlirOperation found;
} MetaSearch;

static MlirWalkResult findMeta(MlirOperation op, void *data) {
  MetaSearch *search = data;
  if (!tileOpIsAMeta(op)) return MlirWalkResultAdvance;
  search->found = op;
  return MlirWalkResultInterrupt;
}

/// Replaces each tile.meta in or at `op` by its value. `op` itself may be replaced; `mapping` then
/// learns the value for `original`'s result.
static MlirLogicalResult bindMetas(Host *h, MlirOperation kernel, MlirOperation op,
                                   MlirOperation original, Mapping *mapping) {
  for (;;) {
    MetaSearch search = {0};
    mlirOperationWalk(op, findMeta, &search, MlirWalkPostOrder);
    MlirOperation meta = search.found;
    if (mlirOperationIsNull(meta)) return mlirLogicalResultSuccess();
    MlirStringRef name = tileMetaGetName(meta);
    int64_t value;
    TileBuilder b = tileBuilderBefore(meta);
    intptr_t own = lookUpBinding(h, name, &value) ? -1 : findInLaunch(h->launch, name);
    MlirValue bound =
        own < 0 ? askForMeta(h, &b, kernel, meta)
                : getLaunchMeta(h, &b, h->launch, own, mlirValueGetType(tileResult(meta)));
    if (mlirValueIsNull(bound) && !lookUpMeta(h, kernel, name, &value)) {
      tileHintUnboundMeta(mlirOperationGetLocation(meta), tileFuncGetMetaAttr(kernel), name,
                          "bind");
      return mlirLogicalResultFailure();
    }
    // %b = arith.constant VALUE
    if (mlirValueIsNull(bound)) bound = tileBuildInt(&b, mlirValueGetType(tileResult(meta)), value);
    bool self = mlirOperationEqual(meta, op);
    tileReplaceOp(meta, TILE_VALUES(bound));
    if (!self) continue;
    mappingAdd(mapping, tileResult(original), bound);
    return mlirLogicalResultSuccess();
  }
}

typedef struct DivisionCheck {
  Host *host;
  MlirOperation launch;
} DivisionCheck;

/// Puts a check in front of an integer division that a processor would trap on.
static MlirWalkResult checkDivision(MlirOperation op, void *data) {
  static const struct {
    const char *name;
    bool isSigned;
  } divisions[] = {
      {"arith.divsi", true},      {"arith.remsi", true},  {"arith.ceildivsi", true},
      {"arith.floordivsi", true}, {"arith.divui", false}, {"arith.remui", false},
      {"arith.ceildivui", false},
  };
  const DivisionCheck *check = data;
  int64_t known;
  for (size_t i = 0; i < sizeof divisions / sizeof *divisions; ++i) {
    if (!tileOpIs(op, divisions[i].name)) continue;
    MlirValue divisor = tileOperand(op, 1);
    int64_t width = tileBitWidth(mlirValueGetType(divisor));
    if (width > 64 || (tileConstantInt(divisor, &known) && known > 0)) break;
    // call @tileHostCheckDivision(%site, %dividend, %divisor, %width)
    Host *h = check->host;
    TileBuilder b = tileBuilderBefore(op);
    MlirValue dividend = tileHostToI64(h, &b, tileOperand(op, 0));
    MlirValue wide = tileHostToI64(h, &b, divisor);
    MlirValue site = tileHostSite(h, &b, check->launch);
    MlirValue bits = tileBuildInt(&b, h->i64, divisions[i].isSigned ? width : 0);
    tileHostCall(h, &b, "tileHostCheckDivision", (MlirType){NULL},
                 TILE_VALUES(site, dividend, wide, bits));
    break;
  }
  return MlirWalkResultAdvance;
}

/// A grid is arithmetic, whoever runs the host program: no calls, no memory.
static MlirWalkResult checkArithmetic(MlirOperation op, void *data) {
  static const char *const dialects[] = {"arith", "math",      "scf", "index",
                                         "tile",  "tile_host", "ub"};
  MlirLogicalResult *result = data;
  bool ok = !tileOpIsACall(op);
  bool known = false;
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
    known |= tileOpIsOfDialect(op, dialects[i]);
  if (ok && known) return MlirWalkResultAdvance;
  MlirStringRef name = tileOpName(op);
  tileEmitError(mlirOperationGetLocation(op),
                "expected arithmetic in tile.grid and tile.cost, found '%.*s'", (int)name.length,
                name.data);
  *result = mlirLogicalResultFailure();
  return MlirWalkResultInterrupt;
}

/// Clones the body of the tile.grid or tile.cost `region` before `launch`; `results` takes what it
/// yields, `limit` values at most, and `*count` says how many.
static MlirLogicalResult cloneRegion(Host *h, MlirOperation kernel, MlirOperation region,
                                     MlirOperation launch, MlirValue *results, intptr_t limit,
                                     intptr_t *count) {
  MlirBlock body = tileBody(region, 0);
  DivisionCheck check = {h, launch};
  Mapping mapping = {0};
  MlirLogicalResult result = mlirLogicalResultSuccess();
  TILE_FOR_EACH_OP(op, body) {
    if (mlirLogicalResultIsSuccess(result))
      mlirOperationWalk(op, checkArithmetic, &result, MlirWalkPreOrder);
  }
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    intptr_t number = mlirBlockArgumentGetArgNumber(mlirOperationGetOperand(region, i));
    MlirValue input = mlirOperationGetOperand(launch, number);
    MlirValue argument = mlirBlockGetArgument(body, i);
    if (!mlirTypeEqual(mlirValueGetType(argument), mlirValueGetType(input))) {
      tileEmitError(mlirOperationGetLocation(region),
                    "expected integers and floats to be captured, found pointer argument %d",
                    (int)number);
      result = mlirLogicalResultFailure();
    }
    mappingAdd(&mapping, argument, input);
  }
  MlirOperation last = mlirBlockGetTerminator(body);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       mlirLogicalResultIsSuccess(result) && !mlirOperationEqual(op, last);
       op = mlirOperationGetNextInBlock(op)) {
    MlirOperation clone = mlirOperationClone(op);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(launch), launch, clone);
    mlirOperationWalk(clone, remapOperands, &mapping, MlirWalkPreOrder);
    if (!tileOpIsAMeta(op))
      for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
        MlirValue made = mlirOperationGetResult(clone, i);
        mappingAdd(&mapping, mlirOperationGetResult(op, i), made);
      }
    bool isMeta = tileOpIsAMeta(op);
    result = bindMetas(h, kernel, clone, op, &mapping);
    if (!isMeta) mlirOperationWalk(clone, checkDivision, &check, MlirWalkPreOrder);
  }
  *count = mlirOperationGetNumOperands(last);
  for (intptr_t i = 0; i < *count && i < limit; ++i)
    results[i] = mappingGet(&mapping, mlirOperationGetOperand(last, i));
  mappingDestroy(&mapping);
  return result;
}

static MlirLogicalResult packArguments(Host *h, TileBuilder *b, MlirOperation launch,
                                       MlirValue *slots) {
  intptr_t count = tileLaunchGetNumInputs(launch);
  MlirValue buffer = tileHostBuffer(h, launch, count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue input = tileLaunchGetInputs(launch, i);
    MlirValue bits = mlirTypeIsAMemRef(mlirValueGetType(input)) ? tileHostAddress(h, b, input)
                                                                : tileHostToBits(h, b, input);
    if (mlirValueIsNull(bits)) {
      tileEmitError(b->location,
                    "expected arrays, integers and floats of 64 bits at most, found another type "
                    "for argument %d",
                    (int)i);
      return mlirLogicalResultFailure();
    }
    tileHostStore(h, b, buffer, i, bits);
  }
  *slots = tileHostAddress(h, b, buffer);
  return mlirLogicalResultSuccess();
}

/// Puts a loop around the launch, in which the runtime chooses a configuration, until it has no
/// more:
///
///   scf.while : () -> () {
///     %choice = call @tileHostConfigure(%site, %slots) : (i64, i64) -> i32
///     %again = arith.trunci %choice : i32 to i1
///     scf.condition(%again)
///   } do {
///     tile_host.launch ...
///     scf.yield
///   }
static void wrapInChoice(Host *h, MlirOperation launch, MlirValue slots) {
  TileBuilder b = tileBuilderBefore(launch);
  MlirOperation loop = tileBuildOp(&b, "scf.while", TILE_NONE, TILE_NONE, TILE_NONE, 2);
  MlirBlock before = mlirBlockCreate(0, NULL, NULL), after = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop, 0), before);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop, 1), after);
  TileBuilder in = tileBuilderAtEnd(before, b.location);
  MlirValue site = tileHostSite(h, &in, launch);
  MlirValue choice = tileHostCall(h, &in, "tileHostConfigure", h->i32, TILE_VALUES(site, slots));
  MlirValue again = tileBuildUnary(&in, "arith.trunci", tileI1(h->context), choice);
  tileBuildOp(&in, "scf.condition", TILE_VALUES(again), TILE_NONE, TILE_NONE, 0);
  TileBuilder out = tileBuilderAtEnd(after, b.location);
  MlirOperation yield = tileBuildOp(&out, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  mlirOperationMoveBefore(launch, yield);
}

MlirLogicalResult tileHostLowerLaunch(Host *h, MlirOperation launch) {
  TileBuilder b = tileBuilderBefore(launch);
  MlirStringRef name = tileLaunchGetKernel(launch);
  MlirOperation kernel = findKernel(h->module, name);
  MlirOperation grid = {NULL}, cost = {NULL};
  if (!mlirOperationIsNull(kernel)) TILE_FOR_EACH_OP(op, tileBody(kernel, 0)) {
      if (tileOpIsAGrid(op)) grid = op;
      if (tileOpIsACost(op)) cost = op;
    }
  MlirValue extents[3], costs[2], slots;
  intptr_t numExtents = tileLaunchGetNumGrid(launch), numCosts = 0;
  if (mlirOperationIsNull(grid) && !numExtents) {
    tileEmitError(
        b.location,
        "expected kernel '%.*s' to have a tile.grid, or the launch to give one (grid(%%n), "
        "--grid), found neither",
        (int)name.length, name.data);
    return mlirLogicalResultFailure();
  }
  h->launch = launch;
  h->chooses = h->options->configure;
  bindLaunch(h, &b, launch);
  if (h->chooses) {
    TILE_TRY(packArguments(h, &b, launch, &slots));
    wrapInChoice(h, launch, slots);
    b = tileBuilderBefore(launch);
  }
  for (intptr_t i = 0; i < numExtents; ++i) extents[i] = tileLaunchGetGrid(launch, i);
  if (!numExtents) TILE_TRY(cloneRegion(h, kernel, grid, launch, extents, 3, &numExtents));
  for (intptr_t i = numExtents; i < 3; ++i) extents[i] = tileBuildInt(&b, h->i32, 1);
  if (!mlirOperationIsNull(cost))
    TILE_TRY(cloneRegion(h, kernel, cost, launch, costs, 2, &numCosts));
  for (intptr_t i = numCosts; i < 2; ++i) costs[i] = tileBuildInt(&b, h->i64, 0);
  if (!h->chooses) TILE_TRY(packArguments(h, &b, launch, &slots));
  MlirValue site = tileHostSite(h, &b, launch);
  tileHostCall(h, &b, "tileHostLaunch", (MlirType){NULL},
               TILE_VALUES(site, slots, extents[0], extents[1], extents[2], costs[0], costs[1]));
  mlirOperationDestroy(launch);
  return mlirLogicalResultSuccess();
}
