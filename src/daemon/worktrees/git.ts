import type { Clock } from '../../base/clock.ts';
import { run } from '../../base/spawn.ts';
import { errnoText } from '../../base/system-errors.ts';
import { toText } from '../../terminal/text.ts';
import { ENVIRONMENT } from '../config/config.ts';

/** The result of a git command: its output, or why it failed. */
export type Gone = { readonly ok: true; readonly out: string } | { readonly ok: false; readonly why: string };

/** Runs git in a folder. */
export type Git = (cwd: string, words: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Gone>;

/** A checkout of a large repository takes a while. */
const MS_MAX = 120_000;
const WHY_CHARS_MAX = 300;

// No hook and no file monitor from the repository's settings, and no prompts.
const FIRST = ['--no-pager', '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];
const SELF = { NAME: 'outlast', EMAIL: 'outlast@localhost' };

/** Git for our own use: without the caller's environment, and with our own identity for commits. */
export function gitWith(clock: Clock): Git {
  const { PATH = '/usr/bin:/bin', HOME = '/nonexistent' } = ENVIRONMENT;
  const who = Object.fromEntries(
    Object.entries(SELF).flatMap(([key, value]) => ['AUTHOR', 'COMMITTER'].map((as) => [`GIT_${as}_${key}`, value])),
  );
  return async (cwd, words, more = {}) => {
    const env = { PATH, HOME, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', ...who, ...more };
    const ran = await run(['git', ...FIRST, ...words], { clock, env, cwd, msMax: MS_MAX });
    if (ran.end !== 'exited')
      return { ok: false, why: ran.end === 'unstarted' ? `git: ${errnoText(ran.errno)}` : ran.end };
    if (ran.status === 0) return { ok: true, out: toText(ran.stdout).trimEnd() };
    return { ok: false, why: ran.stderr.trim().slice(-WHY_CHARS_MAX) || `git exited with ${ran.status}` };
  };
}
