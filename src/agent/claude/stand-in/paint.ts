import { VERSION } from './places.ts';

/** What to draw. */
export interface Scene {
  readonly cwd: string;
  readonly model: string;
  readonly mode: string;
  /** The conversation; each entry has its indentation already. */
  readonly entries: readonly string[];
  readonly draft: string;
  /** The text that replaces the mode below the box. */
  readonly hint: string | null;
  /** For how long it has been busy; null when it is not. */
  readonly busySeconds: number | null;
  /** The tokens of the reply so far. */
  readonly tokens: number;
  readonly queued: readonly string[];
  /** The rows of an open dialog. */
  readonly dialog: readonly string[] | null;
  readonly isReady: boolean;
}

/** The size of a terminal. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const MODES: Readonly<Record<string, string>> = {
  bypassPermissions: '⏵⏵ bypass permissions on (shift+tab to cycle)',
  acceptEdits: '⏵⏵ accept edits on (shift+tab to cycle)',
  plan: '⏸ plan mode on (shift+tab to cycle)',
  dontAsk: "⏵⏵ don't ask on (shift+tab to cycle)",
};
const VERBS = ['Wrangling', 'Crafting', 'Cooking', 'Zigzagging'];

/** Characters that take two columns: those of East Asia, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;

/** The rows of the screen, as many as it has. */
export function paint(scene: Scene, size: Size): string[] {
  const isStarting = scene.dialog !== null && !scene.isReady;
  const above = isStarting
    ? ['']
    : [...banner(scene), ...scene.entries.slice(-size.rows).flatMap((entry) => ['', ...wrapped(entry, size.columns)])];
  const rule = '─'.repeat(size.columns);
  const below = scene.dialog === null ? belowOf(scene, size, rule) : [rule, ...scene.dialog];
  const room = Math.max(0, size.rows - below.length);
  // A dialog follows the conversation; the box is at the bottom.
  const shown = above.slice(Math.max(0, above.length - room));
  const gap = Array<string>(Math.max(0, room - shown.length)).fill('');
  const rows = scene.dialog === null ? [...shown, ...gap, ...below] : [...shown, ...below, ...gap];
  return rows.slice(-size.rows).map((row) => cut(row, size.columns));
}

/** Wraps a text into rows; those after the first are indented by two. */
export function wrapped(text: string, columns: number): string[] {
  const rows: string[] = [];
  for (const line of text.split('\n')) {
    let row = rows.length === 0 ? '' : '  ';
    let width = row.length;
    for (const char of line) {
      const wide = widthOf(char);
      if (width + wide > columns) {
        rows.push(row);
        row = '  ';
        width = row.length;
      }
      row += char;
      width += wide;
    }
    rows.push(row);
  }
  return rows;
}

function banner({ cwd, model }: Scene): string[] {
  return ['', ` ▐▛███▛█   Claude Code v${VERSION}`, `▝▜██████▀  ${model} · scripted`, ` ▝▝   ▝▝   ${cwd}`];
}

function belowOf(scene: Scene, size: Size, rule: string): string[] {
  if (!scene.isReady) return [];
  const queued = scene.queued.length === 0 ? [] : [...scene.queued.map((text) => `❯ ${firstLine(text)}`), ''];
  const spinner = scene.busySeconds === null ? [] : [spinnerRow(scene.busySeconds, scene)];
  return [...queued, ...spinner, '', rule, ...boxRows(scene, size), rule, footer(scene)];
}

function spinnerRow(seconds: number, { entries, tokens }: Scene): string {
  const verb = VERBS[entries.length % VERBS.length];
  return seconds < 1 ? `✽ ${verb}…` : `✶ ${verb}… (${seconds}s · ↓ ${tokens} tokens)`;
}

function boxRows({ draft, queued }: Scene, size: Size): string[] {
  const placeholder = queued.length > 0 ? 'Press up to edit queued messages' : '';
  const text = draft === '' ? placeholder : draft.slice(-size.columns * size.rows);
  const rows = wrapped(`❯\u00a0${text}`, size.columns);
  // At most half the screen: beyond that only the end of the text is visible.
  const most = Math.max(1, Math.floor(size.rows / 2));
  return rows.length <= most ? rows : [`❯\u00a0${rows.at(-most)?.slice(2) ?? ''}`, ...rows.slice(1 - most)];
}

function footer({ mode, busySeconds, hint }: Scene): string {
  if (hint !== null) return `  ${hint}`;
  const known = MODES[mode];
  const esc = busySeconds === null ? '' : ' · esc to interrupt';
  if (known !== undefined) return `  ${known}${esc}`;
  return `  ⏸ manual mode on${busySeconds === null ? ' · ? for shortcuts' : esc}`;
}

function cut(row: string, columns: number): string {
  let width = 0;
  for (const char of row) width += widthOf(char);
  if (width <= columns) return row;
  let kept = '';
  let used = 0;
  for (const char of row) {
    used += widthOf(char);
    if (used > columns - 1) break;
    kept += char;
  }
  return `${kept}…`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function widthOf(char: string): number {
  return WIDE.test(char) ? 2 : 1;
}
