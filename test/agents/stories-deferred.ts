import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ApprovalView, Session, StartInput } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { RUDE } from '../scripted/manners.ts';
import type { Stage, StageOptions, Stories } from './stage.ts';

const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });
const story = (...steps: object[]): string => `Do it. SCRIPT${JSON.stringify({ steps })}SCRIPT`;

/** Asks once about each call, and leaves no child behind: the stories count processes. */
const FAULTS: StageOptions = { faults: { ...RUDE, doubled: false, leaveChild: false } };

/** Approvals that never time out, and turns that are deferred early. */
const PATIENT: StartInput = { gate: { mode: 'gate' }, policy: { approvalMsMax: 0, deferMs: 300 } };

function file(stage: Stage, name: string): string | null {
  const path = join(stage.workspace, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** A session whose turn is deferred: its approval is pending, and no process runs. */
async function startDeferred(stage: Stage, ...steps: object[]): Promise<{ session: Session; approval: ApprovalView }> {
  const session = await stage.start({ ...PATIENT, name: 'patient', prompt: story(...steps) });
  await stage.waitForEvent(session.id, 'turn.deferred', 1, 60_000);
  await eventually(() => stage.processes().length === 0, { what: 'the end of its process' });
  const [approval, other] = await stage.world.client.approvals.list({ session: session.id });
  if (approval === undefined || other !== undefined) throw new Error('expected exactly one approval');
  return { session, approval };
}

const replied = async (session: Session): Promise<string> => (await session.reply({ timeoutMs: 60_000 })).reply ?? '';

/** In turns, an approval that is pending for long needs no process. */
export const DEFERRED: Stories = {
  'a pending approval outlives its process and the daemon; the decision resumes the turn, and the call runs once':
    async (open) => {
      const stage = await open(FAULTS);
      const { session, approval } = await startDeferred(stage, bash('echo x >> ran'), { text: 'the end' });
      expect((await stage.cli(['list'])).stdout).toContain('blocked, 1 to approve');
      expect(await stage.cli(['wait', 'patient', '--for', 'approval'])).toMatchObject({ status: 0 });
      await stage.world.kill();
      await stage.world.start();
      expect(approval).toMatchObject({ tool: 'Bash', leftMs: null });
      expect((await stage.world.client.approvals.list()).map(({ id }) => id)).toEqual([approval.id]);
      expect(file(stage, 'ran')).toBeNull();
      expect(await stage.cli(['approve', 'patient'])).toMatchObject({ status: 0 });
      expect(await replied(session)).toBe('the end');
      expect(file(stage, 'ran')).toBe('x\n');
      expect(stage.received()).toHaveLength(1);
      expect(await stage.eventNames(session.id, 'approval.')).toEqual([
        ...['approval.asked', 'approval.deferred', 'approval.decided', 'approval.repeated', 'approval.used'],
      ]);
      expect(await stage.eventNames(session.id, 'run.starting', 'run.faulted', 'prompt.sending')).toEqual([
        ...['prompt.sending', 'run.starting', 'run.starting'],
      ]);
      expect((await stage.cli(['approve', approval.id])).stderr).toContain('was already allowed by');
    },

  'every tool call of a turn can be deferred': async (open) => {
    const stage = await open(FAULTS);
    const { session } = await startDeferred(stage, bash('echo one >> ran'), bash('echo two >> ran'), {
      text: 'the end',
    });
    expect(await stage.cli(['approve', 'patient'])).toMatchObject({ status: 0 });
    await stage.waitForEvent(session.id, 'turn.deferred', 2, 60_000);
    expect(file(stage, 'ran')).toBe('one\n');
    expect(await stage.cli(['approve', 'patient'])).toMatchObject({ status: 0 });
    expect(await replied(session)).toBe('the end');
    expect(file(stage, 'ran')).toBe('one\ntwo\n');
    const ends = await stage.events(session.id, 'tool.ended');
    expect(ends.map(({ body }) => body)).toMatchObject([{ tool: 'Bash' }, { tool: 'Bash' }]);
  },

  'a denial also resumes the deferred turn, and its reason reaches the agent': async (open) => {
    const stage = await open(FAULTS);
    const { session } = await startDeferred(stage, bash('echo x >> ran'), { text: 'the end' });
    expect(await stage.cli(['deny', 'patient', '--why', 'not on a Sunday'])).toMatchObject({ status: 0 });
    expect(await replied(session)).toBe('the end');
    expect(file(stage, 'ran')).toBeNull();
    expect((await stage.cli(['turn', 'patient', '--full'])).stdout).toContain('not on a Sunday');
  },

  'an edited call runs instead of the deferred one': async (open) => {
    const stage = await open(FAULTS);
    const { session, approval } = await startDeferred(stage, bash('echo x >> ran'), { text: 'the end' });
    const edit = JSON.stringify({ command: 'echo changed >> ran', description: 'x' });
    expect(await stage.cli(['approve', approval.id, '--edit', edit])).toMatchObject({ status: 0 });
    expect(await replied(session)).toBe('the end');
    expect(file(stage, 'ran')).toBe('changed\n');
  },

  'interrupting a deferred turn ends it: its call never runs, and the next prompt is answered': async (open) => {
    const stage = await open(FAULTS);
    const { session } = await startDeferred(stage, bash('echo x >> ran'), { text: 'the end' });
    expect(await stage.cli(['interrupt', 'patient'])).toMatchObject({ status: 0 });
    await stage.waitForEvent(session.id, 'prompt.interrupted');
    expect(await stage.world.client.approvals.list({ session: session.id })).toEqual([]);
    const next = await stage.cli(['converse', 'patient', 'hello again']);
    expect([next.status, next.stdout]).toEqual([0, 'You said: hello again\n']);
    expect(file(stage, 'ran')).toBeNull();
    expect((await stage.events(session.id, 'approval.decided')).map(({ body }) => body)).toMatchObject([
      { allow: false, by: 'the end of its turn' },
    ]);
  },

  'a session stopped while its turn is deferred leaves no approval, and can be resumed': async (open) => {
    const stage = await open(FAULTS);
    const { session } = await startDeferred(stage, bash('echo x >> ran'), { text: 'the end' });
    expect(await stage.cli(['stop', 'patient'])).toMatchObject({ status: 0 });
    expect((await session.waitFor('ended', { timeoutMs: 20_000 })).session.outcome?.kind).toBe('stopped');
    expect(await stage.world.client.approvals.list()).toEqual([]);
    expect(await stage.cli(['resume', 'patient'])).toMatchObject({ status: 0 });
    const next = await stage.cli(['converse', 'patient', 'hello again']);
    expect([next.status, next.stdout, file(stage, 'ran')]).toEqual([0, 'You said: hello again\n', null]);
  },
};
