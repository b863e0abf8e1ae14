import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { person } from '../../src/core/actor.ts';
import type { EventBody } from '../../src/core/event.ts';
import type { ApprovalId, SessionId } from '../../src/core/session.ts';
import { type AuditHead, type AuditRow, faultOf, NO_HASH } from '../../src/journal/audit.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory-journal.ts';
import { sqliteJournal } from '../../src/journal/sqlite.ts';
import { asked, decided, LIVE } from '../../src/testing/sessions.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outlast-audit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (): string => join(folder, 'outlast.db');
const id = 'a' as SessionId;

const STORY: EventBody[] = [
  { type: 'session.created', spec: { ...LIVE, name: 'api', workspace: '/w' } },
  asked('q1'),
  decided('q1', true),
  { type: 'approval.used', approval: 'q1' as ApprovalId, run: 1 },
  asked('q2', { tool: 'Edit' }),
  { type: 'approval.missed', approval: 'q2' as ApprovalId, run: 1 },
  { type: 'approval.refused', approval: 'q2' as ApprovalId, run: 1, by: { is: 'program', name: 'process 7' } },
  { type: 'approval.ruled', effect: 'allow', text: 'Bash(ls)', by: person('ann') },
  { type: 'approval.breached', run: 1, call: 'c9', tool: 'Write', evidence: 'transcript' },
  { type: 'session.ended', outcome: { kind: 'done', exit: null } },
  { type: 'session.removed', by: person('ann') },
];

function recordStory(journal: Journal): Journal {
  for (const [i, body] of STORY.entries()) {
    const write = { session: id, afterSeq: i, events: [body], cause: null, atMs: 1_000 + i, steadyMs: i };
    expect(journal.append(write)).toBeTypeOf('number');
  }
  return journal;
}

function all(journal: Journal): readonly AuditRow[] {
  return journal.audit({ after: 0, limit: 100 });
}

/** The first fault in the chain, or null. */
function faultIn(rows: readonly AuditRow[]): string | null {
  let before: AuditHead = { number: 0, hash: NO_HASH };
  for (const row of rows) {
    const fault = faultOf(row, before);
    if (fault !== null) return fault;
    before = row;
  }
  return null;
}

describe.each([
  { name: 'memory', make: () => memoryJournal() },
  { name: 'sqlite', make: () => sqliteJournal(path()) },
])('the audit of the $name journal', ({ make }) => {
  test('has a row for each decision and its result, in a chain', () => {
    const journal = recordStory(make());
    const rows = all(journal);
    const records = rows.map(({ record }) => JSON.parse(record));
    expect(records.map(({ event, tool, by }) => [event, tool, by])).toEqual([
      ['approval.decided', 'Bash', 'ann'],
      ['approval.used', 'Bash', null],
      ['approval.missed', 'Edit', null],
      ['approval.refused', null, 'process 7'],
      ['approval.ruled', null, 'ann'],
      ['approval.breached', 'Write', null],
    ]);
    expect(records[0]).toMatchObject({ session: 'a', name: 'api', workspace: '/w', approval: 'q1', hash: 'h', seq: 3 });
    expect(faultIn(rows)).toBeNull();
    expect(journal.auditHead()).toMatchObject({ number: 6, hash: rows.at(-1)?.hash });
    expect(journal.audit({ after: 0, limit: 9, approval: 'q1' }).map(({ number }) => number)).toEqual([1, 2]);
    expect(journal.audit({ after: 3, limit: 1 }).map(({ number }) => number)).toEqual([4]);
    journal.close();
  });

  test('outlives the events of a session that was removed', () => {
    const journal = recordStory(make());
    expect(journal.event(id, 3)?.body.type).toBe('approval.decided');
    expect(journal.purge(5_000)).toBe(STORY.length);
    expect(journal.event(id, 3)).toBeNull();
    expect(faultIn(all(journal))).toBeNull();
    expect(all(journal)).toHaveLength(6);
    journal.close();
  });

  test('has rows that belong to no session, in the same chain', () => {
    const journal = recordStory(make());
    const { number } = journal.note({ event: 'device.linked', by: 'ann', grants: ['read'] }, 2_000);
    const row = all(journal).at(-1);
    expect(row).toMatchObject({ number, session: '', approval: null, atMs: 2_000 });
    expect(JSON.parse(row?.record ?? '')).toMatchObject({ event: 'device.linked', by: 'ann', grants: ['read'] });
    expect([number, faultIn(all(journal)), journal.auditHead().number]).toEqual([7, null, 7]);
    journal.close();
  });

  test('has no row for a write that was refused', () => {
    const journal = make();
    expect(journal.auditHead()).toEqual({ number: 0, hash: NO_HASH });
    journal.append({ session: id, afterSeq: 7, events: STORY, cause: null, atMs: 0, steadyMs: 0 });
    expect(all(journal)).toEqual([]);
    journal.close();
  });
});

test.each([
  ['a flipped byte', 'UPDATE audit SET record = replace(record, \'"allow":true\', \'"allow":True\') WHERE number = 1'],
  ['another time', 'UPDATE audit SET at_ms = at_ms + 1 WHERE number = 1'],
  ['another question', "UPDATE audit SET approval = 'q9' WHERE number = 1"],
])('%s in the file is reported with the number of its row', (_, sql) => {
  recordStory(sqliteJournal(path())).close();
  tamper(sql);
  const journal = sqliteJournal(path());
  expect(faultIn(all(journal))).toBe('row 1 is not what was written');
  journal.close();
});

test('a removed row is detected, also when those after it are renumbered', () => {
  recordStory(sqliteJournal(path())).close();
  tamper('DELETE FROM audit WHERE number = 3');
  const journal = sqliteJournal(path());
  expect(faultIn(all(journal))).toBe('row 3 is missing');
  tamper('UPDATE audit SET number = number - 1 WHERE number > 3');
  expect(faultIn(all(journal))).toBe('row 3 does not follow the row before it');
  journal.close();
});

test('every single byte of every row counts', () => {
  recordStory(sqliteJournal(path())).close();
  const db = new DatabaseSync(path());
  const [row] = db.prepare('SELECT record FROM audit WHERE number = 2').all();
  const record = Buffer.from(String(row?.record));
  for (const [at, byte] of record.entries()) {
    const flipped = Buffer.from(record);
    flipped[at] = byte ^ 1;
    db.prepare('UPDATE audit SET record = ? WHERE number = 2').run(flipped.toString('latin1'));
    const journal = sqliteJournal(path());
    expect(faultIn(all(journal)), `byte ${at}`).toBe('row 2 is not what was written');
    journal.close();
  }
  db.close();
});

function tamper(sql: string): void {
  const db = new DatabaseSync(path());
  db.exec(sql);
  db.close();
}
