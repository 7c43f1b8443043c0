# Runs a command on a terminal until what it shows has PATTERN, then sends it SIGNAL. Prints its
# status, and which of its children run on.
#   on-terminal.sh LOG PATTERN SIGNAL COMMAND..
log=$1 pattern=$2 signal=$3
shift 3
rm -f "$log" "$log.pid" "$log.status"
# That the terminal hangs up when its first process is gone is not to end the others.
script -qfec "sh -c 'trap \"\" HUP; echo \$\$ > $log.pid; exec $*'; echo \$? > $log.status" "$log" < /dev/null > /dev/null &
until [ -s "$log.pid" ] && grep -q "$pattern" "$log"; do
  sleep 0.05
  [ ! -s "$log.status" ] || break
done
pid=$(cat "$log.pid")
# Fields of /proc/PID/stat: 1 the process, 3 its state, 4 its parent.
children=$(awk -v parent="$pid" '$4 == parent { print $1 }' /proc/[0-9]*/stat 2> /dev/null)
kill "-$signal" "$pid"
wait
echo "status $(cat "$log.status")"
# A process that is gone, or waits for somebody to ask for its status, is no longer running.
for i in 1 2 3 4 5 6 7 8 9 10; do
  left=
  for child in $children; do
    case $(awk '{ print $3 }' "/proc/$child/stat" 2> /dev/null) in "" | Z) ;; *) left="$left $child" ;; esac
  done
  [ -n "$left" ] || break
  sleep 0.2
done
echo "left:$left"
