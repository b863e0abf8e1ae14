// Deliberate mistakes. The simulator must notice each of them: one that it misses is a gap in the simulator.

import { AGENT_MUTATIONS } from './mutations-agent.ts';
import { BOUND_MUTATIONS } from './mutations-bounds.ts';
import { DEFERRED_MUTATIONS } from './mutations-deferred.ts';
import { FOLDER_MUTATIONS } from './mutations-folder.ts';
import { HANG_MUTATIONS } from './mutations-hang.ts';
import { INGEST_MUTATIONS } from './mutations-ingest.ts';
import { MISSING_MUTATIONS } from './mutations-missing.ts';
import { POSTPONED_MUTATIONS } from './mutations-postponed.ts';
import { REMEDY_MUTATIONS } from './mutations-remedy.ts';
import { RESTORED_MUTATIONS } from './mutations-restored.ts';
import { SCREEN_MUTATIONS } from './mutations-screen.ts';
import { SEARCH_MUTATIONS } from './mutations-search.ts';
import { SERVER_MUTATIONS } from './mutations-server.ts';
import { SWITCH_MUTATIONS } from './mutations-switch.ts';
import { TERMINAL_MUTATIONS } from './mutations-terminal.ts';
import { TROUBLE_MUTATIONS } from './mutations-trouble.ts';
import { UPDATE_MUTATIONS } from './mutations-update.ts';
import { WRITER_MUTATIONS } from './mutations-writer.ts';

export interface Mutation {
  readonly mistake: string;
  /** The story that shows the mistake soonest; all stories by default. */
  readonly story?: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const CORE: readonly Mutation[] = [
  {
    mistake: 'a report of an older run is accepted',
    story: 'liveHang',
    file: 'src/core/admit.ts',
    from: 'if (input.run !== runOf(s)) return nothing;',
    to: '',
  },
  {
    mistake: 'the journal records an input twice',
    story: 'liveCalm',
    file: 'src/journal/memory-journal.ts',
    from: "if (write.cause !== null && this.#inputs.has(write.cause)) return 'seen';",
    to: '',
  },
  {
    mistake: 'a prompt is typed again after a restart',
    story: 'liveSlowAccept',
    file: 'src/core/next-prompt.ts',
    from: "snapshot.tried === 'no' && !prompt.entered",
    to: "snapshot.tried !== 'yes' && !prompt.entered",
  },
  {
    mistake: 'a run is resumed while the old one lives',
    story: 'liveHang',
    file: 'src/core/next-recovering.ts',
    from: "if (snapshot.terminal.is === 'alive' || snapshot.strayProcesses > 0) return",
    to: 'if (false) return',
  },
  {
    mistake: 'stray processes of the old run are not ended before a resume',
    story: 'liveOrphan',
    file: 'src/core/next-recovering.ts',
    from: "if (snapshot.terminal.is === 'alive' || snapshot.strayProcesses > 0) return",
    to: "if (snapshot.terminal.is === 'alive') return",
  },
  {
    mistake: 'a command may be silent forever',
    story: 'execSilent',
    file: 'src/core/next.ts',
    from: "if (nowMs >= silentMs) return stopped('silence');",
    to: '',
  },
  {
    mistake: 'a hook is acknowledged before it is durable',
    story: 'turnsQueued',
    file: 'test/sim/history.ts',
    from: 'writer.submit(delivery.id, delivery.input);\n    world.spool.shift();',
    to: 'world.spool.shift();\n    writer.submit(delivery.id, delivery.input);',
  },
  {
    mistake: 'an unfinished prompt is continued without a look at the transcript',
    story: 'liveCalm',
    file: 'src/core/next-turn.ts',
    from: 'if (!snapshot.transcript.received.includes(tokenOf(prompt))) {',
    to: 'if (prompt.turn < 0) {',
  },
  {
    mistake: 'a prompt sent to an older run counts as sent to this one',
    story: 'liveCrash',
    file: 'src/core/next-agent.ts',
    from: 'prompt.run === phase.run ?',
    to: 'prompt.run > 0 ?',
  },
  {
    mistake: 'a run is opened again after a reboot',
    file: 'src/core/next.ts',
    from: 'if (!isSameBoot(snapshot.boot, phase.boot)) return faulted(s, lost(s, snapshot), nowMs);',
    to: '',
  },
  {
    mistake: 'a stop ignores the launcher that is still starting',
    story: 'execStop',
    file: 'src/core/next.ts',
    from: "is === 'absent' ? isSameBoot(snapshot.boot, s.run.boot) : is === 'alive' || snapshot.strayProcesses > 0",
    to: "is === 'alive' || snapshot.strayProcesses > 0",
  },
  {
    mistake: 'a stop leaves child processes',
    story: 'execLost',
    file: 'src/core/next.ts',
    from: "is === 'absent' ? isSameBoot(snapshot.boot, s.run.boot) : is === 'alive' || snapshot.strayProcesses > 0",
    to: "is === 'absent' ? isSameBoot(snapshot.boot, s.run.boot) : is === 'alive'",
  },
  {
    mistake: 'any event makes an intent look untried',
    story: 'liveBusyCaller',
    file: 'src/supervisor/loop.ts',
    from: 'const tried = intent === null ?',
    to: "this.#intents.set(intent ?? '', 'no');\n    const tried = intent === null ?",
  },
  {
    mistake: 'a prompt that is accepted late is typed again',
    story: 'liveSlowAccept',
    file: 'src/core/next-prompt.ts',
    from: "return append({ type: 'prompt.unsure', prompt: prompt.id, waitedMs: nowMs - prompt.sinceMs });",
    to: 'return append(sending(prompt, prompt.turn + 1, prompt.run));',
  },
  {
    mistake: 'silence counts as approval',
    story: 'liveNobodyAnswers',
    file: 'src/core/next-approval.ts',
    from: "const allow = gate.mode === 'watch';",
    to: 'const allow = true;',
  },
  {
    mistake: 'stray processes of a lost command are not ended',
    story: 'execLost',
    file: 'src/core/next.ts',
    from: "return append({ type: 'session.closing', outcome: { kind: 'abandoned', fault } });\n}",
    to: "return append({ type: 'session.ended', outcome: { kind: 'abandoned', fault } });\n}",
  },
  {
    mistake: "someone else's prompt counts as ours",
    story: 'livePersonTypes',
    file: 'src/core/admit-hook.ts',
    from: 'p.run === run && tokenOf(p) === input.token',
    to: 'p.run === run',
  },
  {
    mistake: 'a prompt whose reply is in the transcript is continued',
    story: 'liveCrashAfterReply',
    file: 'src/core/next-turn.ts',
    from: "if (snapshot.transcript.turn === 'open') {",
    to: 'if (prompt.turn > 0) {',
  },
  {
    mistake: 'an agent that crashed is never resumed',
    story: 'liveCrash',
    file: 'src/core/next-recovering.ts',
    from: 'if (isOfHost(fault)) return null;',
    to: "if (s.recovery.faults > 0) return abandoned('once');",
  },
  {
    mistake: 'a command is started again after a reboot',
    file: 'src/core/next-recovering.ts',
    from: "if (s.spec.drive === 'command') return abandoned();",
    to: '',
  },
  {
    mistake: 'a timeout is never noticed',
    story: 'execTimeout',
    file: 'src/core/next.ts',
    from: "if (nowMs >= dueMs && s.attendance.control?.how !== 'handoff') return stopped('timeout');",
    to: '',
  },
  {
    mistake: 'a lost Enter is never repeated',
    story: 'liveSwallowedEnter',
    file: 'src/core/next-prompt.ts',
    from: 'if (holding && enters < ENTERS_MAX && nowMs >= enterMs)',
    to: 'if (holding && enters < ENTERS_MAX && nowMs < 0)',
  },
  {
    mistake: 'a program that cannot be started is started again',
    story: 'liveMissing',
    file: 'src/core/steps.ts',
    from: 'terminal.failed === null) return null;',
    to: "terminal.failed !== '') return null;",
  },
  {
    mistake: 'a session does not wait for the sessions that it follows',
    story: 'liveAfter',
    file: 'src/core/next-prompt.ts',
    from: 'if (s.followed) return null;',
    to: 'if (s.seq > 0) return null;',
  },
  {
    mistake: 'in turns, a session does not wait for the sessions that it follows',
    story: 'turnsAfter',
    file: 'src/core/next-turn.ts',
    from: 'if (followed) return followed;',
    to: '',
  },
  {
    mistake: 'the replies of the followed sessions are not filled into the prompt',
    story: 'turnsAfter',
    file: 'src/core/fold.ts',
    from: 'textOf.get(p.id) ?? p.text',
    to: 'p.text',
  },
  {
    mistake: 'a visit never ends',
    story: 'turnsVisited',
    file: 'src/core/next-control.ts',
    from: "return act({ kind: 'close', run: phase.run });",
    to: 'return wait(null);',
  },
  {
    mistake: 'a visit does not start on the screen',
    story: 'turnsVisited',
    file: 'src/core/next-control.ts',
    from: "append({ ...starting(s, snapshot), how: 'visit' })",
    to: 'append(starting(s, snapshot))',
  },
  {
    mistake: 'a dropped prompt stays in the way',
    story: 'liveDropped',
    file: 'src/core/fold-prompt.ts',
    from: 'return { ...toldAbout(s, body.prompt), turn: { ...s.turn, stale }, prompts };',
    to: 'return s;',
  },
];

export const MUTATIONS: readonly Mutation[] = [
  ...CORE,
  ...AGENT_MUTATIONS,
  ...SWITCH_MUTATIONS,
  ...TROUBLE_MUTATIONS,
  ...INGEST_MUTATIONS,
  ...MISSING_MUTATIONS,
  ...SEARCH_MUTATIONS,
  ...RESTORED_MUTATIONS,
  ...TERMINAL_MUTATIONS,
  ...SCREEN_MUTATIONS,
  ...FOLDER_MUTATIONS,
  ...WRITER_MUTATIONS,
  ...REMEDY_MUTATIONS,
  ...HANG_MUTATIONS,
  ...BOUND_MUTATIONS,
  ...UPDATE_MUTATIONS,
  ...DEFERRED_MUTATIONS,
  ...POSTPONED_MUTATIONS,
  ...SERVER_MUTATIONS,
];
