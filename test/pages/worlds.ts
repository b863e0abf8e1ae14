import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { agentProgram } from '../../scripts/agents.ts';
import { NEWEST_CLAUDE } from '../agents/under-test/claude.ts';
import { environment } from '../agents/under-test/claude-home.ts';
import { MESSAGES_API } from '../e2e-real/messages-api.ts';
import type { ModelApi } from '../e2e-real/model-api.ts';
import { startModelServer } from '../e2e-real/model-server.ts';
import type { Message, Step as ModelStep } from '../e2e-real/story.ts';
import { InstalledUser } from './installed-user.ts';
import { pageText, type Step, stepsOf } from './page.ts';
import { PAGE_WORLDS } from './page-worlds.ts';

const bash = (command: string, description: string): ModelStep => ({ tool: 'Bash', input: { command, description } });

/** The app that the user works on. */
const APP: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({
    name: 'app',
    scripts: { test: 'node check.js', build: 'node build.js', dev: 'node server.js' },
  })}\n`,
  'check.js': `console.log('12 tests passed');\n`,
  'build.js': `setTimeout(() => console.log('built build/app.js'), 300);\n`,
  'server.js': `console.log('Local: http://localhost:5173/');\nsetInterval(() => {}, 60_000);\n`,
  'sum.js': 'const sum = (a, b) => a - b;\nmodule.exports = sum;\n',
  'sum.test.js': [
    `const { equal } = require('node:assert');`,
    `require('node:test')('adds', () => equal(require('./sum.js')(1, 2), 3));\n`,
  ].join('\n'),
  'build/app.js': '',
};

/** What the model does about the prompts of the pages. */
const SCRIPTS: Readonly<Record<string, readonly ModelStep[]>> = {
  'fix the failing test': [
    bash('node --test', 'Run the tests'),
    bash(`sed -i 's/a - b/a + b/' sum.js`, 'Fix sum()'),
    bash('node --test', 'Run the tests again'),
    { text: 'sum() subtracted. It adds now, and the test passes.' },
  ],
  'port the app to ES modules': [
    bash('sed -i s/module.exports.=/export.default/ sum.js && sleep 5', 'Port sum.js'),
    { text: 'sum.js is an ES module now.' },
  ],
  'delete the old build': [bash('rm -r build', 'Delete the old build'), { text: 'The old build is gone.' }],
  'write a README': [
    bash('echo "# app: adds numbers" > README.md', 'Write README.md'),
    { text: 'README.md says what the app does.' },
  ],
  'what is left to do?': [{ text: 'The README and a release.' }],
  'now the tests': [bash('npm test', 'Run the tests'), { text: 'All 12 tests pass.' }],
  'Mention the tests': [{ text: 'The README mentions them.' }],
  'what is wrong here?': [{ text: 'The button covers the last line.' }],
  'what changed?': [{ text: 'The button moved below the text.' }],
  'run the slow tests': [bash('sleep 600', 'Run the slow tests'), { text: 'They pass.' }],
  'release it': [bash('git tag v2', 'Tag the release'), { text: 'There is no release today.' }],
  'tag the next version': [bash('git tag v2', 'Tag v2'), { text: 'It is tagged.' }],
  'run the tests': [bash('npm test', 'Run the tests'), { text: 'All 12 tests pass.' }],
};

/** The world in which the commands of a page are typed. */
export async function worldOf(page: string): Promise<InstalledUser> {
  const { hasClaude = false, prepare, before = [] } = PAGE_WORLDS[page] ?? {};
  const user = hasClaude ? await userOfClaude() : new InstalledUser();
  for (const [name, text] of Object.entries(APP)) user.write(name, text);
  prepare?.(user);
  for (const command of before) await user.type(command);
  return user;
}

/** The commands of a page that are typed in its world. */
export function stepsFor(page: string): Step[] {
  const { elsewhere = [] } = PAGE_WORLDS[page] ?? {};
  return stepsOf(pageText(page)).filter(({ heading }) => !elsewhere.includes(heading));
}

/** Types a command of a page as the page means it, and returns what it prints. */
export function typeOf(page: string, user: InstalledUser): (command: string) => Promise<string> {
  const { keys = {}, typed = (command: string) => command } = PAGE_WORLDS[page] ?? {};
  return (command) => user.type(typed(command), 'plain', keys[command]);
}

async function userOfClaude(): Promise<InstalledUser> {
  const server = await startModelServer(0, scripted(MESSAGES_API));
  const { ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY, ...more } = environment('/nowhere', server.url);
  const quiet = Object.fromEntries(
    Object.entries(more).filter(([name]) => /^(DISABLE|CLAUDE_CODE_DISABLE)/.test(name)),
  );
  const account = { ANTHROPIC_BASE_URL: ANTHROPIC_BASE_URL ?? '', ANTHROPIC_API_KEY: ANTHROPIC_API_KEY ?? '' };
  const user = new InstalledUser({ ...account, ...quiet }, () => server.close());
  cpSync(agentProgram(NEWEST_CLAUDE), join(user.bin, 'claude'));
  return user;
}

/** The API with a script behind each prompt that has one. */
function scripted(api: ModelApi): ModelApi {
  return {
    ...api,
    read: (body, headers) => {
      const asked = api.read(body, headers);
      return { ...asked, messages: asked.messages.map(withScript) };
    },
  };
}

function withScript({ role, content }: Message): Message {
  const add = (text: string): string => {
    const [, steps] = Object.entries(SCRIPTS).find(([prompt]) => text.includes(prompt)) ?? [];
    return steps === undefined ? text : `${text} SCRIPT${JSON.stringify({ steps })}SCRIPT`;
  };
  if (role !== 'user') return { role, content };
  if (typeof content === 'string') return { role, content: add(content) };
  return {
    role,
    content: content.map((block) => (block.text === undefined ? block : { ...block, text: add(block.text) })),
  };
}
