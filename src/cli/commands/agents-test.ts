import { makePlace, type Place } from '../agent-test/place.ts';
import { playAll } from '../agent-test/stories.ts';
import { newWord, type Result, type Stage, type Story } from '../agent-test/story.ts';
import { type Context, command } from '../base/command.ts';
import { durationOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { oneLine } from '../base/print.ts';

const OPTIONS = {
  timeout: { type: 'string', value: 'TIME', sentence: 'How long one reply may take.', otherwise: '5m' },
} as const;

interface Row extends Result {
  readonly drive: Stage['drive'];
  readonly story: string;
  readonly about: string;
}

const TIMEOUT_MS = 300_000;

/** `outlast agents test` */
export const agentsTest = command({
  name: 'agents test',
  summary: 'Test what works with an agent on this machine.',
  usage: 'agents test NAME',
  words: {
    min: 1,
    max: 1,
    are: [
      'NAME is a built-in agent or one from the config. It gets about ten short prompts, which use its account, in an',
      'empty folder and with a separate daemon; your sessions are not touched. Its process is killed during a turn.',
      'Exit status: 0 if nothing failed, 1 if something did.',
    ].join('\n'),
  },
  options: OPTIONS,
  examples: [
    ['outlast agents test llm', 'Prints what works, what failed, and what the agent cannot do.'],
    ['outlast agents test llm --json', 'For a program.'],
  ],
  run: runAgentsTest,
});

async function runAgentsTest(context: Context<typeof OPTIONS>): Promise<number> {
  const { words, values, json, print } = context;
  const [name = ''] = words;
  const place = makePlace(context);
  const rows: Row[] = [];
  try {
    const agent = await agentNamed(place, name, context);
    const timeoutMs = durationOf('--timeout', values.timeout) ?? TIMEOUT_MS;
    for (const drive of drivesOf(agent)) {
      const stage: Stage = { place, agent, drive, timeoutMs, session: null, word: newWord() };
      for await (const { story, is, why } of playAll(stage)) {
        const row = rowOf(story, drive, { is, why });
        rows.push(row);
        if (!json) await print.line(lineOf(row, print));
      }
    }
    for (const { name: what, about, why } of agent.capabilities.filter(({ works }) => !works)) {
      if (!json) await print.line(`${print.style('dim', 'absent')}  ${what}: ${about}: ${oneLine(why ?? '')}`);
    }
  } finally {
    await place.close();
  }
  const isFine = rows.every(({ is }) => is !== 'failed');
  if (json) await print.json({ agent: name, ok: isFine, rows });
  return isFine ? EXIT.fine : EXIT.failed;
}

type Agent = Stage['agent'];

async function agentNamed(place: Place, name: string, { env }: Context<typeof OPTIONS>): Promise<Agent> {
  const { agents } = await place.outlast.agents({ path: env.PATH ?? '' });
  const agent = agents.find((each) => each.name === name);
  if (agent === undefined) {
    const names = agents.map((each) => each.name).join(', ');
    throw wrongCall(`agents test: there is no agent "${name}"; available: ${names}`);
  }
  if (agent.wrong) throw wrongCall(`agents test: ${place.named(agent.wrong)}`);
  if (agent.installed === null) throw wrongCall(`agents test: ${name} is not on your PATH. ${agent.install}`);
  return agent;
}

/** The ways in which the agent can be driven: a process for each turn, and one that stays. */
function drivesOf({ capabilities }: Agent): Stage['drive'][] {
  const has = (name: string): boolean => capabilities.some((each) => each.name === name && each.works);
  return [...(has('turns') ? ['turns' as const] : []), ...(has('live') || has('server') ? ['live' as const] : [])];
}

function rowOf({ name, about }: Story, drive: Row['drive'], result: Result): Row {
  return { drive, story: name, about, ...result };
}

const STYLES = { proven: 'green', failed: 'red', absent: 'dim' } as const;

function lineOf({ is, drive, story, about, why }: Row, print: Context['print']): string {
  return `${print.style(STYLES[is], is.padEnd(6))}  ${drive.padEnd(5)}  ${story}: ${about}: ${oneLine(why)}`;
}
