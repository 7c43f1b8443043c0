//===- Tile.h - C API of the tile dialect -----------------------*- C -*-===//
//
// The dialect as C sees it: registration, its types and attributes, and the
// diagnostics that MLIR's own C API lacks. Accessors of ops are generated from
// the ODS into tile/Ops.h, passes from Passes.td into tile/Passes.h.
//
// Ownership is MLIR's: types and attributes are uniqued in their context and
// passed by value; a string returned is borrowed from the context.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TILE_H
#define TILE_TILE_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "tile/Layout.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tile, tile);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(TileGpu, tile_gpu);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(TileHost, tile_host);

/// Registers every tile pass and the pipelines --tile-to-nvvm and --tile-to-cpu, once a process.
void tileRegisterPasses(void);
/// A module from its text (which places call `name`) or its file, as mlirModuleCreateParse gives
/// it, which the caller destroys; null after a diagnostic, also where a parser of one of MLIR's
/// dialects crashes. Neither needs a NUL; bytecode will do.
MlirModule tileParse(MlirContext context, MlirStringRef text, MlirStringRef name);
MlirModule tileParseFile(MlirContext context, MlirStringRef path);
/// Registers tile, MLIR's dialects with their extensions, and the translations to LLVM IR.
void tileRegisterDialects(MlirDialectRegistry registry);
/// Registers the upstream passes that tile's pipelines use, once a process.
void tileRegisterUpstreamPasses(void);

//===- types --------------------------------------------------------------===//

/// !tile.ptr<pointee>.
bool tileTypeIsAPtr(MlirType type);
MlirType tilePtrTypeGet(MlirType pointee);
MlirType tilePtrTypeGetPointee(MlirType ptr);

/// !tile.desc<box>: the box is a ranked tensor type.
bool tileTypeIsADesc(MlirType type);
MlirType tileDescTypeGet(MlirType box);
MlirType tileDescTypeGetBox(MlirType desc);

/// !tile_gpu.buffer<..>: `order` lists the dimensions fastest first; `swizzle` is in bytes.
bool tileTypeIsABuffer(MlirType type);
MlirType tileBufferTypeGet(MlirContext context, int rank, const int64_t *shape, MlirType element,
                           int64_t swizzle, const int64_t *order, int64_t stages);
int tileBufferTypeGetRank(MlirType buffer);
int64_t tileBufferTypeGetDim(MlirType buffer, int i);
int64_t tileBufferTypeGetOrder(MlirType buffer, int i);
MlirType tileBufferTypeGetElement(MlirType buffer);
int64_t tileBufferTypeGetSwizzle(MlirType buffer);
int64_t tileBufferTypeGetStages(MlirType buffer);
/// Has each row a place of its own, modulo 16 bytes?
bool tileBufferTypeIsRagged(MlirType buffer);
/// The same without a swizzle, with rows that have.
MlirType tileBufferTypeGetRagged(MlirType buffer);

//===- attributes ---------------------------------------------------------===//

/// #tile.dims<[A, B]>: the names of `?` extents.
bool tileAttributeIsADims(MlirAttribute attr);
MlirStringRef tileDimsGetName(MlirAttribute dims, intptr_t i);
MlirAttribute tileDimsAttrGet(MlirContext context, intptr_t count, const MlirStringRef *names);

/// #tile_gpu.layout<..> from and to the layout algebra. `shape` are the tile's extents (padded to
/// powers of two inside); `tileLayoutFromAttr` returns false where a basis does not fit them.
bool tileAttributeIsALayout(MlirAttribute attr);
MlirAttribute tileLayoutToAttr(MlirContext context, const TileLayout *layout);
bool tileLayoutFromAttr(MlirAttribute attr, int rank, const int64_t *shape, TileLayout *layout);

/// The attribute of tile.dot's `instruction` (a TileInstruction of tile/Ops.h).
MlirAttribute tileInstructionAttrGet(MlirContext context, int instruction);
/// The chip of a #nvvm.target; an empty string for any other attribute. Borrowed.
MlirStringRef tileTargetAttrGetChip(MlirAttribute attr);

//===- names --------------------------------------------------------------===//

/// Calls back with the name of each op of the dialects that are loaded, and of each dialect that
/// could be, in alphabetical order.
void tileForEachOpName(MlirContext context, void (*callback)(MlirStringRef, void *), void *data);
void tileForEachDialectName(MlirContext context, void (*callback)(MlirStringRef, void *),
                            void *data);

//===- diagnostics --------------------------------------------------------===//

/// Emits at `location`; the texts follow "expected ..., found ...".
void tileEmitError(MlirLocation location, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// A note of a diagnostic, at a place of its own.
typedef struct TileNote {
  MlirLocation location;
  MlirStringRef text;
} TileNote;
/// The same with notes, of any severity.
void tileEmitWithNotes(MlirDiagnosticSeverity severity, MlirLocation location, MlirStringRef text,
                       const TileNote *notes, size_t count);
void tileEmitWarning(MlirLocation location, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void tileEmitRemark(MlirLocation location, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif
#endif
