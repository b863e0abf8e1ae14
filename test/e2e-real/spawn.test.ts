import { expect, test } from 'vitest';
import { openStage, type Stage } from '../agents/stage.ts';
import { claudeOf } from '../agents/under-test/claude.ts';
import { pathWithOutlast } from '../e2e/live.ts';
import { eventually } from '../eventually.ts';
import { NEWEST_LIVE } from './newest.ts';

// A real Claude Code starts another one, and gets an update with its reply when it ends.

const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });
const script = (...steps: object[]): string => `Do it. SCRIPT${JSON.stringify({ steps })}SCRIPT`;

async function turnsOf({ world }: Stage, session: string): Promise<string[]> {
  const replies: string[] = [];
  for await (const { event, body } of world.client.events({ session }))
    if (event === 'prompt.answered') replies.push(String(body.reply));
  return replies;
}

test.each(NEWEST_LIVE)(
  'Claude Code %s (%s) spawns another, and gets one update about its end, with its reply',
  { timeout: 120_000 },
  async (version, drive) => {
    await using stage = await openStage(claudeOf(version));
    const path = `'${pathWithOutlast(stage.world)}':"$PATH"`;
    const spawn = bash(`PATH=${path} outlast spawn --name kid --thinking low 'hello from the owner'`);
    const owner = await stage.start({ drive, name: 'owner', prompt: script(spawn, { text: 'It is on its way.' }) });
    const replies = await eventually(
      async () => {
        const all = await turnsOf(stage, owner.id);
        return all.length >= 2 && all;
      },
      { what: 'two turns of the owner', msMax: 90_000 },
    );
    const kid = (await stage.world.client.show('kid')).session;
    expect(kid).toMatchObject({ agent: 'claude', phase: 'ended', owner: { session: owner.id, depth: 1 } });
    expect(replies).toEqual([
      'It is on its way.',
      expect.stringContaining('You said: [outlast] Updates from a session'),
    ]);
    const asked = stage.model
      ?.requests()
      .find(({ conversation, tools }) => tools.length > 0 && conversation === kid.conversation);
    expect(asked?.prompt).toMatch(
      /^hello from the owner\n\n\[outlast\] You run as a session that \w+ \(owner\) started/,
    );
    expect(asked?.thinking).toMatch(/^adaptive low$/);
    const turn = (await stage.cli(['turn', 'owner'])).stdout;
    expect(turn).toContain(kid.id);
    expect(turn).toContain('You said: hello from the owner');
    const types = await stage.world.events(owner.id);
    expect(types.filter((type) => type === 'update.delivered')).toHaveLength(1);
    expect(types).not.toContain('prompt.unsure');
    await stage.cli(['stop', 'owner']);
  },
);
