#!/bin/sh
# What an agent's hooks run: drops the payload into the run's spool and is gone. It needs no daemon and never hangs.
# Usage: set -- SPOOL-FOLDER NEWS-FOLDER RUN-NAME; . hook.sh <payload
# An agent waits for its hooks, and most of their time is starting processes: the shell that the agent starts reads this
# file itself, and only `cat` is started.
# The body is a function that is called on the last line: an upgrade under a running script is harmless.

main() {
  umask 077
  n=0
  # Our own process id is free again some day; a file that was not read yet keeps its name.
  while [ -e "$1/$$.$n" ] || [ -e "$1/$$.$n.tmp" ]; do n=$((n + 1)); done
  # A name that ends in .tmp is not read for itself; the empty file without the ending says that it is whole.
  cat >"$1/$$.$n.tmp" && : >"$1/$$.$n" && : >"$2/$3"
} 2>/dev/null

main "$@"
exit 0
