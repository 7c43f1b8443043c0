#!/bin/sh
# ask-server.sh SERVER KERNEL: starts it, asks four times at once and twice for what there is not, ends it, and prints
# the answers in the order of the questions.
set -eu
server=$1
kernel=$2
"$server" tile.socket > served &
pid=$!
trap 'kill $pid 2> /dev/null || true' EXIT
number=0
for arch in sm_80 sm_90a sm_90a sm_100; do
  number=$((number + 1))
  "$server" tile.socket $arch "$kernel" > answer.$number &
  asking="${asking-} $!"
done
for each in $asking; do wait "$each"; done
grep -h '^\.target' answer.1 answer.2 answer.3 answer.4
! "$server" tile.socket sm_1 "$kernel" 2>&1
echo
head -c 300 "$kernel" > torn.mlir
! "$server" tile.socket sm_80 torn.mlir 2>&1
echo
"$server" tile.socket end
wait $pid
trap - EXIT
cat served
