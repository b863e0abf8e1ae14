import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { shellBlock } from '../pages/page.ts';

// The sandbox of docs/guides/security.md, as it stands there, with a real bubblewrap.

const ROOT = join(import.meta.dirname, '../..');
// Not below /tmp, which the sandbox replaces.
const folder = mkdtempSync('/var/tmp/ol-sandbox-');
const home = join(folder, 'home');
const workspace = join(folder, 'work');
const isThere = (process.env.PATH ?? '').split(delimiter).some((each) => existsSync(join(each, 'bwrap')));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.runIf(isThere || process.env.CI === 'true')(
  'an agent in the sandbox of the security page has its folder, and nothing else of its user',
  () => {
    const script = shellBlock('docs/guides/security.md', '#!/bin/sh');
    for (const each of ['bin', '.local/state/outlast', '.ssh']) mkdirSync(join(home, each), { recursive: true });
    mkdirSync(workspace);
    writeFileSync(join(home, '.local/state/outlast/outlast.db'), 'secret');
    writeFileSync(join(home, '.ssh/id'), 'secret');
    writeFileSync(join(workspace, 'code'), 'one');
    const boxed = join(home, 'bin/boxed');
    writeFileSync(boxed, script);
    chmodSync(boxed, 0o755);
    const command = [
      'echo two >> code',
      `ls -A "$HOME" > seen; cat "$HOME/.ssh/id" "$HOME/.local/state/outlast/outlast.db" >> seen 2>&1`,
      `echo >> seen; ls -A ${folder} >> seen; kill -0 ${process.pid} || echo no such process >> seen`,
      'touch /usr/ours || echo read-only >> seen',
    ].join('; ');
    const steps = [{ tool: 'Bash', input: { command, description: 'look around' } }, { text: 'looked' }];
    const outlast = `"${process.execPath}" "${join(ROOT, 'bin/outlast.cjs')}"`;
    // This checkout and its Node are below a home; a real installation is in /usr.
    const more = [ROOT, dirname(process.execPath)].map((each) => `--ro-bind ${each} ${each}`).join(' ');
    const env = {
      HOME: home,
      PATH: process.env.PATH,
      BOXED_MORE: more,
      OUTLAST_STATE: join(home, '.local/state/outlast'),
    };
    writeFileSync(join(workspace, 'prompt'), `Look around. SCRIPT${JSON.stringify({ steps })}SCRIPT`);
    // Nothing is compiled yet, which takes long on a busy machine.
    const started = `for i in 1 2 3 4 5 6 7 8; do ${outlast} daemon start && break; done >&2`;
    const [enter = '', run = ''] = shellBlock('docs/guides/security.md', 'cd ~/project').trimEnd().split('\n');
    const inside = `${started}; ${outlast} run --agent scripted --prompt-file prompt`;
    const line = run.replace('outlast run "fix the failing tests"', `sh -c '${inside}'`);
    expect(line).not.toBe(run);
    symlinkSync(workspace, join(home, 'project'));
    const path = `${join(home, 'bin')}:${process.env.PATH}`;
    // `-P`: the folder itself, which is bound into the sandbox, not the link to it.
    const lines = `${enter.replace('cd ', 'cd -P ')} && ${line}`;
    const ran = spawnSync('sh', ['-c', lines], { cwd: home, env: { ...env, PATH: path }, encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 0, stdout: 'looked\n' });
    expect(readFileSync(join(workspace, 'code'), 'utf8')).toBe('onetwo\n');
    const seen = readFileSync(join(workspace, 'seen'), 'utf8');
    expect(seen).not.toContain('secret');
    expect(seen).toMatch(/\.ssh\/id'?: No such file or directory/);
    expect(seen).toContain('no such process');
    expect(seen).toContain('read-only');
    // Of the folder around it, only the way to home and workspace is there.
    expect(
      seen
        .split('\n')
        .filter((name) => name === 'home' || name === 'work')
        .sort(),
    ).toEqual(['home', 'work']);
    // Everything in it has ended with it.
    expect(spawnSync('pgrep', ['-f', workspace]).stdout.toString()).toBe('');
  },
);
