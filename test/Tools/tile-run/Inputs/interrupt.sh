# Runs a benchmark until its table has two lines of the kernel "add", then presses Ctrl-C for it.
#   interrupt.sh OUTPUT COMMAND..
out=$1
shift
"$@" > "$out.out" 2> "$out.err" &
pid=$!
until [ "$(grep -c ' add ' "$out.out")" -ge 2 ] || ! kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
kill -INT "$pid"
wait "$pid"
echo "status $?"
