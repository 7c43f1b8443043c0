//===- DLPack.h - the part of DLPack's C interface that is read -*- C -*-===//
//
// Facts of the standard (https://dmlc.github.io/dlpack/latest/c_api.html, version 1.3), under names
// of our own. Debian's libdlpack-dev has version 0.6, without the exchange of types by C functions.
//===----------------------------------------------------------------------===//
#ifndef TILE_PYTHON_DLPACK_H
#define TILE_PYTHON_DLPACK_H

#include <stdint.h>

enum {
  DLPACK_CPU = 1,
  DLPACK_CUDA = 2,
  DLPACK_CUDA_HOST = 3,
  DLPACK_CUDA_MANAGED = 13,
};

enum {
  DLPACK_INT = 0,
  DLPACK_UINT = 1,
  DLPACK_FLOAT = 2,
  DLPACK_BFLOAT = 4,
  DLPACK_COMPLEX = 5,
  DLPACK_BOOL = 6,
  DLPACK_F8E4M3 = 10, ///< the one without infinities
  DLPACK_F8E5M2 = 12,
};

typedef struct DLPackType {
  uint8_t code, bits;
  uint16_t lanes;
} DLPackType;

typedef struct DLPackTensor {
  void *data;
  int32_t deviceType, deviceId;
  int32_t rank;
  DLPackType type;
  /// In elements; strides NULL: row by row without gaps.
  int64_t *shape, *strides;
  uint64_t byteOffset;
} DLPackTensor;

typedef struct DLPackVersion {
  uint32_t major, minor;
} DLPackVersion;

/// In a capsule "dltensor".
typedef struct DLPackManaged {
  DLPackTensor tensor;
  void *owner;
  void (*release)(struct DLPackManaged *);
} DLPackManaged;

enum { DLPACK_READ_ONLY = 1 };

/// In a capsule "dltensor_versioned".
typedef struct DLPackVersioned {
  DLPackVersion version;
  void *owner;
  void (*release)(struct DLPackVersioned *);
  uint64_t flags;
  DLPackTensor tensor;
} DLPackVersioned;

/// In a capsule "dlpack_exchange_api", the attribute __dlpack_c_exchange_api__ of a type.
typedef struct DLPackExchange {
  DLPackVersion version;
  struct DLPackExchange *former;
  int (*allocate)(void);
  int (*takeOwned)(void *object, DLPackVersioned **tensor);
  int (*makeObject)(DLPackVersioned *tensor, void **object);
  /// Borrowed: as long as the object is not changed. May be NULL. Nonzero with an exception.
  int (*borrow)(void *object, DLPackTensor *tensor);
  int (*getStream)(int32_t deviceType, int32_t deviceId, void **stream);
} DLPackExchange;

#endif
