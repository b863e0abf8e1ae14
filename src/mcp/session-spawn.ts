import { resolve } from 'node:path';
import * as z from 'zod';
import { CONTRACT } from '../api/contract.ts';
import { childInput } from '../api/spawn-shape.ts';
import { askedOf, SPAWN_WORDS } from '../compat/spawn-words.ts';
import { nameOf } from '../present/state.ts';
import { imagesIn } from './images.ts';
import { otherwise, strictly } from './strict.ts';
import { tool } from './tool.ts';
import { stateOf } from './words.ts';

const { key, name, prompt, images, model, thinking, drive, keepOpen, worktree } = CONTRACT['session.start'].input.shape;
const { wake, onEnd, cleanup } = childInput().shape;

/** `session_spawn`: starts an agent that the calling session owns. */
export const sessionSpawn = tool({
  name: 'session_spawn',
  title: 'Spawn an agent',
  description: [
    'For agents inside an Outlast session: starts another agent session that yours owns.',
    'Do not poll: you get a prompt when it ends, needs an approval or hits a limit.',
    'Refused beyond the limits of depth, number and allowed agents.',
  ].join(' '),
  grants: ['prompt'],
  operations: ['session.start'],
  input: {
    ...strictly({ key, name, images, model, thinking, drive, worktree }),
    prompt: prompt.describe('The prompt.'),
    agent: z.string().max(63).optional().describe('Which agent, e.g. `claude`. Default: from the config.'),
    cwd: z.string().optional().describe('The folder it works in. Default: where the server was started.'),
    timeoutMs: z.number().int().min(0).optional().describe('Time limit, excluding sleep; 0: none.'),
    wake: otherwise(wake, true),
    onEnd: otherwise(onEnd, 'stop'),
    cleanup,
    keepOpen: otherwise(keepOpen, false),
    ...SPAWN_WORDS,
  },
  async run(input, { outlast, cwd: own, signal }) {
    const { key, model, thinking, drive, worktree, keepOpen, wake, onEnd, cleanup } = input;
    const { prompt, name, agent, timeoutMs } = askedOf(input, input);
    const given = Object.entries({ key, model, thinking, drive, worktree, keepOpen, name, agent });
    const folder = input.cwd === undefined ? own : resolve(own, input.cwd);
    const asked = {
      ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
      ...(timeoutMs === undefined ? {} : { policy: { deadlineMsMax: timeoutMs } }),
      ...imagesIn(folder, input.images),
      cwd: folder,
      child: { wake, onEnd, cleanup },
    };
    const session = await outlast.spawn(prompt, asked, signal);
    const view = session.started ?? (await session.show(signal)).session;
    const { firstPrompt, position, after } = session;
    const note = wake
      ? 'You get an update when it ends, needs an approval or hits a limit: do not poll.'
      : 'Its updates come with your next prompt.';
    const warnings = session.warnings.map((warning) => `Warning: ${warning}`);
    const started = `Started session ${view.id}${view.name === null ? '' : ` (${nameOf(view)})`}.`;
    return {
      text: [...warnings, started, note].join('\n'),
      details: {
        ...{ status: 'accepted', session: view.id, childSessionKey: view.id, note },
        ...{ name: view.name, prompt: firstPrompt, position, after, state: stateOf(view) },
      },
    };
  },
});
