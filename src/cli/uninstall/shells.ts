import { fs, path } from '../../client/node.ts';
import { type Found, type Places, readText } from './found.ts';

/** A line that our help and guides tell people to add, and nothing else: `eval "$(outlast completion bash)"`. */
const OUR_LINE = new RegExp(
  [
    '^\\s*(?:(?:eval|source|\\.)\\s+)?(?:"?\\$\\(|<\\()?\\s*',
    'outlast\\s+(?:completion|shell-init)(?:\\s+(?:bash|zsh|fish))?\\s*',
    '(?:\\)"?|\\|\\s*source)\\s*;?\\s*$',
  ].join(''),
);

/** Lines in the files that shells read, and completion scripts, which are one of these. */
export function shellsFound(places: Places, scripts: readonly string[]): Found[] {
  return [...linesFound(places), ...scriptsFound(places, scripts)];
}

function linesFound({ home, config, env }: Places): Found[] {
  const zsh = env.ZDOTDIR || home;
  const files = [
    ...['.bashrc', '.bash_profile', '.bash_login', '.profile'].map((name) => path.join(home, name)),
    ...['.zshrc', '.zprofile', '.zshenv'].map((name) => path.join(zsh, name)),
    path.join(config, 'fish', 'config.fish'),
  ];
  return files.flatMap((file) => {
    const lines = (readText(file) ?? '').split('\n').map((text, i) => ({ text, at: i + 1 }));
    const named = lines.filter(({ text }) => /\boutlast\b/.test(text) && !text.trimStart().startsWith('#'));
    return named.map(({ text, at }): Found => {
      const what = `${file}:${at}: ${text.trim()}`;
      if (OUR_LINE.test(text)) return { kind: 'shell', what, remove: () => removeLine(file, text) };
      return { kind: 'shell', what, remove: null, stays: 'not a line that Outlast writes: remove it yourself' };
    });
  });
}

/** Rewrites the file that a link leads to, with the mode that it has. */
function removeLine(file: string, line: string): void {
  const real = fs.realpathSync(file);
  const lines = (readText(real) ?? '').split('\n');
  const at = lines.indexOf(line);
  if (at < 0) return;
  const temporary = `${real}.outlast-${process.pid}`;
  fs.writeFileSync(temporary, lines.toSpliced(at, 1).join('\n'), { mode: fs.statSync(real).mode & 0o777 });
  fs.renameSync(temporary, real);
}

function scriptsFound({ home, config, data }: Places, scripts: readonly string[]): Found[] {
  const files = [
    path.join(config, 'fish', 'completions', 'outlast.fish'),
    path.join(data, 'bash-completion', 'completions', 'outlast'),
    ...['.zfunc', '.zsh/completions', '.local/share/zsh/site-functions'].map((each) =>
      path.join(home, each, '_outlast'),
    ),
  ];
  const known = new Set(scripts.map((script) => script.trim()));
  return files.flatMap((file): Found[] => {
    const text = readText(file);
    if (text === null) return [];
    if (known.has(text.trim())) return [{ kind: 'shell', what: file, remove: () => fs.rmSync(file, { force: true }) }];
    return [{ kind: 'shell', what: file, remove: null, stays: 'of another version, or changed: remove it yourself' }];
  });
}
