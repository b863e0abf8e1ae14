import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate disk, small enough to fill. */
export interface SmallDisk extends Disposable {
  readonly path: string;
  /** Fills the disk except for this many blocks of 4 KB. */
  fill(blocksLeft?: number): void;
  free(): void;
  remount(how: 'ro' | 'rw'): void;
}

/** Mounts a disk in memory. */
export function smallDisk(size: string): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'outlast-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'outlast-test', path]);
  const ballast = join(path, 'ballast');
  return {
    path,
    fill: (blocksLeft = 0) => {
      try {
        execFileSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=4096'], { stdio: 'ignore' });
      } catch {
        // dd fails when the disk is full: that is the purpose.
      }
      if (blocksLeft > 0) execFileSync('truncate', ['-s', `-${blocksLeft * 4096}`, ballast]);
    },
    free: () => rmSync(ballast, { force: true }),
    remount: (how) => execFileSync('mount', ['-o', `remount,${how}`, path]),
    [Symbol.dispose]: () => {
      execFileSync('umount', ['-l', path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
