import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { Live, liveScript } from './live.ts';
import { PageWorld, pageOf } from './page-world.ts';
import { shell, storyOf } from './spawning.ts';

// Callers that Outlast does not run are notified by the recipes of docs/guides/spawn.md, as they are there.

const RECIPES = [...pageOf('docs/guides/spawn.md').matchAll(/^```json\n([\s\S]*?)^```/gm)].map(
  ([, text = '']) => JSON.parse(text) as { notices: readonly Record<string, unknown>[] },
);
const WEBHOOK = join(import.meta.dirname, '../../examples/webhook.ts');

/** The notice of the recipe with this name. */
function recipe(name: string): Record<string, unknown> {
  const found = RECIPES.flatMap(({ notices }) => notices).find((notice) => notice.name === name);
  if (found === undefined) throw new Error(`spawn.md has no notice called ${name}`);
  return found;
}

/** A fake `openclaw` for the recipe: it accepts these arguments, and records them. */
const OPENCLAW = `
const { parseArgs } = require('node:util');
const options = { text: { type: 'string' }, mode: { type: 'string' }, 'session-key': { type: 'string' } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
if (positionals.join(' ') !== 'system event') throw new Error('unknown command');
if (!['now', 'next-heartbeat'].includes(values.mode)) throw new Error('unknown mode');
if (values['session-key'] !== 'agent:main:main') throw new Error('the wrong conversation');
require('node:fs').appendFileSync(process.env.HEARD, JSON.stringify(values.text) + '\\n');
`;

/** An end, an approval and a hold; nothing else worth a notice. */
async function happen(world: PageWorld): Promise<void> {
  const ask = storyOf([shell('echo asked'), { text: 'thanks' }]);
  const { status, stderr } = await world.sh(`
    outlast exec --background --name builder -- echo 'it is "built" \`now\`'
    outlast start --gate --name asker '${ask}'
    outlast start --budget-turns 1 --name spent 'the first'
    outlast wait spent --for idle --timeout 20s
    outlast prompt spent 'the second'
  `);
  expect(status, stderr).toBe(0);
}

test('OpenClaw is notified of an end, an approval and a hold', async () => {
  await using world = new PageWorld({ notices: [recipe('openclaw')] });
  const received = join(world.state, 'heard');
  appendFileSync(received, '');
  mkdirSync(join(world.home, 'bin'));
  const program = join(world.home, 'openclaw.cjs');
  writeFileSync(program, OPENCLAW);
  const start = `#!/bin/sh\nHEARD='${received}' exec '${process.execPath}' '${program}' "$@"\n`;
  writeFileSync(join(world.home, 'bin/openclaw'), start, { mode: 0o755 });
  world.env.PATH = `${join(world.home, 'bin')}:${world.env.PATH}`;
  await world.start();
  await happen(world);
  const all = (): string => readFileSync(received, 'utf8').split('\n').filter(Boolean).map(parsed).join('\n');
  const about = [/\(builder\) ended: exit 0/, /\(asker\) asks whether it may use/, /\(spent\) needs a person/];
  await eventually(() => about.every((words) => words.test(all())), { what: 'three notices' });
  // The output of a command goes through a shell here, and comes out unchanged.
  expect(all()).toContain('it is "built" `now`');
  expect(all()).toMatch(/outlast output \w+/);
});

test('a webhook receiver gets the same, and accepts only what is signed', async () => {
  const world = new PageWorld();
  const secretFile = join(world.state, 'secret');
  writeFileSync(secretFile, 'open sesame\n');
  await using receiver = new Live([process.execPath, WEBHOOK, secretFile, '0'], world.env);
  await using _ = world;
  await receiver.shows('\n');
  const url = receiver.stdout.trim();
  const notice = { ...recipe('hook'), webhook: { ...(recipe('hook').webhook as object), url, secretFile } };
  writeFileSync(String(world.env.OUTLAST_CONFIG), JSON.stringify({ agent: 'scripted', notices: [notice] }));
  await world.start();
  await happen(world);
  for (const words of ['builder session.ended', 'asker approval.asked', 'spent session.held'])
    await receiver.shows(`\n${words} `);
  const forged = JSON.stringify({ notices: [{ session: 'x', name: 'forged', event: 'session.ended', read: '' }] });
  for (const signature of ['', 'sha256=00', `sha256=${'0'.repeat(64)}`]) {
    const answer = await fetch(url, { method: 'POST', body: forged, headers: { 'x-outlast-signature': signature } });
    expect(answer.status).toBe(403);
  }
  expect(receiver.stdout).not.toContain('forged');
});

test('a wait for any in the background of a script ends with the first, and the others keep running', async () => {
  await using world = new PageWorld();
  await world.start();
  await using script = liveScript(
    world,
    `outlast exec -b --name slow -- sleep 600
     outlast exec -b --name quick -- sh -c 'until [ -e "$0" ]; do sleep 0.02; done; exit 3' '${world.work}/go'
     outlast wait slow quick --any & waiting=$!
     echo 'I go on.'
     status=0; wait $waiting || status=$?
     echo "woken with $status"`,
  );
  await script.shows('I go on.');
  writeFileSync(join(world.work, 'go'), '');
  await script.shows('woken with 8');
  expect(script.stdout).toMatch(/quick: .*exit 3/);
  expect((await world.client.show('slow')).session.phase).toBe('working');
  await world.cli(['stop', 'slow']);
});

function parsed(line: string): string {
  return JSON.parse(line) as string;
}
