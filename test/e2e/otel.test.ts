import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { deepTest } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { type Collector, collector } from '../otlp.ts';
import { makeWorld, World } from '../world.ts';
import { bash } from './gated.ts';

// A real daemon with the scripted agent, and a collector that decodes by the published definitions.

const SECRET = 'hiddenword';

/** A world that sends to a collector. */
async function worldFor(url: string, otel: object = {}): Promise<World> {
  const world = new World({ config: { otel: { endpoint: url, metricsMs: 0, timeoutMs: 5_000, ...otel } } });
  // For other programs.
  Object.assign(world.env, { OTEL_EXPORTER_OTLP_HEADERS: 'x-foreign=1', OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '1' });
  await world.start();
  return world;
}

const start = async (world: World, name = 'one', words: readonly string[] = []): Promise<string> => {
  const script = `SCRIPT${JSON.stringify({ steps: [bash(`echo ${SECRET}`), { text: SECRET }] })}SCRIPT`;
  const ran = await world.cli(['run', '--agent', 'scripted', '--name', name, ...words, script], { cwd: world.state });
  expect(ran).toMatchObject({ status: 0 });
  return JSON.parse((await world.cli(['show', name, '--json'])).stdout).session.id;
};

const named = (at: Collector, name: string) => at.spans.filter((span) => span.name === name);
const distinct = (at: Collector, name: string): number => new Set(named(at, name).map(({ span }) => span)).size;
/** Processes of the program that sends. */
const senders = (world: World): string[] =>
  readdirSync('/proc').filter((pid) => {
    const path = `/proc/${pid}/cmdline`;
    const words = /^\d+$/.test(pid) && existsSync(path) ? readFileSync(path, 'utf8') : '';
    return words.includes('otel') && words.includes(`${world.state}/`);
  });

test.concurrent('a session is a trace of its runs, turns and tool calls, without what was said', async () => {
  // The first request is to be sent again a little later.
  const busy = { status: 429, headers: { 'retry-after': '2' } };
  await using at = await collector((count) => (count === 1 ? busy : { status: 200 }));
  await using world = await worldFor(at.url, { resource: { 'deployment.environment.name': 'test' } });
  const id = await start(world);
  await eventually(() => named(at, 'session').length === 1, { what: 'the span of the session' });
  const [session] = named(at, 'session');
  const [run] = named(at, 'run');
  const [turn] = named(at, 'invoke_agent scripted');
  const [tool] = named(at, 'execute_tool Bash');
  expect([session?.parent, run?.parent, turn?.parent, tool?.parent]).toEqual([
    '',
    session?.span,
    run?.span,
    turn?.span,
  ]);
  expect(new Set(at.spans.map(({ trace }) => trace)).size).toBe(1);
  expect(session?.attributes).toMatchObject({ 'outlast.session.id': id, 'outlast.outcome': 'done' });
  expect(run?.attributes).toMatchObject({ 'outlast.run': 1, 'process.exit.code': 0 });
  expect(turn).toMatchObject({ kind: 'SPAN_KIND_CLIENT', status: 'STATUS_CODE_UNSET' });
  expect(turn?.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'scripted',
    'gen_ai.conversation.id': expect.any(String),
    'gen_ai.response.model': expect.any(String),
    'outlast.usage.tokens': expect.any(Number),
    'gen_ai.usage.input_tokens': expect.any(Number),
    'gen_ai.usage.output_tokens': expect.any(Number),
    'gen_ai.usage.cache_read.input_tokens': expect.any(Number),
    'gen_ai.usage.cache_creation.input_tokens': expect.any(Number),
    'outlast.outcome': 'answered',
  });
  // Cached input is a part of the input.
  const { 'gen_ai.usage.input_tokens': input, 'gen_ai.usage.output_tokens': output } = turn?.attributes ?? {};
  expect(Number(input) + Number(output)).toBe(turn?.attributes['outlast.usage.tokens']);
  expect(Number(output)).toBeGreaterThan(0);
  expect(tool?.attributes).toMatchObject({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'Bash' });
  for (const span of at.spans) expect(span.endMs).toBeGreaterThanOrEqual(span.startMs);
  expect(session?.resource).toMatchObject({ 'service.name': 'outlast', 'deployment.environment.name': 'test' });
  const [first, second] = at.requests;
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(1_990);
  expect(at.requests.filter(({ headers }) => 'x-foreign' in headers)).toEqual([]);
  expect(at.bytes()).not.toContain(SECRET);
  expect(at.bytes()).not.toContain(world.state);
  expect((await world.client.daemonStatus()).otel).toMatchObject({ behind: 0, dropped: 0, lastError: null });
});

deepTest(
  'with otel.content it has what was said; a secret of a header is read from its file, and is in no log',
  async () => {
    await using at = await collector();
    await using world = await worldFor(at.url, { content: true, headers: { authorization: { file: '/dev/null' } } });
    const file = join(world.state, 'token');
    writeFileSync(file, 'Bearer pa55word\n');
    const config = { otel: { endpoint: at.url, metricsMs: 0, content: true, headers: { authorization: { file } } } };
    writeFileSync(join(world.state, 'config.json'), JSON.stringify(config));
    await world.client.reloadConfig();
    await start(world);
    await eventually(() => named(at, 'session').length === 1, { what: 'the span of the session' });
    const [turn] = named(at, 'invoke_agent scripted');
    expect(JSON.parse(String(turn?.attributes['gen_ai.output.messages']))).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: SECRET }] },
    ]);
    expect(named(at, 'execute_tool Bash')[0]?.attributes['gen_ai.tool.call.arguments']).toContain(SECRET);
    expect(at.requests.every(({ headers }) => headers.authorization === 'Bearer pa55word')).toBe(true);
    expect(world.log() + world.printed()).not.toContain('pa55word');
  },
);

deepTest('metrics arrive as the sums and gauges that `outlast metrics` prints', async () => {
  await using at = await collector();
  await using world = await worldFor(at.url, { metricsMs: 200 });
  await start(world);
  const last = (name: string) => at.metrics.findLast((each) => each.name === name);
  const ended = () => last('outlast.sessions.ended')?.points[0];
  await eventually(() => ended()?.value === 1, { what: 'a count' });
  expect(ended()?.attributes).toEqual({ agent: 'scripted', outcome: 'done' });
  expect(last('outlast.sessions.ended')?.sum).toEqual({
    isMonotonic: true,
    aggregationTemporality: 'AGGREGATION_TEMPORALITY_CUMULATIVE',
  });
  expect(last('outlast.attention')?.points).toContainEqual({ attributes: { reason: 'held' }, value: 0 });
  expect(last('outlast.turn')).toMatchObject({
    unit: 's',
    histogram: { count: '1', explicitBounds: expect.any(Array) },
  });
  expect(last('outlast.build.info')?.points[0]?.value).toBe(1);
});

test.concurrent('without an endpoint nothing is started, and no code of OpenTelemetry is in the daemon', async () => {
  await using world = await makeWorld();
  await world.cli(['exec', '--', 'true']);
  expect((await world.client.daemonStatus()).otel).toBe(null);
  expect(senders(world)).toEqual([]);
  const dist = join(import.meta.dirname, '../../dist');
  for (const program of ['daemon-main.js', 'cli.cjs'])
    expect(readFileSync(join(dist, program), 'utf8')).not.toContain('OTLPExporterError');
  expect(readFileSync(join(dist, 'otel.js'), 'utf8')).toContain('OTLPExporterError');
});

test.concurrent('a collector that is gone holds nobody up, is told, and gets every turn when it is back', async () => {
  const first = await collector();
  const { port, url } = first;
  await first[Symbol.asyncDispose]();
  await using world = await worldFor(url, { timeoutMs: 500 });
  await start(world, 'early');
  const told = async () => (await world.client.daemonStatus()).otel;
  await eventually(async () => (await told())?.lastError !== null, { what: 'an error' });
  expect(await told()).toMatchObject({ sent: 0, dropped: 0, endpoint: `127.0.0.1:${port}` });
  expect((await world.cli(['daemon', 'status'])).stdout).toMatch(/OpenTelemetry at .* events behind \(.*ECONNREFUSED/);
  const { checks } = await world.client.doctor();
  expect(checks.find(({ name }) => name === 'opentelemetry')).toMatchObject({ ok: false });
  // Killed in between: what was not sent is in the journal.
  await world.restart();
  await using at = await collector(undefined, port);
  await eventually(() => distinct(at, 'session') === 1, { what: 'the session' });
  expect(distinct(at, 'invoke_agent scripted')).toBe(1);
  expect(world.log().match(/the collector cannot be reached/g)?.length).toBeLessThanOrEqual(2);
});

deepTest('a daemon that is killed at any time loses no turn, and sends none under another id', async () => {
  await using at = await collector();
  await using world = await worldFor(at.url);
  for (let i = 0; i < 5; i += 1) {
    await start(world, `s${i}`);
    await world.restart();
  }
  await eventually(() => distinct(at, 'session') === 5, { what: 'all sessions' });
  expect(distinct(at, 'invoke_agent scripted')).toBe(5);
  expect(distinct(at, 'execute_tool Bash')).toBe(5);
  const known = new Set(at.spans.map(({ span }) => span));
  expect(at.spans.filter(({ parent }) => parent !== '' && !known.has(parent))).toEqual([]);
});

deepTest('what a collector refuses for good is dropped and counted; a wrong login is tried again', async () => {
  await using at = await collector((count) => ({ status: count === 1 ? 400 : count === 2 ? 401 : 200 }));
  await using world = await worldFor(at.url);
  await start(world, 'refused');
  const status = async () => (await world.client.daemonStatus()).otel;
  await eventually(async () => ((await status())?.dropped ?? 0) > 0, { what: 'a drop' });
  await start(world, 'accepted');
  await eventually(() => at.spans.some(({ attributes }) => attributes['outlast.session.name'] === 'accepted'));
  expect((await world.cli(['metrics'])).stdout).toMatch(/^outlast_otel_spans_dropped_total [1-9]/m);
  expect((await world.cli(['doctor'])).stdout).toMatch(/opentelemetry.*spans given up/);
});

deepTest('a collector that does not answer holds up neither the daemon nor its stop', async () => {
  await using at = await collector(() => null);
  await using world = await worldFor(at.url, { timeoutMs: 60_000 });
  await start(world);
  await eventually(() => at.requests.length > 0, { what: 'a request' });
  // Each call is answered while the collector holds the request.
  await start(world, 'two');
  expect((await world.client.daemonStatus()).otel).toMatchObject({ sent: 0 });
  const [pid] = senders(world);
  expect(pid).toBeDefined();
  await world.client.stopDaemon();
  await eventually(() => senders(world).length === 0, { what: 'the end of the program that sends', msMax: 20_000 });
});
