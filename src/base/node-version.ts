/** The versions of Node that work, for people. `engines` in package.json and bin/outlast.cjs say the same. */
export const NODE_NEEDED = 'Node 22.22.3 or newer, or 24.15 or newer';

/** Is this a version of Node that Outlast runs on? Others have a SQLite that can damage the journal, or none. */
export function isNodeSupported(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.replace(/^v/, '').split('.').map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 3);
  return major === 24 ? minor >= 15 : major >= 26;
}
