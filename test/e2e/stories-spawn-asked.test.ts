import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { SpawnWorld, shell, storyOf } from './spawning.ts';

// The options of a spawn: a model, a level of thinking, a deadline, cleanup.

const intoFile = '>>said 2>&1; echo "status $?" >>said';

test('an unknown model or level of thinking is refused with the choices', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const steps = [
    shell(`outlast spawn --agent scripted --model gpt-4 hello ${intoFile}`),
    shell(`outlast spawn --agent scripted --thinking hard hello ${intoFile}`),
    shell(`outlast spawn --agent scripted --model opus --thinking high --name kid hello ${intoFile}`),
  ];
  const owner = await world.startAgent(steps);
  await world.settled(owner, 1);
  const text = world.file('said');
  expect(text).toContain('there is no model "gpt-4"; use one of: opus, sonnet, haiku,');
  expect(text).toContain('there is no thinking level "hard"; use one of: off, minimal, low, medium, high, xhigh, max');
  const help = (await world.person(['spawn', '--help'])).stdout;
  expect(help).toContain('How much it thinks, such as low or high; an unknown level is refused.');
  expect(text.match(/status \d/g)).toEqual(['status 2', 'status 2', 'status 0']);
  const { sessions } = await world.client.list({ below: owner });
  expect(sessions).toMatchObject([{ name: 'kid', model: 'claude-opus-4-6', thinking: 'high' }]);
});

test('a spawned session has a note about its owner below its prompt; a started one does not', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const steps = [
    shell('outlast spawn --agent scripted --name kid "count to three"'),
    shell('outlast start --agent scripted --end --wake --name plain "count to four"'),
    shell('outlast spawn --agent scripted --name late --after kid "Now {{kid.reply}}"'),
  ];
  const owner = await world.startAgent(steps, '--name', 'boss', '--spawn-depth', '3');
  await eventually(async () => (await world.find('late')).phase === 'ended', { what: 'the end of late' });
  const note = [
    `[outlast] You run as a session that ${owner} (boss) started (depth 1/3).`,
    'Your reply is sent to it when your turn ends: do not poll, and do not wait for it.',
    'To send it a message before that, run: outlast tell "…"',
  ].join('\n');
  expect(await world.prompts('kid')).toEqual([`count to three\n\n${note}`]);
  expect(await world.prompts('plain')).toEqual(['count to four']);
  const late = (await world.person(['turn', 'late'])).stdout;
  expect(late).toContain('Now You said: count to three');
  // A search finds its prompt, and not the note that every spawned session gets.
  const { transcript } = await world.find(owner);
  const update = JSON.stringify('scripted "count to three" ended: done').slice(1, -1);
  await eventually(() => readFileSync(transcript ?? '', 'utf8').includes(update), { what: 'the update about kid' });
  expect((await world.person(['report', 'kid'])).stdout).toContain('prompt first: "count to three"');
  expect((await world.person(['turn', 'kid'])).stdout).toContain(`count to three\n\n${note}`);
});

test('a command of the agent is spawned without a note', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const owner = await world.startAgent([shell('outlast spawn --agent scripted --command --name kid /compact')]);
  await world.settled(owner, 1);
  expect(await world.prompts('kid')).toEqual(['/compact']);
});

test('a run timeout ends a session, its owner gets an update, and it is kept unless it is to be deleted', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const lasting = storyOf([shell('sleep 1000')]).replaceAll('"', '\\"');
  const spawn = (words: string) => shell(`outlast spawn --agent scripted --deadline 1s ${words} "${lasting}"`);
  const owner = await world.startAgent([spawn('--name kept'), spawn('--name deleted --cleanup delete')]);
  const updates = await eventually(
    async () => {
      const [, ...texts] = await world.prompts(owner);
      return /kept/.test(texts.join()) && /deleted/.test(texts.join()) && texts.join('\n');
    },
    { what: 'the updates about both', msMax: 30_000 },
  );
  const abandoned = /\((?:kept|deleted)\).* ended: abandoned: not finished after [\d.]+s, excluding sleep/g;
  expect(updates.match(abandoned)).toHaveLength(2);
  expect(updates).toMatch(/\(kept\).* ended.*\n {2}Read the rest: outlast report/);
  expect(updates).toMatch(
    /\(deleted\).* ended.*\n {2}It is removed \(unless its worktree has work\): this is all there is/,
  );
  expect(await world.find('kept')).toMatchObject({ phase: 'ended', outcome: { kind: 'abandoned' } });
  await expect(world.find('deleted')).rejects.toMatchObject({ code: 'session_not_found' });
});

test('messages go both ways: an owner steers a busy session, which receives it in its turn and answers', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const busy = storyOf([shell('until [ -e go ]; do sleep 0.05; done'), { text: 'the first is done' }]);
  const back = storyOf([shell('outlast tell "half of the second"'), { text: 'the second is done' }]);
  const encoded = [busy, back].map((story) => Buffer.from(story).toString('base64'));
  const steps = [
    shell(`echo ${encoded[0]} | base64 -d | outlast spawn --agent scripted --name kid --keep-open -`),
    shell('outlast wait kid --for event:prompt.accepted --after 0'),
    shell(`echo ${encoded[1]} | base64 -d | outlast prompt kid - --no-wait`),
    shell('outlast show kid --json >seen; touch go'),
  ];
  const owner = await world.startAgent(steps, '--name', 'boss');
  const updates = await eventually(
    async () => {
      const all = (await world.prompts(owner)).slice(1).join('\n');
      return all.includes('| the second is done') && all;
    },
    { what: 'all updates', msMax: 30_000 },
  );
  expect(JSON.parse(world.file('seen')).session).toMatchObject({
    prompts: [{ state: 'accepted' }, { state: 'queued' }],
  });
  const order = ['| the first is done', '| half of the second', '| the second is done'].map((text) =>
    updates.indexOf(text),
  );
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order).not.toContain(-1);
  expect(updates).toMatch(/\(kid\) \[\d+\] says:/);
});
