import { readFileSync } from 'node:fs';

/** The version in our package.json, which is above both src/daemon and dist. */
export const VERSION: string = findVersion();

function findVersion(): string {
  for (const place of ['../package.json', '../../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8'));
      if (name === 'outlast') return String(version);
    } catch {
      // Not there: this is the other location.
    }
  }
  return 'unknown';
}
