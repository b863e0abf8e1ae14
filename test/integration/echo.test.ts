import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { ServerStage } from '../fault/server-world.ts';

// Echo over each drive of an agent. It reports itself what it received.

const WAYS = {
  'a process for each turn': { drive: 'turns' },
  'messages over stdio': { drive: 'live' },
  'messages over a websocket': { agent: 'echo-websocket', drive: 'live' },
  'messages over http': { agent: 'echo-http', drive: 'live' },
  'its own screen': { drive: 'live', tui: true, terminal: 'pty' },
} as const;

test.concurrent.each(Object.entries(WAYS))(
  'echo is prompted twice over %s, receives each once and uses its tool',
  async (_, way) => {
    await using stage = await ServerStage.open('stdio', way);
    expect(await stage.session.converse('run echo once >> ledger\nsay one')).toMatchObject({
      met: 'answered',
      reply: 'one',
    });
    expect(await stage.session.converse('two')).toMatchObject({ met: 'answered', reply: 'two' });
    expect(stage.receivedPrompts()).toEqual(['run echo once >> ledger\nsay one', 'two']);
    expect(stage.uses()).toHaveLength(1);
    const types = (await stage.events()).map(({ event }) => event);
    expect(types.filter((type) => /^tool\./.test(type))).toEqual(['tool.called', 'tool.ended']);
    await eventually(async () => (await stage.view()).usage.turns === 2);
  },
);

test.concurrent('echo is ended when it was idle for a while, and the next prompt resumes it', async () => {
  await using stage = await ServerStage.open('websocket', { policy: { idleMsMax: 300 } });
  expect(await stage.session.converse('one')).toMatchObject({ met: 'answered', reply: 'one' });
  const { conversation } = await stage.view();
  await stage.untilEvent('run.ended');
  expect(await stage.view()).toMatchObject({ phase: 'idle', conversation });
  await expect(stage.sendSignal('command', 'SIGCONT')).rejects.toThrow('there is no command');
  await stage.world.restart();
  expect(await stage.session.converse('two')).toMatchObject({ met: 'answered', reply: 'two' });
  expect(stage.receivedPrompts()).toEqual(['one', 'two']);
  expect(await stage.view()).toMatchObject({ conversation, resumes: 0 });
  const types = (await stage.events()).map(({ event }) => event);
  expect(types.filter((type) => /^run\.(starting|closing|faulted)$/.test(type)).slice(0, 3)).toEqual([
    'run.starting',
    'run.closing',
    'run.starting',
  ]);
  expect(types).not.toContain('run.faulted');
});

test.concurrent('an agent that is driven by messages accepts no keys, and says so where it has no screen', async () => {
  await using stage = await ServerStage.open('stdio', { name: 'talks' });
  const keys = {
    code: 'not_supported',
    message: expect.stringMatching(/ --tui .*: it accepts no keys; give it a prompt: outlast prompt talks$/),
  };
  await expect(stage.session.keys(['Enter'])).rejects.toMatchObject(keys);
  const attach = {
    code: 'not_supported',
    message: expect.stringMatching(/no screen to attach to; read it with: outlast turn talks$/),
  };
  await expect(stage.session.attach()).rejects.toMatchObject(attach);
  expect((await stage.world.client.show('talks')).attach).toBeNull();
  expect((await stage.events()).map(({ event }) => event)).not.toContain('run.written');
});

test.concurrent('a person attaches to a server as a second client: both see each prompt, and none waits', async () => {
  await using stage = await ServerStage.open('websocket', { name: 'talks' });
  expect((await stage.world.client.show('talks')).attach).toBe('outlast attach talks');
  await stage.session.converse('say before');
  const { argv, detach } = await stage.session.attach();
  expect(detach).toBe('Ctrl-D');
  const [program = '', ...words] = argv;
  using screen = new Screen(spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] }));
  await eventually(() => screen.text.includes('echo: before'));
  screen.type('say typed here\n');
  await eventually(() => screen.text.includes('echo: typed here'));
  const ended = await eventually(async () => (await stage.events()).find(({ event }) => event === 'turn.ended'));
  expect(ended).toMatchObject({ body: { reply: 'typed here' } });
  expect(await stage.session.converse('say ours')).toMatchObject({ met: 'answered', reply: 'ours' });
  await eventually(() => screen.text.includes('echo: ours'));
  screen.end();
  expect(await screen.exit).toBe(0);
  expect(await stage.session.converse('say after')).toMatchObject({ met: 'answered', reply: 'after' });
  const watching = await stage.session.attach({ readOnly: true });
  expect(watching.argv).toContain('--read-only');
});

test.concurrent('--tui alone gives an agent its own screen, to see, to type into and to attach to', async () => {
  await using stage = await ServerStage.open('stdio', { tui: true });
  expect(await stage.session.converse('one')).toMatchObject({ met: 'answered', reply: 'one' });
  await eventually(async () => (await stage.session.screen()).rows.some((row) => row.includes('one')));
  expect((await stage.session.attach({ readOnly: true })).argv.length).toBeGreaterThan(0);
  await expect(stage.session.keys(['Enter'])).resolves.toMatchObject({ bytes: 1 });
});

/** A program on a person's terminal. */
class Screen implements Disposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly exit: Promise<number | null>;
  text = '';

  constructor(child: ChildProcessByStdio<Writable, Readable, null>) {
    this.#child = child;
    this.exit = new Promise((resolve) => child.on('exit', resolve));
    child.stdout.on('data', (bytes) => {
      this.text += String(bytes);
    });
  }

  type(text: string): void {
    this.#child.stdin.write(text);
  }

  /** As Ctrl-D does. */
  end(): void {
    this.#child.stdin.end();
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }
}
