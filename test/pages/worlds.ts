import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { agentProgram } from '../../scripts/agents.ts';
import { NEWEST_CLAUDE } from '../agents/under-test/claude.ts';
import { environment } from '../agents/under-test/claude-home.ts';
import { MESSAGES_API } from '../e2e-real/messages-api.ts';
import type { ModelApi } from '../e2e-real/model-api.ts';
import { startModelServer } from '../e2e-real/model-server.ts';
import type { Message, Step } from '../e2e-real/story.ts';
import { InstalledUser } from './installed-user.ts';

const bash = (command: string, description: string): Step => ({ tool: 'Bash', input: { command, description } });

/** What the model does about the prompts of the README. */
const SCRIPTS: Readonly<Record<string, readonly Step[]>> = {
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
};

/** The world in which the commands of a page are typed. That of the README has a real agent and a scripted model. */
export async function worldOf(page: string): Promise<InstalledUser> {
  if (page !== 'README.md') return new InstalledUser();
  const server = await startModelServer(0, scripted(MESSAGES_API));
  const { ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY, ...more } = environment('/nowhere', server.url);
  const quiet = Object.fromEntries(
    Object.entries(more).filter(([name]) => /^(DISABLE|CLAUDE_CODE_DISABLE)/.test(name)),
  );
  const account = { ANTHROPIC_BASE_URL: ANTHROPIC_BASE_URL ?? '', ANTHROPIC_API_KEY: ANTHROPIC_API_KEY ?? '' };
  const user = new InstalledUser({ ...account, ...quiet }, () => server.close());
  cpSync(agentProgram(NEWEST_CLAUDE), join(user.bin, 'claude'));
  user.write('package.json', '{ "name": "app" }\n');
  user.write('sum.js', 'const sum = (a, b) => a - b;\nmodule.exports = sum;\n');
  user.write(
    'sum.test.js',
    [
      `const { equal } = require('node:assert');`,
      `require('node:test')('adds', () => equal(require('./sum.js')(1, 2), 3));\n`,
    ].join('\n'),
  );
  user.write('build/app.js', '');
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
