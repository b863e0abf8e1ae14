import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readScreen } from '../screen.ts';
import { Box } from './box.ts';
import { paint, type Scene } from './paint.ts';

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 30 },
];

const SCENE: Scene = {
  cwd: '/home/me/w',
  model: 'claude-sonnet-4-6',
  mode: 'bypassPermissions',
  entries: [],
  draft: '',
  hint: null,
  tokens: 20,
  busySeconds: null,
  queued: [],
  dialog: null,
  isReady: true,
};

test('after any conversation, ready is read as ready and busy as busy, and the screen is full', () => {
  const entry = fc.oneof(
    fc.string(),
    fc.constantFrom('● done', '✻ Worked for 4s · done 7:15 AM', '  ⎿  漢字 🎉'.repeat(30)),
  );
  fc.assert(
    fc.property(fc.array(entry), fc.constantFrom(...SIZES), fc.boolean(), (entries, size, isBusy) => {
      const rows = paint({ ...SCENE, entries, busySeconds: isBusy ? 3 : null }, size);
      expect(rows).toHaveLength(size.rows);
      expect(readScreen(rows)).toEqual(isBusy ? { is: 'busy', tokens: SCENE.tokens } : { is: 'ready' });
    }),
  );
});

test('every mode has a footer that is recognized', () => {
  for (const mode of ['bypassPermissions', 'acceptEdits', 'plan', 'dontAsk', 'default'])
    for (const size of SIZES) {
      expect(readScreen(paint({ ...SCENE, mode }, size)).is).toBe('ready');
      expect(readScreen(paint({ ...SCENE, mode, busySeconds: 0 }, size)).is).toBe('busy');
    }
});

test('before it is ready there is no box', () => {
  expect(readScreen(paint({ ...SCENE, isReady: false }, { columns: 80, rows: 24 })).is).toBe('unknown');
});

test('the box returns what was pasted, large or small', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (lines) => {
      const text = lines.join('\n').replaceAll(/[\x00-\x1f]/g, (char) => (char === '\n' ? char : ''));
      const box = new Box();
      box.paste(text.replaceAll('\n', '\r'));
      expect(box.take()).toBe(text.trimEnd());
    }),
  );
});

test('Ctrl-U deletes row by row until nothing is left', () => {
  const box = new Box();
  box.type(`one\n${'x'.repeat(100)}`);
  const left = Array.from({ length: 5 }, () => {
    box.clearRow(80);
    return box.shown.length;
  });
  expect(left).toEqual([82, 4, 3, 0, 0]);
});
