import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { ServerStage } from '../fault/server-world.ts';

// Echo in each of the ways in which an agent can be run. What it heard, it says itself.

const WAYS = {
  'a process for each turn': { drive: 'turns' },
  'messages over stdio': { drive: 'live' },
  'messages over a websocket': { agent: 'echo-websocket', drive: 'live' },
  'messages over http': { agent: 'echo-http', drive: 'live' },
  'its own screen': { drive: 'live', tui: true, terminal: 'pty' },
} as const;

test.concurrent.each(Object.entries(WAYS))(
  'echo is asked twice over %s, hears each once and uses its tool',
  async (_, way) => {
    await using stage = await ServerStage.open('stdio', way);
    expect(await stage.session.converse('run echo once >> ledger\nsay one')).toMatchObject({
      met: 'answered',
      reply: 'one',
    });
    expect(await stage.session.converse('two')).toMatchObject({ met: 'answered', reply: 'two' });
    expect(stage.heard()).toEqual(['run echo once >> ledger\nsay one', 'two']);
    expect(stage.uses()).toHaveLength(1);
    const types = (await stage.events()).map(({ event }) => event);
    expect(types.filter((type) => /^tool\./.test(type))).toEqual(['tool.called', 'tool.ended']);
    await eventually(async () => (await stage.view()).usage.turns === 2);
  },
);
