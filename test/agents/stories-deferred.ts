import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ApprovalView, Session, StartInput } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { RUDE } from '../scripted/manners.ts';
import type { Stage, StageOptions, Stories } from './stage.ts';

const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });
const story = (...steps: object[]): string => `Do it. SCRIPT${JSON.stringify({ steps })}SCRIPT`;

/** A call is asked about once, and nothing that the agent leaves behind is to be mistaken for it. */
const HARD: StageOptions = { manners: { ...RUDE, doubled: false, leaveChild: false } };

/** Whoever starts these waits for ever, but keeps no process for long. */
const PATIENT: StartInput = { gate: { mode: 'gate' }, policy: { approvalMsMax: 0, deferMs: 300 } };

function file(stage: Stage, name: string): string | null {
  const path = join(stage.workspace, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** A session whose turn was put off: its question is open, and there is no process. */
async function putOff(stage: Stage, ...steps: object[]): Promise<{ session: Session; asked: ApprovalView }> {
  const session = await stage.start({ ...PATIENT, name: 'patient', prompt: story(...steps) });
  await stage.happens(session.id, 'turn.deferred', 1, 60_000);
  await eventually(() => stage.processes().length === 0, { what: 'the end of its process' });
  const [asked, another] = await stage.world.client.approvals.list({ session: session.id });
  if (asked === undefined || another !== undefined) throw new Error('there is not one question');
  return { session, asked };
}

const replied = async (session: Session): Promise<string> => (await session.reply({ timeoutMs: 60_000 })).reply ?? '';

/** In turns, a question that waits for ever keeps no process. */
export const DEFERRED: Stories = {
  'a question outlives its process and the daemon; its answer takes the turn up, and the call is made once': async (
    open,
  ) => {
    const stage = await open(HARD);
    const { session, asked } = await putOff(stage, bash('echo x >> ran'), { text: 'the end' });
    expect((await stage.cli(['list'])).stdout).toContain('blocked, 1 to approve');
    expect(await stage.cli(['wait', 'patient', '--for', 'approval'])).toMatchObject({ status: 0 });
    await stage.world.kill();
    await stage.world.start();
    expect(asked).toMatchObject({ tool: 'Bash', leftMs: null });
    expect((await stage.world.client.approvals.list()).map(({ id }) => id)).toEqual([asked.id]);
    expect(file(stage, 'ran')).toBeNull();
    expect(await stage.cli(['approve', 'patient'])).toMatchObject({ status: 0 });
    expect(await replied(session)).toBe('the end');
    expect(file(stage, 'ran')).toBe('x\n');
    expect(stage.heard()).toHaveLength(1);
    expect(await stage.names(session.id, 'approval.')).toEqual([
      ...['approval.asked', 'approval.deferred', 'approval.decided', 'approval.repeated', 'approval.used'],
    ]);
    expect(await stage.names(session.id, 'run.starting', 'run.faulted', 'prompt.sending')).toEqual([
      ...['prompt.sending', 'run.starting', 'run.starting'],
    ]);
    expect((await stage.cli(['approve', asked.id])).stderr).toContain('was allowed by');
  },

  'each call of a turn may be put off': async (open) => {
    const stage = await open(HARD);
    const { session } = await putOff(stage, bash('echo one >> ran'), bash('echo two >> ran'), { text: 'the end' });
    expect(await stage.cli(['approve', 'patient'])).toMatchObject({ status: 0 });
    await stage.happens(session.id, 'turn.deferred', 2, 60_000);
    expect(file(stage, 'ran')).toBe('one\n');
    expect(await stage.cli(['approve', 'patient'])).toMatchObject({ status: 0 });
    expect(await replied(session)).toBe('the end');
    expect(file(stage, 'ran')).toBe('one\ntwo\n');
    const ends = await stage.events(session.id, 'tool.ended');
    expect(ends.map(({ body }) => body)).toMatchObject([{ tool: 'Bash' }, { tool: 'Bash' }]);
  },

  'a no takes the turn up too, and its reason reaches the agent': async (open) => {
    const stage = await open(HARD);
    const { session } = await putOff(stage, bash('echo x >> ran'), { text: 'the end' });
    expect(await stage.cli(['deny', 'patient', '--why', 'not on a Sunday'])).toMatchObject({ status: 0 });
    expect(await replied(session)).toBe('the end');
    expect(file(stage, 'ran')).toBeNull();
    expect((await stage.cli(['turn', 'patient', '--full'])).stdout).toContain('not on a Sunday');
  },

  'a changed call is made in the place of the one that was put off': async (open) => {
    const stage = await open(HARD);
    const { session, asked } = await putOff(stage, bash('echo x >> ran'), { text: 'the end' });
    const edit = JSON.stringify({ command: 'echo changed >> ran', description: 'x' });
    expect(await stage.cli(['approve', asked.id, '--edit', edit])).toMatchObject({ status: 0 });
    expect(await replied(session)).toBe('the end');
    expect(file(stage, 'ran')).toBe('changed\n');
  },

  'a turn that is interrupted while it waits is over: its call is never made, and the next prompt is answered': async (
    open,
  ) => {
    const stage = await open(HARD);
    const { session } = await putOff(stage, bash('echo x >> ran'), { text: 'the end' });
    expect(await stage.cli(['interrupt', 'patient'])).toMatchObject({ status: 0 });
    await stage.happens(session.id, 'prompt.interrupted');
    expect(await stage.world.client.approvals.list({ session: session.id })).toEqual([]);
    const next = await stage.cli(['converse', 'patient', 'hello again']);
    expect([next.status, next.stdout]).toEqual([0, 'You said: hello again\n']);
    expect(file(stage, 'ran')).toBeNull();
    expect((await stage.events(session.id, 'approval.decided')).map(({ body }) => body)).toMatchObject([
      { allow: false, by: 'the end of its turn' },
    ]);
  },

  'a session that is stopped while it waits leaves nothing, and can be resumed': async (open) => {
    const stage = await open(HARD);
    const { session } = await putOff(stage, bash('echo x >> ran'), { text: 'the end' });
    expect(await stage.cli(['stop', 'patient'])).toMatchObject({ status: 0 });
    expect((await session.waitFor('ended', { timeoutMs: 20_000 })).session.outcome?.kind).toBe('stopped');
    expect(await stage.world.client.approvals.list()).toEqual([]);
    expect(await stage.cli(['resume', 'patient'])).toMatchObject({ status: 0 });
    const next = await stage.cli(['converse', 'patient', 'hello again']);
    expect([next.status, next.stdout, file(stage, 'ran')]).toEqual([0, 'You said: hello again\n', null]);
  },
};
