import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Agent } from '../../agent/seam/agent.ts';
import { GATE_KINDS, type GateKind } from '../../agent/seam/gate.ts';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { writeDurably } from '../../base/files.ts';
import type { Log } from '../../base/log.ts';
import { run } from '../../base/spawn.ts';
import type { Session, Spec } from '../../core/session.ts';
import { findOnPath } from '../config/config.ts';
import { type GatedAgent, type ProbeResult, probeGate, UNFINISHED } from './gate-probe.ts';

export interface GatesParts {
  readonly state: string;
  readonly clock: Clock;
  readonly agents: Readonly<Record<string, Agent>>;
  /** What whoever started a session had around it. */
  readonly env: (session: Session) => Readonly<Record<string, string>>;
  /** What asks for an agent that calls no hook. */
  readonly permissionServer: readonly [string, ...string[]];
  readonly log: Log;
}

/** What is known about the gate of one program. */
export interface Proof extends ProbeResult {
  readonly version: string;
  readonly by: GateKind;
}

type Drive = Spec['drive'];

/**
 * Which agents hold back what is denied. Each program is tried once, before its first session behind a gate; what came
 * out is kept until the program changes.
 */
export class Gates {
  readonly #parts: GatesParts;
  readonly #proofs = new Map<string, Promise<Proof>>();

  constructor(parts: GatesParts) {
    this.#parts = parts;
  }

  /** How this agent is gated, where that is proven to hold; else why a session cannot be behind it. */
  async demand(name: string, drive: Drive, path: string): Promise<GateKind> {
    const proof = await this.proof(name, path);
    // On a screen the agent's own dialog lets a call through, so it need not take a yes from us alone.
    if (proof.denies && (proof.allows || drive === 'live')) return proof.by;
    throw new OutlastError('gate_unsafe', `${name} ${proof.version} cannot be gated (${drive}): ${proof.why}`);
  }

  /** Proves the gate for the next run of a session: the program may have changed since its last one. */
  demandFor(session: Session): Promise<GateKind> {
    const { agent, drive } = session.spec;
    const isShown = drive === 'turns' && session.run?.how !== 'visit' ? 'turns' : 'live';
    return this.demand(agent, isShown, this.#parts.env(session).PATH ?? '');
  }

  proof(name: string, path: string): Promise<Proof> {
    const { agents } = this.#parts;
    const agent = gatedAgent(agents, name);
    const identity = identityOf(agent, path);
    const known = this.#proofs.get(identity);
    if (known !== undefined) return known;
    const proof = this.#read(identity) ?? this.#try(agent, path, identity);
    this.#proofs.set(identity, proof);
    // What could not be tried is tried again.
    proof.then(
      ({ why }) => why === UNFINISHED && this.#proofs.delete(identity),
      () => this.#proofs.delete(identity),
    );
    return proof;
  }

  async #try(agent: GatedAgent, path: string, identity: string): Promise<Proof> {
    const { log, clock } = this.#parts;
    const { name, versionArgs } = agent.program;
    const asked = await run([findOnPath(name, path) ?? name, ...versionArgs], { clock, env: { PATH: path } });
    const version = asked.end === 'exited' ? /\d+(\.\d+)+/.exec(asked.stdout.toString())?.[0] : undefined;
    const proof = { ...(await this.#tryWays(agent, path)), version: version ?? 'unknown' };
    log('a gate was tried', { agent: agent.name, ...proof });
    if (proof.denies) this.#keep(identity, proof);
    return proof;
  }

  /** By its own hooks; where it calls none, by what it asks in their place. */
  async #tryWays(agent: GatedAgent, path: string): Promise<ProbeResult & Pick<Proof, 'by'>> {
    const { state, clock, permissionServer } = this.#parts;
    const parts = { state, clock, path };
    const first = await probeGate({ ...parts, permissionServer: null }, agent);
    if (!first.denies || first.allows) return { ...first, by: 'hook' };
    const second = await probeGate({ ...parts, permissionServer }, agent);
    return second.denies && second.allows ? { ...second, by: 'permission-server' } : { ...first, by: 'hook' };
  }

  #read(identity: string): Promise<Proof> | null {
    const kept = readKept(this.#file())[identity];
    // What an older version kept under another name, or before there was another way, is tried again.
    const isKnown = kept !== undefined && GATE_KINDS.includes(kept.by);
    return isKnown ? Promise.resolve(kept) : null;
  }

  #keep(identity: string, proof: Proof): void {
    writeDurably(this.#file(), JSON.stringify({ ...readKept(this.#file()), [identity]: proof }, null, 2));
  }

  #file(): string {
    return join(this.#parts.state, 'gates.json');
  }
}

function gatedAgent(agents: GatesParts['agents'], name: string): GatedAgent {
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (agent?.program && agent.gate && agent.turns)
    return { ...agent, program: agent.program, gate: agent.gate, turns: agent.turns };
  throw new OutlastError('not_supported', `${name} has no gate`);
}

/** Tells one program from another, also from the same one after an update. */
function identityOf({ program }: GatedAgent, path: string): string {
  const { name, versionArgs } = program;
  const files = [findOnPath(name, path) ?? name, ...versionArgs.filter((word) => isAbsolute(word))];
  return files
    .map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false });
      return stat === undefined ? file : `${realpathSync(file)} ${stat.size} ${stat.mtimeMs} ${stat.ino}`;
    })
    .join('\n');
}

/** Nothing is lost with this file but the time for a trial. */
function readKept(file: string): Record<string, Proof> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Proof>;
  } catch {
    return {};
  }
}
