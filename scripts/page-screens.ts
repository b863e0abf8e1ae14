// Makes the pictures of the page in docs/screens, from real sessions in a real browser: each scene on a desk and on a
// phone, light and dark. `node scripts/bootstrap.mjs scripts/page-screens.ts [NAME…]`; without names, all of them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PageStage, PLACES } from './screens/page-stage.ts';

const folder = join(import.meta.dirname, '../docs/screens');
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(PLACES, name));
if (unknown.length > 0)
  throw new Error(`no picture is called ${unknown.join(', ')}; they are ${Object.keys(PLACES).join(', ')}`);

mkdirSync(folder, { recursive: true });
await using stage = await PageStage.open();
for (const name of Object.keys(PLACES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const [file, picture] of await stage.pictures(name)) {
    writeFileSync(join(folder, file), picture);
    process.stdout.write(`docs/screens/${file} ${Math.round(picture.length / 1_000)} kB\n`);
  }
}
