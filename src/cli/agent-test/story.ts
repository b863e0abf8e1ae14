import type { CallOutput } from '../../api/contract.ts';
import type { Replied, Session } from '../../client/index.ts';
import type { Place } from './place.ts';

/** What became of a story. absent: the agent has nothing that it could prove. */
export interface Result {
  readonly is: 'proven' | 'failed' | 'absent';
  readonly why: string;
}

/** What stories are played with. */
export interface Stage {
  readonly place: Place;
  readonly agent: CallOutput<'agent.list'>['agents'][number];
  readonly drive: 'turns' | 'live';
  /** How long one reply may take. */
  readonly timeoutMs: number;
  /** The session of all stories, once the first one has started it. */
  session: Session | null;
  /** The word of the first prompt. */
  readonly word: string;
}

/** One promise, and how it is tried. */
export interface Story {
  readonly name: string;
  readonly about: string;
  play(stage: Stage): Promise<Result>;
}

export const proven = (why: string): Result => ({ is: 'proven', why });
export const failed = (why: string): Result => ({ is: 'failed', why });
export const absent = (why: string): Result => ({ is: 'absent', why });

/** A word that no program says by itself. */
export function newWord(): string {
  return `outlast-${process.getBuiltinModule('node:crypto').randomBytes(4).toString('hex')}`;
}

const TEXT_CHARS_MAX = 300;

/** Proven if the reply has this word. */
export function saidWord({ met, reply, session }: Replied, word: string): Result {
  const text = (reply ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, TEXT_CHARS_MAX);
  const why = text === '' ? (session.held ?? 'it does not say why') : text;
  if (met !== 'answered') return failed(met === 'nothing' ? 'no reply in time' : `${met}: ${why}`);
  return (reply ?? '').includes(word) ? proven(`it replied with ${word}`) : failed(`not ${word} but "${text}"`);
}

/** Gives a prompt and waits for its reply. */
export function converse({ session, timeoutMs }: Stage, text: string): Promise<Replied> {
  if (session === null) throw new Error('the first story starts the session');
  return session.converse(text, { timeoutMs });
}
