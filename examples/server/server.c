// Compiles kernels for others: a request is a kernel's text and what it is to run on, the answer
// its PTX, or why there is none. Each connection has its thread; all share a context of libtile's,
// whose own threads compile, and whose cache knows what was asked before.
//
//   cc server.c $(pkg-config --cflags --libs tile) -lpthread -o server
//   ./server /tmp/tile.socket &                        serves, until it is asked to end
//   ./server /tmp/tile.socket sm_90a ../c/add.mlir     asks, and prints the answer
//   ./server /tmp/tile.socket end
//
// A request is a line "ARCH BYTES" and so many bytes of text; an answer "ok BYTES" or "error
// BYTES", and so many bytes of PTX or of messages.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <tile.h>
#include <time.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 20 };

/// Seconds that a compilation may take.
static const double patience = 60;

static tile_context *context;
static int listener;

/// Connections that are served now; and how many have been.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned live, served;

//===- bytes --------------------------------------------------------------===//

/// A connection's two directions.
typedef struct Peer {
  FILE *in, *out;
} Peer;

static void hangUp(Peer peer) {
  if (peer.in) fclose(peer.in);
  if (peer.out) fclose(peer.out);
}

/// Takes the socket; false where there is no room.
static bool takeUp(int connection, Peer *peer) {
  int other = dup(connection);
  peer->in = fdopen(connection, "r");
  if (!peer->in) close(connection);
  peer->out = other < 0 ? NULL : fdopen(other, "w");
  if (!peer->out && other >= 0) close(other);
  if (peer->in && peer->out) return true;
  hangUp(*peer);
  return false;
}

/// A line "WORD BYTES" and what follows it, which the caller frees; NULL where it is none.
static char *receive(Peer peer, char word[32], size_t *size) {
  if (fscanf(peer.in, "%31s %zu", word, size) != 2 || fgetc(peer.in) != '\n' || *size > MOST_BYTES)
    return NULL;
  char *bytes = malloc(*size + 1);
  if (bytes && fread(bytes, 1, *size, peer.in) == *size) {
    bytes[*size] = 0;
    return bytes;
  }
  free(bytes);
  return NULL;
}

static void give(Peer peer, const char *word, const void *bytes, size_t size) {
  fprintf(peer.out, "%s %zu\n", word, size);
  fwrite(bytes, 1, size, peer.out);
  fflush(peer.out);
}

//===- serving ------------------------------------------------------------===//

/// The PTX of the text's only kernel. A failure's message is copied before the next call.
static tile_status compile(const char *text, size_t size, const char *arch,
                           tile_artifact **artifact, char **message) {
  tile_module *module = NULL;
  tile_kernel *kernel = NULL;
  tile_future *future = NULL;
  const tile_compile_options options = {
      .size = sizeof options, .arch = arch, .format = TILE_FORMAT_PTX};
  tile_status status = tile_module_create_from_text(context, text, size, "request", &module);
  if (!status) status = tile_module_find_kernel(module, NULL, &kernel);
  if (!status) status = tile_kernel_compile_async(kernel, &options, &future);
  if (!status) status = tile_future_wait(future, patience, artifact);
  *message = status ? strdup(tile_get_message()) : NULL;
  // The artifact has what it needs of the module.
  tile_future_destroy(future);
  tile_module_destroy(module);
  return status;
}

static void answer(Peer peer, const char *text, size_t size, const char *arch) {
  tile_artifact *artifact = NULL;
  tile_artifact_info info = {.size = sizeof info};
  char *message;
  tile_status status = compile(text, size, arch, &artifact, &message);
  if (!status && !tile_artifact_get_info(artifact, &info))
    give(peer, "ok", info.code, info.code_size);
  else
    give(peer, "error", message ? message : "", message ? strlen(message) : 0);
  tile_artifact_destroy(artifact);
  free(message);
}

static void *serveOne(void *data) {
  static const char usage[] = "expected ARCH BYTES and a text, found something else";
  char arch[32] = "";
  size_t size;
  Peer peer;
  if (takeUp((int)(intptr_t)data, &peer)) {
    char *text = receive(peer, arch, &size);
    if (text && !strcmp(arch, "end"))
      shutdown(listener, SHUT_RDWR);
    else if (text)
      answer(peer, text, size, arch);
    else
      give(peer, "error", usage, sizeof usage - 1);
    free(text);
    hangUp(peer);
  }
  pthread_mutex_lock(&mutex);
  --live;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

/// A thread for a connection, or the connection ends.
static void startOne(int connection) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  if (pthread_create(&thread, NULL, serveOne, (void *)(intptr_t)connection) == 0) {
    pthread_detach(thread);
    ++live;
    ++served;
  } else {
    close(connection);
  }
  pthread_mutex_unlock(&mutex);
}

static int serve(const struct sockaddr_un *address) {
  int connection;
  signal(SIGPIPE, SIG_IGN); // who asks may hang up
  // What strangers send may be too much for a compiler: that ends a child process, and no server.
  const tile_context_options options = {
      .size = sizeof options, .max_memory = (size_t)2 << 30, .max_seconds = 60, .isolates = true};
  if (tile_context_create(&options, &context)) {
    fprintf(stderr, "%s\n", tile_get_message());
    return 1;
  }
  listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(listener, (const struct sockaddr *)address, sizeof *address) || listen(listener, 64)) {
    fprintf(stderr, "expected to listen at '%s', found: %s\n", address->sun_path, strerror(errno));
    return 1;
  }
  while ((connection = accept(listener, NULL, NULL)) >= 0) startOne(connection);
  unlink(address->sun_path);
  pthread_mutex_lock(&mutex);
  while (live) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  printf("%u connections served\n", served);
  close(listener);
  return tile_context_destroy(context) ? 1 : 0;
}

//===- asking -------------------------------------------------------------===//

/// Connects to a server, one that is about to start among them.
static bool reach(const struct sockaddr_un *address, Peer *peer) {
  const struct timespec pause = {.tv_nsec = 50000000};
  for (int i = 0; i < 600; ++i) {
    int connection = socket(AF_UNIX, SOCK_STREAM, 0);
    if (!connect(connection, (const struct sockaddr *)address, sizeof *address))
      return takeUp(connection, peer);
    close(connection);
    nanosleep(&pause, NULL);
  }
  fprintf(stderr, "expected a server at '%s', found none\n", address->sun_path);
  return false;
}

static int ask(const struct sockaddr_un *address, const char *arch, const char *path) {
  static char text[MOST_BYTES];
  FILE *file = path ? fopen(path, "r") : NULL;
  size_t size = file ? fread(text, 1, sizeof text, file) : 0;
  Peer peer;
  if (file) fclose(file);
  if (!reach(address, &peer)) return 1;
  give(peer, arch, text, size);
  char word[32] = "ok";
  char *got = path ? receive(peer, word, &size) : NULL;
  bool ok = !strcmp(word, "ok");
  if (got) fwrite(got, 1, size, ok ? stdout : stderr);
  if (got && !ok) fputc('\n', stderr); // a message ends without
  free(got);
  hangUp(peer);
  return !ok;
}

int main(int argc, char **argv) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (argc < 2 || strlen(argv[1]) >= sizeof address.sun_path) {
    fputs("expected a path for a socket\n", stderr);
    return 2;
  }
  strcpy(address.sun_path, argv[1]);
  if (argc == 2) return serve(&address);
  return ask(&address, argv[2], argc > 3 ? argv[3] : NULL);
}
