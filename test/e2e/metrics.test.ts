import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deepTest } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { makeWorld, type World } from '../world.ts';

// The metrics of a real daemon, read by the parsers that scrapers use: that of the OpenMetrics project, in Python, and
// that of Prometheus.

const ROOT = join(import.meta.dirname, '../..');
const BIN = join(ROOT, 'bin/outlast.cjs');
const SECRET = 'hiddenword';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  const cwd = mkdtempSync(join(world.state, `${SECRET}-`));
  const run = (...words: string[]) => world.cli(words, { cwd });
  await run('run', '--agent', 'scripted', '--name', `${SECRET}-agent`, `say ${SECRET}`);
  await run('exec', '--name', `${SECRET}-command`, '--', 'sh', '-c', `exit 3 # ${SECRET}`);
  await run('exec', '--background', '--name', `${SECRET}-live`, '--', 'sleep', '600');
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** What a parser says about a text; empty: nothing. */
function complaints(argv: readonly [string, ...string[]], text: string): string {
  const { status, stdout, stderr, error } = spawnSync(argv[0], argv.slice(1), { input: text, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return status === 0 ? stdout + stderr : stdout + stderr || `status ${status}`;
}

const STRICT = `
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
try:
    list(parse(sys.stdin.read()))
except ValueError as e:
    sys.exit(str(e) or "invalid")
`;
const strictly = (text: string): string => complaints(['/usr/bin/python3', '-c', STRICT], text);
const byPromtool = (text: string): string => complaints(['promtool', 'check', 'metrics'], text);

const printed = async (...words: string[]): Promise<string> => {
  const ran = await world.cli(['metrics', ...words]);
  expect([ran.stderr, ran.status]).toEqual(['', 0]);
  return ran.stdout;
};

/** The value of a sample, by its name and labels as they are printed. */
const sample = (text: string, name: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
};

test('the text is OpenMetrics, and a broken one is refused by the same parser', async () => {
  const text = await printed();
  expect(strictly(text)).toBe('');
  expect(strictly(text.replace('# EOF\n', ''))).toContain('EOF');
  expect(strictly(text.replace(/_total\{/, '{'))).not.toBe('');
  expect(strictly(text.replace('le="+Inf"', 'le="7.0"'))).not.toBe('');
});

test('older scrapers get a text that promtool accepts', async () => {
  const text = await printed('--format', 'prometheus');
  expect(byPromtool(text)).toBe('');
  expect(byPromtool(text.replace('# TYPE outlast_build_info gauge', '# TYPE outlast_build_info info'))).not.toBe('');
});

test('counts what happened, and survives a daemon that is killed', async () => {
  const before = await printed();
  expect(sample(before, 'outlast_sessions_started_total{agent="scripted",drive="turns"}')).toBe(1);
  expect(sample(before, 'outlast_sessions_started_total{agent="command",drive="command"}')).toBe(2);
  expect(sample(before, 'outlast_runs_ended_total{agent="command",exit="other"}')).toBe(1);
  expect(sample(before, 'outlast_prompts_ended_total{agent="scripted",outcome="answered"}')).toBe(1);
  expect(sample(before, 'outlast_turn_seconds_count{agent="scripted",outcome="answered"}')).toBe(1);
  expect(sample(before, 'outlast_usage_turns_total{agent="scripted"}')).toBe(1);
  expect(sample(before, 'outlast_sessions{agent="command",state="working"}')).toBe(1);
  expect(sample(before, 'outlast_run_processes{agent="command"}')).toBe(1);
  expect(sample(before, 'outlast_attention{reason="approval"}')).toBe(0);
  expect(sample(before, 'outlast_journal_size_bytes')).toBeGreaterThan(0);
  await world.restart();
  const counts = (text: string): string[] =>
    text.split('\n').filter((line) => /_(total|count|sum|created|bucket)[{ ]/.test(line) && !/daemon_/.test(line));
  const after = await printed();
  expect(counts(after)).toEqual(counts(before));
});

test('no label and no help has an id, a name, a path or a text', async () => {
  const { sessions } = await world.client.list();
  const text = await printed();
  for (const word of [SECRET, world.state, ...sessions.map(({ id }) => id)]) expect(text).not.toContain(word);
});

/** What is served, until it is stopped. */
async function served(port = '0') {
  const child = spawn(process.execPath, [BIN, 'metrics', '--listen', port, '--json'], { env: world.env });
  const out: string[] = [];
  child.stdout.on('data', (chunk) => out.push(String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const url = await eventually(() => JSON.parse(out.join('') || 'null')?.url as string | undefined, {
    what: 'the address',
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

interface Answer {
  readonly status: number | undefined;
  readonly type: string;
  readonly text: string;
}

function fetched(url: string, headers: Record<string, string> = {}, more: object = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false, ...more }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const type = String(response.headers['content-type']);
        resolve({ status: response.statusCode, type, text: Buffer.concat(chunks).toString() });
      });
    });
    request.on('error', reject);
  });
}

test('serves scrapers on loopback, each with the text it asks for, and no web page', async () => {
  const server = await served();
  const open = await fetched(server.url, { accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5' });
  expect(open).toMatchObject({ status: 200, type: 'application/openmetrics-text; version=1.0.0; charset=utf-8' });
  expect(strictly(open.text)).toBe('');
  const plain = await fetched(server.url);
  expect(plain).toMatchObject({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' });
  expect(byPromtool(plain.text)).toBe('');
  expect(await fetched(server.url, { host: 'evil.example:80' })).toMatchObject({ status: 403 });
  expect(await fetched(server.url.replace('/metrics', '/'))).toMatchObject({ status: 404 });
  expect(await fetched(server.url, {}, { method: 'POST' })).toMatchObject({ status: 405 });
  const { port } = new URL(server.url);
  const again = await world.cli(['metrics', '--listen', port]);
  expect(again.status).toBe(2);
  expect(again.stderr).toContain(`port ${port} is used by another program`);
  expect(await server.stop()).toBe(0);
});

test('without a daemon a scrape fails and starts none; with the next daemon it goes on', async () => {
  const server = await served();
  await world.kill();
  expect(await fetched(server.url)).toMatchObject({ status: 503 });
  expect(await world.cli(['metrics'])).toMatchObject({ status: 5, stdout: '' });
  await world.start();
  await eventually(async () => (await fetched(server.url)).status === 200, { what: 'an answer' });
  await server.stop();
});

/** The names of metrics in a query. */
const namesIn = (query: string): string[] => query.match(/\boutlast_\w+/g) ?? [];

test('every query of the dashboard and of the alerts names a metric that is printed', async () => {
  const text = await printed('--format', 'prometheus');
  const names = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  );
  const dashboard = readFileSync(join(ROOT, 'docs/grafana/outlast.json'), 'utf8');
  const queries = [...dashboard.matchAll(/"(?:expr|query)": "((?:[^"\\]|\\.)*outlast(?:[^"\\]|\\.)*)"/g)];
  const alerts = [...readFileSync(join(ROOT, 'docs/grafana/alerts.yml'), 'utf8').matchAll(/expr: (.*)/g)];
  const used = [...queries, ...alerts].flatMap(([, query = '']) => namesIn(query));
  expect(queries.length).toBeGreaterThan(25);
  expect(used.filter((name) => !names.has(name))).toEqual([]);
});

test('promtool accepts the alerts', () => {
  expect(spawnSync('promtool', ['check', 'rules', join(ROOT, 'docs/grafana/alerts.yml')]).status).toBe(0);
});

deepTest('a real Prometheus scrapes it, and answers every query of the dashboard', async () => {
  const server = await served();
  const folder = mkdtempSync(join(tmpdir(), 'outlast-prometheus-'));
  const { host } = new URL(server.url);
  const config = `global: { scrape_interval: 1s }
scrape_configs: [{ job_name: outlast, static_configs: [{ targets: ['${host}'] }] }]`;
  writeFileSync(join(folder, 'prometheus.yml'), config);
  const port = 20_000 + (process.pid % 20_000);
  const args = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}`];
  const prometheus = spawn('prometheus', [...args, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' });
  const ask = async (query: string) => {
    const { text } = await fetched(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`);
    return JSON.parse(text) as { status: string; data: { result: { value: [number, string] }[] } };
  };
  try {
    const value = async () => (await ask('outlast_sessions_started_total{agent="scripted"}')).data.result[0]?.value[1];
    await eventually(async () => (await value()) === '1', { what: 'a scraped value' });
    const dashboard = JSON.parse(readFileSync(join(ROOT, 'docs/grafana/outlast.json'), 'utf8'));
    const queries = dashboard.panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) =>
      targets.map(({ expr }) => expr.replaceAll('$instance', '.*').replaceAll(/\$__\w+/g, '1m')),
    );
    for (const query of queries) expect((await ask(query)).status, query).toBe('success');
  } finally {
    const ended = new Promise((resolve) => prometheus.once('exit', resolve));
    prometheus.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
    await server.stop();
  }
});
