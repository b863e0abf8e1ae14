import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Agent } from '../../agent/seam/agent.ts';
import { GATE_KINDS, type GateKind, holdsIn } from '../../agent/seam/gate.ts';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { writeDurably } from '../../base/files.ts';
import type { Log } from '../../base/log.ts';
import type { Session, Spec } from '../../core/session.ts';
import { findProgram, programOf } from './agent-version.ts';
import { type HookingAgent, probeGate } from './gate-probe.ts';
import { type ProbeResult, UNFINISHED } from './probe-calls.ts';
import { type AskingAgent, endOldProbes, probeProtocol } from './protocol-probe.ts';

export interface GatesParts {
  readonly state: string;
  readonly clock: Clock;
  readonly agents: Readonly<Record<string, Agent>>;
  /** The environment of the process that started a session. */
  readonly env: (session: Session) => Readonly<Record<string, string>>;
  /** The program that asks for an agent without a hook. */
  readonly permissionServer: readonly [string, ...string[]];
  readonly log: Log;
}

/** What is known about the gate of one program. */
export interface Proof extends ProbeResult {
  readonly version: string;
  readonly by: GateKind;
  /** What was tried, by the number of `PROBE`; absent: less than today. */
  readonly probe?: number;
}

/** Which gate probe it is. It gets another number when it tries more: then every program is probed again. */
export const PROBE = 2;

type Drive = Spec['drive'];

/** An agent with what is needed to try its gate. */
type GatedAgent = HookingAgent | AskingAgent;

/**
 * Which agents obey their gate. Each program is probed once, before its first gated session; the result is kept until
 * the program changes.
 */
export class Gates {
  readonly #parts: GatesParts;
  readonly #proofs = new Map<string, Promise<Proof>>();
  #swept: Promise<void> | null = null;

  constructor(parts: GatesParts) {
    this.#parts = parts;
  }

  /** How this agent is gated, if that is proven to work; otherwise an error that says why it cannot be. */
  async demand(name: string, drive: Drive, path: string): Promise<GateKind> {
    const proof = await this.proof(name, drive, path);
    // On a screen the agent's own dialog allows a call, so it need not accept a yes from us alone.
    if (proof.denies && (proof.allows || drive === 'live')) return proof.by;
    throw new OutlastError('gate_unsafe', `${name} ${proof.version} cannot be gated (${drive}): ${proof.why}`);
  }

  /** Proves the gate for the next run of a session: the program may have changed since the last one. */
  demandFor(session: Session): Promise<GateKind> {
    const { agent, drive } = session.spec;
    const shown = session.run?.how === 'visit' ? 'live' : drive;
    return this.demand(agent, shown, this.#parts.env(session).PATH ?? '');
  }

  /** Refuses an agent that asks nobody when it is run this way. */
  demandAsking(name: string, drive: Drive): void {
    gatedAgent(this.#parts.agents, name, drive);
  }

  proof(name: string, drive: Drive, path: string): Promise<Proof> {
    const agent = gatedAgent(this.#parts.agents, name, drive);
    const identity = identityOf(agent, path);
    const known = this.#proofs.get(identity);
    if (known !== undefined) return known;
    const proof = this.#read(identity) ?? this.#try(agent, path, identity);
    this.#proofs.set(identity, proof);
    // A probe without a result is repeated.
    proof.then(
      ({ why }) => why.startsWith(UNFINISHED) && this.#proofs.delete(identity),
      () => this.#proofs.delete(identity),
    );
    return proof;
  }

  async #try(agent: GatedAgent, path: string, identity: string): Promise<Proof> {
    const { log, clock, state } = this.#parts;
    this.#swept ??= endOldProbes(state, clock).catch((error) =>
      log('the rest of an old probe cannot be removed', { why: String(error) }),
    );
    await this.#swept;
    const found = await findProgram(agent.program, { clock, path });
    const proof = { ...(await this.#tryWays(agent, path)), version: found?.version ?? 'unknown', probe: PROBE };
    log('a gate was tried', { agent: agent.name, ...proof });
    if (proof.denies) this.#keep(identity, proof);
    return proof;
  }

  /** In its messages; or by its own hooks, and where it calls none, by what it asks in their place. */
  async #tryWays(agent: GatedAgent, path: string): Promise<ProbeResult & Pick<Proof, 'by'>> {
    const { state, clock, permissionServer } = this.#parts;
    const parts = { state, clock, path };
    if (isAsking(agent)) return { ...(await probeProtocol(parts, agent)), by: 'protocol' };
    const first = await probeGate({ ...parts, permissionServer: null }, agent);
    if (!first.denies || first.allows) return { ...first, by: 'hook' };
    const second = await probeGate({ ...parts, permissionServer }, agent);
    return second.denies && second.allows ? { ...second, by: 'permission-server' } : { ...first, by: 'hook' };
  }

  #read(identity: string): Promise<Proof> | null {
    const kept = readKept(this.#file())[identity];
    // A result that an older version kept under another name, or with fewer tries, is probed again.
    const isKnown = kept !== undefined && GATE_KINDS.includes(kept.by) && kept.probe === PROBE;
    return isKnown ? Promise.resolve(kept) : null;
  }

  #keep(identity: string, proof: Proof): void {
    writeDurably(this.#file(), JSON.stringify({ ...readKept(this.#file()), [identity]: proof }, null, 2));
  }

  #file(): string {
    return join(this.#parts.state, 'gates.json');
  }
}

/** The agent with a gate that holds in this drive; else an error that says in which it does. */
function gatedAgent(agents: GatesParts['agents'], name: string, drive: Drive): GatedAgent {
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
  const { program, gate, turns, server } = agent ?? {};
  if (agent && program && gate && holdsIn(gate, drive)) {
    if (gate.asks === 'protocol' && server) return { ...agent, program, gate, server };
    if (gate.asks === 'hooks' && turns) return { ...agent, program, gate, turns };
  }
  const way = drive === 'server' ? 'in its messages' : drive === 'turns' ? 'in turns' : 'on its own screen';
  const other = gate?.asks === 'protocol' ? '--live without --tui' : 'a turn at a time or --tui';
  const help = gate === undefined ? 'start it without a gate' : `use ${other}, or start it without a gate`;
  throw new OutlastError('gate_unsafe', `${name} is not known to ask before every call ${way}; ${help}`);
}

function isAsking(agent: GatedAgent): agent is AskingAgent {
  return agent.gate.asks === 'protocol';
}

/**
 * Tells one program from another, also from the same one after an update. What holds over one wire is tried on each.
 */
function identityOf(agent: GatedAgent, path: string): string {
  const over = isAsking(agent) ? [`in messages over ${agent.server.wire.over}`] : [];
  return [...filesOf(agent, path), ...over].join('\n');
}

function filesOf({ program }: GatedAgent, path: string): string[] {
  const { name, versionArgs } = program;
  const files = [programOf(program, path) ?? name, ...versionArgs.filter((word) => isAbsolute(word))];
  return files.map((file) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat === undefined ? file : `${realpathSync(file)} ${stat.size} ${stat.mtimeMs} ${stat.ino}`;
  });
}

/** Losing this file only costs the time of a probe. */
function readKept(file: string): Record<string, Proof> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Proof>;
  } catch {
    return {};
  }
}
