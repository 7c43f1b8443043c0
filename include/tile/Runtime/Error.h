//===- Error.h - how the runtime reports what went wrong ------------------===//
//
// Every runtime function that can fail takes a `TileError *` as its last parameter, returns false
// or NULL, and then the error holds one message of the form `expected ..., found ...` without a
// newline at its end (a compiler's log inside it may have lines). On success the error is left as
// it was. The caller owns the value:
//
//   TileError error = TILE_ERROR_INIT;
//   TileArray *array = tileNpyRead("x.npy", NULL, &error);
//   if (!array)
//     fprintf(stderr, "error: %s\n", tileErrorGetMessage(&error));
//   tileErrorDestroy(&error);
//
// A caller with no use for the text passes NULL. Only running out of memory for small things (never
// for an array, whose size is input, nor for the message itself) ends the process, through
// tileRuntimeAlloc.
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_ERROR_H
#define TILE_RUNTIME_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One error message, heap-allocated. All zero bytes is "no error".
typedef struct TileError {
  char *message;
  /// There was not enough memory, on the host or the device: something smaller may work.
  bool outOfMemory;
} TileError;

#define TILE_ERROR_INIT {NULL, false}

/// Formats a message into `error` (NULL: drops it), replacing an earlier one. The arguments may
/// point into the earlier message. Always returns false, so that a function can
/// `return tileErrorSet(error, ...)`.
bool tileErrorSet(TileError *error, const char *format, ...)
    __attribute__((format(printf, 2, 3), nonnull(2)));

/// The same for a failure that is for want of memory.
bool tileErrorSetOutOfMemory(TileError *error, const char *format, ...)
    __attribute__((format(printf, 2, 3), nonnull(2)));

/// The message, borrowed until the error changes; "" when there is none. Control characters in it
/// but line ends and tabs are written \1B and the like: it may hold what stands in files of
/// strangers.
const char *tileErrorGetMessage(const TileError *error);

/// Frees the message; the value is empty and usable again.
void tileErrorDestroy(TileError *error);

/// Zeroed memory for the runtime's own bookkeeping, released with free(). Prints a line and aborts
/// when there is none: for sizes that the input does not choose.
void *tileRuntimeAlloc(size_t bytes) __attribute__((malloc, returns_nonnull));

/// A copy of the first `length` bytes of a text, with a NUL behind them, in such memory.
char *tileRuntimeCopy(const char *text, size_t length) __attribute__((malloc, returns_nonnull));

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_ERROR_H
