// Texts that are almost programs, through the code of `tile-opt --tile-to-nvvm` and then of
// `tile-run --emit=ptx`: each has to end in 10 seconds and 2 GiB, without a crash, and a text that
// is refused has to be refused with an error.
//
//   mutate --seed 1 --count 300 --save FOLDER FILE.mlir...   the inputs 1 to 300
//   mutate --seed 1 --time 60 ...                            as many as a minute allows
//   mutate --seed 17 --print FILE.mlir...                    input 17, to look at
//   mutate --replay TEXT.mlir...                             these texts as they are
//
// An input depends on its number and on the files, nothing else. A child process runs one batch of
// them after the other; the number that it is at lies in memory shared with its parent. When the
// child dies or is killed, the parent reports that input, saves it in FOLDER, and goes on with a
// new child behind it. The status is 1 when there was any report.
//
// Parsers of MLIR's own dialects crash at some texts, which tileParse survives and refuses; such
// inputs are named, and counted apart.
//
// clang-format off
// RUN: rm -rf %t && mkdir %t && grep -rl "^tile.func" %examples | sort > %t/files
// RUN: xargs -a %t/files %unit/mutate --seed 1 --count 300 --save %t | FileCheck %s
// CHECK: 300 inputs from 1 on:
// CHECK-SAME: {{[1-9][0-9]+}} parsed, {{[1-9][0-9]+}} lowered, {{[1-9][0-9]+}} emitted, {{[0-9]+}} refused for a parser that crashes, 0 reports
// clang-format on
#include "Mutation.h"
#include "RunOptions.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "tile/Conversion/Pipelines.h"
#include "tile/IR.h"
#include "tile/Session/Program.h"
#include "tile/Tile.h"
#include <argp.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

/// Of one input; sanitizers take several times as much of both.
static const double maxSeconds = IS_SANITIZED ? 60 : 10;
static const size_t maxBytes = (size_t)(IS_SANITIZED ? 8 : 2) << 30;
/// Inputs of one child: what LLVM loses after a fatal error does not add up for long.
static const uint64_t batch = 64;

typedef struct {
  RunOptions run;
  bool replays;
} Options;

/// What the child says of itself.
typedef struct {
  uint64_t now; // the input under way
  double start; // when it began, on the clock
  double spent; // and how much of the processor the child had taken by then
  uint64_t parsed, lowered, emitted;
  uint64_t crashed; // in one of MLIR's parsers, which tileParse survives
  bool isSilent;    // was refused without an error
} Shared;

static Options options = {.run = {.seed = 1, .usualCount = 300}};
static Corpus corpus;
static Mutation mutation;
static Shared *shared;
static uint64_t reports;

static double readClock(clockid_t clock) {
  struct timespec t;
  if (clock_gettime(clock, &t)) return 0; // of a process that has ended
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double now(void) { return readClock(CLOCK_MONOTONIC); }

//===- one input ----------------------------------------------------------===//

static void findCrash(MlirStringRef text, void *data) {
  static const char message[] = "at which one of them crashes";
  if (memmem(text.data, text.length, message, strlen(message))) *(bool *)data = true;
}

static MlirLogicalResult countErrors(MlirDiagnostic diagnostic, void *data) {
  int *errors = data;
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError) ++*errors;
  bool isCrash = false;
  mlirDiagnosticPrint(diagnostic, findCrash, &isCrash);
  if (isCrash) {
    ++shared->crashed;
    printf("input %" PRIu64 " is refused, as it crashes a parser\n", shared->now);
    fflush(stdout);
  }
  return mlirLogicalResultSuccess();
}

static const char *chooseArch(uint64_t input) { return input % 3 ? "sm_90a" : "sm_80"; }

/// tile-opt --tile-to-nvvm
static bool lower(MlirContext context, MlirModule module, uint64_t input) {
  TileToNVVMOptions to = {.arch = tileString(chooseArch(input)), .stage = TILE_STAGE_NVVM};
  MlirPassManager passes = mlirPassManagerCreate(context);
  MlirModule copy = mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(module)));
  bool ok =
      mlirLogicalResultIsSuccess(tileBuildToNVVM(mlirPassManagerGetAsOpPassManager(passes), &to));
  ok = ok &&
       mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(copy)));
  mlirModuleDestroy(copy);
  mlirPassManagerDestroy(passes);
  return ok;
}

/// tile-run --emit=ptx of one of the kernels. The host program does not run: with other numbers in
/// it, it may take any time and memory by right.
static bool emit(MlirModule module, uint64_t input) {
  TileProgramOptions to = {.arch = tileMachineFind(chooseArch(input))};
  TileProgram *program = tileProgramCreate(module, &to);
  if (!program) return false;
  size_t count = tileProgramGetNumKernels(program);
  MlirStringRef kernel = count ? tileProgramGetKernelName(program, input % count) : tileString("");
  TileBlob ptx;
  MlirLogicalResult result = tileProgramEmit(program, kernel, TILE_EMIT_PTX, NULL, 0, &ptx);
  tileBlobDestroy(&ptx);
  tileProgramDestroy(program);
  return mlirLogicalResultIsSuccess(result);
}

static void runText(MlirDialectRegistry registry, const Text *t, uint64_t input) {
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  int errors = 0, refused = 0;
  mlirContextAttachDiagnosticHandler(context, countErrors, &errors, NULL);
  MlirModule module = tileParse(context, mlirStringRefCreate(t->text, t->length), tileString(""));
  if (mlirModuleIsNull(module)) {
    shared->isSilent = !errors;
    mlirContextDestroy(context);
    return;
  }
  ++shared->parsed;
  if (lower(context, module, input))
    ++shared->lowered;
  else
    refused += !errors;
  errors = 0;
  if (emit(module, input))
    ++shared->emitted;
  else
    refused += !errors;
  shared->isSilent = refused > 0;
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
}

/// Makes the text of an input: a mutation, or with --replay a file.
static const Text *makeText(uint64_t input) {
  if (options.replays) return &corpus.files[(input - options.run.seed) % corpus.count];
  mutate(&mutation, &corpus, input);
  return &mutation.now;
}

//===- the child ----------------------------------------------------------===//

static void runBatch(MlirDialectRegistry registry, uint64_t first, uint64_t end, int errors) {
  struct rlimit memory = {maxBytes, maxBytes}, core = {0, 0};
  if (!IS_SANITIZED) setrlimit(RLIMIT_DATA, &memory);
  setrlimit(RLIMIT_CORE, &core);
  dup2(errors, STDERR_FILENO);
  for (uint64_t input = first; input < end; ++input) {
    if (ftruncate(errors, 0) || lseek(errors, 0, SEEK_SET)) _exit(2);
    shared->start = now();
    shared->spent = readClock(CLOCK_PROCESS_CPUTIME_ID);
    shared->now = input;
    runText(registry, makeText(input), input);
    if (shared->isSilent) _exit(3);
  }
  shared->now = end;
  _exit(0);
}

//===- the parent ---------------------------------------------------------===//

/// The resident bytes of a process.
static size_t measureMemory(pid_t child) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/statm", (int)child);
  FILE *file = fopen(path, "r");
  size_t pages = 0;
  if (file && fscanf(file, "%*s %zu", &pages) != 1) pages = 0;
  if (file) fclose(file);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/// Has the input taken too much of the processor, or stood still for long? A machine that is busy
/// with something else is neither.
static bool isLate(clockid_t clock) {
  return readClock(clock) - shared->spent > maxSeconds || now() - shared->start > 30 * maxSeconds;
}

/// Waits for the child, and kills it when its input takes too much. What went wrong, or NULL.
static const char *watch(pid_t child) {
  static char message[64];
  clockid_t clock;
  if (clock_getcpuclockid(child, &clock)) clock = CLOCK_MONOTONIC;
  const char *excess = NULL;
  int status;
  while (!waitpid(child, &status, WNOHANG)) {
    if (isLate(clock)) excess = "took longer than allowed";
    if (measureMemory(child) > maxBytes) excess = "took more memory than allowed";
    if (excess) kill(child, SIGKILL);
    usleep(5000);
  }
  if (excess && WIFSIGNALED(status)) return excess;
  if (WIFEXITED(status) && !WEXITSTATUS(status)) return NULL;
  if (shared->isSilent) return "was refused without an error";
  if (WIFSIGNALED(status))
    snprintf(message, sizeof message, "ended with signal %s", strsignal(WTERMSIG(status)));
  else
    snprintf(message, sizeof message, "ended the process with %d", WEXITSTATUS(status));
  return message;
}

static void report(uint64_t input, const char *message, int errors) {
  ++reports;
  printf("input %" PRIu64 " %s\n", input, message);
  char text[1200];
  ssize_t length = pread(errors, text, sizeof text, 0);
  if (length > 0) printf("%.*s\n", (int)length, text);
  if (options.run.save && !options.replays) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%" PRIu64 ".mlir", options.run.save, input);
    FILE *file = fopen(path, "w");
    const Text *t = makeText(input);
    if (!file || fwrite(t->text, 1, t->length, file) != t->length || fclose(file)) perror(path);
  }
  fflush(stdout);
}

/// Runs inputs from options.run.seed on; the number behind the last.
static uint64_t runInputs(MlirDialectRegistry registry, int errors) {
  double start = now();
  uint64_t next = options.run.seed, end = options.run.count ? next + options.run.count : UINT64_MAX;
  while (next < end && !(options.run.seconds > 0 && now() - start > options.run.seconds)) {
    uint64_t last = end - next > batch ? next + batch : end;
    shared->now = next;
    shared->start = now();
    shared->spent = 0;
    shared->isSilent = false;
    pid_t child = fork();
    if (child < 0) {
      perror("fork");
      exit(2);
    }
    if (!child) runBatch(registry, next, last, errors);
    const char *message = watch(child);
    if (message) report(shared->now, message, errors);
    next = message ? shared->now + 1 : last;
  }
  return next;
}

//===- options ------------------------------------------------------------===//

static error_t parseOption(int key, char *text, struct argp_state *state) {
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &options.run;
    break;
  case 'r':
    options.replays = true;
    break;
  case ARGP_KEY_ARG:
    if (!readCorpusFile(&corpus, text))
      argp_failure(state, 2, 0, "expected at most %d files, found '%s'", MAX_FILES, text);
    break;
  case ARGP_KEY_END:
    if (!corpus.count) argp_error(state, "expected .mlir files, found none");
    if (options.replays) options.run.count = corpus.count;
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

int main(int argc, char **argv) {
  static const struct argp_option list[] = {{"replay", 'r', 0, 0, "Run the files as they are", 0},
                                            {0}};
  static const struct argp parser = {list,
                                     parseOption,
                                     "FILE.mlir...",
                                     "Mutates the files and compiles what comes out.",
                                     runOptionChildren,
                                     0,
                                     0};
  argp_parse(&parser, argc, argv, 0, NULL, NULL);
  if (options.run.prints) {
    const Text *t = makeText(options.run.seed);
    return fwrite(t->text, 1, t->length, stdout) == t->length ? 0 : 2;
  }
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int errors = memfd_create("stderr", 0);
  if (shared == MAP_FAILED || errors < 0) {
    perror("mutate");
    return 2;
  }
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
  tileRegisterUpstreamPasses();
  tileRegisterPasses();
  uint64_t end = runInputs(registry, errors);
  mlirDialectRegistryDestroy(registry);
  printf("%" PRIu64 " inputs from %" PRIu64 " on: %" PRIu64 " parsed, %" PRIu64 " lowered, %" PRIu64
         " emitted, %" PRIu64 " refused for a parser that crashes, %" PRIu64 " reports\n",
         end - options.run.seed, options.run.seed, shared->parsed, shared->lowered, shared->emitted,
         shared->crashed, reports);
  return reports ? 1 : 0;
}
