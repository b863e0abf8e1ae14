import { asFields, asText } from './json.ts';
import type { TurnRead } from './record.ts';
import type { Call, Step, ToolResult, Turn } from './turn.ts';

/** How much of a tool's result is shown unless `full`. */
const RESULT_LINES_MAX = 5;

/** A turn as it is returned to people and programs. */
export function turnRead(turn: Turn): TurnRead {
  return { prompt: turn.prompt, markdown: (full) => turnText(turn, full), data: { ...turn } };
}

/** A turn whose prompt has a time of its own; null: it was not recorded. */
export function datedTurn({ atMs, ...turn }: Turn & { readonly atMs: number | null }): TurnRead {
  return { ...turnRead(turn), ...(atMs === null ? {} : { atMs }) };
}

/** A turn as Markdown: thinking quoted, calls as code, results fenced and cut to five lines unless `full`. */
export function turnText(turn: Turn, full = false): string {
  const prompt = [`**Prompt**${imagesText(turn.images)}`, turn.prompt].filter((part) => part !== '');
  return `${[...prompt, ...turn.steps.map((step) => stepText(step, full))].join('\n\n')}\n`;
}

function stepText(step: Step, full: boolean): string {
  switch (step.is) {
    case 'thinking':
      return quoted(step.text);
    case 'text':
      return step.text.trim();
    case 'steering':
      return `**Prompt, while working**\n\n${step.text}`;
    case 'told':
      return `**Told with the result of a tool**\n\n${shownText(step.text, full)}`;
    case 'note':
      return `*${step.text}*`;
    case 'call':
      return [callText(step), resultText(step.result, full)].join('\n\n');
  }
}

function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function callText({ name, input }: Call): string {
  const fields = asFields(input) ?? {};
  const command = asText(fields.command);
  const about = asText(fields.description);
  const title = about === null ? `**${name}**` : `**${name}**: ${about}`;
  const code = command === null ? fenced(JSON.stringify(input ?? {}, null, 2), 'json') : fenced(command, 'sh');
  return `${title}\n\n${code}`;
}

function resultText(result: ToolResult | null, full: boolean): string {
  if (result === null) return '*no result recorded*';
  const notes = [
    ...(result.isError ? ['*the tool failed*'] : []),
    ...(result.text === '' ? [] : [shownText(result.text, full)]),
    ...(result.images > 0 ? [`*${imageCount(result.images)}*`] : []),
  ];
  return notes.length === 0 ? '*no output*' : notes.join('\n\n');
}

function shownText(text: string, full: boolean): string {
  const lines = text.replace(/\n+$/, '').split('\n');
  const shown = full ? lines : lines.slice(0, RESULT_LINES_MAX);
  const more = lines.length - shown.length;
  const rest = more > 0 ? [`*${more} more ${more === 1 ? 'line' : 'lines'}*`] : [];
  return [fenced(shown.join('\n'), ''), ...rest].join('\n\n');
}

/** A fence that is longer than any in the text, so that a result cannot break out of its block. */
function fenced(text: string, language: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function imagesText(images: number): string {
  return images === 0 ? '' : ` (${imageCount(images)})`;
}

function imageCount(images: number): string {
  return images === 1 ? 'one image' : `${images} images`;
}
