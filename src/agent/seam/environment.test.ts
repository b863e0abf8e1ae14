import { expect, test } from 'vitest';
import { environmentOf } from './environment.ts';

const ECHO = { passes: ['ECHO_KEY', 'ECHO_HOME'], never: ['ECHO_*'] };
const CALLER = { PATH: '/bin', LC_ALL: 'C', ECHO_KEY: 'k', ECHO_MARK: '1', DATABASE: 'd', TMUX: 'x' };

test('a run gets the variables that every program needs, that its agent needs, and that its caller names', () => {
  expect(Object.keys(environmentOf(ECHO, CALLER, []))).toEqual(['PATH', 'LC_ALL', 'ECHO_KEY']);
  expect(environmentOf(ECHO, CALLER, ['DATABASE', 'MISSING'])).toMatchObject({ DATABASE: 'd' });
});

test('a variable that is never passed on is not passed on when the caller names it either', () => {
  expect(environmentOf(ECHO, CALLER, ['ECHO_MARK', 'ECHO_KEY'])).not.toHaveProperty('ECHO_MARK');
});
