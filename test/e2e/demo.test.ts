import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { deepTest } from '../campaign.ts';
import { eventually } from '../eventually.ts';

// `npm start` as a person sees it: in a tmux window of 80x24, with a second one into which each shown line is pasted.

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'ol-demo-'));
const socket = join(folder, 'tmux');
const MS_MAX = 180_000;

const tmux = (...words: string[]): string => execFileSync('tmux', ['-S', socket, ...words], { encoding: 'utf8' });
const screen = (window: string): string => tmux('capture-pane', '-p', '-t', window);

afterAll(() => {
  spawnSync('tmux', ['-S', socket, 'kill-server'], { stdio: 'ignore' });
  rmSync(folder, { recursive: true, force: true });
});

async function untilShown(window: string, text: RegExp): Promise<string> {
  return eventually(
    () => {
      const shown = screen(window);
      return text.test(shown) ? shown : null;
    },
    { what: `${text} in window ${window}`, msMax: MS_MAX },
  );
}

/** Pastes a line as a person would; returns its exit status. */
async function paste(line: string, i: number): Promise<number> {
  tmux('send-keys', '-t', 'user', '-l', `clear; ${line}; echo "ended ${i}: $?"`);
  tmux('send-keys', '-t', 'user', 'Enter');
  const shown = await untilShown('user', new RegExp(`^ended ${i}: \\d+`, 'm'));
  return Number(new RegExp(`^ended ${i}: (\\d+)`, 'm').exec(shown)?.[1]);
}

deepTest('the demo has a screen for each act, and each of its lines works in another terminal', async () => {
  const start = `cd ${ROOT}; '${process.execPath}' scripts/demo.ts; echo demo ended $?`;
  tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'demo', '-x', '80', '-y', '24', 'sh');
  tmux('new-session', '-d', '-s', 'user', '-x', '80', '-y', '24', 'sh');
  tmux('send-keys', '-t', 'demo', '-l', `clear; ${start}`);
  tmux('send-keys', '-t', 'demo', 'Enter');
  const titles = ['1 of 4', '2 of 4', '3 of 4', '4 of 4', 'What to type next'];
  let pasted = 0;
  let here = '';
  for (const title of titles.slice(0, 4)) {
    if (title === '4 of 4') {
      await untilShown('demo', /May it delete your notes\?/);
      expect(screen('demo')).toMatch(/^4 of 4/m);
      tmux('send-keys', '-t', 'demo', 'n', 'Enter');
    }
    // All of the act is on the screen.
    const shown = await untilShown('demo', new RegExp(`${title}[\\s\\S]*\\[Enter\\] `));
    here ||= /^ {2}(\. \S+\/here)$/m.exec(shown)?.[1] ?? '';
    if (pasted === 0) expect(await paste(here, pasted++)).toBe(0);
    const lines = [...shown.matchAll(/^\$ (.*)$/gm)].map(([, line = '']) => line);
    expect(lines.length).toBeGreaterThanOrEqual(2);
    for (const line of lines) {
      // A second session was just started, which waits for somebody.
      if (line.startsWith('outlast wait careful')) await paste('outlast stop careful', pasted++);
      // Typed a second time, some are refused for what they did the first time: never as a mistake of who types.
      const status = await paste(line, pasted++);
      expect({ line, status, is: [2, 70, 126, 127].includes(status) }).toEqual({ line, status, is: false });
    }
    tmux('send-keys', '-t', 'demo', 'Enter');
  }
  const last = await untilShown('demo', /demo ended 0/);
  for (const text of ['What to type next', 'outlast run "', 'outlast help']) expect(last).toContain(text);
  // Nothing is left.
  expect(existsSync(here.slice(2))).toBe(false);
  expect(spawnSync('pgrep', ['-f', here.slice(2, -'/here'.length)]).stdout.toString()).toBe('');
});
