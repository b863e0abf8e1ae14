import { CONTRACT } from '../api/contract.ts';
import { ROUTES } from '../api/routes.ts';
import { nameOf } from '../present/state.ts';
import { strictly } from './strict.ts';
import { tool } from './tool.ts';
import { stateOf } from './words.ts';

const { session } = CONTRACT['session.interrupt'].input.shape;
const { text } = CONTRACT['session.tell'].input.shape;

/** `session_interrupt`: ends the turn that is running, not the session. */
export const sessionInterrupt = tool({
  name: 'session_interrupt',
  title: 'Interrupt a turn',
  description: `${ROUTES['session.interrupt'].sentence} An agent stays, and accepts the next prompt.`,
  grants: ['prompt'],
  operations: ['session.interrupt'],
  input: strictly({ session }),
  async run(input, { outlast, signal }) {
    const { session: now } = await outlast.interrupt(input.session, signal);
    return { text: `Interrupted ${nameOf(now)}: ${stateOf(now)}`, details: { session: now.id, phase: now.phase } };
  },
});

/** `session_tell`: sends a message from a session to the one that started it. */
export const sessionTell = tool({
  name: 'session_tell',
  title: 'Send your owner a message',
  description: 'For agents that another session spawned: sends that session a message before your turn ends.',
  grants: ['prompt'],
  operations: ['session.tell'],
  input: strictly({ text: text.describe('At most 4000 characters.') }),
  async run(input, { outlast, signal }) {
    const { owner, wake } = await outlast.tell(input.text, signal);
    return { text: `Sent to ${owner}.`, details: { owner, wake } };
  },
});
