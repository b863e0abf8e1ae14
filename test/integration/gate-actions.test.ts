import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { actionsBy } from '../../src/agent/seam/actions.ts';
import type { Agent } from '../../src/agent/seam/agent.ts';
import type { Action } from '../../src/core/rules/action.ts';
import type { Session } from '../../src/core/session.ts';
import { GateRules } from '../../src/daemon/gate/rules.ts';

/** An agent with one tool that changes any number of files and then runs a command. */
const patcher = {
  name: 'patcher',
  actions: (tool: string, input: unknown): readonly Action[] => {
    const { paths, command } = input as { paths: string[]; command?: string };
    if (tool !== 'patch') return [{ is: 'other', name: tool, input }];
    const shell: Action[] = command === undefined ? [] : [{ is: 'shell', command }];
    return [...paths.map((path): Action => ({ is: 'write', path, change: null })), ...shell];
  },
} as Partial<Agent> as Agent;

function gateWith(...allow: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'ol-actions-'));
  const [state, workspace] = [join(folder, 'state'), join(folder, 'work')];
  mkdirSync(state);
  mkdirSync(join(workspace, 'src'), { recursive: true });
  symlinkSync('/etc', join(workspace, 'src/out'));
  const agents = { patcher };
  const rules = new GateRules({
    state,
    config: () => ({ allow }),
    home: () => folder,
    actions: ({ spec }, tool, input) => actionsBy(agents, spec.agent)(tool, input),
  });
  const session = (agent: string) =>
    ({ spec: { agent, workspace, conversation: {} }, gate: { rules: [] } }) as unknown as Session;
  return {
    state,
    verdict: (input: object, tool = 'patch', agent = 'patcher') =>
      rules.judge(session(agent), { tool, input, cwd: null }).verdict,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

test('every file of a call is checked against the rules, and so is the target of each link', () => {
  using gate = gateWith('Edit(src/**)');
  expect(gate.verdict({ paths: ['src/a', 'src/b'] })).toBe('allow');
  expect(gate.verdict({ paths: ['src/a', 'b'] })).toBe('ask');
  expect(gate.verdict({ paths: ['src/a', 'src/out/passwd'] })).toBe('ask');
  expect(gate.verdict({ paths: ['src/a'], command: 'make' })).toBe('ask');
  expect(gate.verdict({ paths: [] })).toBe('ask');
});

test('what the gate depends on is denied also among other files, and command lines stay allowed', () => {
  using gate = gateWith('*');
  expect(gate.verdict({ paths: ['src/a'], command: 'case x in y) z;; esac' })).toBe('allow');
  expect(gate.verdict({ paths: ['src/a', join(gate.state, 'rules.json')], command: 'make' })).toBe('deny');
});

test('a tool that the adapter does not know, or an unknown agent, is allowed by its exact name only', () => {
  using gate = gateWith('Edit', 'Edit(**)', 'Bash', 'other_patch');
  expect(gate.verdict({ paths: ['src/a'] }, 'other_patch')).toBe('allow');
  expect(gate.verdict({ paths: ['src/a'], file_path: 'src/a' }, 'super_patch')).toBe('ask');
  expect(gate.verdict({ paths: ['src/a'] }, 'patch', 'gone')).toBe('ask');
  expect(gate.verdict({ command: 'ls' }, 'Bash', 'gone')).toBe('ask');
});
