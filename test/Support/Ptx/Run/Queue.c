//===- Queue.c - what a warp has under way, in groups ---------------------===//
#include "Warp.h"
#include <stdlib.h>
#include <string.h>

static bool grow(void **array, int count, int *capacity, size_t size) {
  if (count < *capacity) return true;
  int wanted = *capacity ? 2 * *capacity : 32;
  void *grown = realloc(*array, (size_t)wanted * size);
  if (!grown) return false;
  *array = grown, *capacity = wanted;
  return true;
}

void *ptxQueueAdd(PtxQueue *queue, size_t size) {
  if (!grow(&queue->items, queue->count, &queue->capacity, size)) return NULL;
  return memset((char *)queue->items + (size_t)queue->count++ * size, 0, size);
}

bool ptxQueueCommit(PtxQueue *queue) {
  void *groups = queue->groups;
  bool isGrown = grow(&groups, queue->groupCount, &queue->groupCapacity, sizeof *queue->groups);
  queue->groups = groups;
  if (isGrown) queue->groups[queue->groupCount++] = queue->count;
  return isGrown;
}

int ptxQueueDue(const PtxQueue *queue, int groupsLeft, bool all) {
  if (all) return queue->count;
  if (groupsLeft < 0) groupsLeft = 0;
  return queue->groupCount > groupsLeft ? queue->groups[queue->groupCount - groupsLeft - 1] : 0;
}

void ptxQueueDrop(PtxQueue *queue, int items, size_t size) {
  if (items)
    memmove(queue->items, (char *)queue->items + (size_t)items * size,
            (size_t)(queue->count - items) * size);
  queue->count -= items;
  // Groups without items go with those before them.
  int gone = 0;
  while (gone < queue->groupCount && queue->groups[gone] <= items) ++gone;
  queue->groupCount -= gone;
  for (int i = 0; i < queue->groupCount; ++i) queue->groups[i] = queue->groups[i + gone] - items;
}

void ptxQueueFree(PtxQueue *queue) {
  free(queue->items);
  free(queue->groups);
  *queue = (PtxQueue){0};
}
