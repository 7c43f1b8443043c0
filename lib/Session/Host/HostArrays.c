//===- HostArrays.c - arrays of compiled host programs --------------------===//
#include "HostImpl.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t keep(TileArray *array) {
  TileProgram *p = hostProgram();
  if (p->numArrays == p->capacityArrays) {
    p->capacityArrays = p->capacityArrays ? 2 * p->capacityArrays : 16;
    TileArray **grown = tileRuntimeAlloc(p->capacityArrays * sizeof *grown);
    if (p->numArrays) memcpy(grown, p->arrays, p->numArrays * sizeof *grown);
    free(p->arrays);
    p->arrays = grown;
  }
  p->arrays[p->numArrays++] = array;
  return (int64_t)(intptr_t)array->host;
}

static MlirType typeOfResult(MlirOperation op) {
  return mlirValueGetType(mlirOperationGetResult(op, 0));
}

static TileElementType elementOf(MlirType memref) {
  TileElementType type = TILE_ELEMENT_I8;
  tileProgramGetElementType(mlirShapedTypeGetElementType(memref), &type);
  return type;
}

static TileArray *makeArray(int64_t site, int64_t extents) {
  MlirType type = typeOfResult(hostEnter(site));
  TileError error = TILE_ERROR_INIT;
  unsigned rank = (unsigned)mlirShapedTypeGetRank(type);
  TileArray *array = tileArrayCreate(elementOf(type), rank, hostPointer(extents), &error);
  if (!array) hostFail(&error);
  return array;
}

int64_t hostAlloc(int64_t site, int64_t extents) { return keep(makeArray(site, extents)); }

int64_t hostRandom(int64_t site, int64_t extents) {
  TileArray *array = makeArray(site, extents);
  if (!hostProgram()->wanted)
    tileArrayFillRandom(array, (uint64_t)tileRandomGetSeed(hostProgram()->sites[site]));
  tileProgramMarkWritten(hostProgram(), array);
  return keep(array);
}

static void printShape(char *text, size_t size, unsigned rank, const int64_t *shape) {
  size_t used = 0;
  text[0] = 0;
  for (unsigned i = 0; i < rank && used + 24 < size; ++i)
    used += (size_t)(shape[i] < 0 ? snprintf(text + used, size - used, i ? " x ?" : "?")
                                  : snprintf(text + used, size - used, i ? " x %lld" : "%lld",
                                             (long long)shape[i]));
}

/// Fails unless `array`, just read, has the rank and the fixed extents of `type`.
static void expectShape(const TileArray *array, MlirType type, const char *path) {
  unsigned rank = (unsigned)mlirShapedTypeGetRank(type);
  int64_t wanted[TILE_ARRAY_MAX_RANK];
  bool same = rank == array->rank;
  for (unsigned i = 0; i < rank && i < TILE_ARRAY_MAX_RANK; ++i) {
    wanted[i] = mlirShapedTypeIsDynamicDim(type, i) ? -1 : mlirShapedTypeGetDimSize(type, i);
    if (same && wanted[i] >= 0) same = wanted[i] == array->shape[i];
  }
  if (same) return;
  char expected[256], found[256];
  printShape(expected, sizeof expected, rank, wanted);
  printShape(found, sizeof found, array->rank, array->shape);
  TileError error = TILE_ERROR_INIT;
  tileErrorSet(&error, "expected an array of rank %u (%s) in '%s', found rank %u (%s)", rank,
               expected, path, array->rank, found);
  hostFail(&error);
}

/// The path of a read or write; the caller frees it.
static char *copyPath(MlirStringRef path) {
  char *copy = tileRuntimeAlloc(path.length + 1);
  memcpy(copy, path.data, path.length);
  return copy;
}

int64_t hostRead(int64_t site, int64_t extents) {
  MlirOperation op = hostEnter(site);
  MlirType type = typeOfResult(op);
  TileElementType element = elementOf(type);
  char *path = copyPath(tileReadGetPath(op));
  TileError error = TILE_ERROR_INIT;
  TileArray *array = tilePnmIsPath(path) ? tilePnmRead(path, element, &error)
                                         : tileNpyRead(path, &element, &error);
  if (array) {
    int64_t address = keep(array);
    expectShape(array, type, path);
    tileProgramMarkWritten(hostProgram(), array);
    memcpy(hostPointer(extents), array->shape, array->rank * sizeof *array->shape);
    free(path);
    return address;
  }
  free(path);
  hostFail(&error);
}

/// The array at `data`, as one of `extents`: all of it, or contiguous rows of it.
static TileArray viewArray(int64_t data, MlirType type, int64_t extents) {
  TileError error = TILE_ERROR_INIT;
  TileArray *array = tileArrayFind(hostPointer(data));
  if (!array) {
    tileErrorSet(
        &error,
        "expected an array of tile_host.alloc, tile_host.random or tile_host.read, found other "
        "memory");
    hostFail(&error);
  }
  if (!tileArrayToHost(array, &error)) hostFail(&error);
  TileArray view = *array;
  view.rank = (unsigned)mlirShapedTypeGetRank(type);
  view.host = hostPointer(data);
  view.count = 1;
  for (unsigned i = view.rank; i-- > 0;) {
    view.shape[i] = ((const int64_t *)hostPointer(extents))[i];
    view.strides[i] = view.count;
    view.count *= view.shape[i];
  }
  view.bytes = (size_t)view.count * tileElementGetSize(view.type);
  view.hostValid = true;
  return view;
}

void hostWrite(int64_t site, int64_t data, int64_t extents) {
  MlirOperation op = hostEnter(site);
  if (hostProgram()->wanted) return;
  TileArray view = viewArray(data, mlirValueGetType(tileWriteGetArray(op)), extents);
  char *path = copyPath(tileWriteGetPath(op));
  TileError error = TILE_ERROR_INIT;
  tileProgramCheckHostRead(hostProgram(), site, 0, &view);
  bool written =
      tilePnmIsPath(path) ? tilePnmWrite(path, &view, &error) : tileNpyWrite(path, &view, &error);
  free(path);
  if (!written) hostFail(&error);
}

void hostDump(int64_t site, int64_t data, int64_t extents) {
  MlirOperation op = hostEnter(site);
  if (hostProgram()->wanted) return;
  TileArray view = viewArray(data, mlirValueGetType(tileDumpGetArray(op)), extents);
  tileProgramCheckHostRead(hostProgram(), site, 0, &view);
  TileError error = TILE_ERROR_INIT;
  if (!tileArrayPrint(stdout, &view, 0, &error)) hostFail(&error);
}

void hostExpectClose(int64_t site, int64_t got, int64_t gotExtents, int64_t want,
                     int64_t wantExtents) {
  MlirOperation op = hostEnter(site);
  if (hostProgram()->wanted) return;
  TileArray gotView = viewArray(got, mlirValueGetType(tileExpectCloseGetGot(op)), gotExtents);
  TileArray wantView = viewArray(want, mlirValueGetType(tileExpectCloseGetWant(op)), wantExtents);
  tileProgramCheckHostRead(hostProgram(), site, 0, &gotView);
  tileProgramCheckHostRead(hostProgram(), site, 1, &wantView);
  TileComparison found;
  TileError error = TILE_ERROR_INIT;
  if (!tileArrayCompare(&gotView, &wantView, tileExpectCloseGetAtol(op), tileExpectCloseGetRtol(op),
                        &found, &error) ||
      !tileComparisonCheck(&found, &error))
    hostFail(&error);
  TileProgramChecks *checks = &hostProgram()->checks;
  ++checks->count;
  if (found.maxAbsError > checks->maxAbsError) checks->maxAbsError = found.maxAbsError;
  if (found.frobeniusError > checks->frobeniusError) checks->frobeniusError = found.frobeniusError;
}

void hostTouch(int64_t data, int32_t writes) {
  TileArray *array = tileArrayFind(hostPointer(data));
  if (!array) return;
  TileError error = TILE_ERROR_INIT;
  if (!tileArrayToHost(array, &error)) hostFail(&error);
  if (!writes) return;
  tileArrayMarkHostWritten(array);
  tileProgramMarkWritten(hostProgram(), array);
}
