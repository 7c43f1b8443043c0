//===- LaunchLog.h - what a launch printed, and where it failed ---*- C -*-===//
//
// A launch collects the records of tile/Console.h here, from all threads of the CPU or from the
// device's memory; then tileConsoleFlush prints them in the order of the programs, and says which
// assert failed first in that order. So the output is the same on every device and in every run.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_LAUNCHLOG_H
#define TILE_RUNTIME_LAUNCHLOG_H

#include "tile/Console.h"
#include "tile/Runtime/Driver.h"
#include "tile/Runtime/Error.h"
#include "tile/Runtime/Executor.h"
#include <stdio.h>

typedef struct TileConsole TileConsole;

TileConsole *tileConsoleCreate(void);
/// NULL is allowed.
void tileConsoleDestroy(TileConsole *console);

/// While it is quiet, a console forgets what it is told, but for failed asserts.
void tileConsoleSetQuiet(TileConsole *console, bool quiet);

/// Where a failed assert stands in its source; `file` is the caller's to free.
typedef struct TileConsolePlace {
  char *file;
  unsigned line, column;
} TileConsolePlace;

/// Prints to `stream` what was recorded, a value a line after `pid (x, y, z) text: `, and forgets
/// it. False when an assert failed, with a message and its place.
bool tileConsoleFlush(TileConsole *console, FILE *stream, TileConsolePlace *place,
                      TileError *error);

//===- on the CPU ---------------------------------------------------------===//

/// A kernel to be run by the executor with tileConsoleRunProgram in its place and this as its
/// arguments.
typedef struct TileConsoleCall {
  TileCpuKernel kernel;
  const void *args;
  TileConsole *console;
} TileConsoleCall;

/// Runs one program, which ends at its first assert that fails.
void tileConsoleRunProgram(const void *call, int32_t x, int32_t y, int32_t z, int32_t nx,
                           int32_t ny, int32_t nz);

/// What compiled kernels call: TILE_CONSOLE_PRINT and TILE_CONSOLE_FAIL.
void tileConsolePrint(const char *site, int32_t x, int32_t y, int32_t z, const int64_t *values);
_Noreturn void tileConsoleFail(const char *site, int32_t x, int32_t y, int32_t z,
                               const uint8_t *lanes, int64_t count, int64_t first);

//===- on a device --------------------------------------------------------===//

/// The console of a module's kernels; NULL when they have no prints or asserts.
typedef struct TileModuleConsole TileModuleConsole;
TileModuleConsole *tileModuleConsoleOpen(TileModule *module, TileDevice *device);
void tileModuleConsoleClose(TileModuleConsole *module);

/// Waits for the device, moves what a launch over `grid` left into `console`, and clears it there.
bool tileModuleConsoleRead(TileModuleConsole *module, const int32_t grid[3], TileConsole *console,
                           TileError *error);

#endif // TILE_RUNTIME_LAUNCHLOG_H
