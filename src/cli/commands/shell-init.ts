import { stateFolder } from '../../client/index.ts';
import { command } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';

// The hook runs before every prompt, so it only looks whether one file is there, with what is built into the shell.
// Only if it is, a sh prints the messages: so the options, aliases and traps of the shell do not matter.

/** Prints the messages in the folder $1 and removes them. It has no single quote, so that it fits between two. */
const TELL = `cd "$1" || exit 0
rm -f new
set -- [0-9a-z]*-[0-9]*
[ -f "$1" ] || exit 0
count=$# shown=0
for file; do last=$file; done
echo "$last" >seen
for file; do
  shown=$((shown + 1))
  [ $shown -gt 20 ] || while IFS= read -r line; do
    printf "%s\\n" "$line"
    [ $count -le 3 ] || break
  done <"$file"
  rm -f "$file"
done
[ $count -le 20 ] || echo "outlast: and $((count - 20)) more; see outlast list"`;

const BASH = `case $- in *i*)
  case \${OUTLAST_SHELL_ID-} in "$$"-*) ;; *) OUTLAST_SHELL_ID=$$-$RANDOM$RANDOM ;; esac
  export OUTLAST_SHELL_ID
  __outlast_state=STATE
  __outlast_tell() {
    local status=$?
    if [[ -e \${OUTLAST_STATE:-$__outlast_state}/shells/$OUTLAST_SHELL_ID/new ]]; then
      command sh -c 'TELL' outlast "\${OUTLAST_STATE:-$__outlast_state}/shells/$OUTLAST_SHELL_ID"
    fi
    return $status
  }
  if [[ \${PROMPT_COMMAND[*]-} != *__outlast_tell* ]]; then
    if [[ "$(declare -p PROMPT_COMMAND 2>/dev/null)" == "declare -a"* ]]; then
      PROMPT_COMMAND=(__outlast_tell "\${PROMPT_COMMAND[@]}")
    else
      PROMPT_COMMAND=__outlast_tell\${PROMPT_COMMAND:+$'\\n'$PROMPT_COMMAND}
    fi
  fi
;; esac
`;

const ZSH = `if [[ -o interactive ]]; then
  [[ \${OUTLAST_SHELL_ID-} == $$-* ]] || OUTLAST_SHELL_ID=$$-$RANDOM$RANDOM
  export OUTLAST_SHELL_ID
  __outlast_state=STATE
  __outlast_tell() {
    [[ -e "\${OUTLAST_STATE:-$__outlast_state}/shells/$OUTLAST_SHELL_ID/new" ]] || return 0
    command sh -c 'TELL' outlast "\${OUTLAST_STATE:-$__outlast_state}/shells/$OUTLAST_SHELL_ID"
  }
  autoload -Uz add-zsh-hook
  add-zsh-hook precmd __outlast_tell
fi
`;

const FISH = `if status is-interactive
  string match -q "$fish_pid-*" -- "$OUTLAST_SHELL_ID"; or set -gx OUTLAST_SHELL_ID $fish_pid-(random)(random)
  set -g __outlast_state STATE
  function __outlast_tell --on-event fish_prompt
    set -l folder $__outlast_state
    test -n "$OUTLAST_STATE"; and set folder $OUTLAST_STATE
    if test -e "$folder/shells/$OUTLAST_SHELL_ID/new"
      command sh -c 'TELL' outlast "$folder/shells/$OUTLAST_SHELL_ID"
    end
  end
end
`;

const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** `outlast shell-init` */
export const shellInit = command({
  name: 'shell-init',
  summary: 'Print a shell hook that tells you when your sessions finish.',
  usage: 'shell-init bash|zsh|fish',
  words: {
    min: 1,
    max: 1,
    are: [
      'With it, the shell that started a session in the background tells you at its next prompt when it has answered,',
      'ended, needs an approval or needs you: once each, and not what you read or stopped yourself.',
      'Put the line at the end of the startup file of your shell. The hook takes microseconds, and keeps other hooks.',
    ].join('\n'),
  },
  completes: Object.keys(SCRIPTS),
  options: {},
  examples: [
    ['eval "$(outlast shell-init bash)"', 'In ~/.bashrc.'],
    ['eval "$(outlast shell-init zsh)"', 'In ~/.zshrc.'],
    ['outlast shell-init fish | source', 'In ~/.config/fish/config.fish.'],
  ],
  async run({ words: [shell = ''], env, json, print }) {
    const script = shellScript(shell, stateFolder(env));
    if (script === null) throw wrongCall(`shell-init: "${shell}" is not one of ${Object.keys(SCRIPTS).join(', ')}`);
    if (json) await print.json({ shell, script });
    else await print.stdout.write(script);
    return EXIT.fine;
  },
});

/** The hook for a shell; null: there is none for it. */
export function shellScript(shell: string, state: string): string | null {
  if (!Object.hasOwn(SCRIPTS, shell)) return null;
  const escaped = shell === 'fish' ? state.replaceAll(/[\\']/g, '\\$&') : state.replaceAll("'", "'\\''");
  return (SCRIPTS[shell] ?? '').replace('STATE', () => `'${escaped}'`).replace('TELL', () => TELL);
}
