//===- Trace.h - what passes decide, for those who ask --------------------===//
//
// TILE_TRACE=assign-layouts,pipeline names passes (`all`: each) whose decisions are wanted as
// remarks: what is done, and where. Refusals, which are remarks at any time, count as decisions in
// tile-run, which shows remarks of traced passes, and with --remarks those of all, or of some.
//
//   tileTrace(mlirOperationGetLocation(loop), "loop is pipelined in %d stages", stages);
//
// The glue around each pass says which one runs on this thread (dialect/Glue/passes.jq).
//===----------------------------------------------------------------------===//
#ifndef TILE_TRACE_H
#define TILE_TRACE_H

#include "mlir-c/IR.h"
#include "tile/Support/Suggest.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A remark at `location`, if the pass that runs is traced.
void tileTrace(MlirLocation location, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Whether the pass that runs on this thread is traced: for what is costly to say.
bool tileTraceIsOn(void);
/// Whether any pass is.
bool tileTraceIsAnyOn(void);

/// The pass whose body runs on this thread ("tile-pipeline"), or NULL.
const char *tileTraceGetPass(void);
/// Sets it to `name`, static text or NULL, and returns what it was.
const char *tileTraceSetPass(const char *name);

/// Whether `list`, as of $TILE_TRACE ("assign-layouts,tile-pipeline", "all"), names the pass.
bool tilePassListHas(const char *list, const char *pass);
/// The first name in such a list that is no pass of tile's, in memory that the caller frees; NULL
/// when there is none, and in `meant` the end of a message about it. A list without names is one
/// itself, but for a `list` of NULL, which is $TILE_TRACE.
char *tilePassListFindUnknown(const char *list, TileSuggestionText *meant);

#ifdef __cplusplus
}
#endif
#endif // TILE_TRACE_H
