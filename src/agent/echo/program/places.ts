import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, realClock } from '../../../base/clock.ts';
import { type Manner, mannerOf } from './manners.ts';

/** The files of echo, and its clock. */
export interface Places {
  readonly clock: Clock;
  readonly cwd: string;
  /** Is put before a prompt that is echoed. */
  readonly answer: string;
  /** A line for every prompt received and for every use of a tool: tests find out what happened twice. */
  readonly heard: string;
  readonly uses: string;
  /** How it asks before it uses a tool. */
  readonly manner: Manner;
  /** A process of one turn names its conversation, and confirms its prompt, only when the turn is over. */
  readonly isSecretive: boolean;
  /** Ends the process as if it was killed, when a file says so; the file is removed, so that it happens once. */
  dieIfTold(): void;
  /** The file of a conversation. */
  transcript(id: string): string;
}

/** The files of echo in this environment. */
export function placesOf(env: NodeJS.ProcessEnv, cwd: string): Places {
  const home = env.ECHO_HOME ?? join(env.HOME ?? '/', '.outlast-echo');
  const conversations = join(home, 'conversations');
  mkdirSync(conversations, { recursive: true, mode: 0o700 });
  return {
    clock: realClock(),
    cwd,
    manner: mannerOf(env.ECHO_GATE),
    answer: env.ECHO_ANSWER ?? '',
    heard: join(home, 'heard.jsonl'),
    uses: join(home, 'uses.jsonl'),
    isSecretive: env.ECHO_NAMES === 'late',
    dieIfTold: () => {
      const path = env.ECHO_DIES;
      if (path === undefined || !existsSync(path)) return;
      rmSync(path);
      process.kill(process.pid, 'SIGKILL');
    },
    transcript: (id) => join(conversations, `${id}.jsonl`),
  };
}
