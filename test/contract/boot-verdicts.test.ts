import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allAgents } from '../../src/agent/all.ts';
import { knownAgents } from '../../src/agent/known.ts';
import type { Judged } from '../../src/agent/seam/conversations.ts';
import { type Line, readJsonLines, readObject } from '../../src/agent/seam/json.ts';
import { BOOT_SAMPLES } from '../../src/testing/agents/boot/all.ts';
import type { BootSamples, Standing } from '../../src/testing/agents/boot/samples.ts';
import { DAMAGE, dice } from '../../src/testing/damage.ts';
import { times, tried } from '../campaign.ts';

// What a boot makes of conversations of every agent, whole and damaged.

const ROUNDS = times(50, 2_000);

test('every agent whose conversations a boot finds has samples here', () => {
  const agents = knownAgents(allAgents('node', (own) => `${own}.js`));
  const all = agents.flatMap(({ conversations }) => conversations?.agent ?? []);
  const known = BOOT_SAMPLES.map(({ conversations }) => conversations.agent);
  // The stand-in writes the files of Claude Code.
  expect(all.filter((name) => name !== 'scripted').sort()).toEqual(known.sort());
});

describe.each(BOOT_SAMPLES.map((samples) => [samples.conversations.agent, samples] as const))(
  '%s',
  (agent, samples) => {
    const names = Object.keys(samples.verdicts);

    test('every recorded conversation has its verdict', () => {
      const found = readdirSync(samples.folder).map((name) => [name, judge(samples, bytesOf(samples, name)).is]);
      expect(Object.fromEntries(found)).toEqual(samples.verdicts);
    });

    test('however a conversation is damaged, it is judged by what can be read of it', () => {
      const kinds = Object.entries(DAMAGE);
      const wrong: string[] = [];
      const verdicts = new Map<string, number>();
      for (let round = 0; round < ROUNDS; round += 1) {
        const name = names[round % names.length] ?? '';
        const [what = '', damage] =
          kinds[((round % names.length) + Math.floor(round / names.length)) % kinds.length] ?? [];
        const bytes = damage?.(bytesOf(samples, name), dice(round)) ?? Buffer.alloc(0);
        const judged = judge(samples, bytes);
        verdicts.set(judged.is, (verdicts.get(judged.is) ?? 0) + 1);
        for (const fault of faultsOf(samples, { bytes, whole: bytesOf(samples, name) }, judged))
          wrong.push(`round ${round}, ${name}, ${what}: ${judged.is} (${judged.why}), but ${fault}`);
      }
      expect(wrong).toEqual([]);
      // Enough of them are still resumed, and enough are not.
      const answered = samples.verdicts[samples.answered] ?? '';
      for (const each of ['interrupted', answered]) expect(verdicts.get(each)).toBeGreaterThan(ROUNDS / 40);
      tried(`damaged conversations that a boot judged (${agent})`, ROUNDS);
    });
  },
);

function bytesOf({ folder, file, rows }: BootSamples, name: string): Buffer {
  const bytes = readFileSync(join(folder, name, file));
  return rows === undefined ? bytes : Buffer.from(rows.asRead(bytes.toString('utf8')));
}

function judge({ conversations }: BootSamples, bytes: Buffer): Judged {
  const judged = conversations.judge({ text: bytes.toString('utf8'), isWhole: true });
  if (judged === null) throw new Error('the whole file is always enough');
  return judged;
}

/** What is wrong with this verdict. Only `interrupted` has consequences; the others differ in what a person reads. */
function faultsOf(samples: BootSamples, damaged: Damaged, { is }: Judged): string[] {
  const stands = standingOf(samples, damaged);
  const faults: (string | false)[] = [
    is === 'interrupted' && stands.last === 'ended' && 'its last turn has an end',
    is === 'interrupted' && stands.last === null && 'it has no turn',
    is === 'interrupted' && stands.isHidden && 'a line after the last one that can be read may be the end',
    is === 'complete' && stands.last === 'open' && 'its last turn has no end',
    is === 'interrupted' &&
      isResumedAgain(samples, damaged.bytes) &&
      'it would be resumed again after its last turn has ended',
  ];
  return faults.filter((fault) => fault !== false);
}

/** A conversation, and what it was before it was damaged. */
interface Damaged {
  readonly bytes: Buffer;
  readonly whole: Buffer;
}

/**
 * How it stands by the lines that are as they were; a changed or repeated one may mean anything. isHidden: one after
 * the last of them that says so cannot be read.
 */
function standingOf(
  { standing, rows }: BootSamples,
  { bytes, whole }: Damaged,
): { readonly last: Standing | null; readonly isHidden: boolean } {
  const keyOf = (line: Line): string => (line.is === 'object' ? (rows?.keyOf(line.fields) ?? '') : LAST);
  const lines = rows === undefined ? linesOf(bytes) : linesOf(bytes).toSorted(by(keyOf));
  const known = new Set(linesOf(whole).map((line) => JSON.stringify(line)));
  const stands = lines.map((line) => {
    if (line.is !== 'object') return null;
    return known.delete(JSON.stringify(line)) ? standing(line.fields) : 'unclear';
  });
  const at = stands.findLastIndex((each) => each !== null);
  const last = stands.findLast((each) => each !== null && each !== 'within');
  return { last: last ?? null, isHidden: lines.slice(at + 1).some((line) => line.is === 'unreadable') };
}

/** A row that cannot be read may be the newest one. */
const LAST = '\uffff';

function by(keyOf: (line: Line) => string): (a: Line, b: Line) => number {
  return (a, b) => Number(keyOf(a) > keyOf(b)) - Number(keyOf(a) < keyOf(b));
}

/** A last line that is whole counts without its end of line. */
function linesOf(bytes: Buffer): readonly Line[] {
  const text = bytes.toString('utf8');
  const isWhole = readObject(text.slice(text.lastIndexOf('\n') + 1)) !== null;
  return readJsonLines(isWhole ? `${text}\n` : text).lines;
}

/** The agent goes on with the file as it is: the first line that it writes may be glued to a torn one. */
function isResumedAgain(samples: BootSamples, bytes: Buffer): boolean {
  const turn = lastTurn(samples);
  return judge(samples, Buffer.concat([bytes, turn])).is === 'interrupted';
}

/** The last turn of a conversation that was answered, from its request. */
function lastTurn(samples: BootSamples): Buffer {
  const { answered, standing, later = (line: string): string => line } = samples;
  const rows = bytesOf(samples, answered).toString('utf8').trimEnd().split('\n');
  const stands = rows.map((row) => standing(JSON.parse(row)));
  const ended = stands.lastIndexOf('ended');
  const begun = stands.indexOf('open', stands.lastIndexOf('ended', ended - 1) + 1);
  return Buffer.from(
    rows
      .slice(begun)
      .map((row) => `${later(row)}\n`)
      .join(''),
  );
}
