/** Returns a random whole number below this one. */
export type Dice = (below: number) => number;

/** Deterministic random numbers: a failure can be repeated by its seed. */
export function dice(seed: number): Dice {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Most damage is near the end of a file, where a crash leaves it. */
const END_BYTES = 4_000;
const BLOCK_BYTES_MAX = 512;

/** Damage that crashes, disks and other programs do to a file of lines. */
export const DAMAGE: Readonly<Record<string, (bytes: Buffer, roll: Dice) => Buffer>> = {
  'cut off': (bytes, roll) => bytes.subarray(0, roll(bytes.length + 1)),
  'cut off near its end': (bytes, roll) => bytes.subarray(0, nearEnd(bytes, roll)),
  'cut off in the middle of a character': (bytes, roll) => {
    const text = bytes.toString('utf8');
    const at = text.indexOf('"', roll(text.length));
    return Buffer.concat([
      Buffer.from(text.slice(0, at < 0 ? text.length : at)),
      Buffer.from('世').subarray(0, 1 + roll(2)),
    ]);
  },
  'a line is missing': (bytes, roll) => withLines(bytes, (lines) => lines.splice(roll(lines.length), 1)),
  'a line is there twice': (bytes, roll) =>
    withLines(bytes, (lines) => {
      const from = lines[roll(lines.length)] ?? '';
      lines.splice(roll(lines.length + 1), 0, from);
    }),
  'two lines are exchanged': (bytes, roll) =>
    withLines(bytes, (lines) => {
      const [a, b] = [roll(lines.length), roll(lines.length)];
      [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
    }),
  'two lines are one': (bytes, roll) => {
    const feeds = [...bytes.keys()].filter((at) => bytes[at] === 10 && at < bytes.length - 1);
    const at = feeds[roll(feeds.length)] ?? bytes.length;
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
  },
  'a bit is different': (bytes, roll) => {
    const copy = Buffer.from(bytes);
    const at = nearEnd(bytes, roll);
    copy[at] = (copy[at] ?? 0) ^ (1 << roll(8));
    return copy;
  },
  'a block is zero': (bytes, roll) => {
    const from = nearEnd(bytes, roll);
    return Buffer.from(bytes).fill(0, from, Math.min(bytes.length, from + 1 + roll(BLOCK_BYTES_MAX)));
  },
  'zeroes follow': (bytes, roll) => Buffer.concat([bytes, Buffer.alloc(1 + roll(BLOCK_BYTES_MAX))]),
  'a line of another program follows': (bytes, roll) =>
    Buffer.concat([bytes, Buffer.from(`${'{"type":'.slice(0, roll(9))}}{\n`)]),
};

function nearEnd(bytes: Buffer, roll: Dice): number {
  return bytes.length === 0 ? 0 : bytes.length - 1 - roll(Math.min(bytes.length, END_BYTES));
}

function withLines(bytes: Buffer, change: (lines: string[]) => void): Buffer {
  const lines = bytes.toString('utf8').trimEnd().split('\n');
  change(lines);
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}
