# Runs a benchmark until its table has two lines of the kernel "add" or "fill", then presses Ctrl-C
# for it (or sends another $SIGNAL).
#   interrupt.sh OUTPUT COMMAND..
out=$1
shift
# What an earlier run left must not count.
: > "$out.out"
"$@" > "$out.out" 2> "$out.err" &
pid=$!
until [ "$(grep -cE " (add|fill) " "$out.out")" -ge 2 ] || ! kill -0 "$pid" 2>/dev/null; do
  sleep 0.1
done
kill -"${SIGNAL:-INT}" "$pid"
wait "$pid"
echo "status $?"
