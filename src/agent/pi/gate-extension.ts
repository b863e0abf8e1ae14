import type { LaunchFile } from '../../core/launch.ts';
import type { AskPlan } from '../seam/gate.ts';

/** The name of the extension in the files of a run. */
export const EXTENSION = 'gate.ts';

/**
 * Asks before every call. pi makes no call while a handler has not returned, or if it throws, and does not start if the
 * file is missing or cannot be read. The second question is about the call as it would be made.
 */
const HANDLER = `
const { spawn } = process.getBuiltinModule('child_process');

export default function (pi) {
  pi.on('tool_call', async (event, ctx) => {
    const put = (confirms) => ask(confirms ? PLAN.confirm : PLAN.command, {
      confirms, call: event.toolCallId, tool: event.toolName, input: event.input, cwd: ctx.cwd,
    }, ctx.signal);
    const first = await put(false).catch(failed);
    if (first.say !== 'allow') return { block: true, reason: first.why };
    if (first.edit !== undefined) {
      for (const name of Object.keys(event.input)) delete event.input[name];
      Object.assign(event.input, first.edit);
    }
    const second = PLAN.strict ? await put(true).catch(failed) : first;
    return second.say === 'allow' ? undefined : { block: true, reason: second.why };
  });
}

function failed(error) {
  return { say: PLAN.strict ? 'deny' : 'allow', why: 'Outlast could not be asked: ' + error.message };
}

function ask(command, payload, signal) {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'pipe', 'ignore'], timeout: PLAN.ms });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (piece) => { text += piece; });
    child.stdin.on('error', () => {}).end(JSON.stringify(payload));
    signal?.addEventListener('abort', () => child.kill());
    child.on('error', reject).on('close', (status) => {
      try {
        if (status !== 0) throw new Error('the question ended with status ' + status);
        const answer = JSON.parse(text);
        if (typeof answer.say !== 'string') throw new Error('the answer cannot be read');
        resolve({ ...answer, why: String(answer.why) });
      } catch (error) {
        reject(error);
      }
    });
  });
}
`;

/** pi gives up on a question this long after the question's own deadline. */
const SPARE_SECONDS = 10;
/** A timer cannot be longer. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** The extension that asks, as a file of the run. */
export function gateExtension({ command, confirm, secondsMax, strict }: AskPlan): LaunchFile {
  const ms = Math.min((secondsMax + SPARE_SECONDS) * 1_000, TIMER_MS_MAX);
  return { name: EXTENSION, text: `const PLAN = ${JSON.stringify({ command, confirm, ms, strict })};\n${HANDLER}` };
}
