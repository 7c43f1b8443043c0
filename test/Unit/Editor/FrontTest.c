// RUN: %unit/FrontTest
//
// Editor.h: a server behind the front that dies, or answers nothing that can be read, costs its
// answer; what was open is open again, but for the file that it died of. Nobody waits for ever.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/Editor.h"
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void sayTo(FILE *stream, const char *body) {
  fprintf(stream, "Content-Length: %zu\r\n\r\n%s", strlen(body), body);
  fflush(stream);
}

enum { MAX_BODY = 1 << 19 };

/// Says more than a pipe holds.
static void flood(void) {
  static char body[MAX_BODY];
  memset(body, ' ', sizeof body - 1);
  static const char begin[] = "{\"method\":\"flood\",\"params\":[]";
  memcpy(body, begin, sizeof begin - 1);
  body[sizeof body - 2] = '}';
  sayTo(stdout, body);
}

/// A server that tells of each message that it gets, dies of a text with "boom", says much for one
/// with "flood", and does not end behind one with "stay".
static int serve(int argc, char **argv) {
  (void)argc;
  (void)argv;
  static char body[MAX_BODY];
  size_t size;
  bool stays = false;
  while (scanf("Content-Length: %zu\r\n\r\n", &size) == 1) {
    memset(body, 0, sizeof body);
    if (size >= sizeof body || fread(body, 1, size, stdin) != size) return 1;
    stays |= strstr(body, "stay") != NULL;
    if (strstr(body, "\"exit\"") && stays) pause();
    if (strstr(body, "\"exit\"")) return 7;
    if (strstr(body, "boom")) raise(SIGKILL);
    if (strstr(body, "flood")) flood();
    const char *uri = strstr(body, "file:");
    char note[256];
    snprintf(note, sizeof note, "{\"jsonrpc\":\"2.0\",\"method\":\"got\",\"params\":[\"%.*s\"]}",
             uri ? (int)strcspn(uri, "\"") : 0, uri ? uri : "");
    if (strstr(body, "didOpen")) sayTo(stdout, note);
    const char *id = strstr(body, "\"id\":");
    snprintf(note, sizeof note, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":null}",
             id ? atoi(id + 5) : 0);
    if (id) sayTo(stdout, note);
  }
  return 0;
}

/// What the front writes in a session, and its exit status. An answer may take `patience` ms.
static char *runFor(const char *const *messages, int patience, int *status) {
  int in[2], out[2];
  assert_int_equal(pipe(in), 0);
  assert_int_equal(pipe(out), 0);
  fflush(NULL);
  pid_t process = fork();
  if (!process) {
    alarm(60);
    dup2(in[0], 0);
    dup2(out[1], 1);
    for (int i = 0; i < 2; ++i) {
      close(in[i]);
      close(out[i]);
    }
    char name[] = "front", time[32], *argv[] = {name, time, NULL};
    snprintf(time, sizeof time, "--patience=%d", patience);
    int ended = tileEditorMain(2, argv, serve);
    // Nothing is left over, neither running nor dead.
    _exit(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD ? ended : 99);
  }
  close(in[0]);
  close(out[1]);
  // An editor reads while it writes.
  pid_t writer = fork();
  if (!writer) {
    alarm(60);
    close(out[0]);
    FILE *to = fdopen(in[1], "w");
    for (; *messages; ++messages) sayTo(to, *messages);
    fclose(to);
    _exit(0);
  }
  close(in[1]);
  FILE *from = fdopen(out[0], "r");
  static char text[16 * MAX_BODY];
  text[fread(text, 1, sizeof text - 1, from)] = 0;
  fclose(from);
  waitpid(writer, NULL, 0);
  waitpid(process, status, 0);
  return text;
}

static char *run(const char *const *messages, int *status) {
  return runFor(messages, 60000, status);
}

#define OPEN(URI, TEXT)                                                                            \
  "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{"        \
  "\"uri\":\"" URI "\",\"version\":1,\"languageId\":\"mlir\",\"text\":\"" TEXT "\"}}}"
#define EXIT "{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}"
#define ASK(ID, METHOD)                                                                            \
  "{\"jsonrpc\":\"2.0\",\"id\":" ID ",\"method\":\"" METHOD "\",\"params\":{}}"

/// How often `word` is in the text.
static int count(const char *text, const char *word) {
  int found = 0;
  for (; (text = strstr(text, word)); ++text) ++found;
  return found;
}

/// How many answers without an error the request has.
static int countResults(const char *text, int id) {
  char first[48], last[48];
  snprintf(first, sizeof first, "\"id\":%d,\"result\":null", id);
  snprintf(last, sizeof last, "\"result\":null,\"id\":%d", id);
  return count(text, first) + count(text, last);
}

static void messagesPass(void **state) {
  (void)state;
  static const char *const session[] = {ASK("1", "initialize"), OPEN("file:a", "x"),
                                        ASK("2", "shutdown"), EXIT, NULL};
  int status;
  const char *text = run(session, &status);
  assert_int_equal(WEXITSTATUS(status), 7);
  assert_int_equal(count(text, "\"id\":1"), 1);
  assert_int_equal(count(text, "file:a"), 1);
  assert_int_equal(count(text, "\"id\":2"), 1);
}

static void aDeadServerIsReplaced(void **state) {
  (void)state;
  static const char *const session[] = {ASK("1", "initialize"),
                                        OPEN("file:a", "x"),
                                        OPEN("file:b", "boom"),
                                        ASK("2", "textDocument/hover"),
                                        ASK("3", "textDocument/hover"),
                                        EXIT,
                                        NULL};
  int status;
  const char *text = run(session, &status);
  // a is open again, b is not; the first answer is an error, the next is one.
  assert_int_equal(count(text, "\"id\":1"), 1);
  assert_int_equal(count(text, "file:a"), 2);
  assert_int_equal(count(text, "file:b"), 0);
  assert_int_equal(count(text, "found that the server ended"), 1);
  assert_int_equal(countResults(text, 3), 1);
  assert_int_equal(WEXITSTATUS(status), 7);
}

static void whatIsNoMessageIsLeftOut(void **state) {
  (void)state;
  static const char *const session[] = {"[[[", "7", "", "{\"id\":}", ASK("4", "initialize"),
                                        EXIT,  NULL};
  int status;
  const char *text = run(session, &status);
  assert_int_equal(count(text, "\"id\":4"), 1);
  assert_int_equal(count(text, "-32700"), 4);
  assert_int_equal(WEXITSTATUS(status), 7);
}

/// Of what MLIR's server ends or says nothing, it hears nothing.
static void whatIsNoRequestIsRefused(void **state) {
  (void)state;
  static const char *const session[] = {
      ASK("1", "initialize"),
      "{\"id\":2,\"method\":[\"boom\"]}",
      "{\"id\":3,\"method\":null}",
      "{\"id\":4}",
      "{\"id\":[5],\"method\":\"boom\"}",
      "{\"id\":6.5,\"method\":\"boom\"}",
      "{\"id\":null,\"method\":\"boom\"}",
      "{\"params\":\"boom\"}",
      ASK("8", "shutdown"),
      EXIT,
      NULL,
  };
  int status;
  const char *text = run(session, &status);
  assert_int_equal(count(text, "-32600"), 7);
  assert_int_equal(count(text, "-32603"), 0);
  assert_int_equal(count(text, "\"id\":8"), 1);
  assert_int_equal(WEXITSTATUS(status), 7);
}

/// The child dies of a, when it has been told of b: b is open again, a is not, and it goes on.
static void theFileThatAServerDiesOfIsFound(void **state) {
  (void)state;
  static const char *const session[] = {ASK("1", "initialize"),
                                        OPEN("file:a", "boom"),
                                        OPEN("file:b", "x"),
                                        ASK("2", "textDocument/hover"),
                                        ASK("3", "textDocument/hover"),
                                        EXIT,
                                        NULL};
  int status;
  const char *text = run(session, &status);
  assert_int_equal(count(text, "file:a"), 0);
  assert_int_equal(count(text, "file:b"), 1);
  assert_int_equal(count(text, "found that the server ended"), 1);
  assert_int_equal(countResults(text, 3), 1);
  assert_int_equal(WEXITSTATUS(status), 7);
}

/// Both sides write more than a pipe holds before they read.
static void bothSidesSayMuch(void **state) {
  (void)state;
  static char much[MAX_BODY / 2], open[MAX_BODY];
  memset(much, 'x', sizeof much - 1);
  snprintf(open, sizeof open, OPEN("file:a", "flood%s"), much);
  const char *const session[] = {ASK("1", "initialize"), open, open, open,
                                 ASK("2", "shutdown"),   EXIT, NULL};
  int status;
  const char *text = run(session, &status);
  assert_int_equal(count(text, "\"flood\""), 3);
  assert_int_equal(count(text, "\"id\":2"), 1);
  assert_int_equal(WEXITSTATUS(status), 7);
}

/// A server that does not end is ended.
static void theFrontEnds(void **state) {
  (void)state;
  static const char *const session[] = {ASK("1", "initialize"), OPEN("file:a", "stay"), EXIT, NULL};
  int status;
  runFor(session, 500, &status);
  assert_int_equal(WEXITSTATUS(status), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messagesPass),
      cmocka_unit_test(aDeadServerIsReplaced),
      cmocka_unit_test(whatIsNoMessageIsLeftOut),
      cmocka_unit_test(whatIsNoRequestIsRefused),
      cmocka_unit_test(theFileThatAServerDiesOfIsFound),
      cmocka_unit_test(bothSidesSayMuch),
      cmocka_unit_test(theFrontEnds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
