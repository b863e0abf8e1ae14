import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentUnderTest } from './agent.ts';
import { environment } from './claude-home.ts';
import { CLAUDE_LIKE, claudePrompt } from './claude-like.ts';

const PROGRAM = join(import.meta.dirname, '../../../dist/scripted.js');

/** The stand-in for Claude Code. It plays the steps in its prompts by itself. */
export const STAND_IN: AgentUnderTest = {
  ...CLAUDE_LIKE,
  title: 'scripted',
  name: 'scripted',
  version: null,
  lacks: { model: 'it plays the steps in its prompts by itself' },
  storyMsMax: 60_000,
  isHere: () => true,
  install: () => {},
  environment: (root) => environment(root, null),
  startModel: () => null,
  setFaults: (root, faults) => writeFileSync(join(root, 'config/manners.json'), JSON.stringify(faults)),
  argv: () => [process.execPath, PROGRAM],
  prompt: (steps) => claudePrompt(steps, 1),
};
