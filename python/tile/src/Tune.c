//===- Tune.c - Kernel.tune: the fastest configuration for a launch -------===//
#include "Tile.h"
#include <stdlib.h>

//===- what is tried ------------------------------------------------------===//

/// Texts that are given to libtile, and the objects that hold them (a list).
typedef struct Texts {
  const char **texts;
  size_t count;
  PyObject *keeper;
} Texts;

static bool addText(Texts *t, PyObject *text) {
  bool ok = text && !PyList_Append(t->keeper, text);
  if (ok) t->texts[t->count] = PyUnicode_AsUTF8AndSize(text, NULL);
  ok = ok && t->texts[t->count++];
  Py_XDECREF(text);
  return ok;
}

static bool makeTexts(Texts *t, Py_ssize_t room) {
  t->keeper = room < 0 ? NULL : PyList_New(0);
  t->texts = t->keeper ? calloc((size_t)room + 1, sizeof *t->texts) : NULL;
  if (t->keeper && !t->texts) PyErr_NoMemory();
  return t->texts != NULL;
}

static void freeTexts(Texts *t) {
  free(t->texts);
  Py_XDECREF(t->keeper);
}

/// A sequence of configurations, each a string or a dictionary.
static bool readCandidates(PyObject *sequence, Texts *t) {
  if (!sequence || sequence == Py_None) return true;
  if (PyUnicode_Check(sequence) || PyDict_Check(sequence)) {
    PyErr_Format(PyExc_TypeError, "expected a list of configurations, found %R", sequence);
    return false;
  }
  if (!makeTexts(t, PySequence_Size(sequence))) return false;
  for (Py_ssize_t i = 0; i < PySequence_Size(sequence); ++i) {
    PyObject *item = PySequence_GetItem(sequence, i), *keeper = NULL;
    const char *text;
    bool ok = item && readConfig(item, &text, &keeper);
    Py_XDECREF(item);
    if (!ok || !keeper) {
      if (ok) PyErr_SetString(PyExc_TypeError, "expected a configuration, found None");
      Py_XDECREF(keeper);
      return false;
    }
    if (!addText(t, keeper)) return false;
  }
  return !PyErr_Occurred();
}

/// "BM=64,128" of a name and its values.
static PyObject *joinValues(PyObject *name, PyObject *values) {
  PyObject *text = PyUnicode_FromFormat("%U=", name);
  Py_ssize_t count = PyUnicode_Check(values) ? -1 : PySequence_Size(values);
  if (count < 0)
    PyErr_Format(PyExc_TypeError, "expected a list of values of %U to try, found %R", name, values);
  for (Py_ssize_t i = 0; text && i < count; ++i) {
    PyObject *value = PySequence_GetItem(values, i);
    PyObject *joined = value ? PyUnicode_FromFormat("%U%s%S", text, i ? "," : "", value) : NULL;
    Py_XDECREF(value);
    Py_DECREF(text);
    text = joined;
  }
  if (count < 0) Py_CLEAR(text);
  return text;
}

/// A dictionary of names to their values.
static bool readSpaces(PyObject *dict, Texts *t) {
  if (!dict || dict == Py_None) return true;
  if (!PyDict_Check(dict)) {
    PyErr_Format(PyExc_TypeError, "expected a dictionary of values to try, found %R", dict);
    return false;
  }
  if (!makeTexts(t, PyDict_Size(dict))) return false;
  PyObject *name, *values;
  for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &name, &values);) {
    if (!PyUnicode_Check(name)) PyErr_Format(PyExc_TypeError, "expected a name, found %R", name);
    if (PyErr_Occurred() || !addText(t, joinValues(name, values))) return false;
  }
  return true;
}

//===- what was found -----------------------------------------------------===//

static PyObject *makeTrial(const State *state, tile_tuning *tuning, size_t i) {
  static const char *const outcomes[] = {"best", "slower", "refused", "wrong", "fault", "no time"};
  tile_trial trial = {.size = sizeof trial};
  tile_status status = tile_tuning_get_trial(tuning, i, &trial);
  if (status) return raiseError(state, status), NULL;
  const char *outcome = (size_t)trial.outcome < 6 ? outcomes[trial.outcome] : "other";
  return PyObject_CallFunction(state->trial, "ssds", trial.config, outcome, trial.seconds,
                               trial.message);
}

static PyObject *makeTuning(const State *state, tile_tuning *tuning) {
  tile_tuning_info info = {.size = sizeof info};
  tile_status status = tile_tuning_get_info(tuning, &info);
  if (status) return raiseError(state, status), NULL;
  PyObject *trials = PyTuple_New((Py_ssize_t)info.num_trials);
  for (size_t i = 0; trials && i < info.num_trials; ++i) {
    PyObject *trial = makeTrial(state, tuning, i);
    if (!trial || PyTuple_SetItem(trials, (Py_ssize_t)i, trial)) Py_CLEAR(trials);
  }
  if (!trials) return NULL;
  return PyObject_CallFunction(state->tuning, "sddssNN", info.config, info.seconds,
                               info.default_seconds, info.device, info.key,
                               PyBool_FromLong(info.was_kept), trials);
}

//===- the method ---------------------------------------------------------===//

static size_t *measureArrays(const Arguments *a) {
  size_t *sizes = malloc((a->count + 1) * sizeof *sizes);
  for (size_t i = 0; sizes && i < a->count; ++i) {
    if (a->values[i].kind == TILE_VALUE_POINTER && !a->hasTensor[i]) {
      free(sizes); // an address alone: nothing can be compared
      return NULL;
    }
    sizes[i] = a->hasTensor[i] ? (size_t)tensorGetSpan(&a->tensors[i]) : 0;
  }
  return sizes;
}

static PyObject *tuneWith(State *state, const KernelObject *self, const Arguments *a,
                          tile_tune_options *options) {
  tile_tuning *tuning = NULL;
  tile_status status;
  size_t *sizes = measureArrays(a);
  options->num_elements = sizes;
  Py_BEGIN_ALLOW_THREADS;
  status = tile_kernel_tune(self->kernel, options, a->values, a->count, &tuning);
  Py_END_ALLOW_THREADS;
  free(sizes);
  if (status) return raiseError(state, status), NULL;
  PyObject *result = makeTuning(state, tuning);
  tile_tuning_destroy(tuning);
  return result;
}

static bool readNumbers(PyObject *const *given, tile_tune_options *options) {
  tile_value budget = tile_integer(0), seconds = tile_float(0);
  if (given[OPTION_BUDGET] && !valuePackInteger(given[OPTION_BUDGET], &budget)) return false;
  if (given[OPTION_SECONDS] && !valuePackFloat(given[OPTION_SECONDS], &seconds)) return false;
  options->budget = (uint32_t)budget.as.integer;
  options->seconds = seconds.as.number;
  return true;
}

PyObject *kernelTune(PyObject *object, PyObject *const *objects, Py_ssize_t count,
                     PyObject *names) {
  State *state = stateOf(object);
  const KernelObject *self = (const KernelObject *)object;
  PyObject *options[NUM_OPTIONS], *result = NULL;
  Given given = givenMake(objects, (size_t)count, names);
  Arguments a;
  Texts candidates = {0}, spaces = {0};
  givenTake(&given, state,
            1 << OPTION_GRID | 1 << OPTION_STREAM | 1 << OPTION_DEVICE | 1 << OPTION_CANDIDATES |
                1 << OPTION_SPACES | 1 << OPTION_BUDGET | 1 << OPTION_SECONDS,
            options);
  bool ok = argumentsOpen(&a, state, self, &given);
  tile_tune_options how = {
      .size = sizeof how, .stream = a.stream, .device = (uint32_t)(a.device + 1)};
  if (ok && readPlace(options[OPTION_DEVICE], &a, &how.place) &&
      readGrid(options[OPTION_GRID], how.grid) && readStream(options[OPTION_STREAM], &how.stream) &&
      readNumbers(options, &how) && readCandidates(options[OPTION_CANDIDATES], &candidates) &&
      readSpaces(options[OPTION_SPACES], &spaces)) {
    how.candidates = candidates.texts;
    how.num_candidates = candidates.count;
    how.spaces = spaces.texts;
    how.num_spaces = spaces.count;
    result = tuneWith(state, self, &a, &how);
  }
  argumentsClose(&a);
  freeTexts(&candidates);
  freeTexts(&spaces);
  return result;
}
