# Runs a benchmark until it has printed $WAIT (an extended regular expression; by default a line of the table for the
# kernel "add") twice, or $TIMES times, then presses Ctrl-C for it (or sends another $SIGNAL).
#   interrupt.sh OUTPUT COMMAND..
out=$1
shift
# What an earlier run left must not count.
: > "$out.out"
"$@" > "$out.out" 2> "$out.err" &
pid=$!
until [ "$(grep -cE "${WAIT:- add }" "$out.out")" -ge "${TIMES:-2}" ] || ! kill -0 "$pid" 2>/dev/null; do
  sleep 0.1
done
kill -"${SIGNAL:-INT}" "$pid"
wait "$pid"
echo "status $?"
