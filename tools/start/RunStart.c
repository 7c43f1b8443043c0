//===- RunStart.c - tile-run begins with the driver -----------------------===//
//
// A process that uses a GPU waits a third of a second for the CUDA driver. Meanwhile this program,
// which itself needs nothing but the C library, loads all the rest:
//
//   a thread  | open the driver, make the primary context of device 0  |
//   main      | load tile-run.so, with MLIR and LLVM | options, parsing | use the device ...
//
// The thread leaves nothing but a driver that is initialised. The runtime opens and initialises it
// again and retains the same context (tile/Runtime/Driver.h): within the driver that waits for the
// thread, and finds the work done. So nothing here knows the runtime, nor the runtime this.
//
//===----------------------------------------------------------------------===//
#include "Programs.h"
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_bool opening;
/// Posted when the driver's library is there: the dynamic linker does one thing at a time, and the
/// driver is a matter of a millisecond, the rest of twenty.
static sem_t opened;

/// A function of the library; an object pointer turned into a function's, which ISO C does not do.
static void find(void *library, const char *name, void *function) {
  void *address = dlsym(library, name);
  memcpy(function, &address, sizeof address);
}

/// Whatever fails here fails again in the runtime, which says so.
static void *openDriver(void *unused) {
  const char *path = getenv("TILE_CUDA_DRIVER");
  void *driver = dlopen(path && *path ? path : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL), *context;
  sem_post(&opened);
  int (*init)(unsigned) = NULL, (*retain)(void **, int) = NULL;
  if (driver) {
    find(driver, "cuInit", &init);
    find(driver, "cuDevicePrimaryCtxRetain", &retain);
  }
  if (init && retain && !init(0)) retain(&context, 0);
  atomic_store(&opening, false);
  return unused;
}

static bool startsWith(const char *text, const char *start) {
  return !strncmp(text, start, strlen(start));
}

/// Does this command use a GPU if there is one? A wrong answer costs time and nothing else, but for
/// --tune, whose workers are forked: an initialised driver does not survive that.
static bool mayUseDevice(int count, char **arguments) {
  // As short as each may be written.
  static const char *const without[] = {"--tu", "--ch", "--br", "--em", "--res", "--ca",
                                        "--h",  "--us", "--ve", "-?",   "-V"};
  for (int i = 1; i < count; ++i) {
    for (size_t k = 0; k < sizeof without / sizeof *without; ++k)
      if (startsWith(arguments[i], without[k])) return false;
    if (startsWith(arguments[i], "--ta") &&
        (strstr(arguments[i], "=cpu") || (i + 1 < count && !strcmp(arguments[i + 1], "cpu"))))
      return false;
  }
  return count > 1;
}

/// A process cannot end in good order while its driver is being initialised: then it ends at once.
static void endAtOnce(int status, void *unused) {
  (void)unused;
  if (!atomic_load(&opening)) return;
  fflush(NULL);
  _exit(status);
}

int main(int argc, char **argv) {
  pthread_t thread;
  sem_init(&opened, 0, 0);
  atomic_store(&opening, mayUseDevice(argc, argv));
  if (atomic_load(&opening) && pthread_create(&thread, NULL, openDriver, NULL) == 0) {
    pthread_detach(thread);
    while (sem_wait(&opened) != 0);
  } else {
    atomic_store(&opening, false);
  }
  TileProgramMain *run = tileRestFind("tileRunMain");
  on_exit(endAtOnce, NULL);
  return run ? run(argc, argv) : 1;
}
