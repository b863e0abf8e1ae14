import { assert } from '../../base/assert.ts';
import type { Launch } from '../../core/launch.ts';
import type { Spec } from '../../core/session.ts';
import type { Agent, CallerProcess, RunPlan } from '../seam/agent.ts';
import { environmentOf } from '../seam/environment.ts';
import type { Program } from '../seam/program.ts';
import type { ServerDrive } from '../seam/server.ts';
import { type AcpDialect, ANY_DIALECT } from './dialect.ts';
import { ANY_ENVIRONMENT } from './environment.ts';
import { acpServer } from './server.ts';

/** A command line that speaks the protocol on its standard input and output. */
export type AcpCommand = readonly [program: string, ...words: string[]];

/** What is known of one agent, beyond the protocol. */
export interface AcpMore extends Partial<Pick<Agent, 'actions' | 'gate'>> {
  readonly program?: Partial<Omit<Program, 'name'>>;
  readonly dialect?: Partial<AcpDialect>;
  /** What changes in the plan of a run. */
  readonly adapted?: (launch: Launch, spec: Spec, plan: RunPlan) => Launch;
}

/** An agent that speaks the Agent Client Protocol. */
export function acpAgent(name: string, command: AcpCommand, more: AcpMore = {}) {
  const { program: given, dialect, adapted = (launch) => launch, ...capabilities } = more;
  const program = programOf(command, given);
  return {
    ...capabilities,
    name,
    program,
    launch: (spec: Spec, caller: CallerProcess, plan: RunPlan) =>
      adapted(acpLaunch(command, program, spec, caller), spec, plan),
    server: acpServer({ ...ANY_DIALECT, ...dialect }) as ServerDrive<unknown>,
    images: { server: 'message' },
    resumesUnread: true,
  } satisfies Agent;
}

function acpLaunch(
  [first, ...words]: AcpCommand,
  { environment }: Program,
  spec: Spec,
  { env, umask }: CallerProcess,
): Launch {
  assert(spec.conversation !== undefined, 'a session of an agent has a conversation');
  const { args, envNames } = spec.conversation;
  return {
    argv: [first, ...words, ...args],
    env: environmentOf(environment, env, envNames),
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
