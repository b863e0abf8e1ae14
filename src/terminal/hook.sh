#!/bin/sh
# Run by an agent's hooks: writes the payload into the run's spool and exits. It works without a daemon and never hangs.
# Usage: set -- SPOOL-FOLDER SIGNALS-FOLDER RUN-NAME [UPDATE BEFORE AFTER OTHERS]; . hook.sh <payload
# With the file UPDATE: the text staged in it is printed between BEFORE and AFTER, unless the payload contains OTHERS:
# then the caller is not the agent that the update is for.
# An agent waits for its hooks, and most of their time is starting processes: the shell that the agent starts reads this
# file itself, and only `cat` is started.
# The body is a function that is called on the last line: an upgrade under a running script is harmless.

main() {
  umask 077
  n=0
  # Process ids are reused; a payload that was not read yet keeps its name.
  while [ -e "$1/$$.$n" ] || [ -e "$1/$$.$n.tmp" ]; do n=$((n + 1)); done
  # A .tmp file is not read by itself; the empty file without that ending says that the payload is complete.
  cat >"$1/$$.$n.tmp" || return
  # Before the daemon reads the payload: it removes it.
  if [ $# -gt 3 ] && [ -e "$4" ]; then deliver "$1/$$.$n.tmp" "$4" "$5" "$6" "$7"; fi
  : >"$1/$$.$n" && : >"$2/$3"
} 2>/dev/null

# The process that moves the file owns it: this hook, another one at the same moment, or the daemon, which withdraws it.
deliver() {
  grep -qF -e "$5" "$1" && return
  mv -f "$2" "$2.taken" || return
  printf '%s' "$3"
  cat "$2.taken"
  printf '%s\n' "$4"
}

main "$@"
exit 0
