import { expect, test } from 'vitest';
import { turnRead } from '../../agent/seam/turn-text.ts';
import { handoverText } from '../switch/handover.ts';
import { shownTurn } from './without-handover.ts';

const turn = (prompt: string) => ({
  ...turnRead({ prompt, images: 0, steps: [{ is: 'text', text: 'done' }] }),
  agent: 'codex',
});

test('a turn of an agent that took over is shown with its request, and the hand-over apart', () => {
  const handover = handoverText({
    ...{ from: 'claude', why: 'which stopped', turns: [turn('fix it')], changes: null, unknown: [], isOpen: true },
  });
  const shown = shownTurn(turn(`${handover}\n\nport it`));
  expect(shown.data).toMatchObject({ prompt: 'port it', handover, steps: [{ text: 'done' }] });
  expect(shown.markdown(false)).toMatch(
    /^\*\*Prompt\*\*\n\n\*Before it Outlast wrote a hand-over of \d+ lines\.\*\n\nport it\n\ndone\n$/,
  );
  expect(shown.markdown(true)).toContain(`${handover}\n\nport it\n\ndone`);
});

test('any other turn is shown as it is', () => {
  const other = turn('port it');
  expect(shownTurn(other)).toBe(other);
});
