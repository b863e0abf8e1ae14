import { assert } from '../../base/assert.ts';
import type { Agent } from '../seam/agent.ts';

/** A plain command: no conversation, no resume. This is what `exec` starts. */
export const command: Agent = {
  name: 'command',
  launch(spec, { env, umask }) {
    const [program, ...rest] = spec.argv;
    assert(program !== undefined, 'a command session has a command');
    return { argv: [program, ...rest], env, cwd: spec.workspace, umask, stdin: spec.stdin, split: spec.split };
  },
};
