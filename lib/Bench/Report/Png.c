//===- Png.c - the plot of Svg.c as pixels --------------------------------===//
//
// rsvg-convert draws it, so that there is one picture of a report and one program that makes it. It
// reads and writes files of a folder of their own: what somebody asked for is written whole or not
// at all.
//===----------------------------------------------------------------------===//
#include "Report.h"
#include "tile/Support/Process.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool tileBenchHasProgram(const char *name) {
  const char *path = getenv("PATH");
  char *copy = strdup(path ? path : ""), *state = NULL;
  if (!copy) abort();
  bool found = false;
  for (char *folder = strtok_r(copy, ":", &state); folder && !found;
       folder = strtok_r(NULL, ":", &state)) {
    char file[4096];
    struct stat status;
    int length = snprintf(file, sizeof file, "%s/%s", folder, name);
    found = length > 0 && (size_t)length < sizeof file && stat(file, &status) == 0 &&
            S_ISREG(status.st_mode) && access(file, X_OK) == 0;
  }
  free(copy);
  return found;
}

/// Has rsvg-convert draw `svg` into `png`, at twice the size for screens that have the pixels.
static bool convert(const char *svg, const char *png) {
  char *arguments[] = {"rsvg-convert", "--zoom", "2", "--output", (char *)png, (char *)svg, NULL};
  return tileProcessRun(arguments, "/dev/null", true) == 0;
}

static bool writeSvg(const char *path, const BenchReport *report, BenchMetric metric) {
  FILE *file = fopen(path, "we");
  if (!file) return false;
  benchWriteSvg(file, report, metric, true);
  bool ok = !ferror(file);
  return !fclose(file) && ok;
}

/// Reads the picture if it is whole, to its last chunk. The caller frees.
static void *readWhole(const char *path, size_t *size) {
  static const unsigned char end[] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};
  FILE *file = fopen(path, "rbe");
  struct stat status;
  char *data = NULL;
  if (file && fstat(fileno(file), &status) == 0 && (size_t)status.st_size >= sizeof end) {
    *size = (size_t)status.st_size;
    data = tileRuntimeAlloc(*size);
    bool whole =
        fread(data, 1, *size, file) == *size && !memcmp(data + *size - sizeof end, end, sizeof end);
    if (!whole) {
      free(data);
      data = NULL;
    }
  }
  if (file) fclose(file);
  return data;
}

bool benchWritePng(const char *path, const BenchReport *report, BenchMetric metric,
                   TileError *error) {
  char folder[256], svg[280], png[280];
  if (!tileTemporaryMakeFolder(folder, sizeof folder)) {
    tileErrorSet(error, "expected a folder for temporary files to draw '%s', found none", path);
    return false;
  }
  snprintf(svg, sizeof svg, "%s/plot.svg", folder);
  snprintf(png, sizeof png, "%s/plot.png", folder);
  int slots[] = {tileTemporaryNote(folder), tileTemporaryNote(svg), tileTemporaryNote(png)};
  size_t size = 0;
  void *data = writeSvg(svg, report, metric) && convert(svg, png) ? readWhole(png, &size) : NULL;
  unlink(png);
  unlink(svg);
  rmdir(folder);
  for (int i = 2; i >= 0; --i) tileTemporaryForget(slots[i]);
  bool ok = data && tileOutputWrite(path, data, size, error);
  if (!data) tileErrorSet(error, "expected rsvg-convert to draw '%s', found that it failed", path);
  free(data);
  return ok;
}
