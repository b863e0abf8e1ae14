import { OutlastError } from '../base/errors.ts';
import { clear, kill, remove } from './process-end.ts';
import { ACTIONS, failed, PROCESS_INPUT } from './process-input.ts';
import { list, log, poll } from './process-read.ts';
import { paste, sendKeys, submit, write } from './process-write.ts';
import { tool } from './tool.ts';

const DO = { list, poll, log, write, 'send-keys': sendKeys, submit, paste, kill, clear, remove };

/** `process`: manages commands that keep running. */
export const processTool = tool({
  name: 'process',
  title: 'Manage commands',
  description: [
    'Manages commands that exec left running: list, poll (new output, waits with timeout), log (lines by',
    'offset/limit), write, send-keys, submit, paste, kill, clear (forget an ended one), remove (end and forget).',
  ].join(' '),
  grants: ['read', 'exec'],
  operations: ['session.list', 'session.poll', 'session.output', 'session.write', 'session.stop', 'session.remove'],
  input: PROCESS_INPUT,
  async run(input, call) {
    const { action, sessionId = '' } = input;
    const needed = ACTIONS[action];
    if (!call.grants.has(needed)) return failed(`${action} needs the grant ${needed}, which this connection lacks.`);
    if (sessionId === '' && action !== 'list') return failed('sessionId is required for this action.');
    try {
      return await DO[action]({ ...input, sessionId }, call);
    } catch (error) {
      throw notFound(error, sessionId);
    }
  },
});

function notFound(error: unknown, sessionId: string): unknown {
  if (!(error instanceof OutlastError) || error.code !== 'session_not_found') return error;
  return new OutlastError('session_not_found', `No session found for ${sessionId}`, { cause: error });
}
