//===- CheckKernel.c - what kernels are made of ---------------------------===//
//
// Two passes that change nothing. What no lowering takes is refused here, so that GPU and CPU
// refuse the same kernels in the same words. Before helpers become part of kernels, as functions of
// other dialects would (tile-check-ops; tile/Session asks it, too, where kernels are taken apart):
//
//   func.call @f()                          an op is of tile, arith, math or scf
//   scf.parallel (%i) = ..                  of which for, if, while and execute_region are taken
//
// Before any other pass of either road (tile-check-kernel):
//
//   tile.func @k(%m: tensor<4xi1>)          a kernel's arguments are numbers and pointers
//   %t = .. : tensor<*xf32>, tensor<0xi32>  a tile's extents are known and above 0
//   %x = .. : f80, tensor<4xtf32>           a float is one of those that pointers point to
//   %c = arith.constant dense_resource<r>   a constant's elements stand in the text
//   tile.num_warps = 3, num_stages = 99     warps and stages are as many as a GPU's kernel may have
//
// Requires: helpers inlined and meta-parameters bound, for tile-check-kernel.
// Preserves: everything.
//===----------------------------------------------------------------------===//
#include "tile/IR.h"
#include "tile/Passes.h"

static bool refuse(MlirOperation op, const char *wanted, MlirStringRef found) {
  tileEmitError(mlirOperationGetLocation(op), "expected %s, found '%.*s'", wanted,
                (int)found.length, found.data);
  return false;
}

/// Known extents, all of them positive, laid out as tile says or in no way yet.
static bool checkTile(MlirOperation op, MlirType type) {
  int64_t shape[TILE_MAX_RANK];
  MlirAttribute encoding = mlirRankedTensorTypeGetEncoding(type);
  if (!mlirAttributeIsNull(encoding) && !tileAttributeIsADims(encoding) &&
      !tileAttributeIsALayout(encoding))
    return refuse(op, "tiles without an encoding", tileOpName(op));
  int rank = tileShape(type, shape);
  if (rank < 0) return refuse(op, "tiles of fewer dimensions", tileOpName(op));
  for (int i = 0; i < rank; ++i)
    if (shape[i] <= 0)
      return refuse(op, shape[i] ? "tiles whose extents are bound" : "tiles that are not empty",
                    tileOpName(op));
  return true;
}

/// A float that arrays hold. Integers have any width, as arith has them.
static bool isFloat(MlirType type) {
  return mlirTypeIsAF32(type) || mlirTypeIsAF16(type) || mlirTypeIsABF16(type) ||
         mlirTypeIsAF64(type) || mlirTypeIsAFloat8E4M3FN(type) || mlirTypeIsAFloat8E5M2(type);
}

/// An integer that arrays hold.
static bool isInteger(MlirType type) {
  int width = mlirTypeIsAInteger(type) ? tileBitWidth(type) : 0;
  return width && mlirIntegerTypeIsSignless(type) &&
         (width == 1 || width == 8 || width == 16 || width == 32 || width == 64);
}

static bool checkType(MlirOperation op, MlirType type) {
  if (mlirTypeIsAUnrankedTensor(type))
    return refuse(op, "tiles whose extents are bound", tileOpName(op));
  MlirType element = tileTypeIsTile(type) ? tileElementType(type) : type;
  if (mlirTypeIsAFloat(element) && !isFloat(element))
    return refuse(op, "floats that are f16, bf16, f32, f64, f8E4M3FN or f8E5M2", tileOpName(op));
  return !tileTypeIsTile(type) || checkTile(op, type);
}

static bool checkConstant(MlirOperation op) {
  bool dense = mlirAttributeIsADenseElements(tileAttr(op, "value"));
  return dense || !tileTypeIsTile(mlirValueGetType(tileResult(op))) ||
         refuse(op, "a constant tile of dense elements", tileOpName(op));
}

static bool checkOp(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!checkType(op, mlirValueGetType(mlirOperationGetResult(op, i)))) return false;
  return !tileOpIs(op, "arith.constant") || checkConstant(op);
}

/// Both lowerings take loops and branches that are written as such: what runs beside itself is not
/// a program's to say.
static bool checkFlow(MlirOperation op) {
  static const char *const names[] = {
      "scf.for", "scf.if", "scf.while", "scf.yield", "scf.condition", "scf.execute_region", NULL};
  if (tileOpIsOneOf(op, names)) return true;
  return refuse(op, "scf.for, scf.if or scf.while in a kernel", tileOpName(op));
}

static bool checkDialect(MlirOperation op) {
  static const char *const dialects[] = {"tile", "tile_gpu", "arith", "math", "ub", "gpu"};
  if (tileOpIsOfDialect(op, "scf")) return checkFlow(op);
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
    if (tileOpIsOfDialect(op, dialects[i])) return true;
  return refuse(op, "an op of tile, arith, math or scf in a kernel", tileOpName(op));
}

/// What each op of a function is asked, until one is refused.
typedef struct Question {
  bool (*ask)(MlirOperation op);
  bool failed;
} Question;

static MlirWalkResult visit(MlirOperation op, void *data) {
  Question *question = data;
  // What the host evaluates is the host's to check.
  if (tileOpIsAGrid(op) || tileOpIsACost(op)) return MlirWalkResultSkip;
  question->failed = !tileOpIsAFunc(op) && !question->ask(op);
  return question->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static MlirLogicalResult askAll(MlirOperation func, bool (*ask)(MlirOperation op)) {
  Question question = {ask, false};
  mlirOperationWalk(func, visit, &question, MlirWalkPreOrder);
  return question.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

MlirLogicalResult tileRunCheckOps(MlirOperation func) { return askAll(func, checkDialect); }

/// What is bound for GPUs alone is right for all, so that a configuration means the same
/// everywhere.
static bool checkLaunch(MlirOperation kernel) {
  int64_t warps = tileIntAttr(kernel, "tile.num_warps", 1);
  int64_t stages = tileIntAttr(kernel, "tile.num_stages", 1);
  MlirLocation loc = mlirOperationGetLocation(kernel);
  if (warps < 1 || warps > 32 || (warps & (warps - 1)))
    tileEmitError(loc, "expected 1, 2, 4, 8, 16 or 32 warps, found %lld", (long long)warps);
  else if (stages < 0 || stages > 16)
    tileEmitError(loc, "expected 1 to 16 stages, found %lld", (long long)stages);
  else
    return true;
  return false;
}

MlirLogicalResult tileRunCheckKernel(MlirOperation kernel) {
  // A helper is looked at in the kernels that it has become part of.
  if (!mlirAttributeIsNull(tileAttr(kernel, "sym_visibility"))) return mlirLogicalResultSuccess();
  MlirBlock body = tileBody(kernel, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(body, i));
    if (tileTypeIsAPtr(type) || isInteger(type) || isFloat(type)) continue;
    tileEmitError(
        mlirOperationGetLocation(kernel),
        "expected pointers and numbers as kernel arguments, found another type for argument %ld",
        (long)i);
    return mlirLogicalResultFailure();
  }
  return checkLaunch(kernel) ? askAll(kernel, checkOp) : mlirLogicalResultFailure();
}
