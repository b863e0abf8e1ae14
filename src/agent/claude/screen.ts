/** What the screen of Claude Code shows. Keys are pressed only when it is `ready`. */
export interface Screen {
  readonly is: 'ready' | 'busy' | 'dialog' | 'unknown';
  /** The open dialog. */
  readonly dialog?: Dialog;
  /** The text in the input box. A person typed it, so we do not change it. */
  readonly draft?: string;
  /** The tokens of the reply so far, from the spinner. */
  readonly tokens?: number;
}

/** The known dialogs; `other` is an unknown one. */
export type Dialog =
  | 'theme'
  | 'trust'
  | 'api-key'
  | 'bypass'
  | 'login'
  | 'permission'
  | 'question'
  | 'plan'
  | 'model'
  | 'resume'
  | 'limit'
  | 'other';

interface Box {
  readonly top: number;
  readonly text: string;
  readonly footer: readonly string[];
}

const RULE = /^─{20,}$/;
/** The rule may have a note at its right end. */
const OVERLAY_RULE = /^▔{20,}( .* ▔+)?$/;
const BOX_LINES_MAX = 60;
const FOOTER_LINES_MAX = 3;

/** A known footer, or the hint that replaces it after a large paste. With any other footer the screen is unknown. */
const FOOTER = /(mode on\b|permissions on\b|edits on\b|don't ask on\b|\? for shortcuts|^\s*paste again to expand\b)/;
/** `● high · /effort` on its own row, below the footer. */
const NOTE_AT_THE_RIGHT = /^ {40,}\S/;
const EFFORT = / · \/effort$/;
const BUSY_FOOTER = /\besc to interrupt\b/;

/** `✶ Wrangling… (1s`: in a narrow terminal the footer is cut and only this shows that it is busy. */
const SPINNER = /^[·✢✳✶✻✽*] (\S+… ?(\(|$)|.*\bRetrying in \d)/;
const SPINNER_ROWS_MAX = 8;

/** A queue exists only while the agent works, and a long one pushes the spinner far up. */
const QUEUED = /^(Press (up|Enter) to (edit|select) .*|Taking your message back…)$/;
/** What an empty box offers after an API error. */
const NEXT_STEP = /^(Resend your message to try again|Once fixed, resend your message|Run \/rewind to go back)$/;
/** Placeholders that Claude Code shows in an empty box. Without colours they look like a draft. */
const PLACEHOLDERS = [QUEUED, NEXT_STEP, /^(Try ".*"|Message @.*…)$/];

/** The first match names the dialog. It counts only together with the foot of a dialog. */
const DIALOGS: readonly (readonly [Dialog, RegExp])[] = [
  ['trust', /I trust this folder|Do you trust the files in this folder/],
  ['api-key', /Detected a custom API key/],
  ['bypass', /running in Bypass Permissions mode/],
  ['login', /Select login method|Paste code here if prompted/],
  ['theme', /Choose the text style|text style that looks best/],
  ['limit', /Stop and wait for limit to reset/],
  ['plan', /Exit plan mode\?|Would you like to proceed\?/],
  ['model', /Switch model\?|Select model/],
  ['resume', /^\s*Resume session\s*$/m],
  ['question', /Enter to select · ↑\/↓ to navigate/],
  ['permission', /Esc to cancel · Tab to amend|Do you want to (proceed|create|make this edit|allow)/],
];

/** The foot of a dialog: how to leave it, or the last of its numbered answers. */
const DIALOG_FOOT = /\b(Esc to (cancel|exit|go back|clear|close)|Enter to (confirm|select|continue))\b/;
const ANSWER = /^\s*❯? ?\d+\. \S/;
const CHOSEN = /^\s*❯ (\d+\. \S|✔ \S|Yes|No)/;
const DIALOG_LINES_MAX = 40;

/** The first-start screens show a sample below their answers. */
const UNFOOTED: readonly Dialog[] = ['theme', 'login'];

/** Classifies the rows of a screen. An unrecognized screen is `unknown`, never `ready`. */
export function readScreen(rows: readonly string[]): Screen {
  const shown = rows.map((row) => row.replaceAll('\u00a0', ' ').trimEnd());
  while (shown.at(-1) === '') shown.pop();
  const box = boxAt(shown);
  if (box !== null) return boxScreen(box, shown);
  const dialog = dialogOf(shown);
  return dialog === null ? { is: 'unknown' } : { is: 'dialog', dialog };
}

/** The input box, if it is the last thing on the screen: two rules, a prompt between, a short footer below. */
function boxAt(rows: readonly string[]): Box | null {
  const bottom = rows.findLastIndex((row) => RULE.test(row));
  const top = rows.findLastIndex((row, i) => i < bottom && RULE.test(row));
  if (top < 0 || bottom - top > BOX_LINES_MAX) return null;
  const [first = '', ...rest] = rows.slice(top + 1, bottom);
  const footer = rows.slice(bottom + 1).filter((row) => row !== '');
  if (!/^❯( |$)/.test(first) || footer.length > FOOTER_LINES_MAX) return null;
  const text = [first.slice(2), ...rest.map((row) => row.replace(/^ {2}/, ''))].join('\n').trimEnd();
  return { top, text, footer };
}

function boxScreen({ top, text, footer }: Box, rows: readonly string[]): Screen {
  const draft = text === '' || PLACEHOLDERS.some((each) => each.test(text)) ? {} : { draft: text };
  // The last row, because a person's own status line may be above it.
  const last = footer.findLast((row) => !NOTE_AT_THE_RIGHT.test(row)) ?? '';
  if (/^Pane is dead/.test(last)) return { is: 'unknown' };
  const written = rows.slice(0, top).filter((row) => row !== '');
  const spinner = written.slice(-SPINNER_ROWS_MAX).findLast((row) => SPINNER.test(row));
  if (spinner !== undefined || QUEUED.test(text) || footer.some((row) => BUSY_FOOTER.test(row)))
    return { is: 'busy', ...draft, ...tokensIn(spinner ?? '') };
  // In the mode that asks about everything, an older version shows only this below a draft.
  if (draft.draft !== undefined && last === '' && footer.some((row) => EFFORT.test(row)))
    return { is: 'ready', ...draft };
  // A footer that is cut may hide "esc to interrupt".
  if (!FOOTER.test(last) || last.endsWith('…')) return { is: 'unknown' };
  return { is: 'ready', ...draft };
}

/** `↓ 11 tokens`, `↓ 1.2k tokens`. */
function tokensIn(spinner: string): Pick<Screen, 'tokens'> {
  const [, number, kilo] = /([\d.,]+)(k?) tokens\b/.exec(spinner) ?? [];
  if (number === undefined) return {};
  return { tokens: Number(number.replaceAll(',', '')) * (kilo === 'k' ? 1_000 : 1) };
}

function dialogOf(rows: readonly string[]): Dialog | null {
  // Above the last rule is the conversation, which can contain any text.
  const rule = rows.findLastIndex((row) => RULE.test(row) || OVERLAY_RULE.test(row));
  const region = rows.slice(Math.max(rule + 1, rows.length - DIALOG_LINES_MAX));
  const text = region.join('\n');
  const dialog = DIALOGS.find(([, mark]) => mark.test(text))?.[0] ?? 'other';
  if (DIALOG_FOOT.test(region.slice(-2).join('\n'))) return dialog;
  const isChoosing = region.some((row) => CHOSEN.test(row));
  if (isChoosing && (ANSWER.test(region.at(-1) ?? '') || UNFOOTED.includes(dialog))) return dialog;
  return null;
}
