import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';

const PROGRAM = join(import.meta.dirname, '../../src/agent/claude/permission-server/main.ts');
const decided = (decision: object): string => JSON.stringify({ hookSpecificOutput: { decision } });

/** The permission server with its own command, and its answers by the id of the request. */
function permissionServer(command: string) {
  const child = spawn(process.execPath, [PROGRAM, command], { stdio: ['pipe', 'pipe', 'inherit'] });
  const said = new Map<number, { result: { content: { text: string }[] } }>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    said.set(message.id, message);
  });
  return {
    child,
    tell: (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    ask(id: number, word: string): void {
      const input = { command: word };
      this.tell({ id, method: 'tools/call', params: { name: 'ask', arguments: { tool_name: 'Bash', input } } });
    },
    said: async (id: number): Promise<Record<string, unknown>> => {
      const { result } = await eventually(() => said.get(id), { what: `an answer to ${id}` });
      return JSON.parse(result.content[0]?.text ?? '');
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}

test('several requests at once each get their own decision', async () => {
  const answers = `case $(cat) in
    *slow*) sleep 0.2; printf '%s' '${decided({ behavior: 'allow' })}' ;;
    *no*) printf '%s' '${decided({ behavior: 'deny', message: 'no' })}' ;;
    *broken*) kill -9 $$ ;;
  esac`;
  using server = permissionServer(answers);
  for (const [i, word] of ['slow', 'no', 'broken', 'silent'].entries()) server.ask(i, word);
  expect(await server.said(1)).toEqual({ behavior: 'deny', message: 'no' });
  expect((await server.said(2)).behavior).toBe('deny');
  expect((await server.said(3)).behavior).toBe('deny');
  expect(await server.said(0)).toEqual({ behavior: 'allow', updatedInput: { command: 'slow' } });
});

test('a request that its caller abandoned is withdrawn, and so are all when the agent is gone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ol-asker-'));
  try {
    const told = (): string[] => readFileSync(join(folder, 'told'), 'utf8').split('\n').filter(Boolean);
    const command = `cd '${folder}'; sleep 60 >/dev/null & child=$!
      trap 'kill $child; echo withdrawn >>told; exit' TERM; echo asked >>told; wait`;
    using server = permissionServer(command);
    const ended = new Promise((done) => server.child.once('close', done));
    const holds =
      (...words: string[]) =>
      () => {
        try {
          return JSON.stringify(told()) === JSON.stringify(words);
        } catch {
          return false;
        }
      };
    server.ask(1, 'x');
    await eventually(holds('asked'));
    server.tell({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await eventually(holds('asked', 'withdrawn'));
    server.ask(2, 'y');
    await eventually(holds('asked', 'withdrawn', 'asked'));
    server.child.stdin.end();
    await eventually(holds('asked', 'withdrawn', 'asked', 'withdrawn'));
    await ended;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
