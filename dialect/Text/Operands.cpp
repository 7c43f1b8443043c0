//===- Operands.cpp - types that text may leave out -----------------------===//
#include "Operands.h"
#include "Expression.h"
#include "Extent.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
using namespace mlir;
using namespace tile;

ParseResult tile::parseFitting(OpAsmParser &p, const Operand &operand, StringRef what, Type meant,
                               Type &type) {
  type = typeOrNone(p, operand);
  if (!type) return failure();
  if (type == meant || isa<NoneType>(type) ||
      (getElementTypeOrSelf(type) == getElementTypeOrSelf(meant) && fitsShape(type, meant)))
    return success();
  return p.emitError(operand.location, "expected ")
         << what << " that fits " << meant << ", found " << type;
}

/// `: type`, or that of `operand`.
static ParseResult parseOwnType(OpAsmParser &p, const Operand &operand, Type &type) {
  if (succeeded(p.parseOptionalColon())) return p.parseType(type);
  type = typeOf(p, operand);
  return failure(!type);
}

//===- memory -------------------------------------------------------------===//

static ParseResult parsePointers(OpAsmParser &p, const Operand &ptr, Type &type) {
  if (parseOwnType(p, ptr, type)) return failure();
  if (pointeeType(type)) return success();
  return p.emitError(ptr.location, "expected pointers, found ") << type;
}

static ParseResult parseMask(OpAsmParser &p, const MaybeOperand &mask, Type pointers, Type &type) {
  if (!mask) return success();
  return parseFitting(p, *mask, "a mask", tile::maskType(pointers), type);
}

ParseResult tile::parseLoadTypes(OpAsmParser &p, const Operand &ptr, const MaybeOperand &mask,
                                 const MaybeOperand &other, Type &ptrType, Type &maskType,
                                 Type &otherType, Type &result) {
  if (parsePointers(p, ptr, ptrType) || parseMask(p, mask, ptrType, maskType)) return failure();
  result = pointeeType(ptrType);
  return other ? parseFitting(p, *other, "a value", result, otherType) : ParseResult(success());
}

ParseResult tile::parseStoreTypes(OpAsmParser &p, const Operand &ptr, const Operand &value,
                                  const MaybeOperand &mask, Type &ptrType, Type &valueType,
                                  Type &maskType) {
  return failure(parsePointers(p, ptr, ptrType) ||
                 parseFitting(p, value, "a value", pointeeType(ptrType), valueType) ||
                 parseMask(p, mask, ptrType, maskType));
}

ParseResult tile::parseRmwTypes(OpAsmParser &p, const Operand &ptr, const Operand &value,
                                const MaybeOperand &mask, Type &ptrType, Type &valueType,
                                Type &maskType, Type &result) {
  if (parseStoreTypes(p, ptr, value, mask, ptrType, valueType, maskType)) return failure();
  result = pointeeType(ptrType);
  return success();
}

ParseResult tile::parseCasTypes(OpAsmParser &p, const Operand &ptr, const Operand &expected,
                                const Operand &value, const MaybeOperand &mask, Type &ptrType,
                                Type &expectedType, Type &valueType, Type &maskType, Type &result) {
  if (parseStoreTypes(p, ptr, value, mask, ptrType, valueType, maskType)) return failure();
  result = pointeeType(ptrType);
  return parseFitting(p, expected, "a value", result, expectedType);
}

ParseResult tile::parseAddressTypes(OpAsmParser &p, const Operand &ptr, const Operand &offset,
                                    Type &ptrType, Type &offsetType, Type &result) {
  Type pointers, offsets;
  if (succeeded(p.parseOptionalColon())) {
    if (p.parseType(pointers) || p.parseComma() || p.parseType(offsets) ||
        parseFitting(p, ptr, "pointers", pointers, ptrType) ||
        parseFitting(p, offset, "offsets", offsets, offsetType))
      return failure();
  } else {
    pointers = ptrType = typeOf(p, ptr);
    offsets = offsetType = pointers ? typeOf(p, offset) : Type();
    if (!offsets) return failure();
  }
  auto tile = dyn_cast<RankedTensorType>(pointers);
  bool hasLayout = tile && isa_and_nonnull<LayoutAttr>(tile.getEncoding());
  result = hasLayout ? pointers : joinShapes(pointers, offsets);
  // What repeats nothing is for the verifier.
  if (!result && isa<RankedTensorType>(pointers)) result = pointers;
  if (pointeeType(result)) return success();
  return p.emitError(ptr.location, "expected pointers and offsets, found ")
         << pointers << " and " << offsets;
}

//===- others -------------------------------------------------------------===//

ParseResult tile::parseSwizzleTypes(OpAsmParser &p, const Operand &i, const Operand &j,
                                    const Operand &sizeI, const Operand &sizeJ,
                                    const Operand &group, Type &iType, Type &jType, Type &sizeIType,
                                    Type &sizeJType, Type &groupType, Type &newI, Type &newJ) {
  const Operand *const operands[] = {&i, &j, &sizeI, &sizeJ, &group};
  Type *const types[] = {&iType, &jType, &sizeIType, &sizeJType, &groupType};
  Type meant;
  bool isWritten = succeeded(p.parseOptionalColon());
  if (isWritten && p.parseType(meant)) return failure();
  for (const Operand *operand : operands) {
    Type type = isWritten ? meant : typeOf(p, *operand);
    if (!type) return failure();
    Type joined = meant ? joinShapes(meant, type) : type;
    if (!joined)
      return p.emitError(operand->location, "expected a position that fits ")
             << meant << ", found " << type;
    meant = joined;
  }
  newI = newJ = meant;
  for (auto [operand, type] : llvm::zip(operands, types))
    if (parseFitting(p, *operand, "a position", meant, *type)) return failure();
  return success();
}

/// `: source -> result`. True where it was there.
static OptionalParseResult parseWritten(OpAsmParser &p, Type &source, Type &result) {
  if (failed(p.parseOptionalColon())) return std::nullopt;
  return ParseResult(failure(p.parseType(source) || p.parseArrow() || p.parseType(result)));
}

static ParseResult parseTile(OpAsmParser &p, const Operand &source, Type &type,
                             SmallVector<int64_t> &dimensions) {
  type = typeOf(p, source);
  auto tile = dyn_cast_or_null<RankedTensorType>(type);
  if (!type) return failure();
  if (!tile) return p.emitError(source.location, "expected a tile, found ") << type;
  dimensions = llvm::to_vector(llvm::seq<int64_t>(0, tile.getRank()));
  return success();
}

ParseResult tile::parseExpandTypes(OpAsmParser &p, const Operand &source, IntegerAttr axis,
                                   Type &sourceType, Type &result) {
  OptionalParseResult written = parseWritten(p, sourceType, result);
  if (written.has_value()) return *written;
  SmallVector<int64_t> pick;
  if (parseTile(p, source, sourceType, pick)) return failure();
  int64_t at = axis.getInt(), rank = static_cast<int64_t>(pick.size());
  if (at < 0 || at > rank)
    return p.emitError(source.location, "expected an axis from 0 to ") << rank << ", found " << at;
  pick.insert(pick.begin() + at, -1);
  result = rearranged(cast<RankedTensorType>(sourceType), pick);
  return success();
}

ParseResult tile::parseTransTypes(OpAsmParser &p, const Operand &source, DenseI32ArrayAttr order,
                                  Type &sourceType, Type &result) {
  OptionalParseResult written = parseWritten(p, sourceType, result);
  if (written.has_value()) return *written;
  SmallVector<int64_t> all;
  if (parseTile(p, source, sourceType, all)) return failure();
  SmallVector<int64_t> pick(order.asArrayRef());
  if (!std::is_permutation(pick.begin(), pick.end(), all.begin(), all.end()))
    return p.emitError(source.location, "expected order to list each of the ")
           << all.size() << " dimensions once, found [" << order.asArrayRef() << "]";
  result = rearranged(cast<RankedTensorType>(sourceType), pick);
  return success();
}

/// M x N of A and B, with a batch in front where they have one; null where they are not of a dot.
static Type productOf(Type a, Type b) {
  auto x = dyn_cast<RankedTensorType>(a), y = dyn_cast<RankedTensorType>(b);
  if (!x || !y || x.getRank() < 2 || x.getRank() != y.getRank()) return {};
  Type element = accumulatorOf(x.getElementType(), y.getElementType());
  if (!element) return {};
  SmallVector<int64_t> shape(x.getShape());
  SmallVector<StringAttr> names;
  shape.back() = y.getShape().back();
  for (int64_t i = 0; i < x.getRank(); ++i)
    if (StringAttr name = dimName(i + 1 < x.getRank() ? x : y, i)) names.push_back(name);
  Attribute dims = names.empty() ? Attribute() : DimsAttr::get(a.getContext(), names);
  return RankedTensorType::get(shape, element, dims);
}

ParseResult tile::parseDotTypes(OpAsmParser &p, const Operand &a, const Operand &b,
                                const Operand &acc, Type &aType, Type &bType, Type &accType,
                                Type &result) {
  if (succeeded(p.parseOptionalColon()))
    return failure(p.parseType(aType) || p.parseComma() || p.parseType(bType) || p.parseArrow() ||
                   p.parseType(result) || parseFitting(p, acc, "an accumulator", result, accType));
  aType = typeOf(p, a);
  bType = aType ? typeOf(p, b) : Type();
  accType = bType ? typeOf(p, acc) : Type();
  if (!accType) return failure();
  // Tiles that have layouts say all in the accumulator's.
  auto tile = dyn_cast<RankedTensorType>(accType);
  bool isWhole = tile && tile.getRank() >= 2 && !llvm::is_contained(tile.getShape(), 1);
  result = isWhole ? accType : productOf(aType, bType);
  if (!result)
    return p.emitError(a.location, "expected tiles that a dot multiplies, or its types, found ")
           << aType << " and " << bType;
  return parseFitting(p, acc, "an accumulator", result, accType);
}

ParseResult tile::parseSliceOffsets(OpAsmParser &p, ArrayAttr &offsets) {
  SmallVector<Attribute> found;
  auto parseOffset = [&]() -> ParseResult {
    StringAttr text;
    int64_t number = 0;
    // A number alone is one; a longer text that begins with one names something further on.
    const char *rest = p.getCurrentLocation().getPointer();
    StringRef digits = StringRef(rest).take_while([](char c) { return llvm::isDigit(c); });
    StringRef behind = StringRef(rest).drop_front(digits.size()).ltrim();
    if (!digits.empty() && (behind.starts_with(",") || behind.starts_with("]"))) {
      if (p.parseInteger(number)) return failure();
      found.push_back(p.getBuilder().getI64IntegerAttr(number));
      return success();
    }
    if (!digits.empty() && behind.starts_with(":"))
      return p.emitError(p.getCurrentLocation(), "expected where the part begins alone, as its "
                                                 "type says how long it is, found a range");
    if (parseExtentText(p, text)) return failure();
    found.push_back(text);
    return success();
  };
  if (p.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOffset)) return failure();
  offsets = p.getBuilder().getArrayAttr(found);
  return success();
}

void tile::printSliceOffsets(OpAsmPrinter &p, Operation *, ArrayAttr offsets) {
  p << "[";
  llvm::interleaveComma(offsets, p, [&](Attribute offset) {
    if (auto text = dyn_cast<StringAttr>(offset))
      p << text.getValue();
    else
      p << cast<IntegerAttr>(offset).getValue();
  });
  p << "]";
}

ParseResult tile::parseCallTypes(OpAsmParser &p, ArrayRef<Operand> inputs,
                                 TypeList<Type> &inputTypes, TypeList<Type> &outputTypes) {
  if (succeeded(p.parseOptionalColon())) {
    FunctionType type;
    if (p.parseType(type)) return failure();
    inputTypes.append(type.getInputs().begin(), type.getInputs().end());
    outputTypes.append(type.getResults().begin(), type.getResults().end());
    return success();
  }
  for (const Operand &input : inputs) {
    inputTypes.push_back(typeOf(p, input));
    if (!inputTypes.back()) return failure();
  }
  return p.parseOptionalArrowTypeList(outputTypes);
}
