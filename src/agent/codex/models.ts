import type { ModelRow } from '../seam/program.ts';

/** Short names for the models that Codex offers by default. */
export const MODELS: readonly ModelRow[] = [
  { name: 'sol', id: 'gpt-6.1-sol', about: 'everyday coding' },
  { name: 'terra', id: 'gpt-6.1-terra', about: 'straightforward work' },
  { name: 'astra', id: 'gpt-6-astra', about: 'the most demanding work' },
  { name: 'luna', id: 'gpt-6-luna', about: 'easy tasks, fast and cheap' },
];

/** Efforts, lowest first. Not every model has all of them. */
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max', 'ultra'] as const;

/** The config can name models of any provider, so any id is possible; a plain word is more likely a typing error. */
export function isModelId(name: string): boolean {
  return /^[\w.:/@-]+$/.test(name) && /[\d/-]/.test(name);
}
