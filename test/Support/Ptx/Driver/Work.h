//===- Work.h - what streams are given, at once or in a graph (private) ---===//
#ifndef TILE_TEST_PTX_WORK_H
#define TILE_TEST_PTX_WORK_H

#include "Driver.h"

typedef enum PtxWorkKind {
  PTX_WORK_COPY,
  PTX_WORK_SET,
  PTX_WORK_LAUNCH,
  PTX_WORK_EVENT
} PtxWorkKind;

/// A piece of work. Device addresses are the host's, so a copy is one whichever way it goes.
typedef struct PtxWork {
  PtxWorkKind kind;
  void *to;
  const void *from;
  size_t bytes;
  unsigned char value;
  PtxKernel *kernel;
  PtxLaunch launch; ///< its parameters are this work's own where a graph has it
  double *seconds;  ///< an event's time
  struct PtxWork *next;
} PtxWork;

/// Does the work at once, or adds it to the graph that the stream records. Any thread; one piece of
/// work runs at a time.
CudaResult ptxStreamGive(CudaHandle stream, const PtxWork *work);

#endif // TILE_TEST_PTX_WORK_H
