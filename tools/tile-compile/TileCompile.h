//===- TileCompile.h - what the files of tile-compile share ---------------===//
#ifndef TILE_TOOLS_TILE_COMPILE_H
#define TILE_TOOLS_TILE_COMPILE_H

#include <stdio.h>
#include <tile-rt.h>

enum { MAX_LIST = 64 };

/// What the command line asked for; strings are argv's, or live as long.
typedef struct CompileOptions {
  const char *file, *kernel, *output;
  const char *archs[MAX_LIST];
  int numArchs;
  /// "BM=128,num_warps=8", of all -D.
  char config[1024];
  /// Texts of facts, each a variant; after them comes one that knows nothing, unless `strict`.
  const char *facts[MAX_LIST];
  int numFacts;
  /// --facts none: not even those that are taken where none are given.
  bool noFacts;
  bool strict, ptx;
  /// Take the configurations that tuning found, on `device` (NULL: the only one).
  bool tuned;
  const char *device;
} CompileOptions;

/// Parses the command line; ends the process with 2 on bad usage, with 0 after --help.
CompileOptions compileOptionsParse(int argc, char **argv);

/// What is written: a kernel and its variants, the better ones first.
typedef struct Bundle {
  tile_kernel *kernel;
  tile_kernel_info info;
  tile_artifact *artifacts[4 * MAX_LIST];
  tile_rt_variant variants[4 * MAX_LIST];
  int numVariants;
  /// The grid of a kernel that does not say it: what lies behind the arguments.
  tile_rt_step gridSteps[3];
  /// What was tuned: configurations, each once, and for which keys they are.
  char *configs[MAX_LIST];
  int numConfigs;
  tile_rt_choice choices[MAX_LIST];
  int numChoices;
  size_t keys[MAX_LIST];
  int numKeys;
} Bundle;

/// --facts auto: puts what most launches are like in its place, the better facts first; false after
/// an error.
bool expandFacts(const Bundle *bundle, CompileOptions *options);

/// Finds what was tuned for all architectures; false after an error.
bool findTuned(Bundle *bundle, const CompileOptions *options);
void forgetTuned(Bundle *bundle);
/// Has a configuration been chosen for this architecture by some key?
bool isChosen(const Bundle *bundle, const char *arch, int config);
/// The key arguments, and the choices.
void writeChoices(FILE *file, const Bundle *bundle);
/// A line of text in a comment: a name of a file ends neither the line nor, by a trigraph,
/// continues it.
void printComment(FILE *file, const char *text);
/// A word of C for a name of the kernel's: what C does not take becomes '_', and what is taken gets
/// one.
void printWord(FILE *file, const char *name);
/// A text as C has it, in quotes.
void writeString(FILE *file, const char *text);

/// Is it assembly, for this processor?
bool isForProcessor(const tile_rt_variant *variant);
/// The name of a variant's function in assembly.
void printCpuName(FILE *file, const Bundle *bundle, int number);
/// The text of all that is for the processor.
void writeAssembly(FILE *file, const Bundle *bundle, const char *header);
/// IS_ABLE, a condition of C: the processor has all that this one has.
void writeProcessorCheck(FILE *file);

/// Writes `prefix`.h and `prefix`.c, and where there is code for the processor `prefix`_cpu.s;
/// false after an error.
bool writeBundle(const Bundle *bundle, const char *prefix);

#endif // TILE_TOOLS_TILE_COMPILE_H
