/** A command of a page, and what the page says that it prints. */
export interface Step {
  readonly command: string;
  readonly printed: string;
}

const BLOCK = /^```console\n([\s\S]*?)^```$/gm;

/** The commands of all console blocks of a page, in order. A line that ends with a backslash is continued. */
export function stepsOf(page: string): Step[] {
  return [...page.matchAll(BLOCK)].flatMap(([, block = '']) => stepsIn(block));
}

/** The page with these outputs. One that fits stays, so a page that leaves out some lines ("…") keeps doing so. */
export function withOutputs(page: string, outputs: readonly string[]): string {
  const left = [...outputs];
  return page.replace(BLOCK, (_, block: string) => {
    const lines = stepsIn(block).map(({ command, printed }) => {
      const output = left.shift() ?? '';
      const kept = isShown(printed, output) ? printed : output;
      return `$ ${command.replaceAll('\n', '\n> ')}\n${kept === '' ? '' : `${kept}\n`}`;
    });
    return `\`\`\`console\n${lines.join('')}\`\`\``;
  });
}

function stepsIn(block: string): Step[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const lines = part.trimEnd().split('\n');
      const more = lines.slice(1).findIndex((line) => !line.startsWith('> '));
      const end = more < 0 ? lines.length : more + 1;
      const command = [lines[0], ...lines.slice(1, end).map((line) => line.slice(2))].join('\n');
      return { command, printed: lines.slice(end).join('\n') };
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
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b\d\d:\d\d:\d\d\b/g, 'TIME')
    .replaceAll(/^(Allowed |Denied )?[0-9a-z]{8}(?= )/gm, '$1APPROVAL')
    .replaceAll(/\b\d+(?:\.\d+)?(?:ms|[smhd])(?: \d+[smh])?\b/g, 'DURATION')
    .replaceAll(/\b(pid|process) +\d+/g, '$1 PID')
    .replaceAll(/\bmw[0-9a-z]{17}\b(?: \d+)?/g, 'PROMPT')
    .replaceAll(/ at \d+$/gm, ' at POSITION')
    .replaceAll(/\b[0-9a-z]{8}(?= by )/g, 'APPROVAL')
    .replaceAll(/\b\d+ bytes\b/g, 'N bytes')
    .replaceAll(/[ \t]+/g, ' ')
    .split('\n')
    .map((line) => line.trimEnd());
  while (lines.at(-1) === '') lines.pop();
  return lines;
}
