import type { Agent } from '../../agent/seam/agent.ts';
import type { LogCall } from '../../api/logs-shape.ts';
import { unmapped } from '../../core/rules/action.ts';
import type { AgentTurn } from '../../supervisor/all-turns.ts';

type Actions = (name: string, input: unknown) => LogCall['actions'] & CallActions;
type CallActions = ReturnType<typeof unmapped>;

/** What the logs need to know of the agents of a session. */
export class LogAgents {
  readonly #agents: Readonly<Record<string, Agent>>;
  readonly #current: () => string;

  constructor(agents: Readonly<Record<string, Agent>>, current: () => string) {
    this.#agents = agents;
    this.#current = current;
  }

  /** The actions of a call of the agent that the session has now. */
  readonly actions = (name: string, input: unknown): LogCall['actions'] => this.actionsOf(this.#current())(name, input);

  /** How the calls of an agent are mapped to actions. */
  actionsOf(agent: string): Actions {
    return (this.#named(agent)?.actions ?? unmapped) as Actions;
  }

  /** How an agent records its conversations; undefined: not where we can read it. */
  recordOf(agent: string): Agent['record'] {
    return this.#named(agent)?.record;
  }

  /** Does the agent record its conversation? */
  isRecorded(): boolean {
    return this.recordOf(this.#current()) !== undefined;
  }

  /** The name of the agent of a turn, if the session had several. */
  namedIn(turns: readonly AgentTurn[], turn: number): { readonly agent?: string } {
    const { agent } = turns[turn] ?? {};
    const isOnly = turns[0]?.agent === turns.at(-1)?.agent;
    return isOnly || agent === undefined ? {} : { agent };
  }

  #named(name: string): Agent | undefined {
    return Object.values(this.#agents).find((agent) => agent.name === name);
  }
}
