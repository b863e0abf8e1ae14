import type { Agent } from '../seam/agent.ts';
import type { Program } from '../seam/program.ts';
import type { ServerDrive, Wire } from '../seam/server.ts';
import { spentMessages } from '../seam/spent-messages.ts';
import { echoActions } from './actions.ts';
import { echoGate } from './gate.ts';
import { ECHO_ENVIRONMENT, echoLaunch, homeOf } from './launch.ts';
import { echoLive } from './live-drive.ts';
import { hookReports } from './notes.ts';
import { echoRecord } from './record.ts';
import { sentKey } from './sent-text.ts';
import { ECHO_WIRES, echoServer } from './server-drive.ts';
import { echoTurns } from './turns-drive.ts';

/** The agents that run echo. They differ in the wire of their server process. */
export function echoes(node: string, program: string): readonly Agent[] {
  const words = [node, program] as const;
  return [
    echo('echo', words, ECHO_WIRES.stdio),
    echo('echo-websocket', words, ECHO_WIRES.websocket),
    echo('echo-http', words, ECHO_WIRES.http),
  ];
}

function echo(name: string, words: readonly [string, ...string[]], wire: Wire): Agent {
  return {
    name,
    program: programOf(words),
    launch: (...given) => echoLaunch({ program: words, wire }, ...given),
    turns: echoTurns,
    live: echoLive,
    server: echoServer(wire, words) as ServerDrive<unknown>,
    hooks: {
      read: hookReports,
      isSameText: (sent, reported) => sentKey(sent) === sentKey(reported),
    },
    actions: echoActions,
    gate: echoGate(wire),
    record: echoRecord,
    usage: {
      spent: ({ main }, since) => spentMessages(main, since),
      account: (env) => `echo\n${homeOf(env)}`,
    },
  };
}

function programOf([name, ...words]: readonly [string, ...string[]]): Program {
  return {
    name,
    versionArgs: [...words, '--version'],
    oldest: '1.0.0',
    install: 'It is part of Outlast: run `npm run build`.',
    idsChosenBy: 'agent',
    models: { table: [], isId: () => false },
    ownFiles: [],
    refusals: (args) => args.map((arg) => `${arg}: echo takes no arguments`),
    environment: ECHO_ENVIRONMENT,
    alone: (home) => ({ ECHO_HOME: `${home}/echo` }),
  };
}
