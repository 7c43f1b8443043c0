//===- Editor.h - the language server -----------------------------*- C -*-===//
//
// MLIR has a language server, whose library lets one register dialects and nothing else: no request
// of its own, and no word in the answers. So tile's stands in front of it, as a process of its own:
//
//   editor <-- messages --> front (here) <-- pipes --> MLIR's server (a child)
//
// Every message of the editor goes to the child, and every answer through Features.c, which adds to
// it (what an op does, in hovers), or makes it where the child has none (formatting). So answers
// keep the child's order. A child that dies is started again, and is told of the open files one by
// one, but for the one that changed last, of which it has died as a rule; where another turns out
// to end it, for that one. Such a file comes back when it is changed. What parses or compiles for
// the front itself does so in processes of their own (Worker.c).
//
//===----------------------------------------------------------------------===//
#ifndef TILE_EDITOR_H
#define TILE_EDITOR_H

#ifdef __cplusplus
extern "C" {
#endif

/// Serves on stdin and stdout until an exit message or the end of stdin; returns the exit code. The
/// options are those of MLIR's server: -lit-test and --input-style=delimited are for both, all
/// others the child's. `serve` is its main.
int tileEditorMain(int argc, char **argv, int (*serve)(int argc, char **argv));

#ifdef __cplusplus
}
#endif
#endif // TILE_EDITOR_H
