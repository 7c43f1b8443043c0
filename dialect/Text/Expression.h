//===- Expression.h - what tile.expr computes, as a tree -------*- C++ -*-===//
//
//   %offs = tile.expr %pid * BLOCK + arange(BLOCK)
//
// An expression lives in text alone. The parser makes a tree of it and finds the type of the result
// (Expression.cpp, Types.cpp); once the whole file is read, the tree becomes ops of arith and tile
// (ExpandText.cpp). Between the two it is an attribute of tile.expr, which no pass ever sees.
//
// A scalar fits a tile of any shape, and an extent of 1 any extent: the operands of each operator
// are repeated to the shape that all of them fit.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_DIALECT_TEXT_EXPRESSION_H
#define TILE_DIALECT_TEXT_EXPRESSION_H

#include "Operands.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tile {

/// A part of an expression. Of `kind`: an operator or function as it is written; "operand", a
/// value, whose index `value` has; "number" (`value`: IntegerAttr or FloatAttr); "meta" and
/// "arange" (StringAttr, of arange also IntegerAttr); "to" (TypeAttr); "expand", "program_id" and
/// "num_programs" (IntegerAttr: the axis); or the name of an op of upstream.
struct Node {
  std::string kind;
  llvm::SMLoc loc;
  std::vector<Node> children;
  mlir::Attribute value;
  /// Null: a number that takes the type of what stands beside it.
  mlir::Type type;
  bool isFloat = false; ///< of a number: it can be no integer
};

/// Is it program_id or num_programs?
inline bool isPlace(const Node &node) {
  return node.kind == "program_id" || node.kind == "num_programs";
}

/// Reports what is wrong with a part of an expression.
using Report = llvm::function_ref<mlir::InFlightDiagnostic(llvm::SMLoc)>;

/// The shape that `a` and `b` both fit, with the elements of `a`; null where there is none.
mlir::Type joinShapes(mlir::Type a, mlir::Type b);
/// Can a value of `from` be repeated to `to`? Elements are not compared.
bool fitsShape(mlir::Type from, mlir::Type to);

/// Gives each node its type, of operands of `operandTypes`. False after a report.
bool inferTypes(Node &node, llvm::ArrayRef<mlir::Type> operandTypes, Report report);
/// Gives numbers without a type of their own that of `element`. False after a report.
bool settleNumbers(Node &node, mlir::Type element, Report report);
/// i32, or f32 where a number in `node` is no integer.
mlir::Type defaultElement(const Node &node, mlir::MLIRContext *context);

/// The tree as an attribute, and back. The latter is false where the attribute is no tree.
mlir::Attribute toAttribute(const Node &node, mlir::MLIRContext *context);
bool fromAttribute(mlir::Attribute attr, Node &node);
/// Infix, fully parenthesized but for the outermost operator.
void printNode(const Node &node, mlir::OperandRange operands, mlir::OpAsmPrinter &p, bool inner);

/// Reads expressions. Values are counted over all that it reads.
class ExpressionParser {
public:
  /// With `wide`, integer values are i64: as tile.cost counts.
  ExpressionParser(mlir::OpAsmParser &p, bool wide = false) : p(p), wide(wide) {}
  mlir::ParseResult parse(Node &node);
  /// Reads one, with the types of all of it; `type`, where it is not null, is what it has to have.
  mlir::ParseResult parseTyped(Node &node, mlir::Type type);
  mlir::ParseResult settle(Node &node, mlir::Type type, llvm::SMLoc loc);
  /// Warns where a formula that begins there ends in what looks like Python's quotient.
  void warnOfQuotient(llvm::SMLoc begin);
  /// What it reads of the values so far.
  llvm::SmallVector<mlir::OpAsmParser::UnresolvedOperand> operands;
  llvm::SmallVector<mlir::Type> types;

private:
  mlir::ParseResult parseLevel(Node &node, unsigned level);
  mlir::ParseResult parseUnary(Node &node);
  mlir::ParseResult parsePrimary(Node &node);
  mlir::ParseResult parseExponent(Node &node);
  mlir::ParseResult parseWord(Node &node, llvm::StringRef word);
  mlir::ParseResult parseCall(Node &node, llvm::StringRef name);
  mlir::ParseResult parseExtent(Node &node);
  mlir::ParseResult parseAxis(Node &node);
  mlir::ParseResult parseOperandNode(Node &node);
  bool parseOperator(unsigned level, llvm::StringRef &op);
  mlir::OpAsmParser &p;
  bool wide;
};

} // namespace tile

#endif
