//===- DialectContext.h - a context that has all of tile's dialects -------===//
#ifndef TILE_TEST_DIALECT_CONTEXT_H
#define TILE_TEST_DIALECT_CONTEXT_H

#include "tile/IR.h"

/// On one thread, with every dialect loaded; the caller destroys it.
static inline MlirContext createDialectContext(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  return context;
}

#endif // TILE_TEST_DIALECT_CONTEXT_H
