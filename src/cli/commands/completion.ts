import { command } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';

const BASH = `_outlast() {
  local IFS=$'\\n'
  COMPREPLY=($(outlast __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _outlast outlast
`;

const ZSH = `#compdef outlast
_outlast() {
  local -a found
  local line
  for line in "\${(@f)$(outlast __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then _describe outlast found; else _files; fi
}
compdef _outlast outlast
`;

const FISH = `function __outlast_complete
  set -l words (commandline -opc) (commandline -ct)
  outlast __complete -- $words[2..-1] 2>/dev/null
end
complete -c outlast -a '(__outlast_complete)'
`;

/** The scripts, by shell. */
export const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** `outlast completion` */
export const completion = command({
  name: 'completion',
  summary: 'Print a completion script for your shell.',
  usage: 'completion bash|zsh|fish',
  words: { min: 1, max: 1, are: 'Completes commands, options and their values: sessions, agents, models, events.' },
  completes: Object.keys(SCRIPTS),
  options: {},
  examples: [
    ['eval "$(outlast completion bash)"', 'In ~/.bashrc; for zsh, in ~/.zshrc.'],
    ['outlast completion fish > ~/.config/fish/completions/outlast.fish', 'For fish.'],
  ],
  async run({ words: [shell = ''], json, print }) {
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (script === undefined)
      throw wrongCall(`completion: "${shell}" is not one of ${Object.keys(SCRIPTS).join(', ')}`);
    if (json) await print.json({ shell, script });
    else await print.stdout.write(script);
    return EXIT.fine;
  },
});
