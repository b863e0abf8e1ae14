import { script } from '../story-text.ts';
import type { TurnStep } from './agent.ts';

/** How the scripted model of an agent plays steps. */
export interface ScriptedModel {
  /** The call that runs a command. */
  readonly shell: (command: string) => object;
  /** The status of an overloaded API. */
  readonly overloaded: number;
  /** How often the agent asks a model that fails. */
  readonly tries: number;
}

/** A prompt with steps for the scripted model. A failure in the last step fails every retry. */
export function scriptedPrompt(steps: readonly TurnStep[], model: ScriptedModel): string {
  return script(...steps.map((step, i) => stepOf(step, model, i === steps.length - 1)));
}

function stepOf(step: TurnStep, { shell, overloaded, tries }: ScriptedModel, isLast: boolean): object {
  if ('say' in step) {
    const { say, ...more } = step;
    return { text: say, ...more };
  }
  if ('together' in step) return { tools: step.together.map(shell) };
  if ('overloaded' in step) return { status: overloaded, times: step.overloaded };
  if ('pings' in step) return { hang: 'pings', times: step.pings };
  if ('until' in step) return shell(`echo here; until [ -e '${step.until}' ]; do sleep 0.02; done`);
  if ('run' in step) return { ...shell(step.run), say: step.before, held: step.held };
  if ('fail' in step) return { status: step.fail, ...(isLast ? {} : { times: tries }) };
  return { hang: 'headers' };
}
