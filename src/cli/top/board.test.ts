import { expect, test } from 'vitest';
import { textWidth } from '../../base/grapheme-width.ts';
import type { ApprovalView, SessionRow } from '../../client/index.ts';
import { anAgent, aSession, endedSession } from '../../testing/session-view.ts';
import { FRAME_ROWS, type Scene } from './board.ts';
import { itemsOf } from './items.ts';
import { LiveList } from './live-list.ts';
import { Painter, type Picture } from './paint.ts';
import { pictureOf } from './picture.ts';
import { type Mode, START, settled, type Ui } from './ui.ts';

const NOW = 1_700_000_100_000;
const secondsAgo = (seconds: number): number => NOW - seconds * 1_000;
const used = (turns: number, usd: number | null, tokens = 1_000) => ({ turns, tokens, usd });
const row = (view: Omit<SessionRow, 'line'>, line: string): SessionRow => ({ ...view, line });

const ROWS: readonly SessionRow[] = [
  row(
    anAgent({
      ...{ id: '01a', name: 'api', agent: 'claude', model: 'opus-5', phase: 'blocked', approvals: 1, gate: 'gate' },
      ...{ lastSignAtMs: secondsAgo(42), usage: used(14, 4.21), workspace: '/w/api' },
    }),
    'Bash npm publish --access public',
  ),
  row(
    anAgent({
      ...{ id: '01b', name: 'login', agent: 'codex', phase: 'held', held: 'codex is not logged in: run codex login' },
      ...{ lastSignAtMs: secondsAgo(4_000), usage: used(2, null, 120_000) },
    }),
    'old',
  ),
  row(
    anAgent({ id: '01c', name: 'docs', agent: 'claude', phase: 'working', lastSignAtMs: secondsAgo(3) }),
    'Read docs/guides/測試.md 👩‍👩‍👧 and then some more text that does not fit',
  ),
  row(aSession({ id: '01d', name: 'build', argv: ['make'], lastSignAtMs: secondsAgo(1) }), 'cc -O2 main.c'),
  row(
    anAgent({
      id: '01e',
      name: 'night',
      phase: 'limited',
      limitedUntilMs: NOW + 7_200_000,
      lastSignAtMs: secondsAgo(90),
    }),
    'Refactoring the parser.',
  ),
  row(anAgent({ id: '01f', name: null, lastSignAtMs: secondsAgo(200_000), usage: used(3, 0.5) }), 'All tests pass.'),
  row(endedSession(1, { id: '01g', name: 'tests', endedAtMs: secondsAgo(30) }), '42 passed, 1 failed'),
  row(endedSession(0, { id: '01h', name: 'lint', endedAtMs: secondsAgo(60) }), 'ok'),
];

function sceneOf(rows: readonly SessionRow[], size: { columns: number; height: number }, ui: Partial<Ui> = {}): Scene {
  const all: Ui = { ...START, ...ui };
  const items = itemsOf(rows, all);
  const known = new Map(rows.map((each) => [each.id, each]));
  const now = { nowMs: NOW, steadyMs: 1_000 };
  return {
    ...size,
    ...now,
    rows: known,
    items,
    connection: { is: 'live' },
    ui: settled(all, items, size.height - FRAME_ROWS),
  };
}

/** The screen as text; checks that it fits. */
function screenOf(scene: Scene, picture: Picture = pictureOf(scene)): string {
  const lines = picture.lines.map((line) => line.map(({ text }) => text).join(''));
  expect(lines).toHaveLength(scene.height);
  expect(lines.filter((line) => textWidth(line) > scene.columns)).toEqual([]);
  return `\n${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

const SMALL = { columns: 80, height: 24 };

test('the board at 80x24', () => {
  expect(screenOf(sceneOf(ROWS, { ...SMALL, height: 18 }))).toMatchInlineSnapshot(`
    "
    outlast top  2 need you · 2 working · 1 parked · 1 idle · 2 ended          $4.71
    NEEDS YOU 2
    >▲ login          held           1h   120k  codex is not logged in: run codex l…
     ▲ api            1 to approve  42s  $4.21  Bash npm publish --access public
    WORKING 2
     ● build          working        1s         cc -O2 main.c
     ● docs           working        3s         Read docs/guides/測試.md 👩‍👩‍👧 and the…
    PARKED 1
     ◷ night          limited 2h     1m         Refactoring the parser.
    IDLE 1
     ○ 01f            idle           2d  $0.50  All tests pass.
    ENDED 2
     ✕ tests          exit 1        30s         42 passed, 1 failed
     ✓ lint           exit 0         1m         ok


    01b · codex, 2 turns, 120k tokens · / · started 1m 40s ago
    ? help  q quit  l logs  a attach  p prompt  y/n approve  i interrupt  s stop
    "
  `);
});

test('the board on a wide screen', () => {
  expect(screenOf(sceneOf(ROWS, { columns: 112, height: 18 }))).toMatchInlineSnapshot(`
    "
    outlast top  2 need you · 2 working · 1 parked · 1 idle · 2 ended                                          $4.71
    NEEDS YOU 2
    >▲ login               held               1h   120k codex             codex is not logged in: run codex login
     ▲ api                 1 to approve      42s  $4.21 claude opus-5     Bash npm publish --access public
    WORKING 2
     ● build               working            1s                          cc -O2 main.c
     ● docs                working            3s        claude            Read docs/guides/測試.md 👩‍👩‍👧 and then some…
    PARKED 1
     ◷ night               limited 2h         1m        scripted          Refactoring the parser.
    IDLE 1
     ○ 01f                 idle               2d  $0.50 scripted          All tests pass.
    ENDED 2
     ✕ tests               exit 1            30s                          42 passed, 1 failed
     ✓ lint                exit 0             1m                          ok


    01b · codex, 2 turns, 120k tokens · / · started 1m 40s ago
    ? help  q quit  l logs  a attach  p prompt  y/n approve  i interrupt  s stop  / filter  t tree
    "
  `);
});

test('the board on a very small screen', () => {
  expect(screenOf(sceneOf(ROWS, { columns: 40, height: 8 }, { selected: '01d' }))).toMatchInlineSnapshot(`
    "
    outlast top  2 need you · 2 working · 1…
    NEEDS YOU 2
     ▲ login      held        1h   120k  co…
     ▲ api        1 to app…  42s  $4.21  Ba…
    WORKING 2
    >● build      working     1s         cc…
    01d · make · / · started 1m 40s ago
    ? help  q quit  l logs  a attach  s stop
    "
  `);
});

test('as a tree, sessions are below their owners', () => {
  const owner = { session: '01a', root: '01a', depth: 1, wake: true, onEnd: 'stop' } as const;
  const rows = ROWS.map((each) => (each.id === '01d' ? { ...each, owner } : each));
  const names = screenOf(sceneOf(rows, SMALL, { isTree: true }))
    .split('\n')
    .slice(2, 5)
    .map((line) => line.slice(2, 18).trimEnd());
  expect(names).toEqual([' login', ' api', '   build']);
});

test('a filter shows the sessions that match every word, in any of what is known of them', () => {
  const found = (filter: string): string[] =>
    itemsOf(ROWS, { filter, isTree: false }).flatMap((item) => (item.is === 'session' ? [item.row.id] : []));
  expect(found('CLAUDE publish')).toEqual(['01a']);
  expect(found('needs you')).toEqual(['01b', '01a']);
  expect(found('make')).toEqual(['01d']);
  expect(found('nothing such')).toEqual([]);
  expect(screenOf(sceneOf(ROWS, SMALL, { filter: 'nothing such' }))).toContain('No session matches "nothing such".');
});

const ASKED: ApprovalView = {
  ...{ id: 'k7mpq2xw', session: '01a', name: 'api', workspace: '/w/api', run: 1, call: 'c', tool: 'Edit' },
  ...{ input: { file_path: '/w/api/settings.ts', old_string: 'a', new_string: 'b' }, hash: 'h', subagent: null },
  ...{ why: 'no rule allows it', rule: null, mode: 'gate', askedAtMs: NOW, leftMs: 61_000 },
  diff: ['--- /w/api/settings.ts', '+++ /w/api/settings.ts', '@@ -1,1 +1,1 @@', '-port = 3000', '+port = 8080'].join(
    '\n',
  ),
  diffFields: ['old_string', 'new_string'],
};
const deciding = (asked: Partial<ApprovalView> = {}): Mode => ({
  ...{ is: 'approval', session: '01a', asked: { ...ASKED, ...asked }, more: 1, first: 0, sinceMs: 0, why: null },
});

test('an approval is shown with its diff and the time that is left', () => {
  const scene = sceneOf(ROWS, { columns: 80, height: 13 }, { mode: deciding() });
  expect(screenOf(scene)).toMatchInlineSnapshot(`
    "
    k7mpq2xw  Edit  api  auto-denied in 1m
      folder      /w/api
      asked       no rule allows it
      file_path   /w/api/settings.ts
      --- /w/api/settings.ts
      +++ /w/api/settings.ts
      @@ -1,1 +1,1 @@
      -port = 3000
      +port = 8080


    1 more to approve after this
    y approve  n deny  ↑↓ PgUp PgDn scroll  Esc back
    "
  `);
});

test('nothing of an approval is cut: long lines are wrapped, and what is below the screen is counted', () => {
  const command = `echo ${'x'.repeat(100)}; rm -rf everything`;
  const scene = sceneOf(
    ROWS,
    { columns: 40, height: 8 },
    { mode: deciding({ tool: 'Bash', input: { command }, diff: null }) },
  );
  const shown = pictureOf(scene);
  expect(screenOf(scene, shown)).toContain('1 more line below (↓)');
  const end = pictureOf({
    ...scene,
    ui: { ...scene.ui, mode: { ...deciding({ tool: 'Bash', input: { command }, diff: null }), first: 9 } as Mode },
  });
  expect(screenOf(scene, end)).toContain('rm -rf everything');
});

test('text of a session cannot act on the terminal', () => {
  const evil = '\x1b[2J\x1b]0;owned\x07\x9b31m\u202ereversed\nsecond';
  const rows = [row(anAgent({ id: '01x', name: evil, phase: 'held', held: evil, workspace: evil, model: evil }), evil)];
  const asked = deciding({ tool: evil, why: evil, input: { [evil]: evil }, diff: evil });
  for (const mode of [
    START.mode,
    asked,
    { is: 'stop', session: '01x' },
    { is: 'prompt', session: '01x', edit: { text: evil, cursor: 3 } },
  ] as const) {
    const scene = sceneOf(
      rows,
      { columns: 140, height: 24 },
      { selected: '01x', filter: '', message: { text: evil, isError: true }, mode },
    );
    const bytes = new Painter({ hasColours: true, isUnicode: true }).paint(pictureOf(scene));
    expect(bytes.slice('\x1b[0m\x1b[2J'.length + 8)).not.toMatch(/\x1b\[2J|\x1b\]|\x07|\x9b|\u202e|\n/);
  }
});

test('a list that the daemon lost stays on the screen, and the line below says so', () => {
  const list = new LiveList();
  for (const each of ROWS) list.take({ is: 'row', row: each }, NOW);
  list.take({ is: 'complete' }, NOW);
  list.take({ is: 'lost' }, NOW);
  list.lose('lost', NOW + 5_000);
  const scene = { ...sceneOf(ROWS, SMALL), rows: list.rows, connection: list.connection };
  const at = new Date(NOW).toTimeString().slice(0, 8);
  expect(screenOf(scene)).toContain(`The daemon has been gone since ${at}; sessions keep running.`);
  // The next list has one of them no more.
  for (const each of ROWS.slice(1)) list.take({ is: 'row', row: each }, NOW);
  expect(list.rows.size).toBe(ROWS.length);
  list.take({ is: 'complete' }, NOW);
  expect([list.rows.has('01a'), list.rows.size, list.connection.is]).toEqual([false, ROWS.length - 1, 'live']);
});

test('of 1,000 sessions that change all the time only those in view are written, and nothing is cleared', () => {
  const many = (line: number): SessionRow[] =>
    Array.from({ length: 1_000 }, (_, n) =>
      row(
        aSession({ id: `01${String(n).padStart(5, '0')}`, name: `session-${n}`, lastSignAtMs: NOW }),
        `line ${line} of ${n}`,
      ),
    );
  const painter = new Painter({ hasColours: true, isUnicode: true });
  painter.paint(pictureOf(sceneOf(many(0), SMALL)));
  const [first = ''] = [painter.paint(pictureOf(sceneOf(many(1), SMALL)))];
  // 20 rows, each its last line and where it begins.
  expect(first.length).toBeLessThan(20 * 40);
  expect(first).not.toContain('\x1b[2J');
  // One of those that are out of view.
  const one = many(1).map((each, n) => (n === 10 ? { ...each, line: 'changed' } : each));
  expect(painter.paint(pictureOf(sceneOf(one, SMALL)))).toBe('');
  const seen = many(1).map((each, n) => (n === 999 ? { ...each, line: 'changed' } : each));
  const change = painter.paint(pictureOf(sceneOf(seen, SMALL)));
  expect(change.length).toBeLessThan(60);
  expect(change).toContain('changed');
});
