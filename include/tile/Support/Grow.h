//===- Grow.h - lists that grow ---------------------------------*- C -*-===//
//
//   list = tileGrow(list, count, &capacity, sizeof *list);
//   list[count++] = element;
//
//===----------------------------------------------------------------------===//
#ifndef TILE_SUPPORT_GROW_H
#define TILE_SUPPORT_GROW_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Room for one more than `count` elements of `size` bytes: `list` itself, or a longer copy in its
/// place, with `*capacity` as it is then. Of capacity 0, `list` may be NULL. To be freed by the
/// caller; ends the process where there is no memory.
void *tileGrow(void *list, size_t count, size_t *capacity, size_t size);

#ifdef __cplusplus
}
#endif
#endif
