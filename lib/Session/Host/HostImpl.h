//===- HostImpl.h - what compiled host programs call ------------------------===//
//
// The functions of tile/Conversion/HostToLLVM.h, which has their meaning, for the program that this
// thread runs (RunHost.c). One that fails reports and goes back to tileProgramRunHost by longjmp:
// between here and there is only compiled code, which has nothing to clean up.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_SESSION_HOST_IMPL_H
#define TILE_SESSION_HOST_IMPL_H

#include "../ProgramImpl.h"

/// The program whose host code this thread runs.
TileProgram *hostProgram(void);
/// Opens the program's device, if that has not been done.
void hostOpen(void);
/// The op of a call, which becomes the place that errors name.
MlirOperation hostEnter(int64_t site);
/// Ends the run, after a diagnostic.
_Noreturn void hostEscape(void);
/// Reports the error at the op entered last, and ends the run.
_Noreturn void hostFail(TileError *error);

static inline void *hostPointer(int64_t address) { return (void *)(intptr_t)address; }

//===- UnreadArrays.c -----------------------------------------------------===//

/// For a run that looks for the facts of a launch, in which arrays are compared, printed and
/// written to files by nobody: erases from `function` what would do that, and what fills arrays
/// that it allocates and then neither reads nor passes on, as references.
///
/// Before:  %want = tile_host.alloc(%m, %n) -> memref<?x?xf64>
///          scf.for %i = %c0 to %rows step %c1 {
///            linalg.generic {..} ins(%a_row, %b : ..) outs(%want_row : ..) { .. }
///          }
///          tile_host.expect_close %got, %want {..}
/// After:   %want = tile_host.alloc(%m, %n) -> memref<?x?xf64>
///          scf.for %i = %c0 to %rows step %c1 {
///          }
void hostLeaveOutUnread(MlirOperation function);

//===- HostArrays.c -------------------------------------------------------===//

int64_t hostAlloc(int64_t site, int64_t extents);
int64_t hostRandom(int64_t site, int64_t extents);
int64_t hostRead(int64_t site, int64_t extents);
void hostWrite(int64_t site, int64_t data, int64_t extents);
void hostDump(int64_t site, int64_t data, int64_t extents);
void hostExpectClose(int64_t site, int64_t got, int64_t gotExtents, int64_t want,
                     int64_t wantExtents);
void hostTouch(int64_t data, int32_t writes);

//===- HostLaunches.c -----------------------------------------------------===//

int32_t hostMultiprocessors(int64_t site);
void hostBind(int64_t site, int64_t position, int64_t value);
int32_t hostConfigure(int64_t site, int64_t slotsAddress);
int64_t hostMeta(int64_t site, int64_t number);
void hostCheckDivision(int64_t site, int64_t dividend, int64_t divisor, int64_t width);
void hostLaunch(int64_t site, int64_t slotsAddress, int32_t x, int32_t y, int32_t z,
                int64_t operations, int64_t bytes);

#endif // TILE_SESSION_HOST_IMPL_H
