//===- TileNames.cpp - values keep the names they have in the text --------===//
//
// MLIR forgets the names of values once it has parsed them, except for tools: the state that its
// language server asks for has the place of each. They become locations, as tile/Support/Names.h
// tells.
//
//===----------------------------------------------------------------------===//
#include "TileNames.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Location.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
using namespace mlir;

/// "x" of the range of "%x"; empty for a range that is none of the text's.
static StringRef nameAt(SMRange range) {
  if (!range.isValid()) return {};
  const char *begin = range.Start.getPointer(), *end = range.End.getPointer();
  StringRef text(begin, static_cast<size_t>(end - begin));
  return text.consume_front("%") ? text : StringRef();
}

/// `loc` under this name. A number is none where there is another: what a compiler printed with
/// locations may have names there.
static Location named(StringRef name, Location loc) {
  if (name.empty() || (llvm::isDigit(name[0]) && loc->findInstanceOf<NameLoc>())) return loc;
  return NameLoc::get(StringAttr::get(loc.getContext(), name), loc);
}

using Definition = AsmParserState::OperationDefinition;

/// The first name is the outermost, which MLIR's printer takes; of several results all are inside.
static void nameResults(Definition &definition) {
  auto &groups = definition.resultGroups;
  Operation *op = definition.op;
  if (groups.empty()) return;
  Location loc = op->getLoc();
  unsigned end = op->getNumResults();
  for (size_t i = groups.size(); end > 1 && i-- > 0;) {
    unsigned start = groups[i].startIndex;
    unsigned next = i + 1 < groups.size() ? groups[i + 1].startIndex : end;
    std::string text = (Twine(start) + ":" + Twine(next - start) + "=").str();
    loc = NameLoc::get(
        StringAttr::get(loc.getContext(), text + nameAt(groups[i].definition.loc).str()), loc);
  }
  StringRef first = nameAt(groups[0].definition.loc);
  op->setLoc(end > 1 ? Location(NameLoc::get(StringAttr::get(loc.getContext(), first), loc))
                     : named(first, loc));
}

static void nameAll(AsmParserState &state) {
  for (Definition &definition : state.getOpDefs()) nameResults(definition);
  for (AsmParserState::BlockDefinition &definition : state.getBlockDefs())
    for (auto [argument, place] : llvm::zip(definition.block->getArguments(), definition.arguments))
      argument.setLoc(named(nameAt(place.loc), argument.getLoc()));
}

LogicalResult tile::parseNamedText(const llvm::SourceMgr &sources, Block *block,
                                   const ParserConfig &config, AsmParserState *,
                                   AsmParserCodeCompleteContext *) {
  AsmParserState state;
  if (failed(parseAsmSourceFile(sources, block, config, &state))) return failure();
  nameAll(state);
  return success();
}

OwningOpRef<ModuleOp> tile::parseNamed(llvm::SourceMgr &sources, MLIRContext *context) {
  const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(sources.getMainFileID());
  ParserConfig config(context, /*verifyAfterParse=*/false);
  if (isBytecode(*buffer)) return parseSourceFile<ModuleOp>(sources, config);
  Block block;
  if (failed(parseNamedText(sources, &block, config, nullptr, nullptr))) return {};
  auto loc = FileLineColLoc::get(context, buffer->getBufferIdentifier(), 0, 0);
  return detail::constructContainerOpForParserIfNecessary<ModuleOp>(&block, context, loc);
}
