import { expect, test } from 'vitest';
import type { SessionId, Spec } from '../../src/core/session.ts';
import { isBelow } from '../../src/daemon/owners/owners.ts';
import { listed } from '../../src/daemon/views/listed.ts';
import { shortened, viewOf } from '../../src/daemon/views/view.ts';
import { sqliteJournal } from '../../src/journal/sqlite.ts';
import { JournalWorld } from './journal-world.ts';

type Query = Parameters<typeof listed>[1];

const ALL: Query = { state: 'all', limit: 50 };

const below =
  ({ journal }: JournalWorld): Parameters<typeof listed>[0]['isBelow'] =>
  (session, above) =>
    isBelow(journal, session, above);

const idsOf = (world: JournalWorld, query: Partial<Query> = {}): string[] =>
  listed({ ...world, journal: world.journal, isBelow: below(world) }, { ...ALL, ...query }).map(
    ({ session }) => session.id,
  );

test('T-LIST-1: live sessions come first, however many have ended', () => {
  using world = new JournalWorld(sqliteJournal(':memory:'));
  const old = world.make().open(1);
  const held = world.make({ drive: 'turns' });
  const ended = Array.from({ length: 60 }, () => world.make().open(1).close(1).end().id);
  // Those of one millisecond are in any order, but always in the same one.
  const live = idsOf(world).slice(0, 2);
  expect(new Set(live)).toEqual(new Set([held.id, old.id]));
  expect(idsOf(world).slice(2)).toEqual(ended.toSorted().toReversed().slice(0, 48));
  expect(idsOf(world)).toHaveLength(50);
  expect(idsOf(world, { limit: 1 })).toEqual(live.slice(0, 1));
});

test('T-LIST-1: page after page, everything comes once, whatever the size of a page', () => {
  using world = new JournalWorld(sqliteJournal(':memory:'));
  const made = Array.from({ length: 9 }, (_, n) => (n % 2 === 0 ? world.make() : world.make().open(1).close(1).end()));
  for (const limit of [1, 2, 4, 7]) {
    const seen: string[] = [];
    for (let page = idsOf(world, { limit }); page.length > 0; ) {
      seen.push(...page);
      const before = page.at(-1);
      page = before === undefined ? [] : idsOf(world, { limit, before });
    }
    expect(seen).toEqual(idsOf(world));
    expect(new Set(seen)).toEqual(new Set(made.map(({ id }) => id)));
  }
});

test('T-LIST-2: filters by state, phase, agent, owner, workspace and age', () => {
  using world = new JournalWorld(sqliteJournal(':memory:'));
  const above = world.make({ drive: 'turns', workspace: '/ws/api' });
  const owner: NonNullable<Spec['owner']> = {
    session: above.id,
    root: above.id,
    depth: 1,
    wake: true,
    onEnd: 'stop',
    isRemoved: false,
  };
  const child = world.make({ workspace: '/ws/api/sub', owner }).open(1);
  const other = world.make({ workspace: '/ws/api-2' }).open(1).close(1).end();
  const is = (query: Partial<Query>, ...expected: readonly { id: SessionId }[]): void =>
    expect(idsOf(world, query).sort()).toEqual(expected.map(({ id }) => id).sort());
  is({ state: 'live' }, child, above);
  is({ state: 'ended' }, other);
  is({ phase: 'working' }, child);
  is({ agent: 'command' }, child, other);
  is({ agent: 'scripted' }, above);
  is({ owner: above.id }, child);
  is({ below: above.id, state: 'live' }, child);
  is({ workspace: '/ws/api' }, child, above);
  is({ workspace: '/ws/api/' }, child, above);
  is({ workspace: '/' }, child, above, other);
  is({ olderThanMs: 3_600_000 });
  is({ newerThanMs: 3_600_000, agent: 'command', state: 'live' }, child);
});

test('T-LIST-3: a list has only the beginning of an argument of three megabytes', () => {
  using world = new JournalWorld(sqliteJournal(':memory:'));
  const { id } = world.make({ argv: ['echo', 'x'.repeat(3 * 1024 ** 2), 'y'] });
  const view = viewOf(world.state, world.sessions.find(id));
  expect(view.argv[1]).toHaveLength(3 * 1024 ** 2);
  const short = shortened(view).argv;
  expect(short[0]).toBe('echo');
  expect(short[1]).toMatch(/^x{1000}…$/);
  expect(JSON.stringify(short).length).toBeLessThan(2_000);
  const many = shortened({ ...view, argv: Array.from({ length: 100_000 }, (_, n) => `word${n}`) }).argv;
  expect(many.length).toBeLessThan(2_000);
  expect(many.at(-1)).toBe('…');
  expect(shortened({ ...view, argv: ['a', 'b'] }).argv).toEqual(['a', 'b']);
});

test('T-LIST-4: a resumed session has not ended', () => {
  for (const isOnDisk of [false, true]) {
    using world = isOnDisk ? new JournalWorld(sqliteJournal(':memory:')) : new JournalWorld();
    const session = world.make({ drive: 'turns' }).queue('p1').turn(1, 'p1');
    expect(world.sessions.find(session.id).endedAtMs).toBeNull();
    session.end();
    expect(world.sessions.find(session.id).endedAtMs).toBeGreaterThan(0);
    session.put({ type: 'session.resumed', by: { is: 'program', name: 'caller' } });
    expect(world.sessions.find(session.id)).toMatchObject({ live: true, endedAtMs: null });
    session.end();
    expect(world.sessions.find(session.id).endedAtMs).toBeGreaterThan(0);
  }
});
