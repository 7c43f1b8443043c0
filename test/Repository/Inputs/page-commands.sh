#!/bin/sh
# page-commands.sh ROOT: runs what pages tell a reader to type of tile's tools, at small sizes, in this folder, where the
# files are that they name. Left out are lines behind a `$` (sessions with output, which have tests of their own), what
# asks for another library or has "...", and pages whose commands another test runs.
set -eu
root=$1
count=0
# Where nothing assembles, tile-compile writes PTX.
ptx=
command -v ptxas >/dev/null || ptx=--ptx
for page in "$root"/README.md "$root"/docs/*.md; do
  sed -n 's/^    //p' "$page" | sed -e ':more' -e '/\\$/{N;s/\\\n */ /;bmore' -e '}' |
    grep -E '^(build/bin/)?tile-(run|opt|compile) ' | grep -vE 'cublas|openblas|\.\.\. ' |
    sed 's|build/bin/||; s| *#.*||; s|test/Examples/[A-Za-z]*/||
         s|2^12\.\.2^24:x4|2^6..2^8:x4|; s|1024\.\.4096:x2|16,32|; s|--args 4096|--args 48|; s|--args 512|--args 48|
         s|1000003|1003|; s|random:f32\[4[0-9]*\]|random:f32[4000]|g; s|fail-above 5%|fail-above 100000%|
         s|--budget 40|--budget 2|; s|BM=64,128,256|BM=32,64|; s|BN=64,128,256|BN=32|; s|^tile-compile|& '"$ptx"'|' >commands
  while IFS= read -r command; do
    sh -c "$command" >output 2>&1 </dev/null || {
      cat output
      echo "expected a command that works in $page, found '$command'"
      exit 1
    } >&2
    count=$((count + 1))
  done <commands
done
echo "commands: $count"
