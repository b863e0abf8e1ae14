import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { BatchMemory } from '../../src/cli/batch/batch-state.ts';
import { fillReplies } from '../../src/cli/batch/fill.ts';
import type { Batch } from '../../src/cli/batch/plan.ts';
import { readBatch } from '../../src/cli/batch/read.ts';

const folder = mkdtempSync(join(tmpdir(), 'outlast-batch-'));
const file = join(folder, 'weekly.yaml');

beforeEach(() => rmSync(file, { force: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (text: string, path = file): Promise<Batch> => {
  writeFileSync(path, text);
  return readBatch(path, { HOME: '/nowhere' });
};

/** The mistakes that are reported for a file, without its path. */
async function mistakes(text: string): Promise<string[]> {
  const error = await read(text).catch((each: Error) => each);
  if (!(error instanceof Error)) throw new Error('nothing was wrong with it');
  return error.message.replaceAll(`${file}:`, '').split('\n  ');
}

const fingerprints = ({ parts }: Batch): Record<string, string> =>
  Object.fromEntries(parts.map(({ name, fingerprint }) => [name, fingerprint]));

test('templates, files and lists make prompts, and quoting a reply implies waiting for it', async () => {
  writeFileSync(join(folder, 'review.md'), 'Review {{each}} in {{lang}}:\n{{check-{{each}}.reply}}\n');
  const { name, concurrency, parts } = await read(`
with: { lang: TypeScript, depth: 3 }
templates: { check: "Check {{each}}, {{depth}} levels deep, \\\\{{left}} alone." }
defaults: { agent: scripted, model: opus }
sessions:
  sum: { prompt: "Sum up: {{review.reply}}", model: haiku }
  check: { template: check, each: [api, { name: Web UI, each: web }] }
  review: { prompt-file: review.md, each: [api, web], with: { lang: C }, workspace: ".." }
`);
  expect([name, concurrency]).toEqual(['weekly', 8]);
  expect(parts.map((part) => [part.name, part.after, part.prompt])).toEqual([
    ['check-api', [], 'Check api, 3 levels deep, {{left}} alone.'],
    ['review-api', ['check-api'], 'Review api in C:\n{{check-api.reply}}\n'],
    ['check-web', [], 'Check web, 3 levels deep, {{left}} alone.'],
    ['review-web', ['check-web'], 'Review web in C:\n{{check-web.reply}}\n'],
    ['sum', ['review-api', 'review-web'], 'Sum up: {{review.reply}}'],
  ]);
  expect(parts.map(({ input }) => [input.model, input.cwd])).toEqual([
    ['opus', folder],
    ['opus', tmpdir()],
    ['opus', folder],
    ['opus', tmpdir()],
    ['haiku', folder],
  ]);
});

test('a worktree is one of its own for each, on a branch of that name if there is one', async () => {
  const { parts } = await read(`
defaults: { worktree: true }
sessions:
  plan: { prompt: x }
  fix: { prompt: x, each: [api, web], worktree: "fix/{{each}}" }
`);
  expect(parts.map(({ name, input }) => [name, input.worktree])).toEqual([
    ['plan', ''],
    ['fix-api', 'fix/api'],
    ['fix-web', 'fix/web'],
  ]);
});

test('JSON is read too, also with tabs', async () => {
  const { parts } = await read('{\n\t"sessions": {\n\t\t"a": {\n\t\t\t"prompt": "x"\n\t\t}\n\t}\n}\n');
  expect(parts).toMatchObject([{ name: 'a', prompt: 'x', sessionName: 'weekly-a' }]);
});

test('all mistakes are reported at once, each with its line', async () => {
  expect(
    await mistakes(`concurency: 2
defaults:
  deadline: 5 hours
sessions:
  a:
    promt: x
  b:
    prompt: {{x}}
  c:
    prompt: "{{nope}} {{d.reply}}"
    live: maybe
  d:
    prompt-file: missing.md
    after: [c, bb]
  E_: { prompt: x, template: x }
  f: { prompt: " " }
  g: { template: none, each: [] }
`),
  ).toEqual([
    '14 mistakes',
    '1:1: there is no key "concurency" here; did you mean "concurrency"?',
    '3:3: --deadline: "5 hours" is not a valid duration; write it like 250ms, 10s, 5m, 1h30m or 7d',
    '5:3: a session needs exactly one of prompt, prompt-file and template; a has none',
    '6:5: there is no key "promt" here; did you mean "prompt"?',
    '8:5: "prompt" must be text; put it in quotes',
    '9:3: circular dependency: c after d after c',
    '10:5: unknown variable {{nope}}; no variables are defined. For literal text write \\{{nope}}',
    '11:5: "live" must be true or false',
    '13:5: cannot read missing.md: no such file or folder (ENOENT)',
    '14:5: d waits for "bb", but there is no such session; did you mean "b"?',
    '15:3: a session needs exactly one of prompt, prompt-file and template; E_ has prompt and template',
    '15:3: "weekly-E_" is not a valid session name: a-z, 0-9 and -, at most 63 characters',
    '16:8: the prompt of f is blank',
    '17:24: "each" must be a list of words, or of maps with a name',
  ]);
});

test.each([
  ['a: [1\nb: 2\n', '2:1: Flow sequence in block collection must be sufficiently indented and end with a ]'],
  ['a: 1\na: 2\n', '2:1: Map keys must be unique'],
  ['a: *b\n', '1:1: Unresolved alias (the anchor must be set before the alias): b'],
  ['a: !!js/function x\n', '1:4: Unresolved tag: tag:yaml.org,2002:js/function'],
  ['- a\n', '1:1: a batch must be a map with "sessions"'],
  ['', '1:1: a batch must be a map with "sessions"'],
  ['name: x\n', '1:1: a batch needs "sessions", with at least one'],
  ['sessions:\n  a: { prompt: x }\n---\nb: 1\n', '3:1: this is a second document; a batch file has only one'],
  ['sessions:\n  a-b: { prompt: x }\n  a: { prompt: x, each: [b] }\n', '3:3: there are two sessions named a-b'],
  ['sessions:\n  a: { prompt: "" }\n', '2:8: the prompt of a is blank'],
  ['sessions:\n  a: { prompt-file: "" }\n', '2:8: cannot read : it is a folder (EISDIR)'],
  ['concurrency: 0\nsessions:\n  a: { prompt: x }\n', '1:1: "concurrency" must be a number from 1 to 100'],
  ['sessions:\n  a: { prompt: x, gate: true, watch: 5s }\n', '2:3: choose one of --gate, --watch and --no-gate'],
  ['sessions:\n  a: { prompt: x, each: [b], eech: y }\n', '2:30: there is no key "eech" here; did you mean "each"?'],
])('the mistake in %j is reported', async (text, mistake) => {
  expect(await mistakes(text)).toEqual([mistake]);
});

test('a file that cannot be read is reported as such', async () => {
  await expect(readBatch(join(folder, 'none.yaml'), {})).rejects.toThrow(
    /cannot read .*none\.yaml: no such file or folder/,
  );
  await expect(readBatch(folder, {})).rejects.toThrow(/cannot read .*: it is a folder/);
});

test('a change gives a part and its dependents a new fingerprint; the caller does not matter', async () => {
  const text = (first: string): string => `sessions:
  a: { prompt: ${first} }
  b: { prompt: two, after: a }
  c: { prompt: three }
`;
  const before = fingerprints(await read(text('one')));
  const after = fingerprints(await read(text('ONE')));
  expect(Object.keys(before).filter((name) => before[name] !== after[name])).toEqual(['a', 'b']);
  const elsewhere = await readBatch(file, { MONITOR_DEADLINE: '7', HOME: '/else' });
  expect(fingerprints(elsewhere)).toEqual(after);
});

test('a reply that looks like a variable is not expanded', () => {
  const replies: Record<string, string> = { a: '{{b.reply}}', b: 'secret' };
  expect(fillReplies('{{a.reply}} \\{{a.reply}}', (name) => replies[name] ?? '')).toBe('{{b.reply}} {{a.reply}}');
});

test('what was recorded is recognized, and a line that was cut off loses nothing else', () => {
  const path = join(folder, 'memory', 'm.jsonl');
  const usage = { turns: 1, tokens: 10, usd: 0.5 };
  const first = new BatchMemory(path);
  first.put({ part: 'a', fingerprint: 'f', try: 1, is: 'failed', usage });
  writeFileSync(path, '{"part":"a","finger', { flag: 'a' });
  new BatchMemory(path).put({ part: 'a', fingerprint: 'f', try: 2, is: 'started', session: 's' });
  const again = new BatchMemory(path);
  expect(again.last('a', 'f')).toMatchObject({ try: 2, is: 'started', session: 's' });
  expect([again.last('a', 'other'), again.wasted('a', 'f')]).toEqual([null, [usage]]);
  again.again();
  const third = new BatchMemory(path);
  expect([third.round, third.last('a', 'f')]).toEqual([2, null]);
});
