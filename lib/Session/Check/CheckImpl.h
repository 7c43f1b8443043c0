//===- CheckImpl.h - what the files of checked runs share -----------------===//
//
// Between the checker, which knows sites by number, and the reader, who knows lines and names. A
// kernel compiled for checking says in its module's `tile.sites` what each number is (Checker.c);
// findings become diagnostics there, the first few of them, and counts (CheckFindings.c); values of
// a traced program are printed (CheckTrace.c).
//
//===----------------------------------------------------------------------===//
#ifndef TILE_SESSION_CHECK_IMPL_H
#define TILE_SESSION_CHECK_IMPL_H

#include "../ProgramImpl.h"
#include "tile/Text.h"

enum { CHECK_NAME_BYTES = 64 };

typedef struct CheckName {
  char text[CHECK_NAME_BYTES];
} CheckName;

/// What messages say of a site.
typedef struct CheckSiteText {
  MlirLocation loc;
  MlirStringRef op, text;
  MlirType type;
  CheckName name; ///< of the value that is printed
  uint64_t counts[TILE_FINDING_KINDS];
} CheckSiteText;

/// Why programs of a launch leave a part of the work, or all do the same: makes errors of elements
/// that nobody writes, or several programs.
typedef struct CheckCause {
  MlirLocation loc;
  char text[256]; ///< "" where nothing is known
} CheckCause;

struct TileProgramSites {
  TileProgramKernel *kernel;
  TileCheckSite *sites; ///< as the checker sees them
  CheckSiteText *texts;
  size_t count;
  CheckName *arguments;
  CheckCause cause; ///< of the launches so far
};

struct TileProgramChecker {
  TileProgram *program;
  TileChecker *checker;
  TileProgramSites **kernels;
  size_t numKernels;
  /// The host's ops with findings, by their number; made with the first.
  CheckSiteText *host;
  size_t numHost;
  uint64_t printed;
  uint64_t caused;    ///< findings that a cause makes errors of
  bool announced;     ///< the traced program's heading is out
  TileArray **arrays; ///< of the launch's arguments
};

/// Looks for the cause in the kernel, and in the grid of this launch (CheckCauses.c).
void checkFindCause(TileProgram *p, TileProgramSites *sites, const char *config,
                    const uint64_t *slots, const int32_t grid[3]);

/// Adds "program (1, 0, 0)".
void checkSayProgram(TileText *m, const int32_t program[3]);

/// What the checker calls, with the TileProgramChecker as data.
void checkOnFinding(void *data, const TileFinding *f);
void checkOnValue(void *data, const TileTracedValue *v);

#endif // TILE_SESSION_CHECK_IMPL_H
