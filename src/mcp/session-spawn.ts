import { resolve } from 'node:path';
import { z } from 'zod';
import { CONTRACT } from '../api/contract.ts';
import { childInput } from '../api/spawn-shape.ts';
import { strictly } from './strict.ts';
import { tool } from './tool.ts';
import { nameOf, stateOf } from './words.ts';

const { key, name, prompt, model, thinking, drive, keepOpen, worktree } = CONTRACT['session.start'].input.shape;
const { wake, onEnd, cleanup } = childInput.shape;

/** `session_spawn`: starts an agent that belongs to the session which calls. */
export const sessionSpawn = tool({
  name: 'session_spawn',
  title: 'Spawn an agent',
  description: [
    'For agents that run inside of an Outlast session: starts another agent that belongs to yours.',
    'Do not poll: its end, its questions and its limits reach you as a prompt.',
    'Refused beyond the depth, the number and the agents that are allowed.',
  ].join(' '),
  grants: ['prompt'],
  readOnly: false,
  input: {
    ...strictly({ key, name, model, thinking, drive, worktree }),
    prompt: prompt.unwrap().describe('What it shall do.'),
    agent: z.string().max(63).default('').describe('Which agent, e.g. `claude`. Default: as the config says.'),
    cwd: z.string().optional().describe('The folder it works in. Default: where the server was started.'),
    timeoutMs: z.number().int().positive().optional().describe('It is given up after so much awake time.'),
    wake: wake.removeDefault().default(true),
    onEnd: onEnd.removeDefault().default('stop'),
    cleanup,
    keepOpen: keepOpen.removeDefault().default(false),
  },
  async run({ cwd, prompt, wake, onEnd, cleanup, timeoutMs, ...input }, { outlast, cwd: own, signal }) {
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const folder = cwd === undefined ? own : resolve(own, cwd);
    const policy = timeoutMs === undefined ? {} : { policy: { deadlineMsMax: timeoutMs } };
    const asked = { ...given, ...policy, cwd: folder, child: { wake, onEnd, cleanup } };
    const session = await outlast.spawn(prompt, asked, signal);
    const view = session.started ?? (await session.show(signal)).session;
    const { firstPrompt, position } = session;
    const told = wake
      ? 'You are told when it ends, asks or is limited: do not poll.'
      : 'Its news come with your next prompt.';
    return {
      text: [`Started session ${view.id}${view.name === null ? '' : ` (${nameOf(view)})`}.`, told].join('\n'),
      details: { session: view.id, name: view.name, prompt: firstPrompt, position, state: stateOf(view) },
    };
  },
});
