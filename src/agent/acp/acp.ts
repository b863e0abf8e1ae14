import { assert } from '../../base/assert.ts';
import type { Launch } from '../../core/launch.ts';
import type { Spec } from '../../core/session.ts';
import type { Agent, CallerProcess } from '../seam/agent.ts';
import { environmentOf } from '../seam/environment.ts';
import type { Program } from '../seam/program.ts';
import type { ServerDrive } from '../seam/server.ts';
import { type AcpDialect, ANY_DIALECT } from './dialect.ts';
import { ANY_ENVIRONMENT } from './environment.ts';
import { acpServer } from './server.ts';

/** A command line that speaks the protocol on its standard input and output. */
export type AcpCommand = readonly [program: string, ...words: string[]];

/** What is known of one agent, beyond the protocol. */
export interface AcpMore extends Partial<Pick<Agent, 'actions' | 'gate' | 'record' | 'usage'>> {
  readonly program?: Partial<Omit<Program, 'name'>>;
  readonly dialect?: Partial<AcpDialect>;
  /** Variables that a run gets in addition. */
  readonly variables?: (spec: Spec) => Readonly<Record<string, string>>;
}

/** An agent that speaks the Agent Client Protocol. */
export function acpAgent(
  name: string,
  command: AcpCommand,
  { program: given, dialect, variables, ...more }: AcpMore = {},
) {
  const program = programOf(command, given);
  return {
    ...more,
    name,
    program,
    launch: (spec: Spec, caller: CallerProcess) => acpLaunch(command, program, spec, caller, variables?.(spec) ?? {}),
    server: acpServer({ ...ANY_DIALECT, ...dialect }) as ServerDrive<unknown>,
    resumesUnread: true,
  } satisfies Agent;
}

function acpLaunch(
  [first, ...words]: AcpCommand,
  { environment }: Program,
  spec: Spec,
  { env, umask }: CallerProcess,
  variables: Readonly<Record<string, string>>,
): Launch {
  assert(spec.conversation !== undefined, 'a session of an agent has a conversation');
  const { args, envNames } = spec.conversation;
  return {
    argv: [first, ...words, ...args],
    env: { ...environmentOf(environment, env, envNames), ...variables },
    cwd: spec.workspace,
    umask,
    stdin: 'messages',
    split: true,
  };
}

function programOf([name]: AcpCommand, given: AcpMore['program'] = {}): Program {
  return {
    versionArgs: ['--version'],
    oldest: '0.0.0',
    install: `Install ${name}, or correct its command line.`,
    idsChosenBy: 'agent',
    models: { table: [], isId: () => false },
    ownFiles: [],
    refusals: () => [],
    environment: ANY_ENVIRONMENT,
    alone: () => ({}),
    ...given,
    name,
  };
}
