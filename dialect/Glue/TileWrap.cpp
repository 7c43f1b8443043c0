//===- TileWrap.cpp - how mlir-opt's main parses --------------------------===//
//
// The linker puts the function below in place of the one by which mlir-opt's main parses (--wrap,
// in tools/CMakeLists.txt), so that what stands in text alone is taken out (TileText.h). That of
// the language server is in TileLsp.cpp.
//
//===----------------------------------------------------------------------===//
#include "TileParse.h"
#include "TileText.h"
#include "mlir/Bytecode/BytecodeReader.h"
using namespace mlir;

#define TILE_PARSE_SOURCE                                                                          \
  "_ZN4mlir15parseSourceFileERKSt10shared_ptrIN4llvm9SourceMgrEEPNS_5BlockERKNS_"                  \
  "12ParserConfigEPNS_12LocationAttrE"

LogicalResult realParseSource(const std::shared_ptr<llvm::SourceMgr> &sources, Block *block,
                              const ParserConfig &config,
                              LocationAttr *start) asm("__real_" TILE_PARSE_SOURCE);
LogicalResult parseSource(const std::shared_ptr<llvm::SourceMgr> &sources, Block *block,
                          const ParserConfig &config,
                          LocationAttr *start) asm("__wrap_" TILE_PARSE_SOURCE);

LogicalResult parseSource(const std::shared_ptr<llvm::SourceMgr> &sources, Block *block,
                          const ParserConfig &config, LocationAttr *start) {
  const llvm::MemoryBuffer *file = sources->getMemoryBuffer(sources->getMainFileID());
  if (isBytecode(*file))
    return success(succeeded(realParseSource(sources, block, config, start)) &&
                   tile::isWithinLimits(block));
  auto parser = [&](const llvm::SourceMgr &text, Block *into, const ParserConfig &relaxed,
                    AsmParserState *, AsmParserCodeCompleteContext *) {
    if (&text == sources.get()) return realParseSource(sources, into, relaxed, start);
    return parseAsmSourceFile(text, into, relaxed); // of a file that is included
  };
  return tile::parseText(parser, *sources, block, config, nullptr, nullptr);
}
