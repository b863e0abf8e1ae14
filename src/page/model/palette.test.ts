import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contrast, drawnWith, inTheme, PALETTES } from './palette.ts';

const COLOURS = [undefined, ...Array.from({ length: 256 }, (_, i) => i), '#000000', '#808080', '#ffffff', '#ff00ff'];

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  const palette = PALETTES[theme];

  test.each([{}, { dim: true }, { inverse: true }, { dim: true, inverse: true }])(
    'every text can be read: %j',
    (look) => {
      const runs = COLOURS.flatMap((fg) => COLOURS.map((bg) => ({ text: 'x', fg, bg, ...look })));
      const faint = runs.filter((run) => {
        const drawn = inTheme(run, palette);
        return contrast(drawn.fg, drawn.bg) < 4.5;
      });
      expect(faint).toEqual([]);
    },
  );

  test('a named colour is the one of the theme', () => {
    for (const [fg, colour] of palette.named.entries()) {
      // Black on black is made brighter.
      if (theme === 'dark' && fg === 0) continue;
      const { fg: drawn } = inTheme({ text: 'x', fg }, palette);
      expect(`#${drawn.map((value) => value.toString(16).padStart(2, '0')).join('')}`).toBe(colour);
    }
  });

  test('it is drawn on the surface of the page', () => {
    const tokens = readFileSync(join(import.meta.dirname, '../style/tokens.css'), 'utf8');
    const [, light, dark] = /--surface: light-dark\((#\w+), (#\w+)\)/.exec(tokens) ?? [];
    expect(palette.surface).toBe(theme === 'light' ? light : dark);
  });
});

test('what is hidden cannot be seen', () => {
  const { fg, bg } = inTheme({ text: 'x', fg: 1, invisible: true }, PALETTES.light);
  expect(fg).toEqual(bg);
});

test('what has no look is drawn as everything around it', () => {
  expect(drawnWith({ text: 'x', bold: true })).toEqual({});
  expect(drawnWith({ text: 'x', fg: 'url(https://evil.test)' }).color).toBe('light-dark(#1a1d21, #e8eaed)');
});
