import { fs, path } from '../../client/node.ts';
import { command, NO_WORDS } from '../command.ts';
import { EXIT } from '../exit.ts';
import { wrongCall } from '../parse.ts';
import { version } from '../version.ts';

interface Served {
  serveMcp(options: {
    env: Readonly<Record<string, string | undefined>>;
    cwd: string;
    version: string;
    allow: string | undefined;
  }): Promise<string | null>;
}

/** `outlast mcp` */
export const mcp = command({
  name: 'mcp',
  summary: 'Serve the Model Context Protocol to another agent.',
  usage: 'mcp [OPTIONS]',
  words: {
    ...NO_WORDS,
    are: [
      'Speaks on standard input and output until the caller leaves; sessions and commands go on.',
      'Grants: read, prompt, exec, approve, admin. What is not allowed is not offered.',
    ].join('\n'),
  },
  options: {
    allow: {
      type: 'string',
      value: 'GRANTS',
      sentence: 'What the caller may do, with commas.',
      otherwise: 'read,prompt,exec',
    },
  },
  examples: [
    ['claude mcp add outlast -- outlast mcp', 'For Claude Code, once.'],
    ['outlast mcp --allow read', 'To look, and no more.'],
  ],
  async run({ env, values }) {
    const { serveMcp } = (await import(program())) as Served;
    const wrong = await serveMcp({ env, cwd: process.cwd(), version: version(), allow: values.allow });
    if (wrong !== null) throw wrongCall(`mcp: ${wrong}`);
    return EXIT.fine;
  },
});

// Beside this bundle, or in the source tree when this runs from there. Not part of the bundle: nobody else needs it.
function program(): string {
  const places = ['mcp.js', '../../mcp/main.ts'].map((place) => path.join(import.meta.dirname, place));
  const found = places.find((place) => fs.existsSync(place)) ?? places[0] ?? '';
  return process.getBuiltinModule('node:url').pathToFileURL(found).href;
}
