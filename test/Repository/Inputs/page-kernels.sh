#!/bin/sh
# page-kernels.sh ROOT WORK: compiles what stands in blocks of mlir on each page that users read, a page at a time.
set -eu
count=0
for page in "$1"/README.md "$1"/docs/*.md; do
  awk '/^```mlir/ { on = 1; next } /^```/ { on = 0 } on' "$page" >"$2/page.mlir"
  [ -s "$2/page.mlir" ] || continue
  tile-opt "$2/page.mlir" -o /dev/null || {
    echo "expected kernels that are right in $page, found the error above" >&2
    exit 1
  }
  count=$((count + 1))
done
echo "pages with kernels: $count"
