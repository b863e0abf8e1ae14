import { expect, test } from 'vitest';
import { turnRead } from '../../agent/seam/turn-text.ts';
import type { AgentTurn } from '../../supervisor/all-turns.ts';
import { withoutHandover } from '../views/without-handover.ts';
import { handoverText } from './handover.ts';

const turn = (prompt: string, text: string): AgentTurn => ({
  ...turnRead({ prompt, images: 0, steps: [{ is: 'text', text }] }),
  agent: 'claude',
});
const FACTS = { from: 'claude', why: 'which stopped', turns: [], changes: null, unknown: [], isOpen: true };

test('a hand-over says who writes, what happened, what is unknown, and what to do', () => {
  const text = handoverText({
    ...FACTS,
    turns: [turn('fix it', 'fixed')],
    changes: ' a.ts | 2 +-',
    unknown: [{ tool: 'Bash', input: 'make deploy' }],
  });
  expect(text).toMatch(
    /^\[Outlast wrote this hand-over; no person typed it\.\] You take over .* from claude, which stopped/,
  );
  for (const part of ['fix it', 'fixed', ' a.ts | 2 +-', '- Bash make deploy', 'before you repeat anything'])
    expect(text).toContain(part);
  expect(text.endsWith('This was asked, and is not finished:')).toBe(true);
});

test('the last turns are whole, older ones shortened, and the oldest left out', () => {
  const turns = Array.from({ length: 200 }, (_, i) =>
    turn(`prompt ${i} ${'p'.repeat(600)}`, `${'r'.repeat(3_000)}${i}.`),
  );
  const text = handoverText({ ...FACTS, turns });
  expect(text.length).toBeLessThan(45_000);
  expect(text).toMatch(/\(\d+ earlier turns are left out\)/);
  expect(text).toContain(`${'r'.repeat(3_000)}199.`);
  expect(text).toContain('## A turn of claude, shortened');
  expect(text).not.toContain('prompt 0 ');
});

test('secrets are masked: another company may read it', () => {
  const key = `sk-ant-api03-${'x'.repeat(40)}`;
  const text = handoverText({ ...FACTS, turns: [turn('go', `it is ${key}`)], unknown: [{ tool: 'Bash', input: key }] });
  expect(text).not.toContain(key);
});

test('the hand-over of an earlier switch is not repeated in the next one', () => {
  const first = `${handoverText({ ...FACTS, turns: [turn('one', 'a reply')] })}\n\ntwo`;
  expect(withoutHandover(first)).toBe('two');
  expect(withoutHandover('two')).toBe('two');
  const second = handoverText({ ...FACTS, turns: [turn('one', 'a reply'), turn(first, 'more')] });
  expect(second.match(/Outlast wrote this/g)).toHaveLength(1);
});
