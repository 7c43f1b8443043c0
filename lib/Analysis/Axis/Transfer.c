//===- Transfer.c - axis analysis: which transfer function an op has ------===//
#include "AxisFacts.h"
#include <stdlib.h>

typedef enum {
  FORGET, ///< nothing is known of the results
  BINARY,
  COMPARE,
  SELECT,
  CAST_SIGNED,
  CAST_UNSIGNED,
  CONSTANT,
  PROGRAM_ID,
  NUM_PROGRAMS,
  ARANGE,
  SPLAT,
  EXPAND_DIMS,
  BROADCAST,
  RESHAPE,
  TRANS,
  JOIN,
  SPLIT,
  CAT,
  ADDPTR,
  PTR_CAST,
  LOAD,
  COPY,
  FOR,
  IF,
  WHILE,
  HOST_REGION
} Transfer;

static const struct {
  const char *name;
  Transfer transfer;
  AxisBinary binary;
} transfers[] = {
    {"", FORGET, 0}, // what stands nowhere below
    {"arith.addi", BINARY, AXIS_ADD},
    {"arith.subi", BINARY, AXIS_SUB},
    {"arith.muli", BINARY, AXIS_MUL},
    {"arith.divsi", BINARY, AXIS_DIVS},
    {"arith.divui", BINARY, AXIS_DIVU},
    {"arith.ceildivsi", BINARY, AXIS_CEILDIVS},
    {"arith.ceildivui", BINARY, AXIS_CEILDIVU},
    {"arith.floordivsi", BINARY, AXIS_FLOORDIVS},
    {"arith.remsi", BINARY, AXIS_REMS},
    {"arith.remui", BINARY, AXIS_REMU},
    {"arith.shli", BINARY, AXIS_SHL},
    {"arith.shrsi", BINARY, AXIS_SHRS},
    {"arith.shrui", BINARY, AXIS_SHRU},
    {"arith.andi", BINARY, AXIS_AND},
    {"arith.ori", BINARY, AXIS_OR},
    {"arith.xori", BINARY, AXIS_XOR},
    {"arith.minsi", BINARY, AXIS_MINS},
    {"arith.maxsi", BINARY, AXIS_MAXS},
    {"arith.minui", BINARY, AXIS_MINU},
    {"arith.maxui", BINARY, AXIS_MAXU},
    {"arith.cmpi", COMPARE, 0},
    {"arith.select", SELECT, 0},
    {"arith.extsi", CAST_SIGNED, 0},
    {"arith.trunci", CAST_SIGNED, 0},
    {"arith.index_cast", CAST_SIGNED, 0},
    {"arith.extui", CAST_UNSIGNED, 0},
    {"arith.index_castui", CAST_UNSIGNED, 0},
    {"arith.constant", CONSTANT, 0},
    {"tile.program_id", PROGRAM_ID, 0},
    {"tile.num_programs", NUM_PROGRAMS, 0},
    {"tile.arange", ARANGE, 0},
    {"tile.splat", SPLAT, 0},
    {"tile.expand_dims", EXPAND_DIMS, 0},
    {"tile.broadcast", BROADCAST, 0},
    {"tile.reshape", RESHAPE, 0},
    {"tile.trans", TRANS, 0},
    {"tile.join", JOIN, 0},
    {"tile.split", SPLIT, 0},
    {"tile.cat", CAT, 0},
    {"tile.addptr", ADDPTR, 0},
    {"tile.ptr_cast", PTR_CAST, 0},
    {"tile.load", LOAD, 0},
    {"tile_gpu.convert_layout", COPY, 0},
    {"tile_gpu.pin", COPY, 0},
    {"scf.for", FOR, 0},
    {"scf.if", IF, 0},
    {"scf.while", WHILE, 0},
    {"tile.grid", HOST_REGION, 0},
    {"tile.cost", HOST_REGION, 0},
};

/// The row of `op` in the table, remembered by the name's address.
static int rowOf(TileAxisAnalysis *a, MlirOperation op) {
  MlirStringRef text = tileOpName(op);
  int *row = tilePointerTableFind(a->names, text.data);
  if (row) return *row;
  row = tilePointerTableAdd(&a->names, text.data, sizeof *row);
  for (int i = 1; i < (int)(sizeof transfers / sizeof *transfers); ++i)
    if (tileStringIs(text, transfers[i].name)) *row = i;
  return *row;
}

AxisOpKind axisFindRow(TileAxisAnalysis *a, MlirOperation op, int *row) {
  *row = rowOf(a, op);
  switch (transfers[*row].transfer) {
  case FORGET:
    return AXIS_OP_OTHER;
  case FOR:
    return AXIS_OP_FOR;
  case IF:
    return AXIS_OP_IF;
  case WHILE:
    return AXIS_OP_WHILE;
  case HOST_REGION:
    return AXIS_OP_HOST_REGION;
  default:
    return AXIS_OP_RESULTS;
  }
}

/// A launch has at most so many programs along x; and y, z.
enum { MAX_GRID_X = 2147483647, MAX_GRID_YZ = 65535 };

/// The grid stands in the kernel, so its bounds are bounds of the programs: there is one at least.
static TileAxisInfo gridIndex(const TileAxisAnalysis *a, MlirOperation op, AxisType type,
                              bool isCount) {
  int64_t axis = isCount ? tileNumProgramsGetAxis(op) : tileProgramIdGetAxis(op);
  int64_t most = axis == TILE_AXIS_X ? MAX_GRID_X : MAX_GRID_YZ;
  if (axis >= 0 && axis < 3 && a->grid[axis] > 0) most = axisMin(most, a->grid[axis]);
  TileAxisInfo info = axisUnknown(type);
  info.min = isCount ? 1 : 0;
  info.max = isCount ? most : most - 1;
  return info;
}

static TileAxisInfo transpose(MlirOperation op, AxisType type, const TileAxisInfo *a) {
  int order[TILE_MAX_RANK];
  MlirAttribute attr = tileTransGetOrderAttr(op);
  for (int d = 0; d < type.rank; ++d) order[d] = mlirDenseI32ArrayGetElement(attr, d);
  return axisTrans(type, a, order);
}

/// What `tile.nonnegative` says of a first operand.
static void believe(MlirOperation op, AxisType type, TileAxisInfo *a) {
  if (type.kind == AXIS_INTEGER && a->max >= 0 &&
      !mlirAttributeIsNull(tileAttr(op, "tile.nonnegative")))
    a->min = axisMax(a->min, 0);
}

/// One address has one value: what a load brings is the same where pointers, mask and fallback are.
/// (What is read again each time may have another one.)
static TileAxisInfo loaded(const TileAxisAnalysis *a, MlirOperation op, AxisType type) {
  const MlirValue from[] = {tileLoadGetPtr(op), tileLoadGetMask(op), tileLoadGetOther(op)};
  TileAxisInfo info = axisUnknown(type);
  if (tileLoadGetCache(op) == TILE_CACHE_USE_CV) return info;
  for (int d = 0; d < axisDims(type.rank); ++d) info.constancy[d] = type.extents[d];
  for (int i = 0; i < 3; ++i) {
    if (mlirValueIsNull(from[i])) continue;
    TileAxisInfo one = axisGetFact(a, from[i]);
    for (int d = 0; d < axisDims(type.rank); ++d)
      info.constancy[d] = axisGcd(info.constancy[d], one.rank == type.rank ? one.constancy[d] : 1);
  }
  return axisNormal(info, type);
}

/// The power of two that `value` is a multiple of as the op that makes it says, x * 2^k or x << k,
/// and x; 1 where there is none.
static int64_t factorOf(const TileAxisAnalysis *a, MlirValue value, MlirValue *of) {
  enum { MOST_SHIFT = 30 };
  MlirOperation op = tileValueGetOp(value);
  bool shifts = !mlirOperationIsNull(op) && tileOpIs(op, "arith.shli");
  if (mlirOperationIsNull(op) || (!shifts && !tileOpIs(op, "arith.muli"))) return 1;
  TileAxisInfo by = axisGetFact(a, tileOperand(op, 1));
  if (!by.hasConstant || by.constant < 1) return 1;
  *of = tileOperand(op, 0);
  if (shifts) return by.constant <= MOST_SHIFT ? INT64_C(1) << by.constant : 1;
  return axisPowerOfTwoIn(by.constant) == by.constant ? by.constant : 1;
}

/// Of 2^k x / d and 2^k x >> s, where x runs through consecutive numbers: what x / (d / 2^k) is
/// constant over. A run of so many that begins at a multiple lies between two multiples of d.
static void quotientOfMultiple(const TileAxisAnalysis *a, MlirOperation op, AxisBinary binary,
                               const TileAxisInfo *in, AxisType type, TileAxisInfo *info) {
  bool shifts = binary == AXIS_SHRS || binary == AXIS_SHRU;
  bool divides = binary == AXIS_DIVS || binary == AXIS_DIVU || binary == AXIS_FLOORDIVS;
  if ((!shifts && !divides) || !in[1].hasConstant || in[1].constant < 1) return;
  if (binary == AXIS_DIVS && in[0].min < 0) return;
  if (shifts && in[1].constant >= type.width - 1) return;
  int64_t by = shifts ? INT64_C(1) << in[1].constant : axisPowerOfTwoIn(in[1].constant);
  MlirValue of;
  int64_t factor = factorOf(a, tileOperand(op, 0), &of);
  if (factor == 1 || by % factor) return;
  TileAxisInfo x = axisGetFact(a, of);
  for (int d = 0; d < axisDims(type.rank) && x.rank == type.rank; ++d)
    info->constancy[d] =
        axisMax(info->constancy[d], axisGcd(axisAlignedRun(&x, type, d), by / factor));
}

static TileAxisInfo binary(const TileAxisAnalysis *a, MlirOperation op, int row, AxisType type,
                           TileAxisInfo *in) {
  believe(op, type, &in[0]);
  TileAxisInfo info = axisBinary(transfers[row].binary, type, &in[0], &in[1]);
  quotientOfMultiple(a, op, transfers[row].binary, in, type, &info);
  return info;
}

TileAxisInfo axisEvaluate(const TileAxisAnalysis *a, MlirOperation op, int row) {
  AxisType type = axisTypeOfValue(tileResult(op)), types[3] = {{0}};
  TileAxisInfo in[3] = {{0}};
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count && i < 3; ++i) {
    MlirValue operand = tileOperand(op, i);
    types[i] = axisTypeOfValue(operand);
    in[i] = axisGetFact(a, operand);
  }
  switch (transfers[row].transfer) {
  case BINARY:
    return binary(a, op, row, type, in);
  case COMPARE:
    return axisCompare((int)tileIntAttr(op, "predicate", -1), type, types[0], &in[0], &in[1]);
  case SELECT:
    return axisSelect(type, types[0], &in[0], &in[1], &in[2]);
  case CAST_SIGNED:
  case CAST_UNSIGNED:
    return axisCast(type, types[0], transfers[row].transfer == CAST_SIGNED, &in[0]);
  case CONSTANT:
    return axisConstantOp(type, tileAttr(op, "value"));
  case PROGRAM_ID:
  case NUM_PROGRAMS:
    return gridIndex(a, op, type, transfers[row].transfer == NUM_PROGRAMS);
  case ARANGE:
    return axisArange(type);
  case SPLAT:
    return axisSplat(type, &in[0]);
  case EXPAND_DIMS:
    return axisExpandDims(type, &in[0], (int)tileExpandDimsGetAxis(op));
  case BROADCAST:
    return axisBroadcast(type, types[0], &in[0]);
  case RESHAPE:
    return axisReshape(type, types[0], &in[0]);
  case TRANS:
    return transpose(op, type, &in[0]);
  case JOIN:
    return axisJoinTiles(type, types[0], &in[0], &in[1]);
  case SPLIT:
    return axisSplitTile(type, &in[0]);
  case CAT:
    return axisCat(type, types[0], &in[0], types[1], &in[1], (int)tileCatGetAxis(op));
  case ADDPTR:
    return axisAddPtr(type, types[1], &in[0], &in[1]);
  case PTR_CAST:
    return axisPtrCast(type, types[0], &in[0]);
  case LOAD:
    return loaded(a, op, type);
  case COPY:
    return in[0];
  case FORGET:
  case FOR:
  case IF:
  case WHILE:
  case HOST_REGION:
    break;
  }
  return axisUnknown(type);
}
