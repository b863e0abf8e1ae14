import { expect } from 'vitest';
import type { Fault } from './gate-faults.ts';
import type { Gated } from './gate-world.ts';

/** What a fault led to, in numbers. */
export interface Figures extends Record<string, number> {
  readonly runs: number;
  readonly calls: number;
  readonly executions: number;
  readonly withoutRow: number;
}

/** Checks the result of a fault: the audit allows every call that was made, and agents got a reason for the others. */
export async function checkGate(fault: Fault, agents: readonly Gated[]): Promise<Figures> {
  let [made, unallowed, calls] = [0, 0, 0];
  for (const agent of agents) {
    const read = await agent.untilTurnEnds();
    const isMade = fault.perhaps !== undefined && agent.made().includes(fault.perhaps);
    expect(agent.made()).toEqual(isMade ? [...fault.made, fault.perhaps] : fault.made);
    expect(await agent.unallowed()).toEqual([]);
    expect(await agent.events('approval.breached')).toEqual([]);
    // The whole transcript is too long for an error message.
    const results = read.split('\n').filter((line) => line.includes('"tool_result"'));
    const texts = results.map((line) => line.slice(0, 600)).join('\n');
    if (!isMade && !fault.says.test(read)) throw new Error(`the agent was not told ${fault.says}, but:\n${texts}`);
    made += agent.made().length;
    unallowed += (await agent.unallowed()).length;
    calls += (await agent.events('tool.called')).length;
  }
  return { runs: agents.length, calls, executions: made, withoutRow: unallowed };
}

/** The sum of several results. */
export function sumOf(all: readonly Figures[]): Figures {
  const sum = (name: string): number => all.reduce((total, each) => total + (each[name] ?? 0), 0);
  return { runs: sum('runs'), calls: sum('calls'), executions: sum('executions'), withoutRow: sum('withoutRow') };
}
