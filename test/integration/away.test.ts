import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import { type Away, awayAtStart, beatFile, keepAway, lastAway, settleAway } from '../../src/daemon/machine/away.ts';
import { startSleepDetector } from '../../src/daemon/machine/sleep-detector.ts';
import { memoryJournal } from '../../src/journal/memory-journal.ts';
import { eventually } from '../eventually.ts';

let state: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'outlast-away-'));
});

afterEach(() => {
  rmSync(state, { recursive: true, force: true });
});

const now = (boot: string, wallMs: number, planned = false) => ({ state, boot, wallMs, planned });

describe('a start of the daemon', () => {
  test('that is the first ever knows of no interruption', () => {
    expect(awayAtStart(memoryJournal(), now('b1', 5_000))).toBeNull();
  });

  test('in the same boot is not a restart of the machine', () => {
    const journal = memoryJournal();
    journal.saveFact('boot', 'b1');
    expect(awayAtStart(journal, now('b1', 5_000))).toBeNull();
  });

  test('in a container that was restarted in the same boot is a restart, and an unknown first process is not', () => {
    const journal = memoryJournal();
    journal.saveFact('boot', 'b1');
    expect(awayAtStart(journal, now('b1/n1/700', 5_000))).toBeNull();
    expect(awayAtStart(journal, now('b1/n1/', 6_000))).toBeNull();
    const away = awayAtStart(journal, now('b1/n1/900', 7_000));
    expect(away).toMatchObject({ kind: 'boot', toMs: 7_000, boot: 'b1/n1/900' });
    if (away !== null) settleAway(journal, away, () => {});
    expect(awayAtStart(journal, now('b1/n1/900', 8_000))).toBeNull();
  });

  test('in a container that is restarted again tells of the newer restart, with its times', () => {
    const journal = memoryJournal();
    journal.saveFact('boot', 'b1');
    writeFileSync(beatFile(state), '000000000004000\n');
    awayAtStart(journal, now('b1/n1/100', 1_000));
    const older = awayAtStart(journal, now('b1/n2/500', 5_000));
    expect(older).toMatchObject({ fromMs: 4_000, toMs: 5_000 });
    // It was not settled before the next restart.
    writeFileSync(beatFile(state), '000000000008000\n');
    const newer = awayAtStart(journal, now('b1/n3/900', 9_000));
    expect(newer).toMatchObject({ fromMs: 8_000, toMs: 9_000, boot: 'b1/n3/900' });
    expect(awayAtStart(journal, now('b1/n3/900', 9_500))).toEqual(newer);
  });

  test('after an update knows the first process that the version before stored', () => {
    const journal = memoryJournal();
    journal.saveFact('boot', 'b1');
    journal.saveFact('first', '700');
    expect(awayAtStart(journal, now('b1/n1/700', 5_000))).toBeNull();
    const other = memoryJournal();
    other.saveFact('boot', 'b1');
    other.saveFact('first', '700');
    expect(awayAtStart(other, now('b1/n1/900', 5_000))).toMatchObject({ kind: 'boot', toMs: 5_000 });
  });

  test('in a new boot reports it until it is settled, with the times it first had', () => {
    const journal = memoryJournal();
    journal.saveFact('boot', 'b1');
    writeFileSync(beatFile(state), '000000000004000\n');
    const away: Away = { kind: 'boot', planned: true, fromMs: 4_000, toMs: 5_000, boot: 'b2' };
    expect(awayAtStart(journal, now('b2', 5_000, true))).toEqual(away);
    // The daemon recorded its boot and a heartbeat, and died before it was done.
    journal.saveFact('boot', 'b2');
    writeFileSync(beatFile(state), '000000000006000\n');
    expect(awayAtStart(journal, now('b2', 7_000))).toEqual(away);
    settleAway(journal, away, () => {});
    expect(awayAtStart(journal, now('b2', 8_000))).toBeNull();
    expect(lastAway(journal)).toEqual(away);
  });

  test('in a later boot reports the newer one, which the older one does not settle', () => {
    const journal = memoryJournal();
    journal.saveFact('boot', 'b1');
    const older = awayAtStart(journal, now('b2', 5_000));
    journal.saveFact('boot', 'b2');
    const newer = awayAtStart(journal, now('b3', 9_000));
    expect(newer).toMatchObject({ boot: 'b3', toMs: 9_000 });
    if (older !== null) settleAway(journal, older, () => {});
    journal.saveFact('boot', 'b3');
    expect(awayAtStart(journal, now('b3', 9_500))).toEqual(newer);
  });

  test('that cannot record that all is done continues, and the next one reports again', () => {
    const journal = memoryJournal();
    journal.saveFact('boot', 'b1');
    const away = awayAtStart(journal, now('b2', 5_000));
    journal.saveFact('boot', 'b2');
    const full = {
      fact: (key: string) => journal.fact(key),
      saveFact: () => {
        throw new Error('no space');
      },
    };
    const logged: string[] = [];
    if (away !== null) settleAway(full, away, (words) => logged.push(words));
    expect(logged).toEqual(['a time away could not be settled']);
    expect(awayAtStart(journal, now('b2', 6_000))).toEqual(away);
  });

  test('without a heartbeat of the daemon before reports that it is unknown', () => {
    const journal = memoryJournal();
    journal.saveFact('boot', 'b1');
    expect(awayAtStart(journal, now('b2', 5_000))?.fromMs).toBeNull();
  });
});

describe('the sleep detector', () => {
  const parts = (reported: Away[], times: { wallMs: number; sleptMs: number }) => ({
    state,
    boot: 'b1',
    journal: memoryJournal(),
    clock: { ...realClock(), wallMs: () => times.wallMs },
    log: () => {},
    wentAway: (away: Away) => void reported.push(away),
    sleptMs: () => times.sleptMs,
  });
  const written = (): number => Number(readFileSync(beatFile(state), 'utf8'));

  test('reports a sleep, with the last heartbeat before it; a clock that is set, also back, is not one', async () => {
    const reported: Away[] = [];
    const times = { wallMs: 1_000_000, sleptMs: 50 };
    const detector = startSleepDetector(parts(reported, times));
    try {
      await eventually(() => written() === 1_000_000);
      times.wallMs = 999_999_999;
      await eventually(() => written() === 999_999_999);
      times.wallMs = 2_000;
      await eventually(() => written() === 2_000);
      expect(reported).toEqual([]);
      Object.assign(times, { wallMs: 60_000, sleptMs: 58_050 });
      await eventually(() => reported.length > 0);
      expect(reported).toEqual([{ kind: 'wake', planned: false, fromMs: 2_000, toMs: 60_000, boot: 'b1' }]);
    } finally {
      await detector.stop();
    }
  });

  test('accepts a report by a caller, and counts it as the wake-up that it noticed a moment ago', async () => {
    const reported: Away[] = [];
    const times = { wallMs: 1_000_000, sleptMs: 0 };
    const detector = startSleepDetector(parts(reported, times));
    try {
      times.sleptMs = 10_000;
      expect(detector.woke()).toMatchObject({ isNew: true });
      times.wallMs += 59_000;
      expect(detector.woke()).toMatchObject({ isNew: false });
      times.wallMs += 2_000;
      expect(detector.woke()).toMatchObject({ isNew: true });
      expect(reported).toHaveLength(2);
    } finally {
      await detector.stop();
    }
  });

  test('a journal that cannot be written does not delay the report', async () => {
    const reported: Away[] = [];
    const times = { wallMs: 1_000_000, sleptMs: 0 };
    const journal = memoryJournal();
    journal.saveFact = () => {
      throw new Error('full');
    };
    const detector = startSleepDetector({ ...parts(reported, times), journal });
    expect(detector.woke().away.kind).toBe('wake');
    await detector.stop();
    expect(reported).toHaveLength(1);
    expect(() => keepAway(journal, reported[0] as Away)).toThrow('full');
  });
});
