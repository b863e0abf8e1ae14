// Writes docs/config.md from the schema of the config, so that the two cannot differ.
//   node scripts/bootstrap.mjs scripts/config-docs.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { configAcpAgent, configAgent } from '../src/daemon/config/agents.ts';
import { variableOf } from '../src/daemon/config/config.ts';
import { configSchema } from '../src/daemon/config/schema.ts';

interface Shape {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

/** The generated text of the page. */
export function configDocs(): string {
  const shape = z.toJSONSchema(configSchema, { io: 'input' }) as Shape;
  const acp = z.toJSONSchema(configAcpAgent, { io: 'input' }) as Shape;
  const agent = z.toJSONSchema(configAgent, { io: 'input' }) as Shape;
  return `${HEAD}${tableOf(shape)}${AGENT}${tableOf(agent, null)}${ACP}${tableOf(acp, null)}${NOTICES}${tableOf(shape.properties?.notices?.items ?? {}, null)}${TAIL}`;
}

const HEAD = `# Config

Written by \`scripts/config-docs.ts\` from \`src/daemon/config/schema.ts\`. Do not edit it here.

The daemon reads its settings once, when it starts. After a change, run \`outlast daemon stop\`: sessions keep running, and the next
command starts it with the new ones. Order of precedence, lowest first: the default, the file, the variable, the flag.
The file is JSON: \`$OUTLAST_CONFIG\`, else \`$XDG_CONFIG_HOME/outlast/config.json\`, else
\`~/.config/outlast/config.json\`.
An unknown key or an invalid value is an error that names it.
It never changes a running session.
Times are milliseconds, sizes are bytes.

`;

const AGENT = `
## An agent

An entry of \`agents\` makes any program an agent: [guides/any-cli.md](guides/any-cli.md) has examples. A wrong entry
affects only the sessions of that agent: they are held until it is put right, and \`outlast doctor\` says what is wrong.

`;

const ACP = `
A program that speaks the Agent Client Protocol needs no more than its command line:

`;

const NOTICES = `
## A notice

Each notice is one way to notify somebody. It has exactly one of \`command\`, \`webhook\`, \`desktop\` and \`ntfy\`.
Its position in the journal is saved: what happens while it is slow, or while the daemon is down, is sent later.
A new notice starts when it is first seen in the config.

- \`ended\` is the end of a session in the background. It respects the session's own setting: \`never\`; \`output\`,
  which leaves out a success that printed nothing; or \`always\`.
- \`failed\` is like \`ended\`, but only for an exit other than 0, a timeout, a silence, an abandoned session, or one of an
  agent whose last turn failed.
- \`answered\` is each reply of an agent, a short name of \`prompt.answered\`.
- \`held\` is each time an agent needs a person, a short name of \`session.held\`.
- \`boot\` is what was found after a boot or a sleep, when conversations were interrupted; if a person has to decide,
  \`held\` reports it too. See [boot.md](guides/boot.md).
- The name of an event means each such event, of any session.

Events that happen together are sent together, at most 50 at once, in order. A failed delivery is retried
after 1 s, 2 s, 4 s and so on up to 5 min; after \`triesMax\` tries it is dropped, counted and logged.
Each event is sent at least once: after a crash perhaps twice.

`;

const TAIL = `
The standard input of a \`command\` is text for people. It must exit with 0; if it is still running after
\`timeoutMs\`, its whole process group is ended.

A \`webhook\` gets a POST with \`{"notices": [...]}\`. Each has \`session\`, \`name\`, \`event\`, \`position\`, \`at\`,
\`exit\`, \`outcome\`, \`failed\`, \`command\`, \`snippet\`, \`read\` and \`tookMs\`.
For an agent, \`command\` is its name and the first words of the prompt, and \`snippet\` the first lines of the reply;
\`why\` says why a turn failed, or why a person is needed. After a bad end, \`report\` is a list of the first lines of
\`outlast report\`.
The header \`x-outlast-delivery\` is the same for each try of a delivery; \`x-outlast-signature\` is \`sha256=\` and
the HMAC of the body in hex. A 2xx response is success. Redirects are not followed.

Secrets are read from files each time they are needed, and are never in the config itself.

\`\`\`json
{
  "retention": { "ageMsMax": 604800000 },
  "notices": [
    { "name": "desk", "desktop": true },
    { "name": "log", "on": ["failed"], "command": ["tee", "-a", "/tmp/failed.txt"] },
    { "name": "hook", "webhook": { "url": "https://example.org/outlast", "secretFile": "~/.config/outlast/secret" } },
    { "name": "phone", "ntfy": { "url": "https://ntfy.sh", "topic": "my-sessions", "tokenFile": "~/.ntfy-token" } }
  ]
}
\`\`\`
`;

function tableOf(shape: Shape, path: readonly string[] | null = []): string {
  const variable = path === null ? '' : ' variable |';
  const rule = path === null ? '' : ' --- |';
  const head = `| key |${variable} default | allowed | meaning |\n| --- |${rule} --- | --- | --- |\n`;
  return head + rowsOf(shape, [], path !== null).join('');
}

function rowsOf(shape: Shape, path: readonly string[], variables: boolean): string[] {
  return Object.entries(shape.properties ?? {}).flatMap(([key, part]) => {
    const here = [...path, key];
    const settable = part.properties === undefined && part.type !== 'array';
    const cells = [
      `\`${here.join('.')}\``,
      ...(variables ? [settable ? `\`${variableOf(here)}\`` : ''] : []),
      part.default === undefined || part.properties ? '' : `\`${JSON.stringify(part.default)}\``,
      allowed(part),
      part.description ?? '',
    ];
    return [`| ${cells.join(' | ')} |\n`, ...rowsOf(part, here, variables)];
  });
}

function allowed(part: Shape): string {
  if (part.type === 'array') return 'a list';
  if (part.type === 'object') return 'an object';
  if (part.const !== undefined) return `\`${part.const}\``;
  if (part.enum !== undefined) return part.enum.map((word) => `\`${word}\``).join(', ');
  if (part.type !== 'integer' && part.type !== 'number') return 'a text';
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = part;
  return maximum === Number.MAX_SAFE_INTEGER ? `${minimum} or more` : `${minimum} to ${maximum}`;
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, '..', 'docs', 'config.md'), configDocs());
