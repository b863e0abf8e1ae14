// Writes docs/config.md from the schema of the config, so that the two cannot differ.
//   node scripts/bootstrap.mjs scripts/config-docs.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { configAcpAgent, configAgent } from '../src/daemon/config/agents.ts';
import { variableOf } from '../src/daemon/config/config.ts';
import { allowedText, appliesOf, configShape, type Shape, TOP_KEYS } from '../src/daemon/config/shape.ts';

/** The generated text of the page. */
export function configDocs(): string {
  const shape = configShape();
  const acp = z.toJSONSchema(configAcpAgent, { io: 'input' }) as Shape;
  const agent = z.toJSONSchema(configAgent, { io: 'input' }) as Shape;
  return `${HEAD}${RELOAD}${tableOf(shape)}${AGENT}${tableOf(agent, null)}${ACP}${tableOf(acp, null)}${NOTICES}${tableOf(shape.properties?.notices?.items ?? {}, null)}${TAIL}`;
}

const HEAD = `# Config

Written by \`scripts/config-docs.ts\` from \`src/daemon/config/schema.ts\`. Do not edit it here.

Order of precedence, lowest first: the default, the file, the variable, the flag.
The file is JSON: \`$OUTLAST_CONFIG\`, else \`$XDG_CONFIG_HOME/outlast/config.json\`, else
\`~/.config/outlast/config.json\`.
An unknown key or an invalid value is an error that names it. \`$schema\` is allowed, for editors.
[guides/config.md](guides/config.md) shows the commands that read, change and check it.
Times are milliseconds, sizes are bytes.
`;

/** When a change applies: from the keys themselves. */
const RELOAD = `
## After a change

\`outlast config reload\` makes the daemon use the file as it is now; \`config set\`, \`unset\` and \`edit\` do so by
themselves. A file with a mistake changes nothing: the daemon keeps its current settings, and \`daemon status\`, \`doctor\`
and \`config get\` say so. These keys need a new start of the daemon: ${TOP_KEYS.filter(
  (key) => appliesOf(key) === 'next start',
)
  .map((key) => `\`${key}\``)
  .join(', ')}.

A new config never changes what a running session was given when it was started: its policy, gate, model, shell and
environment. \`runsMax\`, \`retention\` and \`rules\` are settings of the host: they hold for all sessions from then on,
and so the rules decide the next call of a running session.

## All keys

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

Each notice is one way to notify somebody. It has exactly one of \`command\`, \`webhook\`, \`desktop\`, \`ntfy\`,
\`slack\`, \`discord\`, \`teams\`, \`telegram\` and \`email\`. \`outlast notify setup\` adds one: [guides/notices.md](guides/notices.md).
Its position in the journal is saved: what happens while it is slow, or while the daemon is down, is sent later.
A new notice starts when it is first seen in the config.

- \`announced\` is what a person who left a session wants to know: its reply, its end, a question, a hold; not what
  somebody waited for, watches or stopped. See [notices.md](guides/notices.md).
- \`ended\` is the end of a session in the background. It respects the session's own setting: \`never\`; \`output\`,
  which leaves out a success that printed nothing; or \`always\`.
- \`failed\` is like \`ended\`, but only for an exit other than 0, a timeout, a silence, an abandoned session, or one of an
  agent whose last turn failed.
- \`answered\` is each reply of an agent, a short name of \`prompt.answered\`.
- \`asked\` is each tool call that waits for approval, a short name of \`approval.asked\`.
- \`held\` is each time an agent needs a person, a short name of \`session.held\`.
- \`boot\` is what was found after a boot or a sleep, when conversations were interrupted; if a person has to decide,
  \`held\` reports it too. See [boot.md](guides/boot.md).
- The name of an event means each such event, of any session.

Events that happen together are sent together, at most 50 at once, in order. A failed delivery is retried
after 1 s, 2 s, 4 s and so on up to 5 min, or after the pause that the service asks for; after \`triesMax\` tries, or
when a service refuses it for good, it is dropped, counted and logged.
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
      allowedText(part),
      part.description ?? '',
    ];
    return [`| ${cells.join(' | ')} |\n`, ...rowsOf(part, here, variables)];
  });
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, '..', 'docs', 'config.md'), configDocs());
