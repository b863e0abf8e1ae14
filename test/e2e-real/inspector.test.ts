import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspectorIsHere, inspectorProgram } from '../../scripts/inspector.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { makeWorld, type World } from '../world.ts';

const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');

interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe.skipIf(!inspectorIsHere() && process.env.CI !== 'true')('the official inspector', () => {
  let world: World;

  beforeAll(async () => {
    world = await makeWorld();
  });

  afterAll(() => world[Symbol.asyncDispose]());

  function inspect(...words: string[]): Promise<Ran> {
    const variables = ['-e', `OUTLAST_STATE=${world.state}`, '-e', `OUTLAST_CONFIG=${world.env.OUTLAST_CONFIG}`];
    const argv = [inspectorProgram(), '--cli', ...variables, process.execPath, BIN, 'mcp', ...words];
    const env = { ...world.env, HOME: world.state };
    return new Promise((resolve) =>
      execFile(process.execPath, argv, { env, cwd: tmpdir() }, (error, stdout, stderr) =>
        resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
      ),
    );
  }

  test('accepts the schemas of all tools', async () => {
    const { status, stdout, stderr } = await inspect('--method', 'tools/list', '--strict');
    expect(`${status} ${stderr}`).toMatch(/^0 /);
    // Outside a session there is nobody to tell anything.
    expect(JSON.parse(stdout).tools).toHaveLength(TOOLS.length - 1);
  });

  test('calls a tool', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'exec', '--tool-arg', 'command=echo inspected'];
    const { status, stdout } = await inspect(...call);
    expect(status).toBe(0);
    expect(stdout).toContain('inspected');
  });

  test('lists and reads resources, and gets a prompt', async () => {
    expect((await inspect('--method', 'resources/list')).stdout).toContain('outlast://sessions');
    const read = await inspect('--method', 'resources/read', '--uri', 'outlast://sessions');
    expect(read.stdout).toContain('application/json');
    const prompt = ['--method', 'prompts/get', '--prompt-name', 'delegate', '--prompt-args', 'what=tidy up'];
    expect((await inspect(...prompt)).stdout).toContain('> tidy up');
  });
});
