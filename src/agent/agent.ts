import type { Launch } from '../core/launch.ts';
import type { Spec } from '../core/session.ts';

/** What we know about one kind of agent. Pure: no file, no clock, no process is touched here. */
export interface Agent {
  readonly name: string;
  /** The plan for a run of this session. */
  launch(spec: Spec, surroundings: Surroundings): Launch;
}

/** What the caller's process had around it when it asked. Kept in the run's folder, never in the journal. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string>>;
  readonly umask: number;
}
