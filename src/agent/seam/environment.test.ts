import { expect, test } from 'vitest';
import { environmentOf } from './environment.ts';

const ECHO = { passes: ['ECHO_KEY', 'ECHO_HOME'], never: ['ECHO_*'] };
const CALLER = { PATH: '/bin', LC_ALL: 'C', ECHO_KEY: 'k', ECHO_MARK: '1', DATABASE: 'd', TMUX: 'x' };

test('a run is given what every program needs, what its agent needs, and what its caller names', () => {
  expect(Object.keys(environmentOf(ECHO, CALLER, []))).toEqual(['PATH', 'LC_ALL', 'ECHO_KEY']);
  expect(environmentOf(ECHO, CALLER, ['DATABASE', 'MISSING'])).toMatchObject({ DATABASE: 'd' });
});

test('what never passes does not pass by being named', () => {
  expect(environmentOf(ECHO, CALLER, ['ECHO_MARK', 'ECHO_KEY'])).not.toHaveProperty('ECHO_MARK');
});
