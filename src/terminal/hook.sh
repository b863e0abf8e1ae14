#!/bin/sh
# What an agent's hooks run: drops the payload into the run's spool and is gone. It needs no daemon and never hangs.
# Usage: set -- SPOOL-FOLDER NEWS-FOLDER RUN-NAME [OFFER BEFORE AFTER OTHERS]; . hook.sh <payload
# With OFFER, a file: what is laid out in it is taken along and printed between BEFORE and AFTER, unless OTHERS is in
# the payload: then it is not for whoever calls.
# An agent waits for its hooks, and most of their time is starting processes: the shell that the agent starts reads this
# file itself, and only `cat` is started.
# The body is a function that is called on the last line: an upgrade under a running script is harmless.

main() {
  umask 077
  n=0
  # Our own process id is free again some day; a file that was not read yet keeps its name.
  while [ -e "$1/$$.$n" ] || [ -e "$1/$$.$n.tmp" ]; do n=$((n + 1)); done
  # A name that ends in .tmp is not read for itself; the empty file without the ending says that it is whole.
  cat >"$1/$$.$n.tmp" || return
  # Before anybody else reads the payload: it is gone then.
  if [ $# -gt 3 ] && [ -e "$4" ]; then tell "$1/$$.$n.tmp" "$4" "$5" "$6" "$7"; fi
  : >"$1/$$.$n" && : >"$2/$3"
} 2>/dev/null

# Whoever moves the file has it: this hook, another one at the same moment, or the daemon, which takes it back.
tell() {
  grep -qF -e "$5" "$1" && return
  mv -f "$2" "$2.taken" || return
  printf '%s' "$3"
  cat "$2.taken"
  printf '%s\n' "$4"
}

main "$@"
exit 0
