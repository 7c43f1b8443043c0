//===- Lots.c - two lots of loads that are copied by turns ----------------===//
//
// What the first dots of a step read, as keys, and what those behind them do, as values: the one is
// on its way while the other is multiplied (Pipeline.c). A step may have several dots of each kind.
//
//===----------------------------------------------------------------------===//
#include "Lots.h"
#include "../FeedReaders.h"

/// Bytes of the lot that is read in front of `next`, where the other one is read by `next`, a dot,
/// and behind it; 0 where there are no two such lots.
static int64_t bytesInFront(const TileFeeds *f, const TileReaders *readers, MlirOperation next) {
  int64_t bytes = 0;
  for (int i = 0; i < f->numFeeds; ++i) {
    const TileReaders *r = &readers[i];
    if (mlirOperationEqual(r->first, next) ? !r->threads
                                           : mlirOperationIsBeforeInBlock(next, r->first))
      continue;
    if (!mlirOperationIsBeforeInBlock(r->last, next)) return 0;
    bytes += tileBufferBytes(f->feeds[i].block);
  }
  return bytes;
}

/// The dot in front of which both lots are as equal as can be, the last one of several; null: there
/// is none.
static MlirOperation findNext(const TileFeeds *f, const TileReaders *readers) {
  MlirOperation best = {NULL};
  int64_t all = 0, most = 0;
  for (int i = 0; i < f->numFeeds; ++i) all += tileBufferBytes(f->feeds[i].block);
  for (int i = 0; i < f->numFeeds; ++i) {
    MlirOperation next = readers[i].first;
    if (readers[i].threads) continue;
    int64_t front = bytesInFront(f, readers, next), less = front < all / 2 ? front : all - front;
    if (less < most || !less || (less == most && mlirOperationIsBeforeInBlock(next, best)))
      continue;
    most = less;
    best = next;
  }
  return best;
}

int tileFeedsDivideLots(TileFeeds *f, MlirOperation *next) {
  TileReaders readers[tileMaxFeeds];
  bool threads = false;
  int lot = 0;
  *next = (MlirOperation){NULL};
  for (int i = 0; i < f->numFeeds; ++i) {
    if (!tileFeedFindReaders(f, f->feeds[i].load, &readers[i])) return 0;
    threads |= readers[i].threads;
  }
  *next = findNext(f, readers);
  for (int i = 0; !mlirOperationIsNull(*next) && i < f->numFeeds; ++i) {
    if (!mlirOperationIsBeforeInBlock(readers[i].last, *next)) continue;
    TileFeed feed = f->feeds[i];
    f->feeds[i] = f->feeds[lot];
    readers[i] = readers[lot];
    f->feeds[lot++] = feed;
  }
  return lot ? lot : threads ? 0 : f->numFeeds;
}
