import { type Edit, EMPTY, edited } from './edit.ts';
import type { Item } from './items.ts';
import type { Key, KeyName } from './key.ts';
import { type Deciding, type Mode, moved, movedToNeed, type Ui } from './ui.ts';

/** What a key asks for, besides a change of what is shown. */
export type Act =
  | { readonly do: 'quit' | 'suspend' | 'redraw' }
  | { readonly do: 'logs' | 'attach' | 'interrupt' | 'stop' | 'ask'; readonly session: string }
  | { readonly do: 'prompt'; readonly session: string; readonly text: string }
  | { readonly do: 'decide'; readonly mode: Deciding; readonly allow: boolean; readonly why?: string };

export interface Pressed {
  readonly ui: Ui;
  readonly act?: Act;
}

/** What the keys act on. */
export interface Around {
  readonly items: readonly Item[];
  /** How many items, or lines of an approval, the screen shows. */
  readonly rows: number;
  /** How far an approval can be scrolled. */
  readonly firstMax: number;
  /** Steady time. */
  readonly nowMs: number;
}

/** A key pressed this soon was meant for what was shown before. */
const SETTLE_MS = 300;

/** What a key changes, and what it asks for. */
export function press(ui: Ui, key: Key, around: Around): Pressed {
  const said: Ui = { ...ui, message: null };
  if (key.is === 'key') {
    if (key.name === 'ctrl-c') return { ui, act: { do: 'quit' } };
    if (key.name === 'ctrl-z') return { ui, act: { do: 'suspend' } };
    if (key.name === 'ctrl-l') return { ui: said, act: { do: 'redraw' } };
  }
  const { mode } = ui;
  switch (mode.is) {
    case 'board':
      return onBoard(said, key, around);
    case 'help':
      return { ui: board(said) };
    case 'filter':
    case 'prompt':
      return onText(said, mode, key);
    case 'stop':
      return onQuestion(said, mode.session, key);
    case 'approval':
      return onApproval(said, mode, key, around);
  }
}

const ACTS = { l: 'logs', a: 'attach', i: 'interrupt', y: 'ask', n: 'ask' } as const;

function onBoard(ui: Ui, key: Key, around: Around): Pressed {
  if (key.is === 'key') return onBoardKey(ui, key.name, around);
  // A text that is pasted here was meant for something else.
  if (key.is === 'paste') return { ui };
  let now = ui;
  const letters = [...key.text];
  for (const [at, letter] of letters.entries()) {
    const pressed = onLetter(now, letter, around.items);
    now = pressed.ui;
    if (pressed.act !== undefined) return pressed;
    // What is typed ahead belongs to the line that was opened; a question needs an answer to what it says.
    const rest = letters.slice(at + 1).join('');
    if ('edit' in now.mode) return rest === '' ? pressed : onText(now, now.mode, { is: 'text', text: rest });
    if (now.mode.is !== 'board') return pressed;
  }
  return { ui: now };
}

function onLetter(ui: Ui, letter: string, items: readonly Item[]): Pressed {
  const session = ui.selected;
  switch (letter) {
    case 'q':
      return { ui, act: { do: 'quit' } };
    case '?':
    case 'h':
      return { ui: { ...ui, mode: { is: 'help' } } };
    case '/':
      return { ui: { ...ui, mode: { is: 'filter', session: '', edit: editOf(ui.filter) } } };
    case 't':
      return { ui: { ...ui, isTree: !ui.isTree } };
    case 'j':
    case 'k':
      return { ui: moved(ui, items, letter === 'j' ? 1 : -1) };
    case 'g':
    case 'G':
      return { ui: moved(ui, items, letter === 'G' ? items.length : -items.length) };
  }
  if (session === null) return { ui };
  if (letter === 'p') return { ui: prompting(ui, session, items) };
  if (letter === 's') return { ui: { ...ui, mode: { is: 'stop', session } } };
  const act = Object.hasOwn(ACTS, letter) ? ACTS[letter as keyof typeof ACTS] : undefined;
  return act === undefined ? { ui } : { ui, act: { do: act, session } };
}

function prompting(ui: Ui, session: string, items: readonly Item[]): Ui {
  const item = items[ui.place];
  if (item?.is !== 'session' || item.row.drive !== 'command')
    return { ...ui, mode: { is: 'prompt', session, edit: EMPTY } };
  return { ...ui, message: { text: 'A command takes no prompts. To type into it, attach with a.', isError: true } };
}

function onBoardKey(ui: Ui, name: KeyName, { items, rows }: Around): Pressed {
  const steps: Partial<Record<KeyName, number>> = {
    ...{ up: -1, down: 1, 'page up': -rows, 'page down': rows, home: -items.length, end: items.length },
  };
  const step = steps[name];
  if (step !== undefined) return { ui: moved(ui, items, step) };
  if (name === 'tab') return { ui: movedToNeed(ui, items) };
  if (name === 'escape') return { ui: { ...ui, filter: '' } };
  if (name !== 'enter' || ui.selected === null) return { ui };
  const item = items[ui.place];
  const isAsked = item?.is === 'session' && item.row.approvals > 0;
  return { ui, act: { do: isAsked ? 'ask' : 'logs', session: ui.selected } };
}

function onText(ui: Ui, mode: Extract<Mode, { edit: Edit }>, key: Key): Pressed {
  const isFilter = mode.is === 'filter';
  if (key.is === 'key' && key.name === 'escape') return { ui: board({ ...ui, ...(isFilter && { filter: '' }) }) };
  if (key.is === 'key' && key.name === 'enter') {
    const { text } = mode.edit;
    if (isFilter || text.trim() === '') return { ui: board(ui) };
    return { ui: board(ui), act: { do: 'prompt', session: mode.session, text } };
  }
  const edit = edited(mode.edit, key);
  // A filter is one line.
  const filter = isFilter ? { filter: edit.text.replaceAll('\n', ' ') } : {};
  return { ui: { ...ui, ...filter, mode: { ...mode, edit } } };
}

function onQuestion(ui: Ui, session: string, key: Key): Pressed {
  const isYes = key.is === 'text' && key.text === 'y';
  if (isYes) return { ui: board(ui), act: { do: 'stop', session } };
  return { ui: { ...board(ui), message: { text: 'Not stopped.', isError: false } } };
}

function onApproval(ui: Ui, mode: Deciding, key: Key, { rows, nowMs, firstMax }: Around): Pressed {
  const to = (next: Mode): Pressed => ({ ui: { ...ui, mode: next } });
  const scroll = (by: number): Pressed => to({ ...mode, first: Math.max(0, Math.min(mode.first + by, firstMax)) });
  if (mode.why !== null) return onWhy(ui, mode, mode.why, key);
  if (key.is === 'key') {
    if (key.name === 'escape') return { ui: board(ui) };
    const steps: Partial<Record<KeyName, number>> = { up: -1, down: 1, 'page up': -rows, 'page down': rows };
    const step = key.name === 'home' ? Number.NEGATIVE_INFINITY : (steps[key.name] ?? 0);
    return scroll(step);
  }
  if (key.text === 'q') return { ui: board(ui) };
  if (key.text === 'j' || key.text === 'k') return scroll(key.text === 'j' ? 1 : -1);
  // Several letters at once were typed for something else.
  const isMeant = nowMs - mode.sinceMs >= SETTLE_MS && key.is === 'text' && key.text.length === 1;
  if (isMeant && key.text === 'y') return { ui: board(ui), act: { do: 'decide', mode, allow: true } };
  return isMeant && key.text === 'n' ? to({ ...mode, why: EMPTY }) : { ui };
}

function onWhy(ui: Ui, mode: Deciding, why: Edit, key: Key): Pressed {
  if (key.is === 'key' && key.name === 'escape') return { ui: { ...ui, mode: { ...mode, why: null } } };
  if (key.is === 'key' && key.name === 'enter') {
    const text = why.text.trim();
    return { ui: board(ui), act: { do: 'decide', mode, allow: false, ...(text !== '' && { why: text }) } };
  }
  return { ui: { ...ui, mode: { ...mode, why: edited(why, key) } } };
}

function board(ui: Ui): Ui {
  return { ...ui, mode: { is: 'board' } };
}

function editOf(text: string): Edit {
  return { text, cursor: text.length };
}
