//===- Front.c - between the editor and MLIR's server ----------------------===//
#include "Editor.h"
#include "tile/Editor.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/// A child that has an answer to give and says nothing for so long hangs; --patience says another
/// time.
enum { PATIENCE_MS = 60000 };
/// So often in a row without an answer, and it is no use.
enum { MAX_DEATHS = 5 };

static const char *methodOf(const json_t *message) {
  const char *method = json_string_value(json_object_get(message, "method"));
  return method ? method : "";
}

static const json_t *fileOf(const json_t *message) {
  return json_object_get(json_object_get(message, "params"), "textDocument");
}

static const char *uriOf(const json_t *message) {
  return json_string_value(json_object_get(fileOf(message), "uri"));
}

//===- the child ------------------------------------------------------------===//

typedef struct Server {
  int argc;
  char **argv;
  int (*serve)(int argc, char **argv);
} Server;

static bool startChild(Editor *e, const Server *server) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) return false;
  fflush(NULL);
  pid_t process = fork();
  if (process < 0) return false;
  if (!process) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    close(in[0]);
    close(in[1]);
    close(out[0]);
    close(out[1]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int status = server->serve(server->argc, server->argv);
    fflush(NULL);
    _exit(status);
  }
  close(in[0]);
  close(out[1]);
  e->child = (Child){.process = process, .to = in[1], .from = {.descriptor = out[0]}};
  return true;
}

/// Its exit status; 1 where it was ended by a signal.
static int endChild(Editor *e, bool kills) {
  if (e->child.to >= 0) close(e->child.to);
  close(e->child.from.descriptor);
  free(e->child.from.text.data);
  if (kills) kill(e->child.process, SIGKILL);
  int status = 0;
  waitpid(e->child.process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static void toChild(const Editor *e, const json_t *message) {
  // A child that is gone is found when it is read from.
  editorSend(e->child.to, message, false);
}

static void toEditor(Editor *e, const json_t *message) {
  if (!editorSend(STDOUT_FILENO, message, e->pretty)) e->ended = true;
}

static void openAgain(const Editor *e, const char *uri) {
  json_t *version = json_object_get(e->versions, uri);
  json_t *message = json_pack(
      "{s:s,s:s,s:{s:{s:s,s:s,s:I,s:O}}}", "jsonrpc", "2.0", "method", "textDocument/didOpen",
      "params", "textDocument", "uri", uri, "languageId", "mlir", "version",
      (json_int_t)json_integer_value(version), "text", json_object_get(e->texts, uri));
  toChild(e, message);
  json_decref(message);
}

/// Another child in place of one that died: it hears what the first has heard, and what was asked
/// is not answered.
static bool replaceChild(Editor *e, const Server *server) {
  endChild(e, true);
  if (++e->deaths > MAX_DEATHS) {
    fputs("error: expected MLIR's server to answer, found that it ends each time\n", stderr);
    e->child = (Child){.to = -1, .from = {.descriptor = -1, .ended = true}};
    return false;
  }
  fputs("note: MLIR's server has ended, and is started again\n", stderr);
  const char *id;
  json_t *request;
  json_object_foreach(e->pending, id, request) {
    json_t *answer = json_pack("{s:s,s:O,s:{s:i,s:s}}", "jsonrpc", "2.0", "id",
                               json_object_get(request, "id"), "error", "code", -32603, "message",
                               "expected an answer, found that the server ended; it goes on");
    toEditor(e, answer);
    json_decref(answer);
  }
  json_object_clear(e->pending);
  if (!startChild(e, server)) return false;
  if (!e->initialize) return true;
  e->replays = true;
  toChild(e, e->initialize);
  const char *uri;
  json_t *text;
  json_object_foreach(e->texts, uri, text) {
    if (!e->changed || strcmp(uri, e->changed) != 0) openAgain(e, uri);
  }
  return true;
}

//===- messages ---------------------------------------------------------------===//

static void keepText(Editor *e, const json_t *message, const char *uri) {
  const char *method = methodOf(message);
  const json_t *file = fileOf(message);
  json_t *text = json_object_get(file, "text");
  if (!strcmp(method, "textDocument/didChange")) {
    // All of it, as the server's capabilities ask for.
    json_t *changes = json_object_get(json_object_get(message, "params"), "contentChanges");
    json_t *last = json_array_get(changes, json_array_size(changes) - 1);
    text = json_object_get(last, "range") ? NULL : json_object_get(last, "text");
  }
  json_object_set(e->texts, uri, text);
  json_object_set(e->versions, uri, json_object_get(file, "version"));
  free(e->changed);
  e->changed = strdup(uri);
}

static void fromEditor(Editor *e, json_t *message) {
  const char *method = methodOf(message), *uri = uriOf(message);
  json_t *id = json_object_get(message, "id");
  if (!strcmp(method, "initialize")) {
    json_decref(e->initialize);
    e->initialize = json_incref(message);
  }
  if (!strcmp(method, "exit")) e->ended = true;
  if (uri && !strncmp(method, "textDocument/did", 16)) {
    if (!strcmp(method, "textDocument/didClose"))
      json_object_del(e->texts, uri);
    else if (strcmp(method, "textDocument/didSave") != 0)
      keepText(e, message, uri);
  }
  if (id && *method) {
    char *key = json_dumps(id, JSON_ENCODE_ANY);
    json_object_set(e->pending, key, message);
    free(key);
  }
  toChild(e, message);
}

static void fromChild(Editor *e, json_t *message) {
  json_t *id = json_object_get(message, "id");
  bool isAnswer = id && !*methodOf(message);
  if (isAnswer && e->replays) {
    e->replays = false;
    return;
  }
  if (!strcmp(methodOf(message), "textDocument/publishDiagnostics")) {
    json_t *params = json_object_get(message, "params");
    const char *uri = json_string_value(json_object_get(params, "uri"));
    if (uri) json_object_set(e->diagnostics, uri, json_object_get(params, "diagnostics"));
  }
  if (isAnswer) {
    char *key = json_dumps(id, JSON_ENCODE_ANY);
    json_t *request = json_object_get(e->pending, key);
    if (request) editorAnswer(e, request, message);
    json_object_del(e->pending, key);
    free(key);
  }
  toEditor(e, message);
}

/// All whole messages of one side. The editor's wait while the child has something to answer, so
/// that a child that dies has died of the last one.
static void deliver(Editor *e) {
  json_t *message;
  while ((message = editorInboxTake(&e->child.from))) {
    e->deaths = 0;
    fromChild(e, message);
    json_decref(message);
  }
  while (!e->ended && !json_object_size(e->pending) && (message = editorInboxTake(&e->input))) {
    fromEditor(e, message);
    json_decref(message);
  }
}

static bool serveOn(Editor *e, const Server *server) {
  deliver(e);
  if (e->ended) return false;
  // What is left of either side's text is no whole message, and where nothing more comes never will
  // be.
  bool waits = json_object_size(e->pending) > 0;
  if (e->input.ended && !waits) return false;
  if (e->child.from.ended) return replaceChild(e, server);
  struct pollfd streams[] = {{.fd = e->child.from.descriptor, .events = POLLIN},
                             {.fd = e->input.ended ? -1 : e->input.descriptor, .events = POLLIN}};
  int ready = poll(streams, 2, waits ? e->patience : -1);
  if (ready < 0) return errno == EINTR;
  if (streams[0].revents) editorInboxFill(&e->child.from);
  if (streams[1].revents) editorInboxFill(&e->input);
  return ready || replaceChild(e, server);
}

/// What the child still has to say when the editor is through.
static void drain(Editor *e) {
  close(e->child.to);
  e->child.to = -1;
  while (!e->child.from.ended) {
    struct pollfd stream = {.fd = e->child.from.descriptor, .events = POLLIN};
    if (poll(&stream, 1, e->patience) <= 0) break;
    editorInboxFill(&e->child.from);
    deliver(e);
  }
}

/// Options that say how messages are framed, and how long an answer may take, are the front's: the
/// child has messages framed always.
static bool takeOption(Editor *e, const char *option) {
  option += strspn(option, "-");
  bool isTest = !strcmp(option, "lit-test");
  if (isTest || !strcmp(option, "input-style=delimited")) e->input.delimited = true;
  if (isTest || !strcmp(option, "pretty")) e->pretty = true;
  if (!strncmp(option, "patience=", 9)) {
    char *end;
    long patience = strtol(option + 9, &end, 10);
    // What is no time is for the child to refuse.
    bool isTime = option[9] && !*end && patience > 0 && patience <= INT_MAX;
    if (isTime) e->patience = (int)patience;
    return isTime;
  }
  return isTest || !strcmp(option, "pretty") || !strncmp(option, "input-style=", 12);
}

int tileEditorMain(int argc, char **argv, int (*serve)(int argc, char **argv)) {
  Editor e = {.texts = json_object(),
              .versions = json_object(),
              .pending = json_object(),
              .diagnostics = json_object(),
              .hints = json_object(),
              .patience = PATIENCE_MS,
              .input = {.descriptor = STDIN_FILENO}};
  char **words = calloc((size_t)argc + 1, sizeof *words);
  if (!words) abort();
  Server server = {.argv = words, .serve = serve};
  bool asks = false;
  for (int i = 0; i < argc; ++i) {
    const char *option = argv[i] + strspn(argv[i], "-");
    asks |= i && (!strncmp(option, "help", 4) || !strcmp(option, "version"));
    if (!i || !takeOption(&e, argv[i])) words[server.argc++] = argv[i];
  }
  int status = 1;
  if (asks) {
    status = serve(argc, argv);
  } else if (signal(SIGPIPE, SIG_IGN) != SIG_ERR && startChild(&e, &server)) {
    while (serveOn(&e, &server)) continue;
    drain(&e);
    status = endChild(&e, false);
  } else {
    fputs("error: expected a process for MLIR's server, found no room for one\n", stderr);
  }
  json_t *const owned[] = {e.initialize, e.texts, e.versions, e.pending, e.diagnostics, e.hints};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; ++i) json_decref(owned[i]);
  free(e.changed);
  free(e.input.text.data);
  free(words);
  return status;
}
