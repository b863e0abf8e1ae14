import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ACP, LLM } from '../any-cli/world.ts';
import { keep } from '../boot-files.ts';
import { randomPng } from '../png.ts';
import type { InstalledUser } from './installed-user.ts';
import { blocksOf, pageText } from './page.ts';

/** What a page needs beside the package and an app to work on. */
export interface PageWorld {
  /** A real Claude Code with a scripted model; without it, only the agents that Outlast brings along. */
  readonly hasClaude?: boolean;
  /** Whether every run of the tests types it; otherwise only `npm run test:deep` does. */
  readonly isQuick?: boolean;
  /** What is there before the first command. */
  readonly prepare?: (user: InstalledUser) => void;
  /** Commands that are typed before those of the page. */
  readonly before?: readonly string[];
  /** Sections that another test types. */
  readonly elsewhere?: readonly string[];
  /** How a command is typed: some are typed by an agent. */
  readonly typed?: (command: string) => string;
  /** The keys that a person presses while a command runs. */
  readonly keys?: Readonly<Record<string, readonly string[]>>;
}

/** The sections of docs/guides/agents.md about an agent, which are typed beside that agent. */
export const AGENT_SECTIONS = ['Codex', 'OpenCode', 'Copilot CLI', 'pi', 'Gemini CLI', 'Goose', 'Qwen Code'] as const;

const CTRL_C = '\x03';
const ECHO = 'outlast config set agent echo';

/** Conversations that nobody began with Outlast, under the ids that the page names. */
function conversations(user: InstalledUser): void {
  const config = join(user.home, '.outlast-scripted');
  const at = { config, cwd: user.work };
  mkdirSync(config, { recursive: true });
  const kept = [
    keep('called', { ...at, id: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }),
    keep('done', { ...at, id: '1b4e28ba-2fa1-41d2-883f-0016d3cca427' }),
  ];
  const paths = kept.flatMap(({ path }) => [path, dirname(path), dirname(dirname(path))]);
  for (const path of [config, ...paths]) user.own(path);
}

/** A program that takes mail, as most machines have one. */
function mailer(user: InstalledUser): void {
  user.program('sendmail', '#!/bin/sh\ncat >> ~/mail\n');
}

/** Three sessions of a day, one of which waits for a person. */
const SESSIONS = [
  ECHO,
  'outlast start --live --gate --name web "run touch approved.txt"',
  'outlast start --name api "fix the tests"',
  'outlast exec -b --name server -- npm run dev',
  'outlast wait web --for approval',
  'outlast wait api',
  'outlast wait server --for text:Local --since 0',
];

const GIT = [
  'git init -q -b main',
  'git add -A',
  'git -c user.name=you -c user.email=you@example.org commit -q -m "The app"',
];

/** A program that waits until the shell has something to say at its next prompt. */
const SLOW_BUILD = `
const { existsSync } = require('node:fs');
const { HOME, OUTLAST_SHELL_ID } = process.env;
const message = \`\${HOME}/.local/state/outlast/shells/\${OUTLAST_SHELL_ID}/new\`;
const look = setInterval(() => {
  if (!existsSync(message)) return;
  clearInterval(look);
  console.log('built build/app.js');
}, 20);
`;

/** Every page with commands, and the world that they are typed in. */
export const PAGE_WORLDS: Readonly<Record<string, PageWorld>> = {
  'README.md': { hasClaude: true, isQuick: true },
  'docs/tutorial.md': { isQuick: true },
  'docs/troubleshooting.md': {
    before: [
      ECHO,
      'outlast start --name api "fix the tests"',
      'outlast start --name build "run sleep 300"',
      'outlast start --live --gate --name careful "run touch approved.txt"',
      'outlast wait careful --for approval',
      'outlast wait build --for event:tool.called --after 0',
    ],
  },
  'docs/upgrade.md': { before: ['outlast exec -b --name server -- npm run dev'] },
  'docs/api.md': { before: ['outlast daemon start'] },
  'docs/guides/boot.md': {
    prepare: (user) => {
      user.write('.config/outlast/config.json', '{"boot":{"agents":["scripted"]}}', user.home);
      conversations(user);
    },
  },
  'docs/guides/agents.md': {
    hasClaude: true,
    elsewhere: AGENT_SECTIONS,
    prepare: (user) => {
      user.write('api/api.js', '', user.home);
      user.write('notes.md', 'Mention the tests in the README.\n');
      for (const name of ['shot', 'before', 'after']) user.write(`${name}.png`, randomPng());
    },
    before: GIT,
  },
  'docs/guides/any-cli.md': {
    prepare: (user) => {
      for (const [name, file] of [
        ['llm', LLM[1]],
        ['helper', ACP[1]],
      ] as const)
        user.program(name, readFileSync(file, 'utf8'));
      const [config = ''] = blocksOf(pageText('docs/guides/any-cli.md'), 'json');
      user.write('.config/outlast/config.json', config, user.home);
    },
  },
  'docs/guides/approvals.md': { hasClaude: true, before: GIT },
  'docs/guides/batch.md': {
    isQuick: true,
    prepare: (user) => {
      for (const text of blocksOf(pageText('docs/guides/batch.md'), 'yaml')) user.write('weekly.yaml', text);
      user.write(
        'wrong.yaml',
        'sessions:\n  plan:\n    deadline: 5 hours\n    prompt: Make a plan.\n  check:\n    promt: Check it.\n',
      );
    },
  },
  'docs/guides/config.md': { before: ['outlast daemon start'] },
  'docs/guides/exec.md': { isQuick: true },
  'docs/guides/install.md': {},
  'docs/guides/journal.md': { before: ['outlast exec -- npm test'] },
  'docs/guides/logs.md': { hasClaude: true, before: GIT },
  'docs/guides/mcp.md': { hasClaude: true },
  'docs/guides/notices.md': {
    prepare: (user) => {
      user.write('build.js', SLOW_BUILD);
      mailer(user);
    },
  },
  'docs/guides/patterns.md': { isQuick: true },
  'docs/guides/plugin.md': { hasClaude: true },
  'docs/guides/recovery.md': { hasClaude: true },
  'docs/guides/rules.md': { isQuick: true },
  'docs/guides/schedules.md': { isQuick: true, before: [ECHO] },
  'docs/guides/search.md': {
    prepare: conversations,
    before: [
      'outlast start --agent scripted --name api "Does a retry with backoff hide the error of the first try?"',
      'outlast wait api',
    ],
  },
  'docs/guides/service.md': { before: ['outlast daemon start'] },
  'docs/guides/session-folder.md': { isQuick: true },
  'docs/guides/spawn.md': {
    // A build that lasts, however fast the machine is.
    before: [ECHO, `echo '{"scripts":{"build":"sleep 600"}}' >package.json`, 'outlast start --name boss'],
    typed: (command) => `outlast converse boss ${quoted(`run ${command}`)}`,
  },
  'docs/guides/metrics.md': { before: SESSIONS.slice(0, 2).concat('outlast wait web --for approval') },
  'docs/guides/terminal.md': { before: SESSIONS },
  'docs/guides/top.md': { before: SESSIONS, keys: { 'outlast top': ['q'], 'outlast top --plain': [CTRL_C] } },
  'docs/guides/wait.md': {},
  'docs/guides/web.md': { keys: { 'outlast web': [CTRL_C] } },
};

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
