//===- Process.h - how a process of tile begins, ends and dies --*- C -*-===//
//
// What the mains of the tools share, so that each says what went wrong and ends with the status it
// promises, whatever happens:
//
//   int main(int argc, char **argv) {
//     tileProcessBegin("tile-opt");    streams, handlers, a check of stdout at the end
//     ...
//   }
//
// The library itself installs no handler and looks at no stream: a program that embeds tile decides
// for itself, and may call tileTemporariesRemove from a handler of its own.
//
// Temporaries: what is written whole or not at all has no name, or another, until it is whole, and
// what other programs read (ptxas) lies in a folder for a moment. Each such path is noted while it
// exists, so that a signal that ends the process leaves none of them:
//
//   int slot = tileTemporaryNote(path);    before the file is created
//   ... create, write, rename or remove it ...
//   tileTemporaryForget(slot);
//
// All but tileProcessBegin may be called from several threads.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_PROCESS_H
#define TILE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// To be called first, once, in a main. `name` lives as long as the process. From then on:
///
/// - of the descriptors 0 to 2, none is free, so that no file that is opened later takes the place
///   of a stream that was closed;
/// - a crash (a segmentation fault, an abort, a stack that is too deep) ends the process with a
///   message and status 1. The handler has a stack of its own;
/// - SIGHUP, SIGINT and SIGTERM remove what is noted as temporary, then end the process as they
///   would without this; one that was ignored stays so;
/// - where the process ends by exit() and stdout could not be written, a message says so and the
///   status is 1, if it was 0.
void tileProcessBegin(const char *name);

/// From now on this process, and those that it begins, run no other program: for tools that are
/// given files of strangers. False where the system has no such promise (seccomp), and under a
/// sanitizer, which runs its symbolizer.
bool tileProcessRunNoPrograms(void);

/// What the process does from now on, for the message of a crash: "expected WHAT to end, ..",
/// followed by `advice`. Both live until the next call, or for ever; NULL: what is named by
/// tileProcessBegin.
void tileProcessEnter(const char *what, const char *advice);

/// Notes the path of a file, or of a folder that is empty by the time it is removed. Negative where
/// more than 64 are noted already: then a signal leaves it.
int tileTemporaryNote(const char *path);

/// The path is not removed any more: it is gone, or is what somebody asked for.
void tileTemporaryForget(int slot);

/// Removes all that is noted, the latest first. Async-signal-safe.
void tileTemporariesRemove(void);

/// Makes a folder of its own in $TMPDIR (or /tmp) for what other programs read and write: its path
/// goes to `path`, of `size` bytes. False, with errno, where there is none to be had. The caller
/// notes it, and removes it.
bool tileTemporaryMakeFolder(char *path, size_t size);

/// Runs a program of PATH, waits for its end, and puts what it prints into the file `log` (its
/// errors too if `errors`, which are dropped else). `arguments` begin with its name and end with
/// NULL. Its exit status, 1 where it was ended by a signal, or -1 when there is no such program.
int tileProcessRun(char *const *arguments, const char *log, bool errors);

#ifdef __cplusplus
}
#endif

#endif // TILE_PROCESS_H
