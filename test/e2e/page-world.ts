import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ran, World } from '../world.ts';
import { pathWithOutlast } from './live.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A page of this repository. */
export function pageOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** A world for the examples of a page: `outlast` on the PATH, the scripted agent, a home and a folder to work in. */
export class PageWorld extends World {
  readonly home = join(this.state, 'home');
  readonly work = join(this.home, 'work');

  constructor(config: object = {}) {
    super({ config: { agent: 'scripted', ...config } });
    mkdirSync(this.work, { recursive: true });
    // No real conversations: they would be found, and resumed.
    const agentHomes = { CLAUDE_CONFIG_DIR: join(this.home, 'claude'), OPENCLAW_STATE_DIR: join(this.home, 'claw') };
    Object.assign(this.env, { HOME: this.home, PATH: pathWithOutlast(this), ...agentHomes });
  }

  /** Runs a block of a page to its end; the first line that fails ends it. */
  sh(script: string): Promise<Ran> {
    return new Promise((resolve) => {
      const where = { env: this.env, cwd: this.work };
      const child = spawn('sh', ['-eu', '-c', script], { ...where, stdio: ['ignore', 'pipe', 'pipe'] });
      const output = { stdout: '', stderr: '' };
      child.stdout.on('data', (chunk: Buffer) => {
        output.stdout += chunk.toString();
      });
      child.stderr.on('data', (chunk: Buffer) => {
        output.stderr += chunk.toString();
      });
      child.on('close', (status) => resolve({ status, ...output }));
    });
  }
}
