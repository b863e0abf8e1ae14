import { constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFolder } from './start.ts';

const { R_OK, X_OK } = constants;

/** Root may enter everything, so the kernel's refusal is simulated. */
const denied = (): never => {
  throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
};

test('T-START-6: a workspace that cannot be entered or read is refused with its name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outlast-start-'));
  try {
    writeFileSync(join(folder, 'file'), '');
    expect(() => checkFolder(folder, R_OK | X_OK)).not.toThrow();
    expect(() => checkFolder(folder, X_OK, denied)).toThrow(`cannot enter ${folder}: permission denied (EACCES)`);
    expect(() => checkFolder(folder, R_OK | X_OK, denied)).toThrow(
      `cannot enter and read ${folder}: permission denied (EACCES)`,
    );
    expect(() => checkFolder(join(folder, 'file'), X_OK)).toThrow('is not a folder');
    expect(() => checkFolder(join(folder, 'gone'), X_OK)).toThrow(
      `cannot enter ${join(folder, 'gone')}: no such file or folder (ENOENT)`,
    );
    expect(() => checkFolder('here', X_OK)).toThrow('not an absolute path');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
