import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openclawProgram } from '../../scripts/openclaw.ts';
import { openclawConversations } from '../../src/agent/openclaw/openclaw.ts';
import { realClock } from '../../src/base/clock.ts';
import { type Scan, scan } from '../../src/daemon/boot/scan.ts';
import { realFiles } from '../../src/supervisor/process-facts.ts';
import { answerOf, eventsOf } from './answer.ts';

/** A separate home for the real OpenClaw, with a model on loopback that can be silent. */
export class ClawWorld implements AsyncDisposable {
  readonly root = mkdtempSync(join(tmpdir(), 'ol-realclaw-'));
  readonly #model: Model;
  readonly #gateways: ChildProcess[] = [];

  private constructor(model: Model, port: number) {
    this.#model = model;
    mkdirSync(join(this.root, '.openclaw'));
    mkdirSync(join(this.root, 'workspace'));
    writeFileSync(join(this.root, '.openclaw/openclaw.json'), JSON.stringify(configOf(this.root, model.url, port)));
  }

  static async open(): Promise<ClawWorld> {
    return new ClawWorld(await startModel(), await freePort());
  }

  get env(): Record<string, string> {
    return {
      HOME: this.root,
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      ...{ OPENCLAW_NO_AUTO_UPDATE: '1', OPENCLAW_DISABLE_BONJOUR: '1', OPENCLAW_SKIP_CHANNELS: '1' },
    };
  }

  /** While set, the model answers no request. */
  set isSilent(isSilent: boolean) {
    this.#model.isSilent = isSilent;
  }

  /** The number of requests to the model. */
  get asked(): number {
    return this.#model.asked;
  }

  /** Runs `openclaw` and waits for its exit. */
  run(...words: string[]): Promise<{ status: number; output: string }> {
    return new Promise((resolve) =>
      execFile(process.execPath, [openclawProgram(), ...words], { env: this.env, cwd: this.root }, (error, out, err) =>
        resolve({ status: error === null ? 0 : Number(error.code ?? -1), output: out + err }),
      ),
    );
  }

  gateway(): ChildProcess {
    const options = { env: this.env, cwd: this.root, stdio: 'ignore' } as const;
    const child = spawn(process.execPath, [openclawProgram(), 'gateway', 'run'], options);
    this.#gateways.push(child);
    return child;
  }

  /** What `outlast boot` finds out about its conversations. */
  look(): Promise<Scan> {
    return scan({
      clock: realClock(),
      files: realFiles,
      conversations: [openclawConversations],
      env: { HOME: this.root },
      folders: [],
      windowMs: Number.POSITIVE_INFINITY,
      aliveAtMs: null,
      sleptAtMs: null,
      ours: () => null,
      isWanted: () => true,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#gateways) await killed(child);
    await this.#model.close();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
  }
}

/** Kills a process as a crash would, and waits until it is gone. */
export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

function configOf(root: string, baseUrl: string, port: number): unknown {
  const model = {
    id: 'mock',
    name: 'mock',
    contextWindow: 200_000,
    maxTokens: 8_000,
    input: ['text'],
    reasoning: false,
  };
  const provider = { baseUrl, apiKey: 'none', api: 'anthropic-messages', models: [model] };
  return {
    gateway: { mode: 'local', port, bind: 'loopback', auth: { mode: 'none' } },
    models: { mode: 'replace', providers: { mock: provider } },
    agents: { defaults: { workspace: join(root, 'workspace'), skipBootstrap: true, model: { primary: 'mock/mock' } } },
  };
}

interface Model {
  readonly url: string;
  isSilent: boolean;
  asked: number;
  close(): Promise<void>;
}

async function startModel(): Promise<Model> {
  const server = createServer((request, response) => {
    response.on('error', () => {});
    request.resume().once('end', () => {
      model.asked += 1;
      if (!model.isSilent) say(response);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const model: Model = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isSilent: false,
    asked: 0,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return model;
}

function say(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of eventsOf(answerOf({ text: 'all of it is done' }, 'mock'), false))
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
