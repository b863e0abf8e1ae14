import { expect, test } from 'vitest';
import { copilotStream } from '../copilot/stream.ts';
import { geminiStream } from '../gemini/stream.ts';
import { piStream } from '../pi/stream.ts';

/** What the real programs print without a login, shortened. */
const AGENTS = [
  {
    name: 'pi',
    stream: piStream,
    output: '{"type":"session","version":3,"id":"00000000-0000-4000-8000-000000000001"}\n',
    status: 1,
    errors:
      "Warning: No project session found with id 'x'; creating a new session with that id.\n" +
      'No API key found for the selected model.\nUse /login to log into a provider via OAuth or API key. See:\n',
    reply: 'No API key found for the selected model.',
  },
  {
    name: 'gemini',
    stream: geminiStream,
    output: '',
    status: 41,
    errors:
      'YOLO mode is enabled. All tool calls will be automatically approved.\n' +
      'Please set an Auth method in your settings.json or specify one of the following: GEMINI_API_KEY\n',
    reply: 'Please set an Auth method in your settings.json or specify one of the following: GEMINI_API_KEY',
  },
  {
    name: 'copilot',
    stream: copilotStream,
    output: '',
    status: 1,
    errors: "Error: No authentication information found.\n\n  • Start 'copilot' and run the '/login' command\n",
    reply: 'Error: No authentication information found.',
  },
] as const;

test.for(AGENTS)('$name: a process that exits because nobody is logged in has failed for that reason', (agent) => {
  const { stream, output, status, errors, reply } = agent as typeof agent & { readonly stream: typeof piStream };
  const view = stream.view(stream.read(stream.empty, output));
  const exit = { status, rest: '', errors };
  expect(view(0, exit)).toEqual({ turn: 'failed', reply, trouble: { kind: 'login' } });
  // While it runs, after a kill, or for another reason, nothing of that is known.
  expect(view(0)).toBe(null);
  for (const other of [{ status: 137 }, { status: 0 }, { errors: 'Cannot find module x\n' }])
    expect(view(0, { ...exit, ...other })).toBe(null);
});
