// Writes what the commands of a page print into the page: each is run, in order, by a user who installed the package.
//   node scripts/bootstrap.mjs scripts/pages.ts docs/tutorial.md
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withOutputs } from '../test/pages/page.ts';
import { stepsFor, typeOf, worldOf } from '../test/pages/worlds.ts';

const root = join(import.meta.dirname, '..');
for (const page of process.argv.slice(2)) {
  await using world = await worldOf(page);
  const type = typeOf(page, world);
  const path = join(root, page);
  const text = readFileSync(path, 'utf8');
  const outputs: [command: string, output: string][] = [];
  for (const step of stepsFor(page)) {
    const ran = await type(step.command);
    process.stdout.write(`$ ${step.command}\n${ran}\n`);
    outputs.push([step.command, ran]);
  }
  writeFileSync(path, withOutputs(text, outputs));
}
