// Updates the build before any test, so that tests of the built program test this source.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export default function setup(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, '../scripts/bootstrap.mjs')], { stdio: ['ignore', 2, 2] });
}
