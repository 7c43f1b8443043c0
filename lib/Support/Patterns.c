//===- Patterns.c - C functions as MLIR's rewrite patterns ----------------===//
#include "tile/Patterns.h"
#include "mlir-c/Rewrite.h"
#include <stdlib.h>

/// What MLIR hands back to us.
typedef struct {
  const TilePattern *pattern;
  void *data;
} Use;

static MlirLogicalResult rewrite(MlirRewritePattern pattern, MlirOperation op,
                                 MlirPatternRewriter rewriter, void *data) {
  (void)pattern;
  const Use *use = data;
  intptr_t count = mlirOperationGetNumResults(op);
  MlirValue *results = calloc((size_t)count + 1, sizeof *results);
  if (!results) abort();
  TileBuilder b = tileBuilderBefore(op);
  bool replaces = use->pattern->rewrite(&b, op, use->data, results);
  if (replaces)
    mlirRewriterBaseReplaceOpWithValues(mlirPatternRewriterAsBase(rewriter), op, count, results);
  free(results);
  return replaces ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

void tileApplyPatterns(MlirOperation root, intptr_t count, const TilePattern *patterns,
                       void *data) {
  MlirContext context = mlirOperationGetContext(root);
  MlirRewritePatternSet set = mlirRewritePatternSetCreate(context);
  Use *uses = calloc((size_t)count + 1, sizeof *uses);
  if (!uses) abort();
  for (intptr_t i = 0; i < count; ++i) {
    uses[i] = (Use){.pattern = &patterns[i], .data = data};
    MlirRewritePatternCallbacks callbacks = {.matchAndRewrite = rewrite};
    mlirRewritePatternSetAdd(set,
                             mlirOpRewritePatternCreate(tileString(patterns[i].root), 1, context,
                                                        callbacks, &uses[i], 0, NULL));
  }
  // Freezing takes the patterns and leaves the set, empty, to us.
  MlirFrozenRewritePatternSet frozen = mlirFreezeRewritePattern(set);
  mlirWalkAndApplyPatterns(root, frozen);
  mlirFrozenRewritePatternSetDestroy(frozen);
  mlirRewritePatternSetDestroy(set);
  free(uses);
}
