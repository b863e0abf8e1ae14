#!/bin/sh
# Starts one command and outlives it: its identity is written first, its exit status last. Every terminal runs this.
# Usage: sh launcher.sh pipe|tty|tmux RUN-FOLDER EXITS-FOLDER RUN-NAME [open|messages]
# The body is a function that is called on the last line: an upgrade under a running script is harmless.

main() {
  # A tmux server passes its own environment. Start with nothing but the run marker by which we are found.
  [ "${OUTLAST_RUN-}" = "$4" ] || exec env -i PATH="$PATH" OUTLAST_RUN="$4" sh "$0" "$@"
  umask 077
  # Not '', which the command would inherit.
  trap : HUP INT TERM QUIT
  kind=$1 run=$2 exits=$3 name=$4 stdin=${5-} status='' keeper=''
  # tmux passes paths below the folder it was started in; the command will be somewhere else.
  case $run in /*) ;; *) run=$PWD/$run exits=$PWD/$exits ;; esac
  claim || exit 0
  trap last_words EXIT
  # The shell would print "Killed" to the terminal.
  exec 9>&2 2>/dev/null

  know_boot
  identify self
  if echo "$id" >"$run/launcher"; then run_command; else status=125; fi
  end_keeper
  leave_group
  write_exit
  [ "$kind" != tmux ] || await_hangup
  exit "$status"
}

# The launcher that creates this file runs the command; no other one ever does. With noclobber the shell opens it
# exclusively, without another process. Not `:`, a special builtin: its failure would end the shell. Older versions
# made a folder: then this fails as well.
claim() {
  set -C
  { true >"$run/claim"; } 2>/dev/null || return
  set +C
}

run_command() {
  if [ "$kind" != pipe ]; then
    (command_itself) 2>&9 9>&-
  else
    input=/dev/null errors=$run/output
    [ -e "$run/stderr" ] && errors=$run/stderr
    [ -n "$stdin" ] && keep_stdin && input=$run/stdin
    (command_itself) <"$input" >>"$run/output" 2>>"$errors" 9>&-
  fi
  status=$?
}

# Runs in the process that becomes the command. The plan never returns.
command_itself() {
  identify self
  echo "$id" >"$run/command" || exit 125
  . "$run/plan"
}

# The keeper and the command open the two ends of the FIFO and wait for each other. No other process holds it, so the
# end of the keeper is the end of input, and a writer sees when the command closes its input.
#
# With messages, the keeper copies what is appended to a file. A daemon that dies leaves at most an incomplete message
# there, and the next daemon can complete it.
keep_stdin() {
  mkfifo "$run/stdin" || return
  if [ "$stdin" = messages ]; then
    tail -c +1 -f "$run/input" </dev/null >"$run/stdin" 9>&- &
  else
    sleep 2147483647 </dev/null >"$run/stdin" 9>&- &
  fi
  identify $!
  keeper=$id
  echo "$id" >"$run/keeper"
}

# The shell has reaped a keeper that ended before; its pid may be in use by another process.
end_keeper() {
  [ -n "$keeper" ] || return
  identify "${keeper%% *}"
  [ "$id" = "$keeper" ] && kill -9 "${keeper%% *}" && wait "${keeper%% *}"
}

# The cgroup that limits the command's memory counts the processes that the kernel killed. The launcher is not in it.
leave_group() {
  [ -r "$run/cgroup" ] && read -r group <"$run/cgroup" || return
  for events in "$group/memory.events" "$group/memory.oom_control"; do
    [ -r "$events" ] || continue
    while read -r word count; do [ "$word" != oom_kill ] || echo "$count" >"$run/oom"; done <"$events"
  done
  rmdir "$group"
}

# On a full disk we wait: the exit must not be lost. Readers accept only a whole line, so it needs no rename. The file
# in the exits folder wakes the daemon, which writes the status to its own journal; the sync comes after that. Without
# space for that file, the daemon finds the exit a little later by itself.
write_exit() {
  until echo "status=$status" >"$run/exit"; do
    [ -d "$run" ] || exit "$status"
    sleep 1
  done
  echo "$status" >"$exits/$name"
  sync "$run/exit" "$run" "$exits"
}

# When the process of a pane exits, tmux closes the terminal as soon as it finds nothing to read, while the kernel may
# still hand over the end of the output: that is lost. When the process only closes the terminal, tmux reads to the end
# of it and then hangs up. A process that the command left behind may keep the terminal open for ever.
await_hangup() {
  trap 'exit "$status"' HUP
  # It has hung up already.
  [ -t 0 ] || return
  exec </dev/null >/dev/null 9>&-
  for seconds in 0.3 1 1 1 1 1 1 1 1 1; do
    sleep "$seconds" &
    trap 'kill $!; exit "$status"' HUP
    wait $!
    trap 'exit "$status"' HUP
    if is_held; then return; fi
  done
}

# Does another process have our terminal open? Without /proc: it may.
is_held() {
  [ -n "$proc" ] || return 0
  read -r line </proc/self/stat
  set -- ${line##*) }
  # Field 7 is the number of the device: 136 to 143, with 256 terminals each.
  ls -l /proc/[0-9]*/fd | grep -q -e "-> /dev/pts/$(((($5 >> 8) & 7) * 256 + ($5 & 255)))\$"
}

# A shell that cannot fork stops here. It can still write a file.
last_words() {
  [ -z "$status" ] || [ -s "$run/exit" ] || echo "status=$status" >"$run/exit"
}

know_boot() {
  [ -r /proc/self/stat ] && proc=yes || proc=''
  read -r boot </proc/sys/kernel/random/boot_id || boot=$(sysctl -n kern.bootsessionuuid) || boot=none
}

# Sets id to "PID START BOOT" of a process, or to nothing when it is gone. Uses ps where there is no /proc.
identify() {
  id=''
  if [ -n "$proc" ]; then
    read -r line <"/proc/$1/stat" || return
    pid=${line%% *}
    # The name in parentheses may contain anything; what follows it does not. The start time is field 22.
    set -- ${line##*) }
    id="$pid ${20} $boot"
  else
    pid=$1
    [ "$1" = self ] && pid=$(exec sh -c 'echo "$PPID"')
    set -- $(LC_ALL=C ps -o lstart= -p "$pid")
    [ -z "${5-}" ] || id="$pid $1_$2_$3_$4_$5 $boot"
  fi
} 2>/dev/null

main "$@"
