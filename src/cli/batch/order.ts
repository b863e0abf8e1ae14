import { closest } from '../../base/closest.ts';
import type { Mistakes } from './mistakes.ts';
import type { Draft } from './parts.ts';
import type { Part } from './plan.ts';

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

type Groups = ReadonlyMap<string, readonly string[]>;

/** Checks drafts against each other and turns them into parts, in dependency order. */
export function orderParts(
  mistakes: Mistakes,
  batchName: string,
  drafts: readonly Draft[],
  groups: Groups,
): readonly Part[] {
  checkNames(mistakes, batchName, drafts, groups);
  const byName = new Map(drafts.map((draft) => [draft.name, draft]));
  const afterOf = new Map(
    drafts.map((draft) => [draft.name, draft.after.flatMap((word) => namesFor(mistakes, draft, word, byName, groups))]),
  );
  const ordered: Part[] = [];
  const visit = (name: string, trail: readonly string[]): void => {
    const draft = byName.get(name);
    if (draft === undefined || ordered.some((part) => part.name === name)) return;
    if (trail.includes(name)) {
      const round = [...trail.slice(trail.indexOf(name)), name].join(' after ');
      mistakes.add([...draft.way, 'after'], `circular dependency: ${round}`);
      return;
    }
    const after = [...new Set(afterOf.get(name) ?? [])];
    for (const before of after) visit(before, [...trail, name]);
    const { prompt, images, input } = draft;
    const below = after.map((each) => ordered.find((part) => part.name === each)?.fingerprint ?? '');
    const sessionName = `${batchName}-${name}`;
    // Without images as before they could be given: an earlier run must be found.
    const made = [prompt, input, below, ...(images.paths.length === 0 ? [] : [images])];
    const given = images.paths.length === 0 ? input : { ...input, images: [...images.paths] };
    ordered.push({ name, sessionName, after, prompt, input: given, fingerprint: hashOf(made) });
  };
  for (const { name } of drafts) visit(name, []);
  return ordered;
}

/** A short, stable hash of any value. */
export function hashOf(value: unknown): string {
  const text = JSON.stringify(value, (_, each) => (each === undefined ? null : each));
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex').slice(0, 20);
}

function checkNames(mistakes: Mistakes, batchName: string, drafts: readonly Draft[], groups: Groups): void {
  const seen = new Set<string>(groups.keys());
  for (const { name, way } of drafts) {
    if (seen.has(name)) mistakes.add(way, `there are two sessions named ${name}`);
    seen.add(name);
    if (!NAME.test(`${batchName}-${name}`))
      mistakes.add(way, `"${batchName}-${name}" is not a valid session name: a-z, 0-9 and -, at most 63 characters`);
  }
}

function namesFor(
  mistakes: Mistakes,
  { name, way }: Draft,
  word: string,
  known: ReadonlyMap<string, Draft>,
  groups: Groups,
): readonly string[] {
  const names = known.has(word) ? [word] : (groups.get(word) ?? []);
  if (names.length > 0) return names;
  const near = closest(word, [...known.keys(), ...groups.keys()]);
  const hint = near === null || near === name ? '' : `; did you mean "${near}"?`;
  mistakes.add([...way, 'after'], `${name} waits for "${word}", but there is no such session${hint}`);
  return [];
}
