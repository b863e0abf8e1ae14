import type { Changes } from '../../api/changes-shape.ts';
import { type Context, command, ONE_SESSION } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { harmless, oneLine, type Print } from '../base/print.ts';

const OPTIONS = {
  stat: { type: 'boolean', sentence: 'Only list the files, with line counts.' },
  turn: { type: 'string', value: 'N', sentence: 'Only what turn N changed; -1 is the last.' },
  'since-turn': { type: 'string', value: 'N', sentence: 'Changes since the beginning of turn N.' },
} as const;

/** `outlast diff` */
export const diff = command({
  name: 'diff',
  summary: 'Show what a session changed.',
  usage: 'diff S [OPTIONS]',
  words: {
    ...ONE_SESSION,
    are: [
      `${ONE_SESSION.are} Compares its files now, or as it left them, with those from before its first prompt.`,
      'Ignored files are not compared. Changes by others in the same folder are shown too.',
    ].join('\n'),
  },
  completes: 'session',
  options: OPTIONS,
  examples: [
    ['outlast diff api', 'Everything since its start, as git shows it.'],
    ['outlast diff api --stat', 'Which files, and how much.'],
    ['outlast diff api --turn -1', 'What the last turn changed.'],
    ['outlast diff api | git apply -R', 'Undo all of it, in its folder.'],
  ],
  run: runDiff,
});

async function runDiff({ words, values, json, print, connect }: Context<typeof OPTIONS>): Promise<number> {
  const [turn, sinceTurn] = [turnOf('--turn', values.turn), turnOf('--since-turn', values['since-turn'])];
  if (turn !== undefined && sinceTurn !== undefined) throw wrongCall('diff: choose one of --turn and --since-turn');
  const found = await connect().changes({ session: words[0] ?? '', turn, sinceTurn, stat: values.stat });
  if (json) await print.json(found);
  else if (values.stat) await print.line(statLines(found, print).join('\n'));
  else await print.part(coloured(found.diff, print));
  if (!json) await tellRest(found, values.stat, print);
  return EXIT.fine;
}

/** What the diff leaves out is on stderr: stdout can be applied. */
async function tellRest(found: Changes, isStat: boolean, print: Print): Promise<void> {
  const { files, diff: text, cut, notCovered } = found;
  if (!isStat && files.length === 0) await print.note('outlast: nothing has changed');
  if (cut !== null) await print.note(`outlast: ${cut}; see outlast diff --stat`);
  if (text.length > 0 || files.length > 0 || notCovered.length > 0)
    for (const each of notCovered) await print.note(`outlast: not compared: ${each}`);
}

function statLines({ files, moreFiles, additions, deletions }: Changes, print: Print): string[] {
  if (files.length === 0) return ['nothing has changed'];
  const names = files.map(({ path, from }) => oneLine(from === undefined ? path : `${from} => ${path}`));
  const width = Math.max(...names.map((name) => name.length));
  const rows = files.map((file, i) => ` ${(names[i] ?? '').padEnd(width)} | ${countText(file, print)}`);
  const more = moreFiles > 0 ? [` … and ${moreFiles} more files`] : [];
  const all = files.length + moreFiles;
  const changed = [numbered(all, 'file'), 'changed'].join(' ');
  return [
    ...rows,
    ...more,
    ` ${changed}, ${numbered(additions, 'insertion')}(+), ${numbered(deletions, 'deletion')}(-)`,
  ];
}

function countText({ status, binary, additions, deletions }: Changes['files'][number], print: Print): string {
  const word = status === 'modified' ? '' : ` (${status})`;
  if (binary) return `binary${word}`;
  return `${print.style('green', `+${additions ?? 0}`)} ${print.style('red', `-${deletions ?? 0}`)}${word}`;
}

function coloured(text: string, print: Print): string {
  const lines = harmless(text).split('\n');
  return lines.map((line) => styled(line, print)).join('\n');
}

/** The lines before the changes of a file. */
const HEAD = /^(?:diff |index |--- |\+\+\+ |rename |similarity |new file|deleted file)/;

function styled(line: string, print: Print): string {
  if (HEAD.test(line)) return print.style('bold', line);
  if (line.startsWith('@@')) return print.style('cyan', line);
  if (line.startsWith('+')) return print.style('green', line);
  return line.startsWith('-') ? print.style('red', line) : line;
}

function turnOf(option: string, word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (!/^-?[1-9]\d{0,8}$/.test(word))
    throw wrongCall(`${option}: "${word}" is not a turn; write a number from 1, or -1`);
  return Number(word);
}

function numbered(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
