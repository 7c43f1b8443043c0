//===- TileCApi.cpp - C functions over the dialect's types and attributes -===//
#include "Text/Extent.h"
#include "Tile.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tile/Extent.h"
#include "tile/Tile.h"
#include <cstdarg>
using namespace mlir;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tile, tile, tile::TileDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(TileGpu, tile_gpu, tile::TileGpuDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(TileHost, tile_host, tile::TileHostDialect)

//===- types --------------------------------------------------------------===//

bool tileTypeIsAPtr(MlirType t) { return isa<tile::PtrType>(unwrap(t)); }
MlirType tilePtrTypeGet(MlirType pointee) {
  return wrap(Type(tile::PtrType::get(unwrap(pointee).getContext(), unwrap(pointee))));
}
MlirType tilePtrTypeGetPointee(MlirType t) {
  return wrap(cast<tile::PtrType>(unwrap(t)).getPointee());
}

bool tileTypeIsADesc(MlirType t) { return isa<tile::DescType>(unwrap(t)); }
MlirType tileDescTypeGet(MlirType box) {
  auto tensor = cast<RankedTensorType>(unwrap(box));
  return wrap(Type(tile::DescType::get(tensor.getContext(), tensor)));
}
MlirType tileDescTypeGetBox(MlirType t) {
  return wrap(Type(cast<tile::DescType>(unwrap(t)).getBox()));
}

bool tileTypeIsABuffer(MlirType t) { return isa<tile::BufferType>(unwrap(t)); }
MlirType tileBufferTypeGet(MlirContext context, int rank, const int64_t *shape, MlirType element,
                           int64_t swizzle, const int64_t *order, int64_t stages) {
  return wrap(Type(tile::BufferType::get(unwrap(context), ArrayRef(shape, rank), unwrap(element),
                                         swizzle, ArrayRef(order, rank), stages, false)));
}
static tile::BufferType buffer(MlirType t) { return cast<tile::BufferType>(unwrap(t)); }
int tileBufferTypeGetRank(MlirType t) { return static_cast<int>(buffer(t).getShape().size()); }
int64_t tileBufferTypeGetDim(MlirType t, int i) { return buffer(t).getShape()[i]; }
int64_t tileBufferTypeGetOrder(MlirType t, int i) { return buffer(t).getOrder()[i]; }
MlirType tileBufferTypeGetElement(MlirType t) { return wrap(buffer(t).getElementType()); }
int64_t tileBufferTypeGetSwizzle(MlirType t) { return buffer(t).getSwizzle(); }
int64_t tileBufferTypeGetStages(MlirType t) { return buffer(t).getStages(); }
bool tileBufferTypeIsRagged(MlirType t) { return buffer(t).getRagged(); }
MlirType tileBufferTypeGetRagged(MlirType t) {
  tile::BufferType b = buffer(t);
  return wrap(Type(tile::BufferType::get(b.getContext(), b.getShape(), b.getElementType(), 0,
                                         b.getOrder(), b.getStages(), true)));
}

//===- attributes ---------------------------------------------------------===//

bool tileAttributeIsADims(MlirAttribute a) { return isa_and_nonnull<tile::DimsAttr>(unwrap(a)); }
MlirStringRef tileDimsGetName(MlirAttribute a, intptr_t i) {
  return wrap(cast<tile::DimsAttr>(unwrap(a)).getNames()[i].getValue());
}

bool tileExtentBind(MlirContext context, MlirStringRef extent, TileExtentLookUp lookUp, void *data,
                    int64_t *size, MlirStringRef *text) {
  MLIRContext *c = unwrap(context);
  auto bound = tile::bindExtent(StringAttr::get(c, unwrap(extent)),
                                [&](StringAttr name) -> std::optional<tile::BoundExtent> {
                                  int64_t known = -1;
                                  MlirStringRef other = {nullptr, 0};
                                  if (!lookUp(data, wrap(name.getValue()), &known, &other))
                                    return std::nullopt;
                                  if (known >= 0) return tile::BoundExtent{known, {}};
                                  return tile::BoundExtent{-1, StringAttr::get(c, unwrap(other))};
                                });
  if (!bound) return false;
  *size = bound->text ? INT64_MIN : bound->size;
  if (bound->text) *text = wrap(bound->text.getValue());
  return true;
}

MlirStringRef tileTargetAttrGetChip(MlirAttribute a) {
  auto target = dyn_cast_or_null<NVVM::NVVMTargetAttr>(unwrap(a));
  return wrap(target ? target.getChip() : StringRef());
}

MlirAttribute tileDimsAttrGet(MlirContext context, intptr_t count, const MlirStringRef *names) {
  SmallVector<StringAttr> list;
  for (intptr_t i = 0; i < count; ++i)
    list.push_back(StringAttr::get(unwrap(context), unwrap(names[i])));
  return wrap(tile::DimsAttr::get(unwrap(context), list));
}

bool tileAttributeIsALayout(MlirAttribute a) {
  return isa_and_nonnull<tile::LayoutAttr>(unwrap(a));
}

/// The bases of one input of a layout, one coordinate after the other.
static SmallVector<int64_t> flatBases(const TileLayout *layout, TileInDim in) {
  SmallVector<int64_t> flat;
  for (int bit = 0; bit < layout->inBits[in]; ++bit)
    for (int dim = 0; dim < layout->rank; ++dim)
      flat.push_back(tileLayoutCoordinate(*layout, layout->bases[in][bit], dim));
  return flat;
}

MlirAttribute tileLayoutToAttr(MlirContext context, const TileLayout *layout) {
  return wrap(Attribute(
      tile::LayoutAttr::get(unwrap(context), layout->rank, flatBases(layout, TILE_REGISTER),
                            flatBases(layout, TILE_LANE), flatBases(layout, TILE_WARP))));
}

bool tileLayoutFromAttr(MlirAttribute attr, int rank, const int64_t *shape, TileLayout *layout) {
  auto a = cast<tile::LayoutAttr>(unwrap(attr));
  *layout = tileLayoutEmpty(rank);
  SmallVector<int> below(rank + 1, 0); // bits of the dimensions after each
  for (int d = rank; d-- > 0;) {
    layout->outBits[d] = static_cast<int>(llvm::Log2_64_Ceil(shape[d]));
    below[d] = below[d + 1] + layout->outBits[d];
  }
  ArrayRef<int64_t> all[] = {a.getRegisters(), a.getLanes(), a.getWarps()};
  for (int in = 0; in < 3; ++in) {
    if (rank == 0) continue;
    if (all[in].size() % rank || all[in].size() / rank > TILE_MAX_BITS) return false;
    layout->inBits[in] = static_cast<int>(all[in].size() / rank);
    for (size_t i = 0; i < all[in].size(); ++i) {
      int d = static_cast<int>(i % rank);
      if (all[in][i] >> layout->outBits[d]) return false;
      layout->bases[in][i / rank] |= static_cast<uint64_t>(all[in][i]) << below[d + 1];
    }
  }
  return true;
}

MlirAttribute tileInstructionAttrGet(MlirContext context, int instruction) {
  return wrap(Attribute(
      tile::InstructionAttr::get(unwrap(context), static_cast<tile::Instruction>(instruction))));
}

//===- names --------------------------------------------------------------===//

void tileForEachOpName(MlirContext context, void (*callback)(MlirStringRef, void *), void *data) {
  for (RegisteredOperationName name : unwrap(context)->getRegisteredOperations())
    callback(wrap(name.getStringRef()), data);
}

void tileForEachDialectName(MlirContext context, void (*callback)(MlirStringRef, void *),
                            void *data) {
  for (StringRef name : unwrap(context)->getAvailableDialects()) callback(wrap(name), data);
}

//===- diagnostics --------------------------------------------------------===//

static void emit(MlirLocation location, DiagnosticSeverity severity, const char *format,
                 va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(nullptr, 0, format, args);
  std::string text(length > 0 ? length : 0, '\0');
  if (length > 0) vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  Location loc = unwrap(location);
  loc->getContext()->getDiagEngine().emit(loc, severity) << text;
}

static DiagnosticSeverity severityOf(MlirDiagnosticSeverity severity) {
  return severity == MlirDiagnosticWarning  ? DiagnosticSeverity::Warning
         : severity == MlirDiagnosticRemark ? DiagnosticSeverity::Remark
         : severity == MlirDiagnosticNote   ? DiagnosticSeverity::Note
                                            : DiagnosticSeverity::Error;
}

void tileEmitWithNotes(MlirDiagnosticSeverity severity, MlirLocation location, MlirStringRef text,
                       const TileNote *notes, size_t count) {
  Location loc = unwrap(location);
  InFlightDiagnostic diagnostic =
      loc->getContext()->getDiagEngine().emit(loc, severityOf(severity));
  diagnostic << unwrap(text);
  for (size_t i = 0; i < count; ++i)
    diagnostic.attachNote(unwrap(notes[i].location)) << unwrap(notes[i].text);
}

#define TILE_DEFINE_EMIT(NAME, SEVERITY)                                                           \
  void NAME(MlirLocation location, const char *format, ...) {                                      \
    va_list args;                                                                                  \
    va_start(args, format);                                                                        \
    emit(location, DiagnosticSeverity::SEVERITY, format, args);                                    \
    va_end(args);                                                                                  \
  }
TILE_DEFINE_EMIT(tileEmitError, Error)
TILE_DEFINE_EMIT(tileEmitWarning, Warning)
TILE_DEFINE_EMIT(tileEmitRemark, Remark)
