import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A command of a page, and what the page says that it prints. */
export interface Step {
  /** The heading of its section. */
  readonly heading: string;
  readonly command: string;
  readonly printed: string;
}

const BLOCK = /^```console\n([\s\S]*?)^```$/gm;

/** A page of this repository. */
export function pageText(path: string): string {
  return readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
}

/** The block of shell commands of a page that begins so, for a test that runs it. */
export function shellBlock(path: string, start: string): string {
  const found = blocksOf(pageText(path), 'sh').find((block) => block.startsWith(start));
  if (found === undefined) throw new Error(`${path} has no block of commands that begins with ${start}`);
  return found;
}

/** The blocks of a page in this language. */
export function blocksOf(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text);
}

/** The commands of all console blocks of a page, in order. A line that ends with a backslash is continued. */
export function stepsOf(page: string): Step[] {
  return [...page.matchAll(BLOCK)].flatMap(({ 1: block = '', index }) => stepsIn(block, headingAt(page, index)));
}

function headingAt(page: string, index: number): string {
  return (
    page
      .slice(0, index)
      .match(/^## .*$/gm)
      ?.at(-1)
      ?.slice(3) ?? ''
  );
}

/**
 * The page with these outputs by command, in order; a command without one keeps what is there. So does one that fits:
 * a page that leaves out some lines ("…") keeps doing so.
 */
export function withOutputs(page: string, outputs: readonly (readonly [command: string, output: string])[]): string {
  const left = [...outputs];
  return page.replace(BLOCK, (_, block: string) => {
    const lines = stepsIn(block, '').map(({ command, printed }) => {
      const output = left[0]?.[0] === command ? (left.shift()?.[1] ?? '') : printed;
      const kept = isShown(printed, output) ? printed : output;
      return `$ ${command.replaceAll('\n', '\n> ')}\n${kept === '' ? '' : `${kept}\n`}`;
    });
    return `\`\`\`console\n${lines.join('')}\`\`\``;
  });
}

function stepsIn(block: string, heading: string): Step[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const lines = part.trimEnd().split('\n');
      const more = lines.slice(1).findIndex((line) => !line.startsWith('> '));
      const end = more < 0 ? lines.length : more + 1;
      const command = [lines[0], ...lines.slice(1, end).map((line) => line.slice(2))].join('\n');
      return { heading, command, printed: lines.slice(end).join('\n') };
    });
}

/**
 * Is this what the page shows? Ids, times, process ids and the like differ from run to run; a line "…" stands for any
 * lines, and "…" in a line for any text.
 */
export function isShown(printed: string, output: string): boolean {
  return patternOf(printed).test(
    plain(output)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

function patternOf(printed: string): RegExp {
  const lines = plain(printed).map((line) =>
    line === '…' ? '(?:.*\n)*?' : `${line.split('…').map(escaped).join('.*')}\n`,
  );
  return new RegExp(`^${lines.join('')}$`);
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The lines, with a word for each thing that is different in each run; columns are as far apart as they need to be. */
function plain(text: string): string[] {
  const lines = text
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b/g, 'UUID')
    .replaceAll(/\b01[0-9a-z]{4,18}\b/g, 'ID')
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ][\d:.-]+Z?/g, 'TIME')
    .replaceAll(/\b\d\d:\d\d:\d\d\b/g, 'TIME')
    .replaceAll(/^(Allowed |Denied )?[0-9a-z]{8}(?= )/gm, '$1APPROVAL')
    .replaceAll(/\b\d+(?:\.\d+)?(?:ms|[smhd])(?: \d+[smh])?\b/g, 'DURATION')
    .replaceAll(/\b(pid|process|pid":) *\d+/g, '$1 PID')
    .replaceAll(/^\d+ (?=TIME )/gm, 'POSITION ')
    .replaceAll(/\bmw[0-9a-z]{17}\b(?: \d+)?/g, 'PROMPT')
    .replaceAll(/ at \d+$/gm, ' at POSITION')
    .replaceAll(/\b[0-9a-z]{8}(?= by )/g, 'APPROVAL')
    .replaceAll(/\b(used \w+) [0-9a-z]{8}$/gm, '$1 APPROVAL')
    .replaceAll(/\b\d+ (bytes|MB)\b/g, 'N $1')
    .replaceAll(/\b\d+t (?:\d+tok|\$[\d.]+)/g, 'USED')
    .replaceAll(/ at \d+ in /g, ' at POSITION in ')
    .replaceAll(/\btoolu_\w+/g, 'CALL')
    .replaceAll(/("tookMs":)\d+/g, '$1N')
    .replaceAll(/[ \t]+/g, ' ')
    .split('\n')
    .map((line) => line.trimEnd());
  while (lines.at(-1) === '') lines.pop();
  return lines;
}
