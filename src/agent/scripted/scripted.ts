import { claudeLike } from '../claude/claude.ts';
import type { Agent } from '../seam/agent.ts';

/** Our own stand-in for an agent: it plays the story in its prompt, without any account or network. */
export function scripted(node: string, program: string): Agent {
  const home = (env: Readonly<Record<string, string>>): string => `${env.HOME ?? ''}/.outlast-scripted`;
  return claudeLike({
    name: 'scripted',
    program: [node, program],
    env: {},
    install: 'It is part of Outlast: run `npm run build`.',
    home,
  });
}
