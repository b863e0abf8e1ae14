import { describe } from 'vitest';
import { APART } from '../agents/stories-apart.ts';
import { AROUND } from '../agents/stories-around.ts';
import { AGENT_DEATHS, DAEMON_DEATHS } from '../agents/stories-crash.ts';
import { TRUST } from '../agents/stories-held.ts';
import { liveStories } from '../agents/stories-live.ts';
import { REAL } from '../agents/stories-real.ts';
import { THREADS } from '../agents/stories-thread.ts';
import { TURNS } from '../agents/stories-turns.ts';
import { tell } from '../agents/tell.ts';

describe('Claude Code 2.1.325', () => {
  tell(REAL, '2.1.325', 120_000);
  tell(THREADS, '2.1.325', 120_000);
  tell(AROUND, '2.1.325', 120_000);
  tell(TRUST, '2.1.325', 120_000);
  tell(APART, '2.1.325', 120_000);
  tell(AGENT_DEATHS, '2.1.325', 120_000);
  tell(DAEMON_DEATHS, '2.1.325', 120_000);
});
describe('Claude Code 2.1.197', () => {
  tell(REAL, '2.1.197', 120_000);
  tell(TURNS, '2.1.197', 120_000);
  tell(liveStories('tmux'), '2.1.197', 120_000);
});
