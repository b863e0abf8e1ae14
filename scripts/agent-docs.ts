// Writes docs/agents.md from the adapters, their golden cases and the stories that agents play, so that it cannot differ.
//   node scripts/bootstrap.mjs scripts/agent-docs.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allAgents } from '../src/agent/all.ts';
import { knownAgents } from '../src/agent/known.ts';
import { CAPABILITIES, CAPABILITY_NAMES, type Capability } from '../src/agent/seam/capabilities.ts';
import { type Support, supportOf } from '../src/agent/support.ts';
import { GOLDEN_SETS } from '../src/testing/agents/all.ts';
import { FAMILIES, OTHER_PROOFS, PLAYED, VERSION_LIMITS } from '../test/agents/families.ts';

/** The files of this repository that prove that an agent has a capability. */
export function proofsOf(agent: string, capability: Capability): readonly string[] {
  const name = familyOf(agent);
  const golden = GOLDEN_SETS.filter((set) => set.agent === name || (name === 'scripted' && set.agent === 'claude'));
  const cases = golden.flatMap((set) =>
    Object.entries(set.kinds).flatMap(([kind, { proves }]) =>
      proves.includes(capability) ? [`src/agent/${set.agent}/cases/${kind}`] : [],
    ),
  );
  const stories = (PLAYED[name] ?? []).flatMap((each) => {
    const needs: readonly Capability[] = FAMILIES[each].needs;
    return needs.includes(capability) ? [FAMILIES[each].file] : [];
  });
  const others = OTHER_PROOFS.filter(({ agents, proves }) => agents.includes(name) && proves.includes(capability));
  return [...cases, ...stories, ...others.map(({ file }) => file)];
}

/** The same program over another wire is covered by the same tests. */
function familyOf(agent: string): string {
  return agent.startsWith('echo') ? 'echo' : agent;
}

/** The support facts of every agent. */
export function allSupport(): readonly Support[] {
  return supportOf(knownAgents(allAgents('node', (own) => `${own}.js`)));
}

/** The generated text of docs/agents.md. */
export function agentDocs(): string {
  const all = allSupport();
  return [HEAD, overview(all), ABOUT, ...all.map(pageOf)].join('\n');
}

const HEAD = `# Agents

Written by \`scripts/agent-docs.ts\` from the adapters, their golden cases and the stories that agents play in the tests.
Do not edit it here. \`outlast agents\` shows the same for your machine: what is installed, and whether its version was
tested. How to use agents is in [guides/agents.md](guides/agents.md).
`;

const ABOUT = `*yes*: it works, and tests prove it. *read*: Outlast understands what the agent says and writes, and does not
start it yet. *no*: see the reason below. *in messages*: only when the agent stays between turns and is spoken to in
messages; its turns and its own screen are not gated, and are refused with \`--gate\`.
`;

function overview(all: readonly Support[]): string {
  const head = ['', ...all.map(({ name }) => name)];
  const rows = CAPABILITY_NAMES.map((each) => [
    `\`${each}\`: ${CAPABILITIES[each]}`,
    ...all.map(({ has, only, isStarted }) =>
      has.includes(each) ? (only[each] ?? (isStarted ? 'yes' : 'read')) : 'no',
    ),
  ]);
  return tableOf(head, rows);
}

function pageOf(support: Support): string {
  const { name, isStarted, versions, program } = support;
  const tested =
    versions.length === 0 ? 'It is part of Outlast.' : `Tested: ${versions.join(', ')}. ${program.install}`;
  const read = isStarted ? '' : ' Outlast does not start it yet.';
  const columns = versions.length === 0 ? ['this version'] : versions;
  const rows = CAPABILITY_NAMES.map((each) => [
    `\`${each}\``,
    ...columns.map((version) => cellOf(support, version, each)),
    support.has.includes(each) ? proofsOf(name, each).map(linkTo).join(', ') : (support.lacks[each] ?? ''),
  ]);
  return `## ${name}\n\n${tested}${read}\n\n${tableOf(['', ...columns, 'proven by, or why not'], rows)}`;
}

function cellOf({ has, only, isStarted }: Support, version: string, capability: Capability): string {
  if (!has.includes(capability)) return 'no';
  const limit = VERSION_LIMITS[version]?.[capability];
  return limit ?? only[capability] ?? (isStarted ? 'yes' : 'read');
}

function linkTo(path: string): string {
  const name = path.replace(/^.*?([^/]+)$/, '$1').replace(/\.ts$/, '');
  const words = path.includes('/cases/')
    ? `cases: ${name}`
    : name.replace(/^stories-/, 'stories: ').replace(/\.test$/, '');
  return `[${words}](../${path})`;
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('');
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, '..', 'docs', 'agents.md'), agentDocs());
