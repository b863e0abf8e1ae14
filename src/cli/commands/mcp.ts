import { beside } from '../base/beside.ts';
import { command, NO_WORDS } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { version } from '../base/version.ts';

/** The exports of the server program. It is a separate bundle: no other command needs its half megabyte. */
interface Served {
  serveMcp(options: Readonly<Record<string, unknown>>): Promise<string | null>;
}

/** `outlast mcp` */
export const mcp = command({
  name: 'mcp',
  summary: 'Serve the Model Context Protocol to another agent.',
  usage: 'mcp [OPTIONS]',
  words: {
    ...NO_WORDS,
    are: [
      'Serves standard input and output until the client disconnects; sessions and commands keep running.',
      'GRANTS: read, prompt, exec, approve, admin. Tools without a grant are not listed.',
      'With --http: listens on loopback unless an address is given; every request needs the token.',
    ].join('\n'),
  },
  options: {
    allow: { type: 'string', value: 'GRANTS', sentence: 'What the client may do.', otherwise: 'read,prompt,exec' },
    http: { type: 'string', value: 'PORT', sentence: 'Serve over HTTP on this port, or ADDRESS:PORT; 0: a free one.' },
    'token-file': {
      type: 'string',
      value: 'FILE',
      sentence: 'The token file; created if it does not exist.',
      otherwise: 'mcp-token in the state folder',
    },
    host: { type: 'string', value: 'NAME:PORT', multiple: true, sentence: 'Also accept this Host header.' },
    origin: { type: 'string', value: 'URL', multiple: true, sentence: 'Accept requests from this Origin.' },
  },
  examples: [
    ['claude mcp add outlast -- outlast mcp', 'For Claude Code, once.'],
    ['outlast mcp --allow read', 'Read-only.'],
    ['outlast mcp --http 8787', 'Over HTTP; the token is in mcp-token in the state folder.'],
  ],
  async run({ env, values, print, json }) {
    const { serveMcp } = (await import(beside(import.meta.dirname, 'mcp.js', '../../mcp/main.ts'))) as Served;
    const over = new AbortController();
    const leave = (): void => over.abort();
    if (values.http !== undefined) process.on('SIGINT', leave).on('SIGTERM', leave);
    const onReady = (url: string, tokenFile: string): void =>
      void (json ? print.json({ url, tokenFile }) : print.line(`Listening at ${url}; the token is in ${tokenFile}.`));
    const wrong = await serveMcp({
      ...{ env, cwd: process.cwd(), version: version(), allow: values.allow, http: values.http },
      ...{ tokenFile: values['token-file'], hosts: values.host, origins: values.origin },
      ...{ signal: over.signal, onReady },
    });
    if (wrong !== null) throw wrongCall(`mcp: ${wrong}`);
    return EXIT.fine;
  },
});
