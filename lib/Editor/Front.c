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
#include <time.h>
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

static const Child noChild = {.to = -1, .from = {.descriptor = -1, .ended = true}};

static long long nowMs(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1000LL * now.tv_sec + now.tv_nsec / 1000000;
}

typedef struct Server {
  int argc;
  char **argv;
  int (*serve)(int argc, char **argv);
} Server;

static void closeBoth(const int *ends) {
  close(ends[0]);
  close(ends[1]);
}

static bool startChild(Editor *e, const Server *server) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC)) return false;
  bool hasBoth = !pipe2(out, O_CLOEXEC);
  fflush(NULL);
  pid_t process = hasBoth ? fork() : -1;
  if (process < 0) {
    closeBoth(in);
    if (hasBoth) closeBoth(out);
    return false;
  }
  if (!process) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    closeBoth(in);
    closeBoth(out);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int status = server->serve(server->argc, server->argv);
    fflush(NULL);
    _exit(status);
  }
  close(in[0]);
  close(out[1]);
  fcntl(in[1], F_SETFL, O_NONBLOCK);
  e->child = (Child){.process = process, .to = in[1], .from = {.descriptor = out[0]}};
  e->heard = nowMs();
  return true;
}

/// Waits for the end of a process, which is made one after `patience` milliseconds. Its exit
/// status; 1 where it was ended by a signal.
static int waitForEnd(pid_t process, int patience) {
  int status = 0;
  for (int waited = 0;; ++waited) {
    if (waited == patience) kill(process, SIGKILL);
    pid_t ended = waitpid(process, &status, waited < patience ? WNOHANG : 0);
    if (ended < 0 && errno != EINTR) return 1;
    if (ended > 0) return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    poll(NULL, 0, 1);
  }
}

/// Leaves no child, nor anything of one.
static int endChild(Editor *e, int patience) {
  Child child = e->child;
  e->child = noChild;
  if (!child.process) return 1;
  if (child.to >= 0) close(child.to);
  close(child.from.descriptor);
  free(child.from.text.data);
  free(child.unsent.data);
  return waitForEnd(child.process, patience);
}

/// Writes what the child takes now: it may itself be waiting for somebody to read.
static void sendUnsent(Editor *e) {
  TileText *unsent = &e->child.unsent;
  size_t sent = 0;
  while (sent < unsent->size) {
    ssize_t wrote = write(e->child.to, unsent->data + sent, unsent->size - sent);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0 && errno == EAGAIN) break;
    // A child that is gone is found when it is read from.
    sent = wrote < 0 ? unsent->size : sent + (size_t)wrote;
  }
  if (!sent) return;
  e->heard = nowMs();
  unsent->size -= sent;
  memmove(unsent->data, unsent->data + sent, unsent->size + 1);
}

static void toChild(Editor *e, const json_t *message) {
  if (e->child.to < 0) return;
  editorAddFrame(&e->child.unsent, message, false);
  sendUnsent(e);
}

static void toEditor(Editor *e, const json_t *message) {
  if (!editorSend(STDOUT_FILENO, message, e->pretty)) e->ended = true;
}

/// JSON-RPC's.
enum { PARSE_ERROR = -32700, INVALID_REQUEST = -32600, INTERNAL_ERROR = -32603 };

/// `id` NULL: of nobody knows which request.
static void refuse(Editor *e, json_t *id, int code, const char *why) {
  json_t *answer =
      json_pack("{s:s,s:o,s:{s:i,s:s}}", "jsonrpc", "2.0", "id", id ? json_incref(id) : json_null(),
                "error", "code", code, "message", why);
  if (answer) toEditor(e, answer);
  json_decref(answer);
}

//===- a child in place of another ------------------------------------------===//

/// Opens the next file of those that the last child had, and asks for what no server has: the
/// answer says that it has lived through the file.
static void openNext(Editor *e) {
  free(e->opening);
  e->opening = NULL;
  if (!json_array_size(e->reopen)) {
    e->deaths = 0;
    return;
  }
  e->opening = strdup(json_string_value(json_array_get(e->reopen, 0)));
  json_array_remove(e->reopen, 0);
  if (!e->opening) abort();
  const char *uri = e->opening;
  json_t *version = json_object_get(e->versions, uri);
  json_t *messages[] = {
      json_pack("{s:s,s:s,s:{s:{s:s,s:s,s:I,s:O}}}", "jsonrpc", "2.0", "method",
                "textDocument/didOpen", "params", "textDocument", "uri", uri, "languageId", "mlir",
                "version", (json_int_t)json_integer_value(version), "text",
                json_object_get(e->texts, uri)),
      json_pack("{s:s,s:i,s:s,s:{}}", "jsonrpc", "2.0", "id", 0, "method", "tile/isAlive",
                "params"),
  };
  e->replays = true;
  for (size_t i = 0; i < sizeof messages / sizeof *messages; ++i) {
    toChild(e, messages[i]);
    json_decref(messages[i]);
  }
}

/// Which files another child opens. One that died while it was opening a file has died of that; any
/// other of the file that changed last, or, where it turns out that it was another, of that.
static void chooseFiles(Editor *e) {
  bool knows = e->opening != NULL;
  const char *uri;
  json_t *text;
  if (knows) json_object_set_new(e->deadly, e->opening, json_true());
  free(e->opening);
  e->opening = NULL;
  json_array_clear(e->reopen);
  json_object_foreach(e->texts, uri, text) {
    bool isChanged = e->changed && !strcmp(uri, e->changed);
    if (!json_object_get(e->deadly, uri) && !isChanged)
      json_array_append_new(e->reopen, json_string(uri));
  }
  bool isInnocent = knows && e->changed && json_object_get(e->texts, e->changed) &&
                    !json_object_get(e->deadly, e->changed);
  if (isInnocent) json_array_append_new(e->reopen, json_string(e->changed));
}

/// Another child in place of one that died: it hears what the first has heard, and what was asked
/// is not answered.
static bool replaceChild(Editor *e, const Server *server) {
  endChild(e, 0);
  if (!e->opening && ++e->deaths > MAX_DEATHS) {
    fputs("error: expected MLIR's server to answer, found that it ends each time\n", stderr);
    return false;
  }
  fputs("note: MLIR's server has ended, and is started again\n", stderr);
  const char *id;
  json_t *request;
  json_object_foreach(e->pending, id, request) {
    refuse(e, json_object_get(request, "id"), INTERNAL_ERROR,
           "expected an answer, found that the server ended; it goes on");
  }
  json_object_clear(e->pending);
  chooseFiles(e);
  e->replays = e->initialize != NULL;
  if (!startChild(e, server)) {
    fputs("error: expected a process for MLIR's server, found no room for one\n", stderr);
    return false;
  }
  if (e->initialize) toChild(e, e->initialize);
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
  json_object_del(e->deadly, uri);
  free(e->changed);
  e->changed = strdup(uri);
}

/// Is it what MLIR's server reads? It ends at a method that is no string, and does not answer an id
/// of another type.
static bool isMessage(const json_t *message) {
  const json_t *id = json_object_get(message, "id"), *method = json_object_get(message, "method");
  bool isAnswer =
      id && !method && (json_object_get(message, "result") || json_object_get(message, "error"));
  bool hasId = !id || json_is_integer(id) || json_is_string(id);
  return hasId && (json_is_string(method) || isAnswer);
}

static void fromEditor(Editor *e, json_t *message) {
  const char *method = methodOf(message), *uri = uriOf(message);
  json_t *id = json_object_get(message, "id");
  if (!isMessage(message)) {
    refuse(e, id, INVALID_REQUEST,
           "expected a method, and an id that is a string or an integer, found others");
    return;
  }
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
    openNext(e);
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

/// The child has something to say, or to take.
static bool isWaiting(const Editor *e) {
  return json_object_size(e->pending) || e->replays || e->child.unsent.size;
}

/// All whole messages of one side. The editor's wait while the child has something to answer, so
/// that a child that dies has died of the last one.
static void deliver(Editor *e) {
  json_t *message;
  while ((message = editorInboxTake(&e->child.from))) {
    if (!e->replays) e->deaths = 0;
    fromChild(e, message);
    json_decref(message);
  }
  while (!e->ended && !isWaiting(e)) {
    message = editorInboxTake(&e->input);
    for (; e->input.refused; --e->input.refused)
      refuse(e, NULL, PARSE_ERROR, "expected a message in JSON, found other text");
    if (!message) break;
    fromEditor(e, message);
    json_decref(message);
  }
}

/// Waits for either side, at most as long as the child may take. False where it took longer.
static bool waitForSides(Editor *e, bool hearsEditor) {
  bool waits = isWaiting(e) || !hearsEditor;
  if (!waits) e->heard = nowMs();
  long long left = e->heard + e->patience - nowMs();
  struct pollfd streams[] = {{.fd = e->child.from.descriptor, .events = POLLIN},
                             {.fd = e->child.unsent.size ? e->child.to : -1, .events = POLLOUT},
                             {.fd = hearsEditor ? e->input.descriptor : -1, .events = POLLIN}};
  int ready = poll(streams, 3, !waits ? -1 : left > 0 ? (int)left : 0);
  if (ready < 0) return errno == EINTR;
  if (streams[0].revents) {
    e->heard = nowMs();
    editorInboxFill(&e->child.from);
  }
  if (streams[1].revents) sendUnsent(e);
  if (streams[2].revents) editorInboxFill(&e->input);
  return !waits || nowMs() - e->heard < e->patience;
}

static bool serveOn(Editor *e, const Server *server) {
  deliver(e);
  if (e->ended) return false;
  // What is left of either side's text is no whole message, and where nothing more comes never will
  // be.
  if (e->input.ended && !isWaiting(e)) return false;
  if (e->child.from.ended) return replaceChild(e, server);
  return waitForSides(e, !e->input.ended) || replaceChild(e, server);
}

/// What the child still has to say when the editor is through. False where it has no end.
static bool drain(Editor *e) {
  e->heard = nowMs();
  while (!e->child.from.ended) {
    if (!e->child.unsent.size && e->child.to >= 0) {
      close(e->child.to);
      e->child.to = -1;
    }
    if (!waitForSides(e, false)) return false;
    deliver(e);
  }
  return true;
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
              .deadly = json_object(),
              .reopen = json_array(),
              .child = noChild,
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
    bool ends = drain(&e);
    status = endChild(&e, ends ? e.patience : 0);
  } else {
    fputs("error: expected a process for MLIR's server, found no room for one\n", stderr);
  }
  json_t *const owned[] = {e.initialize,  e.texts, e.versions, e.pending,
                           e.diagnostics, e.hints, e.deadly,   e.reopen};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; ++i) json_decref(owned[i]);
  free(e.changed);
  free(e.opening);
  free(e.input.text.data);
  free(words);
  return status;
}
