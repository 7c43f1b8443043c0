//===- TileText.cpp - what stands in text alone, taken out of modules -----===//
//
// Every way in which a text becomes a module ends here: tileParse and tileParseFile (tile-run,
// tile.h), tile-opt and the language server. The latter two have MLIR's mains, which parse by
// themselves: the linker puts the parser below in the place of MLIR's (--wrap, in
// tools/CMakeLists.txt).
//
//===----------------------------------------------------------------------===//
#include "TileText.h"
#include "Text/ExpandText.h"
#include "Text/Generic.h"
#include "TileInclude.h"
#include "TileParse.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
using namespace mlir;

void tile::relax(const ParserConfig &config, ParserConfig &relaxed) {
  // How mlir-opt's --run-reproducer reads what it is to run.
  if (AsmResourceParser *pipeline = config.getResourceParser("mlir_reproducer"))
    relaxed.attachResourceParser("mlir_reproducer", [pipeline](AsmParsedResourceEntry &entry) {
      return pipeline->parseResource(entry);
    });
}

/// The module that a file writes, or that MLIR puts around what it has.
static ModuleOp writtenModule(Block *block) {
  return llvm::hasSingleElement(*block) ? dyn_cast<ModuleOp>(block->front()) : ModuleOp();
}

LogicalResult tile::expandModule(ModuleOp module, StringRef file, TextParser parser) {
  return failure(failed(resolveIncludes(module, file, parser)) ||
                 failed(instantiateTypes(module)) || failed(expandText(module)));
}

static LogicalResult finish(Block *block, MLIRContext *context, StringRef file,
                            tile::TextParser parser, llvm::function_ref<bool(Operation *)> check) {
  auto finishModule = [&](ModuleOp module) {
    return success(tile::isWithinLimits(module) &&
                   succeeded(tile::expandModule(module, file, parser)) && check(module));
  };
  if (ModuleOp module = writtenModule(block)) return finishModule(module);
  OwningOpRef<ModuleOp> around = ModuleOp::create(UnknownLoc::get(context));
  Block *body = around->getBody();
  body->getOperations().splice(body->end(), block->getOperations());
  LogicalResult result = finishModule(*around);
  block->getOperations().splice(block->end(), body->getOperations());
  return result;
}

LogicalResult tile::expandCopy(TextParser parser, Block *block, MLIRContext *context,
                               StringRef file, llvm::function_ref<bool(Operation *)> check) {
  Block copy;
  IRMapping mapping;
  for (Operation &op : *block) copy.push_back(op.clone(mapping));
  return finish(&copy, context, file, parser, check);
}

LogicalResult tile::parseText(TextParser parser, const llvm::SourceMgr &sources, Block *block,
                              const ParserConfig &config, AsmParserState *state,
                              AsmParserCodeCompleteContext *completion) {
  if (!config.shouldVerifyAfterParse()) return parser(sources, block, config, state, completion);
  MLIRContext *context = config.getContext();
  StringRef file = sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier();
  ParserConfig relaxed(context, false);
  relax(config, relaxed);
  if (failed(parser(sources, block, relaxed, state, completion))) return failure();
  auto check = [](Operation *module) { return succeeded(verify(module)); };
  if (!state) return finish(block, context, file, parser, check);
  return expandCopy(parser, block, context, file, check);
}
