import fc from 'fast-check';

/** Programs that some rule may allow, and `evil`, which no rule allows. */
const SIMPLE = [
  'git status',
  'git status -s',
  'ls',
  'npm run test',
  'cat',
  'evil',
  'evil x',
  'echo a',
  'true',
  'git',
  ':',
];

/** Arguments of many forms; C stands for a command. */
const ARGUMENTS = [
  ...[
    'x',
    '-s',
    '*.ts',
    "'a b'",
    '"a b"',
    '$x',
    '"$x"',
    '{a,evil}',
    '{}',
    '~/y',
    "';evil'",
    '";evil;"',
    '\\;',
    "'$(evil)'",
  ],
  ...[
    '"$(C)"',
    '$(C)',
    '`C`',
    '"`C`"',
    '<(C)',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell reads it.
    '"${x}"',
    '"a$(C)b"',
    "$'evil'",
    '$((1+1))',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell reads it.
    '${x:-$(C)}',
    '"\\$(evil)"',
  ],
  ...[
    'a=b',
    '--x=$(C)',
    '""',
    "''",
    '\\\nx',
    '"\\""',
    "'\\'",
    '"!evil"',
    '^x',
    '~',
    'HEAD^',
    '"`"',
    '$(C',
    'x#y',
    '\\`',
    '[x]',
    '%1',
  ],
  ...['$(C; C)', '"$(C "$(C)")"', "$(echo 'evil')", '$(echo "a)"; C)', '$(C # x\n)', '$(cat <<E\nevil\nE\n)'],
];

const REDIRECTIONS = [
  ...[
    '> out/f',
    '>f',
    '2>&1',
    '> /dev/null',
    '2>/dev/null',
    '< src/a.ts',
    '&> f',
    '&>/dev/null',
    '>| out/f',
    '>> out/../f',
    '>&f',
  ],
  ...[
    '> "$x"',
    '< <(C)',
    '> >(C)',
    '<<< "$(C)"',
    '1>&2',
    '3>f',
    '> ~/f',
    '>$(C)',
    '2>evil',
    '> out/$(C)',
    '<<< evil',
    '{fd}>f',
    '> out/"f g"',
  ],
  ...[
    '<<E\n$(C)\nE\n',
    "<<'E'\n$(evil)\nE\n",
    '<<E\nevil\nE\n',
    '<<-E\n\tevil\n\tE\n',
    '<<E\n`C`\nE\n',
    '<<\\E\nevil\nE\n',
    '<<"E" | C\nevil\nE\n',
  ],
  ...[
    '<<E; C\nE\n',
    '<<E <<F\n$(C)\nE\nevil\nF\n',
    '<<E\n\\$(evil)\nE\n',
    '<<E\na\\\nE\nevil\nE\n',
    '<<E "a\nb"\nE\nevil\nE\n',
  ],
];

const COMPOUNDS = [
  ...[
    'C; C',
    'C && C',
    'C || C',
    'C | C',
    'C & C',
    'C\nC',
    '(C)',
    '{ C; }',
    '! C',
    '( C; C )',
    'C;C',
    'C&C',
    'C|C',
    'C|&C',
    'C &',
    'C;',
  ],
  ...[
    'if C; then C; fi',
    'if C; then C; else C; fi',
    'if C; then C; elif C; then C; fi',
    'for x in a $(C); do C; done',
  ],
  ...[
    'while C; do C; break; done',
    'until C; do C; break; done',
    'for x in a b\ndo C\ndone',
    'case x in x) C;; esac',
    'C # evil',
    '# x\nC',
    'C # a; evil',
  ],
  ...[
    "sh -c 'C'",
    'sh -c "C"',
    "eval 'C'",
    'eval C',
    'exec C',
    'env C',
    'env CI=1 C',
    'env PATH=. C',
    'sudo C',
    'command C',
    'nice C',
    'nohup C',
  ],
  ...[
    'timeout 5 C',
    'timeout -s KILL 5 C',
    'time C',
    'xargs C',
    'xargs -n1 C',
    'xargs -I x C x',
    'echo evil | xargs C',
    'echo evil | xargs -I git C',
  ],
  ...[
    'find . -exec C \\;',
    "find . -name a.ts -exec C {} ';'",
    'find . -exec C {} +',
    "find . -exec sh -c 'C' {} +",
    'echo evil | sh',
    'command -v evil',
  ],
  ...[
    "trap 'C' EXIT",
    'x=evil; C',
    'x=$(C) C',
    'PATH=src C',
    'PATH=src:$PATH; C',
    'export PATH=src; C',
    'for PATH in src; do C; done',
    'path=src; C',
    'cd src && ./git status',
    "sudo sh -c 'C; C'",
    'alias git=evil\nC',
    'git() { C; }; git status',
    'f() { C; }; f',
    'cd src && C',
    'cd /; C',
  ],
  ...[
    '[ -n "$(C)" ] && C',
    "[ -v 'x[$(evil)]' ]; C",
    "[ 'x[$(evil)]' -eq 1 ]; C",
    "x='a[$(evil)]'; [ x -eq 1 ]; C",
    "x='-v a[$(evil)]'; [ $x ]; C",
    '[ "$x" = "$(C)" ] || C',
    "printf %d 'x[$(evil)]'; C",
    "printf '%s' 'x[$(evil)]'; C",
    "exit 'x[$(evil)]'",
    'printf -v PATH out; C',
    '> out/f',
    '[[ -n $(C) ]] && C',
    '((x=1)) && C',
    '\\C',
    '"C"',
    '$x C',
    'IFS=x; C',
    'set -- evil; "$@"',
    'C <(C)',
    '{ C } ',
    'C; }',
    'if C; then C',
    'C )',
  ],
  ...[
    "sudo sh -c 'C'",
    "env sh -c 'C; C'",
    'nice nice C',
    'nice env C',
    'sh -ec "C"',
    'sh -c -e C',
    'sh -s',
    'eval "$(C)"',
    'eval eval C',
    'exec > f; C',
    'x=1 y=2 C',
    'coproc C',
  ],
];

/** Characters and fragments that are inserted anywhere. */
const SOUP = [
  ...'; & | ( ) { } < > $ ` " \' \\ # ! * ? ~ = \n'.split(' '),
  ...[
    ' ',
    '\t',
    '\r',
    '$(evil)',
    '`evil`',
    ';evil',
    '\nevil\n',
    '&&evil',
    '|evil',
    '\\\n',
    '\u00a0',
    '${',
    '$((',
    '<<E\n',
    '\nE\n',
    '<(evil)',
    "';evil;'",
    '";evil;"',
    ' evil ',
    '#',
  ],
];

const pick = (from: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...from);

const { command } = fc.letrec<{ command: string; simple: string; compound: string }>((tie) => ({
  simple: fc
    .tuple(
      pick(SIMPLE),
      fc.array(fc.oneof({ weight: 3, arbitrary: pick(ARGUMENTS) }, pick(REDIRECTIONS)), { maxLength: 2 }),
      fc.infiniteStream(tie('command')),
    )
    .map(([name, words, inner]) => [name, ...words.map((word) => filled(word, inner))].join(' ')),
  compound: fc.tuple(pick(COMPOUNDS), fc.infiniteStream(tie('command'))).map(([text, inner]) => filled(text, inner)),
  command: fc.oneof({ maxDepth: 3, withCrossShrink: true }, tie('simple'), tie('compound')),
}));

/** Command lines, valid and invalid: generated by the grammar, some of them with one random edit. */
export const texts: fc.Arbitrary<string> = fc
  .tuple(command, fc.array(fc.tuple(pick(SOUP), fc.nat(), fc.boolean()), { maxLength: 1 }), fc.boolean())
  .map(([text, breaks, isBroken]) => (isBroken ? breaks.reduce(broken, text) : text));

/** Lists of allow rules. None of them names `evil`. */
export const ruleTexts: fc.Arbitrary<string[]> = fc
  .subarray(
    [
      ...[
        'Bash(ls:*)',
        'Bash(npm run test)',
        'Bash(cat *)',
        'Bash(echo:*)',
        'Bash(true)',
        'Bash(:)',
        'Bash(env:*)',
        'Bash(sh:*)',
      ],
      ...[
        'Bash(eval:*)',
        'Bash(exec:*)',
        'Bash(sudo:*)',
        'Bash(command:*)',
        'Bash(xargs:*)',
        'Bash(find:*)',
        'Bash(trap:*)',
        'Bash(printf:*)',
        'Bash(exit:*)',
        'Bash(export:*)',
        'Bash(sudo sh:*)',
        'Bash(./git status)',
        'Bash(cd:*)',
      ],
      ...[
        'Bash([ *)',
        'Bash(sudo git status:*)',
        'Edit(out/**)',
        'Read(src/**)',
        'Bash(set:*)',
        'Bash(break)',
        'Bash(git * x)',
        "Bash(sh -c 'ls')",
      ],
    ],
    { minLength: 12 },
  )
  .map((rules) => ['Bash(git status:*)', ...rules]);

function filled(text: string, inner: fc.Stream<string>): string {
  return text.replaceAll(/\bC\b/g, () => inner.next().value ?? 'ls');
}

function broken(text: string, [sign, place, replaces]: readonly [string, number, boolean]): string {
  const at = place % (text.length + 1);
  return text.slice(0, at) + sign + text.slice(at + (replaces ? 1 : 0));
}
