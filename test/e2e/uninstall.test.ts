import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPassing, unitMistakes } from '../../src/cli/service/own-node.ts';
import { MARK } from '../../src/cli/service/plan.ts';

// `outlast uninstall` in a home with everything that it knows, and with things of the same names that are not ours.

const ROOT = join(import.meta.dirname, '../..');
const CLI = join(ROOT, 'bin/outlast.cjs');
const home = mkdtempSync(join(tmpdir(), 'ol-uninstall-'));
const state = join(home, '.local/state/outlast');

const at = (path: string): string => join(home, path);

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  chmodSync(at(path), mode);
}

function outlast(...words: string[]): Promise<{ status: number | null; out: string }> {
  // Only these programs: the real service manager and the real agents must not be used.
  const env = { HOME: home, PATH: `${at('bin')}:${at('system')}`, USER: 'ana' };
  const child = spawn(process.execPath, [CLI, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      out += chunk;
    });
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, out })));
}

const OURS = {
  '.config/systemd/user/outlast.service': `# ${MARK}\n`,
  '.config/systemd/user/outlast-0a1b2c3d.service': `# ${MARK}\n`,
  '.config/systemd/user/outlast-web.service': `# ${MARK}\n`,
  '.config/systemd/user/outlast-web.socket': `# ${MARK}\n`,
  '.config/systemd/user/other.service.d/outlast.conf': `# ${MARK}\n`,
  '.cache/outlast/node-24.21.0/x': 'x',
  '.local/share/outlast/node/bin/node': 'x',
};
const THEIRS = {
  '.config/systemd/user/outlast-mine.service': '[Service]\nExecStart=/bin/true\n',
  '.config/systemd/user/other.service.d/mine.conf': '[Service]\n',
  '.cache/outlast/notes.txt': 'mine',
  '.config/outlast/config.json': '{}',
  '.claude/skills/outlast/SKILL.md': 'changed by me',
  '.gemini/settings.json': '{"mcpServers":{"outlast":{"command":"outlast"}}}',
};
const BASHRC = 'alias ll="ls -l"\neval "$(outlast completion bash)"\nalias o="outlast list"\nexport EDITOR=vi\n';
const TABLE = '0 4 * * * backup\n';

beforeAll(() => {
  for (const [path, text] of Object.entries({ ...OURS, ...THEIRS })) put(path, text);
  put('.bashrc', BASHRC, 0o640);
  put(
    '.config/fish/completions/outlast.fish',
    spawnSync(process.execPath, [CLI, 'completion', 'fish']).stdout.toString(),
  );
  put('table', `${TABLE}# outlast: ${MARK}\n@reboot x\n# outlast: end\n`);
  put('.claude.json', JSON.stringify({ mcpServers: { outlast: { command: 'outlast', args: ['mcp'] } } }));
  put('.claude/plugins/installed_plugins.json', JSON.stringify({ plugins: { 'outlast@outlast': [] } }));
  for (const name of ['systemctl', 'claude'])
    put(`bin/${name}`, `#!/bin/sh\necho "${name} $*" >> ${at('asked')}\n`, 0o755);
  put('bin/crontab', `#!/bin/sh\nif [ "$1" = - ]; then cat > ${at('table')}; else cat ${at('table')}; fi\n`, 0o755);
  spawnSync('sh', [
    '-c',
    'mkdir "$1"; for p in sh cat sleep mkfifo sync mv env; do ln -s "$(command -v $p)" "$1"; done',
    'sh',
    at('system'),
  ]);
});

afterAll(async () => {
  await outlast('stop', '--all', '--now');
  await outlast('daemon', 'stop');
  rmSync(home, { recursive: true, force: true });
});

test('without a terminal it only lists', async () => {
  const { status, out } = await outlast('uninstall');
  expect(status).toBe(0);
  for (const path of Object.keys(OURS).filter((path) => !path.endsWith('/x') && !path.endsWith('node')))
    expect(out).toContain(at(path));
  expect(out).toContain('Nothing was removed. To remove it: outlast uninstall --yes');
  for (const path of Object.keys(OURS)) expect(existsSync(at(path))).toBe(true);
  expect(existsSync(at('asked'))).toBe(false);
});

test('it refuses to remove the sessions while one runs', async () => {
  expect((await outlast('exec', '-b', '--name', 'busy', '--', 'sleep', '1000')).status).toBe(0);
  const { status, out } = await outlast('uninstall', '--yes', '--state');
  expect(status).toBe(4);
  expect(out).toContain('1 session is still running: end them with `outlast stop --all`, or add --force');
  expect(existsSync(at('.config/systemd/user/outlast.service'))).toBe(true);
});

test('it removes what is ours, keeps what may not be, and leaves sessions running', async () => {
  const { out } = await outlast('uninstall', '--yes');
  for (const path of Object.keys(OURS)) expect([path, existsSync(at(path))]).toEqual([path, false]);
  for (const [path, text] of Object.entries(THEIRS))
    expect([path, readFileSync(at(path), 'utf8')]).toEqual([path, text]);
  expect(existsSync(at('.config/fish/completions/outlast.fish'))).toBe(false);
  expect(readFileSync(at('.bashrc'), 'utf8')).toBe(BASHRC.replace(/^eval.*\n/m, ''));
  expect(spawnSync('stat', ['-c', '%a', at('.bashrc')]).stdout.toString()).toBe('640\n');
  expect(readFileSync(at('table'), 'utf8')).toBe(TABLE);
  const asked = readFileSync(at('asked'), 'utf8');
  for (const line of [
    'systemctl --user stop outlast.service',
    'systemctl --user stop outlast-web.socket',
    'claude mcp remove outlast --scope user',
    'claude plugin uninstall outlast@outlast',
  ])
    expect(asked).toContain(`${line}\n`);
  expect(out).toContain('.bashrc:3: alias o="outlast list": not a line that Outlast writes');
  expect(out).toContain('1 session is running.');
  expect((await outlast('list')).out).toContain('busy');
});

test('with --state --force it ends the sessions and removes the state folder, except what is not ours', async () => {
  writeFileSync(join(state, 'mine.txt'), 'mine');
  const { status, out } = await outlast('uninstall', '--yes', '--state', '--force');
  expect([status, out]).toEqual([0, expect.stringContaining(`removed ${state} (not mine.txt`)]);
  expect(spawnSync('ls', ['-A', state]).stdout.toString()).toBe('mine.txt\n');
  expect(spawnSync('pgrep', ['-f', `${home}/`]).stdout.toString()).toBe('');
});

test('a service never runs a Node from a cache, and doctor reports a unit that does', () => {
  const env = { HOME: home };
  expect(isPassing(at('.cache/outlast/node-24.21.0/bin/node'), env)).toBe(true);
  expect(isPassing('/home/ana/.npm/_npx/1/node_modules/outlast/dist/daemon.js', env)).toBe(true);
  expect(isPassing('/usr/bin/node', env)).toBe(false);
  const unit = (node: string): string[] => {
    put('.config/systemd/user/outlast.service', `# ${MARK}\nExecStart="${node}" "${ROOT}/dist/daemon.js" "--wait"\n`);
    return unitMistakes({ configHome: at('.config'), suffix: '' }, { HOME: home });
  };
  put('.cache/node', '');
  expect(unit(at('.cache/node'))[0]).toMatch(/starts .*\.cache\/node, which a cleaner of caches may delete/);
  expect(unit(at('gone/node'))[0]).toContain('gone/node, which does not exist');
});
