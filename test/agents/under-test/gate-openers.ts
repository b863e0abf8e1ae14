import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GateOpeners as Openers } from '../../../src/agent/seam/gate-openers.ts';
import { writeOpeners } from '../../../src/daemon/gate/write-openers.ts';
import type { GateOpeners } from './agent.ts';

/** The attempts that the gate probe makes too, in the folders of a stage. `settings`: a file of the user. */
export function gateOpeners(
  openers: Openers,
  environment: (root: string) => Record<string, string>,
  settings: string,
): GateOpeners {
  return {
    write: (root) => {
      const workspace = join(root, 'workspace');
      writeOpeners(openers, { workspace, env: environment(root), trace: join(workspace, 'made') });
    },
    settings: (root) => readFileSync(join(root, settings), 'utf8'),
    ...(openers.otherClient && { otherClient: openers.otherClient }),
  };
}
