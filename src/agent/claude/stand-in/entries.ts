import { type Fields, fieldsOf, listOf, textOf } from './json.ts';
import { SYNTHETIC } from './lines.ts';

/** No screen shows more of one entry, and wrapping a megabyte takes too long. */
const CHARS_MAX = 20_000;

/** The screen entries for a line of the transcript; empty when it is not shown. */
export function entriesOf(line: Fields): string[] {
  return wholeEntries(line).map((entry) => (entry.length > CHARS_MAX ? `${entry.slice(0, CHARS_MAX)}…` : entry));
}

function wholeEntries(line: Fields): string[] {
  if (line.isSidechain === true) return [];
  const message = fieldsOf(line.message);
  if (line.type === 'assistant' && (message.model !== SYNTHETIC || line.isApiErrorMessage === true))
    return listOf(message.content).flatMap((block) => answerEntries(fieldsOf(block)));
  if (line.type === 'attachment') {
    const prompt = textOf(fieldsOf(line.attachment).prompt);
    return prompt === null ? [] : [`❯ ${prompt}`];
  }
  return line.type === 'user' ? userEntries(message) : [];
}

/** The entry below a finished turn. */
export function doneEntry(tookMs: number, nowMs: number): string {
  const time = new Date(nowMs).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
  return `✻ Worked for ${Math.round(tookMs / 1000)}s · done ${time}`;
}

function answerEntries(block: Fields): string[] {
  const text = textOf(block.text);
  if (block.type === 'text' && text !== null) return [`● ${text}`];
  if (block.type !== 'tool_use') return [];
  const input = fieldsOf(block.input);
  const subject = textOf(input.command) ?? textOf(input.file_path) ?? '';
  return [`● ${textOf(block.name) ?? ''}(${subject})`];
}

function userEntries(message: Fields): string[] {
  const prompt = textOf(message.content);
  if (prompt !== null) return prompt.startsWith('<') ? [] : [`❯ ${prompt}`];
  return listOf(message.content).flatMap((value) => {
    const block = fieldsOf(value);
    if (block.type === 'tool_result') return [`  ⎿  ${textOf(block.content) ?? ''}`];
    const text = textOf(block.text) ?? '';
    return text.startsWith('[Request interrupted') ? ['  ⎿  Interrupted · What should Claude do instead?'] : [];
  });
}
