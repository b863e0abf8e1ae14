import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HandlerInput } from '../../api/contract.ts';
import { errnoOf, OutlastError } from '../../base/errors.ts';
import { causeText } from '../../base/system-errors.ts';
import { WATCH_SECONDS } from '../../compat/variables.ts';
import { parseRules } from '../../core/rules/grammar.ts';
import { fieldOf } from '../../core/rules/input.ts';
import { EFFECTS, type RuleTexts } from '../../core/rules/rules.ts';
import type { Gate, Policy } from '../../core/session.ts';
import type { Config } from '../config/schema.ts';
import { WORKSPACE_RULES } from './trust.ts';

type Wanted = Pick<HandlerInput<'session.start'>, 'gate' | 'policy'>;

interface Place {
  readonly workspace: string;
  readonly trusted: boolean;
}

/** How long a call is shown in `watch` by default. */
const WATCH_MS = 30_000;

/** The gate of a session: from its caller, else from the config; with the rules of the folder. */
export function gateOf(
  { gate }: Wanted,
  config: Pick<Config, 'gate'>,
  place: Place,
): { readonly spec: { readonly gate?: Gate }; readonly warnings: readonly string[] } {
  const mode = gateModeOf({ gate }, config);
  const { allow, ask, deny } = gate;
  check({ allow, ask, deny }, '');
  if (mode === 'off' && allow.length + ask.length + deny.length > 0) {
    throw new OutlastError('input_invalid', 'rules need a gate: add --gate or --watch');
  }
  if (mode === 'off') return { spec: {}, warnings: [] };
  const own = workspaceRules(place.workspace);
  const taken = place.trusted ? own.allow : [];
  const rules = { allow: [...allow, ...taken], ask: [...ask, ...own.ask], deny: [...deny, ...own.deny] };
  const left = own.allow.length - taken.length;
  const what = `${left} allow ${left === 1 ? 'rule' : 'rules'} of ${WORKSPACE_RULES}`;
  const warnings = left === 0 ? [] : [`${what} ignored: the folder is not trusted (--trust)`];
  return { spec: { gate: { mode, rules } }, warnings };
}

/** In `watch` a call is shown for a shorter time than a question waits behind a gate. */
export function askPolicy(
  { gate, policy }: Wanted,
  config: Pick<Config, 'gate'>,
  env: Readonly<Record<string, string>>,
): { readonly policy: Partial<Policy>; readonly warnings: readonly string[] } {
  if (gateModeOf({ gate }, config) !== 'watch') return { policy: {}, warnings: [] };
  if (policy?.approvalMsMax === 0) {
    throw new OutlastError('input_invalid', '--watch allows calls after a time: give a time, or use --gate');
  }
  if (policy?.approvalMsMax !== undefined) return { policy: {}, warnings: [] };
  const word = env[WATCH_SECONDS] ?? '';
  const isRead = /^[1-9]\d{0,6}$/.test(word);
  const warnings = word === '' || isRead ? [] : [`${WATCH_SECONDS} ignored: not a whole number of seconds`];
  return { policy: { approvalMsMax: isRead ? Number(word) * 1_000 : WATCH_MS }, warnings };
}

/** The warning for a session without a gate. */
export function ungatedText(name: string): string {
  return `${name} runs without asking for permission: it can do anything you can`;
}

/** The warning for a watched session. */
export function watchedText(name: string, { approvalMsMax }: Pick<Policy, 'approvalMsMax'>): string {
  const seconds = Math.round((approvalMsMax ?? WATCH_MS) / 1_000);
  const shown = `${name} shows each tool call for ${seconds} s`;
  return `${shown}, and allows it unless somebody denies it: it can do anything you can`;
}

/** The note for a gated session: someone has to answer its questions. */
export function gatedText(name: string): string {
  return `${name} asks before every tool call: see \`outlast approvals\``;
}

/** The gate mode of the caller, else of the config. */
export function gateModeOf({ gate }: Pick<Wanted, 'gate'>, config: Pick<Config, 'gate'>): 'off' | Gate['mode'] {
  return gate.mode ?? config.gate;
}

/** The rules of a folder. A file that cannot be read may contain a deny rule, so nothing starts. */
function workspaceRules(workspace: string): Required<RuleTexts> {
  const file = join(workspace, WORKSPACE_RULES);
  const lists = read(file);
  if (typeof lists !== 'object' || lists === null || Array.isArray(lists)) {
    throw new OutlastError('input_invalid', `${file} is not a JSON object with allow, ask and deny`);
  }
  const [allow = [], ask = [], deny = []] = EFFECTS.map((effect) => listOf(file, effect, fieldOf(lists, effect)));
  check({ allow, ask, deny }, `${file}: `);
  return { allow, ask, deny };
}

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(cause))) return {};
    throw new OutlastError('input_invalid', `cannot read the rules in ${file}: ${causeText(cause)}`, { cause });
  }
}

function listOf(file: string, effect: string, list: unknown = []): string[] {
  if (Array.isArray(list) && list.every((each) => typeof each === 'string')) return list;
  throw new OutlastError('input_invalid', `"${effect}" in ${file} is not a list of strings`);
}

function check(rules: RuleTexts, where: string): void {
  const [fault] = parseRules(rules).faults;
  if (fault !== undefined) throw new OutlastError('input_invalid', `${where}${fault}`);
}
