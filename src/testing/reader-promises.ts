import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type LineReader, readWhole } from '../agent/seam/lines.ts';

/** Lines that no agent writes. */
const ODD = ['', '\0\0', '{"type":', '}{', '\uFEFF{}', '[]', '{"payload":7}', '{"table":"part","data":[]}'];

/** The properties of every line reader, by their sentences; `texts`: what its agent wrote. */
export function readerPromises<S, V>(
  reader: LineReader<S, V>,
  texts: readonly string[],
): Readonly<Record<string, () => void>> {
  const linesOf = anyLines(texts);
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 });
  return {
    'read in any pieces, the same lines give the same view': () =>
      fc.assert(
        fc.property(linesOf, sizes, (lines, all) => {
          assert.equal(shown(readInPieces(reader, lines, all)), shown(readWhole(reader, joined(lines))));
        }),
      ),
    'an earlier state stays valid: a state is never changed': () =>
      fc.assert(
        fc.property(linesOf, linesOf, (first, more) => {
          const known = reader.read(reader.empty, joined(first));
          const before = shown(reader.view(known));
          reader.read(known, joined(more));
          assert.equal(shown(reader.view(known)), before);
        }),
      ),
    'no line makes it throw': () =>
      fc.assert(
        fc.property(
          fc.array(fc.oneof(fc.json(), fc.string())),
          (lines) => void shown(readWhole(reader, joined(lines))),
        ),
      ),
  };
}

/** Lines of many files in any order, with some that no agent writes, and whole files. */
function anyLines(texts: readonly string[]): fc.Arbitrary<readonly string[]> {
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.length < 20_000);
  const odd = fc.constantFrom(...ODD);
  const line = fc.oneof({ arbitrary: fc.constantFrom(...lines), weight: 9 }, { arbitrary: odd, weight: 1 });
  return fc.oneof(
    fc.array(line, { maxLength: 60 }),
    fc.constantFrom(...texts).map((text) => text.split('\n')),
  );
}

function readInPieces<S, V>(reader: LineReader<S, V>, lines: readonly string[], sizes: readonly number[]): V {
  let known = reader.empty;
  for (let at = 0, i = 0; at < lines.length; i += 1) {
    const count = Math.max(1, sizes[i % sizes.length] ?? 1);
    known = reader.read(known, joined(lines.slice(at, at + count)));
    at += count;
  }
  return reader.view(known);
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** A view may be a function of the time. */
function shown(view: unknown): string {
  return JSON.stringify(typeof view === 'function' ? view(0) : view);
}
