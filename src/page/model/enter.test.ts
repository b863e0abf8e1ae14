import { expect, test } from 'vitest';
import { type EnterKey, enterMeans } from './enter.ts';

const ENTER: EnterKey = {
  ...{ key: 'Enter', keyCode: 13, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, isComposing: false },
};
const DESK = { sinceCompositionMs: Number.POSITIVE_INFINITY, isTouch: false };

test('Enter sends, with Ctrl or Cmd it is for the running turn, with Shift it begins a line', () => {
  expect(enterMeans(ENTER, DESK)).toBe('send');
  expect(enterMeans({ ...ENTER, ctrlKey: true }, DESK)).toBe('now');
  expect(enterMeans({ ...ENTER, metaKey: true }, DESK)).toBe('now');
  expect(enterMeans({ ...ENTER, shiftKey: true }, DESK)).toBeNull();
  expect(enterMeans({ ...ENTER, key: 'a', keyCode: 65 }, DESK)).toBeNull();
});

test('the Enter of an input method sends nothing, however the browser reports it', () => {
  expect(enterMeans({ ...ENTER, isComposing: true }, DESK)).toBeNull();
  expect(enterMeans({ ...ENTER, keyCode: 229 }, DESK)).toBeNull();
  expect(enterMeans(ENTER, { ...DESK, sinceCompositionMs: 49 })).toBeNull();
  expect(enterMeans(ENTER, { ...DESK, sinceCompositionMs: 51 })).toBe('send');
});

test('on a touch screen Enter begins a line', () => {
  expect(enterMeans(ENTER, { ...DESK, isTouch: true })).toBeNull();
  expect(enterMeans({ ...ENTER, ctrlKey: true }, { ...DESK, isTouch: true })).toBe('now');
});
