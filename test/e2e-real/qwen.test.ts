import { test as alone, describe, expect } from 'vitest';
import { wordsWithoutRow } from '../agents/gate-rows.ts';
import { append, type GatedStage, openGated } from '../agents/gated.ts';
import { openStage, type Stage, type StageOptions } from '../agents/stage.ts';
import { QWEN_0_24 } from '../agents/under-test/qwen.ts';
import { deepTest, tried } from '../campaign.ts';

// What is special about Qwen Code, with the real one: it does not wait for an answer as long as a person may take.

const isHere = QWEN_0_24.isHere() || process.env.CI === 'true';

/** Two seconds instead of ten minutes. */
const PATIENCE = { policy: { approvalMsMax: 0, deferMs: 200 } };

/** A gated stage, and the stage to close. */
async function opened(): Promise<GatedStage & AsyncDisposable> {
  const stages: Stage[] = [];
  const gated = await openGated(async (options?: StageOptions) => {
    const stage = await openStage(QWEN_0_24, options);
    stages.push(stage);
    return stage;
  });
  return { ...gated, [Symbol.asyncDispose]: () => gated.stage[Symbol.asyncDispose]() };
}

describe.skipIf(!isHere)('Qwen Code', { timeout: 180_000 }, () => {
  alone('a call that is allowed after its turn and a killed daemon is made then, once', async () => {
    await using gated = await opened();
    const { stage, startGated, pendingApproval, decide, executed, waitForTranscript } = gated;
    const session = await startGated('live', stage.script(append('late'), { say: 'I wait.' }), PATIENCE);
    const asked = await pendingApproval(session, 'late');
    const over = await stage.waitForEvent(session.id, 'prompt.answered');
    expect([over.body.reply, executed()]).toEqual(['I wait.', []]);
    await waitForTranscript('waits for the approval of a person');
    await stage.world.restart();
    const still = await pendingApproval(session, 'late');
    expect([still.id, (await session.show()).session.approvals]).toEqual([asked.id, 1]);
    // The reason is what the scripted model does next; a real one reads what was allowed.
    await decide(still, true, { why: stage.script(append('late'), { say: 'Done.' }) });
    const told = await stage.waitForEvent(session.id, 'prompt.answered', 2);
    expect([told.body.reply, executed()]).toEqual(['Done.', ['late']]);
    const events = await stage.events(session.id);
    expect(wordsWithoutRow(executed(), events)).toEqual([]);
    const names = events.map(({ event }) => event);
    for (const name of ['approval.asked', 'approval.postponed', 'approval.decided', 'approval.used'])
      expect(names.filter((each) => each === name)).toEqual([name]);
    expect(names).not.toContain('approval.breached');
    // The yes was for one call.
    await session.prompt(stage.script(append('late'), { say: 'bye' }));
    const next = await pendingApproval(session, 'late');
    expect(next.id).not.toBe(asked.id);
    await decide(next, false);
    await stage.waitForEvent(session.id, 'prompt.answered', 3);
    expect(executed()).toEqual(['late']);
    expect((await stage.cli(['audit', 'verify'])).status).toBe(0);
    tried(`gated calls of ${QWEN_0_24.title}`, 3);
  });

  deepTest('a call that is denied after its turn is not made, and the agent is told so', async () => {
    await using gated = await opened();
    const { stage, startGated, pendingApproval, decide, executed } = gated;
    const session = await startGated('live', stage.script(append('late'), { say: 'I wait.' }), PATIENCE);
    await stage.waitForEvent(session.id, 'prompt.answered');
    await decide(await pendingApproval(session, 'late'), false, { why: 'use staging' });
    const told = await stage.waitForEvent(session.id, 'prompt.answered', 2);
    expect(told.body.reply).toContain('was denied');
    expect(told.body.reply).toContain('use staging');
    expect([executed(), await stage.world.client.approvals.list()]).toEqual([[], []]);
  });
});
