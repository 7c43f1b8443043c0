//===- Options.c - the command line of tile-compile -----------------------===//
#include "TileCompile.h"
#include "tile/Support/Suggest.h"
#include <argp.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct argp_option options[] = {
    {"kernel", 'k', "NAME", 0, "Of several kernels, this one", 0},
    {"arch", 'a', "sm_80,..", 0,
     "What to compile for, one after the other (sm_90a); cpu: this processor", 0},
    {"define", 'D', "NAME=VALUE", 0, "Binds a meta-parameter; num_warps and num_stages too", 0},
    {"facts", 'f', "0/16,3=1,..", 0,
     "Code for launches that are so: argument 0 is a multiple of 16, argument 3 is 1; may be given "
     "several times, the better ones first; auto, which is taken where there is none: as most "
     "launches are (strides of last dimensions 1, arrays and other numbers multiples of 16; the "
     "same with other numbers, where copies of rows that are not aligned pay, and else; arrays "
     "alone); none: no such code",
     0},
    {"tuned", 't', "DEVICE", OPTION_ARG_OPTIONAL,
     "The configurations that tuning found, each for launches whose keys are nearest: those of the "
     "cache, for GPUs of DEVICE (where there are several)",
     0},
    {"strict", 's', NULL, 0, "No code for launches of which nothing is known", 0},
    {"ptx", 'p', NULL, 0, "PTX for all architectures, which the driver assembles, and no cubins",
     0},
    {"output", 'o', "PREFIX", 0,
     "Where to write PREFIX.h and PREFIX.c, and for a processor PREFIX_cpu.s (by default, the "
     "kernel's name)",
     0},
    {NULL, 'h', NULL, OPTION_HIDDEN, "As --help", 0},
    {0},
};

/// Splits a list at commas, in place.
static void addArchs(CompileOptions *o, char *text, struct argp_state *state) {
  for (char *each = text, *comma; each; each = comma ? comma + 1 : NULL) {
    comma = strchr(each, ',');
    if (comma == each || !*each)
      argp_error(state, "expected architectures as sm_80,sm_90a, found none%s",
                 comma ? " before a comma" : "");
    if (comma) *comma = 0;
    if (o->numArchs == MAX_LIST) argp_error(state, "expected at most %d architectures", MAX_LIST);
    o->archs[o->numArchs++] = each;
  }
}

/// The code includes the header by its name, which C has no way to escape.
static void setOutput(CompileOptions *o, const char *text, struct argp_state *state) {
  const char *slash = strrchr(text, '/'), *name = slash ? slash + 1 : text;
  bool canBeIncluded = *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
  for (const char *at = name; *at; ++at)
    canBeIncluded &= *at != '"' && *at != '\\' && !iscntrl((unsigned char)*at);
  if (!canBeIncluded)
    argp_error(state, "expected the beginning of file names that C can include, found '%s'", text);
  o->output = text;
}

static void addDefinition(CompileOptions *o, const char *text, struct argp_state *state) {
  size_t used = strlen(o->config);
  int written = snprintf(o->config + used, sizeof o->config - used, "%s%s", used ? "," : "", text);
  if (written >= (int)(sizeof o->config - used) || !strchr(text, '='))
    argp_error(state, "expected -D NAME=VALUE, found '%s'", text);
}

static error_t parseOption(int key, char *text, struct argp_state *state) {
  CompileOptions *o = state->input;
  switch (key) {
  case 'h':
    argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
    break;
  case 'k':
    o->kernel = text;
    break;
  case 'a':
    addArchs(o, text, state);
    break;
  case 'D':
    addDefinition(o, text, state);
    break;
  case 'f':
    if (o->numFacts == MAX_LIST) argp_error(state, "expected at most %d --facts", MAX_LIST);
    if (!*text) argp_error(state, "expected facts as 0/16,3=1, found none");
    o->noFacts = !strcmp(text, "none");
    if (!o->noFacts) o->facts[o->numFacts++] = text;
    break;
  case 't':
    o->tuned = true;
    o->device = text;
    break;
  case 's':
    o->strict = true;
    break;
  case 'p':
    o->ptx = true;
    break;
  case 'o':
    setOutput(o, text, state);
    break;
  case ARGP_KEY_ARG:
    if (o->file) argp_error(state, "expected one file, found '%s' and '%s'", o->file, text);
    o->file = text;
    break;
  case ARGP_KEY_END:
    if (!o->file) argp_error(state, "expected a file of kernels, found none");
    if (o->tuned && o->config[0]) argp_error(state, "expected --tuned or -D, found both");
    if (o->noFacts && (o->strict || o->numFacts))
      argp_error(state, "expected --facts none alone, found %s", o->strict ? "--strict" : "others");
    if (!o->noFacts && !o->numFacts) o->facts[o->numFacts++] = "auto";
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static void printVersion(FILE *stream, struct argp_state *state) {
  (void)state;
  fprintf(stream, "tile-compile %s\n", tile_get_version());
}

CompileOptions compileOptionsParse(int argc, char **argv) {
  static const struct argp argp = {
      .options = options,
      .parser = parseOption,
      .args_doc = "FILE.mlir|FILE.ttir",
      .doc =
          "Compiles a kernel ahead of time: to a C file with its code for several architectures "
          "and kinds of launches, and a header with a function that launches it. A program "
          "with these links libtile-rt alone.\v"
          "Example:\n"
          "  tile-compile matmul.mlir --arch sm_80,sm_90a -D BM=128 -o matmul\n"
          "  cc -c matmul.c $(pkg-config --cflags tile-rt)\n"
          "  tile-compile softmax.mlir --arch cpu && cc -c softmax.c softmax_cpu.s\n\n"
          "Cubins are made by the ptxas on PATH, else by the CUDA driver; where there is neither, "
          "--ptx leaves that to the driver of the launch.\n\n"
          "Exit status: 0 success, 1 bad input, 2 bad usage.",
  };
  CompileOptions result = {0};
  argp_err_exit_status = 2;
  argp_program_version_hook = printVersion;
  if (tileSuggestTellOption("tile-compile", &argp, argc, argv)) exit(2);
  argp_parse(&argp, argc, argv, 0, NULL, &result);
  if (!result.numArchs) result.archs[result.numArchs++] = "sm_90a";
  return result;
}
