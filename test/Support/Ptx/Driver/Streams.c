//===- Streams.c - streams, events and graphs -----------------------------===//
#include "Work.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// Work in the order that it was given in.
typedef struct Graph {
  PtxWork *first, **end;
} Graph;

typedef struct Stream {
  Graph *recorded; ///< NULL while nothing is
  struct Stream *next;
} Stream;

/// When it was last recorded, 0 before.
typedef struct Event {
  double seconds;
} Event;

static Stream *streams;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;

static CudaResult unlock(CudaResult result) {
  pthread_mutex_unlock(&one);
  return result;
}

/// NULL is the default stream, which records nothing.
static bool isStream(CudaHandle handle) {
  const Stream *at = streams;
  while (at && at != handle) at = at->next;
  return at || !handle;
}

static Graph *getRecorded(CudaHandle handle) {
  return handle ? ((Stream *)handle)->recorded : NULL;
}

//===- Work ---------------------------------------------------------------===//

static CudaResult run(const PtxWork *work) {
  struct timespec now;
  CudaResult result = ptxContextGetError();
  if (result) return result;
  switch (work->kind) {
  case PTX_WORK_COPY:
    memmove(work->to, work->from, work->bytes);
    return 0;
  case PTX_WORK_SET:
    memset(work->to, work->value, work->bytes);
    return 0;
  case PTX_WORK_LAUNCH:
    // A launch tells no error of the kernel's: what comes after it does.
    ptxContextSetError(ptxLaunch(work->kernel->entry, &work->launch));
    return 0;
  case PTX_WORK_EVENT:
    clock_gettime(CLOCK_MONOTONIC, &now);
    *work->seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    return 0;
  }
  return 0;
}

static CudaResult record(Graph *graph, const PtxWork *work) {
  const size_t bytes = work->kind == PTX_WORK_LAUNCH ? work->kernel->info->parameterBytes : 0;
  // Tensor maps among the parameters lie on 64 bytes.
  const size_t head = (sizeof(PtxWork) + 63) / 64 * 64;
  PtxWork *copy = aligned_alloc(64, head + (bytes + 63) / 64 * 64);
  if (!copy) return PTX_OUT_OF_MEMORY;
  *copy = *work;
  copy->next = NULL;
  if (bytes) copy->launch.parameters = memcpy((char *)copy + head, work->launch.parameters, bytes);
  *graph->end = copy;
  graph->end = &copy->next;
  return 0;
}

CudaResult ptxStreamGive(CudaHandle stream, const PtxWork *work) {
  pthread_mutex_lock(&one);
  if (!isStream(stream)) return unlock(PTX_INVALID_HANDLE);
  Graph *graph = getRecorded(stream);
  return unlock(graph ? record(graph, work) : run(work));
}

//===- Streams ------------------------------------------------------------===//

PTX_ENTRY(cuStreamCreate, (CudaHandle * result, unsigned flags)) {
  Stream *stream = calloc(1, sizeof *stream);
  *result = stream;
  if (!stream || flags > CUDA_STREAM_NON_BLOCKING) {
    free(stream);
    return stream ? PTX_INVALID_VALUE : PTX_OUT_OF_MEMORY;
  }
  pthread_mutex_lock(&one);
  stream->next = streams;
  streams = stream;
  return unlock(ptxContextGetError());
}

static void destroyGraph(Graph *graph) {
  if (!graph) return;
  PtxWork *next;
  for (PtxWork *work = graph->first; work; work = next) {
    next = work->next;
    free(work);
  }
  free(graph);
}

PTX_ENTRY(cuStreamDestroy_v2, (CudaHandle of)) {
  pthread_mutex_lock(&one);
  Stream **at = &streams;
  while (*at && *at != of) at = &(*at)->next;
  if (!*at) return unlock(PTX_INVALID_HANDLE);
  Stream *stream = *at;
  *at = stream->next;
  destroyGraph(stream->recorded);
  free(stream);
  return unlock(ptxContextGetError());
}

PTX_ENTRY(cuStreamSynchronize, (CudaHandle of)) {
  pthread_mutex_lock(&one);
  if (!isStream(of)) return unlock(PTX_INVALID_HANDLE);
  return unlock(getRecorded(of) ? PTX_CAPTURE_UNSUPPORTED : ptxContextGetError());
}

//===- Events -------------------------------------------------------------===//

PTX_ENTRY(cuEventCreate, (CudaHandle * result, unsigned flags)) {
  (void)flags; // what waiting for it does, and whether it has a time
  *result = calloc(1, sizeof(Event));
  return *result ? ptxContextGetError() : PTX_OUT_OF_MEMORY;
}

PTX_ENTRY(cuEventDestroy_v2, (CudaHandle of)) {
  free(of);
  return ptxContextGetError();
}

PTX_ENTRY(cuEventRecord, (CudaHandle of, CudaHandle stream)) {
  Event *event = of;
  return ptxStreamGive(stream, &(PtxWork){.kind = PTX_WORK_EVENT, .seconds = &event->seconds});
}

/// In a graph only an external event gets a time, as it is the only one that is known outside of
/// it.
PTX_ENTRY(cuEventRecordWithFlags, (CudaHandle of, CudaHandle stream, unsigned flags)) {
  return flags == CUDA_EVENT_RECORD_EXTERNAL ? cuEventRecord(of, stream) : PTX_INVALID_VALUE;
}

PTX_ENTRY(cuEventSynchronize, (CudaHandle of)) {
  (void)of;
  return ptxContextGetError();
}

PTX_ENTRY(cuEventElapsedTime, (float *milliseconds, CudaHandle from, CudaHandle to)) {
  const Event *begin = from, *end = to;
  if (begin->seconds == 0 || end->seconds == 0) return PTX_INVALID_HANDLE;
  *milliseconds = (float)((end->seconds - begin->seconds) * 1e3);
  return ptxContextGetError();
}

//===- Graphs -------------------------------------------------------------===//

PTX_ENTRY(cuStreamBeginCapture_v2, (CudaHandle of, int mode)) {
  (void)mode; // whether other calls are allowed meanwhile: all are
  pthread_mutex_lock(&one);
  if (!of || !isStream(of)) return unlock(PTX_INVALID_HANDLE);
  if (getRecorded(of)) return unlock(PTX_INVALID_VALUE);
  Graph *graph = calloc(1, sizeof *graph);
  if (!graph) return unlock(PTX_OUT_OF_MEMORY);
  graph->end = &graph->first;
  ((Stream *)of)->recorded = graph;
  return unlock(ptxContextGetError());
}

PTX_ENTRY(cuStreamEndCapture, (CudaHandle of, CudaHandle *result)) {
  pthread_mutex_lock(&one);
  *result = NULL;
  if (!of || !isStream(of) || !getRecorded(of)) return unlock(PTX_INVALID_VALUE);
  *result = getRecorded(of);
  ((Stream *)of)->recorded = NULL;
  return unlock(ptxContextGetError());
}

PTX_ENTRY(cuGraphInstantiateWithFlags,
          (CudaHandle * result, CudaHandle of, unsigned long long flags)) {
  const Graph *graph = of;
  *result = NULL;
  if (flags) return PTX_INVALID_VALUE;
  Graph *copy = calloc(1, sizeof *copy);
  if (!copy) return PTX_OUT_OF_MEMORY;
  copy->end = &copy->first;
  *result = copy;
  for (const PtxWork *work = graph->first; work; work = work->next)
    if (record(copy, work)) return PTX_OUT_OF_MEMORY;
  return ptxContextGetError();
}

PTX_ENTRY(cuGraphDestroy, (CudaHandle of)) {
  destroyGraph(of);
  return ptxContextGetError();
}

PTX_ENTRY(cuGraphExecDestroy, (CudaHandle of)) {
  destroyGraph(of);
  return ptxContextGetError();
}

PTX_ENTRY(cuGraphLaunch, (CudaHandle of, CudaHandle stream)) {
  const Graph *graph = of;
  pthread_mutex_lock(&one);
  if (!isStream(stream)) return unlock(PTX_INVALID_HANDLE);
  if (getRecorded(stream)) return unlock(PTX_CAPTURE_UNSUPPORTED);
  CudaResult result = ptxContextGetError();
  for (const PtxWork *work = graph->first; work && !result; work = work->next) result = run(work);
  return unlock(result);
}
