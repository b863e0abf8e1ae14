import { expect, test } from 'vitest';
import { PROGRAM_PATH } from './programs.ts';
import { tmuxEnvironment } from './tmux-ask.ts';

test('a tmux server sees where programs and home are, and the locale, and nothing else', () => {
  const ours = { HOME: '/home/a', LANG: 'C.UTF-8', LC_TIME: 'C', TERM: 'xterm', LC_ALL: undefined };
  const secret = { OUTLAST_RUN: 'x.1', API_KEY: 'secret', TMUX: '/tmp/theirs,1,0', SHELL: '/bin/zsh', PWD: '/home/a' };
  expect(tmuxEnvironment({ ...ours, ...secret, PATH: '/opt/bin' })).toEqual({
    HOME: '/home/a',
    LANG: 'C.UTF-8',
    LC_TIME: 'C',
    TERM: 'xterm',
    PATH: `/opt/bin:${PROGRAM_PATH}`,
  });
});

test('without a PATH our own programs are still found', () => {
  expect(tmuxEnvironment({})).toEqual({ PATH: PROGRAM_PATH });
});
