#!/bin/sh
# Run by an agent's hook before a tool is used: writes the question into the run's spool and waits for the answer in a
# FIFO beside it. It works without a daemon, and has a deadline of its own.
# Usage: set -- SPOOL-FOLDER SIGNALS-FOLDER RUN-NAME SECONDS LATE UNASKED; . ask.sh <question
# The shell that the agent starts reads this file itself: a call waits for every process that is started here.
# LATE is printed when no answer came in time, UNASKED when the question could not be written.
# The body is a function that is called on the last line: an upgrade under a running script is harmless.

main() {
  umask 077
  n=0
  # Process ids are reused; a question that was not read or answered yet keeps its name.
  while [ -e "$1/$$.$n" ] || [ -e "$1/$$.$n.tmp" ] || [ -e "$1/$$.$n.ask" ]; do n=$((n + 1)); done
  question=$1/$$.$n answer=unasked
  put "$2/$3" 2>/dev/null && wait_for_answer "$4" 2>/dev/null
  case $answer in
    '{'*) printf '%s\n' "$answer" ;;
    file) cat "$question.answer" ;;
    late) printf '%s\n' "$5" ;;
    *) printf '%s\n' "$6" ;;
  esac
}

# Listen before asking, so that the daemon finds a reader. The empty file says that the question is complete.
put() {
  mkfifo "$question.ask" && exec 3<>"$question.ask" || return
  cat >"$question.tmp" && true >"$question" || return
  # Without this file the daemon finds the question a little later.
  true >"$1" || true
}

# The trap comes after the fork: a child that gets TERM before it has reset its parent's trap would ignore it. The
# brackets keep the child from holding our standard output open.
wait_for_answer() {
  (deadline "$1") 3<&- </dev/null >/dev/null &
  timer=$!
  trap 'kill "$timer"; exit 1' HUP INT TERM
  answer=late
  read -r answer <&3
  kill "$timer"
}

# Opens both ends of the FIFO, so that it never waits for a reader that is gone.
deadline() {
  trap 'kill $!; exit' TERM
  sleep "$1" &
  wait $!
  [ -p "$question.ask" ] && echo late 1<>"$question.ask"
}

main "$@"
