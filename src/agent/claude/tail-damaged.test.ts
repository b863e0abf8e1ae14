import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Dice, dice } from '../../testing/damage.ts';
import { judgeTail } from './tail.ts';

// Ten thousand transcripts with the damage that crashes, disks and other programs cause. Deterministic.

const CASES = join(import.meta.dirname, 'cases', 'transcript');
const ROUNDS = process.env.OUTLAST_TEST_CAMPAIGN === '1' ? 200_000 : 10_000;

interface Case {
  readonly name: string;
  readonly bytes: Buffer;
  /** The offset after the stop reason of the last answer; null: it was not finished. */
  readonly finishedAt: number | null;
}

const cases: Case[] = readdirSync(CASES).map((name) => {
  const bytes = readFileSync(join(CASES, name, 'transcript.jsonl'));
  const isFinished = judgeTail({ text: bytes.toString('utf8'), isWhole: true })?.why.startsWith('the reply ended');
  const at = bytes.lastIndexOf('"stop_reason":"');
  return { name, bytes, finishedAt: isFinished && at >= 0 ? bytes.indexOf('"', at + 15) + 1 : null };
});

/** Each returns the damaged bytes, and whether the end of a finished answer can still be read in them. */
const DAMAGE: readonly ((one: Case, roll: Dice) => { bytes: Buffer; isFinished: boolean })[] = [
  function cutOff({ bytes, finishedAt }, roll) {
    const from = thirdLast(bytes);
    const end = from + roll(bytes.length - from + 1);
    return { bytes: bytes.subarray(0, end), isFinished: finishedAt !== null && end >= finishedAt };
  },
  function flipOneBit({ bytes, finishedAt }, roll) {
    const copy = Buffer.from(bytes);
    const at = Math.max(0, bytes.length - 1 - roll(Math.min(bytes.length, 4_000)));
    copy[at] = (copy[at] ?? 0) ^ (1 << roll(7));
    return { bytes: copy, isFinished: finishedAt !== null };
  },
  function glue({ bytes, finishedAt }, roll) {
    const feeds = [...bytes].flatMap((byte, at) => (byte === 10 && at < bytes.length - 1 ? [at] : []));
    const at = feeds[roll(feeds.length)] ?? bytes.length;
    return { bytes: Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]), isFinished: finishedAt !== null };
  },
  function zeroes({ bytes, finishedAt }, roll) {
    const copy = Buffer.from(bytes);
    const from = Math.max(0, bytes.length - 1 - roll(Math.min(bytes.length, 4_000)));
    copy.fill(0, from, Math.min(bytes.length, from + 1 + roll(512)));
    return { bytes: copy, isFinished: finishedAt !== null && from >= finishedAt };
  },
  function zeroesAtTheEnd({ bytes, finishedAt }, roll) {
    return { bytes: Buffer.concat([bytes, Buffer.alloc(1 + roll(4096))]), isFinished: finishedAt !== null };
  },
  function circle({ bytes, finishedAt }) {
    const text = bytes.toString('utf8').replaceAll(/"parentUuid":"[^"]*"/g, '"parentUuid":"same"');
    return { bytes: Buffer.from(text.replaceAll(/"uuid":"[^"]*"/g, '"uuid":"same"')), isFinished: finishedAt !== null };
  },
  function unknownLines({ bytes, finishedAt }, roll) {
    const line = `{"type":"not-yet-invented-${roll(99)}","x":"${'y'.repeat(roll(9_000))}"}\n`;
    return { bytes: Buffer.concat([bytes, Buffer.from(line.repeat(1 + roll(9)))]), isFinished: finishedAt !== null };
  },
];

function thirdLast(bytes: Buffer): number {
  let at = bytes.length - 1;
  for (let lines = 0; lines < 3 && at > 0; lines += 1) at = bytes.lastIndexOf(10, at - 1);
  return Math.max(0, at);
}

test('ten thousand damaged transcripts: nothing throws, and no finished turn is resumed', () => {
  const wrong: string[] = [];
  const verdicts = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const roll = dice(round);
    const one = cases[round % cases.length];
    const damage = DAMAGE[Math.floor(round / cases.length) % DAMAGE.length];
    if (one === undefined || damage === undefined || one.bytes.length === 0) continue;
    const { bytes, isFinished } = damage(one, roll);
    const judged = judgeTail({ text: bytes.toString('utf8'), isWhole: true });
    verdicts.set(judged?.is ?? '', (verdicts.get(judged?.is ?? '') ?? 0) + 1);
    if (isFinished && judged?.is === 'interrupted') wrong.push(`${round} ${damage.name} ${one.name}: ${judged.why}`);
  }
  expect(wrong).toEqual([]);
  // Enough of the damaged transcripts are still finished, and enough are not.
  expect(verdicts.get('complete')).toBeGreaterThan(1_000);
  expect(verdicts.get('interrupted')).toBeGreaterThan(1_000);
});
