//===- Editor.h - what the files of the language server share -----------------===//
#ifndef TILE_LIB_EDITOR_H
#define TILE_LIB_EDITOR_H

#include "tile/Text.h"
#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

/// Bytes that have come from a stream, and are not yet a message.
typedef struct Inbox {
  int descriptor;
  bool delimited; ///< messages end at a line "// -----", as in tests; else they have headers
  bool ended;
  int refused; ///< how many texts were no messages, since somebody set this to 0
  TileText text;
} Inbox;

/// Reads what there is, at least a byte; notes the end.
void editorInboxFill(Inbox *inbox);
/// The next message, to be freed; NULL where none is whole. What is none is told on stderr, counted
/// and left out.
json_t *editorInboxTake(Inbox *inbox);
/// Adds a message with its header to what is to be written.
void editorAddFrame(TileText *text, const json_t *message, bool pretty);
/// Writes one; false where nobody reads.
bool editorSend(int descriptor, const json_t *message, bool pretty);

/// The child.
typedef struct Child {
  pid_t process; ///< 0 for none
  int to;        ///< does not block; -1 once all was said
  Inbox from;
  TileText unsent;
} Child;

typedef struct Editor {
  Child child;
  Inbox input;
  bool pretty;
  int patience;       ///< milliseconds that an answer may take
  json_t *initialize; ///< the message, for another child
  json_t *texts;      ///< of open files, by URI
  json_t *versions;
  json_t *pending;     ///< requests without an answer, by the text of their id
  json_t *diagnostics; ///< as told last, by URI
  json_t *hints;       ///< inlay hints as found last, by URI: for texts that are not right
  char *changed;       ///< the URI of the file that changed last
  json_t *deadly;      ///< URIs of texts that children died of, until they change
  json_t *reopen;      ///< those that a new child has yet to be told of
  char *opening;       ///< the one that it was told of last, and has not lived through yet
  int deaths;          ///< of children, since one has said something
  long long heard;     ///< when the child has read or said something, in milliseconds
  bool replays;        ///< the child's next answer is of nobody's request
  bool ended;
} Editor;

/// The text of an open file; NULL.
const char *editorGetText(const Editor *editor, const char *uri);

/// Changes the child's answer to `request` into the editor's. Both borrowed.
void editorAnswer(Editor *editor, const json_t *request, json_t *answer);

/// The offset of a position in a text, at most its length; columns count UTF-16 units.
size_t editorFindOffset(const char *text, const json_t *position);
/// And a position of an offset, owned.
json_t *editorMakePosition(const char *text, size_t offset);
/// {range, newText}, owned.
json_t *editorMakeEdit(const char *text, size_t begin, size_t end, const char *with);

/// Makes MLIR's answer to a request for completion the editor's. Both borrowed.
void editorComplete(Editor *editor, const json_t *request, json_t *answer);

/// Quick fixes for the hints of the diagnostics in a range (or {}), owned.
json_t *editorFindFixes(const Editor *editor, const char *uri, const json_t *range);

/// What an op does, in a sentence; NULL for ops of others.
const char *editorGetSummary(const char *op, size_t length);

/// The name of the op at an offset ("tile.load"), borrowed from the text; 0 where there is none.
size_t editorFindOp(const char *text, size_t offset, const char **name);

/// Inlay hints of a text (`offset` is not used): the types of values whose line does not say them;
/// owned, NULL where the text is not right.
json_t *editorFindHints(const char *text, size_t offset);
/// What a value of the line at `offset` becomes where the kernel is compiled for a GPU: a string
/// with the layout of its tile; owned, NULL where there is none.
json_t *editorFindLayout(const char *text, size_t offset);

/// Does `work` in a process of its own, which has `seconds`: its result, or NULL where it died.
json_t *editorDoApart(json_t *(*work)(const char *text, size_t offset), const char *text,
                      size_t offset, unsigned seconds);

#endif // TILE_LIB_EDITOR_H
