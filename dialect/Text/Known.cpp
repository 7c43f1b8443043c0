//===- Known.cpp - types that values have already -------------------------===//
#include "Known.h"
#include "Extent.h"
#include "mlir/IR/Builders.h"
using namespace mlir;
using namespace tile;

/// The type of each operand, as it was defined.
static ParseResult lookUp(OpAsmParser &p, ArrayRef<Operand> operands, TypeList<Type> &types) {
  for (const Operand &operand : operands) {
    types.push_back(typeOf(p, operand));
    if (!types.back()) return failure();
  }
  return success();
}

ParseResult tile::parseKnownTypes(OpAsmParser &p, ArrayRef<Operand> operands,
                                  TypeList<Type> &types) {
  return succeeded(p.parseOptionalColon()) ? p.parseTypeList(types) : lookUp(p, operands, types);
}

ParseResult tile::parseKnownType(OpAsmParser &p, const Operand &operand, Type &type) {
  if (succeeded(p.parseOptionalColon())) return p.parseType(type);
  type = typeOf(p, operand);
  return failure(!type);
}

ParseResult tile::parseKnownPair(OpAsmParser &p, const Operand &a, const Operand &b, Type &aType,
                                 Type &bType) {
  if (succeeded(p.parseOptionalColon()))
    return failure(p.parseType(aType) || p.parseComma() || p.parseType(bType));
  aType = typeOf(p, a);
  bType = aType ? typeOf(p, b) : Type();
  return failure(!bType);
}

ParseResult tile::parseSourceTypes(OpAsmParser &p, const Operand &source, Type &sourceType,
                                   Type &result) {
  return failure(parseKnownType(p, source, sourceType) || p.parseArrow() || p.parseType(result));
}

/// `: type`, or that of `operand`; a tile where the result has to follow from it.
static ParseResult parseTile(OpAsmParser &p, const Operand &operand, RankedTensorType &tile,
                             int64_t leastRank = 1) {
  Type type = typeOf(p, operand);
  if (!type) return failure();
  tile = dyn_cast<RankedTensorType>(type);
  if (tile && tile.getRank() >= leastRank) return success();
  return p.emitError(operand.location, "expected a tile")
         << (leastRank > 1 ? " of rank 2 or more" : "") << ", found " << type;
}

ParseResult tile::parseJoinTypes(OpAsmParser &p, const Operand &lhs, Type &lhsType, Type &result) {
  if (succeeded(p.parseOptionalColon()))
    return failure(p.parseType(lhsType) || p.parseArrow() || p.parseType(result));
  RankedTensorType tile;
  if (parseTile(p, lhs, tile)) return failure();
  SmallVector<int64_t> shape(tile.getShape());
  shape.push_back(2);
  lhsType = tile;
  result = RankedTensorType::get(shape, tile.getElementType(), tile.getEncoding());
  return success();
}

ParseResult tile::parseSplitTypes(OpAsmParser &p, const Operand &source, Type &sourceType,
                                  Type &half) {
  if (succeeded(p.parseOptionalColon()))
    return failure(p.parseType(sourceType) || p.parseArrow() || p.parseType(half));
  RankedTensorType tile;
  if (parseTile(p, source, tile, 2)) return failure();
  sourceType = tile;
  half = rearranged(tile, llvm::to_vector(llvm::seq<int64_t>(0, tile.getRank() - 1)));
  return success();
}

ParseResult tile::parseCatTypes(OpAsmParser &p, const Operand &lhs, const Operand &rhs,
                                IntegerAttr axis, Type &lhsType, Type &rhsType, Type &result) {
  if (succeeded(p.parseOptionalColon()))
    return failure(p.parseType(lhsType) || p.parseComma() || p.parseType(rhsType) ||
                   p.parseArrow() || p.parseType(result));
  RankedTensorType a, b;
  if (parseTile(p, lhs, a) || parseTile(p, rhs, b)) return failure();
  int64_t at = axis.getInt(), rank = a.getRank();
  if (at < 0 || at >= rank || b.getRank() != rank)
    return p.emitError(lhs.location, "expected tiles of one rank, and an axis of it, found ")
           << a << " and " << b << " along axis " << at;
  SmallVector<int64_t> shape(a.getShape());
  SmallVector<StringAttr> names;
  for (int64_t i = 0; i < rank; ++i) {
    BoundExtent extent{a.getDimSize(i), dimName(a, i)};
    if (i == at) extent = addExtents(extent, {b.getDimSize(i), dimName(b, i)}, p.getContext());
    shape[static_cast<size_t>(i)] = extent.text ? ShapedType::kDynamic : extent.size;
    if (extent.text) names.push_back(extent.text);
  }
  lhsType = a;
  rhsType = b;
  Attribute dims = names.empty() ? Attribute() : DimsAttr::get(p.getContext(), names);
  result = RankedTensorType::get(shape, a.getElementType(), dims);
  return success();
}

ParseResult tile::parseGatherTypes(OpAsmParser &p, const Operand &source, const Operand &indices,
                                   Type &sourceType, Type &indicesType, Type &result) {
  if (succeeded(p.parseOptionalColon()))
    return failure(p.parseType(sourceType) || p.parseComma() || p.parseType(indicesType) ||
                   p.parseArrow() || p.parseType(result));
  RankedTensorType from, at;
  if (parseTile(p, source, from) || parseTile(p, indices, at)) return failure();
  sourceType = from;
  indicesType = at;
  result = RankedTensorType::get(at.getShape(), from.getElementType(), at.getEncoding());
  return success();
}

ParseResult tile::parseArrayTypes(OpAsmParser &p, ArrayRef<Operand> extents, TypeList<Type> &types,
                                  Type &array) {
  if (failed(p.parseOptionalColon()))
    return failure(lookUp(p, extents, types) || p.parseArrow() || p.parseType(array));
  FunctionType type;
  SMLoc loc = p.getCurrentLocation();
  if (p.parseType(type)) return failure();
  types.append(type.getInputs().begin(), type.getInputs().end());
  if (type.getNumResults() != 1)
    return p.emitError(loc, "expected one array behind '->', found ") << type.getNumResults();
  array = type.getResult(0);
  return success();
}
