// The licences of what is bundled into dist/, as one text: a copy of a package has to come with its licence.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** From the files that a bundle was built from, relative to the root of the project. */
export function licencesOf(root: string, inputs: Iterable<string>): string {
  const folders = new Set([...inputs].flatMap((path) => packageFolder(path) ?? []));
  const parts = [...folders].sort().map((folder) => licenceOf(root, folder));
  return parts.join('\n');
}

/** `node_modules/a/node_modules/@b/c` of a file in it; null: the file is ours. */
function packageFolder(path: string): string | null {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.replace(/^[^/]*:/, ''))?.[0] ?? null;
}

function licenceOf(root: string, folder: string): string {
  const about = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(root, folder)).find((each) => /^licen[cs]e(\.(md|txt))?$/i.test(each));
  const text = file === undefined ? usualText(root, about) : readFileSync(join(root, folder, file), 'utf8');
  return [`${about.name} ${about.version}: ${about.license}`, '='.repeat(72), text.trim(), ''].join('\n');
}

/** Some packages only name their licence. Except for the copyright line, its text is the same as ours. */
function usualText(root: string, about: { name: string; license?: string; author?: { name?: string } }): string {
  if (about.license !== 'MIT') throw new Error(`${about.name} comes without the text of its licence: do not bundle it`);
  const owner = about.author?.name ?? `the authors of ${about.name}`;
  return readFileSync(join(root, 'LICENSE'), 'utf8').replace(/^Copyright.*$/m, `Copyright (c) ${owner}`);
}
