import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { test as alone, expect } from 'vitest';
import { isCampaign } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { ServerStage, type WireName } from './server-world.ts';

/** Each has its own daemon and mostly waits, so they run in parallel. */
const test = alone.concurrent;

// The daemon exchanges messages with echo, and one of them is killed or stopped. No prompt is sent twice, and no
// question is answered without a decision.

const ALL: readonly WireName[] = ['stdio', 'websocket', 'http'];
/** All wires in a campaign, one of them in any other run. */
const wires = (one: WireName): readonly WireName[] => (isCampaign ? ALL : [one]);

const ONCE = 'run echo once >> ledger';

const ledger = (stage: ServerStage): string => readFileSync(stage.file('ledger'), 'utf8');

test.each(ALL)('T-SERVER-1: over %s the daemon dies between a prompt and the answer', async (wire) => {
  await using stage = await ServerStage.open(wire);
  await stage.sendSignal('command', 'SIGSTOP');
  const { prompt } = await stage.session.prompt(ONCE);
  await stage.untilEvent('prompt.sending');
  if (wire === 'stdio') await eventually(() => readFileSync(stage.files().input, 'utf8').includes(ONCE));
  await stage.world.kill();
  await stage.sendSignal('command', 'SIGCONT');
  await stage.world.start();
  const settled = await stage.settled(prompt);
  // On a wire that can lose messages, nothing is certain until the agent confirms it.
  if (wire === 'stdio') expect(settled).toBe('prompt.answered');
  if (settled === 'prompt.answered') expect(ledger(stage)).toBe('once\n');
  else await stage.session.drop(prompt).catch(() => {});
  expect(await stage.session.converse('say next')).toMatchObject({ met: 'answered', reply: 'next' });
  expect(stage.receivedPrompts().filter((text) => text === ONCE).length).toBeLessThanOrEqual(1);
});

test.each(wires('websocket'))('T-SERVER-2: over %s the daemon dies while a call waits for a person', async (wire) => {
  await using stage = await ServerStage.open(wire, { gate: { mode: 'gate' } });
  const { prompt } = await stage.session.prompt(ONCE);
  await stage.untilEvent('approval.asked');
  await stage.world.restart();
  const [question] = await eventually(async () => {
    const open = await stage.session.approvals();
    return open.length === 1 && open;
  });
  expect(stage.uses()).toEqual([]);
  await stage.world.client.approvals.decide(question?.id ?? '', true);
  expect(await stage.reply(prompt)).toMatchObject({ met: 'answered' });
  expect(ledger(stage)).toBe('once\n');
  expect(stage.uses()).toHaveLength(1);
  expect((await stage.events()).filter(({ event }) => event === 'approval.asked')).toHaveLength(1);
});

test.each(wires('http'))('T-SERVER-3: over %s the daemon dies while a turn is being interrupted', async (wire) => {
  await using stage = await ServerStage.open(wire);
  const { prompt } = await stage.session.prompt('wait never');
  await stage.untilEvent('prompt.accepted');
  await stage.sendSignal('command', 'SIGSTOP');
  const interrupting = stage.session.interrupt().catch(() => {});
  await stage.untilEvent('turn.interrupting');
  await stage.world.kill();
  await interrupting;
  await stage.sendSignal('command', 'SIGCONT');
  await stage.world.start();
  expect(await stage.reply(prompt)).toMatchObject({ met: 'interrupted' });
  expect(await stage.session.converse('say next')).toMatchObject({ met: 'answered', reply: 'next' });
  expect(stage.receivedPrompts()).toEqual(['wait never', 'say next']);
});

test('T-SERVER-4: the daemon dies after half of a prompt is written', async () => {
  await using stage = await ServerStage.open('stdio');
  const { input } = stage.files();
  await stage.sendSignal('keeper', 'SIGSTOP');
  const { size: before } = statSync(input);
  const { prompt } = await stage.session.prompt(ONCE);
  await eventually(() => readFileSync(input, 'utf8').includes(ONCE));
  await stage.world.kill();
  truncateSync(input, Math.floor((before + statSync(input).size) / 2));
  await stage.sendSignal('keeper', 'SIGCONT');
  await stage.world.start();
  expect(await stage.reply(prompt)).toMatchObject({ met: 'answered' });
  expect(stage.receivedPrompts()).toEqual([ONCE]);
  expect(ledger(stage)).toBe('once\n');
});

test.each(wires('stdio'))(
  'T-SERVER-5: over %s an agent that is killed in a turn does not get the same prompt again',
  async (wire) => {
    await using stage = await ServerStage.open(wire);
    const text = `${ONCE}\nwait go`;
    const { prompt } = await stage.session.prompt(text);
    // A tool call is recorded before the command runs: after a kill between the two, the ledger would rightly be empty.
    await eventually(() => existsSync(stage.file('ledger')) && ledger(stage) === 'once\n');
    await stage.untilEvent('prompt.accepted');
    await stage.sendSignal('command', 'SIGKILL');
    writeFileSync(stage.file('go'), '');
    expect(await stage.reply(prompt)).toMatchObject({ met: 'answered' });
    expect(stage.receivedPrompts().filter((each) => each === text)).toHaveLength(1);
    expect(ledger(stage)).toBe('once\n');
    expect((await stage.view()).resumes).toBe(1);
  },
);

test('T-SERVER-6: an agent is killed before it receives a prompt: the next process receives it once', async () => {
  await using stage = await ServerStage.open('stdio');
  await stage.sendSignal('keeper', 'SIGSTOP');
  const { prompt } = await stage.session.prompt(ONCE);
  await eventually(() => readFileSync(stage.files().input, 'utf8').includes(ONCE));
  await stage.sendSignal('command', 'SIGKILL');
  expect(await stage.reply(prompt)).toMatchObject({ met: 'answered' });
  expect(stage.receivedPrompts()).toEqual([ONCE]);
  expect(ledger(stage)).toBe('once\n');
});

test.each(wires('stdio'))(
  'T-SERVER-7: over %s the daemon dies after the agent has sent half a message',
  async (wire) => {
    await using stage = await ServerStage.open(wire);
    const { prompt } = await stage.session.prompt('half go\nsay whole');
    await stage.untilEvent('prompt.accepted');
    await stage.world.restart();
    writeFileSync(stage.file('go'), '');
    expect(await stage.reply(prompt)).toMatchObject({ met: 'answered', reply: 'whole' });
    expect(stage.receivedPrompts()).toEqual(['half go\nsay whole']);
  },
);

test.each(wires('http'))(
  'T-SERVER-8: over %s an unknown request gets an error, and a stray answer is ignored',
  async (wire) => {
    await using stage = await ServerStage.open(wire);
    const replied = await stage.session.converse('stray\nwonder what time it is');
    expect(replied).toMatchObject({ met: 'answered', reply: 'Outlast does not know this request' });
  },
);

test('T-SERVER-9: an agent reports a port of another process, which gets no connection', async () => {
  let connections = 0;
  const stranger = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  try {
    const address = stranger.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const env = { ECHO_SAYS_PORT: String(port) };
    await using stage = await ServerStage.open('http', { prompt: ONCE, env }, { isReady: false });
    await eventually(() => stage.world.log().includes('a port is held by a process of another run'));
    expect(connections).toBe(0);
    expect(stage.receivedPrompts()).toEqual([]);
  } finally {
    await new Promise((resolve) => stranger.close(resolve));
  }
});
