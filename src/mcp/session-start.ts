import { resolve } from 'node:path';
import * as z from 'zod';
import { CONTRACT } from '../api/contract.ts';
import { ROUTES } from '../api/routes.ts';
import { nameOf } from '../present/state.ts';
import { imagesIn } from './images.ts';
import { strictly } from './strict.ts';
import { tool } from './tool.ts';
import { stateOf } from './words.ts';

const SHAPE = CONTRACT['session.start'].input.shape;
const { key, name, prompt, images, model, thinking, drive, fork, after, keepOpen, timeoutMs, worktree } = SHAPE;
const { trust, policy, agentArgs, envNames } = SHAPE;

/** `session_start`: starts an agent. */
export const sessionStart = tool({
  name: 'session_start',
  title: 'Start an agent',
  description: [
    'Starts a coding agent session that survives this call and this conversation.',
    'With a prompt it starts working at once; get its reply with session_wait for=reply.',
    'Use exec for plain commands.',
  ].join(' '),
  grants: ['prompt'],
  reserved: ['trust', 'policy', 'agentArgs', 'envNames'],
  operations: ['session.start'],
  input: {
    ...strictly({ key, name, prompt, images, model, thinking, drive, fork, after, keepOpen, timeoutMs, worktree }),
    ...strictly({ trust, policy, agentArgs, envNames }),
    agent: z.string().max(63).default('').describe('Which agent, e.g. `claude`. Default: from the config.'),
    cwd: z.string().optional().describe('The folder it works in. Default: where the server was started.'),
  },
  async run({ cwd, images, ...input }, call) {
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const folder = cwd === undefined ? call.cwd : resolve(call.cwd, cwd);
    const session = await call.outlast.start({ ...given, ...imagesIn(folder, images), cwd: folder }, call.signal);
    const view = session.started ?? (await session.show(call.signal)).session;
    const of = nameOf(view);
    const { firstPrompt } = session;
    const next =
      firstPrompt === null
        ? `Send a prompt: session_converse session=${of} prompt=…`
        : `Its reply: session_wait session=${of} for=reply:${firstPrompt}`;
    const warnings = session.warnings.map((warning) => `Warning: ${warning}`);
    return {
      text: [...warnings, `Started session ${view.id}${view.name === null ? '' : ` (${view.name})`}.`, next].join('\n'),
      details: {
        session: view.id,
        name: view.name,
        prompt: firstPrompt,
        position: session.position,
        after: session.after,
        state: stateOf(view),
      },
    };
  },
});

/** `session_stop`: ends a session. */
export const sessionStop = tool({
  name: 'session_stop',
  title: 'Stop a session',
  description: `${ROUTES['session.stop'].sentence} An agent's conversation is kept; outlast resume restarts it.`,
  grants: ['prompt'],
  reserved: ['force'],
  operations: ['session.stop'],
  input: strictly(
    (({ session, graceMs, wait, force }) => ({ session, graceMs, wait, force }))(CONTRACT['session.stop'].input.shape),
  ),
  async run(input, { outlast, signal }) {
    const { session } = await outlast.stop({ ...input, by: 'mcp' }, signal);
    return { text: `${nameOf(session)}: ${stateOf(session)}`, details: { session: session.id, phase: session.phase } };
  },
});
