import type { CallOutput } from '../../api/contract.ts';
import { type Context, command } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { oneLine } from '../base/print.ts';
import { spin } from '../views/spinner.ts';
import { tableOf } from '../views/view.ts';

type Agent = CallOutput<'agent.list'>['agents'][number];

/** `outlast agents` */
export const agents = command({
  name: 'agents',
  summary: 'Show which agents are installed, and what works with each.',
  usage: 'agents [NAME]',
  words: { min: 0, max: 1, are: 'With NAME: everything about that agent, including what does not work and why.' },
  options: {},
  examples: [
    ['outlast agents', 'One line per agent.'],
    ['outlast agents codex', 'What works with Codex, what does not, and why.'],
    ['outlast agents --json', 'For a program.'],
  ],
  run: runAgents,
});

async function runAgents(context: Context): Promise<number> {
  const { words, json, print, env, connect } = context;
  const [name] = words;
  const told = await spin(context, 'looking for agents', connect().agents({ path: env.PATH ?? '' }));
  const chosen = name === undefined ? told.agents : told.agents.filter((each) => each.name === name);
  if (chosen.length === 0) {
    const names = told.agents.map((each) => each.name).join(', ');
    throw wrongCall(`agents: there is no agent "${name}"; available: ${names}`);
  }
  const lines = name === undefined ? overview(chosen, print) : chosen.flatMap((agent) => pageOf(agent, print));
  if (json) await print.json({ agents: chosen });
  else await print.line(lines.map(oneLine).join('\n'));
  return EXIT.fine;
}

function overview(agents: readonly Agent[], print: Context['print']): string[] {
  const rows = agents.map((agent) => {
    const works = agent.capabilities.filter((each) => each.works).map(shortOf);
    return [
      agent.name,
      versionOf(agent),
      agent.started ? 'yes' : 'not yet',
      `${agent.started ? '' : 'read only: '}${works.join(' ')}`,
    ];
  });
  const [head = '', ...lines] = tableOf([['AGENT', 'VERSION', 'STARTS', 'WORKS'], ...rows], print.stdout.columns);
  return [print.style('bold', head), ...lines];
}

function shortOf({ name, only }: Agent['capabilities'][number]): string {
  return only ? `${name} (${only})` : name;
}

function pageOf(agent: Agent, print: Context['print']): string[] {
  const { installed, tested, capabilities, install, started } = agent;
  const where = agent.wrong ?? (installed === null ? install : installed.path);
  const rows = capabilities.map(({ name, about, works, only, why }) => [
    works ? print.style('green', started ? 'yes ' : 'read') : print.style('yellow', 'no  '),
    name.padEnd(13),
    works ? `${about}${only ? `, ${only} only` : ''}` : `${about}: no, ${why}`,
  ]);
  return [
    `${print.style('bold', agent.name)}: ${versionOf(agent)}; ${where}`,
    ...(tested.length === 0 ? [] : [`tested: ${tested.join(', ')}; accepted: ${agent.oldest} and newer`]),
    ...(started ? [] : ['Outlast cannot start this agent yet; it can only read its conversations.']),
    ...rows.map((row) => row.join('  ')),
  ];
}

const KNOWN = { tested: '', untested: ', not tested', 'too-old': ', too old', unknown: '' } as const;

function versionOf({ installed, wrong }: Agent): string {
  if (wrong) return 'config error';
  if (installed === null) return 'not installed';
  return `${installed.version ?? 'version unknown'}${KNOWN[installed.known]}`;
}
