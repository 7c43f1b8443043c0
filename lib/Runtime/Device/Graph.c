//===- Graph.c - work recorded once and run again -------------------------===//
//
// A graph is captured from the device's own stream, so whatever gives work to that stream, our
// launches or another library's, can be recorded without knowing of it.
//===----------------------------------------------------------------------===//
#include "Cuda.h"
#include <stdlib.h>

struct TileGraph {
  TileDevice *device;
  CudaHandle executable;
};

static bool hasGraphs(const TileDriver *driver) {
  return driver->beginCapture && driver->endCapture && driver->eventRecordWithFlags &&
         driver->graphDestroy && driver->graphInstantiate && driver->graphLaunch &&
         driver->graphExecDestroy;
}

bool tileGraphBegin(TileDevice *device, TileError *error) {
  const TileDriver *driver = device->driver;
  if (!hasGraphs(driver))
    return tileErrorSet(error, "expected a driver with graphs, found CUDA %d.%d",
                        driver->version / 1000, driver->version % 1000 / 10);
  // Relaxed: another library may allocate its workspace while it is recorded.
  return tileCudaEnter(device, error) &&
         tileCudaCheck(driver, driver->beginCapture(device->stream, CUDA_CAPTURE_RELAXED),
                       "recording a graph", error);
}

TileGraph *tileGraphEnd(TileDevice *device, TileError *error) {
  const TileDriver *driver = device->driver;
  CudaHandle captured = NULL, executable = NULL;
  if (!tileCudaCheck(driver, driver->endCapture(device->stream, &captured),
                     "the end of a graph's recording", error) ||
      !captured)
    return NULL;
  CudaResult result = driver->graphInstantiate(&executable, captured, 0);
  driver->graphDestroy(captured);
  if (!tileCudaCheck(driver, result, "making a graph", error)) return NULL;
  TileGraph *graph = tileRuntimeAlloc(sizeof *graph);
  *graph = (TileGraph){device, executable};
  return graph;
}

bool tileGraphLaunch(TileGraph *graph, TileError *error) {
  const TileDriver *driver = graph->device->driver;
  return tileCudaEnter(graph->device, error) &&
         tileCudaCheck(driver, driver->graphLaunch(graph->executable, graph->device->stream),
                       "the launch of a graph", error);
}

void tileGraphDestroy(TileGraph *graph) {
  if (!graph) return;
  if (tileCudaEnter(graph->device, NULL))
    graph->device->driver->graphExecDestroy(graph->executable);
  free(graph);
}

bool tileGraphRecordEvent(TileEvent *event, TileError *error) {
  const TileDriver *driver = event->device->driver;
  CudaResult result =
      driver->eventRecordWithFlags(event->event, event->device->stream, CUDA_EVENT_RECORD_EXTERNAL);
  return tileCudaCheck(driver, result, "recording an event in a graph", error);
}
