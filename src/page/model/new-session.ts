import type { StartInput } from '../../client/client.ts';
import { PLACE_STRINGS } from '../words/place-strings.ts';

/** What a person filled in to start something. */
export interface NewFields {
  readonly kind: 'agent' | 'command';
  readonly agent: string;
  readonly prompt: string;
  readonly model: string;
  /** One process for all turns, instead of one for each. */
  readonly isLive: boolean;
  /** Empty: as the config says. */
  readonly gate: '' | 'gate' | 'watch' | 'off';
  readonly shell: string;
  readonly hasTerminal: boolean;
  readonly folder: string;
  readonly name: string;
  readonly hasWorktree: boolean;
  readonly branch: string;
}

export const EMPTY: NewFields = {
  ...({
    kind: 'agent',
    agent: '',
    prompt: '',
    model: '',
    isLive: false,
    gate: '',
    shell: '',
    hasTerminal: false,
  } as const),
  ...({ folder: '', name: '', hasWorktree: false, branch: '' } as const),
};

/** What is wrong, and with which field; null: with all of it. */
export interface Fault {
  readonly field: 'prompt' | 'agent' | 'model' | 'gate' | 'shell' | 'folder' | 'name' | 'branch' | null;
  readonly why: string;
}

const { new: words } = PLACE_STRINGS;

/** What can be seen to be wrong before the daemon is asked; null: nothing. */
export function problemsOf({ kind, prompt, shell, folder, name }: NewFields): Fault | null {
  if (kind === 'agent' && prompt.trim() === '') return { field: 'prompt', why: words.noPrompt };
  if (kind === 'command' && shell.trim() === '') return { field: 'shell', why: words.noShell };
  if (!folder.trim().startsWith('/')) return { field: 'folder', why: words.noFolder };
  if (name !== '' && !/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) return { field: 'name', why: words.badName };
  return null;
}

/** The start request. */
export function startOf(fields: NewFields): StartInput {
  const { kind, agent, prompt, model, isLive, gate, shell, hasTerminal, folder, name, hasWorktree, branch } = fields;
  const common = {
    cwd: folder.trim(),
    ...(name === '' ? {} : { name }),
    ...(hasWorktree ? { worktree: branch.trim() } : {}),
  };
  if (kind === 'command') return { ...common, shell, ...(hasTerminal ? { terminal: 'pty' } : {}) };
  return {
    ...{ ...common, agent, prompt: prompt.trim() },
    ...(model.trim() === '' ? {} : { model: model.trim() }),
    ...(isLive ? { drive: 'live' } : {}),
    ...(gate === '' ? {} : { gate: { mode: gate } }),
  };
}

/** Words of an error, and the field that they are about: the daemon names what was given. */
const ABOUT: readonly (readonly [RegExp, NonNullable<Fault['field']>])[] = [
  [/^name\b|^a session named/, 'name'],
  [/worktree|branch|git repository/, 'branch'],
  [/^prompt\b/, 'prompt'],
  [/\bmodel\b/, 'model'],
  [/^cwd\b|folder|directory/, 'folder'],
  [/\bgate\b|approve/, 'gate'],
  [/\bagent\b/, 'agent'],
];

/** What the daemon refused, at the field that it is about. */
export function faultOf(why: string, { hasWorktree, folder }: NewFields): Fault {
  const found =
    ABOUT.find(([about]) => about.test(why))?.[1] ?? (folder !== '' && why.includes(folder) ? 'folder' : null);
  if (found === 'branch' && !hasWorktree) return { field: null, why };
  return { field: found, why };
}
