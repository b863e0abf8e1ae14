// Writes docs/agents.md from the adapters, their golden cases and the stories that agents play, so that it cannot differ.
//   node scripts/bootstrap.mjs scripts/agent-docs.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CAPABILITIES, CAPABILITY_NAMES, type Capability } from '../src/agent/seam/capabilities.ts';
import { READ_AGENTS, type Support } from '../src/agent/support.ts';
import type { GoldenSet } from '../src/testing/agent-suite.ts';
import { GOLDEN_SETS } from '../src/testing/agents/all.ts';
import { FAMILIES, OTHER_PROOFS, VERSION_LIMITS } from '../test/agents/families.ts';
import { provenBy } from '../test/agents/plan.ts';
import { playedParts } from '../test/agents/played.ts';
import type { AgentUnderTest } from '../test/agents/under-test/agent.ts';
import { AGENTS_UNDER_TEST } from '../test/agents/under-test/all.ts';
import { allSupport } from '../test/agents/under-test/needs.ts';

/** The test files, as far as they say which agent plays what. */
const PLAYED = await playedParts();

/** What proves that an agent has a capability: files of this repository. `version`: null for what is part of Outlast. */
export function proofsOf(agent: string, version: string | null, capability: Capability): readonly string[] {
  const name = familyOf(agent);
  const playing = [...PLAYED].flatMap(([key, parts]) => {
    const under: AgentUnderTest = AGENTS_UNDER_TEST[key];
    return under.name === name && under.version === version ? parts.map((part) => ({ under, part })) : [];
  });
  const played = playing.flatMap(({ under, part }) => {
    if (part === 'cases') return casesOf(under.cases, capability);
    return provenBy(under, part).includes(capability) ? [FAMILIES[part].file] : [];
  });
  const read = READ_AGENTS.some((each) => each.name === name) ? GOLDEN_SETS.filter((set) => set.agent === name) : [];
  const others = OTHER_PROOFS.filter(({ agents, proves }) => agents.includes(name) && proves.includes(capability));
  const cases = read.flatMap((set) => casesOf(set, capability));
  return [...new Set([...cases, ...played, ...others.map(({ file }) => file)])].sort(casesFirst);
}

function casesOf({ agent, kinds }: GoldenSet, capability: Capability): string[] {
  return Object.entries(kinds).flatMap(([kind, { proves }]) =>
    proves.includes(capability) ? [`src/agent/${agent}/cases/${kind}`] : [],
  );
}

function casesFirst(a: string, b: string): number {
  return Number(b.includes('/cases/')) - Number(a.includes('/cases/'));
}

/** The same program over another wire is covered by the same tests. */
function familyOf(agent: string): string {
  return agent.startsWith('echo') ? 'echo' : agent;
}

/** docs/agents.md as it should be. */
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
    ...all.map((support) => newestCell(support, each)),
  ]);
  return tableOf(head, rows);
}

/** As it is with the newest version. */
function newestCell(support: Support, capability: Capability): string {
  return cellOf(support, support.versions.at(-1) ?? null, capability);
}

function pageOf(support: Support): string {
  const { name, isStarted, versions, program } = support;
  const tested =
    versions.length === 0 ? 'It is part of Outlast.' : `Tested: ${versions.join(', ')}. ${program.install}`;
  const read = isStarted ? '' : ' Outlast does not start it yet.';
  const columns = versions.length === 0 ? [null] : versions;
  const rows = CAPABILITY_NAMES.map((each) => [
    `\`${each}\``,
    ...columns.map((version) => cellOf(support, version, each)),
    support.has.includes(each) ? allProofs(support, each).map(linkTo).join(', ') : (support.lacks[each] ?? ''),
  ]);
  const head = ['', ...columns.map((version) => version ?? 'this version'), 'proven by, or why not'];
  return `## ${name}\n\n${tested}${read}\n\n${tableOf(head, rows)}`;
}

function cellOf({ name, has, only, isStarted }: Support, version: string | null, capability: Capability): string {
  if (!has.includes(capability)) return 'no';
  if (proofsOf(name, version, capability).length === 0) return 'not proven';
  const limit = version === null ? undefined : VERSION_LIMITS[version]?.[capability];
  return limit ?? only[capability] ?? (isStarted ? 'yes' : 'read');
}

/** What proves it of any tested version. */
function allProofs({ name, versions }: Support, capability: Capability): readonly string[] {
  const tested = versions.length === 0 ? [null] : versions;
  return [...new Set(tested.flatMap((version) => proofsOf(name, version, capability)))];
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
