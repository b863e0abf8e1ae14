import { expect, test } from 'vitest';
import type { ApprovalView } from '../../client/index.ts';
import { anAgent, aSession } from '../../testing/session-view.ts';
import { type Item, itemsOf } from './items.ts';
import { decodeKeys } from './key.ts';
import { type Act, press } from './press.ts';
import { type Deciding, START, settled, type Ui } from './ui.ts';

const ROWS = [
  { ...anAgent({ id: '01a', phase: 'blocked', approvals: 1 }), line: 'x' },
  { ...anAgent({ id: '01b', phase: 'held', held: 'login', createdAtMs: 1_700_000_000_001 }), line: 'x' },
  ...Array.from({ length: 9 }, (_, n) => ({ ...anAgent({ id: `02${n}`, phase: 'working' }), line: '' })),
  { ...aSession({ id: '03c' }), line: '' },
];
const ITEMS = itemsOf(ROWS, { filter: '', isTree: false });

/** The board after these keys, and what they asked for. */
function after(keys: string, from: Partial<Ui> = {}, nowMs = 10_000): { ui: Ui; acts: Act[] } {
  const acts: Act[] = [];
  let ui = settled({ ...START, ...from }, ITEMS, 5);
  for (const key of decodeKeys(keys).keys) {
    const pressed = press(ui, key, { items: ITEMS, rows: 5, firstMax: 3, nowMs });
    if (pressed.act !== undefined) acts.push(pressed.act);
    ui = settled(pressed.ui, ITEMS, 5);
  }
  return { ui, acts };
}

test('keys select sessions, and what is selected is in view', () => {
  expect(after('').ui.selected).toBe('01a');
  expect(after('jj').ui.selected).toBe(after('\x1b[B\x1b[B').ui.selected);
  expect(after('jjk').ui.selected).toBe('01b');
  expect(after('kkk').ui.selected).toBe('01a');
  const { ui } = after('G');
  expect(ui.selected).toBe('020');
  expect(ui.first).toBe(ITEMS.length - 5);
  // The title above the first session comes into view with it.
  expect(after('Gg').ui.first).toBe(0);
});

test('Tab goes through the sessions that need a person', () => {
  expect(after('\t').ui.selected).toBe('01b');
  expect(after('\t\t').ui.selected).toBe('01a');
  expect(after('G\t').ui.selected).toBe('01a');
});

test('the selection stays on its session when others come and go, and moves on when it is gone', () => {
  const { ui } = after('jjj');
  const without = (id: string | null): Item[] => ITEMS.filter((item) => item.is === 'title' || item.row.id !== id);
  expect(settled(ui, without('01a'), 5).selected).toBe(ui.selected);
  const place = ITEMS.findIndex((item) => item.is === 'session' && item.row.id === ui.selected);
  const next = ITEMS[place + 1];
  expect(settled(ui, without(ui.selected), 5).selected).toBe(next?.is === 'session' ? next.row.id : '');
  expect(settled(ui, [], 5).selected).toBeNull();
});

test.each([
  ['l', { do: 'logs', session: '01a' }],
  ['a', { do: 'attach', session: '01a' }],
  ['i', { do: 'interrupt', session: '01a' }],
  ['y', { do: 'ask', session: '01a' }],
  ['\r', { do: 'ask', session: '01a' }],
  ['j\r', { do: 'logs', session: '01b' }],
  ['jl', { do: 'logs', session: '01b' }],
  ['q', { do: 'quit' }],
  ['\x03', { do: 'quit' }],
  ['\x1a', { do: 'suspend' }],
  ['\x0c', { do: 'redraw' }],
  ['pfix it\r', { do: 'prompt', session: '01a', text: 'fix it' }],
  ['p\x1b[200~two\nlines\x1b[201~\r', { do: 'prompt', session: '01a', text: 'two\nlines' }],
] as const)('the keys %j do one thing', (keys, act) => {
  expect(after(keys).acts).toEqual([act]);
});

test('a stop needs an answer to its question, which is not what was typed ahead', () => {
  expect(after('s').ui.mode).toEqual({ is: 'stop', session: '01a' });
  expect(after('sy').acts).toEqual([]);
  const asked = { mode: { is: 'stop', session: '01b' } } as const;
  expect(after('y', asked).acts).toEqual([{ do: 'stop', session: '01b' }]);
  expect(after('n', asked).acts).toEqual([]);
  expect(after('yy', asked).acts).toEqual([]);
  expect(after('\r', asked).ui.mode.is).toBe('board');
});

test('a paste onto the board does nothing', () => {
  expect(after('\x1b[200~sylaq\x1b[201~')).toEqual({ ui: after('').ui, acts: [] });
});

test('Escape leaves a line that is typed, and an empty prompt is not sent', () => {
  expect(after('pabc\x1b').ui.mode.is).toBe('prompt');
  const typing = { mode: { is: 'prompt', session: '01a', edit: { text: 'abc', cursor: 3 } } } as const;
  expect(press(settled({ ...START, ...typing }, ITEMS, 5), { is: 'key', name: 'escape' }, AROUND).ui.mode.is).toBe(
    'board',
  );
  expect(after('p  \r')).toMatchObject({ acts: [], ui: { mode: { is: 'board' } } });
  // A command takes no prompt.
  const { ui } = after('p', { selected: '03c' });
  expect([ui.mode.is, ui.message?.isError]).toEqual(['board', true]);
});

const AROUND = { items: ITEMS, rows: 5, firstMax: 3, nowMs: 10_000 };

test('a filter applies while it is typed, Enter keeps it and Escape ends it', () => {
  expect(after('/held').ui).toMatchObject({ filter: 'held', mode: { is: 'filter' } });
  expect(after('/held\r').ui).toMatchObject({ filter: 'held', mode: { is: 'board' } });
  expect(press(after('/held\r').ui, { is: 'key', name: 'escape' }, AROUND).ui.filter).toBe('');
});

const asked = { id: 'q1', session: '01a' } as ApprovalView;
const approval: Deciding = { is: 'approval', session: '01a', asked, more: 0, first: 0, sinceMs: 9_000, why: null };

test('an approval is decided by one key that was pressed after it was shown', () => {
  const decide = (keys: string, nowMs: number): Act[] => after(keys, { mode: approval }, nowMs).acts;
  expect(decide('y', 9_500)).toEqual([{ do: 'decide', mode: approval, allow: true }]);
  expect(decide('y', 9_200)).toEqual([]);
  expect(decide('yy', 9_500)).toEqual([]);
  expect(decide('\x1b[200~y\x1b[201~', 9_500)).toEqual([]);
  expect(decide('\r', 9_500)).toEqual([]);
  expect(after('n', { mode: approval }, 9_200).ui.mode).toEqual(approval);
});

test('a denial can have a reason', () => {
  const [bare] = after('n\r', { mode: approval }).acts;
  expect(bare).toMatchObject({ do: 'decide', allow: false });
  expect(bare).not.toHaveProperty('why');
  expect(after('n\x1b[200~not now\x1b[201~\r', { mode: approval }).acts).toMatchObject([
    { allow: false, why: 'not now' },
  ]);
});

test('an approval scrolls as far as it is long', () => {
  expect(after('\x1b[6~', { mode: approval }).ui.mode).toMatchObject({ first: 3 });
  expect(after('\x1b[6~\x1b[A', { mode: approval }).ui.mode).toMatchObject({ first: 2 });
  expect(after('\x1b[5~', { mode: approval }).ui.mode).toMatchObject({ first: 0 });
});
